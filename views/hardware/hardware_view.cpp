// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/hardware_view.h"

#include "core/base/number_text.h"
#include "views/common/icons.h"
#include "views/common/text_label.h"
#include "views/hardware/hardware_tree.h"
#include "views/hardware/machine_share.h"
#include "views/models/family_panels.h"
#include "views/models/filter_stack.h"
#include "views/models/workspace.h"

#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>
#include <QPointer>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::views {
namespace {

constexpr const char* kState = "hardware"; ///< Of Workspace::viewState().
constexpr int kBesideWidth = 620;          ///< From here on the tree has room beside the picture,
constexpr int kAboveHeight = 360;          ///< and with so much for both, above it.

const OpPlan* selectedPlan(const Workspace& workspace, const Plan* plan) {
    const OpId op = workspace.selection().op;
    return plan && op.valid() && op.index() < plan->ops.size() ? &plan->opPlan(op) : nullptr;
}

} // namespace

HardwareView::HardwareView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_title(new QLabel), m_machineLabel(new QLabel(tr("Machine"))),
      m_machine(new QComboBox), m_colorBy(new QComboBox),
      m_treeButton(toolButton(QStringLiteral("table"), tr("Show parts of the machine as a tree"))),
      m_split(new QSplitter), m_tree(new HardwareTree), m_floorplan(new Floorplan), m_status(new TextLabel),
      m_editor(new DraftEditor) {
    setObjectName(QStringLiteral("HardwareView"));
    setAccessibleName(tr("Hardware"));
    build();
    m_floorplan->setVerdict([this](const QString& mime, const QString& payload, const HardwareSpot& spot) {
        return verdict(mime, payload, spot);
    });
    m_tree->setDragOver([this](const QString& mime, const QString& payload, const HardwareSpot& spot) {
        return m_floorplan->hover(mime, payload, spot);
    });
    connect(m_tree, &HardwareTree::dragLeft, m_floorplan, &Floorplan::endHover);
    connect(m_tree, &HardwareTree::dropped, this, &HardwareView::drop);
    connect(m_tree, &HardwareTree::spotChosen, this, &HardwareView::selectSpot);
    connect(m_floorplan, &Floorplan::dropped, this, &HardwareView::drop);
    connect(m_floorplan, &Floorplan::clicked, this, &HardwareView::selectSpot);
    connect(m_floorplan, &Floorplan::verdictChanged, this, &HardwareView::showStatus);
    connect(m_floorplan, &Floorplan::cutRequested, this, &HardwareView::cutOp);
    connect(m_editor, &DraftEditor::cutRequested, this, &HardwareView::cutDimension);
    connect(m_editor, &DraftEditor::edited, this, [this](const Draft& draft) {
        const auto plan = m_workspace.plan();
        if (const OpPlan* op = selectedPlan(m_workspace, plan.get()); op && op->space)
            decide({plan->graph->op(op->op).name, "draft", op->space->draftText(draft)});
    });
    m_editor->setJudge(
        {[this](const Draft& draft, int set, SplitLevel level, auto then) {
             return valuesOf(draft, set, level, std::move(then));
         },
         [this](const Draft& draft) -> Result<void> {
             const auto plan = m_workspace.plan();
             const OpPlan* const op = selectedPlan(m_workspace, plan.get());
             if (!op || !op->space)
                 return {};
             return m_workspace.check({plan->graph->op(op->op).name, "draft", op->space->draftText(draft)});
         }});
    for (const auto signal : {&Workspace::targetChanged, &Workspace::planChanged,
                              &Workspace::selectionChanged, &Workspace::graphChanged})
        connect(&workspace, signal, this, &HardwareView::refresh);
    connect(workspace.filters(), &FilterStack::changed, this, [this] {
        m_figuresBy = -1; // other ops count
        refreshFigures();
    });
    connect(&workspace, &Workspace::viewStatesLoaded, this, &HardwareView::takeState);
    takeState();
    refresh();
}

HardwareView::~HardwareView() {
    if (m_task != 0)
        m_workspace.tasks()->cancel(m_task);
}

std::vector<SplitValue> HardwareView::valuesOf(const Draft& draft, int set, SplitLevel level,
                                               std::function<void(std::vector<SplitValue>)> then) {
    const auto plan = shownPlan();
    const auto target = shownTarget();
    const auto backend = m_workspace.backends().find(target ? target->backend : std::string());
    const OpId op = m_workspace.selection().op;
    const OpPlan* const planned = selectedPlan(m_workspace, plan.get());
    if (!planned || !planned->space || !backend || plan->target != target)
        return {};
    const TilingOptions options = m_workspace.options().tiling;
    // Whether there are commands for each of them takes writing them.
    const QPointer<HardwareView> self(this);
    m_workspace.tasks()->start(
        tr("Values of a dimension"), [=, backend = *backend](const TaskContext&) -> std::function<void()> {
            auto values = splitValues(*backend, *plan, {op, set, level}, draft, options);
            return [self, then, values = std::move(values)] {
                if (self)
                    then(values);
            };
        });
    return quickSplitValues(*planned->space, draft, set, level, options);
}

void HardwareView::build() {
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_colorBy->setAccessibleName(tr("Colour of the cores"));
    m_colorBy->setToolTip(tr("What the colour of the cores means"));
    m_colorBy->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_treeButton->setCheckable(true);
    QToolButton* const fit = toolButton(QStringLiteral("zoom-fit"), tr("Show the whole machine (F)"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(6, 4, 4, 0);
    head->addWidget(m_title, 1);
    m_machine->setAccessibleName(tr("Machine"));
    m_machine->setToolTip(tr("Which machine of the plan is shown"));
    m_machine->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_machineLabel->setBuddy(m_machine);
    auto* by = new QLabel(tr("Colour"));
    by->setBuddy(m_colorBy);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_machineLabel, m_machine, by, m_colorBy, m_treeButton, fit})
        head->addWidget(widget);
    m_split->addWidget(m_tree);
    m_split->addWidget(m_floorplan);
    m_split->setChildrenCollapsible(false);
    m_split->setStretchFactor(1, 1);
    m_split->installEventFilter(this);
    m_tree->setMinimumSize(120, 60);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setContentsMargins(6, 0, 6, 0);
    // two lines, so that the picture does not jump
    m_status->setMinimumHeight(2 * m_status->fontMetrics().height());
    m_status->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_status->setObjectName(QStringLiteral("HardwareStatus"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_split, 1);
    layout->addWidget(m_status);
    layout->addWidget(m_editor);
    setTabOrder(m_machine, m_colorBy);
    setTabOrder(m_colorBy, m_treeButton);
    setTabOrder(m_treeButton, fit);
    setTabOrder(fit, m_tree);
    setTabOrder(m_tree, m_floorplan);
    setTabOrder(m_floorplan, m_editor);
    connect(fit, &QToolButton::clicked, m_floorplan, &Floorplan::zoomToFit);
    connect(m_treeButton, &QToolButton::clicked, this, [this](bool on) {
        m_treeWanted = on;
        m_tree->setVisible(on); // asked for, whether there is much room or not
        keepState();
    });
    connect(m_machine, &QComboBox::activated, this, [this](int machine) {
        m_device = DeviceId(static_cast<std::size_t>(machine));
        m_spot = {};
        refresh();
    });
    connect(m_colorBy, &QComboBox::activated, this, [this] {
        keepState();
        refreshFigures();
    });
}

void HardwareView::takeState() {
    const QJsonObject state = m_workspace.viewState(QLatin1String(kState));
    m_treeWanted = state.value(QLatin1String("tree")).toBool(true);
    m_colorBy->setProperty("wanted", state.value(QLatin1String("color")).toInt(-1));
    arrange();
}

void HardwareView::keepState() {
    m_colorBy->setProperty("wanted", m_colorBy->currentData());
    m_workspace.setViewState(QLatin1String(kState),
                             {{QStringLiteral("tree"), m_treeWanted},
                              {QStringLiteral("color"), m_colorBy->currentData().toInt()}});
}

void HardwareView::arrange() {
    const bool beside = width() >= kBesideWidth;
    const bool shown = m_treeWanted && (beside || m_split->height() >= kAboveHeight);
    m_treeButton->setChecked(m_treeWanted);
    showTitle();
    const Qt::Orientation orientation = beside ? Qt::Horizontal : Qt::Vertical;
    if (shown == !m_tree->isHidden() && orientation == m_split->orientation() && m_isArranged)
        return; // what the user made of the handle stays
    m_isArranged = true;
    m_split->setOrientation(orientation);
    m_tree->setVisible(shown);
    const int room = beside ? width() : m_split->height();
    m_split->setSizes({room * 2 / 5, room * 3 / 5});
}

/// The op matters more than the machine, which the window names above; of its name the end.
void HardwareView::showTitle() {
    const QFontMetrics metrics = m_title->fontMetrics();
    const bool fits = metrics.horizontalAdvance(m_shownTitle) <= m_title->width();
    m_title->setText(fits ? m_shownTitle
                          : metrics.elidedText(m_shortTitle, Qt::ElideLeft, std::max(60, m_title->width())));
}

bool HardwareView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_split && event->type() == QEvent::Resize)
        arrange();
    return QWidget::eventFilter(watched, event);
}

void HardwareView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_floorplan->update();
}

bool HardwareView::hasSeveralMachines() const {
    const auto plan = m_workspace.plan();
    const auto target = m_workspace.target();
    return plan && target && plan->devices.size() > 1 && plan->target->hash == target->hash;
}

/// The selected op's, when another op is selected; else what the user chose last.
void HardwareView::chooseMachine() {
    const auto whole = m_workspace.plan();
    const bool several = hasSeveralMachines();
    const OpPlan* const op = selectedPlan(m_workspace, whole.get());
    const OpId selected = op ? op->op : OpId();
    if (several && op && selected != m_followed && !op->onHost() && op->placement != m_device) {
        m_device = op->placement;
        m_spot = {};
    }
    m_followed = selected;
    if (!several || m_device.index() >= whole->devices.size())
        m_device = DeviceId::first();
    QStringList names;
    if (several)
        for (const Device& device : whole->devices)
            names << QString::fromStdString(device.name);
    m_machine->clear();
    m_machine->addItems(names);
    if (several)
        m_machine->setCurrentIndex(static_cast<int>(m_device.index()));
    m_machine->setVisible(several);
    m_machineLabel->setVisible(several);
    if (whole == m_whole && m_shareDevice == m_device)
        return;
    m_whole = whole;
    m_shareDevice = m_device;
    m_share = several ? shareOf(whole, m_device) : nullptr;
}

std::shared_ptr<const Target> HardwareView::shownTarget() const {
    return hasSeveralMachines() ? m_workspace.plan()->devices[m_device.index()].target : m_workspace.target();
}

std::shared_ptr<const Plan> HardwareView::shownPlan() const {
    const auto whole = m_workspace.plan();
    return m_share && whole == m_whole ? m_share : whole;
}

void HardwareView::refresh() {
    chooseMachine();
    const auto target = shownTarget();
    m_floorplan->setTarget(target);
    m_tree->hardware()->setTarget(target);
    const auto plan = shownPlan();
    const OpPlan* op = selectedPlan(m_workspace, plan.get());
    const bool ofThisTarget = plan && target && plan->target->hash == target->hash;
    const std::shared_ptr<const TilingSpace> space = op && ofThisTarget ? op->space : nullptr;
    std::optional<Draft> draft = m_workspace.selection().draft;
    if (op && (!draft || !space || !space->check(*draft)))
        draft = op->draft;
    m_editor->setDraft(space, space ? draft : std::nullopt, ofThisTarget ? plan->coreBytes : 0);

    m_shortTitle = op       ? QString::fromStdString(plan->graph->op(op->op).name)
                   : target ? QString::fromStdString(target->name)
                            : tr("No target chosen");
    m_shownTitle = m_shortTitle;
    const OpPlan* const placed = selectedPlan(m_workspace, m_workspace.plan().get()); // on whichever machine
    if (target && placed)
        m_shownTitle =
            tr("%1 on %2")
                .arg(m_shortTitle,
                     QString::fromStdString(placed->onHost()
                                                ? target->host.name
                                                : targetOf(*m_workspace.plan(), placed->placement).name));
    m_title->setToolTip(m_shownTitle);
    showTitle();
    if (ofThisTarget)
        m_floorplan->setHostNote(
            tr("%1 ops here").arg(std::ranges::count_if(m_workspace.plan()->ops, &OpPlan::onHost)));
    else
        m_floorplan->setHostNote({});
    const MachineUse use =
        ofThisTarget ? MachineUse(m_workspace.familyOf(*plan), *plan, op ? op->op : OpId()) : MachineUse();
    m_floorplan->setUse(use);
    m_tree->hardware()->setUse(use);
    followSelection();
    refreshFigures();
    showStatus();
}

void HardwareView::followSelection() {
    const Selection& selection = m_workspace.selection();
    const auto target = shownTarget();
    HardwareSpot spot;
    if (target && selection.group >= 0 && target->levels.size() >= 2) {
        spot = spotOf(*target, target->levels.size() - 2, selection.group);
        if (selection.core >= 0)
            spot.path.push_back(selection.core);
    } else if (target && m_spot.path.size() + 2 <= target->levels.size()) {
        spot = m_spot; // host or a device: no other view speaks of them
    }
    m_spot = spot;
    m_floorplan->setHighlight(spot);
    m_tree->setCurrentSpot(spot);
}

void HardwareView::selectSpot(const HardwareSpot& spot) {
    m_spot = spot;
    Selection selection = m_workspace.selection();
    const auto target = shownTarget();
    selection.group = selection.core = -1;
    if (spot.kind == HardwareSpot::Kind::Machine && target && spot.path.size() + 1 >= target->levels.size() &&
        !spot.path.empty()) {
        // Views count groups through the whole machine, not in their device.
        HardwareSpot group = spot;
        group.path.resize(target->levels.size() - 1);
        std::int64_t number = 0;
        for (std::size_t level = 0; level < group.path.size(); ++level)
            number = number * target->levels[level].count + group.path[level];
        selection.group = static_cast<int>(number);
        if (spot.path.size() == target->levels.size())
            selection.core = spot.path.back();
    }
    const bool isNew = !(selection == m_workspace.selection());
    m_workspace.select(selection);
    if (!isNew) {
        followSelection();
        showStatus();
    }
}

/// What the user chose stays as long as it is offered.
void HardwareView::fillColors(const std::vector<FigureChoice>& choices) {
    const auto isShown = [this, row = 0](const FigureChoice& choice) mutable {
        return m_colorBy->itemData(row).toInt() == choice.id && m_colorBy->itemText(row++) == choice.name;
    };
    if (m_colorBy->count() == std::ssize(choices) && std::ranges::all_of(choices, isShown))
        return;
    m_colorBy->clear();
    for (const FigureChoice& choice : choices) {
        m_colorBy->addItem(choice.name, choice.id);
        m_colorBy->setItemData(m_colorBy->count() - 1, choice.meaning, Qt::ToolTipRole);
    }
    m_colorBy->setCurrentIndex(std::max(0, m_colorBy->findData(m_colorBy->property("wanted"))));
}

void HardwareView::refreshFigures() {
    const auto plan = shownPlan();
    const auto target = shownTarget();
    if (!plan || !target || plan->target->hash != target->hash) {
        m_figuresPlan.reset();
        m_colorBy->clear();
        m_floorplan->setFigures(nullptr);
        m_tree->hardware()->setFigures(nullptr);
        return;
    }
    const FamilyPanels& family = m_workspace.familyOf(*plan);
    const std::vector<FigureChoice> choices = colorChoices(family);
    fillColors(choices);
    const FigureChoice& choice = choices[std::size_t(m_colorBy->currentIndex())];
    const int by = choice.id;
    const OpId op = m_workspace.selection().op;
    const std::optional<Draft> draft = m_editor->isHidden() ? std::nullopt : m_editor->draft();
    if (plan == m_figuresPlan && op == m_figuresOp && draft == m_figuresDraft && by == m_figuresBy)
        return;
    m_figuresPlan = plan;
    m_figuresOp = op;
    m_figuresDraft = draft;
    m_figuresBy = by;
    if (m_task != 0)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    std::vector<bool> counted; // what the filters let pass
    if (!m_workspace.filters()->isEmpty())
        for (const OpPlan& planned : plan->ops)
            counted.push_back(m_workspace.filters()->passes(planned.op));
    // A tile a core, or all ops: too long for this thread on a large machine.
    if (choice.isSlow)
        m_task = m_workspace.tasks()->start(
            tr("Work of each core"),
            [this, &family, plan, op, draft, by, counted](const TaskContext&) -> std::function<void()> {
                auto figures = std::make_shared<CoreFigures>(
                    coreFigures(family, *plan, op, draft ? &*draft : nullptr, by, counted));
                return [this, figures] {
                    m_task = 0;
                    showFigures(std::move(*figures));
                };
            });
    else
        showFigures(coreFigures(family, *plan, op, draft ? &*draft : nullptr, by));
}

void HardwareView::showFigures(CoreFigures figures) {
    const auto shared = std::make_shared<const CoreFigures>(std::move(figures));
    m_floorplan->setFigures(shared);
    m_tree->hardware()->setFigures(shared);
    showStatus();
}

void HardwareView::showStatus() {
    const QString before = m_status->text();
    if (m_floorplan->isHovering())
        m_status->setText((m_floorplan->verdict().legal ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) +
                          m_floorplan->verdict().text);
    else if (m_spot.kind != HardwareSpot::Kind::None)
        m_status->setText(m_floorplan->describe(m_spot));
    else
        m_status->setText(tr("Drag an op or a dimension onto the picture, or cut it (%1), choose a place "
                             "with the arrow keys and paste (%2).")
                              .arg(QKeySequence(QKeySequence::Cut).toString(QKeySequence::NativeText),
                                   QKeySequence(QKeySequence::Paste).toString(QKeySequence::NativeText)));
    m_status->setToolTip(m_status->text());
    if (m_status->text() == before)
        return;
    // Screen readers hear the verdict while the place is chosen.
    if (m_floorplan->isHovering()) {
        QAccessibleEvent said(m_status, QAccessible::Alert);
        QAccessible::updateAccessibility(&said);
    }
}

QString HardwareView::statusText() const {
    return m_status->text();
}

void HardwareView::cut(const QString& mime, const QString& payload, const QString& text) {
    auto* held = new QMimeData;
    held->setData(mime, payload.toUtf8());
    held->setText(text);
    QGuiApplication::clipboard()->setMimeData(held);
    m_floorplan->carry(mime, payload);
}

void HardwareView::cutOp() {
    const auto graph = m_workspace.graph();
    const OpId op = m_workspace.selection().op;
    if (!graph || !op.valid() || op.index() >= graph->ops.size()) {
        emit m_workspace.failed(tr("No op is selected, so there is nothing to cut"),
                                tr("Select an op in the graph or a table first."));
        return;
    }
    const QString name = QString::fromStdString(graph->op(op).name);
    cut(QLatin1String(kMimeOp), name, name);
}

void HardwareView::cutDimension(int set) {
    cut(QLatin1String(kMimeDimension), QString::number(set), m_editor->dimensionName(set));
}

} // namespace pim::views
