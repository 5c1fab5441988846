// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/cinm/flow.h"

#include "core/base/split_mix.h"
#include "core/base/stopwatch.h"
#include "core/ir/dialect.h"
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::cinm {

namespace {

using namespace ir;

/// Turns of a loop with constant bounds; 1 where they are computed.
std::int64_t turnsOf(const Module& module, const Operation& loop) {
    std::int64_t bounds[3];
    for (std::size_t n = 0; n < 3; ++n) {
        const ValueInfo& info = module.value(module.operand(loop, n));
        if (!info.op.valid() || module.operation(info.op).def->name != "arith.constant")
            return 1;
        bounds[n] = integerOr(module.operation(info.op), "value", 1);
    }
    return std::max<std::int64_t>(0, (bounds[1] - bounds[0] + bounds[2] - 1) /
                                         std::max<std::int64_t>(1, bounds[2]));
}

std::int64_t timesOf(const Module& module, const Operation& op) {
    std::int64_t times = 1;
    for (RegionId region = op.parent; region.valid();) {
        const Operation& owner = module.operation(module.region(region).owner);
        if (owner.def->name == "scf.for")
            times *= turnsOf(module, owner);
        region = owner.parent;
    }
    return times;
}

memristor::TileChoice choose(const GemmShape& shape, const FlowOptions& options) {
    if (options.order == "search")
        return memristor::searchMapping(shape, options.size, options.tiles, options.goal);
    memristor::TileChoice choice;
    choice.mapping.size = options.size;
    choice.mapping.tiles = options.tiles;
    std::copy_n(options.order.begin(), 3, choice.mapping.order.begin());
    choice.counts = memristor::countsOf(shape, choice.mapping);
    choice.cost = memristor::costOf(choice.counts);
    choice.tried = 1;
    return choice;
}

std::string nameOf(const Module& module, OperationId id) {
    const auto& names = module.location(module.operation(id)).graphOps;
    return names.empty() ? fmt::format("{} #{}", module.operation(id).def->name, id.value) : names.front();
}

std::vector<Product> productsOf(const Module& module, const FlowOptions& options) {
    std::vector<Product> products;
    for (std::size_t i = 0; i < module.size(); ++i) {
        const OperationId id(static_cast<std::int64_t>(i));
        const Operation& op = module.operation(id);
        const bool vector = op.def->name == "cinm.gemv";
        if (!vector && op.def->name != "cinm.gemm")
            continue;
        const Type& left = module.type(module.operand(op, 0));
        Product product;
        product.op = id;
        product.name = nameOf(module, id);
        product.shape = {left.extents()[0], left.extents()[1],
                         vector ? 1 : module.type(op.firstResult).extents()[1]};
        product.times = timesOf(module, op);
        if (isFloat(*left.element()))
            product.whyHost = fmt::format("tiles hold integers, its elements are {}", name(*left.element()));
        else
            product.choice = choose(product.shape, options);
        TileMapping usual;
        usual.size = options.size;
        usual.tiles = options.tiles;
        product.baseline = memristor::countsOf(product.shape, usual);
        products.push_back(std::move(product));
    }
    return products;
}

void addTimes(memristor::TileCounts& sum, const memristor::TileCounts& counts, std::int64_t times) {
    sum += {counts.tileWrites * times,   counts.products * times,  counts.merges * times,
            counts.wordsWritten * times, counts.wordsRead * times, counts.matrixBytes * times};
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

} // namespace

Result<void> check(const FlowOptions& options) {
    if (options.size < 1 || options.size > 65536)
        return fail(ErrorCode::Usage, fmt::format("{} is not within 1 to 65536 cells", options.size),
                    "--size");
    if (options.tiles < 1 || options.tiles > 65536)
        return fail(ErrorCode::Usage, fmt::format("{} is not within 1 to 65536 tiles", options.tiles),
                    "--tiles");
    std::string sorted = options.order;
    std::ranges::sort(sorted);
    if (options.order != "search" && sorted != "kmn")
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no order of m, k and n", options.order),
                    "--order", "write search, or the outermost loop first: knm");
    return {};
}

Result<Flow> lowerForTiles(Module cinm, const FlowOptions& options) {
    PIM_CHECK(check(options));
    Flow flow;
    flow.products = productsOf(cinm, options);
    for (const Product& product : flow.products) {
        if (!product.whyHost.empty())
            continue;
        addTimes(flow.total, product.choice.counts, product.times);
        addTimes(flow.baseline, product.baseline, product.times);
    }
    flow.cost = costOf(flow.total);
    flow.baselineCost = costOf(flow.baseline);
    const auto mappingOf = [&options](const GemmShape& shape) { return choose(shape, options).mapping; };
    PIM_TRY(flow.levels,
            lowerAll(std::move(cinm),
                     {{"cim", [&](const Module& module) { return lowerToCim(module, mappingOf); }}}));
    return flow;
}

Result<RunOfLevels> runLevels(const Flow& flow, const std::vector<Array>& arguments,
                              const InterpreterOptions& options, const std::vector<Array>& expected) {
    RunOfLevels runs;
    for (const Level& level : flow.levels) {
        const Stopwatch watch;
        Interpreter interpreter(*level.module, options);
        auto results = interpreter.call("main", arguments);
        if (!results) {
            results.error().where = level.name + ": " + results.error().where;
            return tl::unexpected<Error>(std::move(results).error());
        }
        LevelRun run{level.name, watch.milliseconds(), 0, {}};
        const auto& right = runs.levels.empty() ? expected : runs.results;
        for (std::size_t r = 0; r < right.size(); ++r)
            compare(run, r, (*results)[r], right[r]);
        if (runs.levels.empty())
            runs.results = std::move(*results);
        runs.levels.push_back(std::move(run));
    }
    return runs;
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
