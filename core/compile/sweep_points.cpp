// SPDX-License-Identifier: GPL-3.0-or-later
// The points of a sweep: how each is computed, and many side by side.
#include "core/base/expression.h"
#include "core/base/parallel.h"
#include "core/compile/compiler.h"
#include "core/compile/plan_energy.h"
#include "core/compile/sweep_networks.h"
#include "core/compile/sweep_setting.h"
#include "core/compile/which.h"
#include "core/drafts/draft_choice.h"
#include "core/drafts/space_table.h"
#include "core/hardware/target_figures.h"
#include "core/hardware/unit_table.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

namespace pim {
namespace {

using Kind = SweepAxis::Kind;

constexpr std::string_view kDraft = "draft";
/// Drafts of a kernel that a first look walks (TilingOptions::walkLimit); ladders are coarser then. Over five sweeps of 91 to 136 points
/// (tiny-gpt, BERT-base, Llama-2-7B on HBM-PIM, AttAcc, AiM) totals grew by 0.4 % or less in the median of each, by 2.6 % at most; over eight
/// of UPMEM (tiny-gpt, BERT-base, ResNet-18; 157 points) not at all.
constexpr std::int64_t kQuickWalk = 1000;
constexpr std::size_t kAhead = 4; ///< Points of a thread that wait for an earlier one.

/// Computes points, one after the other; remembers the last graph and machine, kernels that were searched, and the drafts of an op
/// while only their rank changes.
class Sweeper {
public:
    /// \param shared of all sweepers: searches, or, where machines vary so that few have any in common, tiling spaces.
    Sweeper(const BackendList& backends, const SweepSetup& setup, PlanCache& shared, bool machinesVary)
        : m_backends(backends), m_setup(setup), m_shared(shared), m_machinesVary(machinesVary) {}

    /// \param threads of a compile.
    SweepPoint point(std::int64_t index, int threads, const TaskContext& task) {
        m_threads = threads;
        SweepPoint point;
        point.index = index;
        point.values = sweepValues(m_setup.axes, index);
        const auto start = std::chrono::steady_clock::now();
        if (const auto done = compute(point, task); !done)
            point.problem = done.error().text();
        point.compileMs =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        return point;
    }

    Result<PointRequest> request(std::int64_t index, const TaskContext& task) {
        SweepPoint point;
        point.index = index;
        point.values = sweepValues(m_setup.axes, index);
        const std::vector<std::size_t> networks = networksOf(point);
        if (networks.size() > 1)
            return fail(ErrorCode::Unsupported,
                        fmt::format("is {} networks together, each with a plan of its own", networks.size()),
                        fmt::format("point {}", index), "sweep over each: model=A,B");
        PointRequest request;
        PIM_TRY(request.graph, graphOptionsOf(point, networks.front()));
        PIM_TRY(request.plan, requestOf(point, networks.front(), task));
        return request;
    }

private:
    bool isOn(const SweepPoint& point, std::string_view axis) const {
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a)
            if (m_setup.axes[a].name == axis)
                return point.values[a] == "on";
        return false;
    }

    /// The value of the axis "model"; null without one.
    const std::string* modelOf(const SweepPoint& point) const {
        const auto axis = std::ranges::find(m_setup.axes, Kind::Model, &SweepAxis::kind);
        return axis == m_setup.axes.end()
                   ? nullptr
                   : &point.values[static_cast<std::size_t>(axis - m_setup.axes.begin())];
    }
    std::vector<std::size_t> networksOf(const SweepPoint& point) const {
        const std::string* const model = modelOf(point);
        return model ? networksNamed(m_setup, *model) : std::vector<std::size_t>{0};
    }

    Result<void> compute(SweepPoint& point, const TaskContext& task) {
        const std::vector<std::size_t> networks = networksOf(point);
        if (networks.size() == 1) {
            PIM_TRY(const PlanRequest request, price(point, networks.front(), task));
            return after(point, request);
        }
        std::vector<SweepPoint> parts;
        PlanRequest last;
        for (const std::size_t network : networks) {
            auto request = price(parts.emplace_back(point), network, task);
            if (!request) // which of them
                return fail(request.error().code, request.error().text(), m_setup.networks[network].name);
            last = std::move(*request);
        }
        point = together(modelValue(*modelOf(point))->how, m_setup.axes, parts);
        return after(point, last);
    }

    /// All of a point but what is said of the whole. \return what was compiled.
    Result<PlanRequest> price(SweepPoint& point, std::size_t network, const TaskContext& task) {
        PIM_TRY(PlanRequest request, requestOf(point, network, task));
        PIM_TRY(const auto plan, compile(m_backends, request, &cacheFor(*request.target), task));
        point.totalNs = plan->total.totalNs();
        point.hostOnlyNs = plan->hostOnlyNs;
        point.macs = static_cast<double>(request.graph->totalWork().macs);
        point.baselines = plan->baselines;
        if (const auto& predictor = request.options.predictor)
            point.outside = outsideOps(*plan, predictor->of(*plan->target)).first;
        if (plan->detail) {
            const auto figures = plan->detail->figures();
            point.figures.insert(point.figures.end(), figures.begin(), figures.end());
        }
        PIM_CHECK(addSimulated(point, *plan, isOn(point, "simulate"), task));
        return request;
    }

    Result<PlanRequest> requestOf(SweepPoint& point, std::size_t network, const TaskContext& task) {
        PlanRequest request = m_setup.request;
        request.options.threads = m_threads;
        PIM_TRY(request.target, targetOf(point));
        if (const auto area = siliconArea(*request.target))
            point.figures.emplace_back("area_mm2", area->value / measure::kSquareMillimetre);
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a)
            if (m_setup.axes[a].kind == Kind::Option && !isPassOption(m_setup.axes[a].name))
                PIM_CHECK(setOption(m_backends, request.options, m_setup.axes[a].name, point.values[a],
                                    backendOf(request)));
        if (isOn(point, "quick")) {
            PIM_TRY(const Backend* const backend, m_backends.find(request.target->backend));
            PIM_TRY(request.options, quickOptions(*backend, std::move(request.options)));
            request.options.verifyDrafts = 0;
            request.options.tiling.walkLimit = kQuickWalk;
        }
        PIM_TRY(request.graph, graphOf(point, network, task));
        if (!m_setup.networks.empty())
            request.overrides = decisionsAbout(*request.graph, request.overrides);
        PIM_CHECK(before(point, request));
        PIM_CHECK(decide(request, point.values, network, task));
        return request;
    }

    /// Those about ops of other networks are none about this one.
    static Overrides decisionsAbout(const Graph& graph, const Overrides& all) {
        Overrides own;
        for (const Override& decision : all.all())
            if (decision.op.empty() || graph.findOp(decision.op).valid())
                own.set(decision);
        return own;
    }

    /// Energy is known from a simulation, from the plan of a family that counts it, or from the power of the machine.
    Result<void> addSimulated(SweepPoint& point, const Plan& plan, bool simulates, const TaskContext& task) {
        std::shared_ptr<const Simulation> simulation;
        if (simulates) {
            PIM_TRY(const Backend* const backend, m_backends.find(plan.target->backend));
            PIM_TRY(simulation, backend->simulate(plan, task));
            point.figures.emplace_back("simulated_ns", simulation->totalNs);
        }
        const double ns = simulation ? simulation->totalNs : point.totalNs;
        if (const PlanEnergy energy = energyOf(plan, simulation.get(), ns); !energy.budget.empty()) {
            point.figures.emplace_back(kEnergyFigure, energy.budget.total() / measure::kPicojoule);
            if (ns > 0)
                point.figures.emplace_back(kPowerFigure, energy.budget.total() / (ns * measure::kNanosecond) /
                                                             measure::kWatt);
        }
        return {};
    }

    /// Sizes and passes of a point.
    Result<GraphOptions> graphOptionsOf(const SweepPoint& point, std::size_t network) const {
        GraphOptions options = m_setup.graph;
        if (!m_setup.networks.empty())
            options.bindings = m_setup.networks[network].bindings;
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a) {
            const SweepAxis& axis = m_setup.axes[a];
            if (axis.kind == Kind::Dimension) {
                PIM_TRY(options.bindings[axis.name], sizeFrom(point.values[a], axis.name));
            } else if (axis.kind == Kind::Option && isPassOption(axis.name)) {
                PIM_CHECK(setPassOption(options, axis.name + "=" + point.values[a]));
            }
        }
        return options;
    }

    Result<std::shared_ptr<const Graph>> graphOf(const SweepPoint& point, std::size_t network,
                                                 const TaskContext& task) {
        std::vector<std::string> key;
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a)
            if (const SweepAxis& axis = m_setup.axes[a];
                axis.kind == Kind::Dimension || (axis.kind == Kind::Option && isPassOption(axis.name)))
                key.push_back(point.values[a]);
        auto& [graphKey, graph] = m_graphs[network];
        if (!graph || key != graphKey) {
            PIM_TRY(const GraphOptions options, graphOptionsOf(point, network));
            PIM_TRY(graph,
                    buildGraph(m_setup.networks.empty() ? *m_setup.model : *m_setup.networks[network].model,
                               options, task));
            graphKey = std::move(key);
        }
        return graph;
    }

    /// Plain values first: formulas stand for what follows from them.
    Result<std::shared_ptr<const Target>> targetOf(const SweepPoint& point) {
        std::shared_ptr<const Target> base = m_setup.request.target;
        std::vector<TargetChange> changes, formulas;
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a) {
            const SweepAxis& axis = m_setup.axes[a];
            const std::string& value = point.values[a];
            if (axis.kind == Kind::Target)
                base = m_setup.targets[static_cast<std::size_t>(
                    std::find(axis.values.begin(), axis.values.end(), value) - axis.values.begin())];
            else if (axis.kind == Kind::Hardware)
                (isPlainValue(value) ? changes : formulas).emplace_back(axis.name, value);
        }
        changes.insert(changes.end(), formulas.begin(), formulas.end());
        if (changes.empty())
            return base;
        if (!m_target || m_targetBase != base || m_changes != changes) {
            PIM_TRY(Target changed, changedTarget(*base, changes));
            m_target = std::make_shared<const Target>(std::move(changed));
            m_targetBase = base;
            m_changes = std::move(changes);
        }
        return m_target;
    }

    /// Searches of a machine are of no use to another, and a sweep may meet a million of them.
    PlanCache& cacheFor(const Target& target) {
        constexpr int kMostTargets = 16;
        if (!m_machinesVary)
            return m_shared;
        m_targetsSeen += target.hash == m_lastTarget ? 0 : 1;
        if (!m_own || m_targetsSeen > kMostTargets) {
            m_own = std::make_unique<PlanCache>(m_setup.drafts);
            shareKernels(*m_own, m_shared);
            m_targetsSeen = 1;
        }
        m_lastTarget = target.hash;
        return *m_own;
    }

    /// A figure of the point, a size, or a figure of the machine, in base units; nothing where there is none (yet).
    static std::optional<double> figure(const SweepPoint& point, const PlanRequest& request,
                                        std::string_view name) {
        if (const auto value = point.figure(name))
            return value;
        for (const DimBinding& binding : request.graph->bindings)
            if (binding.symbol == name)
                return static_cast<double>(binding.value);
        return targetFigure(*request.target, name);
    }

    static std::string unknownHint(const std::string& condition) {
        for (const std::string_view name : {kEnergyFigure, kPowerFigure})
            if (condition.find(name) != std::string::npos)
                return "the energy of this machine is known from a simulation alone: add simulate=on";
        return "after a change of the machine area and power are unknown: say how they grow, as in "
               "area.chip=area.chip*array.count/96";
    }
    /// Error::Unsupported with the numbers where a condition does not hold. \param known of all figures? Else what needs others is passed over.
    Result<void> holds(const SweepPoint& point, const PlanRequest& request, bool known) const {
        for (const SweepAxis& axis : m_setup.axes) {
            if (!axis.isCondition())
                continue;
            std::string numbers;
            const ExpressionNames names = [&](std::string_view name) {
                const auto value = figure(point, request, name);
                if (value)
                    numbers += fmt::format("{}{} is {:.6g}", numbers.empty() ? "" : ", ", name, *value);
                return value;
            };
            const auto held = evaluateCondition(axis.name, names, unitAtStart);
            if (!held && !known && held.error().code == ErrorCode::NotFound)
                continue;
            if (!held)
                return fail(held.error().code, held.error().message, "condition", unknownHint(axis.name));
            if (!*held)
                return fail(ErrorCode::Unsupported, fmt::format("{}, and {}", axis.name, numbers),
                            "left out");
        }
        return {};
    }
    /// Those figures of the user's that can be told. \param known is all there is? Else Error with what a formula lacks.
    Result<void> addFigures(SweepPoint& point, const PlanRequest& request, bool known) const {
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a) {
            const SweepAxis& axis = m_setup.axes[a];
            if (axis.kind != Kind::Figure || point.figure(axis.name))
                continue;
            const ExpressionNames names = [&](std::string_view name) { return figure(point, request, name); };
            const auto value = evaluateExpression(axis.values.front(), names, unitAtStart);
            if (value)
                point.figures.emplace_back(axis.name, *value);
            else if (known || value.error().code != ErrorCode::NotFound)
                return fail(value.error().code, value.error().message, axis.name,
                            "formulas know figures of the machine, open dimensions, columns of the points, "
                            "and formulas before them");
        }
        return {};
    }
    Result<void> before(SweepPoint& point, const PlanRequest& request) const {
        PIM_CHECK(addFigures(point, request, false));
        return holds(point, request, false);
    }
    Result<void> after(SweepPoint& point, const PlanRequest& request) const {
        PIM_CHECK(addFigures(point, request, true));
        return holds(point, request, true);
    }

    /// Decisions first, then drafts: the drafts an op has may hang on what was decided.
    Result<void> decide(PlanRequest& request, const std::vector<std::string>& values, std::size_t network,
                        const TaskContext& task) {
        for (const bool drafts : {false, true})
            for (std::size_t a = 0; a < m_setup.axes.size(); ++a) {
                if (m_setup.axes[a].kind != Kind::Decision)
                    continue;
                const auto decision = decisionOf(*request.graph, m_setup.axes[a].name);
                if (!decision)
                    return fail(ErrorCode::NotFound,
                                m_setup.networks.empty() ? "the op is not there with these sizes"
                                                         : "the model has no such op with these sizes",
                                m_setup.axes[a].name);
                const auto& [field, op] = *decision;
                if ((field == kDraft) != drafts)
                    continue;
                std::string value = values[a];
                if (drafts) {
                    PIM_TRY(value, draftOfRank(request, op, {network, a}, values, task));
                }
                request.overrides.set({request.graph->op(op).name, field, value});
            }
        return {};
    }

    using NetworkAxis = std::pair<std::size_t, std::size_t>;
    Result<std::string> draftOfRank(const PlanRequest& request, OpId op, const NetworkAxis& of,
                                    std::vector<std::string> values, const TaskContext& task) {
        const std::size_t axis = of.second;
        PIM_TRY(const std::int64_t rank, sizeFrom(values[axis], m_setup.axes[axis].name));
        values[axis].clear();
        auto& [key, exploration] = m_explorations[of];
        if (!exploration || key != values) {
            PIM_TRY(const Backend* backend, m_backends.find(request.target->backend));
            PIM_TRY(const DraftFacet* drafts, draftsOf(*backend, request.graph->op(op).name));
            PIM_TRY(exploration, drafts->explore(request, op, task));
            key = values;
        }
        if (rank > std::ssize(exploration->drafts))
            return fail(ErrorCode::NotFound, fmt::format("there is no draft {}", rank),
                        m_setup.axes[axis].name,
                        fmt::format("the op has {} drafts", exploration->drafts.size()));
        return exploration->space->draftText(exploration->drafts[static_cast<std::size_t>(rank - 1)]);
    }

    const BackendList& m_backends;
    const SweepSetup& m_setup;
    int m_threads = 0;
    PlanCache& m_shared;
    bool m_machinesVary;
    std::unique_ptr<PlanCache> m_own;
    int m_targetsSeen = 0;
    std::string m_lastTarget;
    /// By network.
    std::map<std::size_t, std::pair<std::vector<std::string>, std::shared_ptr<const Graph>>> m_graphs;
    std::shared_ptr<const Target> m_target, m_targetBase;
    std::vector<TargetChange> m_changes;
    std::map<NetworkAxis, std::pair<std::vector<std::string>, std::shared_ptr<const Exploration>>>
        m_explorations;
};

/// Hands out what is to be computed, takes what was, and gives it back in order.
class InOrder {
public:
    /// \param indices ascending; outlives this.
    InOrder(const std::vector<std::int64_t>& indices, std::size_t threads)
        : m_indices(indices), m_room(threads * kAhead) {}

    /// The next index to compute; nothing once all are handed out or the sweep was given up. Waits while too many are ahead.
    std::optional<std::int64_t> take() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_givenUp || m_open.size() < m_room; });
        if (m_givenUp || m_next >= m_indices.size())
            return std::nullopt;
        m_open.emplace(m_indices[m_next], std::nullopt);
        return m_indices[m_next++];
    }
    void put(SweepPoint point) {
        const std::lock_guard lock(m_mutex);
        m_open[point.index] = std::move(point);
        m_changed.notify_all();
    }
    /// The first that has not been given yet, if it is computed. Nothing while another thread tells: that one asks again after told().
    std::optional<SweepPoint> first() {
        const std::lock_guard lock(m_mutex);
        if (m_givenUp || m_telling || m_open.empty() || !m_open.begin()->second)
            return std::nullopt;
        std::optional<SweepPoint> point = std::move(m_open.begin()->second);
        m_open.erase(m_open.begin());
        m_telling = true;
        m_changed.notify_all();
        return point;
    }
    void told() {
        const std::lock_guard lock(m_mutex);
        m_telling = false;
    }
    void giveUp() {
        const std::lock_guard lock(m_mutex);
        m_givenUp = true;
        m_changed.notify_all();
    }

private:
    const std::vector<std::int64_t>& m_indices;
    const std::size_t m_room;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_next = 0;
    std::map<std::int64_t, std::optional<SweepPoint>> m_open; ///< Handed out; set once computed.
    bool m_givenUp = false, m_telling = false;
};

} // namespace

struct SweepEngine::State {
    const BackendList& backends;
    const SweepSetup& setup;
    bool machinesVary;
    PlanCache shared;
    std::vector<std::unique_ptr<Sweeper>> sweepers; ///< One a thread.
};

SweepEngine::SweepEngine(const BackendList& backends, const SweepSetup& setup)
    : m_state(new State{
          backends,
          setup,
          std::ranges::any_of(setup.axes, [](const SweepAxis& axis) { return axis.kind == Kind::Hardware; }),
          PlanCache(setup.drafts),
          {}}) {}
SweepEngine::~SweepEngine() = default;

Result<void> SweepEngine::compute(const std::vector<std::int64_t>& indices, const SweepPointDone& done,
                                  const TaskContext& task) {
    const int asked = m_state->setup.request.options.threads;
    const int wanted = asked > 0 ? asked : jobs();
    const auto workers = static_cast<std::size_t>(std::clamp<std::int64_t>(std::ssize(indices), 1, wanted));
    for (std::size_t w = m_state->sweepers.size(); w < workers; ++w)
        m_state->sweepers.push_back(std::make_unique<Sweeper>(m_state->backends, m_state->setup,
                                                              m_state->shared, m_state->machinesVary));
    const int each = wanted / static_cast<int>(workers);
    InOrder order(indices, workers);
    std::stop_source stop;
    const std::stop_callback stopped(task.stop, [&] {
        stop.request_stop();
        order.giveUp();
    });
    std::int64_t count = 0;
    Result<void> all;
    const auto tellWhatIsReady = [&] {
        while (auto point = order.first()) {
            if (task.cancelled()) // what was cut short is no result
                return;
            if (Result<void> kept = done(std::move(*point)); !kept) {
                all = std::move(kept);
                stop.request_stop();
                order.giveUp();
            }
            task.report("sweeping", ++count, std::ssize(indices));
            order.told();
        }
    };
    std::exception_ptr failure; // read once all threads have ended
    std::once_flag failed;
    std::atomic<std::size_t> joined{0};
    task.report("sweeping", count, std::ssize(indices));
    runTogether(workers - 1, [&] {
        try {
            Sweeper& sweeper = *m_state->sweepers[joined++];
            while (const auto index = order.take()) {
                order.put(sweeper.point(*index, each, {stop.get_token(), {}}));
                tellWhatIsReady();
            }
        } catch (...) {
            std::call_once(failed, [&] { failure = std::current_exception(); });
            stop.request_stop();
            order.giveUp();
        }
    });
    if (failure)
        std::rethrow_exception(failure);
    if (task.cancelled())
        return TaskContext::cancelledError("the sweep");
    return all;
}

Result<PointRequest> pointRequest(const BackendList& backends, const SweepSetup& setup, std::int64_t index,
                                  const TaskContext& task) {
    PlanCache searches(setup.drafts);
    return Sweeper(backends, setup, searches, false).request(index, task);
}

Result<void> sweep(const BackendList& backends, const SweepSetup& setup,
                   const std::set<std::int64_t>& finished, const SweepPointDone& done,
                   const TaskContext& task) {
    const std::int64_t size = sweepSize(setup.axes);
    std::vector<std::int64_t> indices;
    for (std::int64_t index = 0; index < size; ++index)
        if (!finished.contains(index))
            indices.push_back(index);
    TaskContext whole = task;
    if (task.onProgress)
        whole.onProgress = [&](std::string_view stage, std::int64_t now, std::int64_t) {
            task.report(stage, size - std::ssize(indices) + now, size);
        };
    return SweepEngine(backends, setup).compute(indices, done, whole);
}

} // namespace pim
