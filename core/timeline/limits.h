// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What limits a run: how busy each kind of resource is by its own capacity, and the chain of work that reaches from the beginning of
/// the run to its end without a pause, so that nothing on it can be late without the run being late.
/// Flow: Timeline -> [limitsOf] -> `pimc limits`, views.
///
/// A timeline does not say what a span waited for, so the chain is inferred, going back from the end: before a span comes the one
/// that ended when it began, of the same track where there is one, else of the same op, else the longest; where none ended, one that
/// was under way and feeds it piece by piece, of the same op where there is one; where nothing was under way, the run waited. Its
/// pieces follow each other without a gap and sum to the run, whatever was chosen.
#include "core/timeline/timeline.h"

#include <map>
#include <string>
#include <vector>

namespace pim {

/// All tracks of a group: "arrays", "buses".
struct ResourceUse {
    std::string name;
    int tracks = 0;
    double share = 0;        ///< Busy time of all tracks over that of as many that never rest.
    std::string busiest;     ///< Track.
    double busiestShare = 0; ///< Of the run in which it is busy.
    std::int64_t pathPs = 0; ///< Of the chain.
};

/// Why a piece of the chain begins when it does.
enum class LinkCause : std::uint8_t {
    Start,    ///< The run begins.
    Resource, ///< Its track was busy until then.
    Data,     ///< Another track ended then.
    Stream,   ///< Another track was under way; it takes over from there.
    Wait      ///< Nothing ran just before it; and the pause itself.
};
std::string_view name(LinkCause cause); ///< "start", "resource", "data", "stream", "wait"

/// Ascending in time; each begins where the one before ended.
struct PathPiece {
    std::int64_t startPs = 0, endPs = 0;
    std::ptrdiff_t span = -1; ///< Position in Timeline::spans; -1: a pause.
    LinkCause cause = LinkCause::Start;
};

struct PathShare {
    std::string name; ///< Label of spans, track, or cause; "waiting" of pauses.
    std::int64_t ps = 0;
};

struct Limits {
    std::int64_t fromPs = 0;            ///< Where the stretch begins that is looked at: 0 for the whole run.
    std::int64_t totalPs = 0;           ///< Its length.
    std::vector<ResourceUse> resources; ///< Those with most of the chain first, then by their busiest track.
    std::vector<PathPiece> path;
    std::vector<PathShare> byLabel, byTrack, byCause; ///< Of the chain, most first; each sums to the total.
    std::string sentence; ///< "the time is set by global memory: busy 78 % of the run …"
};

/// Work in O(n log n) of spans, plus the tracks for each piece where work streams.
Limits limitsOf(const Timeline& timeline);

/// The same of a stretch of the run: resources by what they could do in it, and the part of the chain of \p whole that lies in it, which
/// sums to the stretch. \param whole of \p timeline. \param fromNs, toNs are brought into the run; nothing is under way in a stretch of no
/// length. Work in O(log n) a track and O(pieces).
Limits limitsWithin(const Timeline& timeline, const Limits& whole, double fromNs, double toNs);

/// Of the chain of \p limits, by graph op (Timeline::labelOps); what belongs to none, and pauses, under -1. Sums to the total.
std::map<int, std::int64_t> pathByOp(const Timeline& timeline, const Limits& limits);

} // namespace pim
