// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Whole plans and drafts command by command, on every DRAM-PIM target: sums that add up, pictures and places
/// that agree with the commands, numbers that agree with float32.
#include <QTest>

#include <string>

#include "backends/dram_pim/host_stream.h"
#include "core/compile/compiler.h"
#include "core/dram_pim/command_trace.h"
#include "core/dram_pim/kernel_reference.h"
#include "core/execute/numeric_check.h"
#include "core/graph/import.h"
#include "core/plan/command_facet.h"
#include "core/plan/draft_facet.h"
#include "tests/backends/kernels.h"

#include <cmath>
#include <set>

using namespace pim;
using namespace pim::test;

namespace {

void eachTarget() {
    QTest::addColumn<QString>("target");
    for (const char* target : {"attacc", "hbm-pim", "hbm-pim-hbm3", "aim", "aim-32"})
        QTest::newRow(target) << target;
}

struct Planned {
    BackendList backends = builtinBackends();
    const Backend* backend = nullptr;
    std::shared_ptr<const Plan> plan;

    explicit Planned(const QString& target) {
        static const auto graph = loadGraph(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx");
        if (!graph)
            qFatal("%s", graph.error().text().c_str());
        PlanRequest request{*graph, targetOf(target.toStdString()), {}, {}};
        request.overrides.set({"", "placement", "pim"});
        plan = compile(backends, request).value();
        backend = backends.find(plan->target->backend).value();
    }
    OpId firstOnPim() const {
        for (const OpPlan& op : plan->ops)
            if (!op.onHost())
                return op.op;
        return OpId();
    }
};

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

} // namespace

class TestSimulate : public QObject {
    Q_OBJECT
private slots:
    void addsUp_data() { eachTarget(); }
    void addsUp() {
        QFETCH(QString, target);
        const Planned p(target);
        const auto result = p.backend->simulate(*p.plan, {});
        QVERIFY2(result.has_value(), result ? "" : result.error().text().c_str());
        const Simulation& simulation = **result;
        QCOMPARE(simulation.ops.size(), p.plan->ops.size());
        QCOMPARE(simulation.controller, std::string("strict"));
        QVERIFY(!simulation.device.empty());
        double total = 0, differences = 0;
        std::int64_t simulated = 0;
        for (const SimulatedOp& op : simulation.ops) {
            const OpPlan& planned = p.plan->opPlan(op.op);
            total += op.cost.totalNs();
            QVERIFY2(op.note.empty(), op.note.c_str());
            QCOMPARE(op.predicted.totalNs(), planned.cost.totalNs());
            if (planned.onHost()) {
                QCOMPARE(op.cost.totalNs(), planned.cost.totalNs());
                QCOMPARE(op.origin, Origin::Predicted);
                continue;
            }
            ++simulated;
            QCOMPARE(op.origin, Origin::Simulated);
            QVERIFY(op.timing && op.timing->ticks > 0 && op.channels > 0);
            QVERIFY(op.cost.computeNs > 0 && op.cost.hostNs == 0);
            QVERIFY(op.hostReadNs <= op.cost.inputNs && op.hostWriteNs <= op.cost.outputNs);
            // What is not the host's memory and no new part of a cache is the commands.
            const double commands = op.cost.totalNs() - op.hostReadNs - op.hostWriteNs;
            QVERIFY(commands >= op.timing->ns(op.timing->ticks) * (1 - 1e-12));
            // The model behind the predictions and the commands speak of the same machine.
            QVERIFY2(commands < 4 * planned.cost.totalNs() + 1000 &&
                         commands > planned.cost.totalNs() / 4 - 1000,
                     qPrintable(QString("%1 ns, predicted %2").arg(commands).arg(planned.cost.totalNs())));
        }
        QVERIFY(simulated >= 8);
        QVERIFY(near(total, simulation.totalNs));
        QVERIFY(near(p.plan->total.totalNs(), simulation.predictedNs.value()));
        for (const auto& [cause, ns] : simulation.differenceNs)
            differences += ns;
        QVERIFY(near(differences, simulation.totalNs - *simulation.predictedNs));
        QCOMPARE(std::ssize(simulation.phases), simulated);
        QVERIFY(std::is_sorted(simulation.phases.begin(), simulation.phases.end(),
                               [](const auto& a, const auto& b) { return a.simulatedNs > b.simulatedNs; }));
        QVERIFY(!simulation.waitedNs.empty() && simulation.commands > 0);
        QVERIFY(std::abs(simulation.timeline.endNs - simulation.totalNs) < 1e-3 * simulation.totalNs);
        double energy = 0;
        for (const auto& [part, pj] : simulation.energyParts)
            energy += pj;
        QCOMPARE(simulation.energyPj.has_value(), !simulation.energyParts.empty());
        QVERIFY(near(energy, simulation.energyPj.value_or(0)));
        QVERIFY(!simulation.energyNote.empty());
    }

    void knowsTheEnergyOfAttAcc() {
        const Planned p("attacc");
        const auto simulation = p.backend->simulate(*p.plan, {}).value();
        QVERIFY(simulation->energyPj > 0);
        QVERIFY(simulation->energyParts.contains("MACAB") && simulation->energyParts.contains("host memory"));
    }

    void isTheSameOnEveryRun() {
        const Planned p("attacc");
        const auto a = p.backend->simulate(*p.plan, {}).value(), b = p.backend->simulate(*p.plan, {}).value();
        QCOMPARE(a->totalNs, b->totalNs);
        QCOMPARE(a->waitedNs, b->waitedNs);
        QCOMPARE(a->energyParts, b->energyParts);
        QCOMPARE(a->summary, b->summary);
    }

    void bringsNewKeysAndValuesIn() {
        const Planned p("attacc");
        const auto simulation = p.backend->simulate(*p.plan, {}).value();
        int caches = 0;
        for (const OpPlan& op : p.plan->ops) {
            if (op.onHost() || op.space->kernel().body != BodyKind::Attention)
                continue;
            const SimulatedOp& run = simulation->ops[op.op.index()];
            QVERIFY2(run.cost.inputNs > run.hostReadNs && run.hostReadNs > 0,
                     "read on the host, written into the banks");
            ++caches;
        }
        QCOMPARE(caches, 2);
    }

    void simulatesDrafts_data() { eachTarget(); }
    void simulatesDrafts() {
        QFETCH(QString, target);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        const Backend* backend = backends.find(machine->backend).value();
        const auto exploration = backend->drafts()->exploreKernel(gemv(512, 384), machine, {}, {}).value();
        const std::vector<std::size_t> wanted{3, 0, 1};
        const auto drafts = backend->drafts()->simulateDrafts(*exploration, wanted, 2, {});
        QVERIFY2(drafts.has_value(), drafts ? "" : drafts.error().text().c_str());
        QCOMPARE(drafts->size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QCOMPARE((*drafts)[i].draft, wanted[i]);
            QVERIFY2((*drafts)[i].problem.empty(), (*drafts)[i].problem.c_str());
            QVERIFY((*drafts)[i].cost.totalNs() > (*drafts)[i].timing->ns((*drafts)[i].timing->ticks));
        }
        const std::vector<std::size_t> none{exploration->drafts.size()};
        QCOMPARE(backend->drafts()->simulateDrafts(*exploration, none, 1, {}).error().code, ErrorCode::Usage);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(
            backend->drafts()->simulateDrafts(*exploration, wanted, 1, {stop.get_token(), {}}).error().code,
            ErrorCode::Cancelled);
    }

    void runsDraftsOnNumbers_data() { eachTarget(); }
    void runsDraftsOnNumbers() {
        QFETCH(QString, target);
        const BackendList backends = builtinBackends();
        const auto machine = targetOf(target.toStdString());
        const Backend* backend = backends.find(machine->backend).value();
        const CommandFacet& commands = *backend->commands();
        const auto exploration = backend->drafts()->exploreKernel(gemv(48, 64), machine, {}, {}).value();
        const Kernel& kernel = exploration->space->kernel();
        std::vector<std::vector<float>> tensors; // halves, which every type has
        std::vector<std::vector<double>> exact;
        for (const KernelTensor& tensor : kernel.tensors) {
            const auto elements = std::size_t(elementCount(tensor.shape).value());
            std::vector<float> numbers(tensor.role == TensorRole::Output ? 0 : elements);
            for (std::size_t i = 0; i < numbers.size(); ++i)
                numbers[i] = float(int(i * 7 % 5) - 2) / 2;
            exact.emplace_back(numbers.begin(), numbers.end());
            exact.back().resize(elements);
            tensors.push_back(std::move(numbers));
        }
        const auto truth = runKernel(kernel, exact).value();
        for (const std::size_t draft : {std::size_t(0), exploration->drafts.size() / 2}) {
            const auto found = commands.executeDraft(*exploration, draft, tensors, 1, {});
            QVERIFY2(found.has_value(), found ? "" : found.error().text().c_str());
            for (std::size_t i = 0; i < truth.back().size(); ++i)
                QVERIFY(std::abs(double(found->back()[i]) - truth.back()[i]) <= 0.25);
        }
        QCOMPARE(commands.executeDraft(*exploration, exploration->drafts.size(), tensors, 1, {}).error().code,
                 ErrorCode::Usage);
        const Kernel more = kernelOf("def more(x[64]: f16, W[48][64]: const f16, b[64]: f16):\n"
                                     "  y = DCC.Tensor.zero([48])\n  for i in range(48):\n"
                                     "    for k in range(64):\n      y[i] += W[i][k] * x[k] + b[k]\n");
        const auto priced = backend->drafts()->exploreKernel(more, machine, {}, {}).value();
        QCOMPARE(commands.executeDraft(*priced, 0, {}, 1, {}).error().code, ErrorCode::Unsupported);
    }

    void tracesWhatItTimes_data() { eachTarget(); }
    void tracesWhatItTimes() {
        QFETCH(QString, target);
        const Planned p(target);
        const OpId op = p.firstOnPim();
        const auto trace = p.backend->commands()->trace(*p.plan, op, {});
        QVERIFY2(trace.has_value(), trace ? "" : trace.error().text().c_str());
        const auto simulation = p.backend->simulate(*p.plan, {}).value();
        const SequenceTiming& timing = *simulation->ops[op.index()].timing;
        QCOMPARE((*trace)->op, p.plan->graph->op(op).name);
        QCOMPARE((*trace)->timing.ticks, timing.ticks);
        QCOMPARE((*trace)->timing.commands, timing.commands);
        std::int64_t all = 0;
        for (const std::int64_t count : timing.commands)
            all += count;
        QCOMPARE(std::ssize((*trace)->commands), all);
        QCOMPARE(p.backend->commands()->trace(*p.plan, OpId(0), {}).error().code,
                 ErrorCode::Unsupported); // a Gather, on the host
        QCOMPARE(p.backend->commands()->trace(*p.plan, OpId(100'000), {}).error().code, ErrorCode::NotFound);
    }

    void laysTensorsOut_data() { eachTarget(); }
    void laysTensorsOut() {
        QFETCH(QString, target);
        const Planned p(target);
        const auto layout = p.backend->commands()->layout(*p.plan, {});
        QVERIFY2(layout.has_value(), layout ? "" : layout.error().text().c_str());
        QVERIFY(layout->fits() && layout->rowsUsed > 0 && layout->rowsOfBank > 0);
        std::set<OpId> seen;
        std::int64_t keptEnd = 0;
        for (const LayoutRegion& region : layout->regions) {
            for (const OpId op : region.ops)
                QVERIFY(seen.insert(op).second);
            if (region.kept) {
                QCOMPARE(region.firstRow, keptEnd);
                keptEnd += region.rows;
            }
        }
        int resident = 0;
        for (const OpPlan& op : p.plan->ops) {
            QCOMPARE(seen.contains(op.op), !op.onHost());
            if (op.onHost())
                continue;
            const auto places = p.backend->commands()->places(*p.plan, op.op);
            QVERIFY2(places.has_value(), places ? "" : places.error().text().c_str());
            const OpPlaces& where = **places;
            const LayoutRegion* region = layout->regionOf(op.op);
            QCOMPARE(where.firstRow, region->firstRow);
            QCOMPARE(where.rows, region->rows);
            QVERIFY(region->kept || region->firstRow >= keptEnd);
            for (std::size_t t = 0; t < where.tensors.size(); ++t) {
                if (where.tensors[t].residency != Residency::Resident)
                    continue;
                ++resident;
                std::set<PimPlace> taken;
                const std::int64_t elements = elementCount(where.tensors[t].shape).value();
                for (std::int64_t e = 0; e < elements; e += 7) {
                    const auto copies = where.of(static_cast<int>(t), e);
                    QVERIFY2(!copies.empty(), "what stays lies in the banks");
                    for (const PimPlace& place : copies) {
                        QVERIFY2(taken.insert(place).second, "two elements in one place");
                        QVERIFY(place.row >= 0 && place.row < where.rows && place.bank >= 0 &&
                                place.bank < where.device->bankCount());
                        QVERIFY(place.group >= 0 && place.group < where.groups);
                    }
                }
            }
        }
        QVERIFY(resident > 0);
    }

    void saysWhereAnElementLies() {
        QCOMPARE(elementOf({4, 5}, {2, 3}).value(), 13);
        QCOMPARE(elementOf({4, 5}, {2, 5}).error().code, ErrorCode::Usage);
        QCOMPARE(elementOf({4, 5}, {2}).error().code, ErrorCode::Usage);
        const Planned p("attacc");
        const auto places = p.backend->commands()->places(*p.plan, p.firstOnPim()).value();
        PimPlace place{17, 37, 4, 5,
                       6}; // 64 banks of 2 pseudo-channels, 2 ranks, 4 groups of 4; 16 channels a stack
        const std::string text = placeText(*places, place);
        QVERIFY2(text.starts_with("stack 1, channel 1, "), text.c_str());
        QVERIFY2(text.ends_with("bank group 1, bank 1, row " + std::to_string(places->firstRow + 4) +
                                ", column 5, lane 6"),
                 text.c_str());
    }

    void computesWhatTheNetworkSays_data() { eachTarget(); }
    void computesWhatTheNetworkSays() {
        QFETCH(QString, target);
        const Planned p(target);
        const auto report = checkNumbers(*p.backend->commands(), *p.plan, {.seed = 5});
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        for (const NumericOp& op : report->ops)
            QVERIFY2(op.compared && op.difference.ok(), (op.name + ": " + op.note).c_str());
        QVERIFY(report->ok());
    }

    void streamsHostMemory() {
        const auto target = targetOf("attacc");
        const auto streams = dram::HostStreams::create(*target).value();
        QCOMPARE(streams->device().name, std::string("HBM3"));
        const double peak = dram::peakBytesPerNs(streams->device());
        QVERIFY2(std::abs(peak - 51.28) < 0.01,
                 qPrintable(QString::number(peak))); // 32 B every 2 ticks of 312 ps
        QCOMPARE(streams->channels(), std::llround(target->host.memoryBytesPerNs / peak));
        QCOMPARE(streams->ns({0, 0, 0, false}, {}).value(), 0.0);

        const double short1 = streams->ns({64, 0, 0, false}, {}).value();
        QVERIFY2(short1 > 20 && short1 < 100, "the latency of one access");
        const std::int64_t bytes = 64 << 20;
        const double read = streams->ns({bytes, 0, 0, false}, {}).value(),
                     write = streams->ns({bytes, 0, 0, true}, {}).value();
        const double best = double(bytes) / (peak * double(streams->channels()));
        QVERIFY2(read >= best && read < 1.5 * best,
                 qPrintable(QString("%1 ns, %2 at best").arg(read).arg(best)));
        QVERIFY(write >= best && write < 2 * best);
        const double scattered = streams->ns({bytes, 32, 64 << 10, false}, {}).value();
        QVERIFY2(scattered > 1.5 * read, "single accesses in rows of their own");
    }

    void prolongsLongStreamsWithinAPercent() {
        const auto streams = dram::HostStreams::create(*targetOf("attacc")).value();
        const std::int64_t simulated = dram::HostStreams::kSimulated * 32 * streams->channels();
        // A stream four times as long as what is simulated, against four that are as long.
        const double four = streams->ns({4 * simulated, 0, 0, false}, {}).value();
        const double one = streams->ns({simulated, 0, 0, false}, {}).value();
        QVERIFY2(std::abs(four / (4 * one) - 1) < 0.01,
                 qPrintable(QString("%1 and 4 * %2").arg(four).arg(one)));
    }

    void stopsWhenAsked() {
        const Planned p("attacc");
        std::stop_source stop;
        stop.request_stop();
        const auto result = p.backend->simulate(*p.plan, {stop.get_token(), {}});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestSimulate)
#include "tst_backends_simulate.moc"
