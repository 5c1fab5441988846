// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What every backend promises about decisions: a value it lists as legal is let pass and planned, one it
/// lists as illegal is refused for the reason listed, by every door. Random ops and values with fixed seeds,
/// on targets of each kind.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/drafts/core_memory.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"
#include "core/plan/command_facet.h"
#include "core/plan/legal_values.h"

#include <QTemporaryDir>

#include <random>

using namespace pim;

namespace {

CompileOptions quick() {
    CompileOptions options;
    options.tiling.walkLimit = 300;
    return options;
}

/// A network, a target, and the plan without any decision.
struct Bench {
    Bench(std::shared_ptr<const Graph> graph, const std::string& target) {
        const auto found = TargetCatalog::load().find(target);
        if (!found)
            qFatal("%s", found.error().text().c_str());
        request = {std::move(graph), *found, {}, quick()};
        backend = *backends.find(request.target->backend);
        plan = compiled({});
    }
    Result<std::shared_ptr<const Plan>> with(std::initializer_list<Override> decisions) {
        PlanRequest wanted = request;
        for (const Override& decision : decisions)
            wanted.overrides.set(decision);
        return compile(backends, wanted, &cache);
    }
    std::shared_ptr<const Plan> compiled(std::initializer_list<Override> decisions) {
        auto made = with(decisions);
        if (!made)
            qFatal("%s", made.error().text().c_str());
        return *made;
    }
    BackendList backends = builtinBackends();
    PlanRequest request;
    PlanCache cache;
    const Backend* backend = nullptr;
    std::shared_ptr<const Plan> plan;
};

/// The value in force of a field of an op in a plan; "" if there is no such field.
std::string inForce(const Bench& bench, const Plan& plan, OpId op, const std::string& field) {
    for (const OverrideField& shown : bench.backend->overrideFields(plan, op))
        if (shown.field == field)
            return shown.current;
    return {};
}

std::string words(const Override& decision) {
    return decision.op + "/" + decision.field + " = " + decision.value;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class TestLegality : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        const std::string file = m_folder.filePath("tiny.onnx").toStdString();
        QVERIFY(writeZooModel("tiny-gpt", file).has_value());
        auto graph = loadGraph(file, {.bindings = {{"batch", 1}, {"past", 48}}, .disabledPasses = {}});
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        m_graph = *graph;
    }

    void whatIsListedIsWhatHappens_data() { eachTarget(); }
    void whatIsListedIsWhatHappens() {
        QFETCH(QString, target);
        Bench bench(m_graph, target.toStdString());
        std::mt19937 random(7);
        int legal = 0, illegal = 0;
        for (int pick = 0; pick < 25; ++pick) {
            // The first pick is the network as a whole.
            const OpId op =
                pick == 0 ? OpId() : OpId(static_cast<std::int64_t>(random() % m_graph->ops.size()));
            const std::string name = op.valid() ? m_graph->op(op).name : std::string();
            const auto fields = bench.backend->overrideFields(*bench.plan, op);
            QVERIFY2(!fields.empty(), name.c_str());
            for (const OverrideField& field : fields) {
                QVERIFY(!field.label.empty() && !field.overridden);
                for (int sample = 0; sample < 4 && !field.values.empty(); ++sample) {
                    const LegalValue& value = field.values[random() % field.values.size()];
                    const Override decision{name, field.field, value.value};
                    const auto checked = bench.backend->checkOverride(*bench.plan, decision);
                    const auto planned = bench.with({decision});
                    QCOMPARE(checked.has_value(), value.legal);
                    if (value.legal) {
                        ++legal;
                        QVERIFY2(planned.has_value(),
                                 planned ? "" : (words(decision) + ": " + planned.error().text()).c_str());
                        if (op.valid())
                            QVERIFY2(inForce(bench, **planned, op, field.field) == value.value,
                                     words(decision).c_str());
                    } else {
                        ++illegal;
                        QVERIFY2(!value.reason.empty() && contains(checked.error().message, value.reason),
                                 words(decision).c_str());
                        QVERIFY2(!planned && planned.error().code == ErrorCode::IllegalOverride,
                                 words(decision).c_str());
                        QVERIFY2(
                            contains(planned.error().message, value.reason),
                            (words(decision) + ": " + planned.error().text() + " / " + value.reason).c_str());
                    }
                }
            }
        }
        QVERIFY(legal > 10);
        QVERIFY2(illegal > 0, "no refusal was seen");
    }

    void everyPartOfADraftCanBeWhatIsListed_data() { eachTarget(true); }
    void everyPartOfADraftCanBeWhatIsListed() {
        QFETCH(QString, target);
        Bench bench(m_graph, target.toStdString());
        std::mt19937 random(11);
        int legal = 0, illegal = 0, passedOver = 0;
        for (int pick = 0; pick < 30; ++pick) {
            const OpPlan& op = bench.plan->ops[random() % bench.plan->ops.size()];
            if (!op.space || !op.draft)
                continue;
            const auto set = static_cast<int>(random() % op.space->sets().size());
            const SplitLevel level = random() % 2 ? SplitLevel::Groups : SplitLevel::Cores;
            const auto values =
                splitValues(*bench.backend, *bench.plan, {op.op, set, level}, *op.draft, quick().tiling);
            const TilingResources& machine = op.space->resources();
            QCOMPARE(std::ssize(values),
                     static_cast<std::ptrdiff_t>(level == SplitLevel::Groups ? machine.groups
                                                                             : machine.coresPerGroup));
            for (const SplitValue& value : values) {
                Draft changed = *op.draft;
                (level == SplitLevel::Groups ? changed.parts[static_cast<std::size_t>(set)].groups
                                             : changed.parts[static_cast<std::size_t>(set)].cores) =
                    value.count;
                const Override decision{m_graph->op(op.op).name, "draft", op.space->draftText(changed)};
                const auto checked = bench.backend->checkOverride(*bench.plan, decision);
                QVERIFY2(checked.has_value() == value.legal, words(decision).c_str());
                const bool plans = random() % 8 == 0;
                if (value.legal) {
                    ++legal;
                    passedOver += value.rule != PruneRule::Kept;
                    QCOMPARE(value.rule == PruneRule::Kept, value.reason.empty());
                    if (plans) {
                        const auto planned = bench.with({decision});
                        QVERIFY2(planned.has_value(), planned ? "" : planned.error().text().c_str());
                        QVERIFY((*planned)->opPlan(op.op).draft == changed);
                    }
                } else {
                    ++illegal;
                    QVERIFY(!value.reason.empty() &&
                            std::any_of(value.reason.begin(), value.reason.end(),
                                        [](char c) { return c >= '0' && c <= '9'; }));
                    if (plans) {
                        const auto planned = bench.with({decision});
                        QVERIFY2(!planned && planned.error().code == ErrorCode::IllegalOverride,
                                 words(decision).c_str());
                    }
                }
            }
            // Nothing above what the machine has, nothing below one; both name the nearest that is possible.
            for (const int count : {0, machine.groups + 1}) {
                Draft changed = *op.draft;
                for (DraftPart& part : changed.parts)
                    part.groups = part.cores = 1;
                changed.parts.front().groups = count;
                const auto refused = bench.backend->checkOverride(
                    *bench.plan, {m_graph->op(op.op).name, "draft", op.space->draftText(changed)});
                QVERIFY(!refused);
                QVERIFY2(contains(refused.error().hint, std::to_string(count == 0 ? 1 : machine.groups)),
                         refused.error().text().c_str());
            }
        }
        qInfo("%d legal, %d of them passed over by the search, %d illegal", legal, passedOver, illegal);
        QVERIFY(legal > 0 && illegal > 0);
    }

    void refusesADraftThatACoreHasNoRoomFor() {
        auto target = std::make_shared<Target>(**TargetCatalog::load().find("attacc"));
        for (Memory& memory : target->levels.back().memories)
            if (memory.name == "bank")
                memory.bytes = 16 * 1024;
        target->hash += " with small banks"; // searches are remembered by it
        Bench bench(m_graph, "attacc");
        bench.request.target = target;
        bench.plan = bench.compiled({});
        int refused = 0;
        for (const OpPlan& op : bench.plan->ops) {
            if (!op.space || !op.draft)
                continue;
            Draft alone = *op.draft; // all of it on one core
            for (DraftPart& part : alone.parts)
                part.groups = part.cores = 1;
            const Override decision{m_graph->op(op.op).name, "draft", op.space->draftText(alone)};
            const auto checked = bench.backend->checkOverride(*bench.plan, decision);
            const auto planned = bench.with({decision});
            QVERIFY2(
                checked.has_value() == planned.has_value(),
                (words(decision) + ": " +
                 (planned ? checked : Result<void>(tl::unexpected<Error>(planned.error()))).error().text())
                    .c_str());
            if (checked)
                continue;
            QVERIFY2(contains(checked.error().message, "KiB of a core, which has 16.00 KiB") ||
                         contains(checked.error().message, "no commands"),
                     checked.error().text().c_str());
            QCOMPARE(planned.error().message, checked.error().message);
            refused += contains(checked.error().message, "16.00 KiB");
        }
        QVERIFY(refused > 0);
    }

    void opsPlacedByHandAreHeldAgainstTheMemoryThereIs() {
        Bench bench(m_graph, "attacc");
        // Room for one op that keeps weights, not for two.
        const std::shared_ptr<const Plan> before = bench.plan;
        std::vector<const OpPlan*> keeping;
        for (const OpPlan& op : before->ops)
            if (op.space && op.keptCoreBytes > 0)
                keeping.push_back(&op);
        QVERIFY(keeping.size() >= 2);
        CoreFill both;
        both.add(*keeping[0]);
        both.add(*keeping[1]);
        QVERIFY(both.kept() == keeping[0]->keptCoreBytes + keeping[1]->keptCoreBytes);
        auto target = std::make_shared<Target>(*bench.request.target);
        for (Memory& memory : target->levels.back().memories)
            if (memory.name == "bank")
                memory.bytes = both.bytes() - 1;
        target->hash += " with small banks";
        bench.request.target = target;
        const Override first{m_graph->op(keeping[0]->op).name, "placement", "pim"},
            second{m_graph->op(keeping[1]->op).name, "placement", "pim"};
        bench.plan = bench.compiled({first});
        QCOMPARE(bench.plan->coreBytes, both.bytes() - 1);
        const auto refused = bench.backend->checkOverride(*bench.plan, second);
        QVERIFY(!refused);
        QVERIFY2(contains(refused.error().message, "the ops you placed on PIM need"),
                 refused.error().text().c_str());
        const auto planned = bench.with({first, second});
        QVERIFY(!planned);
        QCOMPARE(planned.error().message, refused.error().message);
        for (const OverrideField& field : bench.backend->overrideFields(*bench.plan, keeping[1]->op))
            if (field.field == "placement")
                for (const LegalValue& value : field.values)
                    QCOMPARE(value.legal, value.value == "host");
    }

    void memoryOfACoreAgreesWithTheLayout_data() { eachTarget(true); }
    void memoryOfACoreAgreesWithTheLayout() {
        QFETCH(QString, target);
        Bench bench(m_graph, target.toStdString());
        for (const OpPlan& op : bench.plan->ops)
            if (op.space && op.pimCost)
                bench.request.overrides.set({m_graph->op(op.op).name, "placement", "pim"});
        bench.plan = bench.compiled({});
        QVERIFY(coreFill(*bench.plan).kept() > 0);
        const auto layout = bench.backend->commands()->layout(*bench.plan, {});
        QVERIFY(layout.has_value());
        const auto banks =
            static_cast<std::int64_t>(bench.plan->target->numberOr("organisation.banksPerCore", 1));
        QCOMPARE(coreFill(*bench.plan).bytes(), layout->rowsUsed * layout->rowBytes * banks);
        QCOMPARE(bench.plan->coreBytes, layout->rowsOfBank * layout->rowBytes * banks);
    }

    void spreadsAsFarAsThereIsRoom() {
        Bench bench(m_graph, "attacc");
        int spread = 0;
        for (const OpPlan& op : bench.plan->ops) {
            if (!op.space || !op.draft)
                continue;
            Draft alone = *op.draft;
            for (DraftPart& part : alone.parts)
                part.groups = part.cores = 1;
            for (int set = 0; set < static_cast<int>(op.space->sets().size()); ++set)
                for (const SplitLevel level : {SplitLevel::Groups, SplitLevel::Cores}) {
                    const std::int64_t length = op.space->tileLength(alone, set);
                    const int there = level == SplitLevel::Groups ? op.space->resources().groups
                                                                  : op.space->resources().coresPerGroup;
                    const auto wide = spreadOut(*op.space, alone, set, level);
                    if (length <= 1) {
                        QVERIFY(!wide);
                        continue;
                    }
                    QVERIFY2(wide.has_value(), wide ? "" : wide.error().text().c_str());
                    const DraftPart& part = wide->parts[static_cast<std::size_t>(set)];
                    QCOMPARE(
                        static_cast<std::int64_t>(level == SplitLevel::Groups ? part.groups : part.cores),
                        std::min<std::int64_t>(length, there));
                    QVERIFY(op.space->check(*wide).has_value());
                    QVERIFY2(!spreadOut(*op.space, *wide, set, level), "a second time changes nothing");
                    ++spread;
                }
        }
        QVERIFY(spread > 0);
    }

private:
    static void eachTarget(bool dramOnly = false) {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim", "hbm-pim-hbm3", "aim", "aim-32"})
            QTest::newRow(target) << QString(target);
        if (!dramOnly)
            for (const char* target : {"dynaplasia", "prime", "isscc21-dual"})
                QTest::newRow(target) << QString(target);
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Graph> m_graph;
};

QTEST_APPLESS_MAIN(TestLegality)
#include "tst_backends_legality.moc"
