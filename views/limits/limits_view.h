// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What limits the simulated run: one sentence, each kind of resource by its own capacity, and beside it what would help.
#include <QWidget>

class QLabel;
class QStackedWidget;

namespace pim {
struct Limits;
}

namespace pim::views {

class EmptyState;
class FiguresModel;
class TableView;
class WhatHelps;
class Workspace;

class LimitsView : public QWidget {
    Q_OBJECT
public:
    explicit LimitsView(Workspace& workspace, QWidget* parent = nullptr);

    QLabel* sentence() const { return m_sentence; }
    TableView* resources() const { return m_resources; }
    WhatHelps* helps() const { return m_helps; }

private:
    void takeSimulation();
    void showLimits(const Limits& limits);

    Workspace& m_workspace;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QLabel* m_sentence;
    TableView* m_resources;
    FiguresModel* m_figures;
    WhatHelps* m_helps;
};

} // namespace pim::views
