// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Two drafts side by side: every figure of A and B with its difference, why B is slower or faster in words,
/// and advice.
#include "views/models/draft_board.h"

#include "core/compile/advice.h"

#include <QAbstractTableModel>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTextBrowser;

namespace pim::views {

class EmptyState;
class TableView;
class Workspace;

/// Facts of A and B as rows.
class DraftDeltaModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Figure, OfA, OfB, Delta, Relative, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setDeltas(std::vector<FactDelta> deltas, Origin originA, Origin originB);
    const FactDelta& at(int row) const { return m_deltas[static_cast<std::size_t>(row)]; }
    /// Differences by size without sign; by Delta times come first, since units do not compare.
    void sort(int column, Qt::SortOrder order) override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void resort();
    QString shown(const FactDelta& delta, int column) const;
    std::optional<double> exact(const FactDelta& delta, int column) const;

    std::vector<FactDelta> m_deltas;
    Origin m_origins[2] = {Origin::Predicted, Origin::Predicted};
    int m_sortColumn = Delta;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

class CompareView : public QWidget {
    Q_OBJECT
public:
    explicit CompareView(Workspace& workspace, QWidget* parent = nullptr);

    DraftDeltaModel* model() const { return m_model; }
    TableView* table() const { return m_table; }
    QLabel* badge() const { return m_badge; }
    QString words() const; ///< As shown, without markup.
    void setRules(AdviceRules rules);
    bool isComparing() const; ///< False: there is nothing to compare, or it is refused.

signals:
    void helpRequested(const QString& page);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void refuse(const QString& what, const QString& hint);
    void showWords(const BoardDraft& a, const BoardDraft& b, const Facts& factsA, const Facts& factsB);

    Workspace& m_workspace;
    DraftBoard& m_board;
    AdviceRules m_rules;
    DraftDeltaModel* m_model;
    TableView* m_table;
    QLabel *m_a, *m_b, *m_badge;
    QPushButton *m_keep, *m_release, *m_swap;
    QTextBrowser* m_words;
    QSplitter* m_splitter;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
};

} // namespace pim::views
