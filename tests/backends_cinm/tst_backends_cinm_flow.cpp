// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Programs on DPUs, tiles and the host: the numbers are the same on every level and on the engine of the UPMEM family, and what ops
/// take is what that family says.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/builtin.h"
#include "backends/cinm/tile_limits.h"
#include "backends/upmem/host_run.h"
#include "core/base/paths.h"
#include "core/base/split_mix.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/dialect.h"
#include "core/ir/from_graph.h"
#include "core/ir/outline.h"
#include "core/ir/parse.h"
#include "core/ir/scalar_bytes.h"
#include "core/numeric/real_run.h"
#include "tests/core_graph/onnx_builder.h"
#include "tests/support/mlir_opt.h"

#include <QTemporaryDir>

using namespace pim;
using namespace pim::cinm;
using ir::Type;
using ir::ValueId;

namespace {

std::shared_ptr<const Target> modules() {
    return TargetCatalog::load().find("upmem-1").value();
}

FlowOptions onDpus(DpuSpread spread = DpuSpread::Search) {
    FlowOptions options;
    options.target = "upmem";
    options.dpus = modules();
    options.spread = spread;
    return options;
}

/// "main" of one op.
ir::Module program(const std::string& op, const std::vector<Type>& inputs, const std::vector<Type>& outs,
                   ir::Attributes attributes = {}) {
    ir::Module made("cinm");
    ir::Builder to(made);
    const ValueId first = to.beginFunction("main", inputs, outs);
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        operands.emplace_back(first.value + static_cast<std::int32_t>(i));
    const auto id = to.create(op, operands, outs, std::move(attributes));
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < outs.size(); ++i)
        results.push_back(to.result(id, static_cast<std::uint32_t>(i)));
    to.endFunction(results);
    return made;
}
ir::Module program(const std::string& op, const std::vector<Type>& inputs, const Type& out,
                   ir::Attributes attributes = {}) {
    return program(op, inputs, std::vector<Type>{out}, std::move(attributes));
}

/// Empty if every level and the engine have the same numbers, all DPUs of it.
QString wrong(const ir::Module& module, const FlowOptions& options, const std::vector<ir::Array>& arguments,
              bool hasKernel = true) {
    const auto flow = lower(module, options);
    if (!flow)
        return QString::fromStdString(flow.error().text());
    const auto runs = runLevels(*flow, arguments);
    if (!runs)
        return QString::fromStdString(runs.error().text());
    if (runs->levels.size() != (hasKernel ? 4U : 3U))
        return QString("%1 runs").arg(runs->levels.size());
    for (const LevelRun& run : runs->levels)
        if (run.wrong > 0)
            return QString::fromStdString(run.level + ": " + run.firstWrong + ", " + flow->ops[0].mapping());
    return {};
}

QString wrong(const ir::Module& module, const FlowOptions& options, std::uint64_t seed,
              bool hasKernel = true) {
    return wrong(module, options, sampleArguments(module, seed), hasKernel);
}

/// Arguments from -1 to 1: scores of at most 31 of them fit a byte.
std::vector<ir::Array> smallArguments(const ir::Module& module, std::uint64_t seed) {
    std::vector<ir::Array> arguments = sampleArguments(module, seed);
    for (ir::Array& argument : arguments) {
        std::vector<std::int64_t> values = ir::intsOf(argument);
        for (std::int64_t& value : values)
            value %= 2;
        argument = ir::arrayOf(std::span<const std::int64_t>(values), argument.element, argument.extents);
    }
    return arguments;
}

/// One to three places changed, most often to something that could stand there.
std::string damaged(std::string text, std::uint64_t& random) {
    for (std::uint64_t edits = 1 + nextRandom(random) % 3; edits > 0; --edits) {
        const std::size_t at = nextRandom(random) % text.size();
        switch (nextRandom(random) % 4) {
        case 0:
            text.erase(at, 1 + nextRandom(random) % 9);
            break;
        case 1:
            text.insert(at, text.substr(nextRandom(random) % text.size(), nextRandom(random) % 12));
            break;
        default: { // another digit for a digit
            const std::size_t digit = text.find_first_of("0123456789", at);
            if (digit != std::string::npos)
                text[digit] = "0123456789"[nextRandom(random) % 10];
        }
        }
        if (text.empty())
            text = " ";
    }
    return text;
}

/// Runs "main" unless it would take long.
bool runs(const ir::Module& module) {
    if (!module.function("main").valid())
        return false;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < module.valueCount(); ++i)
        bytes = std::max(bytes, module.type(ValueId(static_cast<std::int64_t>(i))).bytes());
    if (bytes > 1'000'000)
        return false;
    ir::InterpreterOptions options;
    options.mostSteps = 5000;
    ir::Interpreter interpreter(module, options);
    return interpreter.call("main", sampleArguments(module, 1)).has_value();
}

} // namespace

class TestFlow : public QObject {
    Q_OBJECT
private slots:
    /// Sizes that nothing divides, products split in all their loops.
    void anySizeOnTheEngine() {
        std::uint64_t random = 11;
        const auto upTo = [&](std::uint64_t most) {
            return 1 + static_cast<std::int64_t>(nextRandom(random) % most);
        };
        for (int i = 0; i < 24; ++i) {
            const ir::Scalar element =
                std::array{ir::Scalar::I8, ir::Scalar::I16, ir::Scalar::I32}[std::size_t(i) % 3];
            const auto tensor = [&](Shape extents) { return Type::tensor(std::move(extents), element); };
            const std::int64_t m = upTo(30), k = upTo(70), n = upTo(20);
            const DpuSpread spread = i % 4 == 3 ? DpuSpread::Even : DpuSpread::Search;
            const auto seed = static_cast<std::uint64_t>(i);
            QCOMPARE(
                wrong(program("cinm.gemm", {tensor({m, k}), tensor({k, n}), tensor({m, n})}, tensor({m, n})),
                      onDpus(spread), seed),
                QString());
            QCOMPARE(
                wrong(program("cinm.gemv", {tensor({m, k}), tensor({k})}, tensor({m})), onDpus(spread), seed),
                QString());
            const char* const reductions[] = {"add", "max", "min", "and", "or", "xor"};
            const char* const maps[] = {"cinm.add", "cinm.sub", "cinm.mul", "cinm.max",
                                        "cinm.min", "cinm.and", "cinm.or",  "cinm.xor"};
            for (const char* unary : {"cinm.not", "cinm.popCount"})
                QCOMPARE(wrong(program(unary, {tensor({m, n})}, tensor({m, n})), onDpus(spread), seed),
                         QString());
            const std::string map = maps[std::size_t(i) % std::size(maps)];
            QCOMPARE(
                wrong(program(map, {tensor({m, n}), tensor({m, n})}, tensor({m, n})), onDpus(spread), seed),
                QString());
            QCOMPARE(wrong(program("cinm.reduce", {tensor({m, k, n})}, tensor({m, n}),
                                   {{"dimensions", ir::ints({1})}, {"op", ir::text(reductions[i % 6])}}),
                           onDpus(spread), seed),
                     QString());
        }
    }

    /// Rounded toward 0, with every sign; the least number divided by -1 is itself.
    void quotientsOfIntegers() {
        for (const ir::Scalar element : {ir::Scalar::I8, ir::Scalar::I16, ir::Scalar::I32}) {
            const Type tensor = Type::tensor({333}, element);
            const auto flow = lower(program("cinm.div", {tensor, tensor}, tensor), onDpus());
            QVERIFY(flow && flow->ops[0].ns());
            const std::int64_t least = -(std::int64_t(1) << (8 * ir::bytesOf(element) - 1));
            std::vector<std::int64_t> a, b;
            std::uint64_t random = 8;
            for (int i = 0; i < 333; ++i) {
                a.push_back(i < 3 ? least : ir::wrapped(std::int64_t(nextRandom(random)), element));
                b.push_back(
                    ir::wrapped(std::int64_t(nextRandom(random)) >> (nextRandom(random) % 60), element));
                if (b.back() == 0 || i == 0)
                    b.back() = -1;
            }
            const auto runs =
                runLevels(*flow, {ir::arrayOf(std::span<const std::int64_t>(a), element, {333}),
                                  ir::arrayOf(std::span<const std::int64_t>(b), element, {333})});
            QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
            QCOMPARE(runs->levels.size(), std::size_t{4});
            for (const LevelRun& run : runs->levels)
                QVERIFY2(run.wrong == 0, (run.level + " " + run.firstWrong).c_str());
        }
    }

    void aScalarForAllElements() {
        for (const char* name : {"cinm.add", "cinm.mul", "cinm.min"}) {
            const Type tensor = Type::tensor({45, 7}, ir::Scalar::I32);
            QCOMPARE(wrong(program(name, {tensor, Type::scalar(ir::Scalar::I32)}, tensor), onDpus(), 3),
                     QString());
        }
    }

    /// PrIM's program, every DPU of it.
    void histogramsRunAsHstL() {
        const auto module = ir::build(*ir::findBenchmark("hst-l"), {5000, 256});
        const auto flow = lower(module, onDpus());
        QVERIFY(flow);
        QVERIFY2(flow->ops[0].ns() && flow->ops[0].dpus->program, flow->ops[0].reason.c_str());
        const auto arguments = ir::sampleArguments(*ir::findBenchmark("hst-l"), {5000, 256}, 3);
        const auto runs = runLevels(*flow, arguments, {},
                                    ir::expectedResults(*ir::findBenchmark("hst-l"), {5000, 256}, arguments));
        QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
        QCOMPARE(runs->levels.size(), std::size_t{4});
        for (const LevelRun& run : runs->levels)
            QVERIFY2(run.wrong == 0, run.firstWrong.c_str());
        const auto code = codeOf(*flow);
        QVERIFY(code && code->size() == 2 && code->front().text.find("histogram") != std::string::npos);
    }

    /// Scans along any dimension, largest elements, searches and majorities, in sizes that nothing divides.
    void programsOfAnySize() {
        std::uint64_t random = 17;
        const auto upTo = [&](std::int64_t most) {
            return 1 + static_cast<std::int64_t>(nextRandom(random) % static_cast<std::uint64_t>(most));
        };
        const char* const folds[] = {"add", "max", "mul", "min", "xor", "and", "or"};
        for (int i = 0; i < 21; ++i) {
            const ir::Scalar element =
                std::array{ir::Scalar::I8, ir::Scalar::I16, ir::Scalar::I32}[std::size_t(i) % 3];
            const auto tensor = [&](Shape extents) { return Type::tensor(std::move(extents), element); };
            const auto seed = static_cast<std::uint64_t>(i);
            const std::int64_t m = upTo(i % 4 == 0 ? 700 : 12), n = upTo(i % 4 == 1 ? 3000 : 30), k = upTo(5);
            const std::int64_t dimension = i / 3 % 3;
            QCOMPARE(wrong(program("cinm.scan", {tensor({m, n, k})}, tensor({m, n, k}),
                                   {{"dimension", ir::integer(dimension)}, {"op", ir::text(folds[i % 7])}}),
                           onDpus(), seed),
                     QString());
            const std::int64_t wanted = upTo(std::min<std::int64_t>(m * n, 40));
            const auto places = [](std::int64_t count) { return Type::tensor({count}, ir::Scalar::I32); };
            QCOMPARE(wrong(program("cinm.topk", {tensor({m * n})}, {tensor({wanted}), places(wanted)}),
                           onDpus(), seed),
                     QString());
            const std::int64_t rows = upTo(std::min<std::int64_t>(m, 9));
            const std::int64_t depth = std::min<std::int64_t>(n, 31);
            const ir::Module search =
                program("cinm.simSearch", {tensor({m, depth}), tensor({depth})},
                        {tensor({rows}), places(rows)}, {{"metric", ir::text(i % 2 ? "dot" : "l2")}});
            QCOMPARE(wrong(search, onDpus(), smallArguments(search, seed)), QString());
            QCOMPARE(wrong(program("cinm.majority", {tensor({n, m})}, tensor({m})), onDpus(), seed),
                     QString());
        }
    }

    /// The greatest and the least numbers there are, all equal, and as many wanted as there are.
    void largestOfTheExtremes() {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        const Type tensor = Type::tensor({200}, ir::Scalar::I32);
        const auto flow = lower(program("cinm.topk", {tensor}, {tensor, tensor}), onDpus());
        QVERIFY(flow && flow->ops[0].ns());
        for (const std::vector<std::int64_t>& from :
             {std::vector{kMost}, std::vector{-kMost - 1}, std::vector{kMost, -kMost - 1, std::int64_t(0)}}) {
            std::vector<std::int64_t> values;
            for (std::size_t i = 0; i < 200; ++i)
                values.push_back(from[i % from.size()]);
            const auto runs = runLevels(
                *flow, {ir::arrayOf(std::span<const std::int64_t>(values), ir::Scalar::I32, {200})});
            QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
            QCOMPARE(runs->levels.size(), std::size_t{4});
            for (const LevelRun& run : runs->levels)
                QVERIFY2(run.wrong == 0, (run.level + " " + run.firstWrong).c_str());
        }
    }

    /// Scores that 32 bits do not hold are left to the interpreter.
    void scoresBeyond32BitsAreInterpreted() {
        const auto tensor = [](Shape extents) { return Type::tensor(std::move(extents), ir::Scalar::I32); };
        const auto flow = lower(program("cinm.simSearch", {tensor({40, 3}), tensor({3})},
                                        {tensor({2}), tensor({2})}, {{"metric", ir::text("dot")}}),
                                onDpus());
        QVERIFY(flow && flow->ops[0].ns());
        for (const std::int64_t scale : {1, 1'000'000}) {
            std::vector<std::int64_t> table, query(3, 7 * scale);
            for (std::int64_t i = 0; i < 120; ++i)
                table.push_back(i * 37 % 101 * scale);
            const auto runs =
                runLevels(*flow, {ir::arrayOf(std::span<const std::int64_t>(table), ir::Scalar::I32, {40, 3}),
                                  ir::arrayOf(std::span<const std::int64_t>(query), ir::Scalar::I32, {3})});
            QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
            const LevelRun& engine = runs->levels.back();
            QVERIFY2(engine.note.starts_with(scale == 1 ? "1 runs of kernels" : "0 runs of kernels"),
                     engine.note.c_str());
            QVERIFY2(engine.wrong == 0, engine.firstWrong.c_str());
        }
    }

    /// What a slice takes is what the slowest DPU of the whole takes; the whole has other numbers.
    void pricesOfProgramsAreThoseOfTheWhole() {
        const auto tensor = [](Shape extents) { return Type::tensor(std::move(extents), ir::Scalar::I32); };
        const std::pair<const char*, ir::Module> programs[] = {
            {"SCAN", program("cinm.scan", {tensor({90'001})}, tensor({90'001}),
                             {{"dimension", ir::integer(0)}, {"op", ir::text("add")}})},
            {"SCAN", program("cinm.scan", {tensor({300, 70})}, tensor({300, 70}),
                             {{"dimension", ir::integer(1)}, {"op", ir::text("add")}})},
            {"TOPK", program("cinm.topk", {tensor({90'001})}, {tensor({10}), tensor({10})})},
            {"SIM-L2", program("cinm.simSearch", {tensor({3001, 40}), tensor({40})},
                               {tensor({5}), tensor({5})}, {{"metric", ir::text("l2")}})},
            {"MAJ", program("cinm.majority", {tensor({65, 2001})}, tensor({2001}))}};
        const upmem::Machine machine = upmem::machineOf(*modules());
        for (const auto& [name, module] : programs) {
            const auto flow = lower(module, onDpus());
            QVERIFY2(flow && flow->ops[0].ns() && flow->ops[0].dpus->program, name);
            const DpuProgram& made = *flow->ops[0].dpus->program;
            QCOMPARE(QString::fromStdString(made.name), QString(name));
            const auto whole = caseOf(made);
            QVERIFY(whole);
            const auto run = upmem::runOnEngine({whole->host, *whole->code, whole->sizes, whole->tasklets},
                                                whole->inputs, machine.timing);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            const double ratio = flow->ops[0].dpus->price.computeNs /
                                 (static_cast<double>(run->cycles) * machine.timing.cycleNs());
            QVERIFY2(ratio > 0.88 && ratio < 1.12, qPrintable(QString("%1: %2").arg(name).arg(ratio)));
            const auto code = codeOf(*flow);
            QVERIFY(code && code->size() == 2);
            QVERIFY(code->front().text.find("barrier") != std::string::npos || made.name == "MAJ" ||
                    made.options.second > 100);
        }
    }

    /// Running sums of a network, along either axis, against its reference.
    void runningSumsOfANetwork() {
        for (const std::int64_t axis : {0, -1}) {
            constexpr int kInt32 = 6; // TensorProto.DataType
            test::OnnxBuilder model;
            model.input("x", {std::int64_t(9), std::int64_t(700)}, kInt32);
            model.ints("axis", {axis}, true);
            model.node("CumSum", {"x", "axis"}, {"y"}, {}, "sums").output("y");
            const QTemporaryDir folder;
            const auto graph = loadGraph(model.save(folder.filePath("sums.onnx").toStdString()));
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            const auto program = ir::fromGraph(*graph);
            QVERIFY2(program, program ? "" : program.error().text().c_str());
            const auto arguments = sampleArguments(program->module, 5);
            const Value x = ir::valueOf(arguments[0]);
            const auto expected = runReal(**graph, {&x, 1});
            QVERIFY2(expected, expected ? "" : expected.error().text().c_str());
            const auto flow = lower(program->module, onDpus());
            QVERIFY(flow && flow->ops[0].ns() && flow->ops[0].dpus->program->name == "SCAN");
            const auto wanted = ir::arrayOf((*expected)[0]);
            QVERIFY2(wanted, wanted ? "" : wanted.error().text().c_str());
            const auto runs = runLevels(*flow, arguments, {}, std::vector{*wanted});
            QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
            QCOMPARE(runs->levels.size(), std::size_t{4});
            for (const LevelRun& run : runs->levels)
                QVERIFY2(run.wrong == 0, (run.level + " " + run.firstWrong).c_str());
        }
    }

    void opsWithoutAKernelAreSpreadEvenly() {
        const auto tensor = [](Shape extents) { return Type::tensor(std::move(extents), ir::Scalar::I32); };
        const auto module = program("cinm.reduce", {tensor({300, 7})}, tensor({300}),
                                    {{"dimensions", ir::ints({1})}, {"op", ir::text("mul")}});
        QCOMPARE(wrong(module, onDpus(), 4, false), QString());
        const auto flow = lower(module, onDpus());
        QVERIFY(flow);
        QVERIFY(!flow->ops[0].ns());
        QCOMPARE(flow->timeUnknown, 1);
        QCOMPARE(QString::fromStdString(flow->ops[0].reason),
                 QString("there is no kernel for cinm.reduce by mul: interpreted, its time is unknown"));
    }

    /// The search is no worse than equal boxes, and constants that stay in MRAM are not sent.
    void timesAreThoseOfTheFamily() {
        const auto tensor = [](Shape extents) { return Type::tensor(std::move(extents), ir::Scalar::I8); };
        for (const std::int64_t size : {64, 200, 1024}) {
            const auto module =
                program("cinm.gemm", {tensor({size, size}), tensor({size, 96})}, tensor({size, 96}));
            const auto flow = lower(module, onDpus());
            QVERIFY(flow && flow->ops[0].ns());
            const DpuWork& work = *flow->ops[0].dpus;
            QVERIFY(work.evenNs && *flow->ops[0].ns() <= *work.evenNs);
            FlowOptions resident = onDpus();
            resident.constantArguments = {false, true};
            const auto kept = lower(module, resident);
            QVERIFY(kept);
            QVERIFY(*kept->ops[0].ns() < *flow->ops[0].ns());
        }
    }

    void theOutlineCountsTurns() {
        FlowOptions options;
        options.wish = *memristor::tileWish("knm", "box", 0);
        options.tiles = 1;
        const auto flow = lower(ir::build(*ir::findBenchmark("mm"), {256, 128, 192}), options);
        QVERIFY(flow);
        std::int64_t writes = 0;
        for (const ir::OutlineLine& line : ir::outline(*flow->levels[1].module, flow->ops[0].op))
            if (line.text.starts_with("cim.write"))
                writes = line.times;
        QCOMPARE(writes, 2 * 3);
        QCOMPARE(writes, flow->total.tileWrites);
        const auto dpus = lower(ir::build(*ir::findBenchmark("mm"), {256, 128, 192}), onDpus());
        QVERIFY(dpus);
        QVERIFY(ir::text(ir::outline(*dpus->levels[1].module, dpus->ops[0].op)).find("cnm.contract") !=
                std::string::npos);
    }

    /// What the driver is called for in time is what the tiles' price counts.
    void tilesInTimeAreTheirPrice() {
        FlowOptions options;
        options.size = 32;
        for (const char* order : {"mnk", "knm", "nkm"}) {
            options.wish = *memristor::tileWish(order, "box", 1);
            const auto flow = lower(ir::build(*ir::findBenchmark("mm"), {100, 70, 50}), options);
            QVERIFY(flow);
            const auto run = timeTiles(*flow);
            QVERIFY(run);
            QCOMPARE(run->cost.ns, flow->tilesNs);
            QVERIFY(run->ns >= flow->tilesNs);
        }
    }

    /// Twice is a run of the accelerator that was changed by hand, lowered for it.
    void whatHelpsTilesComesTrue() {
        FlowOptions options;
        options.size = 32;
        options.tiles = 4;
        const auto program = [] { return ir::build(*ir::findBenchmark("mm"), {100, 70, 90}); };
        const Flow flow = lower(program(), options).value();
        const memristor::TileRun run = timeTiles(flow).value();
        const auto helps = whatHelps(flow, run);
        QVERIFY2(helps, helps ? "" : helps.error().text().c_str());
        QCOMPARE(helps->whatIf.rows.size(), std::size_t(5));
        double last = 0;
        int helping = 0;
        for (const WhatIfRow& row : helps->whatIf.rows) {
            FlowOptions changed = options; // figures of occ.h, halved; numbers doubled
            if (row.resource == "words in")
                changed.device.writeWordNs = 1250;
            else if (row.resource == "words out")
                changed.device.readWordNs = 500;
            else if (row.resource == "sums of the host")
                changed.device.hostWordNs = 0.5;
            else if (row.resource == "tiles")
                changed.tiles = 8;
            else
                changed.size = 64;
            QVERIFY2(row.twiceNs && row.problem.empty(), row.problem.c_str());
            QCOMPARE(*row.twiceNs, timeTiles(lower(program(), changed).value()).value().ns);
            QCOMPARE(row.fastestNs.has_value(), row.way == SpeedUp::Way::Fast);
            QVERIFY2(*row.twiceNs >= last && row.fastestNs.value_or(0) <= *row.twiceNs, row.resource.c_str());
            last = *row.twiceNs;
            helping += *row.twiceNs < 0.9 * run.ns;
        }
        QVERIFY(helping >= 1);
        QCOMPARE(helps->whatIf.totalNs, run.ns);
        QVERIFY(*helps->whatIf.boundNs > 0.5 * run.ns && *helps->whatIf.boundNs <= run.ns);
        QCOMPARE(helps->whatIf.boundBy, std::string("port"));
        memristor::TileRunOptions own;
        own.sharedPort = false;
        const memristor::TileRun apart = timeTiles(flow, own).value();
        QCOMPARE(*helps->ownPortsNs, apart.ns);
        QVERIFY(apart.ns < run.ns && !whatHelps(flow, apart, own)->ownPortsNs);

        FlowOptions several = options;
        several.target = "auto";
        several.dpus = TargetCatalog::load().find("upmem-4").value();
        const auto refused = whatHelps(lower(program(), several).value(), run);
        QVERIFY(!refused && refused.error().hint == "ask with --target memristor");
    }

    /// Loops are searched with all bits of the elements, so nothing that is faster makes the tiles slower.
    void fasterWordsAreNeverSlower_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("element");
        QTest::addColumn<int>("size");
        for (const ir::Scalar element : {ir::Scalar::I8, ir::Scalar::I16, ir::Scalar::I32})
            QTest::addRow("tiny-gpt, %s", std::string(ir::name(element)).c_str())
                << "tiny-gpt" << int(element) << 24;
        QTest::addRow("mobilenetv2, i16") << "mobilenetv2" << int(ir::Scalar::I16) << 200;
        QTest::addRow("mlp, i32") << "mlp" << int(ir::Scalar::I32) << 40;
    }
    void fasterWordsAreNeverSlower() {
        QFETCH(const QString, network);
        QFETCH(const int, element);
        QFETCH(const int, size);
        const std::string name = network.toStdString();
        std::shared_ptr<const ir::Module> program;
        if (const ir::Benchmark* const benchmark = ir::findBenchmark(name)) {
            program = std::make_shared<const ir::Module>(ir::build(*benchmark, {100, 330, 170, 50}));
        } else {
            const GraphOptions bound{.bindings = {{"batch", 1}, {"past", 5}}};
            const auto graph = loadGraph(samplesDir() / name / (name + ".onnx"),
                                         name == "tiny-gpt" ? bound : GraphOptions());
            QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
            auto made = ir::fromGraph(*graph, ir::Scalar(element));
            QVERIFY2(made, made ? "" : made.error().text().c_str());
            program = std::make_shared<const ir::Module>(std::move(made->module));
        }
        FlowOptions options;
        options.size = size;
        const auto runNs = [&] {
            memristor::TileRunOptions quiet;
            quiet.mostSpans = 0;
            return timeTiles(lower(*program, options).value(), quiet).value().ns;
        };
        const double now = runNs();
        for (double* const ns :
             {&options.device.writeWordNs, &options.device.readWordNs, &options.device.hostWordNs})
            for (const double factor : {2.0, 1000.0}) {
                const double is = std::exchange(*ns, *ns / factor), then = runNs();
                *ns = is;
                QVERIFY2(then <= now, qPrintable(QString("%1 -> %2").arg(now).arg(then)));
                // Nor can it gain more than that, or the loops were not the best before; sums of the host are not searched by.
                QVERIFY2(then > 0.999 * now / factor, qPrintable(QString("%1 -> %2").arg(now).arg(then)));
            }
    }

    /// Calls of a program that names nothing belong to its ops, not to the kind of call.
    void opsOfAProgramAreTimedByName() {
        const auto of = [](std::int64_t rows, std::int64_t columns) {
            return Type::tensor({rows, columns}, ir::Scalar::I32);
        };
        const Flow flow =
            lower(program("cinm.gemm", {of(70, 40), of(40, 90)}, of(70, 90)), FlowOptions()).value();
        const memristor::TileRun run = timeTiles(flow).value();
        QCOMPARE(run.ops.size(), std::size_t{1});
        QCOMPARE(run.timeline.labels[run.ops[0].label], flow.ops[0].name);
        QVERIFY(run.ops[0].operations > 0 && run.ops[0].wordsWritten > 0 && run.ops[0].wordsRead > 0);
    }

    /// The port is on the whole chain but where the host adds, and no op is above its roof.
    void whatLimitsTiles() {
        for (const bool shared : {true, false}) {
            FlowOptions options;
            options.size = 16;
            const Flow flow = lower(ir::build(*ir::findBenchmark("mlp"), {20, 33, 17, 5}), options).value();
            memristor::TileRunOptions how;
            how.sharedPort = shared;
            const memristor::TileRun run = timeTiles(flow, how).value();
            const Limits limits = limitsOf(run);
            QVERIFY(std::abs(double(limits.totalPs) / 1000 / run.ns - 1) < 1e-5);
            std::int64_t onPath = 0;
            double wordsNs = 0;
            for (const ResourceUse& use : limits.resources)
                onPath += use.pathPs;
            QVERIFY(onPath <= limits.totalPs);
            for (const memristor::TileTime& tile : run.tiles)
                wordsNs += tile.writeNs + tile.rowsNs + tile.resultsNs;
            const auto port = std::ranges::find(limits.resources, "port", &ResourceUse::name);
            QCOMPARE(port != limits.resources.end(), shared);
            if (shared) {
                QCOMPARE(limits.resources.front().name, std::string("port"));
                QVERIFY(std::abs(port->share - wordsNs / run.ns) < 1e-4);
                QVERIFY(limits.sentence.starts_with("the time is set by port: busy "));
            }

            const Roofline roofline = rooflineOf(run, flow.options);
            QCOMPARE(roofline.ceilings.size(), std::size_t(4));
            QVERIFY(!roofline.ops.empty());
            double in = 0, out = 0;
            for (const OpUnderRoof& op : roofline.ops) {
                QVERIFY2(roofline.shareOfRoof(op) > 0 && roofline.shareOfRoof(op) <= 1 + 1e-9,
                         sentenceOf(roofline, op).c_str());
                QVERIFY(op.operations > 0 && Roofline::speedOf(op) <= roofline.roofOf(op) * (1 + 1e-9));
                in += op.amounts[0], out += op.amounts[1];
            }
            QCOMPARE(in, 4.0 * double(run.counts.wordsWritten));
            QCOMPARE(out, 4.0 * double(run.counts.wordsRead));
            // 4 B every 2.5 µs at one port; 4 numbers a word, each with 16 columns, two operations.
            const double ports = shared ? 1 : double(run.tiles.size());
            QCOMPARE(roofline.ceilings[0].perNs, ports * 4 / 2500);
            QCOMPARE(roofline.ceilings[1].perNs, ports * 4 / 1000);
            QCOMPARE(roofline.ceilings[2].perNs, ports * 2 * 4 * 16 / 2500);
        }
    }

    /// Machines of any other family are asked through the interface all have, in the elements they compute with.
    void otherFamiliesAreAsked() {
        const BackendList backends = builtinBackends();
        const TargetCatalog catalog = TargetCatalog::load();
        FlowOptions options = onDpus();
        options.target = "auto";
        options.backends = &backends;
        for (const char* other : {"hbm-pim", "aim", "dynaplasia"})
            options.others.push_back(catalog.find(other).value());
        options.constantArguments = {false, true};
        const auto gemv = [](ir::Scalar element) {
            const auto tensor = [&](Shape extents) { return Type::tensor(std::move(extents), element); };
            return program("cinm.gemm", {tensor({1, 2048}), tensor({2048, 4096})}, tensor({1, 4096}));
        };
        const auto half = lower(gemv(ir::Scalar::F16), options);
        QVERIFY2(half, half ? "" : half.error().text().c_str());
        const PlacedOp& op = half->ops[0];
        QCOMPARE(op.machineText(), std::string("hbm-pim"));
        QVERIFY(op.ns() && *op.ns() < *op.hostNs);
        QVERIFY2(op.reason.starts_with("hbm-pim ") &&
                     op.reason.find("aim: computes in bf16, not in f16") != std::string::npos &&
                     op.reason.find("dynaplasia: plans networks as a whole") != std::string::npos,
                 op.reason.c_str());
        QVERIFY(half->othersNs > 0 && half->dpusNs == 0);
        const auto whole = lower(gemv(ir::Scalar::I8), options);
        QVERIFY(whole && !whole->ops[0].others[0].ns);
        options.pins = {{"gemm", "aim"}};
        const auto wanted = lower(gemv(ir::Scalar::I8), options);
        QVERIFY(wanted);
        QVERIFY2(wanted->ops[0].reason.starts_with("wanted on aim, but it "), wanted->ops[0].reason.c_str());
    }

    /// All 15 programs on tiles, DPUs and the host at once: mlir-opt reads every level, and so do we.
    void severalMachinesInOneText() {
        for (const ir::Benchmark& benchmark : ir::benchmarks()) {
            FlowOptions options = onDpus();
            options.target = "paper";
            options.threshold = 0;
            options.size = 8;
            const auto flow = lower(ir::build(benchmark, benchmark.small), options);
            QVERIFY2(flow, flow ? "" : flow.error().text().c_str());
            for (const ir::Level& level : flow->levels) {
                const auto parsed = ir::parse(level.printed.text);
                QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
                QCOMPARE(ir::print(parsed->module).text, level.printed.text);
                if (test::hasMlirOpt())
                    QCOMPARE(test::mlirOptSays(level.printed.text), QString());
            }
            const auto arguments = ir::sampleArguments(benchmark, benchmark.small, 2);
            const auto runs =
                runLevels(*flow, arguments, {}, ir::expectedResults(benchmark, benchmark.small, arguments));
            QVERIFY2(runs, runs ? "" : runs.error().text().c_str());
            for (const LevelRun& run : runs->levels)
                QVERIFY2(run.wrong == 0,
                         (std::string(benchmark.name) + " " + run.level + " " + run.firstWrong).c_str());
        }
    }

    /// Damaged texts of every level are refused, or lowered and run, never worse.
    void survivesDamage() {
        std::uint64_t random = 5;
        int read = 0, ran = 0;
        for (const char* name : {"mm", "red", "hst-l", "ts", "sel", "mlp"}) {
            const ir::Benchmark& benchmark = *ir::findBenchmark(name);
            FlowOptions options = onDpus();
            options.target = "paper";
            options.threshold = 0;
            options.size = 8;
            const auto flow = lower(ir::build(benchmark, benchmark.small), options);
            QVERIFY(flow);
            for (const ir::Level& level : flow->levels)
                for (int i = 0; i < 400; ++i) {
                    const auto parsed = ir::parse(damaged(level.printed.text, random));
                    if (!parsed) {
                        QVERIFY(!parsed.error().message.empty());
                        continue;
                    }
                    ++read;
                    (void)lower(parsed->module, options);
                    ran += runs(parsed->module) ? 1 : 0;
                }
        }
        QVERIFY2(read > 500 && ran > 100, qPrintable(QString("%1 read, %2 ran").arg(read).arg(ran)));
    }

    void wrongWishesAreExplained() {
        const auto says = [](FlowOptions options) {
            const auto checked = check(options);
            return checked ? QString() : QString::fromStdString(checked.error().text());
        };
        FlowOptions options;
        options.target = "gpu";
        QVERIFY(says(options).contains("no target \"gpu\"") &&
                says(options).contains("memristor, upmem, auto, paper"));
        options.target = "upmem";
        QVERIFY(says(options).contains("no DPUs are known"));
        options.dpus = TargetCatalog::load().find("aim").value();
        QVERIFY(says(options).contains("aim has no DPUs"));
        options = onDpus();
        options.pins = {{"mm", "tiles"}};
        QVERIFY(says(options).contains("\"tiles\" is no machine for mm"));
    }

    void cancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto flow =
            lower(ir::build(*ir::findBenchmark("mm"), {8, 8, 8}), onDpus(), {stop.get_token(), {}});
        QVERIFY(!flow && flow.error().code == ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestFlow)
#include "tst_backends_cinm_flow.moc"
