// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What decides who is first: one thing at a time otherwise, as a tornado and as a table, with where another machine takes over.
#include "core/compile/sensitivity.h"

#include <QWidget>

#include <functional>
#include <memory>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace pim::views {

class FiguresModel;
class TableView;
class TornadoPlot;
class Workspace;

class DecidesView : public QWidget {
    Q_OBJECT
public:
    /// \p machines: what is asked; its graph is not used.
    using Machines = std::function<Result<WhichSetup>()>;
    DecidesView(Workspace& workspace, std::shared_ptr<const HostModel> model, Machines machines,
                QWidget* parent = nullptr);

    QLineEdit* inputs() const { return m_inputs; } ///< Empty: the usual ones.
    QCheckBox* hosts() const { return m_hosts; }
    QPushButton* askButton() const { return m_ask; } ///< "What Decides?", or "Stop" while it asks.
    TableView* table() const { return m_table; }
    TornadoPlot* plot() const { return m_plot; }
    QLabel* message() const { return m_message; } ///< Who is first, what it depends on, or what is wrong.
    bool isAsking() const { return m_task != 0; }
    void setOrder(WhichBy by) { m_by = by; }

private:
    void modelChanged();
    void ask();
    void finish(const Result<Sensitivity>* answer);
    void show(const Sensitivity& answer);

    Workspace& m_workspace;
    std::shared_ptr<const HostModel> m_model;
    Machines m_machines;
    QLineEdit* m_inputs;
    QCheckBox* m_hosts;
    QPushButton* m_ask;
    QLabel* m_message;
    QWidget* m_page;
    TornadoPlot* m_plot;
    TableView* m_table;
    FiguresModel* m_figures;
    WhichBy m_by = WhichBy::Request;
    int m_task = 0;
    int m_asked = 0; ///< Answers to earlier questions are not shown.
};

} // namespace pim::views
