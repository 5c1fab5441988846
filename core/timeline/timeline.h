// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every unit of a machine did when: the picture of a simulated run. The same for all kinds of hardware: tracks are
/// arrays, banks, cores or buses; kinds of spans are named by the simulator.
#include <cstdint>
#include <string>
#include <vector>

namespace pim {

/// What the colour of a span means; one palette role each.
enum class SpanRole : std::uint8_t {
    Compute,
    MemoryIn,
    MemoryOut,
    Switching,
    Rewriting,
    Transfer,
    Vector,
    Idle,
    Other
};

struct SpanKind {
    std::string name; ///< "compute", "switch to memory"
    SpanRole role = SpanRole::Other;
    int category = -1; ///< Coloured as one of many kinds without a role of their own; -1: by its role.
    bool inLegend = true;
};

/// Tracks that do the same may share spans: one holds them, the others show them.
struct TimelineTrack {
    std::string name;    ///< "array 12", "main memory bus"
    std::string group;   ///< Tracks of one group stand together: "arrays", "buses".
    bool heads = false;  ///< First of its group, and stands for the others when the group is folded.
    bool hidden = false; ///< Has no row; others show its spans. Hidden tracks come last.
    /// Tracks whose spans its row shows instead of its own, if there are any.
    std::vector<std::uint32_t> shows;
    std::vector<std::uint32_t> over; ///< Tracks whose spans are drawn over those: commands over an open row.
};

/// 24 bytes; there can be millions. Spans of one track do not overlap.
struct TimelineSpan {
    double startNs = 0;
    float durationNs = 0;
    std::uint32_t track = 0;
    std::uint16_t kind = 0;  ///< Position in Timeline::kinds.
    std::uint16_t band = 0;  ///< Position in Timeline::bands; 0xffff: none.
    std::uint32_t label = 0; ///< Position in Timeline::labels.
};

/// A stretch of time over all tracks: a segment of the network, a phase.
struct TimelineBand {
    std::string name;
    double startNs = 0, endNs = 0;
};

struct Timeline {
    std::vector<TimelineTrack> tracks;
    std::vector<SpanKind> kinds;
    std::vector<std::string> labels; ///< "conv3 piece 1/2"; label 0 is "".
    /// Position of the graph op a label belongs to, -1 if none; one a label.
    std::vector<int> labelOps;
    std::vector<TimelineBand> bands;
    std::string bandWord = "phase";  ///< What one is called: "segment", "stage".
    std::vector<TimelineSpan> spans; ///< Sorted by track, then start.
    /// Of each track, and one past the end: spans of track t are [firstSpan[t], firstSpan[t+1]).
    std::vector<std::size_t> firstSpan;
    double endNs = 0;
    double runNs = 0; ///< Length of the run where the spans of its later part are left out; else 0.

    /// Sorts spans and fills firstSpan and endNs.
    void finish();
};

/// Time of each kind on each track, nanoseconds, [tracks][kinds]; idle is what is left of \ref Timeline::endNs.
std::vector<std::vector<double>> busyNs(const Timeline& timeline, double fromNs, double toNs);

} // namespace pim
