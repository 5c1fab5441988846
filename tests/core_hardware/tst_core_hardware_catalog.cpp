// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped targets and the rules by which users' files are found.
#include "core/hardware/catalog.h"
#include "core/hardware/spelling.h"
#include "core/hardware/unit_table.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include <sys/stat.h>

using namespace pim;
namespace fs = std::filesystem;

namespace {

std::string readFile(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeFile(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    PIM_ASSERT(at != std::string::npos, "the text to replace is there");
    return text.replace(at, from.size(), to);
}

const fs::path kShipped = fs::path(PIM_SOURCE_DIR) / "resources" / "targets";

} // namespace

class TestCatalog : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { qunsetenv("PIM_TARGET_PATH"); }

    void readsEveryShippedFileWithoutAProblem() {
        const TargetCatalog catalog = TargetCatalog::load();
        for (const Diagnostic& problem : catalog.problems())
            qWarning("%s %s", problem.object.c_str(), problem.message.c_str());
        QVERIFY(catalog.problems().empty());
        std::vector<std::string> ids;
        for (const auto& target : catalog.targets())
            ids.push_back(target->id);
        QCOMPARE(ids, (std::vector<std::string>{"aim",
                                                "aim-32",
                                                "arch-c",
                                                "arch-c-1",
                                                "arch-c-p",
                                                "attacc",
                                                "dynaplasia",
                                                "dynaplasia-fast",
                                                "dynaplasia-fig1b",
                                                "dynaplasia-ref-a",
                                                "dynaplasia-ref-b",
                                                "dynaplasia-slow",
                                                "hbm-pim",
                                                "hbm-pim-hbm3",
                                                "isaac",
                                                "isaac-12",
                                                "isaac-p",
                                                "isscc21-dual",
                                                "pcm-64",
                                                "pimcomp-default",
                                                "prime",
                                                "prime-1024",
                                                "puma",
                                                "puma-16",
                                                "puma-p",
                                                "sram-digital",
                                                "upmem-1",
                                                "upmem-16",
                                                "upmem-20",
                                                "upmem-4",
                                                "upmem-8",
                                                "upmem-e19",
                                                "upmem-pimdl"}));
        QCOMPARE(catalog.hosts().size(), std::size_t{9});
    }

    void hasTheSizesOfThePublishedMachines_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<qint64>("groups");
        QTest::addColumn<qint64>("coresPerGroup");
        QTest::addColumn<qint64>("bankMiBPerCore");
        QTest::addColumn<qint64>("totalGiB");
        QTest::addColumn<double>("clockNs");
        QTest::newRow("hbm-pim") << "hbm-pim" << qint64{64} << qint64{8} << qint64{16} << qint64{8} << 1.0;
        QTest::newRow("hbm-pim-hbm3")
            << "hbm-pim-hbm3" << qint64{80} << qint64{32} << qint64{32} << qint64{80} << 0.769;
        QTest::newRow("attacc") << "attacc" << qint64{80} << qint64{64} << qint64{16} << qint64{80} << 0.769;
        QTest::newRow("aim") << "aim" << qint64{16} << qint64{16} << qint64{32} << qint64{8} << 0.5;
        QTest::newRow("aim-32") << "aim-32" << qint64{32} << qint64{16} << qint64{32} << qint64{16} << 0.5;
    }
    void hasTheSizesOfThePublishedMachines() {
        QFETCH(QString, id);
        QFETCH(qint64, groups);
        QFETCH(qint64, coresPerGroup);
        QFETCH(qint64, bankMiBPerCore);
        QFETCH(qint64, totalGiB);
        QFETCH(double, clockNs);
        const auto found = TargetCatalog::load().find(id.toStdString());
        QVERIFY(found.has_value());
        const Target& target = **found;
        QCOMPARE(qint64{target.instances("group")}, groups);
        QCOMPARE(qint64{target.instances("core")}, groups * coresPerGroup);
        QCOMPARE(qint64{target.instances("nothing")}, qint64{0});
        QCOMPARE(qint64{target.level("core")->memory("bank")->bytes}, bankMiBPerCore << 20);
        QCOMPARE(qint64{target.capacityBytes("core", "bank")}, totalGiB << 30);
        QCOMPARE(target.level("core")->unitFor("mac")->lanes, 16);
        QCOMPARE(target.number("timing.tCK", "ns").value(), clockNs);
        QVERIFY(!target.host.id.empty());
    }

    void convertsParametersBetweenUnitsOfOneKind() {
        const Target target = **TargetCatalog::load().find("attacc");
        QCOMPARE(target.number("timing.tCK", "ps").value(), 769.0);
        QCOMPARE(target.number("timing.nCCDAB", "cycles").value(), 6.0);
        QCOMPARE(target.timeNs("timing.nREFI").value(), 5070 * 0.769);
        QCOMPARE(target.number("energy.cell", "pJ/B").value(), 0.44 * 8);
        QCOMPARE(target.number("organisation.rowBytes", "B").value(), 1024.0);
        QCOMPARE(target.isOn("policy.powerLimit"), true);
        QCOMPARE(target.numberOr("no.such", 7), 7.0);
    }

    void explainsAMissingOrMisusedParameter() {
        const Target target = **TargetCatalog::load().find("attacc");
        const auto missing = target.number("timing.nCCDAC", "cycles");
        QCOMPARE(missing.error().code, ErrorCode::InvalidTarget);
        QVERIFY(missing.error().hint.find("timing.nCCDAB") != std::string::npos);
        const auto wrongUnit = target.number("timing.nRC", "ns");
        QVERIFY(wrongUnit.error().message.find("is in cycles, but ns is needed") != std::string::npos);
    }

    void readsBackItsOwnCanonicalText() {
        for (const auto& target : TargetCatalog::load().targets()) {
            const std::string text = targetJson(*target);
            const auto again = targetFromJson(text, "stored");
            QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
            QCOMPARE(targetJson(**again), text);
            QCOMPARE((*again)->hash, target->hash);
            QCOMPARE((*again)->hash.size(), std::size_t{64});
        }
    }

    void parsesATextOnceOnly() {
        const auto all = TargetCatalog::load().targets();
        const std::string text = targetJson(*all.front());
        const auto first = targetFromJson(text);
        QVERIFY(first);
        QCOMPARE(*targetFromJson(text), *first);
        const std::string damaged = text.substr(0, text.size() / 2);
        for (const char* where : {"here", "there"}) {
            const auto never = targetFromJson(damaged, where);
            QVERIFY(!never);
            QVERIFY2(never.error().where.starts_with(where), never.error().where.c_str());
        }
        // All the others in between: it is not kept for ever, and is the same machine again.
        for (const auto& target : all)
            QVERIFY(targetFromJson(targetJson(*target)));
        const auto again = targetFromJson(text);
        QVERIFY(again && (*again)->hash == (*first)->hash);
    }

    void changesTheHashWithAnyFigureAndWithTheHost() {
        const TargetCatalog catalog = TargetCatalog::load();
        Target target = **catalog.find("attacc");
        const std::string text = targetJson(target);
        target.parameters["timing.nRC"].value += 1;
        QVERIFY(targetJson(target) != text);
        const auto onH100 = catalog.find("attacc", "h100");
        QCOMPARE(onH100.value()->host.id, std::string("h100"));
        QVERIFY((*onH100)->hash != (**catalog.find("attacc")).hash);
    }

    void takesEveryHostForEveryTarget() {
        const TargetCatalog catalog = TargetCatalog::load();
        for (const auto& target : catalog.targets())
            for (const auto& host : catalog.hosts())
                QCOMPARE(catalog.find(target->id, host->id).value()->host.name, host->name);
    }

    void suggestsTheNearestNames() {
        const TargetCatalog catalog = TargetCatalog::load();
        const auto target = catalog.find("atacc");
        QCOMPARE(target.error().code, ErrorCode::NotFound);
        QCOMPARE(target.error().hint, std::string("did you mean \"attacc\"?"));
        QVERIFY(target.error().message.find("known are attacc, ") != std::string::npos);
        QCOMPARE(catalog.find("attacc", "a10").error().code, ErrorCode::NotFound);
        QCOMPARE(catalog.find("/nowhere/x.json").error().code, ErrorCode::Io);
        QCOMPARE(catalog.find("").error().code, ErrorCode::NotFound);
    }

    void prefersTheUsersFileAndKeepsGoodOnesBesideBadOnes() {
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        writeFile(root / "attacc.json",
                  replaced(readFile(kShipped / "attacc.json"), "AttAcc, 5 HBM3 stacks", "Mine"));
        writeFile(root / "broken.json", "{");
        writeFile(root / "hosts" / "mine.json",
                  replaced(readFile(kShipped / "hosts" / "a100.json"), "\"a100\"", "\"mine\""));
        const TargetCatalog catalog = TargetCatalog::load({root});
        QCOMPARE(catalog.find("attacc").value()->name, std::string("Mine"));
        QCOMPARE(catalog.find("attacc", "mine").value()->host.id, std::string("mine"));
        QCOMPARE(catalog.targets().size(), TargetCatalog::load().targets().size());
        QCOMPARE(catalog.problems().size(), std::size_t{1});
        QVERIFY(catalog.problems()[0].object.find("broken.json") != std::string::npos);
    }

    void findsOneAsAmongAll() {
        const TargetCatalog all = TargetCatalog::load();
        for (const auto& target : all.targets())
            for (const char* const host : {"", "a100"}) {
                Diagnostics problems;
                const auto one = TargetCatalog::findOne(target->id, host, {}, problems);
                QVERIFY2(one.has_value(), one ? "" : one.error().text().c_str());
                QCOMPARE((*one)->hash, all.find(target->id, host).value()->hash);
                QVERIFY(problems.empty());
            }
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        writeFile(root / "attacc.json",
                  replaced(readFile(kShipped / "attacc.json"), "AttAcc, 5 HBM3 stacks", "Mine"));
        writeFile(root / "aim.json", "{");
        Diagnostics problems;
        QCOMPARE(TargetCatalog::findOne("attacc", "", {root}, problems).value()->name, std::string("Mine"));
        QVERIFY(problems.empty()); // nobody asked for the broken one
        const auto file = (root / "attacc.json").string();
        QCOMPARE(TargetCatalog::findOne(file, "", {root}, problems).value()->name, std::string("Mine"));
        // A broken file does not hide the good one of another folder.
        QCOMPARE(TargetCatalog::findOne("aim", "", {root}, problems).value()->hash,
                 all.find("aim").value()->hash);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY(problems[0].object.find("aim.json") != std::string::npos);
        const auto unknown = TargetCatalog::findOne("../targets/aim", "", {}, problems);
        QCOMPARE(unknown.error().code, ErrorCode::NotFound);
        QVERIFY(unknown.error().message.find("known are ") != std::string::npos);
    }

    void readsFoldersOfTheEnvironmentAndSingleFiles() {
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        std::string text = replaced(readFile(kShipped / "aim.json"), "\"id\": \"aim\"", "\"id\": \"my-aim\"");
        writeFile(root / "my-aim.json", text);
        qputenv("PIM_TARGET_PATH", (folder.path() + ":/no/such/folder").toUtf8());
        const TargetCatalog catalog = TargetCatalog::load();
        QVERIFY(catalog.find("my-aim").has_value());
        QCOMPARE(catalog.problems().size(), std::size_t{1});
        QVERIFY(catalog.problems()[0].object == "/no/such/folder");
        qunsetenv("PIM_TARGET_PATH");
        const auto single = TargetCatalog::load().find((root / "my-aim.json").string(), "xeon-8380");
        QVERIFY2(single.has_value(), single ? "" : single.error().text().c_str());
        QCOMPARE((*single)->host.id, std::string("xeon-8380"));
    }

    void namesTheHostThatIsNotThere() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "aim.json";
        writeFile(file,
                  replaced(readFile(kShipped / "aim.json"), "\"host\": \"a100\"", "\"host\": \"a1000\""));
        Diagnostics problems;
        const auto target = readTarget(file, {kShipped / "hosts"}, problems);
        QCOMPARE(target.error().code, ErrorCode::InvalidTarget);
        QVERIFY(target.error().message.find("there is no host \"a1000\", known are a100, ") !=
                std::string::npos);
        QVERIFY(problems.at(0).hint.find("\"a100\"") != std::string::npos);
    }

    void doesNotWaitForPipesAndFolders() {
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        fs::create_directories(root / "folder.json");
        QCOMPARE(::mkfifo((root / "pipe.json").c_str(), 0600), 0);
        const TargetCatalog catalog = TargetCatalog::load({root});
        QVERIFY(catalog.problems().empty());
        QCOMPARE(catalog.find((root / "pipe.json").string()).error().code, ErrorCode::Io);
        QCOMPARE(catalog.find((root / "folder.json").string()).error().code, ErrorCode::Io);
    }

    void measuresSpellingsAndUnits() {
        QCOMPARE(editDistance("kitten", "sitting"), 3);
        QCOMPARE(editDistance("GB/S", "gb/s"), 0);
        QCOMPARE(editDistance("", "abc"), 3);
        QCOMPARE(didYouMean("quux", {"attacc"}), std::string());
        QCOMPARE(convertUnit(1, "TB/s", "GB/s").value(), 1000.0);
        QCOMPARE(convertUnit(2, "GiB", "MiB").value(), 2048.0);
        QVERIFY(!convertUnit(1, "ns", "B"));
        QVERIFY(!convertUnit(1, "parsec", "ns"));
    }
};

QTEST_APPLESS_MAIN(TestCatalog)
#include "tst_core_hardware_catalog.moc"
