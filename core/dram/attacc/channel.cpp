// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/channel.h"

namespace pim {
namespace {

using C = AttAccCommand;

constexpr std::size_t kWritesHigh = 26, kWritesLow = 6; ///< More than 0.8 x 32; less than 0.2 x 32.

bool opens(AttAccCommand c) {
    return c == C::Act || c == C::ActAll || c == C::ActSame || c == C::ActPer;
}
bool closes(AttAccCommand c) {
    return c == C::Pre || c == C::PreAll || c == C::PreSame || c == C::PrePer;
}
bool accesses(AttAccCommand c) {
    return c == C::Read || c == C::Write || c == C::MacAll || c == C::MacSame || c == C::MacPer;
}

} // namespace

void AttAccChannel::Queue::push(const Entry& entry) {
    if (m_end == kRoom) {
        std::copy(m_entries.begin() + std::ptrdiff_t(m_begin), m_entries.begin() + std::ptrdiff_t(m_end),
                  m_entries.begin());
        m_end -= m_begin;
        m_begin = 0;
    }
    m_entries[m_end++] = entry;
}

void AttAccChannel::Queue::erase(std::size_t i) {
    if (i == 0) {
        ++m_begin;
        return;
    }
    if (i < size() / 2) { // few before it: they move back
        std::copy_backward(m_entries.begin() + std::ptrdiff_t(m_begin),
                           m_entries.begin() + std::ptrdiff_t(m_begin + i),
                           m_entries.begin() + std::ptrdiff_t(m_begin + i + 1));
        ++m_begin;
        return;
    }
    std::copy(m_entries.begin() + std::ptrdiff_t(m_begin + i + 1), m_entries.begin() + std::ptrdiff_t(m_end),
              m_entries.begin() + std::ptrdiff_t(m_begin + i));
    --m_end;
}

AttAccChannel::AttAccChannel(const AttAccRules& rules, const AttAccOptions& options, int channel,
                             const AttAccSink& sink)
    : m_device(rules), m_channel(channel), m_sink(sink), m_readDelay(int(options.device.readLatency)),
      m_refreshInterval(options.refresh ? options.device.time("nREFI") : 0),
      m_nextRefresh(options.refresh ? options.device.time("nREFI") : kAttAccNever) {}

/// PRESB, PREPB and BARRIER have none: they go out alone.
AttAccChannel::Kind AttAccChannel::kindOf(AttAccCommand command) {
    switch (command) {
    case C::PreSame:
    case C::PrePer:
    case C::Barrier:
        return Kind::None;
    case C::Act:
    case C::Pre:
    case C::PreAll:
    case C::Refresh:
    case C::ActAll:
    case C::ActSame:
    case C::ActPer:
        return Kind::Row;
    default:
        return Kind::Column;
    }
}

bool AttAccChannel::send(const AttAccRequest& request, std::int64_t cycle) {
    if (request.command == C::Read)
        for (std::size_t i = 0; i < m_write.size(); ++i)
            if (m_write[i].address == request.address) { // answered from the write queue
                m_returns.push_back(cycle + 1);
                return true;
            }
    Queue& queue = request.command == C::Read ? m_read : request.command == C::Write ? m_write : m_pim;
    if (queue.full())
        return false;
    Entry entry;
    entry.final = request.command;
    entry.bank = std::uint8_t(request.bank());
    entry.row = std::uint16_t(request.row());
    entry.column = std::uint8_t(request.column());
    entry.arrival = cycle;
    entry.address = request.address;
    entry.command = m_device.next(entry.final, entry.bank, entry.row);
    queue.push(entry);
    return true;
}

bool AttAccChannel::pending() const {
    return m_active.size() || m_refreshed < m_refreshes.size() || m_pim.size() || m_read.size() ||
           m_write.size() || m_returned < m_returns.size();
}

/// After rows were opened or closed.
void AttAccChannel::refreshCommands() {
    if (!m_rowsChanged)
        return;
    m_rowsChanged = false;
    for (Queue* queue : {&m_active, &m_pim, &m_read, &m_write}) {
        const Entry* last = nullptr;
        for (std::size_t i = 0; i < queue->size(); ++i) {
            Entry& entry = (*queue)[i];
            // Neighbours mostly want the same row of the same banks.
            if (last && last->final == entry.final && last->row == entry.row && last->bank == entry.bank)
                entry.command = last->command;
            else
                entry.command = m_device.next(entry.final, entry.bank, entry.row);
            last = &entry;
        }
    }
}

/// Banks for which a row hit waits, as bits.
std::uint64_t AttAccChannel::hits(Queue& queue) const {
    std::uint64_t banks = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
        if (queue[i].command == queue[i].final && accesses(queue[i].final))
            banks |= std::uint64_t(1) << queue[i].bank;
    return banks;
}

bool AttAccChannel::dropBarrier(Queue& queue) {
    if (queue.size() == 0 || queue[0].final != C::Barrier)
        return false;
    queue.erase(0);
    m_acted = true;
    return true;
}

/// The "PIM" scheduler on a queue in order of arrival: the head if it is ready, else the first ready one that
/// may overtake. Behind the next barrier only what opens and closes rows may. False if the queue is empty.
bool AttAccChannel::best(Queue& queue, std::int64_t cycle, std::size_t& index, bool& ready) {
    dropBarrier(queue); // one a search
    if (queue.size() == 0)
        return false;
    index = 0;
    ready = true;
    C lastCommand = queue[0].command;
    int lastBank = queue[0].bank;
    std::int64_t last = m_device.earliest(lastCommand, lastBank);
    if (last <= cycle)
        return true;
    wakeAt(last);
    std::int64_t anywhere = m_device.earliestAnywhere(lastCommand);
    bool barrier = false, haveHits = false;
    std::uint64_t banks = 0;
    const std::size_t size = queue.size();
    for (std::size_t i = 1; i < size; ++i) {
        const Entry& entry = queue[i];
        if (entry.final == C::Barrier) {
            barrier = true;
            continue;
        }
        if (barrier && entry.command == entry.final)
            continue;
        if (entry.command != lastCommand || entry.bank != lastBank) {
            if (entry.command != lastCommand) {
                lastCommand = entry.command;
                anywhere = m_device.earliestAnywhere(lastCommand);
            }
            if (anywhere > cycle) {
                lastBank = -1;
                wakeAt(anywhere); // may be too early, which costs a look
                continue;
            }
            lastBank = entry.bank;
            last = m_device.earliest(lastCommand, lastBank);
            if (last > cycle)
                wakeAt(last);
        }
        if (last > cycle)
            continue;
        if (entry.command != entry.final ||
            !accesses(entry.final)) { // not past a row hit that waits for its bank
            if (!haveHits) {
                banks = hits(queue);
                haveHits = true;
            }
            if (banks >> entry.bank & 1)
                continue;
        }
        index = i;
        return true;
    }
    ready = false;
    return true;
}

/// The same among requests whose rows were opened for them, which are not in order of arrival.
bool AttAccChannel::bestActive(std::int64_t cycle, std::size_t& index, bool& ready) {
    if (m_active.size() == 0)
        return false;
    const std::uint64_t banks = hits(m_active);
    const auto readyAt = [&](std::size_t i) {
        const std::int64_t at = m_device.earliest(m_active[i].command, m_active[i].bank);
        if (at > cycle)
            wakeAt(at);
        return at <= cycle;
    };
    index = 0;
    ready = readyAt(0);
    for (std::size_t i = 1; i < m_active.size(); ++i) {
        const Entry& entry = m_active[i];
        const bool other = readyAt(i);
        bool take = entry.arrival < m_active[index].arrival;
        if (other != ready)
            take = other &&
                   ((entry.command == entry.final && accesses(entry.final)) || !(banks >> entry.bank & 1));
        if (take) {
            index = i;
            ready = other;
        }
    }
    return true;
}

void AttAccChannel::setWriteMode() {
    if (!m_writeMode)
        m_writeMode = m_write.size() >= kWritesHigh || m_read.size() == 0;
    else if (m_write.size() <= kWritesLow && m_read.size() != 0)
        m_writeMode = false;
}

/// Whether it would close a bank that was opened for a request in service.
bool AttAccChannel::closesActive(const Entry& entry) {
    if (!closes(entry.command))
        return false;
    for (std::size_t i = 0; i < m_active.size(); ++i)
        if (m_active[i].bank == entry.bank)
            return true;
    return false;
}

AttAccChannel::Choice AttAccChannel::first(std::int64_t cycle) {
    Choice choice;
    bool ready = false;
    if (bestActive(cycle, choice.index, ready)) {
        choice.queue = &m_active;
        choice.place = Place::Active;
        choice.found = ready;
    }
    if (!choice.found && m_refreshed < m_refreshes.size()) {
        const C command = m_device.next(C::Refresh, 0, 0);
        const std::int64_t at = m_device.earliest(command, m_refreshes[m_refreshed] << 5);
        choice = {at <= cycle, Kind::Row, Place::Refresh, nullptr, 0};
        m_pimChosen = m_pimChosen && !choice.found;
        if (at > cycle)
            wakeAt(at);
        return choice; // nothing else while a refresh waits; it may not break into an active bank either
    }
    if (!choice.found) {
        m_pimChosen = false;
        choice = {};
        if (best(m_pim, cycle, choice.index, ready) && ready) {
            choice.queue = &m_pim;
            choice.place = Place::Pim;
            choice.found = m_pimChosen = true;
        } else {
            setWriteMode();
            if (best(host(), cycle, choice.index, ready)) {
                choice.queue = &host();
                choice.place = Place::Host;
                choice.found = ready;
            }
        }
    }
    if (choice.queue) {
        const Entry& entry = (*choice.queue)[choice.index];
        choice.kind = kindOf(entry.command);
        choice.found = choice.found && !closesActive(entry);
    }
    return choice;
}

AttAccChannel::Choice AttAccChannel::second(std::int64_t cycle, Kind firstKind) {
    const auto fits = [&](C command) {
        const Kind kind = kindOf(command);
        return firstKind != Kind::None && kind != Kind::None && kind != firstKind;
    };
    Choice choice;
    bool ready = false;
    if (bestActive(cycle, choice.index, ready) && ready && fits(m_active[choice.index].command)) {
        choice.queue = &m_active;
        choice.place = Place::Active;
        choice.found = true;
    }
    if (!choice.found && m_refreshed < m_refreshes.size()) {
        const C command = m_device.next(C::Refresh, 0, 0);
        if (fits(command)) {
            const std::int64_t at = m_device.earliest(command, m_refreshes[m_refreshed] << 5);
            if (at > cycle) {
                wakeAt(at);
                return {};
            }
            m_pimChosen = false;
            return {true, Kind::Row, Place::Refresh, nullptr, 0};
        }
    }
    if (!choice.found) {
        m_pimChosen = false;
        if (firstKind == Kind::None) { // cannot find anything, but searches
            dropBarrier(m_pim);
            setWriteMode();
            return {};
        }
        if (best(m_pim, cycle, choice.index, ready) && ready && fits(m_pim[choice.index].command)) {
            choice.queue = &m_pim;
            choice.place = Place::Pim;
            choice.found = m_pimChosen = true;
        } else {
            setWriteMode();
            if (best(host(), cycle, choice.index, ready) && ready && fits(host()[choice.index].command)) {
                choice.queue = &host();
                choice.place = Place::Host;
                choice.found = true;
            }
        }
    }
    if (choice.found)
        choice.found = !closesActive((*choice.queue)[choice.index]);
    return choice;
}

void AttAccChannel::log(AttAccCommand command, const Entry& entry, std::int64_t cycle) const {
    if (m_sink)
        m_sink({cycle, command, m_channel, entry.bank >> 5 & 1, entry.bank >> 4 & 1, entry.bank >> 2 & 3,
                entry.bank & 3, entry.row, entry.column});
}

void AttAccChannel::issueRefresh(std::int64_t cycle) {
    const int pseudoChannel = m_refreshes[m_refreshed];
    const C command = m_device.next(C::Refresh, 0, 0);
    if (m_sink)
        m_sink({cycle, command, m_channel, pseudoChannel, -1, -1, -1, -1, -1});
    m_device.issue(command, pseudoChannel << 5, 0, cycle, true);
    m_issued[command]++;
    if (command == C::Refresh) {
        if (++m_refreshed == m_refreshes.size()) {
            m_refreshes.clear();
            m_refreshed = 0;
        }
    } else {
        m_rowsChanged = true;
    }
}

void AttAccChannel::issue(const Choice& choice, std::int64_t cycle) {
    m_acted = true;
    if (choice.place == Place::Refresh) {
        issueRefresh(cycle);
        return;
    }
    const Entry entry = (*choice.queue)[choice.index];
    log(entry.command, entry, cycle);
    m_device.issue(entry.command, entry.bank, entry.row, cycle);
    m_issued[entry.command]++;
    if (entry.command == entry.final) {
        m_fruitless = 0;
        if (entry.final == C::Read)
            m_returns.push_back(cycle + m_readDelay);
        choice.queue->erase(choice.index);
        return;
    }
    ++m_fruitless;
    m_rowsChanged = true;
    if (!m_pimChosen && opens(entry.command)) { // now in service
        choice.queue->erase(choice.index);
        if (!m_active.full())
            m_active.push(entry);
    }
}

std::int64_t AttAccChannel::tick(std::int64_t cycle) {
    m_acted = false;
    m_wake = kAttAccNever;
    if (m_returned < m_returns.size() && m_returns[m_returned] <= cycle) { // one a cycle
        m_acted = true;
        if (++m_returned == m_returns.size()) {
            m_returns.clear();
            m_returned = 0;
        }
    }
    if (cycle == m_nextRefresh) {
        m_nextRefresh += m_refreshInterval;
        m_refreshes.push_back(0);
        m_refreshes.push_back(1);
    }
    refreshCommands();
    const Choice one = first(cycle);
    if (one.found)
        issue(one, cycle);
    refreshCommands();
    const Choice two = second(cycle, one.kind);
    if (two.found)
        issue(two, cycle);
    if (m_acted)
        return cycle + 1;
    wakeAt(m_nextRefresh);
    if (m_returned < m_returns.size())
        wakeAt(std::max(cycle + 1, m_returns[m_returned]));
    return m_wake;
}

} // namespace pim
