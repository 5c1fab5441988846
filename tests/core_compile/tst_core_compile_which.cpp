// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Which machine? All with one host; what is simulated, predicted or not known is said.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "core/base/paths.h"
#include "core/compile/sensitivity.h"
#include "core/compile/winners.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/hardware/target_figures.h"

#include <cmath>

using namespace pim;

class TestWhich : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    const RooflineHost m_host;

    WhichSetup setup(const std::vector<const char*>& targets) {
        WhichSetup made;
        made.graph =
            loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 31}}}).value();
        for (const char* target : targets)
            made.targets.push_back(m_catalog.find(target, "xeon-8380").value());
        for (const auto& host : m_catalog.hosts())
            if (host->id == "xeon-8380")
                made.hosts.push_back(host);
        return made;
    }

private slots:
    void everyFamilyWithOneHost() {
        const WhichSetup asked =
            setup({"hbm-pim", "attacc", "upmem-1", "dynaplasia", "isaac", "pcm-64", "sram-digital"});
        std::vector<std::string> seen;
        const auto rows =
            which(m_backends, m_host, asked, [&](const WhichRow& row) { seen.push_back(row.machine); });
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        QCOMPARE(rows->size(), std::size_t{8});
        QCOMPARE(seen.front(), std::string("xeon-8380"));
        const WhichRow& alone = rows->front();
        QVERIFY(alone.requestNs > 0 && alone.kind == "host" && !alone.plan);
        for (const WhichRow& row : *rows) {
            if (!row.problem.empty())
                continue;
            QCOMPARE(row.host, std::string("xeon-8380"));
            QVERIFY2(row.requestNs >= row.streamNs && row.streamNs > 0, row.machine.c_str());
            if (row.kind == "host")
                continue;
            QCOMPARE(row.origin, Origin::Simulated);
            QCOMPARE(row.predictedNs, row.plan->total.totalNs());
            if (row.computeType == DataType::F16) // but for a token in each cache
                QVERIFY2(std::abs(row.hostOnlyNs / alone.requestNs - 1) < 1e-3, row.machine.c_str());
        }
        // A dual-mode chip is planned by what its simulator says of the flow.
        const WhichRow& dual = (*rows)[4];
        QVERIFY(std::abs(dual.requestNs / dual.predictedNs - 1) < 1e-9);
        // A crossbar chip has samples in flight.
        const WhichRow& crossbar = (*rows)[5];
        QVERIFY(crossbar.requestNs > 2 * crossbar.streamNs && !crossbar.energy.empty());
        const auto byRequest = ranked(*rows, WhichBy::Request), byStream = ranked(*rows, WhichBy::Stream);
        for (std::size_t i = 1; i < byRequest.size(); ++i)
            if ((*rows)[byRequest[i]].problem.empty())
                QVERIFY((*rows)[byRequest[i - 1]].requestNs <= (*rows)[byRequest[i]].requestNs);
        QVERIFY(byRequest.size() == byStream.size());
    }

    /// Energy is the sum of its parts, machine and host; power is energy over time; what is unknown is absent, not 0.
    void energyAndArea() {
        const auto rows =
            which(m_backends, m_host, setup({"hbm-pim", "aim", "upmem-1", "dynaplasia", "isaac", "prime"}));
        QVERIFY(rows);
        for (const WhichRow& row : *rows) {
            QVERIFY2(row.problem.empty(), row.machine.c_str());
            if (row.machine == "prime") {
                QVERIFY(row.energy.empty() && !row.power() && !row.area);
                continue;
            }
            measure::Energy sum;
            for (const EnergyPart& part : row.energy.parts()) {
                QVERIFY2(part.energy > measure::Energy(), (row.machine + ": " + part.name).c_str());
                sum += part.energy;
            }
            QVERIFY2(sum == row.energy.total() && sum > measure::Energy(), row.machine.c_str());
            QCOMPARE(*row.power() * (row.streamNs * measure::kNanosecond) / sum, 1.0);
        }
        QCOMPARE(rows->front().power().value() / measure::kWatt, 270.0);
        QCOMPARE(rows->at(5).area->value / measure::kSquareMillimetre, 85.4);
        QVERIFY(!rows->at(1).area && rows->at(4).area);
        // A host that computes a part of the time draws no more than one that does all the time.
        for (const WhichRow& row : *rows)
            for (const EnergyPart& part : row.energy.parts())
                if (part.name == "host")
                    QVERIFY(part.energy <= (270 * measure::kWatt) * (row.streamNs * measure::kNanosecond));
    }

    /// The memory of a host whose board power is counted is not counted again.
    void hostMemoryIsCountedOnce() {
        WhichSetup asked = setup({});
        asked.targets = {m_catalog.find("attacc").value()};
        const auto rows = which(m_backends, m_host, asked);
        QVERIFY(rows);
        const auto& parts = rows->back().energy.parts();
        QVERIFY(std::ranges::any_of(parts, [](const EnergyPart& part) { return part.name == "MACAB"; }));
        QVERIFY(std::ranges::any_of(parts, [](const EnergyPart& part) { return part.name == "host"; }));
        QVERIFY(
            std::ranges::none_of(parts, [](const EnergyPart& part) { return part.name == kHostMemoryPart; }));
    }

    void moreWorkNeverCostsLess() {
        WhichSetup asked = setup({"hbm-pim", "aim", "upmem-1", "isaac", "attacc"});
        const auto few = which(m_backends, m_host, asked);
        asked.graph =
            loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 63}}}).value();
        const auto many = which(m_backends, m_host, asked);
        QVERIFY(few && many);
        for (std::size_t i = 0; i < few->size(); ++i)
            QVERIFY2((*many)[i].energy.total() > (*few)[i].energy.total(), (*few)[i].machine.c_str());
    }

    void whatDoesNotFitIsNoRow() {
        WhichSetup asked = setup({"hbm-pim"});
        asked.graph = loadGraph(samplesDir() / "bert-base" / "bert-base.onnx").value();
        asked.targets = {m_catalog.find("pcm-64", "xeon-8380").value()};
        const auto rows = which(m_backends, m_host, asked);
        QVERIFY(rows);
        const WhichRow& row = rows->back();
        QVERIFY2(row.problem.find("too few") != std::string::npos, row.problem.c_str());
        QCOMPARE(ranked(*rows, WhichBy::Request).back(), rows->size() - 1);
    }

    void predictedIfWanted() {
        WhichSetup asked = setup({"hbm-pim"});
        asked.simulates = false;
        const auto rows = which(m_backends, m_host, asked);
        QVERIFY(rows);
        QCOMPARE(rows->back().origin, Origin::Predicted);
        QCOMPARE(rows->back().requestNs, rows->back().predictedNs);
    }

    /// Weights that fit, and those that need several machines; what crosses links is counted from the plan.
    void roomAndLinks() {
        const auto rows = which(m_backends, m_host, setup({"attacc", "isaac", "dynaplasia"}));
        QVERIFY(rows);
        QVERIFY(!rows->front().room && rows->front().links.empty()); // a host alone
        const WhichRow &attacc = (*rows)[1], &isaac = (*rows)[2], &dual = (*rows)[3];
        QVERIFY(attacc.room && attacc.room->fits() && attacc.room->machines() == 1);
        double weights = 0;
        for (const Tensor& tensor : attacc.plan->graph->tensors)
            if (tensor.isConstant() && tensor.shape && tensor.shape->size() == 2)
                weights += 2 * double(*elementCount(*tensor.shape)); // matrices in F16
        QVERIFY2(attacc.room->neededBytes > 0.5 * weights && attacc.room->neededBytes < 1.5 * weights,
                 qPrintable(QString("%1 %2").arg(attacc.room->neededBytes).arg(weights)));
        QCOMPARE(attacc.links.size(), std::size_t{1});
        QCOMPARE(attacc.links[0].link, std::string("host link"));
        QCOMPARE(attacc.links[0].bytes > 0, attacc.pimShare > 0);
        QCOMPARE(isaac.links.size(), std::size_t{2});
        QVERIFY(isaac.links[0].bytes > 0);
        QVERIFY(!dual.room); // writes weights anew, so that they cross its bus in every request
        QCOMPARE(dual.links.size(), std::size_t{1});
        QVERIFY2(dual.links[0].bytes > weights / 2, dual.linksText().c_str()); // in 8 bit

        WhichSetup large = setup({"aim"});
        large.graph = loadGraph(samplesDir() / "llama2-7b-decode" / "llama2-7b-decode.onnx").value();
        large.simulates = false;
        large.options.verifyDrafts = 0;
        const auto row = which(m_backends, m_host, large);
        QVERIFY(row && row->back().problem.empty());
        const WeightRoom& room = row->back().room.value();
        QVERIFY(!room.fits());
        QCOMPARE(room.capacityBytes, 8.0 * double(1 << 30)); // 8 chips of 1 GiB
        QVERIFY(room.neededBytes > 12e9 && room.neededBytes < 15e9);
        QCOMPARE(room.machines(), std::int64_t{2});
    }

    void isCancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto rows = which(m_backends, m_host, setup({"hbm-pim"}), {}, {stop.get_token(), {}});
        QVERIFY(!rows && rows.error().code == ErrorCode::Cancelled);
    }

    /// Cells are what which() says of their sizes, and a crossing is where the order of its two machines turns.
    void winnersTakeOver() {
        WinnerSetup asked;
        asked.model = importModel(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").value();
        asked.machines = setup({"hbm-pim", "attacc", "aim", "upmem-1"});
        asked.machines.simulates = false;
        for (const auto& host : m_catalog.hosts())
            if (host->id == "a100") // from some batch on it is before AttAcc
                asked.machines.hosts.push_back(host);
        asked.axes = parseSweep("batch=1..256;past=15,31,127").value(); // up to 64 positions are known
        const auto map = winners(m_backends, m_host, asked);
        QVERIFY2(map, map ? "" : map.error().text().c_str());
        QCOMPARE(map->cells.size(), std::size_t{27});
        const auto rowsAt = [&](std::int64_t batch, std::int64_t past) {
            WhichSetup one = asked.machines;
            one.graph = buildGraph(*asked.model, {.bindings = {{"batch", batch}, {"past", past}}}).value();
            return which(m_backends, m_host, one).value();
        };
        for (const WinnerCell& cell : map->cells) {
            QCOMPARE(cell.problem.empty(), cell.sizes[1] != 127);
            QCOMPARE(cell.machine.empty(), cell.sizes[1] == 127);
            if (!cell.problem.empty())
                continue;
            const auto rows = rowsAt(cell.sizes[0], cell.sizes[1]);
            const WhichRow& first = rows[ranked(rows, WhichBy::Request)[0]];
            QCOMPARE(cell.machine, first.machine);
            QCOMPARE(cell.ns, first.requestNs);
            QVERIFY(cell.secondNs >= cell.ns);
        }
        for (const Crossing& crossing : map->crossings) {
            const auto leads = [&](std::int64_t batch) {
                const auto rows = rowsAt(batch, crossing.other);
                const auto timeOf = [&](const std::string& machine) {
                    return std::ranges::find(rows, machine, &WhichRow::machine)->requestNs;
                };
                return timeOf(crossing.after) < timeOf(crossing.before);
            };
            QVERIFY(leads(crossing.at) && !leads(crossing.at - 1));
        }
        QVERIFY(!map->crossings.empty());
        for (const char* wrong : {"batch=4,2", "batch=x", "batch=1;past=1;seq=1"}) {
            asked.axes = parseSweep(wrong).value();
            const auto refused = winners(m_backends, m_host, asked);
            QVERIFY(!refused && refused.error().code == ErrorCode::Usage);
        }
    }

    SensitivitySetup question(const char* inputs) {
        SensitivitySetup asked;
        asked.model = importModel(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").value();
        asked.graph = {.bindings = {{"batch", 8}, {"past", 31}}};
        asked.machines = setup({"hbm-pim", "attacc", "aim", "upmem-1"});
        asked.machines.simulates = false;
        for (const auto& host : m_catalog.hosts())
            if (host->id == "a100")
                asked.machines.hosts.push_back(host);
        asked.hosts = m_catalog.hosts();
        asked.inputs = parseSweep(inputs).value();
        return asked;
    }

    /// Each value is what which() says of things so changed by hand, and another machine takes over where it is said to.
    void whatDecidesIsWhatWhichSays() {
        const SensitivitySetup asked = question("host=raspberry-pi-4,h100;host.memoryBandwidth=0.25,4;"
                                                "bandwidth=0.25,4;batch=1,512;dtype=f32;by=stream,first");
        const auto answer = sensitivity(m_backends, m_host, asked);
        QVERIFY2(answer, answer ? "" : answer.error().text().c_str());
        const std::string standing = answer->now.first;
        QVERIFY(!standing.empty() && answer->now.lead >= 1 && !answer->second.empty());
        const auto graphOf = [&](std::int64_t batch) {
            return buildGraph(*asked.model, {.bindings = {{"batch", batch}, {"past", 31}}}).value();
        };
        const auto byHand = [&](const std::string& input, const std::string& value) {
            WhichSetup one = asked.machines;
            one.graph = graphOf(input == "batch" ? std::stoi(value) : 8);
            if (input == "dtype")
                one.options.computeType = DataType::F32;
            for (auto& target : one.targets) {
                if (input == "host")
                    target = m_catalog.find(target->id, value).value();
                std::vector<TargetChange> changes;
                for (const TargetFigure& figure : targetFigures(*target))
                    if (figure.name == input || (input == "bandwidth" && !figure.name.starts_with("host.") &&
                                                 (figure.unit == "GB/s" || figure.unit == "B/cycle")))
                        changes.emplace_back(figure.name, std::to_string(figure.value * std::stod(value)));
                if (!changes.empty())
                    target = std::make_shared<const Target>(changedTarget(*target, changes).value());
            }
            for (auto& host : one.hosts) {
                if (input == "host" && host->id == "xeon-8380")
                    host = *std::ranges::find_if(asked.hosts, [&](const auto& h) { return h->id == value; });
                if (input == "host.memoryBandwidth") {
                    auto faster = std::make_shared<Host>(*host);
                    faster->memoryBytesPerNs *= std::stod(value);
                    host = faster;
                }
            }
            return which(m_backends, m_host, one).value();
        };
        std::size_t values = 0, crossings = 0;
        double last = std::numeric_limits<double>::infinity();
        for (const DecidingInput& input : answer->inputs) {
            QVERIFY(input.swing(answer->now.lead) <= last);
            last = input.swing(answer->now.lead);
            for (const DecidingValue& value : input.values) {
                ++values;
                const bool isOrder = input.input.name == "by";
                const WhichBy by = isOrder ? *whichByFromName(value.value) : WhichBy::Request;
                const auto rows = byHand(isOrder ? "" : input.input.name, value.value);
                std::optional<double> own, other;
                for (const std::size_t place : ranked(rows, by)) {
                    if (rows[place].machine == standing)
                        own = rows[place].timeNs(by);
                    else if (!other)
                        other = rows[place].timeNs(by);
                }
                QCOMPARE(value.first, rows[ranked(rows, by)[0]].machine);
                QVERIFY2(own && other && std::abs(value.lead / (*other / *own) - 1) < 1e-9,
                         (input.input.name + " " + value.value).c_str());
                QCOMPARE(value.lead < 1, value.first != standing);
                if (!value.takesOverAt || input.input.name != "batch")
                    continue;
                ++crossings;
                const auto leads = [&](double batch) {
                    const auto at = byHand("batch", std::to_string(std::int64_t(batch)));
                    const auto timeOf = [&](const std::string& machine) {
                        return std::ranges::find(at, machine, &WhichRow::machine)->requestNs;
                    };
                    return timeOf(value.first) < timeOf(standing);
                };
                const double before = *value.takesOverAt < 8 ? 1 : -1;
                QVERIFY(leads(*value.takesOverAt) && !leads(*value.takesOverAt + before));
            }
        }
        QCOMPARE(values, std::size_t{11});
        QVERIFY(crossings > 0);
        const auto usual = usualInputs(asked);
        QVERIFY(std::ranges::find(usual, "batch", &SweepAxis::name) != usual.end());
        QVERIFY(std::ranges::find(usual, "host", &SweepAxis::name) != usual.end());
    }

    void whatCannotDecideIsRefused() {
        for (const char* wrong : {"no.such.figure=2", "batch=0", "batch=many", "host=nobody", "dtype=f7",
                                  "bandwidth=-1", "bandwidth=x", "by=chance"}) {
            const auto answer = sensitivity(m_backends, m_host, question(wrong));
            QVERIFY2(!answer && answer.error().code == ErrorCode::Usage, wrong);
        }
        const auto near = sensitivity(m_backends, m_host, question("host.memoryBandwith=2"));
        QVERIFY2(!near && near.error().text().find("host.memoryBandwidth") != std::string::npos,
                 near.error().text().c_str());
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = sensitivity(m_backends, m_host, question("batch=1"), {stop.get_token(), {}});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }

    /// Weights that were never brought in are no weights that cost nothing.
    void theFirstRequestBringsInWeights() {
        const auto rows = which(m_backends, m_host, setup({"hbm-pim", "isaac", "dynaplasia"}));
        QVERIFY(rows);
        const WhichRow &host = (*rows)[0], &hbm = (*rows)[1], &isaac = (*rows)[2], &dual = (*rows)[3];
        QCOMPARE(host.timeNs(WhichBy::First), host.timeNs(WhichBy::Request));
        QVERIFY(!isaac.loadNs && !isaac.timeNs(WhichBy::First)); // programming crossbars has no model here
        QCOMPARE(dual.timeNs(WhichBy::First), dual.timeNs(WhichBy::Request));
        QCOMPARE(hbm.timeNs(WhichBy::First).value(), hbm.requestNs + hbm.loadNs.value());
        QCOMPARE(ranked(*rows, WhichBy::First).back(), std::size_t{2});
        for (const WhichBy by : {WhichBy::Request, WhichBy::Stream, WhichBy::First})
            QCOMPARE(whichByFromName(name(by)), std::optional(by));
        QVERIFY(!whichByFromName("cold"));
    }

    /// A first look searches little, and no machine looks faster by it.
    void searchesAreShortUnlessWanted() {
        WhichSetup asked = setup({"isaac"});
        const auto quick = which(m_backends, m_host, asked);
        asked.thorough = true;
        const auto thorough = which(m_backends, m_host, asked);
        QVERIFY(quick && thorough);
        QVERIFY(thorough->back().streamNs <= quick->back().streamNs);
        // What is searched little is what the family says of it, and what the user wants stays.
        asked.options.family["crossbar"]["strategy"] = "constructive";
        const auto chosen = which(m_backends, m_host, asked);
        QVERIFY(chosen);
        QCOMPARE(chosen->back().streamNs, quick->back().streamNs);
    }
};

QTEST_GUILESS_MAIN(TestWhich)
#include "tst_core_compile_which.moc"
