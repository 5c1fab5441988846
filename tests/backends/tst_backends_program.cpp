// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Programs: they parse back, and they hold exactly the commands their price was computed from.
#include "backends/attacc/attacc.h"
#include "backends/attacc/channel_work.h"
#include "backends/hbm_pim/channel_work.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "core/drafts/opwise.h"
#include "core/program/program.h"
#include "tests/backends/kernels.h"

#include <random>

using namespace pim;
using namespace pim::test;

namespace {

template <class B>
class Open final : public B {
public:
    using B::B;
    using B::lowerKernel;
    using B::resources;
    using B::supports;
};

std::vector<Residency> residencyOf(const Kernel& kernel) {
    std::vector<Residency> residency;
    for (const KernelTensor& tensor : kernel.tensors)
        residency.push_back(tensor.role != TensorRole::Output && (tensor.constant || tensor.cache)
                                ? Residency::Resident
                                : Residency::Streamed);
    return residency;
}

std::vector<Kernel> kernels(const char* type) {
    std::vector<Kernel> list{
        gemv(1024, 512, 1, type),
        gemv(1000, 300, 1, type),
        gemv(256, 3000, 3, type),
        elementwise(100'000, "C[i] = A[i] * B[i]", type),
        elementwise(100'000, "C[i] = A[i] + B[i]", type),
        elementwise(77, "C[i] = relu(A[i])", type),
        kernelOf(fmt::format(
            "def sum(X[300][700]: {0}):\n Y = DCC.Tensor.zero([300], {0})\n for i in range(300):\n"
            "  for k in range(700):\n   Y[i] += X[i][k]\n",
            type))};
    if (std::string_view(type) == "f16")
        list.push_back(attention(6, 300, 64));
    return list;
}

/// A few drafts of a space: the first, the last and some between.
std::vector<Draft> someDrafts(const TilingSpace& space) {
    TilingOptions options;
    options.everyAllocation = false;
    options.walkLimit = 200;
    auto all = keptDrafts(space, options, nullptr).value();
    std::mt19937 random(11);
    std::shuffle(all.begin(), all.end(), random);
    if (all.size() > 6)
        all.resize(6);
    return all;
}

/// Calls \p check(model, summary, counts) for a few drafts of every kernel the backend runs.
template <class B, class ChannelModel, class Check>
void eachProgram(const std::string& targetId, const char* type, const Check& check) {
    const Open<B> backend(nullptr);
    const auto target = targetOf(targetId);
    int programs = 0;
    for (const Kernel& kernel : kernels(type)) {
        if (!backend.supports(kernel, *target))
            continue;
        const auto space = TilingSpace::create(kernel, backend.resources(*target)).value();
        const ChannelModel model(*space, *target, residencyOf(kernel));
        for (const Draft& draft : someDrafts(*space)) {
            const auto program = backend.lowerKernel(*space, draft, *target, residencyOf(kernel), {});
            QVERIFY2(program.has_value(), program ? "" : program.error().text().c_str());
            QVERIFY(program->phases.size() >= 3); // and "load", if anything is resident
            const std::string text = programText(*program);
            QVERIFY2(text.size() < 60'000, "loops, not one line a command");
            const auto parsed = parseProgram(text);
            QVERIFY2(parsed.has_value(), parsed ? "" : parsed.error().text().c_str());
            QVERIFY2(*parsed == *program, text.c_str());
            auto counts = commandCounts(*program);
            check(model, space->summarize(draft), counts);
            ++programs;
        }
    }
    QVERIFY(programs >= 20);
}

using Counts = std::map<std::string, std::int64_t>;

} // namespace

class TestProgram : public QObject {
    Q_OBJECT
private slots:
    void hbmPimHasTheCommandsOfItsPrice_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("HBM2") << "hbm-pim";
        QTest::newRow("HBM3") << "hbm-pim-hbm3";
    }
    void hbmPimHasTheCommandsOfItsPrice() {
        QFETCH(QString, target);
        eachProgram<HbmPimBackend, hbm::ChannelModel>(
            target.toStdString(), "f16", [](const auto& model, const DraftSummary& summary, Counts& counts) {
                const hbm::CodePlan plan = model.of(summary).plan;
                // Each step of the blocks is 16 elements; what does not fill a register file is rounded up.
                const bool map = plan.form() == hbm::Form::Map;
                QVERIFY(counts["RD_AB"] * 16 >= summary.iterationsPerCore * (map ? plan.inputs() : 1));
                QCOMPARE(counts["WR_AB"], map && !plan.oneRow() ? plan.units() * 2 * plan.machine().registers
                                                                : plan.batches() * plan.bufferVectors() *
                                                                      plan.sweeps() * plan.results());
                QCOMPARE(counts["ACT_AB"], counts["PRE_AB"]);
                QVERIFY(counts["WRR_AB"] > 0 && counts["RD"] > 0);
            });
    }

    void macsCoverAllIterations() {
        const Open<AttAccBackend> backend(nullptr);
        const auto target = targetOf("attacc");
        for (const Kernel& kernel : {gemv(1024, 512), gemv(1000, 300), gemv(256, 3000, 3)}) {
            const auto space = TilingSpace::create(kernel, backend.resources(*target)).value();
            for (const Draft& draft : someDrafts(*space)) {
                const DraftSummary summary = space->summarize(draft);
                const auto cycles =
                    attacc::ChannelModel(*space, *target, residencyOf(kernel), {}).of(summary);
                QVERIFY(std::int64_t(cycles.macs) * 16 >= summary.iterationsPerCore);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestProgram)
#include "tst_backends_program.moc"
