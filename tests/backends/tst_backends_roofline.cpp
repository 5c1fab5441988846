// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Rooflines of machines of every family: ceilings are what the target says, computed by hand; no op is above any of its roofs; what ops
/// moved is what the run moved.
#include "backends/builtin.h"
#include "backends/crossbar/plan/plan.h"
#include "backends/host/roofline_host.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/plan/report_facet.h"
#include "tests/backends/random_network.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace pim;

class TestRoofline : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    QTemporaryDir m_folder;

    struct Simulated {
        std::shared_ptr<const Plan> plan;
        std::shared_ptr<const Simulation> simulation;
        Roofline roofline;
    };

    static CompileOptions quick(const std::string& backend) {
        CompileOptions options;
        options.tiling.walkLimit = 100;
        if (backend == "crossbar")
            options.family[backend] = {{"strategy", "search"}, {"evaluations", "4"}};
        return options;
    }

    static bool isOpwise(const std::string& backend) {
        return backend != "crossbar" && backend != "dual_mode";
    }

    /// Nothing: it cannot be planned or simulated. \param error otherwise empty; why there is no roofline of it.
    std::optional<Simulated> simulated(const std::shared_ptr<const Graph>& graph,
                                       const std::shared_ptr<const Target>& target, CompileOptions options,
                                       QByteArray& error) const {
        Overrides overrides; // small networks would stay on the host
        if (isOpwise(target->backend))
            overrides.set({"", "placement", "pim"});
        const auto plan = compile(m_backends, {graph, target, overrides, std::move(options)});
        if (!plan)
            return {};
        const Backend* const backend = *m_backends.find(target->backend);
        const auto simulation = backend->simulate(**plan, {});
        if (!simulation)
            return {};
        const auto roofline = backend->reportSections()->roofline(**plan, **simulation);
        if (!roofline) {
            error = QByteArray::fromStdString(roofline.error().text());
            return {};
        }
        return Simulated{*plan, *simulation, *roofline};
    }

    std::shared_ptr<const Graph> tinyGpt() const {
        const auto graph = loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx",
                                     {.bindings = {{"batch", 1}, {"past", 16}}});
        return graph ? *graph : nullptr;
    }

    /// Empty: every op is below all that it asked for, and numbers fit together.
    static QByteArray wrongOf(const Simulated& made) {
        const Roofline& roofline = made.roofline;
        const auto wrong = [&](const OpUnderRoof& op, const QString& what) {
            return QStringLiteral("%1, %2: %3")
                .arg(QString::fromStdString(made.plan->target->id),
                     QString::fromStdString(made.plan->graph->op(op.op).name), what)
                .toUtf8();
        };
        constexpr double kRounding = 1 + 1e-6; // spans are kept in single precision
        for (const Ceiling& ceiling : roofline.ceilings)
            if (!(ceiling.perNs > 0) || !std::isfinite(ceiling.perNs) || ceiling.because.empty())
                return QByteArray::fromStdString("ceiling " + ceiling.name);
        OpId before;
        for (const OpUnderRoof& op : roofline.ops) {
            if (op.amounts.size() != roofline.ceilings.size() || !(op.ns > 0) || op.operations < 0)
                return wrong(op, QStringLiteral("sizes"));
            if (before.valid() && before.index() >= op.op.index())
                return wrong(op, QStringLiteral("order"));
            before = op.op;
            for (std::size_t c = 0; c < roofline.ceilings.size(); ++c)
                if (!(op.amounts[c] >= 0) || roofline.atLeastNs(op, c) > op.ns * kRounding)
                    return wrong(op, QStringLiteral("%1 needs %2 ns, it took %3")
                                         .arg(QString::fromStdString(roofline.ceilings[c].name))
                                         .arg(roofline.atLeastNs(op, c))
                                         .arg(op.ns));
            const int lowest = roofline.lowestRoof(op);
            if (op.operations > 0 && lowest < 0)
                return wrong(op, QStringLiteral("it computes without a roof"));
            if (lowest < 0)
                continue;
            const double speed = Roofline::speedOf(op);
            if (speed > roofline.roofOf(op) * kRounding)
                return wrong(op, QStringLiteral("above its roof"));
            // As it is drawn: below the line of the memory it is drawn over, and below that of its arithmetic.
            if (const int memory = roofline.memoryOf(op);
                memory >= 0 &&
                speed > roofline.intensityOf(op) * roofline.ceilings[std::size_t(memory)].perNs * kRounding)
                return wrong(op, QStringLiteral("above the line of its memory"));
            if (sentenceOf(roofline, op).find(roofline.ceilings[std::size_t(lowest)].name) ==
                std::string::npos)
                return wrong(op, QStringLiteral("a sentence without its lowest roof"));
        }
        return {};
    }

    double ceiling(const Roofline& roofline, const char* name) const {
        for (const Ceiling& ceiling : roofline.ceilings)
            if (ceiling.name == name)
                return ceiling.perNs;
        return 0;
    }

private slots:
    void ceilingsAreThoseOfTheTarget_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("perNs");
        // Figures of resources/targets, multiplied out.
        QTest::newRow("attacc") << "GEMV units" << 2.0 * 16 * 5120 / (6 * 0.769); // 6 cycles: the power limit
        QTest::newRow("attacc") << "banks" << 10.403 * 5120;
        QTest::newRow("attacc") << "pseudo-channel buses" << 41.6 * 80;
        QTest::newRow("hbm-pim") << "SIMD FPUs" << 2.0 * 16 * 512 / 4;
        QTest::newRow("hbm-pim") << "banks" << 8.0 * 512;
        QTest::newRow("hbm-pim") << "pseudo-channel buses" << 16.0 * 64;
        QTest::newRow("hbm-pim") << "host arithmetic in f16" << 312e3;
        QTest::newRow("hbm-pim-hbm3") << "SIMD FPUs" << 2.0 * 16 * 2560 / (4 * 0.769);
        QTest::newRow("hbm-pim-hbm3") << "banks" << 10.403 * 2560;
        QTest::newRow("aim") << "processing units" << 2.0 * 16 * 256 / (2 * 0.5);
        QTest::newRow("aim") << "banks" << 32.0 * 256;
        QTest::newRow("aim") << "channel buses" << 32.0 * 16;
        QTest::newRow("upmem-20") << "DPU pipelines" << 2560 / 2.857143;
        QTest::newRow("upmem-20") << "MRAM" << 2 * 2560 / 2.857143;
        QTest::newRow("upmem-20") << "link to the DPUs" << 80.16;
        QTest::newRow("upmem-20") << "host memory" << 204.8;
        QTest::newRow("dynaplasia") << "computing arrays" << 2.0 * 96 * 320 * 40 / (100 * 4);
        QTest::newRow("dynaplasia") << "arrays as memory" << 96 * 4.0 / 4;
        QTest::newRow("dynaplasia") << "main memory bus" << 32.0 / 4;
        QTest::newRow("dynaplasia") << "vector unit" << 32.0 / 4;
        QTest::newRow("pcm-64") << "crossbars" << 2.0 * 512 * 256 * 256 / 133;
        QTest::newRow("pcm-64") << "vector units" << 512 * 2 * 64.0 / 2;
        QTest::newRow("pcm-64") << "global memory" << 8 * 64.0;
        QTest::newRow("pcm-64") << "local memories" << 2 * 512 * 32.0;
        QTest::newRow("pcm-64") << "links of the mesh" << 8 * (4.0 * 8 * 7) * 16;
        QTest::newRow("pcm-64") << "links between chips" << 2.0 * (3 * 2 + 4 * 1) * 6.4;
    }

    void ceilingsAreThoseOfTheTarget() {
        QFETCH(QString, name);
        QFETCH(double, perNs);
        const std::string id = QTest::currentDataTag();
        const auto target = m_catalog.find(id);
        QVERIFY(target);
        QByteArray error;
        static std::map<std::string, Roofline> known;
        if (!known.contains(id)) {
            const auto made = simulated(tinyGpt(), *target, quick((*target)->backend), error);
            QVERIFY2(made, error.constData());
            known[id] = made->roofline;
        }
        const double found = ceiling(known[id], name.toUtf8().constData());
        QVERIFY2(std::abs(found / perNs - 1) < 1e-3, // clocks of devices are whole picoseconds
                 qPrintable(QStringLiteral("%1 is %2, by hand %3").arg(name).arg(found).arg(perNs)));
    }

    /// Every machine there is, a network with attention, one with convolutions that nobody drew.
    void noOpIsAboveItsRoof() {
        std::vector<std::shared_ptr<const Graph>> graphs{tinyGpt()};
        QVERIFY(graphs.front());
        for (int seed = 1; seed <= 6; ++seed) {
            const std::filesystem::path file = m_folder.filePath("network.onnx").toStdString();
            test::saveRandomNetwork(std::uint64_t(seed), file, 0);
            const auto graph = loadGraph(file);
            QVERIFY(graph);
            graphs.push_back(*graph);
        }
        std::map<std::string, int> ops, onHost;
        for (const auto& target : m_catalog.targets())
            for (std::size_t g = 0; g < graphs.size(); ++g) {
                QByteArray error;
                const auto made = simulated(graphs[g], target, quick(target->backend), error);
                QVERIFY2(error.isEmpty(), error.constData());
                if (!made)
                    continue;
                const QByteArray wrong = wrongOf(*made);
                QVERIFY2(wrong.isEmpty(), wrong.constData());
                for (const OpUnderRoof& op : made->roofline.ops)
                    ++(op.onHost ? onHost : ops)[target->backend];
            }
        for (const auto& backend : m_backends.all()) {
            const std::string id(backend->id());
            qInfo("%s: %d ops on the machine, %d on the host", id.c_str(), ops[id], onHost[id]);
            QVERIFY2(ops[id] > 10, id.c_str());
        }
    }

    /// All work of DRAM with units is in the picture, and takes the time of the whole.
    void timesAreThoseOfTheRun() {
        for (const char* const id : {"hbm-pim", "aim", "attacc", "upmem-20"}) {
            const auto target = *m_catalog.find(id);
            QByteArray error;
            const auto made = simulated(tinyGpt(), target, quick(target->backend), error);
            QVERIFY2(made, error.constData());
            double ns = 0;
            for (const OpUnderRoof& op : made->roofline.ops)
                ns += op.ns;
            QVERIFY2(std::abs(ns / made->simulation->totalNs - 1) < 1e-9, id);
        }
    }

    /// Matrix times vector out of the banks: each weight is read once, in bursts that hold nothing else.
    void banksDeliverEachWeightOnce() {
        const auto target = *m_catalog.find("hbm-pim");
        QByteArray error;
        const auto made = simulated(tinyGpt(), target, quick(target->backend), error);
        QVERIFY2(made, error.constData());
        int looked = 0;
        for (const OpUnderRoof& op : made->roofline.ops) {
            const Op& of = made->plan->graph->op(op.op);
            if (op.onHost || of.work.macs == 0 || of.work.weightBytes == 0)
                continue;
            QCOMPARE(op.operations, 2.0 * double(of.work.macs));
            std::size_t banks = 0;
            while (made->roofline.ceilings[banks].name != "banks")
                ++banks;
            QVERIFY2(op.amounts[banks] >= 2.0 * double(of.work.macs),
                     of.name.c_str()); // 2 bytes a weight in f16
            ++looked;
        }
        QVERIFY(looked > 4);
    }

    /// What passed the memories of a crossbar chip is shared out to its layers without a rest.
    void layersOfACrossbarChipMoveAllOfItsBytes() {
        for (const char* const id : {"isaac", "puma"}) {
            const auto target = *m_catalog.find(id);
            QByteArray error;
            const auto made = simulated(tinyGpt(), target, quick(target->backend), error);
            QVERIFY2(made, error.constData());
            const auto* const detail = dynamic_cast<const CrossbarPlan*>(made->plan->detail.get());
            QVERIFY(detail);
            const CrossbarProfile& profile = *detail->profile;
            std::int64_t network = 0, loads = 0, stores = 0, global = 0;
            for (const LayerProfile& layer : profile.layers) {
                network += layer.networkByteHops;
                loads += layer.loadBytes;
                stores += layer.storeBytes;
                global += layer.globalBytes;
            }
            QCOMPARE(network, profile.networkByteHops);
            QCOMPARE(loads, profile.loadBytes);
            QCOMPARE(stores, profile.storeBytes);
            QVERIFY(global >= loads + stores && global > 0);
            double operations = 0, macs = 0;
            for (const OpUnderRoof& op : made->roofline.ops)
                operations += op.onHost || made->plan->graph->op(op.op).work.macs == 0 ? 0 : op.operations;
            for (const OpPlan& op : made->plan->ops)
                macs += op.onHost() ? 0 : double(made->plan->graph->op(op.op).work.macs);
            QCOMPARE(operations, 2 * macs);
        }
    }

    /// The host's own model: arithmetic, bytes and peak of a product, by hand.
    void hostOpsCountAsTheModelDoes() {
        const auto graph = tinyGpt();
        const auto target = *m_catalog.find("attacc");
        const RooflineHost model;
        int products = 0;
        for (std::size_t i = 0; i < graph->ops.size(); ++i) {
            const Op& op = graph->ops[i];
            const HostCost cost = model.cost(*graph, OpId(std::int64_t(i)), target->host, DataType::F16);
            if (!cost.known)
                continue;
            QVERIFY2(cost.operationsPerNs * cost.ns >= cost.operations * (1 - 1e-9), op.name.c_str());
            QVERIFY2(target->host.memoryBytesPerNs * cost.ns >= cost.memoryBytes * (1 - 1e-9),
                     op.name.c_str());
            if (op.opClass != OpClass::MatMul)
                continue;
            ++products;
            QCOMPARE(cost.operations, 2.0 * double(op.work.macs));
            QCOMPARE(cost.operationsPerNs, target->host.peakFlopsPerNs.at(DataType::F16));
        }
        QVERIFY(products > 0);
    }
};

QTEST_GUILESS_MAIN(TestRoofline)
#include "tst_backends_roofline.moc"
