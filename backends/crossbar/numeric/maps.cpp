// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/numbers.h"

#include "core/numeric/real_run.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace pim {

namespace {

/// Steps through a tensor for y, x and channel of a map.
struct MapSteps {
    std::int64_t y = 0, x = 0, channel = 0;
};

/// A tensor of four axes has its channels in front of its pixels; so has one that was flattened. Others lie
/// as the map does.
Result<MapSteps> stepsOf(const Shape& shape, const PixelMap& map, const std::string& layer) {
    if (elementCount(shape).value_or(-1) != map.elements())
        return fail(ErrorCode::Unsupported,
                    fmt::format("a tensor of shape {} is no map of {} x {} pixels of {} channels",
                                shapeText(shape), map.height, map.width, map.channels),
                    layer);
    const bool image =
        shape.size() == 4 && shape[1] == map.channels && shape[2] == map.height && shape[3] == map.width;
    if (image || (!shape.empty() && shape.back() != map.channels))
        return MapSteps{map.width, 1, map.pixels()};
    return MapSteps{std::int64_t(map.width) * map.channels, map.channels, 1};
}

template <class Number>
std::vector<Number> arranged(std::span<const Number> from, const PixelMap& map, const MapSteps& steps) {
    std::vector<Number> to;
    to.reserve(from.size());
    for (std::int64_t y = 0; y < map.height; ++y)
        for (std::int64_t x = 0; x < map.width; ++x)
            for (std::int64_t c = 0; c < map.channels; ++c)
                to.push_back(from[std::size_t(y * steps.y + x * steps.x + c * steps.channel)]);
    return to;
}

/// What the run of the graph gives for a layer, as its map.
Result<std::vector<float>> mapOfLayer(const CrossbarLayer& layer, const Value& value) {
    const auto* host = layer.as<HostWork>();
    if (layer.whole) {
        PIM_TRY(const auto numbers, wholeMapOfTensor(value, layer.out, layer.name));
        return std::vector<float>(numbers.begin(), numbers.end());
    }
    if (!host)
        return mapOfTensor(value, layer.out, layer.name);
    const auto from = elements<float>(value);
    std::vector<float> to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[std::size_t(host->writes.at(std::int64_t(i), layer.out))] = from[i];
    return to;
}

double largestOf(std::span<const float> values) {
    float largest = 0;
    for (const float value : values)
        if (std::isfinite(value))
            largest = std::max(largest, std::fabs(value));
    return double(largest);
}

/// Takes the maps of all layers from a run of the graph, or only how large their numbers are.
class MapCollector {
public:
    MapCollector(const CrossbarNetwork& network, CrossbarReals& reals, bool maps)
        : m_network(network), m_reals(reals), m_maps(maps), m_seen(network.layers.size()) {
        for (std::size_t i = 0; i < network.layers.size(); ++i) {
            const CrossbarLayer& layer = network.layers[i];
            m_layersOf[layer.value].push_back(i);
            for (const OpId op : layer.ops)
                for (const TensorId out : network.graph->op(op).outputs)
                    if (out.valid() && out != layer.value)
                        m_before[out].push_back(i);
        }
        if (maps)
            reals.maps.resize(network.layers.size());
        reals.largest.resize(network.layers.size());
        reals.largestBefore.resize(network.layers.size());
    }

    Result<void> take(TensorId tensor, const Value& value) {
        if (!value.bytes)
            return {};
        const bool real = value.dtype == DataType::F32;
        if (const auto at = m_before.find(tensor); real && at != m_before.end())
            for (const std::size_t layer : at->second)
                m_reals.largestBefore[layer] =
                    std::max(m_reals.largestBefore[layer], largestOf(elements<float>(value)));
        const auto at = m_layersOf.find(tensor);
        if (at == m_layersOf.end())
            return {};
        for (const std::size_t layer : at->second) {
            const CrossbarLayer& of = m_network.layers[layer];
            if (of.whole == real)
                continue;
            if (m_maps) {
                PIM_TRY(m_reals.maps[layer], mapOfLayer(of, value));
            }
            m_reals.largest[layer] = real ? largestOf(elements<float>(value)) : 0;
            m_seen[layer] = true;
        }
        return {};
    }
    Result<void> complete() const {
        for (std::size_t i = 0; i < m_seen.size(); ++i)
            if (!m_seen[i])
                return fail(ErrorCode::Unsupported, "its values are no numbers that can be held",
                            m_network.layers[i].name);
        return {};
    }

private:
    const CrossbarNetwork& m_network;
    CrossbarReals& m_reals;
    bool m_maps;
    std::vector<bool> m_seen; ///< [layer]
    std::unordered_map<TensorId, std::vector<std::size_t>> m_layersOf, m_before;
};

Result<CrossbarReals> runCollecting(const CrossbarNetwork& network, std::span<const Value> inputs, bool maps,
                                    int threads, const TaskContext& task) {
    CrossbarReals reals;
    MapCollector collector(network, reals, maps);
    const Graph& graph = *network.graph;
    for (std::size_t i = 0; i < graph.inputs.size() && i < inputs.size(); ++i)
        PIM_CHECK(collector.take(graph.inputs[i], inputs[i]));
    const auto observe = [&](const RealStep& step) -> Result<void> {
        const Op& op = graph.op(step.op);
        for (std::size_t i = 0; i < op.outputs.size() && i < step.outputs.size(); ++i)
            if (op.outputs[i].valid())
                PIM_CHECK(collector.take(op.outputs[i], step.outputs[i]));
        return {};
    };
    PIM_CHECK(runReal(graph, inputs, observe, threads, task, ConstantUse::InParts));
    PIM_CHECK(collector.complete());
    return reals;
}

} // namespace

Value tensorOfMap(std::span<const double> held, const PixelMap& map, const ElementOrder& order,
                  const Tensor& tensor) {
    const auto count = std::size_t(elementCount(*tensor.shape).value_or(0));
    const auto at = [&](std::size_t i) {
        const std::int32_t element = order.at(std::int64_t(i), map);
        return element < 0 ? 0 : held[std::size_t(element)];
    };
    if (!isRealType(tensor.dtype)) {
        std::vector<std::int64_t> numbers(count);
        for (std::size_t i = 0; i < count; ++i)
            numbers[i] = std::int64_t(at(i));
        return {tensor.dtype, *tensor.shape,
                std::make_shared<const std::vector<std::byte>>(bytesFromInts(numbers, tensor.dtype))};
    }
    Fresh<float> fresh(DataType::F32, *tensor.shape);
    for (std::size_t i = 0; i < count; ++i)
        fresh.data[i] = float(at(i));
    return fresh.value;
}

Result<std::vector<float>> mapOfTensor(const Value& tensor, const PixelMap& map, const std::string& layer) {
    PIM_TRY(const MapSteps steps, stepsOf(tensor.shape, map, layer));
    return arranged(elements<float>(tensor), map, steps);
}

Result<std::vector<std::int64_t>> wholeMapOfTensor(const Value& tensor, const PixelMap& map,
                                                   const std::string& layer) {
    PIM_TRY(const MapSteps steps, stepsOf(tensor.shape, map, layer));
    const std::vector<std::int64_t> numbers = intsOf(*tensor.bytes, tensor.dtype);
    return arranged(std::span<const std::int64_t>(numbers), map, steps);
}

Result<ElementOrder> orderOfValue(const CrossbarNetwork& network, const CrossbarLayer& layer) {
    if (const auto* const host = layer.as<HostWork>(); host && !layer.whole)
        return host->writes;
    PIM_TRY(const MapSteps steps,
            stepsOf(network.graph->tensor(layer.value).shape.value_or(Shape()), layer.out, layer.name));
    return ElementOrder{steps.channel == 1 ? ElementOrder::Order::Linear : ElementOrder::Order::Planar, {}};
}

Result<CrossbarReals> realMaps(const CrossbarNetwork& network, std::span<const Value> inputs, int threads,
                               const TaskContext& task) {
    return runCollecting(network, inputs, true, threads, task);
}

Result<CrossbarReals> realRanges(const CrossbarNetwork& network, std::span<const Value> inputs, int threads,
                                 const TaskContext& task) {
    return runCollecting(network, inputs, false, threads, task);
}

} // namespace pim
