// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/system_problem.h"

#include "core/assign/join.h"
#include "core/drafts/dataflow.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// First link of the problem that each link of the system is, and one past the last.
std::vector<int> firstLinks(const System& system) {
    std::vector<int> first{0};
    for (const Link& link : system.links)
        first.push_back(first.back() + (link.inPlan ? 0 : link.duplex ? 2 : 1));
    return first;
}

class ProblemMaker {
public:
    explicit ProblemMaker(const SystemPrices& prices)
        : m_prices(prices), m_graph(*prices.graph), m_flow(m_graph),
          m_devices(static_cast<int>(prices.system->devices.size()) + 1) {}

    AssignmentProblem make() {
        m_problem.devices = m_devices;
        addLinks();
        m_problem.holdsHost.push_back(false);
        for (const SystemDevice& device : m_prices.system->devices)
            m_problem.holdsHost.push_back(device.holdsHost);
        std::vector<int> valueOf(m_graph.tensors.size(), -1);
        for (const TensorId tensor : valueTensors(m_graph)) {
            valueOf[tensor.index()] = static_cast<int>(m_problem.values.size());
            m_problem.values.push_back(valueFor(m_graph.tensor(tensor)));
        }
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            addOp(OpId(static_cast<std::int64_t>(i)), valueOf);
        for (const TensorId output : m_graph.outputs)
            if (const int value = valueOf[output.index()];
                value >= 0 && std::ranges::find(m_problem.results, value) == m_problem.results.end())
                m_problem.results.push_back(value);
        return std::move(m_problem);
    }

private:
    void addLinks() {
        const std::vector<int> first = firstLinks(*m_prices.system);
        m_problem.links = first.back();
        for (int from = 0; from < m_devices; ++from)
            for (int to = 0; to < m_devices; ++to) {
                m_routes.push_back(
                    m_prices.system->route(static_cast<std::size_t>(from), static_cast<std::size_t>(to)));
                auto& held = m_problem.routes.emplace_back();
                const Route& route = m_routes.back();
                for (std::size_t i = 0; i < route.links.size(); ++i) {
                    const std::size_t link = route.links[i];
                    held.push_back(first[link] +
                                   (m_prices.system->links[link].duplex && route.backwards[i] ? 1 : 0));
                }
            }
    }

    AssignmentProblem::Value valueFor(const Tensor& tensor) const {
        AssignmentProblem::Value value;
        value.producer = tensor.producer.valid() ? static_cast<int>(tensor.producer.index()) : -1;
        for (int from = 0; from < m_devices; ++from)
            for (int to = 0; to < m_devices; ++to)
                value.transferNs.push_back(from == to ? 0 : transferNs(tensor, from, to));
        return value;
    }

    double transferNs(const Tensor& tensor, int from, int to) const {
        const Route& route = m_routes[static_cast<std::size_t>(from * m_devices + to)];
        const auto bytes = static_cast<double>(bytesAs(tensor, typeOn(m_prices, from)));
        const auto bytesThere = static_cast<double>(bytesAs(tensor, typeOn(m_prices, to)));
        double ns = route.links.empty() ? 0 : route.latencyNs + bytes * route.nsPerByte;
        if (typeOn(m_prices, from) != typeOn(m_prices, to)) {
            const Host& host = *m_prices.system->host;
            ns += (bytes + bytesThere) / (host.memoryBytesPerNs * host.memoryEfficiency);
        }
        return ns;
    }

    void addOp(OpId id, const std::vector<int>& valueOf) {
        const Op& op = m_graph.op(id);
        AssignmentProblem::Op made;
        const HostCost host = m_prices.host->cost(m_graph, id, *m_prices.system->host, m_prices.hostType);
        // One token that is added to a cache in place; the whole cache does not move.
        const bool isFree = m_flow.isView(id) || appendsToCache(m_graph, id) || (host.known && host.ns == 0);
        made.ns.push_back(isFree || !host.known ? 0 : host.ns);
        for (const auto& plan : m_prices.alone) {
            double ns = kNever;
            if (plan && isFree)
                ns = 0;
            else if (plan && plan->opPlan(id).pimCost)
                ns = requestScale(*plan) * plan->opPlan(id).pimCost->totalNs();
            made.ns.push_back(ns);
        }
        const int position = static_cast<int>(m_problem.ops.size());
        for (const TensorId input : op.inputs)
            if (const int value = input.valid() ? valueOf[input.index()] : -1;
                value >= 0 && std::ranges::find(made.inputs, value) == made.inputs.end()) {
                made.inputs.push_back(value);
                m_problem.values[static_cast<std::size_t>(value)].readers.push_back(position);
            }
        for (const TensorId output : op.outputs)
            if (output.valid() && valueOf[output.index()] >= 0)
                made.outputs.push_back(valueOf[output.index()]);
        m_problem.ops.push_back(std::move(made));
    }

    const SystemPrices& m_prices;
    const Graph& m_graph;
    Dataflow m_flow;
    int m_devices;
    std::vector<Route> m_routes;
    AssignmentProblem m_problem;
};

} // namespace

AssignmentProblem systemProblem(const SystemPrices& prices) {
    return ProblemMaker(prices).make();
}

std::vector<std::string> linkNames(const System& system) {
    std::vector<std::string> names;
    for (const Link& link : system.links) {
        if (link.inPlan)
            continue;
        if (!link.duplex) {
            names.push_back(link.id);
            continue;
        }
        names.push_back(fmt::format("{}, from {}", link.id, system.nodes[link.one]));
        names.push_back(fmt::format("{}, from {}", link.id, system.nodes[link.other]));
    }
    return names;
}

DataType typeOn(const SystemPrices& prices, int device) {
    if (device > 0)
        if (const auto& plan = prices.alone[static_cast<std::size_t>(device - 1)])
            return plan->computeType;
    return prices.hostType;
}

std::vector<TensorId> valueTensors(const Graph& graph) {
    std::vector<TensorId> tensors;
    for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
        const Tensor& tensor = graph.tensors[t];
        if (!tensor.isConstant() && (tensor.producer.valid() || !tensor.consumers.empty()))
            tensors.emplace_back(static_cast<std::int64_t>(t));
    }
    return tensors;
}

} // namespace pim
