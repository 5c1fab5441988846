// SPDX-License-Identifier: GPL-3.0-or-later
// TOPK: the largest elements, descending, of equals the first. SIM-DOT and SIM-L2: rows of a table by their product with a query, or by
// their distance from it. Every tasklet keeps a sorted list of the best of its own part, these are joined two by two, those of the
// DPUs by the host. An element that is no better than the last of a full list costs one comparison.
#include "backends/upmem/benchmarks/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace pim::upmem {
namespace {

constexpr std::int64_t kBestBlockBytes = 1024;
constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max(),
                       kSmallest = std::numeric_limits<std::int32_t>::min();

/// A list of pairs, value and place, for each tasklet: pairs 1 to \p wanted are the best so far, in order. Pair 0 is better than all, and
/// the one behind the last takes what is pushed out.
class BestLists {
public:
    BestLists(BenchmarkBuilder& make, std::int64_t wanted)
        : m_make(make), k(make.code()), m_wanted(make.size("WANTED", wanted, "best ones")),
          m_lists(k.shared("lists", Element::I32, pitch() * make.tasklets(),
                           "pairs of value and place, sorted, of each tasklet")),
          m_counts(k.shared("counts", Element::U32, make.tasklets(), "of each list")),
          m_best(k.shared("best", Element::I32, m_wanted * 2, "value and place, of the DPU", true)),
          m_found(k.shared("found", Element::U32, make.number(1), "of the best ones", true)),
          m_mine(k.pointer("my_list", Element::I32, m_lists + k.me() * pitch())),
          m_count(k.variable("count", Element::U32, make.number(0))),
          m_least(k.variable("least", Element::I32, make.number(kSmallest))) {
        k.store(m_mine, 0, make.number(kLargest));
    }

    /// \param place is evaluated only where the value is taken.
    void offer(TaskletValue value, const std::function<TaskletValue()>& place) {
        k.when(
            value >= m_least,
            [&] {
                const TaskletValue at = k.pointer("before", Element::I32, m_mine + m_count * 2);
                k.loopWhile(k.load(at) < value, m_wanted, [&] {
                    k.store(at, 2, k.load(at));
                    k.store(at, 3, k.load(at, 1));
                    k.set(at, at + -2);
                });
                k.store(at, 2, value);
                k.store(at, 3, place());
                k.set(m_count, min(m_count + 1, m_wanted));
                k.when(m_count == m_wanted, [&] {
                    k.set(m_least, min(k.load(m_mine, m_wanted * 2), m_make.number(kLargest - 1)) + 1);
                });
            },
            {}, 16);
    }

    /// Lists are joined two by two, until the first tasklet has the one of the DPU.
    void join() {
        k.store(m_counts, k.me(), m_count);
        const TaskletValue step = k.variable("step", Element::U32, m_make.number(1));
        k.loopWhile(step < m_make.tasklets(), m_make.number(4), [&] {
            k.barrier();
            k.when((k.me() & (step * 2 - 1)) == 0, [&] {
                const TaskletValue other = k.variable("other", Element::U32, k.me() + step);
                k.when(other < m_make.tasklets(), [&] { take(other); });
            });
            k.set(step, step * 2);
        });
        k.when(k.me() == 0, [&] {
            k.range("i", m_make.number(0), m_count * 2, m_make.number(1), m_wanted * 2,
                    [&](TaskletValue i) { k.store(m_best, i, k.load(m_mine, i + 2)); });
            k.store(m_found, 0, m_count);
        });
    }

    void describe(HostProgram& host, std::int64_t wanted, const std::string& input) const {
        host.outputs.push_back({"best", "value and place, descending", Element::I32, 2 * wanted, 2 * wanted,
                                HostOutput::Merge::Largest, input, "found"});
    }

private:
    TaskletValue pitch() const { return (m_wanted + 2) * 2; }

    /// The list of \p other goes into this tasklet's, from the last pair to the first, so that nothing is lost. Parts come in order: of
    /// equals those of this tasklet come first. Pair 0 is taken for none of them as long as the other list has some.
    void take(TaskletValue other) {
        const TaskletValue others = k.pointer("others", Element::I32, m_lists + other * pitch());
        const TaskletValue mine = k.pointer("mine", Element::I32, m_mine + m_count * 2);
        const TaskletValue all = k.variable("all", Element::U32, m_count + k.load(m_counts, other));
        const TaskletValue theirs = k.pointer("theirs", Element::I32, others + k.load(m_counts, other) * 2);
        k.set(m_count, min(all, m_wanted));
        k.store(m_counts, k.me(), m_count);
        k.comment("What has no place.");
        k.loopWhile(m_count < all, m_wanted, [&] {
            k.when(
                k.load(mine) >= k.load(theirs), [&] { k.set(theirs, theirs + -2); },
                [&] { k.set(mine, mine + -2); });
            k.set(all, all - 1);
        });
        const TaskletValue to = k.pointer("to", Element::I32, m_mine + m_count * 2);
        k.loopWhile(theirs != others, m_wanted, [&] {
            const auto moveFrom = [&](TaskletValue from) {
                k.store(to, 0, k.load(from));
                k.store(to, 1, k.load(from, 1));
                k.set(from, from + -2);
            };
            k.when(
                k.load(mine) >= k.load(theirs), [&] { moveFrom(theirs); }, [&] { moveFrom(mine); });
            k.set(to, to + -2);
        });
    }

    BenchmarkBuilder& m_make;
    TaskletCode& k;
    TaskletValue m_wanted, m_lists, m_counts, m_best, m_found, m_mine, m_count, m_least;
};

Result<void> checkWanted(std::int64_t wanted, std::int64_t of, std::string_view name) {
    if (wanted <= of)
        return {};
    return fail(ErrorCode::Usage, fmt::format("the best {} of {}; 1 to {} are possible", wanted, of, of),
                std::string(name));
}

/// Pairs of the best scores and where they stand.
std::vector<std::int32_t> bestOf(const std::vector<std::int32_t>& scores, std::int64_t wanted) {
    std::vector<std::int32_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::partial_sort(order, order.begin() + wanted, {}, [&](std::int32_t at) {
        return std::pair(-std::int64_t(scores[std::size_t(at)]), at);
    });
    std::vector<std::int32_t> pairs;
    for (std::int64_t i = 0; i < wanted; ++i) {
        pairs.push_back(scores[std::size_t(order[std::size_t(i)])]);
        pairs.push_back(order[std::size_t(i)]);
    }
    return pairs;
}

/// Calls visit with numbers of the type.
template <class Visit>
void withType(Element type, const Visit& visit) {
    if (type == Element::I8)
        visit(std::int8_t());
    else if (type == Element::I16)
        visit(std::int16_t());
    else
        visit(std::int32_t());
}

} // namespace

Result<BenchmarkCase> largest(const BenchmarkOptions& options) {
    const Element type = options.type.value_or(Element::I32);
    const std::int64_t width = bytesOf(type), n = options.size, wanted = options.second;
    PIM_CHECK(checkWanted(wanted, n, "TOPK"));
    const std::int64_t slice = roundedUp((n + options.dpus - 1) / options.dpus, 8 / width);
    const std::int64_t part = roundedUp((slice + options.tasklets - 1) / options.tasklets, 8 / width);
    BenchmarkBuilder make("TOPK", "the largest elements and where they stand", options);
    TaskletCode& k = make.code();
    const TaskletValue all = make.size("SLICE_BYTES", slice * width, "of a DPU");
    const TaskletValue own = make.size("PART_BYTES", part * width, "of a tasklet");
    const TaskletValue block = make.size("BLOCK_BYTES", kBestBlockBytes, "of a DMA");
    const TaskletValue a = make.slices("a", type, n, slice, all, "elements");
    const TaskletValue elements = k.own("block", type, block / width, "");
    const TaskletValue share = k.shared("elements", Element::U32, make.number(1), "of this DPU", true);
    make.host().arguments.push_back({"elements", HostArgument::What::Share, "a"});
    BestLists lists(make, wanted);
    lists.describe(make.host(), wanted, "a");
    const TaskletValue from = k.variable("from", Element::U32, k.me() * own);
    const TaskletValue to = k.variable("to", Element::U32, min(from + own, k.load(share) * width));
    const TaskletValue end = k.variable("end", Element::U32, min(from + own, all));
    k.range("at", from, to, block, (own + block - 1) / block, [&](TaskletValue at) {
        k.read(elements, a + at, min(block, end - at));
        const TaskletValue here = k.variable("here", Element::U32, min(block, to - at) / width);
        k.range("i", make.number(0), here, make.number(1), block / width, [&](TaskletValue i) {
            const TaskletValue value = k.variable("value", Element::I32, k.load(elements, i));
            lists.offer(value, [&] { return at / width + i; });
        });
    });
    lists.join();
    withType(type, [&]<class T>(T) {
        // half of them equal to others
        const auto x = seededNumbers<T>(n, std::max<std::int64_t>(std::numeric_limits<T>::min(), -n),
                                        std::min<std::int64_t>(std::numeric_limits<T>::max(), n), 22);
        make.input("a", x);
        make.expect("best", bestOf({x.begin(), x.end()}, wanted));
    });
    return make.finish();
}

namespace {

struct TableShape {
    std::int64_t rows = 0, dimensions = 0, wanted = 0;
    std::int64_t pitch = 0; ///< Elements from row to row.
    std::int64_t slice = 0; ///< Rows of a DPU.
    std::int64_t part = 0;  ///< Of a tasklet.
};

/// Scores of the rows of a tasklet.
class TableWriter {
public:
    TableWriter(BenchmarkBuilder& make, const TableShape& shape, Element type, bool isDistance)
        : m_make(make), k(make.code()), m_shape(shape), m_type(type), m_isDistance(isDistance),
          m_pitch(make.size("PITCH", shape.pitch, "elements of a row, padded with 0")),
          m_slice(make.size("SLICE", shape.slice, "rows of a DPU")),
          m_part(make.size("PART", shape.part, "rows of a tasklet")),
          m_block(make.size("BLOCK_BYTES", blockBytes(), "of a DMA")),
          m_table(k.array("table", type, m_slice * m_pitch * bytesOf(type), "rows")),
          m_queryArray(k.array("query", type, m_pitch * bytesOf(type), "")),
          m_query(k.shared("all_query", type, m_pitch, "")),
          m_rows(
              k.own("rows", type, m_block / bytesOf(type), "as many as there is room for, or a part of one")),
          m_share(k.shared("rows_here", Element::U32, make.number(1), "of this DPU", true)) {}

    void write(BestLists& lists) {
        k.when(k.me() == 0, [&] { k.readAll(m_query, m_queryArray, m_pitch * bytesOf(m_type)); });
        k.barrier();
        const TaskletValue from = k.variable("from", Element::U32, k.me() * m_part);
        const TaskletValue to = k.variable("to", Element::U32, min(from + m_part, k.load(m_share)));
        if (rowBytes() > kBestBlockBytes)
            longRows(lists, from, to);
        else
            shortRows(lists, from, to);
    }

private:
    std::int64_t rowBytes() const { return m_shape.pitch * bytesOf(m_type); }
    std::int64_t blockBytes() const {
        return rowBytes() > kBestBlockBytes
                   ? kBestBlockBytes
                   : std::min(kBestBlockBytes / rowBytes(), m_shape.part) * rowBytes();
    }

    void longRows(BestLists& lists, TaskletValue from, TaskletValue to) {
        const TaskletValue bytes = m_pitch * bytesOf(m_type);
        k.range("row", from, to, m_make.number(1), m_part, [&](TaskletValue row) {
            const TaskletValue score = k.variable("score", Element::I32, m_make.number(0));
            const TaskletValue begin = k.variable("begin", Element::U32, m_table + row * bytes);
            k.range("at", m_make.number(0), bytes, m_block, [&](TaskletValue at) {
                const TaskletValue here = k.variable("here", Element::U32, min(m_block, bytes - at));
                k.read(m_rows, begin + at, here);
                const TaskletValue query = k.pointer("query_here", m_type, m_query + at / bytesOf(m_type));
                addUp(score, m_rows, query, here / bytesOf(m_type), m_block / bytesOf(m_type));
            });
            lists.offer(ranked(score), [&] { return row; });
        });
    }

    void shortRows(BestLists& lists, TaskletValue from, TaskletValue to) {
        const TaskletValue bytes = m_pitch * bytesOf(m_type), together = m_block / bytes;
        k.range("base", from, to, together, (m_part + together - 1) / together, [&](TaskletValue base) {
            const TaskletValue end = k.variable("end_of_block", Element::U32, min(base + together, to));
            k.read(m_rows, m_table + base * bytes, (end - base) * bytes);
            const TaskletValue row = k.pointer("row", m_type, m_rows);
            k.range("i", base, end, m_make.number(1), together, [&](TaskletValue i) {
                const TaskletValue score = k.variable("score", Element::I32, m_make.number(0));
                addUp(score, row, m_query, m_pitch, m_pitch);
                k.set(row, row + m_pitch);
                lists.offer(ranked(score), [&] { return i; });
            });
        });
    }

    void addUp(TaskletValue score, TaskletValue row, TaskletValue query, TaskletValue elements,
               TaskletValue turns) {
        const std::int64_t together = 8 / bytesOf(m_type);
        k.range("j", m_make.number(0), elements, m_make.number(together), turns / together,
                [&](TaskletValue j) {
                    k.unrolled(together, [&](TaskletValue copy) {
                        const TaskletValue a = k.load(row, j + copy), b = k.load(query, j + copy);
                        if (!m_isDistance)
                            return k.add(score, a * b);
                        // a difference of bytes is a half word, whose product needs no call
                        const TaskletValue apart =
                            k.variable("apart", m_type == Element::I8 ? Element::I16 : Element::I32, a - b);
                        k.add(score, apart * apart);
                    });
                });
    }

    TaskletValue ranked(TaskletValue score) {
        return m_isDistance ? k.variable("rank", Element::I32, m_make.number(0) - score) : score;
    }

    BenchmarkBuilder& m_make;
    TaskletCode& k;
    const TableShape& m_shape;
    Element m_type;
    bool m_isDistance;
    TaskletValue m_pitch, m_slice, m_part, m_block, m_table, m_queryArray, m_query, m_rows, m_share;
};

void describeTable(HostProgram& host, const TableShape& shape, Element type) {
    HostInput table{"table",
                    "rows",
                    type,
                    shape.rows * shape.dimensions,
                    HostInput::Split::Slices,
                    shape.slice * shape.pitch};
    table.row = shape.dimensions;
    table.pitch = shape.pitch;
    host.inputs.push_back(std::move(table));
    host.inputs.push_back({"query", "", type, shape.dimensions, HostInput::Split::Copies, shape.pitch});
    host.arguments.push_back({"rows_here", HostArgument::What::Share, "table"});
}

Result<BenchmarkCase> similar(const BenchmarkOptions& options, bool isDistance) {
    const Element type = options.type.value_or(Element::I8);
    const std::string name = isDistance ? "SIM-L2" : "SIM-DOT";
    TableShape shape{options.size, options.second, options.third};
    PIM_CHECK(checkWanted(shape.wanted, shape.rows, name));
    shape.pitch = roundedUp(shape.dimensions, 8 / bytesOf(type));
    shape.slice = (shape.rows + options.dpus - 1) / options.dpus;
    shape.part = (shape.slice + options.tasklets - 1) / options.tasklets;
    BenchmarkBuilder make(name,
                          isDistance ? "rows nearest to a query; minus the square of the distance"
                                     : "rows with the largest product with a query",
                          options);
    TableWriter writer(make, shape, type, isDistance);
    BestLists lists(make, shape.wanted);
    writer.write(lists);
    lists.join();
    describeTable(make.host(), shape, type);
    lists.describe(make.host(), shape.wanted, "table");
    withType(type, [&]<class T>(T) { // so small that no score overflows
        const auto table = seededNumbers<T>(shape.rows * shape.dimensions, -100, 100, 23);
        const auto query = seededNumbers<T>(shape.dimensions, -100, 100, 24);
        std::vector<std::int32_t> scores;
        for (std::size_t at = 0; at < table.size(); at += query.size()) {
            std::int32_t score = 0;
            for (std::size_t d = 0; d < query.size(); ++d) {
                const std::int32_t a = table[at + d], b = query[d];
                score += isDistance ? -(a - b) * (a - b) : a * b;
            }
            scores.push_back(score);
        }
        make.input("table", table);
        make.input("query", query);
        make.expect("best", bestOf(scores, shape.wanted));
    });
    return make.finish();
}

} // namespace

Result<BenchmarkCase> similarByProduct(const BenchmarkOptions& options) {
    return similar(options, false);
}
Result<BenchmarkCase> similarByDistance(const BenchmarkOptions& options) {
    return similar(options, true);
}

} // namespace pim::upmem
