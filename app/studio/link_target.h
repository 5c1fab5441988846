// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Goes where a pim:// link leads: opens the project, shows the run, selects op and draft; and makes links to
/// what is selected.
#include "core/report/link.h"

#include <QObject>
#include <QString>

#include <optional>

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class LinkTarget : public QObject {
    Q_OBJECT
public:
    explicit LinkTarget(views::Workspace& workspace, QObject* parent = nullptr);

    /// Returns at once; what cannot be found is told by Workspace::failed().
    void open(const QString& link);

    /// To the run that holds the plan in force, and to the op and the draft selected.
    static QString linkToSelection(const views::Workspace& workspace);
    static QString whyNoLink(const views::Workspace& workspace); ///< Empty: there is one.

signals:
    void arrived(qint64 run); ///< The project of the link is open and has this run.

private:
    void follow();
    void selectOp();

    views::Workspace& m_workspace;
    std::optional<RunLink> m_project; ///< Waits for its project to be open.
    std::optional<RunLink> m_draft;   ///< Waits for the plan, which knows the drafts of its op.
};

} // namespace pim::studio
