// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/kernel/parse.h"

#include <random>

using namespace pim;

namespace {

// DCC paper, Fig. 4 and Fig. 5 (lines 1-8).
const std::string kFig4 = "def PIM_kernel(A[12][16], B[8][16], C[12][16]):\n"
                          "  for b in range(11):\n"
                          "    for i in range(8):\n"
                          "      for k in range(16):\n"
                          "        A[b][i] = A[b+1][i*2] + B[i][k] * C[b][k]\n";
const std::string kFig5 = "@DCC_kernel\n"
                          "def PIM_kernel(weight, bias, x): # define PIM kernel\n"
                          "  y = DCC.Tensor.zero([x.size(0), weight.size(0)])\n"
                          "  for b in range(y.size(0)):\n"
                          "    for i in range(y.size(1)):\n"
                          "      for j in range(x.size(1)):\n"
                          "        y[b][i] += x[b][j] * weight[i][j] + bias[j]\n"
                          "  return y\n";

QString errorOf(const std::string& text, const std::map<std::string, Shape>& sizes = {}) {
    const auto kernel = parseKernel(text, sizes, "k");
    return kernel ? QString() : QString::fromStdString(kernel.error().text());
}

std::string nest(const std::string& statement) {
    return "def f(A[8][8], B[8][8]):\n for i in range(8):\n  for j in range(8):\n   " + statement + "\n";
}

} // namespace

class TestParse : public QObject {
    Q_OBJECT
private slots:
    void readsFigure4() {
        const auto kernel = parseKernel(kFig4);
        QVERIFY2(kernel, kernel ? "" : kernel.error().text().c_str());
        QCOMPARE(kernel->loops.size(), 3U);
        QCOMPARE(kernel->iterations(), 11 * 8 * 16);
        QCOMPARE(kernel->tensors[0].role, TensorRole::InOut);
        QCOMPARE(kernel->tensors[1].role, TensorRole::Input);
        QCOMPARE(kernel->accesses.size(), 4U);
        QVERIFY(kernel->accesses[0].isWrite);
        QCOMPARE(kernel->accesses[1].index[0], (AffineExpr{{{0, 1}}, 1}));
        QCOMPARE(kernel->accesses[1].index[1], (AffineExpr{{{1, 2}}, 0}));
        QVERIFY(!kernel->accesses[1].isMacOperand);
        QVERIFY(kernel->accesses[2].isMacOperand && kernel->accesses[3].isMacOperand);
        QCOMPARE(kernel->statement, std::string("A[b][i] = A[b+1][i*2] + B[i][k] * C[b][k]"));
        QCOMPARE(kernel->body, BodyKind::Mac);
        QCOMPARE(kernel->macsPerIteration, 1);
        QCOMPARE(kernel->otherOpsPerIteration, 0);
        QVERIFY(kernel->isReductionLoop(2));
        QVERIFY(!kernel->isReductionLoop(0));
    }

    void readsFigure5WithSizes() {
        const auto kernel = parseKernel(kFig5, {{"weight", {512, 128}}, {"bias", {128}}, {"x", {4, 128}}});
        QVERIFY2(kernel, kernel ? "" : kernel.error().text().c_str());
        QCOMPARE(kernel->tensors.back().shape, (Shape{4, 512}));
        QCOMPARE(kernel->tensors.back().role, TensorRole::Output);
        QCOMPARE(kernel->loops[1].extent, 512);
        QCOMPARE(kernel->loops[2].extent, 128);
        QCOMPARE(kernel->macsPerIteration, 1);
        QCOMPARE(kernel->otherOpsPerIteration, 1);
        QVERIFY(errorOf(kFig5).contains("shape of parameter weight"));
    }

    void textReadsBackToTheSameKernel_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("figure 4") << QString::fromStdString(kFig4);
        QTest::newRow("convolution")
            << "def conv(X[3][9][9]: f16, W[4][3][3][3]: const f16):\n y = DCC.Tensor.zero([4, 4, 4], "
               "f32)\n for o in range(4):\n  for h in range(4):\n   for w in range(4):\n    for c in "
               "range(3):\n     for r in range(3):\n      for s in range(3):\n       y[o][h][w] += "
               "X[c][2*h+r][w*2+s-1] * W[o][c][r][s]\n return y\n";
        QTest::newRow("attention")
            << "def a(Q[4][8], K[16][8]: cache f16, V[16][8]: cache f16):\n o = DCC.Tensor.zero([4, 8])\n "
               "for m in range(4):\n  for l in range(16):\n   for d in range(8):\n    o[m][d] += "
               "softmax(Q[m][d] * K[l][d]) * V[l][d]\n";
        QTest::newRow("elementwise") << QString::fromStdString(
            nest("A[i][j] = max(B[i][j], 0) - (B[i][j] - 1.5) / 2"));
        QTest::newRow("reversed") << QString::fromStdString(nest("A[7-i][j] = -B[i][(j+1)*2-j]"));
        QTest::newRow("lookup") << "def g(T[3][9][8]: const f16, I[4][2]: i32, Y[3][4][2][8]: f16):\n for b "
                                   "in range(3):\n  for l in "
                                   "range(4):\n   for m in range(2):\n    for d in range(8):\n     "
                                   "Y[b][l][m][d] = T[b, I[l][1-m], d]\n";
        QTest::newRow("product of what is looked up")
            << "def g(T[9][8]: f16, I[4]: i64, X[4][8]: f16):\n y = DCC.Tensor.zero([4], f32)\n for l in "
               "range(4):\n  for d in range(8):\n   y[l] += T[I[l]][d] * X[l][d]\n return y\n";
        QTest::newRow("reduce")
            << "def r(X[8][64]):\n y = DCC.Tensor.zero([8])\n for i in range(8):\n  for k in range(64):\n   "
               "y[i] = max(y[i], X[i][k])\n return y\n";
    }
    void textReadsBackToTheSameKernel() {
        QFETCH(QString, text);
        const auto first = parseKernel(text.toStdString());
        QVERIFY2(first, first ? "" : first.error().text().c_str());
        const auto second = parseKernel(first->text());
        QVERIFY2(second, second ? "" : (second.error().text() + "\n" + first->text()).c_str());
        QCOMPARE(second->text(), first->text());
        QCOMPARE(second->body, first->body);
        QCOMPARE(second->function, first->function);
        QCOMPARE(second->macsPerIteration, first->macsPerIteration);
        QCOMPARE(second->otherOpsPerIteration, first->otherOpsPerIteration);
        QCOMPARE(second->tensors.size(), first->tensors.size());
        for (std::size_t t = 0; t < first->tensors.size(); ++t) {
            QCOMPARE(second->tensors[t].name, first->tensors[t].name);
            QCOMPARE(second->tensors[t].role, first->tensors[t].role);
            QCOMPARE(second->tensors[t].constant, first->tensors[t].constant);
            QCOMPARE(second->tensors[t].cache, first->tensors[t].cache);
        }
        for (std::size_t a = 0; a < first->accesses.size(); ++a)
            QCOMPARE(second->accesses[a].index, first->accesses[a].index);
        for (std::size_t a = 0; a < first->accesses.size(); ++a)
            QCOMPARE(second->accesses[a].gathered, first->accesses[a].gathered);
        QCOMPARE(first->gathers(), text.contains("T["));
    }

    void readsWhereADimensionIsLookedUp() {
        const auto kernel = parseKernel("def g(T[9][8]: f16, I[4][3]: i64, X[8]: f16):\n"
                                        " y = DCC.Tensor.zero([4], f32)\n"
                                        " for l in range(4):\n  for d in range(8):\n"
                                        "   y[l] += X[d] * T[I[l][2]][d]\n return y\n");
        QVERIFY2(kernel, kernel ? "" : kernel.error().text().c_str());
        QVERIFY(kernel->gathers());
        QCOMPARE(kernel->body, BodyKind::Mac);
        QCOMPARE(kernel->statement, std::string("y[l] += X[d] * T[I[l][2]][d]"));
        QCOMPARE(kernel->accesses.size(), std::size_t{4}); // y, X, I, T
        const TensorAccess &index = kernel->accesses[2], &table = kernel->accesses[3];
        QCOMPARE(kernel->tensors[std::size_t(index.tensor)].name, std::string("I"));
        QVERIFY(!index.isMacOperand && index.gathered.empty());
        QCOMPARE(kernel->tensors[std::size_t(index.tensor)].role, TensorRole::Input);
        QVERIFY(table.isMacOperand);
        QCOMPARE(table.gathered, (std::vector<GatheredIndex>{{0, 2}}));
        QVERIFY(table.gatheredAt(0) && !table.gatheredAt(1));
        QCOMPARE(table.index[0], AffineExpr());
        QCOMPARE(accessText(*kernel, table), std::string("T[I[l][2]][d]"));
    }

    void checksLookupsOfKernelsMadeByHand() {
        const Kernel good =
            *parseKernel("def g(T[9][8]: f16, I[4]: i32, Y[4][8]: f16):\n for l in range(4):\n"
                         "  for d in range(8):\n   Y[l][d] = T[I[l]][d]\n");
        QVERIFY(checkGathered(good).has_value());
        const auto refused = [&](auto change, const char* why) {
            Kernel kernel = good; // Y, I, T
            change(kernel);
            const auto checked = checkGathered(kernel);
            return !checked && checked.error().code == ErrorCode::InvalidKernel &&
                   checked.error().message.find(why) != std::string::npos;
        };
        QVERIFY(refused([](Kernel& k) { k.accesses[2].gathered[0].access = 2; }, "no access before it"));
        QVERIFY(refused([](Kernel& k) { k.accesses[2].gathered[0].dimension = 2; }, "dimension 2 of 2"));
        QVERIFY(refused([](Kernel& k) { k.accesses[2].gathered.push_back({0, 1}); }, "comes twice"));
        QVERIFY(refused([](Kernel& k) { k.accesses[2].index[0].constant = 1; }, "an affine index too"));
        QVERIFY(refused([](Kernel& k) { k.accesses[2].isWrite = true; }, "written at affine places only"));
        QVERIFY(refused([](Kernel& k) { k.tensors[1].dtype = DataType::F16; }, "not whole numbers"));
        QVERIFY(refused(
            [](Kernel& k) {
                (k.accesses[1].gathered = {{0, 0}}, k.accesses[1].index[0] = {});
            },
            "not whole numbers"));
        QVERIFY(refused([](Kernel& k) { k.accesses[0].tensor = 1; }, "the kernel writes I"));
    }

    void classifiesBodies_data() {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<int>("body");
        QTest::addColumn<QString>("function");
        QTest::newRow("mac") << "A[i][i] += B[i][j] * B[j][i]" << int(BodyKind::Mac) << "";
        QTest::newRow("add") << "A[i][j] = B[i][j] + 1" << int(BodyKind::Elementwise) << "add";
        QTest::newRow("relu") << "A[i][j] = relu(B[i][j])" << int(BodyKind::Elementwise) << "relu";
        QTest::newRow("copy") << "A[i][j] = B[j][i]" << int(BodyKind::Elementwise) << "copy";
        QTest::newRow("sum") << "A[i][0] += B[i][j]" << int(BodyKind::Reduce) << "add";
        QTest::newRow("max") << "A[i][0] = max(A[i][0], B[i][j])" << int(BodyKind::Reduce) << "max";
        QTest::newRow("attention") << "A[i][i] += softmax(B[i][j] * B[j][i]) * B[j][j]"
                                   << int(BodyKind::Attention) << "softmax";
    }
    void classifiesBodies() {
        QFETCH(QString, statement);
        QFETCH(int, body);
        QFETCH(QString, function);
        const auto kernel = parseKernel(nest(statement.toStdString()));
        QVERIFY2(kernel, kernel ? "" : kernel.error().text().c_str());
        QCOMPARE(int(kernel->body), body);
        QCOMPARE(QString::fromStdString(kernel->function), function);
    }

    void pointsAtWhatIsWrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& text, const char* where,
                            const char* message) {
            QTest::newRow(name) << QString::fromStdString(text) << where << message;
        };
        row("empty", "", "k:1:1", "expected 'def', found the end of the text");
        row("no colon", "def f(A[4])\n for i in range(4):\n  A[i] = 1\n", "k:1:12", "expected ':'");
        row("unknown tensor", nest("A[i][j] = Z[i][j]"), "k:4:14", "Z is no tensor");
        row("rank", nest("A[i] = B[i][j]"), "k:4:4", "2 dimensions but 1 indices");
        row("not affine", nest("A[i*j][j] = B[i][j]"), "k:4:7", "no affine index");
        row("division", nest("A[i/2][j] = B[i][j]"), "k:4:7", "cannot be divided");
        row("loop as value", nest("A[i][j] = i"), "k:4:14", "used as a value");
        row("two statements", nest("A[i][j] = 1\n   B[i][j] = 2"), "k:5:4", "indented by 3 columns");
        row("range start", "def f(A[4]):\n for i in range(1, 4):\n  A[i] = 1\n", "k:2:18",
            "more than one number");
        row("zero loop", "def f(A[4]):\n for i in range(0):\n  A[i] = 1\n", "k:2:6", "runs 0 times");
        row("zero extent", "def f(A[0]):\n for i in range(4):\n  A[i] = 1\n", "k:1:7", "extent of 0");
        row("twice", "def f(A[4], A[4]):\n for i in range(4):\n  A[i] = 1\n", "k:1:13", "taken already");
        row("unused", "def f(A[4], B[4]):\n for i in range(4):\n  A[i] = 1\n", "k", "tensor B is never used");
        row("no block", "def f(A[4]):\n for i in range(4):\n A[i] = 1\n", "k:3:2", "indented block");
        row("number", "def f(A[99999999999999999999]):\n", "k:1:9", "does not fit 64 bits");
        row("product", "def f(A[9999999999*9999999999]):\n", "k:1:19", "does not fit 64 bits");
        row("bytes", "def f(A[9999999999][9999999999]):\n", "k:1:7", "2^63 bytes");
        row("index", nest("A[i*9000000000000000000][j] = 1"), "k:4:6", "60 bits");
        const auto lookup = [](const std::string& statement) {
            return "def g(T[9][8]: f16, I[4]: i32, X[4]: f16, Y[4][8]: f16):\n for l in range(4):\n"
                   "  for d in range(8):\n   " +
                   statement + "\n";
        };
        row("index of an index", lookup("Y[l][d] = T[I[I[l]]][d]"), "k:4:18", "looked up itself");
        row("written where an index says", lookup("Y[I[l]][d] = T[l][d]"), "k:4:6", "index tensor says");
        row("index plus one", lookup("Y[l][d] = T[I[l]+1][d] * X[l]"), "k:4:20", "expected ']'");
        row("index with too few dimensions",
            "def g(T[9]: f16, I[4][2]: i32, Y[4]: f16):\n for l in range(4):\n  Y[l] = T[I[l]]\n", "k:3:12",
            "I has 2 dimensions but 1 indices");
        row("index of fractions", lookup("Y[l][d] = T[X[l]][d] + I[l]"), "k", "X are f16, not whole numbers");
        row("index that is written", "def g(T[9]: i32, I[4]: i32):\n for l in range(4):\n  I[l] = T[I[l]]\n",
            "k", "the kernel writes I");
        row("character", nest("A[i][j] = B[i][j] ? 1"), "k:4:22", "found '?'");
        row("binary", std::string("def f(\x01\xff"), "k:1:7", "\\x01");
        row("if", nest("if A"), "k:4:4", "cannot stand in a kernel");
        row("size", "def f(A[4]):\n for i in range(A.size(1)):\n  A[i] = 1\n", "k:2:17", "no size(1)");
        row("return", nest("A[i][j] = B[i][j]") + " return B\n", "k:5:9", "never written");
        row("trailing", nest("A[i][j] = B[i][j]") + "def g():\n", "k:5:1", "expected the end of the text");
    }
    void pointsAtWhatIsWrong() {
        QFETCH(QString, text);
        QFETCH(QString, where);
        QFETCH(QString, message);
        const auto kernel = parseKernel(text.toStdString(), {}, "k");
        QVERIFY(!kernel);
        QCOMPARE(kernel.error().code, ErrorCode::InvalidKernel);
        QCOMPARE(QString::fromStdString(kernel.error().where), where);
        QVERIFY2(kernel.error().message.find(message.toStdString()) != std::string::npos,
                 kernel.error().message.c_str());
    }

    void survivesHostileText() {
        const std::string deep(1'000'000, '(');
        QVERIFY(errorOf(nest("A[i][j] = " + deep)).contains("nested more than"));
        QVERIFY(errorOf(nest("A[" + deep)).contains("nested more than"));
        QVERIFY(errorOf(nest("A[" + std::string(1'000'000, '-'))).contains("nested more than"));
        std::string sum = "A[i][j] = 1";
        for (int i = 0; i < 100'000; ++i)
            sum += "+1";
        QVERIFY(errorOf(nest(sum)).contains("more than 1024 terms"));
        std::string loops = "def f(A[1]):\n";
        for (int i = 0; i < 1000; ++i)
            loops += std::string(static_cast<std::size_t>(i) + 1, ' ') + "for v" + std::to_string(i) +
                     " in range(1):\n";
        QVERIFY(errorOf(loops).contains("more than 32 loops"));
        QVERIFY(errorOf("def " + std::string(10'000'000, 'x')).contains("10000000 characters"));
        QVERIFY(!errorOf(std::string(10'000'000, '\n') + "x").isEmpty());
        QVERIFY(!errorOf("def f(" + std::string(10'000'000, '#')).isEmpty());
    }

    /// Random damage to a good text gives a kernel or an error, never a crash.
    void survivesDamage() {
        std::mt19937 random(7);
        const std::string alphabet = "()[]:,.+-*/= \n\tabik0129@#\x80";
        int parsed = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string text = round % 2 != 0 ? kFig4 : kFig5;
            for (int i = 0; i < 1 + round % 4; ++i) {
                const auto at = random() % text.size();
                if (random() % 2 != 0)
                    text[at] = alphabet[random() % alphabet.size()];
                else
                    text.erase(at, random() % 6);
            }
            const auto kernel = parseKernel(text, {{"weight", {5, 3}}, {"bias", {3}}, {"x", {2, 3}}});
            if (kernel) {
                ++parsed;
                QVERIFY(parseKernel(kernel->text()));
            } else {
                QVERIFY(!kernel.error().message.empty());
            }
        }
        QVERIFY(parsed > 0);
    }
};

QTEST_GUILESS_MAIN(TestParse)
#include "tst_core_kernel_parse.moc"
