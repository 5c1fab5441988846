// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The draft of the selected op, part by part: one row a dimension set with a chip to drag or cut, groups, cores and the
/// representative mapping. Each offers every value, those the hardware cannot have greyed with the reason.
#include "core/plan/legal_values.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace pim::views {

class ChoiceBox;

/// Where the verdicts come from.
struct DraftJudge {
    /// At once; \p then is called with the last word, on this thread, when it is known.
    std::function<std::vector<SplitValue>(const Draft&, int set, SplitLevel,
                                          std::function<void(std::vector<SplitValue>)> then)>
        splits;
    std::function<Result<void>(const Draft&)> check;
};

class DraftEditor : public QWidget {
    Q_OBJECT
public:
    explicit DraftEditor(QWidget* parent = nullptr);

    void setJudge(DraftJudge judge) { m_judge = std::move(judge); }
    /// Shows a draft; a null space empties the editor. \p coreBytes: memory of a core, 0: not known.
    void setDraft(std::shared_ptr<const TilingSpace> space, const std::optional<Draft>& draft,
                  std::int64_t coreBytes = 0);
    const std::optional<Draft>& draft() const { return m_draft; }
    ChoiceBox* counts(int set, SplitLevel level) const;
    ChoiceBox* mapping(int set) const { return m_rows[static_cast<std::size_t>(set)].mapping; }
    QWidget* chip(int set) const { return m_rows[static_cast<std::size_t>(set)].chip; }
    QString dimensionName(int set) const; ///< "n (1024)"

signals:
    void edited(const pim::Draft& draft);
    void cutRequested(int set); ///< A dimension, to be put somewhere with the keys.

private:
    struct Row {
        QWidget* chip = nullptr;
        ChoiceBox* groups = nullptr;
        ChoiceBox* cores = nullptr;
        ChoiceBox* mapping = nullptr;
        QLabel* tile = nullptr;
    };
    void buildRows();
    void showNumbers();
    void change(const std::function<void(Draft&)>& how);

    DraftJudge m_judge;
    std::shared_ptr<const TilingSpace> m_space;
    std::optional<Draft> m_draft;
    std::int64_t m_coreBytes = 0;
    std::vector<Row> m_rows;
    QWidget* m_area = nullptr;
    QGridLayout* m_grid = nullptr;
    ChoiceBox* m_strategy;
    QLabel* m_use;
};

} // namespace pim::views
