// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// One tick of each protocol (see controller.h). Order and exceptions are those of Ramulator 2.1.
#include "core/dram/controller.h"

#include <algorithm>

namespace pim {

void DramController::stepOneBus() {
    Pick pick = pickActive(Slot::Any);
    if (!pick)
        pick = pickMaintenance(Slot::Any);
    if (!pick)
        pick = pickQueued(Slot::Any);
    if (!pick)
        pick = pickUnwanted(Slot::Any);
    if (pick)
        issue(pick);
}

void DramController::stepTwoBus() {
    Pick column = pickActive(Slot::Column);
    if (!column)
        column = pickMaintenance(Slot::Column);
    if (!column)
        column = pickQueued(Slot::Column);
    if (column)
        issue(column);
    Pick row = pickMaintenance(Slot::Row);
    if (!row)
        row = pickQueued(Slot::Row);
    if (!row)
        row = pickUnwanted(Slot::Row);
    if (row)
        issue(row);
}

void DramController::stepHalfClock() {
    if (m_now % 2 == 0) {
        pickActive(Slot::FallingEdge); // never issued here, but it may be what the next edge is for
        Pick row = pickMaintenance(Slot::FallingEdge);
        if (!row)
            row = pickQueued(Slot::FallingEdge);
        if (!row)
            row = pickUnwanted(Slot::FallingEdge);
        if (row)
            issue(row);
        return;
    }
    Pick column = pickActive(Slot::Column);
    if (!column)
        column = pickMaintenance(Slot::Column);
    if (!column)
        column = pickQueued(Slot::Column);
    if (column)
        issue(column);
    Pick row = pickMaintenance(Slot::Row);
    if (!row)
        row = pickQueued(Slot::Row);
    if (!row)
        row = pickUnwanted(Slot::Row);
    if (!row)
        return;
    m_pairedCommand = row.command;
    m_pairedBank = row.queue->entries[row.index].bank;
    m_pairedEdge = m_now + (row.command == m_activate ? 3 : 1);
    issue(row);
}

/// The half-done activation that has to be finished first; with \p dueOnly only if it may wait no longer.
DramController::Pick DramController::pickActivating(bool dueOnly) {
    Pick best;
    DramTick bestDue = 0;
    for (std::size_t i = 0; i < m_activating.entries.size(); ++i) {
        const Entry& entry = m_activating.entries[i];
        const DramTick due = m_activateBy[std::size_t(entry.bank)];
        const DramTick ready = m_engine.earliest(m_activate, entry.bank);
        if (ready > m_now || (dueOnly && due > m_now)) {
            wakeAt(std::max(m_now + 1, dueOnly ? std::max(due, ready) : ready));
            continue;
        }
        if (!best || due < bestDue ||
            (due == bestDue && entry.arrive < m_activating.entries[best.index].arrive)) {
            best = {&m_activating, i, m_activate};
            bestDue = due;
        }
    }
    return best;
}

void DramController::finishActivation(const Pick& pick) {
    const int bank = pick.queue->entries[pick.index].bank;
    issue(pick);
    m_activateBy[std::size_t(bank)] = -1;
}

/// If the data clock has stopped, issues CAS (or the second half of an activation that could not wait until
/// after the access) instead of the access and says so.
bool DramController::synchronise(const Pick& pick) {
    if (!isAccess(pick.command) || m_now < m_clockUntil)
        return false;
    for (const Entry& entry : m_activating.entries)
        if (m_activateBy[std::size_t(entry.bank)] <= m_now + m_syncGuard) {
            const Pick half = pickActivating(false);
            if (half)
                finishActivation(half);
            else
                wakeAt(m_now + 1);
            return true;
        }
    Entry& entry = pick.queue->entries[pick.index];
    const int sync = entry.write ? m_syncWrite : m_syncRead;
    const DramTick ready = m_engine.earliest(sync, entry.bank);
    if (ready > m_now) {
        wakeAt(m_now + 1);
        return true;
    }
    issueRow(sync, entry);
    m_afterSync = pick;
    return true;
}

void DramController::stepSplitActivate() {
    const auto runClock = [&](int command) {
        const DramTick toData = command == m_read ? m_readToData : m_writeToData;
        m_clockUntil = std::max(m_clockUntil, m_now + toData + m_burst + m_clockTail);
    };
    if (m_afterSync) {
        const Entry& entry = m_afterSync.queue->entries[m_afterSync.index];
        const DramTick ready = m_engine.earliest(m_afterSync.command, entry.bank);
        if (ready > m_now) {
            wakeAt(ready);
            return;
        }
        const Pick pick = std::exchange(m_afterSync, Pick{});
        runClock(pick.command);
        issue(pick);
        return;
    }
    if (const Pick due = pickActivating(true)) {
        finishActivation(due);
        return;
    }
    Pick pick = pickActive(Slot::Any);
    if (!pick)
        pick = pickMaintenance(Slot::Any);
    if (!pick)
        pick = pickQueued(Slot::Any);
    if (!pick) {
        if (const Pick half = pickActivating(false))
            finishActivation(half);
        else if (const Pick unwanted = pickUnwanted(Slot::Any))
            issue(unwanted);
        return;
    }
    if (synchronise(pick))
        return;
    if (isAccess(pick.command))
        runClock(pick.command);
    issue(pick);
}

} // namespace pim
