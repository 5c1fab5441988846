// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/limits/what_helps.h"

#include "core/base/number_text.h"
#include "core/hardware/catalog.h"
#include "core/plan/simulation.h"
#include "views/common/core_words.h"
#include "views/common/figures_model.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <fmt/format.h>

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>

#include <utility>

namespace pim::views {
namespace {

constexpr double kTwice = 2;

std::vector<FigureColumn> helpColumns() {
    const QString change = WhatHelps::tr("Against the run as it is");
    return {{WhatHelps::tr("What If"), QStringLiteral("resource"), false,
             WhatHelps::tr("What is made faster, or more, all else as it is")},
            {WhatHelps::tr("Twice as"), QStringLiteral("twice as"), false,
             WhatHelps::tr("Planned anew for the changed machine, with the same options and decisions")},
            {WhatHelps::tr("Time"), QStringLiteral("twice (ns)"), true,
             WhatHelps::tr("Simulated time with it twice as fast, or twice as many of it")},
            {WhatHelps::tr("Change"), QStringLiteral("twice, change"), true, change},
            {WhatHelps::tr("Fastest"), QStringLiteral("fastest (ns)"), true,
             WhatHelps::tr("Simulated time with it as fast as its target may be, at most 1000 times")},
            {WhatHelps::tr("Change"), QStringLiteral("fastest, change"), true, change},
            {WhatHelps::tr("Values"), QStringLiteral("values"), false,
             WhatHelps::tr("Of the target, now and then")}};
}

Figure timeFigure(const std::optional<double>& ns) {
    return ns ? Figure{text(timeText(*ns)), *ns, {}} : Figure{};
}

Figure changeFigure(const std::optional<double>& ns, double now) {
    if (!ns || now <= 0)
        return {};
    const double change = *ns / now - 1;
    return {QStringLiteral("%1 %").arg(change * 100, 0, 'f', 1), change, {}};
}

QString valuesText(const WhatIfRow& row) {
    if (!row.problem.empty())
        return text(row.problem);
    QStringList all;
    for (const ChangedValue& change : row.changes)
        all << QStringLiteral("%1: %2").arg(
            text(change.value.pointer.substr(change.value.pointer.rfind('/') + 1)),
            text(amountsText(change, " → ")));
    return all.join(QStringLiteral(", "));
}

QString useText(bool isMany) {
    return isMany ? WhatHelps::tr("&Use Twice as Many…") : WhatHelps::tr("&Use Twice as Fast…");
}

} // namespace

WhatHelps::WhatHelps(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_ask(new QPushButton), m_use(new QPushButton(useText(false))),
      m_message(new QLabel), m_table(new TableView), m_figures(new FiguresModel(helpColumns(), this)) {
    setAccessibleName(tr("What would help"));
    m_use->setToolTip(
        tr("Saves the machine with the chosen resource twice as fast, or twice as many of it, as a "
           "target file, and plans for it; undone as any other choice of a target"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setModel(m_figures);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Each resource faster or more, what helps most on top"));
    m_table->setExportName(QStringLiteral("what_helps"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(m_message, 1);
    row->addWidget(m_use);
    row->addWidget(m_ask);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    connect(m_ask, &QPushButton::clicked, this, &WhatHelps::ask);
    connect(m_use, &QPushButton::clicked, this, &WhatHelps::use);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &WhatHelps::rowChosen);
    connect(m_workspace.simulations(), &SimulationSource::changed, this, &WhatHelps::planChanged);
    planChanged();
}

void WhatHelps::planChanged() {
    if (isAsking())
        ask(); // stops
    m_figures->setRows({});
    m_table->fitColumns(260); // to the heads
    m_answer = {};
    m_ask->setText(tr("What Would &Help?"));
    m_ask->setEnabled(m_workspace.simulations()->limits() != nullptr);
    m_use->setEnabled(false);
    m_message->setText(tr("Plans and simulates again, with one resource at a time faster or more of it."));
}

void WhatHelps::ask() {
    if (isAsking()) {
        ++m_asked;
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
        m_ask->setText(tr("What Would &Help?"));
        m_message->setText(tr("Stopped."));
        return;
    }
    const auto now = m_workspace.simulations()->simulation();
    if (!now || !m_workspace.target())
        return;
    m_target = m_workspace.target();
    PlanRequest request{m_workspace.graph(), m_target, m_workspace.fit().inForce(), m_workspace.options()};
    m_ask->setText(tr("S&top"));
    m_message->setText(tr("Simulating …"));
    const int asked = ++m_asked;
    m_task = m_workspace.tasks()->start(
        tr("Asking what would help"),
        [this, asked, now, request = std::move(request),
         &backends = m_workspace.backends()](const TaskContext& task) -> std::function<void()> {
            auto answer = std::make_shared<Result<WhatIf>>(whatIf(backends, request, *now, task));
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

void WhatHelps::finish(const Result<WhatIf>* answer) {
    m_task = 0;
    m_ask->setText(tr("What Would &Help?"));
    if (!answer)
        m_message->setText(tr("Stopped."));
    else if (!*answer)
        m_message->setText(text(answer->error().text()));
    else
        showAnswer(**answer);
}

void WhatHelps::showAnswer(WhatIf answer) {
    m_answer = std::move(answer);
    m_workspace.simulations()->setHelp(std::make_shared<const WhatIf>(m_answer)); // for the report
    std::vector<std::vector<Figure>> rows;
    for (const WhatIfRow& row : m_answer.rows)
        rows.push_back({{coreWord(row.resource), {}, {}},
                        {row.way == SpeedUp::Way::Many ? tr("many") : tr("fast"), {}, {}},
                        timeFigure(row.twiceNs),
                        changeFigure(row.twiceNs, m_answer.totalNs),
                        timeFigure(row.fastestNs),
                        changeFigure(row.fastestNs, m_answer.totalNs),
                        {valuesText(row), {}, {}}});
    m_figures->setRows(std::move(rows));
    m_table->fitColumns(260);
    m_message->setText(
        m_answer.boundNs ? tr("As it is, no order of the same work on the same units takes less than %1: %2 "
                              "is busy that long.")
                               .arg(text(timeText(*m_answer.boundNs)), coreWord(m_answer.boundBy))
                         : tr("Each was planned again with the same options and decisions, and simulated."));
}

void WhatHelps::rowChosen() {
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    const WhatIfRow* const row =
        chosen.isEmpty() ? nullptr : &m_answer.rows[static_cast<std::size_t>(chosen.first().row())];
    m_use->setText(useText(row && row->way == SpeedUp::Way::Many));
    m_use->setEnabled(row && row->twiceNs);
}

void WhatHelps::use() {
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    if (chosen.isEmpty())
        return;
    const int row = chosen.first().row(), asked = m_asked;
    const WhatIfRow& of = m_answer.rows[static_cast<std::size_t>(row)];
    const QString name = text(of.resource).toLower().replace(QLatin1Char(' '), QLatin1Char('-')) +
                         (of.way == SpeedUp::Way::Many ? QStringLiteral("-doubled") : QStringLiteral("-x2"));
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save Changed Machine"), QStringLiteral("%1-%2.json").arg(text(m_target->id), name),
        tr("Targets (*.json)"));
    if (file.isEmpty())
        return;
    if (asked != m_asked || row >= std::ssize(m_answer.rows)) // while the dialog was open
        m_message->setText(tr("The plan has changed meanwhile, and nothing was saved: ask again."));
    else
        saveAndUse(row, file);
}

void WhatHelps::saveAndUse(int row, const QString& file) {
    const WhatIfRow& chosen = m_answer.rows[static_cast<std::size_t>(row)];
    const auto failed = [&](const QString& why) {
        emit m_workspace.failed(tr("The changed machine is not used"), why);
    };
    const auto changed = changedTarget(*m_target, chosen.change(), kTwice);
    if (!changed)
        return failed(text(changed.error().text()));
    Target named = **changed;
    named.id = QFileInfo(file).completeBaseName().toStdString();
    named.name += chosen.way == SpeedUp::Way::Many ? fmt::format(", twice as many {}", chosen.resource)
                                                   : fmt::format(", {} twice as fast", chosen.resource);
    QSaveFile out(file);
    const std::string json = targetJson(named);
    if (!out.open(QIODevice::WriteOnly) || out.write(json.data(), std::ssize(json)) != std::ssize(json) ||
        !out.commit())
        return failed(tr("%1 cannot be written: %2").arg(file, out.errorString()));
    m_workspace.setTarget(file);
}

} // namespace pim::views
