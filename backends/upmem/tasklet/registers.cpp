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

constexpr int kLastGiven =
    22; ///< r23 holds return addresses, r0 to r2 (r3) are for products and the runtime.

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

    std::optional<std::vector<int>> colour(bool byWeight) const {
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
                return std::nullopt;
        }
        return given;
    }

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
                        m_meetings.push_back({all[a], all[b], m_weights[i]});
            for (const auto* list : {&m_uses[i].reads, &m_uses[i].writes})
                for (const RegisterNumber r : *list)
                    m_use[virtualOf(r)] += m_weights[i];
            written = m_code.code[i].kind == Kind::Label ? written : &m_uses[i].writes;
        }
        std::vector<std::vector<std::size_t>> of(m_count);
        for (std::size_t m = 0; m < m_meetings.size(); ++m) {
            of[virtualOf(m_meetings[m].a)].push_back(m);
            of[virtualOf(m_meetings[m].b)].push_back(m);
        }
        m_meetingsOf = std::move(of);
    }

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

Result<std::vector<int>> giveRegisters(const VirtualCode& code, const std::vector<double>& weights,
                                       const std::string& name) {
    const Allocation allocation(code, weights);
    for (const bool byWeight : {true, false})
        if (auto given = allocation.colour(byWeight))
            return std::move(*given);
    return fail(ErrorCode::Unsupported,
                fmt::format("more values are alive at a time than the {} registers for them", kLastGiven - 2),
                name, "use fewer variables, or shorter stretches between their first and last use");
}

} // namespace pim::upmem
