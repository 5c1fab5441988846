// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/system_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// Times of the ops of a part on its machine, from a simulation of it.
void takeTimes(AssignmentProblem& problem, const SystemPlan& plan, const PlanPart& part,
               const Simulation& simulation) {
    const double predicted = part.plan->total.totalNs() - part.plan->total.hostNs;
    const double simulated = simulation.totalNs - part.plan->total.hostNs;
    const bool opByOp = simulation.ops.size() == part.ops.size();
    // A machine that is planned as a whole has times of stretches, not of ops: each op takes its share of the whole.
    const double scale =
        part.plan->firstSampleNs() || predicted <= 0 ? 1 : std::max(0.0, simulated) / predicted;
    for (std::size_t i = 0; i < part.ops.size(); ++i) {
        const std::size_t op = part.ops[i].index();
        const auto device = static_cast<std::size_t>(plan.assignment.device[op]);
        if (part.plan->ops[i].onHost())
            continue;
        if (opByOp)
            problem.ops[op].ns[device] = simulation.ops[i].cost.totalNs();
        else
            problem.ops[op].ns[device] *= scale;
    }
}

} // namespace

Timeline systemTimeline(const SystemPlan& plan, const std::vector<AssignmentSpan>& spans) {
    Timeline timeline;
    timeline.kinds = {
        {"host", SpanRole::Vector}, {"machine", SpanRole::Compute}, {"transfer", SpanRole::Transfer}};
    timeline.tracks.push_back({"host", "machines"});
    for (const SystemDevice& device : plan.system->devices)
        timeline.tracks.push_back({device.id, "machines"});
    for (const std::string& link : linkNames(*plan.system))
        timeline.tracks.push_back({link, "links"});
    timeline.labels = {""};
    timeline.labelOps = {-1};
    const std::vector<TensorId> tensors = valueTensors(*plan.plan->graph);
    for (const AssignmentSpan& span : spans) {
        const auto label = static_cast<std::uint32_t>(timeline.labels.size());
        TimelineSpan drawn{span.startNs, static_cast<float>(span.endNs - span.startNs)};
        drawn.label = label;
        drawn.band = 0xffff;
        if (span.op >= 0) {
            timeline.labels.push_back(plan.plan->graph->ops[static_cast<std::size_t>(span.op)].name);
            timeline.labelOps.push_back(
                static_cast<int>(plan.wholes[static_cast<std::size_t>(span.op)].index()));
            drawn.track = static_cast<std::uint32_t>(span.device);
            drawn.kind = span.device == 0 ? 0 : 1;
            timeline.spans.push_back(drawn);
            continue;
        }
        timeline.labels.push_back(
            plan.plan->graph->tensor(tensors[static_cast<std::size_t>(span.value)]).name);
        timeline.labelOps.push_back(-1);
        drawn.kind = 2;
        const int devices = plan.problem.devices;
        for (const int link :
             plan.problem.routes[static_cast<std::size_t>(span.from * devices + span.device)]) {
            drawn.track = static_cast<std::uint32_t>(devices + link);
            timeline.spans.push_back(drawn);
        }
    }
    timeline.finish();
    return timeline;
}

Limits systemLimits(Timeline timeline) {
    for (TimelineTrack& track : timeline.tracks)
        track.group = track.name;
    return limitsOf(timeline);
}

Result<SystemSimulation> simulateSystem(const BackendList& backends, const SystemPlan& plan,
                                        const TaskContext& task) {
    SystemSimulation made;
    AssignmentProblem problem = plan.problem;
    for (const PlanPart& part : plan.plan->parts) {
        if (part.device.onHost())
            continue;
        PIM_TRY(const Backend* const backend, backends.find(part.plan->target->backend));
        const auto simulation = backend->simulate(*part.plan, task);
        if (simulation) {
            takeTimes(problem, plan, part, **simulation);
            continue;
        }
        if (simulation.error().code != ErrorCode::Unsupported)
            return tl::unexpected<Error>(simulation.error());
        const std::string& device = plan.system->devices[part.device.index()].id;
        if (std::ranges::find(made.predictedParts, device) == made.predictedParts.end())
            made.predictedParts.push_back(device);
    }
    const auto spans = schedule(problem, plan.assignment);
    made.ns = scheduledNs(problem, plan.assignment.device, plan.assignment.order);
    made.stream = streamOf(problem, plan.assignment);
    made.timeline = systemTimeline(plan, spans);
    return made;
}

} // namespace pim
