// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every operator in float32 against the test vectors of ONNX.
#include <QTest>

#include <string>

#include "core/numeric/element_access.h"
#include "core/numeric/real_run.h"
#include "tests/core_numeric/onnx_vectors.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace pim;
using test::onnxCases;

class TestNumericOps : public QObject {
    Q_OBJECT
private slots:
    void agreesWithOnnx_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < onnxCases().size(); ++i)
            QTest::newRow(onnxCases()[i].at("name").get<std::string>().c_str()) << static_cast<int>(i);
        QVERIFY(onnxCases().size() > 140);
    }

    void agreesWithOnnx() {
        QFETCH(int, index);
        const test::OnnxCase one = test::onnxCase(static_cast<std::size_t>(index));
        const auto& [graph, inputs, given, expected] = one;
        const auto outputs = runReal(*graph, given);
        QVERIFY2(outputs.has_value(), outputs ? "" : outputs.error().text().c_str());
        QCOMPARE(outputs->size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const Value& got = (*outputs)[k];
            QCOMPARE(got.shape, expected[k].shape);
            if (expected[k].dtype != DataType::F32) {
                QCOMPARE(intsOf(*got.bytes, got.dtype), intsOf(*expected[k].bytes, expected[k].dtype));
                continue;
            }
            const auto a = elements<float>(got), b = elements<float>(expected[k]);
            QCOMPARE(a.size(), b.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                const double tolerance = 2e-5 * std::max(1.0, std::fabs(static_cast<double>(b[i])));
                QVERIFY2(std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <= tolerance ||
                             (std::isnan(a[i]) && std::isnan(b[i])) || a[i] == b[i],
                         qPrintable(QString("element %1: %2, ONNX has %3").arg(i).arg(a[i]).arg(b[i])));
            }
        }
    }

    /// Cells without a state, or with results that do not fit them, are refused like all that nothing here can compute.
    void cellsThatMakeNoSenseAreRefused() {
        const auto refused = [](std::int64_t hidden, const Shape& result) {
            const auto zeros = [](const Shape& shape) { return Fresh<float>(DataType::F32, shape).value; };
            Op op;
            op.type = "LSTM";
            const std::vector<Value> inputs{zeros({3, 2, 4}), zeros({1, 4 * hidden, 4}),
                                            zeros({1, 4 * hidden, hidden})};
            const auto graph = test::singleOp(op, inputs, {zeros(result)});
            const auto run = runReal(*graph, inputs);
            return !run && run.error().code == ErrorCode::Unsupported;
        };
        QVERIFY(!refused(5, {3, 1, 2, 5}));
        QVERIFY(refused(0, {3, 1, 2, 0}));
        QVERIFY(refused(5, {3, 1, 1, 5}));
    }

    /// A transposed convolution is a convolution of its input spread out by the strides, with the kernel
    /// turned round and its channels changed over.
    void transposedConvolutionIsOneOfASpreadInput_data() {
        QTest::addColumn<QByteArray>(
            "attributes"); // kernel, strides, dilations, pads, output padding; groups
        QTest::newRow("plain") << QByteArray("[[2,2],[2,2],[1,1],[0,0,0,0],[0,0],1]");
        QTest::newRow("groups") << QByteArray("[[3,3],[2,2],[1,1],[1,1,1,1],[1,1],2]");
        QTest::newRow("depthwise") << QByteArray("[[4,4],[2,2],[1,1],[1,1,1,1],[0,0],4]");
        QTest::newRow("dilated") << QByteArray("[[3,2],[3,2],[2,3],[2,0,1,1],[2,1],1]");
        QTest::newRow("strides larger than the kernel")
            << QByteArray("[[1,2],[3,4],[1,1],[0,0,0,1],[1,0],2]");
    }
    void transposedConvolutionIsOneOfASpreadInput() {
        QFETCH(QByteArray, attributes);
        const auto json = nlohmann::json::parse(attributes.toStdString());
        const auto kernel = json[0].get<Shape>(), strides = json[1].get<Shape>(),
                   dilations = json[2].get<Shape>(), pads = json[3].get<Shape>(),
                   extra = json[4].get<Shape>();
        const std::int64_t groups = json[5].get<std::int64_t>(), in = 4, out = 6 / groups * groups, h = 4,
                           w = 3, outs = out / groups;
        const auto all = [&](std::size_t axis, std::int64_t size) {
            return (size - 1) * strides[axis] + (kernel[axis] - 1) * dilations[axis] + 1 + extra[axis] -
                   pads[axis] - pads[axis + 2];
        };
        const Shape yShape{2, out, all(0, h), all(1, w)};
        unsigned state = 7;
        const auto random = [&](const Shape& shape) {
            Fresh<float> made(DataType::F32, shape);
            for (float& value : made.data)
                // sums are exact
                value = float(int((state = state * 1664525U + 1013904223U) >> 24) - 128) / 64;
            return made.value;
        };
        const Value x = random({2, in, h, w}), weights = random({in, outs, kernel[0], kernel[1]}),
                    bias = random({out});
        Op op;
        op.type = "ConvTranspose";
        op.opClass = OpClass::Conv;
        op.attributes["strides"] = strides;
        op.attributes["dilations"] = dilations;
        op.attributes["pads"] = pads;
        op.attributes["output_padding"] = extra;
        op.attributes["group"] = groups;
        const std::vector inputs{x, weights, bias};
        const auto graph = test::singleOp(op, inputs, {Value{DataType::F32, yShape, nullptr}});
        const auto got = runReal(*graph, inputs, {}, 2);
        QVERIFY2(got, got ? "" : got.error().text().c_str());

        const std::int64_t spreadH = (h - 1) * strides[0] + 1, spreadW = (w - 1) * strides[1] + 1;
        Fresh<float> spread(DataType::F32, {2, in, spreadH, spreadW}),
            turned(DataType::F32, {out, in / groups, kernel[0], kernel[1]});
        std::ranges::fill(spread.data, 0.0F);
        for (std::int64_t plane = 0; plane < 2 * in; ++plane)
            for (std::int64_t i = 0; i < h * w; ++i)
                spread.data[std::size_t((plane * spreadH + i / w * strides[0]) * spreadW +
                                        i % w * strides[1])] =
                    elements<float>(x)[std::size_t(plane * h * w + i)];
        const std::int64_t places = kernel[0] * kernel[1], ins = in / groups;
        for (std::int64_t o = 0; o < out; ++o)
            for (std::int64_t i = 0; i < ins; ++i)
                for (std::int64_t k = 0; k < places; ++k)
                    turned.data[std::size_t((o * ins + i) * places + places - 1 - k)] = elements<float>(
                        weights)[std::size_t(((o / outs * ins + i) * outs + o % outs) * places + k)];
        Op conv;
        conv.type = "Conv";
        conv.opClass = OpClass::Conv;
        conv.attributes["dilations"] = dilations;
        conv.attributes["group"] = groups;
        Shape around;
        for (std::size_t i = 0; i < 4; ++i)
            around.push_back((kernel[i % 2] - 1) * dilations[i % 2] - pads[i] + (i < 2 ? 0 : extra[i - 2]));
        conv.attributes["pads"] = around;
        const std::vector spreadInputs{spread.value, turned.value, bias};
        const auto plain = test::singleOp(conv, spreadInputs, {Value{DataType::F32, yShape, nullptr}});
        const auto expected = runReal(*plain, spreadInputs, {}, 1);
        QVERIFY2(expected, expected ? "" : expected.error().text().c_str());
        const auto a = elements<float>((*got)[0]), b = elements<float>((*expected)[0]);
        QCOMPARE(std::vector(a.begin(), a.end()), std::vector(b.begin(), b.end()));
    }

    void namesWhatItCannotCompute() {
        Op op;
        op.type = "Det";
        Fresh<float> in(DataType::F32, {2, 2});
        const auto graph = test::singleOp(op, {in.value}, {Value{DataType::F32, {}, nullptr}});
        const auto outputs = runReal(*graph, std::vector{in.value});
        QVERIFY(!outputs);
        QCOMPARE(outputs.error().code, ErrorCode::Unsupported);
        QVERIFY(outputs.error().where.find("Det") != std::string::npos);
    }

    void rejectsInputsThatDoNotFit() {
        Op op;
        op.type = "Relu";
        Fresh<float> in(DataType::F32, {2, 2}), other(DataType::F32, {2, 3});
        const auto graph = test::singleOp(op, {in.value}, {Value{DataType::F32, {2, 2}, nullptr}});
        QCOMPARE(runReal(*graph, std::vector{other.value}).error().code, ErrorCode::Usage);
        QCOMPARE(runReal(*graph, std::vector<Value>()).error().code, ErrorCode::Usage);
        QVERIFY(runReal(*graph, std::vector{in.value}).has_value());
    }

    void stopsWhenAsked() {
        Op op;
        op.type = "Relu";
        Fresh<float> in(DataType::F32, {2, 2});
        const auto graph = test::singleOp(op, {in.value}, {Value{DataType::F32, {2, 2}, nullptr}});
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(
            runReal(*graph, std::vector{in.value}, {}, 1, TaskContext{stop.get_token(), {}}).error().code,
            ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestNumericOps)
#include "tst_core_numeric_ops.moc"
