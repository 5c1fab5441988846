// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cinm/tiles_in_time.h"

#include "backends/cinm/tile_limits.h"
#include "core/base/number_text.h"
#include "views/common/core_sentences.h"
#include "views/common/helps_view.h"
#include "views/common/roofs_view.h"
#include "views/common/text.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_levels.h"

#include <QBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <map>
#include <utility>

namespace pim::views {
namespace {

QToolButton* chipOf(const QString& name, const QString& tip) {
    auto* chip = new QToolButton;
    chip->setCheckable(true);
    chip->setText(name);
    chip->setToolTip(tip);
    return chip;
}

/// Position in Flow::ops of each label; -1: none.
std::vector<int> opsOfLabels(const cinm::Flow& flow, const std::vector<std::string>& labels) {
    std::map<std::string_view, int> known;
    for (std::size_t op = 0; op < flow.ops.size(); ++op)
        known.emplace(flow.ops[op].name, static_cast<int>(op));
    std::vector<int> ops;
    for (const std::string& label : labels) {
        const auto found = known.find(label);
        ops.push_back(found == known.end() ? -1 : found->second);
    }
    return ops;
}

HelpsView::Question questionOf(const std::shared_ptr<const cinm::Flow>& flow,
                               const std::shared_ptr<const memristor::TileRun>& run) {
    return [flow, run](const TaskContext& task) -> Result<HelpsView::Answer> {
        PIM_TRY(cinm::TilesHelp help, cinm::whatHelps(*flow, *run, {}, task));
        HelpsView::Answer answer{std::make_shared<const WhatIf>(std::move(help.whatIf)), {}};
        if (help.ownPortsNs)
            answer.remark = TilesInTime::tr("With a port for each tile it would take %1, %2 %.")
                                .arg(text(timeText(*help.ownPortsNs)))
                                .arg(100 * (*help.ownPortsNs / run->ns - 1), 0, 'f', 1);
        return answer;
    };
}

} // namespace

/// What was run, ready to be shown.
struct TilesInTime::Outcome {
    QString sentence;                              ///< What limits the tiles, or why they were not run.
    std::shared_ptr<const memristor::TileRun> run; ///< Null: they were not.
    std::shared_ptr<const TimelineLevels> levels;
    std::shared_ptr<const Roofline> roofline;
};

TilesInTime::TilesInTime(Workspace& workspace, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_time(new TimelineCanvas), m_limits(new QLabel),
      m_helps(new HelpsView(*workspace.tasks())), m_roofs(new RoofsView) {
    m_time->setAccessibleName(tr("Tiles in time"));
    m_limits->setWordWrap(true);
    m_limits->setTextFormat(Qt::PlainText);
    m_limits->setContentsMargins(8, 2, 8, 2);
    m_limits->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_limits->setAccessibleName(tr("What limits the tiles"));
    auto* inTime = new QWidget;
    auto* column = new QVBoxLayout(inTime);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_limits);
    column->addWidget(m_time, 1);
    m_roofs->table()->hide(); // that of the ops stands below
    m_panes = {Pane{chipOf(tr("Tiles in time"), tr("Show or hide what each tile does when: writes, rows in, "
                                                   "results out, merges of the host")),
                    inTime},
               Pane{chipOf(tr("What would help"),
                           tr("Show or hide what faster words and sums, more and larger tiles would give")),
                    m_helps},
               Pane{chipOf(tr("Roofline"),
                           tr("Show or hide every op under what words, arrays and host can do at most")),
                    m_roofs}};
    for (const Pane& pane : m_panes) {
        pane.widget->hide();
        connect(pane.chip, &QToolButton::toggled, this, &TilesInTime::update);
    }
    connect(m_time, &TimelineCanvas::opClicked, this, [this](int op) {
        if (op >= 0)
            emit chosen(op);
    });
    connect(m_roofs, &RoofsView::opChosen, this,
            [this](OpId op) { emit chosen(static_cast<int>(op.index())); });
}

void TilesInTime::setFlow(std::shared_ptr<const cinm::Flow> flow) {
    if (m_task != 0)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_flow = flow && flow->levels.back().name == "memristor" ? std::move(flow) : nullptr;
    m_isRun = false;
    take(std::make_shared<const Outcome>());
    update();
}

void TilesInTime::update() {
    bool isSeen = false;
    for (const Pane& pane : m_panes) {
        pane.chip->setVisible(m_flow != nullptr);
        pane.widget->setVisible(m_flow && pane.chip->isChecked());
        isSeen = isSeen || (m_flow && pane.chip->isChecked());
    }
    if (isSeen && !m_isRun && m_task == 0)
        start();
}

/// A network has some million calls.
void TilesInTime::start() {
    auto waiting = std::make_shared<Outcome>();
    waiting->sentence = tr("Running the tiles …");
    take(waiting);
    m_task = m_workspace.tasks()->start(
        tr("Running the tiles"),
        [this, flow = m_flow](const TaskContext& task) -> std::function<void()> {
            auto outcome = std::make_shared<Outcome>();
            auto done = cinm::timeTiles(*flow, {}, task);
            if (done) {
                auto run = std::make_shared<memristor::TileRun>(std::move(*done));
                run->timeline.labelOps = opsOfLabels(*flow, run->timeline.labels);
                auto roofline = std::make_shared<Roofline>(cinm::rooflineOf(*run, flow->options));
                std::erase_if(roofline->ops, [&](OpUnderRoof& op) {
                    op.op = OpId(run->timeline.labelOps[op.op.index()]);
                    return !op.op.valid();
                });
                outcome->sentence = coreSentence(cinm::limitsOf(*run).sentence) + QLatin1Char('.');
                outcome->levels = std::make_shared<TimelineLevels>(run->timeline);
                outcome->roofline = std::move(roofline);
                outcome->run = std::move(run);
            } else {
                outcome->sentence = text(done.error().text());
            }
            outcome->sentence[0] = outcome->sentence[0].toUpper();
            return [this, flow, outcome] {
                if (flow != m_flow)
                    return;
                m_task = 0;
                m_isRun = true;
                take(outcome);
            };
        },
        [this] {
            if (!std::exchange(m_task, 0))
                return; // given up by setFlow()
            auto stopped = std::make_shared<Outcome>();
            stopped->sentence = tr("Stopped.");
            take(stopped);
        });
}

void TilesInTime::take(std::shared_ptr<const Outcome> outcome) {
    const auto& run = outcome->run;
    m_limits->setText(outcome->sentence);
    m_time->setTimeline(run ? std::shared_ptr<const Timeline>(run, &run->timeline) : nullptr,
                        outcome->levels);
    m_roofs->setRoofline(outcome->roofline, [flow = m_flow](OpId op) {
        const cinm::PlacedOp& placed = flow->ops[op.index()];
        return RoofsView::OpText{text(placed.name), text(placed.work)};
    });
    if (!run) {
        m_roofs->sentence()->setText(outcome->sentence);
        m_helps->setQuestion(nullptr, outcome->sentence);
    } else if (m_flow->options.target != "memristor") {
        m_helps->setQuestion(nullptr, tr("With several machines, faster tiles would also get other ops, so "
                                         "nothing could be compared: choose memristor as the machine."));
    } else {
        m_helps->setQuestion(questionOf(m_flow, run),
                             tr("Lowers the program and runs it again, with one thing at a time faster or "
                                "more of it; loops are searched anew."));
    }
}

void TilesInTime::setSelected(int op) {
    m_time->setSelectedOp(op);
    m_roofs->setSelectedOp(op < 0 ? OpId() : OpId(op));
}

} // namespace pim::views
