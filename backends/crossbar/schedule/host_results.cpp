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
        std::set<LayerId> read; // inputs come before their readers: what is there from the beginning is known
        for (const LayerId input : layer.inputs)
            for (const PixelSource& source : tasks.sources[input.index()])
                if (!has(source.layer))
                    read.insert(source.layer);
        for (const LayerId source : read)
            m_hostReaders[source.index()].push_back(LayerId(i));
        m_missing[i] = int(read.size());
    }
}

void HostResults::shareEnded(LayerId layer, double ns) {
    m_ns[layer.index()] = std::max(m_ns[layer.index()], ns);
    if (--m_missing[layer.index()] == 0)
        complete(layer);
}

void HostResults::complete(LayerId layer) {
    for (const LayerId reader : m_hostReaders[layer.index()]) {
        const std::size_t at = reader.index();
        m_ns[at] = std::max(m_ns[at], m_ns[layer.index()]);
        if (--m_missing[at] > 0)
            continue;
        m_new.emplace_back(reader, m_ns[at]);
        complete(reader);
    }
}

} // namespace pim
