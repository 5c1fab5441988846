// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What all cores share: global memories, buses or mesh links, links between chips. Each serves in the order
/// in which it was asked; who asks must do so in the order of time.
#include "backends/crossbar/chip.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pim {

/// One thing that serves one transfer at a time.
struct SharedServer {
    enum class Kind : std::uint8_t { Memory, Bus, MeshLink, OffChip };
    Kind kind = Kind::Memory;
    int chip = 0;
    int from = -1, to = -1; ///< Cores of a mesh link, chips of a link between chips.
    double freeNs = 0;      ///< When the last one is through.
    double busyNs = 0;
    std::int64_t bytes = 0;
    std::string name() const; ///< "chip 0 global memory", "core 3 to core 4"
};

/// A stretch in which a server was busy.
struct ServedSpan {
    int server = 0;
    double startNs = 0, endNs = 0;
};

/// Servers of a machine, with routes: X first, then Y, on the grids of cores and chips. A transfer passes
/// every server on its way, and its head goes on while its tail still comes in (virtual cut-through). Between
/// chips a mesh is left and entered at core 0 of a chip. Through a shared memory a transfer is a store and a
/// load.
class Interconnect {
public:
    explicit Interconnect(const CrossbarChip& chip);

    /// A load or store of \p bytes asked for at \p ns; when it is through.
    double access(int chip, std::int64_t bytes, double ns, std::vector<ServedSpan>* spans);
    struct Sent {
        double endNs = 0;
        int hops = 0;     ///< Bus crossings, or links of the mesh.
        int chipHops = 0; ///< Links between chips.
        int accesses = 0; ///< Of global memories.
    };
    Sent send(CoreId from, CoreId to, std::int64_t bytes, double ns, std::vector<ServedSpan>* spans);

    const std::vector<SharedServer>& servers() const { return m_servers; }

private:
    void addServer(SharedServer::Kind kind, int chip, int from = -1, int to = -1);
    void addMesh(int chip);
    /// Appends the servers from \p from to \p to on a grid \p width wide, whose four links a place start at
    /// \p first.
    void route(int from, int to, int width, int first);
    void routeOnChip(int chip, int from, int to);
    double pass(int server, std::int64_t bytes, double bytesPerNs, double ns, std::vector<ServedSpan>* spans);

    const CrossbarChip& m_chip;
    std::vector<SharedServer> m_servers;
    int m_firstOnChip = 0, m_firstOffChip = 0;
    std::vector<int> m_path; ///< Of the transfer being sent.
};

} // namespace pim
