// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Results that stay in PIM for the next op: the ops of a chain compute what they should, alone and one after
/// the other on the same memory, and take less time than with their results going out and in; the compiler
/// finds such chains.
#include <QTest>
#include <string>

#include "backends/dram_pim/kernel_simulation.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "core/compile/compiler.h"
#include "core/drafts/draft_choice.h"
#include "core/drafts/draft_table.h"
#include "core/dram_pim/command_trace.h"
#include "core/dram_pim/run.h"
#include "core/execute/numeric_check.h"
#include "core/graph/import.h"
#include "core/graph/zoo/layers.h"
#include "core/plan/command_facet.h"
#include "tests/backends/code_checks.h"

#include <QTemporaryDir>

using namespace pim;
using namespace pim::test;

namespace {

class OpenHbmPim final : public HbmPimBackend {
public:
    OpenHbmPim() : HbmPimBackend(nullptr) {}
    using HbmPimBackend::fitsInPlace;
    using HbmPimBackend::pricer;
    using HbmPimBackend::resources;
};

struct Link {
    const char* statement;
    int taken; ///< Operand that the op before makes; -1: none.
};

/// Ops over vectors of one length, all with one draft.
struct Chain {
    std::vector<std::shared_ptr<const TilingSpace>> spaces;
    std::vector<ChainedKernel> ops;

    Chain(const OpenHbmPim& backend, const Target& target, std::int64_t length,
          const std::vector<Link>& links) {
        for (std::size_t i = 0; i < links.size(); ++i) {
            auto space =
                TilingSpace::create(elementwise(length, links[i].statement), backend.resources(target));
            if (!space)
                qFatal("%s", space.error().text().c_str());
            std::vector<Residency> residency((*space)->kernel().tensors.size(), Residency::Streamed);
            if (links[i].taken >= 0)
                residency[std::size_t(links[i].taken)] = Residency::InPlace;
            if (i + 1 < links.size())
                residency[std::size_t(outputOf((*space)->kernel()))] = Residency::InPlace;
            spaces.push_back(*space);
            ops.push_back({space->get(), {}, std::move(residency)});
        }
    }
    void take(const Draft& draft) {
        for (ChainedKernel& op : ops)
            op.draft = draft;
    }
    bool fits(const OpenHbmPim& backend, const Target& target, const CodePasses& passes = {}) const {
        for (std::size_t i = 1; i < ops.size(); ++i)
            if (!backend.fitsInPlace(ops[i - 1], ops[i], target, passes))
                return false;
        return true;
    }
    std::vector<const Kernel*> kernels() const {
        std::vector<const Kernel*> all;
        for (const auto& space : spaces)
            all.push_back(&space->kernel());
        return all;
    }
};

/// Multiples of 1/4 of which FP16 has every sum and product.
std::vector<float> quarters(std::int64_t count, int seed) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(float((i * 7 + seed * 5) % 23 - 11) / 4);
    return values;
}

std::vector<float> applied(const Kernel& kernel, const std::vector<std::vector<float>>& inputs) {
    const std::vector<double> exact = reference(kernel, inputs, false);
    return {exact.begin(), exact.end()};
}

const std::vector<Link> kAddRelu{{"C[i] = A[i] + B[i]", -1}, {"C[i] = relu(A[i])", 0}};
const std::vector<Link> kReluMul{{"C[i] = relu(A[i])", -1}, {"C[i] = A[i] * B[i]", 1}};
const std::vector<Link> kAddReluMulAdd{{"C[i] = A[i] + B[i]", -1},
                                       {"C[i] = relu(A[i])", 0},
                                       {"C[i] = A[i] * B[i]", 0},
                                       {"C[i] = A[i] + B[i]", 1}};

/// x + y, relu of it, that times y.
std::shared_ptr<const Graph> residualGraph(const QTemporaryDir& folder, std::int64_t length,
                                           bool sumIsWanted) {
    zoo::GraphWriter writer("residual", "An element-wise chain", DataType::F32);
    const std::string x = writer.input("x", writer.floatType(), {1, length}),
                      y = writer.input("y", writer.floatType(), {1, length});
    const std::string sum = writer.node("Add", {x, y});
    const std::string product = writer.node("Mul", {writer.node("Relu", {sum}), y});
    writer.output(product, "result", {1, length});
    if (sumIsWanted)
        writer.output(sum, "sum", {1, length});
    const std::filesystem::path file = folder.filePath("residual.onnx").toStdString();
    if (const auto written = writer.write(file, {}, {}); !written)
        qFatal("%s", written.error().text().c_str());
    const auto graph = loadGraph(file, {}, {});
    if (!graph)
        qFatal("%s", graph.error().text().c_str());
    return *graph;
}

int inPlaceTensors(const Plan& plan) {
    int count = 0;
    for (const OpPlan& op : plan.ops)
        for (const TensorPlan& tensor : op.tensors)
            count += tensor.residency == Residency::InPlace ? 1 : 0;
    return count;
}

} // namespace

class TestChain : public QObject {
    Q_OBJECT
    const OpenHbmPim m_backend;

    static void addRows() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("length");
        QTest::addColumn<int>("which");
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3"})
            for (const int length : {100, 4096, 20'000})
                for (int which = 0; which < 3; ++which)
                    QTest::newRow((QByteArray(target) + ' ' + QByteArray::number(length) + " chain " +
                                   QByteArray::number(which))
                                      .constData())
                        << QString::fromLatin1(target) << length << which;
    }
    Chain chainOf(const Target& target, int length, int which) const {
        return {m_backend, target, length, which == 0 ? kAddRelu : which == 1 ? kReluMul : kAddReluMulAdd};
    }

private slots:
    void computesOneAfterTheOther_data() { addRows(); }
    /// On the same banks, nothing but the other operands and the last result over the bus.
    void computesOneAfterTheOther() {
        QFETCH(QString, target);
        QFETCH(int, length);
        QFETCH(int, which);
        const auto machine = targetOf(target.toStdString());
        Chain chain = chainOf(*machine, length, which);
        const auto drafts = keptDrafts(*chain.spaces.front(), {.everyAllocation = false}, nullptr);
        QVERIFY(drafts);
        int tried = 0;
        for (std::size_t d = 0; d < drafts->size(); d += std::max<std::size_t>(1, drafts->size() / 3)) {
            chain.take((*drafts)[d]);
            if (!chain.fits(m_backend, *machine))
                continue;
            ++tried;
            const auto code = dram::chainCodeOf(m_backend, chain.ops, *machine, {});
            QVERIFY2(code, code ? "" : code.error().text().c_str());
            std::vector<std::vector<float>> tensors;
            std::vector<char> inPlace;
            std::vector<float> handedOn;
            for (std::size_t op = 0; op < chain.ops.size(); ++op) {
                const Kernel& kernel = chain.spaces[op]->kernel();
                std::vector<std::vector<float>> alone;
                for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
                    const bool isTaken = kernel.tensors[t].role == TensorRole::Input &&
                                         chain.ops[op].residency[t] == Residency::InPlace;
                    inPlace.push_back(chain.ops[op].residency[t] == Residency::InPlace);
                    alone.push_back(isTaken ? handedOn : quarters(length, int(op * 3 + t)));
                    // What is handed on never comes from the host: were it asked for, it would be wrong.
                    tensors.push_back(inPlace.back() ? std::vector<float>(std::size_t(length), 99)
                                                     : alone.back());
                }
                handedOn = applied(kernel, alone);
            }
            const auto kernels = chain.kernels();
            const std::vector<bool> flags(inPlace.begin(), inPlace.end());
            const auto isInPlace = std::make_unique<bool[]>(flags.size());
            std::copy(flags.begin(), flags.end(), isInPlace.get());
            const Kernel all = chainedKernel(kernels, {isInPlace.get(), flags.size()});
            const auto computed = runPimCode(
                code->chain.code, all, tensors,
                [&](const PimCode& c) { return m_backend.makeChannel(c, *machine); }, 1);
            QVERIFY2(computed, computed ? "" : computed.error().text().c_str());
            QCOMPARE(computed->back().size(), handedOn.size());
            for (std::size_t i = 0; i < handedOn.size(); ++i)
                QVERIFY2(
                    computed->back()[i] == handedOn[i],
                    qPrintable(
                        QString("element %1: %2, not %3").arg(i).arg(computed->back()[i]).arg(handedOn[i])));
        }
        QVERIFY(tried > 0);
    }

    void everyResultLiesWhereTheNextOpReads_data() { addRows(); }
    void everyResultLiesWhereTheNextOpReads() {
        QFETCH(QString, target);
        QFETCH(int, length);
        QFETCH(int, which);
        const auto machine = targetOf(target.toStdString());
        Chain chain = chainOf(*machine, length, which);
        chain.take(keptDrafts(*chain.spaces.front(), {.everyAllocation = false}, nullptr)->back());
        if (!chain.fits(m_backend, *machine))
            QSKIP("not with this draft");
        const auto code = dram::chainCodeOf(m_backend, chain.ops, *machine, {});
        QVERIFY(code);
        for (std::size_t op = 1; op < chain.ops.size(); ++op) {
            const auto& residency = chain.ops[op].residency;
            const int taken =
                int(std::find(residency.begin(), residency.end(), Residency::InPlace) - residency.begin());
            const int left = outputOf(chain.spaces[op - 1]->kernel());
            for (int element = 0; element < length; ++element)
                QVERIFY(code->codes[op - 1].operands->places(left, element) ==
                        code->codes[op].operands->places(taken, element));
        }
    }

    /// With what the op before leaves put there, and with what it leaves read.
    void everyOpComputesAlone() {
        const auto machine = targetOf("hbm-pim-hbm3");
        for (const int length : {500, 9000})
            for (int which = 0; which < 3; ++which) {
                Chain chain = chainOf(*machine, length, which);
                chain.take(keptDrafts(*chain.spaces.front(), {.everyAllocation = false}, nullptr)->front());
                QVERIFY(chain.fits(m_backend, *machine));
                for (const ChainedKernel& op : chain.ops) {
                    const Kernel& kernel = op.space->kernel();
                    std::vector<std::vector<float>> tensors;
                    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
                        tensors.push_back(quarters(length, int(t)));
                    const auto code = m_backend.generate(*op.space, op.draft, *machine, op.residency);
                    QVERIFY2(code, code ? "" : code.error().text().c_str());
                    const auto computed = runPimCode(
                        *code, kernel, tensors,
                        [&](const PimCode& c) { return m_backend.makeChannel(c, *machine); }, 1);
                    QVERIFY2(computed, computed ? "" : computed.error().text().c_str());
                    QCOMPARE((*computed)[std::size_t(outputOf(kernel))], applied(kernel, tensors));
                }
            }
    }

    void takesLessTimeAndWhatIsPredicted_data() { addRows(); }
    void takesLessTimeAndWhatIsPredicted() {
        QFETCH(QString, target);
        QFETCH(int, length);
        QFETCH(int, which);
        const auto machine = targetOf(target.toStdString());
        Chain chain = chainOf(*machine, length, which);
        const auto drafts = keptDrafts(*chain.spaces.front(), {.everyAllocation = false}, nullptr);
        chain.take((*drafts)[drafts->size() / 2]);
        if (!chain.fits(m_backend, *machine))
            QSKIP("not with this draft");
        const auto simulator = dram::KernelSimulator::create(m_backend, *machine);
        const auto runs = simulator->runChain(chain.ops, {}, {});
        QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
        double chained = 0, predicted = 0, alone = 0;
        for (std::size_t op = 0; op < chain.ops.size(); ++op) {
            const ChainedKernel& of = chain.ops[op];
            const std::vector<Residency> streamed(of.residency.size(), Residency::Streamed);
            alone += simulator->run(*of.space, of.draft, streamed, {}, false, {})->cost.totalNs();
            chained += (*runs)[op].cost.totalNs();
            const auto pricer = m_backend.pricer(*of.space, *machine, of.residency, {});
            const KernelPrice price = pricer->price(of.draft, of.space->summarize(of.draft));
            predicted += price.totalNs();
            QVERIFY2(op + 1 == chain.ops.size() || (*runs)[op].cost.outputNs == 0,
                     "the result does not leave");
        }
        // The last one of chain 1 has another operand: the blocks leave their mode for it.
        QVERIFY2(chained < (which == 1 ? 1.0 : 0.85) * alone,
                 qPrintable(QString("%1 ns, %2 alone").arg(chained).arg(alone)));
        QVERIFY2(std::abs(predicted / chained - 1) < 0.1,
                 qPrintable(QString("%1 ns, predicted %2").arg(chained).arg(predicted)));
    }

    void needsEqualPlacesAndThePass() {
        const auto machine = targetOf("hbm-pim");
        Chain chain = chainOf(*machine, 4096, 0);
        const auto drafts = keptDrafts(*chain.spaces.front(), {.everyAllocation = false}, nullptr);
        chain.take(drafts->front());
        QVERIFY(chain.fits(m_backend, *machine));
        QVERIFY(!chain.fits(m_backend, *machine, {{"in-place"}}));
        chain.ops[1].draft = drafts->back();
        QVERIFY(!(drafts->front() == drafts->back()));
        QVERIFY(!chain.fits(m_backend, *machine));
        chain.take(drafts->front());
        chain.ops[0].residency[0] = Residency::Resident; // would be overwritten
        QVERIFY(!chain.fits(m_backend, *machine));
    }

    void theCompilerFindsThem() {
        QTemporaryDir folder;
        const BackendList backends = builtinBackends();
        PlanRequest request{residualGraph(folder, 100'000, false), targetOf("hbm-pim-hbm3"), {}, {}};
        request.overrides.set({"", "placement", "pim"});
        const auto plan = compile(backends, request);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        QCOMPARE(inPlaceTensors(**plan), 4); // two results, each left and taken
        const OpPlan& relu = (*plan)->ops[1];
        QCOMPARE(relu.takesFrom, (*plan)->ops[0].op);
        QVERIFY2(relu.reason.find("where it lies") != std::string::npos, relu.reason.c_str());
        QCOMPARE(relu.cost.inputNs, 0.0);
        QCOMPARE((*plan)->ops[0].cost.outputNs, 0.0);
        QVERIFY((*plan)->ops[2].cost.inputNs > 0); // y
        request.options.passes.leftOut = {"in-place"};
        const auto apart = compile(backends, request);
        QVERIFY(apart);
        QCOMPARE(inPlaceTensors(**apart), 0);
        QVERIFY((*plan)->total.totalNs() < 0.9 * (*apart)->total.totalNs());
        const Backend* backend = backends.find("hbm_pim").value();
        const auto simulated = backend->simulate(**plan, {}), simulatedApart = backend->simulate(**apart, {});
        QVERIFY2(simulated && simulatedApart, simulated ? "" : simulated.error().text().c_str());
        QVERIFY((*simulated)->totalNs < 0.9 * (*simulatedApart)->totalNs);
        QVERIFY2(std::abs((*simulated)->totalNs / (*plan)->total.totalNs() - 1) < 0.1,
                 (*simulated)->summary.c_str());
        const auto numbers = checkNumbers(*backend->commands(), **plan);
        QVERIFY2(numbers && numbers->ok(), numbers ? "" : numbers.error().text().c_str());
        const auto trace = backend->commands()->trace(**plan, relu.op, {});
        QVERIFY2(trace, trace ? "" : trace.error().text().c_str());
        QVERIFY((*trace)->op.find("→") != std::string::npos);
    }

    /// Where drafts are verified, those of a chain are, and its time is the simulated one.
    void chainsAreVerified() {
        QTemporaryDir folder;
        const BackendList backends = builtinBackends();
        // beside a fast one nothing is verified
        auto slowHost = std::make_shared<Target>(*targetOf("hbm-pim-hbm3"));
        slowHost->host.memoryBytesPerNs = 10;
        PlanRequest request{residualGraph(folder, 30'000, false), slowHost, {}, {}};
        request.overrides.set({"", "placement", "pim"});
        const auto predicted = compile(backends, request);
        request.options.verifyDrafts = 4;
        const auto verified = compile(backends, request);
        QVERIFY2(predicted && verified, verified ? "" : verified.error().text().c_str());
        QCOMPARE(inPlaceTensors(**verified), 4);
        const Backend* backend = backends.find("hbm_pim").value();
        const auto simulated = backend->simulate(**verified, {}), before = backend->simulate(**predicted, {});
        QVERIFY(simulated && before);
        QVERIFY((*simulated)->totalNs <= (*before)->totalNs + 0.01);
        for (std::size_t i = 0; i < (*verified)->ops.size(); ++i) {
            const OpPlan& op = (*verified)->ops[i];
            QCOMPARE(op.origin, Origin::Simulated);
            QVERIFY(std::abs(op.cost.computeNs - (*simulated)->ops[i].cost.computeNs) < 0.01);
        }
    }

    /// What a project knows of a chain is taken, to the bit; what cannot be is looked for again.
    void chainsAreKnown() {
        QTemporaryDir folder;
        const BackendList backends = builtinBackends();
        auto slowHost = std::make_shared<Target>(*targetOf("hbm-pim-hbm3"));
        slowHost->host.memoryBytesPerNs = 10;
        PlanRequest request{residualGraph(folder, 30'000, false), slowHost, {}, {}};
        request.overrides.set({"", "placement", "pim"});
        request.options.verifyDrafts = 4;
        const auto planWith = [&](const std::shared_ptr<DraftTable>& table) {
            PlanCache cache(table);
            const auto plan = compile(backends, request, &cache);
            return plan ? planJson(**plan) : plan.error().text();
        };
        const auto empty = std::make_shared<DraftTable>();
        const std::string searched = planWith(empty);
        const std::vector<KnownDraft> found = empty->found();
        const auto isOfChain = [](const KnownDraft& one) {
            return one.form.find("of a chain of") != std::string::npos;
        };
        const auto chained = std::ranges::count_if(found, isOfChain);
        QCOMPARE(chained, 3); // the three ops of the one chain there is
        const auto full = std::make_shared<DraftTable>(found);
        QCOMPARE(planWith(full), searched);
        QVERIFY(full->found().empty() && full->refused() == 0);

        std::vector<KnownDraft> wrong = found, lacking = found;
        for (KnownDraft& one : wrong)
            if (isOfChain(one))
                one.price.computeNs *= 0.5; // faster than any simulation found it
        const auto refusing = std::make_shared<DraftTable>(wrong);
        QCOMPARE(planWith(refusing), searched);
        QCOMPARE(refusing->refused(), chained);
        lacking.erase(std::ranges::find_if(lacking, isOfChain));
        const auto partly = std::make_shared<DraftTable>(lacking);
        QCOMPARE(planWith(partly), searched);
        QCOMPARE(partly->refused(), chained - 1);
        QCOMPARE(std::ssize(partly->found()), chained);
    }

    /// A result that others want leaves.
    void aResultThatOthersWantLeaves() {
        QTemporaryDir folder;
        const BackendList backends = builtinBackends();
        PlanRequest request{residualGraph(folder, 20'000, true), targetOf("hbm-pim"), {}, {}};
        request.overrides.set({"", "placement", "pim"});
        const auto plan = compile(backends, request);
        QVERIFY(plan);
        QCOMPARE(inPlaceTensors(**plan), 2); // only the relu's
        QVERIFY(!(*plan)->ops[1].takesFrom.valid());
        QVERIFY((*plan)->ops[2].takesFrom.valid());
    }
};

QTEST_GUILESS_MAIN(TestChain)
#include "tst_backends_chain.moc"
