// SPDX-License-Identifier: GPL-3.0-or-later
// Networks as crossbar cores see them: layers, array groups, who computes which pixel, the heap of a core.
#include <QTest>
#include <string>

#include "backends/crossbar/element_order.h"
#include "backends/crossbar/schedule/lanes.h"
#include "backends/crossbar/schedule/tasks.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"

#include <QTemporaryDir>

#include <set>

#define QVERIFY_RESULT(result)                                                                               \
    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(result.error().text())))

using namespace pim;

namespace {

/// 144 cores of 64 arrays of 128x128, as the published crossbar counts assume.
CrossbarChip defaultChip() {
    CrossbarChip chip;
    chip.coresX = chip.coresY = 12;
    chip.groups = {{{128, 128, 64}}};
    chip.connectionBytesPerNs = 25.6;
    chip.globalBytesPerNs = 64;
    chip.globalBytes = std::int64_t(4) << 30;
    chip.localBytes = 1 << 24;
    chip.localBytesPerNs = 25.6;
    chip.vectorBytes = 64;
    chip.vectorNs = 10;
    chip.mvmNs = 800;
    chip.mvmIssueNs = 200;
    chip.vectorOps.set();
    return chip;
}

Result<std::shared_ptr<const Graph>> zooGraph(const char* name,
                                              const std::map<std::string, std::int64_t>& bindings = {}) {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("model.onnx").toStdString();
    ZooOptions options;
    options.weights = false;
    options.batch = 1;
    PIM_CHECK(writeZooModel(name, file, options));
    return loadGraph(file, {bindings, {}});
}

/// Every layer once, whole replicas in the first cores that have room.
CrossbarMapping packed(std::vector<LayerPartition> parts, int replicas, const CrossbarChip& chip) {
    CrossbarMapping mapping;
    std::vector<int> left(std::size_t(chip.cores()), chip.groups[0][0].count);
    std::size_t core = 0;
    for (LayerPartition& part : parts) {
        LayerMapping& layer = mapping.layers.emplace_back();
        layer.replicas = part.crossbars() < 40 ? replicas : 1;
        for (int replica = 0; replica < layer.replicas; ++replica)
            for (const ArrayGroupShape& group : part.groups) {
                for (; left[core] < group.crossbars; core = (core + 1) % left.size()) {
                }
                left[core] -= group.crossbars;
                layer.cores.emplace_back(std::int64_t(core));
            }
        layer.partition = std::move(part);
    }
    mapping.number();
    return mapping;
}

} // namespace

class TestCrossbarNetwork : public QObject {
    Q_OBJECT
private slots:
    void everyOpIsInOneLayer_data() {
        QTest::addColumn<int>("matrices");
        QTest::addColumn<int>("hosts");
        QTest::newRow("resnet18") << 21 << 0;
        QTest::newRow("resnet50") << 54 << 0;
        QTest::newRow("googlenet") << 58 << 0;
        QTest::newRow("squeezenet") << 26 << 0;
        QTest::newRow("mobilenetv2") << 53 << 0;
        QTest::newRow("vgg8") << 8 << 0;
    }
    void everyOpIsInOneLayer() {
        QFETCH(int, matrices);
        QFETCH(int, hosts);
        const auto graph = zooGraph(QTest::currentDataTag());
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, defaultChip());
        QVERIFY_RESULT(network);
        QCOMPARE(std::ssize(network->matrixLayers), matrices);
        std::vector<int> seen((*graph)->ops.size(), 0);
        int onHost = 0;
        for (std::size_t i = 0; i < network->layers.size(); ++i) {
            const CrossbarLayer& layer = network->layers[i];
            onHost += layer.as<HostWork>() != nullptr;
            for (const OpId op : layer.ops)
                ++seen[op.index()];
            for (const LayerId input : layer.inputs)
                QVERIFY(input < LayerId(i));
        }
        QCOMPARE(onHost, hosts);
        QVERIFY(std::ranges::all_of(seen, [](int times) { return times == 1; }));
    }

    // The counts PIMCOMP-NN has for its models (all but the grouped one, which it fills with zeros).
    void crossbarsAreAsPublished_data() {
        QTest::addColumn<int>("crossbars");
        QTest::newRow("resnet18") << 727;
        QTest::newRow("resnet34") << 1349;
        QTest::newRow("resnet50") << 1576;
        QTest::newRow("squeezenet") << 108;
        QTest::newRow("googlenet") << 566;
        QTest::newRow("vgg16") << 8454;
    }
    void crossbarsAreAsPublished() {
        QFETCH(int, crossbars);
        const auto graph = zooGraph(QTest::currentDataTag());
        QVERIFY_RESULT(graph);
        const CrossbarChip chip = defaultChip();
        const auto network = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(network);
        int sum = 0;
        for (const LayerId layer : network->matrixLayers) {
            const auto part = partitionLayer(*network, layer, Unfolding::WholeWindow, 128, 128, 64);
            QVERIFY_RESULT(part);
            sum += part->crossbars();
        }
        QCOMPARE(sum, crossbars);
        const auto greedy = partitionNetwork(*network, chip, {});
        QVERIFY_RESULT(greedy);
        int chosen = 0;
        for (const LayerPartition& part : *greedy)
            chosen += part.crossbars();
        QVERIFY(chosen <= crossbars);
    }

    /// Results of products under way are in local memory: of wide groups few, so that products wait for them.
    void groupsAreCutWhereFewResultsHaveRoom() {
        CrossbarChip chip = defaultChip();
        chip.mvmNs = 4000;
        chip.mvmIssueNs = 200;
        QCOMPARE(mostGroupArrays(chip, 96, 128, 2048), 96); // memory for any number
        chip.localBytes = 65536;                            // 8192 elements for results, 2 for a sum
        QCOMPARE(mostGroupArrays(chip, 96, 128, 2048), 2);  // 16 of 256 columns instead of 2
        QCOMPARE(mostGroupArrays(chip, 96, 128, 384), 96);  // 10: not worth more products
        QCOMPARE(mostGroupArrays(chip, 12, 128, 512), 12);  // no more than three groups in a core anyway
        chip.mvmNs = 800;                                   // 4 under way
        QCOMPARE(mostGroupArrays(chip, 96, 128, 2048), 8);
        QCOMPARE(mostGroupArrays(chip, 96, 128, 1024), 96);
        const auto graph = zooGraph("resnet50");
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(network);
        const auto widestOf = [&](const CrossbarChip& one) {
            int crossbars = 0, widest = 0;
            const std::vector<LayerPartition> parts = partitionNetwork(*network, one, {}).value();
            for (const LayerPartition& part : parts)
                for (const ArrayGroupShape& group : part.groups) {
                    crossbars += group.crossbars;
                    widest = std::max(widest, group.columns);
                }
            return crossbars <= 1576 ? widest : 0; // no more arrays than uncut
        };
        chip.mvmNs = 4000;
        // of 36 groups that share columns; more products would not be issued in time
        QCOMPARE(widestOf(chip), 512);
        chip.coresY = 3; // one replica: none of eight that share columns are cut either
        QCOMPARE(widestOf(chip), 2048);
    }
    void groupedConvolutionsAreBlockDiagonal() {
        const auto graph = zooGraph("mobilenetv2");
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, defaultChip());
        QVERIFY_RESULT(network);
        const auto parts = partitionNetwork(*network, defaultChip(), {});
        QVERIFY_RESULT(parts);
        int sum = 0;
        for (const LayerPartition& part : *parts) {
            const MatrixWork& work = *network->layers[part.layer.index()].matrix();
            sum += part.crossbars();
            int channels = 0;
            for (const ArrayGroupShape& group : part.groups)
                if (group.rowBegin == 0)
                    channels += group.columns;
            QCOMPARE(channels, work.outChannels);
            if (work.groups > 1)
                QCOMPARE(part.groups[0].blocks, std::min(work.groups, 128 / 9));
        }
        QVERIFY2(sum < 3006, qPrintable(QString::number(sum))); // what dense matrices with zeros take
    }

    void whatDoesNotFitIsSaidWithTheDeficit() {
        const auto graph = zooGraph("resnet18");
        QVERIFY_RESULT(graph);
        CrossbarChip chip = defaultChip();
        chip.groups[0][0].count = 5; // 720 of 727
        const auto network = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(network);
        const auto parts = partitionNetwork(*network, chip, {});
        QVERIFY(!parts);
        QCOMPARE(parts.error().code, ErrorCode::InvalidTarget);
        QVERIFY2(parts.error().message.find("7 too few") != std::string::npos,
                 qPrintable(QString::fromStdString(parts.error().message)));
    }

    /// Output pixel by output pixel, the window of its phase meets the places of the kernel and the input
    /// rows that the definition of a transposed convolution says, and inputWindow() has all of them.
    void phasesOfTransposedConvolutionsMeetWhatTheDefinitionSays() {
        constexpr int kRows = 5, kOutputs = 14;
        int bare = 0;
        for (int kernel = 1; kernel <= 5; ++kernel)
            for (int spread = 1; spread <= 4; ++spread)
                for (int dilation = 1; dilation <= 4; ++dilation)
                    for (int cut = 0; cut <= (kernel - 1) * dilation; ++cut) {
                        CrossbarLayer layer;
                        layer.in = {kRows, kRows, 1};
                        layer.out = {kOutputs, kOutputs, 1};
                        MatrixWork work;
                        PixelWindow& w = work.window;
                        w.kernelY = w.kernelX = kernel;
                        w.dilationY = w.dilationX = dilation;
                        w.spreadY = w.spreadX = spread;
                        w.padTop = w.padLeft = (kernel - 1) * dilation - cut;
                        layer.work = work;
                        for (int y = 0; y < kOutputs; ++y) {
                            std::set<std::pair<int, int>> expected, met; // place, input row
                            for (int k = 0; k < kernel; ++k) // of the kernel as the file has it: turned round
                                for (int row = 0; row < kRows; ++row)
                                    if (row * spread + k * dilation - cut == y)
                                        expected.emplace(kernel - 1 - k, row);
                            const PhaseWindow phase = phaseWindow(w, w.phaseOf(y, 0));
                            const InputWindow input = inputWindow(layer, layer.in, 0, y, {0, kOutputs});
                            for (int at = 0; at < phase.window.kernelY; ++at) {
                                const int row = y / spread * phase.window.strideY - phase.window.padTop +
                                                at * phase.window.dilationY;
                                if (row < 0 || row >= kRows)
                                    continue;
                                met.emplace(phase.place(at * phase.window.kernelX) / kernel, row);
                                QVERIFY(row >= input.rowBegin && row < input.rowEnd &&
                                        (row - input.rowBegin) % input.rowStep == 0);
                            }
                            if (phase.window.kernel() == 0)
                                met.clear(); // no place of the kernel in the other direction
                            else
                                QCOMPARE(met, expected);
                            bare += phase.window.kernel() == 0;
                        }
                    }
        QVERIFY(bare > 0);
    }

    void unfoldingsAreThoseAskedFor() {
        const auto graph = zooGraph("vgg8");
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, defaultChip());
        QVERIFY_RESULT(network);
        const std::string layer = network->layers[network->matrixLayers[1].index()].name;
        MappingOptions options;
        options.wishes = {{layer, Unfolding::RowByRow, std::nullopt, {}}};
        const auto parts = partitionNetwork(*network, defaultChip(), options);
        QVERIFY_RESULT(parts);
        QCOMPARE((*parts)[1].unfolding, Unfolding::RowByRow);
        QCOMPARE((*parts)[1].p, 3);
        const MatrixWork& work = *network->layers[network->matrixLayers[1].index()].matrix();
        for (const auto& [unfolding, rows, columns] :
             {std::tuple(Unfolding::AllPositions, work.inChannels, 9 * work.outChannels),
              std::tuple(Unfolding::RowAcrossWindows, 3 * work.inChannels, 3 * work.outChannels)}) {
            options.wishes[0].unfolding = unfolding;
            const auto across = partitionNetwork(*network, defaultChip(), options);
            QVERIFY_RESULT(across);
            QCOMPARE((*across)[1].unfolding, unfolding);
            QCOMPARE((*across)[1].p, 1);
            QCOMPARE((*across)[1].h, rows);
            QCOMPARE((*across)[1].w, columns);
            std::int64_t weights = 0;
            for (const ArrayGroupShape& group : (*across)[1].groups) {
                weights += std::int64_t(group.rows) * group.columns;
                const auto [begin, end] = outputChannels(work, group);
                QVERIFY(begin >= 0 && begin < end && end <= work.outChannels);
            }
            QCOMPARE(weights, std::int64_t(9) * work.inChannels * work.outChannels);
        }
    }

    /// The rule chooses among those whose products each belong to one window.
    void theRuleTakesWindowsOneByOne() {
        const auto graph = zooGraph("resnet18");
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, defaultChip());
        QVERIFY_RESULT(network);
        for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
            MappingOptions options;
            options.mode = mode;
            const auto parts = partitionNetwork(*network, defaultChip(), options);
            QVERIFY_RESULT(parts);
            for (const LayerPartition& part : *parts)
                QVERIFY(!spansWindows(*network->layers[part.layer.index()].matrix(), part.unfolding));
        }
    }

    /// Attention is the host's. It reads queries, keys and values where the cores stored them and writes what
    /// the next product reads, so that nothing but the pooled token is moved on the cores.
    void encodersMoveNothingOnCores() {
        const auto graph = zooGraph("bert-base", {{"seq", 16}});
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, defaultChip());
        QVERIFY_RESULT(network);
        int views = 0, norms = 0, attentions = 0;
        for (const CrossbarLayer& layer : network->layers) {
            const auto* normalise = layer.as<NormaliseWork>();
            norms += normalise && normalise->kind == NormaliseKind::LayerNorm;
            if (const auto* view = layer.as<ViewWork>()) {
                ++views;
                QCOMPARE(layer.out.pixels(), std::int64_t(1));
                QCOMPARE(view->rows.size(), std::size_t(1));
                QVERIFY(view->rows[0].begin == 0 && view->rows[0].end == 1);
            }
            const auto* host = layer.as<HostWork>();
            QCOMPARE(layer.whole, bool(layer.as<InputWork>())); // token ids, mask, segments
            if (!host || host->reads.size() < 3)
                continue;
            ++attentions;
            QCOMPARE(layer.out, (PixelMap{16, 1, 768}));
            const CrossbarLayer& queries = network->at(layer.inputs[0]);
            QVERIFY(queries.matrix());
            // Head 1, token 2, element 3.
            const std::int64_t element = (1 * 16 + 2) * 64 + 3;
            QCOMPARE(host->reads[0].at(element, queries.out), 2 * 768 + 64 + 3);
            QCOMPARE(host->writes.at(element, layer.out), 2 * 768 + 64 + 3);
        }
        QCOMPARE(views, 1);
        QCOMPARE(norms, 25);
        QCOMPARE(attentions, 12);
    }

    /// Keys and values are outputs of a decoder, a part of a product's map each and turned round: they are
    /// read from there.
    void outputsAreReadWhereTheyLie() {
        const auto graph = zooGraph("tiny-gpt-prefill", {{"seq", 12}});
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, defaultChip());
        QVERIFY_RESULT(network);
        QCOMPARE(network->outputs.size(), (*graph)->outputs.size());
        int parts = 0;
        for (std::size_t i = 0; i < network->outputs.size(); ++i) {
            const HeldTensor& held = network->outputs[i];
            const CrossbarLayer& holder = network->at(held.layer);
            QVERIFY(holder.isOutput);
            QVERIFY(!holder.as<ViewWork>());
            const Shape& shape = *(*graph)->tensor((*graph)->outputs[i]).shape;
            if (shape.size() != 4)
                continue;
            ++parts;
            // Head 1, token 2, element 3 is an element of token 2.
            const std::int64_t element = (shape[2] + 2) * shape[3] + 3;
            QCOMPARE(held.at(element, holder.out) / holder.out.channels, 2);
            QCOMPARE(holder.out.pixels(), std::int64_t(12));
        }
        QVERIFY(parts >= 4);
    }

    void tokensAreRows() {
        QCOMPARE(*mapOf({1, 5, 7}), (PixelMap{5, 1, 7}));
        QCOMPARE(*mapOf({1, 7, 2, 3}), (PixelMap{2, 3, 7}));
        QCOMPARE(*mapOf({7}), (PixelMap{1, 1, 7}));
    }

    /// Rows 1 and 2 of a map of 4 rows of 2 elements, turned round, and a row of zeros.
    void viewsSayWhichRowsTheyRead() {
        const ViewWork view = viewOf({4, 5, -1, -1, 2, 3, 6, 4}, {4, 1, 2}, {4, 1, 2});
        const auto rows = [&](int y) {
            return std::array{view.rows[std::size_t(y)].begin, view.rows[std::size_t(y)].end,
                              view.rows[std::size_t(y)].later};
        };
        QCOMPARE(rows(0), (std::array{2, 3, 1}));
        QCOMPARE(rows(1), (std::array{0, 0, 1}));
        QCOMPARE(rows(2), (std::array{1, 2, 1}));
        QCOMPARE(rows(3), (std::array{2, 4, 2}));
    }

    void everyPixelHasOneOwner_data() {
        QTest::addColumn<bool>("fuse");
        QTest::newRow("high throughput") << true;
        QTest::newRow("low latency") << false;
    }
    void everyPixelHasOneOwner() {
        QFETCH(bool, fuse);
        const auto graph = zooGraph("resnet18");
        QVERIFY_RESULT(graph);
        const CrossbarChip chip = defaultChip();
        const auto network = crossbarNetwork(*graph, chip);
        QVERIFY_RESULT(network);
        const auto parts = partitionNetwork(*network, chip, {});
        QVERIFY_RESULT(parts);
        const CrossbarMapping mapping = packed(*parts, 5, chip);
        const CrossbarTasks tasks = dealOutTasks(*network, chip, mapping, fuse);
        for (std::size_t i = 0; i < network->layers.size(); ++i) {
            const PixelMap& map = network->layers[i].out;
            std::vector<int> owners(std::size_t(map.elements()), 0);
            for (const TaskShare& share : tasks.shares[i])
                for (int y = 0; y < map.height; ++y) {
                    const ColumnSpan owned = share.owned[std::size_t(y)],
                                     computed = share.rows[std::size_t(y)];
                    // A map that only a fused pool reads is not handed on; its shares may leave out what the pool does not read.
                    if (!fuse)
                        QVERIFY(owned.empty() ||
                                (computed.begin <= owned.begin && computed.end >= owned.end));
                    for (int x = owned.begin; x < owned.end; ++x)
                        for (int c = share.channelBegin; c < share.channelEnd; ++c)
                            ++owners[std::size_t((std::int64_t(y) * map.width + x) * map.channels + c)];
                }
            if (!tasks.shares[i].empty())
                QVERIFY2(std::ranges::all_of(owners, [](int count) { return count == 1; }),
                         network->layers[i].name.c_str());
        }
    }

    void freedMemoryIsWholeAgain() {
        LocalMemory memory(100);
        const auto a = memory.take(30), b = memory.take(30), c = memory.take(40);
        QCOMPARE(memory.take(1), LocalMemory::kFull);
        memory.give(a, 30);
        memory.give(c, 40);
        QCOMPARE(memory.take(41), LocalMemory::kFull);
        memory.give(b, 30);
        QCOMPARE(memory.used(), 0u);
        QCOMPARE(memory.take(100), 0u);
        QCOMPARE(memory.peak(), 100u);
    }

    /// Rows brought into gaps leave no room between them; brought again after all have given way they lie side by side.
    void clearedMemoryHasNoGaps() {
        CrossbarChip chip = defaultChip();
        chip.localBytes = 100 * chip.activationBytes();
        CrossbarNetwork network;
        network.layers.emplace_back().out = {3, 1, 5};
        CrossbarProgram program;
        program.cores.resize(std::size_t(chip.cores()));
        std::uint32_t nextGlobal = 0;
        Lanes lanes(network, chip, program, 2, nextGlobal);
        const CoreId only(0);
        const LayerId layer(0);
        const LaneId lane = lanes.findOrAdd(only, layer, 0, 5, false);
        lanes[lane].include({0, 1});
        lanes.addReader(lane);
        const auto bring = [&] {
            for (int row = 0; row < 3; ++row) {
                QVERIFY_RESULT(lanes.ensurePiece(lane, row, 0));
                lanes[lane].arrive(row, {0, 1}, 5);
            }
        };
        const auto kept = lanes.take(only, 25, layer);
        QVERIFY_RESULT(kept);
        const auto first = lanes.take(only, 10, layer);
        bring(); // the first 35 are taken, then come rows of five
        lanes.give(only, *first, 10);
        lanes.nextOperation();
        bring();
        QVERIFY(!lanes.take(only, 55, layer)); // ten are free before the rows, fifty after them
        lanes.nextOperation();
        lanes.clear(only);
        QCOMPARE(lanes.memory(only).used(), 25u);
        bring();
        QVERIFY_RESULT(lanes.take(only, 55, layer));
        const auto& core = program.cores.front();
        QCOMPARE(std::ranges::count(core, CrossbarOpcode::Store, &CrossbarInstruction::opcode), 3);
        QCOMPARE(std::ranges::count(core, CrossbarOpcode::Load, &CrossbarInstruction::opcode), 3);
    }
};

QTEST_MAIN(TestCrossbarNetwork)
#include "tst_backends_crossbar_network.moc"
