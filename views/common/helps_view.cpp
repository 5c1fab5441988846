// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/helps_view.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/figures_model.h"
#include "views/common/table_view.h"
#include "views/common/task_list.h"
#include "views/common/text.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace pim::views {
namespace {

std::vector<FigureColumn> helpColumns() {
    const QString change = HelpsView::tr("Against the run as it is");
    return {{HelpsView::tr("What If"), QStringLiteral("resource"), false,
             HelpsView::tr("What is made faster, or more, all else as it is")},
            {HelpsView::tr("Twice as"), QStringLiteral("twice as"), false,
             HelpsView::tr("Planned anew for the changed machine, with the same options and decisions")},
            {HelpsView::tr("Time"), QStringLiteral("twice (ns)"), true,
             HelpsView::tr("Simulated time with it twice as fast, or twice as many of it")},
            {HelpsView::tr("Change"), QStringLiteral("twice, change"), true, change},
            {HelpsView::tr("Fastest"), QStringLiteral("fastest (ns)"), true,
             HelpsView::tr("Simulated time with it as fast as its machine may be, at most 1000 times")},
            {HelpsView::tr("Change"), QStringLiteral("fastest, change"), true, change},
            {HelpsView::tr("Values"), QStringLiteral("values"), false,
             HelpsView::tr("Of the machine, now and then")}};
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

} // namespace

HelpsView::HelpsView(TaskList& tasks, QWidget* parent)
    : QWidget(parent), m_tasks(tasks), m_ask(new QPushButton(tr("What Would &Help?"))),
      m_use(new QPushButton), m_message(new QLabel), m_table(new TableView),
      m_figures(new FiguresModel(helpColumns(), this)) {
    setAccessibleName(tr("What would help"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setAccessibleName(tr("What would help"));
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
    connect(m_ask, &QPushButton::clicked, this, [this] {
        if (isAsking()) {
            stop();
            m_message->setText(tr("Stopped."));
        } else {
            ask();
        }
    });
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (const QModelIndexList chosen = m_table->selectionModel()->selectedRows(); !chosen.isEmpty())
            emit useWanted(chosen.first().row());
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HelpsView::rowChosen);
}

void HelpsView::setUse(const QString& fast, const QString& many, const QString& tip,
                       std::function<bool(const WhatIfRow&)> canUse) {
    m_useFast = fast;
    m_useMany = many;
    m_canUse = std::move(canUse);
    m_use->setToolTip(tip);
    rowChosen();
}

void HelpsView::setQuestion(Question question, const QString& note) {
    stop();
    m_question = std::move(question);
    m_answer.reset();
    m_figures->setRows({});
    m_table->fitColumns(260); // to the heads
    m_ask->setEnabled(m_question != nullptr);
    m_use->setEnabled(false);
    m_message->setText(note);
}

void HelpsView::setMessage(const QString& message) {
    m_message->setText(message);
}

void HelpsView::ask() {
    m_ask->setText(tr("S&top"));
    m_message->setText(tr("Simulating …"));
    const int asked = ++m_asked;
    m_task = m_tasks.start(
        tr("Asking what would help"),
        [this, asked, question = m_question](const TaskContext& task) -> std::function<void()> {
            auto answer = std::make_shared<Result<Answer>>(question(task));
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

void HelpsView::stop() {
    ++m_asked;
    if (isAsking())
        m_tasks.cancel(std::exchange(m_task, 0));
    m_ask->setText(tr("What Would &Help?"));
}

void HelpsView::finish(const Result<Answer>* answer) {
    m_task = 0;
    m_ask->setText(tr("What Would &Help?"));
    if (!answer)
        m_message->setText(tr("Stopped."));
    else if (!*answer)
        m_message->setText(text(answer->error().text()));
    else
        showAnswer(**answer);
}

void HelpsView::showAnswer(const Answer& answer) {
    m_answer = answer.whatIf;
    std::vector<std::vector<Figure>> rows;
    for (const WhatIfRow& row : m_answer->rows)
        rows.push_back({{coreWord(row.resource), {}, {}},
                        {row.way == SpeedUp::Way::Many ? tr("many") : tr("fast"), {}, {}},
                        timeFigure(row.twiceNs),
                        changeFigure(row.twiceNs, m_answer->totalNs),
                        timeFigure(row.fastestNs),
                        changeFigure(row.fastestNs, m_answer->totalNs),
                        {valuesText(row), {}, {}}});
    m_figures->setRows(std::move(rows));
    m_table->fitColumns(260);
    const QString bound =
        m_answer->boundNs ? tr("As it is, no order of the same work on the same units takes less than %1: %2 "
                               "is busy that long.")
                                .arg(text(timeText(*m_answer->boundNs)), coreWord(m_answer->boundBy))
                          : tr("Each was planned again with the same options and decisions, and simulated.");
    m_message->setText(answer.remark.isEmpty() ? bound : bound + QLatin1Char(' ') + answer.remark);
    emit answered(m_answer);
}

void HelpsView::rowChosen() {
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    const WhatIfRow* const row = chosen.isEmpty() || !m_answer
                                     ? nullptr
                                     : &m_answer->rows[static_cast<std::size_t>(chosen.first().row())];
    m_use->setText(row && row->way == SpeedUp::Way::Many ? m_useMany : m_useFast);
    m_use->setEnabled(row && row->twiceNs && (!m_canUse || m_canUse(*row)));
}

} // namespace pim::views
