// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What would help: a resource twice as fast is a target that was changed by hand, compiled and simulated.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/compile/what_if.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/plan/report_facet.h"

#include <cmath>
#include <set>

using namespace pim;

class TestWhatIf : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    const std::shared_ptr<const Graph> m_graph =
        loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 31}}}).value();

    PlanRequest request(const char* target) {
        PlanRequest asked{
            .graph = m_graph, .target = m_catalog.find(target).value(), .overrides = {}, .options = {}};
        if (asked.target->backend == "crossbar") // a short search
            asked.options.family["crossbar"] = {{"strategy", "search"}, {"evaluations", "4"}};
        return asked;
    }
    std::shared_ptr<const Simulation> simulated(const PlanRequest& asked) {
        const auto plan = compile(m_backends, asked).value();
        return m_backends.find(asked.target->backend).value()->simulate(*plan, {}).value();
    }
    double changedByHand(const char* name, const std::string& resource) {
        PlanRequest asked = request(name);
        auto target = std::make_shared<Target>(*asked.target);
        const auto times = [&](const char* parameter, double factor) {
            if (const auto found = target->parameters.find(parameter);
                found != target->parameters.end() && found->second.value > 0) {
                found->second.value *= factor;
                if (found->second.unit == "cycles") // stay whole, and at least one
                    found->second.value = std::ceil(found->second.value);
            }
        };
        if (resource == "global memory" || resource == "copies") {
            for (Level& level : target->levels)
                for (Memory& memory : level.memories)
                    if (memory.name == (resource == "copies" ? "local" : "global"))
                        memory.bytesPerNs *= 2;
        } else if (resource == "products") {
            times("timing.mvm", 0.5), times("timing.mvmIssue", 0.5);
        } else if (resource == "vector units") {
            times("timing.vector", 0.5);
        } else if (resource == "network") {
            times("bandwidth.connection", 2), times("bandwidth.offChip", 2), times("timing.hop", 0.5);
        } else if (resource == "buses") {
            times("bandwidth.internal", 2), times("bandwidth.external", 2), times("bandwidth.writeBack", 2);
        } else if (resource == "digital units") {
            for (Unit& unit : target->levels.front().units)
                unit.lanes *= 2;
        } else if (resource == "arrays") {
            for (const char* const time :
                 {"timing.mvm", "timing.write", "timing.switchToMemory", "timing.switchToCompute",
                  "timing.readOverhead", "timing.computeOverhead"})
                times(time, 0.5);
            times("bandwidth.array", 2);
        } else if (resource == "host arithmetic") {
            for (auto& [type, flops] : target->host.peakFlopsPerNs)
                flops *= 2;
        } else if (resource == "host memory") {
            target->host.memoryBytesPerNs *= 2;
        } else if (resource == "host overheads") {
            for (auto& [key, value] : target->host.parameters)
                if (key.starts_with("overhead.activation.") || key.starts_with("overhead.norm."))
                    value.value *= 0.5;
        } else if (resource == "PIM clock" || resource == "DPU clock") {
            times("timing.tCK", 0.5);
        } else if (resource == "MRAM DMA") {
            times("dma.bandwidth", 2), times("dma.read", 0.5), times("dma.write", 0.5),
                times("dma.engine", 0.5);
        } else if (resource == "calls and launches") {
            times("link.call", 0.5), times("link.launch", 0.5);
        } else if (resource == "transfers") {
            for (const char* const rate : {"link.broadcast", "link.most", "link.parallelFrom",
                                           "link.parallelTo", "link.serialFrom", "link.serialTo"})
                times(rate, 2);
        } else {
            const std::map<std::string, std::vector<std::string>> starts{
                {"column commands", {"timing.nCCD", "timing.nBL"}},
                {"opening rows",
                 {"timing.nRCD", "timing.nRP", "timing.nRAS", "timing.nRC", "timing.nFAW", "timing.nRRDS",
                  "timing.nRRDL", "timing.nACTAB"}},
                {"refresh", {"timing.nRFC"}}};
            const auto found = starts.find(resource);
            if (found == starts.end())
                return -1;
            for (const auto& [key, value] : std::map(target->parameters))
                if (std::ranges::any_of(found->second,
                                        [&](const std::string& start) { return key.starts_with(start); }))
                    times(key.c_str(), 0.5);
        }
        asked.target = target;
        return simulated(asked)->totalNs;
    }

    /// What a person would write into the target file.
    static std::shared_ptr<const Target> doubledByHand(const Target& target, const std::string& resource) {
        auto made = std::make_shared<Target>(target);
        const auto level =
            std::ranges::find_if(made->levels, [&](Level& each) { return each.name + "s" == resource; });
        if (level == made->levels.end()) {
            made->parameters.at("vector.units").value *= 2;
            return resource == "vector units" ? made : nullptr;
        }
        level->count *= 2;
        // A whole device holds what its banks do; tasklets share those of their DPU.
        if (level->id == "group" || (level->id == "core" && target.family == "dram-pim"))
            made->levels.front().memories.front().bytes *= 2;
        if (level->id == "core" && target.backend == "upmem")
            for (Memory& memory : level->memories)
                memory.bytes /= 2;
        if (target.backend == "crossbar" && level->id != "array") {
            double &x = made->parameters.at(level->id + ".x").value,
                   &y = made->parameters.at(level->id + ".y").value;
            (x < y ? x : y) *= 2;
        }
        return made;
    }

    /// Rows of twice as many are runs of a target that somebody wrote, or say why there is none.
    void checkMultiples(const PlanRequest& asked, const WhatIf& result) {
        int doubled = 0, refused = 0;
        for (const WhatIfRow& row : result.rows) {
            if (row.way != SpeedUp::Way::Many)
                continue;
            QVERIFY(!row.fastestNs && row.fastestFactor == 0 &&
                    row.twiceNs.has_value() == row.problem.empty());
            for (const ChangedValue& change : row.changes)
                QCOMPARE(change.twice,
                         change.value.kind == TargetValue::Kind::Rate ? 2 * change.now : change.now / 2);
            if (!row.twiceNs) {
                ++refused;
                QVERIFY2(row.problem.starts_with("cannot be doubled: "), row.problem.c_str());
                continue;
            }
            ++doubled;
            // As a file that somebody wrote, and read again.
            auto file = doubledByHand(*asked.target, row.resource);
            QVERIFY2(file, row.resource.c_str());
            auto read = targetFromJson(targetJson(*file), file->id);
            QVERIFY2(read, read ? "" : read.error().text().c_str());
            PlanRequest changed = asked;
            changed.target = *read;
            QCOMPARE(*row.twiceNs, simulated(changed)->totalNs);
        }
        const bool hasCores = asked.target->level("group") != nullptr;
        QCOMPARE(doubled, asked.target->backend == "dual_mode"  ? 1
                          : asked.target->backend == "crossbar" ? 4
                          : asked.target->id == "hbm-pim"       ? 3
                                                                : 2);
        QCOMPARE(refused, hasCores && asked.target->id != "hbm-pim" ? 1 : 0);
    }

private slots:
    void twiceIsARunOfTheChangedTarget_data() {
        QTest::addColumn<QString>("target");
        for (const char* const target :
             {"isaac", "puma", "pcm-64", "dynaplasia", "hbm-pim", "aim", "attacc", "upmem-1"})
            QTest::newRow(target) << target;
    }
    void twiceIsARunOfTheChangedTarget() {
        QFETCH(const QString, target);
        const std::string id = target.toStdString();
        const PlanRequest asked = request(id.c_str());
        const auto now = simulated(asked);
        const auto result = whatIf(m_backends, asked, *now);
        QVERIFY2(result, result ? "" : result.error().text().c_str());
        QCOMPARE(result->totalNs, now->totalNs);
        std::set<std::string> named;
        double last = 0;
        bool helps = false;
        for (const WhatIfRow& row : result->rows) {
            QVERIFY(row.twiceNs.value_or(1e300) >= last); // both ways stand in one order
            last = row.twiceNs.value_or(1e300);
            if (row.way == SpeedUp::Way::Many)
                continue; // see checkMultiples()
            QVERIFY2(row.problem.empty() && row.twiceNs && row.fastestNs, row.problem.c_str());
            QCOMPARE(*row.twiceNs, changedByHand(id.c_str(), row.resource));
            helps |= *row.twiceNs < 0.99 * now->totalNs;
            named.insert(row.resource);
            for (const ChangedValue& change : row.changes)
                QCOMPARE(change.twice, change.value.kind == TargetValue::Kind::Rate ? 2 * change.now
                                       : change.unit == "cycles" ? std::ceil(change.now / 2)
                                                                 : change.now / 2);
        }
        QVERIFY(helps);
        checkMultiples(asked, *result);
        // Every resource of the picture is asked about; where commands are timed, their parts are.
        const bool byParts = named.contains("PIM clock") || named.contains("DPU clock");
        for (const TimelineTrack& track : now->timeline.tracks)
            QVERIFY2(byParts || named.contains(track.group), track.group.c_str());
        if (result->boundNs)
            QVERIFY(*result->boundNs > 0 && *result->boundNs <= now->totalNs * 1.001 &&
                    !result->boundBy.empty());
    }

    /// Banks need address bits, tasklets hardware: what is missing is said in numbers.
    void whatCannotBeDoubledSaysWhy() {
        for (const auto& [target, resource, why] :
             {std::tuple("attacc", "banks",
                         "128 cores with 1 bank(s) each need 128 banks per group, there are 64"),
              std::tuple("upmem-1", "tasklets", "is 32 tasklets, a DPU has 1 to 24")}) {
            const PlanRequest asked = request(target);
            const auto result = whatIf(m_backends, asked, *simulated(asked)).value();
            const auto row = std::ranges::find(result.rows, resource, &WhatIfRow::resource);
            QVERIFY2(row != result.rows.end(), resource);
            QCOMPARE(amountsText(row->changes.front(), " -> "),
                     std::string(row->changes.front().now == 64 ? "64 -> 128" : "16 -> 32"));
            QVERIFY2(!row->twiceNs && row->problem.find(why) != std::string::npos, row->problem.c_str());
        }
    }

    /// A clock that cannot be a thousand times as fast is as fast as it can be.
    void theFastestIsOneThatCanBe() {
        const PlanRequest asked = request("aim");
        const auto now = simulated(asked);
        const auto result = whatIf(m_backends, asked, *now).value();
        const auto factorOf = [&](const char* resource) {
            return std::ranges::find(result.rows, resource, &WhatIfRow::resource)->fastestFactor;
        };
        QCOMPARE(factorOf("PIM clock"), 10.0); // 0.5 ns, and 0.01 ns is the least
        QCOMPARE(factorOf("refresh"), 1000.0);
    }

    void aFasterTargetSaysWhatItIs() {
        const auto isaac = m_catalog.find("isaac").value();
        const SpeedUp memory{"global memory", {{"/levels/0/memories/0/bandwidth", TargetValue::Kind::Rate}}};
        const auto faster = changedTarget(*isaac, memory, 2).value();
        QCOMPARE(faster->levels[0].memories[0].bytesPerNs, 2 * isaac->levels[0].memories[0].bytesPerNs);
        QVERIFY(faster->hash != isaac->hash && faster->id == isaac->id && faster->host.id == isaac->host.id);
        QVERIFY(faster->levels[0].memories[0].source.find("2 times as fast as 64 GB/s") != std::string::npos);
        const auto more =
            changedTarget(*isaac, {"crossbars", {{"/levels/2/count", {}}}, SpeedUp::Way::Many}, 2).value();
        QCOMPARE(more->levels[2].count, 2 * isaac->levels[2].count);
        QVERIFY2(more->levels[2].source.starts_with("assumption: 2 times as much as 96 count"),
                 more->levels[2].source.c_str());
        const auto none = changedTarget(*isaac, {"a thing", {{"/parameters/none", {}}}}, 2);
        QVERIFY(!none && none.error().code == ErrorCode::InvalidTarget);
        QVERIFY(none.error().message.find("/parameters/none") != std::string::npos);
    }

    void itCanBeCancelled() {
        std::stop_source stop;
        stop.request_stop();
        const PlanRequest asked = request("dynaplasia");
        const auto result = whatIf(m_backends, asked, Simulation{}, {stop.get_token(), {}});
        QVERIFY(!result && result.error().code == ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "tst_core_compile_what_if.moc"
