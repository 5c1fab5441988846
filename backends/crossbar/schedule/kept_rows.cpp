// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/kept_rows.h"

#include <algorithm>

namespace pim {

/// Chains that could be, and which of them have room.
class KeptRowsPlan {
public:
    KeptRowsPlan(KeptRows& kept, const CrossbarNetwork& network, const CrossbarTasks& tasks, Lanes& lanes,
                 bool late, const KeptRows::Times& times)
        : m_kept(kept), m_network(network), m_tasks(tasks), m_lanes(lanes), m_late(late), m_times(times) {}

    void run(const std::function<double(CoreId core)>& part) {
        m_kept.m_loadedInto.assign(m_lanes.size(), ChainId());
        m_kept.m_readers.assign(m_lanes.size(), {});
        collect();
        choose(part);
        takeRoom();
    }

private:
    struct Candidate {
        KeptRows::Chain chain;
        struct Reader {
            LaneId lane;
            int rounds = 0, buffers = 0;
            double saved = 0; ///< Elements of global memory's traffic a round.
        };
        std::vector<Reader> readers; ///< The one with fewest buffers first.
        std::size_t taken = 0;       ///< Of these.
        double saved() const {
            double all = 0;
            for (const Reader& reader : readers)
                all += reader.saved;
            return all;
        }
    };
    /// One more reader of a candidate.
    struct Step {
        std::size_t candidate = 0, reader = 0;
        double worth = 0; ///< Elements saved for one of memory; no more than that of the reader before.
    };

    /// Of rows that lie in a core, and of rows it loads, what later stages read again.
    void collect() {
        std::map<std::tuple<CoreId, LayerId, int, int>, std::vector<LaneId>> alike; // by channels too
        for (const LaneId number : FirstIds<LaneId>(m_lanes.size()))
            if (const Lane& lane = m_lanes[number]; lane.loaded)
                alike[{lane.core, lane.layer, lane.channelBegin, lane.channelEnd}].push_back(number);
        for (auto& [key, lanes] : alike) {
            std::ranges::stable_sort(lanes, {}, [&](LaneId lane) { return m_lanes[lane].stage; });
            Candidate best;
            for (const TaskShare& share : m_tasks.shares[std::get<LayerId>(key).index()])
                if (share.core == std::get<CoreId>(key) &&
                    share.channelEnd - share.channelBegin ==
                        m_network.layers[share.layer.index()].out.channels)
                    if (Candidate made = computedBy(share, lanes); made.saved() > best.saved())
                        best = std::move(made);
            if (Candidate made = loadedBy(lanes); made.saved() > best.saved())
                best = std::move(made);
            if (!best.readers.empty())
                m_candidates.push_back(std::move(best));
        }
    }

    Candidate computedBy(const TaskShare& share, const std::vector<LaneId>& lanes) const {
        // A store is saved too where nobody else loads the rows; where others do, it is not, and a load alone
        // is.
        constexpr double kAccesses = 2;
        Candidate made = candidate(lanes.front(), LaneId());
        for (const ColumnSpan span : share.owned)
            made.chain.rows.push_back({span, 0, {}});
        const int from = m_tasks.stage[share.layer.index()];
        addReaders(
            made, lanes, from, [&] { return m_times.made(share); }, kAccesses);
        return made;
    }
    Candidate loadedBy(const std::vector<LaneId>& lanes) const {
        Candidate made = candidate(lanes.front(), lanes.front());
        for (const ColumnSpan span : m_lanes[lanes.front()].want)
            made.chain.rows.push_back({span, 0, {}});
        addReaders(
            made, lanes, m_lanes[lanes.front()].stage, [&] { return m_times.read(lanes.front()); }, 1);
        return made;
    }
    Candidate candidate(LaneId like, LaneId fromLane) const {
        const Lane& lane = m_lanes[like];
        Candidate made;
        made.chain.core = lane.core;
        made.chain.layer = lane.layer;
        made.chain.channelBegin = lane.channelBegin;
        made.chain.channelEnd = lane.channelEnd;
        made.chain.fromLane = fromLane;
        return made;
    }

    template <typename RenewedAt>
    void addReaders(Candidate& made, const std::vector<LaneId>& lanes, int stage, const RenewedAt& renewedAt,
                    double accesses) const {
        std::vector<ColumnSpan> wanted(made.chain.rows.size());
        RowsInRound renewed;
        for (const LaneId number : lanes) {
            const Lane& lane = m_lanes[number];
            const int rounds = lane.stage - stage;
            std::int64_t pixels = 0;
            for (std::size_t y = 0; y < wanted.size() && rounds > 0; ++y)
                pixels += std::max(0, made.chain.rows[y].span.within(lane.want[y]).size());
            if (pixels == 0)
                continue;
            if (renewed.first.empty())
                renewed = renewedAt();
            const RowsInRound read = m_times.read(number);
            bool late = m_late;
            for (std::size_t y = 0; y < wanted.size() && !late; ++y)
                late = read.last[y] < 2 && read.last[y] >= renewed.first[y];
            for (std::size_t y = 0; y < wanted.size(); ++y)
                wanted[y].include(made.chain.rows[y].span.within(lane.want[y]));
            made.readers.push_back(
                {number, rounds, rounds + late, accesses * double(pixels) * lane.channels()});
        }
        std::ranges::stable_sort(made.readers, {}, &Candidate::Reader::buffers);
        for (std::size_t y = 0; y < wanted.size(); ++y) {
            KeptRows::Row& row = made.chain.rows[y];
            row.span = wanted[y];
            row.offset = made.chain.elements;
            made.chain.elements += std::uint32_t(row.span.size() * made.chain.channels());
        }
    }

    void choose(const std::function<double(CoreId core)>& part) {
        std::vector<Step> steps;
        for (std::size_t number = 0; number < m_candidates.size(); ++number) {
            const Candidate& one = m_candidates[number];
            double worth = std::numeric_limits<double>::infinity();
            int buffers = 0;
            for (std::size_t reader = 0; reader < one.readers.size(); ++reader) {
                const int more = one.readers[reader].buffers - buffers;
                if (more > 0)
                    worth = std::min(worth, one.readers[reader].saved / (double(more) * one.chain.elements));
                buffers = one.readers[reader].buffers;
                steps.push_back({number, reader, worth});
            }
        }
        std::ranges::stable_sort(steps, std::ranges::greater(), &Step::worth);
        std::map<CoreId, double> used; // elements
        for (const Step& step : steps) {
            Candidate& one = m_candidates[step.candidate];
            const int buffers = one.readers[step.reader].buffers, more = buffers - one.chain.buffers;
            double& taken = used[one.chain.core];
            if (one.taken != step.reader ||
                taken + double(more) * one.chain.elements >
                    part(one.chain.core) * m_lanes.memory(one.chain.core).capacity())
                continue;
            taken += double(more) * one.chain.elements;
            one.chain.buffers = buffers;
            ++one.taken;
        }
    }

    void takeRoom() {
        for (Candidate& one : m_candidates) {
            if (one.taken == 0)
                continue;
            KeptRows::Chain& chain = one.chain;
            const auto room =
                m_lanes.take(chain.core, chain.elements * std::uint32_t(chain.buffers), chain.layer);
            PIM_ASSERT(room.has_value(), "a part of an empty memory is free");
            chain.address = *room;
            const ChainId number(std::ssize(m_kept.m_chains));
            for (std::size_t reader = 0; reader < one.taken; ++reader) {
                m_lanes[one.readers[reader].lane].stays = true;
                m_kept.m_readers[one.readers[reader].lane.index()] = {number, one.readers[reader].rounds};
            }
            if (chain.fromLane.valid())
                m_kept.m_loadedInto[chain.fromLane.index()] = number;
            else
                m_kept.m_computed[{chain.core, chain.layer}].push_back(number);
            m_kept.m_chains.push_back(std::move(chain));
        }
    }

    KeptRows& m_kept;
    const CrossbarNetwork& m_network;
    const CrossbarTasks& m_tasks;
    Lanes& m_lanes;
    bool m_late;
    const KeptRows::Times& m_times;
    std::vector<Candidate> m_candidates;
};

void KeptRows::plan(const CrossbarNetwork& network, const CrossbarTasks& tasks, Lanes& lanes,
                    const std::function<double(CoreId core)>& part, bool late, const Times& times) {
    if (part)
        KeptRowsPlan(*this, network, tasks, lanes, late, times).run(part);
    m_loaded.resize(network.layers.size());
    for (const LaneId number : FirstIds<LaneId>(lanes.size())) {
        const Lane& lane = lanes[number];
        if (!lane.loaded)
            continue;
        auto& loaded = m_loaded[lane.layer.index()];
        loaded.resize(std::size_t(network.layers[lane.layer.index()].out.pixels()), 0);
        for (int y = 0; y < std::ssize(lane.want); ++y) {
            const ColumnSpan want = lane.want[std::size_t(y)], kept = span(number, y);
            for (int x = want.begin; x < want.end; ++x)
                if (x < kept.begin || x >= kept.end)
                    loaded[std::size_t(y) * std::size_t(lane.width) + std::size_t(x)] = 1;
        }
    }
}

} // namespace pim
