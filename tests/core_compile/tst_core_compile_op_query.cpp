// SPDX-License-Identifier: GPL-3.0-or-later
// The language of searches for ops, as the graph view and `pimc inspect --find` speak it.
#include <QTest>
#include <string>

#include "../views_common/sample_plan.h"
#include "core/compile/op_query.h"

#include <cmath>

using namespace pim;

namespace {

QStringList found(std::shared_ptr<const Graph> graph, std::shared_ptr<const Plan> plan, const char* query,
                  std::shared_ptr<const Simulation> simulation = nullptr) {
    const auto asked = OpQuery::parse(query);
    if (!asked)
        return {QStringLiteral("error: ") + QString::fromStdString(asked.error().text())};
    QStringList names;
    const BlockTree blocks = findBlocks(*graph);
    for (const OpId op : asked->find({*graph, plan.get(), simulation.get()}, &blocks))
        names << QString::fromStdString(graph->op(op).name);
    return names;
}

} // namespace

class TestOpQuery : public QObject {
    Q_OBJECT
private slots:
    void findsByWordsKeysAndFigures() {
        const auto graph = test::sampleGraph(2);
        const auto plan = test::samplePlan(graph);
        QCOMPARE(found(graph, nullptr, "conv2").size(), 2);
        QCOMPARE(found(graph, nullptr, "type:relu layer1"), QStringList{QStringLiteral("/layer1/relu/Relu")});
        QCOMPARE(found(graph, nullptr, "shape:64x56 type:Conv"),
                 QStringList({QStringLiteral("stem"), QStringLiteral("/layer1/conv2/Conv")}));
        QVERIFY(found(graph, nullptr, "shape:6").isEmpty()); // whole numbers only
        QCOMPARE(found(graph, nullptr, "dtype:f16").size(), static_cast<qsizetype>(graph->ops.size()));
        QVERIFY(found(graph, nullptr, "on:pim").isEmpty());
        QCOMPARE(found(graph, plan, "on:pim").size(), 4);
        const qsizetype slow = found(graph, plan, "time:>1.5us").size();
        QVERIFY(slow > 0 && slow < static_cast<qsizetype>(graph->ops.size()));
        QCOMPARE(found(graph, plan, "time:<=1.5us").size() + slow,
                 static_cast<qsizetype>(graph->ops.size() - 1));
        QVERIFY(found(graph, nullptr, "time:quick").front().startsWith(QStringLiteral("error")));
        QVERIFY(found(graph, nullptr, "colour:red").front().startsWith(QStringLiteral("error")));
        QVERIFY(found(graph, nullptr, " ").isEmpty());
    }

    void findsByAttributesWildcardsAndSimulatedFigures() {
        auto graph = std::const_pointer_cast<Graph>(test::sampleGraph(2));
        graph->ops[1].attributes["kernel_shape"] = std::vector<std::int64_t>{3, 3};
        graph->ops[3].attributes["kernel_shape"] = std::vector<std::int64_t>{1, 1};
        graph->ops[4].attributes["mode"] = std::string("bi linear");
        graph->ops[5].attributes["group"] = std::int64_t{32};
        const auto plan = test::samplePlan(graph);
        const auto one = [](const char* name) { return QStringList{QString::fromUtf8(name)}; };
        QCOMPARE(found(graph, plan, "attr:kernel_shape").size(), 2);
        QCOMPARE(found(graph, plan, "attr:kernel_shape=3"), one("/layer0/conv1/Conv"));
        QCOMPARE(found(graph, plan, "attr:kernel_shape=1x1"), one("/layer0/conv2/Conv"));
        QCOMPARE(found(graph, plan, "attr:group=32"), one("/layer1/conv1/Conv"));
        QVERIFY(found(graph, plan, "attr:group=3").isEmpty());
        QCOMPARE(found(graph, plan, "attr:mode=\"bi lin\""), one("/layer0/Add"));
        QCOMPARE(found(graph, plan, "name:*conv?/Conv").size(), 4);
        QVERIFY(found(graph, plan, "name:conv?").isEmpty()); // with wildcards the whole name
        QCOMPARE(found(graph, plan, "type:Conv shape:64x*x56"),
                 QStringList({QStringLiteral("stem"), QStringLiteral("/layer1/conv2/Conv")}));
        QCOMPARE(found(graph, plan, "type:Conv -name:layer0").size(), 3);
        QCOMPARE(found(graph, plan, "block:layer1").size(), 4);
        QCOMPARE(found(graph, plan, "placement:pim"), found(graph, plan, "on:pim"));
        QCOMPARE(found(graph, plan, "on:pim1"), found(graph, plan, "on:pim"));
        QVERIFY(found(graph, plan, "on:pim2").isEmpty()); // there is one machine
        QCOMPARE(found(graph, plan, "cost:>1.5us"), found(graph, plan, "time:>1500ns"));
        QCOMPARE(found(graph, plan, "rearranged:>1%").size(), 4); // those on PIM
        const auto simulation = test::sampleSimulation(*graph);
        QCOMPARE(found(graph, plan, "energy:>20nJ", simulation).size(), 3); // ops 3, 6 and 9
        QCOMPARE(found(graph, plan, "error:<-10%", simulation).size(), 4);
        QVERIFY(found(graph, plan, "energy:>0pJ").isEmpty()); // not simulated
    }

    void wildcardsGoBackToTheLastStar_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<bool>("matches");
        QTest::newRow("all") << "*" << true;
        QTest::newRow("the second of two places") << "*v1/*nv" << true;
        QTest::newRow("too long") << "*conv1/Conv?" << false;
        QTest::newRow("a letter of two bytes") << "/läyer0/conv1/*" << false;
        QTest::newRow("a letter of two bytes is one letter") << "/l?yer0/conv1/conv" << true;
        QTest::newRow("two letters") << "/l??yer0/conv1/conv" << false;
        QTest::newRow("stars at the end") << "/*conv***" << true;
    }
    void wildcardsGoBackToTheLastStar() {
        QFETCH(QString, pattern);
        QFETCH(bool, matches);
        auto graph = std::make_shared<Graph>();
        graph->ops.emplace_back();
        graph->ops.back().name = "/l\u00e5yer0/conv1/Conv";
        const QByteArray query = "name:" + pattern.toUtf8();
        QCOMPARE(found(graph, nullptr, query.constData()).size(), matches ? 1 : 0);
    }

    void numbersOfAttributesAreNumbers() {
        auto graph = std::const_pointer_cast<Graph>(test::sampleGraph(1));
        graph->ops[1].attributes["alpha"] = 0.0;
        graph->ops[2].attributes["alpha"] = 0.5;
        QCOMPARE(found(graph, nullptr, "attr:alpha=0").size(), 1 + 1); // 0 and the text "0.5"
        QCOMPARE(found(graph, nullptr, "attr:alpha=.5"), QStringList{QStringLiteral("/layer0/relu/Relu")});
        QVERIFY(found(graph, nullptr, "attr:alpha=none").isEmpty()); // is no 0
    }

    void comparisonsTakeNumbersOnly_data() {
        QTest::addColumn<QString>("query");
        for (const char* query :
             {"macs:inf", "macs:nan", "macs:>", "macs:=>1", "macs:<>1", "macs:1.2.3", "macs:1eV", "macs:"})
            QTest::newRow(query) << query;
    }
    void comparisonsTakeNumbersOnly() {
        QFETCH(QString, query);
        const bool isUnfinished = query.endsWith(u':');
        QCOMPARE(OpQuery::parse(query.toStdString()).has_value(), isUnfinished);
    }

    void saysWhatAnAnswerNeeds() {
        const auto needs = [](const char* text) {
            const auto query = OpQuery::parse(text);
            return query ? std::pair(query->needsPlan(), query->needsSimulation()) : std::pair(false, true);
        };
        QVERIFY(needs("conv type:Conv macs:>1M shape:3") == std::pair(false, false));
        QVERIFY(needs("conv on:pim") == std::pair(true, false));
        QVERIFY(needs("-cost:>1ms") == std::pair(true, false));
        QVERIFY(needs("conv energy:>1uJ") == std::pair(true, true));
        QVERIFY(needs("error:>1% on:host") == std::pair(true, true));
    }
};

QTEST_GUILESS_MAIN(TestOpQuery)
#include "tst_core_compile_op_query.moc"
