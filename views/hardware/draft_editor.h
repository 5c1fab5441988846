// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The draft of the selected op as numbers to edit: one row a dimension set with a chip to drag, groups, cores and the
/// representative mapping. Only legal values can be entered; what is free is said beside it.
#include "core/tiling/tiling.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace pim::views {

enum class SplitLevel { Groups, Cores };

class DraftEditor : public QWidget {
    Q_OBJECT
public:
    explicit DraftEditor(QWidget* parent = nullptr);

    /// Shows a draft; a null space empties the editor.
    void setDraft(std::shared_ptr<const TilingSpace> space, const std::optional<Draft>& draft);
    const std::optional<Draft>& draft() const { return m_draft; }
    QSpinBox* spin(int set, SplitLevel level) const;

    /// The draft with dimension set \p set spread over all that \p level has left for it, as a dropped chip does.
    static Result<Draft> spread(const TilingSpace& space, const Draft& draft, int set, SplitLevel level);

signals:
    void edited(const pim::Draft& draft);

private:
    struct Row {
        QWidget* chip = nullptr;
        QSpinBox* groups = nullptr;
        QSpinBox* cores = nullptr;
        QComboBox* mapping = nullptr;
        QLabel* tile = nullptr;
    };
    void buildRows();
    void showNumbers();
    void takeNumbers();

    std::shared_ptr<const TilingSpace> m_space;
    std::optional<Draft> m_draft;
    std::vector<Row> m_rows;
    QWidget* m_area = nullptr;
    QGridLayout* m_grid = nullptr;
    QComboBox* m_strategy;
    QLabel* m_use;
    bool m_filling = false;
};

} // namespace pim::views
