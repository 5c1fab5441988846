// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/random_network.h"

#include "core/base/split_mix.h"
#include "tests/core_graph/onnx_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace pim::test {
namespace {

using Dims = std::vector<std::int64_t>;

struct Live {
    std::string name;
    Dims dims;
    double size = 1; ///< Magnitude it may have, roughly.
    std::int64_t count() const {
        return std::accumulate(dims.begin(), dims.end(), std::int64_t(1), std::multiplies<>());
    }
    std::int64_t last() const { return dims.back(); }
};

struct Node {
    std::string type;
    std::vector<std::string> inputs, outputs;
    Attributes attributes;
};

struct Constant {
    std::string name;
    Dims dims;
    std::vector<float> values;
};

struct Indices {
    std::string name;
    std::vector<std::int64_t> values;
};

class Maker {
public:
    explicit Maker(std::uint64_t seed) : m_random(seed ^ 0x9216d5d98979fb1bULL) {
        const int kind = number(3);
        if (kind == 0) {
            const std::int64_t extent = 4 + 2 * number(5);
            m_input = {"x", {1, 1 + number(8), extent, extent}};
        } else if (kind == 1) {
            m_input = {"x", {1 + number(6), 8 * (1 + number(8))}};
        } else {
            m_input = {"x", {1, 2 + number(7), 8 * (1 + number(6))}};
        }
        m_live.push_back(m_input);
        const int wanted = 4 + number(57);
        for (int tries = 0; std::ssize(m_nodes) < wanted && tries < 4 * wanted; ++tries)
            grow();
    }

    OnnxBuilder build(std::uint64_t order) {
        OnnxBuilder builder(17);
        std::vector<DimSpec> dims(m_input.dims.begin(), m_input.dims.end());
        builder.input(m_input.name, dims);
        for (const Constant& constant : m_constants)
            builder.floats(constant.name, constant.dims, constant.values);
        for (const Indices& indices : m_indices)
            builder.ints(indices.name, indices.values);
        for (const std::size_t at : ordered(order)) {
            const Node& node = m_nodes[at];
            builder.node(node.type, node.inputs, node.outputs, node.attributes,
                         node.type + "_" + std::to_string(at));
        }
        std::set<std::string> used;
        for (const Node& node : m_nodes)
            used.insert(node.inputs.begin(), node.inputs.end());
        for (const Live& live : m_live)
            if (!used.contains(live.name))
                builder.output(live.name);
        return builder;
    }

private:
    std::int64_t number(int below) { return std::int64_t(nextRandom(m_random) % std::uint64_t(below)); }
    template <class Items>
    const auto& any(const Items& items) {
        return items[std::size_t(number(int(std::size(items))))];
    }
    /// The latest are taken most, so that networks become deep; older ones at times, so that they branch.
    const Live& source() {
        const std::size_t back =
            std::size_t(number(4) == 0 ? number(int(m_live.size()))
                                       : number(int(std::min<std::size_t>(2, m_live.size()))));
        return m_live[m_live.size() - 1 - back];
    }

    std::string constant(const Dims& dims, double scale, double middle = 0) {
        std::size_t count = 1;
        for (const std::int64_t extent : dims)
            count *= std::size_t(extent);
        std::vector<float> values(count);
        for (float& value : values)
            value = float(middle + scale * (2 * nextFraction(m_random) - 1));
        m_constants.push_back({"c" + std::to_string(m_constants.size()), dims, std::move(values)});
        return m_constants.back().name;
    }
    std::string indices(const std::vector<std::int64_t>& values) {
        m_indices.push_back({"i" + std::to_string(m_indices.size()), values});
        return m_indices.back().name;
    }
    std::string tensor() { return "t" + std::to_string(m_tensors++); }
    void add(std::string type, std::vector<std::string> inputs, Dims dims, double size,
             Attributes attributes = {}) {
        Live made{tensor(), std::move(dims), size};
        m_nodes.push_back({std::move(type), std::move(inputs), {made.name}, std::move(attributes)});
        m_live.push_back(std::move(made));
    }
    /// Weights that keep the magnitude of a sum of so many products.
    static double weightScale(std::int64_t terms) { return std::sqrt(3.0 / double(terms)); }

    void grow() {
        const Live from = source();
        const int kind = int(number(100));
        if (kind < 30)
            product(from);
        else if (kind < 50)
            unary(from);
        else if (kind < 70)
            binary(from);
        else if (kind < 82)
            normalise(from);
        else
            move(from);
    }

    void product(const Live& from) {
        if (from.dims.size() == 4)
            return window(from);
        const std::int64_t n = 4 * (1 + number(16));
        if (from.dims.size() == 2 && number(2) == 0)
            return add("Gemm",
                       {from.name, constant({n, from.last()}, weightScale(from.last())), constant({n}, 0.5)},
                       {from.dims[0], n}, from.size + 0.5, {{"transB", std::int64_t(1)}});
        if (number(5) == 0)
            for (const Live& other : m_live) // a product of two activations
                if (other.dims.size() == from.dims.size() && other.dims.size() >= 2 &&
                    other.dims[other.dims.size() - 2] == from.last() &&
                    std::equal(from.dims.begin(), from.dims.end() - 2, other.dims.begin()) &&
                    double(from.last()) * from.size * other.size < 256) {
                    Dims dims = from.dims;
                    dims.back() = other.last();
                    return add("MatMul", {from.name, other.name}, dims,
                               double(from.last()) * from.size * other.size);
                }
        Dims dims = from.dims;
        dims.back() = n;
        add("MatMul", {from.name, constant({from.last(), n}, weightScale(from.last()))}, dims, 2 * from.size);
    }

    void window(const Live& from) {
        const std::int64_t channels = from.dims[1], height = from.dims[2], width = from.dims[3];
        if (number(4) == 0 && height >= 2 && width >= 2) {
            const std::int64_t stride = 1 + number(2);
            const Dims dims{from.dims[0], channels, (height - 2) / stride + 1, (width - 2) / stride + 1};
            return add(number(2) ? "MaxPool" : "AveragePool", {from.name}, dims, from.size,
                       {{"kernel_shape", Dims{2, 2}}, {"strides", Dims{stride, stride}}});
        }
        const std::int64_t kernel = number(2) ? 3 : 1, pad = kernel / 2, stride = number(4) ? 1 : 2;
        const bool depthwise = number(5) == 0;
        const std::int64_t filters = depthwise ? channels : 2 * (1 + number(8)),
                           inputs = depthwise ? 1 : channels;
        const auto extent = [&](std::int64_t of) { return (of + 2 * pad - kernel) / stride + 1; };
        std::vector<std::string> operands{
            from.name, constant({filters, inputs, kernel, kernel}, weightScale(inputs * kernel * kernel))};
        if (number(2))
            operands.push_back(constant({filters}, 0.5));
        add("Conv", operands, {from.dims[0], filters, extent(height), extent(width)}, 2 * from.size + 0.5,
            {{"kernel_shape", Dims{kernel, kernel}},
             {"pads", Dims{pad, pad, pad, pad}},
             {"strides", Dims{stride, stride}},
             {"group", depthwise ? channels : 1}});
    }

    void unary(const Live& from) {
        static const std::array kBounded{"Sigmoid", "Tanh", "Erf", "Softsign", "Sin", "Cos"};
        static const std::array kAny{"Relu",     "Neg",      "Abs", "LeakyRelu", "HardSwish",
                                     "Identity", "Softplus", "Elu", "Floor"};
        if (from.size > 8 || number(3) == 0)
            return add(any(kBounded), {from.name}, from.dims, 1);
        add(any(kAny), {from.name}, from.dims, from.size + 1);
    }

    void binary(const Live& from) {
        static const std::array kSums{"Add", "Sub", "Max", "Min"};
        if (from.size > 16)
            return add("Mul", {from.name, constant({}, 0.05, 0.1)}, from.dims, 0.15 * from.size);
        for (std::size_t back = 1; back <= m_live.size() && number(3) != 0; ++back) { // two that meet again
            const Live& other = m_live[m_live.size() - back];
            if (other.dims == from.dims && other.name != from.name && other.size < 16)
                return number(4) == 0 && from.size * other.size < 32
                           ? add("Mul", {from.name, other.name}, from.dims, from.size * other.size)
                           : add(any(kSums), {from.name, other.name}, from.dims, from.size + other.size);
        }
        const Dims with = from.dims.size() == 4 ? Dims{1, from.dims[1], 1, 1}
                          : number(3)           ? Dims{from.last()}
                                                : Dims{};
        if (number(2))
            add("Mul", {from.name, constant(with, 1)}, from.dims, from.size);
        else if (number(4) == 0)
            add("Div", {from.name, constant(with, 0.3, 1)}, from.dims, 1.5 * from.size);
        else
            add(any(kSums), {from.name, constant(with, 1)}, from.dims, from.size + 1);
    }

    void normalise(const Live& from) {
        if (from.dims.size() == 4) {
            const std::int64_t channels = from.dims[1];
            if (number(4) == 0)
                return add("GlobalAveragePool", {from.name}, {from.dims[0], channels, 1, 1}, from.size);
            return add("BatchNormalization",
                       {from.name, constant({channels}, 0.5, 1), constant({channels}, 0.5),
                        constant({channels}, 0.5), constant({channels}, 0.5, 1)},
                       from.dims, 3 * from.size + 1);
        }
        if (number(3) == 0) {
            Dims dims = from.dims;
            dims.back() = 1;
            return add("ReduceMean", {from.name}, dims, from.size,
                       {{"axes", Dims{-1}}, {"keepdims", std::int64_t(1)}});
        }
        if (number(2))
            return add("Softmax", {from.name}, from.dims, 1, {{"axis", std::int64_t(-1)}});
        add("LayerNormalization", {from.name, constant({from.last()}, 0.5, 1), constant({from.last()}, 0.5)},
            from.dims, 4, {{"axis", std::int64_t(-1)}});
    }

    void move(const Live& from) {
        const std::size_t rank = from.dims.size();
        switch (number(6)) {
        case 0: { // the two last change places
            Dims order(rank), dims = from.dims;
            std::iota(order.begin(), order.end(), 0);
            std::swap(order[rank - 1], order[rank - 2]);
            std::swap(dims[rank - 1], dims[rank - 2]);
            return add("Transpose", {from.name}, dims, from.size, {{"perm", order}});
        }
        case 1:
            if (rank == 4)
                return add("Flatten", {from.name}, {from.dims[0], from.count() / from.dims[0]}, from.size);
            return add("Reshape", {from.name, indices({1, -1, from.last()})},
                       {1, from.count() / from.last(), from.last()}, from.size);
        case 2:
            for (const Live& other : m_live)
                if (other.dims == from.dims && from.count() < 4096) {
                    Dims dims = from.dims;
                    dims[1] *= 2;
                    return add("Concat", {from.name, other.name}, dims, std::max(from.size, other.size),
                               {{"axis", std::int64_t(1)}});
                }
            return;
        case 3: {
            if (from.dims[1] < 2)
                return;
            Dims dims = from.dims;
            dims[1] = 1 + number(int(dims[1] - 1));
            return add("Slice", {from.name, indices({0}), indices({dims[1]}), indices({1})}, dims, from.size);
        }
        case 4: {
            if (from.last() % 2 != 0)
                return;
            Dims dims = from.dims;
            dims.back() /= 2;
            Live first{tensor(), dims, from.size}, second{tensor(), dims, from.size};
            m_nodes.push_back({"Split",
                               {from.name, indices({dims.back(), dims.back()})},
                               {first.name, second.name},
                               {{"axis", std::int64_t(-1)}}});
            m_live.push_back(std::move(first));
            m_live.push_back(std::move(second));
            return;
        }
        default:
            return add("Clip", {from.name, constant({}, 0.5, -1), constant({}, 0.5, 1)}, from.dims, 1.5);
        }
    }

    /// Nodes in an order in which each comes behind what it reads.
    std::vector<std::size_t> ordered(std::uint64_t order) const {
        std::vector<std::size_t> made(m_nodes.size());
        std::iota(made.begin(), made.end(), 0);
        if (order == 0)
            return made;
        std::map<std::string, std::size_t> producer;
        for (std::size_t at = 0; at < m_nodes.size(); ++at)
            for (const std::string& output : m_nodes[at].outputs)
                producer[output] = at;
        std::vector<bool> done(m_nodes.size(), false);
        std::vector<std::size_t> ready;
        for (std::size_t& next : made) {
            ready.clear();
            for (std::size_t at = 0; at < m_nodes.size(); ++at)
                if (!done[at] && std::ranges::all_of(m_nodes[at].inputs, [&](const std::string& input) {
                        const auto from = producer.find(input);
                        return from == producer.end() || done[from->second];
                    }))
                    ready.push_back(at);
            next = ready[std::size_t(nextRandom(order) % ready.size())];
            done[next] = true;
        }
        return made;
    }

    std::uint64_t m_random;
    Live m_input;
    std::vector<Live> m_live;
    std::vector<Node> m_nodes;
    std::vector<Constant> m_constants;
    std::vector<Indices> m_indices;
    int m_tensors = 0;
};

} // namespace

void saveRandomNetwork(std::uint64_t seed, const std::filesystem::path& file, std::uint64_t order) {
    Maker(seed).build(order).save(file);
}

} // namespace pim::test
