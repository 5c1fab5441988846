// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_panel.h"

#include "core/hardware/target_figures.h"

#include "views/common/core_words.h"
#include "views/models/workspace.h"
#include "views/sweep/campaign_bar.h"
#include "views/sweep/campaign_watcher.h"
#include "views/sweep/search_bar.h"
#include "views/sweep/sweep_runner.h"
#include "views/sweep/sweep_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace pim::views {
namespace {

/// Lengths are what a network is swept over first, then batches; where all is fixed, machines of the same kind.
QString proposal(const Workspace& workspace) {
    QStringList lengths, batches;
    for (const DimBinding& binding : workspace.graph()->bindings) {
        const QString symbol = QString::fromStdString(binding.symbol);
        if (symbol.contains(QStringLiteral("batch"), Qt::CaseInsensitive))
            batches.append(symbol + QStringLiteral("=1,4"));
        else
            lengths.append(symbol + QStringLiteral("=32..512"));
    }
    if (!lengths.isEmpty())
        return batches.isEmpty() ? lengths.first() : lengths.first() + u';' + batches.first();
    if (!batches.isEmpty())
        return batches.first().section(u'=', 0, 0) + QStringLiteral("=1..16");
    QStringList alike;
    for (const auto& target : workspace.catalog().targets())
        if (!workspace.target() || target->backend == workspace.target()->backend)
            alike << QString::fromStdString(target->id);
    return alike.isEmpty() ? QString() : QStringLiteral("target=") + alike.join(u',');
}

SweepRow rowOf(const SweepPoint& point, const std::vector<SweepFigure>& figures) {
    SweepRow row;
    row.error = QString::fromStdString(point.problem);
    row.isLeftOut = point.isLeftOut();
    row.ns = point.totalNs;
    row.baselineNs = point.baselines.empty() ? point.hostOnlyNs : point.baselines.front().totalNs;
    row.macsPerSecond = point.macsPerSecond();
    for (const SweepFigure& wanted : figures) {
        const auto found = std::find_if(point.figures.begin(), point.figures.end(),
                                        [&](const auto& figure) { return figure.first == wanted.key; });
        row.figures.push_back(found != point.figures.end() ? found->second : std::nan(""));
    }
    return row;
}

/// What families show of sweeps and some of these points have.
std::vector<SweepFigure> figuresOf(const std::vector<SweepPoint>& points, const SweepInfo& info,
                                   const FamilyList& families) {
    std::set<std::string_view> there;
    for (const SweepPoint& point : points)
        for (const auto& figure : point.figures)
            there.insert(figure.first);
    std::vector<SweepFigure> shown;
    for (const FamilyPanels& family : families.all())
        for (const SweepFigure& figure : family.sweepFigures)
            if (there.contains(figure.key))
                shown.push_back(figure);
    // Of all families.
    const SweepFigure common[] = {
        {"simulated_ns", SweepPanel::tr("Simulated, ns"), SweepPanel::tr("simulated time, ns"), false},
        {"area_mm2", SweepPanel::tr("Area, mm²"), SweepPanel::tr("silicon, mm²"), false},
        {std::string(kEnergyFigure), SweepPanel::tr("Energy, pJ"), SweepPanel::tr("energy with its host, pJ"),
         false},
        {std::string(kPowerFigure), SweepPanel::tr("Power, W"), SweepPanel::tr("power on average, W"),
         false}};
    for (const SweepFigure& figure : common)
        if (there.contains(figure.key))
            shown.push_back(figure);
    for (const SweepAxis& axis : info.axes) // the user's own
        if (axis.kind == SweepAxis::Kind::Figure && there.contains(axis.name)) {
            const QString name = QString::fromStdString(axis.name);
            shown.push_back({axis.name, name, name, false});
        }
    return shown;
}

/// \p points in the order they were computed. \p objectives: empty: as usual.
SweepData dataOf(const SweepInfo& info, const std::vector<SweepPoint>& points,
                 const std::vector<std::string>& objectives, const FamilyList& families) {
    std::vector<std::size_t> order(points.size()); // by index, as a table is read
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t p) { return points[p].index; });
    SweepData data;
    data.figures = figuresOf(points, info, families);
    const bool sweepsTargets = std::any_of(info.axes.begin(), info.axes.end(), [](const SweepAxis& axis) {
        return axis.kind == SweepAxis::Kind::Target;
    });
    data.what = QString::fromStdString(info.modelName);
    if (!sweepsTargets)
        data.what = SweepPanel::tr("%1 on %2").arg(data.what, QString::fromStdString(info.targetId));
    // Conditions have no values, and what is the same in all rows says nothing beside what is not.
    const bool isAnyVaried = std::ranges::any_of(
        info.axes, [](const SweepAxis& axis) { return axis.varies() && axis.values.size() > 1; });
    std::vector<std::size_t> shown;
    std::map<std::string, QString> networks; // by their values
    for (std::size_t a = 0; a < info.axes.size(); ++a)
        if (const SweepAxis& axis = info.axes[a];
            axis.varies() &&
            (axis.values.size() > 1 || (!isAnyVaried && axis.kind != SweepAxis::Kind::Hardware))) {
            if (axis.kind == SweepAxis::Kind::Model) {
                data.network = static_cast<int>(data.names.size());
                const QStringList names = networkNames(axis.values);
                for (std::size_t v = 0; v < axis.values.size(); ++v)
                    networks.emplace(axis.values[v], names[static_cast<qsizetype>(v)]);
            }
            data.names << QString::fromStdString(axis.name);
            shown.push_back(a);
        }
    data.size = info.wanted();
    const SweepMarks marks = markSweep(info.axes, points, objectives);
    data.objectives = marks.objectives;
    for (int f = 0; f < static_cast<int>(data.figures.size()) && data.against < 0; ++f)
        if (marks.objectives.size() > 1 &&
            data.figures[static_cast<std::size_t>(f)].key == marks.objectives[1])
            data.against = f;
    std::set<QString> baselines;
    data.rows.reserve(points.size());
    for (const std::size_t p : order) {
        SweepRow& row = data.rows.emplace_back(rowOf(points[p], data.figures));
        row.turn = static_cast<std::int64_t>(p);
        for (const std::size_t a : shown)
            row.values << (info.axes[a].kind == SweepAxis::Kind::Model
                               ? networks.at(points[p].values[a])
                               : QString::fromStdString(points[p].values[a]));
        row.isBest = marks.best[p];
        row.isOnFront = marks.front[p];
        if (row.error.isEmpty())
            baselines.insert(points[p].baselines.empty() ? SweepPanel::tr("the host alone")
                                                         : coreWord(points[p].baselines.front().name));
    }
    data.baseline = baselines.empty()       ? SweepPanel::tr("the host alone")
                    : baselines.size() == 1 ? *baselines.begin()
                                            : SweepPanel::tr("the baseline of each target");
    return data;
}

} // namespace

SweepPanel::SweepPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_runner(new SweepRunner(workspace, this)),
      m_campaign(new CampaignWatcher(workspace, this)), m_over(new QLineEdit),
      m_searches(new QCheckBox(tr("Searc&h"))), m_run(new QPushButton(tr("&Sweep"))),
      m_campaigns(new QToolButton), m_search(new SearchBar), m_pause(new QPushButton(tr("&Pause"))),
      m_confirm(new QPushButton(tr("Con&firm"))), m_margin(new QDoubleSpinBox), m_kept(new QComboBox),
      m_progress(new QProgressBar), m_remove(new QToolButton), m_view(new SweepView), m_second(new QWidget),
      m_campaignBar(new CampaignBar(*m_campaign)) {
    setAccessibleName(tr("Sweep"));
    m_over->setAccessibleName(tr("What to sweep over"));
    m_over->setPlaceholderText(tr("seq=32..2048;batch=1,4;target=aim,attacc"));
    m_over->setToolTip(tr(
        "Open dimensions and their values: seq=32,64,128, or seq=32..2048 for doubling; target=aim,attacc; "
        "model=a.onnx,sample:resnet50, or several as one point: model=geomean(a.onnx,sample:resnet50); "
        "dtype=f16,bf16 and other options; group.count=8..64 and other figures of the target; draft:OP=1,2,4 "
        "for drafts "
        "by rank; cost:=device.count*group.count for a figure of your own. Conditions leave points out: "
        "area_mm2<=300. Several separated by ;"));
    m_over->setClearButtonEnabled(true);
    m_searches->setAccessibleName(tr("Search for the front"));
    m_searches->setToolTip(
        tr("Compute only the points that a search for the Pareto front asks for; the space may have up to "
           "10¹⁵ combinations"));
    m_confirm->setAccessibleName(tr("Simulate the front"));
    m_confirm->setToolTip(
        tr("Simulate the points on the front, and those that would be on it if they took this much less than "
           "predicted; the front is then by simulated time. What was simulated before stays."));
    m_margin->setAccessibleName(tr("Margin of the front that is simulated"));
    m_margin->setToolTip(m_confirm->toolTip());
    m_margin->setRange(0, 90);
    m_margin->setDecimals(1);
    m_margin->setValue(5);
    m_margin->setSuffix(tr(" %"));
    m_kept->setAccessibleName(tr("Sweeps kept in the project"));
    m_kept->setToolTip(tr("Sweeps kept in the project"));
    m_kept->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kept->setMinimumContentsLength(10);
    m_kept->hide(); // until there are any
    m_progress->setAccessibleName(tr("How far the sweep is"));
    m_progress->setTextVisible(true);
    m_remove->setText(tr("Delete…"));
    m_remove->setAccessibleName(tr("Delete the sweep"));
    m_remove->setToolTip(tr("Remove the sweep and its points"));
    m_remove->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_remove);
    menu->addAction(tr("Delete Sweep and All Its Points"), m_runner, &SweepRunner::remove);
    m_remove->setMenu(menu);
    m_campaigns->setText(tr("Campaign"));
    m_campaigns->setAccessibleName(tr("Campaign"));
    m_campaigns->setToolTip(
        tr("A sweep in a folder that many processes compute, here and on other machines"));
    m_campaigns->setPopupMode(QToolButton::InstantPopup);
    auto* campaigns = new QMenu(m_campaigns);
    campaigns->setToolTipsVisible(true);
    campaigns->addAction(tr("Open Campaign Folder…"), this, &SweepPanel::openCampaign)
        ->setToolTip(tr("Show the points of a campaign as they appear, whoever computes them"));
    QAction* const plan = campaigns->addAction(tr("Plan Campaign…"), this, &SweepPanel::planCampaign);
    plan->setToolTip(tr("Write this sweep into a folder, to be computed by many processes"));
    connect(campaigns, &QMenu::aboutToShow, plan, [this, plan] { plan->setEnabled(m_run->isEnabled()); });
    m_campaigns->setMenu(campaigns);
    auto* label = new QLabel(tr("&Over"));
    label->setBuddy(m_over);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(label);
    row->addWidget(m_over, 1);
    row->addWidget(m_searches);
    row->addWidget(m_run);
    row->addWidget(m_campaigns);
    auto* second = new QHBoxLayout(m_second);
    second->setContentsMargins(6, 0, 6, 0);
    second->addWidget(m_kept, 1);
    second->addWidget(m_progress, 2);
    second->addWidget(m_pause);
    second->addWidget(m_confirm);
    second->addWidget(m_margin);
    second->addWidget(m_remove);
    m_second->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(m_search);
    column->addWidget(m_second);
    column->addWidget(m_campaignBar);
    column->addWidget(m_view, 1);
    connect(m_run, &QPushButton::clicked, this, &SweepPanel::run);
    connect(m_over, &QLineEdit::returnPressed, this, &SweepPanel::run);
    connect(m_search->objectives(), &QLineEdit::returnPressed, this, &SweepPanel::run);
    connect(m_searches, &QCheckBox::toggled, this, &SweepPanel::showSearch);
    connect(m_confirm, &QPushButton::clicked, this, [this] { m_runner->confirm(m_margin->value() / 100); });
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_runner->state() == SweepRunner::State::Running)
            m_runner->pause();
        else
            m_runner->resume();
    });
    connect(m_kept, &QComboBox::activated, this,
            [this](int at) { m_runner->open(m_kept->itemData(at).toLongLong()); });
    connect(m_view, &SweepView::rowActivated, this, &SweepPanel::openRow);
    connect(m_runner, &SweepRunner::changed, this, &SweepPanel::showSoon);
    connect(m_runner, &SweepRunner::keptChanged, this, &SweepPanel::showKept);
    connect(m_campaign, &CampaignWatcher::changed, this, &SweepPanel::showSoon);
    connect(m_campaign, &CampaignWatcher::merged, this, [this](std::int64_t sweep) {
        m_campaign->close();
        m_runner->reopen(sweep);
        m_runner->refresh();
    });
    connect(&workspace, &Workspace::projectChanged, m_campaignBar, &CampaignBar::showState);
    connect(&workspace, &Workspace::graphChanged, this, &SweepPanel::modelChanged);
    connect(&workspace, &Workspace::targetChanged, this, &SweepPanel::modelChanged);
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, &SweepPanel::showState);
    showSearch();
    modelChanged();
    showState();
}

void SweepPanel::showSearch() {
    const bool searches = m_searches->isChecked();
    m_search->setVisible(searches);
    m_run->setText(searches ? tr("&Search") : tr("&Sweep"));
    m_run->setAccessibleName(searches ? tr("Search") : tr("Sweep"));
    m_run->setToolTip(searches ? tr("Compile for the values that the search chooses")
                               : tr("Compile for all of these values"));
}

/// Points come several times a second; of many, showing them takes longer than that and must leave time for all else.
void SweepPanel::showSoon() {
    constexpr qint64 kRest = 4; // times as long as it takes
    const bool isNew = std::pair(m_runner->state(), m_campaign->isOpen()) != m_shown;
    const qint64 wait = kRest * m_showMs - m_shownAt.elapsed();
    if (isNew || !m_shownAt.isValid() || wait <= 0)
        showState();
    else if (!m_later.isActive())
        m_later.start(int(wait));
}

void SweepPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_runner->refresh();
}

void SweepPanel::modelChanged() {
    const auto graph = m_workspace.graph();
    m_run->setEnabled(graph && m_workspace.target());
    m_over->setEnabled(m_run->isEnabled());
    if (!graph)
        return showState();
    // A sweep binds dimensions itself; what the user typed stays as long as it is of this model.
    const auto typed = parseSweep(m_over->text().toStdString());
    const bool fits = typed && std::all_of(typed->begin(), typed->end(), [&](const SweepAxis& axis) {
                          const auto options = sweepOptionNames(m_workspace.backends());
                          return !axis.varies() || axis.name == "target" || axis.name == kModelAxis ||
                                 (m_workspace.target() && targetFigure(*m_workspace.target(), axis.name)) ||
                                 axis.name.find(':') != std::string::npos ||
                                 std::any_of(options.begin(), options.end(),
                                             [&](const auto& option) {
                                                 return option.first == axis.name ||
                                                        option.first.ends_with("." + axis.name);
                                             }) ||
                                 std::any_of(graph->bindings.begin(), graph->bindings.end(),
                                             [&](const DimBinding& b) { return b.symbol == axis.name; });
                      });
    if (!fits)
        m_over->setText(proposal(m_workspace));
    showState();
}

std::optional<std::vector<SweepAxis>> SweepPanel::axesTyped() {
    auto axes = parseSweep(m_over->text().toStdString());
    if (axes)
        return std::move(*axes);
    m_campaign->close();
    m_view->setEmptyText(tr("This cannot be swept"), QString::fromStdString(axes.error().text()));
    m_view->setData({});
    return std::nullopt;
}

void SweepPanel::run() {
    if (!m_run->isEnabled())
        return;
    if (auto axes = axesTyped()) {
        m_campaign->close();
        m_runner->begin(std::move(*axes),
                        m_searches->isChecked() ? std::optional(m_search->search()) : std::nullopt);
    }
}

void SweepPanel::openCampaign() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open Campaign Folder"));
    if (!folder.isEmpty())
        m_campaign->open(folder);
}

void SweepPanel::planCampaign() {
    auto axes = axesTyped();
    if (!axes)
        return;
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Plan Campaign in an Empty Folder"));
    if (!folder.isEmpty())
        m_campaign->plan(std::move(*axes), folder);
}

const SweepInfo& SweepPanel::info() const {
    return m_campaign->isOpen() ? m_campaign->info() : m_runner->info();
}

const std::vector<SweepPoint>& SweepPanel::points() const {
    return m_campaign->isOpen() ? m_campaign->points() : m_runner->points();
}

std::vector<std::string> SweepPanel::objectives() const {
    return m_campaign->isOpen() ? std::vector<std::string>() : m_runner->objectives();
}

void SweepPanel::showState() {
    m_later.stop();
    QElapsedTimer clock;
    clock.start();
    showPoints();
    m_showMs = clock.elapsed();
    m_shown = {m_runner->state(), m_campaign->isOpen()};
    m_shownAt.start();
}

void SweepPanel::showPoints() {
    using State = SweepRunner::State;
    const State state = m_runner->state();
    if (m_campaign->isOpen() && !m_campaign->problem().isEmpty())
        m_view->setEmptyText(tr("The points cannot be read"), m_campaign->problem());
    else if (m_campaign->isOpen())
        m_view->setEmptyText(m_campaign->isRead() ? tr("No points yet") : tr("Reading the campaign"),
                             tr("Points appear as soon as a process has computed them."));
    else if (!m_runner->problem().isEmpty())
        m_view->setEmptyText(tr("This cannot be swept"), m_runner->problem());
    else if (state == State::Running)
        m_view->setEmptyText(tr("Sweeping"), tr("The first points come in a moment."));
    else if (state != State::Empty)
        m_view->setEmptyText(tr("Paused"), tr("Resume computes what is missing."));
    else if (!m_workspace.graph())
        m_view->setEmptyText(tr("Nothing to sweep over"), tr("Open a model."));
    else
        m_view->setEmptyText(tr("Not swept yet"), tr("Choose dimensions and values above, then Sweep."));
    m_view->setData(points().empty() ? SweepData{}
                                     : dataOf(info(), points(), objectives(), m_workspace.families()));
    showSweepState();
}

void SweepPanel::showSweepState() {
    using State = SweepRunner::State;
    const State state = m_runner->state();
    const auto& points = m_runner->points();
    const SweepInfo& info = m_runner->info();
    m_second->setVisible(!m_campaign->isOpen() && (state != State::Empty || !m_runner->kept().empty()));
    const auto failed = std::count_if(points.begin(), points.end(), [](const SweepPoint& point) {
        return !point.problem.empty() && !point.isLeftOut();
    });
    const std::int64_t size = std::max<std::int64_t>(1, info.wanted());
    m_progress->setVisible(state != State::Empty);
    m_progress->setRange(0, static_cast<int>(size));
    m_progress->setValue(static_cast<int>(points.size()));
    QString done = state == State::Complete ? tr("%1 points").arg(points.size())
                                            : tr("%1 of %2").arg(points.size()).arg(size);
    if (info.search)
        done += tr(" of a search");
    if (failed)
        done += tr(", %1 failed").arg(failed);
    if (m_runner->simulated() > 0)
        done += tr(", %1 simulated").arg(m_runner->simulated());
    m_progress->setFormat(done);
    const bool canConfirm = state != State::Running && !points.empty() && !hasAxis(info.axes, "simulate");
    m_confirm->setVisible(canConfirm);
    m_margin->setVisible(canConfirm);
    m_pause->setVisible(state == State::Running || state == State::Paused);
    m_pause->setText(state == State::Paused ? tr("&Resume") : tr("&Pause"));
    m_pause->setAccessibleName(state == State::Paused ? tr("Go on with the sweep") : tr("Pause the sweep"));
    m_pause->setToolTip(state == State::Paused
                            ? tr("Compute what is missing; also after a restart, where the project is saved")
                            : tr("Stop now; what is finished stays"));
    m_remove->setVisible(state != State::Empty);
}

void SweepPanel::showKept() {
    const QSignalBlocker quiet(m_kept);
    m_kept->clear();
    m_kept->setPlaceholderText(tr("Sweeps of the project"));
    for (const SweepInfo& sweep : m_runner->kept()) {
        const QString over = QString::fromStdString(sweepText(sweep.axes));
        m_kept->addItem(tr("%1: %2").arg(QString::fromStdString(sweep.name), over), qlonglong(sweep.id));
        m_kept->setItemData(
            m_kept->count() - 1,
            tr("%1 on %2, %3 of %4 points, begun %5")
                .arg(QString::fromStdString(sweep.modelName), QString::fromStdString(sweep.targetId))
                .arg(sweep.finished)
                .arg(sweep.wanted())
                .arg(QString::fromStdString(sweep.startedUtc)),
            Qt::ToolTipRole);
    }
    m_kept->setCurrentIndex(m_runner->id() ? m_kept->findData(qlonglong(m_runner->id())) : -1);
    m_kept->setVisible(m_kept->count() > 0);
    showState();
}

void SweepPanel::openRow(int row) {
    if (row < 0 || row >= static_cast<int>(m_view->data().rows.size()) || !m_workspace.graph())
        return;
    const auto turn = static_cast<std::size_t>(m_view->data().rows[static_cast<std::size_t>(row)].turn);
    const std::int64_t index = points()[turn].index;
    m_workspace.openRecipe(
        tr("point %1").arg(index),
        [setup = m_campaign->isOpen() ? m_campaign->setup() : m_runner->setup(), index,
         &backends = m_workspace.backends()](const TaskContext& task) -> Result<RunRecipe> {
            PIM_TRY(const SweepSetup made, setup(task));
            return recipeOfPoint(backends, made, index, task);
        });
}

} // namespace pim::views
