// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The figures of a paper, computed anew and set beside what it printed.
#include "app/evaluation/cinm_evaluation.h"
#include "app/evaluation/cmswitch_evaluation.h"
#include "app/evaluation/document_text.h"
#include "app/evaluation/functional_check.h"
#include "app/evaluation/pimcomp_evaluation.h"
#include "app/evaluation/pimdl_evaluation.h"
#include "app/evaluation/reasons.h"
#include "app/evaluation/stored_runs.h"
#include "app/evaluation/upmem_evaluation.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_io.h"
#include "core/report/html_writer.h"
#include "core/report/pdf_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

/// An evaluation in all its forms.
struct Reproduced {
    std::string paper;
    report::Document document;
    std::string json, text;
};

Result<void> writeFiles(const std::filesystem::path& folder, const Reproduced& done) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
        return fail(ErrorCode::Io, failure.message(), folder.string(),
                    "name a folder that can be written to");
    PIM_CHECK(replaceFile(folder / (done.paper + ".html"), report::htmlText(done.document)));
    PIM_TRY(const std::string pdf, report::pdfBytes(done.document));
    PIM_CHECK(replaceFile(folder / (done.paper + ".pdf"), pdf));
    return replaceFile(folder / (done.paper + ".json"), done.json);
}

Result<void> measurePredictor(Session& session, const ReproduceArguments& options, Evaluation& evaluation) {
    PIM_TRY(const evaluation::PaperNumbers paper, evaluation::readPaperNumbers());
    evaluation.predictor = evaluation::predictorRows(paper);
    for (evaluation::PredictorRow& row : evaluation.predictor)
        PIM_CHECK(evaluation::measureRow(row, options.sizes, session.backends(), session.catalog(),
                                         evaluation.options.threads, session.task()));
    return {};
}

/// Options that only the evaluation of DCC has.
Result<void> refuseThoseOfDcc(const ReproduceArguments& options, bool hasFigures) {
    if ((!hasFigures && !options.figures.empty()) || !options.tables.empty() || !options.project.empty() ||
        options.check || options.checkAll)
        return fail(
            ErrorCode::Usage,
            fmt::format("{}--table, --project and --check are for dcc", hasFigures ? "" : "--figure, "),
            "reproduce " + options.paper, "leave them out");
    return {};
}

Reproduced inAllForms(std::string paper, report::Document document, std::string json) {
    std::string text = evaluation::documentText(document);
    return {std::move(paper), std::move(document), std::move(json), std::move(text)};
}

Result<Reproduced> runUpmem(Session& session, const ReproduceArguments& options) {
    PIM_CHECK(refuseThoseOfDcc(options, false));
    PIM_TRY(const evaluation::UpmemEvaluation found,
            evaluation::computeUpmem(session.backends(), session.catalog(), session.task()));
    return inAllForms("upmem", evaluation::upmemDocument(found), evaluation::upmemJson(found));
}

Result<Reproduced> runCinm(Session& session, const ReproduceArguments& options) {
    PIM_CHECK(refuseThoseOfDcc(options, false));
    PIM_TRY(const evaluation::CinmEvaluation found,
            evaluation::computeCinm(session.catalog(), session.task()));
    return inAllForms("cinm", evaluation::cinmDocument(found), evaluation::cinmJson(found));
}

Result<Reproduced> runPimDl(Session& session, const ReproduceArguments& options) {
    PIM_CHECK(refuseThoseOfDcc(options, true));
    PIM_TRY(const evaluation::PimDlEvaluation found,
            evaluation::computePimDl(session.backends(), session.catalog(), options.figures, session.task()));
    return inAllForms("pim-dl", evaluation::pimDlDocument(found), evaluation::pimDlJson(found));
}

Result<Reproduced> runCmSwitch(Session& session, const ReproduceArguments& options) {
    PIM_CHECK(refuseThoseOfDcc(options, false));
    PIM_TRY(const evaluation::PaperEvaluation found,
            evaluation::computeCmSwitch(session.catalog(), session.task()));
    return inAllForms("cmswitch", evaluation::paperDocument(found), evaluation::paperJson(found));
}

Result<Reproduced> runPimComp(Session& session, const ReproduceArguments& options) {
    PIM_CHECK(refuseThoseOfDcc(options, false));
    PIM_TRY(const evaluation::PaperEvaluation found,
            evaluation::computePimComp(session.catalog(), {}, session.task()));
    return inAllForms("pimcomp", evaluation::paperDocument(found), evaluation::paperJson(found));
}

Result<Reproduced> runDcc(Session& session, const ReproduceArguments& options) {
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
    return Reproduced{"dcc", evaluation::evaluationDocument(evaluation),
                      evaluation::evaluationJson(evaluation), evaluation::evaluationText(evaluation)};
}

struct Paper {
    std::string_view name;
    Result<Reproduced> (*run)(Session&, const ReproduceArguments&);
};
constexpr Paper kPapers[]{{"dcc", runDcc},      {"pimcomp", runPimComp}, {"cmswitch", runCmSwitch},
                          {"pim-dl", runPimDl}, {"cinm", runCinm},       {"upmem", runUpmem}};
constexpr std::string_view kAllPapers = "all";

/// One after the other; files as they are finished, then one of all.
Result<Reproduced> runAll(Session& session, const ReproduceArguments& options) {
    if (!options.figures.empty() || !options.tables.empty() || !options.project.empty())
        return fail(ErrorCode::Usage, "--figure, --table and --project are for one paper", "reproduce all",
                    "leave them out");
    Reproduced all{std::string(kAllPapers), {}, {}, {}};
    all.document.eyebrow = "Evaluation";
    all.document.headline = "What the papers print, recomputed";
    all.document.lead = "Every table and figure with a number beside ours, and why they differ.";
    all.document.footer = "PIM Studio";
    nlohmann::ordered_json json;
    for (const Paper& paper : kPapers) {
        ReproduceArguments one = options;
        one.paper = std::string(paper.name);
        if (paper.name != "dcc")
            one.check = one.checkAll = false;
        PIM_TRY(Reproduced done, paper.run(session, one));
        if (!options.out.empty())
            PIM_CHECK(writeFiles(options.out, done));
        json[one.paper] = nlohmann::ordered_json::parse(done.json);
        all.text += (all.text.empty() ? "" : "\n") + done.text;
        report::Section about{done.document.headline, std::move(done.document.summary)};
        about.blocks.insert(about.blocks.begin(), report::Paragraph{done.document.lead});
        all.document.sections.push_back(std::move(about));
        for (report::Section& section : done.document.sections) {
            section.title = fmt::format("{}: {}", paper.name, section.title);
            all.document.sections.push_back(std::move(section));
        }
    }
    all.json = json.dump(2) + "\n";
    return all;
}

Result<void> run(Session& session, const ReproduceArguments& options) {
    const auto* const paper = std::ranges::find(kPapers, options.paper, &Paper::name);
    if (paper == std::end(kPapers) && options.paper != kAllPapers)
        return fail(ErrorCode::NotFound, fmt::format("there is no evaluation of \"{}\"", options.paper), {},
                    "choose dcc, pimcomp, cmswitch, pim-dl, cinm, upmem or all");
    PIM_TRY(const Reproduced done,
            paper == std::end(kPapers) ? runAll(session, options) : paper->run(session, options));
    if (!options.out.empty()) {
        PIM_CHECK(writeFiles(options.out, done));
        session.say(fmt::format("report: {}",
                                (std::filesystem::path(options.out) / (done.paper + ".html")).string()));
    }
    return session.print(session.json ? done.json : done.text);
}

} // namespace

Action reproduceVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<ReproduceArguments>();
    verb.add_option(
            "PAPER", options->paper,
            "Which evaluation: dcc (arXiv 2511.15503), pimcomp (arXiv:2411.09159: crossbar chips), cmswitch "
            "(ASPLOS 2025: dual-mode chips), pim-dl (ASPLOS 2024: look-ups), cinm (ASPLOS 2025: 15 programs "
            "on "
            "UPMEM and memristor tiles), upmem (uPIMulator, figure 6, and CINM, figure 11), or all")
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
                    "Folder for the report: dcc.html, dcc.pdf, dcc.json, and so for each paper and for all")
        ->type_name("FOLDER");
    verb.footer("Examples:\n"
                "  pimc reproduce all --out evaluation\n"
                "  pimc reproduce dcc --figure 7 --check\n"
                "  pimc reproduce dcc --table 2 --sizes 150\n"
                "  pimc reproduce cmswitch --out evaluation\n"
                "  pimc reproduce pim-dl --figure 12\n"
                "  pimc reproduce dcc --project dcc.pimproj --out evaluation --json > dcc.json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
