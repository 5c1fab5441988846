// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Traces of AttAcc: what a line may say, and the generator of attention against streams of the original.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "core/dram/attacc/attention.h"
#include "tests/core_dram_attacc/golden.h"

#include <fmt/format.h>

#include <QTemporaryDir>

using namespace pim;

namespace {

std::vector<AttAccRequest> readAll(AttAccTrace& trace, std::string& error) {
    std::vector<AttAccRequest> all(257), result; // no power of two: reads end within pieces
    while (true) {
        const Result<std::size_t> count = trace.read(all);
        if (!count) {
            error = count.error().text();
            return result;
        }
        if (*count == 0)
            return result;
        result.insert(result.end(), all.begin(), all.begin() + std::ptrdiff_t(*count));
    }
}

std::string errorOf(const std::filesystem::path& file) {
    std::string error;
    const auto trace = openAttAccTrace(file);
    if (!trace)
        return trace.error().text();
    readAll(**trace, error);
    return error;
}

} // namespace

class TestDramAttAccTrace : public QObject {
    Q_OBJECT

private slots:
    void linesAreRead() {
        const Result<AttAccRequest> mac = parseAttAccLine("PIM_MAC_AB 0x3a0800c4f");
        QVERIFY(mac);
        QCOMPARE(mac->command, AttAccCommand::MacAll);
        QCOMPARE(mac->channel(), 14);
        QCOMPARE(mac->bank(), 32); // second pseudo-channel
        QCOMPARE(mac->row(), 8195);
        QCOMPARE(mac->column(), 2);
        const Result<AttAccRequest> load = parseAttAccLine("  LD\t1024 \r");
        QVERIFY(load);
        QCOMPARE(load->row(), 1);
        std::string text;
        appendAttAccLine(text, *mac);
        appendAttAccLine(text, *load);
        QCOMPARE(text, std::string("PIM_MAC_AB 0x3a0800c4f\nLD 0x00000400\n"));
    }

    void badLinesAreNamed_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* line, const char* message) {
            QTest::newRow(line) << line << message;
        };
        row("PIM_FOO 0x0", "unknown command \"PIM_FOO\"");
        row("ACTAB 0x0", "unknown command \"ACTAB\""); // the controller's own
        row("LD", "LD without an address");
        row("LD 0xzz", "\"0xzz\" is no address");
        row("LD -5", "\"-5\" is no address");
        row("LD 0x0 7", "\"0x0 7\" is no address");
        row("LD 0x11112222333344445", "is no address");
        row("ST 0x400000000", "address 0x400000000 lies beyond the 16 channels");
    }
    void badLinesAreNamed() {
        QFETCH(QString, line);
        QFETCH(QString, message);
        const Result<AttAccRequest> request = parseAttAccLine(line.toStdString());
        QVERIFY(!request);
        QVERIFY2(QString::fromStdString(request.error().text()).contains(message),
                 request.error().text().c_str());
        QTemporaryDir folder;
        const std::string file = folder.filePath("t.trace").toStdString();
        std::ofstream(file) << "LD 0x0\n\nST 0x20\n" << line.toStdString() << "\n";
        const QString error = QString::fromStdString(errorOf(file));
        QVERIFY2(error.contains("t.trace:4") && error.contains(message), qPrintable(error));
    }

    void filesThatCannotBeRead() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        QVERIFY(errorOf(path / "none.trace").find("cannot be opened") != std::string::npos);
        QVERIFY(errorOf(path).find("is a folder") != std::string::npos);
        std::ofstream(path / "long.trace") << "LD 0x0\n" << std::string(100'000, 'x') << "\n";
        QVERIFY(errorOf(path / "long.trace").find("long.trace:2") != std::string::npos);
        // Cut in the middle of the compressed data.
        std::ifstream whole(test::attAccGolden("traces/pim_bank_L1024_n7.trace.gz"), std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(whole)), {});
        QVERIFY(bytes.size() > 4000);
        std::ofstream(path / "cut.trace.gz", std::ios::binary) << bytes.substr(0, 3000);
        const std::string cut = errorOf(path / "cut.trace.gz");
        QVERIFY2(cut.find("ends too early") != std::string::npos, cut.c_str());
        std::ofstream(path / "unterminated.trace") << "LD 0x0\nST 0x20";
        QCOMPARE(errorOf(path / "unterminated.trace"), std::string());
    }

    void attentionStreams_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("variant");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("heads");
        const auto row = [](const char* variant, int tokens, int heads) {
            const QString file = QString("pim_%1_L%2_n%3.trace.gz").arg(variant).arg(tokens).arg(heads);
            QTest::newRow(qPrintable(file)) << file << variant << tokens << heads;
        };
        row("bank", 128, 16);
        row("bank", 1024, 7);
        row("bank", 2048, 16);
        row("bank", 2048, 32);
        row("bank", 2048, 40);
        row("bank", 4096, 16);
        row("bg", 256, 16);
        row("bg", 512, 32);
        row("buffer", 128, 16);
        row("buffer", 256, 32);
    }
    void attentionStreams() {
        QFETCH(QString, file);
        QFETCH(QString, variant);
        QFETCH(int, tokens);
        QFETCH(int, heads);
        const std::filesystem::path path = test::attAccTraceFile(file.toStdString());
        if (path.empty())
            QSKIP("the large traces are not here");
        std::string error;
        auto original = openAttAccTrace(path);
        QVERIFY(original);
        const std::vector<AttAccRequest> expected = readAll(**original, error);
        QCOMPARE(error, std::string());
        AttAccAttention attention;
        attention.variant = *attAccVariant(variant.toStdString());
        attention.tokens = tokens;
        attention.heads = heads;
        Result<AttAccAttentionTrace> trace = AttAccAttentionTrace::create(attention);
        QVERIFY(trace);
        QCOMPARE(trace->length(), std::int64_t(expected.size()));
        const std::vector<AttAccRequest> ours = readAll(*trace, error);
        QCOMPARE(ours.size(), expected.size());
        for (std::size_t i = 0; i < ours.size(); ++i)
            if (!(ours[i] == expected[i])) {
                std::string text;
                appendAttAccLine(text, ours[i]);
                appendAttAccLine(text, expected[i]);
                QFAIL(fmt::format("line {}: ours, original\n{}", i + 1, text).c_str());
            }
        trace->rewind();
        QCOMPARE(readAll(*trace, error).size(), expected.size());
    }

    /// Everything of the rows of the matrix that does not need the timing.
    void attentionCounts() {
        const auto rows = test::readCsv(test::attAccGolden("pim_attention_golden.csv"));
        QVERIFY(rows.size() > 200);
        for (const test::CsvRow& row : rows) {
            AttAccAttention attention;
            attention.variant = *attAccVariant(row.at("variant"));
            attention.tokens = std::stoll(row.at("seqlen"));
            attention.heads = std::stoll(row.at("nattn_per_hbm"));
            const Result<AttAccAttentionTrace> trace = AttAccAttentionTrace::create(attention);
            QVERIFY(trace);
            const auto& counts = trace->counts();
            QCOMPARE(trace->length(), std::stoll(row.at("trace_lines")));
            QCOMPARE(counts[AttAccCommand::MacAll] + counts[AttAccCommand::MacSame] +
                         counts[AttAccCommand::MacPer],
                     std::stoll(row.at("mac")));
            QCOMPARE(counts[AttAccCommand::WriteGemv], std::stoll(row.at("wrgb")));
            QCOMPARE(counts[AttAccCommand::MoveSoftmax], std::stoll(row.at("mvsb")));
            QCOMPARE(counts[AttAccCommand::MoveGemv], std::stoll(row.at("mvgb")));
            QCOMPARE(counts[AttAccCommand::Softmax], std::stoll(row.at("sfm")));
            QCOMPARE(counts[AttAccCommand::Barrier], std::stoll(row.at("barrier")));
        }
    }

    void sharesAreRoundedDown() {
        // 51 heads of 2305 tokens: 10 steps; 128 and 24 query moves make shares of 12 and 2, 396 of 408 in
        // all.
        AttAccAttention attention;
        attention.tokens = 2305;
        attention.heads = 51;
        const Result<AttAccAttentionTrace> trace = AttAccAttentionTrace::create(attention);
        QVERIFY(trace);
        QCOMPARE(trace->counts()[AttAccCommand::WriteGemv], 396);
        QVERIFY(!trace->symmetric());
    }

    void impossibleAttentions() {
        const auto message = [](AttAccAttention attention) {
            const auto trace = AttAccAttentionTrace::create(attention);
            return trace ? std::string() : trace.error().text();
        };
        const auto has = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        QVERIFY(has(message({.heads = 0}), "heads is 0"));
        QVERIFY(has(message({.tokens = -3}), "sequence length is -3"));
        QVERIFY(has(message({.headSize = 0}), "head size is 0"));
        QVERIFY(has(message({.elementBytes = 3}), "an element of 3 bytes"));
        QVERIFY(has(message({.heads = 16 * 1024 + 1, .tokens = 4096}), "8192"));
        QVERIFY(has(message({.tokens = 1 << 24}), "rows of each bank"));
        QVERIFY(has(message({.variant = AttAccVariant::Buffer, .tokens = 1 << 24, .headSize = 1 << 16}),
                    "rows of each bank"));
        for (const AttAccVariant variant :
             {AttAccVariant::Bank, AttAccVariant::BankGroup, AttAccVariant::Buffer})
            QCOMPARE(message({.variant = variant, .heads = 16 * 1000, .tokens = 4096}), std::string());
        QVERIFY(!attAccVariant("rank"));
    }
};

QTEST_APPLESS_MAIN(TestDramAttAccTrace)
#include "tst_core_dram_attacc_trace.moc"
