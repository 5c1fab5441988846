// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Code of the backends takes as long with repeats skipped as walked, to the last wait.
#include <QTest>

#include <string>

#include "backends/dram_pim/device_of_target.h"
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/machine.h"
#include "core/dram_pim/sequencer.h"
#include "tests/backends/kernels.h"

using namespace pim;
using namespace pim::test;

class TestRepeats : public QObject {
    Q_OBJECT
private slots:
    void skippedAsWalked_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim", "hbm-pim-hbm3", "aim"})
            QTest::newRow(target) << target;
    }
    void skippedAsWalked() {
        QFETCH(QString, target);
        const auto machine = targetOf(target.toStdString());
        const BackendList backends = builtinBackends();
        const auto* const backend =
            dynamic_cast<const DramPimBackend*>(backends.find(machine->backend).value());
        QVERIFY(backend);
        const auto device = deviceOf(*machine);
        QVERIFY2(device, device ? "" : device.error().text().c_str());
        const char* type = target == "aim" ? "bf16" : "f16";
        std::vector<Kernel> kernels{gemv(4096, 4096, 1, type), gemv(1000, 777, 3, type),
                                    gemv(64, 5000, 1, type)};
        if (target == "attacc")
            kernels.push_back(attention(40, 2048, 128));
        if (target != "attacc")
            kernels.push_back(elementwise(1 << 20, "C[i] = A[i] * B[i]", type));
        std::int64_t walked = 0, all = 0;
        int compared = 0;
        for (const Kernel& kernel : kernels) {
            const auto space = TilingSpace::create(kernel, dram::tilingResources(*machine)).value();
            const auto drafts = keptDrafts(*space, {}, nullptr).value();
            std::vector<Residency> residency;
            for (const KernelTensor& tensor : kernel.tensors)
                residency.push_back(tensor.constant || tensor.cache ? Residency::Resident
                                                                    : Residency::Streamed);
            for (std::size_t i = 0; i < drafts.size(); i += std::max<std::size_t>(1, drafts.size() / 4)) {
                const auto code = backend->generate(*space, drafts[i], *machine, residency);
                if (!code)
                    continue; // refused, which other tests look at
                std::vector<std::string> phases;
                for (const Phase& phase : code->program.phases)
                    phases.push_back(phase.name);
                const auto fast = timeProgram(*device, code->program, {true, 1, true}, phases);
                const auto slow = timeProgram(*device, code->program, {true, 1, false}, phases);
                QVERIFY2(fast && slow, fast ? "" : fast.error().text().c_str());
                QCOMPARE(fast->ticks, slow->ticks);
                QCOMPARE(fast->commands, slow->commands);
                QCOMPARE(fast->phaseCommands, slow->phaseCommands);
                QCOMPARE(fast->waited, slow->waited);
                QCOMPARE(fast->refreshTicks, slow->refreshTicks);
                walked += fast->walked;
                all += slow->walked;
                ++compared;
            }
        }
        QVERIFY2(compared >= 4, qPrintable(QString::number(compared)));
        QVERIFY2(walked < all, qPrintable(QString("%1 of %2 walked").arg(walked).arg(all)));
        qInfo("%d programs, %lld of %lld commands walked", compared, static_cast<long long>(walked),
              static_cast<long long>(all));
    }
};

QTEST_GUILESS_MAIN(TestRepeats)
#include "tst_backends_repeats.moc"
