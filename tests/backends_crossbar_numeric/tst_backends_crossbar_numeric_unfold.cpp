// SPDX-License-Identifier: GPL-3.0-or-later
// Unfoldings whose products give sums of several windows: numbers, products and room of their programs.
#include <QTest>
#include <string>

#include "backends/crossbar/numeric/check.h"
#include "backends/crossbar/schedule/input_pieces.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/graph/import.h"
#include "core/numeric/real_run.h"
#include "tests/backends_crossbar_numeric/plain_program.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#define QVERIFY_RESULT(result)                                                                               \
    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(result.error().text())))

using namespace pim;

namespace {

using Ints = std::vector<std::int64_t>;

/// One convolution, and what follows it.
struct Convolution {
    std::int64_t in = 5, height = 9, width = 8, out = 6;
    Ints kernel{3, 3}, strides{1, 1}, pads{1, 1, 1, 1}, dilations{1, 1};
    std::int64_t groups = 1;
    bool pooled = false; ///< And then another convolution of 3 x 3.
};

Result<std::shared_ptr<const Graph>> graphOf(const Convolution& s) {
    static const QTemporaryDir folder; // weights are read from there when asked for
    static int count = 0;
    test::OnnxBuilder b(14);
    std::mt19937 random(7);
    const auto weights = [&](const std::string& name, const Ints& dims, double spread) {
        std::int64_t elements = 1;
        for (const std::int64_t d : dims)
            elements *= d;
        std::vector<float> values;
        for (std::int64_t i = 0; i < elements; ++i)
            values.push_back(float((double(random() % 20001) / 10000 - 1) * spread));
        b.floats(name, dims, values);
    };
    b.input("x", {std::int64_t(1), s.in, s.height, s.width});
    weights("w", {s.out, s.in / s.groups, s.kernel[0], s.kernel[1]}, 0.3);
    weights("c", {s.out}, 0.3);
    b.node("Conv", {"x", "w", "c"}, {"a"},
           {{"strides", s.strides}, {"pads", s.pads}, {"dilations", s.dilations}, {"group", s.groups}},
           "first");
    b.node("Relu", {"a"}, {"b"});
    if (s.pooled) {
        b.node("MaxPool", {"b"}, {"p"},
               {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
        weights("v", {7, s.out, 3, 3}, 0.2);
        b.node("Conv", {"p", "v"}, {"d"}, {{"pads", Ints{1, 1, 1, 1}}}, "second");
        b.node("Tanh", {"d"}, {"y"});
    } else {
        weights("v", {4, s.out, 1, 1}, 0.3);
        b.node("Conv", {"b", "v"}, {"y"}, {}, "second");
    }
    b.output("y");
    return loadGraph(b.save(folder.filePath(QString("n%1.onnx").arg(count++)).toStdString()));
}

/// A layer wherever it may be, replicas dealt out to the cores one after the other: groups of one may lie in
/// several.
struct Setting {
    Unfolding unfolding = Unfolding::RowAcrossWindows;
    CrossbarMode mode = CrossbarMode::LowLatency;
    int replicas = 1;
    bool split = false; ///< Each array group in the core after the one before.
    ScheduleOptions options;
};

struct Compiled {
    CrossbarNetwork network;
    CrossbarMapping mapping;
    CrossbarSchedule schedule;
    CrossbarChip chip;

    CrossbarProgramOf program() const {
        return {schedule.program,    network,        mapping,        chip,
                schedule.mapAddress, schedule.stage, schedule.copies};
    }
    /// Products of a matrix layer.
    std::int64_t products(int entry) const {
        std::int64_t count = 0;
        for (const auto& core : schedule.program.cores)
            for (const CrossbarInstruction& i : core)
                count += i.opcode == CrossbarOpcode::Mvm &&
                         i.layer == mapping.layers[std::size_t(entry)].partition.layer.index();
        return count;
    }
    std::uint32_t peak() const { return *std::ranges::max_element(schedule.program.localPeak); }
};

Result<Compiled> compiled(const Convolution& shape, const CrossbarChip& chip, const Setting& setting) {
    PIM_TRY(auto graph, graphOf(shape));
    PIM_TRY(CrossbarNetwork network, crossbarNetwork(std::move(graph), chip));
    CrossbarMapping mapping;
    mapping.mode = setting.mode;
    int next = 0;
    for (const LayerId layer : network.matrixLayers) {
        const MatrixWork& work = *network.layers[layer.index()].matrix();
        const CrossbarGroup& arrays = chip.arraysOf(CoreId(0))[0];
        LayerMapping entry;
        const Unfolding unfolding =
            whyNotUnfolded(work, setting.unfolding).empty() ? setting.unfolding : Unfolding::WholeWindow;
        PIM_TRY(entry.partition,
                partitionLayer(network, layer, unfolding, arrays.rows, arrays.columns, arrays.count));
        entry.replicas = setting.replicas;
        for (int replica = 0; replica < entry.replicas; ++replica)
            for (int group = 0; group < entry.groups(); ++group)
                entry.cores.emplace_back((setting.split ? next++ : replica) % chip.cores());
        mapping.layers.push_back(std::move(entry));
    }
    mapping.number();
    PIM_TRY(CrossbarSchedule schedule, scheduleCrossbar(network, chip, mapping, setting.options));
    return Compiled{std::move(network), std::move(mapping), std::move(schedule), chip};
}

QString textOf(const CrossbarCheck& check) {
    return check.equal() ? QString()
                         : QString::fromStdString(check.comparison.first->text + "; " + check.firstWrong);
}

constexpr Unfolding kSpanning[]{Unfolding::AllPositions, Unfolding::RowAcrossWindows};

} // namespace

class TestCrossbarUnfold : public QObject {
    Q_OBJECT
private slots:
    void numbersAreRight_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("unfolding");
        QTest::addColumn<bool>("lowLatency");
        for (const auto& [name, shape] : shapes())
            for (const Unfolding unfolding : kSpanning)
                for (const bool lowLatency : {false, true})
                    QTest::addRow("%s, %s, %s", name.c_str(), std::string(pim::name(unfolding)).c_str(),
                                  lowLatency ? "ll" : "ht")
                        << int(std::distance(shapes().begin(), shapes().find(name))) << int(unfolding)
                        << lowLatency;
    }
    /// One core and several, replicas of their own core and split ones, arrays so small that weights are cut
    /// in rows and in columns.
    void numbersAreRight() {
        QFETCH(int, which);
        QFETCH(int, unfolding);
        QFETCH(bool, lowLatency);
        const Convolution& shape = std::next(shapes().begin(), which)->second;
        Setting setting{Unfolding(unfolding),
                        lowLatency ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput};
        for (const int cores : {1, 5})
            for (const int replicas : {1, 3})
                for (const bool split : {false, true})
                    for (const int bits : {16, 8}) {
                        setting.replicas = replicas;
                        setting.split = split;
                        CrossbarChip chip =
                            test::smallChip(cores, 400, bits == 8 ? 64 : 7, bits == 8 ? 16 : 4);
                        chip.weightBits = chip.activationBits = bits;
                        // A group of several arrays, or of one.
                        chip.groups[0][0].count = bits == 8 ? 400 : 1;
                        const auto made = compiled(shape, chip, setting);
                        QVERIFY_RESULT(made);
                        const auto check =
                            checkCrossbar(made->program(), {.bitByBit = cores == 1 && bits == 8,
                                                            .samples = 3,
                                                            .inFlight = true,
                                                            .threads = 1});
                        QVERIFY_RESULT(check);
                        QVERIFY2(check->equal(),
                                 qPrintable(QString("%1 cores, %2 replicas, split %3, %4 bits: ")
                                                .arg(cores)
                                                .arg(replicas)
                                                .arg(split)
                                                .arg(bits) +
                                            textOf(*check)));
                        const auto real = checkCrossbar(made->program(), {.real = true, .threads = 1});
                        QVERIFY_RESULT(real);
                        QVERIFY2(real->equal(), qPrintable(textOf(*real)));
                    }
    }

    /// Layers of a stage hand rows on; by the rules of PIMCOMP-NN cores meet at transfers.
    void stagesAndRulesAreRight() {
        for (const Unfolding unfolding : kSpanning)
            for (const int layersAStage : {1, 3, kAutomaticStages})
                for (const CrossbarReferee rules :
                     {CrossbarReferee::Profiler, CrossbarReferee::PimcompCompat})
                    for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
                        Setting setting{unfolding, mode, 3, layersAStage == 1};
                        setting.options.rules = rules;
                        setting.options.layersAStage = layersAStage;
                        const auto made =
                            compiled(shapes().at("pooled"), test::smallChip(4, 400, 24, 16), setting);
                        QVERIFY_RESULT(made);
                        const auto check =
                            checkCrossbar(made->program(), {.samples = 4, .inFlight = true, .threads = 1});
                        QVERIFY_RESULT(check);
                        QVERIFY2(check->equal(), qPrintable(textOf(*check)));
                    }
    }

    /// As often as Table IV says: nothing is multiplied twice in a strip, and groups without a place for any
    /// window not at all.
    void productsAreThoseOfTheTable() {
        Convolution shape;
        shape.height = 9;
        shape.width = 8;
        for (const auto& [unfolding, expected] :
             {std::pair(Unfolding::AllPositions, 9 * 8), std::pair(Unfolding::RowAcrossWindows, 9 * 8)}) {
            const auto made = compiled(shape, test::smallChip(1, 400, 200, 200), {unfolding});
            QVERIFY_RESULT(made);
            const LayerMapping& entry = made->mapping.layers[0];
            QCOMPARE(entry.groups(), 1);
            QCOMPARE(made->products(0), std::int64_t(expected));
            QCOMPARE(productsOfGroup(made->network, entry.partition.layer, unfolding),
                     std::int64_t(expected));
        }
        shape.strides = {2, 2}; // 5 x 4 windows; with kernels of 3 every input row is read by one
        const auto rows = compiled(shape, test::smallChip(1, 400, 200, 200), {Unfolding::RowAcrossWindows});
        const auto pixels = compiled(shape, test::smallChip(1, 400, 200, 200), {Unfolding::AllPositions});
        QVERIFY_RESULT(rows);
        QVERIFY_RESULT(pixels);
        QCOMPARE(rows->products(0), std::int64_t(9 * 4));
        QCOMPARE(pixels->products(0), std::int64_t(9 * 8));
        // An array for each place of the kernel in the columns: of a row, those of one parity alone.
        const auto cut = compiled(shape, test::smallChip(1, 1, 200, 6), {Unfolding::RowAcrossWindows});
        QVERIFY_RESULT(cut);
        QCOMPARE(cut->mapping.layers[0].groups(), 3);
        QCOMPARE(cut->products(0), std::int64_t(5 * 4 + 2 * 4 * 4));
    }

    /// A kernel of one place, or for rows of one row, is a whole window.
    void kernelsOfOnePlaceAreWholeWindows() {
        Convolution shape;
        shape.pads = {0, 0, 0, 0};
        for (const auto& [kernel, unfolding] : {std::pair(Ints{1, 1}, Unfolding::AllPositions),
                                                std::pair(Ints{1, 1}, Unfolding::RowAcrossWindows),
                                                std::pair(Ints{1, 3}, Unfolding::RowAcrossWindows)})
            for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
                shape.kernel = kernel;
                const CrossbarChip chip = test::smallChip(3, 400, 8, 8);
                const auto made = compiled(shape, chip, {unfolding, mode, 2}),
                           whole = compiled(shape, chip, {Unfolding::WholeWindow, mode, 2});
                QVERIFY_RESULT(made);
                QVERIFY_RESULT(whole);
                QCOMPARE(crossbarText(made->schedule.program), crossbarText(whole->schedule.program));
            }
    }

    /// An array that drives a kernel row for three windows clips each column as one that has the row for one
    /// of them.
    void clippedProductsAreThoseOfOneWindow() {
        for (const auto& [across, one] : {std::pair(Unfolding::RowAcrossWindows, Unfolding::RowByRow),
                                          std::pair(Unfolding::AllPositions, Unfolding::InputByPosition)})
            for (const int adcBits : {1, 2, 3}) {
                const CrossbarChip chip = test::smallChip(2, 400, 8, 8);
                std::vector<CrossbarMaps> maps;
                std::vector<std::int64_t> exact;
                for (const Unfolding unfolding : {across, one}) {
                    const auto made =
                        compiled(shapes().at("5 x 5"), chip, {unfolding, CrossbarMode::LowLatency, 2});
                    QVERIFY_RESULT(made);
                    const auto numbers = quantiseNetwork(made->network, numbersOptions(chip));
                    QVERIFY_RESULT(numbers);
                    const auto inputs = sampleInputs(*made->network.graph, 3);
                    QVERIFY_RESULT(inputs);
                    const CrossbarProgramOf of = made->program();
                    const CrossbarJob job{of.program, of.network,    of.mapping, of.chip,
                                          *numbers,   of.mapAddress, of.stage,   {}};
                    const auto run = executeProgram(job, *inputs, {.device = {.adcBits = adcBits}}),
                               right = executeProgram(job, *inputs);
                    QVERIFY_RESULT(run);
                    QVERIFY_RESULT(right);
                    maps.push_back(run->maps);
                    exact = right->maps.back();
                }
                QVERIFY(!maps[0].back().empty());
                QCOMPARE(maps[0].back(), maps[1].back());
                QVERIFY(adcBits > 2 || maps[0].back() != exact); // they were clipped
            }
    }

    /// The same numbers come out of ever smaller memories; what has no room for sums of a kernel's rows is
    /// refused and says so.
    void smallMemoriesAreRightOrRefused() {
        for (const Unfolding unfolding : kSpanning)
            for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency}) {
                int right = 0;
                QString refused;
                for (std::int64_t bytes = 16384; bytes >= 64 && refused.isEmpty(); bytes = bytes * 4 / 5) {
                    CrossbarChip chip = test::smallChip(3, 400, 16, 16);
                    chip.localBytes = bytes;
                    const auto made = compiled(shapes().at("pooled"), chip, {unfolding, mode, 3});
                    if (!made) {
                        QCOMPARE(made.error().code, ErrorCode::InvalidTarget);
                        refused = QString::fromStdString(made.error().text());
                        continue;
                    }
                    const auto check =
                        checkCrossbar(made->program(), {.samples = 2, .inFlight = true, .threads = 1});
                    QVERIFY_RESULT(check);
                    QVERIFY2(check->equal(), qPrintable(textOf(*check)));
                    ++right;
                }
                QVERIFY2(right > 3, qPrintable(QString::number(right)));
                QVERIFY2(refused.contains("local memory") && refused.contains("ik2,o,1"),
                         qPrintable(refused));
            }
    }

    /// Rows of the input go as they are multiplied: fewer wait in the core than windows are high.
    void inputRowsGoAsTheyAreMultiplied() {
        Convolution shape;
        shape.in = 60;
        shape.out = 2;
        shape.height = 24;
        shape.kernel = {7, 3};
        shape.pads = {6, 1, 6, 1}; // the first windows read a row, not four at once
        const CrossbarChip chip = test::smallChip(1, 400, 200, 64);
        const auto
            whole =
                compiled(shape, chip,
                         {Unfolding::WholeWindow, CrossbarMode::HighThroughput, 1, false, {.keep = false}}),
            across = compiled(
                shape, chip,
                {Unfolding::RowAcrossWindows, CrossbarMode::HighThroughput, 1, false, {.keep = false}});
        QVERIFY_RESULT(whole);
        QVERIFY_RESULT(across);
        // Vectors and sums in rings are a few elements; seven rows of 10 x 60 elements are most of the rest.
        QVERIFY2(across->peak() * 2 < whole->peak(),
                 qPrintable(QString("%1 and %2").arg(across->peak()).arg(whole->peak())));
    }

    /// Every place of a kernel meets every pixel it reads once.
    void piecesReachEveryWindowOnce() {
        for (const auto& [name, shape] : shapes())
            for (const Unfolding unfolding : kSpanning) {
                const auto graph = graphOf(shape);
                QVERIFY_RESULT(graph);
                const auto network = crossbarNetwork(*graph, test::smallChip());
                QVERIFY_RESULT(network);
                const CrossbarLayer& layer = network->layers[network->matrixLayers.front().index()];
                const PixelWindow& w = layer.matrix()->window;
                std::vector<ColumnSpan> rows; // borders that change from row to row
                for (int y = 0; y < layer.out.height; ++y)
                    rows.push_back(
                        {std::min(y % 2, layer.out.width - 1), std::max(1, layer.out.width - y % 3)});
                const InputPieces pieces(layer, unfolding, rows);
                std::map<std::pair<int, int>, std::set<std::pair<int, int>>>
                    met; // window -> input row, column of the kernel's place
                std::int64_t count = 0;
                for (int y = 0; y < layer.out.height; ++y)
                    for (int x = rows[std::size_t(y)].begin; x < rows[std::size_t(y)].end; ++x)
                        for (const InputPiece& piece : pieces.of(y, {x, x + 1})) {
                            ++count;
                            QVERIFY(piece.row >= pieces.firstRow(y));
                            for (int slice = 0; slice < pieces.slices(); ++slice)
                                if (const auto window = pieces.window(piece, slice)) {
                                    QVERIFY(window->y > y || (window->y == y &&
                                                              window->x >= x)); // not later than it is needed
                                    const bool isNew =
                                        met[{window->y, window->x}].emplace(piece.row, piece.column).second;
                                    QVERIFY(isNew);
                                }
                        }
                QCOMPARE(count, pieces.count());
                for (int y = 0; y < layer.out.height; ++y)
                    for (int x = rows[std::size_t(y)].begin; x < rows[std::size_t(y)].end; ++x) {
                        std::set<std::pair<int, int>> expected;
                        for (int ky = 0; ky < w.kernelY; ++ky)
                            for (int kx = 0; kx < w.kernelX; ++kx) {
                                const int row = y * w.strideY - w.padTop + ky * w.dilationY,
                                          left = x * w.strideX - w.padLeft, column = left + kx * w.dilationX;
                                const bool byPixel = unfolding == Unfolding::AllPositions;
                                if (row >= 0 && row < layer.in.height &&
                                    (!byPixel || (column >= 0 && column < layer.in.width)))
                                    expected.emplace(row, byPixel ? column : left);
                            }
                        const bool same = met[{y, x}] == expected;
                        QVERIFY2(same, name.c_str());
                    }
            }
    }

    void transposedAndGroupedOnesSayWhyNot() {
        Convolution shape;
        shape.in = 6;
        shape.groups = 3;
        const auto graph = graphOf(shape);
        QVERIFY_RESULT(graph);
        const auto network = crossbarNetwork(*graph, test::smallChip());
        QVERIFY_RESULT(network);
        MatrixWork work = *network->layers[network->matrixLayers.front().index()].matrix();
        for (const Unfolding unfolding : kSpanning) {
            QVERIFY(!whyNotUnfolded(work, unfolding).empty());
            MatrixWork ordinary = work;
            ordinary.groups = 1;
            QVERIFY(whyNotUnfolded(ordinary, unfolding).empty());
            ordinary.window.spreadX = 2;
            QVERIFY(whyNotUnfolded(ordinary, unfolding).find("transposed") != std::string_view::npos);
            MappingOptions options;
            options.wishes = {
                {network->layers[network->matrixLayers.front().index()].name, unfolding, std::nullopt, {}}};
            const auto refused = partitionNetwork(*network, test::smallChip(), options);
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::IllegalOverride);
            QVERIFY2(refused.error().text().find("groups") != std::string::npos,
                     refused.error().text().c_str());
        }
    }

private:
    static const std::map<std::string, Convolution>& shapes() {
        static const std::map<std::string, Convolution> all{
            {"3 x 3", {}},
            {"1 x 1", {.kernel = {1, 1}, .strides = {2, 1}, .pads = {0, 0, 0, 0}}},
            {"5 x 5", {.kernel = {5, 5}, .pads = {2, 2, 2, 2}}},
            {"stride 2", {.kernel = {3, 3}, .strides = {2, 2}}},
            {"strides 3 and 2", {.kernel = {2, 3}, .strides = {3, 2}, .pads = {0, 1, 1, 2}}},
            {"dilated", {.height = 11, .kernel = {3, 3}, .pads = {2, 2, 2, 2}, .dilations = {2, 2}}},
            {"dilated, strides",
             {.height = 13, .kernel = {3, 2}, .strides = {2, 3}, .pads = {3, 0, 0, 1}, .dilations = {3, 2}}},
            {"rows alone", {.kernel = {4, 1}, .pads = {1, 0, 2, 0}}},
            {"columns alone", {.kernel = {1, 4}, .pads = {0, 2, 0, 1}}},
            {"whole map", {.kernel = {9, 8}, .pads = {0, 0, 0, 0}}},
            {"windows in padding", {.height = 4, .width = 4, .kernel = {2, 2}, .pads = {3, 3, 3, 3}}},
            {"pooled", {.height = 12, .pooled = true}},
        };
        return all;
    }
};

QTEST_MAIN(TestCrossbarUnfold)
#include "tst_backends_crossbar_numeric_unfold.moc"
