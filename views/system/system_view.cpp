// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_view.h"

#include "core/base/number_text.h"
#include "views/common/choice_box.h"
#include "views/common/core_sentences.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/flow_layout.h"
#include "views/common/line_label.h"
#include "views/common/mime.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/common/timeline_canvas.h"
#include "views/models/workspace.h"
#include "views/system/system_tables.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>

namespace pim::views {
namespace {

QString bySearch() {
    return SystemView::tr("where the search puts it");
}

TableView* figuresTable(FiguresModel* figures, const QString& name, const QString& exportName) {
    auto* table = new TableView;
    table->setModel(figures);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->verticalHeader()->hide();
    table->setAccessibleName(name);
    table->setExportName(exportName);
    return table;
}

} // namespace

SystemView::SystemView(Workspace& workspace, std::shared_ptr<const HostModel> model, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(std::move(model)), m_bar(new FlowLayout),
      m_system(new ChoiceBox), m_place(new ChoiceBox), m_simulates(new QCheckBox(tr("Si&mulate"))),
      m_button(new QPushButton), m_takeBack(new QPushButton(tr("&Take Placements Back"))),
      m_opFigures(new FiguresModel(systemOpColumns(), this)),
      m_otherFigures(new FiguresModel(alternativeColumns(), this)),
      m_usageFigures(new FiguresModel(usageColumns(), this)), m_timeline(new TimelineCanvas),
      m_page(new QWidget), m_empty(new EmptyState(QStringLiteral("hardware"))), m_summary(new LineLabel),
      m_limits(new LineLabel) {
    setObjectName(QStringLiteral("SystemView"));
    setAccessibleName(tr("Several Machines"));
    m_ops =
        figuresTable(m_opFigures, tr("Operators in the order in which they start"), QStringLiteral("system"));
    m_others = figuresTable(m_otherFigures, tr("What else was tried"), QStringLiteral("system-alternatives"));
    m_usage =
        figuresTable(m_usageFigures, tr("How busy devices and links are"), QStringLiteral("system-usage"));
    buildBar();
    buildPage();
    m_ops->horizontalHeader()->setStretchLastSection(true); // the reasons are long
    connect(m_button, &QPushButton::clicked, this, [this] { isPlanning() ? stop() : start(); });
    connect(m_takeBack, &QPushButton::clicked, this, [this] {
        Overrides left;
        const std::string field = std::string(kDeviceField) + m_system->value().toStdString();
        for (const Override& decision : m_workspace.overrides().all())
            if (decision.field != field)
                left.set(decision);
        m_workspace.replaceOverrides(left, tr("Take placements back"));
    });
    connect(m_place, &ChoiceBox::chosen, this, [this](const QString& device) {
        if (const OpId op = currentWhole(); op.valid())
            place(op, device == bySearch() ? QString() : device);
    });
    connect(m_system, &ChoiceBox::chosen, this, [this] {
        if (m_plan)
            start();
        showState();
    });
    connect(m_ops->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showPlace();
        if (const OpId op = currentWhole(); op.valid())
            m_workspace.selectOp(op);
    });
    connect(m_timeline, &TimelineCanvas::opClicked, this, [this](int op) {
        if (op >= 0)
            m_workspace.selectOp(OpId(op));
    });
    connect(&m_workspace, &Workspace::selectionChanged, this, &SystemView::selectFromOutside);
    connect(&m_workspace, &Workspace::graphChanged, this, &SystemView::modelChanged);
    connect(&m_workspace, &Workspace::overridesChanged, this, &SystemView::decisionsChanged);
    m_timeline->setAcceptDrops(true);
    m_timeline->installEventFilter(this);
    showPlan({});
    showState();
}

void SystemView::buildBar() {
    m_bar->setContentsMargins(8, 2, 8, 2);
    m_bar->setSpacing(6);
    std::vector<Choice> systems;
    for (const std::string& id : systemIds()) {
        const auto system = findSystem(id, m_workspace.catalog());
        systems.push_back(
            {text(id), system.has_value(), text(system ? system->name : system.error().text())});
    }
    const QString first = systems.empty() ? QString() : systems.front().value;
    m_system->setChoices([systems = std::move(systems)] { return systems; }, first);
    m_system->setToolTip(tr("A host, several machines and the links between them"));
    m_system->setMinimumWidth(150);
    m_place->setToolTip(
        tr("Where the operator of the selected row runs; the others are searched again around it. "
           "Operators can also be dragged from the graph onto the track of a device"));
    m_place->setMinimumWidth(170);
    m_takeBack->setToolTip(tr("Leaves all operators to the search again"));
    m_simulates->setChecked(true);
    m_simulates->setToolTip(tr("Run each part in time and put all parts on one clock"));
    const std::pair<QString, QWidget*> fields[] = {{tr("System"), m_system}, {tr("Place operator"), m_place}};
    for (const auto& [name, field] : fields) {
        auto* both = new QWidget;
        auto* row = new QHBoxLayout(both);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        auto* label = new QLabel(name);
        label->setBuddy(field);
        field->setAccessibleName(name);
        row->addWidget(label);
        row->addWidget(field);
        m_bar->addWidget(both);
        if (field == m_system) {
            m_bar->addWidget(m_simulates);
            m_bar->addWidget(m_button);
        }
    }
    m_bar->addWidget(m_takeBack);
}

void SystemView::buildPage() {
    m_summary->setContentsMargins(8, 3, 8, 3);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setAccessibleName(tr("Time of the plan"));
    m_limits->setContentsMargins(8, 0, 8, 3);
    m_limits->setTextFormat(Qt::PlainText);
    m_limits->setAccessibleName(tr("What limits the plan"));
    m_timeline->setMinimumHeight(150);
    m_timeline->setAccessibleName(tr("Who works when"));
    m_timeline->installMenu(m_timeline->exportSource());
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(tr("The plan as tables"));
    tabs->addTab(m_ops, tr("Operators"));
    tabs->addTab(m_others, tr("Instead"));
    tabs->addTab(m_usage, tr("Devices and Links"));
    auto* across = new QSplitter(Qt::Vertical);
    across->setChildrenCollapsible(false);
    across->addWidget(m_timeline);
    across->addWidget(tabs);
    across->setSizes({260, 240});
    auto* page = new QVBoxLayout(m_page);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(m_summary);
    page->addWidget(m_limits);
    page->addWidget(across, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(m_bar);
    column->addWidget(m_page, 1);
    column->addWidget(m_empty, 1);
}

QStringList SystemView::arguments() const {
    QStringList words{QStringLiteral("--system"), m_system->value()};
    for (const Override& decision : placed().all())
        words << QStringLiteral("--place") << text(decision.op + "=" + decision.value);
    if (!m_simulates->isChecked())
        words << QStringLiteral("--predict");
    return words;
}

Result<SystemSetup> SystemView::setup() const {
    SystemSetup made;
    PIM_TRY(made.system, findSystem(m_system->value().toStdString(), m_workspace.catalog()));
    made.graph = m_workspace.graph();
    made.options = m_workspace.options();
    made.overrides = placed();
    made.simulates = m_simulates->isChecked();
    return made;
}

void SystemView::start() {
    if (!m_workspace.graph())
        return;
    if (isPlanning())
        stop();
    auto asked = setup();
    if (!asked) {
        m_problem = text(asked.error().text());
        return showState();
    }
    m_problem.clear();
    m_asked = asked->overrides;
    const int attempt = ++m_attempt;
    m_task = m_workspace.tasks()->start(
        tr("Spreading the network over machines"),
        [this, attempt, setup = std::move(*asked), &backends = m_workspace.backends(),
         model = m_model](const TaskContext& task) -> std::function<void()> {
            auto found = std::make_shared<Found>();
            auto plan = planSystem(backends, *model, setup, task);
            if (plan && setup.simulates) {
                auto run = simulateSystem(backends, *plan, task);
                if (run)
                    found->run = std::move(*run);
                else
                    found->problem = run.error().text();
            }
            if (plan)
                found->plan = std::move(*plan);
            else
                found->problem = plan.error().text();
            return [this, attempt, found] {
                if (attempt == m_attempt)
                    finish(std::move(*found));
            };
        },
        [this, attempt] {
            if (attempt == m_attempt) {
                m_task = 0;
                showState();
            }
        });
    showState();
}

/// What was found before stays.
void SystemView::stop() {
    ++m_attempt;
    m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    showState();
}

void SystemView::finish(Found found) {
    m_task = 0;
    m_problem = text(found.problem);
    if (found.plan) { // else the last one stays, and the problem stands above it
        const OpId current = currentWhole();
        m_plan = std::move(found.plan);
        m_run = std::move(found.run);
        showPlan(current);
    }
    showState();
}

void SystemView::modelChanged() {
    if (isPlanning())
        stop();
    m_plan.reset();
    m_run.reset();
    m_problem.clear();
    showPlan({});
    showState();
}

void SystemView::showPlan(OpId current) {
    m_rows = m_plan ? systemOps(*m_plan) : std::vector<int>();
    m_opFigures->setRows(m_plan ? systemOpRows(*m_plan, m_rows) : std::vector<std::vector<Figure>>());
    m_otherFigures->setRows(m_plan ? alternativeRows(*m_plan) : std::vector<std::vector<Figure>>());
    m_usageFigures->setRows(m_plan ? usageRows(*m_plan) : std::vector<std::vector<Figure>>());
    for (TableView* const table : {m_ops, m_others, m_usage})
        table->fitColumns(420);
    for (const auto& device : m_plan ? m_plan->system->devices : std::vector<SystemDevice>())
        m_ops->setColumnWidth(2, std::max(m_ops->columnWidth(2), // whichever rows were measured
                                          m_ops->fontMetrics().horizontalAdvance(text(device.id)) + 16));
    std::shared_ptr<const Timeline> timeline;
    QString limits;
    if (m_plan) {
        timeline = std::make_shared<const Timeline>(m_run ? m_run->timeline
                                                          : systemTimeline(*m_plan, m_plan->spans));
        limits = coreSentence(systemLimits(*timeline).sentence);
        limits[0] = limits[0].toUpper();
        limits += QLatin1Char('.');
    }
    m_timeline->setTimeline(timeline);
    m_limits->setText(limits);
    selectRow(current);
    showPlace();
}

void SystemView::showState() {
    const bool hasModel = m_workspace.graph() != nullptr;
    m_button->setText(isPlanning() ? tr("S&top") : tr("&Spread"));
    m_button->setEnabled(hasModel);
    m_takeBack->setEnabled(!placed().empty() && !isPlanning());
    m_page->setVisible(m_plan.has_value());
    m_empty->setVisible(!m_plan.has_value());
    if (!m_problem.isEmpty())
        m_empty->setText(tr("No plan"), m_problem);
    else if (isPlanning())
        m_empty->setText(tr("Searching …"),
                         tr("Every machine plans the network, then it is spread over them."));
    else
        m_empty->setText(tr("Several machines at once"),
                         hasModel
                             ? tr("Spreads this network over a host and machines of several kinds, with the "
                                  "links between them.")
                             : tr("Open a model first."));
    if (!m_plan)
        return;
    QString line = tr("<b>%1</b> predicted").arg(text(timeText(m_plan->assignment.ns)));
    if (m_run)
        line = tr("<b>%1</b> simulated, %2 predicted")
                   .arg(text(timeText(m_run->ns)), text(timeText(m_plan->assignment.ns)));
    const auto host = std::ranges::find(m_plan->alternatives, "host", &SystemAlternative::id);
    if (host != m_plan->alternatives.end() && host->problem.empty() && m_plan->assignment.ns > 0)
        line += tr(" · %1 over the host alone").arg(text(ratioText(host->ns / m_plan->assignment.ns)));
    const RequestStream& stream = m_run ? m_run->stream : m_plan->stream;
    if (stream.periodNs > 0)
        line += tr(" · a result every %1 in a stream").arg(text(timeText(stream.periodNs)));
    if (m_plan->boundNs > 0)
        line += tr(" · the search is within %1 % of the least there is").arg(m_plan->gap() * 100, 0, 'f', 2);
    if (const std::size_t count = m_plan->pieces.size(); count > 0)
        line += count == 1 ? tr(" · 1 operator in pieces") : tr(" · %1 operators in pieces").arg(count);
    if (const Overrides byHand = placed(); !byHand.empty())
        line += tr(" · %n placed by hand", nullptr, int(byHand.size()));
    if (isPlanning())
        line += tr(" · searching again …");
    else if (!m_problem.isEmpty())
        line += tr(" · %1").arg(m_problem.toHtmlEscaped());
    m_summary->setText(line);
}

int SystemView::currentOp() const {
    const int row = m_ops->currentIndex().row();
    return row >= 0 && std::size_t(row) < m_rows.size() ? m_rows[std::size_t(row)] : -1;
}

OpId SystemView::currentWhole() const {
    const int op = currentOp();
    return m_plan && op >= 0 ? m_plan->wholes[std::size_t(op)] : OpId();
}

/// The last of its pieces, if it has any: what joins them may take no time and have no row.
void SystemView::selectRow(OpId whole) {
    for (std::size_t row = m_rows.size(); whole.valid() && row-- > 0;)
        if (m_plan->wholes[std::size_t(m_rows[row])] == whole)
            return m_ops->selectRow(int(row));
}

void SystemView::showPlace() {
    const int op = currentOp();
    m_place->setEnabled(m_plan && op >= 0);
    if (!m_plan || op < 0) {
        m_place->setChoices([] { return std::vector<Choice>(); }, QString());
        return;
    }
    std::vector<Choice> choices{{bySearch(), true, {}}};
    const auto& times = m_plan->problem.ops[std::size_t(op)].ns;
    for (std::size_t device = 0; device < times.size(); ++device)
        choices.push_back({systemDevice(*m_plan->system, int(device)), times[device] < kNever,
                           times[device] < kNever ? text(timeText(times[device])) : tr("cannot run it")});
    const std::string* const chosen =
        m_asked.find(m_workspace.graph()->op(currentWhole()).name,
                     std::string(kDeviceField) + m_system->value().toStdString());
    m_place->setChoices([choices = std::move(choices)] { return choices; },
                        chosen ? text(*chosen) : bySearch());
}

Overrides SystemView::placed() const {
    const auto graph = m_workspace.graph();
    return graph ? fitToGraph(*graph, m_workspace.markedOverrides()).ofSystem(m_system->value().toStdString())
                 : Overrides();
}

void SystemView::place(OpId op, const QString& device) {
    const std::string& name = m_workspace.graph()->op(op).name;
    const std::string field = std::string(kDeviceField) + m_system->value().toStdString();
    if (device.isEmpty())
        m_workspace.clearOverride(name, field);
    else
        m_workspace.applyOverride({name, field, device.toStdString()});
}

/// Also by undo, by another variant, or from elsewhere.
void SystemView::decisionsChanged() {
    if ((m_plan || isPlanning()) && placed() != m_asked)
        start();
    showState();
}

int SystemView::deviceAt(const QPointF& position) const {
    const int track = m_timeline->trackAt(position.y()); // the host, then each device, then each link
    return m_plan && track >= 0 && std::size_t(track) < m_plan->busyNs.size() ? track : -1;
}

std::pair<bool, QString> SystemView::verdict(OpId op, int device) const {
    const QString name = text(m_workspace.graph()->op(op).name);
    if (device < 0)
        return {false, tr("✗ Drop %1 onto the track of a device").arg(name)};
    const QString id = systemDevice(*m_plan->system, device);
    const double ns = m_plan->problem.ops[std::size_t(m_plan->opOf(op))].ns[std::size_t(device)];
    return ns < kNever ? std::pair(true, tr("✓ %1 on %2: %3 there").arg(name, id, text(timeText(ns))))
                       : std::pair(false, tr("✗ %1 cannot run %2").arg(id, name));
}

bool SystemView::eventFilter(QObject* watched, QEvent* event) {
    const auto kind = event->type();
    if (watched != m_timeline || !m_plan ||
        (kind != QEvent::DragEnter && kind != QEvent::DragMove && kind != QEvent::Drop &&
         kind != QEvent::DragLeave))
        return QWidget::eventFilter(watched, event);
    if (kind == QEvent::DragLeave) {
        showState();
        return true;
    }
    auto* const drop = static_cast<QDropEvent*>(event); // of which the others are kinds
    const QByteArray name = drop->mimeData()->data(QLatin1String(kMimeOp));
    const OpId op = name.isEmpty() ? OpId() : m_workspace.graph()->findOp(name.toStdString());
    if (!op.valid()) {
        drop->ignore();
        return true;
    }
    const int device = deviceAt(drop->position());
    const auto [isLegal, words] = verdict(op, device);
    m_summary->setText(words.toHtmlEscaped());
    if (kind == QEvent::DragEnter || isLegal)
        drop->acceptProposedAction();
    else
        drop->ignore();
    if (kind == QEvent::Drop) {
        showState();
        if (isLegal) {
            m_workspace.selectOp(op);
            place(op, systemDevice(*m_plan->system, device));
        }
    }
    return true;
}

void SystemView::selectFromOutside() {
    const OpId op = m_workspace.selection().op;
    m_timeline->setSelectedOp(op.valid() ? int(op.index()) : -1);
    if (op.valid() && op != currentWhole())
        selectRow(op);
}

} // namespace pim::views
