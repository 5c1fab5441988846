// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How a draft is chosen, from the command line: verified by simulation, taken as published, sought exhaustively.
#include <QTest>
#include <string>

#include "tests/support/pimc_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <map>

using namespace pim::test;

namespace {

const QByteArray kOddProduct =
    "def matvec(x[3000], W[1000][3000]: const f16):\n    y = DCC.Tensor.zero([1000])\n"
    "    for o in range(1000):\n        for i in range(3000):\n            y[o] += x[i] * W[o][i]\n";

QJsonObject kernel(const QStringList& more) {
    return pimc(QStringList{"kernel", "-", "--target", "aim", "--json"} + more, kOddProduct).json().object();
}

} // namespace

class TestPimcChoice : public QObject {
    Q_OBJECT
private slots:
    void compileVerifiesUnlessToldNotTo() {
        const QStringList verb{"compile", "sample:tiny-gpt", "--target", "attacc", "--json"};
        const Run verified = pimc(verb), priced = pimc(verb + QStringList{"--verify", "0"}),
                  again = pimc(verb);
        COMPARE_CODE(verified, 0);
        COMPARE_CODE(priced, 0);
        QCOMPARE(verified.out, again.out);
        int checked = 0;
        for (const QJsonValue& op : verified.json()["ops"].toArray()) {
            const QJsonObject check = op["draft_check"].toObject();
            if (check.isEmpty())
                continue;
            if (check["simulated"].toInt() == 0) { // the host is many times as fast
                QVERIFY(check["price_ns"].toDouble() > 4 * op["host_ns"].toDouble());
                continue;
            }
            ++checked;
            QVERIFY(check["simulated"].toInt() >= 1 && check["simulated"].toInt() <= 8);
            QVERIFY(check["simulated_ns"].toDouble() > 0 && check["loss_at_most"].toDouble() >= 0);
            QCOMPARE(op["origin"].toString(),
                     op["placement"].toString() == "pim" ? "simulated" : "predicted");
        }
        QVERIFY(checked > 0);
        for (const QJsonValue& op : priced.json()["ops"].toArray())
            QCOMPARE(op["origin"].toString(), QString("predicted"));
        const Run text = pimc({"compile", "sample:tiny-gpt", "--target", "hbm-pim"});
        QVERIFY(text.out.contains("the fastest of those simulated"));
    }

    void fixedMappingIsAnotherPlan() {
        const QStringList verb{"compile", "sample:tiny-gpt", "--target", "attacc", "--json"};
        const Run fixed = pimc(verb + QStringList{"--mapping", "fixed"}), searched = pimc(verb);
        COMPARE_CODE(fixed, 0);
        COMPARE_CODE(searched, 0);
        QVERIFY(fixed.out != searched.out);
        QCOMPARE(pimc(verb + QStringList{"--mapping", "best"}).code, 1);
    }

    void unknownCodePassesAreRefused() {
        for (const QStringList& verb : {QStringList{"compile", "sample:tiny-gpt"},
                                        {"explore", "sample:tiny-gpt", "--op", "head/Gemm"}}) {
            const Run run = pimc(verb + QStringList{"--target", "attacc", "--no-code-pass", "no-such-pass"});
            QCOMPARE(run.code, 1);
            QVERIFY2(run.err.contains("no code pass \"no-such-pass\""), run.err.constData());
        }
    }

    /// A size that divides badly: padding keeps the good drafts, the rule as printed removes them.
    void exhaustiveSearchFindsWhatThePaperPrunes() {
        const QJsonObject ours = kernel({"--exhaustive"}), all = kernel({"--exhaustive", "--rules", "none"}),
                          paper = kernel({"--exhaustive", "--rules", "paper"});
        const auto optimum = [](const QJsonObject& found) {
            return found["optimum"]["simulated_ns"].toDouble();
        };
        QVERIFY(optimum(all) > 0);
        QVERIFY(optimum(ours) <= 1.01 * optimum(all));
        QVERIFY(optimum(paper) > 5 * optimum(ours));
        for (const QJsonObject& found : {ours, all, paper}) {
            QCOMPARE(found["simulated"].toInt() + found["ruled_out"].toInt() + found["without_code"].toInt(),
                     found["kept"].toInt());
            QVERIFY(found["price"]["rank_of_optimum"].toInt() >= 1);
            const QJsonArray drafts = found["drafts"].toArray();
            QCOMPARE(drafts.size(), found["simulated"].toInt());
            for (const QJsonValue& draft : drafts) {
                QVERIFY(draft["bound_ns"].toDouble() <= draft["simulated_ns"].toDouble());
                QVERIFY(draft["simulated_ns"].toDouble() >= optimum(found));
            }
        }
        QVERIFY(ours["ruled_out"].toInt() > 0);
    }

    void exhaustiveSearchPrintsTextAndCsv() {
        const QStringList verb{"explore", "sample:tiny-gpt", "--op", "head/Gemm", "--target",
                               "aim",     "--exhaustive"};
        const Run text = pimc(verb), csv = pimc(verb + QStringList{"--csv"});
        COMPARE_CODE(text, 0);
        COMPARE_CODE(csv, 0);
        for (const char* part : {"optimum", "price      gave the optimum place", "simulated"})
            QVERIFY2(text.out.contains(part), text.out.constData());
        QVERIFY(csv.out.startsWith("rank,draft,simulated_ns,price_ns,price_rank,predicted_ns,bound_ns\n1,"));
        const Run simulated =
            pimc({"explore", "sample:tiny-gpt", "--op", "head/Gemm", "--target", "aim", "--simulate", "8"});
        QVERIFY2(simulated.out.contains("from the optimum") ||
                     simulated.out.contains("no other draft can be faster"),
                 simulated.out.constData());
        QCOMPARE(pimc(verb + QStringList{"--simulate", "3"}).code, 1);
    }

    void knownDraftsAnswerTheSame() {
        QTemporaryDir folder;
        const QString project = folder.filePath("p.pimproj");
        const QStringList verb{"compile", "sample:tiny-gpt", "--target", "hbm-pim",
                               "--json",  "--project",       project};
        const auto without = [](const Run& run) {
            QJsonObject json = run.json().object();
            json.remove("known_drafts");
            json.remove("run");
            return json;
        };
        const Run alone = pimc({"compile", "sample:tiny-gpt", "--target", "hbm-pim", "--json"});
        const Run first = pimc(verb), again = pimc(verb);
        COMPARE_CODE(first, 0);
        COMPARE_CODE(again, 0);
        QCOMPARE(without(first), without(alone));
        QCOMPARE(without(again), without(alone));
        QCOMPARE(first.json()["known_drafts"]["ops"].toInt(), 0);
        const int found = first.json()["known_drafts"]["found"].toInt();
        QVERIFY(found > 0);
        QVERIFY(again.json()["known_drafts"]["ops"].toInt() > 0); // the others stay on the host
        QCOMPARE(again.json()["known_drafts"]["found"].toInt(), 0);

        const QJsonArray drafts = pimc({"drafts", project, "--json"}).json()["drafts"].toArray();
        QCOMPARE(drafts.size(), found);
        for (const QJsonValue& draft : drafts) {
            QVERIFY(draft["of_this_code"].toBool() && draft["simulated_ns"].toDouble() > 0);
            QCOMPARE(draft["target"].toString(), QString("hbm-pim"));
            QCOMPARE(draft["options"]["verify_drafts"].toInt(), 8);
        }
        QVERIFY(pimc({"drafts", project}).out.contains("mac w"));
        QVERIFY(pimc({"drafts", project, "--target", "aim"}).out.contains("no drafts yet"));

        // Forgotten, they are found again.
        COMPARE_CODE(pimc({"drafts", project, "--clear", "--json"}), 0);
        const Run searched = pimc(verb);
        QCOMPARE(searched.json()["known_drafts"]["found"].toInt(), found);
        QCOMPARE(without(searched), without(alone));
        QCOMPARE(pimc({"drafts", project, "--clear", "--json"}).json()["forgotten"].toInt(), found);
        QVERIFY(pimc({"drafts", project}).out.contains("no drafts yet"));
        QVERIFY(pimc(QStringList{"compile", "sample:tiny-gpt", "--target", "hbm-pim", "--project", project})
                    .code == 0);
        QVERIFY(pimc(QStringList{"compile", "sample:tiny-gpt", "--target", "hbm-pim", "--project", project})
                    .out.contains("of them from the project's table"));
    }

    void predictedTimesHaveAKnownError() {
        const QStringList verb{"explore", "sample:tiny-gpt", "--op", "head/Gemm", "--top", "2"};
        const QJsonObject known =
            pimc(verb + QStringList{"--target", "attacc", "--json", "--predictor", "shipped"})
                .json()
                .object();
        const QJsonObject error = known["known_error"].toObject();
        QVERIFY(error["price"].toDouble() >= error["predicted"].toDouble() &&
                error["predicted"].toDouble() > 0);
        QVERIFY(error["drafts"].toInt() > 10 && error["worst_predicted"].toDouble() < 0.2);
        QVERIFY(known["drafts"][0]["predicted_ns"].toDouble() > 0);
        const QJsonObject none = pimc(verb + QStringList{"--target", "aim", "--json"}).json().object();
        QVERIFY(none.contains("known_error") && none["known_error"].isNull());
        QVERIFY(!none["drafts"][0].toObject().contains("predicted_ns"));
        QVERIFY(pimc(verb + QStringList{"--target", "aim"}).out.contains("none known"));
        QVERIFY(
            pimc(verb + QStringList{"--target", "attacc"}).out.contains("known error of predicted times: ±"));
        // Of other code than it was trained with, nothing is known.
        const Run other =
            pimc(verb + QStringList{"--target", "attacc", "--json", "--no-code-pass", "group-commands"});
        COMPARE_CODE(other, 0);
        QVERIFY(other.json()["known_error"].isNull());
        const QJsonObject simulated = pimc({"explore", "sample:tiny-gpt", "--op", "head/Gemm", "--target",
                                            "attacc", "--simulate", "2", "--json"})
                                          .json()
                                          .object();
        QVERIFY(simulated["known_error"]["price"].toDouble() > 0);
    }

    void trainedPredictorServesItsMachineOnly() {
        QTemporaryDir folder;
        const auto train = [&folder](const char* name) {
            return pimc({"predictor", "train", "--target", "aim", "--kernels", "gemv", "--sizes", "6",
                         "--drafts", "6", "--rounds", "10", "--out", folder.filePath(name), "--json"});
        };
        const auto bytes = [&folder](const char* name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const Run trained = train("aim.predictor");
        COMPARE_CODE(trained, 0);
        QCOMPARE(trained.json()["target"].toString(), QString("aim"));
        QCOMPARE(trained.json()["bytes"].toInt(), int(bytes("aim.predictor").size()));
        const QJsonArray forms = trained.json()["forms"].toArray();
        QCOMPARE(forms.size(), 1);
        QVERIFY(forms.at(0)["samples"].toInt() > forms.at(0)["unseen_drafts"].toInt());
        QVERIFY(forms.at(0)["unseen_drafts"].toInt() > 0);
        QCOMPARE(forms.at(0)["curve"]["trained"].toArray().size(), 11);
        QVERIFY(forms.at(0)["ranking"]["kernels"].toInt() == 1);
        COMPARE_CODE(train("again.predictor"), 0);
        QCOMPARE(bytes("again.predictor"), bytes("aim.predictor"));

        // Of one size nothing is held out, so there is nothing to measure it by.
        const QStringList one{"predictor", "train",   "--target", "aim",   "--kernels",
                              "gemv",      "--sizes", "1",        "--out", folder.filePath("one.predictor")};
        const Run unmeasured = pimc(one);
        COMPARE_CODE(unmeasured, 0);
        QVERIFY2(unmeasured.out.contains("Nothing was held out of gemv") &&
                     !unmeasured.out.contains("0.000") && !unmeasured.out.contains("alike"),
                 unmeasured.out.constData());
        const QJsonObject form = pimc(one + QStringList{"--json"}).json()["forms"][0].toObject();
        QVERIFY(form["mean_error"].isNull() && form["ranking"]["learned"].isNull() &&
                form["ranking"]["verdict"].isNull() && form["ranking"]["kernels"].toInt(-1) == 0);

        const QStringList compile{"compile", "sample:tiny-gpt", "--predictor",
                                  folder.filePath("aim.predictor"), "--target"};
        COMPARE_CODE(pimc(compile + QStringList{"aim"}), 0);
        const Run refused = pimc(compile + QStringList{"attacc"});
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.err.contains("pimc predictor train --target attacc"), refused.err.constData());
        // What it has not learned the like of is said by all that ask it, and whom it does not serve.
        const QString small = folder.filePath("small.predictor");
        COMPARE_CODE(
            pimc({"predictor", "train", "--target", "aim", "--drafts", "6", "--rounds", "10", "--shapes",
                  "matvec:64x64,matvec:128x128,matvec:64x128,matvec:32x64,matvec:64x256", "--out", small}),
            0);
        const Run explored = pimc({"explore", "sample:tiny-gpt", "--op", "/layers.0/mlp/fc2/MatMul",
                                   "--target", "aim", "--predictor", small});
        COMPARE_CODE(explored, 0);
        QVERIFY2(explored.err.contains("warning: aim: the kernel lies outside what predictor"),
                 explored.err.constData());
        const QStringList sweep{"sweep", "sample:tiny-gpt", "--predictor", small, "--over"};
        const Run swept = pimc(sweep + QStringList{"target=aim,attacc;past=1"});
        COMPARE_CODE(swept, 0);
        QVERIFY2(swept.err.contains("warning: 1 point lies outside what predictor") &&
                     swept.err.contains("note: attacc: " + small.toUtf8() + " was not trained for it"),
                 swept.err.constData());
        QVERIFY(!swept.err.contains("note: aim: " + small.toUtf8()));
        QCOMPARE(pimc(sweep + QStringList{"target=attacc,hbm-pim;past=1"}).code, 1);
        const Run unshipped =
            pimc({"compile", "sample:tiny-gpt", "--predictor", "shipped", "--target", "hbm-pim"});
        COMPARE_CODE(unshipped, 0);
        QVERIFY2(unshipped.err.contains("note: hbm-pim: no predictor is shipped for it"),
                 unshipped.err.constData());
        const Run features = pimc({"predictor", "show", "--features"});
        COMPARE_CODE(features, 0);
        QVERIFY(features.out.contains("price.total"));
        const Run shown = pimc({"predictor", "show", folder.filePath("aim.predictor")});
        COMPARE_CODE(shown, 0);
        QVERIFY2(shown.out.contains("learned 5 kernels") && shown.out.contains("seed 0"),
                 shown.out.constData());
        const Run measured = pimc({"predictor", "evaluate", folder.filePath("aim.predictor"), "--kernels",
                                   "gemv", "--sizes", "3", "--shapes", "relu:2x512", "--json"});
        COMPARE_CODE(measured, 0);
        QCOMPARE(measured.json()["kernels"].toArray().size(), 3);
        QVERIFY2(measured.err.contains("1 kernel left out: it has learned none of its form"),
                 measured.err.constData());
        QVERIFY(measured.json()["all"]["learned"]["regret_1"].toDouble() >= 0);
        for (const QStringList& wrong :
             {QStringList{"evaluate", folder.filePath("aim.predictor"), "--target", "attacc"},
              QStringList{"show", "attac"}, QStringList{"train", "--target", "dynaplasia"},
              QStringList{"train", "--target", "aim", "--shapes", "gemv:12"}, QStringList{"show"}}) {
            const Run none = pimc(QStringList{"predictor"} + wrong);
            QVERIFY2(none.code == 1 && none.err.startsWith("pimc: error: "), none.err.constData());
        }
    }

    /// Unasked a compile is ranked by what was learned where that was measured to be better; off is what it was before. Sweeps ask the same.
    void rankedByWhatIsBetterUnasked() {
        QTemporaryDir folder;
        QFile text(folder.filePath("relu.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("def relu(X[3][1792]: f16, Z[3][1792]: f16):\n"
                   "    for b in range(3):\n"
                   "        for i in range(1792):\n"
                   "            Z[b][i] = relu(X[b][i])\n");
        text.close();
        const auto learned = [&](const QStringList& words) {
            const Run run =
                pimc(QStringList{"kernel", text.fileName(), "--top", "1", "--json", "--target"} + words);
            return run.code == 0 && run.json()["drafts"][0]["predicted_ns"].isDouble();
        };
        QVERIFY(learned({"hbm-pim-hbm3"}) && learned({"hbm-pim-hbm3", "--predictor", "auto"}));
        QVERIFY(!learned({"hbm-pim-hbm3", "--predictor", "off"}));
        QVERIFY(!learned({"hbm-pim-hbm3", "--no-code-pass", "overlap"})); // of other code
        const QStringList sweep{"sweep",    "sample:tiny-gpt", "--over",   "past=1,2",
                                "--target", "hbm-pim-hbm3",    "--project"};
        const auto asked = [&](const char* name, const QStringList& words) {
            const QString project = folder.filePath(name);
            if (pimc(sweep + QStringList{project} + words).code != 0)
                return QString("failed");
            return pimc({"sql", project,
                         "SELECT coalesce(json_extract(options_json, '$.predictor'), '') AS version FROM "
                         "sweeps",
                         "--json"})
                .json()["rows"][0][0]
                .toString();
        };
        const QString better = asked("auto.pimproj", {}),
                      whole = asked("shipped.pimproj", {"--predictor", "shipped"});
        QVERIFY2(better.size() == 16 && whole.size() == 16 && better != whole,
                 qPrintable(better + ' ' + whole));
        QCOMPARE(asked("off.pimproj", {"--predictor", "off"}), QString());
        // A sweep over targets asks that of each.
        const Run both = pimc({"sweep", "sample:tiny-gpt", "--over", "target=attacc,hbm-pim-hbm3;past=1",
                               "--predictor", "shipped", "--project", folder.filePath("both.pimproj")});
        COMPARE_CODE(both, 0);
        const Run none =
            pimc(sweep + QStringList{folder.filePath("none.pimproj"), "--predictor", "no.predictor"});
        QVERIFY2(none.code == 1 && none.err.startsWith("pimc: error: no.predictor"), none.err.constData());
    }

    /// Verbs of a verb, their options and those of the verb above.
    void completesWhatStandsBelowAVerb() {
        const auto completed = [](const QStringList& words) {
            return pimc(QStringList{"completion", "words", "pimc"} + words).out;
        };
        QVERIFY(completed({"predictor", ""}).startsWith("train\t"));
        QVERIFY(completed({"predictor", "train", "--kern"}).contains("--kernels\t"));
        QVERIFY(completed({"predictor", "show", "--js"}).contains("--json\t"));
        QVERIFY(completed({"predictor", "evaluate", "hbm-pim-h"}).contains("hbm-pim-hbm3\t"));
        QVERIFY(completed({"predictor", "train", "--target", "atta"}).contains("attacc\t"));
        QVERIFY(completed({"sweep", "plan", "--t"}).contains("--to\t"));
    }

    /// All machines of a kind, one, and the host alone, in one order.
    /// Of every family: a sentence, and parts that sum to the chain.
    void whatLimits() {
        for (const char* target : {"attacc", "dynaplasia", "isaac", "upmem-1"}) {
            const auto run = pimc({"limits", "sample:tiny-gpt", "--target", target, "--json"});
            COMPARE_CODE(run, 0);
            const QJsonObject json = run.json().object();
            const double chain = json["chain_ns"].toDouble();
            QVERIFY2(chain > 0 && chain <= json["total_ns"].toDouble() * 1.000001, target);
            QVERIFY2(json["sentence"].toString().contains("the time is set by "), target);
            for (const char* by : {"by_work", "by_unit", "by_cause"}) {
                double sum = 0;
                for (const QJsonValue& part : json[by].toArray())
                    sum += part["ns"].toDouble();
                QVERIFY2(std::abs(sum - chain) <= 1e-6 * chain, target);
            }
            QVERIFY(!json["resources"].toArray().isEmpty());
        }
        const auto text = pimc({"limits", "sample:tiny-gpt", "--target", "isaac", "--top", "3"});
        COMPARE_CODE(text, 0);
        QVERIFY2(text.out.contains("Of the chain") && text.out.contains("the time is set by ") &&
                     !text.out.contains("Looked at"), // at all of it
                 text.out.constData());
    }

    /// Of every family and the host: no op above its roof, one op alone as a sentence, a picture, a stretch of the run.
    void everyOpUnderItsRoofs() {
        QTemporaryDir folder;
        for (const char* target : {"attacc", "hbm-pim", "aim", "dynaplasia", "isaac", "upmem-1"}) {
            const auto run = pimc({"limits", "sample:tiny-gpt", "--target", target, "--roofline", "--json"});
            COMPARE_CODE(run, 0);
            const QJsonObject roofline = run.json()["roofline"].toObject();
            QVERIFY2(roofline["ceilings"].toArray().size() >= 4, target);
            std::map<QString, double> ceilings;
            for (const QJsonValue& ceiling : roofline["ceilings"].toArray())
                ceilings[ceiling["name"].toString()] = ceiling["per_ns"].toDouble();
            double onChain = 0;
            QString dearest;
            double most = 0;
            for (const QJsonValue& op : roofline["ops"].toArray()) {
                const double ns = op["ns"].toDouble();
                double slowest = 0;
                const QJsonObject amounts = op["amounts"].toObject();
                for (auto amount = amounts.begin(); amount != amounts.end(); ++amount)
                    slowest = std::max(slowest, amount->toDouble() / ceilings.at(amount.key()));
                QVERIFY2(slowest <= ns * 1.000001, qPrintable(op["name"].toString()));
                QVERIFY(std::abs(op["share_of_roof"].toDouble() - slowest / ns) < 1e-9);
                QVERIFY(op["operations_per_ns"].toDouble() <= op["roof_per_ns"].toDouble() * 1.000001);
                onChain += op["chain_ns"].toDouble();
                if (ns > most) {
                    most = ns;
                    dearest = op["name"].toString();
                }
            }
            QVERIFY2(onChain > 0 && onChain <= run.json()["chain_ns"].toDouble() * 1.000001, target);

            const auto one = pimc({"limits", "sample:tiny-gpt", "--target", target, "--op", dearest});
            COMPARE_CODE(one, 0);
            QVERIFY2(one.out.contains(dearest.toUtf8()) && one.out.contains(": set by ") &&
                         one.out.contains("Takes at least"),
                     one.out.constData());
        }
        const QString picture = folder.filePath("roofline.svg");
        const auto table =
            pimc({"limits", "sample:tiny-gpt", "--target", "isaac", "--roofline", "--svg", picture});
        COMPARE_CODE(table, 0);
        QVERIFY2(table.out.contains("Ceiling") && table.out.contains("crossbars") &&
                     table.out.contains("Op/B"),
                 table.out.constData());
        QFile svg(picture);
        QVERIFY(svg.open(QFile::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.startsWith("<svg") && text.contains("<circle") && text.contains("global memory: "));

        const auto unknown = pimc({"limits", "sample:tiny-gpt", "--target", "isaac", "--op", "no such op"});
        COMPARE_CODE(unknown, 1);
        QVERIFY2(unknown.err.contains("the model has no such op"), unknown.err.constData());
    }

    void stretchesOfARunAreLookedAt() {
        const QStringList asked{"limits", "sample:tiny-gpt", "--target", "dynaplasia"};
        const QJsonDocument whole = pimc(asked + QStringList{"--json"}).json();
        const double end = whole["chain_ns"].toDouble(), middle = std::floor(end / 3);
        const auto chainOf = [](const QJsonDocument& part) {
            std::map<QString, double> chain;
            double all = 0;
            for (const QJsonValue& use : part["resources"].toArray())
                chain[use["name"].toString()] = use["chain_ns"].toDouble();
            for (const QJsonValue& unit : part["by_unit"].toArray())
                all += unit["ns"].toDouble();
            chain[QString()] = all;
            return chain;
        };
        const Run first = pimc(asked + QStringList{"--to", QString::number(middle, 'f', 0), "--json"}),
                  second = pimc(asked + QStringList{"--from", QString::number(middle, 'f', 0), "--json"});
        COMPARE_CODE(first, 0);
        COMPARE_CODE(second, 0);
        QCOMPARE(second.json()["from_ns"].toDouble(), middle);
        QVERIFY(std::abs(first.json()["chain_ns"].toDouble() - middle) < 1e-6);
        const auto one = chainOf(first.json()), two = chainOf(second.json());
        for (const auto& [name, ns] : chainOf(whole))
            QVERIFY2(std::abs(one.at(name) + two.at(name) - ns) <= 1e-6 * end, qPrintable(name));
        const Run words = pimc(asked + QStringList{"--from", "100", "--to", "5000"});
        COMPARE_CODE(words, 0);
        QVERIFY2(words.out.contains("Looked at are 4.900 µs from 100 ns on") &&
                     words.out.contains("of this stretch of the run"),
                 words.out.constData());
        const Run none = pimc(asked + QStringList{"--from", "5000", "--to", "100"});
        COMPARE_CODE(none, 1);
        QVERIFY2(none.err.contains("from 5000 to 100 ns is no stretch of the run"), none.err.constData());
    }

    void doctor() {
        QTemporaryDir folder;
        const auto parts = [](const Run& run) {
            QMap<QString, QJsonObject> found;
            for (const QJsonValue& part : run.json()["parts"].toArray())
                found[part["part"].toString()] = part.toObject();
            return found;
        };
        const Run sound = pimc({"doctor", "--json"});
        COMPARE_CODE(sound, 0);
        QCOMPARE(parts(sound).size(), 10);
        QVERIFY(
            parts(sound)["compile and simulate"]["what"].toString().contains("tiny-gpt on hbm-pim takes"));

        QFile bad(folder.filePath("bad.json"));
        QVERIFY(bad.open(QFile::WriteOnly) && bad.write("{\"format\": \"pim-target\"}") > 0);
        bad.close();
        const Run targets = pimc({"doctor", "--targets", folder.path()});
        COMPARE_CODE(targets, 1);
        QVERIFY2(targets.out.contains("bad.json") && targets.err.contains("1 of 10 parts is not in order"),
                 (targets.out + targets.err).constData());

        for (const auto& [variable, value, part] :
             {std::tuple("TMPDIR", "/nowhere/at all", "projects"),
              std::tuple("PIM_RESOURCE_DIR", "/nowhere/at all", "targets"),
              std::tuple("PIM_PROJECTS_DIR", "/nowhere/at all", "samples")}) {
            const QByteArray before = qgetenv(variable);
            qputenv(variable, value);
            const Run run = pimc({"doctor", "--json"});
            before.isNull() ? qunsetenv(variable) : qputenv(variable, before);
            COMPARE_CODE(run, 1);
            QCOMPARE(parts(run)[part]["state"].toString(), QString("problem"));
            QVERIFY(parts(run)[part]["what"].toString().contains("nowhere"));
        }
        const QByteArray before = qgetenv("PIM_CONFIG_DIR");
        qputenv("PIM_CONFIG_DIR", "/dev/null");
        const Run unsettled = pimc({"doctor", "--json"});
        before.isNull() ? qunsetenv("PIM_CONFIG_DIR") : qputenv("PIM_CONFIG_DIR", before);
        QCOMPARE(parts(unsettled)["settings"]["state"].toString(), QString("note"));
    }

    /// Numbers cross the borders of a system's machines.
    void systemOnNumbers() {
        const QStringList common{"system", "sample:tiny-gpt", "--system", "gpu-hbm-crossbar", "--predict"};
        const auto run = pimc(common + QStringList{"--check", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonValue numbers = run.json()["numbers"];
        QVERIFY(numbers["parts"].toArray().size() > 1);
        QVERIFY(numbers["relative_error"].toDouble() < 0.01);
        const auto again = pimc(common + QStringList{"--check", "--json", "--seed", "2"});
        COMPARE_CODE(again, 0);
        QVERIFY(again.json()["numbers"] != numbers);
        const auto text = pimc(common + QStringList{"--check"});
        COMPARE_CODE(text, 0);
        QVERIFY2(text.out.contains("from the network in float32"), text.out.constData());
        const auto plain = pimc(common + QStringList{"--json"});
        QVERIFY(plain.json()["numbers"].isNull());
        // What limits it: shares of resources and pieces of the chain are of the same run.
        const QJsonValue limits = plain.json()["limits"];
        QVERIFY(std::abs(limits["chain_ns"].toDouble() / plain.json()["predicted_ns"].toDouble() - 1) < 1e-3);
        const auto said = pimc(common + QStringList{"--limits"});
        COMPARE_CODE(said, 0);
        QVERIFY2(said.out.contains("What limits it, as predicted: " + limits["sentence"].toString().toUtf8()),
                 said.out.constData());
    }
    /// The decisions that the window keeps and exports.
    void systemWithDecisions() {
        QTemporaryDir folder;
        const QString file = folder.filePath("decisions.json");
        const QStringList common{"system",           "sample:tiny-gpt", "--system",
                                 "gpu-hbm-crossbar", "--predict",       "--json"};
        const auto free = pimc(common);
        COMPARE_CODE(free, 0);
        QString op;
        for (const QJsonValue span : free.json()["schedule"].toArray())
            if (span["device"] == "crossbar" && !span["op"].isUndefined())
                op = span["op"].toString();
        QVERIFY(!op.isEmpty());
        const auto decide = [&](const QString& system, const QString& device) {
            QFile out(file);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(
                QStringLiteral(R"({"ops":{"%1":{"device":{"%2":"%3"}}}})").arg(op, system, device).toUtf8());
        };
        const auto deviceOf = [&](const auto& run) {
            for (const QJsonValue span : run.json()["schedule"].toArray())
                if (span["op"].toString() == op)
                    return span["device"].toString();
            return QString();
        };
        decide("gpu-hbm-crossbar", "host");
        const auto placed = pimc(common + QStringList{"--override", file});
        COMPARE_CODE(placed, 0);
        QCOMPARE(deviceOf(placed), QString("host"));
        decide("another", "host");
        QCOMPARE(deviceOf(pimc(common + QStringList{"--override", file})), QString("crossbar"));
        decide("gpu-hbm-crossbar", "nowhere");
        const auto wrong = pimc(common + QStringList{"--override", file});
        COMPARE_CODE(wrong, 1);
        QVERIFY2(wrong.err.contains("there is no device \"nowhere\""), wrong.err.constData());
    }
    void whichMachine() {
        const auto run = pimc({"which", "sample:tiny-gpt", "-t", "upmem-1", "--kind", "aim", "--json"});
        COMPARE_CODE(run, 0);
        QStringList machines;
        double before = 0;
        for (const QJsonValue& row : run.json().array()) {
            machines.append(row["machine"].toString());
            QVERIFY(row["request_ns"].toDouble() >= before);
            before = row["request_ns"].toDouble();
            double sum = 0;
            for (const QJsonValue& part : row["energy_parts_pj"].toArray())
                sum += part["pj"].toDouble();
            QVERIFY(sum > 0 && std::abs(sum / row["energy_pj"].toDouble() - 1) < 1e-12);
            QVERIFY(row["power_w"].toDouble() > 0 && !row["energy_by"].toString().isEmpty());
            QCOMPARE(row["area_mm2"].isNull(), row["machine"].toString() != "a100"); // unknown, not 0
        }
        machines.sort();
        QCOMPARE(machines.join(" "), "a100 aim aim-32 upmem-1 xeon-8380");
        const auto text = pimc({"which", "sample:tiny-gpt", "-t", "aim"});
        COMPARE_CODE(text, 0);
        QVERIFY2(text.out.contains("simulated") && text.out.contains("unknown") &&
                     text.out.contains("computes in bf16"),
                 text.out.constData());
        COMPARE_CODE(pimc({"which", "sample:tiny-gpt", "-t", "no-such-machine"}), 1);
        COMPARE_CODE(pimc({"which", "sample:tiny-gpt", "--kind", "no-such-kind"}), 1);
        COMPARE_CODE(pimc({"which", "sample:tiny-gpt", "-t", "aim", "--host", "no-such-host"}), 1);
    }
};

QTEST_GUILESS_MAIN(TestPimcChoice)
#include "tst_app_pimc_choice.moc"
