// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Networks that nobody drew, on a machine of every family: what backends promise holds for them, or they are refused in words;
/// the order of ops that do not depend on each other changes nothing; and where each op is decided for itself, faster parts and more
/// of them never make a plan slower. PIM_RANDOM_NETWORKS says how many, PIM_RANDOM_FIRST the first seed.
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/compile/what_if.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/plan/report_facet.h"
#include "tests/backends/contract.h"
#include "tests/backends/random_network.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace pim;
using namespace pim::test;

namespace {

/// Seeds beyond the usual ones that found something.
constexpr int kOnceBroken[] = {1067, 2041, 60689};

} // namespace

class TestRandom : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    QTemporaryDir m_folder;
    const int m_networks = qEnvironmentVariableIsSet("PIM_RANDOM_NETWORKS")
                               ? qEnvironmentVariableIntValue("PIM_RANDOM_NETWORKS")
                               : 100;
    const int m_first =
        qEnvironmentVariableIsSet("PIM_RANDOM_FIRST") ? qEnvironmentVariableIntValue("PIM_RANDOM_FIRST") : 1;
    std::map<std::string, std::vector<std::shared_ptr<const Target>>> m_families; ///< By backend.

    std::shared_ptr<const Graph> network(int seed, std::uint64_t order = 0) {
        const std::filesystem::path file = m_folder.filePath("network.onnx").toStdString();
        saveRandomNetwork(std::uint64_t(seed), file, order);
        const auto graph = loadGraph(file);
        if (!graph) {
            qWarning("network %d: %s", seed, graph.error().text().c_str());
            return nullptr;
        }
        return *graph;
    }
    /// Quick searches; what is found is checked, not how good it is.
    static CompileOptions quick(const std::string& backend) {
        CompileOptions options;
        options.tiling.walkLimit = 100;
        if (backend == "crossbar")
            options.family[backend] = {{"strategy", "search"}, {"evaluations", "4"}};
        return options;
    }
    /// Another of its targets each time.
    static const std::shared_ptr<const Target>&
    turn(const std::vector<std::shared_ptr<const Target>>& targets, int seed) {
        return targets[std::size_t(seed) % targets.size()];
    }
    static bool near(double a, double b) {
        return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
    }

private slots:
    void initTestCase() {
        for (const auto& target : m_catalog.targets())
            m_families[target->backend].push_back(target);
        QVERIFY(m_families.size() >= 6);
    }

    void cleanup() {
        if (!QTest::currentTestFailed())
            return;
        m_folder.setAutoRemove(false);
        qInfo("the network is %s", qPrintable(m_folder.filePath("network.onnx")));
    }

    void keepsEveryPromise() {
        std::map<std::string, int> kept, refused;
        std::map<std::string, int> opTypes;
        std::vector<int> seeds(std::begin(kOnceBroken), std::end(kOnceBroken));
        for (int seed = m_first; seed < m_first + m_networks; ++seed)
            seeds.push_back(seed);
        for (const int seed : seeds) {
            const auto graph = network(seed);
            QVERIFY2(graph, qPrintable(QStringLiteral("seed %1").arg(seed)));
            for (const Op& op : graph->ops)
                ++opTypes[op.type];
            for (const auto& [backend, targets] : m_families) {
                const auto& target = turn(targets, seed);
                const QByteArray which = QStringLiteral("seed %1 on %2: ")
                                             .arg(seed)
                                             .arg(QString::fromStdString(target->id))
                                             .toUtf8();
                const auto plan = compile(m_backends, {graph, target, {}, quick(backend)});
                if (!plan) {
                    QVERIFY2(plan.error().code != ErrorCode::Internal && !plan.error().message.empty(),
                             (which + plan.error().text().c_str()).constData());
                    ++refused[backend];
                    continue;
                }
                const QString broken = brokenPromise(m_backends, target, graph, quick(backend));
                QVERIFY2(broken.isEmpty(), (which + broken.toUtf8()).constData());
                ++kept[backend];
            }
        }
        QString types;
        for (const auto& [type, count] : opTypes)
            types += QStringLiteral(" %1 %2").arg(QString::fromStdString(type)).arg(count);
        qInfo("%d networks:%s", m_networks, qPrintable(types));
        for (const auto& [backend, targets] : m_families) {
            qInfo("%s: %d keep every promise, %d are refused in words", backend.c_str(), kept[backend],
                  refused[backend]);
            QVERIFY2(kept[backend] > refused[backend] || m_networks < 20, backend.c_str());
        }
    }

    void orderOfUnrelatedOpsChangesNothing() {
        std::map<std::string, int> compared;
        for (int seed = m_first; seed < m_first + m_networks; seed += 4) {
            const auto graph = network(seed), other = network(seed, std::uint64_t(seed) + 1);
            QVERIFY(graph && other);
            for (const auto& [backend, targets] : m_families) {
                const auto& target = turn(targets, seed / 4);
                const auto one = compile(m_backends, {graph, target, {}, quick(backend)}),
                           two = compile(m_backends, {other, target, {}, quick(backend)});
                const QByteArray which = QStringLiteral("seed %1 on %2")
                                             .arg(seed)
                                             .arg(QString::fromStdString(target->id))
                                             .toUtf8();
                QVERIFY2(one.has_value() == two.has_value(), which.constData());
                if (!one)
                    continue;
                QVERIFY2(near((*one)->hostOnlyNs, (*two)->hostOnlyNs), which.constData());
                if (!(*one)->detail) // else planned as a whole: a chip's segments follow the order
                    QVERIFY2(near((*one)->total.totalNs(), (*two)->total.totalNs()),
                             which + QStringLiteral(": %1 ns, %2 ns")
                                         .arg((*one)->total.totalNs(), 0, 'g', 17)
                                         .arg((*two)->total.totalNs(), 0, 'g', 17)
                                         .toUtf8());
                ++compared[backend];
            }
        }
        QVERIFY(compared.size() >= 5);
    }

    /// Twice the devices can be left alone: a plan that is worse on them was not looked for well.
    void moreDevicesAreNeverWorse() {
        std::vector<std::shared_ptr<const Graph>> graphs;
        for (int seed = m_first; seed < m_first + m_networks; seed += 16)
            graphs.push_back(network(seed));
        // These are small, and their ops stay on the host; here they go to the memory.
        graphs.push_back(loadGraph(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx").value());
        std::map<std::string, int> better;
        for (std::size_t i = 0; i < graphs.size(); ++i)
            for (const auto& [backend, targets] : m_families) {
                QVERIFY(graphs[i]);
                if (!m_backends.find(backend).value()->drafts())
                    continue; // planned as a whole, by search
                const auto& target = turn(targets, static_cast<int>(i));
                const auto now = compile(m_backends, {graphs[i], target, {}, {}});
                if (!now)
                    continue;
                const auto more = std::make_shared<Target>(*target);
                more->levels.front().count *= 2;
                const auto then = compile(m_backends, {graphs[i], more, {}, {}});
                QVERIFY2(then, then ? "" : then.error().text().c_str());
                QVERIFY2((*then)->total.totalNs() <= (*now)->total.totalNs() * (1 + 1e-9),
                         qPrintable(QStringLiteral("graph %1 on two of %2: %3 ns, %4 ns on one")
                                        .arg(i)
                                        .arg(QString::fromStdString(target->id))
                                        .arg((*then)->total.totalNs())
                                        .arg((*now)->total.totalNs())));
                better[backend] += (*then)->total.totalNs() < (*now)->total.totalNs();
            }
        QVERIFY(std::ranges::count_if(better, [](const auto& one) { return one.second > 0; }) >= 2);
    }

    void fasterPartsNeverMakeAPlanSlower() {
        int compared = 0;
        for (int seed = m_first; seed < m_first + m_networks; seed += 8) {
            const auto graph = network(seed);
            QVERIFY(graph);
            for (const auto& [backend, targets] : m_families) {
                const auto& target = turn(targets, seed / 8);
                const auto now = compile(m_backends, {graph, target, {}, quick(backend)});
                if (!now || (*now)->detail)
                    continue;
                const ReportFacet* const sections = m_backends.find(backend).value()->reportSections();
                if (!sections)
                    continue;
                for (const SpeedUp& change : sections->speedUps(*target)) {
                    const auto faster = changedTarget(*target, change, 2);
                    QVERIFY2(faster, faster ? "" : faster.error().text().c_str());
                    const auto then = compile(m_backends, {graph, *faster, {}, quick(backend)});
                    QVERIFY2(then, then ? "" : then.error().text().c_str());
                    QVERIFY2((*then)->total.totalNs() <= (*now)->total.totalNs() * (1 + 1e-9),
                             qPrintable(QStringLiteral("seed %1 on %2, %3 twice as fast: %4 ns, %5 ns before")
                                            .arg(seed)
                                            .arg(QString::fromStdString(target->id),
                                                 QString::fromStdString(change.resource))
                                            .arg((*then)->total.totalNs())
                                            .arg((*now)->total.totalNs())));
                    ++compared;
                }
            }
        }
        qInfo("%d plans on faster machines", compared);
        QVERIFY(compared > 0);
    }
};

QTEST_GUILESS_MAIN(TestRandom)
#include "tst_backends_random.moc"
