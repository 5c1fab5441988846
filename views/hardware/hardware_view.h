// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The machine: floorplan and draft editor of the selected op, with drag and drop from graph and chips.
#include "core/compile/override.h"
#include "views/hardware/draft_editor.h"
#include "views/hardware/floorplan.h"

class QLabel;

namespace pim::views {

class Workspace;

class HardwareView : public QWidget {
    Q_OBJECT
public:
    explicit HardwareView(Workspace& workspace, QWidget* parent = nullptr);

    Floorplan* floorplan() const { return m_floorplan; }
    DraftEditor* editor() const { return m_editor; }

    /// What dropping would do, and doing it; drag and drop and tests take the same way.
    DropVerdict verdict(const QString& mime, const QString& payload, const HardwareSpot& spot) const;
    void drop(const QString& mime, const QString& payload, const HardwareSpot& spot);

private:
    void refresh();
    void decide(const Override& wanted);
    std::optional<Override> decision(const QString& mime, const QString& payload, const HardwareSpot& spot, QString* problem) const;

    Workspace& m_workspace;
    Floorplan* m_floorplan;
    DraftEditor* m_editor;
    QLabel* m_title;
    std::shared_ptr<const TilingSpace> m_loadSpace; ///< What m_floorplan's load was computed for.
    std::optional<Draft> m_loadDraft;
};

} // namespace pim::views
