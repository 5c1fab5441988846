// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Time of the layered layout. The ceilings hold for an optimised build on two cores.
#include "graphs.h"

#include <QTest>

#include <algorithm>
#include <chrono>

using namespace pim;

class BenchLayout : public QObject {
    Q_OBJECT
private slots:
    void stays_below_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("ceilingMs");
        QTest::addRow("5 000 nodes") << 5000 << 100.0;
        QTest::addRow("20 000 nodes") << 20000 << 500.0;
    }
    void stays_below() {
        QFETCH(int, nodes);
        QFETCH(double, ceilingMs);
        const test::Drawing drawing = test::networkLike(nodes, 1);
        std::vector<double> ms;
        GraphLayout layout;
        for (int i = 0; i < 5; ++i) {
            const auto start = std::chrono::steady_clock::now();
            layout = *layoutLayered(drawing.nodes, drawing.edges);
            ms.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
        std::sort(ms.begin(), ms.end());
        qInfo("%d nodes, %zu edges: median %.1f ms, slowest %.1f ms, %lld crossings, %.0f x %.0f", nodes,
              drawing.edges.size(), ms[2], ms[4], static_cast<long long>(layout.crossings), layout.width,
              layout.height);
#ifdef NDEBUG
        QVERIFY2(ms[2] < ceilingMs, "slower than the ceiling");
#else
        Q_UNUSED(ceilingMs); // an unoptimised build only shows that it runs
#endif
    }
};

QTEST_APPLESS_MAIN(BenchLayout)
#include "bench_graph_drawing.moc"
