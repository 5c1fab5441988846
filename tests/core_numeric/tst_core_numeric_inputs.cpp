// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Inputs of the user and dumps of tensors: which array goes to which input, what is converted, what is refused, names of files.
#include "core/numeric/npy.h"
#include "core/numeric/own_inputs.h"
#include "core/numeric/tensor_dump.h"
#include "tests/core_numeric/single_op.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <limits>

using namespace pim;

namespace {

template <class T>
Value valueOf(DataType type, const Shape& shape, std::vector<T> numbers) {
    Fresh<T> made(type, shape);
    std::ranges::copy(numbers, made.data.begin());
    return made.value;
}

Value zeros(DataType type, const Shape& shape) {
    return {type, shape,
            std::make_shared<const std::vector<std::byte>>(
                std::size_t(elementCount(shape).value() * bytesOf(type)))};
}

/// z = x[ids] over a table of 5 rows, with inputs of these names.
std::shared_ptr<const Graph> gather(const std::string& table, const std::string& ids,
                                    const std::string& result = "z") {
    Op op;
    op.type = "Gather";
    auto graph = std::make_shared<Graph>(*test::singleOp(
        op, {zeros(DataType::F32, {5, 2}), zeros(DataType::I64, {3})}, {zeros(DataType::F32, {3, 2})}));
    graph->tensors[0].name = table;
    graph->tensors[1].name = ids;
    graph->tensors[2].name = result;
    return graph;
}

} // namespace

class TestInputs : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<const Graph> m_graph = gather("a/x", "ids");

    std::string file(const char* name, const Value& value) const {
        const std::string path = m_folder.filePath(name).toStdString();
        return writeNpy(path, value) ? path : std::string();
    }
    /// What is said of \p words; empty where they are taken.
    std::string refused(const std::vector<std::string>& words) const {
        const auto read = readInputs(*m_graph, words);
        return read ? std::string() : read.error().text();
    }

private slots:
    void takesArraysByNameAndFolder() {
        const Value x = valueOf<float>(DataType::F32, {5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
                    ids = valueOf<std::int64_t>(DataType::I64, {3}, {4, -5, 0});
        QVERIFY(QDir(m_folder.path()).mkdir("both"));
        file("both/a_x.npy", x);
        const auto one = readInputs(*m_graph, {m_folder.filePath("both").toStdString()});
        QVERIFY2(one, one ? "" : one.error().text().c_str());
        QCOMPARE(one->values.size(), std::size_t(1));
        QVERIFY(one->notes.size() == 1 && one->notes[0].ends_with("has no ids.npy"));
        QCOMPARE(inputsText(*m_graph, one->values), std::string("the inputs given, random: ids"));
        const auto both =
            readInputs(*m_graph, {"ids=" + file("some=name.npy", ids), "a/x=" + file("x.npy", x)});
        QVERIFY2(both, both ? "" : both.error().text().c_str());
        const auto inputs = runInputs(*m_graph, both->values, 1);
        QVERIFY2(inputs, inputs ? "" : inputs.error().text().c_str());
        QVERIFY(*(*inputs)[0].bytes == *x.bytes && *(*inputs)[1].bytes == *ids.bytes);
        QCOMPARE(inputsText(*m_graph, both->values), std::string("the inputs given"));
        const auto gathered = runReal(*m_graph, *inputs);
        QVERIFY(gathered);
        QVERIFY(
            std::ranges::equal(elements<float>(gathered->front()), std::vector<float>{9, 10, 1, 2, 1, 2}));
        // The others are those of the seed.
        const auto partly = runInputs(*m_graph, one->values, 4);
        QVERIFY(*(*partly)[1].bytes == *sampleInputs(*m_graph, 4).value()[1].bytes);
        QCOMPARE(runInputs(*m_graph, {{"y", x}}, 1).error().code, ErrorCode::NotFound);
    }

    void widthsAreConvertedWhereNothingIsLost() {
        const std::vector<double> fine{0.5, -2, 1e-3, 0, 1,
                                       2,   3,  4,    5, std::numeric_limits<double>::infinity()};
        const auto doubles =
            readInputs(*m_graph, {"a/x=" + file("d.npy", valueOf(DataType::F64, {5, 2}, fine))});
        QVERIFY2(doubles, doubles ? "" : doubles.error().text().c_str());
        const Value& x = doubles->values.at("a/x");
        QVERIFY(x.dtype == DataType::F32);
        QCOMPARE(elements<float>(x)[2], 1e-3F);
        QVERIFY(std::isinf(elements<float>(x)[9])); // masks are
        QVERIFY2(doubles->notes.size() == 1 &&
                     doubles->notes[0].find("1 of 10 elements were rounded from f64") != std::string::npos,
                 doubles->notes.empty() ? "" : doubles->notes[0].c_str());
        const auto narrow = readInputs(
            *m_graph, {"ids=" + file("i.npy", valueOf<std::int8_t>(DataType::I8, {3}, {1, 2, -3}))});
        QVERIFY2(narrow, narrow ? "" : narrow.error().text().c_str());
        QVERIFY(std::ranges::equal(elements<std::int64_t>(narrow->values.at("ids")),
                                   std::vector<std::int64_t>{1, 2, -3}));
    }

    void refusesWhatDoesNotFit() {
        const auto said = [this](const char* input, const Value& value) {
            return refused({std::string(input) + "=" + file("bad.npy", value)});
        };
        const auto has = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos &&
                   text.find("bad.npy, for input") != std::string::npos;
        };
        std::vector<double> numbers(10, 1);
        numbers[3] = 1e300;
        std::string text = said("a/x", valueOf(DataType::F64, {5, 2}, numbers));
        QVERIFY2(has(text, "element [1, 1] is 1e+300, float32 has numbers up to"), text.c_str());
        numbers[3] = numbers[9] = std::nan("");
        text = said("a/x", valueOf(DataType::F64, {5, 2}, numbers));
        QVERIFY2(has(text, "2 of its 10 elements are NaN, the first is element [1, 1]"), text.c_str());
        text = said("a/x", zeros(DataType::F32, {2, 5}));
        QVERIFY2(has(text, "its shape is [2, 5], [5, 2] is wanted"), text.c_str());
        text = said("a/x", zeros(DataType::Bool, {5, 2}));
        QVERIFY2(has(text, "its elements are bool, f32 is wanted"), text.c_str());
        text = said("ids", zeros(DataType::F32, {3}));
        QVERIFY2(has(text, "its elements are f32, i64 is wanted"), text.c_str());
        text = said("ids", valueOf<std::uint64_t>(DataType::U64, {3}, {1, ~std::uint64_t(0), 0}));
        QVERIFY2(has(text, "element [1] is"), text.c_str());
        for (const std::int64_t row : {5, -6}) {
            text = said("ids", valueOf<std::int64_t>(DataType::I64, {3}, {0, 4, row}));
            QVERIFY2(has(text, "the table that it chooses from has 5 rows"), text.c_str());
        }
        QVERIFY(refused({"y=" + file("y.npy", zeros(DataType::F32, {1}))}).find("its inputs are: a/x, ids") !=
                std::string::npos);
        QVERIFY(
            refused({file("y.npy", zeros(DataType::F32, {1}))}).find("it is not said for which this is") !=
            std::string::npos);
        // One file for two.
        m_graph = gather("a/x", "a:x");
        QVERIFY(QDir(m_folder.path()).mkdir("one"));
        file("one/a_x.npy", zeros(DataType::F32, {5, 2}));
        text = refused({m_folder.filePath("one").toStdString()});
        m_graph = gather("a/x", "ids");
        QVERIFY2(text.find("it could be input \"a/x\" or \"a:x\"") != std::string::npos, text.c_str());
    }

    void dumpsHaveAFileForEachTensor() {
        const auto graph = gather("a/0", "a_0.reference", "a:0"); // three ways to the same file
        const std::filesystem::path folder = m_folder.filePath("dump/deeper").toStdString();
        {
            auto dump = TensorDump::open(folder, *graph);
            QVERIFY2(dump, dump ? "" : dump.error().text().c_str());
            const auto inputs = sampleInputs(*graph, 1).value();
            QVERIFY(dump->inputs(inputs, {{"a/0", inputs[0]}}));
            const auto reference = runReal(*graph, inputs, dump->references());
            QVERIFY(reference);
            const Value off = valueOf<float>(DataType::F32, {3, 2}, {1, 2, 3, 4, 5, 6});
            QVERIFY(dump->add(OpId(0), graph->outputs[0], {off, reference->front(), 0.0, "PIM", "f16"}));
            const auto read = readNpy(folder / "a_0~2.npy");
            QVERIFY2(read, read ? "" : read.error().text().c_str());
            QVERIFY(*read->bytes == *off.bytes);
            QVERIFY(*readNpy(folder / "a_0~2.reference.npy")->bytes == *reference->front().bytes);
            QVERIFY(*readNpy(folder / "a_0~2.expected.npy")->bytes == *reference->front().bytes);
            QVERIFY(*readNpy(folder / "a_0.npy")->bytes == *inputs[0].bytes);
            QVERIFY(*readNpy(folder / "a_0.reference~2.npy")->bytes == *inputs[1].bytes);
        }
        std::ifstream index(folder / "index.csv");
        const std::string rows{std::istreambuf_iterator<char>(index), {}};
        QVERIFY2(rows.find(",input,a/0,given,f32,5 2,f32,a_0.npy,") != std::string::npos, rows.c_str());
        QVERIFY2(rows.find(",input,a_0.reference,random,i64,3,i64,a_0.reference~2.npy,") != std::string::npos,
                 rows.c_str());
        QVERIFY2(rows.find("Gather_0,Gather,a:0,PIM,f16,3 2,f32,a_0~2.npy,a_0~2.expected.npy,"
                           "a_0~2.reference.npy,6,6,") != std::string::npos,
                 rows.c_str());
        QVERIFY2(rows.find(",0,0 0,1,") != std::string::npos, rows.c_str());
        // Nothing is written over, and nothing at all where none is wanted.
        QCOMPARE(TensorDump::open(folder, *graph).error().code, ErrorCode::Usage);
        QCOMPARE(TensorDump::open(folder / "index.csv", *graph).error().code, ErrorCode::Usage);
        auto none = TensorDump::open({}, *graph);
        QVERIFY(none && !none->writes() && !none->references());
        QVERIFY(none->add(OpId(0), graph->outputs[0], {}));
    }
};

QTEST_APPLESS_MAIN(TestInputs)
#include "tst_core_numeric_inputs.moc"
