// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kernels computed loop by loop; code run on a channel of four commands; half-length floats.
#include <QTest>

#include <string>

#include "core/base/bfloat16.h"
#include "core/base/half_float.h"
#include "core/dram_pim/kernel_reference.h"
#include "core/dram_pim/run.h"
#include "core/dram_pim/weighed_operands.h"
#include "core/kernel/parse.h"

#include <atomic>
#include <cmath>
#include <random>

using namespace pim;

namespace {

AffineExpr along(std::initializer_list<AffineTerm> terms, std::int64_t constant = 0) {
    return {terms, constant};
}

/// C[n] += A[n][k] * B[k]
Kernel gemv(std::int64_t n, std::int64_t k) {
    Kernel kernel;
    kernel.name = "gemv";
    kernel.loops = {{"n", n}, {"k", k}};
    kernel.tensors = {{"A", {n, k}}, {"B", {k}}, {"C", {n}, DataType::F16, TensorRole::Output}};
    kernel.accesses = {{0, {along({{0, 1}}), along({{1, 1}})}, false, true},
                       {1, {along({{1, 1}})}, false, true},
                       {2, {along({{0, 1}})}, true}};
    return kernel;
}

Kernel reduction(std::string function, std::int64_t n) {
    Kernel kernel;
    kernel.name = "reduce";
    kernel.loops = {{"i", n}};
    kernel.tensors = {{"X", {n}}, {"Y", {1}, DataType::F16, TensorRole::Output}};
    kernel.accesses = {{0, {along({{0, 1}})}}, {1, {along({})}, true}};
    kernel.body = BodyKind::Reduce;
    kernel.function = std::move(function);
    return kernel;
}

/// LOAD a vector into the register, MUL it with another, SEND it. Each group has 16 elements of A's row 0 and
/// of B; the lanes are partial results of element 0.
class Slices final : public PimOperands {
public:
    explicit Slices(std::int64_t length) : m_length(length) {}
    void elements(int tensor, int group, std::int64_t burst,
                  std::span<std::int64_t, kPimLanes> lanes) const override {
        for (int lane = 0; lane < kPimLanes; ++lane) {
            const std::int64_t at = (std::int64_t(group) * 2 + burst) * kPimLanes + lane;
            lanes[std::size_t(lane)] = at >= m_length ? -1 : tensor == 2 ? 0 : at;
        }
    }
    std::vector<PimPlace> places(int, std::int64_t) const override { return {}; }

private:
    std::int64_t m_length;
};

enum : int { Load, Mul, Send, Bad };

class Lanes final : public PimChannel {
public:
    Result<void> run(int opcode, std::span<const std::int64_t> operands, PimPort& port) override {
        if (opcode == Bad)
            return fail(ErrorCode::InvalidFile, "no such slot");
        if (opcode == Send) {
            port.write(operands[0], operands[1], m_word);
            return {};
        }
        const PimWord word = port.read(operands[0], operands[1]);
        for (std::size_t i = 0; i < kPimLanes; ++i)
            m_word[i] = opcode == Load ? word[i] : halfMul(m_word[i], word[i]);
        return {};
    }

private:
    PimWord m_word{};
};

ProgramItem command(int opcode, std::int64_t tensor, std::int64_t burst,
                    std::vector<std::vector<std::int64_t>> strides = {}) {
    ProgramItem item;
    item.command = {std::uint16_t(opcode), {tensor, burst}};
    item.strides = std::move(strides);
    return item;
}

/// Two bursts a group.
PimCode dotCode(std::int64_t length) {
    PimCode code;
    code.program.op = "dot";
    for (const char* name : {"LOAD", "MUL", "SEND", "BAD"})
        code.program.opcodes.push_back({name, {"tensor", "burst"}, {}});
    ProgramItem loop;
    loop.repeat = 2;
    loop.body = {command(Load, 0, 0, {{0, 1}}), command(Mul, 1, 0, {{0, 1}}), command(Send, 2, 0, {{0, 1}})};
    code.program.phases = {{"compute", {{"groups 0-2", {loop}}}}};
    code.operands = std::make_shared<Slices>(length);
    code.groups = int((length + 31) / 32);
    return code;
}

const PimChannelMaker kLanes = [](const PimCode&) { return std::make_unique<Lanes>(); };

std::vector<std::vector<float>> randomTensors(const Kernel& kernel, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<std::vector<float>> tensors;
    for (const KernelTensor& tensor : kernel.tensors) {
        tensors.emplace_back(std::size_t(*elementCount(tensor.shape)));
        for (float& value : tensors.back())
            value = values(random);
    }
    return tensors;
}

std::vector<std::vector<double>> doubles(const std::vector<std::vector<float>>& tensors) {
    std::vector<std::vector<double>> result;
    for (const std::vector<float>& tensor : tensors)
        result.emplace_back(tensor.begin(), tensor.end());
    return result;
}

bool says(const Error& error, const char* what) {
    return QByteArray::fromStdString(error.text()).contains(what);
}

} // namespace

class TestDramPimRun : public QObject {
    Q_OBJECT
private slots:
    void bfloatRoundsToNearestEven() {
        QCOMPARE(floatToBfloat(1.0F), 0x3f80);
        QCOMPARE(floatToBfloat(std::bit_cast<float>(0x3f808000U)), 0x3f80); // tie, even below
        QCOMPARE(floatToBfloat(std::bit_cast<float>(0x3f818000U)), 0x3f82); // tie, even above
        QCOMPARE(floatToBfloat(std::bit_cast<float>(0x3f808001U)), 0x3f81);
        QCOMPARE(floatToBfloat(std::numeric_limits<float>::max()), 0x7f80); // to infinity
        QVERIFY(std::isnan(bfloatToFloat(floatToBfloat(std::bit_cast<float>(0x7f800001U)))));
        for (unsigned bits = 0; bits < 0x10000; ++bits)
            if (const float value = bfloatToFloat(BfloatBits(bits)); !std::isnan(value))
                QCOMPARE(floatToBfloat(value), BfloatBits(bits));
    }

    void referenceMultipliesMatrixAndVector() {
        const auto seen = runKernel(gemv(2, 3), {{1, 2, 3, 4, 5, 6}, {1, 0.5, -1}, {9, 9}});
        QVERIFY(seen);
        QCOMPARE((*seen)[2], (std::vector<double>{-1, 0.5}));
    }

    void referenceReadsPaddingAsZero() {
        Kernel kernel = gemv(3, 2); // C[n] += A[n + k - 1] * B[k]
        kernel.tensors[0].shape = {3};
        kernel.accesses[0].index = {along({{0, 1}, {1, 1}}, -1)};
        const auto seen = runKernel(kernel, {{1, 2, 3}, {10, 1}, {}});
        QVERIFY(seen);
        QCOMPARE((*seen)[2], (std::vector<double>{1, 12, 23}));
    }

    void referenceLooksUp() {
        const auto kernel =
            parseKernel("def g(T[2][3][2]: f16, I[2]: i64, Y[2][2][2]: f16):\n for b in range(2):\n"
                        "  for l in range(2):\n   for d in range(2):\n"
                        "    Y[b][l][d] = T[b][I[l]][d]\n");
        QVERIFY2(kernel, kernel ? "" : kernel.error().text().c_str());
        const std::vector<double> table{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121};
        const auto seen = runKernel(*kernel, {table, {2, -3}, {0, 0, 0, 0, 0, 0, 0, 0}});
        QVERIFY2(seen, seen ? "" : seen.error().text().c_str());
        QCOMPARE((*seen)[2],
                 (std::vector<double>{20, 21, 0, 1, 120, 121, 100, 101})); // -3: the third from the end
        for (const double wrong : {3.0, -4.0, 0.5}) {
            const auto refused = runKernel(*kernel, {table, {0, wrong}, {0, 0, 0, 0, 0, 0, 0, 0}});
            QVERIFY(!refused && refused.error().code == ErrorCode::Usage);
            QVERIFY2(refused.error().message.find("element 1 of I") != std::string::npos,
                     refused.error().message.c_str());
        }
    }

    void referenceMultipliesWhatIsLookedUp() {
        const auto kernel =
            parseKernel("def g(T[3][2]: f16, I[4]: i32, X[2]: f16):\n y = DCC.Tensor.zero([4], f32)\n"
                        " for l in range(4):\n  for d in range(2):\n"
                        "   y[l] += T[I[l]][d] * X[d]\n return y\n");
        QVERIFY2(kernel, kernel ? "" : kernel.error().text().c_str());
        const auto seen = runKernel(*kernel, {{1, 2, 3, 4, 5, 6}, {2, 0, 0, 1}, {1, 10}, {}});
        QVERIFY2(seen, seen ? "" : seen.error().text().c_str());
        QCOMPARE(seen->back(), (std::vector<double>{65, 21, 21, 43}));
    }

    /// An index beside the tensor of indices is padding, and so is what it would look up.
    void referenceReadsPaddingOfIndicesAsZero() {
        const auto kernel = parseKernel("def g(T[3]: f16, I[2]: i32, Y[3]: f16):\n for l in range(3):\n"
                                        "  Y[l] = T[I[l-1]]\n");
        QVERIFY2(kernel, kernel ? "" : kernel.error().text().c_str());
        const auto seen = runKernel(*kernel, {{7, 8, 9}, {2, 0}, {1, 1, 1}});
        QCOMPARE((*seen)[2], (std::vector<double>{0, 9, 7}));
    }

    void referenceReduces() {
        QCOMPARE((*runKernel(reduction("add", 3), {{1, 2, -7}, {}}))[1][0], -4.0);
        QCOMPARE((*runKernel(reduction("max", 3), {{-1, -2, -7}, {}}))[1][0], -1.0);
        QCOMPARE((*runKernel(reduction("min", 3), {{1, 2, 7}, {}}))[1][0], 1.0);
    }

    void referenceAttends() {
        Kernel kernel; // one head, one query, two keys of one feature
        kernel.name = "attention";
        kernel.loops = {{"h", 1}, {"m", 1}, {"l", 2}, {"d", 1}};
        kernel.tensors = {{"Q", {1, 1, 1}},
                          {"K", {1, 2, 1}},
                          {"V", {1, 2, 1}},
                          {"O", {1, 1, 1}, DataType::F16, TensorRole::Output}};
        const AffineExpr h = along({{0, 1}}), m = along({{1, 1}}), l = along({{2, 1}}), d = along({{3, 1}});
        kernel.accesses = {{0, {h, m, d}}, {1, {h, l, d}}, {2, {h, l, d}}, {3, {h, m, d}, true}};
        kernel.body = BodyKind::Attention;
        const auto seen = runKernel(kernel, {{2}, {1, 3}, {10, 20}, {}});
        QVERIFY(seen);
        const double share = 1 / (1 + std::exp(-4.0)); // of the second key: scores 2 and 6
        QVERIFY(std::abs((*seen)[3][0] - (10 * (1 - share) + 20 * share)) < 1e-12);
    }

    void referenceRefuses() {
        QVERIFY(says(runKernel(gemv(2, 3), {{1}, {1}, {}}).error(), "tensor A has 6"));
        QVERIFY(says(runKernel(gemv(2, 3), {}).error(), "0 tensors given"));
        QCOMPARE(runKernel(reduction("hypot", 2), {{1, 2}, {}}).error().code, ErrorCode::Unsupported);
    }

    void codeComputesWhatTheKernelSays_data() {
        QTest::addColumn<int>("length");
        for (const int length : {1, 16, 17, 32, 33, 95, 96, 97, 1000})
            QTest::addRow("%d", length) << length;
    }
    void codeComputesWhatTheKernelSays() {
        QFETCH(int, length);
        const Kernel kernel = gemv(1, length);
        const auto tensors = randomTensors(kernel, unsigned(length));
        const auto seen = runPimCode(dotCode(length), kernel, tensors, kLanes);
        if (!seen)
            QFAIL(seen.error().text().c_str());
        QCOMPARE((*seen)[0], tensors[0]);
        const double expected = (*runKernel(kernel, doubles(tensors)))[2][0];
        QVERIFY(std::abs((*seen)[2][0] - expected) < 1e-3 * length + 2e-3 * std::abs(expected));
    }

    void sameWhateverTheThreads() {
        const Kernel kernel = gemv(1, 2000);
        const auto tensors = randomTensors(kernel, 5);
        const auto one = runPimCode(dotCode(2000), kernel, tensors, kLanes, 1);
        for (int i = 0; i < 20; ++i)
            QCOMPARE((*runPimCode(dotCode(2000), kernel, tensors, kLanes, 4))[2], (*one)[2]);
    }

    void mergesInTheOrderOfGroups() {
        // 2048 + 2^-13 - 2048 is 0 in float, in any other order of the three it is 2^-13.
        const Kernel kernel = gemv(1, 96);
        std::vector<std::vector<float>> tensors(3);
        tensors[0].assign(96, 0);
        tensors[1].assign(96, 1);
        tensors[0][0] = 2048;
        tensors[0][32] = 0.0001220703125F;
        tensors[0][64] = -2048;
        for (int i = 0; i < 20; ++i)
            QCOMPARE((*runPimCode(dotCode(96), kernel, tensors, kLanes, 3))[2][0], 0.0F);
        std::swap(tensors[0][32], tensors[0][64]);
        QCOMPARE((*runPimCode(dotCode(96), kernel, tensors, kLanes, 3))[2][0], 0.0001220703125F);
    }

    void reductionsTakeTheGreatest() {
        PimCode code = dotCode(40);
        code.program.phases[0].streams[0].items[0].body = {command(Load, 0, 0, {{0, 1}}),
                                                           command(Send, 1, 0, {{0, 1}})};
        class ToOne final : public PimOperands {
            void elements(int tensor, int group, std::int64_t burst,
                          std::span<std::int64_t, kPimLanes> lanes) const override {
                Slices(40).elements(tensor == 1 ? 2 : tensor, group, burst, lanes);
            }
            std::vector<PimPlace> places(int, std::int64_t) const override { return {}; }
        };
        code.operands = std::make_shared<ToOne>();
        const Kernel kernel = reduction("max", 40);
        const auto tensors = randomTensors(kernel, 3);
        std::vector<std::vector<float>> negative = tensors;
        for (float& value : negative[0])
            value = -1 - std::abs(value); // padding is zero and must not win
        const auto seen = runPimCode(code, kernel, negative, kLanes);
        QVERIFY(seen);
        QCOMPARE((*seen)[1][0],
                 halfToFloat(floatToHalf(*std::max_element(negative[0].begin(), negative[0].end()))));
    }

    void scratchComesBackMerged() {
        // Phase 1: all groups send partial sums as the scratch element; phase 2: group 0 reads the sum and
        // sends it.
        PimCode code = dotCode(96);
        code.scratchElements = 1;
        auto& first = code.program.phases[0].streams[0].items[0].body;
        first[2] = command(Send, 3, 0, {{0, 1}});
        code.program.phases.push_back(
            {"output", {{"groups 0-2", {command(Load, 3, -1), command(Send, 2, -1)}}}});
        class WithScratch final : public PimOperands {
            void elements(int tensor, int group, std::int64_t burst,
                          std::span<std::int64_t, kPimLanes> lanes) const override {
                Slices(96).elements(tensor == 3 ? 2 : tensor, group, burst, lanes);
                if (burst < 0) { // the whole sum, in lane 0 of group 0
                    std::fill(lanes.begin(), lanes.end(), -1);
                    lanes[0] = group == 0 ? 0 : -1;
                }
            }
            std::vector<PimPlace> places(int, std::int64_t) const override { return {}; }
        };
        code.operands = std::make_shared<WithScratch>();
        const Kernel kernel = gemv(1, 96);
        const auto tensors = randomTensors(kernel, 8);
        const auto direct = runPimCode(dotCode(96), kernel, tensors, kLanes);
        for (const int threads : {1, 3}) {
            const auto seen = runPimCode(code, kernel, tensors, kLanes, threads);
            if (!seen)
                QFAIL(seen.error().text().c_str());
            QCOMPARE((*seen)[2], (*direct)[2]);
        }
    }

    void resultsAreWeighedBeforeTheyAreAdded() {
        // Phase 1: group g sends a[g] to element g of the scratch tensor; phase 2: it sends a[g] as a part of
        // the result, which counts a[g] times the constant behind the scratch.
        PimCode code = dotCode(96);
        code.scratchElements = 3;
        code.program.phases = {{"compute", {{"groups 0-2", {command(Load, 0, 0), command(Send, 3, 0)}}}},
                               {"output", {{"groups 0-2", {command(Send, 2, 0)}}}}};
        class Weighed final : public WeighedOperands {
            void elements(int tensor, int group, std::int64_t,
                          std::span<std::int64_t, kPimLanes> lanes) const override {
                std::fill(lanes.begin(), lanes.end(), -1);
                lanes[0] = tensor == 2 ? 0 : group;
            }
            std::vector<PimPlace> places(int, std::int64_t) const override { return {}; }
            std::vector<float> weights(int, int group, std::span<const float> scratch) const override {
                return {scratch[std::size_t(group)] * scratch.back()};
            }
            std::vector<float> scratchConstants() const override { return {4}; }
            double hostAdditions() const override { return 3; }
        };
        code.operands = std::make_shared<Weighed>();
        const Kernel kernel = gemv(1, 96);
        std::vector<std::vector<float>> tensors(3);
        tensors[0].assign(96, 0);
        tensors[1].assign(96, 0);
        tensors[0] = {1, -2, 3};
        tensors[0].resize(96);
        for (const int threads : {1, 3}) {
            const auto seen = runPimCode(code, kernel, tensors, kLanes, threads);
            QVERIFY2(seen.has_value(), seen ? "" : seen.error().text().c_str());
            QCOMPARE((*seen)[2][0], 4.0F * (1 + 4 + 9));
        }
    }

    void saysWhatIsWrong() {
        const Kernel kernel = gemv(1, 64);
        const auto tensors = randomTensors(kernel, 1);
        const auto error = [&](const PimCode& code) {
            return runPimCode(code, kernel, tensors, kLanes, 2).error();
        };
        PimCode code = dotCode(64);
        auto& body = code.program.phases[0].streams[0].items[0].body;
        const auto good = body;

        body.push_back(command(Bad, 4, 0, {{0, 3}}));
        QVERIFY(says(error(code), "group 0, phase \"compute\", command 4 (BAD tensor=4 burst=0)"));
        body = {command(Load, 0, 0), command(Send, 2, 0)};
        QVERIFY(says(error(code), "sends burst 0 of tensor 2 twice"));
        body = {command(Load, 0, 0)};
        QVERIFY(says(error(code), "no result of element 0 of tensor C"));
        body = {command(Load, 2, 0)};
        QVERIFY(says(error(code), "which is an output"));
        body = {command(Load, 7, 0)};
        QVERIFY(says(error(code), "tensor 7 is named; there are 3"));
        body = {command(Load, -1, 0)};
        QVERIFY(says(error(code), "constant 0 is asked for; there are 0"));
        body = {command(Send, 0, 0)};
        QVERIFY(says(error(code), "which is no output"));
        body = good;
        code.groups = 3; // beyond what the operands know: all padding, no harm
        QVERIFY(runPimCode(code, kernel, tensors, kLanes));
        QVERIFY(says(runPimCode(code, kernel, {}, kLanes).error(), "0 tensors given, the kernel has 3"));
    }

    void stops() {
        std::stop_source source;
        source.request_stop();
        const Kernel kernel = gemv(1, 64);
        const auto seen =
            runPimCode(dotCode(64), kernel, randomTensors(kernel, 1), kLanes, 1, {source.get_token(), {}});
        QCOMPARE(seen.error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestDramPimRun)
#include "tst_core_dram_pim_run.moc"
