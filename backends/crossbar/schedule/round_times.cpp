// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/round_times.h"

#include "backends/crossbar/schedule/input_pieces.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim {

std::vector<std::vector<LayerId>> handingGroups(const CrossbarNetwork& network, const CrossbarTasks& tasks) {
    const std::size_t layers = network.layers.size();
    std::vector<std::size_t> parent(layers); // [layer], of a forest: a tree for each group
    std::iota(parent.begin(), parent.end(), 0);
    const auto group = [&parent](std::size_t at) {
        while (parent[at] != at)
            at = parent[at] = parent[parent[at]];
        return at;
    };
    std::vector<bool> handsOn(layers, false);
    for (const LayerId reader : FirstIds<LayerId>(layers))
        for (const LayerId input : network.at(reader).inputs)
            for (const PixelSource& source : tasks.sources[input.index()]) {
                if (!tasks.together(reader, source.layer))
                    continue;
                const std::size_t from = group(reader.index()), to = group(source.layer.index());
                handsOn[to] = handsOn[from] || handsOn[to] || tasks.handedOn[source.layer.index()];
                parent[from] = to;
            }
    std::vector<std::vector<LayerId>> found(layers);
    for (std::size_t i = 0; i < layers; ++i)
        if (handsOn[group(i)] && !tasks.shares[i].empty())
            found[group(i)].push_back(LayerId(i));
    std::erase_if(found, [](const auto& one) { return one.empty(); });
    return found;
}

RoundTimes::RoundTimes(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarTasks& tasks,
                       double roundNs)
    : m_network(network), m_chip(chip), m_tasks(tasks), m_roundNs(roundNs), m_layers(network.layers.size()),
      m_least(network.layers.size(), -1) {}

/// No pace is faster: the products of an array group follow one another, those of a core are issued one by
/// one. Vector layers: their operands through the vector unit once.
double RoundTimes::leastPart(LayerId position) const {
    const CrossbarLayer& l = layer(position);
    double longest = 0;
    for (const TaskShare& share : m_tasks.shares[position.index()]) {
        double pixels = 0;
        for (const ColumnSpan span : share.rows)
            pixels += span.size();
        if (!l.matrix()) {
            const auto* pool = l.as<WindowWork>();
            const double operands = pool ? pool->window.kernel() : double(l.inputs.size());
            const double bytes =
                pixels * (share.channelEnd - share.channelBegin) * operands * m_chip.activationBytes();
            longest = std::max(longest, bytes / m_chip.vectorBytes * m_chip.vectorNs);
            continue;
        }
        const auto products = double(productsOf(l, share));
        longest = std::max(longest, std::ceil(products / double(share.replicas.size())) * m_chip.mvmNs);
        for (const TaskMember& member : share.members)
            longest = std::max(longest, products * double(member.groups.size()) * m_chip.mvmIssueNs);
    }
    return longest / m_roundNs;
}

/// When all a row of a layer reads of its own stage is there.
double RoundTimes::readyAt(LayerId position, int y, ColumnSpan span) const {
    const CrossbarLayer& l = layer(position);
    float ready = 0;
    for (std::size_t input = 0; input < l.inputs.size(); ++input)
        for (const PixelSource& source : m_tasks.sources[l.inputs[input].index()]) {
            const PixelMap& map = layer(source.layer).out;
            const std::vector<float>& made = m_layers[source.layer.index()].made;
            if (!m_tasks.together(position, source.layer) || made.empty())
                continue;
            const InputWindow window = inputWindow(l, map, input, y, span);
            const int begin = std::max(0, window.columns.begin),
                      end = std::min(map.width, window.columns.end);
            for (int row = window.rowBegin; row < std::min(window.rowEnd, map.height); row += window.rowStep)
                for (int x = begin; row >= 0 && x < end; ++x)
                    ready = std::max(ready, made[std::size_t(row) * std::size_t(map.width) + std::size_t(x)]);
        }
    return ready;
}

double RoundTimes::place(LayerId position, double part) {
    const CrossbarLayer& l = layer(position);
    Layer& times = m_layers[position.index()];
    double& least = m_least[position.index()];
    if (least < 0)
        least = leastPart(position);
    // What takes results at once, or reads them as vectors, follows them at their pace.
    bool follows = false;
    for (const LayerId input : l.inputs)
        for (const PixelSource& source : m_tasks.sources[input.index()])
            follows = follows || (!l.matrix() && m_tasks.together(position, source.layer));
    const bool fused = m_tasks.fusedWith[position.index()].valid();
    const double length = fused ? 0 : std::max(least, follows ? 0 : part);
    const double through = l.matrix() ? m_chip.mvmNs / m_roundNs : 0; // the last product
    const auto& shares = m_tasks.shares[position.index()];
    times.shares.assign(shares.size(), {});
    times.made.assign(std::size_t(l.out.pixels()), 0);
    double last = 0;
    for (std::size_t number = 0; number < shares.size(); ++number) {
        const TaskShare& share = shares[number];
        const double pixels = std::accumulate(share.rows.begin(), share.rows.end(), 0.0,
                                              [](double sum, ColumnSpan span) { return sum + span.size(); });
        times.shares[number].resize(share.rows.size());
        double now = 0;
        for (int y = 0; y < std::ssize(share.rows); ++y) {
            const ColumnSpan span = share.rows[std::size_t(y)];
            if (span.empty())
                continue;
            RowTime& row = times.shares[number][std::size_t(y)];
            row.begin = std::max(now, readyAt(position, y, span));
            row.end = now = row.begin + length * span.size() / pixels;
        }
        for (int y = 0; y < std::ssize(share.rows); ++y) {
            const ColumnSpan owned = share.owned[std::size_t(y)];
            double handed = now; // with the last row of those handed on together
            for (int row = std::min<int>(m_tasks.handedAfter(share, y), int(share.rows.size())) - 1; row >= y;
                 --row)
                if (!share.rows[std::size_t(row)].empty()) {
                    handed = times.shares[number][std::size_t(row)].end;
                    break;
                }
            for (int x = owned.begin; x < owned.end; ++x) {
                float& made = times.made[std::size_t(y) * std::size_t(l.out.width) + std::size_t(x)];
                made = std::max(made, float(handed + through)); // channels may come from several shares
            }
        }
        last = std::max(last, now + through);
    }
    return last;
}

void RoundTimes::spread() {
    constexpr int kSteps = 8; // pace to 1/256 of a round
    for (Layer& times : m_layers)
        times = {};
    for (const std::vector<LayerId>& group : handingGroups(m_network, m_tasks)) {
        const auto end = [&](double part) {
            double last = 0;
            for (const LayerId position : group)
                last = std::max(last, place(position, part));
            return last;
        };
        double slow = 1, fast = 0;
        for (int step = 0; step < kSteps; ++step) {
            const double part = (slow + fast) / 2;
            (end(part) <= 1 ? fast : slow) = part;
        }
        end(fast);
    }
}

std::vector<std::vector<RowTime>> RoundTimes::take(LayerId position) {
    return std::move(m_layers[position.index()].shares);
}

} // namespace pim
