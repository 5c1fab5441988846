// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Ops of a network as C for UPMEM: compiled, run and checked on the host, they compute what the engine computes, and move the
/// same bytes; a bundle holds them and is sound.
#include "backends/builtin.h"
#include "backends/upmem/c_run.h"
#include "backends/upmem/host_code.h"
#include "backends/upmem/host_run.h"
#include "backends/upmem/op_code.h"
#include "backends/upmem/op_run.h"
#include "backends/upmem/tasklet/c_code.h"
#include "backends/upmem/upmem.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace pim;
using namespace pim::upmem;

#define OK(result) QVERIFY2(result, (result) ? "" : (result).error().text().c_str())

class TestOpCode : public QObject {
    Q_OBJECT
    const BackendList m_backends = builtinBackends();

    Result<std::shared_ptr<const Plan>> planned(DataType type) const {
        PIM_TRY(const auto graph,
                loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 7}}}));
        PIM_TRY(Overrides overrides, Overrides::fromJson(R"({"network": {"placement": "pim"}})", {}));
        PIM_TRY(const auto target, TargetCatalog::load().find("upmem-1"));
        CompileOptions options;
        options.computeType = type;
        return compile(m_backends, {graph, target, std::move(overrides), options});
    }

    static HostData inputsOf(const OpProgram& program) {
        HostData inputs;
        std::mt19937 random(9);
        for (const HostInput& input : program.host.inputs) {
            std::vector<std::byte>& bytes = inputs[input.name];
            bytes.resize(std::size_t(input.elements * bytesOf(input.type)));
            for (std::size_t i = 0; i < bytes.size(); ++i) // small enough that sums stay within 32 bits
                bytes[i] = std::byte(i % std::size_t(bytesOf(input.type)) == 0 ? random() % 100 : 0);
        }
        return inputs;
    }

private slots:
    void computesWhatTheEngineComputes_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("i8") << int(DataType::I8);
        QTest::newRow("i16") << int(DataType::I16);
    }
    void computesWhatTheEngineComputes() {
        QFETCH(int, type);
        const auto plan = planned(DataType(type));
        OK(plan);
        std::set<std::string> seen;
        for (const OpPlan& op : (*plan)->ops) {
            if (op.onHost() || !seen.insert(op.space->kernel().text()).second || seen.size() > 3)
                continue;
            const auto program = opProgram(**plan, op.op);
            OK(program);
            const Tile& tile = program->tile.tile;
            const int tasklets = tile.shape().tasklets();
            const HostData inputs = inputsOf(*program);
            const auto engine = runOnEngine({program->host, tile.code(), tile.sizes(), tasklets}, inputs,
                                            dpuTiming(DpuPreset::Hardware));
            OK(engine);
            const auto dpu = cCode(tile.code(), tile.sizes(), tasklets, program->origin);
            const auto host = hostCode(program->host, tile.code(), tile.sizes(), tasklets);
            OK(dpu);
            OK(host);
            CFiles files;
            for (const auto& [name, bytes] : inputs)
                files[hostFileName(name)] = bytes;
            const auto run =
                compileAndRun({program->name, *host, dpu->text, tasklets, program->host.dpus, {}}, files,
                              {hostFileName("y")});
            OK(run);
            OK(problemOf(program->name, *run));
            QCOMPARE(run->violations, 0);
            QVERIFY(run->outputs.at(hostFileName("y")) == engine->outputs.at("y"));
            QCOMPARE(run->traffic.dmaBytes(), engine->dmaBytes());
        }
        QVERIFY(seen.size() >= 2);
    }

    /// Quotients of integers, bits turned over and counted: no op of a network has these, so they come as tiles.
    void mapsOfIntegers_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("i8") << int(DataType::I8);
        QTest::newRow("i16") << int(DataType::I16);
        QTest::newRow("i32") << int(DataType::I32);
    }
    void mapsOfIntegers() {
        QFETCH(int, type);
        for (const auto function :
             {TileShape::Function::Div, TileShape::Function::Not, TileShape::Function::Ones}) {
            const bool divides = function == TileShape::Function::Div;
            const auto tile = Tile::best(
                {TileShape::Form::Map, DataType(type), 1, 1, 1, 300, function, divides ? 2 : 1, 1, 1, 5},
                dpuTiming(DpuPreset::Hardware));
            QVERIFY2(tile, tile ? "" : tile.error().text().c_str());
            HostProgram host{"map", "", 2, {}, {}, {}};
            HostData inputs;
            CFiles files;
            std::minstd_rand random(3);
            for (const TaskletCode::Array& array : tile->code().arrays()) {
                const std::int64_t bytes = tile->code().evaluate(array.bytes, tile->sizes()),
                                   slice = bytes / bytesOf(array.type);
                if (array.name == "y") {
                    host.outputs.push_back({"y", "", array.type, 2 * slice, slice});
                    continue;
                }
                HostInput input{array.name, "", array.type, 2 * slice};
                input.slice = slice;
                host.inputs.push_back(std::move(input));
                std::vector<std::byte>& data = inputs[array.name];
                for (std::int64_t i = 0; i < 2 * bytes; ++i) // no divisor is 0
                    data.push_back(std::byte(random() >> 8 | (array.name == "b" ? 1 : 0)));
                files[array.name + ".bin"] = data;
            }
            const int tasklets = tile->shape().tasklets();
            const auto engine = runOnEngine({host, tile->code(), tile->sizes(), tasklets}, inputs,
                                            dpuTiming(DpuPreset::Hardware));
            QVERIFY2(engine, engine ? "" : engine.error().text().c_str());
            const auto dpu = cCode(tile->code(), tile->sizes(), tasklets);
            const auto text = hostCode(host, tile->code(), tile->sizes(), tasklets);
            QVERIFY(dpu && text);
            const auto c = compileAndRun({"map", *text, dpu->text, tasklets, 2, {}}, files, {"y.bin"});
            QVERIFY2(c, c ? "" : c.error().text().c_str());
            const auto problem = problemOf("map", *c);
            QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
            QCOMPARE(c->violations, 0);
            QVERIFY(c->outputs.at("y.bin") == engine->outputs.at("y"));
        }
    }

    void isInTheBundle() {
        const auto plan = planned(DataType::I8);
        OK(plan);
        QTemporaryDir folder;
        const auto files = UpmemBundle().writeData(**plan, folder.path().toStdString(), {});
        OK(files);
        QVERIFY(files->size() >= 4 && files->size() % 2 == 0);
        for (const std::string& file : *files)
            QVERIFY(QFileInfo(folder.filePath(QString::fromStdString(file))).size() > 500);
        const auto nowhere = UpmemBundle().writeData(**plan, "/nonexistent", {});
        QVERIFY(!nowhere && nowhere.error().code == ErrorCode::Io);
    }

    void isSeenOnItsDpu() {
        const auto plan = planned(DataType::I8);
        OK(plan);
        int looked = 0;
        for (const OpPlan& op : (*plan)->ops) {
            const auto seen = runOnDpu(**plan, op.op, {});
            if (op.onHost()) {
                QVERIFY(!seen && seen.error().code == ErrorCode::Unsupported);
                continue;
            }
            OK(seen);
            ++looked;
            const OpOnDpu& one = **seen;
            const auto lines = std::count(one.c.begin(), one.c.end(), '\n');
            QVERIFY(std::abs(std::int64_t(one.statementOfLine.size()) - lines) <= 1);
            const std::int64_t issued =
                std::accumulate(one.issuedOfStatement.begin(), one.issuedOfStatement.end(), std::int64_t(0));
            QVERIFY(issued > one.run.instructions / 2 && issued <= one.run.instructions);
            QVERIFY(!one.run.spans.empty());
            std::int64_t end = 0;
            for (const MramRegion& region : one.mram) {
                QVERIFY(region.begin >= end);
                end = region.begin + region.bytes;
            }
            QVERIFY(end <= one.mramBytes);
            QVERIFY(std::abs(one.predictedCycles / one.cycles - 1) < 0.35);
            QVERIFY(one.roofline.operations > 0 && one.roofline.mramBytes > 0);
        }
        QVERIFY(looked >= 8);
        const DpuLoad load = loadOf(**plan, OpId());
        QCOMPARE(load.busyNs.size(), std::size_t(128));
        QVERIFY(load.busyNs[0] > 0 && load.mramPeak[0] >= load.mramKept[0] && load.mramKept[0] > 0);
    }
};

QTEST_APPLESS_MAIN(TestOpCode)
#include "tst_backends_upmem_op_code.moc"
