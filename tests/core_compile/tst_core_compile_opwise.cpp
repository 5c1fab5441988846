// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Whole plans over a small network, a made-up host and a made-up PIM whose prices are known.
#include "core/base/number_text.h"
#include "core/compile/compiler.h"
#include "core/drafts/dataflow.h"
#include "core/drafts/opwise.h"
#include "core/plan/draft_facet.h"

#include <QTest>

#include <atomic>
#include <cmath>

using namespace pim;

namespace {

/// Builds a Graph by hand, op after op.
class Network {
public:
    TensorId input(const std::string& name, Shape shape) {
        const TensorId id = tensor(name, std::move(shape));
        graph->tensors[id.index()].isInput = true;
        graph->inputs.push_back(id);
        return id;
    }
    TensorId weight(const std::string& name, Shape shape) {
        const TensorId id = tensor(name, std::move(shape));
        graph->tensors[id.index()].data = InitializerRef{};
        return id;
    }
    TensorId op(const std::string& type, OpClass opClass, std::vector<TensorId> inputs, Shape shape) {
        const OpId id(std::ssize(graph->ops));
        Op made;
        made.name = type + "_" + std::to_string(id.value);
        made.type = type;
        made.opClass = opClass;
        made.inputs = std::move(inputs);
        const TensorId output = tensor(made.name + "_out", std::move(shape));
        graph->tensors[output.index()].producer = id;
        made.outputs = {output};
        for (const TensorId in : made.inputs)
            graph->tensors[in.index()].consumers.push_back(id);
        made.work = {true, 1000, 0, 4000, 400, 0};
        graph->ops.push_back(std::move(made));
        return output;
    }
    TensorId matMul(TensorId x, const std::string& weightName, std::int64_t in, std::int64_t out) {
        return op("MatMul", OpClass::MatMul, {x, weight(weightName, {in, out})}, {1, out});
    }
    std::shared_ptr<const Graph> finish(TensorId output) {
        graph->tensors[output.index()].isOutput = true;
        graph->outputs.push_back(output);
        return graph;
    }

    std::shared_ptr<Graph> graph = std::make_shared<Graph>();

private:
    TensorId tensor(const std::string& name, Shape shape) {
        const TensorId id(std::ssize(graph->tensors));
        Tensor made;
        made.name = name;
        made.dtype = DataType::F32;
        made.shape = std::move(shape);
        graph->tensors.push_back(std::move(made));
        return id;
    }
};

/// Six ops in a row and a branch around two of them; MatMul_0 and MatMul_2 are equal kernels.
std::shared_ptr<const Graph> network() {
    Network net;
    const TensorId x = net.input("x", {1, 64});
    const TensorId a = net.matMul(x, "W0", 64, 64);                           // MatMul_0
    const TensorId r = net.op("Relu", OpClass::Elementwise, {a}, {1, 64});    // Relu_1
    const TensorId b = net.matMul(r, "W2", 64, 64);                           // MatMul_2
    const TensorId v = net.op("Reshape", OpClass::Movement, {b}, {64});       // Reshape_3
    const TensorId w = net.op("Reshape", OpClass::Movement, {v}, {1, 64});    // Reshape_4
    const TensorId c = net.matMul(w, "W5", 64, 128);                          // MatMul_5
    const TensorId d = net.matMul(r, "W6", 64, 128);                          // MatMul_6
    const TensorId s = net.op("Add", OpClass::Elementwise, {c, d}, {1, 128}); // Add_7
    const TensorId y = net.op("Softmax", OpClass::Softmax, {s}, {1, 128});    // Softmax_8
    return net.finish(y);
}

class TableHost final : public HostModel {
public:
    explicit TableHost(std::map<std::string, double> times) : m_times(std::move(times)) {}
    HostCost cost(const Graph& graph, OpId op, const Host&, DataType) const override {
        const auto at = m_times.find(graph.op(op).name);
        if (at == m_times.end())
            return {};
        return {true, at->second, at->second / 2, at->second, 0};
    }

private:
    std::map<std::string, double> m_times;
};

/// Compute: iterations of the busiest core; 4 ns a streamed input, 2 ns a result.
class FlatPricer final : public KernelPricer {
public:
    FlatPricer(double computeFactor, std::size_t streamed) : m_factor(computeFactor), m_streamed(streamed) {}
    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        return {4.0 * static_cast<double>(m_streamed), 2.0,
                m_factor * static_cast<double>(draft.iterationsPerCore), 1.0};
    }
    double residentLoadNs(int, const DraftSummary& draft) const override {
        return static_cast<double>(draft.bytesPerCore);
    }

private:
    double m_factor;
    std::size_t m_streamed;
};

class FlatBackend final : public OpwiseBackend {
public:
    FlatBackend(std::shared_ptr<const HostModel> host, double computeFactor, std::int64_t coreBytes = 1 << 20)
        : OpwiseBackend(std::move(host)), m_factor(computeFactor), m_coreBytes(coreBytes) {}
    std::string_view id() const override { return "flat"; }
    std::string_view machines() const override { return "flat machines"; }
    std::string_view summary() const override { return "Made up."; }
    Diagnostics checkTarget(const Target&) const override { return {}; }
    mutable std::atomic<int> searches{0};

protected:
    Result<void> supports(const Kernel& kernel, const Target&) const override {
        if (kernel.body == BodyKind::Elementwise && kernel.function != "relu" && kernel.function != "add")
            return fail(ErrorCode::Unsupported, "no " + kernel.function);
        return {};
    }
    TilingResources resources(const Target&) const override { return {2, 4, 4, m_coreBytes}; }
    std::unique_ptr<KernelPricer> pricer(const TilingSpace& space, const Target&,
                                         const std::vector<Residency>& residency,
                                         const CompileOptions&) const override {
        ++searches;
        std::size_t streamed = 0;
        for (std::size_t t = 0; t < residency.size(); ++t)
            streamed +=
                space.kernel().tensors[t].role != TensorRole::Output && residency[t] != Residency::Resident;
        return std::make_unique<FlatPricer>(m_factor, streamed);
    }
    Result<Program> lowerKernel(const TilingSpace&, const Draft&, const Target&,
                                const std::vector<Residency>&, const CodePasses&) const override {
        Program program;
        program.opcodes = {{"GO", {}, "Go."}};
        return program;
    }

private:
    double m_factor;
    std::int64_t m_coreBytes;
};

std::shared_ptr<const Target> machine() {
    auto target = std::make_shared<Target>();
    target->id = "made-up";
    target->backend = "flat";
    target->hash = "0";
    target->host.id = "host";
    target->host.memoryBytesPerNs = 16; // 128 B of an activation: 8 ns
    Level group, core;
    group.id = "group";
    group.count = 2;
    core.id = "core";
    core.count = 4;
    core.units = {{"unit", 4, {"mac"}, {DataType::F16, DataType::BF16}, "-"}};
    target->levels = {group, core};
    return target;
}

std::map<std::string, double> times(double matMul, double other) {
    return {{"MatMul_0", matMul}, {"Relu_1", other}, {"MatMul_2", matMul},
            {"Reshape_3", 0},     {"Reshape_4", 0},  {"MatMul_5", matMul},
            {"MatMul_6", matMul}, {"Add_7", other},  {"Softmax_8", other}};
}

struct Bench {
    explicit Bench(std::map<std::string, double> hostTimes, double factor = 0.01,
                   std::int64_t coreBytes = 1 << 20) {
        auto made = std::make_unique<FlatBackend>(std::make_shared<const TableHost>(std::move(hostTimes)),
                                                  factor, coreBytes);
        backend = made.get();
        backends.add(std::move(made));
    }
    Result<std::shared_ptr<const Plan>> plan(Overrides overrides = {}, PlanCache* cache = nullptr,
                                             CompileOptions options = {}) const {
        return compile(backends, {graph, target, std::move(overrides), options}, cache);
    }
    BackendList backends;
    const FlatBackend* backend = nullptr;
    std::shared_ptr<const Graph> graph = network();
    std::shared_ptr<const Target> target = machine();
};

Overrides decide(std::initializer_list<Override> decisions) {
    Overrides overrides;
    for (const Override& decision : decisions)
        overrides.set(decision);
    return overrides;
}

const OpPlan& planOf(const Plan& plan, const char* op) {
    return plan.opPlan(plan.graph->findOp(op));
}

} // namespace

class TestOpwise : public QObject {
    Q_OBJECT
private slots:
    void isAsGoodAsTheBestOfAllPlacements_data() {
        QTest::addColumn<double>("matMul");
        QTest::addColumn<double>("other");
        QTest::addColumn<double>("factor");
        QTest::addColumn<bool>("overlap");
        for (const bool overlap : {false, true})
            for (const double matMul : {5.0, 12.0, 20.0, 35.0})
                for (const double other : {1.0, 9.0, 30.0})
                    QTest::addRow("matmul %g, other %g, overlap %d", matMul, other, overlap)
                        << matMul << other << 0.01 << overlap;
    }
    void isAsGoodAsTheBestOfAllPlacements() {
        QFETCH(double, matMul);
        QFETCH(double, other);
        QFETCH(double, factor);
        QFETCH(bool, overlap);
        const Bench bench(times(matMul, other), factor);
        CompileOptions options;
        options.overlapHostTransfer = overlap;
        PlanCache cache;
        const auto free = bench.plan({}, &cache, options);
        QVERIFY2(free.has_value(), free ? "" : free.error().text().c_str());
        const std::vector<std::string> movable{"MatMul_0", "Relu_1",   "MatMul_2",
                                               "MatMul_5", "MatMul_6", "Add_7"};
        double best = HUGE_VAL;
        for (unsigned mask = 0; mask < 1U << movable.size(); ++mask) {
            Overrides all;
            for (std::size_t i = 0; i < movable.size(); ++i)
                all.set({movable[i], "placement", (mask >> i & 1U) != 0 ? "pim" : "host"});
            const auto pinned = bench.plan(all, &cache, options);
            QVERIFY(pinned.has_value());
            for (std::size_t i = 0; i < movable.size(); ++i)
                QCOMPARE(planOf(**pinned, movable[i].c_str()).placement,
                         (mask >> i & 1U) != 0 ? DeviceId::first() : DeviceId::host());
            best = std::min(best, (*pinned)->total.totalNs());
        }
        QVERIFY2(std::abs((*free)->total.totalNs() - best) < 1e-6,
                 qPrintable(QString("%1 instead of %2").arg((*free)->total.totalNs()).arg(best)));
    }

    void partsAddUpExactly() {
        const Bench bench(times(35, 9));
        const auto plan = bench.plan();
        QVERIFY(plan.has_value());
        CostSplit sum;
        double host = 0;
        for (const OpPlan& op : (*plan)->ops) {
            sum += op.cost;
            host += op.hostNs;
            if (!op.onHost())
                QCOMPARE(op.cost.totalNs(), op.pimCost->totalNs());
            else
                QCOMPARE(op.cost.totalNs(), op.hostNs);
            QVERIFY(!op.reason.empty());
        }
        QCOMPARE(sum.totalNs(), (*plan)->total.totalNs());
        QCOMPARE(host, (*plan)->hostOnlyNs);
    }

    void whatOnePimOpHandsToTheNextSkipsHostMemory() {
        const Bench bench(times(100, 100));
        const auto plan = bench.plan();
        QVERIFY(plan.has_value());
        const OpPlan& first = planOf(**plan, "MatMul_0");
        const OpPlan& third = planOf(**plan, "MatMul_2");
        const OpPlan& fifth = planOf(**plan, "MatMul_5"); // behind two views
        const OpPlan& last = planOf(**plan, "Add_7");
        QCOMPARE(first.cost.inputNs, 4.0 + 128.0 / 16); // x from host memory, 64 elements of f16
        QCOMPARE(first.cost.outputNs, 2.0);
        QCOMPARE(third.cost.inputNs, 4.0);
        QCOMPARE(third.tensors[0].residency, Residency::Produced);
        QCOMPARE(third.tensors[1].residency, Residency::Resident);
        QVERIFY(third.tensors[1].loadNs > 0);
        QCOMPARE(fifth.cost.inputNs, 4.0);
        QCOMPARE(last.cost.outputNs, 2.0 + 256.0 / 16); // Softmax runs on the host
        QCOMPARE(planOf(**plan, "Softmax_8").placement, DeviceId::host());
    }

    void saysWhyInWords() {
        const Bench fast(times(100, 1));
        const auto plan = fast.plan(decide({{"MatMul_6", "placement", "host"}}));
        QVERIFY(plan.has_value());
        QVERIFY(planOf(**plan, "MatMul_0").reason.starts_with("PIM "));
        QVERIFY(planOf(**plan, "MatMul_0").reason.find("faster than host: memory-bound, AI ") !=
                std::string::npos);
        QVERIFY(planOf(**plan, "MatMul_6").reason.starts_with("host by your override; PIM is "));
        QVERIFY(planOf(**plan, "Softmax_8").reason.starts_with("host: Softmax needs the sum"));
        QCOMPARE(planOf(**plan, "Reshape_3").reason, std::string("host: a view, no data moves"));
        const Bench slow(times(0.5, 0.5), 1.0);
        const auto stays = slow.plan();
        QVERIFY(stays.has_value());
        QVERIFY(planOf(**stays, "MatMul_0").reason.starts_with("host: PIM would be "));
        // PIM alone takes 12 ns here, the way through host memory as much again.
        const Bench near(times(19, 1), 0.01);
        const auto moved = near.plan(decide({{"Relu_1", "placement", "host"}}));
        QVERIFY(moved.has_value());
        QVERIFY2(planOf(**moved, "MatMul_0").reason.starts_with("host although PIM alone is faster"),
                 planOf(**moved, "MatMul_0").reason.c_str());
    }

    void obeysDraftAndResidency() {
        const Bench bench(times(100, 100));
        const auto plan = bench.plan();
        QVERIFY(plan.has_value());
        const OpPlan& op = planOf(**plan, "MatMul_0");
        Draft one = *op.draft;
        for (DraftPart& part : one.parts)
            part.groups = part.cores = 1;
        const std::string text = op.space->draftText(one);
        const auto changed = bench.plan(decide({{"MatMul_0", "draft", text},
                                                {"MatMul_2", "residency/W2", "streamed"},
                                                {"MatMul_2", "placement", "pim"}}));
        QVERIFY2(changed.has_value(), changed ? "" : changed.error().text().c_str());
        const OpPlan& forced = planOf(**changed, "MatMul_0");
        QVERIFY(forced.draftOverridden);
        QCOMPARE(forced.space->draftText(*forced.draft), text);
        QCOMPARE(forced.cost.computeNs, 0.01 * 64 * 64);
        const OpPlan& streamed = planOf(**changed, "MatMul_2");
        QCOMPARE(streamed.tensors[1].residency, Residency::Streamed);
        QVERIFY(streamed.tensors[1].overridden);
        QCOMPARE(streamed.cost.inputNs, 4.0 * 2 + 64.0 * 64 * 2 / 16);
        QCOMPARE(planOf(**changed, "MatMul_5").cost.totalNs(), planOf(**plan, "MatMul_5").cost.totalNs());
    }

    void refusesWhatIsIllegal_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::newRow("unknown op") << "Conv_99"
                                    << "placement"
                                    << "pim";
        QTest::newRow("unknown field") << "MatMul_0"
                                       << "colour"
                                       << "red";
        QTest::newRow("unknown placement") << "MatMul_0"
                                           << "placement"
                                           << "moon";
        QTest::newRow("op PIM cannot run") << "Softmax_8"
                                           << "placement"
                                           << "pim";
        QTest::newRow("draft that does not parse") << "MatMul_0"
                                                   << "draft"
                                                   << "[[1, 2";
        QTest::newRow("draft beyond the machine") << "MatMul_0"
                                                  << "draft"
                                                  << "[[9, 1, Y0=n], [1, 1, X0=k]] expanded";
        QTest::newRow("draft of an op without one") << "Softmax_8"
                                                    << "draft"
                                                    << "[]";
        QTest::newRow("resident activation") << "MatMul_2"
                                             << "residency/Relu_1_out"
                                             << "resident";
        QTest::newRow("residency of a stranger") << "MatMul_2"
                                                 << "residency/W5"
                                                 << "streamed";
        QTest::newRow("type the units do not know") << "MatMul_0"
                                                    << "dtype"
                                                    << "i8";
        QTest::newRow("draft of the network") << ""
                                              << "draft"
                                              << "[]";
    }
    void refusesWhatIsIllegal() {
        QFETCH(QString, op);
        QFETCH(QString, field);
        QFETCH(QString, value);
        const Bench bench(times(20, 20));
        const Override decision{op.toStdString(), field.toStdString(), value.toStdString()};
        const auto refused = bench.plan(decide({decision}));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::IllegalOverride);
        QVERIFY(!refused.error().message.empty() && !refused.error().where.empty());
        const auto checked = bench.backend->checkOverride(**bench.plan(), decision);
        QVERIFY(!checked);
        QCOMPARE(checked.error().code, ErrorCode::IllegalOverride);
    }

    void offersOnlyWhatItThenAccepts() {
        const Bench bench(times(20, 20));
        const auto plan = bench.plan();
        QVERIFY(plan.has_value());
        int offered = 0;
        for (const OpPlan& op : (*plan)->ops)
            for (const OverrideField& field : bench.backend->overrideFields(**plan, op.op)) {
                std::vector<LegalValue> values = field.values;
                values.push_back({field.current, true, {}});
                for (const LegalValue& value : values) {
                    const Override decision{bench.graph->op(op.op).name, field.field, value.value};
                    QCOMPARE(bench.backend->checkOverride(**plan, decision).has_value(), value.legal);
                    const auto applied = bench.plan(decide({decision}));
                    QVERIFY2(applied.has_value() == value.legal,
                             (decision.op + " " + decision.field + " " + decision.value).c_str());
                    ++offered;
                }
            }
        QVERIFY(offered > 40);
    }

    void networkWideDecisionsYieldToThoseOfAnOp() {
        const Bench bench(times(1000, 1000));
        const auto host = bench.plan(decide({{"", "placement", "host"}, {"MatMul_2", "placement", "pim"}}));
        QVERIFY(host.has_value());
        for (const OpPlan& op : (*host)->ops)
            QCOMPARE(op.placement,
                     bench.graph->op(op.op).name == "MatMul_2" ? DeviceId::first() : DeviceId::host());
        const auto all = bench.plan(decide({{"", "placement", "pim"}}));
        QVERIFY2(all.has_value(), "ops that PIM cannot run stay where they are");
        QCOMPARE(planOf(**all, "Softmax_8").placement, DeviceId::host());
        QCOMPARE(planOf(**all, "Add_7").placement, DeviceId::first());
    }

    void searchesEqualKernelsOnceAndRemembers() {
        const Bench bench(times(20, 20));
        PlanCache cache;
        const auto cold = bench.plan({}, &cache);
        QVERIFY(cold.has_value());
        QCOMPARE(bench.backend->searches.load(), 4); // 64x64, 64x128, relu, add
        const auto warm = bench.plan(decide({{"MatMul_0", "placement", "host"}}), &cache);
        QVERIFY(warm.has_value());
        QCOMPARE(bench.backend->searches.load(), 4);
        const auto again = bench.plan({}, &cache);
        QCOMPARE(planJson(**again), planJson(**cold));
    }

    void givesTheSamePlanForAnyNumberOfThreads() {
        const Bench bench(times(20, 20));
        CompileOptions one, many;
        one.threads = 1;
        many.threads = 7;
        QCOMPARE(planJson(**bench.plan({}, nullptr, one)), planJson(**bench.plan({}, nullptr, many)));
    }

    void leavesOnTheHostWhatDoesNotFit() {
        // A 64x64 weight over 8 cores is 1 KiB of each; 3 KiB hold some of the four weights and the activations.
        const Bench bench(times(100, 1), 0.01, 3 << 10);
        const auto plan = bench.plan();
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        int onPim = 0, spilled = 0;
        for (const OpPlan& op : (*plan)->ops) {
            onPim += !op.onHost();
            spilled += op.reason.find("PIM is full") != std::string::npos;
        }
        QVERIFY(onPim > 0);
        QVERIFY(spilled > 0);
        QVERIFY(
            std::any_of((*plan)->problems.begin(), (*plan)->problems.end(), [](const Diagnostic& problem) {
                return problem.severity == Severity::Warning &&
                       problem.message.find("do not fit") != std::string::npos;
            }));
        QVERIFY2(bench.plan(decide({{"", "placement", "pim"}})).has_value(),
                 "a wish for the whole network goes as far as it can");
        const auto tooMuch = bench.plan(decide({{"MatMul_0", "placement", "pim"},
                                                {"MatMul_2", "placement", "pim"},
                                                {"MatMul_5", "placement", "pim"},
                                                {"MatMul_6", "placement", "pim"}}));
        QVERIFY(!tooMuch);
        QCOMPARE(tooMuch.error().code, ErrorCode::IllegalOverride);
    }

    void keepsGoingWithOpsOfUnknownCost() {
        auto known = times(20, 20);
        known.erase("Softmax_8");
        const Bench bench(known);
        const auto plan = bench.plan();
        QVERIFY(plan.has_value());
        QVERIFY(!planOf(**plan, "Softmax_8").hostKnown);
        QVERIFY(std::any_of((*plan)->problems.begin(), (*plan)->problems.end(),
                            [](const Diagnostic& problem) { return problem.object == "Softmax_8"; }));
    }

    void explorationAgreesWithThePlan() {
        const Bench bench(times(100, 100));
        const auto plan = bench.plan();
        const OpId op = bench.graph->findOp("MatMul_0");
        const auto found = bench.backend->drafts()->explore({bench.graph, bench.target, {}, {}}, op, {});
        QVERIFY(found.has_value());
        QVERIFY((*found)->drafts.front() == *(*plan)->opPlan(op).draft);
        QCOMPARE((*found)->costs.front().computeNs, (*plan)->opPlan(op).cost.computeNs);
        // x comes from host memory here, too
        QCOMPARE((*found)->costs.front().inputNs, (*plan)->opPlan(op).cost.inputNs);
        QCOMPARE((*found)->counts.byRule[0], std::ssize((*found)->drafts));
        const auto none = bench.backend->drafts()->explore({bench.graph, bench.target, {}, {}},
                                                           bench.graph->findOp("Softmax_8"), {});
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::Unsupported);
    }

    void sharesProgramsOfEqualKernels() {
        const Bench bench(times(100, 100));
        const auto plan = bench.plan();
        const auto files = bench.backend->lower(**plan, OpId(), {});
        QVERIFY(files.has_value());
        std::map<std::string, const CodeFile*> fileOf;
        for (const CodeFile& file : *files)
            for (const OpId op : file.ops)
                QVERIFY(fileOf.emplace(bench.graph->op(op).name, &file).second);
        QCOMPARE(std::ssize(fileOf), std::count_if((*plan)->ops.begin(), (*plan)->ops.end(),
                                                   [](const OpPlan& op) { return !op.onHost(); }));
        QCOMPARE(fileOf.at("MatMul_0"), fileOf.at("MatMul_2"));
        QCOMPARE(fileOf.at("MatMul_5"), fileOf.at("MatMul_6"));
        QVERIFY(fileOf.at("MatMul_0") != fileOf.at("MatMul_5"));
        const auto alone = bench.backend->lower(**plan, bench.graph->findOp("MatMul_0"), {});
        QVERIFY(alone.has_value());
        QCOMPARE(alone->front().text, fileOf.at("MatMul_0")->text);
        QVERIFY(parseProgram(alone->front().text).has_value());
        QVERIFY(!bench.backend->lower(**plan, bench.graph->findOp("Softmax_8"), {}));
    }

    void stopsWhenAsked() {
        const Bench bench(times(20, 20));
        std::stop_source stop;
        stop.request_stop();
        const auto plan =
            compile(bench.backends, {bench.graph, bench.target, {}, {}}, nullptr, {stop.get_token(), {}});
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::Cancelled);
    }

    void explainsDifferencesInWords() {
        QCOMPARE(explainDifference({1, 2, 3, 4, 0}, {1, 2, 3, 4, 0}),
                 std::string("the same time in every part"));
        const std::string text = explainDifference({100, 50, 0, 0, 0}, {20, 55, 0, 0, 0});
        QCOMPARE(text, ratioText(2) + " faster (" + timeText(75) + " instead of " + timeText(150) +
                           "): input rearrangement saves " + timeText(80) + ", compute costs " + timeText(5) +
                           " more");
    }

    void seesTensorsThroughViews() {
        const auto graph = network();
        const Dataflow flow(*graph);
        const FlowValue& value = flow.value(graph->op(graph->findOp("MatMul_5")).inputs[0]);
        QCOMPARE(value.producer, graph->findOp("MatMul_2"));
        QCOMPARE(value.consumers, std::vector<OpId>{graph->findOp("MatMul_5")});
        QVERIFY(flow.isView(graph->findOp("Reshape_4")) && !flow.isView(graph->findOp("Relu_1")));
        Network net;
        const TensorId x = net.input("x", {1, 40, 1, 128});
        const TensorId t = net.op("Transpose", OpClass::Movement, {x}, {1, 1, 40, 128});
        net.graph->ops[0].attributes["perm"] = std::vector<std::int64_t>{0, 2, 1, 3};
        const TensorId u = net.op("Transpose", OpClass::Movement, {t}, {1, 1, 128, 40});
        net.graph->ops[1].attributes["perm"] = std::vector<std::int64_t>{0, 1, 3, 2};
        const Dataflow moves(*net.finish(u));
        QVERIFY2(moves.isView(OpId(0)), "only an axis of one moves");
        QVERIFY(!moves.isView(OpId(1)));
    }
};

QTEST_APPLESS_MAIN(TestOpwise)
#include "tst_core_compile_opwise.moc"
