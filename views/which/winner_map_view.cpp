// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/which/winner_map_view.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/models/workspace.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>
#include <array>

namespace pim::views {
namespace {

/// Two open dimensions at most: lengths over four doublings, then batches.
QString proposal(const Graph& graph) {
    QStringList lengths, batches;
    for (const DimBinding& binding : graph.bindings) {
        const QString symbol = text(binding.symbol);
        const bool isBatch = symbol.contains(QStringLiteral("batch"), Qt::CaseInsensitive);
        (isBatch ? batches : lengths)
            .append(symbol + (isBatch ? QStringLiteral("=1,4,16,64") : QStringLiteral("=32..512")));
    }
    return (lengths + batches).mid(0, 2).join(u';');
}

/// The same machine has the same colour; its name stands in the cell too.
QColor colourOf(int machine, const QPalette& palette) {
    static constexpr std::array kRoles{Role::Compute,   Role::MemoryIn,  Role::Transfer, Role::Switching,
                                       Role::Rewriting, Role::OtherWork, Role::HostTime, Role::VectorUnit};
    const QColor ink = color(kRoles[static_cast<std::size_t>(machine) % kRoles.size()]);
    const QColor base = palette.color(QPalette::Base);
    const auto mixed = [](int a, int b) { return (a + 2 * b) / 3; };
    return {mixed(ink.red(), base.red()), mixed(ink.green(), base.green()), mixed(ink.blue(), base.blue())};
}

constexpr int kMachineRole = Qt::UserRole; ///< Which of the machines that are first somewhere.

} // namespace

struct WinnerMapView::Outcome {
    WinnerSetup setup;
    Result<WinnerMap> map;
};

WinnerMapView::WinnerMapView(Workspace& workspace, std::shared_ptr<const HostModel> model, Machines machines,
                             QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(std::move(model)), m_machines(std::move(machines)),
      m_over(new QLineEdit), m_hosts(new QCheckBox(tr("&Hosts Too"))),
      m_ask(new QPushButton(tr("&Compare Sizes"))), m_table(new TableView),
      m_cells(new QStandardItemModel(this)), m_message(new QLabel) {
    setAccessibleName(tr("Who is first where"));
    m_over->setAccessibleName(tr("Sizes to compare"));
    m_over->setPlaceholderText(tr("seq=32..512;batch=1,4"));
    m_over->setToolTip(
        tr("One or two open dimensions and their sizes, ascending: seq=32,64,128, or seq=32..512 for "
           "doubling; the second after a ;"));
    m_over->setClearButtonEnabled(true);
    m_hosts->setToolTip(tr("Hosts and GPUs without PIM take part"));
    m_table->setAccessibleName(tr("The first machine for each size"));
    m_table->setModel(m_cells);
    m_table->setExportName(QStringLiteral("first"));
    m_table->verticalHeader()->show(); // sizes of the first dimension
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_message->setWordWrap(true);
    m_message->setContentsMargins(8, 3, 8, 3);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* label = new QLabel(tr("Si&zes"));
    label->setBuddy(m_over);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(label);
    row->addWidget(m_over, 1);
    row->addWidget(m_hosts);
    row->addWidget(m_ask);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_message);
    column->addWidget(m_table, 1);
    connect(m_ask, &QPushButton::clicked, this, &WinnerMapView::ask);
    connect(m_over, &QLineEdit::returnPressed, this, &WinnerMapView::ask);
    connect(&m_workspace, &Workspace::graphChanged, this, &WinnerMapView::modelChanged);
    modelChanged();
}

void WinnerMapView::modelChanged() {
    const auto graph = m_workspace.graph();
    m_over->setText(graph ? proposal(*graph) : QString());
    m_ask->setEnabled(graph != nullptr);
    m_table->hide();
    m_message->setText(
        !graph ? tr("Open a model first.")
        : graph->bindings.empty()
            ? tr("All sizes of this model are fixed: there is nothing to vary.")
            : tr("Which machine is first may change with the sizes. Each is asked for all of them."));
}

void WinnerMapView::ask() {
    if (m_task != 0 || !m_workspace.graph())
        return;
    WinnerSetup setup;
    setup.model = m_workspace.importedModel();
    setup.graph = m_workspace.graphOptions();
    setup.by = m_by;
    auto axes = parseSweep(m_over->text().trimmed().toStdString());
    auto machines = m_machines();
    if (!axes || !machines) {
        m_message->setText(text((axes ? machines.error() : axes.error()).text()));
        return;
    }
    setup.axes = std::move(*axes);
    setup.machines = std::move(*machines);
    if (!m_hosts->isChecked())
        setup.machines.hosts.clear();
    m_ask->setEnabled(false);
    m_message->setText(tr("Asking …"));
    m_task = m_workspace.tasks()->start(
        tr("Comparing sizes"),
        [this, setup = std::move(setup), &backends = m_workspace.backends(),
         model = m_model](const TaskContext& task) -> std::function<void()> {
            auto outcome =
                std::make_shared<Outcome>(Outcome{setup, winners(backends, *model, setup, {}, task)});
            return [this, outcome] { show(*outcome); };
        },
        [this] {
            m_task = 0;
            m_ask->setEnabled(true);
            m_message->setText(tr("Stopped."));
        });
}

void WinnerMapView::show(const Outcome& outcome) {
    m_task = 0;
    m_ask->setEnabled(m_workspace.graph() != nullptr);
    if (!outcome.map)
        m_message->setText(text(outcome.map.error().text()));
    else
        showMap(outcome.setup, *outcome.map);
}

void WinnerMapView::colour() {
    for (int r = 0; r < m_cells->rowCount(); ++r)
        for (int c = 0; c < m_cells->columnCount(); ++c)
            if (QStandardItem* const item = m_cells->item(r, c); item && item->data(kMachineRole).isValid())
                item->setBackground(colourOf(item->data(kMachineRole).toInt(), palette()));
}

void WinnerMapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        colour();
    QWidget::changeEvent(event);
}

void WinnerMapView::showMap(const WinnerSetup& setup, const WinnerMap& map) {
    const SweepAxis& first = setup.axes[0];
    const bool isMap = setup.axes.size() > 1;
    const int columns = isMap ? int(setup.axes[1].values.size()) : 1;
    m_cells->clear();
    m_cells->setRowCount(int(first.values.size()));
    m_cells->setColumnCount(columns);
    QStringList rows, heads;
    for (const std::string& value : first.values)
        rows.append(QStringLiteral("%1 %2").arg(text(first.name), text(value)));
    for (int c = 0; c < columns; ++c)
        heads.append(isMap ? QStringLiteral("%1 %2").arg(text(setup.axes[1].name),
                                                         text(setup.axes[1].values[std::size_t(c)]))
                           : tr("first"));
    m_cells->setVerticalHeaderLabels(rows);
    m_cells->setHorizontalHeaderLabels(heads);
    QStringList known;
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const WinnerCell& cell = map.cells[i];
        const QString machine = text(cell.machine);
        if (!cell.machine.empty() && !known.contains(machine))
            known.append(machine);
        auto* item = new QStandardItem(cell.machine.empty()
                                           ? tr("none")
                                           : QStringLiteral("%1 · %2").arg(machine, text(timeText(cell.ns))));
        if (!cell.machine.empty()) {
            item->setData(int(known.indexOf(machine)), kMachineRole);
            item->setToolTip(cell.second.empty() ? machine
                                                 : tr("%1, then %2, slower by %3")
                                                       .arg(machine, text(cell.second),
                                                            text(ratioText(cell.secondNs / cell.ns))));
        } else {
            item->setToolTip(text(cell.problem));
        }
        m_cells->setItem(int(i) / columns, int(i) % columns, item);
    }
    colour();
    m_table->fitColumns();
    m_table->show();
    QStringList lines;
    for (const Crossing& crossing : map.crossings)
        lines.append(
            tr("%1 takes over from %2 at %3 %4%5")
                .arg(text(crossing.after), text(crossing.before), text(first.name))
                .arg(crossing.at)
                .arg(isMap ? tr(" (%1 %2)").arg(text(setup.axes[1].name)).arg(crossing.other) : QString()));
    m_message->setText(lines.isEmpty()
                           ? tr("No machine takes over from another along %1.").arg(text(first.name))
                           : lines.join(QStringLiteral("; ")) + u'.');
}

} // namespace pim::views
