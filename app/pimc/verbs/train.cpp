// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Trains the predictor of a target from simulated drafts, or says what one knows.
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_io.h"
#include "core/kernel/parse.h"
#include "core/predict/features.h"
#include "core/predict/kernel_families.h"
#include "core/predict/shipped.h"
#include "core/predict/training.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace pim::cli {
namespace {

struct TrainArguments {
    TargetOptions target;
    std::vector<std::string> families, files;
    int sizes = kTrainingSizes;
    std::string out;
    bool listFeatures = false;
    TrainOptions train;
};

std::string featureText() {
    std::string text;
    for (const FeatureInfo& feature : draftFeatureList())
        text += fmt::format("{:28} {:9} {}\n", feature.name, feature.unit, feature.meaning);
    return text;
}

/// Families that were named; without any name, all.
Result<std::vector<const KernelFamily*>> chosenFamilies(const TrainArguments& options) {
    std::vector<const KernelFamily*> chosen;
    for (const std::string& id : options.families) {
        PIM_TRY(const KernelFamily* family, findKernelFamily(id));
        chosen.push_back(family);
    }
    if (options.families.empty() && options.files.empty())
        for (const KernelFamily& family : kernelFamilies())
            chosen.push_back(&family);
    return chosen;
}

Result<std::vector<Kernel>> kernelsOf(const TrainArguments& options) {
    PIM_TRY(const auto families, chosenFamilies(options));
    std::vector<Kernel> kernels;
    for (const KernelFamily* family : families)
        for (const KernelSize size : kernelSizes(*family, options.sizes, 0)) {
            PIM_TRY(Kernel kernel, makeKernel(*family, size));
            kernels.push_back(std::move(kernel));
        }
    for (const std::string& file : options.files) {
        PIM_TRY(const std::string text, readText(file));
        PIM_TRY(Kernel kernel, parseKernel(text, {}, file));
        kernels.push_back(std::move(kernel));
    }
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

Result<void> printModel(Session& session, const LearnedPredictor& predictor, const std::string& file,
                        double seconds) {
    if (session.json) {
        nlohmann::ordered_json forms = nlohmann::ordered_json::array();
        for (const auto& [form, learned] : predictor.model().forms)
            forms.push_back({{"form", form},
                             {"samples", learned.samples},
                             {"unseen_drafts", learned.error.drafts},
                             {"mean_error", learned.error.mean},
                             {"worst_error", learned.error.worst},
                             {"mean_error_of_price", learned.error.meanOfPrice}});
        const nlohmann::ordered_json document{{"target", predictor.model().targetId},
                                              {"version", std::string(predictor.version())},
                                              {"file", file},
                                              {"bytes", predictor.bytes().size()},
                                              {"seconds", seconds},
                                              {"forms", forms}};
        return session.print(document.dump(2) + "\n");
    }
    std::string text = fmt::format("{:52} {:>8} {:>8} {:>8} {:>12}\n", "form of kernel", "samples",
                                   "mean off", "worst", "formula off");
    for (const auto& [form, learned] : predictor.model().forms)
        text +=
            fmt::format("{:52} {:>8} {:>6.2f} % {:>6.1f} % {:>10.1f} %\n", form, learned.samples,
                        100 * learned.error.mean, 100 * learned.error.worst, 100 * learned.error.meanOfPrice);
    text += fmt::format("predictor {} of {}: {} B in {}, {:.1f} s\n", predictor.version(),
                        predictor.model().targetId, predictor.bytes().size(), file, seconds);
    return session.print(text);
}

Result<void> run(Session& session, const TrainArguments& options) {
    if (options.listFeatures)
        return session.print(featureText());
    PIM_TRY(const auto target, options.target.find(session));
    PIM_TRY(const Backend* backend, session.backends().find(target->backend));
    const auto* const opwise = dynamic_cast<const OpwiseBackend*>(backend);
    if (!opwise)
        return fail(ErrorCode::Unsupported, "it has no drafts, so there is nothing to predict", target->id);
    PIM_TRY(const CompileOptions compile, options.target.compileOptions(session.backends()));
    PIM_TRY(const std::vector<Kernel> kernels, kernelsOf(options));
    const std::filesystem::path file =
        options.out.empty() ? userPredictorFile(*target) : std::filesystem::path(options.out);
    if (file.empty())
        return fail(ErrorCode::Usage, "there is no home folder to keep it in", "--out", "name a file");
    const auto start = std::chrono::steady_clock::now();
    Diagnostics problems;
    PIM_TRY(const auto samples,
            gatherSamples({*opwise, target, compile}, kernels, options.train, &problems, session.task()));
    sayProblems(session, problems);
    PIM_TRY(const auto predictor,
            trainPredictor(*target, compile.passes, samples, options.train, session.task()));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::error_code failure;
    if (file.has_parent_path())
        std::filesystem::create_directories(file.parent_path(), failure);
    PIM_CHECK(replaceFile(file, predictor->bytes()));
    return printModel(session, *predictor, file.string(), seconds);
}

} // namespace

Action trainVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<TrainArguments>();
    options->target.declare(verb, backends);
    std::string families;
    for (const KernelFamily& family : kernelFamilies())
        families += fmt::format("\n  {}: {}", family.id, family.summary);
    verb.add_option("--kernels", options->families,
                    "Kinds of kernel to learn, all where none is named" + families)
        ->delimiter(',')
        ->type_name("KIND,...");
    verb.add_option("--kernel-file", options->files, "A kernel of your own, as text; may be repeated")
        ->type_name("FILE")
        ->expected(1)
        ->take_all();
    verb.add_option("--sizes", options->sizes, "Sizes of each kind")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--drafts", options->train.samples.cheapest,
                    "Drafts of a kernel that are simulated because their price is least")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--rounds", options->train.booster.rounds, "Trees of a kind")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--out", options->out,
                    "Output file; by default the user's own folder, where every compile finds it")
        ->type_name("FILE");
    verb.add_flag("--features", options->listFeatures, "List what the predictor sees of a draft, and stop");
    verb.footer("Examples:\n"
                "  pimc train --target attacc\n"
                "  pimc train --target hbm-pim --kernels gemv,relu --out hbm-pim.predictor\n"
                "  pimc train --target aim --kernel-file gemv.txt");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
