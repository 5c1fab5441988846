// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Networks as look-up tables: accuracies beside those of PyTorch, the same bytes with any threads, data that make no sense.
#include "core/lut/network/evaluation.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>

using namespace pim;
using namespace pim::lut;

namespace {

const std::string kVit = PIM_SOURCE_DIR "/tests/golden/lut/vit_digits";

/// First \p count samples.
Samples first(Samples samples, std::int64_t count) {
    const std::int64_t each = std::ssize(*samples.x.bytes) / samples.count();
    samples.x.bytes = std::make_shared<const std::vector<std::byte>>(samples.x.bytes->begin(),
                                                                     samples.x.bytes->begin() + count * each);
    samples.x.shape[0] = count;
    samples.labels.resize(std::min(samples.labels.size(), std::size_t(count)));
    return samples;
}

struct Network {
    DataSet set;
    Samples test, calibration;
    std::optional<Classifier> classifier;

    explicit Network(const std::string& folder, const std::string& model) {
        set = openDataSet(folder).value();
        test = readSamples(set, "test").value();
        calibration = readSamples(set, "calib", false).value();
        classifier = Classifier::open(folder + "/" + model, set, test).value();
    }
    double accuracy(const Conversion& conversion) const {
        return logitsOf(*classifier, test, conversion.observer()).value().accuracy(test.labels);
    }
};

Network& vit() {
    static Network network(kVit, "vit_digits.onnx");
    return network;
}

ConversionOptions options(std::string_view text) {
    return parseConversion(text).value();
}

/// A folder with copies of the data, to spoil one of.
class Spoiled {
public:
    Spoiled() {
        for (const char* name : {"model.json", "calib_x.npy", "calib_y.npy", "test_x.npy", "test_y.npy"})
            QFile::copy(QString::fromStdString(kVit + "/" + name), path(name));
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    std::string folder() const { return m_folder.path().toStdString(); }
    void write(const QString& name, const QByteArray& content) const {
        QFile::remove(path(name));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

private:
    QTemporaryDir m_folder;
};

QByteArray npy(const QByteArray& type, const QByteArray& shape, const QByteArray& data) {
    QByteArray header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header += QByteArray(63 - (10 + header.size()) % 64, ' ') + "\n";
    QByteArray file("\x93NUMPY\x01\x00", 8);
    file += char(header.size() & 255);
    file += char(header.size() >> 8);
    return file + header + data;
}

} // namespace

class TestLutNetwork : public QObject {
    Q_OBJECT
private slots:
    void unconvertedNetworkIsTheOneOfPyTorch() {
        const Logits logits = logitsOf(*vit().classifier, vit().test).value();
        QCOMPARE(std::round(logits.accuracy(vit().test.labels) * 1e4), 9533.0);
        const Value wanted = readNpy(kVit + "/test_logits32.npy").value();
        QCOMPARE(wanted.count(), 320);
        for (std::size_t i = 0; i < 320; ++i)
            QVERIFY(std::abs(logits.values[i] - elements<float>(wanted)[i]) < 2e-5F);
    }

    /// Logits in 8 bit are 2^e apart; the exponents come from calibration samples.
    void eightBitsLoseLittle() {
        const Classifier fused =
            Classifier::open(kVit + "/vit_digits.onnx", vit().set, vit().test, {}, true).value();
        const auto logits = quantizedLogitsOf(fused, vit().test, vit().calibration);
        QVERIFY2(logits, logits ? "" : logits.error().text().c_str());
        QCOMPARE(logits->samples, 600);
        const double accuracy = logits->accuracy(vit().test.labels);
        QVERIFY2(accuracy > 0.93 && accuracy < 0.97, qPrintable(QString::number(accuracy)));
        const Logits dense = logitsOf(*vit().classifier, vit().test).value();
        double apart = 0;
        for (std::size_t i = 0; i < dense.values.size(); ++i)
            apart +=
                std::abs(double(dense.values[i]) - double(logits->values[i])) / double(dense.values.size());
        QVERIFY2(apart > 0.001 && apart < 0.3, qPrintable(QString::number(apart)));
    }

    /// tests/golden/lut/results.csv, V = 4, CT = 16 unless said; differences below 0.02 mean nothing there.
    void accuracies_data() {
        QTest::addColumn<QByteArray>("how");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("kmeans") << QByteArray("v=4,ct=16") << 0.5217 - 0.02 << 0.5217 + 0.02;
        QTest::newRow("refit") << QByteArray("v=4,ct=16,method=refit") << 0.9033 - 0.02 << 1.0;
        QTest::newRow("refit, 8 bit")
            << QByteArray("v=4,ct=16,method=refit,int8=column") << 0.9050 - 0.02 << 1.0;
        QTest::newRow("trained, best of PyTorch")
            << QByteArray("v=8,ct=16,method=elut") << 0.8600 - 0.01 << 1.0;
    }
    void accuracies() {
        QFETCH(QByteArray, how);
        QFETCH(double, least);
        QFETCH(double, most);
        const auto made =
            convert(*vit().classifier, vit().set, vit().calibration, options(how.toStdString()));
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        QCOMPARE(made->layers.size(), std::size_t(16));
        const double accuracy = vit().accuracy(*made);
        QVERIFY2(accuracy >= least && accuracy <= most, qPrintable(QString::number(accuracy)));
        QCOMPARE(made->curve.empty(), !how.contains("elut"));
        if (!made->curve.empty()) {
            QCOMPARE(made->curve.back().step, 120);
            QVERIFY(made->curve.back().loss < made->curve.front().loss);
        }
    }

    void lossesOfThePaperTrainAsWell() {
        const Samples few = first(vit().calibration, 64);
        for (const char* loss : {"one-sided", "two-sided"}) {
            const auto made =
                convert(*vit().classifier, vit().set, few,
                        options(std::string("v=4,ct=8,method=elut,steps=40,batch=16,loss=") + loss));
            QVERIFY2(made, made ? "" : made.error().text().c_str());
            QVERIFY(made->curve.back().loss < made->curve.front().loss);
        }
    }

    void threadsAndRepetitionChangeNothing() {
        const Samples few = first(vit().calibration, 48);
        for (const char* how : {"v=4,ct=8,seed=3", "v=4,ct=8,method=refit,int8=layer",
                                "v=4,ct=8,method=elut,steps=3,batch=16"}) {
            ConversionOptions one = options(how), three = options(how);
            one.threads = 1;
            three.threads = 3;
            const Conversion a = convert(*vit().classifier, vit().set, few, one).value(),
                             b = convert(*vit().classifier, vit().set, few, three).value();
            for (const auto& [op, layer] : a.layers) {
                const LutLayer& other = b.layers.at(op);
                QVERIFY(layer.table.values == other.table.values && layer.books.values == other.books.values);
                QCOMPARE(layer.quantized.has_value(), one.int8.has_value());
            }
        }
    }

    void trainingGoesOnAfterAKill() {
        const Samples few = first(vit().calibration, 48);
        QTemporaryDir folder;
        const QString file = folder.filePath("state");
        ConversionOptions how = options("v=8,ct=8,method=elut,steps=45,batch=16");
        for (const char* dense : {"blocks.0:off", "blocks.1:off", "blocks.2:off"})
            QVERIFY(addLayerRule(how, dense));
        const Conversion whole = convert(*vit().classifier, vit().set, few, how).value();
        how.checkpoint = file.toStdString();
        // Stopped by the first report after step 30: the state of step 20 is there.
        std::stop_source stop;
        TaskContext task;
        task.stop = stop.get_token();
        task.onProgress = [&](std::string_view stage, std::int64_t done, std::int64_t) {
            if (stage == "training tables" && done == 30)
                stop.request_stop();
        };
        QVERIFY(!convert(*vit().classifier, vit().set, few, how, task));
        const Conversion rest = convert(*vit().classifier, vit().set, few, how).value();
        QCOMPARE(rest.notes, std::vector<std::string>{"training goes on after step 20 of 45"});
        QCOMPARE(rest.curve.size(), whole.curve.size());
        QCOMPARE(rest.curve.back().loss, whole.curve.back().loss);
        for (const auto& [op, layer] : whole.layers)
            QVERIFY(layer.table.values == rest.layers.at(op).table.values);
        // What is another's, cut off or damaged is refused, and stays as it is.
        ConversionOptions other = how;
        other.seed = 9;
        const auto refused = convert(*vit().classifier, vit().set, few, other);
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find("other options") != std::string::npos,
                 refused.error().text().c_str());
        QFile state(file);
        QVERIFY(state.open(QIODevice::ReadOnly));
        const QByteArray good = state.readAll();
        state.close();
        for (const QByteArray& bad : {good.left(5), good.left(40), good.left(good.size() / 2),
                                      QByteArray(good).replace(100, 1, "#"), QByteArray("text")}) {
            QVERIFY(state.open(QIODevice::WriteOnly | QIODevice::Truncate));
            state.write(bad);
            state.close();
            const auto again = convert(*vit().classifier, vit().set, few, how);
            QVERIFY(!again && again.error().code == ErrorCode::InvalidFile);
        }
        how.checkpoint = folder.filePath("nowhere/state").toStdString();
        const auto nowhere = convert(*vit().classifier, vit().set, few, how);
        QVERIFY(!nowhere && nowhere.error().code == ErrorCode::Io);
    }

    void layersHaveSizesOfTheirOwn() {
        ConversionOptions some = options("v=8,ct=8");
        QVERIFY(addLayerRule(some, "ffn:off"));
        QVERIFY(addLayerRule(some, "blocks.3:v=3,ct=4"));
        const auto made = convert(*vit().classifier, vit().set, first(vit().calibration, 32), some);
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        QCOMPARE(made->layers.size(), std::size_t(3 * 2 + 4));
        for (const auto& [op, layer] : made->layers) {
            const bool own = op.find("blocks.3") != std::string::npos;
            QCOMPARE(layer.books.length, own ? 3 : 8);
            QCOMPARE(layer.books.centroids, own ? 4 : 8);
        }
        QCOMPARE(made->notes.size(), std::size_t(4)); // 64 and 256 are no multiples of 3
        QVERIFY2(made->notes[0].find("64 inputs are filled up with zeros to 66") != std::string::npos,
                 made->notes[0].c_str());
    }

    void anEvaluationTellsWhatCodebooksLose() {
        EvaluationOptions how{options("v=4,ct=8,method=elut,steps=3,batch=8"), 50, {}, {}};
        QVERIFY(addLayerRule(how.conversion, "blocks:off"));
        QVERIFY(addLayerRule(how.conversion, "blocks.2/ffn1:v=4,ct=8"));
        std::vector<CalibrationStep> steps;
        how.watch = [&](const CalibrationStep& step) { steps.push_back(step); };
        double dense = 0;
        how.onDense = [&](double found) { dense = found; };
        const auto found = evaluate(*vit().classifier, vit().set, vit().test, how);
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QCOMPARE(found->dense, dense);
        QCOMPARE(found->samples, std::int64_t(600));
        QCOMPARE(found->converted, vit().accuracy(found->conversion));
        QCOMPARE(steps.size(), std::size_t(3));
        double sum = 0;
        for (const CalibrationStep& step : steps)
            sum += step.loss;
        QVERIFY(std::abs(found->conversion.curve.back().loss - sum / 3) < 1e-12);
        QCOMPARE(found->uses.size(), std::size_t(1));
        const LayerUse& use = found->uses.begin()->second;
        const Codebooks& books = found->conversion.layers.begin()->second.books;
        QCOMPARE(std::ssize(use.rows), 50 * books.inputLength());
        // The errors of codebooks are those of k-means: centroids stand for the rows they were made of.
        double distance = 0, size = 0;
        for (std::int64_t book = 0; book < books.codebooks; ++book) {
            QVERIFY(use.codebookError(book) > 0 && use.codebookError(book) < 1);
            distance += use.squaredDistance[std::size_t(book)];
            size += use.squaredInput[std::size_t(book)];
        }
        const auto indices = closestCentroids({use.rows, books.inputLength()}, books).value();
        double keptDistance = 0, keptSize = 0;
        for (std::size_t i = 0; i < indices.size(); ++i)
            for (std::size_t v = 0; v < 4; ++v) {
                const auto book = std::int64_t(i) % books.codebooks;
                const double value = double(use.rows[i * 4 + v]);
                const double off = value - double(books.centroid(book, indices[i])[v]);
                keptDistance += off * off;
                keptSize += value * value;
            }
        QVERIFY(std::abs(std::sqrt(keptDistance / keptSize) - std::sqrt(distance / size)) < 0.05);
    }

    void optionsThatMakeNoSense_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("key") << QByteArray("w=4") << QByteArray("there is no option \"w\"");
        QTest::newRow("value") << QByteArray("v=0") << QByteArray("allowed: 1..1024");
        QTest::newRow("method") << QByteArray("method=magic") << QByteArray("kmeans|refit|elut");
        QTest::newRow("no value") << QByteArray("v") << QByteArray("is not KEY=VALUE");
        QTest::newRow("scale") << QByteArray("int8=row") << QByteArray("off|layer|column");
        QTest::newRow("loss") << QByteArray("loss=none") << QByteArray("outputs|one-sided|two-sided");
    }
    void optionsThatMakeNoSense() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const auto parsed = parseConversion(text.toStdString());
        QVERIFY(!parsed);
        QVERIFY2(parsed.error().text().find(message.toStdString()) != std::string::npos,
                 parsed.error().text().c_str());
        ConversionOptions some;
        QVERIFY(!addLayerRule(some, "ffn"));
        QVERIFY(!addLayerRule(some, "ffn:method=refit"));
    }

    void conversionsThatCannotBe() {
        const auto message = [](const Samples& samples, const ConversionOptions& how, const DataSet& set) {
            const auto made = convert(*vit().classifier, set, samples, how);
            return made ? QString("made") : QString::fromStdString(made.error().text());
        };
        QVERIFY(message(first(vit().calibration, 4), options("v=4,ct=128"), vit().set)
                    .contains("128 centroids from 64 rows"));
        ConversionOptions rules = options("v=4");
        QVERIFY(addLayerRule(rules, "nowhere:off"));
        QVERIFY(message(vit().calibration, rules, vit().set).contains("\"nowhere\""));
        DataSet odd = vit().set;
        odd.convert = std::vector<LayerName>{{"no such node", ""}};
        QVERIFY(message(vit().calibration, options("v=4"), odd).contains("no op is called \"no such node\""));
        const auto graph = vit().classifier->graph(1).value();
        for (const Op& op : graph->ops)
            if (op.type == "MatMul" && !graph->tensor(op.inputs[1]).isConstant())
                odd.convert = std::vector<LayerName>{{op.name, ""}};
        QVERIFY(
            message(vit().calibration, options("v=4"), odd).contains("are computed while the network runs"));
        TaskContext task;
        std::stop_source stop;
        stop.request_stop();
        task.stop = stop.get_token();
        const auto cancelled =
            convert(*vit().classifier, vit().set, vit().calibration, options("method=elut"), task);
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
    }

    void dataThatMakeNoSense_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("message");
        const QByteArray few(3 * 64, '\1');
        QTest::newRow("absent") << "test_y.npy" << QByteArray() << QByteArray("test_y.npy");
        QTest::newRow("no array") << "test_x.npy" << QByteArray("hello") << QByteArray("test_x.npy");
        QTest::newRow("cut off") << "test_x.npy" << npy("|u1", "(9, 1, 8, 8)", few)
                                 << QByteArray("test_x.npy");
        QTest::newRow("other shape") << "test_x.npy"
                                     << npy("|u1", "(600, 1, 8, 7)", QByteArray(600 * 56, '\1'))
                                     << QByteArray("do not fit input");
        QTest::newRow("labels short") << "test_x.npy" << npy("|u1", "(3, 1, 8, 8)", few)
                                      << QByteArray("not one label for each of 3 samples");
        QTest::newRow("no samples") << "test_x.npy" << npy("|u1", "(0, 1, 8, 8)", "")
                                    << QByteArray("has no samples");
        QTest::newRow("label beyond") << "test_y.npy" << npy("|u1", "(600,)", QByteArray(600, '\77'))
                                      << QByteArray("the network tells 10 classes apart");
        QTest::newRow("label negative")
            << "test_y.npy" << npy("|i1", "(600,)", QByteArray(600, '\377')) << QByteArray("is negative");
        const float nan = NAN;
        QByteArray odd(600 * 64 * 4, '\0');
        std::memcpy(odd.data() + 4 * 70, &nan, 4);
        QTest::newRow("not finite") << "test_x.npy" << npy("<f4", "(600, 1, 8, 8)", odd)
                                    << QByteArray("in sample 1, element 6");
        QTest::newRow("preprocessing") << "model.json" << QByteArray("{\"preprocess\": \"system(x)\"}")
                                       << QByteArray("preprocess \"system(x)\"");
        QTest::newRow("no JSON") << "model.json" << QByteArray("{\"prep")
                                 << QByteArray("it is no JSON object");
    }
    void dataThatMakeNoSense() {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, message);
        const Spoiled spoiled;
        spoiled.write(file, content);
        if (content.isEmpty())
            QFile::remove(spoiled.path(file));
        const auto run = [&]() -> Result<void> {
            PIM_TRY(const DataSet set, openDataSet(spoiled.folder()));
            PIM_TRY(const Samples samples, readSamples(set, "test"));
            PIM_TRY(const auto classifier, Classifier::open(kVit + "/vit_digits.onnx", set, samples));
            PIM_TRY([[maybe_unused]] const Logits logits, logitsOf(classifier, samples));
            return {};
        }();
        QVERIFY(!run);
        QVERIFY2(run.error().text().find(message.toStdString()) != std::string::npos,
                 run.error().text().c_str());
    }

    void fashionIsAsInPyTorch() {
        const std::string folder = PIM_SHARED_DIR "/golden/lut/mlp_fashion";
        if (!QFile::exists(QString::fromStdString(folder)))
            QSKIP("the network is not there");
        const Network mlp(folder, "mlp_fashion.onnx");
        const auto made = convert(*mlp.classifier, mlp.set, mlp.calibration, options("v=4,ct=16"));
        QVERIFY(made);
        QVERIFY(std::abs(mlp.accuracy(*made) - 0.8710) < 0.02);
        const auto trained =
            convert(*mlp.classifier, mlp.set, mlp.calibration, options("v=8,ct=16,method=elut"));
        QVERIFY(trained);
        QVERIFY(mlp.accuracy(*trained) >= 0.8620 - 0.01);
    }
};

QTEST_GUILESS_MAIN(TestLutNetwork)
#include "tst_core_lut_network.moc"
