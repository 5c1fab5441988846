// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/verify_crossbar.h"

#include "core/base/number_text.h"
#include "core/execute/sample_weights.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {

Result<CrossbarBundleCheck> checkCrossbarNumbers(Session& session, const std::string& bundle,
                                                 const BundleSource& source,
                                                 std::shared_ptr<const Graph> graph, std::uint64_t seed) {
    PIM_CHECK(checkModelOfBundle(source, *graph));
    PIM_TRY(const auto weighted, withSampleWeights(graph, seed));
    PIM_TRY(const CrossbarChip chip, crossbarChip(*source.target));
    PIM_TRY(const CrossbarNetwork network, crossbarNetwork(weighted, chip));
    CrossbarCheckOptions options;
    options.seed = seed;
    return checkCrossbarBundle(bundle, network, chip, options, session.task());
}

std::string crossbarNumbersProblem(const CrossbarBundleCheck& check) {
    if (!check.wrongCell.empty())
        return "its cells do not hold the model's weights: " + check.wrongCell;
    if (check.program.comparison.first)
        return "its program does not compute what the model says: " + check.program.comparison.first->text;
    return {};
}

std::string crossbarNumbersJson(const CrossbarBundleCheck& check) {
    using nlohmann::ordered_json;
    const auto orNull = [](const std::string& text) {
        return text.empty() ? ordered_json() : ordered_json(text);
    };
    const ordered_json json{{"ok", check.ok()},
                            {"way", "network"},
                            {"numbers", "fixed point"},
                            {"mode", name(check.mode)},
                            {"maps", check.program.comparison.maps},
                            {"elements", check.program.comparison.elements},
                            {"instructions", check.program.instructions},
                            {"products", check.program.products},
                            {"transfers", check.program.transfers},
                            {"weights_compared", check.cells},
                            {"weights_missing", orNull(check.missingWeights)},
                            {"problem", orNull(crossbarNumbersProblem(check))},
                            {"first_wrong", orNull(check.program.firstWrong)},
                            {"output_error", check.program.outputError},
                            {"seconds", check.program.seconds}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

std::string crossbarNumbersText(const CrossbarBundleCheck& check) {
    std::string text = fmt::format(
        "numbers    {}: {} maps, {} elements {} the reference; {} instructions, {} products, {:.1f} s\n",
        check.ok() ? "right" : "NOT RIGHT", check.program.comparison.maps,
        exactText(check.program.comparison.elements),
        check.program.equal() ? "equal to the last bit to" : "compared with",
        exactText(check.program.instructions), exactText(check.program.products), check.program.seconds);
    text += check.missingWeights.empty()
                ? fmt::format("cells      {}\n",
                              check.wrongCell.empty()
                                  ? fmt::format("{} weights are those of the model", exactText(check.cells))
                                  : "WRONG: " + check.wrongCell)
                : fmt::format("cells      none: {}\n", check.missingWeights);
    if (!check.program.firstWrong.empty())
        text += "first      " + check.program.firstWrong + "\n";
    return text;
}

} // namespace pim::cli
