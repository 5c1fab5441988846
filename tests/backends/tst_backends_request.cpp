// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Requests to a small language model, written by the zoo, on real machines.
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <string>

#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/compile/request.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

using namespace pim;

namespace {

std::shared_ptr<const ImportedModel> fromZoo(const QTemporaryDir& folder, const std::string& name) {
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / (name + ".onnx");
    ZooOptions options;
    options.weights = false;
    if (!writeZooModel(name, file, options))
        return nullptr;
    return importModel(file).value();
}

double sumOf(const RequestPhase& phase) {
    double sum = 0;
    for (const auto& [op, ns] : phase.byOpNs)
        sum += ns;
    return sum;
}

} // namespace

class TestBackendsRequest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        m_model.decode = fromZoo(m_folder, "tiny-gpt-decode");
        m_model.prefill = fromZoo(m_folder, "tiny-gpt-prefill");
        QVERIFY(m_model.decode && m_model.prefill);
        m_backends = builtinBackends();
        m_catalog = std::make_unique<TargetCatalog>(TargetCatalog::load({}));
    }

    void linesBetweenLengthsAreCloseToEveryLength_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("attacc") << "attacc";
        QTest::newRow("hbm-pim") << "hbm-pim";
    }
    void linesBetweenLengthsAreCloseToEveryLength() {
        QFETCH(const QString, target);
        const PlanRequest request = requestFor(target.toStdString());
        const RequestSize size{2, 16, 49};
        const auto every = timeRequest(m_backends, m_model, size, request, {true, 1000});
        QVERIFY2(every.has_value(), every ? "" : every.error().text().c_str());
        QCOMPARE(every->lengths.size(), std::size_t{48});
        QCOMPARE(every->lengths.front().first, 16);
        QCOMPARE(every->lengths.back().first, 63);
        QCOMPARE(every->offBy, 0.0);
        double sum = 0;
        for (const auto& [length, phase] : every->lengths)
            sum += phase.cost.totalNs();
        QVERIFY(std::abs(sum - every->steps.cost.totalNs()) < 1e-6 * sum);
        const auto some = timeRequest(m_backends, m_model, size, request, {true, 5});
        QVERIFY(some.has_value());
        QCOMPARE(some->lengths.size(), std::size_t{5});
        const double off = std::abs(some->steps.cost.totalNs() - sum) / sum;
        QVERIFY2(off < 0.02, std::to_string(off).c_str());
        QVERIFY(every->totalNs() > every->steps.cost.totalNs()); // the prompt is counted
    }

    void partsByOpAddUp() {
        const auto time = timeRequest(m_backends, m_model, {1, 8, 20}, requestFor("attacc"));
        QVERIFY(time.has_value());
        QVERIFY(std::abs(sumOf(time->steps) - time->steps.cost.totalNs()) <
                1e-6 * time->steps.cost.totalNs());
        QVERIFY(std::abs(sumOf(time->prefill) - time->prefill.cost.totalNs()) <
                1e-6 * time->prefill.cost.totalNs());
        QVERIFY(time->origin == Origin::Simulated);
    }

    void oneTokenIsThePrefillAlone() {
        const auto time = timeRequest(m_backends, m_model, {1, 8, 1}, requestFor("attacc"));
        QVERIFY(time.has_value());
        QVERIFY(time->lengths.empty());
        QCOMPARE(time->totalNs(), time->prefill.cost.totalNs());
        QCOMPARE(time->stepNs(), 0.0);
    }

    void withoutAPrefillThePromptIsNotCounted() {
        const auto time = timeRequest(m_backends, {m_model.decode, nullptr}, {1, 8, 3}, requestFor("attacc"));
        QVERIFY(time.has_value());
        QCOMPARE(time->prefill.cost.totalNs(), 0.0);
        QCOMPARE(time->totalNs(), time->steps.cost.totalNs());
    }

    void refusesWhatCannotBe() {
        const PlanRequest request = requestFor("attacc");
        for (const RequestSize size : {RequestSize{0, 8, 8}, RequestSize{1, 0, 8}, RequestSize{1, 8, -1}}) {
            const auto time = timeRequest(m_backends, m_model, size, request);
            QVERIFY(!time);
            QVERIFY(time.error().code == ErrorCode::Usage);
        }
        QVERIFY(!timeRequest(m_backends, m_model, {1, 8, 8}, request, {true, 1}));
        RequestModel odd = m_model;
        odd.past = "tokens";
        const auto time = timeRequest(m_backends, odd, {1, 8, 8}, request);
        QVERIFY(!time);
        QVERIFY2(time.error().text().find("tokens") != std::string::npos, time.error().text().c_str());
    }

    void canBeStopped() {
        std::stop_source source;
        source.request_stop();
        const auto time =
            timeRequest(m_backends, m_model, {1, 8, 8}, requestFor("attacc"), {}, {source.get_token(), {}});
        QVERIFY(!time);
        QVERIFY(time.error().code == ErrorCode::Cancelled);
    }

private:
    PlanRequest requestFor(const std::string& target) const {
        PlanRequest request;
        request.target = m_catalog->find(target).value();
        return request;
    }

    QTemporaryDir m_folder;
    RequestModel m_model;
    BackendList m_backends;
    std::unique_ptr<TargetCatalog> m_catalog;
};

QTEST_GUILESS_MAIN(TestBackendsRequest)
#include "tst_backends_request.moc"
