// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Kernels of the ops of networks, each made once, whatever machine asks and however often.
#include "core/drafts/dataflow.h"
#include "core/kernel/from_op.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pim {

/// What kernelFromOp() says.
struct OpKernel {
    Kernel kernel;
    std::shared_ptr<const std::string>
        text;            ///< Kernel::text(); one object for all equal kernels of a network.
    std::string verdict; ///< Why there is no kernel; empty: there is.
};

/// Thread-safe.
class KernelTable {
    struct LessText {
        bool operator()(const auto& a, const auto& b) const { return *a < *b; }
    };

public:
    /// Of one network.
    class Network {
    public:
        explicit Network(std::shared_ptr<const Graph> graph) : m_graph(std::move(graph)) {}
        const Dataflow& flow();
        std::shared_ptr<const OpKernel> of(OpId op, const KernelOptions& options);

    private:
        friend class KernelTable;
        std::shared_ptr<const Graph> m_graph;
        std::mutex m_mutex;
        std::optional<Dataflow> m_flow; ///< Once somebody asked.
        std::set<std::shared_ptr<const std::string>, LessText> m_texts;
        /// By options, then by op; null: nobody asked yet.
        std::map<std::pair<DataType, bool>, std::vector<std::shared_ptr<const OpKernel>>> m_kernels;
    };

    /// \returns the one of this very graph, which it keeps alive as long as few others are asked for.
    std::shared_ptr<Network> of(const std::shared_ptr<const Graph>& graph);

private:
    std::mutex m_mutex;
    std::deque<std::shared_ptr<Network>> m_networks; ///< Asked for last in front.
};

} // namespace pim
