// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Predictors of drafts: train one for the current machine, see how it learns, how well it ranks drafts of sizes held out, and what
/// it looks at; let it rank the drafts of this project.
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace pim::views {

class EmptyState;
class FiguresModel;
class GainPlot;
class LearningPlot;
class PredictorForm;
class PredictorTraining;
class TableView;
class Workspace;

class PredictorView : public QWidget {
    Q_OBJECT
public:
    explicit PredictorView(Workspace& workspace, QWidget* parent = nullptr);

    PredictorForm* form() const { return m_form; }
    LearningPlot* curve() const { return m_curve; }
    GainPlot* gains() const { return m_gains; }
    TableView* figures() const { return m_figures; }
    QLabel* title() const { return m_title; }
    QTabWidget* tabs() const { return m_tabs; }
    QPushButton* useButton() const { return m_use; }
    bool saveTo(const QString& file);

signals:
    void commandRequested(const QStringList& words);
    void succeeded(const QString& message, const QString& path);
    void failed(const QString& message, const QString& details);

private:
    void buildResults();
    void buildFigures();
    void takeState();
    void takeForms();
    void takeCurve();
    void fillFigures();
    void askForFile();
    QString titleText() const;

    Workspace& m_workspace;
    PredictorTraining& m_training;
    PredictorForm* m_form;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel* m_title;
    QComboBox* m_forms; ///< Which form of kernel curve and gains are of.
    QTabWidget* m_tabs;
    LearningPlot* m_curve;
    GainPlot* m_gains;
    TableView* m_figures;
    FiguresModel* m_rows = nullptr;
    QPushButton *m_use, *m_save;
};

} // namespace pim::views
