// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What emitFlow() says is what the plan says, whatever the network: every weight block is written once
/// before it is used, pieces tile their operators, bytes are held by arrays in memory mode only, and
/// everything is made before it is read.
#include <QElapsedTimer>
#include <QTest>

#include "tests/backends_dual_mode_flow/plans.h"

#include <map>
#include <set>

using namespace pim;

namespace {

/// Goes through a flow the way an executor does and complains about the first thing that is not right.
class FlowWalk {
public:
    explicit FlowWalk(const DualModeFlow& flow)
        : m_flow(flow), m_memory(std::size_t(flow.arrays), 0), m_weights(std::size_t(flow.arrays), {-1, -1}),
          m_holder(std::size_t(flow.arrays), -1), m_made(flow.tensors.size(), 0),
          m_written(flow.pieces.size(), 0) {
        for (const int tensor : flow.inputs)
            m_made[std::size_t(flow.root(tensor))] = 1;
        for (std::size_t i = 0; i < flow.tensors.size(); ++i)
            if (flow.tensors[i].kind == FlowTensorKind::Constant)
                m_made[i] = 1;
        for (const FlowPiece& piece : flow.pieces)
            m_left[flow.ops[std::size_t(piece.op)].result] +=
                piece.sum == SumRole::Whole || piece.sum == SumRole::Last;
    }

    std::string problem() {
        for (std::size_t b = 0; b < m_flow.blocks.size(); ++b)
            for (std::size_t i = 0; i < m_flow.blocks[b].operators.size(); ++i)
                if (const std::string wrong = step(m_flow.blocks[b].operators[i]); !wrong.empty())
                    return flowPosition(m_flow, b, i) + ": " + wrong;
        for (const int tensor : m_flow.outputs)
            if (m_made[std::size_t(m_flow.root(tensor))] == 0)
                return "output " + m_flow.tensors[std::size_t(tensor)].name + " is not made";
        if (!m_dirty.empty())
            return "outputs stay in arrays";
        for (std::size_t i = 0; i < m_written.size(); ++i)
            if (m_written[i] != 1)
                return "piece " + std::to_string(i) + " runs " + std::to_string(m_written[i]) + " times";
        return {};
    }
    int switches = 0, holds = 0, windows = 0, stores = 0, kept = 0;

private:
    std::string need(int tensor) const {
        return m_made[std::size_t(m_flow.root(tensor))] != 0
                   ? std::string()
                   : "reads " + m_flow.tensors[std::size_t(tensor)].name + " too early";
    }

    std::string step(const FlowOperator& o) {
        const std::vector<int> arrays = o.arrays.numbers();
        switch (o.kind) {
        case FlowKind::SwitchToMemory:
        case FlowKind::SwitchToCompute: {
            const char to = o.kind == FlowKind::SwitchToMemory;
            for (const int array : arrays) {
                ++switches;
                if (m_memory[std::size_t(array)] == to)
                    return "array " + std::to_string(array) + " is in that mode already";
                if (m_holder[std::size_t(array)] >= 0)
                    return "array " + std::to_string(array) + " loses data";
                m_memory[std::size_t(array)] = to;
                m_weights[std::size_t(array)] = {-1, -1};
            }
            return {};
        }
        case FlowKind::WriteWeights: {
            const FlowOp& op = m_flow.ops[std::size_t(m_flow.pieces[std::size_t(o.piece)].op)];
            for (std::size_t i = 0; i < arrays.size(); ++i) {
                if (m_memory[std::size_t(arrays[i])] != 0)
                    return "writes weights into a memory array";
                m_weights[std::size_t(arrays[i])] = {o.piece, int(i)};
            }
            return op.weights >= 0 ? need(op.weights) : std::string();
        }
        case FlowKind::Multiply: {
            const FlowPiece& piece = m_flow.pieces[std::size_t(o.piece)];
            const FlowOp& op = m_flow.ops[std::size_t(piece.op)];
            for (std::size_t i = 0; i < arrays.size(); ++i)
                if (m_memory[std::size_t(arrays[i])] != 0 ||
                    m_weights[std::size_t(arrays[i])] != std::pair(o.piece, int(i)))
                    return "array " + std::to_string(arrays[i]) + " does not have the weights";
            ++m_written[std::size_t(o.piece)];
            if (piece.sum == SumRole::Whole || piece.sum == SumRole::Last)
                if (--m_left[op.result] == 0)
                    m_made[std::size_t(m_flow.root(op.result))] = 1;
            return need(op.streamed);
        }
        case FlowKind::Hold: {
            ++holds;
            windows += o.window;
            std::string wrong;
            for (const int array : arrays) {
                if (m_memory[std::size_t(array)] == 0 || m_holder[std::size_t(array)] >= 0)
                    return "array " + std::to_string(array) + " cannot hold anything";
                m_holder[std::size_t(array)] = m_nextHold;
            }
            for (const auto& [id, other] : m_live)
                if (other.tensor == o.tensor && other.runs.begin < o.runs.begin + o.runs.run &&
                    o.runs.begin < other.runs.begin + other.runs.run)
                    return "bytes are held twice";
            m_live[m_nextHold] = o;
            if (!o.window)
                m_dirty.insert(m_nextHold);
            ++m_nextHold;
            return {};
        }
        case FlowKind::Load:
        case FlowKind::Store:
        case FlowKind::Release:
            for (const auto& [id, other] : m_live)
                if (other.tensor == o.tensor && other.runs == o.runs) {
                    const int hold = id;
                    if (o.kind == FlowKind::Load && m_made[std::size_t(o.tensor)] == 0)
                        return "loads what is not there";
                    if (o.kind == FlowKind::Store)
                        ++stores;
                    if (o.kind != FlowKind::Release) {
                        m_dirty.erase(hold);
                        return {};
                    }
                    const bool output = std::any_of(m_flow.outputs.begin(), m_flow.outputs.end(),
                                                    [&](int t) { return m_flow.root(t) == o.tensor; });
                    if (m_dirty.erase(hold) > 0) {
                        if (output)
                            return "an output is lost";
                        m_lost[o.tensor] = true;
                    }
                    for (int& holder : m_holder)
                        if (holder == hold)
                            holder = -1;
                    m_live.erase(hold);
                    return {};
                }
            return "these bytes are not held";
        case FlowKind::Vector:
        case FlowKind::Host:
            for (const int tensor : o.run->reads) {
                if (const std::string wrong = need(tensor); !wrong.empty())
                    return wrong;
                if (m_lost[m_flow.root(tensor)])
                    return "reads bytes that were given up";
            }
            for (const int tensor : o.run->writes)
                m_made[std::size_t(m_flow.root(tensor))] = 1;
            return {};
        }
        return {};
    }

    const DualModeFlow& m_flow;
    std::vector<char> m_memory;
    std::vector<std::pair<int, int>> m_weights;
    std::vector<int> m_holder;
    std::vector<char> m_made;
    std::vector<int> m_written;
    std::map<int, int> m_left;
    std::map<int, FlowOperator> m_live;
    std::map<int, bool> m_lost;
    std::set<int> m_dirty;
    int m_nextHold = 0;
};

} // namespace

class TestFlowEmit : public QObject {
    Q_OBJECT
private slots:
    void emitsNetworks_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("cap");
        QTest::addColumn<int>("batch");
        QTest::addColumn<bool>("anyCount");
        QTest::addColumn<int>("limitMs");
        for (const int cap : {96, 40}) {
            QTest::addRow("resnet18 %d", cap) << "resnet18" << cap << 1 << false << 1000;
            QTest::addRow("vgg16 %d", cap) << "vgg16" << cap << 1 << false << 5000;
            QTest::addRow("mobilenetv2 %d", cap) << "mobilenetv2" << cap << 1 << false << 1000;
            QTest::addRow("bert %d", cap) << "bert-base" << cap << 1 << false << 5000;
        }
        QTest::addRow("resnet18 batch 4") << "resnet18" << 64 << 4 << false << 1000;
        QTest::addRow("bert batch 2") << "bert-base" << 64 << 2 << false << 5000;
        QTest::addRow("googlenet") << "googlenet" << 24 << 1 << false << 1000;
        QTest::addRow("resnet50") << "resnet50" << 96 << 1 << false << 1000;
        // Arrays beyond whole copies take no part.
        QTest::addRow("resnet18 any number of arrays") << "resnet18" << 96 << 1 << true << 1000;
        QTest::addRow("mobilenetv2 any number of arrays") << "mobilenetv2" << 96 << 1 << true << 1000;
    }
    void emitsNetworks() {
        QFETCH(QString, name);
        QFETCH(int, cap);
        QFETCH(int, batch);
        QFETCH(bool, anyCount);
        QFETCH(int, limitMs);
        ZooOptions options;
        options.batch = batch;
        if (name.startsWith("bert"))
            options.seq = 64;
        const auto graph = testing::zooGraph(name.toStdString(), options);
        DualModeOptions rules;
        rules.duplication = anyCount ? DuplicationRule::Any : DuplicationRule::Copies;
        const auto plan = testing::planOf(*graph, testing::dynaplasia(), cap, rules);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        QElapsedTimer timer;
        timer.start();
        const auto flow = emitFlow(*graph, *plan);
        QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
        const std::string text = flowText(*flow);
        const auto emitMs = timer.restart();
        QVERIFY2(emitMs < limitMs, qPrintable(QString::number(emitMs)));
        const auto again = parseFlow(text);
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        QVERIFY(*again == *flow);
        FlowWalk walk(*flow);
        const std::string problem = walk.problem();
        QVERIFY2(problem.empty(), problem.c_str());
        qInfo("%s cap %d: %d blocks, %d pieces, %d bytes of text, emitted in %lld ms, parsed in %lld ms, %d "
              "switches, %d holds, %d windows, %d stores",
              qPrintable(name), cap, int(flow->blocks.size()), int(flow->pieces.size()), int(text.size()),
              (long long)emitMs, (long long)timer.elapsed(), walk.switches, walk.holds, walk.windows,
              walk.stores);
        if (qEnvironmentVariableIsSet("PIM_SHOW_FLOW"))
            fputs(text.c_str(), stdout);
    }

    /// Eq. 1 of CMSwitch counts switches with the best places; places reach it wherever no array was idle
    /// before.
    void switchesAsOftenAsTheModelSays_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"resnet18", "vgg16", "mobilenetv2", "googlenet"})
            QTest::newRow(name) << name;
    }
    void switchesAsOftenAsTheModelSays() {
        QFETCH(QString, name);
        ZooOptions options;
        options.batch = 1;
        const auto graph = testing::zooGraph(name.toStdString(), options);
        for (const int cap : {96, 48, 24}) {
            const auto plan = testing::planOf(*graph, testing::dynaplasia(), cap);
            QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
            int placed = 0, counted = 0, exact = 0;
            int before = plan->chip.arrays;
            for (std::size_t s = 0; s < plan->placement.size(); ++s) {
                const DualModeSegment& segment = plan->segmentation.segments[s];
                const int toMemory = int(plan->placement[s].toMemory.size()),
                          toCompute = int(plan->placement[s].toCompute.size());
                QVERIFY(toMemory >= segment.toMemory && toCompute >= segment.toCompute);
                if (before == plan->chip.arrays) {
                    QCOMPARE(toMemory, segment.toMemory);
                    QCOMPARE(toCompute, segment.toCompute);
                    ++exact;
                }
                before = segment.computeArrays() + segment.memoryArrays();
                placed += toMemory + toCompute;
                counted += segment.toMemory + segment.toCompute;
            }
            qInfo("%s cap %d: %d switches placed, %d by eq. 1, %d of %d borders without idle arrays",
                  qPrintable(name), cap, placed, counted, exact, int(plan->placement.size()));
        }
    }

    void refusesPlansOfOtherGraphs() {
        ZooOptions options;
        options.batch = 1;
        const auto graph = testing::zooGraph("resnet18", options), other = testing::zooGraph("vgg8", options);
        const auto plan = testing::planOf(*graph, testing::dynaplasia(), 96);
        QVERIFY(plan);
        const auto foreign = emitFlow(*other, *plan);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().code, ErrorCode::InvalidModel);
        DualModePlan cut = *plan;
        cut.segmentation.segments.pop_back();
        cut.placement.pop_back();
        QCOMPARE(emitFlow(*graph, cut).error().code, ErrorCode::InvalidModel);
        cut = *plan;
        std::swap(cut.segmentation.segments.front(), cut.segmentation.segments.back());
        QCOMPARE(emitFlow(*graph, cut).error().code, ErrorCode::InvalidModel);
        cut = *plan;
        cut.placement.pop_back();
        const auto few = emitFlow(*graph, cut);
        QVERIFY2(few.error().text().find("places arrays for") != std::string::npos,
                 few.error().text().c_str());
        // Places are chosen where there are none.
        cut.placement.clear();
        QVERIFY(*emitFlow(*graph, cut) == *emitFlow(*graph, *plan));
    }

    /// Main memory is used again once nobody reads what lay there.
    void reusesMainMemory() {
        ZooOptions options;
        options.batch = 1;
        const auto graph = testing::zooGraph("vgg16", options);
        const auto plan = testing::planOf(*graph, testing::dynaplasia(), 96);
        const auto flow = emitFlow(*graph, *plan);
        QVERIFY(flow);
        std::int64_t all = 0;
        for (const FlowTensor& tensor : flow->tensors)
            all += tensor.of < 0 && !tensor.buffered ? tensor.bytes : 0;
        QVERIFY2(flow->mainBytes < all * 3 / 4,
                 qPrintable(QString("%1 of %2").arg(flow->mainBytes).arg(all)));
    }
};

QTEST_GUILESS_MAIN(TestFlowEmit)
#include "tst_backends_dual_mode_flow_emit.moc"
