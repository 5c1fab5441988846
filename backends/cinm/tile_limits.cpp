// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/cinm/tile_limits.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::cinm {
namespace {

constexpr double kWordBytes = 4, kNumbersInWord = 4;
constexpr double kTwice = 2;

/// The port as a track of its own, which has the spans of all tiles. It is the first: of work that ends at the same moment the chain
/// takes the first track.
Timeline withPort(const Timeline& tiles) {
    Timeline made = tiles;
    made.tracks.insert(made.tracks.begin(), {"port", "port"});
    const auto host = static_cast<std::uint32_t>(tiles.tracks.size() - 1);
    for (TimelineSpan& span : made.spans)
        ++span.track;
    made.spans.reserve(2 * tiles.spans.size());
    for (const TimelineSpan& span : tiles.spans)
        if (span.track != host) {
            made.spans.push_back(span);
            made.spans.back().track = 0;
        }
    made.finish();
    made.endNs = tiles.endNs;
    return made;
}

double busyNs(const memristor::TileTime& tile) {
    return tile.writeNs + tile.rowsNs + tile.resultsNs;
}

/// Words of one port follow each other, and so do sums of the host.
void addBound(WhatIf& help, const memristor::TileRun& run) {
    double words = 0, most = 0;
    for (const memristor::TileTime& tile : run.tiles) {
        words += busyNs(tile);
        most = std::max(most, busyNs(tile));
    }
    const double ofTiles = run.sharedPort ? words : most;
    help.boundNs = std::max(ofTiles, run.mergeNs);
    help.boundBy = run.mergeNs > ofTiles ? "host" : run.sharedPort ? "port" : "the busiest tile";
}

struct Change {
    std::string resource, option, unit;
    SpeedUp::Way way;
    double now;
    void (*set)(FlowOptions&, double);
};

std::vector<Change> changesOf(const FlowOptions& options) {
    using Way = SpeedUp::Way;
    return {{"words in", "--write-word", "ns", Way::Fast, options.device.writeWordNs,
             [](FlowOptions& at, double to) { at.device.writeWordNs = to; }},
            {"words out", "--read-word", "ns", Way::Fast, options.device.readWordNs,
             [](FlowOptions& at, double to) { at.device.readWordNs = to; }},
            {"sums of the host", "--host-sum", "ns", Way::Fast, options.device.hostWordNs,
             [](FlowOptions& at, double to) { at.device.hostWordNs = to; }},
            {"tiles", "--tiles", "count", Way::Many, double(options.tiles),
             [](FlowOptions& at, double to) { at.tiles = static_cast<int>(to); }},
            {"rows and columns of a tile", "--size", "count", Way::Many, double(options.size),
             [](FlowOptions& at, double to) { at.size = static_cast<std::int64_t>(to); }}};
}

Result<double> timedNs(const Flow& flow, const Change& change, double factor,
                       const memristor::TileRunOptions& options, const TaskContext& task) {
    FlowOptions changed = flow.options;
    change.set(changed, change.way == SpeedUp::Way::Many ? change.now * factor : change.now / factor);
    PIM_TRY(const Flow then, lower(*flow.levels.front().module, changed, task));
    PIM_TRY(const memristor::TileRun run, timeTiles(then, options, task));
    return run.ns;
}

WhatIfRow rowOf(const Change& change) {
    WhatIfRow row;
    row.resource = change.resource;
    row.way = change.way;
    const bool isMany = change.way == SpeedUp::Way::Many;
    row.changes = {{{change.option, isMany ? TargetValue::Kind::Rate : TargetValue::Kind::Time},
                    change.unit,
                    change.now,
                    isMany ? change.now * kTwice : change.now / kTwice}};
    row.fastestFactor = isMany ? 0 : kFastest.front();
    return row;
}

} // namespace

Limits limitsOf(const memristor::TileRun& run) {
    return pim::limitsOf(run.sharedPort && !run.tiles.empty() ? withPort(run.timeline) : run.timeline);
}

Roofline rooflineOf(const memristor::TileRun& run, const FlowOptions& options) {
    const memristor::OccDevice& device = options.device;
    const double ports = run.sharedPort ? 1 : double(std::max<std::size_t>(run.tiles.size(), 1));
    const std::string each =
        run.sharedPort ? std::string("one port of all tiles") : fmt::format("{} ports", run.tiles.size());
    const auto words = [&](double ns) {
        return fmt::format("{}, a word of {} B every {}", each, kWordBytes, timeText(ns));
    };
    Roofline made;
    made.ceilings = {
        {"words in", true, false, ports * kWordBytes / device.writeWordNs, words(device.writeWordNs)},
        {"words out", true, false, ports * kWordBytes / device.readWordNs, words(device.readWordNs)},
        {"arrays", false, false, ports * 2 * kNumbersInWord * double(options.size) / device.writeWordNs,
         fmt::format("{} numbers of a word in meet {} columns each", kNumbersInWord, options.size)},
        {"sums of the host", false, true, 1 / device.hostWordNs,
         fmt::format("a sum every {}", timeText(device.hostWordNs))}};
    for (const memristor::TileOp& op : run.ops)
        if (op.ns > 0)
            made.ops.push_back({OpId(op.label),
                                false,
                                op.ns,
                                op.operations,
                                {kWordBytes * double(op.wordsWritten), kWordBytes * double(op.wordsRead),
                                 op.operations, double(op.sums)},
                                {}});
    return made;
}

Result<TilesHelp> whatHelps(const Flow& flow, const memristor::TileRun& run,
                            const memristor::TileRunOptions& options, const TaskContext& task) {
    if (flow.options.target != "memristor")
        return fail(
            ErrorCode::Unsupported,
            "with several machines, faster tiles would also get other ops, so nothing can be compared",
            flow.options.target, "ask with --target memristor");
    memristor::TileRunOptions quiet = options;
    quiet.mostSpans = 0; // nobody looks at them
    TilesHelp help;
    help.whatIf.totalNs = run.ns;
    addBound(help.whatIf, run);
    const std::vector<Change> changes = changesOf(flow.options);
    std::int64_t done = 0;
    for (const Change& change : changes) {
        WhatIfRow row = rowOf(change);
        task.report(fmt::format("what if {} were twice as {}", change.resource, name(change.way)), done++,
                    std::ssize(changes));
        const TaskContext own{task.stop, {}};
        for (auto [factor, ns] :
             {std::pair(kTwice, &row.twiceNs), std::pair(row.fastestFactor, &row.fastestNs)}) {
            if (factor == 0)
                continue;
            const auto then = timedNs(flow, change, factor, quiet, own);
            if (then)
                *ns = *then;
            else if (then.error().code == ErrorCode::Cancelled)
                return tl::unexpected(then.error());
            else
                row.problem = change.way == SpeedUp::Way::Fast ? then.error().text()
                                                               : "cannot be doubled: " + then.error().text();
        }
        help.whatIf.rows.push_back(std::move(row));
    }
    sortByGain(help.whatIf.rows);
    if (options.sharedPort) {
        quiet.sharedPort = false;
        PIM_TRY(const memristor::TileRun apart, timeTiles(flow, quiet, task));
        help.ownPortsNs = apart.ns;
    }
    return help;
}

} // namespace pim::cinm
