// SPDX-License-Identifier: GPL-3.0-or-later
// Values that are alive at the same time get different registers, by colouring in the order of how often they are used; among the
// registers that are free, the one that meets fewest others of its bank.
#include "backends/upmem/tasklet/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pim::upmem {
namespace {

using Kind = VirtualInstruction::Kind;

/// r23 holds return addresses, r22 the stack, r0 to r2 (r3) are for products and the runtime.
constexpr int kLastGiven = 21;

bool storesOrSends(DpuOp op) {
    return (op >= DpuOp::Sb && op <= DpuOp::Sd) || op == DpuOp::Ldma || op == DpuOp::Sdma;
}

/// Sets of virtual registers.
class Bits {
public:
    explicit Bits(std::size_t count) : m_words((count + 63) / 64) {}
    void set(std::size_t i) { m_words[i / 64] |= std::uint64_t(1) << i % 64; }
    void reset(std::size_t i) { m_words[i / 64] &= ~(std::uint64_t(1) << i % 64); }
    bool test(std::size_t i) const { return m_words[i / 64] >> i % 64 & 1; }
    bool merge(const Bits& other) {
        bool grew = false;
        for (std::size_t w = 0; w < m_words.size(); ++w) {
            grew |= (other.m_words[w] & ~m_words[w]) != 0;
            m_words[w] |= other.m_words[w];
        }
        return grew;
    }

private:
    std::vector<std::uint64_t> m_words;
};

std::size_t virtualOf(RegisterNumber r) {
    return std::size_t(r - kVirtual) / 2;
}

class Allocation {
public:
    Allocation(const VirtualCode& code, const std::vector<double>& weights)
        : m_code(code), m_weights(weights), m_count(code.isPair.size()), m_neighbours(m_count, Bits(m_count)),
          m_use(m_count), m_first(m_count, code.code.size()) {
        m_uses.reserve(code.code.size());
        for (const VirtualInstruction& in : code.code)
            m_uses.push_back(useOf(in));
        findInterference();
        findMeetings();
    }

    /// The registers, or the value that found none.
    tl::expected<std::vector<int>, std::size_t> colour(bool byWeight) const {
        std::vector<std::size_t> order(m_count);
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            if (byWeight)
                return m_code.isPair[a] != m_code.isPair[b] ? bool(m_code.isPair[a]) : m_use[a] > m_use[b];
            return m_first[a] < m_first[b];
        });
        std::vector<int> given(m_count, -1);
        for (const std::size_t v : order) {
            given[v] = best(v, given);
            if (given[v] < 0)
                return tl::unexpected(v);
        }
        return given;
    }

    /// Of a value and those alive with it, the one used least that may go to the stack; none: m_count.
    std::size_t leastUsed(std::size_t v, const std::vector<bool>& stays) const {
        std::size_t found = m_count;
        for (std::size_t other = 0; other < m_count; ++other)
            if ((other == v || m_neighbours[v].test(other)) && !m_code.isPair[other] && !stays[other] &&
                (found == m_count || m_use[other] < m_use[found]))
                found = other;
        return found;
    }
    std::size_t count() const { return m_count; }

private:
    void findInterference() {
        std::vector<std::size_t> labelAt(std::size_t(m_code.labels));
        for (std::size_t i = 0; i < m_code.code.size(); ++i)
            if (m_code.code[i].kind == Kind::Label)
                labelAt[std::size_t(m_code.code[i].label)] = i;
        std::vector<Bits> in(m_code.code.size() + 1, Bits(m_count));
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = m_code.code.size(); i-- > 0;) {
                Bits live = liveAfter(i, in, labelAt);
                for (const RegisterNumber r : m_uses[i].writes)
                    if (!m_code.isPair[virtualOf(r)])
                        live.reset(virtualOf(r));
                for (const RegisterNumber r : m_uses[i].reads)
                    live.set(virtualOf(r));
                changed |= in[i].merge(live);
            }
        }
        for (std::size_t i = 0; i < m_code.code.size(); ++i) {
            const Bits live = liveAfter(i, in, labelAt);
            const VirtualInstruction& at = m_code.code[i];
            const bool isMove = at.op == DpuOp::Or && at.useImm && at.imm.isPlain() && at.imm.constant == 0;
            for (const RegisterNumber r : m_uses[i].writes) {
                const std::size_t v = virtualOf(r);
                m_first[v] = std::min(m_first[v], i);
                for (std::size_t other = 0; other < m_count; ++other)
                    if (other != v && live.test(other) &&
                        !(isMove && at.ra >= kVirtual && virtualOf(at.ra) == other &&
                          !m_code.isPair[other])) {
                        m_neighbours[v].set(other);
                        m_neighbours[other].set(v);
                    }
            }
        }
    }

    Bits liveAfter(std::size_t i, const std::vector<Bits>& in,
                   const std::vector<std::size_t>& labelAt) const {
        const VirtualInstruction& at = m_code.code[i];
        Bits live(m_count);
        const bool leaves =
            at.kind == Kind::Plain && ((at.op == DpuOp::Jump && at.label >= 0) || at.op == DpuOp::Exit);
        if (!leaves)
            live.merge(in[i + 1]);
        if (at.kind == Kind::Plain && at.label >= 0)
            live.merge(in[labelAt[std::size_t(at.label)]]);
        return live;
    }

    /// Which registers are read together, or one right after the other was written: they should be of different banks.
    void findMeetings() {
        const std::vector<RegisterNumber>* written = nullptr;
        for (std::size_t i = 0; i < m_code.code.size(); ++i) {
            std::vector<RegisterNumber> all = m_uses[i].reads;
            if (written)
                all.insert(all.end(), written->begin(), written->end());
            for (std::size_t a = 0; a < all.size(); ++a)
                for (std::size_t b = a + 1; b < all.size(); ++b)
                    if (virtualOf(all[a]) != virtualOf(all[b]))
                        m_meetings.push_back({all[a], all[b], weight(i)});
            for (const auto* list : {&m_uses[i].reads, &m_uses[i].writes})
                for (const RegisterNumber r : *list)
                    m_use[virtualOf(r)] += weight(i);
            written = m_code.code[i].kind == Kind::Label ? written : &m_uses[i].writes;
        }
        std::vector<std::vector<std::size_t>> of(m_count);
        for (std::size_t m = 0; m < m_meetings.size(); ++m) {
            of[virtualOf(m_meetings[m].a)].push_back(m);
            of[virtualOf(m_meetings[m].b)].push_back(m);
        }
        m_meetingsOf = std::move(of);
    }

    double weight(std::size_t i) const { return m_weights[std::size_t(m_code.code[i].nest)]; }

    int best(std::size_t v, const std::vector<int>& given) const {
        const int width = m_code.isPair[v] ? 2 : 1;
        std::uint32_t taken = 0;
        for (std::size_t other = 0; other < m_count; ++other)
            if (given[other] >= 0 && m_neighbours[v].test(other))
                taken |= (m_code.isPair[other] ? 3U : 1U) << given[other];
        int found = -1;
        double least = 0;
        for (int r = m_code.divides ? 4 : 3; r + width - 1 <= kLastGiven; ++r) {
            if (width == 2 && r % 2 != 0)
                continue;
            if (taken >> r & (width == 2 ? 3U : 1U))
                continue;
            const double penalty = penaltyOf(v, r, given);
            if (found < 0 || penalty < least) {
                found = r;
                least = penalty;
            }
        }
        return found;
    }

    double penaltyOf(std::size_t v, int r, const std::vector<int>& given) const {
        double penalty = 0;
        for (const std::size_t m : m_meetingsOf[v]) {
            const Meeting& meeting = m_meetings[m];
            const bool first = virtualOf(meeting.a) == v;
            const RegisterNumber mine = first ? meeting.a : meeting.b, other = first ? meeting.b : meeting.a;
            const int at = given[virtualOf(other)];
            if (at >= 0 && (at + other % 2) % 2 == (r + mine % 2) % 2 && at + other % 2 != r + mine % 2)
                penalty += meeting.weight;
        }
        return penalty;
    }

    struct Meeting {
        RegisterNumber a, b;
        double weight;
    };
    const VirtualCode& m_code;
    const std::vector<double>& m_weights;
    std::size_t m_count;
    std::vector<VirtualUse> m_uses;
    std::vector<Bits> m_neighbours;
    std::vector<double> m_use;
    std::vector<std::size_t> m_first;
    std::vector<Meeting> m_meetings;
    std::vector<std::vector<std::size_t>> m_meetingsOf;
};

/// Keeps a value on the stack: loaded before each use, stored after each change.
void spill(VirtualCode& code, std::size_t value, std::vector<bool>& stays) {
    const RegisterNumber spilled = kVirtual + 2 * RegisterNumber(value);
    const std::int64_t place = 4 * code.stackSlots++;
    std::vector<VirtualInstruction> changed;
    changed.reserve(code.code.size() + 16);
    const auto access = [&](DpuOp op, RegisterNumber r, const VirtualInstruction& like) {
        VirtualInstruction in;
        in.op = op;
        in.rc = r;
        in.ra = kStackPointer;
        in.imm.constant = place;
        in.statement = like.statement;
        in.nest = like.nest;
        changed.push_back(std::move(in));
    };
    for (VirtualInstruction& in : code.code) {
        const VirtualUse use = useOf(in);
        const bool reads = std::ranges::find(use.reads, spilled) != use.reads.end();
        const bool writes = std::ranges::find(use.writes, spilled) != use.writes.end();
        if (!reads && !writes) {
            changed.push_back(std::move(in));
            continue;
        }
        code.isPair.push_back(false);
        stays.push_back(true);
        const RegisterNumber passing = kVirtual + 2 * (RegisterNumber(code.isPair.size()) - 1);
        if (reads)
            access(DpuOp::Lw, passing, in);
        for (RegisterNumber* r : {&in.rc, &in.ra, &in.rb})
            if (*r == spilled)
                *r = passing;
        // What changes the value and goes elsewhere is taken apart: it is stored in between.
        VirtualInstruction jump;
        if (writes && in.label >= 0) {
            jump.op = DpuOp::Sub;
            jump.ra = passing;
            jump.condition = DpuCondition::NotEqual;
            jump.statement = in.statement;
            jump.nest = in.nest;
            jump.label = std::exchange(in.label, -1);
            in.condition = DpuCondition::Never;
        }
        const VirtualInstruction kept = in;
        changed.push_back(std::move(in));
        if (writes)
            access(DpuOp::Sw, passing, kept);
        if (jump.label >= 0)
            changed.push_back(std::move(jump));
    }
    code.code = std::move(changed);
}

/// Does an instruction that changes the value also go elsewhere, on another condition than that it is not 0?
bool jumpsWithIt(const VirtualCode& code, std::size_t value) {
    const RegisterNumber r = kVirtual + 2 * RegisterNumber(value);
    return std::ranges::any_of(code.code, [&](const VirtualInstruction& in) {
        return in.kind == Kind::Plain && in.label >= 0 && in.rc == r && in.condition != DpuCondition::NotZero;
    });
}

} // namespace

VirtualUse useOf(const VirtualInstruction& in) {
    VirtualUse use;
    const auto reads = [&](RegisterNumber r) {
        if (r >= kVirtual)
            use.reads.push_back(r);
    };
    if (in.kind == Kind::WaitFor)
        reads(in.ra);
    if (in.kind != Kind::Plain)
        return use;
    reads(in.ra);
    if (!in.useImm)
        reads(in.rb);
    const bool isPair = in.op == DpuOp::Ld || in.op == DpuOp::Sd;
    if (storesOrSends(in.op)) {
        reads(in.rc);
        if (isPair)
            reads(in.rc + 1);
    } else if (in.rc >= kVirtual) {
        use.writes.push_back(in.rc);
        if (isPair)
            use.writes.push_back(in.rc + 1);
    }
    return use;
}

Result<std::vector<int>> giveRegisters(VirtualCode& code, const std::vector<double>& weights,
                                       const std::string& name) {
    std::vector<bool> stays(code.isPair.size());
    for (std::size_t v = 0; v < stays.size(); ++v)
        stays[v] = jumpsWithIt(code, v);
    for (;;) {
        const Allocation allocation(code, weights);
        std::size_t without = 0;
        for (const bool byWeight : {false, true}) {
            auto given = allocation.colour(byWeight);
            if (given)
                return std::move(*given);
            without = given.error();
        }
        const std::size_t value = allocation.leastUsed(without, stays);
        if (value == allocation.count() || 4 * code.stackSlots >= 1 << kStackShift)
            return fail(
                ErrorCode::Unsupported,
                fmt::format("more values are alive at a time than {} registers and a stack of {} B hold",
                            kLastGiven - 2, 1 << kStackShift),
                name, "use fewer variables, or shorter stretches between their first and last use");
        spill(code, value, stays);
    }
}

} // namespace pim::upmem
