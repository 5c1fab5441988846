// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/which/decides_view.h"

#include "core/base/number_text.h"
#include "views/common/figures_model.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/models/workspace.h"
#include "views/which/tornado_plot.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>

#include <cmath>
#include <utility>

namespace pim::views {
namespace {

std::vector<FigureColumn> decidesColumns() {
    return {{DecidesView::tr("Otherwise"), QStringLiteral("input"), false,
             DecidesView::tr("What is changed, all else as it is")},
            {DecidesView::tr("Now"), QStringLiteral("now"), false, {}},
            {DecidesView::tr("Value"), QStringLiteral("value"), false,
             DecidesView::tr("A size, a name, or a factor")},
            {DecidesView::tr("First"), QStringLiteral("first"), false,
             DecidesView::tr("The machine that is first then")},
            {DecidesView::tr("Time"), QStringLiteral("time (ns)"), true, DecidesView::tr("What it takes")},
            {DecidesView::tr("Lead"), QStringLiteral("lead"), true,
             DecidesView::tr(
                 "Time of the best other machine over that of the one that is first as things are; below 1 "
                 "another is first")},
            {DecidesView::tr("Takes over at"), QStringLiteral("takes over at"), true,
             DecidesView::tr("Size or factor at which the other machine takes over, found by bisection")}};
}

QString leadOf(const DecidingValue& value) {
    return value.lead == 0             ? DecidesView::tr("cannot")
           : std::isfinite(value.lead) ? text(ratioText(value.lead))
                                       : DecidesView::tr("alone");
}

} // namespace

DecidesView::DecidesView(Workspace& workspace, std::shared_ptr<const HostModel> model, Machines machines,
                         QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(std::move(model)), m_machines(std::move(machines)),
      m_inputs(new QLineEdit), m_hosts(new QCheckBox(tr("&Hosts Too"))), m_ask(new QPushButton),
      m_message(new QLabel), m_page(new QWidget), m_plot(new TornadoPlot), m_table(new TableView),
      m_figures(new FiguresModel(decidesColumns(), this)) {
    setAccessibleName(tr("What decides"));
    m_inputs->setAccessibleName(tr("What may be otherwise"));
    m_inputs->setPlaceholderText(tr("host, bandwidths, sizes, number types, order"));
    m_inputs->setToolTip(
        tr("Empty: what people ask about. Else names and values: seq=128,2048;host=a100;bandwidth=0.5,2. "
           "Figures of the machines have factors"));
    m_inputs->setClearButtonEnabled(true);
    m_hosts->setToolTip(tr("Hosts and GPUs without PIM take part"));
    m_hosts->setChecked(true);
    m_message->setWordWrap(true);
    m_message->setContentsMargins(8, 3, 8, 3);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setModel(m_figures);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Each thing otherwise, what decides most on top"));
    m_table->setExportName(QStringLiteral("decides"));
    auto* label = new QLabel(tr("Other&wise"));
    label->setBuddy(m_inputs);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(label);
    row->addWidget(m_inputs, 1);
    row->addWidget(m_hosts);
    row->addWidget(m_ask);
    auto* across = new QSplitter(Qt::Horizontal);
    across->setChildrenCollapsible(false);
    across->addWidget(m_plot);
    across->addWidget(m_table);
    across->setSizes({500, 500});
    auto* page = new QVBoxLayout(m_page);
    page->setContentsMargins(0, 0, 0, 0);
    page->addWidget(across);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_message);
    column->addWidget(m_page, 1);
    column->addStretch(0);
    connect(m_ask, &QPushButton::clicked, this, &DecidesView::ask);
    connect(m_inputs, &QLineEdit::returnPressed, this, [this] {
        if (!isAsking())
            ask();
    });
    connect(&m_workspace, &Workspace::graphChanged, this, &DecidesView::modelChanged);
    modelChanged();
}

void DecidesView::modelChanged() {
    if (isAsking())
        ask(); // stops
    const bool hasModel = m_workspace.graph() != nullptr;
    m_ask->setText(tr("What &Decides?"));
    m_ask->setEnabled(hasModel);
    m_page->hide();
    m_message->setText(hasModel ? tr("Each machine is asked again with one thing at a time otherwise: is the "
                                     "first still first?")
                                : tr("Open a model first."));
}

void DecidesView::ask() {
    if (isAsking()) {
        ++m_asked;
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
        m_ask->setText(tr("What &Decides?"));
        m_message->setText(tr("Stopped."));
        return;
    }
    if (!m_workspace.graph())
        return;
    SensitivitySetup setup;
    setup.model = m_workspace.importedModel();
    setup.graph = m_workspace.graphOptions();
    setup.hosts = m_workspace.catalog().hosts();
    setup.by = m_by;
    auto machines = m_machines();
    if (!machines) {
        m_message->setText(text(machines.error().text()));
        return;
    }
    setup.machines = std::move(*machines);
    if (!m_hosts->isChecked())
        setup.machines.hosts.clear();
    if (const std::string inputs = m_inputs->text().trimmed().toStdString(); !inputs.empty()) {
        auto read = parseSweep(inputs);
        if (!read) {
            m_message->setText(text(read.error().text()));
            return;
        }
        setup.inputs = std::move(*read);
    }
    m_ask->setText(tr("S&top"));
    m_message->setText(tr("Asking …"));
    const bool isUsual = setup.inputs.empty();
    const int asked = ++m_asked;
    m_task = m_workspace.tasks()->start(
        tr("Asking what decides"),
        [this, asked, isUsual, setup = std::move(setup), &backends = m_workspace.backends(),
         model = m_model](const TaskContext& task) mutable -> std::function<void()> {
            if (isUsual)
                setup.inputs = usualInputs(setup);
            auto answer = std::make_shared<Result<Sensitivity>>(sensitivity(backends, *model, setup, task));
            return [this, asked, answer] {
                if (asked == m_asked)
                    finish(answer.get());
            };
        },
        [this, asked] {
            if (asked == m_asked)
                finish(nullptr);
        });
}

void DecidesView::finish(const Result<Sensitivity>* answer) {
    m_task = 0;
    m_ask->setText(tr("What &Decides?"));
    if (!answer)
        m_message->setText(tr("Stopped."));
    else if (!*answer)
        m_message->setText(text(answer->error().text()));
    else
        show(**answer);
}

void DecidesView::show(const Sensitivity& answer) {
    std::vector<std::vector<Figure>> rows;
    QStringList decides;
    for (const DecidingInput& input : answer.inputs) {
        if (input.changesFirst())
            decides.append(text(input.input.name));
        for (const DecidingValue& value : input.values) {
            const QString first = !value.problem.empty() ? text(value.problem)
                                  : value.first.empty()  ? tr("none")
                                                         : text(value.first);
            rows.push_back({{text(input.input.name), {}, {}},
                            {text(input.now), {}, {}},
                            {text(value.value), {}, {}},
                            {first, {}, {}},
                            value.ns > 0 ? Figure{text(timeText(value.ns)), value.ns, {}} : Figure{},
                            value.problem.empty() ? Figure{leadOf(value), value.lead, {}} : Figure{},
                            value.takesOverAt
                                ? Figure{QString::number(*value.takesOverAt, 'g', 4), *value.takesOverAt, {}}
                                : Figure{}});
        }
    }
    m_figures->setRows(std::move(rows));
    m_table->fitColumns(240);
    m_plot->setAnswer(answer);
    m_page->show();
    QString line =
        tr("As things are %1 is first, %2").arg(text(answer.now.first), text(timeText(answer.now.ns)));
    if (!answer.second.empty())
        line += tr(", %1 as fast as %2").arg(text(ratioText(answer.now.lead)), text(answer.second));
    m_message->setText(line +
                       (decides.isEmpty()
                            ? tr(". Nothing of this makes another machine first.")
                            : tr(". Who is first depends on: %1.").arg(decides.join(QStringLiteral(", ")))));
}

} // namespace pim::views
