// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/exhaustive_output.h"
#include "app/pimc/verbs/exploration_output.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_text.h"
#include "core/base/parse_number.h"
#include "core/compile/compiler.h"
#include "core/kernel/parse.h"
#include "core/plan/draft_facet.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace pim::cli {
namespace {

struct KernelArguments {
    std::string file;
    std::vector<std::string> sizes;
    TargetOptions target;
    PredictorOption predictor;
    ExplorationOutput output;
    ExhaustiveOutput exhaustive;
};

/// "A=12x16" -> A: [12, 16]
Result<std::map<std::string, Shape>> parseSizes(const std::vector<std::string>& texts) {
    std::map<std::string, Shape> sizes;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const auto bad = [&] {
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is not understood", text), "--sizes",
                        "write A=12x16,B=8x16");
        };
        if (equals == std::string::npos || equals == 0)
            return bad();
        Shape shape;
        for (const std::string& part : CLI::detail::split(text.substr(equals + 1), 'x')) {
            const auto extent = parsePositive<std::int64_t>(part);
            if (!extent)
                return bad();
            shape.push_back(*extent);
        }
        sizes[text.substr(0, equals)] = shape;
    }
    return sizes;
}

Result<void> run(Session& session, const KernelArguments& options) {
    PIM_CHECK(options.exhaustive.check("--rejected", options.output.rejected));
    PIM_TRY(const auto sizes, parseSizes(options.sizes));
    PIM_TRY(const std::string text, inputText(options.file, session.task()));
    PIM_TRY(const Kernel kernel, parseKernel(text, sizes, options.file == "-" ? "stdin" : options.file));
    PIM_TRY(const auto target, options.target.find(session));
    PIM_TRY(const Backend* backend, backendFor(session, *target));
    PIM_TRY(CompileOptions compile, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, target, compile));
    PIM_CHECK(checkCodePasses(*backend, compile.passes));
    PIM_TRY(compile.tiling, options.output.tilingOptions());
    PIM_TRY(const DraftFacet* drafts, draftsOf(*backend, kernel.name));
    PIM_TRY(const auto exploration, drafts->exploreKernel(kernel, target, compile, session.task()));
    PredictorOption::sayOutside(session, *exploration, compile);
    if (options.exhaustive.wanted)
        return options.exhaustive.run(session, *drafts, *exploration, kernel.name, options.output.csv,
                                      options.output.top);
    return options.output.print(session, *exploration, kernel.name, knownError(*exploration, compile));
}

} // namespace

Action kernelVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<KernelArguments>();
    verb.add_option("FILE", options->file, "Kernel text; - is stdin")->required()->type_name("");
    verb.add_option("--sizes", options->sizes, "Shapes of parameters the text leaves open")
        ->delimiter(',')
        ->type_name("A=12x16,...");
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    options->output.declare(verb);
    options->exhaustive.declare(verb);
    verb.footer("Example kernel:\n"
                "  def gemv(W[4096][4096], x[4096], y[4096]):\n"
                "      for m in range(4096):\n"
                "          for k in range(4096):\n"
                "              y[m] += W[m][k] * x[k]\n\n"
                "Examples:\n"
                "  pimc kernel gemv.txt --target attacc\n"
                "  pimc kernel gemv.txt --target aim --exhaustive --rules none\n"
                "  pimc kernel matmul.txt --sizes A=12x16,B=8x16 --target hbm-pim --csv");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
