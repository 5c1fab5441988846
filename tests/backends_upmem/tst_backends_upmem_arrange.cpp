// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Data in the MRAM of DPUs: random kernels with random drafts give on the engine what plain loops over the kernel give, and as many
/// bytes cross the link as are charged.
#include "backends/upmem/arrange.h"
#include "backends/upmem/execute.h"
#include "core/kernel/parse.h"

#include <QTest>

#include <fmt/format.h>

#include <random>

using namespace pim;
using namespace pim::upmem;

namespace {

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

std::int64_t elementsOf(const Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

/// Loops over the kernel as it is written, one iteration after the other: knows nothing of tiles.
std::vector<std::int32_t> plain(const Kernel& kernel, const KernelNumbers& tensors, DataType mapType) {
    const TensorAccess* write = nullptr;
    std::vector<const TensorAccess*> reads;
    for (const TensorAccess& access : kernel.accesses)
        if (access.isWrite)
            write = &access;
        else if (kernel.tensors[std::size_t(access.tensor)].role == TensorRole::Input)
            reads.push_back(&access);
    std::vector<std::int64_t> at(kernel.loops.size(), 0);
    const auto offset = [&](const TensorAccess& access) {
        const Shape& shape = kernel.tensors[std::size_t(access.tensor)].shape;
        std::int64_t place = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            std::int64_t index = access.index[d].constant;
            for (const AffineTerm& term : access.index[d].terms)
                index += term.coefficient * at[std::size_t(term.loop)];
            if (index < 0 || index >= shape[d])
                return std::int64_t(-1);
            place = place * shape[d] + index;
        }
        return place;
    };
    const auto value = [&](const TensorAccess& access) {
        const std::int64_t place = offset(access);
        return place < 0 ? 0 : tensors[std::size_t(access.tensor)][std::size_t(place)];
    };
    const bool greatest = kernel.body == BodyKind::Reduce && kernel.function == "max";
    std::vector<std::int32_t> result(
        std::size_t(elementsOf(kernel.tensors[std::size_t(write->tensor)].shape)), greatest ? INT32_MIN : 0);
    for (std::int64_t i = 0; i < kernel.iterations(); ++i) {
        std::int32_t& to = result[std::size_t(offset(*write))];
        const std::int64_t a = value(*reads[0]), b = reads.size() > 1 ? value(*reads[1]) : 0;
        std::int64_t made = 0;
        if (kernel.body == BodyKind::Mac)
            made = std::int64_t(to) + a * b;
        else if (kernel.body == BodyKind::Reduce)
            made = greatest ? std::max<std::int64_t>(to, a) : to + a;
        else
            made = kernel.function == "add"    ? a + b
                   : kernel.function == "sub"  ? a - b
                   : kernel.function == "mul"  ? a * b
                   : kernel.function == "relu" ? std::max<std::int64_t>(a, 0)
                                               : std::max(a, b);
        to = std::int32_t(made);
        if (kernel.body == BodyKind::Elementwise && mapType == DataType::I8)
            to = std::int8_t(made);
        if (kernel.body == BodyKind::Elementwise && mapType == DataType::I16)
            to = std::int16_t(made);
        for (std::size_t loop = at.size(); loop-- > 0;) {
            if (++at[loop] < kernel.loops[loop].extent)
                break;
            at[loop] = 0;
        }
    }
    return result;
}

class Random {
public:
    explicit Random(unsigned seed) : m_engine(seed) {}
    std::int64_t upTo(std::int64_t most) { return 1 + std::int64_t(m_engine() % std::uint64_t(most)); }
    bool chance(unsigned oneIn) { return m_engine() % oneIn == 0; }
    std::int32_t number(std::int32_t most) {
        return std::int32_t(m_engine() % std::uint32_t(2 * most)) - most;
    }

private:
    std::mt19937 m_engine;
};

std::string product(Random& r, std::string_view type) {
    const auto b = r.chance(2) ? r.upTo(5) + 1 : 0, m = r.upTo(14), n = r.upTo(20),
               k = r.chance(12) ? 2500 + r.upTo(500) : r.upTo(120);
    const bool sharesW = r.chance(2), transposed = r.chance(2);
    const std::string w =
        fmt::format("W{}{}", b > 0 && !sharesW ? "[b]" : "", transposed ? "[n][k]" : "[k][n]");
    return fmt::format("def matmul(X{0}[{1}][{2}]: {3}, W{4}{5}: {3}):\n"
                       " Y = DCC.Tensor.zero([{6}{1}, {7}], {3})\n",
                       b > 0 ? fmt::format("[{}]", b) : "", m, k, type,
                       b > 0 && !sharesW ? fmt::format("[{}]", b) : "",
                       transposed ? fmt::format("[{}][{}]", n, k) : fmt::format("[{}][{}]", k, n),
                       b > 0 ? fmt::format("{}, ", b) : "", n) +
           (b > 0 ? fmt::format(" for b in range({}):\n", b) : "") +
           fmt::format(
               " {3}for m in range({0}):\n {3} for n in range({1}):\n {3}  for k in range({2}):\n {3}   "
               "Y{4}[m][n] += X{4}[m][k] * {5}\n",
               m, n, k, b > 0 ? " " : "", b > 0 ? "[b]" : "", w);
}

std::string convolution(Random& r, std::string_view type) {
    const auto g = r.upTo(3), o = r.upTo(5), c = r.upTo(4), size = 3 + r.upTo(6), taps = r.upTo(3),
               stride = r.upTo(3), dilation = r.upTo(2), pad = r.upTo(3) - 1;
    const std::int64_t out = (size + 2 * pad - dilation * (taps - 1) - 1) / stride + 1;
    if (out < 1)
        return {};
    return fmt::format("def conv(X[{g}][{c}][{s}][{s}]: {t}, W[{g}][{o}][{c}][{k}][{k}]: {t}):\n"
                       " Y = DCC.Tensor.zero([{g}, {o}, {y}, {y}], {t})\n"
                       " for g in range({g}):\n  for o in range({o}):\n   for h in range({y}):\n"
                       "    for w in range({y}):\n     for c in range({c}):\n      for r in range({k}):\n"
                       "       for s in range({k}):\n"
                       "        Y[g][o][h][w] += X[g][c][h*{st}+r*{d}-{p}][w*{st}+s*{d}-{p}] * "
                       "W[g][o][c][r][s]\n",
                       fmt::arg("g", g), fmt::arg("c", c), fmt::arg("s", size), fmt::arg("t", type),
                       fmt::arg("o", o), fmt::arg("k", taps), fmt::arg("y", out), fmt::arg("st", stride),
                       fmt::arg("d", dilation), fmt::arg("p", pad));
}

std::string sum(Random& r, std::string_view type) {
    const auto i = r.upTo(12), k = r.upTo(200), j = r.upTo(6);
    return fmt::format("def reduce(X[{0}][{1}][{2}]: {3}):\n Y = DCC.Tensor.zero([{0}, {2}], {3})\n"
                       " for i in range({0}):\n  for k in range({1}):\n   for j in range({2}):\n    {4}\n",
                       i, k, j, type,
                       r.chance(2) ? "Y[i][j] += X[i][k][j]" : "Y[i][j] = max(Y[i][j], X[i][k][j])");
}

std::string map(Random& r, std::string_view type) {
    const auto i = r.upTo(40), j = r.upTo(50);
    const std::int64_t which = r.upTo(6);
    if (which == 1)
        return fmt::format("def elementwise(X[{0}][{1}]: {2}, Y[{0}][{1}]: {2}):\n for i in range({0}):\n"
                           "  for j in range({1}):\n   Y[i][j] = relu(X[i][j])\n",
                           i, j, type);
    const char* const how = which == 2   ? "X[i][j] + B[j]"
                            : which == 3 ? "X[i][j] * B[j]"
                            : which == 4 ? "X[i][j] - B[j]"
                            : which == 5 ? "max(X[i][j], B[j])"
                                         : "B[j] + X[i][j]";
    return fmt::format("def elementwise(X[{0}][{1}]: {2}, B[{1}]: {2}, Y[{0}][{1}]: {2}):\n"
                       " for i in range({0}):\n  for j in range({1}):\n   Y[i][j] = {3}\n",
                       i, j, type, how);
}

} // namespace

class TestArrange : public QObject {
    Q_OBJECT

    static Draft randomDraft(const TilingSpace& space, Random& r) {
        Draft draft;
        int groups = space.resources().groups, cores = space.resources().coresPerGroup;
        for (const DimensionSet& set : space.sets()) {
            DraftPart part;
            part.groups = r.chance(3) ? 1 : int(r.upTo(groups));
            part.cores = r.chance(3) ? 1 : int(r.upTo(cores));
            part.mapping = int(r.upTo(std::ssize(set.mappings)) - 1);
            groups /= part.groups;
            cores /= part.cores;
            draft.parts.push_back(part);
        }
        return draft;
    }

    static KernelNumbers numbersFor(const Kernel& kernel, Random& r, std::int32_t most) {
        KernelNumbers numbers;
        for (const KernelTensor& tensor : kernel.tensors) {
            std::vector<std::int32_t>& one = numbers.emplace_back();
            if (tensor.role == TensorRole::Input)
                for (std::int64_t i = 0; i < elementsOf(tensor.shape); ++i)
                    one.push_back(r.number(most));
        }
        return numbers;
    }

    /// The bytes that are charged are those of the arrays in MRAM.
    static void checkBytes(const Arrangement& made) {
        const TileLayout layout = layoutOf(made.tile().tile);
        std::int64_t sent = 0;
        for (int t = 0; t < std::ssize(made.kernel().tensors); ++t)
            if (made.kernel().tensors[std::size_t(t)].role == TensorRole::Input)
                sent += HostLink::paddedBytes(
                    inputTransfer(made.kernel(), made.draft(), made.tile(), t).bytesPerDpu);
        QCOMPARE(sent, layout.y);
        const std::int64_t fetched = outputTransfer(made.draft(), made.tile()).bytesPerDpu;
        QCOMPARE(fetched * made.tile().tile.shape().sumTasklets, layout.end - layout.y);
    }

private slots:
    void randomKernelsOnTheEngine() {
        Random r(11);
        int ran = 0, several = 0, merged = 0;
        for (int attempt = 0; ran < 200 && attempt < 1000; ++attempt) {
            const std::int64_t kind = r.upTo(5), width = r.upTo(3);
            const std::string_view type = width == 1 ? "i8" : width == 2 ? "i16" : "i32";
            const std::string text = kind <= 2   ? product(r, type)
                                     : kind == 3 ? convolution(r, type)
                                     : kind == 4 ? sum(r, type)
                                                 : map(r, type);
            if (text.empty())
                continue;
            const auto kernel = parseKernel(text);
            QVERIFY2(kernel, kernel ? "" : (kernel.error().text() + "\n" + text).c_str());
            TilingResources resources;
            resources.groups = int(r.upTo(9));
            resources.coresPerGroup = int(r.upTo(24));
            resources.coreBytes = kMramBytes;
            const auto space = TilingSpace::create(*kernel, resources);
            QVERIFY2(space, space ? "" : space.error().text().c_str());
            const Draft draft = randomDraft(**space, r);
            const auto made = Arrangement::of(*space, draft, kChip);
            if (!made) // tiles of many tasklets may have no room in WRAM
                continue;
            KernelNumbers numbers = numbersFor(*kernel, r, width == 1 ? 128 : 181);
            const auto share = runOnDpus(*made, numbers, kChip, {.instructions = 1 << 30, .threads = 1}, {});
            QVERIFY2(share, share ? "" : share.error().text().c_str());
            QCOMPARE(share->onEngine, made->dpus());
            checkBytes(*made);
            const auto at = std::size_t(made->resultTensor());
            const std::vector<std::int32_t> wanted = plain(*kernel, numbers, made->tile().tile.shape().type);
            std::vector<std::int32_t> again = made->emptyResult();
            for (int dpu = 0; dpu < made->dpus(); ++dpu)
                made->compute(dpu, numbers, again);
            const std::string what = text + (*space)->draftText(draft);
            QVERIFY2(numbers[at] == wanted, what.c_str());
            QVERIFY2(again == wanted, what.c_str());
            ++ran;
            several += made->dpus() > 1;
            merged += made->tile().tile.shape().sumTasklets > 1 && made->dpus() > 1;
        }
        QCOMPARE(ran, 200);
        QVERIFY2(several > 90 && merged > 10, qPrintable(QStringLiteral("%1, %2").arg(several).arg(merged)));
    }

    /// A budget that does not reach for all DPUs takes the first, the last and some between; results are the same.
    void aBudgetSpreadsOverTheDpus() {
        const auto kernel =
            parseKernel("def matmul(X[40][64]: i8, W[64][48]: i8):\n"
                        " Y = DCC.Tensor.zero([40, 48], i8)\n"
                        " for m in range(40):\n  for n in range(48):\n   for k in range(64):\n"
                        "    Y[m][n] += X[m][k] * W[k][n]\n");
        QVERIFY(kernel);
        const auto space = TilingSpace::create(*kernel, {.groups = 20, .coresPerGroup = 12});
        QVERIFY(space);
        const auto draft = (*space)->draftFromText("[[5, 2, X0=m], [4, 3, W1=n], [1, 2, X1=k]] expanded");
        QVERIFY2(draft, draft ? "" : draft.error().text().c_str());
        const auto made = Arrangement::of(*space, *draft, kChip);
        QVERIFY(made);
        QCOMPARE(made->dpus(), 20);
        Random r(3);
        KernelNumbers numbers = numbersFor(*kernel, r, 128);
        const std::vector<std::int32_t> wanted = plain(*kernel, numbers, DataType::I8);
        const auto each = std::int64_t(instructionsOf(*made)) + 1;
        QCOMPARE(dpusOnEngine(*made, 3 * each), (std::vector<int>{0, 9, 19}));
        QCOMPARE(dpusOnEngine(*made, each), std::vector<int>{0});
        QVERIFY(dpusOnEngine(*made, each / 2).empty());
        QCOMPARE(std::ssize(dpusOnEngine(*made, 100 * each)), 20);
        for (const std::int64_t budget : {std::int64_t(0), 3 * each, 100 * each}) {
            const auto share = runOnDpus(*made, numbers, kChip, {.instructions = budget, .threads = 2}, {});
            QVERIFY(share);
            QCOMPARE(share->onEngine, int(std::min<std::int64_t>(budget / each, 20)));
            QVERIFY(numbers[2] == wanted);
        }
    }

    void operandsThatAreNoneOfTheType() {
        const auto kernel = parseKernel("def elementwise(X[9]: i8, Y[9]: i8):\n for i in range(9):\n"
                                        "  Y[i] = relu(X[i])\n");
        QVERIFY(kernel);
        const auto space = TilingSpace::create(*kernel, {.groups = 2, .coresPerGroup = 2});
        const auto made = Arrangement::of(*space, {.parts = {{2, 2, 0}}}, kChip);
        QVERIFY(made);
        KernelNumbers numbers{std::vector<std::int32_t>(9, 128), {}};
        const auto refused = runOnDpus(*made, numbers, kChip, {.instructions = 1 << 20}, {});
        QVERIFY(!refused && refused.error().text().find("X holds 128, which is no i8") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestArrange)
#include "tst_backends_upmem_arrange.moc"
