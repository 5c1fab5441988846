// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/profile_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim {
namespace {

constexpr std::uint64_t kPollEvents = 1 << 16; // events

std::uint64_t bit(int slot) {
    return std::uint64_t(1) << slot;
}

} // namespace

ProfileEngine::ProfileEngine(const CrossbarProgram& program, const CrossbarChip& chip,
                             const ProfileOptions& options)
    : cores(std::size_t(chip.cores())), m_program(program), m_chip(chip), m_options(options),
      m_interconnect(chip), m_cores(program.cores.size()), m_turns(int(program.cores.size())) {
    readProgram();
    for (const HostMap& host : options.hostMaps) {
        std::int64_t elements = 0;
        for (const auto& [begin, end] : host.reads)
            elements += std::int64_t(end - begin);
        m_hostReads.push_back(elements);
    }
    m_hostStored.resize(m_hostReads.size());
}

void ProfileEngine::readProgram() {
    std::uint32_t mostLayers = 0, mostTransfers = 0;
    for (std::uint32_t core = 0; core < m_program.cores.size(); ++core) {
        const auto& instructions = m_program.cores[core];
        const std::size_t firstControl = m_controls.size();
        for (const CrossbarInstruction& i : instructions) {
            mostLayers = std::max(mostLayers, i.layer + 1);
            if (i.opcode == CrossbarOpcode::Mvm)
                placeGroup(core, i, std::uint32_t(firstControl));
            else if (isTransfer(i))
                mostTransfers = std::max(mostTransfers, i.index + 1);
        }
        totals.arraysUsed += cores[core].arrays;
        m_cores[core].end = instructions.size() * std::uint64_t(std::max(1, m_options.samples));
        times.emplace_back(m_options.times ? instructions.size() : 0);
    }
    layers.assign(mostLayers, {.firstNs = std::numeric_limits<double>::infinity()});
    m_posted.resize(mostTransfers);
}

/// Array groups take the arrays of their core in the order in which they first appear.
void ProfileEngine::placeGroup(std::uint32_t core, const CrossbarInstruction& product,
                               std::uint32_t firstControl) {
    if (product.index >= m_groups.size())
        m_groups.resize(product.index + 1);
    Group& group = m_groups[product.index];
    if (group.arrays > 0)
        return;
    const auto& sizes = m_chip.arraysOf(CoreId(core));
    if (product.index < m_options.arraysOfGroup.size())
        group.arrays = std::max(1u, m_options.arraysOfGroup[product.index]);
    else if (!sizes.empty())
        group.arrays = std::uint32_t(std::ceil(double(product.length) / sizes[0].rows) *
                                     std::ceil(double(product.src2) / sizes[0].columns));
    else
        group.arrays = 1;
    const std::uint32_t managed = std::uint32_t(m_chip.managedArrays),
                        used = std::uint32_t(cores[core].arrays);
    group.firstControl = firstControl + (managed == 0 ? 0 : used / managed);
    group.lastControl = firstControl + (managed == 0 ? 0 : (used + group.arrays - 1) / managed);
    cores[core].arrays += group.arrays;
    if (managed != 1)
        m_controls.resize(std::max<std::size_t>(m_controls.size(), group.lastControl + 1));
}

Result<void> ProfileEngine::run(const TaskContext& task) {
    const bool inOrder = m_chip.inOrder && m_chip.synchronous && m_hostReads.empty();
    PIM_CHECK(inOrder ? runInOrder(task) : runByEvents(task));
    for (const Core& core : m_cores)
        if (core.used() != 0 || core.next < core.end)
            return deadlock();
    for (CoreProfile& core : cores)
        totals.endNs = std::max(totals.endNs, core.endNs);
    if (spans.size() > m_options.mostSpans)
        cutSpans();
    return {};
}

Result<void> ProfileEngine::runByEvents(const TaskContext& task) {
    m_now = std::uint32_t(m_cores.size());
    for (std::uint32_t core = 0; core < m_cores.size(); ++core)
        if (m_cores[core].end > 0)
            expect(core, {0, -1});
    for (std::uint64_t count = 0; m_turns.ns() < FirstInTime::kNever; ++count) {
        if (count % kPollEvents == 0 && task.cancelled())
            return TaskContext::cancelledError("the profile");
        m_now = std::uint32_t(m_turns.number());
        Core& core = m_cores[m_now];
        const Event event = core.events.first();
        core.events.removeFirst();
        account(m_now, event.ns);
        if (event.slot >= 0)
            complete(m_now, event.slot, event.ns);
        else if (core.wakeNs == event.ns)
            core.wakeNs = -1;
        advance(m_now, event.ns);
        m_turns.set(int(m_now), core.events.empty() ? FirstInTime::kNever : core.events.first().ns);
    }
    return {};
}

void ProfileEngine::account(std::uint32_t core, double ns) {
    Core& c = m_cores[core];
    cores[core].spentNs[std::size_t(c.cause)] += ns - c.accountedNs;
    c.accountedNs = ns;
}

void ProfileEngine::wake(std::uint32_t core, double ns) {
    if (m_cores[core].wakeNs == ns)
        return;
    m_cores[core].wakeNs = ns;
    expect(core, {ns, -1});
}

void ProfileEngine::expect(std::uint32_t core, const Event& event) {
    OrderedRun<Event>& events = m_cores[core].events;
    events.add(event);
    if (core != m_now)
        m_turns.set(int(core), events.first().ns);
}

void ProfileEngine::fetch(std::uint32_t core) {
    Core& c = m_cores[core];
    const int index = std::countr_one(c.used());
    Slot& slot = c.slots[std::size_t(index)];
    const auto& instructions = m_program.cores[core];
    slot = Slot{};
    slot.instruction = &instructions[c.next % instructions.size()];
    slot.operands = operandsOf(*slot.instruction, m_program.accumulatorElements);
    slot.sequence = c.next++;
    findDependencies(c, index);
    c.waiting |= bit(index);
    if (slot.dependsOn == 0)
        c.ready |= bit(index);
    c.order[std::size_t(c.count++)] = std::uint8_t(index);
    switch (slot.instruction->opcode) {
    case CrossbarOpcode::Vec:
        c.vectors |= bit(index);
        break;
    case CrossbarOpcode::Copy:
    case CrossbarOpcode::Write:
        c.locals |= bit(index);
        break;
    case CrossbarOpcode::Send:
    case CrossbarOpcode::Recv:
        c.transfers |= bit(index);
        break;
    default:
        break;
    }
}

void ProfileEngine::findDependencies(Core& core, int index) {
    Slot& slot = core.slots[std::size_t(index)];
    for (Mask left = core.used(); left != 0; left &= left - 1) {
        const int other = std::countr_zero(left);
        const Operands& before = core.slots[std::size_t(other)].operands;
        const bool conflicts = before.conflictsWith(slot.operands);
        slot.dependsOn |= Mask(conflicts) << other;
    }
}

void ProfileEngine::advance(std::uint32_t core, double ns) {
    if (m_chip.inOrder)
        advanceInOrder(core, ns);
    else
        advanceAnyOrder(core, ns);
    setCause(core);
}

void ProfileEngine::advanceInOrder(std::uint32_t core, double ns) {
    Core& c = m_cores[core];
    while (c.transfer < 0) { // a synchronous transfer holds the core
        if (c.waiting == 0) {
            if (c.next == c.end || ~c.used() == 0)
                return;
            fetch(core);
        }
        const int slot = std::countr_zero(c.waiting);
        if (c.slots[std::size_t(slot)].dependsOn != 0 || !start(core, slot, ns))
            return;
    }
}

void ProfileEngine::advanceAnyOrder(std::uint32_t core, double ns) {
    Core& c = m_cores[core];
    while (c.next < c.end && ~c.used() != 0)
        fetch(core);
    Mask startable = c.ready; // but for those whose unit is taken
    if (c.localBusy)
        startable &= ~c.locals;
    if (std::popcount(c.vectorBusy) >= m_chip.vectorUnits)
        startable &= ~c.vectors;
    bool sawTransfer = false; // later ones stay behind it
    for (int i = 0; startable != 0 && i < c.count; ++i) {
        const int slot = c.order[std::size_t(i)];
        const bool transfers = (c.transfers & c.waiting & bit(slot)) != 0;
        const bool tries = (startable & bit(slot)) != 0 && !(transfers && sawTransfer);
        startable &= ~bit(slot);
        const bool started = tries && start(core, slot, ns);
        sawTransfer = sawTransfer || (transfers && !started);
    }
}

bool ProfileEngine::start(std::uint32_t core, int slot, double ns) {
    switch (m_cores[core].slots[std::size_t(slot)].instruction->opcode) {
    case CrossbarOpcode::Mvm:
        return startProduct(core, slot, ns);
    case CrossbarOpcode::Vec:
        return startVector(core, slot, ns);
    case CrossbarOpcode::Copy:
    case CrossbarOpcode::Write:
        return startLocal(core, slot, ns);
    case CrossbarOpcode::Load:
        if (Slot& load = m_cores[core].slots[std::size_t(slot)]; (load.forHost = !hostHas(core, load)))
            return false;
        [[fallthrough]];
    case CrossbarOpcode::Store:
        setRunning(core, slot, access(core, m_cores[core].slots[std::size_t(slot)], ns));
        return true;
    case CrossbarOpcode::Send:
    case CrossbarOpcode::Recv:
        return postTransfer(core, slot, ns);
    }
    return false;
}

void ProfileEngine::setRunning(std::uint32_t core, int slot, double endNs) {
    Core& c = m_cores[core];
    c.waiting &= ~bit(slot);
    c.ready &= ~bit(slot);
    c.running |= bit(slot);
    expect(core, {endNs, slot});
}

/// An instruction runs from \p startNs to \p endNs. Times are those of the first run alone.
void ProfileEngine::note(std::uint32_t core, const Slot& slot, double startNs, double endNs) {
    ++totals.instructions;
    LayerProfile& layer = layerOf(slot);
    layer.firstNs = std::min(layer.firstNs, startNs);
    layer.lastNs = std::max(layer.lastNs, endNs);
    CoreProfile& profile = cores[core];
    profile.endNs = std::max(profile.endNs, endNs);
    // Where they are: copies would wait for their parts.
    for (const ElementRange* const range :
         {&slot.operands.reads[0], &slot.operands.reads[1], &slot.operands.write})
        if (range->end < kGlobalBase)
            profile.localBytes =
                std::max(profile.localBytes, std::int64_t(range->end) * m_chip.activationBytes());
    if (slot.sequence >= m_program.cores[core].size())
        return;
    totals.firstRunNs = std::max(totals.firstRunNs, endNs);
    if (m_options.times)
        times[core][slot.sequence] = {startNs, endNs};
}

bool ProfileEngine::controlsFree(const Group& group, double ns, bool& joins) const {
    joins = true;
    for (std::uint32_t control = group.firstControl; control <= group.lastControl; ++control) {
        const bool startedNow = m_controls[control].startNs == ns;
        if (m_controls[control].endNs > ns && !startedNow)
            return false;
        joins = joins && startedNow;
    }
    return true;
}

bool ProfileEngine::startProduct(std::uint32_t core, int index, double ns) {
    Core& c = m_cores[core];
    const Slot& slot = c.slots[std::size_t(index)];
    Group& group = m_groups[slot.instruction->index];
    if (group.freeNs > ns)
        return false;
    bool joins = false; // a command that drives its arrays has just been issued
    if (m_chip.managedArrays != 1 && !controlsFree(group, ns, joins))
        return false;
    if (!joins && c.nextIssueNs > ns) {
        wake(core, c.nextIssueNs);
        return false;
    }
    setRunning(core, index, multiply(core, slot, joins, ns));
    return true;
}

double ProfileEngine::multiply(std::uint32_t core, const Slot& slot, bool joins, double ns) {
    Group& group = m_groups[slot.instruction->index];
    const double end = ns + m_chip.mvmNs;
    group.freeNs = end;
    if (m_chip.managedArrays != 1)
        for (std::uint32_t control = group.firstControl; control <= group.lastControl; ++control)
            m_controls[control] = {ns, end};
    if (!joins) {
        m_cores[core].nextIssueNs = ns + m_chip.mvmIssueNs;
        const double shown = m_chip.mvmIssueNs > 0 ? std::min(m_chip.mvmIssueNs, m_chip.mvmNs) : m_chip.mvmNs;
        cores[core].issueNs += m_chip.mvmIssueNs;
        addSpan(trackOf(core, 0), slot.instruction->layer, CrossbarLimit::Arrays, ns, ns + shown);
    }
    ++totals.products;
    ++cores[core].products;
    totals.activations += group.arrays;
    totals.arrayNs += group.arrays * m_chip.mvmNs;
    totals.localBytes += bytesOf(slot.operands.reads[0]) + bytesOf(slot.operands.write);
    LayerProfile& layer = layerOf(slot);
    ++layer.products;
    layer.arrayNs += group.arrays * m_chip.mvmNs;
    note(core, slot, ns, end);
    return end;
}

bool ProfileEngine::startVector(std::uint32_t core, int index, double ns) {
    Core& c = m_cores[core];
    Slot& slot = c.slots[std::size_t(index)];
    const int unit = std::countr_one(c.vectorBusy);
    if (unit >= m_chip.vectorUnits || unit >= 64)
        return false;
    slot.unit = std::int8_t(unit);
    c.vectorBusy |= bit(unit);
    setRunning(core, index, calculate(core, slot, unit, ns));
    return true;
}

double ProfileEngine::calculate(std::uint32_t core, const Slot& slot, int unit, double ns) {
    const int passes = vectorPasses(slot.instruction->vec);
    const std::int64_t bytes = std::max(bytesOf(slot.operands.reads[0]), bytesOf(slot.operands.write));
    const double time = std::ceil(double(bytes) / m_chip.vectorBytes) * m_chip.vectorNs * passes;
    totals.vectorBytes += bytes * passes;
    totals.localBytes += (bytesOf(slot.operands.reads[0]) + bytesOf(slot.operands.reads[1])) * passes +
                         bytesOf(slot.operands.write);
    cores[core].vectorNs += time;
    layerOf(slot).vectorNs += time;
    layerOf(slot).vectorBytes += bytes * passes;
    addSpan(trackOf(core, 2 + unit), slot.instruction->layer, CrossbarLimit::Vector, ns, ns + time);
    note(core, slot, ns, ns + time);
    return ns + time;
}

bool ProfileEngine::startLocal(std::uint32_t core, int index, double ns) {
    Core& c = m_cores[core];
    if (c.localBusy)
        return false;
    c.localBusy = true;
    setRunning(core, index, copyLocally(core, c.slots[std::size_t(index)], ns));
    return true;
}

double ProfileEngine::copyLocally(std::uint32_t core, const Slot& slot, double ns) {
    std::int64_t bytes = bytesOf(slot.operands.write);
    if (slot.instruction->opcode == CrossbarOpcode::Copy)
        bytes +=
            std::int64_t(slot.instruction->length) * m_chip.activationBytes() *
            ((slot.instruction->flags & CrossbarInstruction::kWideSource) != 0 ? m_program.accumulatorElements
                                                                               : 1);
    const double time = double(bytes) / m_chip.localBytesPerNs;
    totals.localBytes += bytes;
    cores[core].localNs += time;
    layerOf(slot).localNs += time;
    layerOf(slot).portBytes += bytes;
    addSpan(trackOf(core, 1), slot.instruction->layer, CrossbarLimit::Local, ns, ns + time);
    note(core, slot, ns, ns + time);
    return ns + time;
}

std::int64_t ProfileEngine::sourceBytes(const CrossbarInstruction& instruction) const {
    const bool wide =
        (instruction.flags & (CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult)) != 0;
    return std::int64_t(instruction.length) * (wide ? m_program.accumulatorElements : 1) *
           m_chip.activationBytes();
}

/// The second port of the local memory takes or gives its share while the rest of the way does.
double ProfileEngine::portEnd(Core& core, std::int64_t bytes, double ns) const {
    core.portNs = std::max(core.portNs, ns) + double(bytes) / m_chip.localBytesPerNs;
    return core.portNs;
}

double ProfileEngine::access(std::uint32_t core, const Slot& slot, double ns) {
    const std::int64_t bytes = sourceBytes(*slot.instruction);
    const double served = m_interconnect.access(m_chip.chipOf(CoreId(core)), bytes, ns, this->served());
    const double end = std::max(served, portEnd(m_cores[core], bytes, ns));
    const bool loads = slot.instruction->opcode == CrossbarOpcode::Load;
    LayerProfile& layer = layerOf(slot);
    (loads ? totals.loadBytes : totals.storeBytes) += bytes;
    (loads ? layer.loadBytes : layer.storeBytes) += bytes;
    totals.globalBytes += bytes;
    totals.localBytes += bytes;
    layer.globalBytes += bytes;
    layer.portBytes += bytes;
    cores[core].movedBytes += bytes;
    layer.memoryNs += end - ns;
    addServed(slot.instruction->layer, CrossbarLimit::Memory);
    note(core, slot, ns, end);
    return end;
}

/// Has the host what this load reads, in the run it belongs to?
bool ProfileEngine::hostHas(std::uint32_t core, const Slot& slot) const {
    const auto& maps = m_options.hostMaps;
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (slot.instruction->src1 >= maps[i].map.first && slot.instruction->src1 < maps[i].map.second)
            return m_hostStored[i] >=
                   m_hostReads[i] * std::int64_t(slot.sequence / m_program.cores[core].size() + 1);
    return true;
}

/// What a core has stored may be the last that the host needs.
void ProfileEngine::noteStore(const CrossbarInstruction& store, double ns) {
    for (std::size_t i = 0; i < m_options.hostMaps.size(); ++i)
        for (const auto& [begin, end] : m_options.hostMaps[i].reads) {
            if (store.dst < begin || store.dst >= end)
                continue;
            m_hostStored[i] += store.length;
            if (m_hostStored[i] % m_hostReads[i] == 0)
                for (std::uint32_t core = 0; core < m_cores.size(); ++core)
                    expect(core, {ns, -1});
        }
}

/// This side is there; moves the data if the other one is too.
bool ProfileEngine::postTransfer(std::uint32_t core, int index, double ns) {
    Core& c = m_cores[core];
    Slot& slot = c.slots[std::size_t(index)];
    if (m_chip.synchronous && c.transfer >= 0)
        return false;
    Side& other = m_posted[slot.instruction->index];
    if (other.slot >= 0 && other.core == core) // of the run before, not through yet
        return false;
    c.waiting &= ~bit(index);
    c.ready &= ~bit(index);
    c.running |= bit(index);
    slot.posted = true;
    slot.postedNs = ns;
    if (m_chip.synchronous)
        c.transfer = std::int8_t(index);
    if (other.slot < 0) {
        other = {core, index};
        return true;
    }
    const Side first = other;
    other.slot = -1;
    Slot& before = m_cores[first.core].slots[std::size_t(first.slot)];
    slot.posted = before.posted = false; // under way
    const double end = slot.instruction->opcode == CrossbarOpcode::Send
                           ? transfer(core, slot, first.core, before, ns)
                           : transfer(first.core, before, core, slot, ns);
    expect(core, {end, index});
    expect(first.core, {end, first.slot});
    account(first.core, ns);
    setCause(first.core);
    return true;
}

double ProfileEngine::transfer(std::uint32_t from, const Slot& source, std::uint32_t to, const Slot& target,
                               double ns) {
    const std::int64_t bytes = sourceBytes(*source.instruction);
    const Interconnect::Sent sent = m_interconnect.send(CoreId(from), CoreId(to), bytes, ns, served());
    const double end =
        std::max({sent.endNs, portEnd(m_cores[from], bytes, ns), portEnd(m_cores[to], bytes, ns)});
    totals.networkBytes += bytes;
    totals.networkByteHops += bytes * sent.hops;
    totals.offChipByteHops += bytes * sent.chipHops;
    totals.offChipBytes += sent.chipHops > 0 ? bytes : 0;
    totals.globalBytes += bytes * sent.accesses;
    totals.localBytes += 2 * bytes;
    cores[from].movedBytes += bytes;
    cores[to].movedBytes += bytes;
    LayerProfile& layer = layerOf(source);
    layer.networkBytes += bytes;
    layer.networkByteHops += bytes * sent.hops;
    layer.offChipByteHops += bytes * sent.chipHops;
    layer.globalBytes += bytes * sent.accesses;
    layer.portBytes += 2 * bytes;
    layer.networkNs += end - ns;
    addServed(source.instruction->layer, CrossbarLimit::Network);
    note(from, source, ns, end);
    note(to, target, ns, end);
    return end;
}

void ProfileEngine::complete(std::uint32_t core, int index, double ns) {
    Core& c = m_cores[core];
    const Slot& slot = c.slots[std::size_t(index)];
    c.running &= ~bit(index);
    for (Mask* const kind : {&c.vectors, &c.locals, &c.transfers})
        *kind &= ~bit(index);
    const auto end = c.order.begin() + c.count--;
    std::shift_left(std::find(c.order.begin(), end, std::uint8_t(index)), end, 1);
    for (Mask left = c.waiting & ~c.ready; left != 0; left &= left - 1) {
        const int other = std::countr_zero(left);
        Mask& dependsOn = c.slots[std::size_t(other)].dependsOn;
        dependsOn &= ~bit(index);
        if (dependsOn == 0)
            c.ready |= bit(other);
    }
    if (slot.instruction->opcode == CrossbarOpcode::Store && !m_hostReads.empty())
        noteStore(*slot.instruction, ns);
    if (slot.unit >= 0)
        c.vectorBusy &= ~bit(slot.unit);
    if (slot.instruction->opcode == CrossbarOpcode::Copy || slot.instruction->opcode == CrossbarOpcode::Write)
        c.localBusy = false;
    if (c.transfer == index)
        c.transfer = -1;
}

CrossbarLimit ProfileEngine::limitOf(const Slot& slot) const {
    switch (slot.instruction->opcode) {
    case CrossbarOpcode::Mvm:
        return CrossbarLimit::Arrays;
    case CrossbarOpcode::Vec:
        return CrossbarLimit::Vector;
    case CrossbarOpcode::Copy:
    case CrossbarOpcode::Write:
        return CrossbarLimit::Local;
    case CrossbarOpcode::Load:
    case CrossbarOpcode::Store:
        return slot.forHost ? CrossbarLimit::Wait : CrossbarLimit::Memory;
    default:
        return slot.posted ? CrossbarLimit::Wait : CrossbarLimit::Network;
    }
}

/// In order: what the next instruction waits for. Out of order: the oldest instruction, as the window ends 64
/// behind it.
void ProfileEngine::setCause(std::uint32_t core) {
    Core& c = m_cores[core];
    const auto at = [&](int slot) -> const Slot& { return c.slots[std::size_t(slot)]; };
    if (c.used() == 0) {
        c.cause = CrossbarLimit::Idle;
        return;
    }
    if (m_chip.inOrder && c.transfer >= 0) {
        c.cause = limitOf(at(c.transfer));
        return;
    }
    if (m_chip.inOrder && c.waiting != 0) {
        const Slot& next = at(std::countr_zero(c.waiting));
        c.cause = limitOf(next.dependsOn != 0 ? at(std::countr_zero(next.dependsOn)) : next);
        return;
    }
    c.cause = limitOf(at(c.order[0]));
}

void ProfileEngine::addSpan(std::uint32_t track, std::uint32_t layer, CrossbarLimit kind, double startNs,
                            double endNs) {
    if (!m_options.timeline || startNs >= spansEndNs)
        return;
    spans.push_back({startNs, endNs, track, layer, kind});
    if (spans.size() >= 2 * m_options.mostSpans)
        cutSpans();
}

/// Those that start first stay.
void ProfileEngine::cutSpans() {
    const auto last = spans.begin() + std::ptrdiff_t(m_options.mostSpans);
    std::ranges::nth_element(spans, last, {}, &Span::startNs);
    spansEndNs = last->startNs;
    spans.erase(last, spans.end());
    spansCut = true;
}

void ProfileEngine::addServed(std::uint32_t layer, CrossbarLimit kind) {
    for (const ServedSpan& span : m_served)
        addSpan(serverTrack(span.server), layer, kind, span.startNs, span.endNs);
    m_served.clear();
}

/// The transfer a core cannot get past; null if there is none.
const ProfileEngine::Slot* ProfileEngine::stuckTransfer(std::uint32_t core) const {
    const Core& c = m_cores[core];
    const Slot* stuck = nullptr;
    for (Mask left = c.used(); left != 0; left &= left - 1) {
        const Slot& slot = c.slots[std::size_t(std::countr_zero(left))];
        if (isTransfer(*slot.instruction) && (stuck == nullptr || slot.sequence < stuck->sequence))
            stuck = &slot;
    }
    return stuck;
}

tl::unexpected<Error> ProfileEngine::deadlock() const {
    std::vector<bool> seen(m_cores.size());
    std::uint32_t core = 0;
    while (m_cores[core].used() == 0)
        ++core;
    while (!seen[core]) { // who waits for whom leads into the circle
        seen[core] = true;
        if (const Slot* const slot = stuckTransfer(core))
            core = slot->instruction->peer;
    }
    std::string circle;
    const std::uint32_t first = core;
    int named = 0;
    do {
        const Slot* const slot = stuckTransfer(core);
        if (slot == nullptr)
            break;
        const std::uint64_t at = slot->sequence % m_program.cores[core].size();
        circle += fmt::format("{}core {} (instruction {}, {} {}, layer {}) waits for core {}",
                              named == 0 ? "" : "; ", core, at, name(slot->instruction->opcode),
                              slot->instruction->index, slot->instruction->layer, slot->instruction->peer);
        core = slot->instruction->peer;
    } while (core != first && ++named < 8);
    if (circle.empty())
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("core {} waits forever for a result of the host, which reads what no core stores",
                        core));
    return fail(ErrorCode::InvalidFile, "cores wait for each other forever: " + circle, {},
                "put the transfers of these cores into the same order");
}

} // namespace pim
