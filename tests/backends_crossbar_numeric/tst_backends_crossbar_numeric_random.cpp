// SPDX-License-Identifier: GPL-3.0-or-later
// Random small networks on random chips: what is legal compiles, runs and is right; what is not is refused
// with a reason.
#include <QTest>
#include <string>

#include "backends/crossbar/numeric/check.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/graph/import.h"
#include "tests/backends_crossbar_numeric/plain_program.h"
#include "tests/backends_crossbar_numeric/transformers.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>

#include <algorithm>
#include <random>

using namespace pim;

namespace {

using Ints = std::vector<std::int64_t>;

/// A chain of layers with shortcuts, chosen by a seed. Shapes are followed, so that every network is valid.
class RandomNetwork {
public:
    explicit RandomNetwork(unsigned seed) : m_random(seed) {}

    Result<std::shared_ptr<const Graph>> build(const std::string& file) {
        m_channels = pick(1, 8);
        m_height = pick(3, 10);
        m_width = pick(3, 10);
        m_b.input("in", {std::int64_t(1), m_channels, m_height, m_width});
        const std::int64_t count = pick(2, 7);
        for (std::int64_t i = 0; i < count; ++i)
            layer();
        if (pick(0, 1) == 0)
            dense();
        m_b.output(m_last);
        return loadGraph(m_b.save(file));
    }

private:
    std::int64_t pick(std::int64_t from, std::int64_t to) {
        return from + std::int64_t(m_random() % std::uint32_t(to - from + 1));
    }
    std::string next() { return "t" + std::to_string(m_count++); }
    void node(const std::string& type, std::vector<std::string> inputs,
              const test::Attributes& attributes = {}) {
        const std::string out = next();
        m_b.node(type, inputs, {out}, attributes);
        m_last = out;
    }
    std::string weights(const Ints& dims, double spread) {
        std::int64_t count = 1;
        for (const std::int64_t d : dims)
            count *= d;
        std::vector<float> values;
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(float((double(m_random() % 20001) / 10000 - 1) * spread));
        const std::string name = "w" + std::to_string(m_count++);
        m_b.floats(name, dims, values);
        return name;
    }

    void conv(std::int64_t out, bool sameSize) {
        std::int64_t groups = 1;
        const std::int64_t choice = pick(0, 3);
        if (choice == 0)
            groups = m_channels;
        else if (choice == 1 && m_channels % 2 == 0)
            groups = 2;
        out = (out + groups - 1) / groups * groups;
        const std::int64_t ky = sameSize ? pick(0, 1) * 2 + 1 : pick(1, std::min<std::int64_t>(3, m_height)),
                           kx = sameSize ? pick(0, 1) * 2 + 1 : pick(1, std::min<std::int64_t>(3, m_width));
        const std::int64_t stride = sameSize ? 1 : pick(1, 2), py = sameSize ? ky / 2 : pick(0, ky - 1),
                           px = sameSize ? kx / 2 : pick(0, kx - 1);
        std::vector<std::string> inputs{m_last,
                                        weights({out, m_channels / groups, ky, kx},
                                                1.5 / std::sqrt(double(m_channels / groups * ky * kx)))};
        if (pick(0, 1) == 0)
            inputs.push_back(weights({out}, 0.3));
        node("Conv", inputs,
             {{"strides", Ints{stride, stride}}, {"pads", Ints{py, px, py, px}}, {"group", groups}});
        m_height = (m_height + 2 * py - ky) / stride + 1;
        m_width = (m_width + 2 * px - kx) / stride + 1;
        m_channels = out;
    }
    void transposed(std::int64_t out) {
        const std::int64_t groups = pick(0, 2) == 0 ? m_channels : 1;
        const std::int64_t outs = (out + groups - 1) / groups; // of a group
        Ints kernel, strides, dilations, pads, extra;
        for (int axis = 0; axis < 2; ++axis) {
            kernel.push_back(pick(1, 4));
            strides.push_back(pick(1, 3));
            dilations.push_back(pick(1, 4) == 1 ? 2 : 1);
            pads.push_back(pick(0, (kernel.back() - 1) * dilations.back() / 2));
            extra.push_back(pick(0, strides.back() - 1));
        }
        const std::int64_t ins = m_channels / groups * kernel[0] * kernel[1];
        std::vector<std::string> inputs{m_last, weights({m_channels, outs, kernel[0], kernel[1]},
                                                        1.5 * double(strides[0]) / std::sqrt(double(ins)))};
        if (pick(0, 1) == 0)
            inputs.push_back(weights({outs * groups}, 0.3));
        node("ConvTranspose", inputs,
             {{"strides", strides},
              {"dilations", dilations},
              {"pads", Ints{pads[0], pads[1], pads[0], pads[1]}},
              {"output_padding", extra},
              {"group", groups}});
        const auto grown = [&](std::int64_t size, std::size_t axis) {
            return (size - 1) * strides[axis] + (kernel[axis] - 1) * dilations[axis] + 1 - 2 * pads[axis] +
                   extra[axis];
        };
        m_height = grown(m_height, 0);
        m_width = grown(m_width, 1);
        m_channels = outs * groups;
    }
    void activation() {
        const char* kTypes[]{"Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSwish"};
        node(kTypes[pick(0, 4)], {m_last});
    }
    void layer() {
        switch (pick(0, 8)) {
        case 0:
        case 1:
        case 2:
            conv(pick(1, 20), false);
            if (pick(0, 1) == 0)
                activation();
            return;
        case 3: { // a shortcut
            const std::string from = m_last;
            const std::int64_t channels = m_channels;
            conv(channels, true);
            if (m_channels == channels)
                node(pick(0, 1) == 0 ? "Add" : "Mul", {m_last, from});
            return;
        }
        case 4: { // two branches
            const std::string from = m_last;
            const std::int64_t channels = m_channels;
            conv(pick(1, 10), true);
            node("Concat", {m_last, from}, {{"axis", std::int64_t(1)}});
            m_channels += channels;
            return;
        }
        case 5: {
            const std::int64_t k = std::min<std::int64_t>({2, m_height, m_width});
            node(pick(0, 1) == 0 ? "MaxPool" : "AveragePool", {m_last},
                 {{"kernel_shape", Ints{k, k}}, {"strides", Ints{k, k}}});
            m_height /= k;
            m_width /= k;
            return;
        }
        case 7: // maps grow, but not without end
            if (m_height * m_width <= 60)
                transposed(pick(1, 12));
            if (pick(0, 1) == 0)
                activation();
            return;
        case 6: { // squeeze and excitation
            const std::string from = m_last;
            const std::int64_t height = m_height, width = m_width, channels = m_channels;
            node("GlobalAveragePool", {m_last});
            m_height = m_width = 1;
            node("Conv", {m_last, weights({channels, channels, 1, 1}, 1)});
            node("Sigmoid", {m_last});
            node("Mul", {from, m_last});
            m_height = height;
            m_width = width;
            return;
        }
        default:
            activation();
        }
    }
    void dense() {
        node("Flatten", {m_last});
        const std::int64_t rows = m_channels * m_height * m_width, columns = pick(1, 12);
        node("Gemm",
             {m_last, weights({columns, rows}, 1.5 / std::sqrt(double(rows))), weights({columns}, 0.2)},
             {{"transB", std::int64_t(1)}});
        if (pick(0, 1) == 0)
            node("Softmax", {m_last}, {{"axis", std::int64_t(1)}});
    }

    std::mt19937 m_random;
    test::OnnxBuilder m_b{14};
    std::string m_last = "in";
    std::int64_t m_channels = 0, m_height = 0, m_width = 0;
    int m_count = 0;
};

CrossbarChip randomChip(unsigned seed) {
    std::mt19937 random(seed * 7919 + 1);
    const auto one = [&](std::initializer_list<int> choices) {
        return choices.begin()[random() % choices.size()];
    };
    CrossbarChip chip =
        test::smallChip(one({1, 2, 3, 4}), one({32, 64, 200}), one({8, 16, 32, 64}), one({8, 16, 32}));
    chip.coresY = one({1, 2});
    chip.chipsX = one({1, 1, 2});
    chip.offChipBytesPerNs = 1;
    chip.connection = one({0, 1}) == 0 ? CrossbarConnection::Bus : CrossbarConnection::Mesh;
    chip.synchronous = one({0, 1}) == 0;
    chip.inOrder = one({0, 1}) == 0;
    chip.cellBits = one({1, 2, 4});
    chip.differential = one({0, 1}) == 0;
    chip.weightBits = chip.activationBits = one({8, 16});
    chip.physicalPerLogical = chip.slices();
    return chip;
}

struct Outcome {
    CrossbarCheck check;
    std::string refused;       ///< Why.
    int spanning = 0;          ///< Layers whose products give sums of several windows.
    int splitReplicas = 0;     ///< That lie in several cores.
    std::int64_t gaveWay = 0;  ///< Elements that had to leave local memory before they were read.
    std::int64_t loaded = 0;   ///< Elements from global memory.
    int stages = 0, apart = 0; ///< Of the schedule.
    /// Most rounds between the coming of a row and its last reading in a core, less one.
    std::uint32_t behind = 0;
};

/// Of neighbours with the same mode, each has another.
CrossbarReferee refereeOf(unsigned seed) {
    return CrossbarReferee(seed / 2 % 3);
}

/// Low latency: maps of how many rows are dealt out in tiles, and into how many bands strips are cut.
MappedTiles tilesOf(unsigned seed) {
    constexpr int kRows[] = {0, 1, 4, 7}, kBands[] = {0, 2, 3};
    return {.fromRows = kRows[seed / 4 % 4], .bands = kBands[seed / 2 % 3]};
}
/// Layers unfolded in any of the ways they can be, by a seed; 0: as the compiler chooses.
std::vector<LayerWish> unfoldings(const CrossbarNetwork& network, unsigned seed) {
    std::vector<LayerWish> wishes;
    std::mt19937 random(seed);
    for (const LayerId layer : network.matrixLayers) {
        const CrossbarLayer& l = network.layers[layer.index()];
        if (const auto unfolding = Unfolding(random() % 5);
            seed > 0 && whyNotUnfolded(*l.matrix(), unfolding).empty())
            wishes.push_back({l.name, unfolding, std::nullopt, {}});
    }
    return wishes;
}

/// A third of the networks is unfolded in any way, the others as the compiler chooses.
unsigned unfoldedOf(unsigned seed) {
    return seed % 3 == 0 ? seed : 0;
}

/// Errors are those a compiler has to give no reason for but its own mistakes.
Outcome compileAndRun(std::shared_ptr<const Graph> graph, const CrossbarChip& chip, CrossbarMode mode,
                      CrossbarReferee referee = CrossbarReferee::Profiler, int layersAStage = 1,
                      bool inFlight = false, unsigned unfolded = 0, const MappedTiles& tiles = {}) {
    Outcome outcome;
    const auto attempt = [&]() -> Result<CrossbarCheck> {
        PIM_TRY(const CrossbarNetwork network, crossbarNetwork(graph, chip));
        MappingOptions options;
        options.mode = mode;
        options.referee = referee;
        options.wishes = unfoldings(network, unfolded);
        PIM_TRY(CrossbarMapping mapping, mapNetwork(network, chip, options));
        if (tiles != MappedTiles())
            mapping.tiles = tiles;
        PIM_CHECK(checkMapping(mapping, network, chip));
        outcome.splitReplicas = outcome.spanning = 0;
        for (const LayerMapping& layer : mapping.layers)
            outcome.spanning += spansWindows(*network.layers[layer.partition.layer.index()].matrix(),
                                             layer.partition.unfolding);
        for (const LayerMapping& layer : mapping.layers)
            for (const ReplicaId replica : FirstIds<ReplicaId>(layer.replicas))
                for (const GroupId group : FirstIds<GroupId>(layer.groups()))
                    if (layer.core(replica, group) != layer.core(replica, GroupId(0))) {
                        ++outcome.splitReplicas;
                        break;
                    }
        PIM_TRY(const CrossbarSchedule schedule,
                scheduleCrossbar(network, chip, mapping, {.rules = referee, .layersAStage = layersAStage}));
        outcome.stages = schedule.stages();
        outcome.apart = int(schedule.apart.size());
        for (const auto& core : schedule.program.cores)
            for (const CrossbarInstruction& i : core) {
                outcome.gaveWay +=
                    i.opcode == CrossbarOpcode::Store && i.stage == CrossbarStage::Input ? i.length : 0;
                outcome.loaded += i.opcode == CrossbarOpcode::Load ? i.length : 0;
                if (i.opcode == CrossbarOpcode::Copy)
                    outcome.behind = std::max(outcome.behind, i.index);
            }
        return checkCrossbar(
            {schedule.program, network, mapping, chip, schedule.mapAddress, schedule.stage, schedule.copies},
            {.bitByBit = !inFlight, .samples = inFlight ? 4 : 1, .inFlight = inFlight, .threads = 1});
    };
    auto made = attempt();
    if (made) {
        outcome.check = std::move(*made);
        return outcome;
    }
    const bool reason =
        made.error().code == ErrorCode::InvalidTarget || made.error().code == ErrorCode::Unsupported;
    outcome.refused = (reason ? "" : "NO REASON: ") + made.error().text();
    return outcome;
}

} // namespace

class TestCrossbarRandom : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::string file(unsigned seed) const {
        return m_folder.filePath(QString("n%1.onnx").arg(seed)).toStdString();
    }

private slots:
    /// The same numbers come out of ever smaller local memories, until one is refused for its size.
    void memoriesTooSmallForAllAtOnceAreRight() {
        QStringList wrong;
        int gaveWay = 0, loadedAgain = 0, refused = 0;
        constexpr unsigned kNetworks = 40, kAll = 60; // the others are transformers
        for (unsigned seed = 1; seed <= kAll; ++seed) {
            const auto graph = seed <= kNetworks ? RandomNetwork(seed).build(file(seed))
                                                 : test::randomTransformer(seed, file(seed));
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            CrossbarChip chip = randomChip(seed);
            chip.groups[0][0].count *= 64;
            const CrossbarMode mode = seed % 2 ? CrossbarMode::HighThroughput : CrossbarMode::LowLatency;
            std::int64_t loaded = 0;
            for (std::int64_t bytes = 16384; bytes >= 16; bytes = bytes * 3 / 4) {
                chip.localBytes = bytes;
                const Outcome outcome = compileAndRun(*graph, chip, mode, refereeOf(seed), 1, false,
                                                      unfoldedOf(seed), tilesOf(seed));
                if (!outcome.refused.empty()) {
                    if (outcome.refused.find("local memory") == std::string::npos)
                        wrong << QString("seed %1, %2 bytes: ").arg(seed).arg(bytes) +
                                     outcome.refused.c_str();
                    ++refused;
                    break;
                }
                if (!outcome.check.equal())
                    wrong << QString("seed %1, %2 bytes: ").arg(seed).arg(bytes) +
                                 outcome.check.firstWrong.c_str();
                gaveWay += outcome.gaveWay > 0;
                loadedAgain += loaded > 0 && outcome.loaded > loaded;
                loaded = std::max(loaded, outcome.loaded);
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(gaveWay > 10 && loadedAgain > 10 && refused == int(kAll),
                 qPrintable(QString("gave way %1, loaded again %2, refused %3")
                                .arg(gaveWay)
                                .arg(loadedAgain)
                                .arg(refused)));
    }

    /// Few small arrays per core: replicas lie in many cores, each with a part of the kernel, and strips are a
    /// column wide.
    void replicasInManyCoresAreRight() {
        QStringList wrong;
        int split = 0;
        for (unsigned seed = 1; seed <= 80; ++seed) {
            const auto graph = RandomNetwork(seed * 17).build(file(seed));
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            CrossbarChip chip = randomChip(seed);
            chip.coresX = 24;
            chip.coresY = 3;
            chip.groups = {{CrossbarGroup{seed % 3 ? 8 : 4, 8, 3}}};
            const CrossbarMode mode = seed % 2 ? CrossbarMode::HighThroughput : CrossbarMode::LowLatency;
            Outcome outcome =
                compileAndRun(*graph, chip, mode, refereeOf(seed), 1, false, unfoldedOf(seed), tilesOf(seed));
            for (int more = 0; more < 8 && outcome.refused.find("crossbars") != std::string::npos; ++more) {
                chip.coresX *= 2;
                outcome = compileAndRun(*graph, chip, mode, refereeOf(seed), 1, false, unfoldedOf(seed),
                                        tilesOf(seed));
            }
            if (!outcome.refused.empty() || !outcome.check.equal())
                wrong << QString("seed %1: ").arg(seed) + outcome.refused.c_str() +
                             outcome.check.firstWrong.c_str();
            split += outcome.splitReplicas;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(split > 100, qPrintable(QString::number(split)));
    }

    void networksOnLegalChipsAreRight() {
        constexpr unsigned kNetworks = 200;
        QStringList wrong;
        int products = 0, spanning = 0;
        for (unsigned seed = 1; seed <= kNetworks; ++seed) {
            const auto graph = RandomNetwork(seed).build(file(seed));
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            CrossbarChip chip = randomChip(seed);
            const CrossbarMode mode = seed % 2 ? CrossbarMode::HighThroughput : CrossbarMode::LowLatency;
            Outcome outcome =
                compileAndRun(*graph, chip, mode, refereeOf(seed), 1, false, unfoldedOf(seed), tilesOf(seed));
            // Too few arrays for the network is no legal target: it gets some more, and then has to do.
            for (int more = 0; more < 6 && outcome.refused.find("crossbars") != std::string::npos; ++more) {
                chip.groups[0][0].count *= 4;
                outcome = compileAndRun(*graph, chip, mode, refereeOf(seed), 1, false, unfoldedOf(seed),
                                        tilesOf(seed));
            }
            const QString where =
                QString("seed %1, %2: ").arg(seed).arg(mode == CrossbarMode::HighThroughput ? "ht" : "ll");
            if (!outcome.refused.empty() || !outcome.check.equal())
                wrong << where + outcome.refused.c_str() +
                             outcome.check.comparison.first.value_or(CrossbarDifference{}).text.c_str() +
                             "; " + outcome.check.firstWrong.c_str();
            products += outcome.check.products > 0;
            spanning += outcome.spanning;
        }
        QVERIFY2(
            wrong.isEmpty(),
            qPrintable(QString("%1 of %2 are wrong:\n").arg(wrong.size()).arg(kNetworks) + wrong.join('\n')));
        QVERIFY(products > int(kNetworks) / 2);
        QVERIFY2(spanning > 20, qPrintable(QString::number(spanning)));
    }

    /// Phases of a transposed convolution lie so that a core has the first and the last strip of a sum behind
    /// it: what others compute between them comes to it as to any core.
    void coresWithStripsApartAreRight() {
        constexpr unsigned kSeed = 840;
        const auto graph = RandomNetwork(90000 + kSeed).build(file(kSeed));
        QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
        const Outcome outcome = compileAndRun(*graph, randomChip(kSeed), CrossbarMode::LowLatency,
                                              refereeOf(kSeed), 1, false, kSeed);
        QVERIFY2(outcome.refused.empty(), outcome.refused.c_str());
        QVERIFY2(outcome.check.equal(), outcome.check.firstWrong.c_str());
    }

    /// What the host has to do lies in the middle of them: cores wait for it, and it for them.
    void transformersAreRight() {
        constexpr unsigned kNetworks = 80;
        QStringList wrong;
        int attentions = 0, wholeNumbers = 0, views = 0, norms = 0, joins = 0;
        for (unsigned seed = 1; seed <= kNetworks; ++seed) {
            const auto graph = test::randomTransformer(seed, file(3000 + seed));
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            CrossbarChip chip = randomChip(seed);
            chip.groups[0][0].count *= 64;
            chip.localBytes = seed % 3 == 0 ? 2048 : 65536;
            const auto network = crossbarNetwork(*graph, chip);
            QVERIFY2(network, network ? "" : network.error().text().c_str());
            for (const CrossbarLayer& layer : network->layers) {
                const auto* normalise = layer.as<NormaliseWork>();
                attentions += layer.as<HostWork>() && !layer.whole;
                wholeNumbers += layer.as<HostWork>() && layer.whole;
                views += layer.as<ViewWork>() != nullptr;
                joins += layer.as<ConcatWork>() != nullptr;
                norms += normalise && (normalise->kind == NormaliseKind::LayerNorm ||
                                       normalise->kind == NormaliseKind::RmsNorm);
            }
            for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
                const Outcome outcome = compileAndRun(*graph, chip, mode, CrossbarReferee::Profiler, 1, false,
                                                      unfoldedOf(seed), tilesOf(seed));
                if (!outcome.refused.empty() || !outcome.check.equal())
                    wrong << QString("seed %1, %2: ").arg(seed).arg(QString::fromUtf8(name(mode).data())) +
                                 outcome.refused.c_str() +
                                 outcome.check.comparison.first.value_or(CrossbarDifference{}).text.c_str() +
                                 "; " + outcome.check.firstWrong.c_str();
            }
        }
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QString("%1 are wrong:\n").arg(wrong.size()) + wrong.join('\n')));
        QVERIFY2(attentions > 100 && wholeNumbers > 5 && views > 5 && norms > 100 && joins > 3,
                 qPrintable(
                     QString("%1 attentions and the like, %2 on whole numbers, %3 views, %4 norms, %5 joins")
                         .arg(attentions)
                         .arg(wholeNumbers)
                         .arg(views)
                         .arg(norms)
                         .arg(joins)));
    }

    /// Rows that stay in cores for later rounds are those of their sample, in whatever memory.
    void samplesInFlightAreRight() {
        QStringList wrong;
        int behind = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const auto graph = RandomNetwork(seed * 11).build(file(7000 + seed));
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            CrossbarChip chip = randomChip(seed);
            chip.groups[0][0].count *= 64;
            for (const std::int64_t bytes :
                 {std::int64_t(1) << 20, std::int64_t(16384), std::int64_t(4096)}) {
                chip.localBytes = bytes;
                const Outcome outcome = compileAndRun(*graph, chip, CrossbarMode::HighThroughput,
                                                      refereeOf(seed), 1, true, unfoldedOf(seed));
                behind += outcome.behind > 1;
                if (outcome.refused.starts_with("NO REASON") ||
                    (outcome.refused.empty() && !outcome.check.equal()))
                    wrong << QString("seed %1, %2 bytes: ").arg(seed).arg(bytes) + outcome.refused.c_str() +
                                 outcome.check.comparison.first.value_or(CrossbarDifference{}).text.c_str() +
                                 "; " + outcome.check.firstWrong.c_str();
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(behind > 10, qPrintable(QString::number(behind)));
    }

    /// Layers of a stage hand rows on within a round: several samples in flight, ever smaller memories,
    /// replicas in one core and in many.
    void stagesOfSeveralLayersAreRight_data() {
        QTest::addColumn<int>("layersAStage");
        QTest::addRow("two") << 2;
        QTest::addRow("four") << 4;
        QTest::addRow("automatic") << kAutomaticStages;
    }
    void stagesOfSeveralLayersAreRight() {
        QFETCH(int, layersAStage);
        QStringList wrong;
        int fewer = 0, split = 0, apart = 0, gaveWay = 0;
        for (unsigned seed = 1; seed <= 30; ++seed) {
            const auto graph = RandomNetwork(seed * 5).build(file(6000 + seed));
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            CrossbarChip chip = randomChip(seed);
            chip.groups[0][0].count *= 64;
            if (seed % 2) { // a few small arrays per core: replicas lie in many
                chip.coresX = 64;
                chip.groups = {{CrossbarGroup{8, 8, 6}}};
            }
            // Only near the least memory does a stage not fit where its layers would one by one.
            const std::int64_t smaller = layersAStage == 4 ? 80 : 67; // per cent
            for (std::int64_t bytes = 16384; bytes >= 64; bytes = bytes * smaller / 100) {
                chip.localBytes = bytes;
                const Outcome single = compileAndRun(*graph, chip, CrossbarMode::HighThroughput,
                                                     CrossbarReferee::Profiler, 1, false, unfoldedOf(seed));
                const Outcome outcome = compileAndRun(*graph, chip, CrossbarMode::HighThroughput,
                                                      refereeOf(seed), layersAStage, true, unfoldedOf(seed));
                if (!outcome.refused.empty() && !single.refused.empty())
                    break; // no matter how many layers share a stage
                if (!outcome.refused.empty() || !outcome.check.equal())
                    wrong << QString("seed %1, %2 bytes: ").arg(seed).arg(bytes) + outcome.refused.c_str() +
                                 outcome.check.comparison.first.value_or(CrossbarDifference{}).text.c_str() +
                                 "; " + outcome.check.firstWrong.c_str();
                fewer += outcome.stages < single.stages;
                split += outcome.stages < single.stages && outcome.splitReplicas > 0;
                apart += outcome.apart > 0;
                gaveWay += outcome.stages < single.stages && outcome.gaveWay > 0;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        const QString seen = QString("fewer stages %1, of them split replicas %2, gave way %3; apart %4")
                                 .arg(fewer)
                                 .arg(split)
                                 .arg(gaveWay)
                                 .arg(apart);
        QVERIFY2(fewer > 50 && split > 20 && gaveWay > 5, qPrintable(seen));
        QVERIFY2(layersAStage != 4 || apart > 0, qPrintable(seen));
    }

    void illegalChipsAreRefusedWithAReason() {
        int refused = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const auto graph = RandomNetwork(seed * 13).build(file(1000 + seed));
            QVERIFY(graph);
            CrossbarChip chip = randomChip(seed);
            if (seed % 2) {
                chip.groups = {{CrossbarGroup{4, 2, 1}}}; // a handful of tiny arrays
                chip.coresX = chip.coresY = chip.chipsX = 1;
            } else {
                chip.localBytes = 16; // no room for a window
            }
            const Outcome outcome = compileAndRun(
                *graph, chip, seed % 4 < 2 ? CrossbarMode::HighThroughput : CrossbarMode::LowLatency);
            if (outcome.refused.empty()) { // a network so small that it fits even here
                QVERIFY(outcome.check.equal());
                continue;
            }
            QVERIFY2(!outcome.refused.starts_with("NO REASON"), outcome.refused.c_str());
            QVERIFY2(std::ranges::any_of(outcome.refused, [](char c) { return c >= '0' && c <= '9'; }),
                     outcome.refused.c_str());
            ++refused;
        }
        QVERIFY2(refused > 20, qPrintable(QString::number(refused)));
    }
};

QTEST_MAIN(TestCrossbarRandom)
#include "tst_backends_crossbar_numeric_random.moc"
