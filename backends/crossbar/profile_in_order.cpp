// SPDX-License-Identifier: GPL-3.0-or-later
// Cores that issue in order and stop for their transfers. When an instruction can begin follows from those
// before it in its core; others come in where it asks for what all share. So a core is followed up to there
// at once, and waits until no other core is behind it in time.
#include "backends/crossbar/profile_engine.h"

#include <algorithm>

namespace pim {
namespace {

constexpr std::uint64_t kPollTurns = 1 << 10; // turns
constexpr std::size_t kMostUnits = 64;        // as many as a mask has bits

bool concernsOthers(const CrossbarInstruction& instruction) {
    return isTransfer(instruction) || instruction.opcode == CrossbarOpcode::Load ||
           instruction.opcode == CrossbarOpcode::Store;
}

} // namespace

Result<void> ProfileEngine::runInOrder(const TaskContext& task) {
    m_followers.resize(m_cores.size());
    for (std::uint32_t core = 0; core < m_cores.size(); ++core) {
        m_followers[core].vectorFreeNs.assign(
            std::min(kMostUnits, std::size_t(std::max(1, m_chip.vectorUnits))), 0);
        if (m_cores[core].end > 0)
            m_turns.set(int(core), 0);
    }
    for (std::uint64_t count = 0; m_turns.ns() < FirstInTime::kNever; ++count) {
        if (count % kPollTurns == 0 && task.cancelled())
            return TaskContext::cancelledError("the profile");
        const int core = m_turns.number();
        m_turns.set(core, follow(std::uint32_t(core), m_turns.ns()));
    }
    return {};
}

/// \returns when it asks for what all share again; never, if it is done or waits for the other side of a
/// transfer. No other core is before \p turnNs.
double ProfileEngine::follow(std::uint32_t core, double turnNs) {
    Core& c = m_cores[core];
    Follower& follower = m_followers[core];
    Slot& slot = c.slots[0]; // the instruction it is at
    const auto& instructions = m_program.cores[core];
    std::size_t at = c.next % instructions.size();
    while (c.next < c.end) {
        slot.instruction = &instructions[at];
        const Operands operands = operandsOf(*slot.instruction, m_program.accumulatorElements);
        const TouchedBlocks blocks = blocksOf(operands);
        slot.sequence = c.next;
        waitForOperands(core, operands, blocks);
        slot.operands = operands; // not before: a copy of what was just written stalls the processor
        if (concernsOthers(*slot.instruction) && follower.nowNs > turnNs)
            return follower.nowNs;
        if (isTransfer(*slot.instruction)) {
            if (!meet(core))
                return FirstInTime::kNever;
        } else {
            const double end = concernsOthers(*slot.instruction) ? access(core, slot, follower.nowNs)
                                                                 : issueLocally(core, slot);
            const auto place = std::uint8_t(std::countr_one(follower.taken));
            follower.operands[place] = operands;
            follower.taken |= Mask{1} << place;
            Flight& flight = follower.flights[follower.count++];
            flight.endNs = end;
            flight.blocks = blocks;
            flight.kind = limitOf(slot);
            flight.place = place;
        }
        ++c.next;
        if (++at == instructions.size())
            at = 0;
    }
    waitForFlights(core);
    return FirstInTime::kNever;
}

void ProfileEngine::waitUntil(std::uint32_t core, double ns, CrossbarLimit cause) {
    double& now = m_followers[core].nowNs;
    if (ns <= now)
        return;
    cores[core].spentNs[std::size_t(cause)] += ns - now;
    now = ns;
}

/// For those that write what it touches, or read what it writes, and for a place in the window.
void ProfileEngine::waitForOperands(std::uint32_t core, const Operands& operands,
                                    const TouchedBlocks& blocks) {
    Follower& follower = m_followers[core];
    const double issuedNs = follower.nowNs;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < follower.count; ++i) {
        const Flight& flight = follower.flights[i];
        if (flight.endNs <= issuedNs) {
            follower.taken &= ~(Mask{1} << flight.place);
            continue;
        }
        if (flight.blocks.mayConflictWith(blocks) && follower.operands[flight.place].conflictsWith(operands))
            waitUntil(core, flight.endNs, flight.kind);
        if (kept != i)
            follower.flights[kept] = flight;
        ++kept;
    }
    follower.count = kept;
    if (kept < follower.flights.size())
        return;
    const auto first = std::ranges::min_element(follower.flights, {}, &Flight::endNs);
    waitUntil(core, first->endNs, follower.flights.front().kind);
    follower.taken &= ~(Mask{1} << first->place);
    std::shift_left(first, follower.flights.end(), 1);
    --follower.count;
}

/// Nothing is left to issue.
void ProfileEngine::waitForFlights(std::uint32_t core) {
    const Follower& follower = m_followers[core];
    for (std::size_t i = 0; i < follower.count; ++i)
        waitUntil(core, follower.flights[i].endNs, follower.flights[i].kind);
}

double ProfileEngine::issueLocally(std::uint32_t core, const Slot& slot) {
    switch (slot.instruction->opcode) {
    case CrossbarOpcode::Mvm:
        return issueProduct(core, slot);
    case CrossbarOpcode::Vec:
        return issueVector(core, slot);
    default:
        waitUntil(core, m_followers[core].localFreeNs, CrossbarLimit::Local);
        return m_followers[core].localFreeNs = copyLocally(core, slot, m_followers[core].nowNs);
    }
}

double ProfileEngine::issueProduct(std::uint32_t core, const Slot& slot) {
    const double& now = m_followers[core].nowNs;
    const Group& group = m_groups[slot.instruction->index];
    bool joins = false;
    if (m_chip.managedArrays == 1 || group.freeNs > now || !controlsFree(group, now, joins)) {
        waitUntil(core, group.freeNs, CrossbarLimit::Arrays);
        joins = false;
        for (std::uint32_t control = group.firstControl;
             m_chip.managedArrays != 1 && control <= group.lastControl; ++control)
            waitUntil(core, m_controls[control].endNs, CrossbarLimit::Arrays);
    }
    if (!joins)
        waitUntil(core, m_cores[core].nextIssueNs, CrossbarLimit::Arrays);
    return multiply(core, slot, joins, now);
}

double ProfileEngine::issueVector(std::uint32_t core, const Slot& slot) {
    Follower& follower = m_followers[core];
    auto unit = std::ranges::find_if(follower.vectorFreeNs, [&](double ns) { return ns <= follower.nowNs; });
    if (unit == follower.vectorFreeNs.end())
        unit = std::ranges::min_element(follower.vectorFreeNs);
    waitUntil(core, *unit, CrossbarLimit::Vector);
    return *unit = calculate(core, slot, int(unit - follower.vectorFreeNs.begin()), follower.nowNs);
}

/// A transfer holds both cores from when they ask for it until it is through.
/// \returns whether the other side is here.
bool ProfileEngine::meet(std::uint32_t core) {
    Slot& slot = m_cores[core].slots[0];
    const double now = m_followers[core].nowNs;
    Side& other = m_posted[slot.instruction->index];
    if (other.slot < 0) {
        other = {core, 0};
        slot.posted = true;
        m_cores[core].running = 1;
        return false;
    }
    const std::uint32_t before = other.core;
    other.slot = -1;
    Core& waiting = m_cores[before];
    Slot& met = waiting.slots[0];
    waitUntil(before, now, CrossbarLimit::Wait);
    const double end = slot.instruction->opcode == CrossbarOpcode::Send
                           ? transfer(core, slot, before, met, now)
                           : transfer(before, met, core, slot, now);
    met.posted = false;
    waiting.running = 0;
    ++waiting.next;
    waitUntil(core, end, CrossbarLimit::Network);
    waitUntil(before, end, CrossbarLimit::Network);
    m_turns.set(int(before), end);
    return true;
}

} // namespace pim
