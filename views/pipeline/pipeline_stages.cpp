// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_stages.h"

#include "core/base/number_text.h"
#include "core/graph/passes/pass_edits.h"
#include "core/kernel/kernel.h"
#include "views/common/core_words.h"
#include "views/models/family_panels.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <unordered_map>

namespace pim::views {
namespace {

struct PipelineWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::PipelineWords)
};
QString qs(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}
QString counted(std::int64_t count, const QString& one, const QString& many) {
    return QStringLiteral("%1 %2").arg(qs(exactText(count)), count == 1 ? one : many);
}
QString ops(std::int64_t count) {
    return counted(count, PipelineWords::tr("op"), PipelineWords::tr("ops"));
}

std::int64_t onPim(const Plan& plan) {
    return std::count_if(plan.ops.begin(), plan.ops.end(), [](const OpPlan& op) { return !op.onHost(); });
}

QString titleOf(const std::string& name) {
    QString title = qs(name).replace(u'_', u' ');
    title[0] = title[0].toUpper();
    return coreWord(title.toStdString());
}

PipelineStage passStage(const PassRecord& pass) {
    PipelineStage stage{PipelineStage::Kind::Pass, pass.name, titleOf(pass.name), qs(pass.summary)};
    for (const auto& [key, value] : pass.options)
        stage.summary += PipelineWords::tr("; option %1=%2").arg(qs(key), qs(value));
    stage.enabled = pass.enabled;
    stage.before = ops(pass.opsBefore);
    stage.after = pass.enabled ? ops(pass.opsAfter) : PipelineWords::tr("off");
    stage.changes = pass.changes;
    if (pass.enabled)
        stage.milliseconds = pass.milliseconds;
    return stage;
}

/// The stages of a machine planned op by op.
void tellOpwise(PipelineStage& stage, const Plan& plan) {
    if (stage.id == "kernels") {
        stage.summary = PipelineWords::tr("Writes each op as a loop nest that PIM can run");
        const auto made = std::count_if(plan.ops.begin(), plan.ops.end(),
                                        [](const OpPlan& op) { return op.space != nullptr; });
        stage.before = ops(std::ssize(plan.ops));
        stage.after = counted(made, PipelineWords::tr("loop nest"), PipelineWords::tr("loop nests"));
        stage.changes = made;
    } else if (stage.id == "search") {
        stage.summary = PipelineWords::tr("Finds the cheapest tiling draft of each loop nest");
        std::int64_t seen = 0, kept = 0;
        for (const OpPlan& op : plan.ops) {
            seen += op.draftsEnumerated;
            kept += op.draftsKept;
        }
        stage.before = counted(seen, PipelineWords::tr("draft"), PipelineWords::tr("drafts"));
        stage.after = PipelineWords::tr("%1 kept").arg(qs(exactText(kept)));
    } else if (stage.id == "placement") {
        stage.summary = PipelineWords::tr("Decides which ops run on PIM and which on the host");
        stage.before = PipelineWords::tr("host only %1").arg(qs(timeText(plan.hostOnlyNs)));
        stage.after = qs(timeText(plan.total.totalNs()));
        stage.changes = onPim(plan);
    }
}

PipelineStage planningStage(const StageTime& step, const Plan& plan, const FamilyPanels& family) {
    PipelineStage stage{PipelineStage::Kind::Planning, step.name, titleOf(step.name), {}};
    stage.milliseconds = step.milliseconds;
    stage.changes = step.items;
    stage.after = QStringLiteral("%1 %2").arg(qs(exactText(step.items)), qs(step.unit));
    const auto words = std::ranges::find(family.stages, step.name, &StageWords::stage);
    if (words == family.stages.end()) {
        tellOpwise(stage, plan);
        return stage;
    }
    stage.summary = words->summary;
    if (words->shows == StageWords::Shows::Ops) {
        stage.before = ops(std::ssize(plan.ops));
    } else if (words->shows == StageWords::Shows::Times) {
        stage.before = PipelineWords::tr("host only %1").arg(qs(timeText(plan.hostOnlyNs)));
        stage.after = qs(timeText(plan.total.totalNs()));
    }
    return stage;
}

/// An op's name, type and shapes.
QString lineOf(const Graph& graph, const Op& op) {
    return qs(op.name + ": " + opText(graph, op));
}

StageChanges passChanges(const std::vector<PassEdit>& edits, const Graph& graph) {
    std::unordered_map<std::string_view, OpId> known;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        known.emplace(graph.ops[i].name, OpId(std::int64_t(i)));
    StageChanges changes;
    std::int64_t gone = 0, come = 0;
    for (std::size_t e = 0; e < edits.size(); ++e) {
        const PassEdit& edit = edits[e];
        gone += std::ssize(edit.before);
        come += std::ssize(edit.after);
        for (std::size_t i = 0; i < std::max(edit.before.size(), edit.after.size()); ++i) {
            StageChange row;
            row.edit = int(e);
            if (i < edit.before.size())
                row.before = qs(edit.before[i].op + ": " + edit.before[i].text);
            if (i < edit.after.size())
                row.after = qs(edit.after[i].op + ": " + edit.after[i].text);
            for (const auto* lines : {&edit.after, &edit.before})
                if (i < lines->size() && !row.op.valid())
                    if (const auto found = known.find((*lines)[i].op); found != known.end())
                        row.op = found->second;
            // The row of an op that went leads to what stands in its place.
            if (!row.op.valid() && !edit.after.empty())
                if (const auto found = known.find(edit.after.front().op); found != known.end())
                    row.op = found->second;
            changes.rows.push_back(std::move(row));
        }
    }
    changes.changes = std::ssize(edits);
    changes.summary = edits.empty()
                          ? PipelineWords::tr("This pass changed nothing")
                          : PipelineWords::tr("%1: %2 became %3")
                                .arg(counted(std::ssize(edits), PipelineWords::tr("place rewritten"),
                                             PipelineWords::tr("places rewritten")),
                                     ops(gone), ops(come));
    return changes;
}

QString planningText(const std::string& stage, const Plan& plan, const FamilyPanels& family,
                     const OpPlan& op) {
    if (stage == "kernels")
        return op.space ? qs(op.space->kernel().text()).simplified()
                        : PipelineWords::tr("no loop nest: %1").arg(qs(op.pimVerdict));
    if (stage == "search")
        return op.draft ? PipelineWords::tr("%1 of %2 drafts kept, %3 chosen%4")
                              .arg(qs(exactText(op.draftsKept)), qs(exactText(op.draftsEnumerated)),
                                   qs(op.space->draftText(*op.draft)),
                                   op.draftOverridden ? PipelineWords::tr(" by you") : QString())
                        : QString();
    if (family.whereOpRuns && stage != "placement")
        return family.whereOpRuns(plan, op.op);
    return PipelineWords::tr("%1, %2 — %3%4")
        .arg(qs(name(op.placement)), qs(timeText(op.cost.totalNs())), qs(op.reason),
             op.placementOverridden ? PipelineWords::tr(" (your decision)") : QString());
}

StageChanges planningChanges(const std::string& stage, const Plan& plan, const FamilyPanels& family,
                             const TaskContext& task) {
    StageChanges changes;
    for (const OpPlan& op : plan.ops) {
        if (task.cancelled())
            break;
        if (stage == "search" && !op.draft)
            continue;
        StageChange row;
        row.op = op.op;
        row.edit = int(op.op.value);
        row.before = stage == "placement" ? PipelineWords::tr("%1: host, %2")
                                                .arg(qs(plan.graph->op(op.op).name),
                                                     op.hostKnown ? qs(timeText(op.hostNs))
                                                                  : PipelineWords::tr("time unknown"))
                                          : lineOf(*plan.graph, plan.graph->op(op.op));
        row.after = planningText(stage, plan, family, op);
        row.isSame = stage == "kernels" ? !op.space : stage == "placement" && op.onHost();
        changes.changes += !row.isSame;
        changes.rows.push_back(std::move(row));
    }
    changes.summary = PipelineWords::tr("%1 looked at, %2 changed")
                          .arg(ops(std::ssize(changes.rows)), qs(exactText(changes.changes)));
    return changes;
}

Result<StageChanges> codeChanges(const Backend& backend, const Plan& plan, const TaskContext& task) {
    QElapsedTimer clock;
    clock.start();
    PIM_TRY(const std::vector<CodeFile> files, backend.lower(plan, OpId(), task));
    StageChanges changes;
    changes.milliseconds = double(clock.nsecsElapsed()) / 1e6;
    std::int64_t bytes = 0;
    for (std::size_t f = 0; f < files.size(); ++f) {
        bytes += std::ssize(files[f].text);
        for (const OpId op : files[f].ops)
            changes.rows.push_back({lineOf(*plan.graph, plan.graph->op(op)),
                                    PipelineWords::tr("%1: %2").arg(qs(files[f].name), qs(files[f].summary)),
                                    op, int(f), false});
    }
    changes.changes = std::ssize(files);
    changes.summary =
        PipelineWords::tr("%1 with %2 of text for %3")
            .arg(counted(std::ssize(files), PipelineWords::tr("program"), PipelineWords::tr("programs")),
                 qs(bytesText(double(bytes))), ops(std::ssize(changes.rows)));
    return changes;
}

} // namespace

std::vector<PipelineStage> pipelineStages(const Graph* graph, const Plan* plan, const FamilyPanels& family,
                                          const StageChanges* code) {
    std::vector<PipelineStage> stages;
    if (!graph)
        return stages;
    for (const PassRecord& pass : graph->passes)
        stages.push_back(passStage(pass));
    if (!plan)
        return stages;
    for (const StageTime& step : plan->stages)
        stages.push_back(planningStage(step, *plan, family));
    PipelineStage last{
        PipelineStage::Kind::Code, "code", PipelineWords::tr("Code"),
        PipelineWords::tr("Generates the commands of every op on PIM; done when it is looked at and when a "
                          "bundle is written")};
    last.before = PipelineWords::tr("%1 on PIM").arg(ops(onPim(*plan)));
    if (code) {
        last.after = counted(code->changes, PipelineWords::tr("program"), PipelineWords::tr("programs"));
        last.changes = code->changes;
        last.milliseconds = code->milliseconds;
    }
    stages.push_back(std::move(last));
    return stages;
}

Result<StageChanges> changesOf(const StageQuestion& question, const TaskContext& task) {
    switch (question.stage.kind) {
    case PipelineStage::Kind::Pass: {
        if (!question.model)
            return fail(ErrorCode::Unsupported, "the model file is not open any more", question.stage.id,
                        "open the model again");
        PIM_TRY(const auto edits, passEdits(*question.model, question.options, question.stage.id, task));
        StageChanges changes = passChanges(edits, *question.graph);
        if (!question.stage.enabled)
            changes.summary = PipelineWords::tr("This pass is switched off");
        return changes;
    }
    case PipelineStage::Kind::Planning:
        return planningChanges(question.stage.id, *question.plan, *question.family, task);
    case PipelineStage::Kind::Code:
        if (!question.backend)
            return fail(ErrorCode::Unsupported, "no backend knows this target", question.plan->target->id);
        return codeChanges(*question.backend, *question.plan, task);
    }
    return fail(ErrorCode::Internal, "an unknown stage", question.stage.id);
}

} // namespace pim::views
