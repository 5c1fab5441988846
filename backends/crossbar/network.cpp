// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/network.h"

#include "backends/crossbar/network_ops.h"
#include "core/graph/unsized.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pim {
namespace {

/// One axis of a phase, see PhaseWindow.
struct PhaseAxis {
    int first = 0, step = 1, kernel = 0, pad = 0, dilation = 1;
};

/// Output s * v + phase meets place k where (s * v + phase - pad + k * dilation) / s is whole: input row v +
/// that of v = 0.
PhaseAxis phaseAxis(int phase, int spread, int kernel, int pad, int dilation) {
    const int common = std::gcd(dilation, spread);
    PhaseAxis axis{0, spread / common, 0, 0, dilation / common};
    while (axis.first < std::min(kernel, axis.step) && (phase - pad + axis.first * dilation) % spread != 0)
        ++axis.first;
    if (axis.first >= std::min(kernel, axis.step))
        return axis;
    axis.kernel = (kernel - axis.first + axis.step - 1) / axis.step;
    axis.pad = -(phase - pad + axis.first * dilation) / spread;
    return axis;
}

using Order = HeldTensor::Order;

class NetworkBuilder {
public:
    NetworkBuilder(std::shared_ptr<const Graph> graph, const CrossbarChip& chip)
        : m_graph(*graph), m_chip(chip), m_isUnsized(unsizedOps(*graph)), m_held(graph->tensors.size()) {
        m_network.name = graph->name;
        m_network.graph = std::move(graph);
    }

    Result<CrossbarNetwork> run() {
        for (const TensorId id : m_graph.inputs)
            PIM_CHECK(addInput(id));
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            PIM_CHECK(addOp(OpId(std::int64_t(i))));
        if (m_network.matrixLayers.empty() && !m_network.unsized.empty())
            PIM_CHECK(checkShapes(m_graph.op(m_network.unsized.front())));
        for (const TensorId id : m_graph.outputs) {
            m_network.outputs.push_back(m_held[id.index()]);
            if (const LayerId holder = m_held[id.index()].layer; holder.valid())
                layer(holder).isOutput = true;
        }
        link();
        return std::move(m_network);
    }

private:
    const Tensor& tensor(TensorId id) const { return m_graph.tensor(id); }
    CrossbarLayer& layer(LayerId position) { return m_network.layers[position.index()]; }
    bool isConstant(TensorId id) const { return id.valid() && tensor(id).isConstant(); }

    Result<void> checkShape(TensorId id, const std::string& who) const {
        const Tensor& t = tensor(id);
        if (!t.shape || !isStatic(*t.shape))
            return fail(ErrorCode::Unsupported,
                        fmt::format("\"{}\" has the shape {}, its sizes must be known", t.name,
                                    t.shape ? shapeText(*t.shape) : "?"),
                        who, kUnsizedHint);
        if (elementCount(*t.shape).value_or(0) == 0)
            return fail(ErrorCode::Unsupported,
                        fmt::format("\"{}\" has the shape {}, there is nothing to compute", t.name,
                                    shapeText(*t.shape)),
                        who, "every dimension must be at least 1");
        if (!mapOf(*t.shape))
            return fail(ErrorCode::Unsupported,
                        fmt::format("\"{}\" has the shape {}; crossbar cores take one sample at a time and "
                                    "at most 2^31 elements in a map",
                                    t.name, shapeText(*t.shape)),
                        who,
                        "bind the batch to 1, or export the model for one sample; weights must be constants "
                        "of the model");
        return {};
    }

    /// Cells that run over a sequence. Their results, [steps][directions][samples][hidden] or with the samples first, are no pictures: the host
    /// makes them, row by row as they are, and does what more is done with them in that shape than moving them.
    static bool isCell(const Op& op) {
        return op.domain.empty() && (op.type == "LSTM" || op.type == "GRU" || op.type == "RNN");
    }
    /// Of a shape with four dimensions that is no map.
    static std::optional<PixelMap> rowsOf(const Shape& shape) {
        return shape.size() != 4 || mapOf(shape) || elementCount(shape).value_or(0) < 1
                   ? std::nullopt
                   : mapOf({shape[0] * shape[1] * shape[2], shape[3]});
    }

    Result<void> checkShapes(const Op& op) const {
        for (const auto* list : {&op.inputs, &op.outputs})
            for (const TensorId t : *list)
                if (t.valid() && !isConstant(t))
                    PIM_CHECK(checkShape(t, op.name));
        return {};
    }

    /// The host does it after all that has a layer; what it takes of that lies where the host reads.
    void addUnsized(OpId id, const Op& op) {
        for (const TensorId input : op.inputs)
            if (input.valid() && m_held[input.index()].layer.valid())
                layer(m_held[input.index()].layer).isOutput = true;
        m_network.unsized.push_back(id);
        m_network.problems.push_back(
            {Severity::Warning, op.name, fmt::format("runs on the host: {}", kUnsizedReason), kUnsizedHint});
    }

    Result<void> addInput(TensorId id) {
        PIM_CHECK(checkShape(id, "graph input"));
        CrossbarLayer made;
        made.name = tensor(id).name;
        made.work = InputWork{};
        made.in = made.out = *mapOf(*tensor(id).shape);
        made.value = id;
        push(std::move(made), orderOf(*tensor(id).shape));
        return {};
    }

    LayerId push(CrossbarLayer made, Order order) {
        return push(std::move(made), ElementOrder{order, nullptr});
    }
    LayerId push(CrossbarLayer made, ElementOrder order) {
        const LayerId position(std::ssize(m_network.layers));
        m_held[made.value.index()] = {std::move(order), position};
        made.whole = isWhole(tensor(made.value).dtype);
        m_network.layers.push_back(std::move(made));
        return position;
    }

    /// The layer that holds \p id in the order its shape says; a view is put in between where it is held
    /// otherwise. \param like null, or a map whose pixels those of \p id meet one by one: tokens take its
    /// rows and columns.
    LayerId inOwnOrder(TensorId id, const PixelMap* like = nullptr) {
        const HeldTensor held = m_held[id.index()];
        const Shape& shape = *tensor(id).shape;
        PixelMap own = *mapOf(shape);
        if (like && orderOf(shape) == Order::Linear && like->pixels() == own.pixels())
            own = {like->height, like->width, own.channels};
        const PixelMap map = layer(held.layer).out;
        const bool placed = !like || (map.height == own.height && map.width == own.width);
        if (placed && isInOrder(held, map, own, orderOf(shape)))
            return held.layer;
        CrossbarLayer view;
        view.name = fmt::format("{} in order", tensor(id).name);
        std::vector<std::int32_t> from(std::size_t(own.elements()));
        const ElementOrder target{orderOf(shape), nullptr};
        for (std::int64_t i = 0; i < own.elements(); ++i)
            from[std::size_t(target.at(i, own))] = held.at(i, map);
        view.work = viewOf(std::move(from), map, own);
        view.inputs = {held.layer};
        view.in = map;
        view.out = own;
        view.value = id;
        return push(std::move(view), orderOf(shape));
    }
    static bool isInOrder(const ElementOrder& held, const PixelMap& map, const PixelMap& own, Order order) {
        if (held.order == Order::Explicit || map.elements() != own.elements())
            return false;
        const bool alike = map.channels == 1 || map.pixels() == 1; // both orders are one
        if (order == Order::Planar)
            return map == own && (held.order == order || alike);
        return map.channels == own.channels && (held.order == order || alike);
    }

    Result<void> addOp(OpId id) {
        const Op& op = m_graph.op(id);
        if (m_isUnsized[id.index()]) {
            addUnsized(id, op);
            return {};
        }
        bool dynamic = false;
        for (const TensorId input : op.inputs)
            dynamic = dynamic || (input.valid() && m_held[input.index()].layer.valid());
        if (!dynamic) {
            m_network.problems.push_back(
                {Severity::Note,
                 op.name,
                 "depends on constants alone, so it is computed once before the network runs",
                 {}});
            return {};
        }
        TensorId before; // computed of constants alone, but no constant
        bool readsCell = false;
        for (const TensorId t : op.inputs)
            if (t.valid() && !isConstant(t)) {
                if (!m_held[t.index()].layer.valid())
                    before = t;
                else if (tensor(t).shape && rowsOf(*tensor(t).shape))
                    readsCell = true;
                else
                    PIM_CHECK(checkShape(t, op.name));
            }
        if (readsCell && tryView(id, op))
            return {};
        for (const TensorId t : op.outputs)
            if (t.valid() && !isConstant(t) &&
                !((readsCell || isCell(op)) && tensor(t).shape && rowsOf(*tensor(t).shape)))
                PIM_CHECK(checkShape(t, op.name));
        if (before.valid())
            return addHost(id, op, notFolded(before));
        if (readsCell)
            return addHost(id, op, "it works on all steps of a cell at once, and cores take one map");
        if (tryView(id, op) || tryFuse(id, op))
            return {};
        auto work = layerWork(m_graph, op, m_held, m_network.layers, m_chip);
        if (work && !isJoinedByHost(op, work->work))
            return addLayer(id, op, std::move(*work));
        return addHost(id, op,
                       work ? "no core reads what it joins, and the host reads the parts where they lie"
                            : work.error().message);
    }

    std::string notFolded(TensorId id) const {
        const Tensor& t = tensor(id);
        return fmt::format("its operand \"{}\" is computed from constants by {}, which is not done "
                           "beforehand: export the model with "
                           "that folded, and weights as real numbers",
                           t.name, t.producer.valid() ? m_graph.op(t.producer).type : "nobody");
    }

    /// Rows behind rows (keys and values of tokens behind those of earlier ones): cores would copy all of
    /// them.
    bool isJoinedByHost(const Op& op, const LayerWork& work) const {
        const auto* concat = std::get_if<ConcatWork>(&work);
        if (!concat || concat->axis != ConcatAxis::Pixels)
            return false;
        const int elements = int(mapOf(*tensor(op.outputs[0]).shape)->elements());
        return !firstRead(op.outputs[0], HeldTensor{}, {1, 1, elements});
    }

    Result<void> addLayer(OpId id, const Op& op, OpLayer work) {
        CrossbarLayer made;
        made.name = op.name;
        made.ops = {id};
        made.value = op.outputs[0];
        const Shape& shape = *tensor(made.value).shape;
        made.out = *mapOf(shape);
        Order order = orderOf(shape);
        for (const TensorId operand : work.operands) {
            const PixelMap first = made.inputs.empty() ? PixelMap{} : layer(made.inputs[0]).out;
            const bool meets = !made.inputs.empty() && work.samePixels;
            made.inputs.push_back(work.asHeld ? m_held[operand.index()].layer
                                              : inOwnOrder(operand, meets ? &first : nullptr));
        }
        made.in = layer(made.inputs[0]).out;
        if (work.asHeld && !work.ownOutput) { // element by element, whatever the order is
            order = m_held[work.operands[0].index()].order;
            made.out = made.in;
        } else if (order == Order::Linear && work.samePixels) {
            made.out.height = made.in.height;
            made.out.width = made.in.width;
        }
        made.work = std::move(work.work);
        const LayerId at = push(std::move(made), order);
        if (layer(at).matrix())
            m_network.matrixLayers.push_back(at);
        return {};
    }

    Result<void> addHost(OpId id, const Op& op, const std::string& reason) {
        std::vector<LayerId> inputs;
        HostWork work{reason, {}, {}};
        for (const TensorId input : op.inputs)
            if (input.valid() && m_held[input.index()].layer.valid()) {
                inputs.push_back(m_held[input.index()].layer);
                work.reads.push_back(m_held[input.index()]);
            }
        for (std::size_t i = 0; i < op.outputs.size(); ++i) {
            const TensorId out = op.outputs[i];
            if (!out.valid())
                continue;
            CrossbarLayer made;
            made.name = i == 0 ? op.name : fmt::format("{} output {}", op.name, i + 1);
            if (i == 0)
                made.ops = {id};
            made.inputs = inputs;
            made.in = layer(inputs[0]).out;
            std::tie(made.out, work.writes) = placeOf(out);
            made.work = work;
            made.value = out;
            push(std::move(made), work.writes);
        }
        m_network.problems.push_back(
            {Severity::Warning, op.name, fmt::format("runs on the host: {}", reason), {}});
        return {};
    }

    /// Where the host puts a result: as the tensor is in itself that a core reads of it first, views in
    /// between; its own order where none does.
    std::pair<PixelMap, ElementOrder> placeOf(TensorId made) const {
        const Shape& shape = *tensor(made).shape;
        if (const auto rows = rowsOf(shape))
            return {*rows, {Order::Linear, nullptr}};
        const PixelMap own = *mapOf(shape);
        const PixelMap flat{1, 1, int(own.elements())};
        const auto read = isWhole(tensor(made).dtype) ? std::nullopt : firstRead(made, HeldTensor{}, flat);
        if (!read || read->first == made)
            return {own, {orderOf(shape), nullptr}};
        const Shape& readShape = *tensor(read->first).shape;
        const PixelMap map = *mapOf(readShape);
        std::vector<std::int32_t> from(std::size_t(own.elements()), -1);
        const ElementOrder target{orderOf(readShape), nullptr};
        std::int64_t placed = 0;
        for (std::int64_t i = 0; i < map.elements(); ++i)
            if (const std::int32_t element = read->second.at(i, flat);
                element >= 0 && from[std::size_t(element)] < 0) {
                from[std::size_t(element)] = target.at(i, map);
                ++placed;
            }
        if (placed != own.elements() || placed != map.elements()) // only a part, or some twice
            return {own, {orderOf(shape), nullptr}};
        return {map, recognisedOrder(std::move(from), map)};
    }

    /// The first tensor behind views of \p id that a core reads, and which elements of \p id it has. \p held:
    /// those of \p id itself, \p map: of all. Attention is the host's and reads what it needs wherever it
    /// lies.
    std::optional<std::pair<TensorId, ElementOrder>> firstRead(TensorId id, const HeldTensor& held,
                                                               const PixelMap& map) const {
        for (const OpId user : tensor(id).consumers) {
            const Op& op = m_graph.op(user);
            if (op.opClass == OpClass::Attention || m_isUnsized[user.index()])
                continue;
            const bool views = op.inputs[0] == id && op.outputs[0].valid() && tensor(op.outputs[0]).shape &&
                               mapOf(*tensor(op.outputs[0]).shape);
            const auto moved = views ? movedBy(m_graph, op, 0, held, map) : std::nullopt;
            if (!moved)
                return std::pair{id, ElementOrder(held)};
            if (auto read = firstRead(op.outputs[0], *moved, map))
                return read;
        }
        return std::nullopt;
    }

    /// Ops that only rename elements belong to the layer that holds them.
    bool tryView(OpId id, const Op& op) {
        if (op.inputs.empty() || !op.inputs[0].valid())
            return false;
        const HeldTensor held = m_held[op.inputs[0].index()];
        if (!held.layer.valid())
            return false;
        std::vector<std::pair<TensorId, HeldTensor>> moved;
        for (std::size_t i = 0; i < op.outputs.size(); ++i)
            if (op.outputs[i].valid() && (i == 0 || isWanted(tensor(op.outputs[i])))) {
                const auto place = movedBy(m_graph, op, i, held, layer(held.layer).out);
                if (!place)
                    return false;
                moved.emplace_back(op.outputs[i], *place);
            }
        for (auto& [t, place] : moved)
            m_held[t.index()] = std::move(place);
        layer(held.layer).ops.push_back(id);
        return true;
    }

    /// An activation, or the addition of a bias, that follows a layer nobody else reads.
    bool tryFuse(OpId id, const Op& op) {
        TensorId source;
        for (const TensorId input : op.inputs)
            if (input.valid() && m_held[input.index()].layer.valid()) {
                if (source.valid())
                    return false;
                source = input;
            }
        const HeldTensor held = m_held[source.index()];
        CrossbarLayer& before = layer(held.layer);
        if (before.value != source || tensor(source).consumers.size() != 1 || tensor(source).isOutput ||
            before.activation.op != VectorOp::None)
            return false;
        if (fuseBias(m_graph, op, source, before) || fuseActivation(m_graph, op, m_chip, before)) {
            before.value = op.outputs[0];
            before.ops.push_back(id);
            m_held[before.value.index()] = held;
            return true;
        }
        return false;
    }

    void link() {
        for (const LayerId reader : FirstIds<LayerId>(std::ssize(m_network.layers)))
            for (const LayerId input : layer(reader).inputs)
                if (auto& readers = layer(input).readers; readers.empty() || readers.back() != reader)
                    readers.push_back(reader);
    }

    const Graph& m_graph;
    const CrossbarChip& m_chip;
    const std::vector<bool> m_isUnsized; ///< [op]
    std::vector<HeldTensor> m_held;      ///< [tensor]
    CrossbarNetwork m_network;
};

} // namespace

ViewWork viewOf(std::vector<std::int32_t> from, const PixelMap& in, const PixelMap& out) {
    ViewWork view{std::move(from), {}};
    const std::int64_t inRow = std::int64_t(in.width) * in.channels,
                       outRow = std::int64_t(out.width) * out.channels;
    for (int y = 0; y < out.height; ++y) {
        ViewWork::Rows& rows = view.rows.emplace_back();
        for (std::int64_t i = y * outRow; i < (y + 1) * outRow; ++i)
            if (const std::int64_t element = view.from[std::size_t(i)]; element >= 0) {
                const int row = int(element / inRow);
                rows.begin = rows.end == 0 ? row : std::min(rows.begin, row);
                rows.end = std::max(rows.end, row + 1);
            }
    }
    int later = in.height;
    for (auto rows = view.rows.rbegin(); rows != view.rows.rend(); ++rows)
        rows->later = later = rows->end == 0 ? later : std::min(later, rows->begin);
    return view;
}

std::int64_t CrossbarNetwork::windows(LayerId layer) const {
    const CrossbarLayer& l = layers[layer.index()];
    if (!l.matrix())
        return l.out.pixels();
    const PixelWindow& w = l.matrix()->window;
    return std::int64_t((l.out.height + w.spreadY - 1) / w.spreadY) *
           ((l.out.width + w.spreadX - 1) / w.spreadX);
}

PhaseWindow phaseWindow(const PixelWindow& window, int phase) {
    PhaseWindow made{window, 0, 0, 1, 1, window.kernelX};
    if (window.phases() == 1)
        return made;
    const PhaseAxis y =
        phaseAxis(phase / window.spreadX, window.spreadY, window.kernelY, window.padTop, window.dilationY);
    const PhaseAxis x =
        phaseAxis(phase % window.spreadX, window.spreadX, window.kernelX, window.padLeft, window.dilationX);
    made.window = {.kernelY = x.kernel > 0 ? y.kernel : 0,
                   .kernelX = y.kernel > 0 ? x.kernel : 0,
                   .padTop = y.pad,
                   .padLeft = x.pad,
                   .dilationY = y.dilation,
                   .dilationX = x.dilation};
    made.firstY = y.first;
    made.firstX = x.first;
    made.stepY = y.step;
    made.stepX = x.step;
    return made;
}

Result<CrossbarNetwork> crossbarNetwork(std::shared_ptr<const Graph> graph, const CrossbarChip& chip) {
    return NetworkBuilder(std::move(graph), chip).run();
}

} // namespace pim
