// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/cinm/flow.h"

#include "backends/memristor/c_code.h"
#include "core/base/split_mix.h"
#include "core/base/stopwatch.h"
#include "core/ir/dialect.h"
#include "core/ir/lower/cinm_to_cim.h"
#include "core/ir/lower/cnm_to_upmem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace pim::cinm {

namespace {

using namespace ir;

void addTimes(memristor::TileCounts& sum, const memristor::TileCounts& counts, std::int64_t times) {
    sum += {counts.tileWrites * times,   counts.products * times,  counts.merges * times,
            counts.wordsWritten * times, counts.wordsRead * times, counts.matrixBytes * times};
}

/// The first rule that makes something of an op.
Rewriter::Rule firstOf(std::vector<Rewriter::Rule> rules) {
    return [rules = std::move(rules)](Rewriter& at, const Operation& op) -> Result<bool> {
        for (const Rewriter::Rule& rule : rules) {
            PIM_TRY(const bool made, rule(at, op));
            if (made)
                return true;
        }
        return false;
    };
}

/// Both levels below cinm. Ops of the first are found again by their parents.
std::vector<Lowering> lowerings(const std::vector<PlacedOp>& ops, const FlowOptions& options) {
    const auto runsOn = [&](Machine machine) {
        return std::ranges::any_of(ops, [&](const PlacedOp& op) { return op.machine == machine; });
    };
    const bool tiles = options.target == "memristor" || runsOn(Machine::Tiles);
    const bool dpus = runsOn(Machine::Dpus) || !tiles;
    std::map<OperationId, const PlacedOp*> byOp;
    for (const PlacedOp& op : ops)
        byOp[op.op] = &op;
    const auto onTiles = [byOp](OperationId id, const GemmShape&) -> std::optional<TileMapping> {
        const auto found = byOp.find(id);
        if (found == byOp.end() || found->second->machine != Machine::Tiles)
            return std::nullopt;
        return found->second->tiles->choice.mapping;
    };
    const auto onDpus = [byOp](OperationId id) -> std::optional<UnitMapping> {
        const auto found = byOp.find(id);
        if (found == byOp.end() || found->second->machine != Machine::Dpus)
            return std::nullopt;
        return found->second->dpus->mapping;
    };
    const auto kernelOf = [byOp, target = options.dpus](const Module& cnm, OperationId id) {
        for (const OperationId parent : cnm.location(cnm.operation(id)).parents)
            if (const auto found = byOp.find(parent); found != byOp.end() && found->second->dpus)
                return kernelAttributes(*found->second->dpus, *target);
        return Attributes();
    };
    const std::string middle = tiles && dpus ? "cnm+cim" : dpus ? "cnm" : "cim";
    const std::string lowest = tiles && dpus ? "upmem+memristor" : dpus ? "upmem" : "memristor";
    std::vector<Lowering> made;
    made.push_back({middle, [=](const Module& module) {
                        std::vector<Rewriter::Rule> rules;
                        if (dpus)
                            rules.push_back(toCnm(onDpus));
                        if (tiles)
                            rules.push_back(toCim(onTiles));
                        return Rewriter(module, middle).run(firstOf(std::move(rules)));
                    }});
    made.push_back({lowest, [=, schedule = options.schedule](const Module& module) -> Result<Module> {
                        std::vector<Rewriter::Rule> rules;
                        if (dpus)
                            rules.push_back(toUpmem([&](OperationId id) { return kernelOf(module, id); }));
                        if (tiles) {
                            PIM_TRY(Rewriter::Rule rule, toMemristor(module, schedule));
                            rules.push_back(std::move(rule));
                        }
                        return Rewriter(module, lowest).run(firstOf(std::move(rules)));
                    }});
    return made;
}

void compare(LevelRun& run, std::size_t result, const Array& found, const Array& expected) {
    const auto a = realsOf(found), b = realsOf(expected);
    double largest = 0;
    for (const double value : b)
        largest = std::max(largest, std::abs(value));
    const double bound = isFloat(expected.element) ? 1e-4 * largest : 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (std::abs(a[i] - b[i]) <= bound)
            continue;
        if (run.wrong++ == 0)
            run.firstWrong = fmt::format("result {}, element {}: {}, expected {}", result, i, a[i], b[i]);
    }
}

/// The placed op that something of the last level was made for; empty: none.
std::string placedName(const Flow& flow, const Location& location) {
    const Location* at = &location;
    for (std::size_t level = flow.levels.size() - 1; level-- > 0 && !at->parents.empty();) {
        const Module& above = *flow.levels[level].module;
        const OperationId parent = at->parents.front();
        if (level == 0) {
            const auto placed = std::ranges::find(flow.ops, parent, &PlacedOp::op);
            return placed == flow.ops.end() ? std::string() : placed->name;
        }
        at = &above.location(above.operation(parent));
    }
    return {};
}

} // namespace

Result<void> check(const FlowOptions& options) {
    constexpr std::array<std::string_view, 4> kTargets{"memristor", "upmem", "auto", "paper"};
    std::vector<std::string> machines{"host", "memristor", "upmem"};
    for (const auto& other : options.others)
        machines.push_back(other->id);
    if (std::ranges::find(kTargets, options.target) == kTargets.end())
        return fail(ErrorCode::Usage, fmt::format("there is no target \"{}\"", options.target), "--target",
                    fmt::format("there are {}", fmt::join(kTargets, ", ")));
    bool wantsDpus = options.target != "memristor";
    for (const auto& [op, machine] : options.pins) {
        if (std::ranges::find(machines, machine) == machines.end())
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is no machine for {}", machine, op), "--pin",
                        fmt::format("write OP=MACHINE with one of {}", fmt::join(machines, ", ")));
        wantsDpus = wantsDpus || machine == "upmem";
    }
    if (wantsDpus && (!options.dpus || options.dpus->backend != "upmem"))
        return fail(ErrorCode::Usage,
                    options.dpus ? fmt::format("{} has no DPUs", options.dpus->id) : "no DPUs are known",
                    "--dpus", "name a target of the UPMEM family: upmem-4");
    if (options.size < 1 || options.size > 65536)
        return fail(ErrorCode::Usage, fmt::format("{} is not within 1 to 65536 cells", options.size),
                    "--size");
    if (options.tiles < 1 || options.tiles > 65536)
        return fail(ErrorCode::Usage, fmt::format("{} is not within 1 to 65536 tiles", options.tiles),
                    "--tiles");
    return {};
}

Result<Flow> lower(Module cinm, const FlowOptions& options, const TaskContext& task) {
    PIM_CHECK(check(options));
    Flow flow;
    flow.options = options;
    PIM_TRY(flow.ops, placeOps(cinm, options, task));
    for (const PlacedOp& op : flow.ops) {
        const auto times = static_cast<double>(op.times);
        if (op.machine == Machine::Tiles) {
            addTimes(flow.total, op.tiles->choice.counts, op.times);
            addTimes(flow.baseline, op.tiles->baseline, op.times);
        }
        const auto ns = op.ns();
        if (!ns)
            ++flow.timeUnknown;
        else
            (op.machine == Machine::Tiles   ? flow.tilesNs
             : op.machine == Machine::Dpus  ? flow.dpusNs
             : op.machine == Machine::Other ? flow.othersNs
                                            : flow.hostNs) += *ns * times;
    }
    flow.cost = costOf(flow.total, options.device);
    flow.baselineCost = costOf(flow.baseline, options.device);
    PIM_TRY(flow.levels, lowerAll(std::move(cinm), lowerings(flow.ops, options)));
    return flow;
}

namespace {

/// Ops on DPUs run on the engine, the others as they are.
Result<std::vector<Array>> runWithEngine(const Flow& flow, const std::vector<Array>& arguments,
                                         InterpreterOptions options, LevelRun& run, const TaskContext& task) {
    constexpr std::int64_t kInstructions = 20'000'000; // of an op: some seconds for a program of a dozen
    std::map<OperationId, const PlacedOp*> byOp;
    for (const PlacedOp& op : flow.ops)
        if (op.machine == Machine::Dpus)
            byOp[op.op] = &op;
    std::int64_t ops = 0, dpus = 0, onEngine = 0;
    options.machine = [&](Interpreter& at, const Operation& op) -> Result<bool> {
        const auto found = byOp.find(at.module().idOf(op));
        if (found == byOp.end())
            return false;
        PIM_TRY(const auto share,
                runOnEngine(at, op, *found->second->dpus, *flow.options.dpus, kInstructions, task));
        if (!share)
            return false;
        ++ops;
        dpus += share->dpus;
        onEngine += share->onEngine;
        return true;
    };
    Interpreter interpreter(*flow.levels.front().module, options);
    auto results = interpreter.call("main", arguments);
    run.note = fmt::format("{} runs of kernels, {} of {} DPUs on the engine", ops, onEngine, dpus);
    return results;
}

} // namespace

Result<void> checkMemory(const Module& module) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 34;
    for (std::size_t i = 0; i < module.valueCount(); ++i) {
        const Type& type = module.type(ValueId(static_cast<std::int64_t>(i)));
        if (type.bytes() > kMostBytes)
            return fail(ErrorCode::Unsupported,
                        fmt::format("{} takes {} B, values of up to {} B can be run", type.text(),
                                    type.bytes(), kMostBytes),
                        "main", "run it on smaller shapes");
    }
    return {};
}

Result<RunOfLevels> runLevels(const Flow& flow, const std::vector<Array>& arguments,
                              const InterpreterOptions& options, const std::vector<Array>& expected,
                              const TaskContext& task) {
    RunOfLevels runs;
    const auto take = [&](std::string level, const auto& work) -> Result<void> {
        const Stopwatch watch;
        LevelRun run;
        run.level = std::move(level);
        auto results = work(run);
        if (!results) {
            results.error().where = run.level + ": " + results.error().where;
            return tl::unexpected<Error>(std::move(results).error());
        }
        run.milliseconds = watch.milliseconds();
        const auto& right = runs.levels.empty() ? expected : runs.results;
        for (std::size_t r = 0; r < right.size(); ++r)
            compare(run, r, (*results)[r], right[r]);
        if (runs.levels.empty())
            runs.results = std::move(*results);
        runs.levels.push_back(std::move(run));
        return {};
    };
    PIM_CHECK(checkMemory(*flow.levels.front().module));
    for (const ir::Level& level : flow.levels) {
        if (task.cancelled())
            return TaskContext::cancelledError("running the levels");
        PIM_CHECK(take(level.name, [&](LevelRun&) {
            return Interpreter(*level.module, options).call("main", arguments);
        }));
    }
    if (std::ranges::any_of(
            flow.ops, [](const PlacedOp& op) { return op.machine == Machine::Dpus && op.dpus->hasKernel(); }))
        PIM_CHECK(take("engine",
                       [&](LevelRun& run) { return runWithEngine(flow, arguments, options, run, task); }));
    return runs;
}

Result<std::vector<CodeFile>> codeOf(const Flow& flow) {
    std::vector<CodeFile> files;
    std::set<const DpuWork*> written;
    std::string why;
    for (const PlacedOp& op : flow.ops) {
        if (op.machine != Machine::Dpus || !op.dpus->hasKernel() || !written.insert(op.dpus.get()).second)
            continue;
        auto pair =
            codeOf(*op.dpus, *flow.options.dpus,
                   fmt::format("{:04}_{}", op.op.value,
                               op.dpus->space ? op.dpus->space->kernel().name : op.dpus->program->name));
        if (!pair && pair.error().code == ErrorCode::Unsupported)
            why = pair.error().message;
        else if (!pair)
            return tl::unexpected<Error>(std::move(pair).error());
        else
            std::ranges::move(*pair, std::back_inserter(files));
    }
    const ir::Level& last = flow.levels.back();
    if (last.name == "memristor") {
        PIM_TRY(const memristor::CCode code, memristor::cCode(*last.module, "main"));
        files.push_back({"main.c", code.source, code.prototype, {}});
    }
    if (files.empty())
        return fail(ErrorCode::Unsupported, why.empty() ? "no op runs on a machine that has C code" : why);
    return files;
}

Result<memristor::TileRun> timeTiles(const Flow& flow, const memristor::TileRunOptions& options,
                                     const TaskContext& task) {
    memristor::TileRunOptions named = options;
    if (!named.nameOf)
        named.nameOf = [&](const Location& location) { return placedName(flow, location); };
    return memristor::runTiles(*flow.levels.back().module, "main", flow.options.device, named, task);
}

std::vector<Array> sampleArguments(const Module& module, std::uint64_t seed) {
    const OperationId main = module.function("main");
    const Region& body = module.regionOf(module.operation(main));
    std::vector<Array> arguments;
    for (std::uint32_t a = 0; a < body.argumentCount; ++a) {
        const Type& type = module.type(Module::argument(body, a));
        const auto count = static_cast<std::size_t>(type.count());
        if (isFloat(*type.element())) {
            std::vector<double> values(count);
            for (double& value : values)
                value = 2 * nextFraction(seed) - 1;
            arguments.push_back(arrayOf(std::span<const double>(values), *type.element(), type.extents()));
            continue;
        }
        std::vector<std::int64_t> values(count);
        for (std::int64_t& value : values)
            value = static_cast<std::int64_t>(nextRandom(seed) % 101) - 50;
        arguments.push_back(arrayOf(std::span<const std::int64_t>(values), *type.element(), type.extents()));
    }
    return arguments;
}

} // namespace pim::cinm
