// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Gradients: of one layer against exact ones, of every op against differences, of a network against differences.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <string>

#include "core/lut/network/calibration.h"
#include "core/lut/network/layer_gradient.h"
#include "core/lut/network/tape.h"
#include "core/numeric/real_run.h"
#include "tests/core_lut/golden_layer.h"
#include "tests/core_numeric/onnx_vectors.h"

#include <fmt/ranges.h>

#include <cmath>
#include <random>

using namespace pim;
using namespace pim::lut;

namespace {

/// Sum of the elements of output 0 times \p factors.
double weighted(const Graph& graph, std::span<const Value> inputs, const std::vector<float>& factors) {
    const auto outputs = runReal(graph, inputs);
    double sum = 0;
    if (outputs)
        for (std::size_t i = 0; i < factors.size(); ++i)
            sum += double(elements<float>((*outputs)[0])[i]) * double(factors[i]);
    return sum;
}

std::vector<float> randomFactors(std::size_t count) {
    std::mt19937 random(5);
    std::vector<float> factors(count);
    for (float& factor : factors)
        factor = static_cast<float>(random() % 2000) / 1000 - 1;
    return factors;
}

/// An element moved by \p by.
std::vector<Value> moved(std::vector<Value> inputs, std::size_t input, std::size_t element, float by) {
    auto bytes = std::make_shared<std::vector<std::byte>>(*inputs[input].bytes);
    reinterpret_cast<float*>(bytes->data())[element] += by;
    inputs[input].bytes = std::move(bytes);
    return inputs;
}

/// Empty, or the first element of an input whose gradient is not what differences of both sides say.
QString largestMiss(const test::OnnxCase& one, std::size_t input, const std::vector<float>& gradient,
                    const std::vector<float>& factors) {
    constexpr float kBy = 0.01F;
    const auto given = std::ranges::find_if(
        one.given, [&](const Value& value) { return value.bytes == one.inputs[input].bytes; });
    if (given == one.given.end())
        return "it is no input of the graph";
    const auto at = static_cast<std::size_t>(given - one.given.begin());
    const auto x = elements<float>(one.inputs[input]);
    for (std::size_t e = 0; e < x.size(); e += 1 + x.size() / 16) {
        const double slope = (weighted(*one.graph, moved(one.given, at, e, kBy), factors) -
                              weighted(*one.graph, moved(one.given, at, e, -kBy), factors)) /
                             (2 * double(kBy));
        if (!std::isfinite(slope) || std::abs(x[e]) < 2 * kBy) // beyond where the op is defined, or at a kink
            continue;
        if (std::abs(slope - double(gradient[e])) > 0.01 * std::max(1.0, std::abs(slope)))
            return QString("element %1 at %2: %3, differences %4")
                .arg(e)
                .arg(x[e])
                .arg(gradient[e])
                .arg(slope);
    }
    return {};
}

} // namespace

class TestLutGradients : public QObject {
    Q_OBJECT
private slots:
    void oneLayerIsExact() {
        const QJsonArray cases =
            test::layerFile(QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/layer_mlp_fc2.json.gz"))["cases"]
                .toArray();
        QCOMPARE(cases.size(), 3);
        for (const QJsonValue& one : cases)
            for (const int sides : {1, 2}) {
                const QJsonValue wanted = one["grad"][QString("sides_%1").arg(sides)];
                const auto x = test::array<float>(one["x"]), w = test::array<float>(one["weight"]),
                           upstream = test::array<float>(one["grad"]["upstream"]);
                const Codebooks books{one["codebooks"].toInt(), one["CT"].toInt(), one["V"].toInt(),
                                      test::array<float>(one["centroids"])};
                const auto found =
                    layerGradients({x, w, upstream, one["grad"]["beta"].toDouble(), sides}, books, 2);
                QVERIFY(found);
                QVERIFY(std::abs(found->loss * sides - wanted["recon_loss"].toDouble()) <
                        1e-6 * wanted["recon_loss"].toDouble());
                for (const auto& [name, ours] : {std::pair{"dX", &found->rows},
                                                 {"dW", &found->weights},
                                                 {"dC", &found->centroids},
                                                 {"dbias", &found->bias}}) {
                    const auto theirs = test::array<float>(wanted[name]);
                    QVERIFY2(
                        test::largestDifference(*ours, theirs) < 1e-4,
                        qPrintable(QString("%1: %2").arg(name).arg(test::largestDifference(*ours, theirs))));
                }
            }
    }

    /// All ops of ONNX's node tests whose gradients are known, against differences of both sides.
    void everyOpAgreesWithDifferences() {
        std::set<std::string> checked;
        for (std::size_t i = 0; i < test::onnxCases().size(); ++i) {
            const test::OnnxCase one = test::onnxCase(i);
            const Op& op = one.graph->ops[0];
            const auto outputs = runReal(*one.graph, one.given);
            QVERIFY(outputs);
            if (one.expected[0].dtype != DataType::F32 || one.expected[0].count() > 4000 ||
                outputs->size() != 1)
                continue;
            const TapeStep step{OpId(0), one.inputs, *outputs};
            const auto factors = randomFactors(static_cast<std::size_t>(one.expected[0].count()));
            for (std::size_t input = 0; input < one.inputs.size(); ++input) {
                std::vector<bool> wanted(one.inputs.size(), false);
                wanted[input] = true;
                if (!one.inputs[input].bytes || one.inputs[input].dtype != DataType::F32)
                    continue;
                MovementMaps maps;
                const auto found = onlyMoves(op) ? movedGradients(*one.graph, step, factors, wanted, maps)
                                                 : inputGradients(*one.graph, step, factors, wanted, 1);
                if (!found) {
                    QVERIFY(found.error().code == ErrorCode::Unsupported);
                    continue;
                }
                const QString apart = largestMiss(one, input, (*found)[input], factors);
                QVERIFY2(apart.isEmpty(),
                         qPrintable(QString("%1, input %2, %3")
                                        .arg(QString::fromStdString(
                                            test::onnxCases()[i].at("name").get<std::string>()))
                                        .arg(input)
                                        .arg(apart)));
                checked.insert(op.type + (input > 0 ? " " + std::to_string(input) : ""));
            }
        }
        for (const char* type :
             {"Add",     "Mul",     "Div",     "Sub",       "Relu",       "Tanh",
              "Sigmoid", "Softmax", "MatMul",  "Transpose", "ReduceMean", "LayerNormalization",
              "Sqrt",    "Pow",     "Mul 1",   "Div 1",     "Sub 1",      "MatMul 1",
              "Where 1", "Where 2", "Concat 1"})
            QVERIFY2(
                checked.contains(type),
                qPrintable(QString("%1 is not among %2")
                               .arg(type)
                               .arg(QString::fromStdString(fmt::format("{}", fmt::join(checked, " "))))));
    }

    /// Those that ONNX has no vectors of here.
    void activationsAgreeWithDifferences() {
        Fresh<float> in(DataType::F32, {1, 9});
        for (std::size_t i = 0; i < 9; ++i)
            in.data[i] = 0.7F * (static_cast<float>(i) - 4);
        for (const char* type : {"Erf", "Gelu", "Silu"})
            for (const char* form : {"none", "tanh"}) {
                Op op;
                op.type = type;
                op.domain = op.type == "Erf" ? "" : "pim";
                op.attributes["approximate"] = std::string(form);
                const auto graph = test::singleOp(op, {in.value}, {Value{DataType::F32, {1, 9}, nullptr}});
                const auto outputs = runReal(*graph, std::vector{in.value});
                QVERIFY2(outputs, outputs ? "" : outputs.error().text().c_str());
                const auto factors = randomFactors(9);
                const auto found =
                    inputGradients(*graph, {OpId(0), {in.value}, *outputs}, factors, {true}, 1);
                QVERIFY(found);
                for (std::size_t e = 0; e < 9; ++e) {
                    const double slope = (weighted(*graph, moved({in.value}, 0, e, 0.01F), factors) -
                                          weighted(*graph, moved({in.value}, 0, e, -0.01F), factors)) /
                                         0.02;
                    QVERIFY2(std::abs(slope - double((*found)[0][e])) < 1e-3, type);
                }
            }
    }

    /// Converts the first layer only, so that everything behind it is smooth, and moves along the gradient of its output.
    void aNetworkAgreesWithDifferences() {
        const std::string folder = PIM_SOURCE_DIR "/tests/golden/lut/vit_digits";
        const DataSet set = openDataSet(folder).value();
        Samples samples = readSamples(set, "calib").value();
        samples.x.bytes = std::make_shared<const std::vector<std::byte>>(samples.x.bytes->begin(),
                                                                         samples.x.bytes->begin() + 4 * 64);
        samples.x.shape[0] = 4;
        const Classifier classifier = Classifier::open(folder + "/vit_digits.onnx", set, samples).value();
        const auto graph = classifier.graph(4).value();
        const OpId first = layersToConvert(*graph, set, {}).value()[0];
        const auto run = [&](const std::vector<float>& change, Tape* tape) {
            const auto see = [&](const Graph&, const RealStep& at) -> Result<void> {
                if (at.op == first && !change.empty()) {
                    Fresh<float> fresh(DataType::F32, at.outputs[0].shape);
                    for (std::size_t i = 0; i < fresh.data.size(); ++i)
                        fresh.data[i] = elements<float>(at.outputs[0])[i] + change[i];
                    (*at.results)[0] = fresh.value;
                }
                if (tape)
                    tape->record(at.op, at.inputs, *at.results);
                return {};
            };
            return classifier.run(samples, 0, 4, see).value();
        };
        Tape tape(graph, {first});
        const Value logits = run({}, &tape);
        const auto factors = randomFactors(static_cast<std::size_t>(logits.count()));
        std::vector<float> gradient;
        QVERIFY(tape.backward(
            factors,
            [&](const TapeStep&, std::span<const float> output, std::vector<float>*) -> Result<void> {
                gradient.assign(output.begin(), output.end());
                return {};
            },
            1));
        double square = 0;
        for (const float g : gradient)
            square += double(g) * double(g);
        QVERIFY(square > 1e-6);
        const auto loss = [&](double by) {
            std::vector<float> change;
            for (const float g : gradient)
                change.push_back(static_cast<float>(by * double(g) / std::sqrt(square)));
            const Value moved = run(change, nullptr);
            double sum = 0;
            for (std::size_t i = 0; i < factors.size(); ++i)
                sum += double(elements<float>(moved)[i]) * double(factors[i]);
            return sum;
        };
        const double slope = (loss(0.02) - loss(-0.02)) / 0.04;
        QVERIFY2(std::abs(slope / std::sqrt(square) - 1) < 0.01,
                 qPrintable(QString("%1 of %2").arg(slope).arg(std::sqrt(square))));
    }
};

QTEST_GUILESS_MAIN(TestLutGradients)
#include "tst_core_lut_gradients.moc"
