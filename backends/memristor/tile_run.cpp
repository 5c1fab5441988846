// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/memristor/tile_run.h"

#include "backends/memristor/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim::memristor {

namespace {

using namespace ir;

/// A call that a tile worked on.
struct Call {
    double startNs = 0, inNs = 0, outNs = 0; ///< Bytes or rows in, results out.
    std::int32_t tile = 0;
    bool write = false;
    std::uint32_t label = 0;
    double neededNs = std::numeric_limits<double>::infinity(); ///< When the host waited for it.
    double endNs() const { return startNs + inNs + outNs; }
};
struct Merge {
    double startNs = 0, ns = 0;
    std::uint32_t label = 0;
};

std::int64_t rowWords(const Type& type, std::int64_t bytes = 1) {
    return type.extents()[0] * ((type.extents()[1] * bytes + 3) / 4);
}

class Runner {
public:
    Runner(const Module& module, const OccDevice& device, const TileRunOptions& options,
           const TaskContext& task)
        : m_module(module), m_device(device), m_options(options), m_task(task) {
        m_made.timeline.labels = {""};
        m_made.timeline.labelOps = {-1};
    }

    Result<TileRun> run(OperationId function) {
        PIM_CHECK(walk(m_module.regionOf(m_module.operation(function))));
        wait(-1);
        m_made.ns = m_now;
        m_made.waitNs = m_now - m_made.mergeNs;
        m_made.cost = costOf(m_made.counts, m_device);
        m_made.sharedPort = m_options.sharedPort;
        takeTimes();
        for (TileTime& tile : m_made.tiles)
            tile.idleNs = m_now - tile.writeNs - tile.rowsNs - tile.resultsNs;
        if (m_options.drawLate)
            moveLate();
        draw();
        return std::move(m_made);
    }

private:
    Result<void> walk(const Region& region) {
        for (const OperationId id : region.operations)
            PIM_CHECK(step(m_module.operation(id)));
        return {};
    }

    Result<void> step(const Operation& op) {
        if (++m_steps % 65536 == 0 && m_task.cancelled())
            return TaskContext::cancelledError("the run of the tiles");
        const std::string_view name = op.def->name;
        if (name == "scf.for")
            return loop(op);
        if (op.regionCount > 0 && touchesTiles(op))
            return fail(ErrorCode::Unsupported,
                        fmt::format("{} decides what tiles do while the program runs", name), describeOp(op),
                        "only loops with constant bounds can be run in time");
        if (!name.starts_with("memristor."))
            return {};
        if (name == "memristor.init")
            return init(op);
        if (name == "memristor.barrier")
            wait(integerOr(op, "tile", -1));
        else if (name == "memristor.shift_add")
            merge(op);
        else if (name == "memristor.write_tile" || name == "memristor.gemm" || name == "memristor.gemv")
            return call(op);
        return {};
    }

    bool touchesTiles(const Operation& op) {
        const auto known = m_touches.find(&op);
        if (known != m_touches.end())
            return known->second;
        return m_touches[&op] = findTiles(op);
    }
    bool findTiles(const Operation& op) {
        for (std::uint32_t r = 0; r < op.regionCount; ++r)
            for (const OperationId id : m_module.regionOf(op, r).operations) {
                const Operation& inner = m_module.operation(id);
                if (inner.def->name.starts_with("memristor.") || touchesTiles(inner))
                    return true;
            }
        return false;
    }

    std::string describeOp(const Operation& op) const {
        const Location& location = m_module.location(op);
        if (!location.graphOps.empty())
            return location.graphOps.front();
        const std::string name = m_options.nameOf ? m_options.nameOf(location) : std::string();
        return name.empty() ? std::string(op.def->name) : name;
    }

    Result<void> loop(const Operation& op) {
        std::int64_t bounds[3];
        for (std::size_t n = 0; n < 3; ++n) {
            const ValueInfo& info = m_module.value(m_module.operand(op, n));
            if (!info.op.valid() || m_module.operation(info.op).def->name != "arith.constant") {
                if (!touchesTiles(op))
                    return {};
                return fail(ErrorCode::Unsupported, "a loop has a bound that is computed", describeOp(op),
                            "only loops with constant bounds can be run in time");
            }
            bounds[n] = integerOr(m_module.operation(info.op), "value", 1);
        }
        if (!touchesTiles(op))
            return {};
        for (std::int64_t at = bounds[0]; at < bounds[1]; at += std::max<std::int64_t>(1, bounds[2]))
            PIM_CHECK(walk(m_module.regionOf(op)));
        return {};
    }

    /// Devices of a program are the same tiles, one user after the other.
    Result<void> init(const Operation& op) {
        const auto tiles = static_cast<std::size_t>(integerOr(op, "tiles", 1));
        if (tiles > m_free.size()) {
            m_free.resize(tiles, 0);
            m_lastWaited.resize(tiles, 0);
            m_callsOf.resize(tiles);
            m_made.tiles.resize(tiles);
        }
        return {};
    }

    Result<void> call(const Operation& op) {
        const auto tile = static_cast<std::size_t>(integerOr(op, "tile", 0));
        if (tile >= m_free.size())
            return fail(ErrorCode::Unsupported,
                        fmt::format("tile {} is not within the {} there are", tile, m_free.size()),
                        describeOp(op));
        if (static_cast<std::int64_t>(m_calls.size()) >= m_options.mostCalls)
            return fail(ErrorCode::Unsupported, fmt::format("more than {} calls", m_options.mostCalls),
                        describeOp(op), "run a part of the program, or take larger tiles");
        Call made;
        made.write = op.def->name == "memristor.write_tile";
        made.tile = static_cast<std::int32_t>(tile);
        made.label = label(op);
        const Type& in = m_module.type(m_module.operand(op, 1));
        TileTime& time = m_made.tiles[tile];
        std::int64_t inWords = rowWords(in), outWords = 0;
        if (made.write) {
            inWords += (in.extents()[1] + 3) / 4; // one bias for each column
            m_made.counts.matrixBytes += in.count();
            ++m_made.counts.tileWrites;
            ++time.writes;
        } else {
            const auto bytes = m_resultBytes.find(op.firstResult);
            outWords =
                rowWords(m_module.type(op.firstResult), bytes == m_resultBytes.end() ? 4 : bytes->second);
            ++m_made.counts.products;
            ++time.products;
            work(made.label).operations +=
                2.0 * double(in.count()) * double(m_module.type(op.firstResult).extents()[1]);
        }
        work(made.label).wordsWritten += inWords;
        work(made.label).wordsRead += outWords;
        m_made.counts.wordsWritten += inWords;
        m_made.counts.wordsRead += outWords;
        made.inNs = m_device.writeWordNs * static_cast<double>(inWords);
        made.outNs = m_device.readWordNs * static_cast<double>(outWords);
        (made.write ? time.writeNs : time.rowsNs) += made.inNs;
        time.resultsNs += made.outNs;
        made.startNs = std::max({m_now, m_free[tile], m_options.sharedPort ? m_portFree : 0});
        m_free[tile] = m_portFree = made.endNs();
        m_callsOf[tile].push_back(m_calls.size());
        m_calls.push_back(made);
        return {};
    }

    /// \p tile -1: all.
    void wait(std::int64_t tile) {
        for (std::size_t t = 0; t < m_free.size(); ++t) {
            if (tile >= 0 && t != static_cast<std::size_t>(tile))
                continue;
            m_now = std::max(m_now, m_free[t]);
        }
        for (std::size_t t = 0; t < m_free.size(); ++t) {
            if (tile >= 0 && t != static_cast<std::size_t>(tile))
                continue;
            for (; m_lastWaited[t] < m_callsOf[t].size(); ++m_lastWaited[t])
                m_calls[m_callsOf[t][m_lastWaited[t]]].neededNs = m_now;
        }
    }

    void merge(const Operation& op) {
        const Type& type = m_module.type(op.firstResult);
        const double ns = m_device.hostWordNs * static_cast<double>(type.count());
        m_merges.push_back({m_now, ns, label(op)});
        work(m_merges.back().label).sums += type.count();
        m_now += ns;
        m_made.mergeNs += ns;
        ++m_made.counts.merges;
    }

    std::uint32_t label(const Operation& op) {
        const auto [known, added] = m_labels.emplace(op.location, 0);
        if (added) {
            known->second = static_cast<std::uint32_t>(m_made.timeline.labels.size());
            m_made.timeline.labels.push_back(describeOp(op));
            m_made.timeline.labelOps.push_back(-1);
            m_opOfLabel.push_back(opNamed(m_made.timeline.labels.back(), known->second));
        }
        return known->second;
    }

    /// Writes, products and sums of one op have labels of their own, all of its name.
    std::size_t opNamed(const std::string& name, std::uint32_t label) {
        const auto [known, added] = m_opOfName.emplace(name, m_made.ops.size());
        if (added)
            m_made.ops.push_back({label});
        return known->second;
    }
    TileOp& work(std::uint32_t label) { return m_made.ops[m_opOfLabel[label]]; }

    /// How long anything worked on each op: calls of several tiles may overlap.
    void takeTimes() {
        std::vector<std::vector<std::pair<double, double>>> times(m_made.ops.size());
        for (const Call& at : m_calls)
            times[m_opOfLabel[at.label]].emplace_back(at.startNs, at.endNs());
        for (const Merge& at : m_merges)
            times[m_opOfLabel[at.label]].emplace_back(at.startNs, at.startNs + at.ns);
        for (std::size_t op = 0; op < times.size(); ++op) {
            std::ranges::sort(times[op]);
            double until = 0;
            for (const auto& [start, end] : times[op]) {
                m_made.ops[op].ns += std::max(0.0, end - std::max(start, until));
                until = std::max(until, end);
            }
        }
    }

    /// Backwards, each call as late as the next of its tile, the next of the port and who waits for it allow.
    void moveLate() {
        std::vector<double> next(m_free.size(), m_now);
        double portNext = m_now;
        for (std::size_t i = m_calls.size(); i-- > 0;) {
            Call& at = m_calls[i];
            const auto tile = static_cast<std::size_t>(at.tile);
            double end = std::min({next[tile], at.neededNs, m_now});
            if (m_options.sharedPort)
                end = std::min(end, portNext);
            at.startNs = std::max(at.startNs, end - at.inNs - at.outNs);
            next[tile] = portNext = at.startNs;
        }
    }

    void draw() {
        Timeline& timeline = m_made.timeline;
        timeline.kinds = {{"write tile", SpanRole::Rewriting},
                          {"rows in", SpanRole::MemoryIn},
                          {"results out", SpanRole::MemoryOut},
                          {"merge", SpanRole::Vector}};
        for (std::size_t t = 0; t < m_free.size(); ++t)
            timeline.tracks.push_back({fmt::format("tile {}", t), "tiles"});
        const auto host = static_cast<std::uint32_t>(timeline.tracks.size());
        timeline.tracks.push_back({"host", "host"});
        const auto add = [&](std::uint32_t track, std::uint16_t kind, double start, double ns,
                             std::uint32_t label) {
            if (ns > 0 && timeline.spans.size() < m_options.mostSpans)
                timeline.spans.push_back({start, static_cast<float>(ns), track, kind, 0xffff, label});
            else if (ns > 0)
                timeline.runNs = m_made.ns;
        };
        std::size_t next = 0;
        const auto mergesUntil = [&](double ns) {
            for (; next < m_merges.size() && m_merges[next].startNs < ns; ++next)
                add(host, 3, m_merges[next].startNs, m_merges[next].ns, m_merges[next].label);
        };
        for (const Call& at : m_calls) {
            mergesUntil(at.startNs);
            add(static_cast<std::uint32_t>(at.tile), at.write ? 0 : 1, at.startNs, at.inNs, at.label);
            add(static_cast<std::uint32_t>(at.tile), 2, at.startNs + at.inNs, at.outNs, at.label);
        }
        mergesUntil(std::numeric_limits<double>::infinity());
        timeline.finish();
        if (timeline.runNs == 0)
            timeline.endNs = m_made.ns; // spans have lengths of single precision
    }

    const Module& m_module;
    const OccDevice& m_device;
    const TileRunOptions& m_options;
    const TaskContext& m_task;
    TileRun m_made;
    const std::map<ValueId, std::int64_t> m_resultBytes = resultBytes(m_module);
    std::map<LocationId, std::uint32_t> m_labels;
    std::map<const Operation*, bool> m_touches; ///< Does an op with regions work on tiles?
    std::vector<Call> m_calls;
    std::vector<std::vector<std::size_t>> m_callsOf; ///< Of each tile, positions in \ref m_calls.
    std::vector<std::size_t> m_lastWaited;           ///< Of each tile: calls the host has waited for.
    std::vector<Merge> m_merges;
    std::map<std::string, std::size_t> m_opOfName;
    std::vector<std::size_t> m_opOfLabel{0}; ///< Position in TileRun::ops; label 0 belongs to none.
    std::vector<double> m_free;              ///< When each tile is done.
    double m_now = 0, m_portFree = 0;
    std::int64_t m_steps = 0;
};

} // namespace

Result<TileRun> runTiles(const Module& module, std::string_view function, const OccDevice& device,
                         const TileRunOptions& options, const TaskContext& task) {
    const OperationId found = module.function(function);
    if (!found.valid())
        return fail(ErrorCode::NotFound, "there is no such function", std::string(function));
    return Runner(module, device, options, task).run(found);
}

} // namespace pim::memristor
