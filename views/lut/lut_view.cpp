// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lut/lut_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/lut/lut_form.h"
#include "views/lut/lut_front.h"
#include "views/lut/training_plot.h"
#include "views/models/lut_calibration.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopeGuard>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace pim::views {
namespace {

enum Tab { kLayersTab, kTrainingTab, kOutcomesTab };
constexpr int kFormWidth = 250;

QString accuracyText(double share) {
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 2);
}

void setUp(TableView* table, FiguresModel* rows, const QString& name, const QString& exportName) {
    table->setModel(rows);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTextElideMode(Qt::ElideMiddle); // names begin alike
    table->verticalHeader()->hide();
    table->setFrameShape(QFrame::NoFrame);
    table->setAccessibleName(name);
    table->setExportName(exportName);
}

constexpr std::string_view kPass = "look_up_tables"; ///< Of the graph.

void selectRow(TableView* table, int row) {
    if (row < 0)
        return table->selectionModel()->clear();
    const QModelIndex index = table->model()->index(row, 0);
    table->selectionModel()->setCurrentIndex(index,
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    table->scrollTo(index);
}

} // namespace

LutView::LutView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_calibration(LutCalibration::of(workspace)),
      m_form(new LutForm(*m_calibration, *workspace.tasks())), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("table"))), m_title(new LineLabel), m_tabs(new QTabWidget),
      m_plot(new TrainingPlot), m_front(new LutFront(workspace)), m_layers(new TableView),
      m_outcomes(new TableView),
      m_save(toolButton(QStringLiteral("export"), tr("Save centroids and tables…"))),
      m_convert(toolButton(QStringLiteral("graph"), tr("Convert the network"))) {
    setObjectName(QStringLiteral("LutView"));
    setAccessibleName(tr("Look-up tables"));
    setProperty("helpTopic", QStringLiteral("lut#panels"));
    buildTables();
    buildResults();
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(180);
    scroll->setAccessibleName(tr("What is asked for"));
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->addWidget(scroll);
    split->addWidget(m_pages);
    split->setStretchFactor(0, 0);
    split->setStretchFactor(1, 1);
    split->setSizes({kFormWidth, 600});
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(split);

    connect(m_calibration, &LutCalibration::outcomesChanged, this, &LutView::takeOutcomes);
    connect(m_calibration, &LutCalibration::stepped, this, &LutView::takeCurve);
    connect(m_calibration, &LutCalibration::stateChanged, this, &LutView::takeState);
    connect(m_calibration, &LutCalibration::askedChanged, this, &LutView::takeState);
    connect(&workspace, &Workspace::selectionChanged, this, &LutView::takeSelection);
    connect(&workspace, &Workspace::graphChanged, this, &LutView::takeGraph);
    takeOutcomes();
    takeState();
}

void LutView::buildTables() {
    m_layerRows = new FiguresModel(
        {{tr("Layer"), QStringLiteral("op"), false, {}},
         {tr("Error"), QStringLiteral("relative_error"), true,
          tr("Root mean square of what its sums miss of the product with the same inputs, relative to that; "
             "on the test samples")},
         {tr("Unused"), QStringLiteral("unused_centroids"), true, tr("Centroids that no test sample chose")},
         {tr("V"), QStringLiteral("v"), true, tr("Elements of a sub-vector")},
         {tr("CT"), QStringLiteral("ct"), true, tr("Centroids of a codebook")},
         {tr("CB"), QStringLiteral("codebooks"), true, tr("Codebooks: sub-vectors of an input row")},
         {tr("F"), QStringLiteral("features"), true, tr("Features: columns of the table")}},
        this);
    setUp(m_layers, m_layerRows, tr("Converted layers"), QStringLiteral("lut_layers"));
    m_outcomeRows = new FiguresModel(
        {{tr("Options"), QStringLiteral("options"), false, {}},
         {tr("Accuracy"), QStringLiteral("accuracy"), true, tr("Share of the test samples that are right")},
         {tr("Lost"), QStringLiteral("accuracy_lost"), true,
          tr("Against the network as it is, in percentage points")},
         {tr("Logits apart"), QStringLiteral("mean_abs_logit_error"), true,
          tr("Mean distance of logits from those of the network as it is")},
         {tr("Layers"), QStringLiteral("layers"), true, {}},
         {tr("Processor time"), QStringLiteral("calibration_cpu_s"), true, tr("Of the calibration")}},
        this);
    setUp(m_outcomes, m_outcomeRows, tr("Calibrations"), QStringLiteral("lut_calibrations"));
    connect(m_layers->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                const LutOutcome* const outcome = m_calibration->shown();
                if (!row.isValid() || m_isTold || !outcome)
                    return;
                const OpId op =
                    m_calibration->opOf(outcome->layers[static_cast<std::size_t>(row.row())].name);
                if (op.valid())
                    m_workspace.selectOp(op);
            });
    connect(m_outcomes->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid() && !m_isTold) // later: the table is filled anew
                    QMetaObject::invokeMethod(
                        m_calibration, [of = m_calibration, at = row.row()] { of->show(at); },
                        Qt::QueuedConnection);
            });
}

void LutView::buildResults() {
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("What the calibration came to"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Layers, training, calibrations and front"));
    m_tabs->addTab(m_layers, tr("Layers"));
    m_tabs->addTab(m_plot, tr("Training"));
    m_tabs->addTab(m_outcomes, tr("Calibrations"));
    m_tabs->addTab(m_front, tr("Front"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(10, 4, 6, 2);
    bar->addWidget(m_title, 1);
    m_convert->setCheckable(true);
    bar->addWidget(m_convert);
    bar->addWidget(m_save);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_tabs, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    connect(m_save, &QToolButton::clicked, this, &LutView::askForFolder);
    connect(m_convert, &QToolButton::clicked, this, &LutView::convertClicked);
    connect(m_form, &LutForm::commandRequested, this, &LutView::commandRequested);
}

QString LutView::emptyText() const {
    return m_empty->text();
}

void LutView::takeState() {
    const bool isEmpty = m_calibration->outcomes().empty() && m_calibration->steps().empty();
    if (m_calibration->isRunning())
        m_empty->setText(tr("No tables yet"), tr("The network is being calibrated."));
    else
        m_empty->setText(
            tr("No tables yet"),
            m_calibration->whyNot().isEmpty()
                ? tr("Calibrate makes look-up tables of the products of this network and tells how "
                     "often it is right with them.")
                : m_calibration->whyNot());
    m_pages->setCurrentIndex(isEmpty ? 0 : 1);
    takeCurve();
}

void LutView::takeOutcomes() {
    fillLayers();
    fillOutcomes();
    const LutOutcome* const outcome = m_calibration->shown();
    m_save->setEnabled(outcome && outcome->evaluation);
    m_save->setToolTip(!outcome ? tr("Nothing is calibrated yet")
                       : outcome->evaluation
                           ? tr("Save centroids and tables of all layers as arrays of NumPy…")
                           : tr("Only the figures of this calibration are kept; calibrate "
                                "again to have its tables"));
    if (!outcome)
        m_title->clear();
    else
        m_title->setText(tr("<b>%1</b> right, %2 as it is · %3 · %4 layers · %5 test samples")
                             .arg(accuracyText(outcome->converted), accuracyText(outcome->dense),
                                  outcome->text().toHtmlEscaped())
                             .arg(outcome->layers.size())
                             .arg(outcome->samples));
    takeState();
    takeGraph();
    takeSelection();
    // A method without training has no curve to look at.
    if (outcome && outcome->curve.empty() && m_tabs->currentIndex() == kTrainingTab)
        m_tabs->setCurrentIndex(kLayersTab);
}

void LutView::takeCurve() {
    const LutOutcome* const outcome = m_calibration->shown();
    TrainingCurve curve;
    if (!m_calibration->steps().empty()) { // runs, or was stopped
        curve.steps = m_calibration->steps();
        curve.dense = m_calibration->dense();
        if (const auto options = m_calibration->conversion())
            curve.lastStep = options->steps;
        if (m_plot->curve().steps.empty()) { // it has just begun
            m_pages->setCurrentIndex(1);
            m_tabs->setTabEnabled(kTrainingTab, true);
            m_tabs->setCurrentIndex(kTrainingTab);
        }
    } else if (outcome) {
        curve = {outcome->steps, outcome->curve, 0, outcome->dense, outcome->converted};
    }
    m_plot->setCurve(std::move(curve));
    m_tabs->setTabEnabled(kTrainingTab, !m_plot->isEmpty());
    m_tabs->setTabToolTip(kTrainingTab,
                          m_plot->isEmpty() ? tr("Only method=elut trains through the network") : QString());
}

void LutView::takeSelection() {
    m_isTold = true;
    const auto done = qScopeGuard([this] { m_isTold = false; });
    selectRow(m_layers, m_calibration->selectedLayer());
    selectRow(m_outcomes, m_calibration->shownIndex());
}

void LutView::fillLayers() {
    m_isTold = true;
    const auto done = qScopeGuard([this] { m_isTold = false; });
    std::vector<std::vector<Figure>> rows;
    if (const LutOutcome* const outcome = m_calibration->shown())
        for (const LutLayerFigures& layer : outcome->layers)
            rows.push_back({{text(layer.name), {}, {}},
                            shareFigure(layer.error),
                            {tr("%1 of %2").arg(layer.unused).arg(layer.centroids * layer.codebooks),
                             qint64(layer.unused),
                             {}},
                            countFigure(layer.length),
                            countFigure(layer.centroids),
                            countFigure(layer.codebooks),
                            countFigure(layer.features)});
    m_layerRows->setRows(std::move(rows));
    m_layers->fitColumns(200);
}

void LutView::fillOutcomes() {
    m_isTold = true;
    const auto done = qScopeGuard([this] { m_isTold = false; });
    std::vector<std::vector<Figure>> rows;
    for (const LutOutcome& outcome : m_calibration->outcomes())
        rows.push_back(
            {{outcome.rules.isEmpty() ? outcome.text() : tr("%1 · %2").arg(outcome.text(), outcome.rules),
              {},
              {}},
             {accuracyText(outcome.converted), outcome.converted, {}},
             {tr("%1 pp").arg(100 * (outcome.dense - outcome.converted), 0, 'f', 2),
              outcome.dense - outcome.converted,
              {}},
             {QString::number(outcome.meanLogitError, 'g', 4), outcome.meanLogitError, {}},
             countFigure(std::ssize(outcome.layers)),
             {text(timeText(outcome.cpuSeconds * 1e9)), outcome.cpuSeconds, {}}});
    m_outcomeRows->setRows(std::move(rows));
    m_outcomes->fitColumns(190);
}

bool LutView::saveTo(const QString& folder) {
    const auto saved = m_calibration->save(folder);
    if (!saved)
        emit failed(tr("The tables are not saved"), text(saved.error().text()));
    return saved.has_value();
}

void LutView::askForFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Save centroids and tables into a folder"));
    if (!folder.isEmpty() && saveTo(folder))
        emit succeeded(tr("Centroids and tables are in %1").arg(QFileInfo(folder).fileName()), folder);
}

void LutView::takeGraph() {
    const LutOutcome* const outcome = m_calibration->shown();
    const bool isConverted = m_workspace.graphOptions().passOptions.contains(kPass);
    m_convert->setChecked(isConverted);
    m_convert->setEnabled(isConverted || (outcome && outcome->evaluation));
    m_convert->setToolTip(
        isConverted
            ? tr("The network has look-ups in the place of products; click to have its products again")
        : m_convert->isEnabled()
            ? tr("Plan, simulate and check the network with these tables: they are saved into a folder, "
                 "and the pass look_up_tables takes them from there…")
            : m_save->toolTip());
}

void LutView::convertClicked() {
    if (m_workspace.graphOptions().passOptions.contains(kPass))
        return m_workspace.setPassOptions(std::string(kPass), {});
    takeGraph(); // the button tells what is, not what was asked for
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Save the tables that the network is to have"));
    if (!folder.isEmpty())
        convertWith(folder);
}

bool LutView::convertWith(const QString& folder) {
    if (!saveTo(folder))
        return false;
    m_workspace.setPassOptions(std::string(kPass), {{"from", folder.toStdString()}});
    return true;
}

} // namespace pim::views
