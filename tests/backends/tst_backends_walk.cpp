// SPDX-License-Identifier: GPL-3.0-or-later
// Which element is where, there and back; programs rolled into loops and unrolled again.
#include <QTest>
#include <string>

#include "backends/dram_pim/dot_walk.h"
#include "backends/dram_pim/loop_builder.h"
#include "core/dram_pim/flat_program.h"
#include "tests/backends/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

using namespace pim;
using namespace pim::test;
using dram::DotPlace;
using dram::DotWalk;

namespace {

constexpr int kLanes = 4; // few, so that small vectors have several bursts

std::vector<Kernel> kernels() {
    return {
        gemv(7, 11, 3), gemv(5, 4),
        kernelOf("def f(X[3][4][5]: f16, W[3][6][5]: f16):\n Y = DCC.Tensor.zero([3, 4, 6], f16)\n"
                 " for b in range(3):\n  for m in range(4):\n   for n in range(6):\n    for k in range(5):\n"
                 "     Y[b][m][n] += X[b][m][k] * W[b][n][k]\n"),
        kernelOf("def f(X[2][7]: f16, W[3][2][3]: const f16):\n Y = DCC.Tensor.zero([3, 4], f16)\n"
                 " for o in range(3):\n  for h in range(4):\n   for c in range(2):\n    for r in range(3):\n"
                 "     Y[o][h] += X[c][h*2+r-1] * W[o][c][r]\n"),
        kernelOf("def f(X[5][9]: f16):\n Y = DCC.Tensor.zero([5], f16)\n for i in range(5):\n"
                 "  for k in range(9):\n   Y[i] += X[i][k]\n")};
}

/// Every point of a walk, for \p visit(place with burst and lane).
template <class Visit>
void everywhere(const DotWalk& walk, bool bank, bool buffer, bool vector, const Visit& visit) {
    const dram::DotProducts& work = walk.work();
    for (int group = 0; group < walk.groups(); ++group)
        for (int core = 0; core < walk.cores(); ++core)
            for (std::int64_t b = 0; b < work.batches; ++b)
                for (std::int64_t j = 0; j < (bank ? work.bankVectors : 1); ++j)
                    for (std::int64_t i = 0; i < (buffer ? work.bufferVectors : 1); ++i)
                        for (std::int64_t k = 0; k < (vector ? work.bursts : 1); ++k)
                            for (int lane = 0; lane < (vector ? kLanes : 1); ++lane)
                                visit(DotPlace{group, core, b, j, i, k, lane});
}

using Places = std::map<std::int64_t, std::vector<DotPlace>>;

class TestWalk : public QObject {
    Q_OBJECT
private slots:
    void placesAreWhereElementsAre();
    void everyIterationIsDoneOnce();
    void loopsSayWhatWasSaid();
};

template <class Check>
void eachWalk(const Check& check) {
    std::mt19937 random(8);
    for (const Kernel& kernel : kernels()) {
        TilingResources resources;
        resources.groups = 3;
        resources.coresPerGroup = 6;
        auto space = TilingSpace::create(kernel, resources);
        QVERIFY(space.has_value());
        TilingOptions options;
        options.rule3 = false;
        auto drafts = keptDrafts(**space, options, nullptr);
        QVERIFY(drafts.has_value());
        std::shuffle(drafts->begin(), drafts->end(), random);
        drafts->resize(std::min<std::size_t>(drafts->size(), 40));
        std::vector<bool> resident;
        for (const KernelTensor& tensor : kernel.tensors)
            resident.push_back(tensor.constant);
        for (const Draft& draft : *drafts)
            check(kernel,
                  DotWalk(**space, draft, rolesOf(kernel, dram::DotOperands(kernel, resident)), kLanes));
    }
}

void TestWalk::placesAreWhereElementsAre() {
    eachWalk([](const Kernel&, const DotWalk& walk) {
        Places bank, buffer, output;
        std::vector<std::int64_t> lanes(kLanes);
        everywhere(walk, true, false, true, [&](const DotPlace& p) {
            const std::int64_t e = walk.bank(p.group, p.core, p.batch, p.bankVector, p.burst, p.lane);
            bank[e].push_back(p);
            walk.bankBurst(p.group, p.core, p.batch, p.bankVector, p.burst, lanes);
            QCOMPARE(lanes[std::size_t(p.lane)], e);
        });
        const std::vector<int> sets = walk.bufferSets();
        std::map<std::vector<std::int64_t>, std::int64_t> ofSet;
        everywhere(walk, false, true, true, [&](const DotPlace& p) {
            const std::int64_t e = walk.buffer(p.group, p.core, p.batch, p.bufferVector, p.burst, p.lane);
            buffer[e].push_back(p);
            if (!walk.works(p.group, p.core))
                return;
            const auto [same, isNew] = ofSet.try_emplace(
                {p.group, sets[std::size_t(p.core)], p.batch, p.bufferVector, p.burst, p.lane}, e);
            QCOMPARE(same->second, e);
        });
        everywhere(walk, true, true, false, [&](const DotPlace& p) {
            output[walk.output(p.group, p.core, p.batch, p.bankVector, p.bufferVector)].push_back(p);
        });
        for (auto& [element, places] : bank)
            QVERIFY(element < 0 || walk.bankPlaces(element) == places);
        if (!walk.roles().buffer.shape.empty())
            for (auto& [element, places] : buffer)
                QVERIFY(element < 0 || walk.bufferPlaces(element) == places);
        for (auto& [element, places] : output)
            QVERIFY(element < 0 || walk.outputPlaces(element) == places);
        QVERIFY(walk.bankPlaces(1 << 20).empty());
    });
}

void TestWalk::everyIterationIsDoneOnce() {
    eachWalk([](const Kernel& kernel, const DotWalk& walk) {
        // A product of ones counts the iterations that reach an element; padding of windows counts as zero.
        std::map<std::int64_t, std::int64_t> done, wanted;
        everywhere(walk, true, true, true, [&](const DotPlace& p) {
            const std::int64_t out = walk.output(p.group, p.core, p.batch, p.bankVector, p.bufferVector);
            const bool weight = walk.bank(p.group, p.core, p.batch, p.bankVector, p.burst, p.lane) >= 0;
            const bool other = walk.roles().buffer.shape.empty() ||
                               walk.buffer(p.group, p.core, p.batch, p.bufferVector, p.burst, p.lane) >= 0;
            if (out >= 0)
                done[out] += weight && other;
        });
        const auto at = [](const dram::DotOperand& operand, const std::vector<std::int64_t>& loops) {
            std::int64_t position = 0;
            for (std::size_t d = 0; d < operand.index.size(); ++d) {
                std::int64_t index = operand.index[d].constant;
                for (const AffineTerm& term : operand.index[d].terms)
                    index += term.coefficient * loops[std::size_t(term.loop)];
                if (index < 0 || index >= operand.shape[d])
                    return std::int64_t{-1};
                position = position * operand.shape[d] + index;
            }
            return position;
        };
        for (std::int64_t n = 0; n < kernel.iterations(); ++n) {
            std::vector<std::int64_t> loops;
            std::int64_t rest = n;
            for (std::size_t l = kernel.loops.size(); l-- > 0; rest /= kernel.loops[l].extent)
                loops.insert(loops.begin(), rest % kernel.loops[l].extent);
            wanted[at(walk.roles().output, loops)] +=
                at(walk.roles().bank, loops) >= 0 &&
                (walk.roles().buffer.shape.empty() || at(walk.roles().buffer, loops) >= 0);
        }
        QVERIFY(done == wanted);
    });
}

void TestWalk::loopsSayWhatWasSaid() {
    std::mt19937 random(3);
    using Said = std::vector<std::vector<std::int64_t>>;
    for (int round = 0; round < 300; ++round) {
        const auto upTo = [&](int n) { return 1 + std::int64_t(random() % unsigned(n)); };
        const std::int64_t outer = upTo(5), inner = upTo(9), flat = upTo(40), stride = upTo(7),
                           step = upTo(3);
        const bool odd = random() % 2 == 0; // something in the way of every third command
        Said said;
        const auto run = [&](const auto& repeat, const auto& command) {
            command(0, 1, 2);
            repeat(outer, [&](std::int64_t i) {
                for (std::int64_t k = 0; k < flat; ++k) {
                    command(0, k * stride + 100 * i, k % 4);
                    if (odd && k % 3 == 0)
                        command(1, i, k / 3);
                }
                repeat(inner, [&](std::int64_t j) { command(1, j * step - i, i + j); });
            });
        };
        dram::LoopBuilder builder;
        run([&](std::int64_t n, const auto& body) { builder.repeat(n, body); },
            [&](int opcode, std::int64_t a, std::int64_t b) {
                builder.command(opcode, {a, b});
            });
        run(
            [&](std::int64_t n, const auto& body) {
                for (std::int64_t i = 0; i < n; ++i)
                    body(i);
            },
            [&](int opcode, std::int64_t a, std::int64_t b) {
                said.push_back({opcode, a, b});
            });
        Program program;
        program.opcodes = {{"A", {"x", "y"}, "a"}, {"B", {"x", "y"}, "b"}};
        program.phases = {{"compute", {{"group 0", builder.take()}}}};
        canonicalize(program);
        const auto parsed = parseProgram(programText(program));
        QVERIFY(parsed.has_value() && *parsed == program);
        const auto phase = flatten(program, program.phases.front());
        QVERIFY(phase.has_value());
        Said unrolled;
        walkFlat(*phase, [&](const FlatNode& node, std::span<const std::int64_t> o) {
            unrolled.push_back({node.opcode, o[0], o[1]});
            return true;
        });
        QVERIFY(unrolled == said);
    }
}

} // namespace

QTEST_APPLESS_MAIN(TestWalk)
#include "tst_backends_walk.moc"
