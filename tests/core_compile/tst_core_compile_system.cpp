// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A network on several machines: system files, who runs what, never worse than what else could be done, one clock.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/compile/system_pieces.h"
#include "core/compile/system_plan.h"
#include "core/execute/parts_network.h"
#include "core/execute/sample_weights.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>

using namespace pim;

class TestSystem : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    const RooflineHost m_host;
    QTemporaryDir m_folder;

    SystemSetup setup(const char* system) {
        SystemSetup made;
        made.system = findSystem(system, m_catalog).value();
        made.graph =
            loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 31}}}).value();
        made.options.verifyDrafts = 0;
        return made;
    }

    /// A file like cinm-server with one text replaced by another, read.
    std::string refusal(const std::string& from, const std::string& to) {
        std::ifstream in(resourceDir() / "systems" / "cinm-server.json");
        std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto place = text.find(from);
        if (place == std::string::npos)
            return "the file has no " + from;
        text.replace(place, from.size(), to);
        const auto path = (m_folder.path() + "/changed.json").toStdString();
        std::ofstream(path) << text;
        const auto read = findSystem(path, m_catalog);
        return read ? std::string() : read.error().text();
    }

private slots:
    void shippedSystemsAreRead() {
        QVERIFY(systemIds().size() >= 3);
        for (const std::string& id : systemIds()) {
            const auto system = findSystem(id, m_catalog);
            QVERIFY2(system, system ? "" : system.error().text().c_str());
            QCOMPARE(system->id, id);
            for (const SystemDevice& device : system->devices)
                QCOMPARE(device.target->host.id, system->host->id);
        }
    }

    void routesGoOverSwitches() {
        const System board = findSystem("edge-board", m_catalog).value();
        QCOMPARE(board.nodes, (std::vector<std::string>{"host", "dual-mode", "crossbar", "cxl-switch"}));
        const Route between = board.route(1, 2);
        QCOMPARE(between.links, (std::vector<std::size_t>{1, 2})); // not through the host
        QCOMPARE(between.backwards, (std::vector<bool>{true, false}));
        QCOMPARE(between.latencyNs, 200.0);
        QCOMPARE(between.nsPerByte, 1 / 31.5);
        QCOMPARE(board.route(0, 1).latencyNs, 270.0);
        QVERIFY(board.route(1, 1).links.empty());
        const System server = findSystem("cinm-server", m_catalog).value();
        QVERIFY(server.route(0, 1).links.empty()); // its times are in the plan
        QCOMPARE(server.route(1, 2).links.size(), std::size_t{1});
    }

    void badSystemsAreRefused() {
        const auto says = [](const std::string& text, const char* part) {
            if (text.find(part) == std::string::npos)
                qWarning("%s", text.c_str());
            return text.find(part) != std::string::npos;
        };
        QCOMPARE(refusal("\"version\": 1", "\"version\": 1"), std::string());
        QVERIFY(says(refusal("\"target\": \"pcm-64\"", "\"target\": \"pcm-46\""), "did you mean"));
        QVERIFY(says(refusal("\"host\": \"xeon-8380\"", "\"host\": \"xeno\""), "no host \"xeno\""));
        QVERIFY(says(refusal("[\"host\", \"pcm\"]", "[\"host\", \"pmc\"]"), "neither the host nor a device"));
        QVERIFY(says(refusal("[\"host\", \"pcm\"]", "[\"host\", \"upmem\"]"), "closes a loop"));
        QVERIFY(says(refusal("\"value\": 31.5", "\"value\": 0"), "bandwidth"));
        QVERIFY(says(refusal("\"id\": \"pcm\"", "\"id\": \"upmem\""), "two of its nodes"));
        QVERIFY(says(refusal("\"devices\": [", "\"devices\": [], \"other\": ["), "not a valid system"));
        // A node that no link leads to.
        QVERIFY(says(refusal("\"devices\": [\n", "\"switches\": [\"far\"],\n  \"devices\": [\n"),
                     "no link leads from the host to \"far\""));
        QVERIFY(says(refusal("{", ""), "not a valid system"));
        const auto unknown = findSystem("cinm-sever", m_catalog);
        QVERIFY(says(unknown.error().text(), "did you mean \"cinm-server\""));
        QCOMPARE(findSystem("/nowhere/x.json", m_catalog).error().code, ErrorCode::Io);
    }

    void neverWorseThanWhatElseThereIs() {
        for (const char* id : {"cinm-server", "gpu-hbm-crossbar", "edge-board"}) {
            const SystemSetup asked = setup(id);
            const auto plan = planSystem(m_backends, m_host, asked);
            QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
            QVERIFY(plan->alternatives.size() >= 4);
            for (const SystemAlternative& other : plan->alternatives)
                if (other.problem.empty())
                    QVERIFY2(plan->assignment.ns <= other.ns * (1 + 1e-9), other.id.c_str());
            QVERIFY(plan->boundNs > 0 && plan->searchedNs / plan->boundNs < 1.02);
            QCOMPARE(plan->plan->ops.size(), asked.graph->ops.size());
            // The sum over ops, with transfers, is what the schedule would take with nothing side by side.
            double sum = 0, end = 0;
            for (const AssignmentSpan& span : plan->spans) {
                sum += span.endNs - span.startNs;
                end = std::max(end, span.endNs);
            }
            QCOMPARE(end, plan->assignment.ns);
            QVERIFY2(std::abs(plan->plan->total.totalNs() / sum - 1) < 1e-9, id);
        }
    }

    void simulatedOnOneClock() {
        for (const char* id : {"cinm-server", "gpu-hbm-crossbar", "edge-board"}) {
            const auto plan = planSystem(m_backends, m_host, setup(id)).value();
            const auto run = simulateSystem(m_backends, plan);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            QVERIFY2(std::abs(run->ns / plan.assignment.ns - 1) < 0.05, id);
            QVERIFY(std::abs(run->timeline.endNs - run->ns) <
                    1e-6 * run->ns); // durations of spans are floats
            QCOMPARE(run->timeline.tracks.size(), plan.busyNs.size() + plan.linkBusyNs.size());

            // What limits it: every machine and link by itself, the chain as long as the run.
            const Timeline predicted = systemTimeline(plan, plan.spans);
            const Limits limits = systemLimits(predicted);
            QCOMPARE(limits.resources.size(), predicted.tracks.size());
            double onPath = 0;
            for (std::size_t track = 0; track < predicted.tracks.size(); ++track) {
                const auto use =
                    std::ranges::find(limits.resources, predicted.tracks[track].name, &ResourceUse::name);
                QVERIFY(use != limits.resources.end() && use->tracks == 1);
                const double busyNs = track < plan.busyNs.size()
                                          ? plan.busyNs[track]
                                          : plan.linkBusyNs[track - plan.busyNs.size()];
                QVERIFY2(std::abs(use->share - busyNs / plan.assignment.ns) < 1e-4, use->name.c_str());
                onPath += double(use->pathPs) / 1000;
            }
            for (const PathShare& share : limits.byLabel)
                onPath += share.name == "waiting" ? double(share.ps) / 1000 : 0;
            QVERIFY(std::abs(onPath / plan.assignment.ns - 1) < 1e-4);
        }
    }

    void decisionsAreKept() {
        SystemSetup asked = setup("cinm-server");
        const auto free = planSystem(m_backends, m_host, asked).value();
        std::size_t moved = asked.graph->ops.size();
        for (std::size_t op = 0; op < asked.graph->ops.size(); ++op)
            if (free.assignment.device[op] == 2 && asked.graph->ops[op].work.macs > 0)
                moved = op;
        QVERIFY(moved < asked.graph->ops.size());
        asked.overrides.set({asked.graph->ops[moved].name, "device/cinm-server", "host"});
        const auto pinned = planSystem(m_backends, m_host, asked).value();
        QCOMPARE(pinned.assignment.device[moved], 0);
        QVERIFY(pinned.plan->ops[moved].onHost());
        QVERIFY(pinned.plan->ops[moved].reason.find("placed by you") != std::string::npos);
        QVERIFY(pinned.assignment.ns >= free.assignment.ns);

        asked.overrides.set({asked.graph->ops[moved].name, "device/cinm-server", "gpu"});
        QVERIFY(planSystem(m_backends, m_host, asked).error().text().find("there are host, upmem, pcm") !=
                std::string::npos);
        asked.overrides.set({"nobody", "device/cinm-server", "host"});
        asked.overrides.clear(asked.graph->ops[moved].name, "device/cinm-server");
        QCOMPARE(planSystem(m_backends, m_host, asked).error().code, ErrorCode::IllegalOverride);
    }

    /// Memory that cannot keep all weights keeps those that gain the most, and the bound knows.
    void weightsThatHaveNoRoom() {
        const auto file = (m_folder.path() + "/llama.onnx").toStdString();
        ZooOptions options;
        options.weights = false;
        QVERIFY(writeZooModel("llama2-7b-decode", file, options));
        SystemSetup asked = setup("gpu-hbm-crossbar");
        asked.graph = loadGraph(file, {}).value();
        asked.simulates = asked.dividesOps = false;
        const auto plan = planSystem(m_backends, m_host, asked);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        std::int64_t kept = 0, all = 0;
        for (const OpPlan& op : plan->plan->ops)
            all += plan->plan->graph->op(op.op).work.weightBytes;
        for (const PlanPart& part : plan->plan->parts)
            if (part.device == DeviceId(0))
                for (const OpPlan& op : part.plan->ops)
                    kept += op.onHost() ? 0 : op.keptCoreBytes;
        const auto alone = compile(m_backends, {asked.graph, asked.system.devices[0].target, {}, {}}).value();
        QVERIFY2(kept > alone->coreBytes * 8 / 10 && kept <= alone->coreBytes && kept < all,
                 qPrintable(QString("%1 of %2").arg(kept).arg(alone->coreBytes)));
        QVERIFY2(plan->searchedNs / plan->boundNs < 1.005, // 1.25 if all weights had room
                 qPrintable(QString::number(plan->searchedNs / plan->boundNs)));
    }

    /// A chip that has no room for all weights takes part with some of them.
    void whatHasNoRoomTakesPart() {
        SystemSetup asked = setup("cinm-server");
        auto small = std::make_shared<Target>(*m_catalog.find("pcm-64", "xeon-8380").value());
        for (Level& level : small->levels)
            if (level.id == "chip" || level.id == "core")
                level.count = level.id == "chip" ? 1 : 4;
        for (const char* const side : {"core.x", "core.y"})
            small->parameters[side].value = 2;
        for (const char* const side : {"chip.x", "chip.y"})
            small->parameters[side].value = 1;
        asked.system.devices[1].target = small;
        const auto plan = planSystem(m_backends, m_host, asked);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        const auto said = std::ranges::find(plan->plan->problems, "pcm", &Diagnostic::object);
        QVERIFY(said != plan->plan->problems.end());
        QVERIFY2(said->message.starts_with("takes "), said->message.c_str());
        QVERIFY(std::ranges::none_of(plan->alternatives,
                                     [](const SystemAlternative& other) { return other.id == "only pcm"; }));
        int canRun = 0, cannot = 0;
        for (std::size_t op = 0; op < asked.graph->ops.size(); ++op)
            if (asked.graph->ops[op].work.weightBytes > 0 && asked.graph->ops[op].work.macs > 0)
                ++(plan->problem.ops[op].ns[2] < kNever ? canRun : cannot);
        QVERIFY2(canRun > 0 && cannot > 0, qPrintable(QString("%1 can, %2 cannot").arg(canRun).arg(cannot)));
    }

    /// Machines work on one op where that pays; all that is said of the plan is about its pieces.
    void opsAreDividedWhereItPays() {
        const auto file = (m_folder.path() + "/squeezenet.onnx").toStdString();
        ZooOptions options;
        options.weights = false;
        QVERIFY(writeZooModel("squeezenet", file, options));
        SystemSetup asked = setup("edge-board");
        asked.graph = withSampleWeights(loadGraph(file, {}).value(), 1).value();
        const auto plan = planSystem(m_backends, m_host, asked);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        QVERIFY(!plan->pieces.empty());
        const auto whole = std::ranges::find(plan->alternatives, "whole", &SystemAlternative::id);
        QVERIFY(whole != plan->alternatives.end() && whole->ns > plan->assignment.ns);
        const Graph& graph = *plan->plan->graph;
        QCOMPARE(plan->wholes.size(), graph.ops.size());
        bool shared = false;
        for (const OpPieces& one : plan->pieces) {
            const auto first = static_cast<std::size_t>(plan->opOf(one.op)),
                       joins = first + one.features.size();
            QVERIFY(plan->wholes[first] == one.op && plan->wholes[joins] == one.op);
            QCOMPARE(graph.ops[joins].name, asked.graph->op(one.op).name);
            for (std::size_t piece = first + 1; piece < joins; ++piece)
                shared = shared || plan->assignment.device[first] != plan->assignment.device[piece];
        }
        QVERIFY(shared);
        const auto run = simulateSystem(m_backends, *plan);
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        QVERIFY(std::abs(run->ns / plan->assignment.ns - 1) < 0.05);
        for (const int op : run->timeline.labelOps)
            QVERIFY(op < static_cast<int>(asked.graph->ops.size()));
        const auto report = checkParts(m_backends, *plan->plan, {});
        QVERIFY2(report && !report->problem, report ? report->text.c_str() : report.error().text().c_str());

        // Who places an op wants it there, all of it.
        const OpId divided = plan->pieces.front().op;
        asked.overrides.set({asked.graph->op(divided).name, "device/edge-board", "host"});
        const auto placed = planSystem(m_backends, m_host, asked).value();
        QVERIFY(std::ranges::none_of(placed.pieces, [&](const OpPieces& one) { return one.op == divided; }));
        asked.overrides = {};
        asked.dividesOps = false;
        const auto kept = planSystem(m_backends, m_host, asked).value();
        QVERIFY(kept.pieces.empty() && kept.plan->graph == asked.graph);
        QCOMPARE(kept.assignment.ns, whole->ns);
    }

    /// All that gain something get a piece, as large as makes all end at once.
    void piecesAreForAllThatGain() {
        SystemSetup asked = setup("edge-board");
        asked.dividesOps = false;
        SystemPlan plan = planSystem(m_backends, m_host, asked).value();
        const auto product = std::ranges::find_if(plan.plan->graph->ops, [&](const Op& op) {
            return featuresOf(*plan.plan->graph, plan.plan->graph->findOp(op.name)) >= 192;
        });
        QVERIFY(product != plan.plan->graph->ops.end());
        const auto op = static_cast<std::size_t>(product - plan.plan->graph->ops.begin());
        const auto id = OpId(static_cast<std::int64_t>(op));
        const std::int64_t features = featuresOf(*plan.plan->graph, id);
        for (std::size_t i = 0; i < plan.problem.ops.size(); ++i) {
            plan.problem.ops[i].ns = {1, 1, 1};
            plan.assignment.device[i] = 0;
        }
        for (auto& value : plan.problem.values)
            value.transferNs.assign(9, 0);
        const auto guess = [&](double host, double first, double second) {
            plan.problem.ops[op].ns = {host, first, second};
            plan.assignment.ns = host;
            for (const PieceGuess& one : piecesThatMayPay(plan, {}))
                if (one.pieces.op == id)
                    return one;
            return PieceGuess{};
        };
        const auto all = guess(3e6, 3e6, 3e6);
        QCOMPARE(all.devices, (std::vector<int>{1, 2, 0}));
        for (const std::int64_t part : all.pieces.features)
            QVERIFY(std::abs(static_cast<double>(part) / static_cast<double>(features) - 1.0 / 3) <= 1.0 / 8);
        const auto uneven = guess(1e6, 2e6, 4e6); // 4 : 2 : 1
        QCOMPARE(uneven.devices, (std::vector<int>{1, 2, 0}));
        QVERIFY(uneven.pieces.features[2] > uneven.pieces.features[0] &&
                uneven.pieces.features[0] > uneven.pieces.features[1]);
        QCOMPARE(guess(1e6, 1e6, 1e9).devices, (std::vector<int>{1, 0}));
        QVERIFY(guess(1e6, 1e9, 1e9).devices.empty());
        QVERIFY(guess(1e6, 0, 0).devices.empty()); // the whole op there takes nothing
        QVERIFY(guess(0, 1e6, 1e6).devices.empty());
        plan.problem.holdsHost = {false, true, false}; // it keeps the host from working
        QCOMPARE(guess(3e6, 3e6, 3e6).devices, (std::vector<int>{2, 0}));
        plan.problem.holdsHost = {false, false, false};
        // What they have to be brought comes off their piece.
        const int input = plan.problem.ops[op].inputs.front();
        plan.problem.values[static_cast<std::size_t>(input)].transferNs[1] = 6e5;
        const auto late = guess(3e6, 3e6, 3e6);
        QCOMPARE(late.devices, (std::vector<int>{2, 1, 0}));
        QVERIFY(late.pieces.features[1] < late.pieces.features[0]);

        // The plan has them elsewhere: those on one device become one.
        SystemPlan made = plan;
        const auto cut = divided(*plan.plan->graph, {all.pieces}).value();
        made.wholes = cut.wholes;
        const auto first = static_cast<std::size_t>(made.opOf(id));
        made.problem.ops.assign(cut.graph->ops.size(), plan.problem.ops[op]);
        made.assignment.device.assign(cut.graph->ops.size(), 0);
        made.assignment.device[first + 1] = 2;
        auto next = nextPieces(made, {all});
        QCOMPARE(next.size(), std::size_t{1});
        QCOMPARE(next.front().devices, (std::vector<int>{0, 2}));
        QCOMPARE(next.front().pieces.features.front(),
                 all.pieces.features.front() + all.pieces.features.back());
        made.problem.ops[first + 1].ns[2] = kNever; // no room for that much: less of it
        made.assignment.device[first] = 1;
        next = nextPieces(made, {all});
        QCOMPARE(next.front().devices, (std::vector<int>{1, 2, 0}));
        QCOMPARE(next.front().pieces.features[0], all.pieces.features[0]);
        QVERIFY(next.front().pieces.features[1] < all.pieces.features[1]);
        made.assignment.device[first + 1] = made.assignment.device[first] = 0;
        made.problem.ops[first + 1].ns[2] = 1;
        QVERIFY(nextPieces(made, {all}).empty());
    }

    /// Parts that their machine leaves to the host have views as well, which are there too.
    void partsLeftToTheHostKeepTheirViews() {
        SystemSetup asked = setup("edge-board");
        asked.graph = loadGraph(samplesDir() / "bert-base" / "bert-base.onnx", {}).value();
        asked.dividesOps = false;
        const auto plan = planSystem(m_backends, m_host, asked);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
    }

    void sameAnswerEveryTime() {
        const auto one = planSystem(m_backends, m_host, setup("gpu-hbm-crossbar")).value();
        const auto two = planSystem(m_backends, m_host, setup("gpu-hbm-crossbar")).value();
        QCOMPARE(one.assignment.device, two.assignment.device);
        QCOMPARE(one.assignment.order, two.assignment.order);
        QCOMPARE(one.assignment.ns, two.assignment.ns);
    }

    void canBeStopped() {
        std::stop_source source;
        source.request_stop();
        const auto stopped = planSystem(m_backends, m_host, setup("cinm-server"), {source.get_token(), {}});
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestSystem)
#include "tst_core_compile_system.moc"
