// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Checks of numbers find what is wrong, count only what they compared, and are right about what is right.
#include <QTemporaryDir>
#include <QTest>

#include <string>

#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/execute/numeric_check.h"
#include "core/execute/sample_weights.h"
#include "core/graph/import.h"
#include "core/graph/weights.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"
#include "core/numeric/npy.h"
#include "core/plan/command_facet.h"
#include "tests/core_graph/onnx_builder.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>

using namespace pim;

namespace {

/// Commands like another machine's, whose units have a fault.
class Faulty final : public CommandFacet {
public:
    enum class Fault { OneElement, NotANumber, Refuses, Breaks };
    Faulty(const CommandFacet& real, Fault fault) : m_real(real), m_fault(fault) {}
    Result<std::shared_ptr<const CommandTrace>> trace(const Plan& plan, OpId op,
                                                      const TaskContext& task) const override {
        return m_real.trace(plan, op, task);
    }
    Result<MemoryLayout> layout(const Plan& plan, const TaskContext& task) const override {
        return m_real.layout(plan, task);
    }
    Result<std::shared_ptr<const OpPlaces>> places(const Plan& plan, OpId op) const override {
        return m_real.places(plan, op);
    }
    Result<std::vector<std::vector<float>>> execute(const Plan& plan, OpId op,
                                                    std::vector<std::vector<float>> tensors, int threads,
                                                    const TaskContext& task) const override {
        if (m_fault == Fault::Refuses)
            return fail(ErrorCode::Unsupported, "not today");
        if (m_fault == Fault::Breaks)
            return fail(ErrorCode::InvalidFile, "row 3 is not open");
        auto result = m_real.execute(plan, op, std::move(tensors), threads, task);
        if (result) {
            float& number = result->back().at(result->back().size() / 2);
            number = m_fault == Fault::NotANumber ? std::numeric_limits<float>::quiet_NaN() : number + 1;
        }
        return result;
    }
    Result<std::vector<std::vector<float>>> executeDraft(const Exploration& exploration, std::size_t draft,
                                                         std::vector<std::vector<float>> tensors, int threads,
                                                         const TaskContext& task) const override {
        return m_real.executeDraft(exploration, draft, std::move(tensors), threads, task);
    }
    int exactTerms() const override { return m_real.exactTerms(); }

private:
    const CommandFacet& m_real;
    Fault m_fault;
};

} // namespace

class TestNumericCheck : public QObject {
    Q_OBJECT
    BackendList m_backends = builtinBackends();
    const CommandFacet* m_commands = nullptr;
    std::shared_ptr<const Plan> m_plan;

private slots:
    void initTestCase() {
        const auto graph = loadGraph(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx");
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        PlanRequest request{*graph, TargetCatalog::load().find("attacc").value(), {}, {}};
        request.overrides.set({"", "placement", "pim"});
        m_plan = compile(m_backends, request).value();
        m_commands = m_backends.find("attacc").value()->commands();
    }

    /// ONNX Runtime's results for the same bytes; every op that can be is on PIM. Half-precision types keep
    /// 11 (F16) and 8 (BF16) bits, and the two layers have some thirty roundings behind a result.
    void networkIsWhatOnnxRuntimeGives_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<double>("atMost"); // of the largest magnitude of the output
        QTest::newRow("attacc") << "attacc" << 0.002;
        QTest::newRow("hbm-pim") << "hbm-pim" << 0.002;
        QTest::newRow("hbm-pim-hbm3") << "hbm-pim-hbm3" << 0.002;
        QTest::newRow("aim") << "aim" << 0.015;
    }
    void networkIsWhatOnnxRuntimeGives() {
        QFETCH(QString, target);
        QFETCH(double, atMost);
        std::ifstream file(PIM_SOURCE_DIR "/tests/golden/numeric/tiny_gpt_onnxruntime.json");
        const auto golden = nlohmann::json::parse(file)["outputs"];
        PlanRequest request{m_plan->graph, TargetCatalog::load().find(target.toStdString()).value(), {}, {}};
        request.overrides.set({"", "placement", "pim"});
        const auto plan = compile(m_backends, request).value();
        const Backend& backend = *m_backends.find(plan->target->backend).value();
        const auto report = checkNumbers(*backend.commands(), *plan);
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QVERIFY(report->compared() >= 9);
        QVERIFY(report->ok());
        QCOMPARE(report->values.size(), golden.size());
        for (std::size_t i = 0; i < report->values.size(); ++i) {
            const std::string& output = plan->graph->tensor(plan->graph->outputs[i]).name;
            const auto expected = golden.at(output).get<std::vector<float>>();
            const auto found = elements<float>(report->values[i]);
            QCOMPARE(found.size(), expected.size());
            double most = 0, off = 0;
            for (std::size_t e = 0; e < expected.size(); ++e) {
                most = std::max(most, double(std::abs(expected[e])));
                off = std::max(off, double(std::abs(found[e] - expected[e])));
            }
            QVERIFY2(off <= atMost * most,
                     qPrintable(QString("%1: off by %2 of %3").arg(output.c_str()).arg(off).arg(most)));
        }
    }

    /// Of 4096 terms, sixteen of which are added before one rounds.
    void toleratesWhatIsRounded() {
        const auto kernel =
            parseKernel("def gemv(X[4096], W[4096][4096]):\n y = DCC.Tensor.zero([4096])\n"
                        " for n in range(4096):\n  for k in range(4096):\n   y[n] += X[k] * W[n][k]\n");
        QVERIFY2(kernel.has_value(), kernel ? "" : kernel.error().text().c_str());
        const double spread = std::sqrt(2 * std::log(4096.0) / 3);
        QCOMPARE(numericTolerance(*kernel, DataType::BF16), 0x1p-8 * (8 + spread * 64));
        QCOMPARE(numericTolerance(*kernel, DataType::BF16, 16), 0x1p-8 * (8 + spread * 16));
        QCOMPARE(m_backends.find("aim").value()->commands()->exactTerms(), 16);
        QCOMPARE(m_commands->exactTerms(), 1); // AttAcc adds in FP16
    }

    void measuresDifferences() {
        const std::vector<float> reference{3, -4, 0, 0};
        std::vector<float> values = reference;
        NumericDifference same = differenceOf(values, reference, 0);
        QVERIFY(same.ok());
        QCOMPARE(same.rms, 2.5);
        QCOMPARE(same.maxAbsolute, 0.0);
        values[1] = -4.5F;
        const NumericDifference off = differenceOf(values, reference, 0.1);
        QVERIFY(off.ok());
        QCOMPARE(off.maxRelative, 0.5 / 6.5);
        QCOMPARE(off.relativeRms, 0.1);
        QCOMPARE(off.worst, 1);
        QCOMPARE(off.meanAbsolute, 0.125);
        QCOMPARE(off.meanRelative, 0.5 / 6.5 / 4);
        QVERIFY(off.first == -1 && off.firstText().empty());
        QCOMPARE(differenceOf(values, reference, 0.07).wrong, 1);
        QCOMPARE(differenceOf(values, reference, 0.07).firstText(),
                 std::string("element [1] is -4.5 instead of -4"));
        values[2] = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(differenceOf(values, reference, 1).wrong, 1);
        values.pop_back();
        QCOMPARE(differenceOf(values, reference, 1).wrong, 4);
    }

    void leavesOutWhatIsNotFinite() {
        constexpr float kInf = std::numeric_limits<float>::infinity(),
                        kNaN = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> reference{3, -4, kNaN, kInf};
        const NumericDifference same = differenceOf(std::vector<float>{3, -4, kNaN, kInf}, reference, 0);
        QVERIFY(same.ok());
        QCOMPARE(same.notFinite, 2);
        QCOMPARE(same.rms, std::sqrt(12.5));
        QCOMPARE(same.maxRelative, 0.0);
        QCOMPARE(same.relativeRms, 0.0);
        // Which of them a sum that overflows becomes depends on its order.
        const NumericDifference other = differenceOf(std::vector<float>{3, -4.5F, -kInf, kNaN}, reference, 1);
        QVERIFY(other.ok());
        QCOMPARE(other.maxAbsolute, 0.5);
        QCOMPARE(other.meanAbsolute, 0.25);
        QCOMPARE(other.relativeRms, 0.1);
        const NumericDifference number = differenceOf(std::vector<float>{3, -4, 1, kInf}, reference, 1);
        QCOMPARE(number.wrong, 1);
        QCOMPARE(number.firstText(), std::string("element [2] is 1 instead of nan"));
        const NumericDifference none = differenceOf(std::vector<float>{3, kInf, kNaN, kInf}, reference, 1);
        QCOMPARE(none.wrong, 1);
        QCOMPARE(none.worst, 1);
        QVERIFY(std::isinf(none.maxRelative) && std::isinf(none.relativeRms));
    }

    void comparesAllOpsOnPim() {
        const auto report = checkNumbers(*m_commands, *m_plan, {.seed = 3});
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QVERIFY(report->ok());
        const auto onPim = std::count_if(m_plan->ops.begin(), m_plan->ops.end(),
                                         [](const OpPlan& op) { return !op.onHost(); });
        QVERIFY(onPim > 5);
        QCOMPARE(report->ops.size(), std::size_t(onPim));
        QCOMPARE(report->compared(), std::int64_t(onPim));
        QVERIFY(!report->outputs.empty());
        for (const NumericOp& op : report->ops) {
            QVERIFY2(op.difference.maxRelative > 0, "FP16 is not float32");
            QVERIFY(op.difference.maxRelative < op.difference.tolerance);
        }
    }

    void comparesOpByOp() {
        const auto report = checkNumbers(*m_commands, *m_plan, {.opByOp = true});
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QVERIFY(report->ok() && report->outputs.empty());
        QVERIFY2(report->compared() < std::ssize(report->ops), "two layers have the same code");
        QCOMPARE(report->compared() + report->alike(), std::ssize(report->ops));
    }

    /// Columns of weights that are nearly the same, so that what makes a row differ is of the order of its roundings, and a
    /// normalization that brings it to 1: the product is right, and what follows must not be called wrong.
    void toleratesWhatNormalizationEnlarges() {
        constexpr std::int64_t kRows = 4, kWide = 64;
        test::OnnxBuilder b(17);
        b.input("x", {kRows, kWide});
        std::vector<float> weights;
        for (const float noise : sampleNumbers(kWide * kWide, 0.003, 7))
            weights.push_back(1 + noise);
        b.floats("w", {kWide, kWide}, weights);
        b.floats("scale", {kWide}, std::vector<float>(kWide, 1))
            .floats("shift", {kWide}, std::vector<float>(kWide, 0));
        b.node("MatMul", {"x", "w"}, {"p"}, {}, "product");
        b.node("LayerNormalization", {"p", "scale", "shift"}, {"y"}, {{"epsilon", 1e-9}}, "normalize");
        b.output("y");
        QTemporaryDir folder;
        const auto graph = loadGraph(b.save(folder.filePath("flat.onnx").toStdString()));
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        PlanRequest request{*graph, TargetCatalog::load().find("aim").value(), {}, {}};
        request.overrides.set({"product", "placement", "pim"});
        const auto plan = compile(m_backends, request).value();
        const CommandFacet& commands = *m_backends.find("aim").value()->commands();
        const auto report = checkNumbers(commands, *plan);
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QCOMPARE(report->compared(), 1);
        const double ofOp = report->ops.front().difference.tolerance;
        const NumericDifference& output = report->outputs.front().second;
        QVERIFY2(output.maxRelative > ofOp, "else this network shows nothing");
        QVERIFY(report->ok());
        QVERIFY(output.tolerance > output.maxRelative);
        // What an op has wrong is not excused by what follows.
        const auto faulty = checkNumbers(Faulty(commands, Faulty::Fault::OneElement), *plan).value();
        QVERIFY(!faulty.ok());
        QCOMPARE(faulty.outputs.front().second.tolerance, ofOp);
    }

    void findsFaults() {
        const auto run = [&](Faulty::Fault fault) {
            return checkNumbers(Faulty(*m_commands, fault), *m_plan).value();
        };
        const auto isFound = [](const NumericOp& op) { return op.compared && op.difference.wrong >= 1; };
        const NumericReport oneElement = run(Faulty::Fault::OneElement);
        QVERIFY(!oneElement.ok());
        QVERIFY(std::ranges::all_of(oneElement.ops, isFound));
        const NumericReport notANumber = run(Faulty::Fault::NotANumber);
        QVERIFY(!notANumber.ok());
        QVERIFY2(isFound(notANumber.ops.front()), "what follows is NaN in float32 as well");
        QVERIFY(numberReport(notANumber).problem->code == ErrorCode::Internal);
        const NumericReport refused = run(Faulty::Fault::Refuses);
        QVERIFY2(!refused.ok(), "nothing was compared");
        QCOMPARE(refused.compared(), 0);
        QVERIFY(refused.ops[0].note.find("not today") != std::string::npos);
        const NumericReport broken = run(Faulty::Fault::Breaks);
        QVERIFY(!broken.ok() && broken.ops[0].broken);
        QVERIFY(broken.ops[0].note.find("row 3 is not open") != std::string::npos);
    }

    /// One wrong element in each op: the report and the index of the dump name it, with both values, and the files have them.
    void namesTheFirstWrongElement() {
        QTemporaryDir folder;
        const std::filesystem::path dump = folder.filePath("dump").toStdString();
        const auto report =
            checkNumbers(Faulty(*m_commands, Faulty::Fault::OneElement), *m_plan, {.dump = dump});
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        const NumericOp& op = report->ops.front();
        const TensorId output = m_plan->graph->op(op.op).outputs.front();
        const Shape& shape = *m_plan->graph->tensor(output).shape;
        QVERIFY(op.difference.shape == shape);
        const std::int64_t at = op.difference.first;
        QVERIFY(at >= 0);
        QVERIFY(std::abs(op.difference.firstValue - op.difference.firstReference - 1) < 0.1);
        const std::string name = npyName(m_plan->graph->tensor(output).name);
        const auto made = readNpy(dump / (name + ".npy")),
                   expected = readNpy(dump / (name + ".expected.npy"));
        QVERIFY(made && expected && made->shape == shape);
        QCOMPARE(double(elements<float>(*made)[std::size_t(at)]), op.difference.firstValue);
        QCOMPARE(double(elements<float>(*expected)[std::size_t(at)]), op.difference.firstReference);
        const NumberReport told = numberReport(*report);
        QVERIFY2(told.text.find("WRONG: " + op.difference.firstText()) != std::string::npos,
                 told.text.c_str());
        const auto json = nlohmann::json::parse(told.json)["ops"][0]["difference"];
        QVERIFY(json["first_wrong"]["index"].get<Shape>() == indexOf(at, shape));
        QCOMPARE(json["first_wrong"]["value"].get<double>(), op.difference.firstValue);
        std::ifstream index(dump / "index.csv");
        const std::string rows{std::istreambuf_iterator<char>(index), {}};
        std::string place;
        for (const std::int64_t i : indexOf(at, shape))
            place += (place.empty() ? "" : " ") + std::to_string(i);
        QVERIFY2(rows.find("," + place + ",") != std::string::npos, rows.c_str());
    }

    /// What there was until then stays.
    void keepsTensorsOfARunThatEnds() {
        QTemporaryDir folder;
        const std::filesystem::path dump = folder.filePath("dump").toStdString();
        std::stop_source stop;
        const auto watch = [&](std::string_view stage, std::int64_t op, std::int64_t) {
            if (stage == "running on PIM units" && op == 3)
                stop.request_stop();
        };
        const auto stopped = checkNumbers(*m_commands, *m_plan, {.dump = dump}, {stop.get_token(), watch});
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        std::ifstream index(dump / "index.csv");
        std::string line;
        std::getline(index, line);
        int rows = 0;
        for (; std::getline(index, line); ++rows)
            QCOMPARE(std::count(line.begin(), line.end(), ','), 22);
        QVERIFY(rows > std::ssize(m_plan->graph->inputs));
        QVERIFY(rows < std::ssize(m_plan->graph->inputs) + std::ssize(m_plan->graph->ops));
    }

    void keepsToItsLimits() {
        const std::string& first = m_plan->graph->op(checkNumbers(*m_commands, *m_plan)->ops[1].op).name;
        const auto one = checkNumbers(*m_commands, *m_plan, {.ops = {first}});
        QVERIFY(one.has_value());
        QCOMPARE(one->ops.size(), std::size_t(1));
        QCOMPARE(checkNumbers(*m_commands, *m_plan, {.ops = {"no such op"}}).error().code, ErrorCode::Usage);
        const auto hurried = checkNumbers(*m_commands, *m_plan, {.secondsAtMost = 1e-9});
        QVERIFY(hurried.has_value());
        QVERIFY(!hurried->ok());
        QVERIFY(hurried->ops[0].note.find("allowed were over") != std::string::npos);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(checkNumbers(*m_commands, *m_plan, {}, {stop.get_token(), {}}).error().code,
                 ErrorCode::Cancelled);
    }

    void makesWeightsUpWhereThereAreNone() {
        const auto graph = loadGraph(PIM_SOURCE_DIR "/projects/mobilenetv2/mobilenetv2.onnx").value();
        QVERIFY(graph->missingWeightTensors() > 0);
        const auto a = withSampleWeights(graph, 1).value(), b = withSampleWeights(graph, 1).value(),
                   c = withSampleWeights(graph, 2).value();
        int compared = 0;
        for (std::size_t i = 0; i < graph->tensors.size(); ++i)
            if (graph->tensors[i].data && !graph->tensors[i].data->present && !graph->tensors[i].constant) {
                const auto bytes = readConstant(a->tensors[i]).value();
                QVERIFY(bytes == readConstant(b->tensors[i]).value());
                QVERIFY(bytes != readConstant(c->tensors[i]).value());
                ++compared;
            }
        QVERIFY(compared > 20);
        QCOMPARE(withSampleWeights(graph, 1, 1000).error().code, ErrorCode::Unsupported);
        QVERIFY2(withSampleWeights(m_plan->graph, 1).value() == m_plan->graph, "it has its weights");
    }
};

QTEST_GUILESS_MAIN(TestNumericCheck)
#include "tst_core_execute_check.moc"
