// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The text of flows: what is written is read again, what is wrong is said with its place, and no text does
/// any harm.
#include <QTest>

#include "backends/dual_mode/flow/simulate.h"
#include "tests/backends_dual_mode_flow/plans.h"

#include <random>

using namespace pim;

namespace {

/// One of everything.
DualModeFlow example() {
    DualModeFlow flow;
    flow.network = "two \"products\"\n";
    flow.chip = "µ-chip \\";
    flow.arrays = 8;
    flow.rows = flow.columns = 8;
    flow.arrayBytes = 64;
    flow.mainBytes = 4096;
    flow.tensors = {{"x", FlowTensorKind::Activation, TensorId(3), -1, 64, 0, false},
                    {"y", FlowTensorKind::Activation, TensorId(4), -1, 128, 64, false},
                    {"y flat", FlowTensorKind::View, TensorId(5), 1, 128, 0, false},
                    {"y.sums", FlowTensorKind::Accumulator, TensorId(), -1, 512, 192, true},
                    {"z", FlowTensorKind::Activation, TensorId(6), -1, 128, 1024, false}};
    FlowOp op;
    op.name = "conv";
    op.op = OpId(0);
    op.m = 8, op.n = 16, op.k = 16, op.g = 1;
    op.streamed = 0, op.result = 1, op.accumulator = 3;
    op.pace = {3, 8};
    op.window = {{2, 4}, {2, 4}, {1, 2}, {1, 1}, {1, 1}, {0, 1}};
    flow.ops = {op};
    flow.pieces = {{0, 0, 1, 0, 8, 0, 16, 2, SumRole::First}, {0, 0, 1, 8, 8, 0, 16, 2, SumRole::Last}};
    flow.inputs = {0};
    flow.outputs = {4, 2};
    FlowBlock block;
    block.name = "conv - host";
    const auto add = [&](FlowKind kind) -> FlowOperator& {
        block.operators.emplace_back().kind = kind;
        return block.operators.back();
    };
    add(FlowKind::SwitchToMemory).arrays = arrayList({7, 5, 6});
    add(FlowKind::SwitchToCompute).arrays = arrayList({6});
    FlowOperator& hold = add(FlowKind::Hold);
    hold.tensor = 1;
    hold.runs = {4, 8, 16, 8};
    hold.arrays = arrayList({7, 5});
    add(FlowKind::Load) = hold;
    block.operators.back().kind = FlowKind::Load;
    block.operators.back().arrays = {};
    for (int piece = 0; piece < 2; ++piece)
        for (const FlowKind kind : {FlowKind::WriteWeights, FlowKind::Multiply}) {
            FlowOperator& one = add(kind);
            one.piece = piece;
            one.copies = 2 - piece;
            one.arrays = piece == 0 ? arrayList({0, 1, 2, 3}) : arrayList({4, 6});
        }
    const auto run = [&](FlowKind kind, FlowGraphOp graphOp) {
        add(kind).run = std::make_shared<const FlowGraphOp>(std::move(graphOp));
    };
    run(FlowKind::Vector, {.op = OpId(1),
                           .name = "relu",
                           .note = "",
                           .reads = {1},
                           .writes = {4},
                           .work = 128,
                           .pace = {2, 3}});
    run(FlowKind::Vector, {.op = OpId(2),
                           .name = "flatten",
                           .note = "",
                           .reads = {1},
                           .writes = {2},
                           .pace = {},
                           .view = true});
    run(FlowKind::Host, {.op = OpId(3),
                         .name = "sort",
                         .note = "nothing here sorts",
                         .reads = {0},
                         .writes = {4},
                         .pace = {}});
    for (const FlowKind kind : {FlowKind::Store, FlowKind::Release}) {
        FlowOperator& one = add(kind);
        one.tensor = 1;
        one.runs = {4, 8, 16, 8};
    }
    FlowOperator& window = add(FlowKind::Hold);
    window.tensor = 4;
    window.runs = {0, 128, 0, 1};
    window.arrays = arrayList({5});
    window.window = true;
    flow.blocks = {block, FlowBlock()};
    return flow;
}

const std::string kHead = "cim-flow 1\nnetwork(network=\"n\", chip=\"c\", arrays=4, rows=8, columns=8, "
                          "array_bytes=64, main_bytes=99)\n";

} // namespace

class TestFlowText : public QObject {
    Q_OBJECT
private slots:
    void anOperatorSaysWhatRuns() {
        for (const FlowKind kind : {FlowKind::Vector, FlowKind::Host}) {
            DualModeFlow flow = example();
            flow.blocks[0].operators.push_back({.kind = kind, .arrays = {}, .runs = {}, .run = {}});
            const auto checked = checkFlow(flow);
            QVERIFY(!checked);
            QVERIFY2(checked.error().text().find("does not say what runs") != std::string::npos,
                     checked.error().text().c_str());
        }
    }

    void readsWhatItWrites() {
        const DualModeFlow flow = example();
        const auto checked = checkFlow(flow);
        QVERIFY2(checked, checked ? "" : checked.error().text().c_str());
        const std::string text = flowText(flow);
        const auto again = parseFlow(text);
        QVERIFY2(again, again ? "" : (again.error().text() + "\n" + text).c_str());
        QVERIFY(*again == flow);
        QCOMPARE(flowText(*again), text);
        QVERIFY(text.find("CM.switch(TOM, [7,5-6])") != std::string::npos);
        QVERIFY(text.find("parallel \"conv - host\" {") != std::string::npos);
        QVERIFY(text.find("MEM.hold(tensor=1, bytes=4+8/16x8, arrays=[7,5])") != std::string::npos);
    }

    void readsOtherSpacingAndOrder() {
        const std::string text =
            kHead +
            "tensor 0 ( bytes = 8,name=\"x\" ) # the input\n\n parallel\"b\"{CM.switch ( TOM ,[ 0 , 1-2])}";
        const auto flow = parseFlow(text);
        QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
        QCOMPARE(flow->tensors[0].bytes, std::int64_t(8));
        QCOMPARE(arrayListText(flow->blocks[0].operators[0].arrays), std::string("0-2"));
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const QString head = QString::fromStdString(kHead);
        QTest::newRow("empty") << QString() << "flow:1:1: the text does not start with \"cim-flow\"";
        QTest::newRow("version") << "cim-flow 2"
                                 << "version 2";
        QTest::newRow("no brace") << head + "parallel \"b\" {"
                                  << "flow:3:15: found the end of the text, expected an operator or '}'";
        QTest::newRow("nested") << head + "parallel \"b\" {\n  parallel \"c\" {"
                                << "flow:4:3: found \"parallel\", expected an operator (blocks do not nest)";
        QTest::newRow("operator") << head + "parallel \"b\" { CM.add() }"
                                  << "flow:3:16: found \"CM.add\"";
        QTest::newRow("mode") << head + "parallel \"b\" { CM.switch(TOX, [1]) }"
                              << "flow:3:26: found \"TOX\", expected \"TOM\" or \"TOC\"";
        QTest::newRow("backwards") << head + "parallel \"b\" { CM.switch(TOM, [3-1]) }"
                                   << "goes backwards";
        QTest::newRow("field") << head + "tensor 0 (name=\"x\", colour=3)"
                               << "flow:3:21: nothing here has the field \"colour\"";
        QTest::newRow("twice") << head + "tensor 0 (bytes=1, bytes=2)"
                               << "\"bytes\" stands there twice";
        QTest::newRow("number") << head + "tensor 1 (bytes=1)"
                                << "found tensor 1, expected tensor 0";
        QTest::newRow("kind") << head + "tensor 0 (kind=weight)"
                              << "found \"weight\", expected one of activation, view";
        QTest::newRow("value") << head + "tensor 0 (bytes=many)"
                               << "flow:3:17: found \"many\", expected a number";
        QTest::newRow("trailing") << head + "tensor 0 (bytes=1 2)"
                                  << "expected ',' or ')'";
        QTest::newRow("large") << head + "tensor 0 (bytes=99999999999999999999)"
                               << "the number is greater than";
        QTest::newRow("open text") << head + "tensor 0 (name=\"x"
                                   << "is not closed";
        QTest::newRow("escape") << head + "tensor 0 (name=\"\\q\")"
                                << "unknown escape";
        QTest::newRow("array") << head + "parallel \"b\" { CM.switch(TOM, [4]) }"
                               << "arrays 4-4 are not on a chip of 4";
        QTest::newRow("array twice") << head + "parallel \"b\" { CM.switch(TOM, [1,0-2]) }"
                                     << "array 1 stands there twice";
        QTest::newRow("memory") << head + "tensor 0 (bytes=100)"
                                << "ends at byte 100 of 99";
        QTest::newRow("view") << head + "tensor 0 (kind=view, of=0, bytes=8)"
                              << "views 0";
        QTest::newRow("piece") << head + "piece 0 (g=0+1, n=0+8, k=0+8, blocks=1)"
                               << "there is no op 0";
        QTest::newRow("held")
            << head + "tensor 0 (bytes=80)\nparallel \"b\" { MEM.hold(tensor=0, bytes=0+80, arrays=[0]) }"
            << "do not fit into 1 arrays of 64";
        QTest::newRow("runs")
            << head + "tensor 0 (bytes=80)\nparallel \"b\" { MEM.store(tensor=0, bytes=0+41/40x2) }"
            << "are not in the 80";
        QTest::newRow("no such tensor")
            << head + "parallel \"b\" { VU.run(name=\"relu\", reads=[0], writes=[1]) }"
            << "there is no tensor 0";
    }
    void saysWhatIsWrong() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto flow = parseFlow(text.toStdString());
        QVERIFY(!flow);
        QCOMPARE(flow.error().code, ErrorCode::InvalidFile);
        QVERIFY2(flow.error().text().find(message.toStdString()) != std::string::npos,
                 flow.error().text().c_str());
    }

    /// Damaged texts are refused or are flows; flows are timed or refused.
    void survivesDamage() {
        ZooOptions options;
        options.batch = 1;
        const auto graph = testing::zooGraph("resnet18", options);
        const auto plan = testing::planOf(*graph, testing::dynaplasia(), 48);
        const auto emitted = emitFlow(*graph, *plan);
        QVERIFY(emitted);
        const std::string texts[] = {flowText(example()), flowText(*emitted)};
        const std::string bits = "0123456789,()[]{}=+/x-\"\\# \nabcCM.switchTOMparallel";
        std::mt19937 random(11);
        int read = 0, timed = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string text = texts[round % 10 == 0];
            for (int edit = 0; edit < 1 + round % 3; ++edit) {
                const std::size_t at = random() % text.size();
                switch (random() % 4) {
                case 0:
                    text[at] = bits[random() % bits.size()];
                    break;
                case 1:
                    text.erase(at, 1 + random() % 9);
                    break;
                case 2:
                    text.insert(at, text.substr(random() % text.size(), random() % 30));
                    break;
                default:
                    text.insert(at, std::string(1, char(random())));
                    break;
                }
                if (text.empty())
                    text = " ";
            }
            const auto flow = parseFlow(text);
            if (!flow) {
                QVERIFY(!flow.error().text().empty());
                continue;
            }
            ++read;
            QVERIFY(*parseFlow(flowText(*flow)) == *flow);
            DualModeChip chip = testing::dynaplasia();
            chip.arrays = flow->arrays;
            chip.rows = flow->rows, chip.columns = flow->columns;
            chip.arrayBytes = flow->arrayBytes;
            if (flow->arrays <= 1000)
                timed += simulateFlow(*flow, chip).has_value();
        }
        QVERIFY2(read > 100 && timed > 10, qPrintable(QString("%1 read, %2 timed").arg(read).arg(timed)));
    }

    void findsBytesInRuns() {
        const ByteRuns runs{4, 8, 16, 3};
        QCOMPARE(runs.bytes(), std::int64_t(24));
        QCOMPARE(runs.find(3), std::int64_t(-1));
        QCOMPARE(runs.find(4), std::int64_t(0));
        QCOMPARE(runs.find(11), std::int64_t(7));
        QCOMPARE(runs.find(12), std::int64_t(-1));
        QCOMPARE(runs.find(20), std::int64_t(8));
        QCOMPARE(runs.find(43), std::int64_t(23));
        QCOMPARE(runs.find(52), std::int64_t(-1));
    }

    /// The blocks of a piece cover its weights once, whatever its shape; packed ones lie along the diagonal.
    void blocksTileThePiece() {
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            DualModeFlow flow;
            flow.rows = 1 + int(random() % 9), flow.columns = 1 + int(random() % 5);
            FlowOp op;
            op.n = 1 + int(random() % 30), op.k = 1 + int(random() % 20), op.g = 1 + int(random() % 7);
            op.packed =
                round % 2 == 0 ? 1 : std::max<int>(1, int(std::min(flow.rows / op.n, flow.columns / op.k)));
            flow.ops = {op};
            FlowPiece piece;
            piece.gBegin = int(random() % std::uint64_t(op.g));
            piece.g = op.g - piece.gBegin;
            piece.nBegin = op.packed > 1 ? 0 : int(random() % std::uint64_t(op.n));
            piece.n = op.n - piece.nBegin;
            piece.k = op.k;
            const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
            piece.blocks = int(op.packed > 1 ? up(piece.g, op.packed)
                                             : up(piece.n, flow.rows) * up(piece.k, flow.columns) * piece.g);
            std::vector<int> covered(std::size_t(op.g * op.n * op.k), 0);
            for (int block = 0; block < piece.blocks; ++block) {
                const FlowWeightBlock b = weightBlock(flow, piece, block);
                QVERIFY(b.g >= 1 && b.n >= 1 && b.k >= 1);
                QVERIFY(b.g * b.n <= flow.rows && b.g * b.k <= flow.columns);
                for (std::int64_t g = b.gBegin; g < b.gBegin + b.g; ++g)
                    for (std::int64_t n = b.nBegin; n < b.nBegin + b.n; ++n)
                        for (std::int64_t k = b.kBegin; k < b.kBegin + b.k; ++k)
                            ++covered[std::size_t((g * op.n + n) * op.k + k)];
            }
            for (std::int64_t g = 0; g < op.g; ++g)
                for (std::int64_t n = 0; n < op.n; ++n)
                    for (std::int64_t k = 0; k < op.k; ++k)
                        QCOMPARE(covered[std::size_t((g * op.n + n) * op.k + k)],
                                 int(g >= piece.gBegin && n >= piece.nBegin));
        }
    }
};

QTEST_GUILESS_MAIN(TestFlowText)
#include "tst_backends_dual_mode_flow_text.moc"
