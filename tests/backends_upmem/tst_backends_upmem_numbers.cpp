// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Networks on DPUs, by numbers: every kind of op in every type, what is found when numbers are wrong, and a trained network that
/// recognises what it is shown.
#include "backends/host/roofline_host.h"
#include "backends/upmem/dpu_ops.h"
#include "backends/upmem/upmem.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/numeric/npy.h"
#include "core/plan/number_facet.h"
#include "tests/core_graph/onnx_builder.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <random>

using namespace pim;
using namespace pim::upmem;
namespace fs = std::filesystem;

namespace {

std::vector<float> noise(std::size_t count, unsigned seed, float spread) {
    std::minstd_rand random(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = spread * (float(random() % 2001) / 1000 - 1);
    return values;
}

/// Convolutions with stride, padding and groups, a residual, maps, sums of rows, products with and without batch.
std::string everyKind() {
    test::OnnxBuilder b(13);
    b.input("x", {std::int64_t(1), std::int64_t(4), std::int64_t(9), std::int64_t(9)});
    b.floats("w1", {8, 2, 3, 3}, noise(144, 1, 0.3F)).floats("b1", {8}, noise(8, 2, 0.2F));
    b.node("Conv", {"x", "w1", "b1"}, {"c1"},
           {{"strides", std::vector<std::int64_t>{2, 2}},
            {"pads", std::vector<std::int64_t>{1, 1, 1, 1}},
            {"group", std::int64_t(2)}},
           "grouped");
    b.node("Relu", {"c1"}, {"r1"}, {}, "relu");
    b.floats("w2", {8, 8, 1, 1}, noise(64, 3, 0.4F));
    b.node("Conv", {"r1", "w2"}, {"c2"}, {}, "pointwise");
    b.node("Add", {"c2", "r1"}, {"a1"}, {}, "residual");
    b.floats("gain", {8, 1, 1}, noise(8, 4, 1.5F)).floats("shift", {1}, {0.37F}).floats("tiny", {1}, {1e-4F});
    b.node("Mul", {"a1", "gain"}, {"m1"}, {}, "gain_of_channels");
    b.node("Sub", {"m1", "shift"}, {"s1"}, {}, "minus_constant");
    b.node("Add", {"s1", "tiny"}, {"t1"}, {}, "plus_little");
    b.node("Max", {"t1", "c2"}, {"x1"}, {}, "greater_of_two");
    b.node("GlobalAveragePool", {"x1"}, {"p1"}, {}, "mean");
    b.node("ReduceMax", {"x1"}, {"p2"}, {{"axes", std::vector<std::int64_t>{2, 3}}}, "greatest");
    b.node("Add", {"p1", "p2"}, {"p3"}, {}, "means_and_greatest");
    b.node("Flatten", {"p3"}, {"f1"}, {}, "flatten");
    b.floats("w3", {10, 8}, noise(80, 5, 0.5F)).floats("b3", {10}, noise(10, 6, 0.3F));
    b.node("Gemm", {"f1", "w3", "b3"}, {"logits"}, {{"transB", std::int64_t(1)}}, "gemm");
    b.node("MatMul", {"x1", "c2"}, {"batched"}, {}, "batched_product");
    b.output("logits").output("batched");
    return b.bytes();
}

std::string text(const Error& error) {
    return error.text() + " " + error.hint;
}

} // namespace

#define MUST(result) QVERIFY2(result, (result) ? "" : text((result).error()).c_str())

class TestUpmemNumbers : public QObject {
    Q_OBJECT
    BackendList m_backends;
    QTemporaryDir m_folder;

    Result<std::shared_ptr<const Plan>> planned(std::shared_ptr<const Graph> graph, DataType type,
                                                const char* target = "upmem-1") const {
        PIM_TRY(Overrides overrides, Overrides::fromJson(R"({"network": {"placement": "pim"}})", {}));
        CompileOptions options;
        options.computeType = type;
        return compile(m_backends, {std::move(graph), *TargetCatalog::load().find(target),
                                    std::move(overrides), options});
    }
    Result<std::shared_ptr<const Graph>> everyKindGraph() const {
        const fs::path file = m_folder.filePath("every.onnx").toStdString();
        test::writeFile(file, everyKind());
        return loadGraph(file);
    }
    const NumberFacet& facet() const { return *m_backends.find("upmem").value()->numbers(); }

    static QString onDpus(const Plan& plan) {
        QStringList names;
        for (const OpPlan& op : plan.ops)
            if (!op.onHost())
                names << QString::fromStdString(plan.graph->op(op.op).name);
        return names.join(' ');
    }

private slots:
    void initTestCase() {
        m_backends.add(std::make_unique<UpmemBackend>(std::make_shared<const RooflineHost>()));
    }

    void everyKindOfOp_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("i8") << int(DataType::I8);
        QTest::newRow("i16") << int(DataType::I16);
        QTest::newRow("i32") << int(DataType::I32);
    }
    void everyKindOfOp() {
        QFETCH(int, type);
        const auto graph = everyKindGraph();
        MUST(graph);
        const auto plan = planned(*graph, DataType(type));
        MUST(plan);
        const QString placed = onDpus(**plan);
        for (const char* const name :
             {"grouped", "relu", "pointwise", "residual", "gain_of_channels", "minus_constant", "plus_little",
              "greater_of_two", "mean", "greatest", "means_and_greatest", "gemm", "batched_product"})
            QVERIFY2(placed.contains(QString(name)), qPrintable(placed));
        for (const bool opByOp : {false, true}) {
            const auto report = facet().checkPlan(**plan, {.seed = 3, .opByOp = opByOp}, {});
            MUST(report);
            QVERIFY2(!report->problem, report->text.c_str());
            const auto json = nlohmann::json::parse(report->json);
            QCOMPARE(json["different"].get<int>(), 0);
            QCOMPARE(json["compared"].get<int>() + json["same_code"].get<int>(),
                     json["ops_on_pim"].get<int>());
            QVERIFY(json["elements"].get<int>() > 500);
            for (const auto& op : json["ops"])
                if (op["compared"].get<bool>())
                    QCOMPARE(op["on_engine"].get<int>(), op["dpus"].get<int>());
            // What 8 bits lose here is some per cent. In 16 bits, factors of maps are 181 at most, and more than 90, as exponents are of
            // 2: a rounding is off by 0.29 / 90 of the greatest, which is thrice the usual one, and there are two factors: 1.4 %. In 32
            // bits they have as many places as a product of some ten terms allows, 13 or more.
            const double most = type == int(DataType::I8) ? 0.06 : type == int(DataType::I16) ? 0.014 : 0.002;
            if (!opByOp)
                QVERIFY2(json["output_error"].get<double>() < most, report->text.c_str());
        }
    }

    void directConvolutionsToo() {
        const auto graph = everyKindGraph();
        MUST(graph);
        PlanRequest request{*graph, *TargetCatalog::load().find("upmem-1"), {}, {}};
        request.overrides = *Overrides::fromJson(R"({"network": {"placement": "pim"}})", {});
        request.options.computeType = DataType::I8;
        request.options.convAsGemm = false;
        const auto plan = compile(m_backends, request);
        MUST(plan);
        QVERIFY(onDpus(**plan).contains("grouped"));
        const auto report = facet().checkPlan(**plan, {.seed = 4}, {});
        MUST(report);
        QVERIFY2(!report->problem, report->text.c_str());
    }

    void softFloatsAreRefused() {
        const auto graph = everyKindGraph();
        MUST(graph);
        const auto plan = planned(*graph, DataType::F32);
        MUST(plan);
        const auto report = facet().checkPlan(**plan, {}, {});
        QVERIFY(!report && report.error().code == ErrorCode::Unsupported);
        QVERIFY(text(report.error()).find("soft floats") != std::string::npos);
        QVERIFY(text(report.error()).find("--dtype i8, i16 or i32") != std::string::npos);
    }

    void opsByNameAndBudget() {
        const auto graph = everyKindGraph();
        MUST(graph);
        const auto plan = planned(*graph, DataType::I8);
        MUST(plan);
        const auto one = facet().checkPlan(**plan, {.ops = {"grouped"}}, {});
        MUST(one);
        QCOMPARE(nlohmann::json::parse(one->json)["ops_on_pim"].get<int>(), 1);
        const auto nobody = facet().checkPlan(**plan, {.ops = {"grouped", "nobody"}}, {});
        QVERIFY(!nobody && nobody.error().code == ErrorCode::Usage && nobody.error().where == "nobody");
        NumberOptions none;
        MUST(facet().choices()->set(none.own, "engine", "0"));
        const auto plain = facet().checkPlan(**plan, none, {});
        MUST(plain);
        QVERIFY(!plain->problem);
        QCOMPARE(nlohmann::json::parse(plain->json)["instructions"].get<int>(), 0);
        QVERIFY(!facet().choices()->set(none.own, "engine", "-1"));
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = facet().checkPlan(**plan, {}, {stop.get_token(), {}});
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
    }

    /// One wrong sum is found, in the op that has it.
    void findsWrongNumbers() {
        const auto graph = everyKindGraph();
        MUST(graph);
        const auto plan = planned(*graph, DataType::I8);
        MUST(plan);
        auto ops = DpuOps::of(**plan, {}, {});
        MUST(ops);
        auto model = quantize(*graph);
        MUST(model);
        roundConstants(*model, *ops);
        const auto reference = runQuantized(*model, model->calibration);
        MUST(reference);
        DpuDevice device(*ops, *model, {});
        auto run = runQuantized(*model, model->calibration, {.device = &device});
        MUST(run);
        compareRuns(*ops, *run, *reference);
        for (const CheckedOp& op : ops->ops())
            QCOMPARE(op.different, 0);
        const auto gemm = std::ranges::find(ops->ops(), "gemm", &CheckedOp::name);
        QVERIFY(gemm != ops->ops().end());
        run->sums.at({gemm->op, 0})[3] += 1;
        compareRuns(*ops, *run, *reference);
        QCOMPARE(gemm->different, 1);
        QVERIFY(gemm->first.starts_with("element [0, 3] is "));
    }

    void aSampleOfTheProduct() {
        const auto graph =
            loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 7}}});
        MUST(graph);
        for (const DataType type : {DataType::I8, DataType::I16}) {
            const auto plan = planned(*graph, type);
            MUST(plan);
            NumberOptions options;
            MUST(facet().choices()->set(options.own, "engine", "30"));
            const auto report = facet().checkPlan(**plan, options, {});
            MUST(report);
            QVERIFY2(!report->problem, report->text.c_str());
            QVERIFY(nlohmann::json::parse(report->json)["compared"].get<int>() >= 8);
        }
    }

    void trainedNetworksAreRight_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("model");
        QTest::addColumn<float>("divisor");
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("leastRight"); // float32: 29 of the digits; 0.876 of all clothes
        QTest::newRow("digits") << QStringLiteral(PIM_SOURCE_DIR "/tests/golden/upmem/vit_digits")
                                << QStringLiteral("vit_digits.onnx") << 16.0F << 32 << 28;
        QTest::newRow("clothes") << QStringLiteral(PIM_SHARED_DIR "/golden/lut/mlp_fashion")
                                 << QStringLiteral("mlp_fashion.onnx") << 255.0F << 64 << 53;
    }
    /// The logits of the engine are those of the 8-bit reference, and about as many answers are right as in float32.
    void trainedNetworksAreRight() {
        QFETCH(QString, folder);
        QFETCH(QString, model);
        QFETCH(float, divisor);
        QFETCH(int, samples);
        QFETCH(int, leastRight);
        if (!QFileInfo::exists(folder))
            QSKIP("the network is not there");
        const fs::path data = folder.toStdString();
        checkTrained(data, data / model.toStdString(), divisor, samples, leastRight);
    }

private:
    void checkTrained(const fs::path& folder, const fs::path& network, float divisor, std::int64_t samples,
                      std::int64_t leastRight) const {
        constexpr std::int64_t kSamples = 16;
        const auto graph = loadGraph(network, {.bindings = {{"batch", kSamples}}});
        MUST(graph);
        const auto calibration = readNpy(folder / "calib_x.npy"), images = readNpy(folder / "test_x.npy"),
                   labels = readNpy(folder / "test_y.npy");
        MUST(calibration);
        MUST(images);
        MUST(labels);
        const auto plan = planned(*graph, DataType::I8);
        MUST(plan);
        auto ops = DpuOps::of(**plan, {}, {.instructions = 20'000'000});
        MUST(ops);
        QVERIFY(ops->ops().size() >= 3);
        const auto calibrated = realSamples(*calibration, 0, kSamples, divisor);
        MUST(calibrated);
        auto model = quantize(*graph, {.calibration = {{*calibrated}}});
        MUST(model);
        roundConstants(*model, *ops);
        std::int64_t right = 0, all = 0;
        for (std::int64_t first = 0; first < samples; first += kSamples) {
            const auto inputs = realSamples(*images, first, kSamples, divisor);
            MUST(inputs);
            const auto reference = runQuantized(*model, std::vector{*inputs});
            MUST(reference);
            DpuDevice device(*ops, *model, {});
            const auto run = runQuantized(*model, std::vector{*inputs}, {.device = &device});
            MUST(run);
            compareRuns(*ops, *run, *reference);
            for (const CheckedOp& op : ops->ops()) {
                QVERIFY2(op.ran && op.share.onEngine > 0, (op.name + ": " + op.note).c_str());
                QVERIFY2(op.different == 0, (op.name + ": " + op.first).c_str());
            }
            const std::size_t out = (*graph)->outputs.front().index();
            const auto logits = elements<std::int8_t>(run->values[out]),
                       wanted = elements<std::int8_t>(reference->values[out]);
            QVERIFY(std::ranges::equal(logits, wanted));
            const auto classes = std::int64_t(logits.size()) / kSamples;
            for (std::int64_t i = 0; i < kSamples; ++i, ++all) {
                const auto* const row = logits.data() + i * classes;
                right += std::max_element(row, row + classes) - row ==
                         std::to_integer<int>((*labels->bytes)[std::size_t(first + i)]);
            }
        }
        QVERIFY2(right >= leastRight, qPrintable(QStringLiteral("%1 of %2").arg(right).arg(all)));
        qInfo("%d of %d right", int(right), int(all));
    }
};

QTEST_GUILESS_MAIN(TestUpmemNumbers)
#include "tst_backends_upmem_numbers.moc"
