// SPDX-License-Identifier: GPL-3.0-or-later
// BFS: a launch for each distance. A DPU has some nodes with their edges; nodes reached are bits of words of 32, which stay in WRAM
// and which the host joins; it also knows which were reached before, so that DPUs need not.
#include "backends/upmem/benchmarks/build.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace pim::upmem {
namespace {

constexpr std::int64_t kChunk = 32;           ///< Nodes of a word.
constexpr std::int64_t kNeighbourBytes = 256; ///< Of a DMA.
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// In compressed rows: neighbours of node n from starts[n] on.
struct Graph {
    std::vector<std::uint32_t> starts, neighbours;
};

Graph randomGraph(std::int64_t nodes, std::int64_t edges) {
    std::mt19937_64 random(12);
    std::vector<std::vector<std::uint32_t>> rows(static_cast<std::size_t>(nodes));
    for (std::int64_t e = 0; e < edges; ++e) {
        const auto from = random() % std::uint64_t(nodes);
        rows[from].push_back(std::uint32_t(random() % std::uint64_t(nodes)));
    }
    Graph made{{0}, {}};
    for (const auto& row : rows) {
        made.neighbours.insert(made.neighbours.end(), row.begin(), row.end());
        made.starts.push_back(std::uint32_t(made.neighbours.size()));
    }
    return made;
}

std::vector<std::uint32_t> distances(const Graph& graph) {
    std::vector<std::uint32_t> made(graph.starts.size() - 1, kNever);
    std::deque<std::uint32_t> reached{0};
    made[0] = 0;
    for (; !reached.empty(); reached.pop_front()) {
        const std::uint32_t node = reached.front();
        for (std::uint32_t e = graph.starts[node]; e < graph.starts[node + 1]; ++e)
            if (made[graph.neighbours[e]] == kNever) {
                made[graph.neighbours[e]] = made[node] + 1;
                reached.push_back(graph.neighbours[e]);
            }
    }
    return made;
}

struct Search {
    TaskletValue starts, neighbours, levels; ///< In MRAM.
    TaskletValue next, level, first;
    TaskletValue someStarts, someLevels, someNeighbours; ///< In WRAM, of the tasklet.
};

/// Bits of the neighbours of node \p n of the chunk.
void visit(BenchmarkBuilder& make, const Search& s, TaskletValue n) {
    TaskletCode& code = make.code();
    const std::int64_t most = kNeighbourBytes / 4;
    code.store(s.someLevels, n, code.load(s.level));
    const TaskletValue edge = code.variable("edge", Element::U32, code.load(s.someStarts, n) - s.first);
    const TaskletValue end = code.variable("end", Element::U32, code.load(s.someStarts, n + 1) - s.first);
    code.comment("A DMA begins at an even edge.");
    const TaskletValue even = code.variable("even", Element::U32, edge & ~std::int64_t(1));
    code.range("from", even, end, make.number(most), make.number(1), [&](TaskletValue from) {
        const TaskletValue here = code.variable("here", Element::U32, min(make.number(most), end - from));
        code.read(s.someNeighbours, s.neighbours + from * 4, (here + 1) / 2 * 8);
        code.range("i", edge - from, here, make.number(1), make.number(4), [&](TaskletValue i) {
            const TaskletValue node = code.variable("node", Element::U32, code.load(s.someNeighbours, i));
            const TaskletValue bit = code.variable("bit", Element::U32, make.number(1) << (node & 31));
            const TaskletValue word = code.variable("word", Element::U32, node / 32);
            code.when((code.load(s.next, word) & bit) == 0, [&] {
                code.lock(0);
                code.store(s.next, word, code.load(s.next, word) | bit);
                code.unlock(0);
            });
        });
        code.set(edge, from + most);
    });
}

void kernel(BenchmarkBuilder& make, const Search& s, TaskletValue frontier, TaskletValue chunks,
            TaskletValue words) {
    TaskletCode& code = make.code();
    code.range("w", code.me(), words, make.tasklets(), (words + make.tasklets() - 1) / make.tasklets(),
               [&](TaskletValue w) { code.store(s.next, w, make.number(0)); });
    code.barrier();
    code.read(s.someStarts, s.starts, make.number(8));
    const TaskletValue first = code.variable("first", Element::U32, code.load(s.someStarts));
    Search here = s;
    here.first = first;
    code.range(
        "chunk", code.me(), chunks, make.tasklets(), (chunks + make.tasklets() - 1) / make.tasklets(),
        [&](TaskletValue chunk) {
            const TaskletValue reached = code.variable("reached", Element::U32, code.load(frontier, chunk));
            code.when(reached != 0, [&] {
                code.read(s.someStarts, s.starts + chunk * (kChunk * 4), make.number(kChunk * 4 + 8));
                code.read(s.someLevels, s.levels + chunk * (kChunk * 4), make.number(kChunk * 4));
                code.range("n", make.number(0), make.number(kChunk), make.number(1), [&](TaskletValue n) {
                    code.when((reached >> n & 1) != 0, [&] { visit(make, here, n); }, {}, kChunk);
                });
                code.write(s.someLevels, s.levels + chunk * (kChunk * 4), make.number(kChunk * 4));
            });
        });
}

} // namespace

Result<BenchmarkCase> breadthFirst(const BenchmarkOptions& options) {
    const Graph graph = randomGraph(options.size, options.second);
    const std::int64_t nodes = roundedUp((options.size + options.dpus - 1) / options.dpus, 64);
    const std::int64_t chunkCount = nodes / kChunk, wordCount = chunkCount * options.dpus;
    std::int64_t edges = 2;
    for (std::int64_t begin = 0; begin < options.size; begin += nodes)
        edges =
            std::max(edges, std::int64_t(graph.starts[std::size_t(std::min(begin + nodes, options.size))]) -
                                graph.starts[std::size_t(begin)]);
    edges = roundedUp(edges, 2);
    BenchmarkBuilder make("BFS", "distance of every node from node 0", options);
    TaskletCode& code = make.code();
    const TaskletValue nodesHere = make.size("NODES", nodes, "of a DPU, a multiple of 64");
    const TaskletValue chunks = make.size("CHUNKS", chunkCount, "of 32 nodes");
    const TaskletValue words = make.size("WORDS", wordCount, "of bits for all nodes");
    const TaskletValue edgesHere = make.size("EDGES", edges, "of the DPU with most");
    Search s{code.array("starts", Element::U32, nodesHere * 4 + 8,
                        "first edge of each node, counted over all DPUs"),
             code.array("neighbours", Element::U32, edgesHere * 4, "by edge"),
             code.array("levels", Element::U32, nodesHere * 4, "distances"),
             code.shared("next", Element::U32, words, "nodes reached, a bit each", true),
             code.shared("level", Element::U32, make.number(1), "of this launch", true),
             words,
             code.own("starts_here", Element::U32, make.number(kChunk + 2), ""),
             code.own("levels_here", Element::U32, make.number(kChunk), ""),
             code.own("neighbours_here", Element::U32, make.number(kNeighbourBytes / 4), "")};
    const TaskletValue frontier =
        code.shared("frontier", Element::U32, chunks, "nodes of this level, a bit each", true);
    kernel(make, s, frontier, chunks, words);

    using Split = HostInput::Split;
    HostProgram& host = make.host();
    host.inputs = {
        {"starts", "first edge of each node", Element::U32, options.size + 1, Split::Slices, nodes, 2},
        {"neighbours", "the other node of each edge", Element::U32, options.second, Split::Bounded, edges, 0,
         0, 0, "starts"},
        {"levels", "distances", Element::U32, options.size, Split::Slices, nodes, 0, 0, 0, {}, kNever},
        {"frontier", "nodes to begin with, a bit each", Element::U32, (options.size + 31) / 32, Split::Slices,
         chunkCount}};
    host.outputs = {{"levels", "distances; all bits set: out of reach", Element::U32, options.size, nodes},
                    {"next", "nodes reached", Element::U32, wordCount, wordCount, HostOutput::Merge::Or}};
    host.outputs[1].isFile = false;
    host.arguments.push_back({"level"});
    host.rounds = 0;
    host.fedBackFrom = "next";
    host.fedBackTo = "frontier";
    std::vector<std::uint32_t> begin(static_cast<std::size_t>((options.size + 31) / 32));
    begin[0] = 1;
    make.input("starts", graph.starts);
    make.input("neighbours", graph.neighbours);
    make.input("frontier", begin);
    make.expect("levels", distances(graph));
    return make.finish();
}

} // namespace pim::upmem
