// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/kept_rows.h"

#include <algorithm>

namespace pim {

void KeptRows::plan(const CrossbarNetwork& network, const CrossbarTasks& tasks, Lanes& lanes, double share,
                    const std::function<bool(int lane, const TaskShare& producer)>& inTime) {
    m_loaded.resize(network.layers.size());
    std::map<std::pair<int, int>, int> readers; // core, layer -> lane of the next round
    for (std::size_t number = 0; number < lanes.size(); ++number)
        if (const Lane& lane = lanes[int(number)];
            lane.loaded && lane.stage == tasks.stage[std::size_t(lane.layer)] + 1)
            readers.emplace(std::pair{lane.core, lane.layer}, int(number));
    for (std::size_t layer = 0; layer < tasks.shares.size(); ++layer)
        for (const TaskShare& task : tasks.shares[layer]) {
            const auto reader = readers.find({task.core, int(layer)});
            const bool whole = task.channelEnd - task.channelBegin == network.layers[layer].out.channels;
            if (reader == readers.end() || !whole || of(task.core, int(layer)))
                continue;
            Lane& lane = lanes[reader->second];
            Strip strip{reader->second, {}};
            std::uint32_t elements = 0;
            for (std::size_t y = 0; y < task.owned.size(); ++y) {
                strip.rows.push_back({task.owned[y].within(lane.want[y]), elements, false});
                elements += std::uint32_t(strip.rows.back().span.size() * lane.channels());
            }
            const LocalMemory& memory = lanes.memory(task.core);
            if (elements == 0 || double(memory.used()) + elements > share * memory.capacity() ||
                !inTime(reader->second, task))
                continue;
            const auto room = lanes.take(task.core, elements, int(layer));
            PIM_ASSERT(room.has_value(), "a part of an empty memory is free");
            for (Row& row : strip.rows)
                row.address += *room;
            lane.stays = true;
            m_index.emplace(std::pair{task.core, int(layer)}, m_strips.size());
            m_strips.push_back(std::move(strip));
        }
    for (std::size_t number = 0; number < lanes.size(); ++number) {
        const Lane& lane = lanes[int(number)];
        if (!lane.loaded)
            continue;
        auto& loaded = m_loaded[std::size_t(lane.layer)];
        loaded.resize(std::size_t(network.layers[std::size_t(lane.layer)].out.pixels()), 0);
        const Strip* strip = lane.stays ? of(lane.core, lane.layer) : nullptr;
        for (std::size_t y = 0; y < lane.want.size(); ++y)
            for (int x = lane.want[y].begin; x < lane.want[y].end; ++x)
                if (!strip || x < strip->rows[y].span.begin || x >= strip->rows[y].span.end)
                    loaded[y * std::size_t(lane.width) + std::size_t(x)] = 1;
    }
}

} // namespace pim
