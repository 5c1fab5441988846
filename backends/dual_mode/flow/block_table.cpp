// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/flow/block_run.h"
#include "core/base/result.h"

#include <type_traits>

namespace pim {
namespace {

constexpr std::size_t kMostBytes = 64 << 20; ///< Then it starts anew.

/// All that a run depends on, as bytes.
class RunKey {
public:
    explicit RunKey(const FlowBlockRun& block) {
        add(block.servers.size(), block.actors.size(), block.tensors, block.portions, block.ignoreWaits);
        for (const FlowServer& server : block.servers)
            add(server.bytesPerCycle, server.freeAt);
        add(block.privateServer.size());
        m_bytes.append(block.privateServer.begin(), block.privateServer.end());
        for (const FlowActor& actor : block.actors) {
            add(actor.rows, actor.granule, actor.cyclesPerGranule, actor.runServer, actor.runWork,
                actor.notBefore, actor.in.size(), actor.out.size(), actor.waits.size(), actor.makes.size(),
                actor.after.size());
            for (const auto* list : {&actor.in, &actor.out})
                for (const FlowTransfer& transfer : *list)
                    add(transfer.server, transfer.bytes);
            for (const FlowWait& wait : actor.waits)
                add(wait.tensor, wait.lead);
            for (const auto* list : {&actor.makes, &actor.after})
                for (const int number : *list)
                    add(number);
        }
    }
    std::string take() { return std::move(m_bytes); }

private:
    template <class... Values>
    void add(const Values&... values) {
        static_assert((std::is_arithmetic_v<Values> && ...)); // no padding
        (m_bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    }

    std::string m_bytes;
};

} // namespace

int FlowBlockTable::run(FlowBlockRun& block, const TaskContext& task) {
    PIM_ASSERT(!block.keepBusy, "what was busy is not kept");
    std::string key = RunKey(block).take();
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_known.find(key); known != m_known.end()) {
            block.end = known->second.end;
            block.events = known->second.events;
            for (std::size_t i = 0; i < block.actors.size(); ++i) {
                const ActorTimes& times = known->second.actors[i];
                block.actors[i].start = times.start;
                block.actors[i].end = times.end;
                block.actors[i].busy = times.busy;
            }
            return known->second.stuck;
        }
    }
    Known made{block.run(task), block.end, block.events, {}};
    if (made.stuck < -1) // cancelled
        return made.stuck;
    for (const FlowActor& actor : block.actors)
        made.actors.push_back({actor.start, actor.end, actor.busy});
    const std::lock_guard lock(m_mutex);
    if (m_bytes > kMostBytes) {
        m_known.clear();
        m_bytes = 0;
    }
    m_bytes += key.size() + made.actors.size() * sizeof(ActorTimes) + sizeof made;
    const int stuck = made.stuck;
    m_known.emplace(std::move(key), std::move(made));
    return stuck;
}

} // namespace pim
