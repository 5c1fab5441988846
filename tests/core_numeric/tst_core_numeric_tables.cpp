// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of large tables, read one by one: the same as from the table as a whole.
#include <QTest>

#include <string>

#include "core/graph/import.h"
#include "core/numeric/real_run.h"
#include "core/numeric/table_rows.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>

#include <fstream>

using namespace pim;

namespace {

constexpr std::int64_t kRows = 131072, kWidth = 64; // as many elements as make a table large
static_assert(kRows * kWidth >= kLargeConstant);

/// Zeros but for the first and last element of some rows; the file is sparse.
void writeTable(const std::filesystem::path& file, const std::vector<std::int64_t>& rows) {
    std::ofstream to(file, std::ios::binary);
    for (const std::int64_t row : rows)
        for (const std::int64_t column : {std::int64_t(0), kWidth - 1}) {
            const auto value = float(row * 2 + column + 1);
            to.seekp((row * kWidth + column) * 4);
            to.write(reinterpret_cast<const char*>(&value), 4);
        }
    to.close();
    std::filesystem::resize_file(file, std::uintmax_t(kRows * kWidth * 4));
}

Result<std::shared_ptr<const Graph>> lookUp(const std::filesystem::path& folder) {
    test::OnnxBuilder b(17);
    b.input("ids", {std::int64_t(2), std::int64_t(2)}, 7);
    b.external("table", {kRows, kWidth}, "table.bin", 0, kRows * kWidth * 4);
    b.node("Gather", {"table", "ids"}, {"y"});
    b.output("y");
    return loadGraph(b.save(folder / "model.onnx"));
}

std::vector<Value> idsOf(const std::vector<std::int64_t>& ids) {
    return {{DataType::I64,
             {2, 2},
             std::make_shared<const std::vector<std::byte>>(bytesFromInts(ids, DataType::I64))}};
}

} // namespace

class TestTables : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
private slots:
    void initTestCase() { writeTable(folder() / "table.bin", {0, 5, 777, kRows - 1}); }

    void rowsAreThoseOfTheTable() {
        const auto graph = lookUp(folder());
        QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
        QVERIFY(takesTableRows(**graph, OpId(0)));
        const auto ids = idsOf({5, -1, 0, 777});
        const auto whole = runReal(**graph, ids),
                   inParts = runReal(**graph, ids, {}, 0, {}, ConstantUse::InParts);
        QVERIFY(whole && inParts);
        QCOMPARE((*inParts)[0].shape, (Shape{2, 2, kWidth}));
        QCOMPARE(*(*inParts)[0].bytes, *(*whole)[0].bytes);
        const auto numbers = elements<float>((*inParts)[0]);
        QCOMPARE(numbers[0], 11.0F);
        QCOMPARE(numbers[2 * kWidth - 1], float((kRows - 1) * 2 + kWidth));
    }

    void rowsThatAreNotThereAreNamed() {
        const auto graph = lookUp(folder());
        QVERIFY(graph);
        const auto refused = runReal(**graph, idsOf({5, 1, kRows, 0}), {}, 0, {}, ConstantUse::InParts);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidModel);
        QVERIFY2(refused.error().text().find("131072") != std::string::npos, refused.error().text().c_str());
    }
};

QTEST_MAIN(TestTables)
#include "tst_core_numeric_tables.moc"
