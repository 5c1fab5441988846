// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/kernel_table.h"

#include <algorithm>

namespace pim {

std::shared_ptr<const OpKernel> KernelTable::Network::of(OpId op, const KernelOptions& options) {
    const std::pair key(options.computeType, options.convAsGemm);
    {
        const std::lock_guard lock(m_mutex);
        auto& kernels = m_kernels[key];
        kernels.resize(m_graph->ops.size());
        if (kernels[op.index()])
            return kernels[op.index()];
    }
    auto made = std::make_shared<OpKernel>();
    if (auto kernel = kernelFromOp(*m_graph, op, options)) {
        made->kernel = std::move(*kernel);
        made->text = std::make_shared<const std::string>(made->kernel.text());
    } else {
        made->verdict = kernel.error().message;
    }
    const std::lock_guard lock(m_mutex);
    auto& known = m_kernels[key][op.index()];
    if (!known) {
        if (made->text)
            made->text = *m_texts.insert(made->text).first;
        known = std::move(made);
    }
    return known;
}

const Dataflow& KernelTable::Network::flow() {
    const std::lock_guard lock(m_mutex);
    if (!m_flow)
        m_flow.emplace(*m_graph);
    return *m_flow;
}

std::shared_ptr<KernelTable::Network> KernelTable::of(const std::shared_ptr<const Graph>& graph) {
    constexpr std::size_t kMost = 8; // sweeps over sizes have one a thread
    const std::lock_guard lock(m_mutex);
    const auto known = std::ranges::find(m_networks, graph, [](const auto& each) { return each->m_graph; });
    if (known == m_networks.end())
        m_networks.push_front(std::make_shared<Network>(graph));
    else
        std::rotate(m_networks.begin(), known, known + 1);
    if (m_networks.size() > kMost)
        m_networks.pop_back();
    return m_networks.front();
}

} // namespace pim
