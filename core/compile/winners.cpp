// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/winners.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::int64_t kMostCells = 1000;

Result<std::vector<std::int64_t>> sizesOf(const SweepAxis& axis) {
    std::vector<std::int64_t> sizes;
    for (const std::string& value : axis.values) {
        const auto size = parseNumber<std::int64_t>(value);
        if (!size || *size < 1)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is no size of {}", value, axis.name), "--over",
                        "name open dimensions and whole numbers: seq=32..512");
        if (!sizes.empty() && *size <= sizes.back())
            return fail(ErrorCode::Usage, fmt::format("{} of {} follows {}", *size, axis.name, sizes.back()),
                        "--over", "write sizes in ascending order");
        sizes.push_back(*size);
    }
    return sizes;
}

/// One network with some sizes on some machines.
class Race {
public:
    Race(const BackendList& backends, const HostModel& hostModel, const WinnerSetup& setup,
         const TaskContext& task)
        : m_backends(backends), m_hostModel(hostModel), m_setup(setup), m_task{task.stop, {}} {}

    Result<WinnerCell> run(const std::vector<std::int64_t>& sizes, const WhichSetup& machines) const {
        WinnerCell cell;
        cell.sizes = sizes;
        GraphOptions options = m_setup.graph;
        for (std::size_t a = 0; a < sizes.size(); ++a)
            options.bindings[m_setup.axes[a].name] = sizes[a];
        WhichSetup asked = machines;
        auto graph = buildGraph(*m_setup.model, options, m_task);
        if (!graph) {
            if (graph.error().code == ErrorCode::Cancelled || graph.error().code == ErrorCode::Usage)
                return tl::unexpected<Error>(std::move(graph).error());
            cell.problem = graph.error().message;
            return cell;
        }
        asked.graph = std::move(*graph);
        PIM_TRY(const std::vector<WhichRow> rows, which(m_backends, m_hostModel, asked, {}, m_task));
        const auto order = ranked(rows, m_setup.by);
        if (const auto ns = order.empty() ? std::nullopt : rows[order[0]].timeNs(m_setup.by)) {
            cell.machine = rows[order[0]].machine;
            cell.ns = *ns;
        }
        if (const auto ns = order.size() < 2 ? std::nullopt : rows[order[1]].timeNs(m_setup.by)) {
            cell.second = rows[order[1]].machine;
            cell.secondNs = *ns;
        }
        return cell;
    }

    /// The least size at which the machine of \p high is before that of \p low.
    Result<std::int64_t> crossing(const WinnerCell& low, const WinnerCell& high) const {
        WhichSetup two = m_setup.machines;
        const auto isOther = [&](const auto& machine) {
            return machine->id != low.machine && machine->id != high.machine;
        };
        std::erase_if(two.targets, isOther);
        std::erase_if(two.hosts, isOther);
        std::vector<std::int64_t> sizes = low.sizes;
        std::int64_t below = low.sizes[0], from = high.sizes[0];
        while (from - below > 1) {
            sizes[0] = below + (from - below) / 2;
            PIM_TRY(const WinnerCell cell, run(sizes, two));
            (cell.machine == high.machine ? from : below) = sizes[0];
        }
        return from;
    }

private:
    const BackendList& m_backends;
    const HostModel& m_hostModel;
    const WinnerSetup& m_setup;
    TaskContext m_task;
};

} // namespace

Result<WinnerMap> winners(const BackendList& backends, const HostModel& hostModel, const WinnerSetup& setup,
                          const WinnerCellDone& done, const TaskContext& task) {
    if (setup.axes.empty() || setup.axes.size() > 2)
        return fail(ErrorCode::Usage, fmt::format("{} dimensions vary; one or two can", setup.axes.size()),
                    "--over", "name open dimensions and their sizes: seq=32..512;batch=1,4");
    if (const std::int64_t size = sweepSize(setup.axes); size < 1 || size > kMostCells)
        return fail(ErrorCode::Usage, fmt::format("{} combinations; 1 to {} are possible", size, kMostCells),
                    "--over");
    std::vector<std::vector<std::int64_t>> sizes;
    for (const SweepAxis& axis : setup.axes) {
        PIM_TRY(sizes.emplace_back(), sizesOf(axis));
    }
    const std::size_t others = sizes.size() > 1 ? sizes[1].size() : 1;
    const Race race(backends, hostModel, setup, task);
    WinnerMap map;
    for (const std::int64_t first : sizes[0])
        for (std::size_t o = 0; o < others; ++o) {
            task.report(fmt::format("{} {}", setup.axes[0].name, first), std::ssize(map.cells),
                        static_cast<std::int64_t>(sizes[0].size() * others));
            std::vector<std::int64_t> at{first};
            if (sizes.size() > 1)
                at.push_back(sizes[1][o]);
            PIM_TRY(WinnerCell cell, race.run(at, setup.machines));
            map.cells.push_back(std::move(cell));
            if (done)
                done(map.cells.back());
        }
    for (std::size_t o = 0; o < others; ++o)
        for (std::size_t f = 1; f < sizes[0].size(); ++f) {
            const WinnerCell &low = map.cells[(f - 1) * others + o], &high = map.cells[f * others + o];
            if (low.machine == high.machine || low.machine.empty() || high.machine.empty())
                continue;
            PIM_TRY(const std::int64_t at, race.crossing(low, high));
            map.crossings.push_back({sizes.size() > 1 ? sizes[1][o] : 0, low.machine, high.machine, at});
        }
    return map;
}

} // namespace pim
