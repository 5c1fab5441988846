// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/tasks.h"

#include "backends/crossbar/schedule/map_cuts.h"
#include "backends/crossbar/schedule/round_times.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pim {
namespace {

/// A set of cores that work alike, and how much of the layer they take.
struct Worker {
    TaskShare share;
    double weight = 1;
};

/// Rows of a share are handed on so many times a round. Where cores wait for each other at each transfer, more often costs them
/// time, less often makes readers wait longer for their first rows.
constexpr int kHandings = 8;

class TaskDealer {
public:
    TaskDealer(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
               bool fuse, double mostTwice, const StageGrouping& grouping)
        : m_network(network), m_chip(chip), m_mapping(mapping), m_fuse(fuse), m_mostTwice(mostTwice),
          m_grouping(grouping), m_depth(network.layers.size(), 0),
          m_times(network, chip, m_tasks, grouping.roundNs) {
        const std::size_t layers = network.layers.size();
        m_tasks.shares.resize(layers);
        m_tasks.fusedWith.assign(layers, LayerId());
        m_tasks.stage.assign(layers, 0);
        m_tasks.sources.resize(layers);
        m_tasks.tiled.assign(layers, false);
        m_tasks.handedOn.assign(layers, false);
        m_tasks.rowsAtOnce.assign(layers, 1);
        m_tasks.times.resize(layers);
        m_tasks.roundNs = grouping.roundNs;
    }

    CrossbarTasks run() {
        for (std::size_t i = 0; i < m_network.layers.size(); ++i)
            deal(LayerId(i));
        if (m_fuse)
            for (std::size_t i = m_network.layers.size(); i-- > 0;)
                widen(LayerId(i));
        if (m_grouping.on())
            handOn();
        return std::move(m_tasks);
    }

private:
    const CrossbarLayer& layer(LayerId position) const { return m_network.layers[position.index()]; }

    void deal(LayerId position) {
        const CrossbarLayer& l = layer(position);
        const auto* concat = l.as<ConcatWork>();
        if (concat && concat->axis == ConcatAxis::Channels) {
            int at = 0;
            for (const LayerId input : l.inputs) {
                for (PixelSource source : m_tasks.sources[input.index()]) {
                    source.at += at;
                    m_tasks.sources[position.index()].push_back(source);
                }
                at += layer(input).out.channels;
                m_tasks.stage[position.index()] =
                    std::max(m_tasks.stage[position.index()], m_tasks.stage[input.index()]);
            }
            m_depth[position.index()] = depthOfInputs(position);
            return;
        }
        m_tasks.sources[position.index()] = {{position, 0, l.out.channels, 0}};
        if (l.as<InputWork>())
            return;
        int stage = 0;
        for (const LayerId input : l.inputs)
            stage = std::max(stage, m_tasks.stage[input.index()]);
        m_tasks.stage[position.index()] = stage + 1;
        if (l.as<HostWork>())
            return;
        std::vector<Worker> workers = l.matrix() ? matrixWorkers(position) : vectorWorkers(position);
        if (!l.matrix() && m_fuse && canFuse(position)) {
            m_tasks.fusedWith[position.index()] = m_tasks.sources[primary(position).index()][0].layer;
            m_tasks.stage[position.index()] = stage;
        }
        m_tasks.tiled[position.index()] = isTiledForLatency(position);
        layOut(position, std::move(workers));
        if (isApartByRows(position))
            splitByRows(position);
        if (m_grouping.on() && !isTiled(position))
            group(position, stage);
    }
    bool isApartByRows(LayerId position) const {
        return layer(position).matrix() && layer(position).matrix()->window.spreadY > 1;
    }

    /// Cores of a replica that have array groups for rows y with y mod spreadY = \p phase, most groups first;
    /// one without any where no place of the kernel reaches these rows.
    std::vector<TaskMember> membersOfRows(const TaskShare& share, int phase) const {
        const PixelWindow& window = layer(share.layer).matrix()->window;
        if (window.spreadY == 1)
            return share.members;
        const auto& groups = m_mapping.of(share.layer)->partition.groups;
        std::vector<TaskMember> members;
        for (TaskMember member : share.members) {
            std::erase_if(member.groups, [&](GroupId group) {
                return groups[group.index()].phase / window.spreadX != phase;
            });
            if (!member.groups.empty())
                members.push_back(std::move(member));
        }
        std::ranges::stable_sort(members, [](const TaskMember& a, const TaskMember& b) {
            return a.groups.size() > b.groups.size();
        });
        if (members.empty())
            members.push_back({share.core, {}});
        return members;
    }

    /// Rows of different phases have array groups of their own, so they can be computed side by side. In LL that pays where there
    /// are more windows in a row than are taken at once; where not, results of a row would only come later. [measured on U-Nets:
    /// ARCH-C 1.3 times as fast, ISAAC a fifth slower where all are split]
    void splitByRows(LayerId position) {
        const PixelWindow& window = layer(position).matrix()->window;
        auto& shares = m_tasks.shares[position.index()];
        for (TaskShare& whole : std::exchange(shares, {})) {
            int widest = 0;
            for (const ColumnSpan span : whole.rows)
                widest = std::max(widest, span.size());
            if (m_mapping.mode == CrossbarMode::LowLatency &&
                widest <= std::ssize(whole.replicas) * window.spreadX) {
                whole.rowPhases = window.spreadY;
                shares.push_back(std::move(whole));
                continue;
            }
            for (int phase = 0; phase < std::min(window.spreadY, layer(position).out.height); ++phase) {
                TaskShare& share = shares.emplace_back(whole);
                share.members = membersOfRows(whole, phase);
                share.core = share.members.front().core;
                for (std::size_t y = 0; y < share.rows.size(); ++y)
                    if (int(y) % window.spreadY != phase)
                        share.rows[y] = share.owned[y] = {};
            }
        }
    }

    /// HT: rows are handed on soonest where shares go through all of them.
    bool isTiled(LayerId position) const {
        if (m_grouping.on())
            return !m_grouping.tiles.empty() && m_grouping.tiles[position.index()];
        return m_mapping.mode == CrossbarMode::HighThroughput;
    }
    /// Layers without weights follow what they read.
    bool isTiledForLatency(LayerId position) const {
        const CrossbarLayer& l = layer(position);
        if (m_mapping.mode != CrossbarMode::LowLatency || m_mapping.tiles.fromRows == 0 ||
            l.out.pixels() == 1 || l.as<ViewWork>() || isPixelConcat(position))
            return false;
        if (l.matrix())
            return l.out.height >= m_mapping.tiles.fromRows;
        const LayerId from = owner(position);
        return from.valid() && m_tasks.tiled[from.index()];
    }
    /// The longest chain of layers before it in the last stage of its inputs.
    int depthOfInputs(LayerId position) const {
        const auto& inputs = layer(position).inputs;
        int stage = 0, depth = 0;
        for (const LayerId input : inputs)
            stage = std::max(stage, m_tasks.stage[input.index()]);
        for (const LayerId input : inputs)
            if (m_tasks.stage[input.index()] == stage)
                depth = std::max(depth, m_depth[input.index()]);
        return depth;
    }
    /// Layers that hand rows on: neither inputs of the network nor the host's.
    bool isComputed(LayerId position) const {
        return std::ranges::none_of(m_tasks.sources[position.index()], [&](const PixelSource& source) {
            return m_tasks.shares[source.layer.index()].empty();
        });
    }

    /// A layer joins the last stage of its inputs where it can: no more layers wait for each other than may, and it is done in time.
    void group(LayerId position, int stage) {
        const std::size_t at = position.index();
        if (m_tasks.fusedWith[at].valid()) {
            m_depth[at] = depthOfInputs(position);
            m_times.place(position, m_grouping.least);
            return;
        }
        const int depth = depthOfInputs(position) + 1;
        const bool mayJoin = stage > 0 && depth < m_grouping.most &&
                             (m_grouping.apart.empty() || !m_grouping.apart[at]) &&
                             std::ranges::all_of(layer(position).inputs, [&](LayerId input) {
                                 return m_tasks.stage[input.index()] < stage || isComputed(input);
                             });
        m_tasks.stage[at] = mayJoin ? stage : stage + 1;
        m_depth[at] = mayJoin ? depth : 0;
        if (m_times.place(position, m_grouping.least) <= m_grouping.latest || !mayJoin)
            return;
        m_tasks.stage[at] = stage + 1;
        m_depth[at] = 0;
        m_times.place(position, m_grouping.least);
    }

    /// Which layers are read in their stage, and when they work.
    void handOn() {
        for (const LayerId reader : FirstIds<LayerId>(std::ssize(m_network.layers)))
            for (const LayerId input : layer(reader).inputs)
                for (const PixelSource& source : m_tasks.sources[input.index()])
                    if (m_tasks.together(reader, source.layer) &&
                        m_tasks.fusedWith[reader.index()] != source.layer)
                        m_tasks.handedOn[source.layer.index()] = true;
        m_times.spread();
        for (std::size_t i = 0; i < m_network.layers.size(); ++i)
            m_tasks.times[i] = m_times.take(LayerId(i));
    }

    /// Replicas that lie in the same cores in the same way are one worker.
    std::vector<Worker> matrixWorkers(LayerId position) const {
        const LayerMapping& mapping = *m_mapping.of(position);
        std::map<std::vector<CoreId>, std::size_t> seen;
        std::vector<Worker> workers;
        for (const ReplicaId replica : FirstIds<ReplicaId>(mapping.replicas)) {
            const auto first = mapping.cores.begin() + mapping.position(replica, GroupId(0));
            const std::vector<CoreId> cores(first, first + mapping.groups());
            const auto [at, isNew] = seen.emplace(cores, workers.size());
            if (isNew) {
                Worker& made = workers.emplace_back();
                made.weight = 0;
                made.share.layer = position;
                made.share.unfolding = mapping.partition.unfolding;
                for (const GroupId group : FirstIds<GroupId>(mapping.groups())) {
                    const CoreId core = cores[group.index()];
                    auto member = std::ranges::find(made.share.members, core, &TaskMember::core);
                    if (member == made.share.members.end())
                        member = made.share.members.insert(member, TaskMember{core, {}});
                    member->groups.push_back(group);
                }
                std::ranges::stable_sort(made.share.members, [](const TaskMember& a, const TaskMember& b) {
                    return a.groups.size() > b.groups.size();
                });
                made.share.core = made.share.members.front().core;
            }
            workers[at->second].share.replicas.push_back(replica);
            workers[at->second].weight += 1;
        }
        std::ranges::stable_sort(workers, {}, [](const Worker& w) { return w.share.core; });
        return workers;
    }

    /// The layer whose cores have most of the first input.
    LayerId owner(LayerId position) const {
        for (const LayerId input : layer(position).inputs) {
            const auto& sources = m_tasks.sources[input.index()];
            const PixelSource* largest = nullptr;
            for (const PixelSource& source : sources)
                if (!m_tasks.shares[source.layer.index()].empty() &&
                    (!largest || source.end - source.begin > largest->end - largest->begin))
                    largest = &source;
            if (largest)
                return largest->layer;
        }
        return {};
    }

    /// Vector layers run where their input is. Element layers follow the input that comes last.
    LayerId primary(LayerId position) const {
        const CrossbarLayer& l = layer(position);
        LayerId best = l.inputs[0];
        const auto order = [&](LayerId input) {
            return std::pair(m_tasks.stage[input.index()], m_depth[input.index()]);
        };
        for (const LayerId input : l.inputs)
            if (l.as<ElementWork>() && order(input) > order(best) &&
                layer(input).out.pixels() == l.out.pixels())
                best = input;
        return best;
    }

    std::vector<Worker> vectorWorkers(LayerId position) const {
        std::vector<Worker> workers;
        const auto& whole = m_tasks.sources[primary(position).index()];
        const LayerId from = whole.size() == 1 && !m_tasks.shares[whole[0].layer.index()].empty()
                                 ? whole[0].layer
                                 : owner(position);
        const auto add = [&](CoreId core) {
            Worker& made = workers.emplace_back();
            made.share.layer = position;
            made.share.core = core;
        };
        const PixelMap& out = layer(position).out;
        const int most = out.width > 1 ? out.width : out.height; // tokens are rows of one pixel
        if (from.valid()) {
            // Shares of rows of a transposed convolution are one strip; what is not fused needs its core once.
            const bool once = !m_fuse && isApartByRows(from);
            for (const TaskShare& share : m_tasks.shares[from.index()])
                if (!once || workers.empty() || workers.back().share.core != share.core)
                    add(share.core);
        } else {
            for (const CoreId core : FirstIds<CoreId>(std::min(m_chip.cores(), most)))
                add(core);
        }
        if (const auto* view = layer(position).as<ViewWork>(); view || isPixelConcat(position))
            workers.resize(1);
        if (m_mapping.mode == CrossbarMode::LowLatency && layer(position).as<WindowWork>() &&
            out.pixels() == 1)
            for (const CoreId core : coresBeside(workers, dealtOut(out)))
                add(core);
        return workers;
    }
    /// Shares of the channels of one pixel.
    static int dealtOut(const PixelMap& out) {
        constexpr int kLeast = 32; // elements of a vector: less is not worth a core
        return std::max(1, out.channels / kLeast);
    }
    /// LL: what a pool of the whole map takes comes after everything before, so more cores than have the map share it, up to \p most
    /// and to as many as still meet seldom: others of the same chips.
    /// [measured on SqueezeNet by the rules of PIMCOMP-NN: a tenth of a sample; 16 or 32 cores: the same]
    std::vector<CoreId> coresBeside(const std::vector<Worker>& workers, int most) const {
        constexpr int kEnough = 16;
        std::vector<CoreId> cores;
        const auto isOfWorkers = [&](CoreId core) {
            return std::ranges::any_of(workers, [&](const Worker& w) { return w.share.core == core; });
        };
        const auto isBeside = [&](CoreId core) {
            return std::ranges::any_of(
                workers, [&](const Worker& w) { return m_chip.chipOf(w.share.core) == m_chip.chipOf(core); });
        };
        const std::int64_t room = std::min(most, kEnough) - std::ssize(workers);
        for (const CoreId core : FirstIds<CoreId>(m_chip.cores()))
            if (std::ssize(cores) < room && !isOfWorkers(core) && isBeside(core))
                cores.push_back(core);
        return cores;
    }
    bool isPixelConcat(LayerId position) const {
        const auto* concat = layer(position).as<ConcatWork>();
        return concat && concat->axis == ConcatAxis::Pixels;
    }

    /// The first input must be made by the same cores in the same strips; other readers of a pool's input would need its border twice.
    bool canFuse(LayerId position) const {
        const CrossbarLayer& l = layer(position);
        const auto& sources = m_tasks.sources[primary(position).index()];
        if (sources.size() != 1 || m_tasks.shares[sources[0].layer.index()].empty() || l.as<ViewWork>() ||
            isPixelConcat(position))
            return false;
        const CrossbarLayer& before = layer(sources[0].layer);
        if (before.as<ViewWork>())
            return false;
        // A pool joins rows that shares of a transposed convolution compute apart.
        if (l.as<WindowWork>() && isApartByRows(sources[0].layer))
            return false;
        // The other operands of this sample must have been written in rounds before, or be handed on in this one.
        const int stage = m_tasks.stage[sources[0].layer.index()];
        for (const LayerId input : l.inputs)
            if (const int other = m_tasks.stage[input.index()];
                input != primary(position) &&
                (other > stage || (other == stage && !(m_grouping.on() && isComputed(input)))))
                return false;
        if (const auto* window = l.as<WindowWork>())
            return before.readers.size() == 1 && !before.isOutput && l.out.pixels() > 1 &&
                   window->window.strideX * 2 > window->window.kernelX &&
                   primary(position) == sources[0].layer &&
                   borderShare(l.out, window->window, std::ssize(m_tasks.shares[sources[0].layer.index()])) <=
                       m_mostTwice;
        return before.out.height == l.out.height && before.out.width == l.out.width;
    }

    /// Deals the map out: strips of columns, in as many parts of rows as rowParts() says.
    void layOut(LayerId position, std::vector<Worker> workers) {
        const CrossbarLayer& l = layer(position);
        auto& shares = m_tasks.shares[position.index()];
        if (const LayerId source = m_tasks.fusedWith[position.index()]; source.valid()) {
            if (!l.as<WindowWork>()) { // as its input, place by place
                for (std::size_t i = 0; i < workers.size(); ++i) {
                    workers[i].share.rows = workers[i].share.owned = m_tasks.shares[source.index()][i].owned;
                    m_tasks.rowsAtOnce[position.index()] = m_tasks.rowsAtOnce[source.index()];
                    finish(shares, std::move(workers[i].share), l);
                }
                return;
            }
        }
        const auto* normalise = l.as<NormaliseWork>();
        const bool apart =
            !l.matrix() &&
            !(normalise && normalise->kind != NormaliseKind::ScaleShift); // channels do not need each other
        if (apart && l.out.pixels() == 1 && workers.size() > 1) {
            dealChannels(position, std::move(workers));
            return;
        }
        if (!l.matrix() && isTiled(position) && followTiles(position, workers))
            return;
        const auto most = std::size_t(std::min<std::int64_t>(l.out.pixels(), std::ssize(workers)));
        workers.resize(most);
        // Where products span windows, what another strip has in the row above is multiplied again: borders are straight, and where
        // products are for whole columns of windows there are none between rows.
        const bool spans = l.matrix() && spansWindows(*l.matrix(), workers.front().share.unfolding);
        const bool byRow = spans && workers.front().share.unfolding == Unfolding::RowAcrossWindows;
        const bool straight = m_tasks.tiled[position.index()];
        const int parts = straight ? rowsOfTiles(l.out, std::ssize(workers))
                                   : rowParts(l.out, std::ssize(workers), isTiled(position) && !byRow);
        if (m_mapping.mode == CrossbarMode::LowLatency)
            m_tasks.rowsAtOnce[position.index()] = rowsOfBand(position);
        if (m_grouping.on())
            m_tasks.rowsAtOnce[position.index()] =
                std::max(1, (l.out.height / parts + kHandings - 1) / kHandings);
        std::vector<double> weights;
        for (const Worker& worker : workers)
            weights.push_back(worker.weight);
        auto cut = cutMap(l.out, weights, parts, straight || spans);
        for (std::size_t i = 0; i < workers.size(); ++i) {
            TaskShare& share = workers[i].share;
            share.rows = share.owned = std::move(cut[i]);
            finish(shares, std::move(share), l);
        }
    }

    /// HT: what a core computes of a vector layer lies where it computes the first input, so that it reads little
    /// from others. \returns false: then shares would be too uneven, or the input is none of these cores'.
    bool followTiles(LayerId position, std::vector<Worker>& workers) {
        constexpr double kUneven = 1.25; // vector work is seldom what a round waits for
        const CrossbarLayer& l = layer(position);
        const LayerId from = owner(position);
        const auto* window = l.as<WindowWork>();
        if (!from.valid() || l.as<ViewWork>() || isPixelConcat(position) ||
            l.out.pixels() < 2 * std::ssize(workers))
            return false;
        const auto& sources = m_tasks.shares[from.index()];
        const PixelMap& in = layer(from).out;
        if (!std::ranges::equal(
                workers, sources, {}, [](const Worker& w) { return w.share.core; }, &TaskShare::core) ||
            (!window && (in.height != l.out.height || in.width != l.out.width)))
            return false;
        // The pixel in the middle of a window says whose it is.
        const auto middle = [](int at, int stride, int pad, int kernel, int size) {
            return std::clamp(at * stride - pad + (kernel - 1) / 2, 0, size - 1);
        };
        std::vector<int> column(std::size_t(l.out.width));
        for (int x = 0; x < l.out.width; ++x)
            column[std::size_t(x)] = window ? middle(x, window->window.strideX, window->window.padLeft,
                                                     window->window.kernelX, in.width)
                                            : x;
        std::int64_t most = 0;
        for (std::size_t i = 0; i < workers.size(); ++i) {
            TaskShare& share = workers[i].share;
            share.rows.assign(std::size_t(l.out.height), {});
            std::int64_t pixels = 0;
            for (int y = 0; y < l.out.height; ++y) {
                const int row = window ? middle(y, window->window.strideY, window->window.padTop,
                                                window->window.kernelY, in.height)
                                       : y;
                const ColumnSpan owned = sources[i].owned[std::size_t(row)];
                const auto begin = std::ranges::lower_bound(column, owned.begin),
                           end = std::ranges::lower_bound(column, owned.end);
                share.rows[std::size_t(y)] = {int(begin - column.begin()), int(end - column.begin())};
                pixels += share.rows[std::size_t(y)].size();
            }
            most = std::max(most, pixels);
        }
        if (double(most) * double(workers.size()) > kUneven * double(l.out.pixels()))
            return false;
        for (Worker& worker : workers) {
            worker.share.owned = worker.share.rows;
            finish(m_tasks.shares[position.index()], std::move(worker.share), l);
        }
        return true;
    }

    /// LL: a tile is one band.
    int rowsOfBand(LayerId position) const {
        const CrossbarLayer& l = layer(position);
        const int height = l.out.height, bands = m_tasks.tiled[position.index()] ? 1 : m_mapping.tiles.bands;
        return bands == 0 || l.as<ViewWork>() || isPixelConcat(position) ? 1 : (height + bands - 1) / bands;
    }

    void dealChannels(LayerId position, std::vector<Worker> workers) {
        const CrossbarLayer& l = layer(position);
        const int parts = std::min(int(workers.size()), dealtOut(l.out));
        for (int part = 0; part < parts; ++part) {
            TaskShare share = std::move(workers[std::size_t(part)].share);
            share.rows = share.owned = {{0, 1}};
            share.channelBegin = int(std::int64_t(l.out.channels) * part / parts);
            share.channelEnd = int(std::int64_t(l.out.channels) * (part + 1) / parts);
            m_tasks.shares[position.index()].push_back(std::move(share));
        }
    }

    static void finish(std::vector<TaskShare>& shares, TaskShare share, const CrossbarLayer& l) {
        share.channelEnd = l.out.channels;
        shares.push_back(std::move(share));
    }

    /// What a fused pool needs beyond the strip is computed here as well. Readers come before: they are wider already.
    void widen(LayerId position) {
        const CrossbarLayer& l = layer(position);
        const LayerId source = m_tasks.fusedWith[position.index()];
        if (!source.valid())
            return;
        auto& shares = m_tasks.shares[position.index()];
        auto& sources = m_tasks.shares[source.index()];
        const PixelMap& in = layer(source).out;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            TaskShare& from = sources[i];
            if (l.as<WindowWork>())
                for (ColumnSpan& span : from.rows)
                    span = {};
            for (int y = 0; y < l.out.height; ++y) {
                const ColumnSpan span = shares[i].rows[std::size_t(y)];
                if (span.empty())
                    continue;
                const InputWindow window = inputWindow(l, in, 0, y, span);
                for (int row = window.rowBegin; row < window.rowEnd; row += window.rowStep)
                    if (row >= 0 && row < in.height)
                        from.rows[std::size_t(row)].include(
                            {std::max(0, window.columns.begin), std::min(in.width, window.columns.end)});
            }
        }
        for (std::size_t i = shares.size(); i < sources.size() && l.as<WindowWork>(); ++i)
            for (ColumnSpan& span : sources[i].rows)
                span = {};
    }

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const CrossbarMapping& m_mapping;
    bool m_fuse;
    double m_mostTwice;
    const StageGrouping& m_grouping;
    CrossbarTasks m_tasks;
    std::vector<int> m_depth; ///< [layer] of those it waits for in its stage.
    RoundTimes m_times;
};

} // namespace

CrossbarTasks dealOutTasks(const CrossbarNetwork& network, const CrossbarChip& chip,
                           const CrossbarMapping& mapping, bool fuse, double mostTwice,
                           const StageGrouping& grouping) {
    return TaskDealer(network, chip, mapping, fuse, mostTwice, grouping).run();
}

} // namespace pim
