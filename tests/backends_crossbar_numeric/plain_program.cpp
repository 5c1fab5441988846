// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends_crossbar_numeric/plain_program.h"

#include "backends/crossbar/numeric/group_weights.h"

#include <map>

namespace pim::test {

namespace {

using Instruction = CrossbarInstruction;
// Where things lie in a core's local memory.
constexpr std::uint32_t kFirst = 0, kSecond = 20000, kSums = 40000, kOther = 60000, kResult = 80000;
constexpr std::uint8_t kWide = Instruction::kWideSource | Instruction::kWideResult;

class Plain {
public:
    Plain(const CrossbarNetwork& network, const CrossbarChip& chip, const PlainOptions& options)
        : m_network(network), m_chip(chip), m_options(options) {
        m_made.program.cores.resize(std::size_t(chip.cores()));
        std::uint32_t address = 7;
        for (std::size_t i = 0; i < network.layers.size(); ++i) {
            m_made.mapAddress.push_back(address);
            address += std::uint32_t(network.layers[i].out.elements()) + 3;
        }
    }

    Result<PlainProgram> run() {
        PIM_CHECK(map());
        for (std::size_t i = 0; i < m_network.layers.size(); ++i) {
            m_layer = LayerId(i);
            const CrossbarLayer& layer = m_network.layers[i];
            for (std::int64_t pixel = 0; pixel < layer.out.pixels(); ++pixel) {
                m_core = int(pixel % m_chip.cores());
                if (const MatrixWork* work = layer.matrix())
                    matrix(layer, *work, pixel);
                else if (const auto* window = layer.as<WindowWork>())
                    pool(layer, *window, pixel);
                else if (const auto* element = layer.as<ElementWork>())
                    elementwise(layer, *element, pixel);
                else if (layer.as<ConcatWork>())
                    concat(layer, pixel);
                else if (const auto* normal = layer.as<NormaliseWork>())
                    normalise(layer, *normal, pixel);
                else if (const auto* view = layer.as<ViewWork>())
                    rearrange(layer, *view, pixel);
            }
        }
        for (const auto& core : m_made.program.cores)
            m_made.program.groupEnds.push_back({std::uint32_t(core.size())});
        return std::move(m_made);
    }

private:
    Result<void> map() {
        m_made.mapping.mode = CrossbarMode::HighThroughput;
        int next = 0;
        for (const LayerId layer : m_network.matrixLayers) {
            const MatrixWork& work = *m_network.layers[layer.index()].matrix();
            const CrossbarGroup& arrays = m_chip.arraysOf(CoreId(0))[0];
            const Unfolding unfolding =
                isValidUnfolding(work, m_options.unfolding) ? m_options.unfolding : Unfolding::WholeWindow;
            LayerMapping entry;
            PIM_TRY(entry.partition,
                    partitionLayer(m_network, layer, unfolding, arrays.rows, arrays.columns, arrays.count));
            entry.replicas = m_options.replicas;
            for (int i = 0; i < entry.replicas * entry.groups(); ++i)
                entry.cores.emplace_back(next++ % m_chip.cores());
            m_made.mapping.layers.push_back(std::move(entry));
        }
        m_made.mapping.number();
        return {};
    }

    std::uint32_t addressOf(LayerId layer) const { return m_made.mapAddress[layer.index()]; }
    int channelsOf(LayerId layer) const { return m_network.at(layer).out.channels; }

    void issue(int core, CrossbarOpcode opcode, std::uint64_t dst, std::uint64_t src1, std::uint64_t length,
               std::uint8_t flags = 0, std::uint32_t index = 0, std::uint32_t peer = 0) {
        Instruction in;
        in.opcode = opcode;
        in.layer = std::uint32_t(m_layer.value);
        in.dst = std::uint32_t(dst);
        in.src1 = std::uint32_t(src1);
        in.length = std::uint32_t(length);
        in.flags = flags;
        in.index = index;
        in.peer = peer;
        m_made.program.cores[std::size_t(core)].push_back(in);
    }
    void vec(int core, VectorOp op, std::uint64_t dst, std::uint64_t src1, std::uint64_t src2,
             std::uint64_t length, std::uint8_t flags = 0, std::uint32_t index = 0) {
        issue(core, CrossbarOpcode::Vec, dst, src1, length, flags, index);
        m_made.program.cores[std::size_t(core)].back().vec = op;
        m_made.program.cores[std::size_t(core)].back().src2 = std::uint32_t(src2);
    }
    void load(int core, std::uint64_t dst, std::uint64_t address, std::uint64_t length) {
        issue(core, CrossbarOpcode::Load, dst, address, length);
    }
    void store(int core, std::uint64_t address, std::uint64_t src, std::uint64_t length) {
        issue(core, CrossbarOpcode::Store, address, src, length);
    }

    void matrix(const CrossbarLayer& layer, const MatrixWork& work, std::int64_t pixel) {
        const LayerMapping& entry = *m_made.mapping.of(m_layer);
        const int replica = int(pixel) % entry.replicas;
        std::map<std::pair<int, int>, int> ownerOf; // of the sums of some columns
        std::map<std::pair<int, int>, int> parts;
        const int phase = work.window.phaseOf(int(pixel / layer.out.width), int(pixel % layer.out.width));
        for (int g = 0; g < entry.groups(); ++g) {
            const ArrayGroupShape& shape = entry.partition.groups[std::size_t(g)];
            if (shape.phase != phase)
                continue;
            const int core = entry.core(ReplicaId(replica), GroupId(g)).value;
            multiply(layer, work, entry, g, core, replica, pixel);
            const std::pair columns{shape.blockBegin, shape.columnBegin};
            if (parts[columns]++ == 0) {
                ownerOf[columns] = core;
                issue(core, CrossbarOpcode::Copy, sumsOf(columns), kOther, std::uint64_t(shape.columns),
                      kWide);
                continue;
            }
            const int owner = ownerOf[columns];
            if (owner != core) {
                issue(core, CrossbarOpcode::Send, 0, kOther, std::uint64_t(shape.columns), kWide, m_transfer,
                      std::uint32_t(owner));
                issue(owner, CrossbarOpcode::Recv, kOther, 0, std::uint64_t(shape.columns), kWide,
                      m_transfer++, std::uint32_t(core));
            }
            vec(owner, VectorOp::Add, sumsOf(columns), sumsOf(columns), kOther, std::uint64_t(shape.columns),
                kWide);
        }
        int columnsOf = phase;
        if (ownerOf.empty()) { // no place of the kernel reaches the pixel: zeros where another phase has sums
            columnsOf = entry.partition.groups[0].phase;
            for (int g = 0; g < entry.groups(); ++g) {
                const ArrayGroupShape& shape = entry.partition.groups[std::size_t(g)];
                const std::pair columns{shape.blockBegin, shape.columnBegin};
                if (shape.phase == columnsOf &&
                    ownerOf.emplace(columns, entry.core(ReplicaId(replica), GroupId(g)).value).second)
                    issue(ownerOf[columns], CrossbarOpcode::Write, sumsOf(columns), 0,
                          std::uint64_t(shape.columns), Instruction::kWideResult);
            }
        }
        for (const auto& [columns, core] : ownerOf)
            finish(layer, work, entry, columns, columnsOf, core, pixel);
    }
    std::uint64_t sumsOf(const std::pair<int, int>& columns) const {
        const int perBlock = m_network.layers[m_layer.index()].matrix()->outOfGroup();
        return kSums + std::uint64_t(columns.first * perBlock + columns.second) * 2;
    }

    void multiply(const CrossbarLayer& layer, const MatrixWork& work, const LayerMapping& entry, int g,
                  int core, int replica, std::int64_t pixel) {
        const ArrayGroupShape& shape = entry.partition.groups[std::size_t(g)];
        const GroupLayout layout(layer, entry.partition, shape);
        const PixelRange origin = windowOrigin(work.window, layer.out, pixel);
        issue(core, CrossbarOpcode::Write, kFirst, 0, std::uint64_t(shape.rows));
        for (int row = 0; row < shape.rows; ++row) {
            const GroupLayout::Row from = layout.row(row);
            // Places of the input spread out; those of the group's phase meet its rows and columns.
            const int y = (origin.yBegin + from.place / work.window.kernelX * work.window.dilationY) /
                          work.window.spreadY;
            const int x = (origin.xBegin + from.place % work.window.kernelX * work.window.dilationX) /
                          work.window.spreadX;
            if (y >= 0 && y < layer.in.height && x >= 0 && x < layer.in.width)
                load(core, std::uint64_t(kFirst + row),
                     addressOf(layer.inputs[0]) +
                         std::uint64_t((y * layer.in.width + x) * layer.in.channels + from.channel),
                     1);
        }
        issue(core, CrossbarOpcode::Mvm, kOther, kFirst, std::uint64_t(shape.rows), Instruction::kWideResult,
              std::uint32_t(entry.number(ReplicaId(replica), GroupId(g)).index()));
        m_made.program.cores[std::size_t(core)].back().src2 = std::uint32_t(shape.columns);
    }

    void finish(const CrossbarLayer& layer, const MatrixWork& work, const LayerMapping& entry,
                const std::pair<int, int>& columns, int phase, int core, std::int64_t pixel) {
        int length = 0;
        for (const ArrayGroupShape& shape : entry.partition.groups)
            if (shape.phase == phase && std::pair{shape.blockBegin, shape.columnBegin} == columns)
                length = shape.columns;
        const auto channel = std::uint32_t(columns.first * work.outOfGroup() + columns.second);
        const VectorOp activation = layer.activation.op;
        const bool one = activation == VectorOp::None || m_options.fused;
        vec(core, one && activation != VectorOp::None ? activation : VectorOp::Scale, kResult,
            sumsOf(columns), 0, std::uint64_t(length), Instruction::kWideSource, channel);
        if (!one)
            vec(core, activation, kResult, kResult, 0, std::uint64_t(length), 0, channel);
        store(core, addressOf(m_layer) + std::uint64_t(pixel * layer.out.channels + channel), kResult,
              std::uint64_t(length));
    }

    void pool(const CrossbarLayer& layer, const WindowWork& work, std::int64_t pixel) {
        const PixelRange origin = windowOrigin(work.window, layer.out, pixel);
        const auto channels = std::uint64_t(layer.out.channels);
        const bool average = work.kind == PoolKind::Average;
        bool first = true;
        for (int k = 0; k < work.window.kernel(); ++k) {
            const int y = origin.yBegin + k / work.window.kernelX * work.window.dilationY;
            const int x = origin.xBegin + k % work.window.kernelX * work.window.dilationX;
            if (y < 0 || y >= layer.in.height || x < 0 || x >= layer.in.width)
                continue;
            load(m_core, kFirst,
                 addressOf(layer.inputs[0]) + std::uint64_t(y * layer.in.width + x) * channels, channels);
            if (first)
                issue(m_core, CrossbarOpcode::Copy, kSums, kFirst, channels,
                      average ? Instruction::kWideResult : 0);
            else
                vec(m_core, average ? VectorOp::Add : VectorOp::Max, kSums, kSums, kFirst, channels,
                    average ? kWide : 0);
            first = false;
        }
        if (average)
            vec(m_core, VectorOp::Scale, kResult, kSums, std::uint64_t(pixel), channels,
                Instruction::kWideSource);
        store(m_core, addressOf(m_layer) + std::uint64_t(pixel) * channels, average ? kResult : kSums,
              channels);
    }

    void elementwise(const CrossbarLayer& layer, const ElementWork& work, std::int64_t pixel) {
        const auto channels = std::uint64_t(layer.out.channels);
        const auto element = std::uint32_t(std::uint64_t(pixel) * channels);
        load(m_core, kResult, addressOf(layer.inputs[0]) + element, channels);
        for (std::size_t i = 1; i < layer.inputs.size(); ++i) {
            const Broadcast broadcast = work.broadcast[i - 1];
            for (std::uint64_t c = 0; c < channels; ++c) {
                const std::uint64_t from = broadcast == Broadcast::None       ? element + c
                                           : broadcast == Broadcast::Pixels   ? c
                                           : broadcast == Broadcast::Channels ? std::uint64_t(pixel)
                                                                              : 0;
                load(m_core, kSecond + c, addressOf(layer.inputs[i]) + from, 1);
            }
            vec(m_core, work.op, kResult, kResult, kSecond, channels, 0, std::uint32_t(i));
        }
        if (layer.inputs.size() == 1)
            vec(m_core, work.op, kResult, kResult, 0, channels, 0, element);
        if (layer.activation.op != VectorOp::None)
            vec(m_core, layer.activation.op, kResult, kResult, 0, channels);
        store(m_core, addressOf(m_layer) + element, kResult, channels);
    }

    void concat(const CrossbarLayer& layer, std::int64_t pixel) {
        std::uint64_t at = addressOf(m_layer);
        if (layer.as<ConcatWork>()->axis == ConcatAxis::Pixels) {
            if (pixel > 0)
                return;
            for (const LayerId input : layer.inputs) {
                const auto count = std::uint64_t(m_network.layers[input.index()].out.elements());
                load(m_core, kFirst, addressOf(input), count);
                store(m_core, at, kFirst, count);
                at += count;
            }
            return;
        }
        at += std::uint64_t(pixel * layer.out.channels);
        for (const LayerId input : layer.inputs) {
            const auto channels = std::uint64_t(channelsOf(input));
            load(m_core, kFirst, addressOf(input) + std::uint64_t(pixel) * channels, channels);
            store(m_core, at, kFirst, channels);
            at += channels;
        }
    }

    void normalise(const CrossbarLayer& layer, const NormaliseWork& work, std::int64_t pixel) {
        const auto channels = std::uint64_t(layer.out.channels);
        const auto element = std::uint32_t(std::uint64_t(pixel) * channels);
        load(m_core, kFirst, addressOf(layer.inputs[0]) + element, channels);
        vec(m_core, vectorOpOf(work.kind), kResult, kFirst, 0, channels, 0, element);
        if (layer.activation.op != VectorOp::None)
            vec(m_core, layer.activation.op, kResult, kResult, 0, channels);
        store(m_core, addressOf(m_layer) + element, kResult, channels);
    }

    void rearrange(const CrossbarLayer& layer, const ViewWork& view, std::int64_t pixel) {
        for (int c = 0; c < layer.out.channels; ++c) {
            const std::int64_t element = pixel * layer.out.channels + c;
            const std::int32_t from = view.from[std::size_t(element)];
            if (from < 0)
                issue(m_core, CrossbarOpcode::Write, kFirst, 0, 1);
            else
                load(m_core, kFirst, addressOf(layer.inputs[0]) + std::uint64_t(from), 1);
            store(m_core, addressOf(m_layer) + std::uint64_t(element), kFirst, 1);
        }
    }

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const PlainOptions& m_options;
    PlainProgram m_made;
    LayerId m_layer;
    int m_core = 0;
    std::uint32_t m_transfer = 0;
};

} // namespace

CrossbarChip smallChip(int cores, int arraysPerCore, int rows, int columns) {
    CrossbarChip chip;
    chip.name = "small";
    chip.coresX = cores;
    chip.coresY = 1;
    chip.connectionBytesPerNs = chip.globalBytesPerNs = chip.localBytesPerNs = chip.vectorBytes =
        chip.vectorNs = 1;
    chip.globalBytes = 64 << 20;
    chip.localBytes = 1 << 20;
    chip.vectorOps.set();
    chip.groups = {{CrossbarGroup{rows, columns, arraysPerCore}}};
    chip.cellBits = 2;
    chip.physicalPerLogical = 8;
    chip.mvmNs = chip.mvmIssueNs = 100;
    return chip;
}

Result<PlainProgram> plainProgram(const CrossbarNetwork& network, const CrossbarChip& chip,
                                  const PlainOptions& options) {
    return Plain(network, chip, options).run();
}

} // namespace pim::test
