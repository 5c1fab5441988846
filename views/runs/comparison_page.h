// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs set against one of them: are they comparable, bars side by side, every op.
#include "views/runs/runs_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace pim::views {

class StackedBars;
class TableView;

class ComparisonPage : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonPage(QWidget* parent = nullptr);

    /// \p ops of each run. The oldest run is the baseline, unless the one chosen before is among them.
    void setRuns(std::vector<RunInfo> runs, std::vector<std::vector<RunOp>> ops);
    const RunsComparison& comparison() const { return m_model->comparison(); }
    void setBaseline(std::int64_t run);

    TableView* table() const { return m_table; }
    StackedBars* bars() const { return m_bars; }
    QString badge() const;

signals:
    void opChosen(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildHead();
    void compare();
    void show(const RunsComparison& comparison);
    QString summary(const RunsComparison& comparison) const;
    void styleBadge();

    std::vector<RunInfo> m_runs;
    std::vector<std::vector<RunOp>> m_ops;
    std::int64_t m_baseline = 0; ///< Run the user chose; 0: none.
    DeltaModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QLabel* m_badge;
    QComboBox* m_choice;
    QToolButton* m_swap;
    QLabel* m_summary;
    StackedBars* m_bars;
    TableView* m_table;
};

} // namespace pim::views
