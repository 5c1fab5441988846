// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What limits the simulated run, or the stretch of it that is chosen in the timeline: one sentence, each kind of resource by its own capacity,
/// and beside it what would help; behind a tab, the roofline of all ops.
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTabWidget;

namespace pim {
struct Limits;
}

namespace pim::views {

class EmptyState;
class FiguresModel;
class RoofsView;
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
    QTabWidget* tabs() const { return m_tabs; }
    RoofsView* roofs() const { return m_roofs; }

private:
    void takeSimulation();
    void takeStretch();
    void showLimits(const Limits& limits);

    Workspace& m_workspace;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QLabel* m_sentence;
    TableView* m_resources;
    FiguresModel* m_figures;
    WhatHelps* m_helps;
    QTabWidget* m_tabs;
    bool m_backToRoofs = false; ///< They were shown before there was nothing to show.
    RoofsView* m_roofs;
};

} // namespace pim::views
