// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Power and area out of target files, their evidence, and energy as the sum of its parts.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/energy/figures.h"
#include "core/hardware/catalog.h"

using namespace pim;
using namespace pim::measure;

class TestFigures : public QObject {
    Q_OBJECT

    const TargetCatalog m_catalog = TargetCatalog::load();

private slots:
    void evidence() {
        QCOMPARE(evidenceOf("assumption: as the NVIDIA A100 datasheet"), Evidence::Assumption);
        QCOMPARE(evidenceOf("derived: PUMA (ASPLOS 2019) Table 3"), Evidence::Derived);
        QCOMPARE(evidenceOf("NVIDIA A100 datasheet (2021): SXM"), Evidence::Datasheet);
        QCOMPARE(evidenceOf("Intel Xeon Platinum 8380 product specification (ARK): TDP"),
                 Evidence::Datasheet);
        QCOMPARE(evidenceOf("ISAAC (ISCA 2016) Table I"), Evidence::Published);
        QCOMPARE(name(Evidence::Assumption), std::string_view("assumption"));
    }

    void ofAllInstances() {
        const auto one = m_catalog.find("upmem-1").value(), twenty = m_catalog.find("upmem-20").value();
        QCOMPARE(workingPower(*one)->value / kWatt, 13.92);
        QCOMPARE(workingPower(*twenty)->value / kWatt, 20 * 13.92);
        QVERIFY(!siliconArea(*twenty));
        const auto chips = m_catalog.find("pcm-64").value();
        QVERIFY(std::abs(siliconArea(*chips)->value / kSquareMillimetre - 8 * 64 * 0.62) < 1e-9);
        QCOMPARE(siliconArea(*chips)->evidence, Evidence::Derived);
        QVERIFY(!workingPower(*chips));
    }

    void otherUnitsAndNonsense() {
        Target target = *m_catalog.find("isaac").value();
        target.parameters["area.chip"] = {85.4e6, "um2", "somewhere"};
        QVERIFY(std::abs(siliconArea(target)->value / kSquareMillimetre - 85.4) < 1e-9);
        target.parameters["area.chip"] = {85.4, "W", "somewhere"};
        QVERIFY(!siliconArea(target));
    }

    /// Every host says what it draws, so that no comparison leaves it out.
    void allHosts() {
        for (const auto& host : m_catalog.hosts()) {
            const auto power = hostPower(*host, "busy");
            QVERIFY2(power && power->value > Power(), host->id.c_str());
            QVERIFY2(!hostPower(*host, "idle"), host->id.c_str());
        }
    }

    void partsAreTheTotal() {
        EnergyBudget budget;
        QVERIFY(budget.empty() && budget.total() == Energy());
        budget.add({"MACAB", 2 * kNanojoule, Evidence::Published});
        const Energy before = budget.total();
        budget.add("host", {270 * kWatt, Evidence::Datasheet}, 10 * kNanosecond);
        budget.add("host", {270 * kWatt, Evidence::Assumption}, Time());
        QCOMPARE(budget.parts().size(), std::size_t{2});
        QVERIFY(budget.total() > before); // more work never costs less
        QCOMPARE(budget.total() / kNanojoule, 2 + 2700.0);
        QCOMPARE(budget.evidence(), Evidence::Published);
    }
};

QTEST_GUILESS_MAIN(TestFigures)
#include "tst_core_energy_figures.moc"
