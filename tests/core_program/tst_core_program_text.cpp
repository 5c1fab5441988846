// SPDX-License-Identifier: GPL-3.0-or-later
// Text form of programs: round trip, counting, and what a damaged text is told.
#include "core/program/program.h"

#include <QElapsedTimer>
#include <QTest>

#include <limits>
#include <random>

using namespace pim;

namespace {

constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

// Not a raw string: moc 6.4 loses the class after one with quotes in it.
const std::string kSample = "pim-program 1\n"
                            "op \"MatMul_3\"\n"
                            "target \"attacc\"\n"
                            "draft \"[[2, 2, A0=b]] \\\"x\\\" \\x0a\"\n"
                            "opcode WRGB(col) \"Host to buffer\"\n"
                            "opcode MAC_AB(row, col) \"All banks multiply\"\n"
                            "opcode BARRIER() \"\"\n"
                            "phase \"input\" {\n"
                            "  stream \"groups 0-79\" {\n"
                            "    loop i0 8 {\n"
                            "      WRGB col=i0\n"
                            "    }\n"
                            "    BARRIER\n"
                            "  }\n"
                            "}\n"
                            "phase \"compute\" {\n"
                            "  stream \"groups 0-79\" {\n"
                            "    loop r 2 {\n"
                            "      loop c 32 {\n"
                            "        MAC_AB row=3+r col=31-c\n"
                            "        MAC_AB row=-2*r col=0\n"
                            "      }\n"
                            "    }\n"
                            "  }\n"
                            "}\n";

class RandomProgram {
public:
    explicit RandomProgram(unsigned seed) : m_random(seed) {}

    Program make() {
        Program program{text(), text(), text(), {}, {}};
        for (int i = below(4) + 1; i > 0; --i) {
            Opcode opcode{"OP_" + std::to_string(i), {}, text()};
            for (int k = below(4); k > 0; --k)
                opcode.operands.push_back("operand" + std::to_string(k));
            program.opcodes.push_back(opcode);
        }
        for (int p = below(3); p > 0; --p) {
            program.phases.push_back({text(), {}});
            for (int s = below(3); s > 0; --s)
                program.phases.back().streams.push_back({text(), items(program, 0)});
        }
        return program;
    }

private:
    int below(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }
    std::int64_t value() {
        switch (below(5)) {
        case 0:
            return 0;
        case 1:
            return kMin;
        case 2:
            return kMax;
        default:
            return below(2001) - 1000;
        }
    }
    std::string text() {
        std::string text;
        for (int i = below(12); i > 0; --i)
            text += static_cast<char>(below(256));
        return text;
    }
    std::vector<ProgramItem> items(const Program& program, std::size_t depth) {
        std::vector<ProgramItem> list;
        for (int i = below(4) + 1; i > 0; --i) {
            ProgramItem item;
            if (depth < 4 && below(3) == 0) {
                item.repeat = below(4) == 0 ? kMax : below(100) + 1;
                item.variable = below(2) == 0 ? "v" : "";
                item.body = items(program, depth + 1);
            } else {
                item.command.opcode =
                    static_cast<std::uint16_t>(below(static_cast<int>(program.opcodes.size())));
                const std::size_t operands = program.opcodes[item.command.opcode].operands.size();
                for (std::size_t k = 0; k < operands; ++k)
                    item.command.operands.push_back(value());
                if (below(2) == 0) // rows and entries may be left out
                    item.strides.resize(static_cast<std::size_t>(below(static_cast<int>(depth) + 1)));
                for (auto& row : item.strides)
                    for (std::size_t k = 0; k < operands; ++k)
                        row.push_back(value());
            }
            list.push_back(std::move(item));
        }
        return list;
    }

    std::mt19937 m_random;
};

/// Counts by walking every turn.
void unroll(const std::vector<ProgramItem>& items, std::vector<std::int64_t>& counts) {
    for (const ProgramItem& item : items)
        if (item.body.empty())
            ++counts[item.command.opcode];
        else
            for (std::int64_t i = 0; i < item.repeat; ++i)
                unroll(item.body, counts);
}

} // namespace

class TestProgramText : public QObject {
    Q_OBJECT

private slots:
    void readsAndWritesTheSameBytes() {
        const auto program = parseProgram(kSample);
        QVERIFY2(program.has_value(), program ? "" : program.error().text().c_str());
        QCOMPARE(programText(*program), kSample);
        QCOMPARE(program->draft, std::string("[[2, 2, A0=b]] \"x\" \n"));
        const ProgramItem& mac = program->phases[1].streams[0].items[0].body[0].body[0];
        QCOMPARE(mac.command.operands, (std::vector<std::int64_t>{3, 31}));
        QCOMPARE(mac.strides, (std::vector<std::vector<std::int64_t>>{{1, 0}, {0, -1}}));
    }

    void acceptsAnySpacingCommentsAndOrderOfTerms() {
        const auto program =
            parseProgram("pim-program 1 op \"\" target \"\" draft \"\" # comment\n"
                         "opcode A(x) \"\" phase \"p\"{stream \"s\"{loop i 3{A x = 2*i + 5 - i - 4\n}}}");
        QVERIFY2(program.has_value(), program ? "" : program.error().text().c_str());
        QVERIFY(programText(*program).find("A x=1+i\n") != std::string::npos);
    }

    void keepsRandomPrograms() {
        for (unsigned seed = 0; seed < 300; ++seed) {
            Program program = RandomProgram(seed).make();
            const std::string text = programText(program);
            const auto again = parseProgram(text);
            QVERIFY2(again.has_value(), again ? "" : (again.error().text() + "\n" + text).c_str());
            QCOMPARE(programText(*again), text);
            canonicalize(program);
            QCOMPARE(programText(program), text);
            QVERIFY(*again == program);
        }
    }

    void countsCommandsOfUnrolledLoops() {
        const auto counts = commandCounts(parseProgram(kSample).value());
        QCOMPARE(counts, (std::map<std::string, std::int64_t>{{"BARRIER", 1}, {"MAC_AB", 128}, {"WRGB", 8}}));
        // Against walking every turn, for loops that are short enough.
        Program program{"", "", "", {{"A", {}, ""}, {"B", {}, ""}}, {}};
        ProgramItem a, b, inner, outer;
        b.command.opcode = 1;
        inner.repeat = 7;
        inner.body = {a, b, a};
        outer.repeat = 11;
        outer.body = {inner, b};
        program.phases = {{"p", {{"s", {outer, a}}, {"t", {inner}}}}};
        std::vector<std::int64_t> walked(2);
        for (const Stream& stream : program.phases[0].streams)
            unroll(stream.items, walked);
        QCOMPARE(commandCounts(program).at("A"), walked[0]);
        QCOMPARE(commandCounts(program).at("B"), walked[1]);
    }

    void saturatesCountsBeyond64Bits() {
        std::string text =
            "pim-program 1 op \"\" target \"\" draft \"\" opcode A() \"\" phase \"\" { stream \"\" { ";
        for (int i = 0; i < 60; ++i)
            text += "loop l" + std::to_string(i) + " 9223372036854775807 { ";
        text += "A" + std::string(60, '}') + "}}";
        const auto program = parseProgram(text);
        QVERIFY2(program.has_value(), program ? "" : program.error().text().c_str());
        QCOMPARE(commandCounts(*program).at("A"), kMax);
    }

    void namesLineAndColumn_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("where");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const char* from, const char* to, const char* where,
                            const char* message) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(where)
                                << QByteArray(message);
        };
        row("other format", "pim-program 1", "<html>", "p:1:1", "found '<', expected \"pim-program\"");
        row("other version", "pim-program 1", "pim-program 2", "p:1:13", "has version 2");
        row("missing operand", "row=3+r col=31-c", "row=3+r", "p:21:9", "expected the operand \"col\"");
        row("wrong operand", "row=-2*r", "raw=0", "p:21:16", "found \"raw\", expected the operand \"row\"");
        row("unknown opcode", "BARRIER\n", "BARIER\n", "p:13:5", "there is no opcode \"BARIER\"");
        row("unknown variable", "row=3+r", "row=3+x", "p:20:22", "\"x\" is not the variable");
        row("no turns", "loop c 32", "loop c 0", "p:19:14", "a loop of 0 turns");
        row("too many turns", "loop c 32", "loop c 99999999999999999999", "p:19:14",
            "does not fit into 64 bits");
        row("same variable inside", "loop c 32", "loop r 32", "p:19:12", "used by an enclosing loop");
        row("operand too large", "row=3+r", "row=9223372036854775808+r", "p:20:20", "does not fit");
        row("sum too large", "row=3+r", "row=9223372036854775807+1", "p:20:40", "sum does not fit");
        row("opcode twice", "opcode BARRIER()", "opcode WRGB()", "p:7:8", "was declared before");
        row("string not closed", "\"Host to buffer\"", "\"Host to buffer", "p:5:18", "not closed");
        row("bad escape", "\\x0a", "\\q", "p:4:29", "unknown escape");
        row("text after the end", "", "", "", "");
    }
    void namesLineAndColumn() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, where);
        QFETCH(QByteArray, message);
        std::string text = kSample;
        if (from.isEmpty()) {
            QCOMPARE(parseProgram(text + "}", "p").error().where, std::string("p:26:1"));
            return;
        }
        text.replace(text.find(from.toStdString()), static_cast<std::size_t>(from.size()), to.toStdString());
        const auto program = parseProgram(text, "p");
        QVERIFY(!program.has_value());
        QCOMPARE(program.error().code, ErrorCode::InvalidFile);
        QVERIFY2(program.error().message.find(message.toStdString()) != std::string::npos,
                 program.error().text().c_str());
        QCOMPARE(QString::fromStdString(program.error().where), QString::fromUtf8(where));
    }

    void refusesDeepNesting() {
        std::string text =
            "pim-program 1 op \"\" target \"\" draft \"\" opcode A() \"\" phase \"\" { stream \"\" { ";
        for (int i = 0; i < 1'000'000; ++i)
            text += "loop l 2 {";
        QVERIFY(parseProgram(text).error().message.find("enclosing loop") != std::string::npos);
        text.resize(text.find("loop"));
        for (int i = 0; i < 100'000; ++i)
            text += "loop l" + std::to_string(i) + " 2 {";
        QVERIFY(parseProgram(text).error().message.find("nested deeper than 64") != std::string::npos);
    }

    void refusesEveryTruncation() {
        for (std::size_t length = 0; length + 2 < kSample.size(); ++length)
            // A text cut between two phases is a whole program.
            if (const auto program = parseProgram(kSample.substr(0, length)); program)
                QVERIFY(programText(*program).size() <= length + 1);
            else
                QCOMPARE(program.error().code, ErrorCode::InvalidFile);
    }

    void survivesRandomDamage() {
        std::mt19937 random(7);
        for (int round = 0; round < 2000; ++round) {
            std::string text = kSample;
            for (int change = 0; change < 3; ++change)
                text[random() % text.size()] = static_cast<char>(random() % 256);
            if (const auto program = parseProgram(text))
                QCOMPARE(programText(parseProgram(programText(*program)).value()), programText(*program));
        }
    }

    void readsAHundredThousandCommandsInTimeByTheirNumber() {
        std::string text =
            "pim-program 1 op \"\" target \"\" draft \"\" opcode A(row) \"\" phase \"\" { stream \"\" { ";
        for (int i = 0; i < 100'000; ++i)
            text += "A row=" + std::to_string(i) + "\n";
        QElapsedTimer timer;
        timer.start();
        const auto program = parseProgram(text + "}}");
        QCOMPARE(commandCounts(program.value()).at("A"), std::int64_t{100'000});
        QVERIFY(timer.elapsed() < 5000); // quadratic would take minutes
    }
};

QTEST_APPLESS_MAIN(TestProgramText)
#include "tst_core_program_text.moc"
