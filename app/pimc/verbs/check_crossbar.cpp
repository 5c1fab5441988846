// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/check_crossbar.h"

#include "core/base/number_text.h"
#include "core/compile/plan.h"
#include "core/crossbar/schedule/schedule.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {

namespace {

using nlohmann::ordered_json;

ordered_json snrJson(double snrDb) {
    return std::isfinite(snrDb) ? ordered_json(snrDb) : ordered_json();
}

std::string jsonText(const std::string& model, const Plan& plan, const CrossbarPlan& crossbar,
                     const CrossbarCheckOptions& options, const CrossbarCheck& check) {
    ordered_json difference, device;
    if (const auto& first = check.comparison.first)
        difference = {{"layer", crossbar.network->layers[std::size_t(first->layer)].name},
                      {"pixel", first->pixel},
                      {"channel", first->channel},
                      {"expected", first->expected},
                      {"got", first->got},
                      {"different", first->count},
                      {"first_wrong", check.firstWrong},
                      {"text", first->text}};
    if (check.device.samples > 0)
        device = {{"adc_bits", options.device.adcBits},
                  {"variation", options.device.variation},
                  {"stuck_off", options.device.stuckOff},
                  {"stuck_on", options.device.stuckOn},
                  {"seed", options.device.seed},
                  {"samples", check.device.samples},
                  {"same_top_1", check.device.sameTop},
                  {"output_error", check.device.outputError},
                  {"snr_db", snrJson(check.device.snrDb())}};
    const ordered_json json{{"model", model},
                            {"target", plan.target->id},
                            {"mode", name(crossbar.mapping.mode)},
                            {"numbers", options.real ? "real" : "fixed point"},
                            {"weight_bits", crossbar.chip.weightBits},
                            {"activation_bits", crossbar.chip.activationBits},
                            {"equal", check.equal()},
                            {"maps", check.comparison.maps},
                            {"elements", check.comparison.elements},
                            {"difference", difference},
                            {"instructions", check.instructions},
                            {"products", check.products},
                            {"transfers", check.transfers},
                            {"samples", check.samples},
                            {"same_top_1", check.sameTop},
                            {"weight_error", check.weightError},
                            {"output_error", check.outputError},
                            {"outputs_not_finite", check.notFinite},
                            {"device", device},
                            {"seconds", check.seconds}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string plainText(const std::string& model, const Plan& plan, const CrossbarPlan& crossbar,
                      const CrossbarCheckOptions& options, const CrossbarCheck& check) {
    std::string text = fmt::format("{} on {}, {}: {} maps, {} elements, {}\n"
                                   "executed   {} instructions, {} products, {} transfers, {:.1f} s in all\n",
                                   model, plan.target->id, name(crossbar.mapping.mode), check.comparison.maps,
                                   exactText(check.comparison.elements),
                                   check.equal() ? (options.real ? "all as in float32" : "all equal")
                                                 : "NOT EQUAL: " + check.comparison.first->text,
                                   exactText(check.instructions), exactText(check.products),
                                   exactText(check.transfers), check.seconds);
    if (!check.firstWrong.empty())
        text += "first      " + check.firstWrong + "\n";
    if (!options.real)
        text += fmt::format(
            "{} bit     weights are {} off float32, outputs {}; same largest output in {} of {} samples\n",
            crossbar.chip.weightBits, percentText(check.weightError), percentText(check.outputError),
            check.sameTop, check.samples);
    if (check.notFinite > 0)
        text +=
            fmt::format("not finite {} outputs of float32 are NaN or infinite: the error leaves them out\n",
                        exactText(check.notFinite));
    if (check.device.samples > 0)
        text += fmt::format("devices    outputs are {} off the exact program ({:.1f} dB); same largest "
                            "output in {} of {} samples\n",
                            percentText(check.device.outputError), check.device.snrDb(), check.device.sameTop,
                            check.device.samples);
    return text;
}

} // namespace

void declareCrossbarCheck(CLI::App& verb, CrossbarCheckOptions& options) {
    const auto group = "Crossbar machines";
    verb.add_flag("--real", options.real, "Compute with real numbers instead of fixed point")->group(group);
    verb.add_flag(
            "--bit-by-bit", options.bitByBit,
            "Every product bit by bit of the input, cell by cell of the weights: slow, the same numbers")
        ->group(group);
    verb.add_option("--samples", options.samples, "Random inputs that are run")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->type_name("N")
        ->group(group);
    verb.add_flag("--in-flight", options.inFlight,
                  "A high-throughput program: the samples once more, one entering each round")
        ->group(group);
    verb.add_option("--adc-bits", options.device.adcBits,
                    "Converters of so many bits; sums beyond are clipped. 0: exact")
        ->type_name("N")
        ->group(group);
    verb.add_flag("--adc-full-scale", options.device.adcFullScale,
                  "Converters take coarser steps over the whole range instead of clipping")
        ->group(group);
    verb.add_option("--variation", options.device.variation,
                    "Standard deviation of conductances, relative: 0.05")
        ->type_name("X")
        ->group(group);
    verb.add_option("--stuck-off", options.device.stuckOff, "Share of cells stuck at 0")
        ->type_name("X")
        ->group(group);
    verb.add_option("--stuck-on", options.device.stuckOn, "Share of cells stuck at their largest value")
        ->type_name("X")
        ->group(group);
    verb.add_option("--device-seed", options.device.seed, "Chooses the devices")
        ->capture_default_str()
        ->type_name("N")
        ->group(group);
}

Result<void> checkCrossbarPlan(Session& session, const std::string& model, const Plan& plan,
                               const CrossbarPlan& crossbar, const CrossbarCheckOptions& options) {
    const CrossbarSchedule& schedule = *crossbar.schedule;
    PIM_TRY(const CrossbarCheck check,
            checkCrossbar({schedule.program, *crossbar.network, crossbar.mapping, crossbar.chip,
                           schedule.mapAddress, schedule.stage, schedule.copies},
                          options, session.task()));
    PIM_CHECK(session.print(session.json ? jsonText(model, plan, crossbar, options, check)
                                         : plainText(model, plan, crossbar, options, check)));
    if (!check.equal())
        return fail(ErrorCode::InvalidFile,
                    "the program does not compute the network: " + check.comparison.first->text, model);
    return {};
}

} // namespace pim::cli
