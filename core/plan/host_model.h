// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What an op costs on the host. The interface lives here so that the driver needs no backend; backends/host has the
/// model.
#include "core/graph/graph.h"
#include "core/hardware/target.h"

namespace pim {

struct HostCost {
    bool known = false; ///< False: nobody knows (unknown op); ns is 0 and says nothing.
    double ns = 0;
    double computeNs = 0;  ///< Limit by arithmetic.
    double memoryNs = 0;   ///< Limit by memory traffic.
    double overheadNs = 0; ///< Launch and fixed terms.
    // What the limits were computed from, for rooflines; 0 where nothing moves.
    double operations = 0;      ///< Of arithmetic, two a multiply-accumulate.
    double memoryBytes = 0;     ///< Between the host's memory and its last cache.
    double operationsPerNs = 0; ///< Peak of the host in the type computed in, were its kernels perfect.
    bool memoryBound() const { return memoryNs >= computeNs; }
};

/// Stateless and thread-safe.
class HostModel {
public:
    virtual ~HostModel() = default;
    /// \param computeType type all floating-point tensors are taken in.
    virtual HostCost cost(const Graph& graph, OpId op, const Host& host, DataType computeType) const = 0;
};

} // namespace pim
