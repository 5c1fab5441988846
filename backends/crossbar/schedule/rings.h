// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the products of a core under way need of its local memory, whatever their layers: vectors that had to be
/// brought together, and results that are still to be added to others. See rings.cpp for how many.
/// Flow: RowShares -> [ProductRings] <- products of RowEngine.
#include "backends/crossbar/schedule/program_writer.h"
#include "backends/crossbar/schedule/row_shares.h"

#include <deque>
#include <utility>

namespace pim {

class ProductRings {
public:
    /// \p roundBoundNs: HT; no round is shorter.
    ProductRings(const ScheduleInput& in, const RowShares& shares, Lanes& lanes, ProgramWriter& writer,
                 double roundBoundNs);

    /// A job of a core takes so many elements at once: its sums, and what they are made of.
    void needForJob(CoreId core, std::int64_t elements);
    /// Takes the room of a core's rings, once, for products of \p layer. Error::InvalidTarget.
    Result<void> take(CoreId core, LayerId layer);

    /// Room for a vector of \p rows.
    std::uint32_t takeVector(CoreId core, std::uint32_t rows) { return at(core).vectors.take(rows); }
    /// Room for a result of \p elements that is added to sums later: what lay there is added up before, and the
    /// oldest where as many wait as may. Large and small array groups of a core share the ring: small results do not
    /// take the room of large ones.
    std::uint32_t takePartial(CoreId core, std::uint32_t elements);
    /// Part of the result that was taken last waits at \p from to be added to the sums at \p to.
    struct Waiting {
        std::uint32_t from = 0, to = 0, length = 0;
        LayerId layer;
    };
    void addLater(CoreId core, const Waiting& part);
    /// Results taken in a core so far; the one taken last has this number less one.
    std::uint64_t taken(CoreId core) const { return m_cores[core.index()].nextPartial; }
    /// Adds results up, the oldest first, to number \p upTo: the youngest products are still under way.
    void flush(CoreId core, std::uint64_t upTo);

private:
    /// Room that is given out round and round, each piece as long as it is asked for.
    struct Ring {
        std::uint32_t begin = 0, elements = 0; ///< Of local memory.
        std::uint32_t next = 0;                ///< Place in the ring.
        bool wraps(std::uint32_t length) const { return next + length > elements; }
        std::uint32_t take(std::uint32_t length) {
            if (wraps(length))
                next = 0;
            return begin + std::exchange(next, next + length);
        }
    };
    /// Products that have a place in a ring.
    struct Use {
        std::int64_t groups = 0; ///< Array groups they are of.
        double products = 0;     ///< HT: of a round, if all went on at the pace they have while they do.
    };
    struct Partial : Waiting {
        std::uint64_t number = 0;
    };
    struct Core {
        Use all, adding;       ///< Of the core; whose results are to be added to others.
        double products = 0;   ///< Of all layers, in a run of the program.
        std::int64_t rows = 0; ///< Elements of all rows a window of each reader needs.
        std::int64_t job = 0;  ///< See needForJob(); of the one that needs most.
        std::uint32_t vectorSize = 1, partialSize = 1; ///< Of the largest array group.
        Ring vectors, partials;                        ///< Empty: not taken yet.
        std::int64_t mostPartials = 1;                 ///< Under way at once.
        std::uint64_t nextPartial = 0;                 ///< Number.
        std::deque<Partial> pending;                   ///< The oldest first.
    };
    Core& at(CoreId core) { return m_cores[core.index()]; }
    void countSizes(const RowMember& member);
    void countProducts(const RowShare& share, ShareId number);
    std::int64_t mostUnderWay(const Core& core, const Use& use) const;

    ScheduleInput m_in;
    const RowShares& m_shares;
    Lanes& m_lanes;
    ProgramWriter& m_writer;
    double m_roundBoundNs;
    std::vector<Core> m_cores;
};

} // namespace pim
