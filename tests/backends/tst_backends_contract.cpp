// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What every backend promises, on every target the product ships.
#include "core/compile/compiler.h"
#include "core/plan/draft_facet.h"
#include "tests/backends/kernels.h"

#include <cmath>
#include <set>

using namespace pim;
using namespace pim::test;

namespace {

const std::vector<std::string> kTargets{"hbm-pim", "hbm-pim-hbm3", "attacc", "aim", "aim-32"};

std::vector<std::pair<std::string, Kernel>> kernels() {
    return {
        {"gemv", gemv(1024, 512)},
        {"gemm", gemv(256, 384, 4)},
        {"odd gemv", gemv(1000, 300)},
        {"product", elementwise(1 << 16, "C[i] = A[i] * B[i]")},
        {"sum of two", elementwise(1 << 16, "C[i] = A[i] + B[i]")},
        {"rectifier", elementwise(100'000, "C[i] = relu(A[i])")},
        {"attention", attention(40, 2048, 128)},
        {"sum",
         kernelOf("def sum(X[1024][1024]: f16):\n Y = DCC.Tensor.zero([1024], f16)\n for i in range(1024):\n"
                  "  for k in range(1024):\n   Y[i] += X[i][k]\n")}};
}

CompileOptions quick() {
    CompileOptions options;
    options.tiling.walkLimit = 300;
    return options;
}

} // namespace

class TestBackends : public QObject {
    Q_OBJECT
private slots:
    void haveDistinctIdsAndAnswerByThem() {
        const BackendList backends = builtinBackends();
        std::set<std::string_view> ids;
        for (const auto& backend : backends.all()) {
            QVERIFY(ids.insert(backend->id()).second);
            QVERIFY(!backend->summary().empty());
            QVERIFY(backends.find(backend->id()).value() == backend.get());
        }
        const auto none = backends.find("nothing");
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::NotFound);
        QVERIFY(none.error().message.find("attacc") != std::string::npos);
    }

    void acceptTheirTargetsAndSayWhatATargetLacks_data() { eachTarget(); }
    void acceptTheirTargetsAndSayWhatATargetLacks() {
        QFETCH(QString, target);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        const Backend* backend = backends.find(machine->backend).value();
        QVERIFY(backend->checkTarget(*machine).empty());
        Target broken = *machine;
        broken.parameters.erase("timing.nRP");
        broken.levels.pop_back(); // the cores
        QVERIFY(backend->checkTarget(broken).size() >= 2);
    }

    void nameTheLevelsTheirKindOfMachineNeeds_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("level");
        QTest::addColumn<QString>("renamed");
        QTest::addColumn<QString>("message");
        QTest::newRow("no core")
            << "attacc" << 2 << "kernel"
            << "needs the levels device, group, core in this order, here: device, group, kernel";
        QTest::newRow("no array") << "dynaplasia" << 1 << "crossbar"
                                  << "needs the levels chip, array in this order, here: chip, crossbar";
        QTest::newRow("no cores of arrays")
            << "isaac" << 1 << "tile"
            << "needs the levels chip, core, array in this order, here: chip, tile";
        QTest::newRow("bank of another name") << "aim" << 2 << ""
                                              << "no memory \"bank\"";
        QTest::newRow("no bus") << "hbm-pim" << 1 << ""
                                << "has no bandwidth";
    }
    void nameTheLevelsTheirKindOfMachineNeeds() {
        QFETCH(QString, target);
        QFETCH(int, level);
        QFETCH(QString, renamed);
        QFETCH(QString, message);
        const BackendList backends = builtinBackends();
        Target broken = *targetOf(target.toStdString());
        Level& changed = broken.levels.at(std::size_t(level));
        if (!renamed.isEmpty())
            changed.id = renamed.toStdString();
        else if (message.contains("bank"))
            changed.memories.front().name = "banks";
        else
            changed.bus = {};
        std::string said;
        for (const Diagnostic& problem : backends.find(broken.backend).value()->checkTarget(broken))
            said += problem.message + "; ";
        QVERIFY2(QString::fromStdString(said).contains(message), said.c_str());
    }

    /// Ranks would be banks enough for a target file, but no channel of AiM has any.
    void haveABankForEveryCore() {
        Target broken = *targetOf("aim");
        broken.levels.back().count *= 2;
        broken.parameters.at("organisation.ranks").value *= 2;
        const auto problems = builtinBackends().find("aim").value()->checkTarget(broken);
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY2(problems.front().message.find("is 32 cores at a bank each") == 0 &&
                     problems.front().message.ends_with("= 16 banks"),
                 problems.front().message.c_str());
    }

    void priceEveryDraftOfEveryKernelTheySupport_data() { eachTarget(); }
    void priceEveryDraftOfEveryKernelTheySupport() {
        QFETCH(QString, target);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        const Backend* backend = backends.find(machine->backend).value();
        int supported = 0;
        for (const auto& [what, kernel] : kernels()) {
            const auto exploration = backend->drafts()->exploreKernel(kernel, machine, quick(), {});
            if (!exploration) {
                QCOMPARE(exploration.error().code, ErrorCode::Unsupported);
                QVERIFY(!exploration.error().message.empty());
                continue;
            }
            ++supported;
            const Exploration& found = **exploration;
            QVERIFY2(!found.drafts.empty(), what.c_str());
            QCOMPARE(found.drafts.size(), found.costs.size());
            double before = 0;
            for (std::size_t i = 0; i < found.costs.size(); ++i) {
                const CostSplit& cost = found.costs[i];
                for (const double part : {cost.inputNs, cost.computeNs, cost.outputNs, cost.modeSwitchNs})
                    QVERIFY2(std::isfinite(part) && part >= 0, what.c_str());
                QVERIFY(cost.computeNs > 0);
                QCOMPARE(cost.hostNs, 0.0);
                QVERIFY2(cost.totalNs() >= before, "cheapest first");
                before = cost.totalNs();
                QVERIFY(found.space->check(found.drafts[i]).has_value());
            }
        }
        QVERIFY2(supported >= 3, "products and sums at least");
    }

    void giveTheSamePricesOnEveryRun_data() { eachTarget(); }
    void giveTheSamePricesOnEveryRun() {
        QFETCH(QString, target);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        const Backend* backend = backends.find(machine->backend).value();
        const auto a = backend->drafts()->exploreKernel(gemv(1024, 512), machine, quick(), {});
        const auto b = backend->drafts()->exploreKernel(gemv(1024, 512), machine, quick(), {});
        QVERIFY(a && b);
        QCOMPARE((*a)->drafts.size(), (*b)->drafts.size());
        for (std::size_t i = 0; i < (*a)->drafts.size(); ++i) {
            QVERIFY((*a)->drafts[i] == (*b)->drafts[i]);
            QCOMPARE((*a)->costs[i].totalNs(), (*b)->costs[i].totalNs());
        }
    }

    void useAllCoresForALargeMatrixVectorProduct_data() { eachTarget(); }
    void useAllCoresForALargeMatrixVectorProduct() {
        QFETCH(QString, target);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        const auto found = backends.find(machine->backend)
                               .value()
                               ->drafts()
                               ->exploreKernel(gemv(4096, 4096), machine, quick(), {});
        QVERIFY(found.has_value());
        const DraftSummary best = (*found)->space->summarize((*found)->drafts.front());
        QVERIFY2(best.groupsUsed * 2 > machine->instances("group"), "more than half of the channels");
        QVERIFY2(best.coresUsed * 2 >= machine->level("core")->count, "at least half of the cores");
    }

    void stopWhenAsked_data() { eachTarget(); }
    void stopWhenAsked() {
        QFETCH(QString, target);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        std::stop_source stop;
        stop.request_stop();
        const TaskContext task{stop.get_token(), {}};
        const auto found = backends.find(machine->backend)
                               .value()
                               ->drafts()
                               ->exploreKernel(gemv(4096, 4096), machine, {}, task);
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
    }

    void bankLevelCommandsAreNeverCheaperThanGroupCommands() {
        const BackendList backends = builtinBackends();
        const auto machine = targetOf("attacc");
        const Backend* backend = backends.find("attacc").value();
        CompileOptions single = quick();
        single.groupCommands = false;
        const auto all = backend->drafts()->exploreKernel(gemv(1024, 1024), machine, quick(), {});
        const auto each = backend->drafts()->exploreKernel(gemv(1024, 1024), machine, single, {});
        QVERIFY(all && each);
        QVERIFY((*each)->costs.front().computeNs > (*all)->costs.front().computeNs);
    }

private:
    static void eachTarget() {
        QTest::addColumn<QString>("target");
        for (const std::string& target : kTargets)
            QTest::newRow(target.c_str()) << QString::fromStdString(target);
    }
};

QTEST_APPLESS_MAIN(TestBackends)
#include "tst_backends_contract.moc"
