// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every operator in float32 against the test vectors of ONNX.
#include <QTest>

#include <string>

#include "core/numeric/element_access.h"
#include "core/numeric/real_run.h"
#include "tests/core_numeric/onnx_vectors.h"

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
        QVERIFY(onnxCases().size() > 130);
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
