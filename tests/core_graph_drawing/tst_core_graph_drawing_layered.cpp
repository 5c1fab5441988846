// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Layout of graphs: no overlap, edges run down, straight chains, determinism, cancel.
#include "graphs.h"

#include <QTest>

#include <cmath>

using namespace pim;

namespace {

bool overlap(const LayoutPoint& a, const LayoutSize& sa, const LayoutPoint& b, const LayoutSize& sb) {
    return a.x < b.x + sb.width - 1e-6 && b.x < a.x + sa.width - 1e-6 && a.y < b.y + sb.height - 1e-6 &&
           b.y < a.y + sa.height - 1e-6;
}

GraphLayout layoutOf(const test::Drawing& drawing, const LayoutOptions& options = {}) {
    auto result = layoutLayered(drawing.nodes, drawing.edges, options);
    return result ? *result : GraphLayout();
}

} // namespace

class TestLayered : public QObject {
    Q_OBJECT
private slots:
    void keepsEveryPromise_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("edges");
        QTest::addColumn<bool>("sideways");
        for (int seed = 0; seed < 40; ++seed)
            QTest::addRow("seed %d", seed) << 1 + seed * 5 << seed * 7 << (seed % 2 == 1);
        QTest::addRow("long edges over the budget") << 120 << 2500 << false;
    }
    /// Nodes do not overlap, all lies within the bounds, every edge runs from its source to its target along
    /// the direction, ranks increase.
    void keepsEveryPromise() {
        QFETCH(int, nodes);
        QFETCH(int, edges);
        QFETCH(bool, sideways);
        const test::Drawing drawing = test::tangle(nodes, edges, static_cast<unsigned>(nodes));
        LayoutOptions options;
        options.direction = sideways ? LayoutDirection::LeftToRight : LayoutDirection::TopToBottom;
        const GraphLayout layout = layoutOf(drawing, options);
        QCOMPARE(layout.nodes.size(), drawing.nodes.size());
        QCOMPARE(layout.edgeStart.size(), drawing.edges.size() + 1);
        const auto inside = [&](const LayoutPoint& p) {
            return p.x >= -1e-6 && p.y >= -1e-6 && p.x <= layout.width + 1e-6 && p.y <= layout.height + 1e-6;
        };
        for (std::size_t a = 0; a < layout.nodes.size(); ++a) {
            QVERIFY(inside(layout.nodes[a]));
            QVERIFY(inside(
                {layout.nodes[a].x + drawing.nodes[a].width, layout.nodes[a].y + drawing.nodes[a].height}));
            for (std::size_t b = a + 1; b < layout.nodes.size(); ++b)
                QVERIFY2(!overlap(layout.nodes[a], drawing.nodes[a], layout.nodes[b], drawing.nodes[b]),
                         qPrintable(QStringLiteral("nodes %1 and %2").arg(a).arg(b)));
        }
        for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
            const auto [from, to] = drawing.edges[e];
            const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
            QVERIFY(layout.ranks[t] > layout.ranks[f]);
            const auto route = layout.edge(e);
            QVERIFY(route.size() >= 2);
            const auto along = [&](const LayoutPoint& p) { return sideways ? p.x : p.y; };
            QCOMPARE(along(route.front()),
                     along(layout.nodes[f]) + (sideways ? drawing.nodes[f].width : drawing.nodes[f].height));
            QCOMPARE(along(route.back()), along(layout.nodes[t]));
            for (std::size_t i = 1; i < route.size(); ++i) {
                QVERIFY(along(route[i]) > along(route[i - 1]));
                QVERIFY(inside(route[i]));
            }
        }
    }

    void drawsAChainAsAStraightLine() {
        test::Drawing drawing;
        for (int i = 0; i < 50; ++i) {
            drawing.nodes.push_back({100.0 + i % 7 * 20, 40});
            if (i > 0)
                drawing.edges.push_back({i - 1, i});
        }
        const GraphLayout layout = layoutOf(drawing);
        QCOMPARE(layout.crossings, 0);
        for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
            QCOMPARE(layout.edge(e).size(), 2u);
            QVERIFY(std::abs(layout.edge(e)[0].x - layout.edge(e)[1].x) < 1e-6);
        }
    }

    /// A skip edge over a chain goes past it on a lane of its own, straight but for its two ends.
    void leadsALongEdgePastTheNodes() {
        test::Drawing drawing;
        for (int i = 0; i < 8; ++i) {
            drawing.nodes.push_back({120, 40});
            if (i > 0)
                drawing.edges.push_back({i - 1, i});
        }
        drawing.edges.push_back({0, 7});
        const GraphLayout layout = layoutOf(drawing);
        QCOMPARE(layout.crossings, 0);
        const auto route = layout.edge(7);
        QCOMPARE(route.size(), 4u); // source, lane begins, lane ends, target
        for (std::size_t v = 1; v < 7; ++v)
            QVERIFY(route[1].x <= layout.nodes[v].x || route[1].x >= layout.nodes[v].x + 120);
    }

    /// One tensor read by many ops far away: one lane, not one an op.
    void sharesOneLaneBetweenTheReadersOfATensor() {
        test::Drawing drawing;
        for (int i = 0; i < 30; ++i) {
            drawing.nodes.push_back({120, 40});
            if (i > 1)
                drawing.edges.push_back({i - 1, i});
        }
        for (int i = 4; i < 30; i += 3)
            drawing.edges.push_back({0, i});
        const GraphLayout layout = layoutOf(drawing);
        QCOMPARE(layout.crossings, 0);
        QVERIFY2(layout.width < 2 * (120 + 28) + 40, qPrintable(QString::number(layout.width)));
    }

    void separatesBranchesWithoutCrossings() {
        const test::Drawing drawing{{{80, 30}, {80, 30}, {80, 30}, {80, 30}, {80, 30}, {80, 30}},
                                    {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}}};
        const GraphLayout layout = layoutOf(drawing);
        QCOMPARE(layout.crossings, 0);
        const double centre = layout.nodes[0].x;
        QVERIFY(std::abs(layout.nodes[4].x - centre) < 1); // join under the split
        QVERIFY(layout.nodes[1].x < layout.nodes[2].x && layout.nodes[2].x < layout.nodes[3].x);
    }

    void findsNoMoreCrossingsThanABadOrderHas() {
        const test::Drawing drawing = test::networkLike(600, 3);
        LayoutOptions none;
        none.sweeps = 0;
        const auto swept = layoutOf(drawing).crossings;
        QVERIFY(swept <= layoutOf(drawing, none).crossings);
        QVERIFY2(swept < 60, qPrintable(QString::number(swept)));
    }

    void drawsACycleAndALoopWithoutHanging() {
        const test::Drawing drawing{{{80, 30}, {80, 30}, {80, 30}}, {{0, 1}, {1, 2}, {2, 0}, {1, 1}}};
        const GraphLayout layout = layoutOf(drawing);
        QCOMPARE(layout.nodes.size(), 3u);
        QVERIFY(layout.edge(3).empty());
        QVERIFY(layout.edge(2).front().y > layout.edge(2).back().y); // from below back to the top
    }

    void packsManyComponentsInsteadOfOneEndlessRow() {
        test::Drawing drawing;
        drawing.nodes.assign(400, {100, 40});
        const GraphLayout layout = layoutOf(drawing);
        QVERIFY(layout.width < 8 * layout.height && layout.height < 8 * layout.width);
    }

    void givesTheSameBytesTwice() {
        const test::Drawing drawing = test::networkLike(800, 11);
        const GraphLayout a = layoutOf(drawing), b = layoutOf(drawing);
        QVERIFY(a.nodes == b.nodes && a.points == b.points && a.edgeStart == b.edgeStart);
    }

    void acceptsAnEmptyGraph() {
        const auto layout = layoutLayered({}, {});
        QVERIFY(layout.has_value());
        QCOMPARE(layout->edgeStart.size(), 1u);
    }

    void refusesEdgesToNowhereAndSizesThatAreNone() {
        const auto edge = layoutLayered({{10, 10}}, {{0, 1}});
        QVERIFY(!edge && edge.error().code == ErrorCode::Usage);
        const auto size = layoutLayered({{std::nan(""), 10}}, {});
        QVERIFY(!size && size.error().code == ErrorCode::Usage);
    }

    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        const test::Drawing drawing = test::networkLike(3000, 5);
        const auto layout =
            layoutLayered(drawing.nodes, drawing.edges, {}, {.stop = stop.get_token(), .onProgress = {}});
        QVERIFY(!layout && layout.error().code == ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestLayered)
#include "tst_core_graph_drawing_layered.moc"
