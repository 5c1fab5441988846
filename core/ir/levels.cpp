// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/levels.h"

#include "core/base/stopwatch.h"
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::ir {

namespace {

Result<Level> levelOf(Module made, const Stopwatch& watch) {
    if (auto verified = verify(made); !verified)
        return fail(ErrorCode::Internal,
                    fmt::format("level {} is not sound: {}", made.level(), verified.error().message),
                    verified.error().where);
    Level level{made.level(), std::make_shared<const Module>(std::move(made)), {}, 0};
    level.printed = print(*level.module);
    level.milliseconds = watch.milliseconds();
    return level;
}

template <class Wanted>
std::vector<OperationId> filtered(const Module& level, Wanted wanted) {
    std::vector<bool> locations;
    for (const Location& location : level.locations())
        locations.push_back(wanted(location));
    std::vector<OperationId> found;
    for (std::size_t i = 0; i < level.size(); ++i)
        if (locations[level.operations()[i].location.index()])
            found.emplace_back(static_cast<std::int64_t>(i));
    return found;
}

} // namespace

Result<std::vector<Level>> lowerAll(Module first, const std::vector<Lowering>& lowerings) {
    std::vector<Level> levels;
    Stopwatch watch;
    PIM_TRY(Level level, levelOf(std::move(first), watch));
    levels.push_back(std::move(level));
    for (const Lowering& lowering : lowerings) {
        watch = Stopwatch();
        PIM_TRY(Module made, lowering.make(*levels.back().module));
        PIM_TRY(Level next, levelOf(std::move(made), watch));
        levels.push_back(std::move(next));
    }
    return levels;
}

std::vector<OperationId> madeFrom(const Module& level, OperationId op) {
    return filtered(level, [op](const Location& location) {
        return std::ranges::find(location.parents, op) != location.parents.end();
    });
}

std::vector<OperationId> madeFrom(const Module& level, std::string_view graphOp) {
    return filtered(level, [graphOp](const Location& location) {
        return std::ranges::find(location.graphOps, graphOp) != location.graphOps.end();
    });
}

} // namespace pim::ir
