// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The model of in-memory-computing macros against measured chips: energy within 6 %, area within 8 %, exclusions with their reason;
/// the table of the help page is what is computed here.
#include <QFile>
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/base/paths.h"
#include "core/energy/imc_macro.h"

using namespace pim;
using namespace pim::measure;

class TestImcMacro : public QObject {
    Q_OBJECT

    static QString percent(double share) {
        return QString("%1 %").arg(share * 100, 0, 'f', 1).replace('-', "−");
    }

    /// "| ISSCC 2022 15.5 | 55.1 fJ | 54.6 fJ | 0.9 % | 0.883 mm² | 0.941 mm² | −6.1 % |"
    static QString row(const ImcMacro& macro) {
        const auto fj = [](Energy energy) { return QString("%1 fJ").arg(energy / kFemtojoule, 0, 'g', 4); };
        const auto mm2 = [](Area area) { return QString("%1 mm²").arg(area / kSquareMillimetre, 0, 'g', 4); };
        const bool hasEnergy = macro.predicted.perMac > Energy();
        return QString("| %1 | %2 | %3 | %4 | %5 | %6 | %7 |")
            .arg(QString::fromStdString(macro.name), hasEnergy ? fj(macro.predicted.perMac) : "–",
                 fj(macro.silicon.perMac), hasEnergy ? percent(macro.energyError()) : "–",
                 mm2(macro.predicted.area), mm2(macro.silicon.area), percent(macro.areaError()));
    }

private slots:
    void partsHaveTheirDimensions() {
        const ImcTechnology one(1), half(0.5);
        QCOMPARE(one.gates(1).energy / kFemtojoule, 0.7);
        QCOMPARE(one.gates(1000).area / kSquareMicrometre, 614.0);
        QVERIFY(std::abs(one.adc(8).energy / kPicojoule - 0.865536) < 1e-9); // 800 fF + 65.536 fF at 1 V
        QVERIFY(std::abs(one.adc(8).energy / half.adc(8).energy - 4) < 1e-12);
        QVERIFY(one.adc(9).energy > one.adc(8).energy && one.adc(9).area > one.adc(8).area);
        QCOMPARE(one.dac(7).energy / kFemtojoule, 350.0);
        // A tree over two inputs is one adder of a bit more than theirs, less the top carry.
        QVERIFY(std::abs(one.adderTree(2, 8).energy / one.adder(8).energy - 1) < 1e-12);
        QVERIFY(one.adderTree(64, 8).area > one.adderTree(32, 8).area);
    }

    void nearSilicon() {
        int energies = 0, areas = 0;
        for (const ImcMacro& macro : measuredImcMacros()) {
            if (macro.noEnergy.empty()) {
                QVERIFY2(std::abs(macro.energyError()) <= 0.06, qPrintable(row(macro)));
                ++energies;
            }
            if (macro.noArea.empty()) {
                QVERIFY2(std::abs(macro.areaError()) <= 0.08, qPrintable(row(macro)));
                ++areas;
            }
        }
        QCOMPARE(energies, 3);
        QCOMPARE(areas, 4);
    }

    void helpShowsTheSame() {
        QFile file(QString::fromStdString((resourceDir() / "help" / "which.md").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll());
        for (const ImcMacro& macro : measuredImcMacros()) {
            QVERIFY2(page.contains(row(macro)), qPrintable(row(macro)));
            for (const std::string& reason : {macro.noEnergy, macro.noArea})
                QVERIFY2(page.contains(QString::fromStdString(reason)), reason.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestImcMacro)
#include "tst_core_energy_imc_macro.moc"
