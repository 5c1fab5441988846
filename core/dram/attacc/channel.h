// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The controller of one channel: queues, the "PIM" scheduler, two issue slots a cycle. Inner part of
/// simulator.h.
#include "core/dram/attacc/readiness.h"

#include <limits>

namespace pim {

inline constexpr std::int64_t kAttAccNever = std::numeric_limits<std::int64_t>::max();

class AttAccChannel {
public:
    AttAccChannel(const AttAccRules& rules, const AttAccOptions& options, int channel,
                  const AttAccSink& sink);

    /// Takes a request before cycle \p cycle + 1; false if its queue is full.
    bool send(const AttAccRequest& request, std::int64_t cycle);
    /// Does what happens in a cycle; the next one in which anything can happen without new requests.
    std::int64_t tick(std::int64_t cycle);
    bool pending() const;
    const AttAccCounts& issued() const { return m_issued; }
    /// Rows opened and closed since a request was last done: grows without end where the original runs in
    /// circles.
    std::int64_t fruitless() const { return m_fruitless; }

private:
    struct Entry {
        AttAccCommand command, final; ///< What goes out next, and in the end.
        std::uint8_t bank = 0, column = 0;
        std::uint16_t row = 0;
        std::int64_t arrival = 0;
        std::uint64_t address = 0;
    };
    /// Requests in order of arrival. A limit of 32 compared with <= makes 33.
    class Queue {
    public:
        std::size_t size() const { return m_end - m_begin; }
        bool full() const { return size() >= kMost; }
        Entry& operator[](std::size_t i) { return m_entries[m_begin + i]; }
        void push(const Entry& entry);
        void erase(std::size_t i);

    private:
        static constexpr std::size_t kMost = 33, kRoom = 128; // moved to the front once the room is used up
        std::array<Entry, kRoom> m_entries;
        std::size_t m_begin = 0, m_end = 0;
    };
    enum class Kind : std::uint8_t { None, Row, Column };
    enum class Place : std::uint8_t { Active, Refresh, Pim, Host };
    /// Result of a search.
    struct Choice {
        bool found = false; ///< Can go out now.
        Kind kind = Kind::None;
        Place place = Place::Refresh;
        Queue* queue = nullptr; ///< Not for refreshes.
        std::size_t index = 0;
    };

    Choice first(std::int64_t cycle);
    Choice second(std::int64_t cycle, Kind firstKind);
    bool best(Queue& queue, std::int64_t cycle, std::size_t& index, bool& ready);
    bool bestActive(std::int64_t cycle, std::size_t& index, bool& ready);
    bool dropBarrier(Queue& queue);
    bool closesActive(const Entry& entry);
    void issue(const Choice& choice, std::int64_t cycle);
    void issueRefresh(std::int64_t cycle);
    void refreshCommands();
    std::uint64_t hits(Queue& queue) const;
    void wakeAt(std::int64_t cycle) { m_wake = std::min(m_wake, cycle); }
    void setWriteMode();
    Queue& host() { return m_writeMode ? m_write : m_read; }
    void log(AttAccCommand command, const Entry& entry, std::int64_t cycle) const;
    static Kind kindOf(AttAccCommand command);

    AttAccReadiness m_device;
    int m_channel;
    const AttAccSink& m_sink;
    int m_readDelay;
    std::int64_t m_refreshInterval; ///< 0: none
    std::int64_t m_nextRefresh;

    Queue m_active, m_pim, m_read, m_write;
    std::vector<std::uint8_t> m_refreshes; ///< Pseudo-channels, in order; from m_refreshed on.
    std::size_t m_refreshed = 0;
    std::vector<std::int64_t> m_returns; ///< When reads return, in order; from m_returned on.
    std::size_t m_returned = 0;

    bool m_writeMode = false;
    bool m_pimChosen = false; ///< The original looks at the last search that went as far as the PIM queue.
    bool m_rowsChanged = false;
    bool m_acted = false; ///< In this cycle.
    std::int64_t m_wake = kAttAccNever;
    std::int64_t m_fruitless = 0;
    AttAccCounts m_issued;
};

} // namespace pim
