// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Networks on the user's own inputs from the command line, on machines of every family: digits that somebody wrote and PyTorch
/// recognised, tensors that are kept, and what is said of inputs that do not fit.
#include "core/graph/import.h"
#include "core/numeric/difference.h"
#include "core/numeric/npy.h"
#include "core/numeric/real_run.h"
#include "tests/core_graph/onnx_builder.h"
#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <limits>

using namespace pim;
using namespace pim::test;

namespace {

const QString kDigits = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits");
const QString kGpt = QStringLiteral(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx");

using Row = QMap<QString, QString>;

/// Of a dump; no name in these tests has a comma.
QList<Row> indexOfDump(const QString& folder) {
    QList<Row> rows;
    const QList<QByteArray> lines = readFile(folder + "/index.csv").trimmed().split('\n');
    const QList<QByteArray> columns = lines.front().split(',');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QList<QByteArray> cells = lines[i].split(',');
        Row row;
        for (qsizetype c = 0; c < columns.size() && c < cells.size(); ++c)
            row[columns[c]] = cells[c];
        rows << row;
    }
    return rows;
}

std::string local(const QString& path) {
    return path.toStdString();
}

Value floats(const Shape& shape, float value) {
    Fresh<float> made(DataType::F32, shape);
    std::fill(made.data.begin(), made.data.end(), value);
    return made.value;
}

} // namespace

class TestPimcNumbers : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Value m_logits; ///< Of PyTorch, all samples.
    std::shared_ptr<const Graph> m_gpt;
    std::vector<Value> m_gptInputs;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    Run check(const QStringList& arguments) const { return pimc(QStringList{"check"} + arguments); }
    /// Error against a digit's logits by PyTorch, relative root mean square.
    double errorOf(const QString& file, std::int64_t sample) const {
        const auto made = readNpy(local(file));
        const auto wanted = realSamples(m_logits, sample, 1);
        return made && wanted ? differenceOf(*made, *wanted, 0).relativeRms
                              : std::numeric_limits<double>::infinity();
    }

private slots:
    void initTestCase() {
        const auto images = readNpy(local(kDigits + "/test_x.npy"));
        QVERIFY2(images, images ? "" : images.error().text().c_str());
        for (const int sample : {0, 1}) {
            const auto digit = realSamples(*images, sample, 1, 16);
            QVERIFY(digit);
            QVERIFY(writeNpy(local(path(QStringLiteral("digit%1.npy").arg(sample))), *digit));
        }
        QFile onPim(path("pim.json"));
        QVERIFY(onPim.open(QIODevice::WriteOnly));
        onPim.write(QJsonDocument(QJsonObject{{"network", QJsonObject{{"placement", "pim"}}}}).toJson());
        onPim.close();
        COMPARE_CODE(pimc({"compile", kDigits + "/vit_digits.onnx", "--target", "aim", "-q", "--override",
                           path("pim.json"), "--out", path("bundle")}),
                     0);
        const auto logits = readNpy(local(kDigits + "/test_logits32.npy"));
        QVERIFY2(logits, logits ? "" : logits.error().text().c_str());
        m_logits = *logits;
        m_gpt = loadGraph(local(kGpt), {.bindings = {{"batch", 1}, {"past", 7}}}).value();
        m_gptInputs = sampleInputs(*m_gpt, 11).value();
        QVERIFY(m_gptInputs.size() > 1);
        QVERIFY(QDir(m_folder.path()).mkdir("gpt"));
        for (std::size_t i = 0; i < m_gptInputs.size(); ++i)
            QVERIFY(writeNpy(local(path("gpt/")) + npyName(nameOf(i)) + ".npy", m_gptInputs[i]));
    }

    /// The reference is what PyTorch computed for this digit, the machine is near it, and both are others for another digit.
    void ownInputsRunOnEveryFamily_data() {
        QTest::addColumn<QStringList>("verb");
        QTest::addColumn<QString>("computedBy");
        QTest::addColumn<double>("atMost");
        const auto row = [](const char* name, const QStringList& machine, const char* computedBy,
                            double atMost) {
            QTest::newRow(name) << QStringList{"check", kDigits + "/vit_digits.onnx"} + machine
                                << QString(computedBy) << atMost;
        };
        const QStringList isaac{"--target", "isaac", "--crossbar", "strategy=constructive", "--mode"};
        row("crossbar, throughput", isaac + QStringList{"ht"}, "cores", 0.02);
        row("crossbar, latency", isaac + QStringList{"ll"}, "cores", 0.02);
        row("crossbar, real", isaac + QStringList{"ht", "--real"}, "cores", 1e-4);
        row("dual-mode", {"--target", "dynaplasia"}, "flow", 0.3);
        row("upmem i8", {"--target", "upmem-8", "--dtype", "i8", "--all-ops"}, "DPUs", 0.3);
        row("upmem i16", {"--target", "upmem-8", "--dtype", "i16", "--all-ops"}, "DPUs", 0.05);
        QTest::newRow("dram-pim, a bundle")
            << QStringList{"verify", path("bundle"), "--numeric", "--model", kDigits + "/vit_digits.onnx"}
            << QStringLiteral("PIM") << 0.05;
    }
    void ownInputsRunOnEveryFamily() {
        QFETCH(QStringList, verb);
        QFETCH(QString, computedBy);
        QFETCH(double, atMost);
        const QString base = path(QString::fromUtf8(QTest::currentDataTag()).remove(',').replace(' ', '-'));
        const auto run = [&](const QString& input, const QString& dump, const QStringList& more = {}) {
            return pimc(verb + QStringList{"--input", input, "--dump", base + dump} + more);
        };
        const Run first = run(path("digit0.npy"), "a", {"--json"});
        COMPARE_CODE(first, 0);
        QVERIFY2(first.out.contains("the model's weights, the inputs given"), first.out.constData());
        QVERIFY2(errorOf(base + "a/logits.reference.npy", 0) < 1e-4, "it is not PyTorch's");
        QVERIFY2(errorOf(base + "a/logits.reference.npy", 1) > 0.1, "any digit would do");
        const double error = errorOf(base + "a/logits.npy", 0);
        QVERIFY2(error > 0 && error < atMost, QByteArray::number(error));
        // As the index and the report say.
        const QList<Row> rows = indexOfDump(base + "a");
        QCOMPARE(rows.front()["computed_by"], QStringLiteral("given"));
        QVERIFY(readFile(base + "a/" + rows.front()["file"]) == readFile(path("digit0.npy")));
        const auto ours =
            std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row["tensor"] == "logits"; });
        QVERIFY(ours != rows.end());
        QVERIFY(std::abs((*ours)["reference_relative_rms_error"].toDouble() - error) < 1e-3 * (1 + error));
        QJsonObject json = first.json().object();
        if (json.contains("numeric"))
            json = json["numeric"].toObject();
        QJsonObject told = (json.contains("output_errors") ? json["output_errors"] : json["outputs"])
                               .toArray()
                               .first()
                               .toObject();
        QCOMPARE(told["name"].toString(), QStringLiteral("logits"));
        if (told.contains("difference"))
            told = told["difference"].toObject();
        QVERIFY(told["max_absolute_error"].toDouble() >= told["mean_absolute_error"].toDouble());
        QVERIFY(told["mean_absolute_error"].toDouble() > 0);
        // All ops, in an order in which each comes after what it reads; at least one on the machine, and none wrong.
        int onMachine = 0;
        for (const Row& row : rows) {
            onMachine += row["computed_by"] == computedBy && !row["expected_file"].isEmpty();
            QVERIFY2(row["wrong"].isEmpty() || row["wrong"] == "0", qPrintable(row["tensor"]));
            QVERIFY(row["first_wrong_index"].isEmpty());
            for (const char* file : {"file", "expected_file", "reference_file"})
                if (!row[file].isEmpty())
                    QVERIFY2(readNpy(local(base + "a/" + row[file])), qPrintable(row[file]));
        }
        QVERIFY(onMachine > 0);
        // The same input gives the same bytes, here from the folder that was kept; another one does not.
        const Run again = run(base + "a", "b");
        COMPARE_CODE(again, 0);
        QVERIFY2(again.out.contains("mean error"), again.out.constData());
        QVERIFY(contentOf(base + "a") == contentOf(base + "b"));
        COMPARE_CODE(run(path("digit1.npy"), "c"), 0);
        QVERIFY2(errorOf(base + "c/logits.reference.npy", 1) < 1e-4, "it is not PyTorch's");
        QVERIFY(readFile(base + "a/logits.npy") != readFile(base + "c/logits.npy"));
    }

    /// Every tensor of the reference is what a run of the graph here gives, in the order of the graph.
    void allTensorsAreKept() {
        COMPARE_CODE(check({kGpt, "--bind", "past=7", "--target", "hbm-pim", "--input", path("gpt"), "--dump",
                            path("kept")}),
                     0);
        QList<Row> rows = indexOfDump(path("kept"));
        for (std::size_t i = 0; i < m_gptInputs.size(); ++i) {
            const Row row = rows.takeFirst();
            QCOMPARE(row["tensor"], QString::fromStdString(nameOf(i)));
            QVERIFY(*readNpy(local(path("kept/" + row["file"])))->bytes == *m_gptInputs[i].bytes);
        }
        int onPim = 0;
        const auto observer = [&](const RealStep& step) -> Result<void> {
            const Op& op = m_gpt->op(step.op);
            for (std::size_t k = 0; k < op.outputs.size(); ++k) {
                if (rows.isEmpty())
                    return fail(ErrorCode::NotFound, "not in the index", op.name);
                const Row row = rows.takeFirst();
                const std::string& tensor = m_gpt->tensor(op.outputs[k]).name;
                if (local(row["op"]) != op.name || local(row["tensor"]) != tensor)
                    return fail(ErrorCode::NotFound, "another is in its place", tensor);
                PIM_TRY(const Value reference, readNpy(local(path("kept/" + row["reference_file"]))));
                if (*reference.bytes != *step.outputs[k].bytes || reference.shape != step.outputs[k].shape)
                    return fail(ErrorCode::InvalidFile, "not what the graph computes", tensor);
                onPim += row["computed_by"] == "PIM" && row["tolerance"].toDouble() > 0 &&
                         row["max_relative_error"].toDouble() <= row["tolerance"].toDouble();
            }
            return {};
        };
        const auto ran = runReal(*m_gpt, m_gptInputs, observer);
        QVERIFY2(ran, ran ? "" : ran.error().text().c_str());
        QVERIFY(rows.isEmpty());
        QVERIFY(onPim > 0);
    }

    /// Weights that are not there either, on every machine.
    void otherWeightsAreRandom_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "dynaplasia", "isaac", "upmem-1"})
            QTest::newRow(target) << QString::fromLatin1(target);
    }
    void otherWeightsAreRandom() {
        QFETCH(QString, target);
        const QString model = path(target + ".onnx");
        COMPARE_CODE(pimc({"zoo", "tiny-gpt-decode", "--no-weights", "-o", model}), 0);
        const Run run = check({model, "--bind", "past=7", "--target", target});
        COMPARE_CODE(run, 0);
        QVERIFY2(run.out.contains("random weights and inputs"), run.out.constData());
        QVERIFY2(run.err.contains("numeric checks take random ones"), run.err.constData());
    }

    /// Products behind an LSTM in both directions, which is the host's: ONNX Runtime's numbers of such cells are in tests/core_numeric.
    void cellsOfSequencesRunOnTheHost_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<double>("allowed");
        QTest::newRow("AttAcc, half precision") << "attacc" << 0.01;
        QTest::newRow("DynaPlasia, 8 bit") << "dynaplasia" << 0.1;
        QTest::newRow("UPMEM, 16 bit") << "upmem-1" << 0.002;
        QTest::newRow("ISAAC, 16 bit") << "isaac" << 0.002;
    }
    void cellsOfSequencesRunOnTheHost() {
        QFETCH(QString, target);
        QFETCH(double, allowed);
        const auto weights = [](std::int64_t count) {
            std::vector<float> values;
            for (std::int64_t i = 0; i < count; ++i)
                values.push_back(float(i * 11 % 31 - 15) / 64);
            return values;
        };
        OnnxBuilder model(14);
        model.input("x", {6, 1, 8})
            .floats("w", {2, 64, 8}, weights(2 * 64 * 8))
            .floats("r", {2, 64, 16}, weights(2 * 64 * 16));
        model.floats("b", {2, 128}, weights(256))
            .floats("product", {32, 64}, weights(32 * 64))
            .ints("rows", {6, 32});
        model.node("LSTM", {"x", "w", "r", "b"}, {"y"},
                   {{"hidden_size", std::int64_t(16)}, {"direction", std::string("bidirectional")}});
        model.node("Transpose", {"y"}, {"samples"}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}})
            .node("Reshape", {"samples", "rows"}, {"moved"})
            .node("Relu", {"y"}, {"positive"})
            .node("Reshape", {"positive", "rows"}, {"flat"})
            .node("Add", {"moved", "flat"}, {"both"})
            .node("MatMul", {"both", "product"}, {"out"}, {}, "last")
            .output("out");
        const QString file = path("lstm.onnx");
        model.save(local(file));
        const QJsonObject decisions{{"ops", QJsonObject{{"last", QJsonObject{{"placement", "pim"}}}}}};
        QStringList arguments{"check", file, "--target", target, "--json", "--dump", path("lstm-" + target)};
        if (target == "attacc") // which would leave so small a product to the host
            arguments += {"--override", "-"};
        const Run run = pimc(arguments, QJsonDocument(decisions).toJson());
        COMPARE_CODE(run, 0);
        const auto graph = loadGraph(local(file)).value();
        const auto outputs = runReal(*graph, sampleInputs(*graph, 1).value());
        QVERIFY2(outputs, outputs ? "" : outputs.error().text().c_str());
        const auto got = readNpy(local(path("lstm-" + target + "/out.npy")));
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        const auto is = elements<float>(*got), wanted = elements<float>((*outputs)[0]);
        QCOMPARE(is.size(), wanted.size());
        float largest = 0;
        for (std::size_t i = 0; i < is.size(); ++i) {
            QVERIFY(std::abs(is[i] - wanted[i]) <= allowed);
            largest = std::max(largest, std::abs(wanted[i]));
        }
        QVERIFY(largest > 0.2F);
    }

    /// Inputs that are not given are random, which is said; those of the seed are the same as ever.
    void otherInputsAreRandom() {
        const QStringList common{kGpt, "--bind", "past=7", "--target", "dynaplasia", "--json"};
        const QString first = QString::fromStdString(nameOf(0));
        const Run one = check(common + QStringList{"--input",
                                                   first + "=" + path("gpt/") +
                                                       QString::fromStdString(npyName(nameOf(0))) + ".npy",
                                                   "--dump", path("one")});
        COMPARE_CODE(one, 0);
        const QString told = one.json()["inputs"].toString();
        QVERIFY2(told.startsWith("the model's weights, the inputs given, random: ") && !told.contains(first),
                 qPrintable(told));
        for (const Row& row : indexOfDump(path("one")).mid(0, qsizetype(m_gptInputs.size())))
            QCOMPARE(row["computed_by"],
                     row["tensor"] == first ? QStringLiteral("given") : QStringLiteral("random"));
        const Run random = check(common + QStringList{"--dump", path("random")});
        COMPARE_CODE(random, 0);
        QCOMPARE(random.json()["inputs"].toString(), QStringLiteral("the model's weights, random inputs"));
        const auto inputs = sampleInputs(*m_gpt, 1).value();
        for (std::size_t i = 0; i < inputs.size(); ++i)
            QVERIFY(*readNpy(local(path("random/")) + npyName(nameOf(i)) + ".npy")->bytes ==
                    *inputs[i].bytes);
    }

    /// What is compared is the user's plan, not the one that would be made.
    void decisionsOfTheUserAreChecked() {
        const QStringList arguments{"check",  kGpt,         "--bind", "past=7", "--target",
                                    "attacc", "--override", "-",      "--json"};
        const auto placed = [&](const QJsonObject& decisions) {
            return pimc(arguments, QJsonDocument(decisions).toJson());
        };
        const QJsonObject onPim{{"placement", "pim"}}, onHost{{"placement", "host"}};
        const Run all = placed({{"network", onPim}});
        COMPARE_CODE(all, 0);
        QVERIFY(all.json()["compared"].toInt() >= 9);
        const Run none = placed({{"network", onHost}});
        QVERIFY(none.code != 0 && none.err.contains("no op is on PIM") &&
                none.err.contains("pimc check --override"));
        const Run unknown = placed({{"ops", QJsonObject{{"nobody", onPim}}}});
        COMPARE_CODE(unknown, 1);
        QVERIFY(unknown.err.contains("nobody/placement"));
    }

    void systemsTakeThem() {
        const Run idle = pimc({"verify", path("bundle"), "--input", path("digit0.npy")});
        COMPARE_CODE(idle, 1);
        QVERIFY2(idle.err.contains("give --numeric as well"), idle.err.constData());
        const QStringList system{"system",    kDigits + "/vit_digits.onnx",
                                 "--system",  "gpu-hbm-crossbar",
                                 "--predict", "--json",
                                 "--check",   "--input"};
        const Run one = pimc(system + QStringList{path("digit0.npy")}),
                  other = pimc(system + QStringList{path("digit1.npy")});
        COMPARE_CODE(one, 0);
        COMPARE_CODE(other, 0);
        QVERIFY(one.json()["numbers"].toObject() != other.json()["numbers"].toObject());
        QVERIFY(one.json()["numbers"]["relative_error"].toDouble() < 0.3);
    }

    void badInputsAreRefused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& arguments, const char* message) {
            QTest::newRow(name) << arguments << QString(message);
        };
        const auto file = [this](const char* name, const Value& value) {
            const QString to = path(QString(name) + ".npy");
            if (!writeNpy(local(to), value))
                qFatal("no room");
            return to;
        };
        const QString digits = kDigits + "/vit_digits.onnx";
        const Shape shape = readNpy(local(path("digit0.npy")))->shape;
        Value broken = floats(shape, 1);
        auto bytes = *broken.bytes;
        reinterpret_cast<float*>(bytes.data())[13] = std::numeric_limits<float>::quiet_NaN();
        broken.bytes = std::make_shared<const std::vector<std::byte>>(bytes);
        row("NaN", {digits, "--input", file("nan", broken)},
            "1 of its 64 elements is NaN, the first is element [0, 0, 1, 5]");
        row("shape", {digits, "--input", file("shape", floats({1, 64}, 1))},
            "its shape is [1, 64], [1, 1, 8, 8] is wanted");
        row("type", {digits, "--input", kDigits + "/test_y.npy"}, "is wanted");
        row("whole numbers",
            {digits, "--input",
             file("whole", {DataType::U8, shape, std::make_shared<const std::vector<std::byte>>(64)})},
            "its elements are u8, f32 is wanted");
        row("name", {digits, "--input", "image=" + path("digit0.npy")}, "its inputs are: input");
        row("no file", {digits, "--input", path("nothing.npy")}, "nothing.npy");
        row("no array", {digits, "--input", digits}, "no array of NumPy");
        row("twice", {digits, "--input", path("digit0.npy"), "--input", path("digit1.npy")}, "given twice");
        row("a folder with none", {digits, "--input", kDigits}, "no file of an input: input.npy");
        row("which", {kGpt, "--bind", "past=7", "--input", path("digit0.npy")},
            "inputs, and it is not said for which this is. say --input");
        row("op by op", {digits, "--input", path("digit0.npy"), "--op-by-op"}, "leave out --op-by-op");
        row("a dump op by op", {digits, "--dump", path("never"), "--op-by-op"}, "leave out --op-by-op");
        row("a full folder", {digits, "--dump", kDigits}, "there is something in the folder already");
        row("a file", {digits, "--dump", path("digit0.npy")}, "this is a file");
        const Value& ids = m_gptInputs.front();
        const std::vector<std::int64_t> far(std::size_t(ids.count()), 70'000);
        row("row of no table",
            {kGpt, "--bind", "past=7", "--input",
             QString::fromStdString(nameOf(0)) + "=" +
                 file("far",
                      {ids.dtype, ids.shape,
                       std::make_shared<const std::vector<std::byte>>(bytesFromInts(far, ids.dtype))})},
            "is 70000, the table that it chooses from has");
    }
    void badInputsAreRefused() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        const auto before = contentOf(kDigits);
        const Run run = check(arguments + QStringList{"--target", "aim"});
        QCOMPARE(run.code, 1);
        QVERIFY2(run.err.contains(message.toUtf8()), run.err.constData());
        QCOMPARE(run.err.count("error"), 1);
        QVERIFY(run.out.isEmpty());
        QVERIFY(!QDir(path("never")).exists());
        QVERIFY(contentOf(kDigits) == before);
    }

    void samplesAreOfOneRun() {
        const QStringList common{kDigits + "/vit_digits.onnx", "--target",  "isaac", "--crossbar",
                                 "strategy=constructive",      "--samples", "2"};
        const Run same = check(common + QStringList{"--input", path("digit0.npy")});
        COMPARE_CODE(same, 1);
        QVERIFY2(same.err.contains("2 samples would be the same"), same.err.constData());
        const Run kept = check(common + QStringList{"--dump", path("two")});
        COMPARE_CODE(kept, 1);
        QVERIFY2(kept.err.contains("leave out --samples"), kept.err.constData());
    }

private:
    const std::string& nameOf(std::size_t input) const { return m_gpt->tensor(m_gpt->inputs[input]).name; }
};

QTEST_GUILESS_MAIN(TestPimcNumbers)
#include "tst_app_pimc_numbers.moc"
