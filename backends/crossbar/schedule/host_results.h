// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// LL: what the host has computed so far. It begins a layer when everything the layer reads is in global
/// memory, so a core may be told to load of it only behind the stores of all that; else cores wait for the
/// host, and the host for instructions behind those that wait. Flow: shares that have ended -> [HostResults]
/// -> readers that may begin.
#include "backends/crossbar/schedule/tasks.h"

#include <utility>
#include <vector>

namespace pim {

class HostResults {
public:
    /// \param shares [layer] how many shares have something to compute.
    void plan(const CrossbarNetwork& network, const CrossbarTasks& tasks, std::vector<int> shares);
    /// Is all of \p layer there, an input of the network or the host's?
    bool has(LayerId layer) const { return m_missing[layer.index()] == 0; }
    /// A share of \p layer has stored its last result, at \p ns.
    void shareEnded(LayerId layer, double ns);
    /// Layers of the host that are there since this was asked last, and since when. The host's own time is
    /// none of the chip's.
    std::vector<std::pair<LayerId, double>> takeNew() { return std::exchange(m_new, {}); }

private:
    void complete(LayerId layer);

    std::vector<int> m_missing;                      ///< [layer] shares, or for the host: layers it reads.
    std::vector<double> m_ns;                        ///< [layer] when the last of it came.
    std::vector<std::vector<LayerId>> m_hostReaders; ///< [layer] layers of the host that read it.
    std::vector<std::pair<LayerId, double>> m_new;
};

} // namespace pim
