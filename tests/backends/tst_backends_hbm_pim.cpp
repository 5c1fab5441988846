// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Code for HBM-PIM: what it computes, where its operands lie, that the memory can run it and how long that
/// takes.
#include <QTest>
#include <string>

#include "backends/dram_pim/device_of_target.h"
#include "backends/hbm_pim/channel_work.h"
#include "backends/hbm_pim/code_streams.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "backends/hbm_pim/hbm_pim_unit.h"
#include "core/base/half_float.h"
#include "core/dram/hbm_pim/hbm_pim_functional.h"
#include "core/dram_pim/flat_program.h"
#include "core/dram_pim/kernel_reference.h"
#include "core/dram_pim/run.h"
#include "core/dram_pim/sequencer.h"
#include "tests/backends/code_checks.h"
#include "tests/backends/kernels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace pim;
using namespace pim::test;

namespace {

struct Drafted {
    std::shared_ptr<const TilingSpace> space;
    Target target;
    std::vector<Residency> residency;
    CodePasses passes = {};
    const Kernel& kernel() const { return space->kernel(); }
};

Target smallTarget(const char* id, int groups, int registers = 0) {
    Target target = *targetOf(id);
    for (Level& level : target.levels) {
        if (level.id == "device")
            level.count = 1;
        if (level.id == "group")
            level.count = groups;
    }
    if (registers > 0)
        target.parameters["register.GRF.entries"].value = registers;
    return target;
}

Drafted drafted(const Kernel& kernel, const Target& target, int cores) {
    TilingResources resources;
    resources.groups = int(target.instances("group"));
    resources.coresPerGroup = cores;
    resources.simdLanes = 16;
    auto space = TilingSpace::create(kernel, resources);
    if (!space)
        qFatal("%s", space.error().text().c_str());
    Drafted all{*space, target, {}};
    for (const KernelTensor& tensor : kernel.tensors)
        all.residency.push_back(tensor.constant || tensor.cache ? Residency::Resident : Residency::Streamed);
    return all;
}

/// Whole numbers: as long as sums stay below 2048 FP16 has all of them, so results must be right to the last
/// bit.
std::vector<std::vector<float>> numbersOf(const Kernel& kernel, unsigned seed, bool whole) {
    std::mt19937 random(seed);
    std::vector<std::vector<float>> tensors;
    for (const KernelTensor& tensor : kernel.tensors) {
        tensors.emplace_back();
        if (tensor.role != TensorRole::Output)
            for (std::int64_t i = 0; i < *elementCount(tensor.shape); ++i)
                tensors.back().push_back(
                    whole ? float(int(random() % 7) - 3)
                          : halfToFloat(floatToHalf(float(int(random() % 2001) - 1000) / 1000)));
    }
    return tensors;
}

/// Where elements lie by the commands that bring them there, against what places() says.
std::string wrongPlaces(const PimCode& code, const Kernel& kernel) {
    using Copies = std::vector<PimPlace>;
    std::map<std::pair<int, std::int64_t>, Copies> seen;
    for (const Phase& phase : code.program.phases) {
        const auto flat = flatten(code.program, phase);
        if (!flat)
            return flat.error().text();
        walkFlat(*flat, [&](const FlatNode& node, std::span<const std::int64_t> operands) {
            const std::string& name = code.program.opcodes[std::size_t(node.opcode)].name;
            if ((name != "WR" && name != "RD") || operands[3] < 0)
                return true;
            for (int group = 0; group < code.groups; ++group) {
                std::array<std::int64_t, kPimLanes> lanes{};
                code.operands->elements(int(operands[3]), group, operands[4], lanes);
                for (int lane = 0; lane < kPimLanes; ++lane)
                    if (lanes[std::size_t(lane)] >= 0)
                        seen[{int(operands[3]), lanes[std::size_t(lane)]}].push_back(
                            {group, int(operands[0]), operands[1], int(operands[2]), lane});
            }
            return true;
        });
    }
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        for (std::int64_t e = 0; e < *elementCount(kernel.tensors[t].shape); ++e) {
            Copies& copies = seen[{int(t), e}];
            std::sort(copies.begin(), copies.end());
            if (copies != code.operands->places(int(t), e))
                return fmt::format("tensor {} element {}: {} places by the commands, {} by places()",
                                   kernel.tensors[t].name, e, copies.size(),
                                   code.operands->places(int(t), e).size());
        }
    return {};
}

/// Empty if the code of a draft is right in every respect.
std::string wrong(const Drafted& all, const Draft& draft, unsigned seed, bool whole = true) {
    const HbmPimBackend backend(nullptr);
    const Kernel& kernel = all.kernel();
    const std::string where =
        fmt::format("{} {}, {}: ", kernel.text(), all.space->draftText(draft), leftOutText(all.passes));
    const auto code = backend.generate(*all.space, draft, all.target, all.residency, all.passes);
    if (!code)
        return where + code.error().text();
    const auto parsed = parseProgram(programText(code->program));
    if (!parsed || !(parsed->phases == code->program.phases))
        return where + "the text form gives another program";
    if (std::string problem = wrongPlaces(*code, kernel); !problem.empty())
        return where + problem;
    const auto inputs = numbersOf(kernel, seed, whole);
    const auto outputs = runPimCode(
        *code, kernel, inputs, [&](const PimCode& c) { return backend.makeChannel(c, all.target); }, 1);
    if (!outputs)
        return where + outputs.error().text();
    const auto expected = reference(kernel, inputs, false), magnitudes = reference(kernel, inputs, true);
    const auto out = std::size_t(outputOf(kernel));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        // Fractions: products and sums are rounded by 2^-11 each; errors of a chain add up like a random
        // walk.
        const double allowed = whole ? 0 : magnitudes[i] * 0x1p-11 * 24;
        const double got = (*outputs)[out][i];
        if (!(std::abs(got - expected[i]) <= allowed))
            return where + fmt::format("element {} is {}, should be {}", i, got, expected[i]);
    }
    const auto device = deviceOf(all.target);
    if (!device)
        return where + device.error().text();
    std::vector<std::string> phases;
    for (const Phase& phase : code->program.phases)
        phases.push_back(phase.name);
    const auto timing = timeProgram(*device, code->program, {}, phases);
    if (!timing)
        return where + timing.error().text();
    return timing->ticks > 0 ? std::string() : where + "no time passes";
}

/// At most \p most of the drafts, evenly spread.
void checkDrafts(const Kernel& kernel, const Target& target, int cores, std::size_t most, bool whole = true,
                 const CodePasses& passes = {}) {
    Drafted all = drafted(kernel, target, cores);
    all.passes = passes;
    TilingOptions options;
    options.rule2 = false;
    const auto drafts = keptDrafts(*all.space, options, nullptr);
    QVERIFY(drafts && !drafts->empty());
    const std::size_t step = std::max<std::size_t>(1, drafts->size() / most);
    for (std::size_t i = 0; i < drafts->size(); i += step) {
        const std::string problem = wrong(all, (*drafts)[i], unsigned(i), whole);
        QVERIFY2(problem.empty(), problem.c_str());
    }
}

Kernel gemm(int m, int n, int k) {
    return kernelOf(
        fmt::format("def matmul(X[{0}][{2}]: f16, W[{2}][{1}]: f16):\n Y = DCC.Tensor.zero([{0}, {1}], f16)\n"
                    " for m in range({0}):\n  for n in range({1}):\n   for k in range({2}):\n"
                    "    Y[m][n] += X[m][k] * W[k][n]\n",
                    m, n, k));
}

Kernel batched(int b, int m, int n, int k) {
    return kernelOf(fmt::format(
        "def matmul(X[{0}][{1}][{3}]: f16, W[{0}][{3}][{2}]: f16):\n Y = DCC.Tensor.zero([{0}, {1}, {2}], "
        "f16)\n"
        " for b in range({0}):\n  for m in range({1}):\n   for n in range({2}):\n    for k in range({3}):\n"
        "     Y[b][m][n] += X[b][m][k] * W[b][k][n]\n",
        b, m, n, k));
}

Kernel rowSums(int rows, int columns) {
    return kernelOf(fmt::format("def sum(X[{0}][{1}]: f16):\n Y = DCC.Tensor.zero([{0}], f16)\n"
                                " for m in range({0}):\n  for k in range({1}):\n   Y[m] += X[m][k]\n",
                                rows, columns));
}

Kernel convolution(int channels, int outputs, int size) {
    return kernelOf(fmt::format(
        "def conv(X[{0}][{2}][{2}]: f16, W[{1}][{0}][3][3]: const f16):\n"
        " Y = DCC.Tensor.zero([{1}, {2}, {2}], f16)\n"
        " for o in range({1}):\n  for h in range({2}):\n   for w in range({2}):\n    for c in range({0}):\n"
        "     for r in range(3):\n      for s in range(3):\n"
        "       Y[o][h][w] += X[c][h+r-1][w+s-1] * W[o][c][r][s]\n",
        channels, outputs, size));
}

void addAndRectify(int length) {
    const Drafted all =
        drafted(elementwise(length, "C[i] = relu(A[i] + B[i])"), smallTarget("hbm-pim", 2), 8);
    QCOMPARE(all.kernel().function, std::string("add+relu"));
    const HbmPimBackend backend(nullptr);
    const auto drafts = keptDrafts(*all.space, {}, nullptr);
    const auto code = backend.generate(*all.space, drafts->front(), all.target, all.residency);
    QVERIFY2(code, code ? "" : code.error().text().c_str());
    const auto inputs = numbersOf(all.kernel(), 3, true);
    const auto outputs = runPimCode(*code, all.kernel(), inputs,
                                    [&](const PimCode& c) { return backend.makeChannel(c, all.target); });
    QVERIFY2(outputs, outputs ? "" : outputs.error().text().c_str());
    for (std::size_t i = 0; i < std::size_t(length); ++i)
        QCOMPARE((*outputs)[2][i], std::max(0.0F, inputs[0][i] + inputs[1][i]));
}

} // namespace

class TestBackendsHbmPim : public QObject {
    Q_OBJECT
private slots:
    void products_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("registers");
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3"})
            QTest::newRow(target) << target;
    }
    void products() {
        QFETCH(QString, target);
        const Target machine = smallTarget(qPrintable(target), 2);
        for (const auto& [outputs, inputs, batch] : {std::tuple{1, 1, 1},
                                                     {3, 17, 1},
                                                     {8, 128, 1},
                                                     {16, 300, 1},
                                                     {67, 259, 2},
                                                     {130, 64, 3},
                                                     {300, 70, 5},
                                                     {520, 24, 1}})
            checkDrafts(gemv(outputs, inputs, batch), machine, 8, 6);
        checkDrafts(gemm(5, 7, 33), machine, 4, 20);
        checkDrafts(gemm(9, 40, 150), machine, 8, 8);
        checkDrafts(batched(3, 4, 9, 20), machine, 8, 15);
        checkDrafts(batched(2, 1, 24, 300), machine, 8, 8);
    }

    void convolutions() {
        checkDrafts(convolution(3, 5, 6), smallTarget("hbm-pim", 2), 8, 15);
        checkDrafts(convolution(17, 9, 3), smallTarget("hbm-pim-hbm3", 2), 8, 8);
    }

    void sums() {
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3"})
            for (const auto& [rows, columns] :
                 {std::pair{1, 1}, {1, 1000}, {3, 100}, {100, 3}, {260, 19}, {9, 500}})
                checkDrafts(rowSums(rows, columns), smallTarget(target, 2), 8, 5);
    }

    void elementWise() {
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3"})
            for (const char* statement :
                 {"C[i] = A[i] + B[i]", "C[i] = A[i] * B[i]", "C[i] = relu(A[i])", "C[i] = A[i]"})
                for (const int length : {1, 31, 256, 1000, 9001})
                    checkDrafts(elementwise(length, statement), smallTarget(target, 2), 8, 5);
    }

    /// Each pass left out, and all of them: other commands, the same results.
    void passesChangeNoResult_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("passes");
        const int count = int(passesOneByOne(HbmPimBackend(nullptr)).size());
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3"})
            for (int passes = 1; passes < count; ++passes)
                QTest::addRow("%s, %d", target, passes) << target << passes;
    }
    void passesChangeNoResult() {
        QFETCH(QString, target);
        QFETCH(int, passes);
        const CodePasses off = passesOneByOne(HbmPimBackend(nullptr))[std::size_t(passes)];
        const Target machine = smallTarget(qPrintable(target), 2);
        for (const Kernel& kernel :
             {gemv(67, 259, 2), gemv(300, 70), gemm(9, 40, 150), batched(3, 4, 9, 20), convolution(3, 5, 6),
              rowSums(3, 100), rowSums(100, 3), rowSums(9, 500), elementwise(31, "C[i] = A[i] + B[i]"),
              elementwise(1000, "C[i] = A[i] * A[i]"), elementwise(9001, "C[i] = relu(A[i])")})
            checkDrafts(kernel, machine, 8, 3, true, off);
    }

    /// What one row holds, to the limits of its columns, registers and instructions.
    void smallOpsTakeOneRow() {
        const HbmPimBackend backend(nullptr);
        const auto rows = [&](const Kernel& kernel, const char* target, const CodePasses& passes) {
            const Drafted all = drafted(kernel, smallTarget(target, 1), 1);
            const auto drafts = keptDrafts(*all.space, {}, nullptr);
            return backend.generate(*all.space, drafts->front(), all.target, all.residency, passes)
                .value()
                .rows;
        };
        const CodePasses off{{"one-row"}};
        for (int bursts = 1; bursts <= 18; ++bursts) {
            for (const char* target : {"hbm-pim", "hbm-pim-hbm3"}) {
                const int registers = QByteArray(target) == "hbm-pim" ? 8 : 16;
                for (const char* statement : {"C[i] = A[i] + B[i]", "C[i] = relu(A[i])"}) {
                    const Kernel kernel = elementwise(16 * bursts - 3, statement);
                    checkDrafts(kernel, smallTarget(target, 1), 1, 2);
                    const int places = kernel.tensors.size() > 2 ? 3 : 2;
                    if (bursts <= registers && bursts * places < 32)
                        QCOMPARE(rows(kernel, target, {}), 1);
                }
                checkDrafts(rowSums(bursts, 40), smallTarget(target, 1), 1, 2);
                checkDrafts(rowSums(1, 32 * bursts - 5), smallTarget(target, 1), 1, 2);
            }
        }
        QCOMPARE(rows(rowSums(1, 31 * 16), "hbm-pim", {}), 1);
        QVERIFY(rows(rowSums(1, 31 * 16), "hbm-pim", off) > 1);
    }

    void randomSizesAndDrafts() {
        std::mt19937 random(20);
        const auto upTo = [&](int most) { return int(random() % unsigned(most)) + 1; };
        for (int n = 0; n < 40; ++n) {
            Kernel kernel;
            switch (n % 5) {
            case 0:
                kernel = gemv(upTo(400), upTo(200), upTo(6));
                break;
            case 1:
                kernel = gemm(upTo(12), upTo(60), upTo(180));
                break;
            case 2:
                kernel = batched(upTo(6), upTo(9), upTo(20), upTo(60));
                break;
            case 3:
                kernel = rowSums(upTo(200), upTo(120));
                break;
            default:
                kernel = elementwise(upTo(6000), n % 2 == 0 ? "C[i] = A[i] + B[i]" : "C[i] = relu(A[i])");
            }
            const Target target = smallTarget(n % 3 == 0 ? "hbm-pim-hbm3" : "hbm-pim", upTo(3));
            const Drafted all = drafted(kernel, target, upTo(8));
            TilingOptions options;
            options.rule2 = false;
            const auto drafts = keptDrafts(*all.space, options, nullptr);
            QVERIFY(drafts && !drafts->empty());
            for (int tries = 0; tries < 2; ++tries) {
                const std::string problem = wrong(all, (*drafts)[random() % drafts->size()], unsigned(n));
                QVERIFY2(problem.empty(), problem.c_str());
            }
        }
    }

    void fractionsWithinTolerance() {
        checkDrafts(gemv(70, 900), smallTarget("hbm-pim", 2), 8, 6, false);
        checkDrafts(gemm(6, 30, 100), smallTarget("hbm-pim-hbm3", 2), 8, 10, false);
        checkDrafts(rowSums(20, 300), smallTarget("hbm-pim", 2), 8, 6, false);
    }

    /// All the ways to compute a product are among the drafts above: by lanes, by scalars, operands filled
    /// from the banks.
    void formsAreChosenByTheDraft() {
        const HbmPimBackend backend(nullptr);
        const auto layoutOf = [&](const Kernel& kernel, const char* draftText) {
            const Drafted all = drafted(kernel, smallTarget("hbm-pim", 2), 8);
            const auto draft = all.space->draftFromText(draftText);
            const auto machine = hbm::Machine::of(all.target);
            auto layout = hbm::CodeLayout::create(*all.space, draft.value(), machine.value(), all.residency);
            return layout.value();
        };
        QCOMPARE(layoutOf(gemv(16, 300), "[[2, 8, y0=o], [1, 1, x0=i]] expanded")->form(), hbm::Form::Lanes);
        QCOMPARE(layoutOf(gemv(520, 24), "[[2, 1, y0=o], [1, 1, x0=i]] expanded")->form(),
                 hbm::Form::Scalars);
        const auto filled = layoutOf(gemm(9, 40, 150), "[[1, 4, Y0=m], [2, 1, Y1=n], [1, 1, X1=k]] expanded");
        QCOMPARE(filled->form(), hbm::Form::Lanes);
        QVERIFY(filled->fill());
        QCOMPARE(layoutOf(rowSums(9, 500), "[[1, 1, Y0=m], [1, 1, X1=k]] expanded")->form(), hbm::Form::Sum);
    }

    /// The blocks themselves are those that reproduce the public simulator; where generated code adds in the
    /// order of the kernel of core/dram/hbm_pim, it gives the same bits.
    void bitsAreThoseOfTheOtherKernel() {
        HbmPimShape shape;
        shape.out = 1024;
        shape.in = 200;
        shape.channels = shape.ranks = 1;
        shape.optimised = true;
        const auto operands = HbmPimOperands::sample();
        const auto other = runHbmPimFunctional(shape, operands);
        QVERIFY(other);
        const Drafted all = drafted(gemv(1024, 200), smallTarget("hbm-pim", 1), 8);
        const Draft draft = all.space->draftFromText("[[1, 8, y0=o], [1, 1, x0=i]] expanded").value();
        const HbmPimBackend backend(nullptr);
        const auto code = backend.generate(*all.space, draft, all.target, all.residency);
        QVERIFY(code);
        std::vector<std::vector<float>> tensors(3);
        for (int i = 0; i < 200; ++i)
            tensors[0].push_back(halfToFloat(operands.x(0, i)));
        for (int o = 0; o < 1024; ++o)
            for (int i = 0; i < 200; ++i)
                tensors[1].push_back(halfToFloat(operands.weights(o, i)));
        const auto outputs = runPimCode(*code, all.kernel(), tensors,
                                        [&](const PimCode& c) { return backend.makeChannel(c, all.target); });
        QVERIFY(outputs);
        for (std::size_t o = 0; o < 1024; ++o)
            QCOMPARE(floatToHalf((*outputs)[2][o]), other->result[o]);
    }

    void addsThenRectifies() {
        for (const int length : {700, 9, 70'000})
            addAndRectify(length);
    }
    void refusesWhatDoesNotFit() {
        const Drafted all = drafted(gemv(4096, 4096), smallTarget("hbm-pim", 1), 8);
        const Draft draft = all.space->draftFromText("[[1, 1, y0=o], [1, 1, x0=i]] expanded").value();
        const auto code = HbmPimBackend(nullptr).generate(*all.space, draft, all.target, all.residency);
        QVERIFY(!code);
        QVERIFY2(code.error().text().find("an op has 4096") != std::string::npos,
                 code.error().text().c_str());
        Target odd = all.target;
        odd.parameters["register.GRF.entries"].value = 12;
        QVERIFY(!hbm::Machine::of(odd));
    }

    void illegalSequencesAreErrors_data() {
        QTest::addColumn<QString>("commands");
        QTest::addColumn<QString>("reason");
        const QString enter = "ACT 0 6143;ACT 1 6143;ACT 8 6143;ACT 9 6143;PREA;";
        QTest::newRow("all banks in SB") << "ACT_AB 0 5"
                                         << "in mode SB";
        QTest::newRow("one bank in HAB") << enter + "ACT 0 5"
                                         << "in mode HAB";
        QTest::newRow("closed row") << "RD 3 5 0 2 0"
                                    << "has no row open";
        QTest::newRow("another row") << "ACT 3 6;RD 3 5 0 2 0"
                                     << "has row 6 open";
        QTest::newRow("open twice") << "ACT 3 6;ACT 3 7"
                                    << "still open";
        QTest::newRow("bank") << "ACT 16 6"
                              << "allowed are 0 to 15";
        QTest::newRow("row") << "ACT 3 16384"
                             << "allowed are 0 to 16383";
        QTest::newRow("column") << "ACT 3 6;RD 3 6 32 2 0"
                                << "allowed are 0 to 31";
        QTest::newRow("step of registers") << enter + "ACT_AB 0 16383;RD_AB 0 16383 0"
                                           << "holds registers";
        QTest::newRow("register in data") << enter + "ACT_AB 0 5;WRR_AB 0 5 0 -1 0"
                                          << "holds data";
        QTest::newRow("legal") << enter +
                                      "ACT_AB 0 8191;ACT_AB 1 8191;PRE_AB 0;PRE_AB 1;ACT 3 6;RD 3 6 31 2 0"
                               << "";
    }
    void illegalSequencesAreErrors() {
        QFETCH(QString, commands);
        QFETCH(QString, reason);
        struct : PimPort {
            PimWord read(std::int64_t, std::int64_t) override { return {}; }
            void write(std::int64_t, std::int64_t, const PimWord&) override {}
        } port;
        Program program;
        program.opcodes = hbm::opcodes();
        hbm::HbmPimUnit unit(program, {});
        Result<void> done;
        for (const QString& command : commands.split(';', Qt::SkipEmptyParts)) {
            QVERIFY2(done, "only the last command is illegal");
            const QStringList words = command.split(' ');
            std::vector<std::int64_t> operands;
            for (const QString& word : words.mid(1))
                operands.push_back(word.toLongLong());
            int opcode = 0;
            while (program.opcodes[std::size_t(opcode)].name != words.front().toStdString())
                ++opcode;
            done = unit.run(opcode, operands, port);
        }
        QCOMPARE(bool(done), reason.isEmpty());
        if (!done)
            QVERIFY2(done.error().text().find(reason.toStdString()) != std::string::npos,
                     done.error().text().c_str());
    }

    /// Best, middling and bad drafts of both machines, with refresh and without, whether the four-activate
    /// window is charged or not: the price is the time of the code.
    void pricesAreTimesOfTheCode_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("refresh");
        QTest::addColumn<int>("window");
        QTest::addColumn<int>("passes");
        const int passes = int(passesOneByOne(HbmPimBackend(nullptr)).size());
        for (const char* id : {"hbm-pim", "hbm-pim-hbm3"}) {
            for (const int refresh : {0, 1})
                for (const int window : {0, 1})
                    QTest::addRow("%s, refresh %d, window %d", id, refresh, window)
                        << id << refresh << window << 0;
            for (int off = 1; off < passes; ++off)
                QTest::addRow("%s, passes %d", id, off) << id << 0 << 1 << off;
        }
    }
    void pricesAreTimesOfTheCode() {
        QFETCH(QString, id);
        QFETCH(int, refresh);
        QFETCH(int, window);
        QFETCH(int, passes);
        const CodePasses off = passesOneByOne(HbmPimBackend(nullptr))[std::size_t(passes)];
        Target target = smallTarget(qPrintable(id), 4);
        target.parameters.at("policy.refresh").value = refresh;
        target.parameters.at("policy.allBankFaw").value = window;
        const auto device = deviceOf(target).value();
        SequencerOptions options;
        options.refresh = refresh != 0;
        int drafts = 0, alike = 0;
        const int blocks = target.level("core")->count;
        for (const Kernel& kernel :
             {gemv(1024, 1024), gemv(1000, 3000, 2), gemm(64, 96, 128), batched(6, 8, 64, 128),
              convolution(16, 24, 8), rowSums(100, 5000), elementwise(1 << 17, "C[i] = A[i] * B[i]"),
              elementwise(50'000, "C[i] = relu(A[i])"), elementwise(3000, "C[i] = A[i] + B[i]"),
              elementwise(500, "C[i] = relu(A[i])"), rowSums(4, 2000), rowSums(70, 20)}) {
            const Drafted all = drafted(kernel, target, blocks);
            const auto kept = keptDrafts(*all.space, {}, nullptr).value();
            const hbm::ChannelModel model(*all.space, target, all.residency, off);
            for (std::size_t i = 0; i < kept.size(); i += 1 + kept.size() / 10) {
                const auto code =
                    HbmPimBackend(nullptr).generate(*all.space, kept[i], target, all.residency, off);
                if (!code) // too many rows
                    continue;
                const auto timing = timeProgram(device, code->program, options);
                QVERIFY2(timing.has_value(), timing ? "" : timing.error().text().c_str());
                std::map<std::string, double> simulated;
                for (const SequencePhase& phase : timing->phases)
                    simulated[phase.name] = double(phase.end - phase.begin);
                const hbm::PhaseTicks priced = model.of(all.space->summarize(kept[i])).ticks;
                const auto where = [&](const char* what, double price, double time) {
                    return QString("%1: %2 of %3 ticks, %4 %5")
                        .arg(what)
                        .arg(price)
                        .arg(time)
                        .arg(kernel.text().c_str(), all.space->draftText(kept[i]).c_str());
                };
                const auto near = [&](const char* what, double price, double time, double share,
                                      double slack) {
                    QVERIFY2(std::abs(price - time) <= share * time + slack,
                             qPrintable(where(what, price, time)));
                };
                // A refresh more or less: the interval ends near the end of a phase.
                const double slack = refresh * double(device.time("nRFC") + 60);
                // The last row of a phase closes in it or in the next.
                const double closing = slack + double(device.time("nRP") + 6);
                const double inside = priced.modeOn + priced.compute + priced.modeOff,
                             ran = simulated["mode on"] + simulated["compute"] + simulated["mode off"];
                near("compute and mode", inside, ran, 0.03, slack);
                if (refresh == 0) { // to the clock; parking rows of several ranks take one more than priced
                    near("mode on", priced.modeOn, simulated["mode on"], 0, 1);
                    near("compute", priced.compute, simulated["compute"], 0, 1);
                    near("mode off", priced.modeOff, simulated["mode off"], 0, 1);
                }
                near("input", priced.input, simulated["input"], 0.1, closing);
                near("output", priced.output, simulated["output"], 0.1, closing);
                near("all", priced.total(), double(timing->ticks), 0.03, closing);
                alike += std::abs(inside - ran) <= 0.03 * ran ? 1 : 0;
                ++drafts;
            }
        }
        QVERIFY(drafts > 40);
        QVERIFY2(alike >= 0.9 * drafts, qPrintable(QString("%1 of %2").arg(alike).arg(drafts)));
    }

    /// Rows open while others are computed on: what is left beside the 64 products of a tile is the turning
    /// of the bus.
    void rowsOpenBehindProducts() {
        const Target target = smallTarget("hbm-pim", 1);
        const auto device = deviceOf(target).value();
        SequencerOptions options;
        options.refresh = false;
        const auto ticks = [&](const Kernel& kernel, const char* draftText) {
            const Drafted all = drafted(kernel, target, 8);
            const auto code = HbmPimBackend(nullptr).generate(
                *all.space, all.space->draftFromText(draftText).value(), target, all.residency);
            return timeProgram(device, code.value().program, options, {"compute"}).value().ticks;
        };
        const char* draft = "[[1, 8, y0=o], [1, 1, x0=i]] expanded";
        // 8 outputs a block, 128 inputs a tile: 63 x 4 between products, 7 x 4 between registers, 19 + 15 of
        // turning.
        QCOMPARE(ticks(gemv(64, 128 * 22), draft) - ticks(gemv(64, 128 * 2), draft),
                 DramTick{20 * (252 + 28 + 34)});
        // 128 outputs a block, 8 inputs a tile.
        QCOMPARE(ticks(gemv(1024, 8 * 22), draft) - ticks(gemv(1024, 8 * 2), draft),
                 DramTick{20 * (252 + 34)});
    }
};

QTEST_GUILESS_MAIN(TestBackendsHbmPim)
#include "tst_backends_hbm_pim.moc"
