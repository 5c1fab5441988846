// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of programs: what they say adds up to what the program does.
#include <QTest>
#include <string>

#include "core/program/lines.h"

#include <map>
#include <random>

using namespace pim;

class TestProgramLines : public QObject {
    Q_OBJECT

    /// Loops in loops around commands whose operands move with them.
    static ProgramItem item(std::mt19937& random, int depth, std::vector<std::int64_t>& turns) {
        const auto below = [&](int n) { return std::int64_t(random() % unsigned(n)); };
        ProgramItem made;
        if (depth < 4 && below(3) > 0) {
            made.repeat = 1 + below(9);
            turns.push_back(made.repeat);
            for (std::int64_t i = 1 + below(3); i > 0; --i)
                made.body.push_back(item(random, depth + 1, turns));
            turns.pop_back();
            return made;
        }
        made.command.operands = {below(40) - 20, below(40)};
        for (std::size_t k = 0; k < turns.size(); ++k)
            made.strides.push_back({below(11) - 5, below(3)});
        return made;
    }
    /// Operand 0 over all turns, walked.
    static void walk(const ProgramItem& at, std::vector<std::int64_t>& counters, std::int64_t& low,
                     std::int64_t& high) {
        if (at.body.empty()) {
            std::int64_t value = at.command.operands[0];
            for (std::size_t k = 0; k < at.strides.size(); ++k)
                value += counters[k] * at.strides[k][0];
            low = std::min(low, value);
            high = std::max(high, value);
            return;
        }
        for (std::int64_t turn = 0; turn < at.repeat; ++turn) {
            counters.push_back(turn);
            for (const ProgramItem& each : at.body)
                walk(each, counters, low, high);
            counters.pop_back();
        }
    }

private slots:
    void turnsAddUpToTheCounts() {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            Program program{"op",
                            "target",
                            "draft",
                            {{"WR", {"bank", "row"}, "Write"}},
                            {{"load", {{"groups 0-3", {}}}}}};
            std::vector<std::int64_t> turns, counters;
            program.phases[0].streams[0].items.push_back(item(random, 0, turns));
            canonicalize(program);
            const std::string text = programText(program);
            std::map<std::string, std::int64_t> found;
            std::int64_t low = 0, high = 0, wantedLow = 1000, wantedHigh = -1000;
            bool isFirst = true;
            for (const ProgramLine& line : programLines(text))
                if (line.kind == ProgramLine::Kind::Command) {
                    found[line.opcode] += line.turns;
                    QCOMPARE(line.phase, std::string("load"));
                    QCOMPARE(line.unit, std::string("groups 0-3"));
                    const OperandRange* bank = line.operand("bank");
                    QVERIFY(bank && bank->low <= bank->first && bank->first <= bank->high);
                    low = isFirst ? bank->low : std::min(low, bank->low);
                    high = isFirst ? bank->high : std::max(high, bank->high);
                    isFirst = false;
                }
            walk(program.phases[0].streams[0].items[0], counters, wantedLow, wantedHigh);
            QVERIFY2(found == commandCounts(program), text.c_str());
            QVERIFY2(low == wantedLow && high == wantedHigh, text.c_str());
        }
    }

    void everyLineIsAnswered() {
        const std::string text =
            "pim-program 1\nop \"a\"\nphase \"x\" {\n  stream \"group 3\" {\n    loop i 4 {\n"
            "      RD bank=2*i+1 row=-i\n    }\n  }\n}\n";
        const auto lines = programLines(text);
        QCOMPARE(lines.size(), std::size_t(9));
        QCOMPARE(lines[2].kind, ProgramLine::Kind::Phase);
        QCOMPARE(lines[3].kind, ProgramLine::Kind::Stream);
        QCOMPARE(lines[4].kind, ProgramLine::Kind::Loop);
        QCOMPARE(lines[4].turns, std::int64_t(1));
        QCOMPARE(lines[5].turns, std::int64_t(4));
        QCOMPARE(lines[5].operand("bank")->low, std::int64_t(1));
        QCOMPARE(lines[5].operand("bank")->high, std::int64_t(7));
        QCOMPARE(lines[5].operand("row")->low, std::int64_t(-3));
        QVERIFY(!lines[5].operand("col"));
        QCOMPARE(lines[8].kind, ProgramLine::Kind::Other);
    }

    void otherTextHasNoCommands() {
        for (const char* text :
             {"", "\n\n", "cim-flow 1\nRUN a=1\n", "}}}}\n{\n", "pim-program 1\n}\n}\nloop {\n=\n"})
            for (const ProgramLine& line : programLines(text))
                QVERIFY(line.kind != ProgramLine::Kind::Command);
    }
};

QTEST_APPLESS_MAIN(TestProgramLines)
#include "tst_core_program_lines.moc"
