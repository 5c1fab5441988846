// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Networks that nobody drew give the numbers of ONNX Runtime: a golden file of them, and as many more as PIM_RANDOM_NETWORKS says, from
/// the seed PIM_RANDOM_FIRST on, where it is installed. That machines compute what the reference does is what tst_backends_random asks.
#include "core/graph/import.h"
#include "core/numeric/real_run.h"
#include "tests/backends/random_network.h"
#include "tests/support/onnx_runtime.h"

#include <QTest>

using namespace pim;
using nlohmann::json;

namespace {

constexpr int kGolden = 12;

int numberFrom(const char* variable, int fallback) {
    return qEnvironmentVariableIsSet(variable) ? qEnvironmentVariableIntValue(variable) : fallback;
}

} // namespace

class TestRandomNumbers : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    struct Network {
        std::shared_ptr<const Graph> graph;
        test::ModelCase given;
    };
    Result<Network> network(int seed, const GraphOptions& options = {}) {
        const std::filesystem::path file =
            m_folder.filePath(QStringLiteral("%1.onnx").arg(seed)).toStdString();
        test::saveRandomNetwork(std::uint64_t(seed), file);
        Network made;
        PIM_TRY(made.graph, loadGraph(file, options));
        std::ifstream in(file, std::ios::binary);
        made.given = {
            "network " + std::to_string(seed), std::string(std::istreambuf_iterator<char>(in), {}), {}};
        PIM_TRY(const auto usual, loadGraph(file)); // inputs go by its tensors, whatever the options are
        PIM_TRY(auto inputs, sampleInputs(*usual, std::uint64_t(seed)));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            made.given.inputs.emplace_back(made.graph->tensor(made.graph->inputs[i]).name,
                                           std::move(inputs[i]));
        return made;
    }

    /// Sums in another order, and functions by other approximations, in single precision: each of up to 60 ops adds some 1e-6 of the
    /// largest number of its result, and norms of nearly equal numbers make that larger. Of 2500 networks one is beyond 1e-4.
    static QString difference(const Network& network, const json& expected) {
        constexpr double kRelative = 5e-4;
        constexpr double kCancelled = 1e-6; // what is left where equal numbers are taken from each other
        std::vector<Value> inputs;
        for (const auto& [name, value] : network.given.inputs)
            inputs.push_back(value);
        const auto run = runReal(*network.graph, inputs, {}, 1);
        if (!run)
            return QString::fromStdString(run.error().text());
        if (!expected.is_array() || run->size() != expected.size())
            return "ONNX Runtime cannot run it";
        for (std::size_t i = 0; i < run->size(); ++i) {
            const auto ours = realsOf(*(*run)[i].bytes, (*run)[i].dtype);
            const json& data = expected[i]["data"];
            if ((*run)[i].shape != expected[i]["dims"].get<Shape>() || ours.size() != data.size())
                return QStringLiteral("result %1 has another shape").arg(i);
            double largest = 0;
            for (const json& value : data)
                largest = std::max(largest, std::abs(test::numberOf(value)));
            for (std::size_t k = 0; k < ours.size(); ++k)
                if (!(std::abs(ours[k] - test::numberOf(data[k])) <= kRelative * largest + kCancelled))
                    return QStringLiteral("result %1, element %2: %3, ONNX Runtime %4; the largest is %5")
                        .arg(i)
                        .arg(k)
                        .arg(ours[k])
                        .arg(test::numberOf(data[k]))
                        .arg(largest);
        }
        return {};
    }

private slots:
    void areThoseOfTheGoldenFile() {
        const json golden = test::goldenNumbers("random_networks.json");
        QCOMPARE(golden.size(), std::size_t(kGolden));
        GraphOptions plain;
        for (const PassRecord& pass : graphPasses())
            plain.disabledPasses.insert(pass.name);
        for (int seed = 1; seed <= kGolden; ++seed)
            for (const GraphOptions& options : {GraphOptions(), plain}) {
                const auto made = network(seed, options);
                QVERIFY2(made, made ? "" : made.error().text().c_str());
                const QString problem = difference(*made, golden[made->given.name]);
                QVERIFY2(problem.isEmpty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) + problem));
            }
    }

    void areThoseOfOnnxRuntime() {
        const QString folder = test::onnxRuntimeFolder();
        if (folder.isEmpty())
            QSKIP(test::kNoOnnxRuntime);
        const int first = numberFrom("PIM_RANDOM_FIRST", 1),
                  count = numberFrom("PIM_RANDOM_NETWORKS", kGolden);
        constexpr int kAtOnce = 200;
        for (int start = first; start < first + count; start += kAtOnce) {
            std::vector<Network> networks;
            std::vector<test::ModelCase> cases;
            for (int seed = start; seed < std::min(start + kAtOnce, first + count); ++seed) {
                auto made = network(seed);
                QVERIFY2(made, made ? "" : made.error().text().c_str());
                cases.push_back(made->given);
                networks.push_back(std::move(*made));
            }
            const json said = test::askOnnxRuntime(folder, cases);
            QCOMPARE(said.size(), cases.size());
            for (const Network& one : networks) {
                const QString problem = difference(one, said[one.given.name]);
                QVERIFY2(problem.isEmpty(),
                         qPrintable(QString::fromStdString(one.given.name) + ": " + problem));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestRandomNumbers)
#include "tst_backends_random_numbers.moc"
