// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/flow/emit_tensors.h"

#include "backends/dual_mode/flow/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace pim {
namespace {

constexpr int kForever = std::numeric_limits<int>::max();
constexpr std::int64_t kAlignment = 64; ///< Of tensors in main memory.

bool isReal(DataType type) {
    return type == DataType::F32 || type == DataType::F16 || type == DataType::BF16 ||
           type == DataType::F64 || type == DataType::Unknown;
}

/// Reshape and its kin: nothing moves.
bool isView(const Graph& graph, const Op& op) {
    static constexpr std::string_view kTypes[]{"Reshape",  "Flatten", "Squeeze",  "Unsqueeze",
                                               "Identity", "Dropout", "Transpose"};
    return op.domain.empty() && op.work.known && op.work.bytesRead == 0 && op.work.bytesWritten == 0 &&
           std::find(std::begin(kTypes), std::end(kTypes), op.type) != std::end(kTypes) &&
           !op.inputs.empty() && op.inputs[0].valid() && op.outputs.size() == 1 &&
           !graph.tensor(op.inputs[0]).isConstant();
}

bool isConvolution(const Op& op) {
    return op.domain.empty() && (op.type == "Conv" || op.type == "ConvInteger" || op.type == "QLinearConv");
}

/// Window of a convolution or pooling over [N, C, spatial…].
FlowWindow windowOf(const Op& op, const Shape& in, const Shape& out,
                    const std::vector<std::int64_t>& kernel) {
    FlowWindow w;
    const std::size_t axes = in.size() - 2;
    w.in.assign(in.begin() + 2, in.end());
    w.out.assign(out.begin() + 2, out.end());
    w.kernel = kernel;
    w.strides = op.intsAttribute("strides", std::vector<std::int64_t>(axes, 1));
    w.dilations = op.intsAttribute("dilations", std::vector<std::int64_t>(axes, 1));
    const auto pads = op.intsAttribute("pads", std::vector<std::int64_t>(2 * axes, 0));
    const std::string autoPad = op.stringAttribute("auto_pad", "NOTSET");
    w.strides.resize(axes, 1);
    w.dilations.resize(axes, 1);
    for (std::size_t i = 0; i < axes; ++i) {
        std::int64_t begin = i < pads.size() ? pads[i] : 0;
        if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
            const std::int64_t total = std::max<std::int64_t>(
                0, (w.out[i] - 1) * w.strides[i] + w.dilations[i] * (w.kernel[i] - 1) + 1 - w.in[i]);
            begin = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
        } else if (autoPad == "VALID") {
            begin = 0;
        }
        w.padBegin.push_back(std::max<std::int64_t>(0, begin));
    }
    return w;
}

/// k - 1 rows and k pixels of an image [CIM-MLC's pipeline model: W (k - 1) + k of W²]; images come one after
/// the other.
FlowPace paceOfWindow(const FlowWindow& w, std::int64_t images) {
    FlowPace pace{0, std::max<std::int64_t>(1, images)};
    std::int64_t below = 1; // elements of one step along the axis
    for (std::size_t i = w.in.size(); i-- > 0;) {
        const std::int64_t reach = w.dilations[i] * (w.kernel[i] - 1) + (i + 1 == w.in.size() ? 1 : 0);
        pace.lead += reach * below;
        below *= w.in[i];
    }
    pace.of *= below;
    // A 1 x 1 window needs its own pixel alone, which is the one it follows.
    pace.lead = std::min(pace.lead, pace.of);
    return pace;
}

} // namespace

std::int64_t FlowTensors::elements(TensorId id) const {
    const Tensor& tensor = m_graph.tensor(id);
    if (!tensor.shape || !isStatic(*tensor.shape))
        return -1;
    return elementCount(*tensor.shape).value_or(-1);
}

Result<int> FlowTensors::tensorOf(TensorId id) {
    int& known = m_tensorOf[id.index()];
    if (known >= 0)
        return known;
    const Tensor& tensor = m_graph.tensor(id);
    FlowTensor made;
    made.name = tensor.name;
    made.tensor = id;
    made.kind = tensor.isConstant() ? FlowTensorKind::Constant : FlowTensorKind::Activation;
    const std::int64_t count = elements(id);
    if (count < 0)
        return fail(ErrorCode::Unsupported,
                    fmt::format("has the shape {}, an address needs its size",
                                tensor.shape ? shapeText(*tensor.shape) : "?"),
                    tensor.name, kUnsizedHint);
    made.bytes = count * (isReal(tensor.dtype) ? 1 : bytesOf(tensor.dtype));
    if (made.bytes > flow_text::kMaxNumber)
        return fail(ErrorCode::Unsupported, fmt::format("has {} bytes", made.bytes), tensor.name);
    if (!tensor.isConstant() && tensor.producer.valid() && isView(m_graph, m_graph.op(tensor.producer))) {
        PIM_TRY(const int viewed, tensorOf(m_graph.op(tensor.producer).inputs[0]));
        const int root = flow.root(viewed);
        if (flow.tensors[static_cast<std::size_t>(root)].bytes == made.bytes &&
            flow.tensors[static_cast<std::size_t>(root)].kind != FlowTensorKind::Constant) {
            made.kind = FlowTensorKind::View;
            made.of = root;
        }
    }
    m_tensorOf[id.index()] = static_cast<int>(flow.tensors.size());
    flow.tensors.push_back(std::move(made));
    return m_tensorOf[id.index()];
}

Result<int> FlowTensors::addExtra(std::string name, FlowTensorKind kind, double bytes) {
    if (bytes > double(flow_text::kMaxNumber))
        return fail(ErrorCode::Unsupported, fmt::format("has {:.3g} bytes", bytes), std::move(name));
    FlowTensor made;
    made.name = std::move(name);
    made.kind = kind;
    made.bytes = static_cast<std::int64_t>(bytes);
    flow.tensors.push_back(std::move(made));
    return static_cast<int>(flow.tensors.size()) - 1;
}

Result<void> FlowTensors::addOp(const DualModeOp& made) {
    if (!made.op.valid() || made.op.index() >= m_graph.ops.size())
        return fail(ErrorCode::InvalidModel, "the plan was not made from this graph", made.name);
    const Op& op = m_graph.op(made.op);
    FlowOp one;
    one.name = made.name;
    one.op = made.op;
    one.part = made.part;
    one.m = made.m, one.n = made.n, one.k = made.k, one.g = made.g;
    one.packed = static_cast<int>(instancesPerArray(made, m_plan.chip));
    const double results = double(made.m) * double(made.k) * double(made.g);
    const std::string where = op.name;
    const auto operand = [&](std::size_t at) -> Result<TensorId> {
        if (at >= op.inputs.size() || !op.inputs[at].valid() || op.outputs.empty() || !op.outputs[0].valid())
            return fail(ErrorCode::InvalidModel, fmt::format("has no operand {}", at), where);
        return op.inputs[at];
    };
    if (op.opClass == OpClass::Attention) {
        const auto index = made.op.index();
        PIM_TRY(const TensorId weights, operand(made.part == 0 ? 1 : 2));
        PIM_TRY(one.weights, tensorOf(weights));
        if (made.part == 0) {
            PIM_TRY(const TensorId queries, operand(0));
            PIM_TRY(one.streamed, tensorOf(queries));
            PIM_TRY(m_scores[index], addExtra(op.name + ".scores", FlowTensorKind::Scores, results));
            PIM_TRY(m_probabilities[index],
                    addExtra(op.name + ".probabilities", FlowTensorKind::Probabilities, results));
            one.result = m_scores[index];
        } else {
            if (m_probabilities[index] < 0)
                return fail(ErrorCode::InvalidModel, "the plan has its context before its scores", where);
            one.streamed = m_probabilities[index];
            PIM_TRY(one.result, tensorOf(op.outputs[0]));
        }
    } else {
        const std::size_t second = op.type == "QLinearConv" || op.type == "QLinearMatMul" ? 3 : 1;
        PIM_TRY(TensorId streamed, operand(0));
        PIM_TRY(TensorId weights, operand(second));
        if (m_graph.tensor(streamed).isConstant() && !m_graph.tensor(weights).isConstant())
            std::swap(streamed, weights);
        PIM_TRY(one.streamed, tensorOf(streamed));
        if (!m_graph.tensor(weights).isConstant()) {
            PIM_TRY(one.weights, tensorOf(weights));
        }
        PIM_TRY(one.result, tensorOf(op.outputs[0]));
        if (isConvolution(op)) {
            const Shape &in = *m_graph.tensor(streamed).shape, &out = *m_graph.tensor(op.outputs[0]).shape;
            const auto& kernels = m_graph.tensor(weights).shape;
            if (in.size() < 3 || out.size() != in.size() || !kernels || kernels->size() != in.size())
                return fail(ErrorCode::InvalidModel,
                            fmt::format("convolves {} to {}", shapeText(in), shapeText(out)), where);
            one.window = windowOf(op, in, out, {kernels->begin() + 2, kernels->end()});
        }
    }
    one.pace = one.window.in.empty()
                   ? FlowPace{1, one.m}
                   : paceOfWindow(one.window, one.m / std::max<std::int64_t>(1, [&] {
                                                  std::int64_t pixels = 1;
                                                  for (const std::int64_t extent : one.window.out)
                                                      pixels *= extent;
                                                  return pixels;
                                              }()));
    if (m_isSummed[flow.ops.size()] != 0) {
        PIM_TRY(one.accumulator, addExtra(made.name + ".sums", FlowTensorKind::Accumulator,
                                          kDualModePartialSumBytes * results));
    }
    flow.ops.push_back(std::move(one));
    return {};
}

Result<void> FlowTensors::build() {
    m_tensorOf.assign(m_graph.tensors.size(), -1);
    m_scores.assign(m_graph.ops.size(), -1);
    m_probabilities.assign(m_graph.ops.size(), -1);
    for (const auto& [op, how] : m_plan.workload->left)
        if (how.rfind("host", 0) == 0 && op.valid())
            m_hostNotes[op.value] = how.size() > 6 ? how.substr(6) : how;
    for (const TensorId id : m_graph.inputs) {
        PIM_TRY(const int tensor, tensorOf(id));
        flow.inputs.push_back(tensor);
    }
    std::set<TensorId> takenLater; // by ops that are left out
    for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
        const Op& op = m_graph.ops[i];
        if (m_isUnsized[i]) {
            takenLater.insert(op.inputs.begin(), op.inputs.end());
            continue;
        }
        for (const auto* list : {&op.inputs, &op.outputs})
            for (const TensorId id : *list)
                if (id.valid() && !m_graph.tensor(id).isConstant())
                    PIM_CHECK(tensorOf(id));
    }
    const auto& ops = m_plan.workload->ops;
    m_isSummed.assign(ops.size(), 0);
    for (const DualModeSubOp& sub : m_plan.subOps) {
        if (sub.op < 0 || static_cast<std::size_t>(sub.op) >= ops.size())
            return fail(ErrorCode::InvalidModel,
                        fmt::format("a sub-operator is of operator {} of {}", sub.op, ops.size()));
        if (sub.n < ops[static_cast<std::size_t>(sub.op)].n)
            m_isSummed[static_cast<std::size_t>(sub.op)] = 1;
    }
    for (const DualModeOp& op : ops)
        PIM_CHECK(addOp(op));
    for (const TensorId id : m_graph.outputs) {
        if (const OpId producer = m_graph.tensor(id).producer; producer.valid() && isLeftOut(producer))
            continue;
        PIM_TRY(const int tensor, tensorOf(id));
        flow.outputs.push_back(tensor);
        takenLater.erase(id);
    }
    for (const TensorId id : takenLater)
        if (const OpId producer = id.valid() ? m_graph.tensor(id).producer : OpId();
            producer.valid() && !isLeftOut(producer) && m_tensorOf[id.index()] >= 0)
            flow.outputs.push_back(m_tensorOf[id.index()]);
    std::vector<char> isMatrix(m_graph.ops.size(), 0);
    for (const FlowOp& op : flow.ops)
        isMatrix[op.op.index()] = 1;
    m_graphOps.resize(m_graph.ops.size());
    m_softmaxes.resize(m_graph.ops.size());
    for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
        const int op = static_cast<int>(i);
        if (m_isUnsized[i])
            continue;
        if (isMatrix[i] == 0)
            m_graphOps[i] = madeOf({FlowItem::GraphOp, op});
        else if (m_scores[i] >= 0)
            m_softmaxes[i] = madeOf({FlowItem::Softmax, op});
    }
    return {};
}

FlowPace FlowTensors::paceOf(const Op& op) const {
    const FlowPace all{1, 1};
    const TensorId first = op.inputs.empty() ? TensorId() : op.inputs[0];
    if (!first.valid() || op.outputs.empty() || !op.outputs[0].valid())
        return all;
    const auto &in = m_graph.tensor(first).shape, &out = m_graph.tensor(op.outputs[0]).shape;
    if (!in || !out)
        return all;
    const auto rank = static_cast<std::int64_t>(in->size());
    const auto lastAxis = [&](std::int64_t axis) { return axis == -1 || axis == rank - 1; };
    const auto rowwise = [&] {
        return rank > 0 ? FlowPace{in->back(), std::max<std::int64_t>(1, elements(first))} : all;
    };
    switch (op.opClass) {
    case OpClass::Elementwise:
        return {0, 1};
    case OpClass::Softmax:
        return lastAxis(op.intAttribute("axis", -1)) ? rowwise() : all;
    case OpClass::Normalize:
        if (op.type == "LayerNorm" || op.type == "RmsNorm" || op.type == "LayerNormalization")
            return rowwise();
        // Per channel, or over channels of one pixel, which come together.
        return op.type == "BatchNormalization" || op.type == "LRN" ? FlowPace{0, 1} : all;
    case OpClass::Pool: {
        const auto kernel = op.intsAttribute("kernel_shape", {});
        if (in->size() < 3 || out->size() != in->size() || kernel.size() != in->size() - 2)
            return all; // global
        return paceOfWindow(windowOf(op, *in, *out, kernel), (*in)[0]);
    }
    case OpClass::Movement:
        // Side by side along channels: whatever comes first is there first.
        return op.type == "Concat" &&
                       (op.intAttribute("axis", 0) == 1 || lastAxis(op.intAttribute("axis", 0)))
                   ? FlowPace{0, 1}
                   : all;
    default:
        return all;
    }
}

FlowOperator FlowTensors::madeOf(const FlowItem& item) const {
    FlowGraphOp run;
    run.op = OpId(item.index);
    run.name = m_graph.op(run.op).name;
    const auto note = m_hostNotes.find(item.index);
    const bool isHost = item.kind != FlowItem::Softmax && note != m_hostNotes.end();
    if (item.kind == FlowItem::Softmax)
        fillSoftmax(run);
    else
        fillGraphOp(run, isHost);
    if (isHost)
        run.note = note->second;
    FlowOperator made;
    made.kind = isHost ? FlowKind::Host : FlowKind::Vector;
    made.run = std::make_shared<const FlowGraphOp>(std::move(run));
    return made;
}

void FlowTensors::addRead(FlowGraphOp& run, TensorId id) const {
    if (id.valid() && !m_graph.tensor(id).isConstant())
        if (const int tensor = m_tensorOf[id.index()];
            std::ranges::find(run.reads, tensor) == run.reads.end())
            run.reads.push_back(tensor);
}

void FlowTensors::fillSoftmax(FlowGraphOp& run) const {
    const Op& op = m_graph.op(run.op);
    run.reads.push_back(m_scores[run.op.index()]);
    if (op.inputs.size() > 3)
        addRead(run, op.inputs[3]);
    run.writes.push_back(m_probabilities[run.op.index()]);
    run.work = op.work.otherOps;
    for (const FlowOp& part : flow.ops)
        if (part.op == run.op && part.part == 0)
            run.pace = {1, part.m};
}

void FlowTensors::fillGraphOp(FlowGraphOp& run, bool isHost) const {
    const Op& op = m_graph.op(run.op);
    std::int64_t written = 0;
    for (const TensorId id : op.inputs)
        addRead(run, id);
    for (const TensorId id : op.outputs)
        if (id.valid()) {
            run.writes.push_back(m_tensorOf[id.index()]);
            written += std::max<std::int64_t>(0, elements(id));
        }
    if (isHost)
        return;
    run.view = run.writes.size() == 1 &&
               flow.tensors[static_cast<std::size_t>(run.writes[0])].kind == FlowTensorKind::View;
    if (run.view)
        return;
    run.work = std::min(flow_text::kMaxNumber, std::max(op.work.otherOps, written));
    run.pace = paceOf(op);
}

void FlowTensors::forEachUse(const FlowItem& item,
                             const std::function<void(int tensor, bool write)>& visit) const {
    if (item.kind != FlowItem::Piece) {
        const FlowGraphOp& run = *graphOp(item).run;
        if (run.view)
            return;
        for (const int tensor : run.reads)
            visit(flow.root(tensor), false);
        for (const int tensor : run.writes)
            visit(flow.root(tensor), true);
        return;
    }
    const FlowPiece& piece = flow.pieces[static_cast<std::size_t>(item.index)];
    const FlowOp& op = flow.ops[static_cast<std::size_t>(piece.op)];
    visit(flow.root(op.streamed), false);
    if (op.weights >= 0)
        visit(flow.root(op.weights), false);
    if (piece.sum != SumRole::Whole) {
        visit(op.accumulator, piece.sum == SumRole::First);
        if (piece.sum != SumRole::First)
            visit(op.accumulator, true);
    }
    if (piece.sum == SumRole::Whole || piece.sum == SumRole::Last)
        visit(flow.root(op.result), true);
}

void FlowTensors::findLives(const std::vector<std::vector<FlowItem>>& blocks) {
    m_lives.assign(flow.tensors.size(), {});
    std::vector<char> input(flow.tensors.size(), 0);
    for (const int tensor : flow.inputs)
        input[static_cast<std::size_t>(flow.root(tensor))] = 1;
    for (std::size_t block = 0; block < blocks.size(); ++block)
        for (const FlowItem& item : blocks[block])
            forEachUse(item, [&](int tensor, bool write) {
                FlowTensorLife& life = m_lives[static_cast<std::size_t>(tensor)];
                const int here = static_cast<int>(block);
                if (!write) {
                    life.lastRead = std::max(life.lastRead, here);
                } else if (input[static_cast<std::size_t>(tensor)] == 0) {
                    life.firstWrite = life.lastWrite < 0 ? here : life.firstWrite;
                    life.lastWrite = here;
                }
            });
    for (const int tensor : flow.outputs)
        m_lives[static_cast<std::size_t>(flow.root(tensor))].lastRead = kForever;
}

void FlowTensors::findBuffered(const std::vector<std::vector<FlowItem>>& blocks, std::int64_t bufferBytes) {
    struct Use {
        int reads = 0;
        const FlowItem* reader = nullptr;
        int lastWriteAt = -1; ///< Position of the last writer in its block.
        int readAt = -1;
    };
    std::vector<Use> uses(flow.tensors.size());
    m_onlyReader.assign(flow.tensors.size(), {});
    for (const auto& items : blocks)
        for (std::size_t i = 0; i < items.size(); ++i)
            forEachUse(items[i], [&](int tensor, bool write) {
                Use& use = uses[static_cast<std::size_t>(tensor)];
                if (write) {
                    use.lastWriteAt = static_cast<int>(i);
                } else {
                    ++use.reads;
                    use.reader = &items[i];
                    use.readAt = static_cast<int>(i);
                }
            });
    std::vector<std::int64_t> left(blocks.size(), bufferBytes);
    for (std::size_t i = 0; i < flow.tensors.size(); ++i) {
        FlowTensor& tensor = flow.tensors[i];
        const FlowTensorLife& life = m_lives[i];
        const bool oneBlock =
            life.firstWrite >= 0 && life.firstWrite == life.lastWrite && life.lastRead == life.firstWrite;
        if (!oneBlock)
            continue;
        if (tensor.kind == FlowTensorKind::Accumulator) {
            tensor.buffered = true; // pieces run side by side, their sums meet on the way out
            continue;
        }
        const Use& use = uses[i];
        if (tensor.kind == FlowTensorKind::View || tensor.kind == FlowTensorKind::Constant ||
            use.reads != 1 || use.reader->kind == FlowItem::Piece)
            continue;
        const FlowOperator& reader = graphOp(*use.reader);
        if (reader.kind != FlowKind::Vector)
            continue;
        // Of several inputs the last one made is waited for; the others have to lie somewhere until then.
        bool latest = true;
        for (const int other : reader.run->reads) {
            const auto root = static_cast<std::size_t>(flow.root(other));
            latest &= root == i || m_lives[root].lastWrite < life.lastWrite ||
                      uses[root].lastWriteAt < use.lastWriteAt;
        }
        const auto behind = static_cast<std::int64_t>(double(reader.run->pace.lead) /
                                                      double(reader.run->pace.of) * double(tensor.bytes));
        auto& room = left[static_cast<std::size_t>(life.firstWrite)];
        if (!latest || behind > room)
            continue;
        room -= behind;
        tensor.buffered = true;
        m_onlyReader[i] = *use.reader;
    }
}

void FlowTensors::addresses(std::size_t blocks) {
    const int last = static_cast<int>(blocks) - 1;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < flow.tensors.size(); ++i)
        if (flow.tensors[i].of < 0 && !flow.tensors[i].buffered)
            order.push_back(i);
    const auto begin = [&](std::size_t i) {
        return flow.tensors[i].kind == FlowTensorKind::Constant ? -1 : m_lives[i].firstWrite;
    };
    const auto end = [&](std::size_t i) {
        if (flow.tensors[i].kind == FlowTensorKind::Constant)
            return kForever;
        return std::max(m_lives[i].lastRead, m_lives[i].lastWrite);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
    std::map<std::int64_t, std::size_t> taken; // address -> tensor
    for (const std::size_t i : order) {
        std::erase_if(taken, [&](const auto& one) { return end(one.second) < std::min(begin(i), last); });
        std::int64_t at = 0;
        const std::int64_t bytes = std::max<std::int64_t>(1, flow.tensors[i].bytes);
        for (const auto& [address, other] : taken) {
            if (address - at >= bytes)
                break;
            const std::int64_t next = address + std::max<std::int64_t>(1, flow.tensors[other].bytes);
            at = std::max(at, (next + kAlignment - 1) / kAlignment * kAlignment);
        }
        flow.tensors[i].address = at;
        taken.emplace(at, i);
        flow.mainBytes = std::max(flow.mainBytes, at + flow.tensors[i].bytes);
    }
}

FlowLayout FlowTensors::layout(int root) const {
    const FlowTensor& tensor = flow.tensors[static_cast<std::size_t>(root)];
    FlowLayout made{tensor.bytes, 1};
    if (!tensor.tensor.valid() || tensor.bytes == 0)
        return made;
    const Tensor& source = m_graph.tensor(tensor.tensor);
    const Shape& shape = *source.shape;
    const bool image =
        shape.size() >= 4 || (source.producer.valid() && isConvolution(m_graph.op(source.producer)));
    if (image)
        made.count = shape[0];
    else if (shape.size() >= 2)
        made.count = elementCount(shape).value_or(1) / shape.back();
    made.run = tensor.bytes / made.count;
    return made;
}

bool FlowTensors::canBeHeld(int root) const {
    const FlowTensor& tensor = flow.tensors[static_cast<std::size_t>(root)];
    return tensor.of < 0 && !tensor.buffered && tensor.bytes > 0 && tensor.kind != FlowTensorKind::Constant &&
           tensor.kind != FlowTensorKind::Accumulator;
}

std::optional<FlowSlice> FlowTensors::collected(int number, std::size_t block) const {
    const FlowPiece& piece = flow.pieces[static_cast<std::size_t>(number)];
    const FlowOp& op = flow.ops[static_cast<std::size_t>(piece.op)];
    if (piece.sum == SumRole::First || piece.sum == SumRole::More)
        return std::nullopt;
    FlowSlice slice{flow.root(op.result), 0, 0};
    const FlowLayout rows = layout(slice.tensor);
    const bool whole = piece.g == op.g && piece.k == op.k;
    const bool instances = piece.k == op.k || piece.g == 1; // one stretch of (instance, column)
    if (whole) {
        slice.end = rows.run;
    } else if (!op.window.in.empty() && instances && rows.run % (op.g * op.k) == 0) {
        const std::int64_t pixels = rows.run / (op.g * op.k), first = piece.gBegin * op.k + piece.kBegin;
        slice.begin = first * pixels;
        slice.end = (first + piece.g * piece.k) * pixels;
    } else if (op.g == 1 && rows.run == op.k) {
        slice.begin = piece.kBegin;
        slice.end = piece.kBegin + piece.k;
    } else if (rows.count == 1 && piece.k == op.k && rows.run == op.g * op.m * op.k) {
        slice.begin = piece.gBegin * op.m * op.k;
        slice.end = (piece.gBegin + piece.g) * op.m * op.k;
    } else {
        return std::nullopt;
    }
    while (flow.tensors[static_cast<std::size_t>(slice.tensor)].buffered) {
        if (m_lives[static_cast<std::size_t>(slice.tensor)].firstWrite != static_cast<int>(block))
            return std::nullopt;
        const FlowGraphOp& next = *graphOp(m_onlyReader[static_cast<std::size_t>(slice.tensor)]).run;
        if (next.writes.size() != 1)
            return std::nullopt;
        const int to = flow.root(next.writes[0]);
        const FlowLayout before = layout(slice.tensor), after = layout(to);
        if (whole)
            slice.end = after.run;
        else if (before.run != after.run || before.count != after.count)
            return std::nullopt;
        slice.tensor = to;
    }
    return slice;
}

} // namespace pim
