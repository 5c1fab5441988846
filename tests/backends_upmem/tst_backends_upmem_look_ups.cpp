// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Sums of look-ups as ops of a network on DPUs: random layers and drafts give on the engine what plain loops give; converted networks
/// are planned, simulated, checked on numbers and written as C like all others.
#include "backends/builtin.h"
#include "backends/upmem/code_check.h"
#include "backends/upmem/execute.h"
#include "backends/upmem/lut/tuner.h"
#include "backends/upmem/upmem.h"
#include "core/compile/compiler.h"
#include "core/drafts/draft_choice.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"
#include "core/plan/number_facet.h"
#include "core/report/bundle.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <random>
#include <set>

using namespace pim;
using namespace pim::upmem;
namespace fs = std::filesystem;

namespace {

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

std::string text(const Error& error) {
    return error.text() + " " + error.hint;
}

struct Layer {
    std::int64_t rows, codebooks, centroids, features;
};

Kernel kernelOf(const Layer& layer, const char* table = "i8", const char* index = "u16") {
    return parseKernel(fmt::format("def look_up(T[{1}][{2}][{3}]: const {4}, I[{0}][{1}]: {5}):\n"
                                   " Y = DCC.Tensor.zero([{0}, {3}], {4})\n"
                                   " for m in range({0}):\n"
                                   "  for n in range({3}):\n"
                                   "   for c in range({1}):\n"
                                   "    Y[m][n] += T[c][I[m][c]][n]\n",
                                   layer.rows, layer.codebooks, layer.centroids, layer.features, table,
                                   index))
        .value();
}

std::shared_ptr<const TilingSpace> spaceOf(const Layer& layer) {
    TilingResources resources;
    resources.groups = 64;
    resources.coresPerGroup = 16;
    resources.looksUp = true;
    return TilingSpace::create(kernelOf(layer), resources).value();
}

/// Rows over DPUs and tasklets, features over DPUs.
Draft draftOf(const TilingSpace& space, int rowDpus, int featureDpus, int tasklets) {
    Draft draft;
    for (const DimensionSet& set : space.sets()) {
        const std::string& loop = space.kernel().loops[std::size_t(set.mappings.front().loop)].name;
        draft.parts.push_back(loop == "m"   ? DraftPart{rowDpus, tasklets, 0}
                              : loop == "n" ? DraftPart{featureDpus, 1, 0}
                                            : DraftPart{1, 1, 0});
    }
    return draft;
}

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = float(random() % 2001) / 1000 - 1;
    return values;
}

} // namespace

#define MUST(result) QVERIFY2(result, (result) ? "" : text((result).error()).c_str())

class TestUpmemLookUps : public QObject {
    Q_OBJECT
    BackendList m_backends = builtinBackends();
    QTemporaryDir m_folder;

    /// Three layers on 24 rows; the one in the middle becomes look-ups.
    Result<std::shared_ptr<const Graph>> network() const {
        test::OnnxBuilder b(13);
        b.input("x", {std::int64_t(24), std::int64_t(16)});
        b.floats("w1", {16, 64}, noise(1024, 1)).floats("w2", {64, 48}, noise(3072, 2));
        b.floats("w3", {48, 8}, noise(384, 3)).floats("b2", {48}, noise(48, 4));
        b.node("MatMul", {"x", "w1"}, {"h1"}, {}, "first");
        b.node("Gemm", {"h1", "w2", "b2"}, {"h2"}, {}, "middle");
        b.node("Relu", {"h2"}, {"r"}, {}, "relu");
        b.node("MatMul", {"r", "w3"}, {"y"}, {}, "last");
        b.output("y");
        const fs::path file = m_folder.filePath("net.onnx").toStdString();
        test::writeFile(file, b.bytes());
        GraphOptions options;
        PIM_CHECK(setPassOption(options, "look_up_tables:v=4"));
        return loadGraph(file, options);
    }
    Result<std::shared_ptr<const Plan>> planned(const char* target, DataType type,
                                                const char* decisions) const {
        PIM_TRY(auto graph, network());
        PIM_TRY(Overrides overrides, Overrides::fromJson(decisions, {}));
        CompileOptions options;
        options.computeType = type;
        return compile(m_backends, {std::move(graph), *TargetCatalog::load().find(target),
                                    std::move(overrides), options});
    }
    static constexpr const char* kAllOnPim = R"({"network": {"placement": "pim"}})";

private slots:
    void randomLayersOnTheEngine() {
        std::minstd_rand random(5);
        const auto number = [&](int least, int most) {
            return least + int(random() >> 4) % (most - least + 1);
        };
        int ran = 0, refused = 0;
        for (int i = 0; i < 40; ++i) {
            const Layer layer{number(1, 70), number(1, 24), number(1, 20), number(1, 60)};
            const auto space = spaceOf(layer);
            const Draft draft =
                draftOf(*space, number(1, 3), number(1, 3), layer.rows == 1 ? 1 : number(1, 8));
            const auto arrangement = Arrangement::of(space, draft, kChip);
            if (!arrangement) { // fewer sums than PIM-DL's constants know
                QVERIFY2(arrangement.error().code == ErrorCode::Unsupported ||
                             arrangement.error().code == ErrorCode::Usage,
                         text(arrangement.error()).c_str());
                ++refused;
                continue;
            }
            KernelNumbers tensors(3);
            std::size_t table = 0;
            for (std::size_t t = 0; t < 3; ++t) {
                const KernelTensor& tensor = space->kernel().tensors[t];
                table = tensor.name == "T" ? t : table;
                if (tensor.role == TensorRole::Output)
                    continue;
                tensors[t].resize(std::size_t(elementCount(tensor.shape).value()));
                for (std::int32_t& value : tensors[t])
                    value = tensor.name == "T" ? number(-127, 127) : number(0, int(layer.centroids) - 1);
            }
            DpuRunLimits limits{std::int64_t(1) << 40, 2, false, true};
            const auto share = runOnDpus(*arrangement, tensors, kChip, limits, {});
            MUST(share);
            QCOMPARE(share->onEngine, share->dpus);
            QCOMPARE(share->different, 0);
            QCOMPARE(share->compared, layer.rows * layer.features);
            // once more, without any of our arrangements
            const auto& indices = tensors[1 - table];
            const auto& result = tensors[std::size_t(arrangement->resultTensor())];
            for (std::int64_t m = 0; m < layer.rows; ++m)
                for (std::int64_t n = 0; n < layer.features; ++n) {
                    std::int32_t sum = 0;
                    for (std::int64_t c = 0; c < layer.codebooks; ++c)
                        sum += tensors[table][std::size_t(
                            (c * layer.centroids + indices[std::size_t(m * layer.codebooks + c)]) *
                                layer.features +
                            n)];
                    QCOMPARE(result[std::size_t(m * layer.features + n)], sum);
                }
            ++ran;
        }
        QVERIFY2(ran >= 25, qPrintable(QString("%1 ran, %2 refused").arg(ran).arg(refused)));
    }

    void whatCannotBe() {
        const auto space = spaceOf({32, 16, 16, 64});
        Draft draft = draftOf(*space, 2, 2, 4);
        for (std::size_t s = 0; s < draft.parts.size(); ++s)
            if (space->kernel().loops[std::size_t(space->sets()[s].mappings.front().loop)].name == "c") {
                draft.parts[s].groups = 2;
                const auto groups = Arrangement::of(space, draft, kChip);
                QVERIFY(!groups &&
                        text(groups.error()).find("codebooks are shared by 2 groups") != std::string::npos);
                draft.parts[s] = {1, 2, 0};
                const auto cores = Arrangement::of(space, draft, kChip);
                QVERIFY(!cores && text(cores.error()).find("rows alone") != std::string::npos);
            }
        QVERIFY(!canRun(kernelOf({32, 16, 16, 64}, "i16")));
        QVERIFY(!canRun(kernelOf({32, 16, 16, 64}, "i8", "i32")));
        const auto outside = TilingSpace::create(kernelOf({32, 16, 16, 64}), {});
        QVERIFY(!outside && text(outside.error()).find("looked up") != std::string::npos);
    }

    /// The price of a tile, counted, and what the engine takes: at most 21 % apart in these four.
    void predictionIsClose() {
        double worst = 1;
        for (const Layer& layer :
             {Layer{64, 96, 16, 96}, Layer{256, 48, 16, 64}, Layer{128, 32, 64, 40}, Layer{48, 192, 8, 32}}) {
            const auto space = spaceOf(layer);
            const auto tile = tileOf(space->kernel(), space->summarize(draftOf(*space, 1, 1, 16)), kChip);
            MUST(tile);
            const double simulated = tile->tile.simulatedCycles(kChip, {}).value();
            worst =
                std::max({worst, simulated / tile->tile.cycles(kChip), tile->tile.cycles(kChip) / simulated});
        }
        QVERIFY2(worst < 1.25, qPrintable(QString::number(worst)));
    }

    void convertedNetwork() {
        const auto plan = planned("upmem-1", DataType::I8, kAllOnPim);
        MUST(plan);
        const OpPlan& sums = (*plan)->opPlan((*plan)->graph->findOp("middle"));
        QVERIFY2(!sums.onHost(), sums.reason.c_str());
        const OpPlan& closest = (*plan)->opPlan((*plan)->graph->findOp("middle/closest"));
        QVERIFY(closest.onHost());
        QVERIFY(closest.cost.totalNs() > 0);
        const Backend& backend = *m_backends.find("upmem").value();
        const auto simulation = backend.simulate(**plan, {});
        MUST(simulation);
        NumberOptions options;
        options.own = {{"engine", "2000"}};
        const auto report = backend.numbers()->checkPlan(**plan, options, {});
        MUST(report);
        QVERIFY2(!report->problem, report->problem ? text(*report->problem).c_str() : "");
        const auto json = nlohmann::json::parse(report->json);
        QCOMPARE(json["ok"].get<bool>(), true);
        bool found = false;
        for (const auto& op : json["ops"])
            if (op["name"] == "middle") {
                found = true;
                QCOMPARE(op["compared"].get<bool>(), true);
                QVERIFY(op["on_engine"].get<int>() > 0);
                QCOMPARE(op["elements"].get<int>(), 24 * 48);
            }
        QVERIFY(found);
        const auto code = checkCode(**plan, {}, {}); // compiled and run; skipped where there is no compiler
        MUST(code);
        QVERIFY2(code->problem.empty(), code->problem.c_str());
        QVERIFY(!code->skipped.empty() || (code->programs == code->different && code->violations == 0));
        CompileOptions compiled;
        compiled.computeType = DataType::I8;
        const fs::path folder = m_folder.filePath("bundle").toStdString();
        MUST(writeBundle(m_backends, **plan, compiled, folder));
        const auto sound = verifyBundle(m_backends, folder);
        MUST(sound);
        QVERIFY2(sound->problems.empty(),
                 sound->problems.empty() ? "" : sound->problems.front().message.c_str());
    }

    /// A mapping of the landscape that the user takes is what is planned, priced, run and written; sums stay the same.
    void mappingsCanBeDecided() {
        const auto plain = planned("upmem-1", DataType::I8, kAllOnPim);
        MUST(plain);
        const Backend& backend = *m_backends.find("upmem").value();
        const LutLayer layer{24, 16, 16, 48, 6, 4};
        const auto splits = landscape(layer);
        MUST(splits);
        std::vector<LutMapping> mappings; // the first and the last of the landscape, and each kind of load
        for (const LutSplitPoints& split : *splits)
            for (const LutPoint& point : split.points)
                if (point.best) {
                    mappings.resize(std::min<std::size_t>(mappings.size(), 1));
                    mappings.push_back({split.split, *point.best});
                }
        QCOMPARE(mappings.size(), std::size_t(2));
        mappings.push_back({{12, 16}, {LutLoopOrder::Nfc, LutLoad::Static, 4, 16, 16, 0, 0}});
        for (std::int64_t codebooks = 1; codebooks <= 16; codebooks *= 2) {
            const LutMapping coarse{{12, 16}, {LutLoopOrder::Cfn, LutLoad::Coarse, 12, 8, 16, 8, codebooks}};
            if (!refusalOf(layer, coarse, LutReading::Strict)) {
                mappings.push_back(coarse);
                break;
            }
        }
        QCOMPARE(mappings.size(), std::size_t(4));
        std::set<double> prices;
        for (const LutMapping& mapping : mappings) {
            const LutChoice choice{mapping, layer.tasklets};
            const std::string value = upmem::text(choice);
            MUST(backend.checkOverride(**plain, {"middle", "lut", value}));
            const std::string decisions = fmt::format(
                R"({{"network": {{"placement": "pim"}}, "ops": {{"middle": {{"lut": "{}"}}}}}})", value);
            const auto plan = planned("upmem-1", DataType::I8, decisions.c_str());
            MUST(plan);
            const OpId id = (*plan)->graph->findOp("middle");
            const OpPlan& op = (*plan)->opPlan(id);
            const DraftSummary summary = op.space->summarize(*op.draft);
            QCOMPARE(std::int64_t(summary.groupsUsed), layer.dpus);
            QCOMPARE(std::int64_t(summary.coresUsed), layer.tasklets);
            const auto tile = tileOf(op.space->kernel(), summary, kChip);
            MUST(tile);
            QVERIFY(tile->tile.lookUps() && tile->tile.lookUps()->mapping == mapping);
            prices.insert(op.cost.computeNs);
            const auto fields = backend.overrideFields(**plan, id);
            const auto field = std::ranges::find(fields, "lut", &OverrideField::field);
            QVERIFY(field != fields.end() && field->overridden && field->current == value);
            NumberOptions options;
            options.own = {{"engine", "2000"}};
            const auto report = backend.numbers()->checkPlan(**plan, options, {});
            MUST(report);
            QVERIFY2(!report->problem, report->problem ? text(*report->problem).c_str() : "");
        }
        QVERIFY2(prices.size() >= 3, qPrintable(QString::number(prices.size())));
    }

    void mappingsAsText() {
        const auto splits = landscape({256, 48, 16, 64, 16, 16});
        MUST(splits);
        int count = 0;
        for (const LutSplitPoints& split : *splits)
            for (const LutPoint& point : split.points)
                if (point.best) {
                    const LutChoice choice{{split.split, *point.best}, 16};
                    const auto read = parseLutChoice(upmem::text(choice));
                    MUST(read);
                    QVERIFY(*read == choice);
                    ++count;
                }
        QVERIFY(count > 20);
        for (const char* const wrong :
             {"", "fast", "64x96/16x24x8/nfc/coarse-8x16", "64x96/16x24x8/nfc/coarse-8/16",
              "64x96/16x24x8/0/static/16", "64x96/16x24x8/nfc/static-8/16", "64x96/16x24/nfc/static/16",
              "64x96/16x24x8/nfc/static/25", "64x096/16x24x8/nfc/static/16", "64x96/16x24x8/nfc/static/16/",
              "0x96/16x24x8/nfc/static/16"}) {
            const auto read = parseLutChoice(wrong);
            QVERIFY2(!read && read.error().code == ErrorCode::IllegalOverride, wrong);
        }
    }

    void saysWhatMappingCannotBe_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* op, const char* field, const char* value,
                            const char* message) { QTest::newRow(name) << op << field << value << message; };
        row("no text of one", "middle", "lut", "fast", "\"fast\" is no mapping of look-ups");
        row("rows", "middle", "lut", "7x48/7x48x16/nfc/static/1", "n_stile = 7 does not divide N = 24");
        row("features", "middle", "lut", "24x96/24x48x16/nfc/static/4",
            "f_stile = 96 does not divide F = 48");
        row("tasklets", "middle", "lut", "24x48/24x48x16/nfc/static/16",
            "n_mtile = 24 rows cannot be dealt out evenly to 16 tasklets");
        row("machine", "middle", "lut", "1x8/1x8x16/nfc/fine-8/1",
            "it takes 144 DPUs and 1 tasklets; the machine has 128 and");
        row("a product", "first", "lut", "24x48/8x48x16/nfc/fine-8/4", "it looks nothing up in tables");
        row("blocks of a product", "middle", "dma", "64", "it looks up in tables; their mapping says");
        row("other DPUs", "decided", "lut", "12x24/4x24x16/nfc/fine-8/4",
            "it takes 4 DPUs and 4 tasklets, but other numbers are decided");
    }
    void saysWhatMappingCannotBe() {
        QFETCH(QString, op);
        QFETCH(QString, field);
        QFETCH(QString, value);
        QFETCH(QString, message);
        const bool isDecided = op == QLatin1String("decided");
        const auto plan = planned(
            "upmem-1", DataType::I8,
            isDecided ? R"({"network": {"placement": "pim"}, "ops": {"middle": {"dpus": 3}}})" : kAllOnPim);
        MUST(plan);
        const std::string name = isDecided ? "middle" : op.toStdString();
        const auto verdict = m_backends.find("upmem").value()->checkOverride(
            **plan, {name, field.toStdString(), value.toStdString()});
        QVERIFY(!verdict && verdict.error().code == ErrorCode::IllegalOverride);
        QCOMPARE(verdict.error().where, name + "/" + field.toStdString());
        QVERIFY2(QString::fromStdString(verdict.error().message).contains(message),
                 verdict.error().text().c_str());
    }

    /// DRAM-PIM whose units follow no index says so, and the host does it.
    void elsewhere() {
        for (const char* const target : {"hbm-pim", "aim", "attacc"}) {
            const auto plan = planned(target, DataType::F16, "{}");
            MUST(plan);
            const OpPlan& sums = (*plan)->opPlan((*plan)->graph->findOp("middle"));
            QVERIFY2(sums.onHost(), target);
            QVERIFY2(sums.reason.find("looked up") != std::string::npos, sums.reason.c_str());
        }
    }

    /// Chips with a digital unit beside their arrays plan it; the rest of the network stays on the arrays.
    void chipsPlanIt() {
        for (const char* const target : {"isaac", "dynaplasia"}) {
            const auto plan = planned(target, DataType::F16, "{}");
            MUST(plan);
            QVERIFY2(!(*plan)->opPlan((*plan)->graph->findOp("middle")).reason.empty(), target);
            QVERIFY2(!(*plan)->opPlan((*plan)->graph->findOp("first")).onHost(), target);
        }
    }

    /// The search of all drafts finds at least what PIM-DL's tuner finds, by the same price.
    void asGoodAsTheTuner() {
        const Layer layer{512, 192, 16, 768};
        const auto target = *TargetCatalog::load().find("upmem-pimdl");
        const Machine machine = machineOf(*target);
        const auto tuned =
            tune({layer.rows, layer.codebooks, layer.centroids, layer.features, machine.dpus, 16});
        MUST(tuned);
        QVERIFY(tuned->mapping);
        const auto& backend = dynamic_cast<const UpmemBackend&>(*m_backends.find("upmem").value());
        CompileOptions options;
        options.computeType = DataType::I8;
        PlanCache cache;
        const auto choice = backend.choose(kernelOf(layer), *target, options, &cache, {});
        MUST(choice);
        const auto study = backend.study(kernelOf(layer), target, options);
        MUST(study);
        const Draft theirs = draftOf(*study->space, int(layer.rows / tuned->mapping->split.rows),
                                     int(layer.features / tuned->mapping->split.features), 16);
        const KernelPrice price = study->pricer->price(theirs, study->space->summarize(theirs));
        QVERIFY2(choice->price.totalNs() <= 1.001 * price.totalNs(),
                 qPrintable(QString("%1 and %2 ns").arg(choice->price.totalNs()).arg(price.totalNs())));
    }
};

QTEST_GUILESS_MAIN(TestUpmemLookUps)
#include "tst_backends_upmem_look_ups.moc"
