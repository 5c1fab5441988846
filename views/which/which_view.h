// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which PIM? The open model on every machine, all with the same host: times as they come, ranked, with where each figure is from,
/// and a click from any row to its plan.
#include "core/compile/which.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <mutex>

class QCheckBox;
class QLabel;
class QPushButton;

namespace pim::views {

class ChoiceBox;
class DecidesView;
class EmptyState;
class FiguresModel;
struct Figure;
class FlowLayout;
class TableView;
class WhichPlot;
class WinnerMapView;
class Workspace;

class WhichView : public QWidget {
    Q_OBJECT
public:
    /// \p model: of the hosts that stand alone beside the machines.
    WhichView(Workspace& workspace, std::shared_ptr<const HostModel> model, QWidget* parent = nullptr);

    ChoiceBox* host() const { return m_host; }
    ChoiceBox* kind() const { return m_kind; }
    ChoiceBox* order() const { return m_order; }
    QCheckBox* simulates() const { return m_simulates; }
    QPushButton* askButton() const { return m_ask; } ///< "Ask", or "Stop" while it asks.
    TableView* table() const { return m_table; }
    WhichPlot* plot() const { return m_plot; }
    QLabel* summary() const { return m_summary; }
    WinnerMapView* map() const { return m_map; }
    DecidesView* decides() const { return m_decides; }
    const std::vector<WhichRow>& rows() const { return m_rows; }
    bool isAsking() const { return m_task != 0; }
    /// The line that asks the same: `pimc which … --host …`, without program and model.
    QStringList arguments() const;

private:
    /// Where the worker leaves what it found out, so that it needs nobody to be alive.
    struct Inbox {
        std::mutex mutex;
        std::vector<WhichRow> rows;
        std::int64_t machines = 0;
    };

    void buildBar();
    WhichBy by() const;
    /// What the bar says, without a model.
    Result<WhichSetup> machines() const;
    void ask();
    void stop();
    void collect();
    void finish(const Result<void>& done);
    void modelChanged();
    void showRows();
    void showState();
    void openRow(int line);
    std::vector<Figure> figuresOf(const WhichRow& row) const;

    Workspace& m_workspace;
    std::shared_ptr<const HostModel> m_model;
    FlowLayout* m_bar;
    ChoiceBox *m_host, *m_kind, *m_order;
    QCheckBox* m_simulates;
    QPushButton* m_ask;
    TableView* m_table;
    FiguresModel* m_figures;
    WhichPlot* m_plot;
    WinnerMapView* m_map;
    DecidesView* m_decides;
    QWidget* m_page;
    EmptyState* m_empty;
    QLabel* m_summary;
    QTimer m_tick;
    std::shared_ptr<Inbox> m_inbox;
    std::vector<WhichRow> m_rows;
    std::vector<std::size_t> m_ranked; ///< Positions in the rows.
    DataType m_wanted = DataType::F16; ///< That was asked for.
    std::string m_askedHost;           ///< Empty: its own.
    QString m_problem;
    int m_task = 0;
};

} // namespace pim::views
