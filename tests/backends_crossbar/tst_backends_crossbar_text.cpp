// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Text form of programs of crossbar cores: round trip, loops, and what a wrong text is told.
#include <QTest>

#include <string>

#include "tests/backends_crossbar/programs.h"

#include <algorithm>
#include <cstring>

using namespace pim;
using namespace pim::test;

namespace {

void comesBack(const CrossbarProgram& p) {
    const std::string text = crossbarText(p);
    const auto back = parseCrossbarText(text);
    QVERIFY2(back, back ? "" : back.error().text().c_str());
    QVERIFY(back->cores == p.cores);
    QVERIFY(back->groupEnds == p.groupEnds);
    QVERIFY(back->localPeak == p.localPeak);
    QCOMPARE(back->accumulatorElements, p.accumulatorElements);
    QCOMPARE(crossbarText(*back), text);
}

std::size_t lines(const std::string& text) {
    return std::size_t(std::ranges::count(text, '\n'));
}

} // namespace

class TestCrossbarText : public QObject {
    Q_OBJECT

private slots:
    void writesOneInstructionALine() {
        CrossbarInstruction product = mvm(12, 64, 0, 128, 64);
        product.layer = 4;
        product.flags = CrossbarInstruction::kWideResult;
        CrossbarProgram p = program({{load(0, 256, 128),
                                      product,
                                      vec(VectorOp::Add, 1, 2, 3, 4),
                                      vec(VectorOp::Relu, 1, 2, 0, 4),
                                      {.opcode = CrossbarOpcode::Write, .dst = 9, .src2 = 7, .length = 5},
                                      copy(1, 2, 3),
                                      send(3, 1, 64, 10),
                                      store(5, 64, 2)},
                                     {recv(3, 0, 8, 10)}});
        p.localPeak = {300, 18};
        QCOMPARE(crossbarText(p), std::string("crossbar program, 2 cores, 1 groups, accumulators of 2\n"
                                              "core 0, local 300\n"
                                              "group\n"
                                              "  load r0, m256, 128 [0 input]\n"
                                              "  mvm g12, r64, r0, 128, 64 [4 main wideout]\n"
                                              "  vec.add r1, r2, r3, 4 [0 post]\n"
                                              "  vec.relu r1, r2, 4 [0 post]\n"
                                              "  write r9, 5, 7 [0 main]\n"
                                              "  copy r1, r2, 3 [0 main]\n"
                                              "  send t3, c1, r64, 10 [0 output]\n"
                                              "  store m5, r64, 2 [0 output]\n"
                                              "core 1, local 18\n"
                                              "group\n"
                                              "  recv t3, c0, r8, 10 [0 input]\n"));
        comesBack(p);
    }

    void writesWhatRepeatsOnce() {
        CrossbarProgram p;
        p.cores.resize(1);
        p.groupEnds.resize(1);
        p.localPeak = {0};
        for (std::uint32_t round = 0; round < 500; ++round) {
            for (std::uint32_t i = 0; i < 3; ++i)
                p.cores[0].push_back(load(i * 64, 100'000 + round * 128 - i, 64));
            p.cores[0].push_back(mvm(0, 1000, 0));
            p.groupEnds[0].push_back(std::uint32_t(p.cores[0].size()));
        }
        QCOMPARE(lines(crossbarText(p)), std::size_t(2 + 1 + 4 + 1));
        comesBack(p);
        CrossbarProgram inner = program({{}});
        for (std::uint32_t i = 0; i < 300; ++i) {
            inner.cores[0].push_back(copy(i * 3, 5000 - i * 7, 3));
            inner.cores[0].push_back(vec(VectorOp::Relu, i, i, 0, 9));
        }
        inner.groupEnds = {{600}};
        QVERIFY(crossbarText(inner).find(
                    "loop 300 {\n  copy r0+3, r5000-7, 3 [0 main]\n  vec.relu r0+1, r0+1, 9 [0 post]\n}") !=
                std::string::npos);
        comesBack(inner);
    }

    void namesThePiecesOfACopy() {
        CrossbarInstruction gathers = copy(0, 64, 96);
        gathers.src2 = 200;
        gathers.peer = 3;
        const CrossbarProgram p = program({{gathers}});
        QVERIFY(crossbarText(p).find("copy r0, r64, 96, apart=200, pieces=3 [0 main]") != std::string::npos);
        comesBack(p);
    }

    void keepsEmptyGroupsAndCores() {
        CrossbarProgram p;
        p.cores.resize(3);
        p.groupEnds = {{0, 0, 0}, {0, 1, 1}, {1, 1, 1}};
        p.cores[1] = {copy(1, 2, 3)};
        p.cores[2] = {copy(1, 2, 3)};
        p.localPeak = {1, 2, 3};
        p.accumulatorElements = 4;
        comesBack(p);
        comesBack(CrossbarProgram{});
    }

    void keepsEveryFieldOfAnything() {
        for (unsigned seed = 0; seed < 30; ++seed) {
            CrossbarProgram p = randomProgram(seed, 5, 6, 200);
            if (seed % 3 == 0) { // fields that mean nothing there, and the largest numbers
                std::mt19937 random(seed);
                for (auto& core : p.cores)
                    for (CrossbarInstruction& one : core) {
                        one.peer = std::uint32_t(random());
                        one.src2 = std::uint32_t(random());
                        one.index = std::uint32_t(random());
                        one.flags = std::uint8_t(random() % 4);
                        one.layer = std::uint32_t(random());
                    }
            }
            comesBack(p);
        }
    }

    void refusesWrongText_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* body, const char* says) {
            QTest::newRow(name) << QString(body) << QString(says);
        };
        row("opcode", "group\n  laod r0, m0, 1 [0 main]\n",
            "program:4:3: unknown instruction \"laod\". did you mean \"load\"?");
        row("vector", "group\n  vec.addd r0, r1, r2, 1 [0 main]\n", "unknown vector operation \"addd\"");
        row("operand", "group\n  load r0, r0, 1 [0 main]\n",
            "program:4:12: expected \"m\" and a number, found \"r0, 1 [0 main]\"");
        row("number", "group\n  load r0, m, 1 [0 main]\n", "expected a number");
        row("large", "group\n  load r4294967296, m0, 1 [0 main]\n", "at most 4294967295");
        row("stage", "group\n  load r0, m0, 1 [0 mian]\n", "unknown stage \"mian\"");
        row("tail", "group\n  load r0, m0, 1\n", "expected \"[\"");
        row("more", "group\n  load r0, m0, 1 [0 main] x\n", "\"x\" is too much");
        row("stride", "group\n  load r0+1, m0, 1 [0 main]\n", "a stride stands outside of a loop");
        row("open loop", "group\nloop 3 {\n  load r0, m0, 1 [0 main]\n", "the loop is not closed");
        row("loop in loop", "group\nloop 3 {\nloop 3 {\n}\n}\n", "a loop lies within a loop");
        row("brace", "group\n}\n", "\"}\" closes nothing");
        row("huge", "group\nloop 199999999 {\n  copy r0, r1, 1 [0 main]\n  copy r0, r1, 1 [0 main]\n}\n",
            "instructions, the most that");
        row("groups", "group\ngroup\n", "core 0 has 2 groups, the first line says 1");
        row("many groups", "loop 100000000 groups {\n}\n", "core 0 has 100000000 groups");
        row("no group", "  copy r0, r1, 1 [0 main]\n", "an instruction comes before the first group");
        row("field", "group\n  copy r0, r1, 1, foo=3 [0 main]\n", "expected a field");
        row("core", "group\ncore 2, local 0\n", "core 2 comes where core 1 of 1 is due");
    }
    void refusesWrongText() {
        QFETCH(QString, body);
        QFETCH(QString, says);
        const auto back = parseCrossbarText(
            "crossbar program, 1 cores, 1 groups, accumulators of 2\ncore 0, local 0\n" + body.toStdString());
        QVERIFY(!back);
        QCOMPARE(back.error().code, ErrorCode::InvalidFile);
        QVERIFY2(back.error().text().find(says.toStdString()) != std::string::npos,
                 back.error().text().c_str());
    }

    void refusesWrongHeaders() {
        for (const char* text :
             {"", "\n\n", "crossbar", "crossbar program, 9999999999 cores, 1 groups, accumulators of 2\n",
              "crossbar program, 1000000 cores, 10000000 groups, accumulators of 2\n",
              "crossbar program, 1 cores, 1 groups, accumulators of 0\n",
              "crossbar program, 2 cores, 0 groups, accumulators of 2\ncore 0, local 0\n"})
            QCOMPARE(parseCrossbarText(text).error().code, ErrorCode::InvalidFile);
    }

    /// Any damage is either another program or an error, never a crash.
    void survivesDamage() {
        const std::string text = crossbarText(randomProgram(3, 3, 4, 60));
        std::mt19937 random(5);
        for (int i = 0; i < 3000; ++i) {
            std::string damaged = text;
            for (int k = 0; k < 1 + i % 3; ++k)
                damaged[random() % damaged.size()] = char(random() % 128);
            if (i % 5 == 0)
                damaged.resize(random() % damaged.size());
            if (const auto back = parseCrossbarText(damaged))
                QVERIFY(back->cores.size() == back->groupEnds.size());
        }
    }
};

QTEST_APPLESS_MAIN(TestCrossbarText)
#include "tst_backends_crossbar_text.moc"
