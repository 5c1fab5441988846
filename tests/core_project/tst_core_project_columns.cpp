// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/options.h"
#include "core/project/draft_columns.h"

#include <QTest>

#include <random>

using namespace pim;

class TestColumns : public QObject {
    Q_OBJECT

private slots:
    void givesBackWhatWasPacked_data() {
        QTest::addColumn<int>("drafts");
        QTest::addColumn<int>("sets");
        QTest::addColumn<int>("largest");
        QTest::newRow("none") << 0 << 3 << 10;
        QTest::newRow("one") << 1 << 2 << 10;
        QTest::newRow("bytes") << 500 << 3 << 255;
        QTest::newRow("words") << 500 << 1 << 65535;
        QTest::newRow("long words") << 500 << 4 << 1000000;
        QTest::newRow("no sets") << 10 << 0 << 10;
    }
    void givesBackWhatWasPacked() {
        QFETCH(int, drafts);
        QFETCH(int, sets);
        QFETCH(int, largest);
        std::mt19937 random(static_cast<unsigned>(drafts + largest));
        std::vector<Draft> packed(static_cast<std::size_t>(drafts));
        std::vector<CostSplit> costs(packed.size());
        for (std::size_t i = 0; i < packed.size(); ++i) {
            for (int set = 0; set < sets; ++set)
                packed[i].parts.push_back({static_cast<int>(1 + random() % static_cast<unsigned>(largest)),
                                           static_cast<int>(1 + random() % 16),
                                           static_cast<int>(random() % 3)});
            packed[i].strategy = random() % 2 ? IndexStrategy::ExactSet : IndexStrategy::ExpandedRange;
            costs[i] = {random() / 7.0, random() / 3.0, static_cast<double>(random() % 5), 30.1, 0};
        }
        const auto result = unpackDrafts(packDrafts(packed, costs, sets));
        QVERIFY(result.has_value());
        QVERIFY(result->drafts == packed);
        for (std::size_t i = 0; i < costs.size(); ++i) {
            for (auto part : {&CostSplit::inputNs, &CostSplit::computeNs, &CostSplit::outputNs})
                QVERIFY(std::abs(result->costs[i].*part - costs[i].*part) <= 6e-8 * costs[i].*part);
            QCOMPARE(result->costs[i].modeSwitchNs, 30.1); // equal in all rows: kept exactly
            QCOMPARE(result->costs[i].hostNs, 0.0);
        }
    }

    void isTheDocumentedLayout() {
        const std::vector<Draft> drafts{{{{2, 1, 0}}, IndexStrategy::ExactSet},
                                        {{{300, 1, 0}}, IndexStrategy::ExactSet}};
        const std::vector<CostSplit> costs{{1, 0, 0, 0, 0}, {2, 0, 0, 0, 0}};
        const auto bytes = packDrafts(drafts, costs, 1);
        const QByteArray raw(reinterpret_cast<const char*>(bytes.data()),
                             static_cast<qsizetype>(bytes.size()));
        QByteArray expected("PDC1");
        expected += QByteArray::fromHex("02000000"
                                        "01000000"
                                        "02"
                                        "0200"
                                        "2c01" // groups: u16
                                        "00"
                                        "0100000000000000" // cores: all 1
                                        "00"
                                        "0000000000000000" // mapping: all 0
                                        "00"
                                        "0100000000000000" // exact set
                                        "05"
                                        "0000803f"
                                        "00000040" // input: f32 1, 2
                                        "04"
                                        "0000000000000000"
                                        "04"
                                        "0000000000000000"
                                        "04"
                                        "0000000000000000"
                                        "04"
                                        "0000000000000000");
        QCOMPARE(raw.toHex(), expected.toHex());
    }

    void takesDamagedBytesAsAnError() {
        std::mt19937 random(7);
        std::vector<Draft> drafts(40, Draft{{{3, 4, 0}, {1, 1, 1}}, IndexStrategy::ExpandedRange});
        std::vector<CostSplit> costs(40);
        for (std::size_t i = 0; i < 40; ++i) {
            drafts[i].parts[0].groups = static_cast<int>(i);
            costs[i].inputNs = static_cast<double>(i);
        }
        const auto bytes = packDrafts(drafts, costs, 2);
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(!unpackDrafts(std::span(bytes).first(size)).has_value());
        for (int turn = 0; turn < 300; ++turn) {
            auto damaged = bytes;
            damaged[random() % damaged.size()] = static_cast<std::byte>(random());
            (void)unpackDrafts(damaged); // a value may change, but nothing may crash or run away
        }
        auto endless = bytes;
        endless[4] = endless[5] = endless[6] = endless[7] = std::byte{0xff};
        QVERIFY(!unpackDrafts(endless).has_value());
    }

    void readsBackEveryOption() {
        CompileOptions options;
        options.computeType = DataType::BF16;
        options.convAsGemm = !options.convAsGemm;
        options.overlapHostTransfer = !options.overlapHostTransfer;
        options.groupCommands = !options.groupCommands;
        options.seed = 0xfedcba9876543210;
        options.tiling = {.rule1 = false,
                          .rule2 = false,
                          .rule3 = false,
                          .bothStrategies = false,
                          .everyAllocation = true,
                          .walkLimit = 5,
                          .maxKept = 77};
        options.family["dual_mode"] = {{"strategy", "puma"}, {"caps", "96,48"}, {"joint-borders", "off"}};
        options.family["crossbar"] = {{"mode", "ll"}};
        const std::string text = optionsJson(options);
        const auto again = optionsFromJson(text, "test");
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QCOMPARE(optionsJson(*again), text);
        QVERIFY(text != optionsJson({}));
        QCOMPARE(again->seed, options.seed);
        QVERIFY(again->family == options.family);
        QVERIFY(text.find("cim") == std::string::npos);
    }

    void readsTheFormerNameOfAFamily() {
        const auto read = optionsFromJson(R"({"cim":{"strategy":"puma"}})", "run 3");
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->of("dual_mode").at("strategy"), std::string("puma"));
    }

    void refusesOptionsItDoesNotKnow() {
        for (const char* bad :
             {"{\"new_option\": 1}", "{\"seed\": \"x\"}", "[]", "", "{\"compute_type\": \"f7\"}",
              "{\"seed\": 18446744073709551616}", "{\"seed\": -1}", "{\"seed\": 1.5}",
              "{\"verify_drafts\": 3000000000}", "{\"verify_drafts\": 1e300}", "{\"crossbar\": \"ll\"}",
              "{\"crossbar\": {\"mode\": 1}}"}) {
            const auto read = optionsFromJson(bad, "run 3");
            QVERIFY2(!read.has_value(), bad);
            QCOMPARE(read.error().where, std::string("run 3"));
        }
    }
};

QTEST_GUILESS_MAIN(TestColumns)
#include "tst_core_project_columns.moc"
