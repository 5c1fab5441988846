// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The panel of look-up tables: what is asked for on the left; on the right what the calibrations came to, their curve and what each
/// layer loses.
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace pim::views {

class EmptyState;
class FiguresModel;
class LutCalibration;
class LutForm;
class LutFront;
class TableView;
class TrainingPlot;
class Workspace;

class LutView : public QWidget {
    Q_OBJECT
public:
    explicit LutView(Workspace& workspace, QWidget* parent = nullptr);

    LutCalibration* calibration() const { return m_calibration; }
    LutForm* form() const { return m_form; }
    TrainingPlot* plot() const { return m_plot; }
    LutFront* front() const { return m_front; }
    TableView* layers() const { return m_layers; }
    TableView* outcomes() const { return m_outcomes; }
    QTabWidget* tabs() const { return m_tabs; }
    QLabel* title() const { return m_title; }
    QString emptyText() const;
    /// Saves centroids and tables there, and has the network planned, simulated and checked with them: the pass look_up_tables takes the
    /// folder. False: they are not saved, which was said.
    bool convertWith(const QString& folder);
    QToolButton* convertButton() const { return m_convert; }

signals:
    void commandRequested(); ///< A line that calibrates the same.
    void succeeded(const QString& message, const QString& path);
    void failed(const QString& message, const QString& details);

private:
    void buildTables();
    void buildResults();
    void takeState();
    void takeOutcomes();
    void takeCurve();
    void takeSelection();
    void fillLayers();
    void fillOutcomes();
    bool saveTo(const QString& folder);
    void askForFolder();
    void convertClicked();
    void takeGraph();

    Workspace& m_workspace;
    LutCalibration* m_calibration;
    LutForm* m_form;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel* m_title;
    QTabWidget* m_tabs;
    TrainingPlot* m_plot;
    LutFront* m_front;
    TableView *m_layers, *m_outcomes;
    FiguresModel *m_layerRows, *m_outcomeRows;
    QToolButton *m_save, *m_convert;
    bool m_isTold = false; ///< The row is chosen from outside.
};

} // namespace pim::views
