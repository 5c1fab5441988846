// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Several machines and one host, with the links between them: what a network can be spread over. Flow: file -> [System] ->
/// core/assign. README.md in resources/systems says how to write one.
#include "core/hardware/catalog.h"

#include <memory>

namespace pim {

/// A wire or a bus between two nodes of a system.
struct Link {
    std::string id; ///< "pcie"
    /// Position in System::nodes.
    std::size_t one = 0, other = 0;
    /// The plan of the machine at its end has the time of what goes over it: memory modules on the host's own bus. Then the figures
    /// below are 0.
    bool inPlan = false;
    double bytesPerNs = 0; ///< Of one direction.
    double latencyNs = 0;  ///< Of one transfer, until its first byte is there.
    bool duplex = false;   ///< Carries a transfer in either direction at once; else one at a time.
    std::string source;    ///< Of the figures.
};

struct SystemDevice {
    std::string id;                       ///< Unique in the system: "upmem"
    std::shared_ptr<const Target> target; ///< With the host of the system.
    /// The host has to attend to it while it works (synchronous copies, kernels that are waited for), so that it does nothing else.
    bool holdsHost = false;
};

/// The way from one node to another. There is only one: the links form a tree.
struct Route {
    double latencyNs = 0;
    double nsPerByte = 0; ///< Of its slowest link; a transfer holds all of them.
    /// Positions in System::links, from start to end; those with times in a plan are left out.
    std::vector<std::size_t> links;
    std::vector<bool> backwards; ///< From Link::other to Link::one; one a link.
};

struct System {
    std::string id, name, summary;
    std::shared_ptr<const Host> host;
    std::vector<SystemDevice> devices;
    /// "host" first, then the devices in their order, then switches.
    std::vector<std::string> nodes;
    std::vector<Link> links;

    /// Between two nodes by position.
    Route route(std::size_t from, std::size_t to) const;
};

/// Reads a system file, or the one called so in the folder `systems` of the resources.
/// Errors: NotFound (no such system, with those there are; a target or host nobody knows), InvalidTarget (the first violation of the
/// schema, and how many more; two devices with one id; a link that ends nowhere; links in a loop; a device that no link leads to; a link
/// with no bandwidth).
Result<System> findSystem(std::string_view nameOrPath, const TargetCatalog& catalog);
/// Ids of the systems that ship with the program.
std::vector<std::string> systemIds();

} // namespace pim
