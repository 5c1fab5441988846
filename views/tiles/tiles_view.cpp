// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/tiles_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/line_label.h"
#include "views/common/origin_style.h"
#include "views/common/text.h"
#include "views/common/text_label.h"
#include "views/models/workspace.h"
#include "views/tiles/heatmap.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::views {
namespace {

const QString kState = QStringLiteral("tiles");
constexpr std::size_t kKnown = 8;
constexpr std::int64_t kAtOnce = 600; ///< Cores whose tiles are worked out without a task.

QString bytes(double value) {
    return text(bytesText(value));
}
QString count(double value) {
    return text(exactText(static_cast<std::int64_t>(value)));
}

QString withSign(double value, const QString& absolute) {
    return value == 0 ? QStringLiteral("0")
                      : (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + absolute;
}

QString runsText(const std::vector<IndexRun>& runs) {
    QStringList parts;
    for (const IndexRun& run : runs) {
        if (parts.size() == 3) {
            parts << QStringLiteral("…");
            break;
        }
        const std::int64_t end = run.begin + (run.count - 1) * run.step + 1;
        parts << (run.count == 1  ? QString::number(run.begin)
                  : run.step == 1 ? QStringLiteral("%1:%2").arg(run.begin).arg(end)
                                  : QStringLiteral("%1:%2:%3").arg(run.begin).arg(end).arg(run.step));
    }
    return parts.isEmpty() ? QStringLiteral("∅") : parts.join(QStringLiteral(", "));
}

/// "4 rows" of a bank; empty where the target does not say how long a row is.
QString rowsText(const Target& target, std::int64_t tileBytes) {
    const auto row = target.number("organisation.rowBytes", "B");
    if (!row || *row <= 0)
        return {};
    const auto rows = (tileBytes + static_cast<std::int64_t>(*row) - 1) / static_cast<std::int64_t>(*row);
    return rows == 1 ? TilesView::tr(", 1 row")
                     : TilesView::tr(", %1 rows").arg(count(static_cast<double>(rows)));
}

} // namespace

TilesView::TilesView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_board(DraftBoard::of(workspace)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("target"))),
      m_modes(new QButtonGroup(this)), m_title(new LineLabel), m_hover(new TextLabel) {
    setObjectName(QStringLiteral("TilesView"));
    setAccessibleName(tr("Tiles of the chosen draft"));
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("Draft shown"));
    m_hover->setAccessibleName(tr("What the core under the pointer holds and does"));
    m_hover->setMinimumHeight(m_hover->fontMetrics().lineSpacing() * 2);
    m_hover->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_hover->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* bar = new QHBoxLayout;
    bar->setSpacing(2);
    const struct {
        Mode mode;
        QString text, tip;
    } modes[] = {{Mode::A, tr("A"),
                  tr("Draft A: the one in force, or one that was kept in the Drafts or Compare panel")},
                 {Mode::B, tr("B"), tr("Draft B: the one selected")},
                 {Mode::Delta, tr("Δ"), tr("B less A, core by core; the scale is centred on no difference")}};
    for (const auto& mode : modes) {
        auto* button = new QToolButton;
        button->setText(mode.text);
        button->setCheckable(true);
        button->setAutoRaise(true); // the one that is on stands out
        button->setToolTip(mode.tip);
        button->setAccessibleName(mode.mode == Mode::Delta ? tr("Show the difference of B and A")
                                                           : tr("Show draft %1").arg(mode.text));
        m_modes->addButton(button, static_cast<int>(mode.mode));
        bar->addWidget(button);
    }
    bar->addSpacing(6);
    bar->addWidget(m_title, 1);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(buildSide(m_data, tr("Data tile"), tr("Heatmap of the bytes each core holds"),
                                  QStringLiteral("data-tile")));
    splitter->addWidget(buildSide(m_compute, tr("Compute tile"), tr("Heatmap of the work each core does"),
                                  QStringLiteral("compute-tile")));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addLayout(bar);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_hover);

    connect(m_modes, &QButtonGroup::idClicked, this, [this](int id) { setMode(static_cast<Mode>(id)); });
    connect(&m_board, &DraftBoard::comparedChanged, this, &TilesView::rebuild);
    connect(&workspace, &Workspace::viewStatesLoaded, this, &TilesView::takeViewState);
    takeViewState();
}

QWidget* TilesView::buildSide(Side& side, const QString& label, const QString& accessible,
                              const QString& file) {
    side.map = new Heatmap(accessible, file);
    side.what = new QComboBox;
    side.what->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    side.what->setMinimumContentsLength(8);
    side.what->setAccessibleName(tr("%1: what is shown").arg(label));
    auto* widget = new QWidget;
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* bar = new QHBoxLayout;
    auto* name = new QLabel(label);
    name->setBuddy(side.what);
    bar->addWidget(name);
    bar->addWidget(side.what, 1);
    layout->addLayout(bar);
    layout->addWidget(side.map, 1);
    connect(side.what, &QComboBox::activated, this, [this, &side] { fill(side); });
    connect(side.map, &Heatmap::hovered, this,
            [this](int group, int core) { m_hover->setText(describe(group, core)); });
    connect(side.map, &Heatmap::chosen, this, &TilesView::choose);
    return widget;
}

void TilesView::takeViewState() {
    const int mode = m_workspace.viewState(kState)[QStringLiteral("mode")].toInt(static_cast<int>(Mode::B));
    m_mode = mode >= 0 && mode <= static_cast<int>(Mode::Delta) ? static_cast<Mode>(mode) : Mode::B;
    m_modes->button(static_cast<int>(m_mode))->setChecked(true);
    rebuild();
}

void TilesView::setMode(Mode mode) {
    m_mode = mode;
    m_modes->button(static_cast<int>(mode))->setChecked(true);
    m_workspace.setViewState(kState, {{QStringLiteral("mode"), static_cast<int>(mode)}});
    rebuild();
}

QString TilesView::refusal() const {
    return m_pages->currentIndex() == 0 ? m_empty->text() : QString();
}

void TilesView::refuse(const QString& what, const QString& hint) {
    m_empty->setText(what, hint);
    m_pages->setCurrentIndex(0);
    m_hover->clear();
}

void TilesView::showTitle() {
    const auto side = [](const QString& letter, const std::optional<BoardDraft>& draft) {
        const CostSplit* cost = draft ? draft->cost() : nullptr;
        return !draft ? QString()
                      : QStringLiteral("<b>%1</b> %2 <code>%3</code> ")
                            .arg(letter,
                                 cost ? figureHtml(draft->origin(), timeText(cost->totalNs()))
                                      : tr("(rejected)"),
                                 draft->text().toHtmlEscaped());
    };
    m_title->setText((m_mode != Mode::B ? side(tr("A"), m_a) : QString()) +
                     (m_mode != Mode::A ? side(tr("B"), m_b) : QString()));
    m_title->setToolTip(QStringLiteral("%1\n%2")
                            .arg(m_a ? tr("A: %1 of %2").arg(m_a->text(), m_a->op) : QString(),
                                 m_b ? tr("B: %1 of %2").arg(m_b->text(), m_b->op) : QString())
                            .trimmed());
}

void TilesView::rebuild() {
    m_a = m_board.a();
    m_b = m_board.b();
    showTitle();
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    const OpPlan* opPlan = plan && op.valid() && op.index() < plan->ops.size() ? &plan->opPlan(op) : nullptr;
    const auto& shown = m_mode == Mode::A ? m_a : m_b;
    if (!shown || (m_mode == Mode::Delta && !m_a))
        return refuse(tr("No tiles to show"), !opPlan ? tr("Select an op in the graph to see its tiles")
                                              : !opPlan->pimVerdict.empty() ? text(opPlan->pimVerdict)
                                                                            : tr("This op has no draft"));
    if (m_mode == Mode::Delta) {
        QStringList differences;
        for (const std::string& difference :
             draftDifferences(*m_a->space, *m_a->target, *m_b->space, *m_b->target))
            differences << text(difference);
        if (!differences.isEmpty())
            return refuse(tr("A and B cannot be compared: %1").arg(differences.join(QStringLiteral("; "))),
                          tr("Choose an A of the same op and target in the Drafts or Compare panel"));
    }
    offerMeasures(*shown->space);
    m_figuresA = m_mode != Mode::B ? figuresOf(*m_a) : nullptr;
    m_figuresB = m_mode != Mode::A ? figuresOf(*m_b) : nullptr;
    if ((m_mode != Mode::B && !m_figuresA) || (m_mode != Mode::A && !m_figuresB)) {
        if (m_pages->currentIndex() == 0) // else what was shown stays till the new maps are there
            refuse(tr("Computing the tiles…"), {});
        return;
    }
    m_pages->setCurrentIndex(1);
    const Selection& selection = m_workspace.selection();
    for (const Side* side : {&m_data, &m_compute}) {
        fill(*side);
        side->map->setSelected(selection.group, selection.core);
    }
    m_hover->setText(describe(std::max(selection.group, 0), std::max(selection.core, 0)));
}

/// Keeps what is chosen while the kernel stays.
void TilesView::offerMeasures(const TilingSpace& space) {
    if (m_offered && (m_offered.get() == &space || m_offered->kernel().text() == space.kernel().text()))
        return;
    m_offered = (m_mode == Mode::A ? m_a : m_b)->space;
    const Kernel& kernel = space.kernel();
    const auto offer = [](Side& side, const QString& label, CoreMeasure measure) {
        side.what->addItem(label);
        side.measures.push_back(measure);
    };
    for (Side* side : {&m_data, &m_compute}) {
        side->what->clear();
        side->measures.clear();
    }
    using What = CoreMeasure::What;
    offer(m_data, tr("all tensors, bytes"), {What::Bytes, -1});
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        offer(m_data, tr("%1, bytes").arg(text(kernel.tensors[t].name)), {What::Bytes, static_cast<int>(t)});
    if (kernel.macsPerIteration > 0)
        offer(m_compute, tr("MACs"), {What::Macs, -1});
    offer(m_compute, tr("iterations"), {What::Iterations, -1});
    for (std::size_t l = 0; l < kernel.loops.size(); ++l)
        offer(m_compute, tr("first value of %1").arg(text(kernel.loops[l].name)),
              {What::LoopFirst, static_cast<int>(l)});
}

std::shared_ptr<const TileFigures> TilesView::figuresOf(const BoardDraft& draft) {
    for (auto known = m_known.begin(); known != m_known.end(); ++known)
        if ((*known)->space == draft.space && (*known)->draft == draft.draft) {
            m_known.splice(m_known.begin(), m_known, known);
            return m_known.front();
        }
    const TilingResources& resources = draft.space->resources();
    if (static_cast<std::int64_t>(resources.groups) * resources.coresPerGroup <= kAtOnce) {
        remember(coreFigures(draft.space, draft.draft));
        return m_known.front();
    }
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_task = m_workspace.tasks()->start(tr("Computing tiles"),
                                        [self = QPointer(this), space = draft.space, wanted = draft.draft](
                                            const TaskContext& task) -> std::function<void()> {
                                            auto figures = coreFigures(space, wanted, task);
                                            return [self, figures = std::move(figures)] {
                                                if (!self)
                                                    return;
                                                self->m_task = 0;
                                                if (figures)
                                                    self->remember(figures);
                                                self->rebuild();
                                            };
                                        });
    return nullptr;
}

void TilesView::remember(std::shared_ptr<const TileFigures> figures) {
    m_known.push_front(std::move(figures));
    if (m_known.size() > kKnown)
        m_known.pop_back();
}

void TilesView::fill(const Side& side) {
    const int at = side.what->currentIndex();
    if (at < 0 || m_pages->currentIndex() == 0 || (!m_figuresA && !m_figuresB))
        return;
    const CoreMeasure& what = side.measures[static_cast<std::size_t>(at)];
    const TileFigures& shown = m_figuresB ? *m_figuresB : *m_figuresA;
    const QString unit = what.what == CoreMeasure::What::Bytes ? tr("bytes") : side.what->currentText();
    if (m_mode == Mode::Delta)
        side.map->setValues(shown.groups, shown.cores, measuredDifference(*m_figuresA, *m_figuresB, what),
                            tr("Δ %1").arg(unit), Heatmap::Scale::Diverging);
    else
        side.map->setValues(shown.groups, shown.cores, measure(shown, what), unit);
}

/// "HBM3 stack 2, pseudo-channel 5, bank 13": the names the target gives its levels.
QString TilesView::placeText(const BoardDraft& draft, int group, int core) const {
    const auto& levels = draft.target->levels;
    if (levels.size() < 3 || levels[1].count <= 0)
        return tr("group %1, core %2").arg(group).arg(core);
    return QStringLiteral("%1 %2, %3 %4, %5 %6")
        .arg(text(levels[0].name))
        .arg(group / levels[1].count)
        .arg(text(levels[1].name))
        .arg(group % levels[1].count)
        .arg(text(levels[2].name))
        .arg(core);
}

QString TilesView::describe(int group, int core) const {
    const auto& shown = m_mode == Mode::A ? m_a : m_b;
    if (!shown || group < 0 || core < 0 || group >= shown->space->resources().groups ||
        core >= shown->space->resources().coresPerGroup)
        return {};
    return m_mode == Mode::Delta ? describeDifference(group, core) : describeSide(*shown, group, core);
}

QString TilesView::describeSide(const BoardDraft& draft, int group, int core) const {
    const CoreTile tile = draft.space->tile(draft.draft, group, core);
    const QString where =
        tr("Group %1, core %2 (%3)").arg(group).arg(core).arg(placeText(draft, group, core));
    if (tile.iterations == 0)
        return tr("%1: idle under this draft").arg(where);
    QStringList loops, held;
    const Kernel& kernel = draft.space->kernel();
    for (std::size_t l = 0; l < kernel.loops.size(); ++l)
        loops << QStringLiteral("%1 ∈ [%2, %3)")
                     .arg(text(kernel.loops[l].name))
                     .arg(tile.loops[l].first)
                     .arg(tile.loops[l].second);
    std::int64_t all = 0;
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        QString name = text(kernel.tensors[t].name);
        for (const auto& runs : tile.data[t])
            name += QStringLiteral("[%1]").arg(runsText(runs));
        held << QStringLiteral("%1 %2").arg(name, bytes(static_cast<double>(tile.tensorBytes[t])));
        all += tile.tensorBytes[t];
    }
    QString work = tr("%1 iterations").arg(count(static_cast<double>(tile.iterations)));
    if (kernel.macsPerIteration > 0)
        work =
            tr("%1 MACs, ").arg(count(static_cast<double>(tile.iterations * kernel.macsPerIteration))) + work;
    return tr("%1: %2, %3\nHolds %4%5: %6")
        .arg(where, work, loops.join(QStringLiteral(", ")), bytes(static_cast<double>(all)),
             rowsText(*draft.target, all), held.join(QStringLiteral(" · ")));
}

QString TilesView::describeDifference(int group, int core) const {
    if (!m_figuresA || !m_figuresB)
        return {};
    const std::size_t cell = m_figuresB->at(group, core);
    const double bytesA = m_figuresA->iterations[cell] > 0 ? m_figuresA->bytes(cell, -1) : 0,
                 bytesB = m_figuresB->iterations[cell] > 0 ? m_figuresB->bytes(cell, -1) : 0;
    const double workA = m_figuresA->iterations[cell], workB = m_figuresB->iterations[cell];
    return tr("Group %1, core %2 (%3)\nHolds A %4, B %5: %6 · iterations A %7, B %8: %9")
        .arg(group)
        .arg(core)
        .arg(placeText(*m_b, group, core), bytes(bytesA), bytes(bytesB),
             withSign(bytesB - bytesA, bytes(std::abs(bytesB - bytesA))), count(workA), count(workB),
             withSign(workB - workA, count(std::abs(workB - workA))));
}

void TilesView::choose(int group, int core) {
    Selection selection = m_workspace.selection();
    selection.group = group;
    selection.core = core;
    m_workspace.select(selection);
}

} // namespace pim::views
