// SPDX-License-Identifier: GPL-3.0-or-later
// Facts, sentences about differences, advice from rules, errors of predictions.
#include <QTest> // first: moc of Qt 6.4 cannot read <compare> before a standard header
#include <string>

#include "core/base/paths.h"
#include "core/compile/advice.h"
#include "core/compile/compare.h"
#include "core/compile/explain.h"
#include "core/drafts/rejected_sample.h"
#include "core/kernel/parse.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <cmath>
#include <map>
#include <set>

using namespace pim;

namespace {

std::shared_ptr<const TilingSpace> productSpace(TilingResources resources = {8, 4, 1, 1 << 20}) {
    const auto kernel = parseKernel("def matmul(A[6][48]: f16, B[48][64]: f16):\n"
                                    " C = DCC.Tensor.zero([6, 64], f16)\n"
                                    " for b in range(6):\n  for k in range(64):\n   for i in range(48):\n"
                                    "    C[b][k] += A[b][i] * B[i][k]\n");
    return kernel ? TilingSpace::create(*kernel, resources).value_or(nullptr) : nullptr;
}

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

/// JSON with ' for ": moc cannot read raw strings with quotes in them.
QString json(QString singleQuoted) {
    return singleQuoted.replace('\'', '"');
}

QString ruleFile(const QString& rule) {
    return json("{'format': 'pim-rules', 'version': 1, 'rules': [" + rule + "]}");
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT
private slots:
    void namesEveryFactOnce() {
        std::set<std::string> keys;
        for (const FactInfo& info : factInfos()) {
            QVERIFY2(keys.insert(info.key).second, info.key.c_str());
            QVERIFY(!info.label.empty() && !info.meaning.empty());
            QCOMPARE(info.unit == FactUnit::Time, info.key.ends_with("_ns"));
            QCOMPARE(info.unit == FactUnit::Share, info.key.ends_with("_share"));
        }
        for (const auto& [key, value] : costFacts({1, 2, 3, 4, 5, 6}))
            QVERIFY2(keys.contains(key), key.c_str());
    }

    void sharesOfACostAddUpToOne() {
        const Facts facts = costFacts({10, 20, 30, 25, 5, 10});
        double all = 0;
        for (const CostPartInfo& part : kCostSplitParts)
            all += facts.at(std::string(part.key) + "_share");
        QVERIFY(std::abs(all - 1) < 1e-12);
        QCOMPARE(facts.at("rearrangement_ns"), 40.0);
        QVERIFY(!costFacts({}).contains("input_share")); // of nothing there is no share
    }

    /// Facts of a draft against counting its cores one by one.
    void factsOfADraftAreThoseOfItsCores() {
        const auto space = productSpace();
        QVERIFY(space);
        const auto drafts = keptDrafts(*space, {}, nullptr);
        QVERIFY(drafts && drafts->size() > 10);
        for (const Draft& draft : *drafts) {
            const Facts facts = draftFacts(*space, {}, draft, {1, 2, 3, 4});
            std::int64_t used = 0, busiest = 0, iterations = 0, fullest = 0;
            std::set<int> groups;
            for (int group = 0; group < 8; ++group)
                for (int core = 0; core < 4; ++core) {
                    const CoreTile tile = space->tile(draft, group, core);
                    if (tile.iterations == 0)
                        continue;
                    ++used;
                    groups.insert(group);
                    iterations += tile.iterations;
                    busiest = std::max(busiest, tile.iterations);
                    std::int64_t bytes = 0;
                    for (const std::int64_t b : tile.tensorBytes)
                        bytes += b;
                    fullest = std::max(fullest, bytes);
                }
            QCOMPARE(iterations, space->kernel().iterations());
            QCOMPARE(facts.at("groups_used"), double(groups.size()));
            QCOMPARE(facts.at("iterations_per_core"), double(busiest));
            QCOMPARE(facts.at("bytes_per_core"), double(fullest));
            QVERIFY(facts.at("cores_used") >= double(used)); // of every group as many as of the fullest
            QVERIFY(facts.at("core_use_share") > 0 && facts.at("core_use_share") <= 1);
            QVERIFY(facts.at("padding_share") >= 0 && facts.at("padding_share") < 1);
        }
    }

    void residentInputsDoNotMove() {
        const auto space = productSpace();
        const Draft draft = keptDrafts(*space, {}, nullptr)->front();
        std::vector<TensorPlan> tensors(space->kernel().tensors.size());
        for (TensorPlan& tensor : tensors)
            tensor.residency = Residency::Resident;
        QCOMPARE(shapeFacts(*space, tensors, draft).at("input_bytes"), 0.0);
        QVERIFY(shapeFacts(*space, {}, draft).at("input_bytes") > 0);
    }

    void saysTheLargestDifferenceFirst() {
        const Explanation why = explainCosts({100, 50, 10, 0, 0, 0}, {400, 30, 10, 100, 0, 0});
        QCOMPARE(why.parts.size(), 3u);
        QCOMPARE(why.parts[0].key, std::string("input"));
        QCOMPARE(why.parts[1].key, std::string("mode_switch"));
        QCOMPARE(why.parts[2].key, std::string("compute"));
        QCOMPARE(why.parts[0].deltaNs(), 300.0);
        QVERIFY2(text(why.headline).contains("B is 3.38× slower than A: 540 ns instead of 160 ns"),
                 why.headline.c_str());
        QVERIFY2(text(why.parts[0].text).contains("costs 300 ns more (400 ns instead of 100 ns)"),
                 why.parts[0].text.c_str());
        QVERIFY2(text(why.parts[2].text).startsWith("Compute saves 20 ns"), why.parts[2].text.c_str());
    }

    void partsAddUpToTheDifference() {
        QRandomGenerator random(7);
        for (int i = 0; i < 200; ++i) {
            CostSplit a, b;
            for (const CostPartInfo& part : kCostSplitParts) {
                a.*part.ns = double(random.bounded(1000));
                b.*part.ns = random.bounded(3) == 0 ? a.*part.ns : double(random.bounded(1000));
            }
            double sum = 0, before = HUGE_VAL;
            for (const ExplainedPart& part : explainCosts(a, b).parts) {
                sum += part.deltaNs();
                QVERIFY(std::abs(part.deltaNs()) <= before);
                before = std::abs(part.deltaNs());
            }
            QCOMPARE(sum, b.totalNs() - a.totalNs()); // whole numbers: exact
        }
    }

    void saysWhatIsBehindAPart() {
        const Facts a{{"input_bytes", 1024}, {"cores_used", 512}},
            b{{"input_bytes", 4096}, {"cores_used", 512}};
        const Explanation why = explainCosts({10, 5, 0, 0}, {40, 6, 0, 0}, a, b);
        QVERIFY2(text(why.parts[0].text).contains("Bytes to the groups: 4.000 KiB instead of 1.000 KiB"),
                 why.parts[0].text.c_str());
        QVERIFY2(!text(why.parts[1].text).contains("cores"), why.parts[1].text.c_str()); // the same in both
    }

    void sameCostsAreSaidToBeTheSame() {
        const Explanation why = explainCosts({1, 2, 3, 4}, {1, 2, 3, 4});
        QVERIFY(why.parts.empty());
        QVERIFY(text(why.headline).contains("same time in every part"));
        QVERIFY(text(explainCosts({1, 2, 0, 0}, {2, 1, 0, 0}).headline).contains("same total"));
        QVERIFY(text(explainCosts({}, {5, 0, 0, 0}).headline).contains("slower"));
        QVERIFY(text(explainCosts({5, 0, 0, 0}, {}).headline).contains("faster"));
    }

    void everyShippedRuleReadsAndLeadsToAPage() {
        const auto folder = resourceDir();
        int rules = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "rules")) {
            if (entry.path().extension() != ".json")
                continue;
            QFile file(text(entry.path().string()));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto read = adviceFromJson(file.readAll().toStdString(), entry.path().string());
            QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
            for (const AdviceRule& rule : *read) {
                ++rules;
                QVERIFY2(rule.help.empty() || std::filesystem::exists(folder / "help" / (rule.help + ".md")),
                         rule.help.c_str());
            }
        }
        QVERIFY(rules >= 10);
    }

    void wrongRulesAreRefusedWithTheirPlace_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QString& rule, const char* where, const char* message) {
            QTest::newRow(name) << ruleFile(rule) << where << message;
        };
        QTest::newRow("not json") << "{"
                                  << "f.json: /"
                                  << "not JSON";
        QTest::newRow("other format") << json("{'rules': []}") << "f.json: /"
                                      << "no file of rules";
        QTest::newRow("no list") << json("{'format': 'pim-rules', 'version': 1}") << "/rules"
                                 << "list of rules";
        row("no id", "{'when': [{'fact': 'total_ns', 'above': 1}], 'text': 'x'}", "/rules/0/id", "missing");
        row("unknown key", "{'id': 'a', 'wenn': [], 'text': 'x'}", "/rules/0/wenn", "not a key");
        row("no conditions", "{'id': 'a', 'when': [], 'text': 'x'}", "/rules/0/when", "at least one");
        row("unknown fact", "{'id': 'a', 'when': [{'fact': 'corse', 'above': 1}], 'text': 'x'}",
            "/rules/0/when/0/fact", "no fact \"corse\"");
        row("two relations",
            "{'id': 'a', 'when': [{'fact': 'total_ns', 'above': 1, 'below': 2}], 'text': 'x'}",
            "/rules/0/when/0", "2 relations");
        row("no relation", "{'id': 'a', 'when': [{'fact': 'total_ns'}], 'text': 'x'}", "/rules/0/when/0",
            "0 relations");
        row("times without fact",
            "{'id': 'a', 'when': [{'fact': 'total_ns', 'above': 1, 'times': 2}], 'text': 'x'}",
            "/rules/0/when/0/times", "factor");
        row("unknown fact in the text",
            "{'id': 'a', 'when': [{'fact': 'total_ns', 'above': 1}], 'text': 'x {nothing}'}", "/rules/0/text",
            "no fact \"nothing\"");
        row("open brace", "{'id': 'a', 'when': [{'fact': 'total_ns', 'above': 1}], 'text': 'x {total_ns'}",
            "/rules/0/text", "brace");
        row("not a number", "{'id': 'a', 'when': [{'fact': 'total_ns', 'above': true}], 'text': 'x'}",
            "/rules/0/when/0/above", "expected a number");
        row("twice",
            "{'id': 'a', 'when': [{'fact': 'total_ns', 'above': 1}], 'text': 'x'}, {'id': 'a', 'when': "
            "[{'fact': 'total_ns', 'above': 1}], 'text': 'y'}",
            "/rules/1/id", "twice");
    }
    void wrongRulesAreRefusedWithTheirPlace() {
        QFETCH(QString, json);
        QFETCH(QString, where);
        QFETCH(QString, message);
        const auto read = adviceFromJson(json.toStdString(), "f.json");
        QVERIFY(!read);
        QVERIFY2(text(read.error().where).contains(where), read.error().text().c_str());
        QVERIFY2(text(read.error().message).contains(message), read.error().text().c_str());
    }

    void advisesWhereAllConditionsHold() {
        const auto rules = adviceFromJson(
            ruleFile("{'id': 'a', 'help': 'drafts', 'text': '{cores_used} of {cores_total}, other "
                     "{other.cores_used}', 'when': [{'fact': 'cores_used', 'below': 'other.cores_used', "
                     "'times': 0.5}, {'fact': 'compute_share', 'at_least': 0.5}]}")
                .toStdString(),
            "f.json");
        QVERIFY2(rules.has_value(), rules ? "" : rules.error().text().c_str());
        const Facts few{{"cores_used", 16}, {"cores_total", 64}, {"compute_share", 0.5}},
            many{{"cores_used", 64}};
        const auto advice = advise(*rules, few, &many);
        QCOMPARE(advice.size(), 1u);
        QCOMPARE(advice[0].text, std::string("16 of 64, other 64"));
        QCOMPARE(advice[0].help, std::string("drafts"));
        QVERIFY(advise(*rules, few).empty());        // nothing to compare with
        QVERIFY(advise(*rules, many, &few).empty()); // not fewer
        Facts less = few;
        less["compute_share"] = 0.49;
        QVERIFY(advise(*rules, less, &many).empty());
        less.erase("compute_share");
        QVERIFY(advise(*rules, less, &many).empty()); // not known
    }

    void rulesOfTheUserReplaceAndAdd() {
        QTemporaryDir folder;
        const auto write = [&](const char* name, const QString& content) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            return file.open(QIODevice::WriteOnly) && file.write(content.toUtf8()) > 0;
        };
        QVERIFY(
            write("mine.json",
                  ruleFile("{'id': 'few-cores', 'when': [{'fact': 'total_ns', 'above': 1}], 'text': 'mine'}, "
                           "{'id': 'new', 'when': [{'fact': 'total_ns', 'above': 1}], 'text': 'new'}")));
        QVERIFY(write("wrong.json", "[]"));
        const AdviceRules shipped = loadAdvice(), all = loadAdvice({folder.path().toStdString()});
        QVERIFY(shipped.problems.empty());
        QCOMPARE(all.rules.size(), shipped.rules.size() + 1);
        QCOMPARE(all.problems.size(), 1u);
        QVERIFY(text(all.problems[0].object).contains("wrong.json"));
        const auto mine = std::find_if(all.rules.begin(), all.rules.end(),
                                       [](const AdviceRule& r) { return r.id == "few-cores"; });
        QCOMPARE(mine->text, std::string("mine"));
    }

    void errorsOfPredictions() {
        QVERIFY(!predictionError({}));
        const std::vector<PredictedSimulated> pairs{{100, 110}, {100, 80}, {100, 101}, {0, 5}, {200, 198}};
        const auto error = predictionError(pairs);
        QVERIFY(error);
        QCOMPARE(error->count, 4u);
        QVERIFY(std::abs(error->median - 0.055) < 1e-12); // of 0.01, 0.01, 0.1, 0.2
        QVERIFY(std::abs(error->worst + 0.2) < 1e-12);
        QCOMPARE(text(errorText(*error, "ops")),
                 QStringLiteral("median 5.5 %, worst −20.0 % over 4 simulated ops"));
    }

    void tellsWhatDraftsDifferIn() {
        const auto a = productSpace(), b = productSpace({4, 4, 1, 1 << 20});
        Target one, other;
        one.id = other.id = "x";
        one.hash = other.hash = "1";
        QVERIFY(draftDifferences(*a, one, *productSpace(), other).empty());
        QVERIFY(
            text(draftDifferences(*a, one, *b, other).at(0)).contains("8 groups of 4 cores, B on 4 groups"));
        other.hash = "2";
        QVERIFY(text(draftDifferences(*a, one, *a, other).at(0)).contains("was changed"));
        other.id = "y";
        QVERIFY(text(draftDifferences(*a, one, *a, other).at(0)).contains("A is for the target x, B for y"));
    }

    void samplesRejectedDraftsOfEveryRule() {
        const auto space = productSpace({8, 4, 8, 1 << 20});
        QVERIFY(space);
        // What there is, by walking all of it.
        std::map<std::string, PruneRule> all;
        QVERIFY(forEachDraft(*space, {}, [&](const Draft& draft, PruneRule rule) {
            all[space->draftText(draft)] = rule;
            return true;
        }));
        const std::array<bool, kPruneRules> wanted{false, true, true, true, false};
        const auto sample = sampleRejected(*space, {}, wanted, 20),
                   again = sampleRejected(*space, {}, wanted, 20);
        std::array<int, kPruneRules> counts{};
        QCOMPARE(sample.size(), again.size());
        for (std::size_t i = 0; i < sample.size(); ++i) {
            QVERIFY(sample[i].draft == again[i].draft); // the same every time
            const auto known = all.find(space->draftText(sample[i].draft));
            QVERIFY(known != all.end());
            QCOMPARE(int(known->second), int(sample[i].rule));
            ++counts[static_cast<std::size_t>(sample[i].rule)];
        }
        QVERIFY(counts[2] > 0 && counts[3] > 0);
        for (const int count : counts)
            QVERIFY(count <= 20);
        QVERIFY(sampleRejected(*space, {}, {}, 20).empty());
    }

    void tellsWhatARejectedDraftLacks() {
        const auto space = productSpace({2, 2, 8, 1024});
        QVERIFY(space);
        std::array<int, kPruneRules> seen{};
        const TilingOptions options{.paperRule2 = true}; // ours compares lengths and has no one number
        QVERIFY(forEachDraft(*space, options, [&](const Draft& draft, PruneRule rule) {
            ++seen[static_cast<std::size_t>(rule)];
            const auto lack = shortfall(*space, draft, rule);
            if (rule == PruneRule::Capacity) {
                if (!lack || !lack->available.starts_with("1.000 KiB") ||
                    space->summarize(draft).bytesPerCore <= 1024)
                    qFatal("capacity without its numbers");
            } else if (rule == PruneRule::SimdMultiple) {
                if (!lack || lack->needed.find("8 elements") == std::string::npos)
                    qFatal("rule 2 without its numbers");
            } else if (lack) {
                qFatal("nothing is lacking");
            }
            return true;
        }));
        QVERIFY(seen[static_cast<std::size_t>(PruneRule::Capacity)] > 0);
        QVERIFY(seen[static_cast<std::size_t>(PruneRule::SimdMultiple)] > 0);
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_core_compile_explain.moc"
