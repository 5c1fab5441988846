// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/host_results.h"

#include <algorithm>
#include <set>

namespace pim {

void HostResults::plan(const CrossbarNetwork& network, const CrossbarTasks& tasks, std::vector<int> shares) {
    const std::size_t layers = network.layers.size();
    m_missing = std::move(shares);
    m_ns.assign(layers, 0);
    m_hostReaders.assign(layers, {});
    for (std::size_t i = 0; i < layers; ++i) {
        const CrossbarLayer& layer = network.layers[i];
        if (!layer.as<HostWork>())
            continue;
        std::set<int> read; // inputs come before their readers: what is there from the beginning is known
        for (const int input : layer.inputs)
            for (const PixelSource& source : tasks.sources[std::size_t(input)])
                if (!has(source.layer))
                    read.insert(source.layer);
        for (const int source : read)
            m_hostReaders[std::size_t(source)].push_back(int(i));
        m_missing[i] = int(read.size());
    }
}

void HostResults::shareEnded(int layer, double ns) {
    m_ns[std::size_t(layer)] = std::max(m_ns[std::size_t(layer)], ns);
    if (--m_missing[std::size_t(layer)] == 0)
        complete(layer);
}

void HostResults::complete(int layer) {
    for (const int reader : m_hostReaders[std::size_t(layer)]) {
        const auto at = std::size_t(reader);
        m_ns[at] = std::max(m_ns[at], m_ns[std::size_t(layer)]);
        if (--m_missing[at] > 0)
            continue;
        m_new.emplace_back(reader, m_ns[at]);
        complete(reader);
    }
}

} // namespace pim
