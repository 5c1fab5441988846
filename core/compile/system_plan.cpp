// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/system_plan.h"

#include "core/assign/join.h"
#include "core/assign/stretch_search.h"
#include "core/assign/subgraph.h"
#include "core/base/number_text.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/compile/compiler.h"
#include "core/compile/system_pieces.h"
#include "core/compile/which.h"
#include "core/drafts/dataflow.h"
#include "core/plan/plan_totals.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// An assignment whose parts were planned.
struct PlannedAssignment {
    Assignment assignment; ///< Its time is that of the parts.
    std::vector<PlanPart> parts;
    AssignmentProblem problem; ///< Ops cost what their part says.
};

/// Networks in pieces that are planned before the best of them is taken.
constexpr int kPieceRounds = 4;

/// Rents are found by bisection.
constexpr int kRentRounds = 10;

/// What is found once for all plans of a network on a system.
struct Known {
    std::vector<std::unique_ptr<PlanCache>> plans; ///< By families, one a device.
    SolvedStretches stretches;
};

class SystemPlanner {
public:
    SystemPlanner(const BackendList& backends, const HostModel& host, const SystemSetup& setup, Known& known,
                  const TaskContext& task)
        : m_backends(backends), m_host(host), m_setup(setup), m_known(known), m_task(task),
          m_graph(*setup.graph), m_devices(static_cast<int>(setup.system.devices.size()) + 1) {}

    /// \param triesOthers single machines and simple rules as well.
    Result<SystemPlan> plan(bool triesOthers) {
        m_made.system = std::make_shared<const System>(m_setup.system);
        PIM_CHECK(readPins());
        PIM_CHECK(planAlone());
        m_prices.graph = m_setup.graph;
        m_prices.system = m_made.system.get();
        m_prices.host = &m_host;
        m_prices.hostType = m_setup.options.computeType;
        m_base = systemProblem(m_prices);
        PIM_CHECK(checkPins());
        PIM_CHECK(search());
        if (triesOthers)
            PIM_CHECK(tryOthers());
        if (!m_best)
            return fail(ErrorCode::Unsupported,
                        fmt::format("no plan keeps to the decisions: {}",
                                    m_lastProblem.empty() ? "none was found" : m_lastProblem),
                        m_setup.system.id, "take one of them back");
        return finish();
    }

private:
    std::string deviceId(int device) const {
        return device == 0 ? "host" : m_setup.system.devices[at(device - 1)].id;
    }

    Result<void> readPins() {
        m_pinned.assign(m_graph.ops.size(), -1);
        for (const Override& decision : decisionsOfSystem(m_setup.overrides, m_setup.system.id).all()) {
            const OpId op = m_graph.findOp(decision.op);
            if (!op.valid())
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("there is no op \"{}\" to place", decision.op), m_graph.name,
                            "pimc inspect lists the ops");
            std::vector<std::string> ids;
            for (int device = 0; device < m_devices; ++device)
                ids.push_back(deviceId(device));
            const auto found = std::ranges::find(ids, decision.value);
            if (found == ids.end())
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("there is no device \"{}\" in the system; there are {}",
                                        decision.value, fmt::join(ids, ", ")),
                            decision.op);
            m_pinned[op.index()] = static_cast<int>(found - ids.begin());
        }
        return {};
    }
    Result<void> checkPins() const {
        for (std::size_t op = 0; op < m_pinned.size(); ++op)
            if (m_pinned[op] >= 0 && m_base.ops[op].ns[at(m_pinned[op])] == kNever) {
                const auto& alone = m_prices.alone[at(m_pinned[op] - 1)];
                return fail(
                    ErrorCode::IllegalOverride,
                    fmt::format("{} cannot run it: {}", deviceId(m_pinned[op]),
                                alone ? alone->ops[op].pimVerdict : "it has no plan for this network"),
                    m_graph.ops[op].name, "place it on another device, or leave it to the search");
            }
        return {};
    }

    Result<CompileOptions> optionsFor(const Target& target) const {
        PIM_TRY(const Backend* const backend, m_backends.find(target.backend));
        return m_setup.thorough ? Result<CompileOptions>(m_setup.options)
                                : quickOptions(*backend, m_setup.options);
    }

    /// A machine that is planned as a whole has a simulator that knows more than its formulas; the plan with the times that it says, each
    /// op its share. Others, and where it cannot simulate the part: as it is.
    Result<std::shared_ptr<const Plan>> asSimulated(std::shared_ptr<const Plan> plan) const {
        const double predicted = plan->total.totalNs() - plan->total.hostNs;
        if (!m_setup.simulates || !plan->detail || plan->firstSampleNs() || predicted <= 0)
            return plan;
        PIM_TRY(const Backend* const backend, m_backends.find(plan->target->backend));
        const auto simulation = backend->simulate(*plan, {m_task.stop, {}});
        if (!simulation && simulation.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(simulation.error());
        if (!simulation)
            return plan;
        const double scale = std::max(0.0, (*simulation)->totalNs - plan->total.hostNs) / predicted;
        auto scaled = std::make_shared<Plan>(*plan);
        scaled->origin = Origin::Simulated;
        for (OpPlan& op : scaled->ops)
            for (const CostPartInfo& part : kCostSplitParts)
                if (part.ns != &CostSplit::hostNs) {
                    op.cost.*part.ns *= scale;
                    if (op.pimCost)
                        (*op.pimCost).*part.ns *= scale;
                }
        addUp(*scaled);
        return scaled;
    }

    Result<void> planAlone() {
        const std::size_t count = m_setup.system.devices.size();
        m_prices.alone.resize(count);
        std::vector<Result<std::shared_ptr<const Plan>>> plans(count, nullptr);
        parallelFor(count, m_setup.options.threads, [&](std::size_t i) {
            const auto& target = m_setup.system.devices[i].target;
            auto options = optionsFor(*target);
            plans[i] = options ? compile(m_backends, {m_setup.graph, target, {}, std::move(*options)},
                                         m_known.plans[i].get(), {m_task.stop, {}})
                               : tl::unexpected<Error>(options.error());
            if (plans[i])
                plans[i] = asSimulated(*plans[i]);
        });
        m_isWhole.assign(count, false);
        m_hasRoom.assign(count, true);
        for (std::size_t i = 0; i < count; ++i) {
            if (plans[i]) {
                m_prices.alone[i] = *plans[i];
                m_isWhole[i] = (*plans[i])->detail != nullptr;
                continue;
            }
            if (plans[i].error().code == ErrorCode::Cancelled)
                return tl::unexpected<Error>(plans[i].error());
            PIM_CHECK(planSome(i, plans[i].error()));
        }
        return {};
    }

    /// Of a machine that does not take the whole network, mostly as its weights have no room: the prices of as many operators with weights
    /// as it takes, those with the most work a byte first. That it takes fewer where it takes more is assumed, so the number is found by bisection.
    Result<void> planSome(std::size_t device, const Error& refusal) {
        std::vector<std::size_t> heavy;
        for (std::size_t op = 0; op < m_graph.ops.size(); ++op)
            if (m_graph.ops[op].work.weightBytes > 0)
                heavy.push_back(op);
        std::ranges::stable_sort(heavy, std::ranges::greater(), [&](std::size_t op) {
            const OpWork& work = m_graph.ops[op].work;
            return static_cast<double>(work.macs) / static_cast<double>(work.weightBytes);
        });
        std::size_t fits = 0, tooMany = heavy.size();
        while (fits + 1 < tooMany && !m_task.cancelled()) {
            const std::size_t half = fits + (tooMany - fits) / 2;
            PIM_TRY(auto plan,
                    planWith(device, {heavy.begin(), heavy.begin() + static_cast<std::ptrdiff_t>(half)}));
            if (plan) {
                fits = half;
                m_prices.alone[device] = std::move(plan);
            } else {
                tooMany = half;
            }
        }
        const std::string& id = m_setup.system.devices[device].id;
        m_isWhole[device] = true; // what runs op by op takes what has room by itself
        m_hasRoom[device] = false;
        if (fits == 0)
            m_problems.push_back(
                {Severity::Warning, id, fmt::format("is left out: {}", refusal.message), refusal.hint});
        else
            m_problems.push_back({Severity::Note, id,
                                  fmt::format("takes {} of {} operators with weights at most: {}", fits,
                                              heavy.size(), refusal.message),
                                  refusal.hint});
        return {};
    }

    /// A plan for the whole network in which only some of the ops with weights can be on the machine; null: it takes not even those.
    Result<std::shared_ptr<const Plan>> planWith(std::size_t device, const std::vector<std::size_t>& heavy) {
        std::vector<OpId> ops;
        for (std::size_t op = 0; op < m_graph.ops.size(); ++op)
            if (m_graph.ops[op].work.weightBytes == 0 || std::ranges::find(heavy, op) != heavy.end())
                ops.emplace_back(static_cast<std::int64_t>(op));
        PIM_TRY(Subgraph cut, subgraphOf(m_graph, ops));
        const auto& target = m_setup.system.devices[device].target;
        PIM_TRY(CompileOptions options, optionsFor(*target));
        auto part = compile(m_backends, {cut.graph, target, {}, std::move(options)},
                            m_known.plans[device].get(), {m_task.stop, {}});
        if (part)
            part = asSimulated(*part);
        if (!part && part.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(part.error());
        if (!part)
            return nullptr;
        auto whole = std::make_shared<Plan>();
        whole->graph = m_setup.graph;
        whole->target = target;
        whole->computeType = (*part)->computeType;
        whole->ops.resize(m_graph.ops.size());
        const double scale = requestScale(**part);
        for (std::size_t op = 0; op < whole->ops.size(); ++op) {
            whole->ops[op].op = OpId(static_cast<std::int64_t>(op));
            whole->ops[op].pimVerdict = "its weights have no room";
        }
        for (std::size_t i = 0; i < cut.ops.size(); ++i) {
            OpPlan& op = whole->ops[cut.ops[i].index()];
            op.pimCost = (*part)->ops[i].pimCost;
            op.pimVerdict = (*part)->ops[i].pimVerdict;
            for (const CostPartInfo& info : kCostSplitParts)
                if (op.pimCost)
                    (*op.pimCost).*info.ns *= scale;
        }
        return whole;
    }

    bool runsOpByOp(int device) const { return m_prices.alone[at(device - 1)] && !m_isWhole[at(device - 1)]; }
    bool isFree(std::size_t op) const { return m_base.ops[op].ns.front() == 0; }

    /// Ops of a part may be on its device, and, where that runs op by op, on the host.
    bool belongs(std::size_t op, int part, const Assignment& assignment) const {
        const int device = assignment.device[op];
        return device == part ||
               ((device == 0 || isFree(op)) && (part == 0 ? device == 0 : runsOpByOp(part)));
    }

    /// As few parts as the order of ops allows: one goes on as long as an op of its device is ready.
    std::vector<std::pair<int, std::vector<OpId>>> groups(const Assignment& assignment) const {
        std::vector<std::pair<int, std::vector<OpId>>> made;
        std::vector<std::size_t> waits(m_graph.ops.size());
        for (std::size_t op = 0; op < waits.size(); ++op)
            waits[op] = m_graph.predecessors(OpId(static_cast<std::int64_t>(op))).size();
        std::vector<int> left = assignment.order;
        while (!left.empty()) {
            int part = -1;
            for (const int op : left)
                if (waits[at(op)] == 0 && (part < 0 || (part == 0 && assignment.device[at(op)] > 0 &&
                                                        runsOpByOp(assignment.device[at(op)]))))
                    part = assignment.device[at(op)];
            auto& ops = made.emplace_back(part, std::vector<OpId>()).second;
            bool more = true;
            while (more) {
                more = false;
                std::erase_if(left, [&](int op) {
                    if (waits[at(op)] != 0 || !belongs(at(op), part, assignment))
                        return false;
                    ops.emplace_back(op);
                    for (const OpId next : m_graph.successors(ops.back()))
                        --waits[next.index()];
                    return more = true;
                });
            }
        }
        return made;
    }

    std::shared_ptr<const Plan> onHost(std::shared_ptr<const Graph> graph) const {
        auto plan = std::make_shared<Plan>();
        plan->graph = std::move(graph);
        plan->target = m_setup.system.devices.front().target;
        plan->computeType = m_setup.options.computeType;
        priceOnHost(*plan, m_host, plan->computeType);
        for (OpPlan& op : plan->ops) {
            if (appendsToCache(*plan->graph, op.op))
                op.hostNs = 0;
            op.cost.hostNs = op.hostNs;
        }
        addUp(*plan);
        return plan;
    }

    Result<PlanPart> planPart(int device, const std::vector<OpId>& ops, const Assignment& assignment) {
        PIM_TRY(Subgraph cut, subgraphOf(m_graph, ops));
        PlanPart part{device == 0 ? DeviceId::host() : DeviceId(at(device - 1)), std::move(cut.ops),
                      std::move(cut.tensors), nullptr};
        if (device == 0) {
            part.plan = onHost(cut.graph);
            return part;
        }
        const auto& target = m_setup.system.devices[at(device - 1)].target;
        PIM_TRY(CompileOptions options, optionsFor(*target));
        PlanRequest request{cut.graph, target, {}, std::move(options)};
        for (const OpId op : part.ops) {
            const std::string& name = m_graph.op(op).name;
            if (runsOpByOp(device) && !isFree(op.index()))
                request.overrides.set(
                    {name, "placement", assignment.device[op.index()] == device ? "pim" : "host"});
        }
        PIM_TRY(auto plan,
                compile(m_backends, request, m_known.plans[at(device - 1)].get(), {m_task.stop, {}}));
        if (std::ranges::all_of(plan->ops, &OpPlan::onHost)) { // nothing here is for the machine after all
            part.device = DeviceId::host();
            part.plan = onHost(cut.graph);
            return part;
        }
        PIM_TRY(part.plan, asSimulated(std::move(plan)));
        return part;
    }

    /// Takes the times of a planned part. An op that its family leaves on the host is there, in the number type of the host: a family
    /// that computes in small integers prices it as if all the host did were in them. A view is where its part is.
    void price(PlannedAssignment& planned, const PlanPart& part) const {
        const double scale = requestScale(*part.plan);
        for (std::size_t i = 0; i < part.ops.size(); ++i) {
            const std::size_t op = part.ops[i].index();
            const OpPlan& own = part.plan->ops[i];
            int& device = planned.assignment.device[op];
            if (isFree(op) && device > 0)
                device = part.device.onHost() ? 0 : static_cast<int>(part.device.index()) + 1;
            if (device > 0 && own.onHost() && !isFree(op)) {
                planned.problem.ops[op].ns[at(device)] = m_base.ops[op].ns.front();
                device = 0;
            }
            if (device > 0)
                planned.problem.ops[op].ns[at(device)] =
                    (own.cost.totalNs() - own.cost.hostNs) * scale + own.cost.hostNs;
        }
    }

    Result<PlannedAssignment> planned(const Assignment& assignment) {
        PlannedAssignment made{assignment, {}, m_base};
        for (const auto& [device, ops] : groups(assignment)) {
            if (m_task.cancelled())
                return TaskContext::cancelledError("planning the parts");
            auto part = planPart(device, ops, assignment);
            if (!part) {
                m_failedOn = device;
                return tl::unexpected<Error>(part.error());
            }
            price(made, *part);
            made.parts.push_back(std::move(*part));
        }
        made.assignment.ns = scheduledNs(made.problem, made.assignment.device, made.assignment.order);
        return made;
    }

    /// The whole network on one machine, as its family plans it.
    PlannedAssignment alone(int device) const {
        const auto& plan = m_prices.alone[at(device - 1)];
        PlannedAssignment made{{std::vector<int>(m_graph.ops.size(), device), {}, 0}, {}, m_base};
        PlanPart part{DeviceId(at(device - 1)), {}, {}, plan};
        for (std::size_t op = 0; op < m_graph.ops.size(); ++op) {
            part.ops.emplace_back(static_cast<std::int64_t>(op));
            made.assignment.order.push_back(static_cast<int>(op));
        }
        for (std::size_t t = 0; t < m_graph.tensors.size(); ++t)
            part.tensors.emplace_back(static_cast<std::int64_t>(t));
        price(made, part);
        made.parts.push_back(std::move(part));
        made.assignment.ns = scheduledNs(made.problem, made.assignment.device, made.assignment.order);
        return made;
    }

    /// Of what stays in a machine that runs op by op, and of the most that passes through it, what has no room. \p there gets its ops.
    std::int64_t bytesTooMany(int device, const std::vector<int>& chosen,
                              std::vector<std::size_t>* there = nullptr) const {
        const auto& plan = m_prices.alone[at(device - 1)];
        if (!plan || !runsOpByOp(device) || plan->coreBytes <= 0)
            return 0;
        std::int64_t kept = 0, passing = 0;
        for (std::size_t op = 0; op < chosen.size(); ++op)
            if (chosen[op] == device) {
                kept += plan->ops[op].keptCoreBytes;
                passing = std::max(passing, plan->ops[op].passingCoreBytes);
                if (there)
                    there->push_back(op);
            }
        return std::max<std::int64_t>(0, kept + passing - plan->coreBytes);
    }
    /// What an op gains on a device for each byte that it keeps there.
    double gainPerByte(std::size_t op, int device) const {
        const double gain = m_base.ops[op].ns.front() - m_base.ops[op].ns[at(device)];
        return gain / static_cast<double>(
                          std::max<std::int64_t>(1, m_prices.alone[at(device - 1)]->ops[op].keptCoreBytes));
    }

    /// Ops that gain the least for what they take lose their place. \returns whether there were any.
    bool keepsWithinMemory(AssignmentProblem& problem, const std::vector<int>& chosen) const {
        bool allFit = true;
        for (int device = 1; device < m_devices; ++device) {
            std::vector<std::size_t> there;
            std::int64_t tooMany = bytesTooMany(device, chosen, &there);
            std::ranges::stable_sort(there, {}, [&](std::size_t op) { return gainPerByte(op, device); });
            for (const std::size_t op : there)
                if (const std::int64_t kept = m_prices.alone[at(device - 1)]->ops[op].keptCoreBytes;
                    tooMany > 0 && kept > 0 && m_pinned[op] < 0) {
                    tooMany -= kept;
                    problem.ops[op].ns[at(device)] = kNever;
                    allFit = false;
                }
        }
        return allFit;
    }

    /// The search, again without the ops that have no room.
    Result<AssignmentFound> assignWithinMemory(AssignmentProblem& problem, const std::vector<int>& pinned) {
        const Stopwatch watch;
        PIM_TRY(AssignmentFound found, searched(problem, pinned));
        AssignmentProblem free = problem;
        const AssignmentFound unlimited = found;
        for (int round = 0; round < 8 && !keepsWithinMemory(problem, found.best.device); ++round) {
            PIM_TRY(found, searched(problem, pinned));
        }
        if (found.best.device != unlimited.best.device)
            PIM_CHECK(searchWithRents(std::move(free), pinned, unlimited, found));
        if (m_made.boundNs == 0) { // of the first search
            m_made.boundNs = found.boundNs;
            m_made.searchedNs = found.best.ns;
        }
        m_made.searchMs += watch.milliseconds();
        return found;
    }
    Result<AssignmentFound> searched(const AssignmentProblem& problem, const std::vector<int>& pinned) {
        PIM_TRY(AssignmentFound found, assign(problem,
                                              {pinned, m_setup.statesAtMost, m_setup.gapAtMost,
                                               m_setup.options.threads, &m_known.stretches},
                                              m_task));
        m_made.searched += found.states;
        return found;
    }

    /// Where not everything has room, each byte that stays in a full machine costs a rent, as much as makes the rest fit: Lagrangian relaxation of
    /// capacity. Whatever the rents are, no plan that fits is shorter than the least length with rents, less the rents of full machines.
    /// \param unlimited what was found as if all had room. \param found gets what is found if it is shorter, and the best bound.
    Result<void> searchWithRents(AssignmentProblem problem, const std::vector<int>& pinned,
                                 const AssignmentFound& unlimited, AssignmentFound& found) {
        std::vector<double> low(at(m_devices)), high(at(m_devices));
        for (int device = 1; device < m_devices; ++device) {
            std::vector<std::size_t> there;
            if (bytesTooMany(device, unlimited.best.device, &there) > 0)
                for (const std::size_t op : there)
                    if (m_prices.alone[at(device - 1)]->ops[op].keptCoreBytes > 0)
                        high[at(device)] = std::max(high[at(device)], gainPerByte(op, device));
        }
        found.boundNs = unlimited.boundNs;
        for (int round = 0; round < kRentRounds; ++round) {
            m_task.report("what has room", round, kRentRounds);
            double ofFull = 0;
            std::vector<double> rents(at(m_devices));
            for (int device = 1; device < m_devices; ++device)
                if (high[at(device)] > 0) {
                    rents[at(device)] = (low[at(device)] + high[at(device)]) / 2;
                    ofFull +=
                        rents[at(device)] * static_cast<double>(m_prices.alone[at(device - 1)]->coreBytes);
                }
            for (std::size_t op = 0; op < problem.ops.size(); ++op) {
                problem.ops[op].rentNs.assign(at(m_devices), 0);
                for (int device = 1; device < m_devices; ++device)
                    if (rents[at(device)] > 0)
                        problem.ops[op].rentNs[at(device)] =
                            rents[at(device)] *
                            static_cast<double>(m_prices.alone[at(device - 1)]->ops[op].keptCoreBytes);
            }
            PIM_TRY(AssignmentFound tried, searched(problem, pinned));
            found.boundNs = std::max(found.boundNs, tried.boundNs - ofFull);
            bool allFit = true;
            for (int device = 1; device < m_devices; ++device) {
                const bool fits = bytesTooMany(device, tried.best.device) == 0;
                allFit = allFit && fits;
                (fits ? high : low)[at(device)] = rents[at(device)];
            }
            if (allFit && tried.best.ns < found.best.ns)
                found.best = std::move(tried.best);
        }
        found.boundNs = std::min(found.boundNs, found.best.ns);
        return {};
    }

    void consider(const std::string& id, PlannedAssignment found) {
        for (std::size_t op = 0; op < m_pinned.size(); ++op)
            if (m_pinned[op] >= 0 && found.assignment.device[op] != m_pinned[op] && !isFree(op))
                return;
        // Not by rounding alone: what was searched is not beaten by the same plan under another name.
        if (!m_best || found.assignment.ns < m_best->assignment.ns * (1 - 1e-9)) {
            m_best = std::move(found);
            m_made.foundAs = id;
        }
    }

    Result<void> tryOther(const std::string& id, const std::string& meaning,
                          Result<PlannedAssignment> found) {
        if (!found && found.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(found.error());
        if (found)
            m_made.alternatives.push_back({id,
                                           meaning,
                                           found->assignment.ns,
                                           streamOf(found->problem, found->assignment).periodNs,
                                           {}});
        else
            m_made.alternatives.push_back({id, meaning, 0, 0, found.error().message});
        if (found)
            consider(id, std::move(*found));
        return {};
    }

    Assignment inGraphOrder(std::vector<int> device) const {
        Assignment made{std::move(device), {}, 0};
        for (std::size_t op = 0; op < m_graph.ops.size(); ++op)
            made.order.push_back(static_cast<int>(op));
        return made;
    }

    Result<void> tryOthers() {
        m_task.report("machines alone", 0, 0);
        PIM_CHECK(tryOther("host", "everything on the host",
                           planned(inGraphOrder(std::vector<int>(m_graph.ops.size(), 0)))));
        for (int device = 1; device < m_devices; ++device)
            if (m_prices.alone[at(device - 1)] && m_hasRoom[at(device - 1)])
                PIM_CHECK(tryOther(fmt::format("only {}", deviceId(device)),
                                   fmt::format("as {} is planned alone", deviceId(device)), alone(device)));
        AssignmentProblem fitting = m_base;
        std::vector<int> greedy;
        do {
            greedy.clear();
            for (const auto& op : fitting.ops)
                greedy.push_back(static_cast<int>(std::ranges::min_element(op.ns) - op.ns.begin()));
        } while (!keepsWithinMemory(fitting, greedy));
        PIM_CHECK(tryOther("greedy", "each op where it alone is fastest, whatever has to be moved",
                           planned(inGraphOrder(std::move(greedy)))));
        for (int device = 1; m_devices > 2 && device < m_devices; ++device)
            if (m_prices.alone[at(device - 1)]) {
                AssignmentProblem two = m_base;
                for (auto& op : two.ops)
                    for (int other = 1; other < m_devices; ++other)
                        if (other != device)
                            op.ns[at(other)] = kNever;
                PIM_TRY(const AssignmentFound split, assignWithinMemory(two, {}));
                PIM_CHECK(tryOther(fmt::format("host and {}", deviceId(device)),
                                   fmt::format("the best split between the host and {}", deviceId(device)),
                                   planned(split.best)));
            }
        return {};
    }

    Result<void> search() {
        AssignmentProblem problem = m_base;
        std::vector<int> before;
        for (int round = 0; round < m_setup.rounds; ++round) {
            m_task.report("searching who runs what", round, m_setup.rounds);
            PIM_TRY(const AssignmentFound found, assignWithinMemory(problem, m_pinned));
            if (found.best.device == before)
                break;
            before = found.best.device;
            m_failedOn = -1;
            auto parts = planned(found.best);
            if (!parts) {
                if (parts.error().code == ErrorCode::Cancelled)
                    return tl::unexpected<Error>(parts.error());
                m_lastProblem = parts.error().message;
                for (std::size_t op = 0; op < problem.ops.size(); ++op) // its family refuses such a part
                    if (found.best.device[op] == m_failedOn && m_pinned[op] < 0 && m_failedOn > 0)
                        problem.ops[op].ns[at(m_failedOn)] = kNever;
                continue;
            }
            for (std::size_t op = 0; op < problem.ops.size(); ++op) {
                const int device = parts->assignment.device[op];
                if (device == found.best.device[op])
                    problem.ops[op].ns[at(device)] = parts->problem.ops[op].ns[at(device)];
                else if (m_pinned[op] < 0)
                    problem.ops[op].ns[at(found.best.device[op])] = kNever; // the part left it on the host
            }
            consider("search", std::move(*parts));
        }
        return {};
    }

    std::vector<Transfer> transfers() const {
        std::vector<Transfer> moved;
        const std::vector<TensorId> tensors = valueTensors(m_graph);
        const auto where = [](int device) {
            return device == 0 ? DeviceId::host() : DeviceId(at(device - 1));
        };
        for (const AssignmentSpan& span : m_made.spans)
            if (span.op < 0) {
                const TensorId tensor = tensors[at(span.value)];
                moved.push_back({tensor, where(span.from), where(span.device),
                                 bytesAs(m_graph.tensor(tensor), typeOn(m_prices, span.from)),
                                 span.endNs - span.startNs});
            }
        return moved;
    }

    /// "pcm 1.2 µs + 0.3 µs of transfers; host 4.5 µs; upmem 9.1 µs"
    std::string reason(std::size_t op) const {
        const int own = m_made.assignment.device[op];
        double moved = 0;
        for (const AssignmentSpan& span : m_made.spans)
            if (span.op < 0 && span.device == own &&
                std::ranges::find(m_made.problem.ops[op].inputs, span.value) !=
                    m_made.problem.ops[op].inputs.end())
                moved += span.endNs - span.startNs;
        std::string text = fmt::format("{} {}", deviceId(own), timeText(m_made.problem.ops[op].ns[at(own)]));
        if (moved > 0)
            text += fmt::format(" + {} of transfers", timeText(moved));
        if (m_pinned[op] >= 0)
            text += ", placed by you";
        for (int device = 0; device < m_devices; ++device)
            if (device != own)
                text +=
                    m_base.ops[op].ns[at(device)] == kNever
                        ? fmt::format("; {} cannot", deviceId(device))
                        : fmt::format("; {} {}", deviceId(device), timeText(m_base.ops[op].ns[at(device)]));
        return text;
    }

    void addUsage() {
        m_made.busyNs.assign(at(m_devices), 0);
        m_made.linkBusyNs.assign(at(m_made.problem.links), 0);
        m_made.linkBytes.assign(at(m_made.problem.links), 0);
        const std::vector<TensorId> tensors = valueTensors(m_graph);
        for (const AssignmentSpan& span : m_made.spans) {
            const double ns = span.endNs - span.startNs;
            if (span.op >= 0) {
                m_made.busyNs[at(span.device)] += ns;
                continue;
            }
            for (const int link : m_made.problem.routes[at(span.from * m_devices + span.device)]) {
                m_made.linkBusyNs[at(link)] += ns;
                m_made.linkBytes[at(link)] += static_cast<double>(
                    bytesAs(m_graph.tensor(tensors[at(span.value)]), typeOn(m_prices, span.from)));
            }
        }
    }

    Result<SystemPlan> finish() {
        m_made.problem = std::move(m_best->problem);
        m_made.assignment = std::move(m_best->assignment);
        m_made.spans = schedule(m_made.problem, m_made.assignment);
        m_made.stream = streamOf(m_made.problem, m_made.assignment);
        addUsage();
        JoinRequest request{m_setup.graph, {}, std::move(m_best->parts), transfers()};
        for (const SystemDevice& device : m_setup.system.devices)
            request.devices.push_back({device.id, device.target});
        PIM_TRY(Plan joined, joinParts(std::move(request)));
        for (std::size_t op = 0; op < joined.ops.size(); ++op) {
            if (joined.ops[op].onHost())
                joined.ops[op].hostNs = joined.ops[op].cost.hostNs = m_base.ops[op].ns.front();
            if (!isFree(op))
                joined.ops[op].reason = reason(op);
        }
        addUp(joined);
        joined.overrides = m_setup.overrides;
        // Many parts of one machine say the same.
        Diagnostics said = std::move(m_problems);
        for (Diagnostic& problem : joined.problems)
            if (std::ranges::none_of(said, [&](const Diagnostic& one) {
                    return one.object == problem.object && one.message == problem.message;
                }))
                said.push_back(std::move(problem));
        joined.problems = std::move(said);
        m_made.plan = std::make_shared<const Plan>(std::move(joined));
        for (std::size_t op = 0; op < m_graph.ops.size(); ++op)
            m_made.wholes.emplace_back(static_cast<std::int64_t>(op));
        return std::move(m_made);
    }

    const BackendList& m_backends;
    const HostModel& m_host;
    const SystemSetup& m_setup;
    Known& m_known;
    const TaskContext& m_task;
    const Graph& m_graph;
    int m_devices;
    std::vector<int> m_pinned; ///< One an op: its device, or -1.
    SystemPrices m_prices;
    std::vector<bool> m_isWhole; ///< [device - 1] It is planned as a whole, not op by op.
    std::vector<bool> m_hasRoom; ///< [device - 1] For all of the network.
    AssignmentProblem m_base;
    Diagnostics m_problems;
    std::string m_lastProblem;
    int m_failedOn = -1;
    std::optional<PlannedAssignment> m_best;
    SystemPlan m_made;
};

std::vector<OpPieces> piecesOf(const std::vector<PieceGuess>& guesses) {
    std::vector<OpPieces> pieces;
    for (const PieceGuess& guess : guesses)
        pieces.push_back(guess.pieces);
    return pieces;
}

/// The network in pieces, as long as other ones may be better. \p plan becomes what is found if it is faster.
Result<void> tryPieces(const BackendList& backends, const HostModel& host, const SystemSetup& setup,
                       Known& known, SystemPlan& plan, const TaskContext& task) {
    const double wholeNs = plan.assignment.ns, wholeStreamNs = plan.stream.periodNs;
    std::vector<PieceGuess> guesses =
        piecesThatMayPay(plan, decisionsOfSystem(setup.overrides, setup.system.id));
    std::optional<SystemAlternative> tried;
    for (int round = 0; round < kPieceRounds && !guesses.empty(); ++round) {
        task.report("operators in pieces", round, kPieceRounds);
        const std::vector<OpPieces> pieces = piecesOf(guesses);
        PIM_TRY(DividedGraph cut, divided(*setup.graph, pieces));
        SystemSetup asked = setup;
        asked.graph = std::move(cut.graph);
        auto found = SystemPlanner(backends, host, asked, known, task).plan(false);
        if (!found && found.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(found.error());
        if (!found) { // a family that takes the whole ops and not the pieces
            tried = {"in pieces", {}, 0, 0, found.error().message};
            break;
        }
        found->wholes = std::move(cut.wholes);
        std::vector<PieceGuess> next = nextPieces(*found, guesses);
        const double ns = found->assignment.ns;
        if (!tried || ns < tried->ns)
            tried = {"in pieces",
                     fmt::format("{} operator{} in pieces", pieces.size(), pieces.size() == 1 ? "" : "s"),
                     ns,
                     found->stream.periodNs,
                     {}};
        if (ns < plan.assignment.ns * (1 - 1e-9)) {
            found->alternatives = std::move(plan.alternatives);
            found->searchMs += plan.searchMs;
            found->searched += plan.searched;
            found->pieces = pieces;
            plan = std::move(*found);
        }
        if (piecesOf(next) == pieces)
            break;
        guesses = std::move(next);
    }
    if (!plan.pieces.empty())
        plan.alternatives.push_back(
            {"whole", "the best plan with no operator in pieces", wholeNs, wholeStreamNs, {}});
    else if (tried)
        plan.alternatives.push_back(std::move(*tried));
    return {};
}

} // namespace

int SystemPlan::opOf(OpId whole) const {
    return static_cast<int>(std::ranges::lower_bound(wholes, whole) - wholes.begin());
}

std::string nameIn(const System& system, int deviceOrLink) {
    const auto name = static_cast<std::size_t>(deviceOrLink);
    if (name > system.devices.size())
        return linkNames(system)[name - system.devices.size() - 1];
    return name == 0 ? "host" : system.devices[name - 1].id;
}

Result<SystemPlan> planSystem(const BackendList& backends, const HostModel& host, const SystemSetup& setup,
                              const TaskContext& task) {
    Known known;
    for (std::size_t device = 0; device < setup.system.devices.size(); ++device)
        known.plans.push_back(std::make_unique<PlanCache>());
    PIM_TRY(SystemPlan plan, SystemPlanner(backends, host, setup, known, task).plan(true));
    if (setup.dividesOps)
        PIM_CHECK(tryPieces(backends, host, setup, known, plan, task));
    return plan;
}

} // namespace pim
