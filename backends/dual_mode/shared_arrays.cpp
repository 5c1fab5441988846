// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/shared_arrays.h"

#include <algorithm>
#include <limits>

namespace pim {
namespace {

/// Maximum flow for a few dozen nodes (Dinic, Soviet Math. Doklady 11, 1970).
class DualModeFlow {
public:
    explicit DualModeFlow(int nodes) : m_first(static_cast<std::size_t>(nodes)) {}

    int addArc(int from, int to, int capacity) {
        const int id = static_cast<int>(m_arcs.size());
        m_arcs.push_back({to, capacity});
        m_arcs.push_back({from, 0});
        m_first[static_cast<std::size_t>(from)].push_back(id);
        m_first[static_cast<std::size_t>(to)].push_back(id + 1);
        return id;
    }
    int flowOn(int arc) const { return m_arcs[static_cast<std::size_t>(arc) + 1].left; }

    int maximum(int source, int sink) {
        int flow = 0;
        while (findLevels(source, sink)) {
            m_next.assign(m_first.size(), 0);
            while (const int pushed = push(source, sink, std::numeric_limits<int>::max()))
                flow += pushed;
        }
        return flow;
    }

private:
    struct Arc {
        int to, left;
    };

    bool findLevels(int source, int sink) {
        m_level.assign(m_first.size(), -1);
        m_queue.assign(1, source);
        m_level[static_cast<std::size_t>(source)] = 0;
        for (std::size_t head = 0; head < m_queue.size(); ++head) {
            const auto node = static_cast<std::size_t>(m_queue[head]);
            for (const int id : m_first[node]) {
                const Arc& arc = m_arcs[static_cast<std::size_t>(id)];
                if (arc.left > 0 && m_level[static_cast<std::size_t>(arc.to)] < 0) {
                    m_level[static_cast<std::size_t>(arc.to)] = m_level[node] + 1;
                    m_queue.push_back(arc.to);
                }
            }
        }
        return m_level[static_cast<std::size_t>(sink)] >= 0;
    }

    int push(int at, int sink, int limit) {
        if (at == sink)
            return limit;
        const auto node = static_cast<std::size_t>(at);
        for (; m_next[node] < m_first[node].size(); ++m_next[node]) {
            const int id = m_first[node][m_next[node]];
            Arc& arc = m_arcs[static_cast<std::size_t>(id)];
            if (arc.left <= 0 || m_level[static_cast<std::size_t>(arc.to)] != m_level[node] + 1)
                continue;
            if (const int pushed = push(arc.to, sink, std::min(limit, arc.left))) {
                arc.left -= pushed;
                m_arcs[static_cast<std::size_t>(id ^ 1)].left += pushed;
                return pushed;
            }
        }
        return 0;
    }

    std::vector<Arc> m_arcs;
    std::vector<std::vector<int>> m_first;
    std::vector<int> m_level, m_queue;
    std::vector<std::size_t> m_next;
};

struct Link {
    int from = 0, to = 0, cap = 0, edge = 0; ///< edge: where its arrays are counted.
};

/// What is left of the graph once leaves are taken; recursion of the branching works on copies.
struct SharingCore {
    std::vector<int> limit; ///< One a node.
    std::vector<Link> links;
};

class Sharing {
public:
    Sharing(int edges, int need) : m_need(need), m_best(static_cast<std::size_t>(edges), 0) {}

    int run(SharingCore core, std::vector<int>& shared) {
        explore(std::move(core), std::vector<int>(m_best.size(), 0), 0);
        shared = m_best;
        return m_bestTotal;
    }

private:
    static int& at(std::vector<int>& values, int index) { return values[static_cast<std::size_t>(index)]; }

    static int take(SharingCore& core, Link& link, std::vector<int>& chosen) {
        const int arrays = std::min({link.cap, at(core.limit, link.from), at(core.limit, link.to)});
        at(core.limit, link.from) -= arrays;
        at(core.limit, link.to) -= arrays;
        link.cap -= arrays;
        at(chosen, link.edge) += arrays;
        return arrays;
    }

    /// Drops links that cannot carry anything and takes those with a leaf at one end, as long as there are
    /// any: a leaf has no other use for its arrays, so taking as many as possible is never wrong.
    static int takeLeaves(SharingCore& core, std::vector<int>& chosen) {
        int taken = 0;
        std::vector<int> degree;
        for (bool again = true; again;) {
            again = false;
            std::erase_if(core.links, [&](Link& link) {
                link.cap = std::min({link.cap, at(core.limit, link.from), at(core.limit, link.to)});
                return link.cap <= 0;
            });
            degree.assign(core.limit.size(), 0);
            for (const Link& link : core.links) {
                ++at(degree, link.from);
                ++at(degree, link.to);
            }
            for (Link& link : core.links)
                if (link.cap > 0 && (at(degree, link.from) == 1 || at(degree, link.to) == 1)) {
                    taken += take(core, link, chosen);
                    // What it could not take it never will: its leaf is empty, its cap used up, or the other
                    // end is.
                    link.cap = 0;
                    --at(degree, link.from);
                    --at(degree, link.to);
                    again = true;
                }
        }
        return taken;
    }

    /// Parts that no link joins: solved apart, so that odd cycles of one do not multiply the branches of
    /// another.
    static std::vector<SharingCore> components(const SharingCore& core) {
        std::vector<int> part(core.limit.size());
        for (std::size_t node = 0; node < part.size(); ++node)
            part[node] = static_cast<int>(node);
        for (bool joined = true; joined;) {
            joined = false;
            for (const Link& link : core.links) {
                int &a = at(part, link.from), &b = at(part, link.to);
                joined = joined || a != b;
                a = b = std::min(a, b);
            }
        }
        std::vector<SharingCore> parts;
        std::vector<int> position(core.limit.size(), -1);
        for (const Link& link : core.links) {
            int& index = at(position, at(part, link.from));
            if (index < 0) {
                index = static_cast<int>(parts.size());
                parts.push_back({core.limit, {}});
            }
            parts[static_cast<std::size_t>(index)].links.push_back(link);
        }
        return parts;
    }

    /// Side 0 or 1 of every node, or empty where there is an odd cycle.
    static std::vector<int> sides(const SharingCore& core) {
        std::vector<int> side(core.limit.size(), -1);
        for (const Link& start : core.links) {
            if (at(side, start.from) >= 0)
                continue;
            at(side, start.from) = 0;
            for (bool grown = true; grown;) {
                grown = false;
                for (const Link& link : core.links) {
                    int &a = at(side, link.from), &b = at(side, link.to);
                    if (a >= 0 && b >= 0) {
                        if (a == b)
                            return {};
                    } else if (a >= 0) {
                        b = 1 - a;
                        grown = true;
                    } else if (b >= 0) {
                        a = 1 - b;
                        grown = true;
                    }
                }
            }
        }
        return side;
    }

    static int takeBipartite(SharingCore& core, const std::vector<int>& side, std::vector<int>& chosen) {
        const int nodes = static_cast<int>(core.limit.size());
        DualModeFlow flow(nodes + 2);
        for (int node = 0; node < nodes; ++node)
            if (side[static_cast<std::size_t>(node)] >= 0)
                side[static_cast<std::size_t>(node)] == 0
                    ? flow.addArc(nodes, node, at(core.limit, node))
                    : flow.addArc(node, nodes + 1, at(core.limit, node));
        std::vector<int> arcs;
        for (const Link& link : core.links) {
            const bool forward = side[static_cast<std::size_t>(link.from)] == 0;
            arcs.push_back(
                flow.addArc(forward ? link.from : link.to, forward ? link.to : link.from, link.cap));
        }
        const int total = flow.maximum(nodes, nodes + 1);
        for (std::size_t i = 0; i < core.links.size(); ++i)
            at(chosen, core.links[i].edge) += flow.flowOn(arcs[i]);
        return total;
    }

    /// Twice the best value with halves allowed: maximum flow where every node stands on both sides.
    /// [half-integrality of b-matching: Schrijver, Combinatorial Optimization, §31]
    static int halves(const SharingCore& core, std::vector<int>& twice) {
        const int nodes = static_cast<int>(core.limit.size());
        DualModeFlow flow(2 * nodes + 2);
        for (int node = 0; node < nodes; ++node) {
            flow.addArc(2 * nodes, node, core.limit[static_cast<std::size_t>(node)]);
            flow.addArc(nodes + node, 2 * nodes + 1, core.limit[static_cast<std::size_t>(node)]);
        }
        std::vector<int> arcs;
        for (const Link& link : core.links) {
            arcs.push_back(flow.addArc(link.from, nodes + link.to, link.cap));
            arcs.push_back(flow.addArc(link.to, nodes + link.from, link.cap));
        }
        const int total = flow.maximum(2 * nodes, 2 * nodes + 1);
        twice.clear();
        for (std::size_t i = 0; i < core.links.size(); ++i)
            twice.push_back(flow.flowOn(arcs[2 * i]) + flow.flowOn(arcs[2 * i + 1]));
        return total;
    }

    /// Makes halves whole: along a trail of links with halves, up and down in turn. Trails that end at two
    /// nodes lose nothing (an end has half an array to spare), closed ones of odd length lose one half.
    /// \returns a link that lost its half in such an odd trail, -1 if none did.
    static int round(const SharingCore& core, std::vector<int>& twice) {
        const std::size_t nodes = core.limit.size();
        std::vector<std::vector<int>> open(nodes);
        for (std::size_t i = 0; i < core.links.size(); ++i)
            if (twice[i] % 2 != 0) {
                open[static_cast<std::size_t>(core.links[i].from)].push_back(static_cast<int>(i));
                open[static_cast<std::size_t>(core.links[i].to)].push_back(static_cast<int>(i));
            }
        const auto isOpen = [&](int link) { return twice[static_cast<std::size_t>(link)] % 2 != 0; };
        const auto degree = [&](std::size_t node) {
            std::erase_if(open[node], [&](int link) { return !isOpen(link); });
            return open[node].size();
        };
        int lost = -1;
        // Odd nodes first: a trail from one ends at another.
        for (const bool odd : {true, false})
            for (std::size_t start = 0; start < nodes; ++start)
                while (odd ? degree(start) % 2 == 1 : degree(start) > 0) {
                    std::vector<int> trail;
                    std::vector<char> used(core.links.size(), 0);
                    std::size_t node = start;
                    for (;;) {
                        const auto next = std::find_if(open[node].begin(), open[node].end(), [&](int link) {
                            return isOpen(link) && used[static_cast<std::size_t>(link)] == 0;
                        });
                        if (next == open[node].end())
                            break;
                        trail.push_back(*next);
                        used[static_cast<std::size_t>(*next)] = 1;
                        const Link& link = core.links[static_cast<std::size_t>(*next)];
                        node = static_cast<std::size_t>(link.from) == node
                                   ? static_cast<std::size_t>(link.to)
                                   : static_cast<std::size_t>(link.from);
                    }
                    // An open trail gains where it starts upwards; a closed odd one must start and end
                    // downwards.
                    const bool closed = node == start;
                    int step = closed && trail.size() % 2 == 1 ? -1 : 1;
                    if (step < 0)
                        lost = trail.front();
                    for (const int link : trail) {
                        at(twice, link) += step;
                        step = -step;
                    }
                }
        return lost;
    }

    bool done() const { return m_need >= 0 && m_bestTotal >= m_need; }

    void keep(std::vector<int> chosen, int total) {
        if (total > m_bestTotal) {
            m_bestTotal = total;
            m_best = std::move(chosen);
        }
    }

    void explore(SharingCore core, std::vector<int> chosen, int total) {
        total += takeLeaves(core, chosen);
        if (core.links.empty())
            return keep(std::move(chosen), total);
        if (const std::vector<int> side = sides(core); !side.empty()) {
            total += takeBipartite(core, side, chosen);
            return keep(std::move(chosen), total);
        }
        if (std::vector<SharingCore> parts = components(core); parts.size() > 1) {
            for (SharingCore& part : parts) {
                std::vector<int> shared;
                total += Sharing(static_cast<int>(chosen.size()), -1).run(std::move(part), shared);
                for (std::size_t edge = 0; edge < chosen.size(); ++edge)
                    chosen[edge] += shared[edge];
            }
            return keep(std::move(chosen), total);
        }
        std::vector<int> twice;
        const int bound = total + halves(core, twice) / 2;
        if (bound <= m_bestTotal || bound < m_need)
            return;
        const std::vector<int> exact = twice;
        const int lost = round(core, twice);
        std::vector<int> rounded = chosen;
        int sum = total;
        for (std::size_t i = 0; i < twice.size(); ++i) {
            at(rounded, core.links[i].edge) += twice[i] / 2;
            sum += twice[i] / 2;
        }
        keep(std::move(rounded), sum);
        if (m_bestTotal >= bound || done() || lost < 0)
            return;
        // Two odd trails each lost a half: one of their links goes up to the whole, or stays below it.
        const auto branch = static_cast<std::size_t>(lost);
        const int below = exact[branch] / 2;
        SharingCore up = core;
        const Link& link = up.links[branch];
        const int force = below + 1;
        at(up.limit, link.from) -= force;
        at(up.limit, link.to) -= force;
        up.links[branch].cap -= force;
        std::vector<int> forced = chosen;
        at(forced, link.edge) += force;
        explore(std::move(up), std::move(forced), total + force);
        if (done() || m_bestTotal >= bound)
            return;
        core.links[branch].cap = below;
        explore(std::move(core), std::move(chosen), total);
    }

    int m_need;
    int m_bestTotal = -1;
    std::vector<int> m_best;
};

} // namespace

int shareArrays(const std::vector<int>& memory, const std::vector<AllocationEdge>& edges, int need,
                std::vector<int>& shared) {
    SharingCore core;
    core.limit = memory;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const AllocationEdge& edge = edges[i];
        const int cap = std::min({edge.cap, memory[static_cast<std::size_t>(edge.from)],
                                  memory[static_cast<std::size_t>(edge.to)]});
        if (cap > 0)
            core.links.push_back({edge.from, edge.to, cap, static_cast<int>(i)});
    }
    shared.assign(edges.size(), 0);
    if (core.links.empty())
        return 0;
    return std::max(0, Sharing(static_cast<int>(edges.size()), need).run(std::move(core), shared));
}

} // namespace pim
