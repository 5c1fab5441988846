// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Lower bounds of HBM-PIM: below the clocks of every draft, whatever passes and refresh do, and near those
/// of the best.
#include <QTest>

#include <string>

#include "backends/hbm_pim/passes.h"
#include "core/drafts/draft_choice.h"
#include "tests/backends/kernels.h"

#include <algorithm>

using namespace pim;
using namespace pim::test;

namespace {

/// Y[h][i] += X[h][k] * W[h][i][k], W resident.
Kernel heads(int heads, int rows, int length, bool resident = true) {
    return kernelOf(fmt::format(
        "def gemv(X[{0}][{2}]: f16, W[{0}][{1}][{2}]: {3}f16):\n Y = DCC.Tensor.zero([{0}, {1}], f16)\n"
        " for h in range({0}):\n  for i in range({1}):\n   for k in range({2}):\n"
        "    Y[h][i] += X[h][k] * W[h][i][k]\n",
        heads, rows, length, resident ? "const " : ""));
}

Kernel sums(int rows, int columns) {
    return kernelOf(
        fmt::format("def sum(X[{0}][{1}]: f16):\n Y = DCC.Tensor.zero([{0}], f16)\n for b in range({0}):\n"
                    "  for i in range({1}):\n   Y[b] += X[b][i]\n",
                    rows, columns));
}

struct Studied {
    BackendList backends = builtinBackends();
    DraftStudy study;
    std::vector<Draft> drafts;

    Studied(const Kernel& kernel, const std::shared_ptr<const Target>& target,
            const CompileOptions& options = {}) {
        const auto* const backend = dynamic_cast<const OpwiseBackend*>(*backends.find(target->backend));
        auto made = backend->study(kernel, target, options);
        if (!made)
            qFatal("%s", made.error().text().c_str());
        study = std::move(*made);
        drafts = *keptDrafts(*study.space, {.everyAllocation = false}, nullptr);
    }
};

std::shared_ptr<const Target> withRefresh(const char* id, bool refreshes, bool window = true) {
    auto target = std::make_shared<Target>(*targetOf(id));
    target->parameters["policy.refresh"].value = refreshes;
    target->parameters["policy.allBankFaw"].value = window;
    return target;
}

} // namespace

class TestHbmPimBound : public QObject {
    Q_OBJECT
private slots:
    /// Without refresh the price is the time of the commands (pricesAreTimesOfTheCode), so all drafts can be
    /// looked at.
    void noPriceIsBelowItsBound_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("left");
        QTest::addColumn<bool>("window");
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3"}) {
            QTest::addRow("%s", target) << target << QString() << true;
            QTest::addRow("%s, no window", target) << target << QString() << false;
            for (const CodePassInfo& pass : hbm::kCodePasses)
                QTest::addRow("%s without %s", target, std::string(pass.id).c_str())
                    << target << QString::fromStdString(std::string(pass.id)) << true;
        }
    }
    void noPriceIsBelowItsBound() {
        QFETCH(QString, target);
        QFETCH(QString, left);
        QFETCH(bool, window);
        CompileOptions options;
        if (!left.isEmpty())
            options.passes.leftOut.push_back(left.toStdString());
        const auto machine = withRefresh(target.toUtf8().constData(), false, window);
        std::size_t looked = 0;
        for (const Kernel& kernel :
             {heads(8, 172, 128), heads(3, 37, 20), gemv(333, 777), gemv(64, 300, 5),
              heads(4, 100, 128, false), sums(4, 1000), sums(3, 77), elementwise(3000, "C[i] = A[i] * B[i]"),
              elementwise(70000, "C[i] = A[i] + B[i]"), elementwise(1000, "C[i] = relu(A[i])")}) {
            const Studied studied(kernel, machine, options);
            DraftSummary summary;
            const std::size_t step = 1 + studied.drafts.size() / 250;
            for (std::size_t i = 0; i < studied.drafts.size(); i += step) {
                studied.study.space->summarize(studied.drafts[i], summary);
                const double bound = studied.study.pricer->boundNs(studied.drafts[i], summary);
                const double price = studied.study.pricer->price(studied.drafts[i], summary).totalNs();
                QVERIFY2(bound > 0 && bound <= price,
                         qPrintable(QString("%1: %2 ns, bound %3 ns")
                                        .arg(QString::fromStdString(
                                            studied.study.space->draftText(studied.drafts[i])))
                                        .arg(price)
                                        .arg(bound)));
                ++looked;
            }
        }
        QVERIFY2(looked > 1000, qPrintable(QString::number(looked)));
    }

    /// Long ones, in which many refreshes fall due.
    void noRunIsFasterThanItsBound_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3"})
            QTest::newRow(target) << target;
    }
    void noRunIsFasterThanItsBound() {
        QFETCH(QString, target);
        std::size_t simulated = 0;
        for (const Kernel& kernel : {heads(8, 1728, 128), heads(48, 500, 128), gemv(5120, 333)}) {
            const Studied studied(kernel, targetOf(target.toStdString()));
            DraftSummary summary;
            const std::size_t step = 1 + studied.drafts.size() / 120;
            for (std::size_t i = 0; i < studied.drafts.size(); i += step) {
                const auto run = studied.study.measurer->measure(*studied.study.space, studied.drafts[i],
                                                                 studied.study.residency, {});
                if (!run)
                    continue;
                studied.study.space->summarize(studied.drafts[i], summary);
                const double bound = studied.study.pricer->boundNs(studied.drafts[i], summary);
                QVERIFY2(bound <= run->totalNs(),
                         qPrintable(QString("%1: %2 ns, bound %3 ns")
                                        .arg(QString::fromStdString(
                                            studied.study.space->draftText(studied.drafts[i])))
                                        .arg(run->totalNs())
                                        .arg(bound)));
                ++simulated;
            }
        }
        QVERIFY2(simulated > 200, qPrintable(QString::number(simulated)));
    }

    /// The point of a bound: few drafts have to be priced.
    void boundsAreNearTheBest_data() { noRunIsFasterThanItsBound_data(); }
    void boundsAreNearTheBest() {
        QFETCH(QString, target);
        for (const Kernel& kernel : {heads(8, 128, 128), heads(32, 512, 128), heads(8, 1728, 128)}) {
            const Studied studied(kernel, targetOf(target.toStdString()));
            DraftSummary summary;
            double least = std::numeric_limits<double>::infinity();
            std::vector<double> bounds;
            for (const Draft& draft : studied.drafts) {
                studied.study.space->summarize(draft, summary);
                bounds.push_back(studied.study.pricer->boundNs(draft, summary));
                least = std::min(least, studied.study.pricer->price(draft, summary).totalNs());
            }
            const double share = *std::min_element(bounds.begin(), bounds.end()) / least;
            QVERIFY2(share > 0.75, qPrintable(QString::number(share)));
            const auto near = std::count_if(bounds.begin(), bounds.end(),
                                            [least](double bound) { return bound <= 1.25 * least; });
            QVERIFY2(near < std::ssize(bounds) / 5,
                     qPrintable(QString("%1 of %2").arg(near).arg(bounds.size())));
        }
    }
};

QTEST_GUILESS_MAIN(TestHbmPimBound)
#include "tst_backends_hbm_pim_bound.moc"
