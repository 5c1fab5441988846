// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// UPMEM as the compiler sees it: transfers, targets that cannot be, plans of networks and their simulation.
#include "backends/builtin.h"
#include "backends/upmem/upmem.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"

#include <QTest>

#include <cmath>

using namespace pim;
using namespace pim::upmem;

namespace {

HostLink link(int dpus) {
    HostLink made;
    made.ranks = (dpus + 63) / 64;
    return made;
}

double ns(const HostLink& over, TransferKind kind, Direction direction, std::int64_t bytes, int dpus) {
    return over.transferNs({direction, kind, bytes, dpus});
}

} // namespace

class TestUpmem : public QObject {
    Q_OBJECT
    const BackendList m_backends = builtinBackends();

    std::shared_ptr<const Target> target(const char* id) const { return *TargetCatalog::load().find(id); }
    Result<std::shared_ptr<const Plan>> planned(const char* id, DataType type,
                                                const char* decisions = "{}") const {
        PIM_TRY(const auto graph,
                loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 7}}}));
        PIM_TRY(Overrides overrides, Overrides::fromJson(decisions, {}));
        CompileOptions options;
        options.computeType = type;
        return compile(m_backends, {graph, target(id), std::move(overrides), options});
    }

private slots:
    /// 32 MB for each DPU of a rank: the rates of PrIM. Less than a rank is slower, but never slower than one DPU alone.
    void transfersHaveTheRatesOfTheChips() {
        constexpr std::int64_t kBytes = 32 << 20;
        const auto rate = [&](TransferKind kind, Direction direction, int dpus) {
            return double(kBytes) * dpus / ns(link(dpus), kind, direction, kBytes, dpus);
        };
        QVERIFY(std::abs(rate(TransferKind::Parallel, Direction::ToDpu, 64) - 6.68) < 0.01);
        QVERIFY(std::abs(rate(TransferKind::Parallel, Direction::FromDpu, 64) - 4.74) < 0.01);
        QVERIFY(std::abs(rate(TransferKind::Broadcast, Direction::ToDpu, 64) - 16.88) < 0.01);
        QVERIFY(std::abs(rate(TransferKind::Serial, Direction::ToDpu, 3) - 0.33) < 0.001);
        QVERIFY(std::abs(rate(TransferKind::Serial, Direction::FromDpu, 64) - 0.12) < 0.001);
        double before = 0;
        for (int dpus = 1; dpus <= 128; ++dpus) {
            const double now = rate(TransferKind::Parallel, Direction::ToDpu, dpus);
            QVERIFY(now >= 0.33 - 1e-3 && now <= 13.36);
            if (dpus <= 64)
                QVERIFY(now >= before - 1e-9);
            before = now;
        }
        HostLink narrow = link(1024);
        narrow.mostGbps = 10;
        QVERIFY(ns(narrow, TransferKind::Parallel, Direction::ToDpu, 1 << 20, 1024) >= double(1 << 30) / 10);
    }

    void piecesArePaddedAndRefused() {
        QCOMPARE(HostLink::paddedBytes(1), 8);
        QCOMPARE(ns(link(64), TransferKind::Parallel, Direction::ToDpu, 1, 64),
                 ns(link(64), TransferKind::Parallel, Direction::ToDpu, 8, 64));
        const auto refused = [](HostTransfer transfer, const char* words) {
            const auto checked = checkTransfer(transfer, link(64));
            return !checked && checked.error().text().find(words) != std::string::npos;
        };
        QVERIFY(refused({Direction::ToDpu, TransferKind::Parallel, 0, 64}, "0 bytes"));
        QVERIFY(refused({Direction::ToDpu, TransferKind::Parallel, (64 << 20) + 1, 1}, "MRAM has 67108864"));
        QVERIFY(refused({Direction::ToDpu, TransferKind::Parallel, 8, 65}, "the machine has 64"));
        QVERIFY(refused({Direction::FromDpu, TransferKind::Broadcast, 8, 64}, "never from them"));
        QVERIFY(checkTransfer({Direction::FromDpu, TransferKind::Parallel, 8, 64}, link(64)));
    }

    /// Index, LUT and output of BERT-base, V 4, attention output: t_index + t_lut + t_out of the tuner, seconds.
    void transfersOfPimDlAreItsFits() {
        HostLink fits = link(1024);
        fits.reading = LinkReading::PimDl;
        QVERIFY(std::abs(ns(fits, TransferKind::Broadcast, Direction::ToDpu, 100 << 10, 1024) * 1e-9 -
                         0.0207961) < 1e-7);
        const double mb = 1024.0 * 768 * 16 * 48 / 4 / (1 << 20);
        QVERIFY(std::abs(ns(fits, TransferKind::Parallel, Direction::ToDpu, 768 * 16 * 48 / 4, 1024) * 1e-9 -
                         (mb <= 256 ? 1e-4 * mb + 0.0037 : 7e-5 * mb + 0.0152)) < 1e-9);
        QVERIFY(std::abs(ns(fits, TransferKind::Parallel, Direction::FromDpu, 1 << 20, 1024) * 1e-9 -
                         1024 / 4678.73) < 1e-6);
    }

    void refusesTargetsThatCannotBe_data() {
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("message");
        QTest::newRow("25 tasklets") << 0 << "is 25 tasklets, a DPU has 1 to 24";
        QTest::newRow("no DPU") << 1 << "there is no DPU";
        QTest::newRow("no clock") << 2 << "clock of the DPU is missing";
        QTest::newRow("no link") << 3 << "is missing or not more than 0";
        QTest::newRow("more MRAM than there is") << 4 << "the MRAM of a DPU has 67108864 B";
        QTest::newRow("levels of another machine") << 5 << "device, group, core in this order";
    }
    void refusesTargetsThatCannotBe() {
        QFETCH(int, change);
        QFETCH(QString, message);
        Target broken = *target("upmem-1");
        switch (change) {
        case 0:
            broken.levels[2].count = 25;
            break;
        case 1:
            broken.levels[1].count = 0;
            break;
        case 2:
            broken.parameters.erase("timing.tCK");
            break;
        case 3:
            broken.parameters["link.broadcast"].value = 0;
            break;
        case 4:
            broken.levels[2].memories.front().bytes = 8 << 20;
            break;
        default:
            broken.levels[1].id = "rank";
        }
        QString said;
        for (const Diagnostic& problem : m_backends.find("upmem").value()->checkTarget(broken))
            said += QString::fromStdString(problem.message) + "; ";
        QVERIFY2(said.contains(message), qPrintable(said));
    }

    /// Every op that may be on DPUs is put there, and its kernel runs on the engine about as predicted.
    void simulatesWhatItPlans() {
        for (const DataType type : {DataType::I8, DataType::I16}) {
            const auto plan = planned("upmem-1", type, R"({"network": {"placement": "pim"}})");
            QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
            const auto simulation = m_backends.find("upmem").value()->simulate(**plan, {});
            QVERIFY2(simulation, simulation ? "" : simulation.error().text().c_str());
            int onPim = 0;
            for (const SimulatedOp& op : (*simulation)->ops) {
                if ((*plan)->ops[op.op.index()].onHost())
                    continue;
                ++onPim;
                QCOMPARE(op.origin, Origin::Simulated);
                QVERIFY(op.cost.computeNs > 0);
                const double ratio = op.predicted.computeNs / op.cost.computeNs;
                QVERIFY2(ratio > 0.6 && ratio < 1.4,
                         qPrintable(QString::fromStdString((*plan)->graph->op(op.op).name) + ' ' +
                                    QString::number(ratio)));
                QCOMPARE(op.cost.inputNs, op.predicted.inputNs);
            }
            QVERIFY(onPim >= 8);
            QVERIFY(!(*simulation)->timeline.spans.empty());
            double busy = 0;
            for (const TimelineSpan& span : (*simulation)->timeline.spans)
                busy += double(span.durationNs);
            QVERIFY(std::abs(busy / (*simulation)->totalNs - 1) < 1e-3);
        }
    }

    void softFloatsArePricedAndSlow() {
        const auto whole = planned("upmem-1", DataType::I8, R"({"network": {"placement": "pim"}})");
        const auto soft = planned("upmem-1", DataType::F32, R"({"network": {"placement": "pim"}})");
        QVERIFY2(whole && soft, soft ? "" : soft.error().text().c_str());
        QVERIFY((*soft)->total.computeNs > 10 * (*whole)->total.computeNs);
        const auto simulation = m_backends.find("upmem").value()->simulate(**soft, {});
        QVERIFY(!simulation && simulation.error().code == ErrorCode::Unsupported);
    }

    void saysWhyOpsStayOnTheHost() {
        const auto plan = planned("upmem-4", DataType::I8, R"({"network": {"placement": "pim"}})");
        QVERIFY(plan);
        QStringList verdicts;
        for (const OpPlan& op : (*plan)->ops)
            verdicts << QString::fromStdString(op.pimVerdict);
        QVERIFY2(verdicts.join('\n').contains("softmax"), qPrintable(verdicts.join('\n')));
    }
};

QTEST_GUILESS_MAIN(TestUpmem)
#include "tst_backends_upmem.moc"
