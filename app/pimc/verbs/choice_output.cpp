// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/choice_output.h"

#include "core/base/number_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

ordered_json jsonOf(const DraftChoice& choice, const Target& target, const std::string& title) {
    const auto known = [](const std::optional<double>& value) {
        return value ? ordered_json(*value) : ordered_json();
    };
    ordered_json json{{"of", title},
                      {"target", target.id},
                      {"kernel", choice.space->kernel().text()},
                      {"draft", choice.space->draftText(choice.draft)},
                      {"total_ns", choice.price.totalNs()},
                      {"input_ns", choice.price.busInputNs},
                      {"compute_ns", choice.price.computeNs},
                      {"output_ns", choice.price.busOutputNs},
                      {"mode_switch_ns", choice.price.modeSwitchNs},
                      {"origin", name(choice.origin)},
                      {"enumerated", choice.counts.enumerated},
                      {"kept", choice.counts.byRule[static_cast<std::size_t>(PruneRule::Kept)]}};
    if (const auto& check = choice.check) {
        json["price_ns"] = check->priceNs;
        json["predicted_ns"] = known(check->predictedNs);
        json["simulated_ns"] = known(check->simulatedNs);
        json["simulated"] = check->simulated;
        json["rank"] = check->rank;
        json["loss_at_most"] = known(check->lossAtMost);
    }
    return json;
}

} // namespace

void ChoiceOutput::declare(CLI::App& verb) {
    verb.add_flag("--choose", wanted,
                  "Only the draft that a compile takes, without the host's memory: drafts are ranked by "
                  "--predictor, the best "
                  "--verify are simulated as long as they may win, the fastest is taken");
}

Result<void> ChoiceOutput::check(const char* other, bool given) const {
    if (wanted && given)
        return fail(ErrorCode::Usage, "takes one draft and lists none", "--choose",
                    fmt::format("leave out {}", other));
    return {};
}

Result<void> ChoiceOutput::print(Session& session, const DraftChoice& choice, const Target& target,
                                 const std::string& title) const {
    if (session.json)
        return session.print(
            jsonOf(choice, target, title).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    const KernelPrice& price = choice.price;
    std::string text =
        fmt::format("{} on {}\n{}\ntime       {} ({}), without the host's memory\n", title, target.id,
                    choiceLine(choice), timeText(price.totalNs()), name(choice.origin));
    text += fmt::format("parts      input {}, compute {}, output {}, mode switch {}\n",
                        timeText(price.busInputNs), timeText(price.computeNs), timeText(price.busOutputNs),
                        timeText(price.modeSwitchNs));
    if (choice.check && choice.check->predictedNs)
        text += fmt::format("ranked by  the learned predictor: {}, by price {}\n",
                            timeText(*choice.check->predictedNs), timeText(choice.check->priceNs));
    text += fmt::format("drafts     {}, {} left by the rules\n", exactText(choice.counts.enumerated),
                        exactText(choice.counts.byRule[static_cast<std::size_t>(PruneRule::Kept)]));
    session.say(fmt::format("chosen in {}", timeText(1e6 * choice.milliseconds)));
    return session.print(text);
}

std::string choiceLine(const DraftChoice& choice) {
    const std::string how = choice.check ? choice.check->text() : "as decided";
    return fmt::format("a compile takes {}: {}", choice.space->draftText(choice.draft),
                       how.empty() ? "ranked best, not simulated" : how);
}

Result<const OpwiseBackend*> draftsOf(const Backend& backend, const Target& target) {
    if (const auto* const opwise = dynamic_cast<const OpwiseBackend*>(&backend))
        return opwise;
    return fail(ErrorCode::Unsupported, "it has no drafts, so there is nothing to choose", target.id);
}

} // namespace pim::cli
