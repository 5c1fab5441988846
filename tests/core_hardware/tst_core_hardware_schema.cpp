// SPDX-License-Identifier: GPL-3.0-or-later
// What a bad target file is told: every violation, with its path, the value seen and what is allowed.
#include "core/hardware/catalog.h"
#include "core/hardware/unit_table.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <random>
#include <set>

using namespace pim;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kShipped = fs::path(PIM_SOURCE_DIR) / "resources" / "targets";

json shipped(const char* id) {
    std::ifstream in(kShipped / (std::string(id) + ".json"));
    return json::parse(in);
}

class Scratch {
public:
    /// The diagnostics of a file with this text.
    Diagnostics read(const std::string& text, bool* ok = nullptr) {
        const fs::path file = fs::path(m_folder.path().toStdString()) / "attacc.json";
        std::ofstream(file, std::ios::binary) << text;
        Diagnostics problems;
        const auto target = readTarget(file, {kShipped / "hosts"}, problems);
        if (ok != nullptr)
            *ok = target.has_value();
        else
            PIM_ASSERT(!target, "the file is refused");
        return problems;
    }

private:
    QTemporaryDir m_folder;
};

bool has(const Diagnostics& all, std::string_view path, std::string_view message,
         std::string_view hint = {}) {
    for (const Diagnostic& one : all)
        if (one.object.ends_with(path) && one.message.find(message) != std::string::npos &&
            one.hint.find(hint) != std::string::npos)
            return true;
    for (const Diagnostic& one : all)
        qWarning("%s %s [%s]", one.object.c_str(), one.message.c_str(), one.hint.c_str());
    return false;
}

} // namespace

class TestSchema : public QObject {
    Q_OBJECT

private slots:
    void listsEveryViolationAtOnce() {
        json bad = shipped("attacc");
        bad["levels"][1]["count"]["value"] = 0;
        bad["levels"][2]["memories"][0]["capacity"]["unit"] = "MB";
        bad["levels"][0]["bus"]["bandwidth"].erase("source");
        bad["levels"][0]["busses"] = 1;
        bad["levels"][2]["units"][0]["types"][0] = "fp16";
        bad["parameters"]["timing.nRC"].erase("unit");
        bad["parameters"]["timing.nRAS"]["unit"] = "cycle";
        bad["parameters"]["Timing nRP"] = bad["parameters"]["timing.nRP"];
        bad["sumary"] = "x";
        bad["version"] = 2;
        bad["family"] = 3;
        const Diagnostics found = Scratch().read(bad.dump());
        QVERIFY(has(found, "attacc.json:$.levels[1].count.value", "is 0, must be at least 1"));
        QVERIFY(has(found, "$.levels[2].memories[0].capacity.unit", "is \"MB\", must be one of B, KiB, MiB",
                    "MiB"));
        QVERIFY(has(found, "$.levels[0].bus.bandwidth", "\"source\" is missing"));
        QVERIFY(has(found, "$.levels[0]", "unknown key \"busses\", allowed are bus, count", "\"bus\""));
        QVERIFY(has(found, "$.levels[2].units[0].types[0]", "is \"fp16\", must be one of", "\"f16\""));
        QVERIFY(has(found, "$.parameters.timing.nRC", "\"unit\" is missing"));
        QVERIFY(has(found, "$.parameters.timing.nRAS.unit", "is \"cycle\"", "\"cycles\""));
        QVERIFY(
            has(found, "$.parameters.Timing nRP (the key)", "words of letters and digits joined by dots"));
        QVERIFY(has(found, "$", "unknown key \"sumary\"", "\"summary\""));
        QVERIFY(has(found, "$.version", "is 2, must be 1"));
        QVERIFY(has(found, "$.family", "is 3, must be string"));
        QCOMPARE(found.size(), std::size_t{11});
    }

    void refusesFilesThatAreNoJson_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("empty") << QByteArray() << QByteArray("is not JSON");
        QTest::newRow("truncated") << QByteArray("{\"format\": \"pim-tar") << QByteArray("line 1, column");
        QTest::newRow("not UTF-8") << QByteArray("{\"name\": \"\xff\xfe\"}")
                                   << QByteArray("ill-formed UTF-8");
        QTest::newRow("zip") << QByteArray("PK\x03\x04\0\0\0\0", 8) << QByteArray("is not JSON");
        QTest::newRow("too large") << QByteArray(5 << 20, ' ') << QByteArray("may have at most 4194304");
        QTest::newRow("deep arrays") << QByteArray(1 << 20, '[') << QByteArray("deeper than 32 levels");
        QTest::newRow("deep objects")
            << QByteArray("{\"a\":").repeated(100000) << QByteArray("deeper than 32 levels");
        QTest::newRow("number too large") << QByteArray("{\"version\": 1e999}") << QByteArray("is not JSON");
        QTest::newRow("an array") << QByteArray("[1, 2]") << QByteArray("is an array of 2, must be object");
        QTest::newRow("null") << QByteArray("null") << QByteArray("is null, must be object");
    }
    void refusesFilesThatAreNoJson() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const Diagnostics found = Scratch().read(text.toStdString());
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(found[0].message.find(message.toStdString()) != std::string::npos, found[0].message.c_str());
    }

    void refusesKeysGivenTwice() {
        std::string text = shipped("attacc").dump();
        text.insert(text.rfind('}'), R"(,"backend":"other")");
        QVERIFY(has(Scratch().read(text), "attacc.json:$", "\"backend\" stands twice"));
    }

    void boundsTheListOfViolations() {
        json bad = shipped("attacc");
        for (int i = 0; i < 5000; ++i)
            bad["parameters"][fmt::format("x.y{}", i)] = i;
        QCOMPARE(Scratch().read(bad.dump()).size(), std::size_t{200});
    }

    void refusesContradictions_data() {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const char* pointer, const char* value, const char* message) {
            QTest::newRow(name) << QByteArray(pointer) << QByteArray(value) << QByteArray(message);
        };
        row("bank larger than its rows", "/levels/2/memories/0/capacity/value", "32", "rows of 1024 B hold");
        row("more cores than banks", "/levels/2/count/value", "65", "need 65 banks per group, there are 64");
        row("row of other length", "/parameters/organisation.columns/value", "16",
            "16 columns of 32 B make 512 B");
        row("refresh longer than its interval", "/parameters/timing.nRFC/value", "6000",
            "less than timing.nRFC");
        row("row cycle shorter than row active", "/parameters/timing.nRC/value", "30",
            "less than timing.nRAS");
        row("clock of zero", "/parameters/timing.tCK/value", "0", "must be 0.01 ns to 100 ns");
        row("half a cycle", "/parameters/timing.nRP/value", "18.5", "must be a whole number");
        row("negative time", "/parameters/timing.nRP/value", "-3", "must not be negative");
        row("switch half on", "/parameters/policy.powerLimit/value", "0.5", "must be 0 or 1");
        row("two levels of one id", "/levels/2/id", "\"group\"", "\"group\" is already the id");
        row("two memories of one name", "/levels/2/memories/1/name", "\"bank\"",
            "\"bank\" is already the name");
        row("half a byte", "/levels/2/memories/0/capacity", R"({"value":0.3,"unit":"B","source":"none"})",
            "whole number of bytes");
        row("absurd bandwidth", "/levels/0/bus/bandwidth",
            R"({"value":5000000,"unit":"TB/s","source":"none"})", "may be at most");
        row("fields that share bits", "/parameters/map.pim.row/value", "9", "overlap with \"row\"");
        row("other id than the file", "/id", "\"other\"", "must be \"attacc\" as the file is named");
        row("millions of cores", "/levels/1/count/value", "1000000", "instances of \"core\"");
    }
    void refusesContradictions() {
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, message);
        json bad = shipped("attacc");
        bad.at(json::json_pointer(pointer.toStdString())) = json::parse(value.toStdString());
        QVERIFY(has(Scratch().read(bad.dump()), "", message.toStdString()));
    }

    void refusesContradictionsOfDualModeChips_data() {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const char* pointer, const char* value, const char* message) {
            QTest::newRow(name) << QByteArray(pointer) << QByteArray(value) << QByteArray(message);
        };
        row("no arrays", "/levels/1/count/value", "0", "at least 1");
        row("clock of zero", "/parameters/timing.tCK/value", "0", "must be 0.01 ns to 100 ns");
        row("fact without a source", "/facts/switch.method", "{\"text\": \"magic\"}", "source");
    }
    void refusesContradictionsOfDualModeChips() {
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, message);
        json bad = shipped("dynaplasia");
        bad.at(json::json_pointer(pointer.toStdString())) = json::parse(value.toStdString());
        QVERIFY(has(Scratch().read(bad.dump()), "", message.toStdString()));
    }

    void knowsTheSameUnitsInSchemaAndTable() {
        std::ifstream in(kShipped / "target.schema.json");
        const json schema = json::parse(in);
        std::vector<std::string> inTable;
        for (const UnitInfo& unit : unitTable())
            inTable.emplace_back(unit.name);
        const json& units = schema["$defs"]["anyQuantity"]["properties"]["unit"]["enum"];
        QCOMPARE(units.get<std::vector<std::string>>(), inTable);
    }

    /// Random damage to a good file gives a target or a list of errors, never a crash.
    void survivesRandomDamage() {
        std::mt19937 random(20260);
        const std::string good = shipped("aim").dump();
        Scratch scratch;
        int refused = 0;
        for (int round = 0; round < 150; ++round) {
            std::string text = good;
            for (int change = 0; change < 3; ++change) {
                const std::size_t at = random() % text.size();
                switch (random() % 3) {
                case 0:
                    text[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    text.erase(at, random() % 40);
                    break;
                default:
                    text.insert(at, text.substr(random() % text.size(), random() % 40));
                }
            }
            bool ok = false;
            const Diagnostics found = scratch.read(text, &ok);
            QVERIFY(ok || !found.empty());
            refused += ok ? 0 : 1;
        }
        QVERIFY(refused > 100);
    }
};

QTEST_APPLESS_MAIN(TestSchema)
#include "tst_core_hardware_schema.moc"
