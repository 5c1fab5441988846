// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the user decides about ops on DPUs: what is offered can be had and is what the plan then has, it changes price,
/// simulation and code but no result, and what cannot be had says why.
#include "backends/builtin.h"
#include "backends/upmem/op_code.h"
#include "backends/upmem/tasklet/c_code.h"
#include "backends/upmem/upmem.h"
#include "core/base/paths.h"
#include "core/compile/override_fit.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/plan/draft_facet.h"
#include "core/plan/number_facet.h"
#include "core/project/project.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pim;
using namespace pim::upmem;

namespace {

const std::string kProduct = "/layers.0/mlp/fc1/MatMul";

const OverrideField* fieldOf(const std::vector<OverrideField>& fields, std::string_view name) {
    const auto found = std::ranges::find(fields, name, &OverrideField::field);
    return found == fields.end() ? nullptr : &*found;
}

/// The set of the 512 outputs of kProduct.
std::size_t outputSet(const TilingSpace& space) {
    for (std::size_t set = 0; set < space.sets().size(); ++set)
        if (space.kernel().loops[std::size_t(space.sets()[set].loops.front())].extent == 512)
            return set;
    return 0;
}

} // namespace

class TestUpmemDecide : public QObject {
    Q_OBJECT
    const BackendList m_backends = builtinBackends();
    const Backend& m_upmem = **m_backends.find("upmem");
    std::shared_ptr<const Graph> m_graph;
    std::shared_ptr<const Target> m_target;
    PlanCache m_cache;

    /// All on DPUs but for what is decided.
    Result<std::shared_ptr<const Plan>> planned(const std::vector<Override>& decisions,
                                                DataType type = DataType::I8, int verify = 0) {
        PlanRequest request{m_graph, m_target, {}, {}};
        request.overrides.set({"", "placement", "pim"});
        for (const Override& decision : decisions)
            request.overrides.set(decision);
        request.options.computeType = type;
        request.options.verifyDrafts = verify;
        return compile(m_backends, request, &m_cache);
    }
    std::vector<OverrideField> fieldsOf(const Plan& plan, const std::string& op) const {
        return m_upmem.overrideFields(plan, plan.graph->findOp(op));
    }
    std::string codeOf(const Plan& plan, const std::string& op) const {
        const auto program = opProgram(plan, plan.graph->findOp(op));
        if (!program)
            return program.error().text();
        const Tile& tile = program->tile.tile;
        const auto c = cCode(tile.code(), tile.sizes(), tile.shape().tasklets(), program->origin);
        return c ? c->text : c.error().text();
    }
    double computeNs(const Plan& plan, const std::string& op) const {
        const auto simulation = m_upmem.simulate(plan, {});
        return simulation ? (*simulation)->ops[plan.graph->findOp(op).index()].cost.computeNs : -1;
    }

private slots:
    void initTestCase() {
        m_graph =
            loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"batch", 24}, {"past", 7}}})
                .value();
        m_target = *TargetCatalog::load().find("upmem-1");
    }

    void offersWhatTheDraftHas() {
        const auto plan = planned({});
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const auto fields = fieldsOf(**plan, kProduct);
        const auto program = opProgram(**plan, m_graph->findOp(kProduct));
        QVERIFY(program);
        const TileBlocks& blocks = program->tile.tile.blocks();
        const auto has = [&](const char* name, std::int64_t value) {
            const OverrideField* const field = fieldOf(fields, name);
            return field && !field->overridden && field->current == std::to_string(value) &&
                   std::ranges::find(field->values, field->current, &LegalValue::value) !=
                       field->values.end();
        };
        QVERIFY(has("dpus", program->host.dpus));
        QVERIFY(has("tasklets", program->tile.tile.shape().tasklets()));
        QVERIFY(has("vectors", blocks.vectors));
        QVERIFY(has("rows", blocks.rows));
        QVERIFY(has("chunk", blocks.chunk));
        QVERIFY(has("dma", blocks.pieceRows * blocks.chunk));
        QVERIFY(fieldOf(fields, "order") && fieldOf(fields, "order")->values.size() == 4);
        // Element by element there is one order, and nothing is held.
        for (const Op& op : m_graph->ops)
            if (op.type == "Add" && (*plan)->opPlan(m_graph->findOp(op.name)).draft) {
                const auto ofAdd = fieldsOf(**plan, op.name);
                QVERIFY(fieldOf(ofAdd, "dma") && fieldOf(ofAdd, "tasklets") && !fieldOf(ofAdd, "order") &&
                        !fieldOf(ofAdd, "vectors"));
                return;
            }
        QFAIL("the network has additions");
    }

    void whatIsOfferedCanBeHad_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<int>("type");
        QTest::newRow("product") << QString::fromStdString(kProduct) << int(DataType::I8);
        QTest::newRow("product of i16") << "/layers.1/mlp/fc2/MatMul" << int(DataType::I16);
        QTest::newRow("sum of two") << "Add" << int(DataType::I8);
    }
    void whatIsOfferedCanBeHad() {
        QFETCH(QString, op);
        QFETCH(int, type);
        const auto plan = planned({}, DataType(type));
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        std::string name = op.toStdString();
        if (op == "Add")
            name = std::ranges::find_if(m_graph->ops, [&](const Op& each) {
                       return each.type == "Add" && (*plan)->opPlan(m_graph->findOp(each.name)).draft;
                   })->name;
        int legal = 0, illegal = 0;
        for (const OverrideField& field : fieldsOf(**plan, name))
            for (const LegalValue& value : field.values) {
                if (field.field == "placement" || field.field == "dtype" ||
                    field.field.starts_with("residency"))
                    continue;
                const auto changed = planned({{name, field.field, value.value}}, DataType(type));
                const std::string what = field.field + " = " + value.value + ": ";
                if (!value.legal) {
                    ++illegal;
                    QVERIFY2(!changed && changed.error().code == ErrorCode::IllegalOverride &&
                                 changed.error().where == name + "/" + field.field,
                             (what + (changed ? "compiles" : changed.error().text())).c_str());
                    QVERIFY2(value.reason.size() > 20 &&
                                 value.reason.find_first_of("0123456789") != std::string::npos,
                             (what + value.reason).c_str());
                    continue;
                }
                ++legal;
                QVERIFY2(changed, (what + (changed ? "" : changed.error().text())).c_str());
                const auto now = fieldsOf(**changed, name);
                QVERIFY2(fieldOf(now, field.field) && fieldOf(now, field.field)->overridden &&
                             fieldOf(now, field.field)->current == value.value,
                         (what + (fieldOf(now, field.field) ? fieldOf(now, field.field)->current : "gone"))
                             .c_str());
            }
        QVERIFY2(legal >= 20 && illegal >= 2, qPrintable(QStringLiteral("%1, %2").arg(legal).arg(illegal)));
    }

    /// Plan, prediction, simulation, program text and C code follow.
    void everythingFollows_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::newRow("DPUs") << "dpus"
                              << "2";
        QTest::newRow("tasklets") << "tasklets"
                                  << "2";
        QTest::newRow("order") << "order"
                               << "other";
        QTest::newRow("vectors") << "vectors"
                                 << "1";
        QTest::newRow("chunk") << "chunk"
                               << "16";
        QTest::newRow("DMA") << "dma"
                             << "16";
    }
    void everythingFollows() {
        QFETCH(QString, field);
        QFETCH(QString, value);
        // So that there is enough on every DPU to be cut otherwise.
        const Override few{kProduct, "dpus", "8"};
        const auto before = planned({few});
        QVERIFY2(before, before ? "" : before.error().text().c_str());
        Override decision{kProduct, field.toStdString(), value.toStdString()};
        if (value == "other") {
            const auto fields = fieldsOf(**before, kProduct);
            const OverrideField& order = *fieldOf(fields, "order");
            for (const LegalValue& each : order.values)
                if (each.legal && each.value != order.current)
                    decision.value = each.value;
        }
        const auto after = planned({few, decision});
        QVERIFY2(after, after ? "" : after.error().text().c_str());
        const OpId id = m_graph->findOp(kProduct);
        const OpPlan &was = (*before)->opPlan(id), &is = (*after)->opPlan(id);
        QVERIFY(was.space->draftText(*was.draft) != is.space->draftText(*is.draft));
        QVERIFY(was.cost.computeNs != is.cost.computeNs);
        const double simulatedBefore = computeNs(**before, kProduct),
                     simulated = computeNs(**after, kProduct);
        QVERIFY2(simulatedBefore > 0 && simulated > 0 && simulated != simulatedBefore,
                 qPrintable(QStringLiteral("%1, %2").arg(simulatedBefore).arg(simulated)));
        const double ratio = is.cost.computeNs / simulated;
        QVERIFY2(ratio > 0.6 && ratio < 1.4, qPrintable(QString::number(ratio)));
        QVERIFY(codeOf(**before, kProduct) != codeOf(**after, kProduct));
        const auto programs = m_upmem.lower(**before, id, {}), changed = m_upmem.lower(**after, id, {});
        QVERIFY(programs && changed && programs->front().text != changed->front().text);
        // Another op of the same kernel stays as it was.
        const OpId other = m_graph->findOp("/layers.1/mlp/fc1/MatMul");
        QCOMPARE(computeNs(**after, "/layers.1/mlp/fc1/MatMul"),
                 computeNs(**before, "/layers.1/mlp/fc1/MatMul"));
        QVERIFY((*after)->opPlan(other).draft == (*planned({}))->opPlan(other).draft);
    }

    /// With decisions the search, which simulates, is overruled as well, and says how it came to its price.
    void overrulesASearchThatSimulates() {
        Target slowHost = *m_target; // else PIM is hopeless and nothing is simulated
        slowHost.host.memoryBytesPerNs /= 1000;
        slowHost.hash = "slow host";
        PlanRequest request{m_graph, std::make_shared<const Target>(slowHost), {}, {}};
        request.overrides.set({kProduct, "placement", "pim"});
        request.overrides.set({kProduct, "tasklets", "3"});
        request.options.computeType = DataType::I8;
        request.options.verifyDrafts = 4;
        const auto plan = compile(m_backends, request);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const OpPlan& op = (*plan)->opPlan(m_graph->findOp(kProduct));
        QCOMPARE(op.space->summarize(*op.draft).coresUsed, 3);
        QCOMPARE(op.origin, Origin::Simulated);
        QVERIFY(!op.draftCheck);
    }

    void takesTheFastestDraftOfSoManyDpus() {
        const auto plan = planned({{kProduct, "dpus", "16"}, {kProduct, "tasklets", "8"}});
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const OpPlan& op = (*plan)->opPlan(m_graph->findOp(kProduct));
        const TilingSpace& space = *op.space;
        const DraftSummary summary = space.summarize(*op.draft);
        QCOMPARE(summary.groupsUsed, 16);
        QCOMPARE(summary.coresUsed, 8);
        // Every split of 16 and 8 over two sets, the user's own: none is cheaper.
        int tried = 0;
        for (int g = 1; g <= 16; g *= 2)
            for (int c = 1; c <= 8; c *= 2) {
                Draft draft{std::vector<DraftPart>(space.sets().size())};
                draft.parts.front().groups = g;
                draft.parts.front().cores = c;
                draft.parts[1].groups = 16 / g;
                draft.parts[1].cores = 8 / c;
                const auto given = planned({{kProduct, "draft", space.draftText(draft)}});
                if (!given)
                    continue;
                const OpPlan& other = (*given)->opPlan(m_graph->findOp(kProduct));
                const DraftSummary used = space.summarize(draft);
                if (used.groupsUsed != 16 || used.coresUsed != 8)
                    continue;
                ++tried;
                QVERIFY2(op.cost.totalNs() <= other.cost.totalNs() * (1 + 1e-9),
                         space.draftText(draft).c_str());
            }
        QVERIFY2(tried >= 4, qPrintable(QString::number(tried)));
    }

    void resultsStayTheSame() {
        std::vector<Override> decisions;
        for (const char* const op : {"/layers.0/mlp/fc1/MatMul", "/layers.1/mlp/fc2/MatMul"}) {
            decisions.push_back({op, "dpus", "4"});
            decisions.push_back({op, "tasklets", "6"});
            decisions.push_back({op, "order", op == kProduct ? "reread-X" : "hold-W"});
            decisions.push_back({op, "chunk", "32"});
            decisions.push_back({op, "dma", "64"});
            decisions.push_back({op, "vectors", "2"});
        }
        for (const Op& op : m_graph->ops)
            if (op.type == "Add") {
                decisions.push_back({op.name, "dma", "16"});
                decisions.push_back({op.name, "tasklets", "3"});
            }
        const auto plan = planned(decisions);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const auto report = m_upmem.numbers()->checkPlan(**plan, {.seed = 3}, {});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QVERIFY2(!report->problem, report->problem ? report->problem->text().c_str() : "");
    }

    void saysWhatCannotBe_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* first, const char* field, const char* value,
                            const char* message) {
            QTest::newRow(name) << first << field << value << message;
        };
        row("more DPUs", "", "dpus", "3000", "dpus = 3000; the machine has 1 to 128");
        row("no number", "", "dpus", "many", "dpus = \"many\"; allowed are whole numbers from 1");
        row("no such cut", "", "dpus", "127",
            "no cut of its loops gives work to exactly 127 DPUs; 126 and 128 can be had");
        row("25 tasklets", "", "tasklets", "25", "25 tasklets; a DPU has 1 to 24");
        row("DMA of 12 B", "", "dma", "12",
            "a DMA of 12 B; a DPU moves 8 to 2048 B at once, in multiples of 8 B");
        row("DMA of 4 KB", "", "dma", "4096", "a DMA of 4096 B; a DPU moves 8 to 2048 B");
        row("order of nothing", "", "order", "hold-Y", "allowed: hold-X, reread-X, hold-W, reread-W");
        row("chunk of 12", "", "chunk", "12", "chunks of 12 elements; allowed are multiples of 8 up to");
        row("WRAM", "dpus=1,tasklets=1,order=hold-W", "vectors", "512",
            "512 vectors take 65536 B of WRAM, a DMA");
        row("sums of a DMA", "dpus=1,tasklets=1,order=hold-X,vectors=2", "rows", "512",
            "B; they are written in one DMA of at most 2048 B");
        row("DMA of part of a chunk", "chunk=64", "dma", "96", "a DMA of 96 B moves no whole chunks of 64 B");
        row("unknown", "", "colour", "red",
            "fields: draft, dtype, placement, residency/TENSOR, dpus, tasklets");
    }
    void saysWhatCannotBe() {
        QFETCH(QString, first);
        QFETCH(QString, field);
        QFETCH(QString, value);
        QFETCH(QString, message);
        std::vector<Override> decisions;
        for (const QString& each : first.split(',', Qt::SkipEmptyParts))
            decisions.push_back(
                {kProduct, each.section('=', 0, 0).toStdString(), each.section('=', 1).toStdString()});
        const auto plan = planned(decisions);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const Override decision{kProduct, field.toStdString(), value.toStdString()};
        const auto verdict = m_upmem.checkOverride(**plan, decision);
        QVERIFY(!verdict && verdict.error().code == ErrorCode::IllegalOverride);
        QCOMPARE(verdict.error().where, kProduct + "/" + field.toStdString());
        QVERIFY2(QString::fromStdString(verdict.error().message).contains(message),
                 verdict.error().text().c_str());
        decisions.push_back(decision);
        const auto compiled = planned(decisions);
        QVERIFY(!compiled && compiled.error().code == ErrorCode::IllegalOverride);
    }

    /// The WRAM is that of all tasklets together: what one has room for, sixteen have not.
    void taskletsShareTheWram() {
        const TilingSpace& space = *(*planned({}))->opPlan(m_graph->findOp(kProduct)).space;
        for (const int tasklets : {1, 16}) {
            Draft draft{std::vector<DraftPart>(space.sets().size())};
            draft.parts[outputSet(space)].cores = tasklets;
            const auto plan =
                planned({{kProduct, "draft", space.draftText(draft)}, {kProduct, "order", "hold-X"}});
            QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
            const auto held = m_upmem.checkOverride(**plan, {kProduct, "vectors", "24"});
            QCOMPARE(held.has_value(), tasklets == 1);
            if (!held)
                QVERIFY2(held.error().message.starts_with("24 vectors take 3072 B of WRAM, a DMA ") &&
                             held.error().message.ends_with("where 16 tasklets leave 3024 B to each"),
                         held.error().text().c_str());
            const auto other = m_upmem.checkOverride(**plan, {kProduct, "tasklets", "8"});
            QVERIFY(!other && other.error().message.find("the draft that you decided") != std::string::npos);
        }
    }

    void mramIsChecked() {
        PlanRequest request{loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx",
                                      {.bindings = {{"batch", 200'000}, {"past", 7}}})
                                .value(),
                            m_target,
                            {},
                            {}};
        request.options.computeType = DataType::I8;
        request.options.verifyDrafts = 0;
        const auto plan = compile(m_backends, request, &m_cache);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const auto refused = m_upmem.checkOverride(**plan, {kProduct, "dpus", "1"});
        QVERIFY(!refused && refused.error().where == kProduct + "/dpus");
        QVERIFY2(refused.error().message.starts_with("with 1 DPU, tensors take at least 128") &&
                     refused.error().message.ends_with(" B of the MRAM of each, which has 67108864 B"),
                 refused.error().text().c_str());
        QVERIFY(m_upmem.checkOverride(**plan, {kProduct, "dpus", "64"}));
    }

    /// Drafts that are looked at are those under the decisions about the tile.
    void exploredAsDecided() {
        PlanRequest request{m_graph, m_target, {}, {}};
        request.options.computeType = DataType::I8;
        const OpId op = m_graph->findOp(kProduct);
        const auto plain = m_upmem.drafts()->explore(request, op, {});
        request.overrides.set({kProduct, "dma", "16"});
        const auto decided = m_upmem.drafts()->explore(request, op, {});
        QVERIFY(plain && decided);
        QCOMPARE((*decided)->drafts.size(), (*plain)->drafts.size());
        for (const Draft& draft : (*decided)->drafts)
            QCOMPARE(draft.code, std::string("dma=16"));
        QVERIFY((*decided)->costs.front().totalNs() > (*plain)->costs.front().totalNs());
    }

    /// A decision that other decisions or another machine leave no room for is stale, and comes back.
    void comesBackWhenItFitsAgain() {
        MarkedOverrides decisions;
        decisions.overrides.set({"", "placement", "pim"});
        decisions.overrides.set({kProduct, "dpus", "128"});
        decisions.overrides.set({kProduct, "dma", "64"});
        decisions.marks = marksOf(*m_graph, decisions.overrides);
        PlanRequest request{m_graph, m_target, {}, {}};
        request.options.computeType = DataType::I8;
        request.options.verifyDrafts = 0;
        Target small = *m_target;
        small.levels[1].count /= 2;
        small.hash = "half of it";
        for (const bool whole : {true, false, true}) {
            request.target = whole ? m_target : std::make_shared<const Target>(small);
            const auto fitted = compileFitting(m_backends, request, decisions);
            QVERIFY2(fitted, fitted ? "" : fitted.error().text().c_str());
            QCOMPARE(fitted->fit.count(Fit::Stale), whole ? 0 : 1);
            QVERIFY(fitted->fit.find(kProduct, "dma"));
            if (!whole)
                QVERIFY(!fitted->fit.find(kProduct, "dpus"));
        }
    }

    void survivesInAProject() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("decided.pimproj").toStdString();
        const std::vector<Override> decisions{{kProduct, "dpus", "8"},
                                              {kProduct, "tasklets", "12"},
                                              {kProduct, "dma", "128"},
                                              {kProduct, "chunk", "64"},
                                              {kProduct, "order", "hold-X"}};
        const auto plan = planned(decisions);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        {
            const auto project = Project::open(file);
            QVERIFY2(project, project ? "" : project.error().text().c_str());
            QVERIFY((*project)->saveVariant("main", (*plan)->overrides));
        }
        const auto project = Project::open(file);
        QVERIFY(project);
        const auto main = (*project)->variant("main");
        QVERIFY(main && main->overrides == (*plan)->overrides);
        const auto again = planned(main->overrides.all());
        QVERIFY(again);
        QCOMPARE((*again)->total.totalNs(), (*plan)->total.totalNs());
        QCOMPARE(codeOf(**again, kProduct), codeOf(**plan, kProduct));
    }
};

QTEST_GUILESS_MAIN(TestUpmemDecide)
#include "tst_backends_upmem_decide.moc"
