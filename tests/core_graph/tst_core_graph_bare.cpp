// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A model without its weights is the same network, and none of their numbers is left in it.
#include "core/base/paths.h"
#include "core/graph/bare_model.h"
#include "core/graph/import.h"
#include "tests/core_graph/onnx_builder.h"

#include <google/protobuf/message.h>
#include <onnx/onnx_pb.h>

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace pim;
using namespace pim::test;

class TestBare : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// Any four numbers of a weight in a row.
    static bool hasNumbers(const std::string& bytes, const std::vector<float>& values) {
        return bytes.find(std::string(reinterpret_cast<const char*>(values.data()), 4 * sizeof(float))) !=
               std::string::npos;
    }

private slots:
    void theNetworkStays() {
        OnnxBuilder b;
        std::vector<float> numbers;
        for (int i = 0; i < 256; ++i)
            numbers.push_back(1.25F + 0.001F * static_cast<float>(i));
        b.input("x", {std::int64_t(1), std::int64_t(16)}).floats("w", {16, 16}, numbers).ints("s", {4, 4});
        b.scalar("epsilon", 0.37F);
        b.node("MatMul", {"x", "w"}, {"a"}).node("Add", {"a", "epsilon"}, {"c"});
        b.node("Reshape", {"c", "s"}, {"y"}).output("y");
        const std::string whole = b.bytes();
        writeFile(path("whole.onnx"), whole);
        QVERIFY(hasNumbers(whole, numbers));
        const auto bare = modelWithoutWeights(path("whole.onnx"));
        QVERIFY2(bare.has_value(), bare ? "" : bare.error().text().c_str());
        QVERIFY(!hasNumbers(*bare, numbers));
        QVERIFY2(bare->size() < whole.size() - 900, qPrintable(QString::number(bare->size())));
        writeFile(path("bare.onnx"), *bare);
        const auto before = loadGraph(path("whole.onnx")), after = loadGraph(path("bare.onnx"));
        QVERIFY2(after.has_value(), after ? "" : after.error().text().c_str());
        QCOMPARE((*after)->source.structureHash, (*before)->source.structureHash);
        QCOMPARE((*after)->ops.size(), (*before)->ops.size());
        QCOMPARE(*modelWithoutWeights(path("bare.onnx")), *bare); // there is nothing left to leave out
    }
    void weightsGoFromEverywhere() {
        onnx::ModelProto model;
        const auto fill = [](onnx::TensorProto& tensor, int count) {
            tensor.add_dims(count);
            tensor.set_data_type(onnx::TensorProto::FLOAT);
            for (int i = 0; i < count; ++i)
                tensor.add_float_data(7.5F);
        };
        const auto constantNode = [&](onnx::NodeProto& node, int count) {
            node.set_op_type("Constant");
            node.add_output("c");
            auto& value = *node.add_attribute();
            value.set_name("value");
            fill(*value.mutable_t(), count);
        };
        auto& graph = *model.mutable_graph();
        fill(*graph.add_initializer(), 100);
        fill(*graph.add_initializer(), 3); // few enough to decide something
        fill(*graph.add_sparse_initializer()->mutable_values(), 100);
        auto& branches = *graph.add_node();
        branches.set_op_type("If");
        for (int i = 0; i < 2; ++i) {
            auto& inner = *branches.add_attribute()->mutable_g();
            fill(*inner.add_initializer(), 100);
            constantNode(*inner.add_node(), 100);
        }
        auto& lists = *graph.add_node();
        for (const int count : {8, 9}) {
            auto& attribute = *lists.add_attribute();
            attribute.set_name("floats");
            for (int i = 0; i < count; ++i)
                attribute.add_floats(7.5F);
        }
        fill(*lists.add_attribute()->add_tensors(), 100);
        constantNode(*model.add_functions()->add_node(), 100);
        fill(*model.add_training_info()->mutable_initialization()->add_initializer(), 100);
        graph.mutable_initializer(0)->set_name("learnt");
        model.set_producer_name("after the graph");
        writeFile(path("all.onnx"), model.SerializeAsString());
        const auto bytes = modelWithoutWeights(path("all.onnx"));
        QVERIFY2(bytes.has_value(), bytes ? "" : bytes.error().text().c_str());

        // The same by protobuf's own means.
        const std::function<void(google::protobuf::Message&)> strip =
            [&](google::protobuf::Message& message) {
                if (auto* const tensor = dynamic_cast<onnx::TensorProto*>(&message);
                    tensor && tensor->dims(0) > 8)
                    tensor->clear_float_data();
                if (auto* const attribute = dynamic_cast<onnx::AttributeProto*>(&message);
                    attribute && attribute->floats_size() > 8)
                    attribute->clear_floats();
                std::vector<const google::protobuf::FieldDescriptor*> fields;
                message.GetReflection()->ListFields(message, &fields);
                for (const auto* field : fields) {
                    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE)
                        continue;
                    if (!field->is_repeated())
                        strip(*message.GetReflection()->MutableMessage(&message, field));
                    for (int i = 0;
                         field->is_repeated() && i < message.GetReflection()->FieldSize(message, field); ++i)
                        strip(*message.GetReflection()->MutableRepeatedMessage(&message, field, i));
                }
            };
        strip(model);
        QVERIFY(*bytes == model.SerializeAsString());
    }
    void samplesStayWhatTheyAre() {
        for (const auto& sample : std::filesystem::directory_iterator(samplesDir()))
            for (const auto& file : std::filesystem::directory_iterator(sample.path())) {
                if (file.path().extension() != ".onnx")
                    continue;
                const auto bare = modelWithoutWeights(file.path());
                QVERIFY2(bare.has_value(), bare ? "" : bare.error().text().c_str());
                QVERIFY2(bare->size() <= file.file_size(), file.path().c_str());
                writeFile(path("sample.onnx"), *bare);
                const auto before = importModel(file.path()), after = importModel(path("sample.onnx"));
                QVERIFY2(after.has_value() && before.has_value(), after ? "" : after.error().text().c_str());
            }
    }
    void damagedFilesAreRefused() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(1), std::int64_t(8)}).weight("w", {8, 8});
        b.node("MatMul", {"x", "w"}, {"y"}).output("y");
        const std::string whole = b.bytes();
        int refused = 0;
        for (std::size_t length = 1; length < whole.size(); length += 7) {
            writeFile(path("cut.onnx"), whole.substr(0, length));
            const auto bare = modelWithoutWeights(path("cut.onnx"));
            if (!bare)
                QVERIFY(bare.error().code == ErrorCode::InvalidFile);
            refused += bare ? 0 : 1;
        }
        QVERIFY(refused > 10);
        QVERIFY(!modelWithoutWeights(path("none.onnx")));
    }
};

QTEST_APPLESS_MAIN(TestBare)
#include "tst_core_graph_bare.moc"
