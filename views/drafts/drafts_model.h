// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Drafts of one op as rows: the kept ones with their price, and on request the rejected ones with the rule.
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"

#include <QAbstractTableModel>

#include <functional>

namespace pim::views {

class DraftBoard;

/// Reads an Exploration in place and sorts and filters a list of positions by plain numbers: a proxy model that compares
/// QVariants takes seconds where this takes milliseconds.
class DraftsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Columns behind the ones of the dimension sets (one each, first).
    enum Figure {
        Total,
        Learned, ///< As the predictor in force sees it.
        Simulated,
        Error,
        VsBest,
        Input,
        Compute,
        Output,
        Switch,
        Cores,
        Memory,
        Strategy,
        Verdict,
        Needed,
        Available,
        FigureCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setExploration(std::shared_ptr<const Exploration> exploration);
    /// Where simulated drafts come from; must outlive the model. Null: none are known.
    void setBoard(const DraftBoard* board);
    void setShowRejected(bool show);
    /// Marks the draft in force; absent: none.
    void setCurrent(std::optional<Draft> draft);

    const Exploration* exploration() const { return m_exploration.get(); }
    int setCount() const;
    int column(Figure figure) const { return setCount() + figure; }
    /// One draft seen by a filter: its figures in plain numbers.
    struct Row {
        const Draft& draft;
        const CostSplit* cost; ///< Null for a rejected one: it was never priced.
        double toBest = 0;
    };
    /// Shows only rows the filter accepts; an empty function shows all.
    void setFilter(std::function<bool(const Row&)> accepts);

    /// Draft of a row; null if out of range.
    const Draft* draftAt(int row) const;
    const CostSplit* costAt(int row) const; ///< Null for a rejected draft.
    bool isRejected(int row) const { return costAt(row) == nullptr; }
    PruneRule ruleAt(int row) const; ///< Kept for one that was not rejected.
    /// Position in the exploration: kept ones, then rejected ones.
    std::size_t positionAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    const SimulatedDraft* simulatedAt(int row) const { return simulated(positionAt(row)); }
    int keptCount() const; ///< Before filtering.
    /// Row of a draft; -1 if it is not shown.
    int rowOf(const Draft& draft) const;
    void sort(int column, Qt::SortOrder order) override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant figure(int row, Figure which, int role) const;
    void rebuild();
    QVariant learnedFigure(int row, int role) const;
    std::optional<double> learned(std::size_t position) const; ///< Absent: no predictor ranks this kernel.
    QVariant timeFigure(int row, Figure which, int role) const;
    QVariant simulatedFigure(int row, Figure which, int role) const;
    const SimulatedDraft* simulated(std::size_t position) const; ///< Null where there is none or it failed.
    const Draft& draftOf(std::size_t position) const;
    const CostSplit* costOf(std::size_t position) const;
    double sortKey(std::size_t position, int column) const;

    std::shared_ptr<const Exploration> m_exploration;
    const DraftBoard* m_board = nullptr;
    std::vector<std::uint32_t> m_rows; ///< Position in drafts, or drafts.size() + position in rejected.
    std::function<bool(const Row&)> m_accepts;
    int m_sortColumn = -1; ///< -1: order of the exploration, cheapest first.
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::optional<Draft> m_current;
    bool m_showRejected = false;
};

} // namespace pim::views
