// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/dot_walk.h"

#include "backends/dram_pim/machine.h"

#include <algorithm>
#include <array>
#include <functional>

namespace pim::dram {
namespace {

bool uses(const DotOperand& operand, int loop) {
    return std::any_of(operand.index.begin(), operand.index.end(), [loop](const AffineExpr& expr) {
        return std::any_of(expr.terms.begin(), expr.terms.end(),
                           [loop](const AffineTerm& term) { return term.loop == loop; });
    });
}

DotOperand operandOf(const Kernel& kernel, const TensorAccess& access) {
    return {kernel.tensors[std::size_t(access.tensor)].shape, access.index};
}

/// Calls \p found for every point of the loops of an operand that reaches \p target.
class PointSearch {
public:
    PointSearch(const DotOperand& operand, std::vector<std::int64_t> target,
                const std::vector<std::int64_t>& extents,
                std::function<void(const std::vector<std::int64_t>&, const std::vector<bool>&)> found)
        : m_operand(operand), m_target(std::move(target)), m_extents(extents), m_found(std::move(found)),
          m_values(extents.size(), 0), m_known(extents.size(), false) {}

    /// Dimension by dimension: the index gives the last unknown variable, the shorter ones are tried value by
    /// value.
    void run(std::size_t dim = 0) {
        if (dim == m_operand.index.size())
            return m_found(m_values, m_known);
        const AffineExpr& expr = m_operand.index[dim];
        std::int64_t rest = m_target[dim] - expr.constant;
        const AffineTerm* open = nullptr; // the unknown variable with the smallest range
        int unknown = 0;
        for (const AffineTerm& term : expr.terms) {
            const auto loop = std::size_t(term.loop);
            if (m_known[loop]) {
                rest -= term.coefficient * m_values[loop];
                continue;
            }
            ++unknown;
            if (!open || m_extents[loop] < m_extents[std::size_t(open->loop)])
                open = &term;
        }
        if (unknown == 0)
            return rest == 0 ? run(dim + 1) : void();
        const auto loop = std::size_t(open->loop);
        m_known[loop] = true;
        if (unknown == 1) {
            const std::int64_t value = rest / open->coefficient;
            if (rest % open->coefficient == 0 && value >= 0 && value < m_extents[loop]) {
                m_values[loop] = value;
                run(dim + 1);
            }
        } else {
            for (std::int64_t value = 0; value < m_extents[loop]; ++value) {
                m_values[loop] = value;
                run(dim);
            }
        }
        m_known[loop] = false;
    }

private:
    const DotOperand& m_operand;
    std::vector<std::int64_t> m_target;
    const std::vector<std::int64_t>& m_extents;
    std::function<void(const std::vector<std::int64_t>&, const std::vector<bool>&)> m_found;
    std::vector<std::int64_t> m_values;
    std::vector<bool> m_known;
};

} // namespace

DotRoles rolesOf(const Kernel& kernel, const DotOperands& operands) {
    DotRoles roles;
    roles.parts = operands.parts();
    for (const TensorAccess& access : kernel.accesses) {
        if (access.isWrite)
            roles.output = operandOf(kernel, access);
        else if (access.tensor == operands.bank())
            roles.bank = operandOf(kernel, access);
        else if (access.tensor == operands.buffer())
            roles.buffer = operandOf(kernel, access);
    }
    return roles;
}

DotWalk::DotWalk(const TilingSpace& space, const Draft& draft, DotRoles roles, int lanes)
    : m_roles(std::move(roles)), m_lanes(lanes), m_tiles(space.summarize(draft).loopTile) {
    PIM_ASSERT(m_tiles.size() <= kMostLoops, "no kernel has so many loops");
    for (const Loop& loop : space.kernel().loops)
        m_extents.push_back(loop.extent);
    m_cutOf.assign(m_extents.size(), -1);
    for (std::size_t s = draft.parts.size(); s-- > 0;) { // the last set is the fastest digit
        const DraftPart& part = draft.parts[s];
        Cut cut;
        cut.loop = space.sets()[s].mappings[std::size_t(part.mapping)].loop;
        cut.part = m_roles.parts[std::size_t(cut.loop)];
        cut.groups = part.groups;
        cut.cores = part.cores;
        cut.groupStride = m_groups;
        cut.coreStride = m_cores;
        cut.inBuffer = uses(m_roles.buffer, cut.loop);
        for (int group = 0; group < part.groups; ++group)
            for (int core = 0; core < part.cores; ++core)
                cut.ranges.push_back(space.loopRange(draft, int(s), group * m_groups, core * m_cores));
        m_groups *= part.groups;
        m_cores *= part.cores;
        m_cuts.insert(m_cuts.begin(), std::move(cut));
    }
    for (std::size_t s = 0; s < m_cuts.size(); ++s)
        m_cutOf[std::size_t(m_cuts[s].loop)] = int(s);
    for (std::size_t l = 0; l < m_tiles.size(); ++l) {
        m_tiles[l] = std::max<std::int64_t>(1, m_tiles[l]);
        switch (m_roles.parts[l]) {
        case DotPart::Batch:
            m_work.batches *= m_tiles[l];
            break;
        case DotPart::Bank:
            m_work.bankVectors *= m_tiles[l];
            break;
        case DotPart::Buffer:
            m_work.bufferVectors *= m_tiles[l];
            break;
        case DotPart::Summed:
            m_work.elements *= m_tiles[l];
            break;
        }
    }
    m_work.bursts = ceilDiv(m_work.elements, lanes);
}

bool DotWalk::works(int group, int core) const {
    return std::all_of(m_cuts.begin(), m_cuts.end(), [&](const Cut& cut) {
        const auto& [begin, end] = cut.range(group, core);
        return begin < end;
    });
}

bool DotWalk::coreWorks(int core) const {
    return std::all_of(m_cuts.begin(), m_cuts.end(), [&](const Cut& cut) {
        for (int group = 0; group < cut.groups; ++group)
            if (const auto& [begin, end] = cut.range(group * cut.groupStride, core); begin < end)
                return true;
        return false;
    });
}

std::vector<int> DotWalk::bufferSets() const {
    std::vector<int> sets(std::size_t(m_cores), 0), seen;
    for (int core = 0; core < m_cores; ++core) {
        int digits = 0;
        for (const Cut& cut : m_cuts)
            digits += cut.inBuffer ? cut.coreDigit(core) * cut.coreStride : 0;
        const auto at = std::find(seen.begin(), seen.end(), digits);
        sets[std::size_t(core)] = int(at - seen.begin());
        if (at == seen.end())
            seen.push_back(digits);
    }
    return sets;
}

std::pair<std::int64_t, std::int64_t> DotWalk::rangeOf(int loop, int group, int core) const {
    const int cut = m_cutOf[std::size_t(loop)];
    return cut < 0 ? std::pair{std::int64_t{0}, m_extents[std::size_t(loop)]}
                   : m_cuts[std::size_t(cut)].range(group, core);
}

/// Elements of a vector from \p digits.summed on. Loops are decoded once, then counted on.
void DotWalk::elements(const DotOperand& operand, int group, int core, Digits digits,
                       std::span<std::int64_t> out) const {
    std::fill(out.begin(), out.end(), -1);
    const std::int64_t left = std::min<std::int64_t>(std::ssize(out), m_work.elements - digits.summed);
    if (operand.shape.empty() || left <= 0 || !works(group, core))
        return;
    std::array<std::int64_t, kMostLoops> values{}, digit{}, ends{};
    for (std::size_t l = m_tiles.size(); l-- > 0;) {
        std::int64_t& number = digits.of(m_roles.parts[l]);
        const auto [begin, end] = rangeOf(int(l), group, core);
        digit[l] = number % m_tiles[l];
        values[l] = begin + digit[l];
        ends[l] = end;
        number /= m_tiles[l];
        if (m_roles.parts[l] != DotPart::Summed && values[l] >= end)
            return;
    }
    for (std::size_t i = 0; i < std::size_t(left); ++i) {
        out[i] = positionOf(operand, values, ends);
        for (std::size_t l = m_tiles.size(); l-- > 0;) {
            if (m_roles.parts[l] != DotPart::Summed)
                continue;
            ++values[l];
            if (++digit[l] < m_tiles[l])
                break;
            values[l] -= digit[l];
            digit[l] = 0;
        }
    }
}

/// -1 outside the tensor, or where a loop is past its end on the core.
std::int64_t DotWalk::positionOf(const DotOperand& operand, const LoopValues& values,
                                 const LoopValues& ends) const {
    for (std::size_t l = 0; l < m_tiles.size(); ++l)
        if (values[l] >= ends[l])
            return -1;
    std::int64_t position = 0;
    for (std::size_t d = 0; d < operand.index.size(); ++d) {
        std::int64_t index = operand.index[d].constant;
        for (const AffineTerm& term : operand.index[d].terms)
            index += term.coefficient * values[std::size_t(term.loop)];
        if (index < 0 || index >= operand.shape[d])
            return -1;
        position = position * operand.shape[d] + index;
    }
    return position;
}

std::int64_t DotWalk::element(const DotOperand& operand, int group, int core, Digits digits) const {
    std::int64_t one = -1;
    elements(operand, group, core, digits, {&one, 1});
    return one;
}

void DotWalk::bankBurst(int group, int core, std::int64_t batch, std::int64_t bankVector, std::int64_t burst,
                        std::span<std::int64_t> lanes) const {
    elements(m_roles.bank, group, core, {batch, bankVector, 0, burst * m_lanes}, lanes);
}

void DotWalk::bufferBurst(int group, int core, std::int64_t batch, std::int64_t bufferVector,
                          std::int64_t burst, std::span<std::int64_t> lanes) const {
    elements(m_roles.buffer, group, core, {batch, 0, bufferVector, burst * m_lanes}, lanes);
}

std::int64_t DotWalk::bank(int group, int core, std::int64_t batch, std::int64_t bankVector,
                           std::int64_t burst, int lane) const {
    return element(m_roles.bank, group, core, {batch, bankVector, 0, burst * m_lanes + lane});
}

std::int64_t DotWalk::buffer(int group, int core, std::int64_t batch, std::int64_t bufferVector,
                             std::int64_t burst, int lane) const {
    return element(m_roles.buffer, group, core, {batch, 0, bufferVector, burst * m_lanes + lane});
}

std::int64_t DotWalk::output(int group, int core, std::int64_t batch, std::int64_t bankVector,
                             std::int64_t bufferVector) const {
    return element(m_roles.output, group, core, {batch, bankVector, bufferVector, 0});
}

std::vector<DotPlace> DotWalk::places(const DotOperand& operand, std::int64_t element) const {
    std::vector<DotPlace> out;
    if (operand.shape.empty() || element < 0)
        return out;
    std::vector<std::int64_t> target(operand.shape.size());
    for (std::size_t d = target.size(); d-- > 0;) {
        target[d] = element % operand.shape[d];
        element /= operand.shape[d];
    }
    if (element > 0)
        return out;
    // Elements of a vector that the operand does not change along lie in it several times.
    const bool hasElements = &operand != &m_roles.output;
    PointSearch(operand, std::move(target), m_extents,
                [&](std::vector<std::int64_t> values, std::vector<bool> known) {
                    std::vector<int> free;
                    for (int l = 0; l < int(values.size()); ++l)
                        if (hasElements && m_roles.parts[std::size_t(l)] == DotPart::Summed &&
                            !known[std::size_t(l)])
                            free.push_back(l);
                    const std::function<void(std::size_t)> tryAll = [&](std::size_t i) {
                        if (i == free.size())
                            return addPlaces(values, known, out);
                        known[std::size_t(free[i])] = true;
                        for (std::int64_t& value = values[std::size_t(free[i])] = 0;
                             value < m_extents[std::size_t(free[i])]; ++value)
                            tryAll(i + 1);
                    };
                    tryAll(0);
                })
        .run();
    std::sort(out.begin(), out.end());
    return out;
}

/// The place of one point of the loops on every core that holds it: one for each tile of the loops that are
/// not \p fixed.
void DotWalk::addPlaces(const std::vector<std::int64_t>& values, const std::vector<bool>& fixed,
                        std::vector<DotPlace>& out) const {
    std::vector<std::pair<int, int>> homes{{0, 0}}; // group, core
    for (const Cut& cut : m_cuts) {
        std::vector<std::pair<int, int>> next;
        for (int tile = 0; tile < cut.groups * cut.cores; ++tile) {
            const auto [begin, end] = cut.ranges[std::size_t(tile)];
            const std::int64_t value = values[std::size_t(cut.loop)];
            if (begin >= end || (fixed[std::size_t(cut.loop)] && (value < begin || value >= end)))
                continue;
            for (const auto& [group, core] : homes)
                next.emplace_back(group + tile / cut.cores * cut.groupStride,
                                  core + tile % cut.cores * cut.coreStride);
        }
        homes = std::move(next);
    }
    for (const auto& [group, core] : homes) {
        DotPlace place{group, core};
        Digits digits;
        for (std::size_t l = 0; l < values.size(); ++l)
            if (fixed[l]) {
                std::int64_t& number = digits.of(m_roles.parts[l]);
                number = number * m_tiles[l] + values[l] - rangeOf(int(l), group, core).first;
            }
        place.batch = digits.batch;
        place.bankVector = digits.bank;
        place.bufferVector = digits.buffer;
        place.burst = digits.summed / m_lanes;
        place.lane = int(digits.summed % m_lanes);
        out.push_back(place);
    }
}

} // namespace pim::dram
