// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/predictor/predictor_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/line_label.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/models/predictor_training.h"
#include "views/models/workspace.h"
#include "views/predictor/gain_plot.h"
#include "views/predictor/learning_plot.h"
#include "views/predictor/predictor_form.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace pim::views {
namespace {

constexpr std::size_t kGainsShown = 12;

/// Where nothing was held out to measure it by.
Figure unknown() {
    return {QStringLiteral("–"), {}, {}};
}

Figure correlation(double value) {
    return {QString::number(value, 'f', 3), value, {}};
}

Figure loss(double share) {
    return {QStringLiteral("%1 %").arg(100 * share, 0, 'f', 2), share, {}};
}

QString words(Verdict verdict) {
    switch (verdict) {
    case Verdict::Worse:
        return PredictorView::tr("worse");
    case Verdict::Alike:
        return PredictorView::tr("alike");
    case Verdict::Better:
        break;
    }
    return PredictorView::tr("better");
}

} // namespace

PredictorView::PredictorView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_training(PredictorTraining::of(workspace)),
      m_form(new PredictorForm(m_training, *workspace.tasks())), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("search"))), m_title(new LineLabel), m_forms(new QComboBox),
      m_tabs(new QTabWidget), m_curve(new LearningPlot), m_gains(new GainPlot), m_figures(new TableView),
      m_use(new QPushButton(tr("&Use in This Project"))), m_save(new QPushButton(tr("Save &As…"))) {
    setObjectName(QStringLiteral("PredictorView"));
    setAccessibleName(tr("Predictor of drafts"));
    setProperty("helpTopic", QStringLiteral("predictor"));
    buildFigures();
    buildResults();
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(190);
    scroll->setAccessibleName(tr("What is to be learned"));
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->addWidget(scroll);
    split->addWidget(m_pages);
    split->setStretchFactor(1, 1);
    split->setSizes({250, 600});
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(split);
    connect(m_form, &PredictorForm::commandRequested, this, &PredictorView::commandRequested);
    connect(&m_training, &PredictorTraining::stateChanged, this, &PredictorView::takeState);
    connect(&m_training, &PredictorTraining::stepped, this, &PredictorView::takeForms);
    connect(m_forms, &QComboBox::currentIndexChanged, this, &PredictorView::takeCurve);
    connect(m_use, &QPushButton::clicked, &m_training, &PredictorTraining::use);
    connect(m_save, &QPushButton::clicked, this, &PredictorView::askForFile);
    takeState();
}

void PredictorView::buildFigures() {
    const QString formula = tr("by formula"), learned = tr("learned");
    const auto column = [](const QString& shown, const char* exact, const QString& tip) {
        return FigureColumn{shown, QString::fromLatin1(exact), true, tip};
    };
    const QString
        rank =
            tr("Rank correlation (Spearman) of the order of drafts with that of their simulated times, %1"),
        pairs = tr("Rank correlation (Kendall), %1"),
        first = tr("By how much the draft ranked first takes longer than the fastest of all, %1"),
        ten = tr("By how much the fastest of the ten ranked first takes longer than the fastest of all, %1");
    m_rows = new FiguresModel(
        {{tr("Kernel"), QStringLiteral("kernel"), false, {}},
         {tr("Learned Is"), QStringLiteral("verdict"), false,
          tr("How the learned order of the sizes held out is to the formula's, by the time of the draft "
             "ranked first and "
             "of the fastest of those that a compile simulates; where it is better, drafts are ranked by it "
             "unasked")},
         column(tr("Sizes"), "sizes", tr("Sizes held out: none of their drafts was learned")),
         column(tr("Drafts"), "drafts",
                tr("Drafts of these that were simulated: all that may be the fastest")),
         column(tr("Off"), "mean_error", tr("Mean error of learned times of these drafts")),
         column(tr("Off, formula"), "mean_error_formula", tr("Mean error of the formula")),
         column(tr("Top-1"), "regret_1_learned", first.arg(learned)),
         column(tr("Top-1, formula"), "regret_1_formula", first.arg(formula)),
         column(tr("Top-10"), "regret_10_learned", ten.arg(learned)),
         column(tr("Top-10, formula"), "regret_10_formula", ten.arg(formula)),
         column(tr("Spearman"), "spearman_learned", rank.arg(learned)),
         column(tr("Spearman, formula"), "spearman_formula", rank.arg(formula)),
         column(tr("Kendall"), "kendall_learned", pairs.arg(learned)),
         column(tr("Kendall, formula"), "kendall_formula", pairs.arg(formula))},
        this);
    m_figures->setModel(m_rows);
    m_figures->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_figures->setSelectionMode(QAbstractItemView::SingleSelection);
    m_figures->verticalHeader()->hide();
    m_figures->setFrameShape(QFrame::NoFrame);
    m_figures->setAccessibleName(tr("Figures of sizes held out"));
    m_figures->setExportName(QStringLiteral("predictor_figures"));
}

void PredictorView::buildResults() {
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("Which predictor is shown"));
    m_forms->setAccessibleName(tr("Form of kernel shown"));
    m_forms->setToolTip(tr("Form of kernel that curve and features are of"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Training, figures and features"));
    m_tabs->addTab(m_curve, tr("Training"));
    m_tabs->addTab(m_figures, tr("Held Out"));
    m_tabs->addTab(m_gains, tr("Features"));
    m_tabs->setCornerWidget(m_forms);
    for (QPushButton* button : {m_use, m_save})
        button->setAccessibleName(button->text().remove(u'&'));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(10, 4, 6, 2);
    bar->addWidget(m_title, 1);
    bar->addWidget(m_use);
    bar->addWidget(m_save);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_tabs, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
}

QString PredictorView::titleText() const {
    const auto shown = m_training.shown();
    if (m_training.isRunning() || !shown)
        return tr("Training…");
    const LearnedModel& model = shown->model();
    const QString whose = m_training.isTrainedHere() ? tr("trained here")
                          : shown == DraftRanking::of(m_workspace).inForce()
                              ? tr("ranks the drafts of this project")
                              : tr("shipped");
    return tr("<b>%1</b> of %2, %3 · version %4, seed %5")
        .arg(text(std::string(shown->version())), text(model.targetId).toHtmlEscaped(), whose,
             text(model.program).toHtmlEscaped())
        .arg(model.seed);
}

void PredictorView::takeState() {
    const auto shown = m_training.shown();
    m_empty->setText(
        tr("No predictor yet"),
        m_training.whyNot().isEmpty()
            ? tr("Train simulates drafts of the kernels chosen and learns how far the formula is off.")
            : m_training.whyNot());
    m_pages->setCurrentIndex(shown || m_training.isRunning() || !m_training.curves().empty() ? 1 : 0);
    m_title->setText(titleText());
    m_title->setToolTip(DraftRanking::of(m_workspace).statement());
    const bool isNew = m_training.isTrainedHere() && !m_training.isRunning() &&
                       shown != DraftRanking::of(m_workspace).inForce();
    m_use->setEnabled(isNew);
    m_use->setToolTip(
        isNew ? tr("Rank the drafts of this project by this predictor; it is kept in the project (undoable)")
        : m_training.isTrainedHere() ? tr("It ranks the drafts of this project already")
                                     : tr("Train one first"));
    m_save->setEnabled(shown && !m_training.isRunning());
    m_save->setToolTip(tr("Write this predictor as a file, for other projects and for pimc --predictor"));
    if (m_training.isRunning() && m_training.curves().empty())
        m_tabs->setCurrentWidget(m_curve);
    takeForms();
    fillFigures();
}

void PredictorView::takeForms() {
    const auto shown = m_training.shown();
    const bool isLive = m_training.isRunning() || m_training.isTrainedHere();
    QStringList forms;
    if (isLive)
        for (const auto& [form, curve] : m_training.curves())
            forms << text(form);
    else if (shown)
        for (const auto& [form, learned] : shown->model().forms)
            forms << text(form);
    QStringList known;
    for (int i = 0; i < m_forms->count(); ++i)
        known << m_forms->itemData(i).toString();
    if (known != forms) {
        const QSignalBlocker quiet(m_forms);
        const QString current = m_forms->currentData().toString();
        m_forms->clear();
        for (const QString& form : forms) {
            QString label = form;
            if (shown && !m_training.isRunning())
                if (const auto at = shown->model().forms.find(form.toStdString());
                    at != shown->model().forms.end())
                    label = text(at->second.kernel);
            m_forms->addItem(label, form);
        }
        m_forms->setCurrentIndex(std::max(0, m_forms->findData(current)));
    }
    m_forms->setVisible(m_forms->count() > 1);
    takeCurve();
}

void PredictorView::takeCurve() {
    const std::string form = m_forms->currentData().toString().toStdString();
    const auto shown = m_training.shown();
    const LearnedForm* learned = nullptr;
    if (shown)
        if (const auto at = shown->model().forms.find(form); at != shown->model().forms.end())
            learned = &at->second;
    const auto live = m_training.curves().find(form);
    const bool isLive = m_training.isRunning() || m_training.isTrainedHere();
    m_curve->setCurve(isLive && live != m_training.curves().end() ? live->second
                      : learned && !m_training.isRunning()        ? learned->curve
                                                                  : LearningCurve());
    std::vector<FeatureGain> gains;
    if (learned && !m_training.isRunning())
        if (auto found = featureGains(*learned, kGainsShown))
            gains = std::move(*found);
    m_tabs->setTabToolTip(m_tabs->indexOf(m_gains),
                          gains.empty()
                              ? tr("It has no trees for these kernels: they did not help sizes held out")
                              : tr("Which features of a draft its trees gained most by"));
    m_gains->setGains(std::move(gains));
}

void PredictorView::fillFigures() {
    std::vector<std::vector<Figure>> rows;
    if (const auto shown = m_training.shown(); shown && !m_training.isRunning())
        for (const auto& [form, learned] : shown->model().forms) {
            const RankingFigures& ranking = learned.ranking;
            const Verdict verdict = verdictOf(ranking);
            const bool isRanked = ranking.kernels > 0, isMeasured = learned.error.drafts > 0;
            const auto ranked = [&](const Figure& figure) { return isRanked ? figure : unknown(); };
            const auto measured = [&](const Figure& figure) { return isMeasured ? figure : unknown(); };
            rows.push_back({{text(learned.kernel), {}, {}},
                            ranked({words(verdict), text(name(verdict)), {}}),
                            countFigure(ranking.kernels),
                            countFigure(ranking.drafts),
                            measured(loss(learned.error.mean)),
                            measured(loss(learned.error.meanOfPrice)),
                            ranked(loss(ranking.learned.regret1)),
                            ranked(loss(ranking.formula.regret1)),
                            ranked(loss(ranking.learned.regret10)),
                            ranked(loss(ranking.formula.regret10)),
                            ranked(correlation(ranking.learned.spearman)),
                            ranked(correlation(ranking.formula.spearman)),
                            ranked(correlation(ranking.learned.kendall)),
                            ranked(correlation(ranking.formula.kendall))});
        }
    m_rows->setRows(std::move(rows));
    m_figures->fitColumns(170);
}

bool PredictorView::saveTo(const QString& file) {
    const auto saved = m_training.save(file);
    if (!saved)
        emit failed(tr("The predictor is not saved"), text(saved.error().text()));
    else
        emit succeeded(tr("Predictor written to %1").arg(QFileInfo(file).fileName()), file);
    return saved.has_value();
}

void PredictorView::askForFile() {
    const auto shown = m_training.shown();
    const QString name = shown ? text(shown->model().targetId) : QString();
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save the predictor"), name + QStringLiteral(".predictor"), tr("Predictors (*.predictor)"));
    if (!file.isEmpty())
        saveTo(file);
}

} // namespace pim::views
