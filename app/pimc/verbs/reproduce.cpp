// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The figures of a paper, computed anew and set beside what it printed.
#include "app/evaluation/cinm_evaluation.h"
#include "app/evaluation/functional_check.h"
#include "app/evaluation/pimdl_evaluation.h"
#include "app/evaluation/reasons.h"
#include "app/evaluation/stored_runs.h"
#include "app/evaluation/upmem_evaluation.h"
#include "app/pimc/verbs/verbs.h"
#include "core/report/file_io.h"
#include "core/report/html_writer.h"
#include "core/report/pdf_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim::cli {
namespace {

using evaluation::Evaluation;
using evaluation::Evaluator;

struct ReproduceArguments {
    std::string paper = "dcc", project, out;
    std::vector<int> figures, tables;
    int verified = kVerifiedDrafts;
    int sizes = 4; ///< A row of Table II.
    bool check = false, checkAll = false;
};

Result<void> writeReport(Session& session, const ReproduceArguments& options, const Evaluation& evaluation) {
    const std::filesystem::path folder = options.out;
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
        return fail(ErrorCode::Io, failure.message(), options.out, "name a folder that can be written to");
    const report::Document document = evaluation::evaluationDocument(evaluation);
    PIM_CHECK(replaceFile(folder / "dcc.html", report::htmlText(document)));
    PIM_TRY(const std::string pdf, report::pdfBytes(document));
    PIM_CHECK(replaceFile(folder / "dcc.pdf", pdf));
    PIM_CHECK(replaceFile(folder / "dcc.json", evaluation::evaluationJson(evaluation)));
    session.say(fmt::format("report: {}", (folder / "dcc.html").string()));
    return {};
}

Result<void> measurePredictor(Session& session, const ReproduceArguments& options, Evaluation& evaluation) {
    PIM_TRY(const evaluation::PaperNumbers paper, evaluation::readPaperNumbers());
    evaluation.predictor = evaluation::predictorRows(paper);
    for (evaluation::PredictorRow& row : evaluation.predictor)
        PIM_CHECK(evaluation::measureRow(row, options.sizes, session.backends(), session.catalog(),
                                         evaluation.options.threads, session.task()));
    return {};
}

/// The JSON of an evaluation goes to a file as well where a folder is given.
Result<void> printEvaluation(Session& session, const ReproduceArguments& options, const std::string& json,
                             const std::string& text) {
    if (!options.out.empty()) {
        std::error_code failure;
        std::filesystem::create_directories(options.out, failure);
        if (failure)
            return fail(ErrorCode::Io, failure.message(), options.out,
                        "name a folder that can be written to");
        PIM_CHECK(replaceFile(std::filesystem::path(options.out) / (options.paper + ".json"), json));
    }
    return session.print(session.json ? json : text);
}

Result<void> runUpmem(Session& session, const ReproduceArguments& options) {
    if (!options.figures.empty() || !options.tables.empty() || !options.project.empty() || options.check ||
        options.checkAll)
        return fail(ErrorCode::Usage, "--figure, --table, --project and --check are for dcc",
                    "reproduce upmem", "leave them out");
    PIM_TRY(const evaluation::UpmemEvaluation evaluation,
            evaluation::computeUpmem(session.backends(), session.catalog(), session.task()));
    return printEvaluation(session, options, evaluation::upmemJson(evaluation),
                           evaluation::upmemText(evaluation));
}

Result<void> runCinm(Session& session, const ReproduceArguments& options) {
    if (!options.figures.empty() || !options.tables.empty() || !options.project.empty() || options.check ||
        options.checkAll)
        return fail(ErrorCode::Usage, "--figure, --table, --project and --check are for dcc",
                    "reproduce cinm", "leave them out");
    PIM_TRY(const evaluation::CinmEvaluation evaluation,
            evaluation::computeCinm(session.catalog(), session.task()));
    return printEvaluation(session, options, evaluation::cinmJson(evaluation),
                           evaluation::cinmText(evaluation));
}

Result<void> runPimDl(Session& session, const ReproduceArguments& options) {
    if (!options.tables.empty() || !options.project.empty() || options.check || options.checkAll)
        return fail(ErrorCode::Usage, "--table, --project and --check are for dcc", "reproduce pim-dl",
                    "leave them out");
    PIM_TRY(const evaluation::PimDlEvaluation evaluation,
            evaluation::computePimDl(session.backends(), session.catalog(), options.figures, session.task()));
    return printEvaluation(session, options, evaluation::pimDlJson(evaluation),
                           evaluation::pimDlText(evaluation));
}

Result<void> run(Session& session, const ReproduceArguments& options) {
    if (options.paper == "upmem")
        return runUpmem(session, options);
    if (options.paper == "cinm")
        return runCinm(session, options);
    if (options.paper == "pim-dl")
        return runPimDl(session, options);
    if (options.paper != "dcc")
        return fail(ErrorCode::NotFound, fmt::format("there is no evaluation of \"{}\"", options.paper), {},
                    "choose dcc, upmem, pim-dl or cinm");
    Evaluation evaluation;
    evaluation.options.verified = options.verified;
    evaluation.project = options.project;
    Evaluator evaluator(session.backends(), session.catalog(), evaluation.options);
    const bool all = options.figures.empty() && options.tables.empty();
    for (const int number : all ? evaluation::figureNumbers() : options.figures) {
        PIM_TRY(evaluation::Figure figure, evaluation::computeFigure(number, evaluator, session.task()));
        evaluation.figures.push_back(std::move(figure));
    }
    if (all || !options.tables.empty())
        PIM_CHECK(measurePredictor(session, options, evaluation));
    evaluation.claims = evaluation::claimsOf(evaluation.figures);
    const auto kernelsOnAttAcc = [](const evaluation::Figure& figure) { return figure.number == 6; };
    if (std::any_of(evaluation.figures.begin(), evaluation.figures.end(), kernelsOnAttAcc)) {
        PIM_TRY(const auto aim, session.catalog().find("aim"));
        evaluation.withoutGain = evaluation::passesWithoutGain(evaluation.figures, *aim);
    }
    if (options.check || options.checkAll) {
        const double most =
            options.checkAll ? std::numeric_limits<double>::infinity() : evaluation::kQuickMacs;
        PIM_TRY(evaluation.functional,
                evaluation::checkAll(evaluator, evaluation.figures, most, session.task()));
    }
    if (!options.project.empty()) {
        PIM_TRY(const auto runs, evaluation::storeRuns(session.backends(), session.catalog(),
                                                       options.verified, options.project, session.task()));
        session.say(fmt::format("{} runs stored in {}", runs.size(), options.project));
    }
    if (!options.out.empty())
        PIM_CHECK(writeReport(session, options, evaluation));
    return session.print(session.json ? evaluation::evaluationJson(evaluation)
                                      : evaluation::evaluationText(evaluation));
}

} // namespace

Action reproduceVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<ReproduceArguments>();
    verb.add_option(
            "PAPER", options->paper,
            "Which evaluation: dcc (arXiv 2511.15503), upmem (uPIMulator, figure 6, and CINM, figure 11), "
            "pim-dl (PIM-DL, ASPLOS 2024: look-ups on UPMEM), or cinm (CINM, ASPLOS 2025: 15 programs on "
            "UPMEM and "
            "memristor tiles)")
        ->required()
        ->type_name("");
    verb.add_option("--figure", options->figures,
                    "Only this figure: 2, 6, 7, 8, 9 or 10; of pim-dl 3, 10 to 15; may be repeated")
        ->type_name("N");
    verb.add_option("--table", options->tables, "Only this table: 2, the learned predictor")
        ->check(CLI::IsMember({2}))
        ->type_name("N");
    verb.add_option("--sizes", options->sizes,
                    "Sizes measured for each row of Table II; the paper has 167 to 304, which take minutes")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    verb.add_option("--verify", options->verified,
                    "Drafts, those with the best predicted times, that are simulated before one is chosen")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    verb.add_flag("--check", options->check,
                  "Run chosen programs on numbers and compare the results; the largest are left out");
    verb.add_flag("--check-all", options->checkAll, "Include the largest, which takes minutes");
    verb.add_option("--project", options->project,
                    "Store the kernels of figures 6 and 7 as runs of this project; made if there is none")
        ->type_name("FILE");
    verb.add_option("-o,--out", options->out,
                    "Folder for the report: dcc.html, dcc.pdf, dcc.json; upmem.json; pim-dl.json; cinm.json")
        ->type_name("FOLDER");
    verb.footer("Examples:\n"
                "  pimc reproduce dcc --out evaluation\n"
                "  pimc reproduce dcc --figure 7 --check\n"
                "  pimc reproduce dcc --table 2 --sizes 150\n"
                "  pimc reproduce upmem\n"
                "  pimc reproduce cinm\n"
                "  pimc reproduce pim-dl --figure 12\n"
                "  pimc reproduce dcc --project dcc.pimproj --out evaluation --json > dcc.json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
