// SPDX-License-Identifier: GPL-3.0-or-later
// MAJ: for each bit of a row, the value that most of its elements have; 0 where as many have either. Ones of all bits of a word are
// counted at once, in planes: plane p holds bit p of every count. Eight elements go through adders of three bits each (Harley and
// Seal), so that only every eighth addition carries on through the planes in WRAM.
#include "backends/upmem/benchmarks/build.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace pim::upmem {
namespace {

constexpr std::int64_t kVotesBlockBytes = 1024;
constexpr std::int64_t kVotesAtOnce =
    8; ///< Elements; rows are padded to as many, and so are results of a tasklet.

struct VoteShape {
    std::int64_t rows = 0, elements = 0;
    std::int64_t pitch = 0, slice = 0; ///< Elements from row to row; rows of a DPU.
    int planes = 0;                    ///< Bits of a count; more than three, as a row has eight elements.
};

class VoteWriter {
public:
    VoteWriter(BenchmarkBuilder& make, const VoteShape& shape, Element type)
        : m_make(make), k(make.code()), m_type(type), m_width(bytesOf(type)),
          m_rowBytes(make.size("ROW_BYTES", shape.pitch * m_width, "padded with 0")),
          m_rows(make.size("ROWS", shape.slice, "of a DPU")),
          m_planeCount(make.size("PLANES", shape.planes, "bits of a count")),
          m_half(make.size("HALF", shape.elements / 2, "of the elements of a row; more have to agree")),
          m_block(make.size("BLOCK_BYTES", kVotesBlockBytes, "of a DMA")),
          m_in(k.array("a", type, m_rows * m_rowBytes, "rows")),
          m_out(k.array("majority", type, m_rows * m_width, "of each row")),
          m_elements(k.own("block", type, m_block / m_width, "")),
          m_results(k.own("results", type, make.number(kVotesAtOnce), "of some rows")),
          m_planes(k.own("planes", Element::U32, make.number(roundedUp(shape.planes, 2)), "of the counts")),
          m_ones(k.variable("ones_of_counts", Element::U32, make.number(0))),
          m_twos(k.variable("twos_of_counts", Element::U32, make.number(0))),
          m_fours(k.variable("fours_of_counts", Element::U32, make.number(0))) {}

    void write() {
        const TaskletValue some = m_make.number(kVotesAtOnce);
        k.range(
            "first", k.me() * some, m_rows, some * m_make.tasklets(),
            (m_rows + some * m_make.tasklets() - 1) / (some * m_make.tasklets()), [&](TaskletValue first) {
                k.range("r", m_make.number(0), some, m_make.number(1), [&](TaskletValue r) {
                    const TaskletValue row = k.variable("row", Element::U32, m_in + (first + r) * m_rowBytes);
                    clear();
                    k.range("at", m_make.number(0), m_rowBytes, m_block, [&](TaskletValue at) {
                        const TaskletValue bytes =
                            k.variable("bytes", Element::U32, min(m_block, m_rowBytes - at));
                        k.read(m_elements, row + at, bytes);
                        k.range("i", m_make.number(0), bytes / m_width, some,
                                m_block / (m_width * kVotesAtOnce), [&](TaskletValue i) { addEight(i); });
                    });
                    k.store(m_results, r, moreThanHalf());
                });
                k.write(m_results, m_out + first * m_width, some * m_width);
            });
    }

private:
    void clear() {
        for (const TaskletValue plane : {m_ones, m_twos, m_fours})
            k.set(plane, m_make.number(0));
        k.range("p", m_make.number(0), m_planeCount, m_make.number(1),
                [&](TaskletValue p) { k.store(m_planes, p, m_make.number(0)); });
    }

    /// \p kept becomes the sum of three bits, the carry is given back.
    TaskletValue add(TaskletValue kept, TaskletValue a, TaskletValue b, const char* carry) {
        const TaskletValue apart = k.variable("apart", Element::U32, kept ^ a);
        const TaskletValue made = k.variable(carry, Element::U32, (kept & a) | (apart & b));
        k.set(kept, apart ^ b);
        return made;
    }

    void addEight(TaskletValue i) {
        const auto two = [&](std::int64_t at) {
            const TaskletValue a = k.variable("a_here", Element::U32, k.load(m_elements, i + at)),
                               b = k.variable("b_here", Element::U32, k.load(m_elements, i + (at + 1)));
            return add(m_ones, a, b, "twos");
        };
        const auto four = [&](std::int64_t at) {
            const TaskletValue a = two(at), b = two(at + 2);
            return add(m_twos, a, b, "fours");
        };
        const TaskletValue a = four(0), b = four(4);
        const TaskletValue carry = k.variable("carry", Element::U32, add(m_fours, a, b, "eights"));
        const TaskletValue p = k.variable("p", Element::U32, m_make.number(3));
        k.loopWhile(carry != 0, m_make.number(2), [&] {
            const TaskletValue plane = k.variable("plane", Element::U32, k.load(m_planes, p));
            k.store(m_planes, p, plane ^ carry);
            k.set(carry, carry & plane);
            k.add(p, m_make.number(1));
        });
    }

    /// Bits whose count is beyond the half: from the highest plane down, decided by the first that differs.
    TaskletValue moreThanHalf() {
        k.store(m_planes, 0, m_ones);
        k.store(m_planes, 1, m_twos);
        k.store(m_planes, 2, m_fours);
        const TaskletValue more = k.variable("more", Element::U32, m_make.number(0));
        const TaskletValue open = k.variable("open", Element::U32, m_make.number(0xffffffff));
        k.range("q", m_make.number(0), m_planeCount, m_make.number(1), [&](TaskletValue q) {
            const TaskletValue p = k.variable("from_above", Element::U32, m_planeCount - 1 - q);
            const TaskletValue plane = k.variable("counted", Element::U32, k.load(m_planes, p));
            k.when(((m_half >> p) & 1) == 0,
                   [&] {
                       k.set(more, more | (open & plane));
                       k.set(open, (open & plane) ^ open);
                   },
                   [&] { k.set(open, open & plane); });
        });
        return more;
    }

    BenchmarkBuilder& m_make;
    TaskletCode& k;
    Element m_type;
    std::int64_t m_width;
    TaskletValue m_rowBytes, m_rows, m_planeCount, m_half, m_block, m_in, m_out, m_elements, m_results,
        m_planes, m_ones, m_twos, m_fours;
};

template <class T>
void addVotes(BenchmarkBuilder& make, const VoteShape& shape) {
    const auto x = seededNumbers<T>(shape.rows * shape.elements, std::numeric_limits<T>::min(),
                                    std::numeric_limits<T>::max(), 25);
    std::vector<T> wanted;
    for (std::int64_t r = 0; r < shape.rows; ++r) {
        std::uint32_t made = 0;
        for (int bit = 0; bit < 8 * int(sizeof(T)); ++bit) {
            std::int64_t set = 0;
            for (std::int64_t e = 0; e < shape.elements; ++e)
                set += x[std::size_t(r * shape.elements + e)] >> bit & 1;
            made |= std::uint32_t(2 * set > shape.elements) << bit;
        }
        wanted.push_back(T(made));
    }
    make.input("a", x);
    make.expect("majority", wanted);
}

} // namespace

Result<BenchmarkCase> majority(const BenchmarkOptions& options) {
    const Element type = options.type.value_or(Element::I32);
    VoteShape shape{options.size, options.second};
    shape.pitch = roundedUp(shape.elements, kVotesAtOnce);
    shape.slice = roundedUp((shape.rows + options.dpus - 1) / options.dpus, kVotesAtOnce);
    shape.planes = int(std::bit_width(std::uint64_t(shape.pitch)));
    BenchmarkBuilder make("MAJ", "for each bit of a row what most of its elements have", options);
    VoteWriter(make, shape, type).write();
    HostInput in{
        "a", "rows", type, shape.rows * shape.elements, HostInput::Split::Slices, shape.slice * shape.pitch};
    in.row = shape.elements;
    in.pitch = shape.pitch;
    make.host().inputs.push_back(std::move(in));
    make.host().outputs.push_back({"majority", "of each row", type, shape.rows, shape.slice});
    switch (bytesOf(type)) {
    case 1:
        addVotes<std::int8_t>(make, shape);
        break;
    case 2:
        addVotes<std::int16_t>(make, shape);
        break;
    default:
        addVotes<std::int32_t>(make, shape);
    }
    return make.finish();
}

} // namespace pim::upmem
