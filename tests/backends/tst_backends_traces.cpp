// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Command streams in the formats of public simulators: the same commands come back, at the places they were meant for.
#include <QTemporaryDir>
#include <QTest>

#include <string>

#include "backends/aim/aim.h"
#include "backends/attacc/attacc.h"
#include "backends/crossbar/compat.h"
#include "backends/crossbar/decide.h"
#include "backends/dram_pim/stream_walk.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "core/compile/compiler.h"
#include "core/dram/attacc/trace.h"
#include "core/dram/hbm_pim/hbm_pim_trace.h"
#include "core/graph/import.h"
#include "core/plan/trace_facet.h"
#include "tests/backends/kernels.h"

#include <fstream>
#include <sstream>

using namespace pim;
using namespace pim::test;

namespace {

/// A plan with everything on PIM that can be there.
struct Traced {
    BackendList backends = builtinBackends();
    const Backend* backend = nullptr;
    std::shared_ptr<const Plan> plan;

    explicit Traced(std::string_view target) {
        static const auto graph = loadGraph(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx");
        if (!graph)
            qFatal("%s", graph.error().text().c_str());
        PlanRequest request{*graph, targetOf(target), {}, {}};
        if (request.target->backend != "crossbar")
            request.overrides.set({"", "placement", "pim"});
        plan = compile(backends, request).value();
        backend = backends.find(plan->target->backend).value();
    }
    std::vector<OpId> onPim() const {
        std::vector<OpId> ops;
        for (const OpPlan& op : plan->ops)
            if (!op.onHost())
                ops.push_back(op.op);
        return ops;
    }
    Result<TraceSummary> write(OpId op, std::string& text, int channels = 0) const {
        const TraceFacet& facet = *backend->traces();
        return facet.write({plan, op, facet.formats().front().id, channels},
                           [&](std::string_view piece) -> Result<void> {
                               text += piece;
                               return {};
                           },
                           {});
    }
};

std::string fileWith(const QTemporaryDir& folder, const std::string& text) {
    const std::string file = folder.filePath("x.trace").toStdString();
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

/// What reading that text complains about.
std::string complaint(const TraceFacet& facet, const QTemporaryDir& folder, const std::string& text) {
    const auto read = facet.read(facet.formats().front().id, fileWith(folder, text), nullptr, {});
    return read ? std::string("nothing") : read.error().text();
}

} // namespace

class TestTraces : public QObject {
    Q_OBJECT
private slots:
    void attAccRoundTrip();
    void attAccPlaces();
    void attAccHostile();
    void attAccStack();
    void hbmPimRoundTrip();
    void hbmPimHbm3();
    void aimRoundTrip();
    void crossbarRoundTrip();
    void crossbarGolden();
    void crossbarLayer();
    void channels();
    void hostOps();
    void formats();
};

void TestTraces::attAccRoundTrip() {
    const Traced traced("attacc");
    const TraceFacet& facet = *traced.backend->traces();
    const QTemporaryDir folder;
    const auto ops = traced.onPim();
    QVERIFY(ops.size() > 4);
    for (const OpId op : ops) {
        std::string text;
        const auto written = traced.write(op, text);
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        const auto read = facet.read("attacc", fileWith(folder, text), traced.plan->target.get(), {});
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->commands == written->commands);
        QCOMPARE(read->lines, written->lines);
        QVERIFY(*read->cycles > 0 && read->engine == "attacc-compat");
    }
}

/// Line by line against the program, whose commands are walked here once more: word, channel, bank, row, column.
void TestTraces::attAccPlaces() {
    const Traced traced("attacc");
    const auto& backend = dynamic_cast<const AttAccBackend&>(*traced.backend);
    const std::map<std::string, std::string> words{
        {"SETM", "PIM_SET_MODEL"}, {"SETH", "PIM_SET_HEAD"},  {"WR", "ST"},          {"RD", "LD"},
        {"MACAB", "PIM_MAC_AB"},   {"WRGB", "PIM_WR_GB"},     {"MVSB", "PIM_MV_SB"}, {"MVGB", "PIM_MV_GB"},
        {"SFM", "PIM_SFM"},        {"BARRIER", "PIM_BARRIER"}};
    constexpr int kChannels = 3;
    std::set<int> banks, rows;
    for (const OpId op : traced.onPim()) {
        std::string text;
        QVERIFY(traced.write(op, text, kChannels).has_value());
        std::istringstream lines(text);
        const PimCode code = backend.codeWithChain(*traced.plan, op).value();
        std::int64_t borders = 0;
        const auto next = [&](const std::string& word,
                              const std::map<std::string, std::int64_t>& operands) -> std::string {
            for (int channel = 0; channel < kChannels; ++channel) {
                std::string line;
                if (!std::getline(lines, line))
                    return "too few lines";
                const AttAccRequest request = parseAttAccLine(line).value();
                if (attAccWord(request.command) != word || request.channel() != channel)
                    return line + " instead of " + word;
                for (const auto& [name, value] : operands)
                    if ((name == "bank" && request.bank() != value) ||
                        (name == "row" && request.row() != value) ||
                        (name == "col" && request.column() != value))
                        return fmt::format("{}: {} should be {}", line, name, value);
                banks.insert(request.bank());
                rows.insert(request.row());
            }
            return {};
        };
        std::string problem;
        bool borderDue = false, any = false;
        const auto walked =
            dram::walkStream(code.program,
                             {[&](int opcode, std::span<const std::int64_t> values) -> Result<void> {
                                  const Opcode& of = code.program.opcodes[std::size_t(opcode)];
                                  const auto word = words.find(of.name);
                                  if (word == words.end() || !problem.empty())
                                      return {};
                                  if (borderDue && any) {
                                      ++borders;
                                      problem = next("PIM_BARRIER", {});
                                  }
                                  borderDue = false;
                                  any = true;
                                  std::map<std::string, std::int64_t> operands;
                                  for (std::size_t i = 0; i < of.operands.size(); ++i)
                                      operands[of.operands[i]] = values[i];
                                  if (problem.empty())
                                      problem = next(word->second, operands);
                                  return {};
                              },
                              [&]() -> Result<void> {
                                  borderDue = true;
                                  return {};
                              }},
                             {});
        QVERIFY(walked.has_value());
        QVERIFY2(problem.empty(), problem.c_str());
        std::string rest;
        QVERIFY2(!std::getline(lines, rest), rest.c_str());
    }
    QVERIFY(banks.size() > 8);
}

void TestTraces::attAccHostile() {
    const AttAccBackend backend(nullptr);
    const TraceFacet& facet = *backend.traces();
    const QTemporaryDir folder;
    const auto says = [&](const std::string& text, const char* what) {
        const std::string told = complaint(facet, folder, text);
        if (!QTest::qVerify(told.find(what) != std::string::npos, what, told.c_str(), __FILE__, __LINE__))
            return;
    };
    says("PIM_MAC_AB 0x0\nPIM_MAC_A", "x.trace:2: unknown command \"PIM_MAC_A\"");
    says("PIM_MAC_AB\n", "x.trace:1: PIM_MAC_AB without an address");
    says("# fine\n\nPIM_MAC_AB 0x400000000\n", "x.trace:3: address 0x400000000 lies beyond");
    says("PIM_MAC_AB 0xffffffffffffffffffff\n", "is no address");
    says("PIM_MAC_AB -1\n", "is no address");
    says("PIM_MAC_AB 0x0 0x0\n", "is no address");
    says(std::string("\x1f\x8b\x08\x00garbage", 11), "x.trace");
    says(std::string(100'000, 'A'), "x.trace");
    QVERIFY(facet.read("attacc", folder.filePath("none").toStdString(), nullptr, {}).error().code ==
            ErrorCode::Io);
}

void TestTraces::attAccStack() {
    const Traced traced("attacc");
    Target other = *traced.plan->target;
    other.parameters["organisation.ranks"].value = 4;
    auto plan = std::make_shared<Plan>(*traced.plan);
    plan->target = std::make_shared<const Target>(other);
    const auto written = traced.backend->traces()->write({plan, traced.onPim().front(), "attacc", 0},
                                                         [](std::string_view) { return Result<void>(); }, {});
    QVERIFY(!written.has_value());
    QVERIFY2(written.error().message.find("4 ranks") != std::string::npos, written.error().text().c_str());
}

/// The mode protocol as written makes the simulator's channel take every step of the program, and no other.
void TestTraces::hbmPimRoundTrip() {
    const Traced traced("hbm-pim");
    const auto& backend = dynamic_cast<const HbmPimBackend&>(*traced.backend);
    const TraceFacet& facet = *traced.backend->traces();
    const QTemporaryDir folder;
    const auto ops = traced.onPim();
    QVERIFY(ops.size() > 4);
    for (const OpId op : ops) {
        std::string text;
        const auto written = traced.write(op, text);
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        const std::string file = fileWith(folder, text);
        const auto read = facet.read("pimsimulator", file, nullptr, {});
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->commands == written->commands);
        QCOMPARE(read->lines, written->lines);
        QCOMPARE(read->channels, written->channels);

        const PimCode code = backend.codeWithChain(*traced.plan, op).value();
        std::map<std::string, std::int64_t> program; // by opcode
        std::int64_t switches = 0;
        QVERIFY(dram::walkStream(code.program,
                                 {[&](int opcode, std::span<const std::int64_t> operands) -> Result<void> {
                                      const std::string& name =
                                          code.program.opcodes[std::size_t(opcode)].name;
                                      ++program[name];
                                      switches +=
                                          (name == "ACT" && operands[1] == HbmPimGeometry::kEnterRow) ||
                                          (name == "ACT_AB" && operands[1] == HbmPimGeometry::kLeaveRow);
                                      return {};
                                  },
                                  {}},
                                 {})
                    .has_value());
        const std::int64_t channels = written->channels;
        QCOMPARE(switches, 6); // in by four rows, out by two
        QCOMPARE(read->commands.at("R"), channels * (program["RD"] + program["RD_AB"]));
        QCOMPARE(read->commands.at("W"),
                 channels * (program["WR"] + program["WR_AB"] + program["WRR_AB"] + switches));
        const HbmPimTraceRun run = runHbmPimTrace(readHbmPimTrace(file).value()).value();
        QCOMPARE(run.simulated, 1);
        const auto in = [&](HbmPimMode mode, HbmPimCommandKind kind) {
            return run.cost.counts.byMode[std::size_t(mode)][std::size_t(kind)];
        };
        QCOMPARE(run.cost.counts.readSteps, channels * program["RD_AB"]);
        QCOMPARE(in(HbmPimMode::SingleBank, HbmPimCommandKind::Read), channels * program["RD"]);
        // All but the writes that enter are made in all-bank or PIM mode, and after it single banks are read again.
        QCOMPARE(in(HbmPimMode::AllBank, HbmPimCommandKind::Write) +
                     in(HbmPimMode::Pim, HbmPimCommandKind::Write) +
                     in(HbmPimMode::SingleBank, HbmPimCommandKind::Write),
                 read->commands.at("W"));
        QVERIFY(in(HbmPimMode::SingleBank, HbmPimCommandKind::Write) <= channels * (program["WR"] + 4));
    }
}

void TestTraces::hbmPimHbm3() {
    const Traced traced("hbm-pim-hbm3");
    std::string text;
    const auto written = traced.write(traced.onPim().front(), text);
    QVERIFY(!written.has_value() && text.empty());
    QVERIFY2(written.error().text().find("hbm-pim") != std::string::npos, written.error().text().c_str());
}

void TestTraces::aimRoundTrip() {
    const Traced traced("aim");
    const auto& backend = dynamic_cast<const AimBackend&>(*traced.backend);
    const TraceFacet& facet = *traced.backend->traces();
    const QTemporaryDir folder;
    const std::map<std::string, std::string> words{{"WRGB", "WR_GB"},
                                                   {"MAC16", "MAC_ABK"},
                                                   {"WRMAC16", "WR_BIAS"},
                                                   {"RDMAC16", "RD_MAC"},
                                                   {"EWMUL16", "EWMUL"}};
    const auto ops = traced.onPim();
    QVERIFY(ops.size() > 3);
    for (const OpId op : ops) {
        std::string text;
        const auto written = traced.write(op, text);
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        const auto read = facet.read("aim", fileWith(folder, text), nullptr, {});
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->commands == written->commands);
        QCOMPARE(read->channels, written->channels);
        QVERIFY2(read->cycles.value_or(0) > 0, text.c_str());

        // Laid flat again: the commands of the program in their order, rows of products included.
        std::vector<std::string> is, was{"CFR"};
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream fields(line);
            std::string region, opcode, mask, row;
            int count = 1;
            fields >> region >> opcode;
            if (opcode == "WR_GB" || opcode == "MAC_ABK")
                fields >> count;
            if (opcode == "MAC_ABK")
                fields >> mask >> row;
            for (int i = 0; i < count; ++i)
                is.push_back(opcode + row);
        }
        const PimCode code = backend.codeWithChain(*traced.plan, op).value();
        const auto note = [&](int opcode, std::span<const std::int64_t> operands) -> Result<void> {
            const std::string& name = code.program.opcodes[std::size_t(opcode)].name;
            if (const auto word = words.find(name); word != words.end())
                was.push_back(word->second + (name == "MAC16" ? std::to_string(operands[0]) : std::string()));
            return {};
        };
        QVERIFY(dram::walkStream(code.program, {note, {}}, {}).has_value());
        was.push_back("EOC");
        QVERIFY(is == was);
    }
}

void TestTraces::crossbarRoundTrip() {
    const Traced traced("pimcomp-default");
    const CrossbarProgram& program = crossbarPlan(*traced.plan)->schedule->program;
    const QTemporaryDir folder;
    std::string text;
    const auto written = traced.write(OpId(), text);
    QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
    QCOMPARE(written->lines, std::int64_t(program.size()));
    const std::string file = fileWith(folder, text);
    const CompatStream is = readCompatStream(file).value(), was = compatStream(program).value();
    QCOMPARE(is.instructions.size(), was.instructions.size());
    QVERIFY(is.opcodes == written->commands);
    for (std::size_t i = 0; i < was.instructions.size(); ++i) {
        const CompatInstruction &a = is.instructions[i], &b = was.instructions[i];
        QCOMPARE(int(a.op), int(b.op));
        if (a.op == CompatOp::Mvm || a.op == CompatOp::Send || a.op == CompatOp::Recv)
            QCOMPARE(a.id, b.id);
        if (a.op != CompatOp::Mvm)
            QCOMPARE(a.elements, b.elements);
    }
    std::size_t block = 0;
    for (const CompatBlock& b : was.blocks) {
        const CompatBlock& a = is.blocks[block++];
        QVERIFY(a.group == b.group && a.core == b.core && a.begin == b.begin && a.end == b.end);
    }
    const auto read = traced.backend->traces()->read("pimcomp", file, traced.plan->target.get(), {});
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    const CompatHardware hardware = compatHardware(crossbarPlan(*traced.plan)->chip);
    QCOMPARE(*read->ns, compatPeriod(program, hardware)->periodNs);
    QCOMPARE(read->channels, written->channels);
}

/// The stream that PIMCOMP-NN itself gave, with its period to the nanosecond.
void TestTraces::crossbarGolden() {
    const BackendList backends = builtinBackends();
    const TraceFacet& facet = *backends.find("crossbar").value()->traces();
    const auto read = facet.read(
        "pimcomp", PIM_SOURCE_DIR "/tests/golden/crossbar/squeezenet.batch.stream.csv.gz", nullptr, {});
    QVERIFY(read.has_value());
    QCOMPARE(*read->ns, 249033.0);
    QCOMPARE(read->commands.at("MVMUL"), 50962);
    QCOMPARE(read->commands.at("SEND"), read->commands.at("RECV"));
    const QTemporaryDir folder;
    const std::string head(compatHeader());
    const auto says = [&](const std::string& text, const char* what) {
        const std::string told = complaint(facet, folder, text);
        QVERIFY2(told.find(what) != std::string::npos, told.c_str());
    };
    says("", "the file is empty");
    says("0,0,LD,INPUT,4,,,,\n", "the first line is");
    says(head + "0,0,LD,INPUT,4,,,\n", "x.trace:2: has 8 columns, must have 9");
    says(head + "0,0,LD,INPUT,99999999999999999999,,,,\n",
         "x.trace:2: column \"elements\" is 99999999999999999999");
    says(head + "0,0,FLY,INPUT,4,,,,\n", "x.trace:2: unknown instruction \"FLY\"");
    says(head + "0,0,SEND,MAIN,4,,,,0\n", "transfer 0 in group 0");
    says(head + "1,0,LD,INPUT,4,,,,\n0,0,LD,INPUT,4,,,,\n", "x.trace:3: group 0 comes after group 1");
}

/// Of one layer; what goes to other layers has no second side there.
void TestTraces::crossbarLayer() {
    const Traced traced("pimcomp-default");
    const QTemporaryDir folder;
    int withProducts = 0;
    for (const OpId op : traced.onPim()) {
        std::string text;
        const auto written = traced.write(op, text);
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        if (written->lines == 0)
            continue;
        const auto read = traced.backend->traces()->read("pimcomp", fileWith(folder, text), nullptr, {});
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(read->commands == written->commands);
        withProducts += written->commands.contains("MVMUL");
    }
    QVERIFY(withProducts > 1);
    std::string text;
    QVERIFY(!traced.write(OpId(), text, 3).has_value());
}

void TestTraces::channels() {
    QCOMPARE(dram::channelsWritten(0, 80, 16).value(), 16);
    QCOMPARE(dram::channelsWritten(0, 5, 16).value(), 5);
    QCOMPARE(dram::channelsWritten(2, 5, 16).value(), 2);
    QVERIFY(!dram::channelsWritten(6, 5, 16).has_value());
    QVERIFY(!dram::channelsWritten(-1, 5, 16).has_value());
}

void TestTraces::hostOps() {
    const Traced traced("attacc");
    for (const OpPlan& op : traced.plan->ops)
        if (op.onHost()) {
            std::string text;
            const auto written = traced.write(op.op, text);
            QVERIFY(!written.has_value() && written.error().code == ErrorCode::Unsupported && text.empty());
            return;
        }
    QFAIL("no op on the host");
}

void TestTraces::formats() {
    const BackendList backends = builtinBackends();
    std::set<std::string_view> ids;
    for (const auto& backend : backends.all()) {
        if (!backend->traces()) {
            QVERIFY(!tracesOf(*backend).error().hint.empty());
            continue;
        }
        QVERIFY(!backend->traces()->formats().empty());
        for (const TraceFormat& format : backend->traces()->formats()) {
            QVERIFY(ids.insert(format.id).second);
            QCOMPARE(traceFormat(*backend, format.id).value()->id, format.id);
        }
        const auto unknown = traceFormat(*backend, "nope");
        QVERIFY(unknown.error().message.find(backend->traces()->formats().front().id) != std::string::npos);
    }
    QVERIFY(!ids.empty());
}

QTEST_GUILESS_MAIN(TestTraces)
#include "tst_backends_traces.moc"
