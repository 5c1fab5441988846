// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Runs the real `pimc`: what it prints where, its exit codes, and that the same input gives the same bytes.
#include <QtTest>

#include "tests/support/pimc_process.h"

#include <cmath>
#include <csignal>

using namespace pim::test;

namespace {

/// As JSON for --override. Not a raw string: moc of Qt 6.4 loses its way in those that hold quotes.
QByteArray placementDecision(const QString& op, const QString& where) {
    const QJsonObject decision{{"placement", where}};
    return QJsonDocument(QJsonObject{{"ops", QJsonObject{{op, decision}}}}).toJson();
}

void writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

const QStringList kVerbs{"compile",
                         "explore",
                         "kernel",
                         "inspect",
                         "targets",
                         "zoo",
                         "runs",
                         "report",
                         "verify",
                         "version",
                         "completion",
                         "dual-mode-allocate",
                         "dual-mode-segment",
                         "check",
                         "crossbar-weights",
                         "notes",
                         "sql",
                         "sweep",
                         "replay",
                         "attention",
                         "bench-kernel",
                         "crossbar-stream",
                         "llm",
                         "reproduce",
                         "predictor",
                         "doctor",
                         "schema",
                         "export-onnx",
                         "lut-predict"};

const QString kGoldenDualMode = PIM_SOURCE_DIR "/tests/golden/cmswitch/";

const QByteArray kGemv = "def gemv(W[64][256], x[256], y[64]):\n"
                         "    for m in range(64):\n"
                         "        for k in range(256):\n"
                         "            y[m] += W[m][k] * x[k]\n";

} // namespace

class TestPimc : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString file(const QString& name) const { return m_folder.filePath(name); }

    /// Names of a JSON array of objects.
    static QStringList strings(const QJsonArray& array, const QString& key) {
        QStringList names;
        for (const QJsonValue& value : array)
            names << value[key].toString();
        return names;
    }

private slots:
    void everyVerbHasHelpWithAnExample() {
        const Run all = pimc({"--help"});
        COMPARE_CODE(all, 0);
        for (const QString& verb : kVerbs) {
            QVERIFY(all.out.contains(verb.toUtf8()));
            const Run help = pimc({verb, "--help"});
            COMPARE_CODE(help, 0);
            QVERIFY2(help.out.contains("Example"), qPrintable(verb));
            QVERIFY2(help.out.contains("  pimc " + verb.toUtf8()), qPrintable(verb));
            QVERIFY(help.err.isEmpty());
        }
    }

    void languageModelsPrintTheColumnsOfTheReference() {
        const Run run = pimc({"llm", "--model", "GPT3-13B", "--lin", "2048", "--lout", "128", "--system",
                              "attacc", "--power-limit", "on", "--ffopt", "--pipeopt", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonObject result = run.json().object();
        QFile golden(PIM_SOURCE_DIR "/tests/golden/attacc/e2e_fig8_13b_33b.csv");
        QVERIFY(golden.open(QIODevice::ReadOnly));
        const QStringList header = QString::fromUtf8(golden.readLine()).trimmed().split(',');
        QStringList row;
        while (!golden.atEnd() && !row.join(',').startsWith("GPT3-13B,dgx-attacc,1,bank,1,1,1,1,2048,128,"))
            row = QString::fromUtf8(golden.readLine()).trimmed().split(',');
        QCOMPARE(row.size(), header.size());
        for (qsizetype i = 0; i < header.size(); ++i) {
            QVERIFY2(result.contains(header[i]), qPrintable(header[i]));
            bool number = false;
            const double wanted = row[i].toDouble(&number);
            if (!number)
                QCOMPARE(result[header[i]].toString(), row[i]);
            else
                QVERIFY2(std::abs(result[header[i]].toDouble() - wanted) <= 2e-3 * wanted,
                         qPrintable(header[i]));
        }
        QVERIFY(result["corrected_gen_energy_mJ_per_token"].toDouble() > 0);
        QVERIFY(pimc({"llm"}).out.contains("tokens/s"));
    }

    void badInputGivesOneErrorAndExitCode1_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const QStringList& arguments, const char* said) {
            QTest::newRow(name) << arguments << said;
        };
        row("nothing", {}, "subcommand");
        row("unknown verb", {"bake"}, "`pimc` has no verb \"bake\"; `pimc --help` lists all");
        row("misspelt verb", {"complie", "m.onnx"}, "has no verb \"complie\"; did you mean \"compile\"?");
        row("misspelt verb of a verb", {"predictor", "trian"},
            "`pimc predictor` has no verb \"trian\"; did you mean \"train\"?");
        row("unknown option", {"targets", "--colour"}, "--colour");
        row("missing model", {"compile"}, "MODEL");
        row("no such file", {"inspect", "no.onnx"}, "no.onnx");
        row("no such sample", {"inspect", "sample:resnet5"}, "resnet50");
        row("folder that is no sample", {"inspect", "/"}, "sample.json");
        row("no such language model", {"llm", "--model", "GPT-5"}, "OPT-66B");
        row("no such GPU", {"llm", "--host", "a10"}, "a100a");
        row("no such target", {"compile", "sample:tiny-gpt", "--target", "attac"}, "attacc");
        row("no such host", {"compile", "sample:tiny-gpt", "--target", "attacc", "--host", "a10"}, "a10");
        row("no target", {"compile", PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx"}, "--target");
        row("no such type", {"compile", "sample:tiny-gpt", "--dtype", "f12"}, "f12");
        row("bad convolution", {"compile", "sample:tiny-gpt", "--conv", "fft"}, "fft");
        row("bad binding", {"compile", "sample:tiny-gpt", "--bind", "batch=zero"}, "batch");
        row("unknown binding", {"compile", "sample:tiny-gpt", "--bind", "depth=3"}, "depth");
        row("zero binding", {"compile", "sample:tiny-gpt", "--bind", "batch=0"}, "batch");
        row("no such pass", {"inspect", "sample:tiny-gpt", "--no-pass", "fold"}, "fold_constants");
        row("no option of a pass", {"inspect", "sample:tiny-gpt", "--pass", "fuse_gelu:form=sin"},
            "any|erf|tanh");
        row("not a model", {"inspect", PIM_SOURCE_DIR "/README.md"}, "README.md");
        row("override file missing", {"compile", "sample:tiny-gpt", "--override", "none.json"}, "none.json");
        row("no such op", {"explore", "sample:tiny-gpt", "--op", "Conv_99"}, "Conv_99");
        row("ambiguous op", {"explore", "sample:tiny-gpt", "--op", "MatMul"},
            "/layers.0/attention/qkv/MatMul");
        row("bad rules", {"explore", "sample:tiny-gpt", "--op", "fc1/MatMul", "--rules", "4"}, "1, 2 and 3");
        row("kernel missing", {"kernel", "none.txt", "--target", "attacc"}, "none.txt");
        row("bad sizes", {"kernel", PIM_SOURCE_DIR "/README.md", "--sizes", "A=3y4"}, "A=12x16");
        row("project missing", {"runs", "none.pimproj"}, "none.pimproj");
        row("project is something else", {"runs", PIM_SOURCE_DIR "/README.md"}, "README.md");
        row("report of what", {"report", PIM_SOURCE_DIR "/README.md", "-o", "x.doc"}, "x.doc");
        row("bundle missing", {"verify", "none"}, "none");
        row("bundle is something else", {"verify", PIM_SOURCE_DIR "/core"}, "core");
        row("no such network", {"zoo", "gpt5"}, "gpt3-13b-decode");
        row("network without that dimension", {"zoo", "vgg8", "--past", "4"}, "past");
        row("bad batch", {"zoo", "vgg8", "--batch", "many"}, "many");
        row("folder to write to missing", {"zoo", "vgg8", "-o", "no/where.onnx"}, "no/where.onnx");
        row("allocations of nothing", {"cim-allocate", PIM_SOURCE_DIR "/README.md"}, "is no JSON");
        row("allocations missing", {"cim-allocate", "none.json"}, "none.json");
        row("networks missing", {"cim-segment", "none.json"}, "none.json");
        row("no such case", {"cim-segment", kGoldenDualMode + "dp_golden.json", "--case", "vgg"},
            "vgg16_conv.b1.cap96");
        row("networks that are none", {"cim-segment", kGoldenDualMode + "workloads.json"},
            "constants: is missing");
        row("a check of no flow",
            {"check", "sample:tiny-gpt", "--target", "dynaplasia", "--flow", "none.flow"}, "none.flow");
        row("target folder missing", {"targets", "--targets", "none"}, "none");
        // More than a column of a project holds, and what would wrap around to it.
        for (const char* seed : {"-1", "9223372036854775808", "99999999999999999999", "1.5"})
            for (const QStringList& verb :
                 {QStringList{"predictor", "train", "--target", "hbm-pim", "--seed"},
                  {"compile", "sample:tiny-gpt", "--seed"},
                  {"check", "sample:tiny-gpt", "--input-seed"},
                  {"verify", PIM_SOURCE_DIR "/core", "--seed"},
                  {"zoo", "vgg8", "--seed"},
                  {"system", "sample:tiny-gpt", "--seed"},
                  {"cinm", "mv", "--seed"},
                  {"sweep", "sample:tiny-gpt", "--search", "random", "--search-seed"}})
                row(qPrintable(verb[0] + " with seed " + seed), verb + QStringList{seed},
                    "0 to 9223372036854775807");
    }
    void badInputGivesOneErrorAndExitCode1() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const Run run = pimc(arguments, {}, m_folder.path());
        COMPARE_CODE(run, 1);
        QVERIFY2(run.out.isEmpty(), run.out.constData());
        QCOMPARE(run.err.count("pimc: error: "), 1);
        QVERIFY2(run.err.contains(said.toUtf8()), run.err.constData());
        QVERIFY(QDir(m_folder.path()).isEmpty());
    }

    void fullDiskIsAnError() {
        QProcess process;
        process.start("sh", {"-c", "exec \"$0\" targets > /dev/full", PIMC});
        QVERIFY(process.waitForFinished(kPimcTimeoutMs));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("standard output"));
    }

    void bindingsAddUp() {
        const QStringList inspect{"inspect", "sample:tiny-gpt", "--json"};
        const Run once = pimc(inspect + QStringList{"--bind", "batch=2,past=5"});
        COMPARE_CODE(once, 0);
        QVERIFY(once.out.contains("\"value\": 5"));
        QCOMPARE(pimc(inspect + QStringList{"--bind", "batch=2", "--bind", "past=5"}).out, once.out);
    }

    void versionNamesWhatItIsMadeOf() {
        const QByteArray text = pimc({"version"}).out;
        QVERIFY(text.startsWith("pimc "));
        const Run run = pimc({"version", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonObject libraries = run.json()["built_with"].toObject();
        for (const char* library : {"GCC", "SQLite", "ONNX", "protobuf", "XGBoost", "OpenSSL", "zlib"}) {
            const QString version = libraries[QString::fromLatin1(library)].toString();
            QVERIFY2(QRegularExpression("^\\d+\\.\\d+").match(version).hasMatch(), library);
            QVERIFY(text.contains(version.toUtf8()));
        }
        QVERIFY(run.json()["project_schema"].toInt() >= 13);
        const Run all = pimc({"version", "--all"});
        COMPARE_CODE(all, 0);
        QVERIFY2(all.out.contains("glibc"), all.out.constData());
        QVERIFY2(all.out.contains("targets/aim.json") && all.out.contains("libarchive"), all.out.constData());
        const Run flag = pimc({"--version", "--all"});
        COMPARE_CODE(flag, 0);
        QCOMPARE(flag.out, all.out);
        QCOMPARE(pimc({"--version"}).out, text.left(text.indexOf('\n') + 1));
        COMPARE_CODE(pimc({"--all"}), 1);
        const Run json = pimc({"version", "--all", "--json"});
        QVERIFY(json.json()["machines"].toObject()["aim"].toString().endsWith("aim.json"));
        QVERIFY(run.json()["targets"].toInt() > 10);
        QVERIFY(strings(run.json()["backends"].toArray(), "id").contains("attacc"));
    }

    void optionsStandInAFile() {
        QTemporaryDir folder;
        const auto write = [&](const char* name, const char* text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
        };
        write("good.ini", "[compile]\ntarget = \"aim\"\ntop = 3\njson = true\n");
        write("odd.ini", "[compile]\ntargett = \"aim\"\n");
        write("mark.ini", "\xef\xbb\xbf[compile]\ntarget = \"aim\"\njson = true\n");
        const QStringList compile{"compile", "sample:tiny-gpt"};
        const Run plain = pimc(compile + QStringList{"--target", "aim", "--json"});
        COMPARE_CODE(plain, 0);
        const Run before = pimc(QStringList{"--config", "good.ini"} + compile, {}, folder.path());
        QCOMPARE(before.out, plain.out);
        const Run other =
            pimc(QStringList{"--config", "good.ini"} + compile + QStringList{"--target", "attacc"}, {},
                 folder.path());
        COMPARE_CODE(other, 0);
        QCOMPARE(other.out,
                 pimc(compile + QStringList{"--target", "attacc", "--json"}).out); // the command line counts
        const Run odd = pimc(QStringList{"--config", "odd.ini"} + compile, {}, folder.path());
        QCOMPARE(odd.code, 1);
        QVERIFY2(odd.err.contains("odd.ini, line 2: `pimc compile` has no option \"targett\"; did you mean "
                                  "\"target\"?"),
                 odd.err.constData());
        QCOMPARE(pimc(QStringList{"--config", "mark.ini"} + compile, {}, folder.path()).out, plain.out);
        const std::pair<const char*, const char*> wrong[] = {
            {"\n[compil]\njobs = 3\n",
             "w.ini, line 2: `pimc` has no verb \"compil\"; did you mean \"compile\"?"},
            {"[compile]\ntarget\n", "w.ini, line 2: \"target\" takes a value; write target = VALUE"},
            {"[compile]\n# more\njobs = abc\n", "w.ini, line 3: --jobs"},
            {"[predictor.train]\nseed = -1\n", "w.ini, line 2: --seed: \"-1\" is no seed"}};
        for (const auto& [text, said] : wrong) {
            write("w.ini", text);
            const Run refused = pimc(QStringList{"--config", "w.ini"} + compile, {}, folder.path());
            QVERIFY2(refused.code == 1 && refused.err.contains(said), refused.err.constData());
        }
        write("lists.ini",
              "[compile]\ntarget = aim\njson = true\nno-pass = [\"fuse_gelu\",\n  \"fuse_silu\"]\n");
        COMPARE_CODE(pimc(QStringList{"--config", "lists.ini"} + compile, {}, folder.path()), 0);
        QCOMPARE(pimc(QStringList{"--config", "none.ini"} + compile, {}, folder.path()).code, 1);
        qputenv("PIM_CONFIG", folder.filePath("good.ini").toUtf8());
        const Run fromVariable = pimc(compile);
        qputenv("PIM_CONFIG", "/nowhere/pimc.ini");
        const Run wrongVariable = pimc(compile);
        qunsetenv("PIM_CONFIG");
        QCOMPARE(fromVariable.out, plain.out);
        QCOMPARE(wrongVariable.code, 1);
        QVERIFY2(wrongVariable.err.contains("/nowhere/pimc.ini: PIM_CONFIG names a file that cannot be read"),
                 wrongVariable.err.constData());
    }

    void targetsAreListedAndDescribed() {
        const Run list = pimc({"targets", "--json"});
        COMPARE_CODE(list, 0);
        const QStringList ids = strings(list.json()["targets"].toArray(), "id");
        for (const char* id : {"aim", "attacc", "hbm-pim", "hbm-pim-hbm3"})
            QVERIFY2(ids.contains(id), id);
        QVERIFY(strings(list.json()["hosts"].toArray(), "id").contains("a100"));
        for (const QString& id : ids) {
            const Run one = pimc({"targets", id, "--json"});
            COMPARE_CODE(one, 0);
            QVERIFY2(one.json().isObject() && one.json()["levels"].isArray(), qPrintable(id));
            const QByteArray shown = pimc({"targets", id}).out;
            for (const QJsonValue& level : one.json()["levels"].toArray())
                QVERIFY2(shown.contains(level["name"].toString().toUtf8()), shown.constData());
        }
    }

    void targetsOfTheUserAreFound() {
        QVERIFY(QDir(m_folder.path()).mkdir("machines"));
        QByteArray mine = readFile(PIM_SOURCE_DIR "/resources/targets/attacc.json");
        writeFile(file("machines/mine.json"), mine.replace("\"id\": \"attacc\"", "\"id\": \"mine\""));
        writeFile(file("machines/broken.json"), "{");
        const Run run = pimc({"targets", "--targets", file("machines"), "--json"});
        COMPARE_CODE(run, 0);
        QVERIFY(strings(run.json()["targets"].toArray(), "id").contains("mine"));
        QVERIFY2(run.err.contains("broken.json"), run.err.constData());
    }

    void inspectTellsWorkAndBindings() {
        const Run run = pimc({"inspect", "sample:tiny-gpt", "--bind", "batch=3", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonDocument json = run.json();
        QVERIFY(json["total"]["macs"].toInteger() > 3 * 390'000);
        QCOMPARE(json["bindings"][0]["symbol"].toString(), QString("batch"));
        QCOMPARE(json["bindings"][0]["value"].toInt(), 3);
        QCOMPARE(json["missing_weights"].toInt(), 0);
        const QJsonArray ops = json["ops"].toArray();
        QCOMPARE(strings(ops, "type").count("Attention"), 2);
        std::int64_t macs = 0;
        for (const QJsonValue& op : ops)
            macs += op["work"]["macs"].toInteger();
        QCOMPARE(macs, json["total"]["macs"].toInteger());

        const Run off = pimc({"inspect", "sample:tiny-gpt", "--no-pass", "fuse_attention", "--json"});
        QCOMPARE(strings(off.json()["ops"].toArray(), "type").count("Attention"), 0);
        const Run tanh = pimc({"inspect", "sample:tiny-gpt", "--pass", "fuse_gelu:form=tanh", "--json"});
        QCOMPARE(strings(tanh.json()["ops"].toArray(), "type").count("Gelu"), 0); // it writes it with erf
        for (const QJsonValue& pass : tanh.json()["passes"].toArray())
            QCOMPARE(pass["options"]["form"].toString(),
                     pass["name"].toString() == "fuse_gelu" ? "tanh" : "");
        QVERIFY(pimc({"inspect", "--help"}).out.contains("fuse_attention:mask=any|none"));
        const Run text = pimc({"inspect", "sample:tiny-gpt", "--ops"});
        QVERIFY(text.out.contains("/layers.0/mlp/fc1/MatMul"));
    }

    void inspectFindsOpsAsTheGraphDoes() {
        const auto names = [](const Run& run) { return strings(run.json()["ops"].toArray(), "name"); };
        const Run all = pimc({"inspect", "sample:tiny-gpt", "--json"});
        const Run heads =
            pimc({"inspect", "sample:tiny-gpt", "--find", "type:Attention name:layers.1", "--json"});
        COMPARE_CODE(heads, 0);
        QCOMPARE(heads.json()["ops"].toArray().size(), 1);
        QVERIFY(heads.json()["target"].isNull()); // nothing was planned for it
        QVERIFY(all.json()["ops"].toArray().contains(heads.json()["ops"][0]));

        // What the plan says: the same ops that a compile puts there.
        const QStringList target{"--target", "attacc"};
        const Run onPim =
            pimc(QStringList{"inspect", "sample:tiny-gpt", "--find", "on:pim", "--json"} + target);
        const Run plan = pimc(QStringList{"compile", "sample:tiny-gpt", "--json"} + target);
        COMPARE_CODE(onPim, 0);
        QStringList placed;
        for (const QJsonValue& op : plan.json()["ops"].toArray())
            if (op["placement"].toString() == "pim")
                placed << op["name"].toString();
        QVERIFY(!placed.isEmpty());
        QCOMPARE(names(onPim), placed);
        for (const QJsonValue& op : onPim.json()["ops"].toArray())
            QVERIFY(op["time_ns"].toDouble() > 0);

        const Run simulated =
            pimc(QStringList{"inspect", "sample:tiny-gpt", "--find", "energy:>0pJ"} + target);
        COMPARE_CODE(simulated, 0);
        QVERIFY2(simulated.out.contains("energy") && simulated.out.contains(placed[0].toUtf8()),
                 simulated.out.constData());
        const Run none = pimc({"inspect", "sample:tiny-gpt", "--find", "type:Conv"});
        COMPARE_CODE(none, 0);
        QVERIFY2(none.out.startsWith("0 of "), none.out.constData());
        const Run wrong = pimc({"inspect", "sample:tiny-gpt", "--find", "colour:red"});
        COMPARE_CODE(wrong, 1);
        QVERIFY2(wrong.err.contains("known are name, type"), wrong.err.constData());
    }

    void messagesAndDataAreApart() {
        const Run loud = pimc({"inspect", "sample:resnet50", "--json"});
        COMPARE_CODE(loud, 0);
        QVERIFY(loud.json().isObject());
        QVERIFY(loud.err.contains("weights")); // absent ones are mentioned
        QVERIFY(!loud.err.contains('\r'));     // no progress line where no terminal is
        const Run quiet = pimc({"inspect", "sample:resnet50", "--json", "--quiet"});
        QVERIFY(quiet.err.isEmpty());
        QCOMPARE(quiet.out, loud.out);
    }

    void zooWritesWhatItSays() {
        const Run list = pimc({"zoo", "--json"});
        COMPARE_CODE(list, 0);
        QVERIFY(strings(list.json().array(), "name").contains("llama2-33b-prefill"));

        const Run run =
            pimc({"zoo", "tiny-gpt", "--batch", "2", "--past", "8", "--json", "-o", file("t.onnx")});
        COMPARE_CODE(run, 0);
        QCOMPARE(run.json()["parameters"].toInt(), 437'760);
        const Run inspected = pimc({"inspect", file("t.onnx"), "--json"});
        QVERIFY(inspected.json()["bindings"].toArray().isEmpty());
        QCOMPARE(pimc({"zoo", "vgg8", "--no-weights"}, {}, m_folder.path()).out, QByteArray("vgg8.onnx\n"));
        QVERIFY(QFile::exists(file("vgg8.onnx")));
    }

    void ctrlCStopsAndLeavesNothing() {
        QTemporaryDir folder;
        QProcess process;
        process.start(PIMC,
                      {"zoo", "gpt3-13b", "-o", folder.filePath("big.onnx")}); // 26 GB if nobody stops it
        // Beside its place, hidden, with the number of the process, until it is whole.
        const QString partial = QStringLiteral(".big.onnx.data.partial-%1").arg(process.processId());
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(folder.filePath(partial)).size() > 1'000'000, 60'000);
        QVERIFY(process.processId() > 0); // 0 would be all of us
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("cancelled"));
        QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void compilePrintsThePlan() {
        const Run run = pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonDocument json = run.json();
        QVERIFY(json["run"].isNull());
        const QJsonArray ops = json["ops"].toArray();
        QVERIFY(ops.size() > 10);
        double total = 0, hostOnly = json["host_only_ns"].toDouble();
        for (const QJsonValue& op : ops) {
            for (const char* key : {"name", "type", "placement", "draft", "input_ns", "compute_ns",
                                    "output_ns", "host_ns", "reason"})
                QVERIFY2(op.toObject().contains(key), key);
            QVERIFY(op["placement"] == "host" || op["placement"] == "pim");
            QVERIFY2(!op["reason"].toString().isEmpty(), qPrintable(op["name"].toString()));
            QVERIFY(op["placement"] == "host" || !op["draft"].toString().isEmpty());
        }
        total = json["total_ns"].toDouble();
        QVERIFY(total > 0 && hostOnly > 0);
        const Run text = pimc({"compile", "sample:tiny-gpt", "--target", "attacc"});
        COMPARE_CODE(text, 0);
        QVERIFY(text.out.contains("host only"));
    }

    void mainSampleGainsFromPim() {
        const Run run = pimc({"compile", "sample:gpt3-13b-decode", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonDocument json = run.json();
        QVERIFY(strings(json["ops"].toArray(), "placement").contains("pim"));
        QVERIFY2(json["host_only_ns"].toDouble() > 1.5 * json["total_ns"].toDouble(),
                 run.out.left(300).constData());
    }

    void notesAreKeptListedPrintedAndRemoved() {
        const QString project = file("notes.pimproj"), op = "/layers.0/mlp/fc1/MatMul";
        COMPARE_CODE(pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--project", project}), 0);
        const Run none = pimc({"notes", project, "--json"});
        COMPARE_CODE(none, 0);
        QVERIFY(none.json().array().isEmpty());
        COMPARE_CODE(pimc({"notes", project, "--add", "about nothing"}), 1);
        COMPARE_CODE(pimc({"notes", project, "--add", "why so slow?", "--op", op}), 0);
        COMPARE_CODE(pimc({"notes", project, "--add", "backwards", "--stretch", "20", "10"}), 1);
        const Run two =
            pimc({"notes", project, "--add", "the bus, \"full\"", "--stretch", "12500", "14000", "--json"});
        COMPARE_CODE(two, 0);
        QCOMPARE(two.json().array().size(), 2);
        QCOMPARE(two.json()[0]["op"].toString(), op);
        QCOMPARE(two.json()[1]["to_ns"].toDouble(), 14000.0);
        QVERIFY(pimc({"notes", project, "--csv"})
                    .out.contains("2,,network,12500,14000,\"the bus, \"\"full\"\"\"\n"));
        COMPARE_CODE(pimc({"report", project, "--out", file("notes.html")}), 0);
        QVERIFY(readFile(file("notes.html")).contains("why so slow?"));
        QVERIFY(readFile(file("notes.html")).contains("the simulated run, 12.50 µs to 14.00 µs"));
        COMPARE_CODE(pimc({"notes", project, "--remove", "9"}), 1);
        COMPARE_CODE(pimc({"notes", project, "--remove", "1"}), 0);
        const Run left = pimc({"notes", project, "--add", "later", "--op", op, "--json"});
        QCOMPARE(left.json().array().size(), 2);
        QCOMPARE(left.json()[1]["note"].toInt(), 3); // a number is never given twice
    }

    void projectKeepsRuns() {
        const QString project = file("p.pimproj");
        const QStringList compile{"compile", "sample:tiny-gpt", "--project", project, "--json", "--label"};
        for (int i = 1; i <= 2; ++i) {
            const Run run = pimc(
                compile + QStringList{QString("run %1").arg(i), "--target", i == 1 ? "attacc" : "hbm-pim"});
            COMPARE_CODE(run, 0);
            QCOMPARE(run.json()["run"].toInt(), i);
        }
        const Run list = pimc({"runs", project, "--json"});
        COMPARE_CODE(list, 0);
        QCOMPARE(list.json().array().size(), 2);
        QCOMPARE(list.json()[0]["label"].toString(), QString("run 2")); // newest first
        QCOMPARE(list.json()[0]["bindings"].toString(), QString("batch=1,past=32"));
        QVERIFY(list.json()[1]["options"].isObject());
        QVERIFY(pimc({"runs", project}).out.contains("run 1"));

        const Run compared = pimc({"runs", project, "--compare", "1", "2", "--json"});
        COMPARE_CODE(compared, 0);
        QVERIFY(compared.json()["same_model"].toBool());
        QVERIFY(!compared.json()["same_target"].toBool());
        double sum = 0;
        for (const QJsonValue& op : compared.json()["ops"].toArray())
            sum += op["difference_ns"].toDouble();
        const double difference = compared.json()["difference_ns"].toDouble();
        QVERIFY2(std::abs(sum - difference) <= 1e-6 * std::abs(difference) + 1e-6,
                 qPrintable(QString::number(sum)));
        COMPARE_CODE(pimc({"runs", project, "--compare", "1", "2"}), 0);
        COMPARE_CODE(pimc({"runs", project, "--compare", "1", "9"}), 1);

        for (const char* name : {"r.html", "r.pdf"}) {
            const Run report = pimc({"report", project, "--run", "1", "--out", file(name)});
            COMPARE_CODE(report, 0);
            QCOMPARE(report.err.count("warning: run"), 0); // the replay finds the stored figures again
        }
        QVERIFY(readFile(file("r.html")).contains("<svg"));
        QVERIFY(readFile(file("r.html")).contains("AttAcc"));
        QVERIFY(readFile(file("r.pdf")).startsWith("%PDF"));
        COMPARE_CODE(pimc({"report", project, "--run", "7", "--out", file("x.html")}), 1);
        QVERIFY(!QFile::exists(file("x.html")));
    }

    void overridesBindAndStayWithTheVariant() {
        const QString op = "/layers.0/mlp/fc1/MatMul", project = file("o.pimproj");
        const auto placement = [&](const Run& run) {
            for (const QJsonValue& value : run.json()["ops"].toArray())
                if (value["name"] == op || value["name"].toString().startsWith(op))
                    return value["placement"].toString();
            return QString("no such op");
        };
        const QStringList base{"compile", "sample:tiny-gpt", "--target", "attacc", "--json"};
        const Run plain = pimc(base);
        const QString before = placement(plain), after = before == "pim" ? "host" : "pim";
        const QByteArray decision = placementDecision(op, after);
        const QStringList stored = base + QStringList{"--project", project, "--variant", "what-if"};
        const Run first = pimc(stored + QStringList{"--override", "-"}, decision);
        COMPARE_CODE(first, 0);
        QCOMPARE(placement(first), after);
        const Run second = pimc(stored); // the variant remembers
        COMPARE_CODE(second, 0);
        QCOMPARE(placement(second), after);
        const Run patch =
            pimc(stored + QStringList{"--override", "-"},
                 QJsonDocument(QJsonArray{QJsonObject{
                                   {"op", "remove"},
                                   {"path", "/ops/" + QString(op).replace("~", "~0").replace("/", "~1")}}})
                     .toJson());
        COMPARE_CODE(patch, 0);
        QCOMPARE(placement(patch), before);

        const Run illegal = pimc(base + QStringList{"--override", "-"}, placementDecision(op, "moon"));
        COMPARE_CODE(illegal, 1);
        QVERIFY2(illegal.err.contains("moon"), illegal.err.constData());
        COMPARE_CODE(pimc(base + QStringList{"--override", "-"}, placementDecision("nobody", "host")), 1);
        COMPARE_CODE(pimc(base + QStringList{"--override", "-"}, "{"), 1);
    }

    void sameInputGivesTheSameBundle() {
        for (const char* name : {"b1", "b2"})
            COMPARE_CODE(pimc({"compile", "sample:tiny-gpt", "--target", "hbm-pim", "--out", file(name)}), 0);
        const QMap<QString, QByteArray> first = contentOf(file("b1")), second = contentOf(file("b2"));
        QVERIFY(first.contains("manifest.json"));
        QVERIFY(first.size() > 3);
        QCOMPARE(first.keys(), second.keys());
        for (const QString& name : first.keys())
            QVERIFY2(first[name] == second[name], qPrintable(name));
        QVERIFY(!first["plan.json"].contains(m_folder.path().toUtf8()));
        // Written over, it is the same again.
        COMPARE_CODE(pimc({"compile", "sample:tiny-gpt", "--target", "hbm-pim", "--out", file("b1")}), 0);
        QVERIFY(contentOf(file("b1")) == second);
    }

    void verifyFindsWhatWasChanged() {
        COMPARE_CODE(pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--out", file("v")}), 0);
        const Run sound = pimc({"verify", file("v"), "--json"});
        COMPARE_CODE(sound, 0);
        QVERIFY(sound.json()["sound"].toBool());
        QVERIFY(sound.json()["programs"].toInt() > 0);
        QByteArray plan = readFile(file("v/plan.json"));
        writeFile(file("v/plan.json"), plan.replace("\"host\"", "\"pim\""));
        const Run broken = pimc({"verify", file("v"), "--json"});
        COMPARE_CODE(broken, 1);
        QVERIFY(!broken.json()["sound"].toBool());
        QVERIFY2(broken.out.contains("plan.json"), broken.out.constData());
    }

    void verifyRunsTheCodeOnNumbers_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("least");
        QTest::newRow("attacc") << "attacc" << 11;
        QTest::newRow("hbm-pim") << "hbm-pim" << 20;
        QTest::newRow("aim") << "aim" << 9;
    }
    void verifyRunsTheCodeOnNumbers() {
        QFETCH(QString, target);
        QFETCH(int, least);
        const QByteArray allOnPim =
            QJsonDocument(QJsonObject{{"network", QJsonObject{{"placement", "pim"}}}}).toJson();
        const QString bundle = file("n-" + target);
        COMPARE_CODE(
            pimc({"compile", "sample:tiny-gpt", "--target", target, "--override", "-", "--out", bundle},
                 allOnPim),
            0);
        const Run right = pimc({"verify", bundle, "--numeric", "--seed", "4", "--json"});
        COMPARE_CODE(right, 0);
        const QJsonObject numeric = right.json()["numeric"].toObject();
        QVERIFY(numeric["ok"].toBool());
        QVERIFY(numeric["compared"].toInt() >= least);
        QCOMPARE(numeric["compared"].toInt(), numeric["ops_on_pim"].toInt());
        for (const QJsonValue op : numeric["ops"].toArray()) {
            const QJsonObject difference = op["difference"].toObject();
            QVERIFY(difference["max_relative_error"].toDouble() > 0);
            QVERIFY(difference["max_relative_error"].toDouble() < difference["tolerance"].toDouble());
        }
        const Run some =
            pimc({"verify", bundle, "--numeric", "--op-by-op", "--ops", "mlp/fc1/MatMul", "--json"});
        COMPARE_CODE(some, 0);
        QCOMPARE(some.json()["numeric"]["ops_on_pim"].toInt(), 2);
        QCOMPARE(some.json()["numeric"]["compared"].toInt() + some.json()["numeric"]["same_code"].toInt(), 2);
        QVERIFY(pimc({"verify", bundle, "--numeric", "--ops", "nothing"}).code != 0);
        const Run late = pimc({"verify", bundle, "--numeric", "--op-by-op", "--seconds", "1e-9"});
        QVERIFY(late.code != 0 && late.out.contains("allowed were over") && !late.out.contains("NOT RIGHT"));
        const Run other = pimc({"verify", bundle, "--numeric", "--model", "sample:gpt3-13b-decode"});
        QVERIFY(other.code != 0 && other.err.contains("not the model"));
    }

    void verifyHasNothingToCompareWithoutOpsOnPim() {
        const QByteArray allOnHost =
            QJsonDocument(QJsonObject{{"network", QJsonObject{{"placement", "host"}}}}).toJson();
        const QString bundle = file("n-host");
        COMPARE_CODE(
            pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--override", "-", "--out", bundle},
                 allOnHost),
            0);
        const Run run = pimc({"verify", bundle, "--numeric"});
        QVERIFY(run.code != 0);
        QVERIFY(run.err.contains("no op is on PIM") && run.err.contains("--override FILE --out BUNDLE"));
        QVERIFY(!run.out.contains("NOT RIGHT"));
    }

    void examplesOfHelpRunOnSamples_data() {
        QTest::addColumn<QString>("verb");
        for (const char* verb : {"explore", "inspect"})
            QTest::newRow(verb) << verb;
    }
    /// Examples that name a sample have to work as they stand.
    void examplesOfHelpRunOnSamples() {
        QFETCH(QString, verb);
        int tried = 0;
        for (const QString& line : QString(pimc({verb, "--help"}).out).split('\n')) {
            const QStringList words = QProcess::splitCommand(line.simplified()); // "…" keeps blanks
            if (words.size() < 3 || words[0] != "pimc" || words[1] != verb || !words[2].startsWith("sample:"))
                continue;
            COMPARE_CODE(pimc(words.mid(1)), 0);
            ++tried;
        }
        QVERIFY(tried > 0);
    }

    void compileSimulatesOnRequest() {
        const Run run = pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--simulate", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonObject simulation = run.json()["simulation"].toObject();
        QCOMPARE(simulation["total_ns"].toDouble(), run.json()["simulated_ns"].toDouble());
        QCOMPARE(simulation["predicted_ns"].toDouble(), run.json()["total_ns"].toDouble());
        QCOMPARE(simulation["controller"].toString(), "strict");
        QCOMPARE(simulation["device"].toString(), "attacc-hbm3");
        double total = 0;
        for (const QJsonValue op : simulation["ops"].toArray())
            total += op["cost"]["total_ns"].toDouble();
        QVERIFY(std::abs(total - simulation["total_ns"].toDouble()) < 1e-6 * total);
        QVERIFY(pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--simulate"})
                    .out.contains("controller strict"));
        COMPARE_CODE(pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--simulate", "--report",
                           file("simulated.html")}),
                     0);
        const QByteArray report = readFile(file("simulated.html"));
        QVERIFY(report.contains("What the commands of a channel of attacc-hbm3 waited for"));
        QVERIFY(report.contains("Ops the prediction misses most"));
    }

    void exploreSaysWhyOneDraftIsSlower() {
        const QStringList verb{"explore", "sample:tiny-gpt", "--op", "head/Gemm", "--target", "attacc"};
        const Run run = pimc(verb + QStringList{"--why", "1", "4", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonObject json = run.json().object();
        const double a = json["a"]["facts"]["total_ns"].toDouble(),
                     b = json["b"]["facts"]["total_ns"].toDouble();
        QVERIFY(a > 0 && b >= a); // cheapest first
        double sum = 0;
        for (const QJsonValue part : json["parts"].toArray())
            sum += part["delta_ns"].toDouble();
        QVERIFY(std::abs(sum - (b - a)) <= 1e-9 * b);
        const Run words = pimc(verb + QStringList{"--why", "1", "4"});
        COMPARE_CODE(words, 0);
        QVERIFY(words.out.contains(json["headline"].toString().toUtf8()));
        // By text, the other way round.
        const Run back = pimc(verb + QStringList{"--why", json["b"]["draft"].toString(),
                                                 json["a"]["draft"].toString(), "--json"});
        COMPARE_CODE(back, 0);
        QCOMPARE(back.json()["a"]["rank"].toInt(), 4);
        QVERIFY(pimc(verb + QStringList{"--why", "0", "1"}).code != 0);
        QVERIFY(pimc(verb + QStringList{"--why", "1", "99999999"}).code != 0);
        QVERIFY(pimc(verb + QStringList{"--why", "1", "nonsense"}).code != 0);
        QVERIFY(pimc(verb + QStringList{"--why", "1", "2", "--csv"}).code != 0);
        // One that was rejected has no price: the message says why it went.
        const Run rejected = pimc(verb + QStringList{"--rejected", "--top", "0", "--json"});
        COMPARE_CODE(rejected, 0);
        const QJsonArray all = rejected.json()["rejected"].toArray();
        QVERIFY(!all.isEmpty());
        const Run refused = pimc(verb + QStringList{"--why", "1", all.last()["draft"].toString()});
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.err.contains("rejected before it was priced"), refused.err.constData());
    }

    void exploreSimulatesTheBestDrafts() {
        const QStringList verb{"explore",  "sample:tiny-gpt", "--op",      "head/Gemm",
                               "--target", "attacc",          "--simulate"};
        const Run run = pimc(verb + QStringList{"3", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray drafts = run.json()["drafts"].toArray();
        QCOMPARE(drafts.size(), 3);
        double best = 0;
        for (const QJsonValue draft : drafts) {
            const double ns = draft["simulated"]["total_ns"].toDouble();
            QVERIFY(ns > 0 && draft["predicted"]["total_ns"].toDouble() > 0);
            best = best == 0 ? ns : std::min(best, ns);
        }
        QCOMPARE(drafts[run.json()["winner"].toInt() - 1]["simulated"]["total_ns"].toDouble(), best);
        QVERIFY(pimc(verb + QStringList{"2"}).out.contains("fastest when simulated"));
        QVERIFY(pimc(verb + QStringList{"-1"}).code != 0);
        QVERIFY(pimc(verb + QStringList{"0"}).code != 0);
        QVERIFY(pimc(verb + QStringList{"2", "--top", "1"}).code != 0);
        const Run csv = pimc(verb + QStringList{"2", "--csv"});
        COMPARE_CODE(csv, 0);
        const QList<QByteArray> lines = csv.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith("rank,draft,problem,predicted_total_ns,"));
        QVERIFY(lines[2].startsWith("2,"));
    }

    void inspectSaysWhereAnElementLies() {
        const QStringList verb{"inspect", "sample:tiny-gpt", "--target", "hbm-pim", "--op", "head/Gemm"};
        const Run run = pimc(verb + QStringList{"--tensor", "W", "--element", "3,5", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray places = run.json()["places"].toArray();
        QVERIFY(!places.isEmpty());
        QCOMPARE(run.json()["position"].toInt(), 3 * 128 + 5);
        QVERIFY(places[0]["text"].toString().contains("row "));
        QVERIFY(pimc(verb).out.contains("rows "));
        QVERIFY(pimc(verb + QStringList{"--tensor", "W", "--element", "3"}).code != 0);
        QVERIFY(pimc(verb + QStringList{"--tensor", "nothing", "--element", "3"})
                    .err.contains("no such operand"));
    }

    void reportComesStraightFromACompile() {
        COMPARE_CODE(pimc({"compile", "sample:resnet50", "--report", file("c.html"), "--pdf", file("c.pdf")}),
                     0);
        QVERIFY(readFile(file("c.html")).contains("resnet50"));
        QVERIFY(readFile(file("c.pdf")).startsWith("%PDF"));
    }

    void exploreListsDrafts() {
        const QStringList base{"explore",  "sample:tiny-gpt", "--op", "/layers.0/mlp/fc1/MatMul",
                               "--target", "attacc"};
        const Run json = pimc(base + QStringList{"--json", "--rejected"});
        COMPARE_CODE(json, 0);
        const QJsonArray drafts = json.json()["drafts"].toArray();
        QCOMPARE(drafts.size(), json.json()["kept"].toInteger());
        QVERIFY(drafts.size() > 1);
        for (qsizetype i = 1; i < drafts.size(); ++i)
            QVERIFY(drafts[i - 1]["total_ns"].toDouble() <= drafts[i]["total_ns"].toDouble());
        qint64 pruned = 0;
        const QJsonObject byRule = json.json()["pruned"].toObject();
        for (const QJsonValue& count : byRule)
            pruned += count.toInteger();
        QCOMPARE(pruned + drafts.size(), json.json()["enumerated"].toInteger());
        QVERIFY(!json.json()["rejected"].toArray().isEmpty());

        const Run csv = pimc(base + QStringList{"--csv"});
        COMPARE_CODE(csv, 0);
        QVERIFY(csv.out.startsWith("rank,draft,rule,total_ns,"));
        QCOMPARE(csv.out.count('\n'), drafts.size() + 1);
        QCOMPARE(pimc(base + QStringList{"--csv", "--top", "3"}).out.count('\n'), 4);
        QVERIFY(pimc(base + QStringList{"--rules", "1"}).out.contains("drafts"));
        const Run all = pimc(base + QStringList{"--rules", "1,2", "--top", "0", "--json"});
        COMPARE_CODE(all, 0);
        QVERIFY(all.json()["kept"].toInteger() >= drafts.size());
    }

    void kernelsComeAsText() {
        const Run run = pimc({"kernel", "-", "--target", "hbm-pim", "--json"}, kGemv);
        COMPARE_CODE(run, 0);
        QCOMPARE(run.json()["sets"].toArray().size(), 2);
        QVERIFY(run.json()["drafts"].toArray().size() > 1);
        QByteArray open = kGemv;
        open.replace("W[64][256], x[256], y[64]", "W, x, y");
        writeFile(file("gemv.txt"), open);
        const Run sized = pimc(
            {"kernel", file("gemv.txt"), "--sizes", "W=64x256,x=256,y=64", "--target", "hbm-pim", "--json"});
        COMPARE_CODE(sized, 0);
        QCOMPARE(sized.json()["drafts"], run.json()["drafts"]);
        const Run bad =
            pimc({"kernel", "-", "--target", "hbm-pim"}, QByteArray(kGemv).replace("y[m] +=", "y[m] ?="));
        COMPARE_CODE(bad, 1);
        QVERIFY2(bad.err.contains("stdin:4:"), bad.err.constData());
    }

    void allocationsEqualTheReference() {
        const Run run = pimc({"cim-allocate", kGoldenDualMode + "segment_alloc_golden.json", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray found = run.json().array();
        const QJsonArray golden =
            QJsonDocument::fromJson(readFile(kGoldenDualMode + "segment_alloc_golden.json"))["instances"]
                .toArray();
        QVERIFY(golden.size() > 400);
        QCOMPARE(found.size(), golden.size());
        for (int i = 0; i < golden.size(); ++i) {
            QCOMPARE(found[i]["index"].toInt(-1), i);
            const double expected = golden[i]["T_opt"].toDouble();
            QVERIFY(std::abs(found[i]["T"].toDouble() - expected) <= 1e-9 * expected);
            QCOMPARE(found[i]["com"].toArray().size(), golden[i]["ops"].toArray().size());
            QCOMPARE(found[i]["mem"].toArray().size(), golden[i]["ops"].toArray().size());
            QCOMPARE(found[i]["shared"].toArray().size(), golden[i]["edges"].toArray().size());
        }
        const Run text = pimc({"cim-allocate", kGoldenDualMode + "segment_alloc_golden.json"});
        COMPARE_CODE(text, 0);
        QCOMPARE(text.out.count('\n'), golden.size() + 1);
    }

    void segmentsEqualTheReference() {
        const QJsonObject golden =
            QJsonDocument::fromJson(readFile(kGoldenDualMode + "dp_golden.json"))["cases"].toObject();
        QVERIFY(golden.size() >= 12);
        const Run all = pimc({"cim-segment", kGoldenDualMode + "dp_golden.json", "--further", "--json"});
        COMPARE_CODE(all, 0);
        for (const QString& name : golden.keys()) {
            const QJsonValue found = all.json()["cases"][name], expected = golden[name];
            for (const char* total : {"total", "total_all_compute"})
                QVERIFY(std::abs(found[total].toDouble() / expected[total].toDouble() - 1) <= 1e-8);
            QCOMPARE(found["segments"].toArray().size(), expected["segments"].toArray().size());
            QVERIFY(found["total_further"].toDouble() <= found["total"].toDouble() * (1 + 1e-12));
            double sum = 0;
            for (const QJsonValue& segment : found["segments_further"].toArray())
                for (int part = 5; part < 9; ++part)
                    sum += segment[part].toDouble();
            QVERIFY(std::abs(sum / found["total_further"].toDouble() - 1) <= 1e-12);
        }
        const QStringList one{"cim-segment", kGoldenDualMode + "dp_golden.json", "--case",
                              "resnet18.b1.cap96"};
        const Run json = pimc(one + QStringList{"--json"});
        COMPARE_CODE(json, 0);
        QCOMPARE(json.json()["total"], all.json()["cases"]["resnet18.b1.cap96"]["total"]);
        QVERIFY(!json.json().object().contains("total_further"));
        const Run text = pimc(one);
        COMPARE_CODE(text, 0);
        QVERIFY2(text.out.contains("318.5 k cycles") && text.out.contains("1.91"), text.out.constData());
    }

    void networksAsNumbersSayWhatIsWrong() {
        const QByteArray good = readFile(kGoldenDualMode + "dp_golden.json");
        const auto said = [&](const QByteArray& from, const QByteArray& to) {
            QByteArray bad = good;
            const auto at = bad.indexOf(from);
            if (at < 0)
                return QByteArray("no such text: " + from);
            bad.replace(at, from.size(), to);
            const Run run = pimc({"cim-segment", "-"}, bad);
            return run.code == 1 && run.out.isEmpty() && run.err.count('\n') == 1 ? run.err
                                                                                  : "code: " + run.err;
        };
        const auto verify = [&](const QByteArray& from, const QByteArray& to, const QByteArray& expected) {
            const QByteArray message = said(from, to);
            QVERIFY2(message.contains(expected), message.constData());
        };
        verify("\"Dcim\"", "\"D\"", "constants.Dcim: is missing");
        verify("\"N\":96", "\"N\":0", "constants.N: is 0");
        verify("\"N\":96", "\"N\":20", "the chip has 20");
        verify("\"rw\":\"max\"", "\"rw\":\"min\"", "\"max\" or \"sum\"");
        verify("\"op_preds\":[[]", "\"op_preds\":[[5]", "does not come before it");
        verify("\"op_preds\":[[]", "\"op_preds\":[7", "op_preds[0]: is number; a list is expected");
    }

    void checkComparesProgramAndReference() {
        const QStringList check{"check", "sample:tiny-gpt", "--target", "dynaplasia", "--bind", "past=7"};
        const Run text = pimc(check);
        COMPARE_CODE(text, 0);
        QVERIFY2(text.out.contains("outputs, all equal"), text.out.constData());
        const Run json = pimc(check + QStringList{"--json"});
        COMPARE_CODE(json, 0);
        QCOMPARE(json.json()["equal"].toBool(), true);
        QVERIFY(json.json()["difference"].isNull());
        QVERIFY(json.json()["numbers"].toInt() > 10'000);
        QVERIFY(json.json()["int8_error"].toDouble() < 0.1);
        QCOMPARE(pimc(check + QStringList{"--json"}).out, json.out);
    }

    void checkExecutesAFlowFromABundle() {
        const QTemporaryDir folder;
        const QString bundle = folder.filePath("bundle");
        COMPARE_CODE(
            pimc({"compile", "sample:tiny-gpt", "--target", "dynaplasia", "--bind", "past=7", "-o", bundle}),
            0);
        const QByteArray flow = readFile(bundle + "/programs/network.flow");
        const QStringList check{"check",  "sample:tiny-gpt", "--target", "dynaplasia",
                                "--bind", "past=7",          "--flow",   "-"};
        COMPARE_CODE(pimc(check, flow), 0);
        // The first weights are never written.
        QByteArray broken = flow;
        const auto begin = broken.indexOf("  CM.write(");
        QVERIFY(begin > 0);
        broken.remove(begin, broken.indexOf('\n', begin) + 1 - begin);
        const Run run = pimc(check, broken);
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("computes and has no weights") && run.err.contains("block 0"),
                 run.err.constData());
        // A flow of another network.
        const Run other = pimc(
            {"check", "sample:tiny-gpt", "--target", "dynaplasia", "--bind", "past=9", "--flow", "-"}, flow);
        COMPARE_CODE(other, 1);
        QVERIFY2(other.err.contains("do not belong together"), other.err.constData());
    }

    void everySampleCompilesOnEveryTarget_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("target");
        const QJsonArray targets = pimc({"targets", "--json"}).json()["targets"].toArray();
        QVERIFY(!targets.isEmpty());
        QTest::addColumn<bool>("isCrossbar");
        for (const QString& sample :
             QDir(PIM_SOURCE_DIR "/projects").entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            for (const QJsonValue& each : targets) {
                const QString target = each["id"].toString();
                const bool isCrossbar = each["family"].toString() == "crossbar";
                // Variants of a chip differ in constants alone: one small network says enough.
                static const QRegularExpression variant("^(dynaplasia|prime|isaac|puma|arch-c)-");
                if (!variant.match(target).hasMatch() || sample == "mobilenetv2")
                    QTest::addRow("%s on %s", qPrintable(sample), qPrintable(target))
                        << sample << target << isCrossbar;
            }
    }
    void everySampleCompilesOnEveryTarget() {
        QFETCH(QString, sample);
        QFETCH(QString, target);
        QFETCH(bool, isCrossbar);
        QStringList line{"compile", PIM_SOURCE_DIR "/projects/" + sample, "--target", target, "--json"};
        if (isCrossbar)
            line << "--crossbar"
                 << "strategy=constructive";
        const Run run = pimc(line);
        // weights stay on the chip: what is too large for it is refused, with numbers
        if (isCrossbar && run.code != 0) {
            static const QRegularExpression reason(
                "take [0-9]+ crossbars once, the machine has [0-9]+: [0-9]+ too few|needs [0-9]+ bytes more "
                "of the local memory of core [0-9]+|bind the batch to 1");
            QVERIFY2(reason.match(run.err).hasMatch(), run.err.constData());
            return;
        }
        COMPARE_CODE(run, 0);
        QVERIFY(run.json()["total_ns"].toDouble() > 0);
        if (isCrossbar)
            return; // it has to run the whole network, fast or not
        // Nothing is placed on PIM that makes the network slower than the host alone; a machine that has to
        // run the whole network is never slower than without its second mode.
        double limit = run.json()["host_only_ns"].toDouble();
        if (const QJsonArray baselines = run.json()["baselines"].toArray(); !baselines.isEmpty())
            limit = baselines[0]["total_ns"].toDouble();
        QVERIFY(run.json()["total_ns"].toDouble() <= limit * (1 + 1e-12));
    }
};

QTEST_GUILESS_MAIN(TestPimc)
#include "tst_app_pimc.moc"
