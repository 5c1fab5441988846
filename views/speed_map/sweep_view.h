// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One network compiled for many values (sequence length, batch): speed-up over the baseline and share of
/// memory arrays as lines (CMSwitch Fig. 16) and as a table.
#include <QString>
#include <QWidget>

#include <vector>

class QAbstractTableModel;
class QCustomPlot;
class QLabel;
class QStackedWidget;

namespace pim::views {

class EmptyState;
class TableView;

struct SweepRow {
    std::vector<double> values; ///< Of each swept dimension, in the order of SweepData::names.
    double cycles = 0;
    double baselineCycles = 0;
    double memoryShare = 0; ///< 0..1
    QString error;          ///< Why there are no figures; empty if there are.

    double speedup() const { return error.isEmpty() && cycles > 0 ? baselineCycles / cycles : 0; }
};

/// The first dimension is the x axis, each combination of the others is a line.
struct SweepData {
    QString what;               ///< "BERT-large on dynaplasia"
    QString baseline;           ///< "all arrays compute (CIM-MLC-like)"
    std::vector<QString> names; ///< "sequence length", "batch"
    std::vector<SweepRow> rows;
};

class SweepView : public QWidget {
    Q_OBJECT
public:
    explicit SweepView(QWidget* parent = nullptr);

    void setData(SweepData data);
    void setEmptyText(const QString& missing, const QString& whatToDo);
    const SweepData& data() const { return m_data; }
    QCustomPlot* speedupPlot() const { return m_speedup; }
    QCustomPlot* memoryPlot() const { return m_memory; }
    TableView* table() const { return m_table; }
    QLabel* title() const { return m_title; }

signals:
    void rowActivated(int row); ///< Double click or Enter: open that plan.

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill(QCustomPlot* plot, const QString& label, double (*value)(const SweepRow&));
    void style();

    SweepData m_data;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QLabel* m_title;
    QCustomPlot* m_speedup;
    QCustomPlot* m_memory;
    TableView* m_table;
    QAbstractTableModel* m_model;
};

} // namespace pim::views
