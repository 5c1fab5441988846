// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Clocks of the cores, and what they share, for who follows rows through the low-latency pipeline without a
/// program: by the rules of our profiler (backends/crossbar/profile.h), or by those of PIMCOMP-NN
/// (backends/crossbar/compat_clock.h), where a transfer waits for everything both cores have begun and products
/// hide vector work. Nanoseconds. Flow: windows, vector work, transfers of [RowPipeline] -> [PipelineClocks].
#include "backends/crossbar/chip.h"
#include "backends/crossbar/options.h"
#include "backends/crossbar/search/shared_time.h"

#include <cstdlib>

namespace pim {

class PipelineClocks {
public:
    PipelineClocks(const CrossbarChip& chip, CrossbarReferee rules)
        : m_chip(chip), m_drains(rules != CrossbarReferee::Profiler), m_cores(std::size_t(chip.cores())),
          m_memories(std::size_t(chip.chips())), m_networks(m_memories.size()), m_links(m_memories.size()) {}

    bool drains() const { return m_drains; }
    /// When a core can begin something.
    double front(CoreId core) const { return at(core).front; }
    /// When a transfer of the core can begin.
    double drained(CoreId core) const { return m_drains ? at(core).done : at(core).front; }
    /// When what it has computed is done.
    double done(CoreId core) const {
        return m_drains ? at(core).done : std::max(at(core).front, at(core).vectorFree);
    }
    void waitUntil(CoreId core, double ns) {
        if (!m_drains)
            at(core).front = std::max(at(core).front, ns);
    }

    struct Issued {
        double first = 0, last = 0; ///< When the first and the last product start.
    };
    /// Products one after the other for \p issueNs, where they drain none before \p readyNs, and \p sumNs of vector work for them.
    Issued products(CoreId core, double readyNs, double issueNs, double sumNs) {
        Core& c = at(core);
        Issued issued;
        if (m_drains) {
            issued.first = std::max(c.front, readyNs);
            issued.last = issued.first + issueNs - m_chip.mvmIssueNs;
            c.front = issued.last + m_chip.mvmIssueNs;
            c.done = issued.last + m_chip.mvmNs;
            return issued;
        }
        issued.first = std::max(c.front, c.nextIssue);
        c.front = issued.first + issueNs - m_chip.mvmIssueNs;
        if (sumNs > 0) {
            c.vectorFree = std::max(c.vectorFree, issued.first) + sumNs;
            c.front = std::max(c.front, c.vectorFree - m_chip.mvmNs);
        }
        issued.last = c.front;
        c.nextIssue = c.front + m_chip.mvmIssueNs;
        return issued;
    }
    /// A vector operation of \p ns, the last pass of which takes \p lastNs.
    void vectorWork(CoreId core, double ns, double lastNs) {
        Core& c = at(core);
        if (m_drains) {
            c.done += ns;
            return;
        }
        c.vectorFree = std::max(c.front, c.vectorFree) + ns;
        c.front = c.vectorFree - lastNs;
    }
    /// Of global memory, before what comes next.
    void load(CoreId core, double bytes) {
        Core& c = at(core);
        c.front = memory(core).take(c.front, bytes / m_chip.globalBytesPerNs);
        c.done = std::max(c.done, c.front);
    }
    /// \returns when it is through.
    double store(CoreId core, double ns, double bytes) {
        return memory(core).take(ns, bytes / m_chip.globalBytesPerNs);
    }
    /// A transfer between two cores, which both wait for where hardware is synchronous; when it is through.
    double transfer(CoreId from, CoreId to, double bytes) {
        const bool both = m_drains || m_chip.synchronous;
        const double ready = done(from), begin = both ? std::max(ready, drained(to)) : ready;
        const std::size_t source = chipOf(from), target = chipOf(to);
        double end =
            onChip(source, source == target ? from : from, source == target ? to : from, bytes, begin);
        if (source != target) {
            end = std::max(end, m_links[source].take(begin, bytes / m_chip.offChipBytesPerNs));
            end = std::max(end, onChip(target, to, to, bytes, begin));
        }
        if (both)
            at(to).front = m_drains ? std::max(at(to).front, begin) : end;
        at(from).front = m_drains ? std::max(at(from).front, begin) : both ? end : ready;
        if (m_drains)
            at(from).done = at(to).done = end;
        return end;
    }

private:
    /// Links of a mesh are never all busy: X-Y routes meet in the middle. About half of them work when the
    /// busiest one does.
    static constexpr double kMeshEvenness = 0.5;

    struct Core {
        /// When the last thing it began can have begun; draining: when a product can begin.
        double front = 0;
        double nextIssue = 0, vectorFree = 0;
        double done = 0; ///< Draining: with everything it has begun.
    };
    Core& at(CoreId core) { return m_cores[core.index()]; }
    const Core& at(CoreId core) const { return m_cores[core.index()]; }
    std::size_t chipOf(CoreId core) const { return std::size_t(m_chip.chipOf(core)); }
    SharedTime& memory(CoreId core) { return m_memories[chipOf(core)]; }

    double onChip(std::size_t chip, CoreId from, CoreId to, double bytes, double begin) {
        if (!m_drains && m_chip.connection == CrossbarConnection::SharedMemory) // stored and loaded
            return m_memories[chip].take(m_memories[chip].take(begin, bytes / m_chip.globalBytesPerNs),
                                         bytes / m_chip.globalBytesPerNs);
        const double ns = bytes / m_chip.connectionBytesPerNs;
        if (m_drains || m_chip.connection != CrossbarConnection::Mesh)
            return m_networks[chip].take(begin, ns);
        const int a = from.value % m_chip.coresPerChip(), b = to.value % m_chip.coresPerChip();
        const int hops = std::max(1, std::abs(a % m_chip.coresX - b % m_chip.coresX) +
                                         std::abs(a / m_chip.coresX - b / m_chip.coresX));
        const int links = 2 * ((m_chip.coresX - 1) * m_chip.coresY + m_chip.coresX * (m_chip.coresY - 1));
        const double share = hops * ns / (kMeshEvenness * std::max(1, links));
        return std::max(begin + ns + hops * m_chip.hopNs, m_networks[chip].take(begin, share));
    }

    const CrossbarChip& m_chip;
    bool m_drains;
    std::vector<Core> m_cores;
    std::vector<SharedTime> m_memories, m_networks, m_links; ///< [chip]
};

} // namespace pim
