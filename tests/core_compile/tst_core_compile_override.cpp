// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Overrides as text: canonical form, patches both ways, errors with their JSON pointer.
#include "core/plan/override.h"

#include <QTest>

#include <random>

using namespace pim;

namespace {

Overrides read(const char* text, const Overrides& base = {}) {
    auto overrides = Overrides::fromJson(text, base);
    return overrides ? *overrides : Overrides();
}

Error errorOf(const char* text) {
    const auto overrides = Overrides::fromJson(text, {});
    return overrides ? Error{ErrorCode::Internal, "no error", {}, {}} : overrides.error();
}

} // namespace

class TestOverride : public QObject {
    Q_OBJECT
private slots:
    void keepsOneValueAFieldAndReturnsTheOneBefore() {
        Overrides overrides;
        QVERIFY(!overrides.set({"Conv_1", "placement", "pim"}));
        QCOMPARE(overrides.set({"Conv_1", "placement", "host"}), std::optional<std::string>("pim"));
        QCOMPARE(overrides.size(), std::size_t{1});
        QCOMPARE(*overrides.find("Conv_1", "placement"), std::string("host"));
        QCOMPARE(overrides.clear("Conv_1", "placement"), std::optional<std::string>("host"));
        QVERIFY(!overrides.clear("Conv_1", "placement"));
        QVERIFY(overrides.empty());
    }

    void writesTheDocumentedForm() {
        Overrides overrides;
        overrides.set({"Conv_12", "residency/a/b", "streamed"});
        overrides.set({"Conv_12", "placement", "pim"});
        overrides.set({"", "placement", "host"});
        QCOMPARE(overrides.json(),
                 std::string("{\n  \"network\": {\n    \"placement\": \"host\"\n  },\n  \"ops\": {\n"
                             "    \"Conv_12\": {\n      \"placement\": \"pim\",\n      \"residency\": {\n"
                             "        \"a/b\": \"streamed\"\n      }\n    }\n  }\n}\n"));
    }

    void takesWholeNumbersAsText() {
        const Overrides overrides = read(R"({"ops": {"Conv_1": {"replicas": 12, "residency": {"W": -3}}}})");
        QCOMPARE(*overrides.find("Conv_1", "replicas"), std::string("12"));
        QCOMPARE(*overrides.find("Conv_1", "residency/W"), std::string("-3"));
    }

    void readsBackWhatItWroteAndPatchesAnySetIntoAnyOther() {
        std::mt19937 random(7);
        const std::vector<std::string> ops{"", "a", "b/c", "~d", "e\"f", "7"},
            fields{"placement", "draft", "residency/W", "residency/x/y"};
        const auto randomSet = [&] {
            Overrides overrides;
            for (unsigned i = random() % 12; i > 0; --i)
                overrides.set({ops[random() % ops.size()], fields[random() % fields.size()],
                               std::to_string(random() % 5)});
            return overrides;
        };
        for (int round = 0; round < 300; ++round) {
            const Overrides before = randomSet(), after = randomSet();
            QCOMPARE(read(before.json().c_str()), before);
            const auto patched = Overrides::fromJson(Overrides::patch(before, after), before);
            QVERIFY2(patched.has_value(), patched ? "" : patched.error().text().c_str());
            QCOMPARE(*patched, after);
        }
    }

    void addsUnderOpsThatHaveNoDecisionYet() {
        const auto overrides =
            read(R"([{"op": "add", "path": "/ops/Conv_1/residency/W", "value": "streamed"}])");
        QVERIFY(overrides.find("Conv_1", "residency/W"));
        QCOMPARE(*overrides.find("Conv_1", "residency/W"), std::string("streamed"));
    }

    void aNumberOnTheWayIsANameToo() {
        const auto overrides =
            read(R"([{"op": "add", "path": "/ops/Conv_1/7777777777/W", "value": "streamed"}])");
        QVERIFY(overrides.find("Conv_1", "7777777777/W"));
    }

    void namesWhatIsWrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("no json") << "{\n\"ops\": ,}"
                                 << "overrides:2";
        QTest::newRow("a number") << "3"
                                  << "overrides: /";
        QTest::newRow("unknown key") << R"({"op": {}})"
                                     << "overrides: /op";
        QTest::newRow("value of wrong type") << R"({"ops": {"a/b": {"placement": 3.5}}})"
                                             << "overrides: /ops/a~1b/placement";
        QTest::newRow("op is no object") << R"({"ops": {"a": "pim"}})"
                                         << "overrides: /ops/a";
        QTest::newRow("deep value") << R"({"ops": {"a": {"residency": {"W": {"x": 1}}}}})"
                                    << "overrides: /ops/a/residency/W";
        QTest::newRow("patch of nothing") << R"([{"op": "remove", "path": "/ops/a"}])"
                                          << "overrides: /0";
        QTest::newRow("second step") << R"([{"op": "add", "path": "/ops/a/x", "value": "1"}, {"op": "move"}])"
                                     << "overrides: /1";
        QTest::newRow("unknown operation") << R"([{"op": "test", "path": "/ops", "value": {}}])"
                                           << "overrides: /0";
        QTest::newRow("no pointer") << R"([{"op": "add", "path": "ops", "value": {}}])"
                                    << "overrides: /0";
        QTest::newRow("path of nine parts")
            << R"([{"op": "add", "path": "/ops/a/b/c/d/e/f/g/h", "value": "1"}])"
            << "overrides: /0";
        QTest::newRow("below a text")
            << R"([{"op": "add", "path": "/ops/a/x", "value": "1"}, {"op": "add", "path": "/ops/a/x/y", "value": "1"}])"
            << "overrides: /1";
    }
    void namesWhatIsWrong() {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const Error error = errorOf(text.toUtf8().constData());
        QCOMPARE(error.code, ErrorCode::IllegalOverride);
        QCOMPARE(QString::fromStdString(error.where), where);
        QVERIFY(!error.message.empty());
    }

    void refusesDeepNestingWithoutCrashing() {
        const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
        const auto overrides = Overrides::fromJson(deep, {});
        QVERIFY(!overrides);
        QCOMPARE(overrides.error().code, ErrorCode::IllegalOverride);
    }
};

QTEST_APPLESS_MAIN(TestOverride)
#include "tst_core_compile_override.moc"
