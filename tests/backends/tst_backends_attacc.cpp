// SPDX-License-Identifier: GPL-3.0-or-later
// Code for AttAcc: what it computes, where its operands lie, how long it takes.
#include <QTest>
#include <string>

#include "backends/attacc/attacc.h"
#include "backends/dram_pim/device_of_target.h"
#include "core/base/half_float.h"
#include "core/drafts/draft_choice.h"
#include "core/dram_pim/flat_program.h"
#include "core/dram_pim/kernel_reference.h"
#include "core/dram_pim/run.h"
#include "core/dram_pim/sequencer.h"
#include "tests/backends/code_checks.h"
#include "tests/backends/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace pim;
using namespace pim::test;

namespace {

/// One of everything, small enough to be looked at closely.
Target smallTarget(int groups, int softmaxSlots = 0, int bufferBursts = 0) {
    Target target = *targetOf("attacc");
    for (Level& level : target.levels) {
        if (level.id == "device")
            level.count = 1;
        if (level.id == "group")
            level.count = groups;
        for (Memory& memory : level.memories) {
            if (memory.name == "softmax buffer" && softmaxSlots > 0)
                memory.bytes = softmaxSlots * 64;
            if (memory.name == "GEMV buffer" && bufferBursts > 0)
                memory.bytes = bufferBursts * 32;
        }
    }
    return target;
}

TilingResources resourcesOf(const Target& target, int coresPerGroup) {
    TilingResources resources;
    resources.groups = int(target.instances("group"));
    resources.coresPerGroup = coresPerGroup;
    resources.simdLanes = 16;
    return resources;
}

std::vector<std::vector<float>> inputsOf(const Kernel& kernel, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<std::vector<float>> tensors;
    for (const KernelTensor& tensor : kernel.tensors) {
        tensors.emplace_back();
        if (tensor.role != TensorRole::Output)
            for (std::int64_t i = 0; i < *elementCount(tensor.shape); ++i)
                tensors.back().push_back(halfToFloat(floatToHalf(values(random))));
    }
    return tensors;
}

/// Empty if the code computes the kernel. A sum may be off by 2^-9 of the sum of the magnitudes of its terms:
/// FP16 rounds by 2^-11 where results leave the units, the channel, and (twice) where the host has merged
/// groups. Attention of values in
/// [-1, 1]: 0.01.
/// \param inputs random ones from \p seed if there are none.
std::string wrong(const AttAccBackend& backend, const Target& target, const TilingSpace& space,
                  const Draft& draft, unsigned seed, const CodePasses& passes = {},
                  std::vector<std::vector<float>> inputs = {}) {
    const Kernel& kernel = space.kernel();
    const std::string where =
        fmt::format("{} {}, {}: ", kernel.text(), space.draftText(draft), leftOutText(passes));
    const auto code = backend.generate(space, draft, target, residencyOf(kernel), passes);
    if (!code)
        return where + code.error().text();
    const auto parsed = parseProgram(programText(code->program));
    if (!parsed)
        return where + parsed.error().text();
    if (!(parsed->phases == code->program.phases))
        return where + "the text form gives another program";
    const auto device = deviceOf(target);
    if (!device)
        return where + device.error().text();
    for (const bool skips : {true, false}) {
        SequencerOptions options;
        options.skipRepeats = skips;
        std::vector<std::string> phases;
        for (const Phase& phase : code->program.phases)
            phases.push_back(phase.name);
        if (const auto timing = timeProgram(*device, code->program, options, phases); !timing)
            return where + timing.error().text();
    }
    if (inputs.empty())
        inputs = inputsOf(kernel, seed);
    const auto outputs = runPimCode(
        *code, kernel, inputs, [&](const PimCode& c) { return backend.makeChannel(c, target); }, 1);
    if (!outputs)
        return where + outputs.error().text();
    const auto expected = reference(kernel, inputs, false), magnitudes = reference(kernel, inputs, true);
    const auto out = std::size_t(outputOf(kernel));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double allowed = kernel.body == BodyKind::Attention ? 0.01 : magnitudes[i] * 0x1p-9 + 1e-6;
        const double got = (*outputs)[out][i];
        if (!(std::abs(got - expected[i]) <= allowed))
            return where + fmt::format("element {} is {}, should be {}\n", i, got, expected[i]) +
                   programText(code->program);
    }
    return {};
}

/// Tries drafts of the kernel, at most \p most of those kept, evenly spread.
void checkDrafts(const Kernel& kernel, const Target& target, int coresPerGroup, std::size_t most,
                 const CodePasses& passes = {}) {
    const AttAccBackend backend(nullptr);
    auto space = TilingSpace::create(kernel, resourcesOf(target, coresPerGroup));
    QVERIFY2(space.has_value(), kernel.text().c_str());
    TilingOptions options;
    options.rule2 = false;
    const auto drafts = keptDrafts(**space, options, nullptr);
    QVERIFY(drafts.has_value() && !drafts->empty());
    const std::size_t step = std::max<std::size_t>(1, drafts->size() / most);
    for (std::size_t i = 0; i < drafts->size(); i += step) {
        const std::string problem = wrong(backend, target, **space, (*drafts)[i], unsigned(i), passes);
        QVERIFY2(problem.empty(), problem.c_str());
    }
}

Kernel gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
    return kernelOf(
        fmt::format("def matmul(X[{0}][{2}]: f16, W[{2}][{1}]: f16):\n Y = DCC.Tensor.zero([{0}, {1}], f16)\n"
                    " for m in range({0}):\n  for n in range({1}):\n   for k in range({2}):\n"
                    "    Y[m][n] += X[m][k] * W[k][n]\n",
                    m, n, k));
}

Kernel groupedAttention(std::int64_t heads, std::int64_t rows, std::int64_t keys, std::int64_t features) {
    return kernelOf(fmt::format(
        "def attention(Q[{0}][{1}][{3}]: f16, K[{0}][{2}][{3}]: cache f16, V[{0}][{2}][{3}]: cache f16):\n"
        " O = DCC.Tensor.zero([{0}, {1}, {3}], f16)\n"
        " for h in range({0}):\n  for m in range({1}):\n   for l in range({2}):\n    for d in range({3}):\n"
        "     O[h][m][d] += softmax(Q[h][m][d] * K[h][l][d]) * V[h][l][d]\n",
        heads, rows, keys, features));
}

/// Where the WR commands of load and input put every element, by tensor and element.
std::map<std::pair<int, std::int64_t>, std::vector<PimPlace>> written(const PimCode& code) {
    std::map<std::pair<int, std::int64_t>, std::vector<PimPlace>> places;
    for (const Phase& phase : code.program.phases) {
        const auto flat = flatten(code.program, phase);
        if (!flat)
            qFatal("%s", flat.error().text().c_str());
        walkFlat(*flat, [&](const FlatNode& node, std::span<const std::int64_t> o) {
            if (code.program.opcodes[std::size_t(node.opcode)].name != "WR")
                return true;
            std::array<std::int64_t, kPimLanes> lanes{};
            for (int group = 0; group < code.groups; ++group) {
                code.operands->elements(int(o[3]), group, o[4], lanes);
                for (int lane = 0; lane < kPimLanes; ++lane)
                    if (lanes[std::size_t(lane)] >= 0)
                        places[{int(o[3]), lanes[std::size_t(lane)]}].push_back(
                            {group, int(o[0]), o[1], int(o[2]), lane});
            }
            return true;
        });
    }
    for (auto& [element, list] : places)
        std::sort(list.begin(), list.end());
    return places;
}

/// A kernel and a machine of sizes nobody would choose.
struct Oddity {
    Kernel kernel;
    Target target;
    int cores = 1;
};
Oddity oddity(std::mt19937& random) {
    const auto upTo = [&](int n) { return 1 + int(random() % unsigned(n)); };
    static constexpr int kBuffers[] = {1, 2, 3, 5, 8, 64}, kCores[] = {1, 2, 3, 4, 6, 8, 12, 16, 64};
    const int buffer = kBuffers[random() % 6];
    const int room = random() % 3 == 0 ? 64 + upTo(100) : 8192;
    Oddity odd{{}, smallTarget(upTo(4), room, buffer), kCores[random() % 9]};
    switch (random() % 6) {
    case 0:
        odd.kernel = gemv(upTo(200), upTo(400), upTo(20));
        break;
    case 1:
        odd.kernel = gemm(upTo(20), upTo(50), upTo(100));
        break;
    case 2:
        odd.kernel = batchedMatmul("f16", upTo(6), upTo(6), upTo(20), upTo(80));
        break;
    case 3:
        odd.kernel = directConvolution("f16", upTo(5), upTo(6), 3 + upTo(5), upTo(3), upTo(2), upTo(2) - 1);
        break;
    case 4:
        odd.kernel = rowSums("f16", upTo(60), upTo(800));
        break;
    default:
        odd.kernel = random() % 2 ? attention(upTo(7), upTo(90), upTo(40))
                                  : groupedAttention(upTo(4), upTo(5), upTo(60), upTo(40));
    }
    return odd;
}

class TestBackendsAttAcc : public QObject {
    Q_OBJECT
private slots:
    void products_data() {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        const auto row = [](int m, int n, int k) { QTest::addRow("%dx%dx%d", m, n, k) << m << n << k; };
        row(1, 1, 1);
        row(1, 64, 64);
        row(1, 37, 101);
        row(3, 16, 16);
        row(5, 17, 33);
        row(7, 70, 48);
        row(2, 300, 40);
        row(33, 5, 7);
        row(1, 40, 1300); // longer than the buffer
        row(2, 9, 2100);
    }
    void products() {
        QFETCH(int, m);
        QFETCH(int, n);
        QFETCH(int, k);
        const Target target = smallTarget(3);
        checkDrafts(m == 1 ? gemv(n, k) : gemm(m, n, k), target, 8, 12);
        checkDrafts(gemv(n, k, m), target, 64, 12);
    }
    void longVectors() { // both ways to cut them, many rows of the bank
        checkDrafts(gemv(700, 300), smallTarget(1, 0, 4), 1, 2);
        checkDrafts(gemv(40, 2000), smallTarget(1, 0, 4), 2, 4);
        checkDrafts(gemv(5, 2000), smallTarget(2, 0, 4), 3, 8);
        checkDrafts(gemm(3, 90, 400), smallTarget(2, 0, 4), 3, 8);
    }
    void smallSoftmaxBuffer() { // results leave before the end
        checkDrafts(gemv(700, 30), smallTarget(1, 16), 4, 8);
        checkDrafts(gemv(300, 30, 20), smallTarget(1, 16), 4, 8);
        checkDrafts(gemv(50, 700, 3), smallTarget(2, 8, 8), 4, 8);
    }
    void batchedProducts() {
        checkDrafts(batchedMatmul("f16", 5, 3, 17, 20), smallTarget(3), 8, 20);
        checkDrafts(batchedMatmul("f16", 4, 1, 40, 64), smallTarget(2), 16, 20);
    }
    void convolutions() {
        checkDrafts(directConvolution("f16", 3, 5, 7, 3, 1, 1), smallTarget(2), 8, 16);
        checkDrafts(directConvolution("f16", 2, 3, 9, 3, 2, 1), smallTarget(2), 8, 16);
        checkDrafts(directConvolution("f16", 17, 4, 5, 1, 1, 0), smallTarget(2), 8, 16);
    }
    void sums() {
        checkDrafts(rowSums("f16", 1, 1000), smallTarget(2), 8, 12);
        checkDrafts(rowSums("f16", 37, 50), smallTarget(2), 8, 12);
        checkDrafts(rowSums("f16", 3, 3000), smallTarget(1, 0, 4), 2, 12);
    }
    void attentions_data() {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("features");
        const auto row = [](int h, int m, int l, int d) {
            QTest::addRow("%d heads, %d rows, %d keys, %d features", h, m, l, d) << h << m << l << d;
        };
        row(1, 1, 1, 1);
        row(1, 1, 40, 16);
        row(2, 1, 128, 64);
        row(5, 1, 37, 20);
        row(3, 4, 50, 32);
        row(1, 7, 33, 17);
    }
    void attentions() {
        QFETCH(int, heads);
        QFETCH(int, rows);
        QFETCH(int, keys);
        QFETCH(int, features);
        const Kernel kernel =
            rows == 1 ? attention(heads, keys, features) : groupedAttention(heads, rows, keys, features);
        checkDrafts(kernel, smallTarget(1), 16, 12);
        checkDrafts(kernel, smallTarget(3), 8, 24); // keys and features over groups as well
        checkDrafts(kernel, smallTarget(1, 0, 2), 4, 6);
    }
    /// 37 keys over three channels: the last has fewer than the others and cores without any. Beside scores
    /// far below zero, those of padding would count for everything if they were not masked.
    void paddingHasNoPartOfASoftmax_data() {
        QTest::addColumn<float>("query");
        QTest::newRow("scores about -100") << -6.25F;
        QTest::newRow("scores about 100") << 6.25F;
    }
    void paddingHasNoPartOfASoftmax() {
        QFETCH(float, query);
        const Kernel kernel = attention(2, 37, 16);
        const Target target = smallTarget(3);
        const AttAccBackend backend(nullptr);
        auto space = TilingSpace::create(kernel, resourcesOf(target, 16));
        std::vector<std::vector<float>> inputs = inputsOf(kernel, 3);
        for (float& value : inputs[0])
            value = query;
        for (float& value : inputs[1])
            value = halfToFloat(floatToHalf(1 + value / 64));
        for (const char* text : {"[[1, 1, O0=h], [1, 1, O1=d], [3, 4, K1=l]] expanded",
                                 "[[1, 2, O0=h], [1, 4, O1=d], [3, 2, K1=l]] expanded",
                                 "[[1, 1, O0=h], [1, 1, O1=d], [3, 1, K1=l]] expanded"}) {
            const auto draft = (*space)->draftFromText(text);
            QVERIFY(draft.has_value());
            for (const CodePasses& passes : {CodePasses{}, CodePasses{{"overlap"}}}) {
                const std::string problem = wrong(backend, target, **space, *draft, 0, passes, inputs);
                QVERIFY2(problem.empty(), problem.c_str());
            }
        }
    }

    /// Keys in five channels: the softmax of each over its own keys, against scores that go to the host and
    /// back.
    void partsOfASoftmaxNeedNoWayBack() {
        const Target target = *targetOf("attacc");
        const AttAccBackend backend(nullptr);
        const Kernel kernel = attention(64, 512, 128);
        auto space = TilingSpace::create(kernel, resourcesOf(target, 64));
        const auto draft = (*space)->draftFromText("[[16, 4, O0=h], [1, 8, O1=d], [5, 2, K1=l]] expanded");
        QVERIFY(draft.has_value());
        const auto ticksOf = [&](const CodePasses& passes, bool back) {
            const auto code = backend.generate(**space, *draft, target, residencyOf(kernel), passes);
            const bool hasWayBack = std::any_of(code->program.phases.begin(), code->program.phases.end(),
                                                [](const Phase& phase) { return phase.name == "scores"; });
            if (hasWayBack != back || code->scratchElements != 64 * 512)
                return DramTick(-1);
            return timeProgram(deviceOf(target).value(), code->program, {}).value().ticks;
        };
        const DramTick apart = ticksOf({}, false), together = ticksOf({{"partial-softmax"}}, true);
        QVERIFY2(apart > 0 && apart < together,
                 fmt::format("{} ticks, {} through the host", apart, together).c_str());
    }

    void oddSizes() {
        std::mt19937 random(20);
        const AttAccBackend backend(nullptr);
        int refused = 0;
        constexpr int kRounds = 150;
        for (int round = 0; round < kRounds; ++round) {
            const Oddity odd = oddity(random);
            auto space = TilingSpace::create(odd.kernel, resourcesOf(odd.target, odd.cores));
            QVERIFY2(space.has_value(), odd.kernel.text().c_str());
            TilingOptions options;
            options.rule2 = options.rule3 = false;
            options.everyAllocation = false;
            options.walkLimit = 3000;
            const auto drafts = keptDrafts(**space, options, nullptr);
            QVERIFY(drafts.has_value() && !drafts->empty());
            const Draft& draft = (*drafts)[random() % drafts->size()];
            const auto code = backend.generate(**space, draft, odd.target, residencyOf(odd.kernel));
            if (!code && code.error().code == ErrorCode::Unsupported) {
                ++refused;
                continue;
            }
            const std::string problem = wrong(backend, odd.target, **space, draft, unsigned(round));
            QVERIFY2(problem.empty(), problem.c_str());
        }
        QVERIFY2(refused < kRounds / 8, "some heads have more scores than a small softmax buffer holds");
    }

    void elementsLieWhereTheyAreWritten() {
        const AttAccBackend backend(nullptr);
        std::mt19937 random(5);
        for (int round = 0; round < 40; ++round) {
            const Oddity odd = oddity(random);
            auto space = TilingSpace::create(odd.kernel, resourcesOf(odd.target, odd.cores));
            QVERIFY2(space.has_value(), odd.kernel.text().c_str());
            TilingOptions options;
            options.rule2 = false;
            options.everyAllocation = false;
            options.walkLimit = 1000;
            const auto drafts = keptDrafts(**space, options, nullptr);
            QVERIFY(drafts.has_value() && !drafts->empty());
            const Draft& draft = (*drafts)[random() % drafts->size()];
            const auto code = backend.generate(**space, draft, odd.target, residencyOf(odd.kernel));
            if (!code)
                continue;
            const auto places = written(*code);
            std::int64_t inBanks = 0;
            for (std::size_t t = 0; t < odd.kernel.tensors.size(); ++t)
                for (std::int64_t e = 0; e < *elementCount(odd.kernel.tensors[t].shape); ++e) {
                    const auto expected = places.find({int(t), e});
                    const std::vector<PimPlace> said = code->operands->places(int(t), e);
                    inBanks += std::ssize(said);
                    if (said != (expected == places.end() ? std::vector<PimPlace>{} : expected->second))
                        QFAIL(fmt::format("{} {}: element {} of tensor {}", odd.kernel.text(),
                                          (*space)->draftText(draft), e, t)
                                  .c_str());
                }
            QVERIFY(inBanks > 0);
        }
    }

    /// Each pass left out, and all of them: other commands, the same results.
    void passesChangeNoResult() {
        const AttAccBackend backend(nullptr);
        for (const CodePasses& passes : passesOneByOne(backend)) {
            if (passes.leftOut.empty())
                continue;
            const Target target = smallTarget(2);
            for (const Kernel& kernel :
                 {gemm(3, 100, 70), gemv(40, 1100), gemv(300, 33, 3), batchedMatmul("f16", 3, 2, 20, 40),
                  rowSums("f16", 20, 300), attention(6, 70, 20), groupedAttention(2, 3, 40, 16)})
                checkDrafts(kernel, target, 8, 4, passes);
        }
    }

    void singleBanksHaveNoCommands() {
        const AttAccBackend backend(nullptr);
        const Kernel kernel = gemv(16, 32);
        const Target target = smallTarget(1);
        auto space = TilingSpace::create(kernel, resourcesOf(target, 1));
        const auto code = backend.generate(**space, {{{1, 1, 0}, {1, 1, 0}}}, target, residencyOf(kernel),
                                           {{"group-commands"}});
        QVERIFY(!code && code.error().code == ErrorCode::Unsupported);
    }

    void aRowTakesWhatItsCommandsSay() {
        // 16 vectors of two bursts: one row of 32 MACABs. [AttAcc simulator c600051: 232 cycles per row]
        Target target = smallTarget(1);
        target.parameters["policy.allBankFaw"].value = 0;
        const AttAccBackend backend(nullptr);
        const Kernel kernel = gemv(16, 32);
        auto space = TilingSpace::create(kernel, resourcesOf(target, 1));
        const Draft draft{{{1, 1, 0}, {1, 1, 0}}};
        const auto code = backend.generate(**space, draft, target, residencyOf(kernel));
        QVERIFY(code.has_value());
        struct Recorder final : ISequenceObserver {
            std::vector<SequencedCommand> commands;
            bool onCommand(const SequencedCommand& command) override {
                commands.push_back(command);
                return true;
            }
        } recorder;
        const auto ticks = [&](const Target& t, const char* from, const char* to) {
            const DramDevice device = deviceOf(t).value();
            recorder.commands.clear();
            if (!timeProgram(device, code->program, {}, {}, &recorder))
                return DramTick(-1);
            DramTick begin = -1, end = -1;
            for (const SequencedCommand& c : recorder.commands) {
                const std::string& name = device.commands[std::size_t(c.command)].name;
                if (begin < 0 && name == from)
                    begin = c.tick;
                if (name == to)
                    end = c.tick;
            }
            return end - begin;
        };
        const DramTick opening = 19, macs = 31 * 6, closing = 8;
        QCOMPARE(ticks(target, "ACTAB", "PREA"), opening + macs + closing);
        QCOMPARE(ticks(target, "PREA", "MVSB"), DramTick(21 - 8)); // results take as long as a read
        target.parameters["policy.powerLimit"].value = 0;
        QCOMPARE(ticks(target, "ACTAB", "PREA"), opening + 31 * 4 + closing);
        target.parameters["policy.powerLimit"].value = 1;
        target.parameters["policy.allBankFaw"].value = 1;
        QCOMPARE(ticks(target, "ACTAB", "PREA"), opening + 3 * 39 + macs + closing);
    }

    void attentionStaysNearTheAttAccSimulator_data() {
        QTest::addColumn<int>("keys");
        QTest::addColumn<bool>("limited");
        QTest::addColumn<int>("cycles");
        // AttAcc simulator c600051, one head of 128 features a channel
        QTest::newRow("1024 keys") << 1024 << true << 1890;
        QTest::newRow("2048 keys") << 2048 << true << 3810;
        QTest::newRow("1024 keys, no limit") << 1024 << false << 1394;
        QTest::newRow("2048 keys, no limit") << 2048 << false << 2818;
    }
    void attentionStaysNearTheAttAccSimulator() {
        QFETCH(int, keys);
        QFETCH(bool, limited);
        QFETCH(int, cycles);
        Target target = *targetOf("attacc");
        target.parameters["policy.allBankFaw"].value = 0;
        target.parameters["policy.powerLimit"].value = limited;
        const AttAccBackend backend(nullptr);
        const Kernel kernel = attention(80, keys, 128);
        auto space = TilingSpace::create(kernel, resourcesOf(target, 64));
        const auto draft = (*space)->draftFromText("[[80, 1, O0=h], [1, 4, O1=d], [1, 16, K1=l]] expanded");
        QVERIFY(draft.has_value());
        const auto code = backend.generate(**space, *draft, target, residencyOf(kernel));
        QVERIFY(code.has_value());
        const auto timing = timeProgram(deviceOf(target).value(), code->program, {}, {"compute"});
        QVERIFY(timing.has_value());
        // Softmax takes time here, and nothing is used before it has arrived.
        QVERIFY2(timing->ticks > cycles && double(timing->ticks) < cycles * 1.1,
                 fmt::format("{} ticks", timing->ticks).c_str());
    }

    /// Best, middling and bad drafts, with refresh and without, with the commands of neighbours overlapped
    /// and one after the other: the price is the time of the code.
    void pricesAreTimesOfTheCode_data() {
        QTest::addColumn<int>("refresh");
        QTest::addColumn<int>("window"); // of four activations, charged
        QTest::addColumn<QString>("off");
        QTest::addColumn<double>("mean");  // of the errors,
        QTest::addColumn<double>("worst"); // and the largest, a refresh that is due at the end apart
        QTest::addRow("commands") << 0 << 1 << "" << 0.01 << 0.12;
        QTest::addRow("refresh") << 1 << 1 << "" << 0.015 << 0.12;
        QTest::addRow("no window") << 0 << 0 << "" << 0.01 << 0.12;
        QTest::addRow("no broadcast") << 0 << 1 << "broadcast" << 0.02 << 0.12;
        QTest::addRow("no overlap") << 0 << 1 << "overlap" << 0.03 << 0.25;
        QTest::addRow("no partial softmax") << 0 << 1 << "partial-softmax" << 0.01 << 0.12;
    }
    void pricesAreTimesOfTheCode() {
        QFETCH(int, refresh);
        QFETCH(int, window);
        QFETCH(QString, off);
        QFETCH(double, mean);
        QFETCH(double, worst);
        auto target = std::make_shared<Target>(*targetOf("attacc"));
        target->parameters.at("policy.refresh").value = refresh;
        target->parameters.at("policy.allBankFaw").value = window;
        CompileOptions options;
        if (!off.isEmpty())
            options.passes.leftOut = {off.toStdString()};
        const AttAccBackend backend(nullptr);
        const double refreshNs = refresh * target->timeNs("timing.nRFC").value();
        double errors = 0;
        int drafts = 0;
        for (const Kernel& kernel :
             {gemv(1024, 1024), gemv(1000, 3000, 2), gemm(64, 96, 128), gemm(300, 40, 2000),
              batchedMatmul("f16", 6, 8, 64, 128), rowSums("f16", 100, 5000), rowSums("f16", 3, 700),
              attention(16, 192, 128), attention(100, 1000, 64), groupedAttention(12, 5, 300, 128)}) {
            const DraftStudy study = backend.study(kernel, target, options).value();
            const auto kept = keptDrafts(*study.space, {.everyAllocation = false}, nullptr).value();
            for (std::size_t i = 0; i < kept.size(); i += 1 + kept.size() / 8) {
                const auto time = study.measurer->measure(*study.space, kept[i], study.residency, {});
                if (!time) // too many keys for the softmax buffer
                    continue;
                const double ns = time->totalNs();
                const double price = study.pricer->price(kept[i], study.space->summarize(kept[i])).totalNs();
                QVERIFY2(std::abs(price - ns) <= worst * ns + refreshNs,
                         fmt::format("{} ns, priced {}: {} {}", ns, price, kernel.text(),
                                     study.space->draftText(kept[i]))
                             .c_str());
                errors += std::max(0.0, std::abs(price - ns) - refreshNs) / ns;
                ++drafts;
            }
        }
        QVERIFY(drafts > 50);
        QVERIFY2(errors <= mean * drafts, fmt::format("{} over {} drafts", errors / drafts, drafts).c_str());
    }

    void programsAreShort() { // however much work there is
        const Target target = *targetOf("attacc");
        const AttAccBackend backend(nullptr);
        for (const Kernel& kernel : {gemv(4096, 4096), gemv(5120, 20480, 300), gemm(777, 1001, 1333),
                                     rowSums("f16", 1000, 100'000), groupedAttention(40, 64, 2048, 128)}) {
            auto space = TilingSpace::create(kernel, resourcesOf(target, 64));
            for (const DraftPart part : {DraftPart{1, 1, 0}, DraftPart{4, 16, 0}}) {
                Draft draft;
                draft.parts.assign((*space)->sets().size(), {1, 1, 0});
                draft.parts.front() = part;
                const auto code = backend.generate(**space, draft, target, residencyOf(kernel));
                QVERIFY2(code.has_value() || code.error().code == ErrorCode::Unsupported,
                         code ? "" : code.error().text().c_str());
                if (code)
                    QVERIFY2(programText(code->program).size() < 100'000, kernel.text().c_str());
            }
        }
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestBackendsAttAcc)
#include "tst_backends_attacc.moc"
