// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The figures of a machine by name, and machines with some of them changed.
#include "core/hardware/catalog.h"
#include "core/hardware/target_figures.h"

#include <QTest>

#include <fmt/format.h>

#include <random>

using namespace pim;

namespace {

const TargetCatalog& catalog() {
    static const TargetCatalog all = TargetCatalog::load();
    return all;
}

const Target& target(const char* id) {
    return **catalog().find(id);
}

QString textOf(const Result<Target>& result) {
    return result ? QString() : QString::fromStdString(result.error().text());
}

} // namespace

class TestTargetFigures : public QObject {
    Q_OBJECT
private slots:
    /// Reading any figure of any machine and writing it back changes nothing.
    void everyFigureOfEveryMachineCanBeVaried() {
        int figures = 0;
        for (const auto& each : catalog().targets())
            for (const TargetFigure& value : targetFigures(*each)) {
                ++figures;
                const auto same = changedTarget(*each, {{value.name, fmt::format("{}", value.value)}});
                QVERIFY2(same, qPrintable(textOf(same)));
                QCOMPARE(QString::fromStdString(same->hash), QString::fromStdString(each->hash));
            }
        QVERIFY(figures > 1000);
    }

    void aChangedMachineSaysSo() {
        const auto changed =
            changedTarget(target("hbm-pim"), {{"timing.nCCDL", "2"}, {"core.bank.capacity", "8MiB"}});
        QVERIFY2(changed, qPrintable(textOf(changed)));
        QCOMPARE(changed->numberOr("timing.nCCDL", 0), 2.0);
        QCOMPARE(changed->level("core")->memory("bank")->bytes, std::int64_t(8) << 20);
        QVERIFY(
            changed->parameters.at("timing.nCCDL").source.starts_with("varied: 2 cycles; was 4: Samsung"));
        QVERIFY(changed->hash != target("hbm-pim").hash);
        // What is stored in a project reads back as the same machine.
        const auto stored = targetFromJson(targetJson(*changed));
        QVERIFY(stored && (*stored)->hash == changed->hash);
    }

    void sumsOfPartsFollow() {
        // A stack of 16 pseudo-channels with 16 GB/s each has 256 GB/s.
        const auto hbm =
            changedTarget(target("hbm-pim"), {{"group.count", "32"}, {"group.bus.bandwidth", "8"}});
        QVERIFY2(hbm, qPrintable(textOf(hbm)));
        QCOMPARE(hbm->level("device")->bus.bytesPerNs, 256.0);
        QCOMPARE(changedTarget(target("hbm-pim"), {{"group.count", "8"}})->level("device")->bus.bytesPerNs,
                 128.0);
        // 128 DPUs of 16 shares of 4 MiB are 8 GiB.
        const auto upmem = changedTarget(target("upmem-4"),
                                         {{"core.count", "8"}, {"core.bank.capacity", "64MiB/core.count"}});
        QVERIFY2(upmem, qPrintable(textOf(upmem)));
        QCOMPARE(upmem->level("core")->memory("bank")->bytes, std::int64_t(8) << 20);
        QCOMPARE(upmem->level("device")->memory("module")->bytes, std::int64_t(8) << 30);
        // What is no sum stays.
        QCOMPARE(upmem->level("group")->memory("WRAM")->bytes, std::int64_t(64) << 10);
    }

    /// Silicon that was published for another number of arrays is unknown here, unless somebody says how it grows.
    void areaAndPowerOfAnotherMachineAreForgotten() {
        const Target& chip = target("dynaplasia");
        QVERIFY(chip.parameters.contains("area.chip"));
        const auto has = [&](const std::vector<TargetChange>& changes, const char* what) {
            const auto changed = changedTarget(chip, changes);
            return changed && changed->parameters.contains(what);
        };
        QVERIFY(!has({{"array.count", "48"}}, "area.chip"));
        QVERIFY(has({{"array.count", "96"}}, "area.chip")); // as it was
        QVERIFY(has({{"chip.count", "2"}}, "area.chip"));   // of one chip
        QVERIFY(has({{"host.cores", "8"}}, "area.chip"));
        const auto told =
            changedTarget(chip, {{"array.count", "48"}, {"area.chip", "area.chip*array.count/96"}});
        QVERIFY2(told, qPrintable(textOf(told)));
        QCOMPARE(told->numberOr("area.chip", 0), chip.numberOr("area.chip", 0) / 2);
        // A slower clock has the same silicon, and draws less.
        const auto slower = changedTarget(target("upmem-4"), {{"timing.tCK", "4"}});
        QVERIFY2(slower, qPrintable(textOf(slower)));
        QVERIFY(target("upmem-4").parameters.contains("power.device") &&
                !slower->parameters.contains("power.device"));
    }

    void refusesWhatCannotBe_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("unknown") << "group.cuont"
                                 << "8"
                                 << "did you mean \"group.count\"?";
        QTest::newRow("half a group") << "group.count"
                                      << "2.5"
                                      << "no whole number";
        QTest::newRow("none") << "group.count"
                              << "0"
                              << "the least is 1";
        QTest::newRow("negative") << "timing.nCCDL"
                                  << "-4"
                                  << "must not be negative";
        QTest::newRow("too many") << "group.count"
                                  << "1e12"
                                  << "too large";
        QTest::newRow("too many together") << "group.count"
                                           << "1000000000"
                                           << "may be at most";
        QTest::newRow("wrong unit") << "core.bank.capacity"
                                    << "16ns"
                                    << "measures something else than B";
        QTest::newRow("no formula") << "group.count"
                                    << "8*"
                                    << "a number, a name or";
        QTest::newRow("unknown in a formula") << "group.count"
                                              << "2*groups"
                                              << "the unknown \"groups\"";
        QTest::newRow("contradiction") << "core.bank.capacity"
                                       << "1GiB"
                                       << "the bank memory of a core has";
        QTest::newRow("infinite") << "timing.tCK"
                                  << "1e999"
                                  << "";
    }
    void refusesWhatCannotBe() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto changed = changedTarget(target("hbm-pim"), {{name.toStdString(), text.toStdString()}});
        QVERIFY(!changed);
        QVERIFY2(textOf(changed).contains(message), qPrintable(textOf(changed)));
    }

    /// Whatever is written: a message or a machine, and never a crash.
    void survivesRandomTexts() {
        std::mt19937 random(11);
        const std::string letters = "0123456789.+-*/()<>= abcMiBGns_,e";
        for (int i = 0; i < 400; ++i) {
            std::string text(random() % 20, ' ');
            for (char& c : text)
                c = letters[random() % letters.size()];
            (void)changedTarget(target("hbm-pim"), {{"group.count", text}});
        }
    }
};

QTEST_GUILESS_MAIN(TestTargetFigures)
#include "tst_core_hardware_figures.moc"
