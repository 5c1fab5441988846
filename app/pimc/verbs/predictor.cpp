// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Predictors of a target's drafts: trains one from simulated drafts, holds one against the truth, says what one knows.
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_io.h"
#include "core/base/file_text.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/compiler.h"
#include "core/kernel/parse.h"
#include "core/predict/features.h"
#include "core/predict/kernel_families.h"
#include "core/predict/shipped.h"
#include "core/predict/training.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kGainsShown = 10;
constexpr int kAskedSizes = 8; ///< Of each kind, where nobody says how many are measured.
constexpr int kTrainedSeries = 0, kAskedSeries = 1; ///< kernelSizes()

/// Which kernels are learned, or measured.
struct KernelChoice {
    std::vector<std::string> families, shapes, files;
    ModelOptions model; ///< Its ops, if it is named.
    int sizes = 0;

    void declare(CLI::App& verb, int usualSizes) {
        sizes = usualSizes;
        std::string kinds;
        for (const KernelFamily& family : kernelFamilies())
            kinds += fmt::format("\n  {}: {}", family.id, family.summary);
        verb.add_option("--kernels", families, "Kinds of kernel, all where nothing is named" + kinds)
            ->delimiter(',')
            ->type_name("KIND,...");
        verb.add_option("--sizes", sizes, "Sizes of each kind")
            ->check(CLI::Range(1, 10000))
            ->capture_default_str()
            ->type_name("N");
        verb.add_option("--shapes", shapes, "Kernels of a kind in sizes of your own")
            ->delimiter(',')
            ->type_name("KIND:ROWSxCOLUMNS,...");
        verb.add_option("--kernel-file", files, "A kernel of your own, as text; may be repeated")
            ->type_name("FILE")
            ->expected(1)
            ->take_all();
        verb.add_option("--model", model.model, "The kernels of the ops of a model")->type_name("MODEL");
        verb.add_option("--bind", model.bind, "Values of open dimensions of the model; may be repeated")
            ->join(',')
            ->type_name("NAME=N,...");
    }

    bool isNamed() const {
        return !families.empty() || !shapes.empty() || !files.empty() || !model.model.empty();
    }
};

Result<void> addModel(Session& session, const ModelOptions& model,
                      const std::shared_ptr<const Target>& target, CompileOptions options,
                      std::vector<Kernel>& kernels) {
    PIM_TRY(const auto graph, model.load(session));
    options.verifyDrafts = 0; // only its kernels are asked for
    PIM_TRY(const auto plan,
            compile(session.backends(), {graph, target, {}, options}, nullptr, session.task()));
    std::vector<Kernel> found = kernelsOf(*plan);
    if (found.empty())
        return fail(ErrorCode::Unsupported, fmt::format("none of its ops is one that {} can run", target->id),
                    model.model);
    std::ranges::move(found, std::back_inserter(kernels));
    return {};
}

/// \param series of kernelSizes().
Result<std::vector<Kernel>> kernelsFor(Session& session, const KernelChoice& choice, int series,
                                       const std::shared_ptr<const Target>& target,
                                       const CompileOptions& options) {
    std::vector<Kernel> kernels;
    const auto addSizes = [&](const KernelFamily& family) -> Result<void> {
        for (const KernelSize size : kernelSizes(family, choice.sizes, series)) {
            PIM_TRY(Kernel kernel, makeKernel(family, size));
            kernels.push_back(std::move(kernel));
        }
        return {};
    };
    for (const std::string& id : choice.families) {
        PIM_TRY(const KernelFamily* family, findKernelFamily(id));
        PIM_CHECK(addSizes(*family));
    }
    if (!choice.isNamed())
        for (const KernelFamily& family : kernelFamilies())
            PIM_CHECK(addSizes(family));
    for (const std::string& text : choice.shapes) {
        PIM_TRY(Kernel kernel, kernelOfShape(text));
        kernels.push_back(std::move(kernel));
    }
    for (const std::string& file : choice.files) {
        PIM_TRY(const std::string text, inputText(file, session.task()));
        PIM_TRY(Kernel kernel, parseKernel(text, {}, file));
        kernels.push_back(std::move(kernel));
    }
    if (!choice.model.model.empty())
        PIM_CHECK(addModel(session, choice.model, target, options, kernels));
    return kernels;
}

/// Families that the machine has no units for are said once, not once a size.
void sayProblems(Session& session, const Diagnostics& problems) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const Diagnostic& problem : problems)
        ++counts[{problem.object, problem.message}];
    for (const auto& [what, count] : counts)
        session.say(fmt::format("{}: left out, {} of its sizes: {}", what.first, count, what.second));
}

ordered_json jsonOf(const RankingQuality& quality) {
    return {{"spearman", quality.spearman},
            {"kendall", quality.kendall},
            {"regret_1", quality.regret1},
            {"regret_10", quality.regret10},
            {"regret_verified", quality.regretVerified}};
}

/// Null where there was nothing to measure it by.
template <typename Value>
ordered_json measured(bool isKnown, const Value& value) {
    return isKnown ? ordered_json(value) : ordered_json();
}

ordered_json jsonOf(const RankingFigures& figures) {
    const bool isKnown = figures.kernels > 0;
    return {{"kernels", figures.kernels},
            {"drafts", figures.drafts},
            {"formula", measured(isKnown, jsonOf(figures.formula))},
            {"learned", measured(isKnown, jsonOf(figures.learned))},
            {"worst_formula", measured(isKnown, figures.worstFormula)},
            {"worst_learned", measured(isKnown, figures.worstLearned)},
            {"verdict", measured(isKnown, name(verdictOf(figures)))}};
}

ordered_json gainsJson(const std::vector<FeatureGain>& gains) {
    ordered_json list = ordered_json::array();
    for (const FeatureGain& gain : gains)
        list.push_back({{"feature", gain.feature}, {"share", gain.share}});
    return list;
}

Result<ordered_json> jsonOf(const LearnedPredictor& predictor, const std::string& file) {
    const LearnedModel& model = predictor.model();
    ordered_json forms = ordered_json::array();
    for (const auto& [form, learned] : model.forms) {
        PIM_TRY(const auto gains, featureGains(learned, kGainsShown));
        const bool isKnown = learned.error.drafts > 0;
        forms.push_back({{"form", form},
                         {"kernel", learned.kernel},
                         {"samples", learned.samples},
                         {"trained", learned.trained},
                         {"held_out", learned.heldOut},
                         {"unseen_drafts", learned.error.drafts},
                         {"mean_error", measured(isKnown, learned.error.mean)},
                         {"worst_error", measured(isKnown, learned.error.worst)},
                         {"mean_error_of_price", measured(isKnown, learned.error.meanOfPrice)},
                         {"ranking", jsonOf(learned.ranking)},
                         {"curve", {{"trained", learned.curve.trained}, {"held_out", learned.curve.heldOut}}},
                         {"gains", gainsJson(gains)}});
    }
    return ordered_json{{"target", model.targetId},
                        {"target_hash", model.targetHash},
                        {"version", std::string(predictor.version())},
                        {"digest", predictor.digest()},
                        {"program", model.program},
                        {"seed", model.seed},
                        {"passes_left_out", model.passes},
                        {"file", file},
                        {"bytes", predictor.bytes().size()},
                        {"forms", std::move(forms)}};
}

std::string errorText(const LearnedForm& form, double error, int digits) {
    return form.error.drafts > 0 ? fmt::format("{:.{}f} %", 100 * error, digits) : "–";
}

/// One row a form of kernels: the two orders beside each other.
TextTable rankingTable() {
    return TextTable({"kernel", ">sizes", ">drafts", ">Spearman: formula\tspearman_formula",
                      ">learned\tspearman_learned", ">Kendall: formula\tkendall_formula",
                      ">learned\tkendall_learned", ">top-1 regret: formula\tregret_1_formula",
                      ">learned\tregret_1_learned", ">worst: formula\tworst_formula",
                      ">learned\tworst_learned",
                      fmt::format(">best of {}: formula\tregret_verified_formula", kVerifiedDrafts),
                      ">learned\tregret_verified_learned", "learned is\tverdict"});
}

void addRanking(TextTable& table, const std::string& kernel, const RankingFigures& figures) {
    const bool isKnown = figures.kernels > 0;
    const auto share = [&](double value) {
        return isKnown ? fmt::format("{:.3f} %", 100 * value) : std::string("–");
    };
    const auto correlation = [&](double value) {
        return isKnown ? fmt::format("{:.4f}", value) : std::string("–");
    };
    table.add({kernel, std::to_string(figures.kernels), std::to_string(figures.drafts),
               correlation(figures.formula.spearman), correlation(figures.learned.spearman),
               correlation(figures.formula.kendall), correlation(figures.learned.kendall),
               share(figures.formula.regret1), share(figures.learned.regret1), share(figures.worstFormula),
               share(figures.worstLearned), share(figures.formula.regretVerified),
               share(figures.learned.regretVerified), isKnown ? std::string(name(verdictOf(figures))) : "–"});
}

/// Rounds that show how a curve runs: the first ones, then ever fewer, and the last.
std::string curveText(const LearningCurve& curve) {
    std::string text;
    const std::size_t last = curve.trained.size() - 1;
    for (std::size_t round = 0; round <= last;
         round = round == last ? last + 1 : std::min(last, round == 0 ? 1 : 2 * round)) {
        text += fmt::format("  round {:>4}: {:.3f} % of those learned", round, 100 * curve.trained[round]);
        if (!curve.heldOut.empty())
            text += fmt::format(", {:.3f} % of those held out", 100 * curve.heldOut[round]);
        text += "\n";
    }
    return text;
}

Result<std::string> detailText(const std::string& form, const LearnedForm& learned) {
    std::string text = fmt::format("\n{} ({})\n  learned {}\n", learned.kernel, form, rangeText(learned));
    if (!learned.curve.trained.empty())
        text += "  mean error by round of trees\n" + curveText(learned.curve);
    PIM_TRY(const auto gains, featureGains(learned, kGainsShown));
    if (gains.empty())
        return text +
               "  no trees: they did not help kernels held out, the formula or its weighed parts decide\n";
    text += "  what its trees ask for, by the share of what that gained\n";
    for (const FeatureGain& gain : gains)
        text += fmt::format("  {:>6.1f} % {}\n", 100 * gain.share, gain.feature);
    return text;
}

Result<std::string> textOf(const LearnedPredictor& predictor, const std::string& file, bool inDetail) {
    const LearnedModel& model = predictor.model();
    TextTable errors({"kernel", "form", ">samples", ">mean off", ">worst", ">formula off"});
    TextTable ranking = rankingTable();
    std::string details;
    std::vector<std::string> unmeasured;
    for (const auto& [form, learned] : model.forms) {
        if (learned.heldOut.empty())
            unmeasured.push_back(learned.kernel);
        errors.add({learned.kernel, form, std::to_string(learned.samples),
                    errorText(learned, learned.error.mean, 2), errorText(learned, learned.error.worst, 1),
                    errorText(learned, learned.error.meanOfPrice, 1)});
        addRanking(ranking, learned.kernel, learned.ranking);
        if (inDetail) {
            PIM_TRY(const std::string text, detailText(form, learned));
            details += text;
        }
    }
    std::string text =
        fmt::format("predictor {} of {} ({:.8}), by version {} with seed {}{}: {} B in {}\n\n",
                    predictor.version(), model.targetId, model.targetHash, model.program, model.seed,
                    model.passes.empty() ? "" : ", without " + model.passes, predictor.bytes().size(), file);
    text += "How far times of drafts of kernels held out are off\n" + errors.text() +
            "\nHow drafts of these kernels are put in order, against the simulation of all that may be the "
            "fastest\n" +
            ranking.text();
    if (!unmeasured.empty())
        text += fmt::format("\nNothing was held out of {}: how well it is predicted is not known. Train it "
                            "with more sizes\n",
                            fmt::join(unmeasured, ", "));
    return text + details;
}

std::string featureText() {
    std::string text;
    for (const FeatureInfo& feature : draftFeatureList())
        text += fmt::format("{:28} {:9} {}\n", feature.name, feature.unit, feature.meaning);
    return text;
}

Result<const OpwiseBackend*> backendOf(Session& session, const Target& target) {
    PIM_TRY(const Backend* backend, session.backends().find(target.backend));
    if (const auto* const opwise = dynamic_cast<const OpwiseBackend*>(backend))
        return opwise;
    return fail(ErrorCode::Unsupported, "it has no drafts, so there is nothing to predict", target.id);
}

struct TrainArguments {
    TargetOptions target;
    KernelChoice kernels;
    std::string out;
    TrainOptions train;
};

Result<void> train(Session& session, TrainArguments options) {
    PIM_TRY(const auto target, options.target.find(session));
    PIM_TRY(const OpwiseBackend* backend, backendOf(session, *target));
    PIM_TRY(const CompileOptions compile, options.target.compileOptions(session.backends()));
    PIM_TRY(const std::vector<Kernel> kernels,
            kernelsFor(session, options.kernels, kTrainedSeries, target, compile));
    options.train.seed = options.target.seed;
    const auto start = std::chrono::steady_clock::now();
    Diagnostics problems;
    PIM_TRY(const auto samples, gatherSamples({*backend, target, compile}, kernels, options.train,
                                              HoldOut::Some, &problems, session.task()));
    sayProblems(session, problems);
    const TaskContext task = session.task();
    options.train.onRound = [&task](const TrainingRound& round) {
        task.report("growing trees", round.round, round.rounds);
    };
    PIM_TRY(const auto predictor, trainPredictor(*target, compile.passes, samples, options.train, task));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string file = options.out.empty() ? target->id + ".predictor" : options.out;
    PIM_CHECK(replaceFile(file, predictor->bytes()));
    session.say(fmt::format("trained in {}", timeText(1e9 * seconds)));
    if (session.json) {
        PIM_TRY(const ordered_json json, jsonOf(*predictor, file));
        return session.print(json.dump(2) + "\n");
    }
    PIM_TRY(const std::string text, textOf(*predictor, file, false));
    return session.print(text);
}

struct ShowArguments {
    std::string file;
    bool listFeatures = false;
};

/// A file, or a target for which one is shipped.
Result<std::pair<std::shared_ptr<const LearnedPredictor>, std::string>> find(Session& session,
                                                                             const std::string& name) {
    std::error_code ignored;
    std::string file = name;
    if (!std::filesystem::exists(name, ignored)) {
        PIM_TRY(const auto target, session.target(name));
        file = shippedPredictorFile(*target).string();
        if (!std::filesystem::exists(file, ignored))
            return fail(ErrorCode::NotFound, "no predictor is shipped for it", target->id,
                        fmt::format("train one: pimc predictor train --target {}", target->id));
    }
    PIM_TRY(auto predictor, readPredictorOrProject(file));
    return std::pair(std::move(predictor), file);
}

Result<void> show(Session& session, const ShowArguments& options) {
    if (options.listFeatures)
        return session.print(featureText());
    if (options.file.empty())
        return fail(ErrorCode::Usage, "nothing is named that can be shown", "pimc predictor show",
                    "name a predictor file, or a target for which one is shipped; or --features");
    PIM_TRY(const auto found, find(session, options.file));
    const auto& [predictor, file] = found;
    if (session.json) {
        PIM_TRY(const ordered_json json, jsonOf(*predictor, file));
        return session.print(json.dump(2) + "\n");
    }
    PIM_TRY(const std::string text, textOf(*predictor, file, true));
    return session.print(text);
}

struct EvaluateArguments {
    TargetOptions target;
    KernelChoice kernels;
    std::string file;
};

ordered_json jsonOf(const RankedKernel& kernel) {
    return {{"kernel", kernel.kernel},
            {"form", kernel.form},
            {"sizes", kernel.sizes},
            {"drafts", kernel.drafts},
            {"optimum_ns", kernel.optimumNs},
            {"formula", jsonOf(kernel.formula)},
            {"learned", jsonOf(kernel.learned)},
            {"outside", kernel.outside}};
}

Result<void> printEvaluation(Session& session, const LearnedPredictor& predictor, const std::string& file,
                             const std::vector<RankedKernel>& ranked) {
    std::map<std::string, std::vector<RankedKernel>> byForm;
    for (const RankedKernel& kernel : ranked)
        byForm[kernel.form].push_back(kernel);
    if (session.json) {
        ordered_json forms = ordered_json::array(), kernels = ordered_json::array();
        for (const auto& [form, members] : byForm) {
            ordered_json entry{{"form", form}, {"kernel", members.front().kernel}};
            entry.update(jsonOf(rankingFigures(members)));
            forms.push_back(std::move(entry));
        }
        for (const RankedKernel& kernel : ranked)
            kernels.push_back(jsonOf(kernel));
        const ordered_json json{{"target", predictor.model().targetId},
                                {"version", std::string(predictor.version())},
                                {"file", file},
                                {"all", jsonOf(rankingFigures(ranked))},
                                {"forms", forms},
                                {"kernels", kernels}};
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    TextTable table = rankingTable();
    for (const auto& [form, members] : byForm)
        addRanking(table, members.front().kernel, rankingFigures(members));
    addRanking(table, "all", rankingFigures(ranked));
    return session.print(fmt::format("predictor {} of {} on kernels it was not trained with, against the "
                                     "simulation of all drafts that may be the fastest\n{}",
                                     predictor.version(), predictor.model().targetId, table.text()));
}

/// Kernels that say something about the predictor: those it knows and has not seen.
std::vector<Kernel> unseen(Session& session, const SampledMachine& machine, const LearnedPredictor& predictor,
                           std::vector<Kernel> kernels) {
    std::size_t unknown = 0, seen = 0;
    std::erase_if(kernels, [&](const Kernel& kernel) {
        const auto study = machine.backend.study(kernel, machine.target, machine.compile);
        const bool isKnown = study && predictor.formOf(study->space->kernel(), study->residency);
        const bool isSeen = isKnown && predictor.hasSeen(study->space->kernel(), study->residency);
        unknown += !isKnown;
        seen += isSeen;
        return !isKnown || isSeen;
    });
    if (unknown > 0)
        session.say(fmt::format("{} left out: it has learned none of {}",
                                unknown == 1 ? "1 kernel" : fmt::format("{} kernels", unknown),
                                unknown == 1 ? "its form" : "their forms"));
    if (seen > 0)
        session.say(fmt::format("{} left out: it was trained with {}",
                                seen == 1 ? "1 kernel" : fmt::format("{} kernels", seen),
                                seen == 1 ? "it" : "them"));
    return kernels;
}

Result<void> evaluate(Session& session, const EvaluateArguments& options) {
    PIM_TRY(const auto found, find(session, options.file));
    const auto& [predictor, file] = found;
    PIM_TRY(const auto target, options.target.find(session, predictor->model().targetId));
    PIM_CHECK(predictor->checkFits(*target, file));
    PIM_TRY(const OpwiseBackend* backend, backendOf(session, *target));
    PIM_TRY(const CompileOptions compile, options.target.compileOptions(session.backends()));
    if (!predictor->wasTrainedWith(compile.passes))
        return fail(ErrorCode::Usage,
                    fmt::format("it was trained {}, other code takes other times",
                                predictor->model().passes.empty() ? "with all code passes"
                                                                  : "without " + predictor->model().passes),
                    file, "give --no-code-pass as it was trained");
    const SampledMachine machine{*backend, target, compile};
    PIM_TRY(std::vector<Kernel> asked, kernelsFor(session, options.kernels, kAskedSeries, target, compile));
    const std::vector<Kernel> kernels = unseen(session, machine, *predictor, std::move(asked));
    if (kernels.empty())
        return fail(ErrorCode::Usage, "no kernel is left that it knows and was not trained with", file,
                    "`pimc predictor show FILE` says which kernels it has learned");
    Diagnostics problems;
    PIM_TRY(const auto samples, gatherSamples(machine, kernels, {}, HoldOut::All, &problems, session.task()));
    sayProblems(session, problems);
    const std::vector<RankedKernel> ranked = rankKernels(*predictor, *target, samples, 0);
    if (ranked.empty())
        return fail(ErrorCode::Unsupported, "no draft of these kernels could be simulated", target->id);
    const auto outside =
        std::ranges::count_if(ranked, [](const RankedKernel& kernel) { return !kernel.outside.empty(); });
    if (outside > 0) {
        const auto first =
            std::ranges::find_if(ranked, [](const RankedKernel& kernel) { return !kernel.outside.empty(); });
        session.say(fmt::format("warning: {} outside what it has learned: {} {}",
                                outside == 1 ? "1 kernel lies" : fmt::format("{} kernels lie", outside),
                                first->kernel, first->outside));
    }
    return printEvaluation(session, *predictor, file, ranked);
}

CLI::App* below(CLI::App& verb, const char* name, const char* summary, const char* footer) {
    CLI::App* const made = verb.add_subcommand(name, summary)->group("Subcommands");
    made->fallthrough();
    made->footer(footer);
    return made;
}

std::function<Result<void>(Session&)> declareTrain(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<TrainArguments>();
    options->target.declare(verb, backends);
    options->kernels.declare(verb, kTrainingSizes);
    verb.add_option("--drafts", options->train.samples.cheapest,
                    "Drafts of a kernel that are simulated because their price is least")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--rounds", options->train.booster.rounds, "Trees of a form of kernels")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--out", options->out, "Output file; by default TARGET.predictor here")
        ->type_name("FILE");
    return [options](Session& session) { return train(session, *options); };
}

std::function<Result<void>(Session&)> declareEvaluate(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<EvaluateArguments>();
    verb.add_option("PREDICTOR", options->file,
                    "Predictor file, a project with one, or a target for which one is shipped")
        ->required()
        ->type_name("");
    options->target.declare(verb, backends);
    options->kernels.declare(verb, kAskedSizes);
    return [options](Session& session) { return evaluate(session, *options); };
}

std::function<Result<void>(Session&)> declareShow(CLI::App& verb) {
    auto options = std::make_shared<ShowArguments>();
    verb.add_option("PREDICTOR", options->file,
                    "Predictor file, a project with one, or a target for which one is shipped")
        ->type_name("");
    verb.add_flag("--features", options->listFeatures, "List what predictors see of a draft instead");
    return [options](Session& session) { return show(session, *options); };
}

} // namespace

Action predictorVerb(CLI::App& verb, const BackendList& backends) {
    verb.require_subcommand(1);
    verb.footer("Examples:\n"
                "  pimc predictor train --target attacc\n"
                "  pimc predictor evaluate attacc\n"
                "  pimc predictor show hbm-pim-hbm3");
    CLI::App* const trained =
        below(verb, "train", "Train a predictor for a target from simulated drafts",
              "One of five kernels of a form is not learned: the figures printed are of these.\n"
              "The same target, kernels and seed give the same file, whatever --jobs.\n"
              "Examples:\n"
              "  pimc predictor train --target attacc\n"
              "  pimc predictor train --target hbm-pim --kernels gemv,relu --out hbm-pim.predictor\n"
              "  pimc predictor train --target aim --shapes matvec:4096x4096,matvec:4096x16384\n"
              "  pimc predictor train --target aim --model sample:tiny-gpt --bind past=7");
    CLI::App* const evaluated =
        below(verb, "evaluate",
              "Hold formula and predictor against the simulation of all drafts, on kernels it has not seen",
              "Top-1 regret: how much longer the draft ranked first takes than the fastest, its mean and its "
              "worst; best of 8: the fastest of the first eight, which a compile simulates.\n"
              "Examples:\n"
              "  pimc predictor evaluate attacc\n"
              "  pimc predictor evaluate mine.predictor --kernels gemv --sizes 40 --json");
    CLI::App* const shown = below(verb, "show", "Say what a predictor has learned, and how well",
                                  "Examples:\n"
                                  "  pimc predictor show hbm-pim-hbm3\n"
                                  "  pimc predictor show mine.predictor --json\n"
                                  "  pimc predictor show --features");
    const std::vector<std::pair<CLI::App*, Action>> actions{
        {trained, declareTrain(*trained, backends)},
        {evaluated, declareEvaluate(*evaluated, backends)},
        {shown, declareShow(*shown)}};
    return [actions](Session& session) -> Result<void> {
        for (const auto& [chosen, action] : actions)
            if (chosen->parsed())
                return action(session);
        return {};
    };
}

} // namespace pim::cli
