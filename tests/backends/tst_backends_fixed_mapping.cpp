// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The published mappings: which dimension goes where, and that they can be had though rules may prune them.
#include <QTest>

#include <string>

#include "app/evaluation/kernels.h"
#include "backends/dram_pim/fixed_mapping.h"
#include "core/plan/draft_facet.h"
#include "tests/backends/kernels.h"

using namespace pim;
using namespace pim::test;

namespace {

using PublishedMapping = Result<Draft> (*)(const TilingSpace&, const Target&);

/// The first to name the kernels; errors end the test.
Kernel kernelFor(const Result<evaluation::EvaluatedKernel>& kernel) {
    if (!kernel)
        qFatal("%s", kernel.error().text().c_str());
    return kernel->kernel;
}

std::shared_ptr<const Exploration> explore(const Kernel& kernel, const char* target) {
    static const BackendList backends = builtinBackends();
    const auto machine = targetOf(target);
    const auto found = (*backends.find(machine->backend))->drafts()->exploreKernel(kernel, machine, {}, {});
    if (!found)
        qFatal("%s", found.error().text().c_str());
    return *found;
}

} // namespace

class TestFixedMapping : public QObject {
    Q_OBJECT
private slots:
    void dimensionsGoWhereItIsPublished_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("draft");
        const auto row = [](const char* kernel, const char* target, const char* draft) {
            QTest::addRow("%s on %s", kernel, target) << kernel << target << draft;
        };
        row("gemv 32", "attacc", "[[32, 1, Y0=h], [1, 16, Y1=i], [1, 4, X1=k]] expanded");
        row("gemv 256", "attacc", "[[80, 1, Y0=h], [1, 16, Y1=i], [1, 4, X1=k]] expanded");
        row("gemv 32", "hbm-pim-hbm3", "[[32, 1, Y0=h], [1, 16, Y1=i], [1, 2, X1=k]] expanded");
        row("gemv 32", "hbm-pim", "[[32, 1, Y0=h], [1, 4, Y1=i], [1, 2, X1=k]] expanded");
        row("gemv 32", "aim", "[[16, 1, Y0=h], [1, 16, Y1=i], [1, 1, X1=k]] expanded");
        row("gemv 4", "aim", "[[4, 1, Y0=h], [4, 16, Y1=i], [1, 1, X1=k]] expanded");
        row("attention 32", "attacc", "[[32, 1, O0=h], [1, 4, O1=d], [1, 16, K1=l]] expanded");
        row("sum 1", "attacc", "[[1, 1, y0=b], [5, 64, x1=i]] expanded");
        row("sum 4", "attacc", "[[4, 1, y0=b], [5, 64, x1=i]] expanded");
        row("sum 4", "hbm-pim-hbm3", "[[4, 1, y0=b], [5, 32, x1=i]] expanded");
        row("add 2", "hbm-pim-hbm3", "[[2, 1, z0=b], [5, 32, z1=i]] expanded");
        row("relu 2", "hbm-pim-hbm3", "[[2, 1, z0=b], [5, 32, z1=i]] expanded");
        row("layer 1", "attacc", "[[5, 16, y0=o], [1, 4, x0=i]] expanded");
        row("layer 4", "attacc", "[[4, 1, y0=b], [5, 16, y1=o], [1, 4, x1=i]] expanded");
    }
    void dimensionsGoWhereItIsPublished() {
        QFETCH(QString, kernel);
        QFETCH(QString, target);
        QFETCH(QString, draft);
        const auto exploration = explore(kernelNamed(kernel), target.toUtf8().constData());
        const PublishedMapping mapping = target == "aim" ? dram::aimMapping : dram::attAccMapping;
        const auto found = mapping(*exploration->space, *exploration->target);
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QCOMPARE(QString::fromStdString(exploration->space->draftText(*found)), draft);
    }

    /// A tile shorter than a command is padded; rules 1 to 3 are not asked.
    void whatRulesPruneCanBeHad() {
        static const BackendList backends = builtinBackends();
        for (const char* name : {"sum 1", "sum 4", "add 2", "relu 2", "gemv 32"}) {
            const auto searched = explore(kernelNamed(name), "hbm-pim-hbm3");
            const auto draft = dram::attAccMapping(*searched->space, *searched->target);
            QVERIFY(draft);
            Exploration fixed;
            fixed.space = searched->space;
            fixed.target = searched->target;
            fixed.tensors = searched->tensors;
            fixed.drafts = {*draft};
            fixed.costs = {{}};
            const std::size_t first = 0;
            const auto run =
                (*backends.find(fixed.target->backend))->drafts()->simulateDrafts(fixed, {&first, 1}, 1, {});
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            QVERIFY2((*run)[0].problem.empty(), (*run)[0].problem.c_str());
            QVERIFY((*run)[0].cost.totalNs() > 0);
        }
    }

    /// One padded burst a bank whatever the size: the time hardly depends on it. [DCC Fig. 6, 7: constant bars]
    void vectorsTakeTheSameTimeWhateverTheirLength() {
        static const BackendList backends = builtinBackends();
        double least = 1e30, most = 0;
        for (const int dim : {1024, 2048, 4096}) {
            const auto searched =
                explore(kernelFor(evaluation::vectorsOf(evaluation::KernelKind::Reduce, dim, 1)), "attacc");
            Exploration fixed;
            fixed.space = searched->space;
            fixed.target = searched->target;
            fixed.tensors = searched->tensors;
            fixed.drafts = {*dram::attAccMapping(*fixed.space, *fixed.target)};
            fixed.costs = {{}};
            const std::size_t first = 0;
            const auto run = (*backends.find("attacc"))->drafts()->simulateDrafts(fixed, {&first, 1}, 1, {});
            QVERIFY(run && (*run)[0].problem.empty());
            least = std::min(least, (*run)[0].cost.totalNs());
            most = std::max(most, (*run)[0].cost.totalNs());
        }
        QVERIFY2(most < 1.05 * least, qPrintable(QString("%1 to %2 ns").arg(least).arg(most)));
    }

private:
    /// "gemv 32": GEMV of 32 heads, 512 x 128; "sum 4": batch of 4 vectors of 1024; "layer 4": 512 x 256, batch 4.
    static Kernel kernelNamed(const QString& name) {
        using namespace evaluation;
        const int number = name.section(' ', 1).toInt();
        const QString kind = name.section(' ', 0, 0);
        if (kind == "gemv")
            return kernelFor(gemvOf(number, 512, 1));
        if (kind == "attention")
            return kernelFor(attentionOf(number, 512, 1));
        if (kind == "layer")
            return kernelFor(linearOf(512, 256, number));
        return kernelFor(vectorsOf(kind == "sum"   ? KernelKind::Reduce
                                   : kind == "add" ? KernelKind::Add
                                                   : KernelKind::Relu,
                                   1024, number));
    }
};

QTEST_APPLESS_MAIN(TestFixedMapping)
#include "core/plan/draft_facet.h"
#include "tst_backends_fixed_mapping.moc"
