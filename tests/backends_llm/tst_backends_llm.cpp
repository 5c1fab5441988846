// SPDX-License-Identifier: GPL-3.0-or-later
// Language models end to end against results of the AttAcc simulator, and what its formulas leave open.
#include <QTest>
#include <string>

#include "backends/llm/llm_system.h"
#include "core/hardware/catalog.h"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>

using namespace pim;

namespace {

Host hostNamed(std::string_view id) {
    for (const auto& host : TargetCatalog::load().hosts())
        if (host->id == id)
            return *host;
    return {};
}

using Row = QMap<QString, QString>;

QList<Row> rowsOf(const char* name) {
    QFile file(QStringLiteral(PIM_SOURCE_DIR "/tests/golden/attacc/") + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    const QStringList header = lines.value(0).trimmed().split(',');
    QList<Row> rows;
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QStringList cells = lines[i].trimmed().split(',');
        Row row;
        for (qsizetype c = 0; c < header.size(); ++c)
            row[header[c]] = cells.value(c);
        rows.push_back(row);
    }
    return rows;
}

LlmSystem systemOf(const Row& row) {
    static const Host host = hostNamed("a100a");
    LlmSystem system;
    system.host = host;
    system.gpus = row["ngpu"].toInt();
    system.attAcc = row["system"] == "dgx-attacc";
    if (system.attAcc)
        system.pim.variant = *attAccVariant(row["pim"].toStdString());
    system.pim.powerLimit = row["power_limit"] == "1";
    system.pim.feedForward = row["ffopt"] == "1";
    system.pim.pipelined = row["pipeopt"] == "1";
    return system;
}

LlmRequest requestOf(const Row& row) {
    LlmRequest request;
    request.batch = row["batch"].toInt();
    request.tokensIn = row["lin"].toInt();
    request.tokensOut = row["lout"].toInt();
    request.tokenStep = 32; // as the rows were made
    return request;
}

/// The columns of the golden files that are measures.
QMap<QString, double> figures(const LlmResult& r) {
    QMap<QString, double> f;
    const auto parts = [&](const QString& phase, const LlmParts& ms) {
        f[phase + "_qkv_ms"] = ms.qkv;
        f[phase + "_attention_ms"] = ms.attention;
        f[phase + "_proj_ms"] = ms.projection;
        f[phase + "_ffn_ms"] = ms.feedForward;
        f[phase + "_act_ms"] = ms.activation;
        f[phase + "_norm_ms"] = ms.norm;
        f[phase + "_x2g_ms"] = ms.toMemory;
        f[phase + "_g2g_ms"] = ms.allReduce;
    };
    f["prefill_ms"] = r.prefillTotalMs();
    f["gen_ms_per_token"] = r.stepMs();
    f["gen_ms_total"] = r.stepsMs.sum();
    parts("gen", r.stepsMs);
    parts("pre", r.prefillMs);
    const LlmEnergyParts& e = r.energyAsPublishedMj;
    const LlmEnergy all = e.sum();
    f["gen_energy_mJ_per_token"] = all.sum();
    f["gen_E_dram_mJ"] = all.memory;
    f["gen_E_l2_mJ"] = all.l2;
    f["gen_E_l1_mJ"] = all.l1;
    f["gen_E_reg_mJ"] = all.registers;
    f["gen_E_alu_mJ"] = all.arithmetic;
    f["gen_E_fc_mem_mJ"] = e.linear.memory;
    f["gen_E_fc_comp_mJ"] = e.linear.onChip();
    f["gen_E_attn_mem_mJ"] = e.attention.memory;
    f["gen_E_attn_comp_mJ"] = e.attention.onChip();
    f["gen_E_etc_mem_mJ"] = e.other.memory;
    f["gen_E_etc_comp_mJ"] = e.other.onChip();
    f["gen_E_comm_mJ"] = all.link;
    return f;
}

LlmSimulator& simulator() {
    static LlmSimulator one;
    return one;
}

/// GPT3-13B on one GPU, small.
struct Case {
    LlmModel model = *llmModelNamed("GPT3-13B");
    LlmSystem system;
    LlmRequest request;
    Case() {
        system.host = hostNamed("a100a");
        system.attAcc = true;
        request.tokensIn = 128;
        request.tokensOut = 16;
    }
    Result<LlmResult> run() const { return simulator().run(model, system, request); }
};

} // namespace

class TestLlm : public QObject {
    Q_OBJECT

private slots:
    void everyPhaseMatchesTheReference_data() {
        QTest::addColumn<Row>("row");
        int number = 0;
        for (const char* const file : {"e2e_fig8_13b_33b.csv", "e2e_readme_examples.csv"})
            for (const Row& row : rowsOf(file))
                QTest::newRow(
                    qPrintable(QString("%1 %2 %3 b%4 %5/%6 pc%7 ff%8 pipe%9 %10")
                                   .arg(++number)
                                   .arg(row["model"], row["system"], row["batch"], row["lin"], row["lout"],
                                        row["power_limit"], row["ffopt"], row["pipeopt"])
                                   .arg(row["pim"])))
                    << row;
        QCOMPARE(number, 112 + 28);
    }
    void everyPhaseMatchesTheReference() {
        QFETCH(Row, row);
        const Result<LlmModel> model = llmModelNamed(row["model"].toStdString());
        QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
        const Result<LlmResult> result = simulator().run(*model, systemOf(row), requestOf(row));
        QVERIFY2(result.has_value(), result ? "" : result.error().text().c_str());
        const QMap<QString, double> ours = figures(*result);
        for (auto it = ours.begin(); it != ours.end(); ++it) {
            QVERIFY2(row.contains(it.key()), qPrintable(it.key()));
            const double wanted = row[it.key()].toDouble();
            // The file has 4 or 5 decimals; 0.1 %, of what it shows.
            QVERIFY2(std::abs(it.value() - wanted) <= 1e-3 * wanted + 1e-4,
                     qPrintable(QString("%1: %2, reference %3").arg(it.key()).arg(it.value()).arg(wanted)));
        }
    }

    void speedUpsOfFigure8() {
        const QList<Row> rows = rowsOf("fig8_reproduction.csv");
        QCOMPARE(rows.size(), 12);
        for (const Row& row : rows) {
            const Result<LlmModel> model = llmModelNamed(row["model"].toStdString());
            QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
            LlmSystem gpu;
            gpu.host = hostNamed("a100a");
            LlmSystem base = gpu, full = gpu;
            base.attAcc = full.attAcc = true;
            full.pim.powerLimit = false;
            full.pim.feedForward = full.pim.pipelined = true;
            const auto stepMs = [&](const LlmSystem& system) {
                return simulator().run(*model, system, requestOf(row))->stepMs();
            };
            const double alone = stepMs(gpu);
            const auto close = [&](double ours, const char* column, double tolerance) {
                return std::abs(ours / row[column].toDouble() - 1) <= tolerance;
            };
            QVERIFY(close(alone / stepMs(base), "base_pc", 1e-3));
            QVERIFY(close(alone / stepMs(full), "full_npc_ff_pipe", 1e-3));
            QVERIFY(close(alone / stepMs(base), "paper_base", 1e-2));
            QVERIFY(close(alone / stepMs(full), "paper_full", 1e-2));
        }
    }

    void lengthsBetweenPointsLieOnALine() {
        for (const AttAccVariant variant :
             {AttAccVariant::Bank, AttAccVariant::BankGroup, AttAccVariant::Buffer}) {
            Case one;
            one.system.pim.variant = variant;
            one.request.tokensOut = 200;
            one.request.tokenStep = 1;
            const Result<LlmResult> exact = one.run();
            one.request.tokenStep = 64;
            const Result<LlmResult> line = one.run();
            QVERIFY(exact && line);
            QVERIFY(line->simulatedLengths < 8);
            QVERIFY(exact->stepsMs.attention != line->stepsMs.attention);
            QVERIFY(std::abs(line->stepsMs.attention / exact->stepsMs.attention - 1) < 0.05);
        }
    }

    void knownAttentionsAreNotSimulatedAgain() {
        LlmSimulator fresh;
        Case one;
        one.request.tokensOut = 65; // lengths 129 to 192
        const Result<LlmResult> first = fresh.run(one.model, one.system, one.request);
        const Result<LlmResult> second = fresh.run(one.model, one.system, one.request);
        QVERIFY(first && second);
        QCOMPARE(first->simulatedLengths, 4);
        QCOMPARE(second->simulatedLengths, 0);
        QCOMPARE(first->stepsMs.attention, second->stepsMs.attention);
    }

    void mendedEnergyDiffersWhereItShould() {
        Case one;
        one.system.gpus = 8;
        const Result<LlmResult> eight = one.run();
        QVERIFY(eight.has_value());
        // Eight devices are what is published: only moves and context products differ.
        const LlmEnergy mended = eight->energyMj.attention, published = eight->energyAsPublishedMj.attention;
        QVERIFY(mended.memory > published.memory && mended.memory < 2 * published.memory);
        QVERIFY(mended.arithmetic > 1.9 * published.arithmetic &&
                mended.arithmetic < 2 * published.arithmetic);
        QCOMPARE(mended.link, published.link);
        QCOMPARE(eight->energyMj.linear.sum(), eight->energyAsPublishedMj.linear.sum());
        one.system.gpus = 1;
        const Result<LlmResult> single = one.run();
        QVERIFY(single.has_value());
        QCOMPARE(single->energyAsPublishedMj.attention.link, 8 * single->energyMj.attention.link);
        // On the GPU the registers of all heads count.
        one.system.attAcc = false;
        const Result<LlmResult> gpu = one.run();
        QVERIFY(gpu.has_value());
        QVERIFY(gpu->energyMj.attention.registers > 20 * gpu->energyAsPublishedMj.attention.registers);
        QCOMPARE(gpu->energyMj.attention.memory, gpu->energyAsPublishedMj.attention.memory);
    }

    void oneTokenOutIsThePrefillAlone() {
        Case one;
        one.request.tokensOut = 1;
        const Result<LlmResult> result = one.run();
        QVERIFY(result.has_value());
        QVERIFY(result->prefillTotalMs() > 0);
        QCOMPARE(result->stepMs(), 0.0);
        QCOMPARE(result->energyMj.sum().sum(), 0.0);
    }

    void hostsWithoutEnergyFiguresGiveNone() {
        Case one;
        QVERIFY(one.run()->energyKnown);
        one.system.host.parameters.erase("energy.l1");
        const Result<LlmResult> result = one.run();
        QVERIFY(result.has_value());
        QVERIFY(!result->energyKnown);
        QCOMPARE(result->energyMj.sum().sum(), 0.0);
        QVERIFY(result->stepMs() > 0);
    }

    void smallElementsTakeHalf() {
        Case one;
        const Result<LlmResult> half = one.run();
        one.request.type = DataType::I8;
        const Result<LlmResult> byte = one.run();
        QVERIFY(half && byte);
        QVERIFY(std::abs(half->stepsMs.qkv / byte->stepsMs.qkv - 2) < 0.01);
        QVERIFY(byte->stepsMs.attention < half->stepsMs.attention);
    }

    void saysWhatDoesNotFit() {
        Case one;
        one.model = *llmModelNamed("GPT-175B");
        const Result<LlmResult> tooLarge = one.run();
        QVERIFY(tooLarge.has_value());
        QCOMPARE(tooLarge->notes.size(), std::size_t(1));
        QVERIFY(tooLarge->notes[0].message.find("GiB") != std::string::npos);
        one.model = *llmModelNamed("GPT3-13B");
        one.system.gpus = 16; // 40 heads
        const Result<LlmResult> uneven = one.run();
        QVERIFY(uneven.has_value());
        QCOMPARE(uneven->notes.size(), std::size_t(1));
        QVERIFY(uneven->notes[0].message.find("8 of them") != std::string::npos);
    }

    void refusesWhatMakesNoSense() {
        const auto code = [](const Case& one) { return one.run().error().code; };
        Case gpus, batch, out, type;
        gpus.system.gpus = 41;
        QCOMPARE(code(gpus), ErrorCode::Usage);
        batch.request.batch = 0;
        QCOMPARE(code(batch), ErrorCode::Usage);
        out.request.tokensOut = 0;
        QCOMPARE(code(out), ErrorCode::Usage);
        type.request.type = DataType::F32;
        QCOMPARE(code(type), ErrorCode::Usage);
        Case longer; // caches exceed the rows of a bank
        longer.request.tokensIn = 300'000;
        longer.request.batch = 64;
        longer.system.pim.variant = AttAccVariant::Buffer;
        QCOMPARE(code(longer), ErrorCode::Unsupported);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(LlmSimulator()
                     .run(batch.model, batch.system, Case().request, TaskContext{stop.get_token(), {}})
                     .error()
                     .code,
                 ErrorCode::Cancelled);
    }

    void modelsAreFoundByNameAndAlias() {
        QCOMPARE(llmModelNamed("gpt-13b")->name, std::string("GPT3-13B"));
        QCOMPARE(llmModelNamed("LLAMA2-33B")->heads, 52);
        QCOMPARE(llmModelNamed("LLaMA-33B")->feedForwardScale, 8.0 / 3);
        QVERIFY(std::abs(llmModelNamed("GPT-175B")->weights() / 175e9 - 1) < 0.01);
        const Result<LlmModel> none = llmModelNamed("GPT-5");
        QVERIFY(!none);
        QVERIFY(none.error().hint.find("OPT-66B") != std::string::npos);
    }

    void wrongModelFilesSayWhere_data() {
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QString>("key");
        const QByteArray good = R"("name":"x","layers":2,"hidden":8,"heads":2,"feedForwardScale":4,)";
        QTest::newRow("form") << good + R"("feedForward":"swish")"
                              << "feedForward";
        QTest::newRow("heads") << QByteArray(R"("name":"x","layers":2,"hidden":8,"heads":3)") << "heads";
        QTest::newRow("layers") << QByteArray(R"("name":"x","layers":-2)") << "layers";
        QTest::newRow("scale")
            << QByteArray(R"("name":"x","layers":2,"hidden":8,"heads":2,"feedForwardScale":"8/0")")
            << "feedForwardScale";
        QTest::newRow("name") << QByteArray(R"("layers":2)") << "name";
    }
    void wrongModelFilesSayWhere() {
        QFETCH(QByteArray, entry);
        QFETCH(QString, key);
        QTemporaryDir folder;
        QFile file(folder.filePath("models.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"models":[{)" + entry + "}]}");
        file.close();
        const auto models = readLlmModels(file.fileName().toStdString());
        QVERIFY(!models);
        QVERIFY(models.error().message.find('"' + key.toStdString() + '"') != std::string::npos);
        QVERIFY(models.error().where.find("$.models[0]") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestLlm)
#include "tst_backends_llm.moc"
