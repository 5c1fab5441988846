// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numbers.h"

#include "backends/crossbar/bundle/bundle_check.h"
#include "backends/crossbar/numeric/program_network.h"
#include "backends/crossbar/plan/plan.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/base/number_text.h"
#include "core/execute/numeric_check.h"
#include "core/execute/sample_weights.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace pim {
namespace {

using nlohmann::ordered_json;

ordered_json snrJson(double snrDb) {
    return std::isfinite(snrDb) ? ordered_json(snrDb) : ordered_json();
}

std::string jsonText(const std::string& model, const Plan& plan, const CrossbarPlan& crossbar,
                     const CrossbarCheckOptions& options, const CrossbarCheck& check,
                     const std::string& inputs) {
    ordered_json difference, device;
    if (const auto& first = check.comparison.first)
        difference = {{"layer", crossbar.network->layers[first->layer.index()].name},
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
                            {"inputs", inputs},
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
                            {"output_errors", ordered_json::parse(outputsJson(check.outputs))},
                            {"outputs_not_finite", check.notFinite},
                            {"device", device},
                            {"seconds", check.seconds}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string plainText(const std::string& model, const Plan& plan, const CrossbarPlan& crossbar,
                      const CrossbarCheckOptions& options, const CrossbarCheck& check,
                      const std::string& inputs) {
    std::string text =
        fmt::format("{} on {}, {}: {} map{}, {} elements, {}\n"
                    "inputs     {}\n"
                    "executed   {} instructions, {} products, {} transfers, {:.1f} s in all\n",
                    model, plan.target->id, name(crossbar.mapping.mode), check.comparison.maps,
                    check.comparison.maps == 1 ? "" : "s", exactText(check.comparison.elements),
                    check.equal() ? (options.real ? "all as in float32" : "all equal")
                                  : "NOT EQUAL: " + check.comparison.first->text,
                    inputs, exactText(check.instructions), exactText(check.products),
                    exactText(check.transfers), check.seconds);
    if (!check.firstWrong.empty())
        text += "first      " + check.firstWrong + "\n";
    if (!options.real)
        text += fmt::format(
            "{} bit     weights are {} off float32, outputs {}; same largest output in {} of {} samples\n",
            crossbar.chip.weightBits, percentText(check.weightError), percentText(check.outputError),
            check.sameTop, check.samples);
    if (check.device.samples > 0)
        text += fmt::format("devices    outputs are {} off the exact program ({:.1f} dB); same largest "
                            "output in {} of {} samples\n",
                            percentText(check.device.outputError), check.device.snrDb(), check.device.sameTop,
                            check.device.samples);
    return text + outputsTable(check.outputs, check.device.samples > 0
                                                  ? "output of the exact program, from float32"
                                                  : "output, from float32");
}

std::string problemOf(const CrossbarBundleCheck& check) {
    if (!check.wrongCell.empty())
        return "its cells do not hold the model's weights: " + check.wrongCell;
    if (check.program.comparison.first)
        return "its program does not compute what the model says: " + check.program.comparison.first->text;
    return {};
}

std::string bundleJson(const CrossbarBundleCheck& check) {
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
                            {"problem", orNull(problemOf(check))},
                            {"first_wrong", orNull(check.program.firstWrong)},
                            {"output_error", check.program.outputError},
                            {"output_errors", ordered_json::parse(outputsJson(check.program.outputs))},
                            {"seconds", check.program.seconds}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

std::string bundleText(const CrossbarBundleCheck& check) {
    std::string text = fmt::format(
        "numbers    {}: {} map{}, {} elements {} the reference; {} instructions, {} products, {:.1f} s\n",
        check.ok() ? "right" : "NOT RIGHT", check.program.comparison.maps,
        check.program.comparison.maps == 1 ? "" : "s", exactText(check.program.comparison.elements),
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

using Choice = OptionEntry<CrossbarCheckOptions>;

template <bool CrossbarCheckOptions::*member>
constexpr Choice flag(std::string_view key, std::string_view meaning) {
    return {{key, "on|off", meaning, true},
            [](const CrossbarCheckOptions& o) { return std::string(o.*member ? "on" : "off"); },
            [](CrossbarCheckOptions& o, std::string_view v) {
                o.*member = v == "on";
                return v == "on" || v == "off";
            }};
}

template <class Number>
bool setNumber(std::string_view text, Number least, Number most, Number& value) {
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size() || !(number >= least && number <= most))
        return false;
    value = number;
    return true;
}

template <auto member>
Choice share(std::string_view key, std::string_view meaning) {
    return {
        {key, "X", meaning, true},
        [](const CrossbarCheckOptions& o) { return fmt::format("{}", o.device.*member); },
        [](CrossbarCheckOptions& o, std::string_view v) { return setNumber(v, 0.0, 1e6, o.device.*member); }};
}

std::vector<Choice> choiceEntries() {
    return {
        flag<&CrossbarCheckOptions::real>("real", "compute with real numbers instead of fixed point"),
        flag<&CrossbarCheckOptions::bitByBit>(
            "bit-by-bit",
            "every product bit by bit of the input, cell by cell of the weights: slow, the same numbers"),
        {{"samples", "N", "random inputs that are run, 1 to 1000", true},
         [](const CrossbarCheckOptions& o) { return std::to_string(o.samples); },
         [](CrossbarCheckOptions& o, std::string_view v) { return setNumber(v, 1, 1000, o.samples); }},
        flag<&CrossbarCheckOptions::inFlight>(
            "in-flight", "a high-throughput program: the samples once more, one entering each round"),
        {{"adc-bits", "N", "converters of so many bits; sums beyond are clipped. 0: exact", true},
         [](const CrossbarCheckOptions& o) { return std::to_string(o.device.adcBits); },
         [](CrossbarCheckOptions& o, std::string_view v) { return setNumber(v, 0, 1000, o.device.adcBits); }},
        {{"adc-full-scale", "on|off",
          "converters take coarser steps over the whole range instead of clipping", true},
         [](const CrossbarCheckOptions& o) { return std::string(o.device.adcFullScale ? "on" : "off"); },
         [](CrossbarCheckOptions& o, std::string_view v) {
             o.device.adcFullScale = v == "on";
             return v == "on" || v == "off";
         }},
        share<&DeviceOptions::variation>("variation", "standard deviation of conductances, relative: 0.05"),
        share<&DeviceOptions::stuckOff>("stuck-off", "share of cells stuck at 0"),
        share<&DeviceOptions::stuckOn>("stuck-on", "share of cells stuck at their largest value"),
        {{"device-seed", "N", "chooses the devices", true},
         [](const CrossbarCheckOptions& o) { return std::to_string(o.device.seed); },
         [](CrossbarCheckOptions& o, std::string_view v) {
             return setNumber(v, decltype(o.device.seed){},
                              std::numeric_limits<decltype(o.device.seed)>::max(), o.device.seed);
         }},
    };
}

const TypedOptionTable<CrossbarCheckOptions>& choiceTable() {
    static const TypedOptionTable<CrossbarCheckOptions> kTable(choiceEntries());
    return kTable;
}

CrossbarProgramOf programOf(const CrossbarPlan& plan, const CrossbarNetwork& network) {
    const CrossbarSchedule& schedule = *plan.schedule;
    return {schedule.program,    network,        plan.mapping,   plan.chip,
            schedule.mapAddress, schedule.stage, schedule.copies};
}

Result<CrossbarCheckOptions> checkOptionsFrom(const NumberOptions& options, const std::string& where) {
    if (options.opByOp || !options.ops.empty() || options.secondsAtMost > 0)
        return fail(
            ErrorCode::Usage,
            "the program of a crossbar chip runs as a whole: --ops, --seconds and --op-by-op do not apply",
            where, "leave them out");
    if (!options.program.empty())
        return fail(ErrorCode::Usage, "programs of crossbar chips are not run from a file",
                    options.programFile, "run a bundle: pimc verify BUNDLE --numeric");
    PIM_TRY(CrossbarCheckOptions check, choiceTable().read(options.own));
    check.seed = options.seed;
    check.threads = options.threads;
    check.inputs = options.inputs;
    check.dump = options.dump;
    return check;
}

} // namespace

const OptionTable* CrossbarNumberFacet::choices() const {
    return &choiceTable();
}

Result<std::unique_ptr<NumericNetwork>>
CrossbarNumberFacet::prepare(const Plan& plan, const NumberOptions& options, const TaskContext& task) const {
    const auto* const crossbar = dynamic_cast<const CrossbarPlan*>(plan.detail.get());
    PIM_ASSERT(crossbar != nullptr, "a plan of this backend");
    PIM_TRY(const CrossbarCheckOptions check, checkOptionsFrom(options, plan.target->id));
    PIM_TRY(auto network,
            crossbarOnNumbers(programOf(*crossbar, *crossbar->network), check, options.calibration, task));
    return std::unique_ptr<NumericNetwork>(std::move(network));
}

Result<NumberReport> CrossbarNumberFacet::checkPlan(const Plan& plan, const NumberOptions& options,
                                                    const TaskContext& task) const {
    const auto* const crossbar = dynamic_cast<const CrossbarPlan*>(plan.detail.get());
    PIM_ASSERT(crossbar != nullptr, "a plan of this backend");
    PIM_TRY(const CrossbarCheckOptions check, checkOptionsFrom(options, plan.target->id));
    CrossbarNetwork network = *crossbar->network;
    PIM_TRY(network.graph, withSampleWeights(network.graph, options.seed));
    PIM_TRY(const CrossbarCheck done, checkCrossbar(programOf(*crossbar, network), check, task));
    const std::string inputs =
        numbersText(network.graph == crossbar->network->graph, *network.graph, options.inputs);
    NumberReport report{plainText(options.model, plan, *crossbar, check, done, inputs),
                        jsonText(options.model, plan, *crossbar, check, done, inputs),
                        {},
                        {}};
    if (!done.equal())
        report.problem = Error{ErrorCode::Internal,
                               "the program does not compute the network: " + done.comparison.first->text,
                               options.model,
                               {}};
    return report;
}

Result<NumberReport> CrossbarNumberFacet::checkBundle(const NumberBundle& bundle,
                                                      const NumberOptions& options,
                                                      const TaskContext& task) const {
    PIM_TRY(const CrossbarCheckOptions check, checkOptionsFrom(options, bundle.folder.string()));
    PIM_TRY(const auto weighted, withSampleWeights(bundle.graph, options.seed));
    PIM_TRY(const CrossbarChip chip, crossbarChip(*bundle.target));
    PIM_TRY(const CrossbarNetwork network, crossbarNetwork(weighted, chip));
    PIM_TRY(const CrossbarBundleCheck done, checkCrossbarBundle(bundle.folder, network, chip, check, task));
    NumberReport report{bundleText(done), bundleJson(done), {}, {}};
    if (!done.ok())
        report.problem =
            Error{ErrorCode::InvalidFile, problemOf(done), bundle.folder.string(), "compile again"};
    return report;
}

} // namespace pim
