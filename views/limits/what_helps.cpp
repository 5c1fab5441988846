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
    return {{WhatHelps::tr("If Faster"), QStringLiteral("resource"), false,
             WhatHelps::tr("What is made faster, all else as it is")},
            {WhatHelps::tr("Twice"), QStringLiteral("twice (ns)"), true,
             WhatHelps::tr("Simulated time with it twice as fast")},
            {WhatHelps::tr("Change"), QStringLiteral("twice, change"), true, change},
            {WhatHelps::tr("Fastest"), QStringLiteral("fastest (ns)"), true,
             WhatHelps::tr("Simulated time with it as fast as its target may be, at most 1000 times")},
            {WhatHelps::tr("Change"), QStringLiteral("fastest, change"), true, change},
            {WhatHelps::tr("Values"), QStringLiteral("values"), false,
             WhatHelps::tr("Of the target, and twice as fast")}};
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
        all << QStringLiteral("%1: %2 → %3 %4")
                   .arg(text(change.value.pointer.substr(change.value.pointer.rfind('/') + 1)))
                   .arg(change.now, 0, 'g', 6)
                   .arg(change.twice, 0, 'g', 6)
                   .arg(text(change.unit));
    return all.join(QStringLiteral(", "));
}

} // namespace

WhatHelps::WhatHelps(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_ask(new QPushButton),
      m_use(new QPushButton(tr("&Use Twice as Fast…"))), m_message(new QLabel), m_table(new TableView),
      m_figures(new FiguresModel(helpColumns(), this)) {
    setAccessibleName(tr("What would help"));
    m_use->setToolTip(tr("Saves the machine with the chosen resource twice as fast as a target file, and "
                         "plans for it; undone as any other "
                         "choice of a target"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setModel(m_figures);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Each resource faster, what helps most on top"));
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
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_use->setEnabled(m_table->selectionModel()->hasSelection()); });
    connect(m_workspace.simulations(), &SimulationSource::changed, this, &WhatHelps::planChanged);
    planChanged();
}

void WhatHelps::planChanged() {
    if (isAsking())
        ask(); // stops
    m_figures->setRows({});
    m_answer = {};
    m_ask->setText(tr("What Would &Help?"));
    m_ask->setEnabled(m_workspace.simulations()->limits() != nullptr);
    m_use->setEnabled(false);
    m_message->setText(tr("Plans and simulates again with one resource at a time faster."));
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
    std::vector<std::vector<Figure>> rows;
    for (const WhatIfRow& row : m_answer.rows)
        rows.push_back({{coreWord(row.resource), {}, {}},
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

void WhatHelps::use() {
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    if (chosen.isEmpty())
        return;
    const int row = chosen.first().row(), asked = m_asked;
    const QString name = text(m_answer.rows[static_cast<std::size_t>(row)].resource)
                             .toLower()
                             .replace(QLatin1Char(' '), QLatin1Char('-'));
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save Faster Machine"), QStringLiteral("%1-%2-x2.json").arg(text(m_target->id), name),
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
    SpeedUp change{chosen.resource, {}};
    for (const ChangedValue& value : chosen.changes)
        change.values.push_back(value.value);
    const auto failed = [&](const QString& why) {
        emit m_workspace.failed(tr("The faster machine is not used"), why);
    };
    const auto faster = fasterTarget(*m_target, change, kTwice);
    if (!faster)
        return failed(text(faster.error().text()));
    Target named = **faster;
    named.id = QFileInfo(file).completeBaseName().toStdString();
    named.name += fmt::format(", {} twice as fast", chosen.resource);
    QSaveFile out(file);
    const std::string json = targetJson(named);
    if (!out.open(QIODevice::WriteOnly) || out.write(json.data(), std::ssize(json)) != std::ssize(json) ||
        !out.commit())
        return failed(tr("%1 cannot be written: %2").arg(file, out.errorString()));
    m_workspace.setTarget(file);
}

} // namespace pim::views
