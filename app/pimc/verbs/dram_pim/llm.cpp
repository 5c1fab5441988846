// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A language model on GPUs, with or without AttAcc's memory: milliseconds and energy of every phase.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/dram_pim/verbs.h"
#include "backends/llm/llm_system.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct LlmOptions {
    std::string model = "GPT3-13B", host = "a100a", system = "gpu", variant = "bank", powerLimit = "on",
                type = "f16";
    LlmRequest request;
    int gpus = 1, stacks = 5;
    bool feedForward = false, pipelined = false;
};

Result<LlmSystem> systemOf(Session& session, const LlmOptions& options) {
    LlmSystem system;
    std::string known;
    for (const auto& host : session.catalog().hosts()) {
        known += (known.empty() ? "" : ", ") + host->id;
        if (host->id == options.host)
            system.host = *host;
    }
    if (system.host.id.empty())
        return fail(ErrorCode::NotFound, fmt::format("there is no host {}", options.host), {},
                    fmt::format("there are {}", known));
    system.gpus = options.gpus;
    if (options.system == "attacc" || options.system == "dgx-attacc")
        system.attAcc = true;
    else if (options.system != "gpu" && options.system != "dgx")
        return fail(ErrorCode::Usage, fmt::format("--system {} is neither gpu nor attacc", options.system));
    if (options.powerLimit != "on" && options.powerLimit != "off")
        return fail(ErrorCode::Usage,
                    fmt::format("--power-limit {} is neither on nor off", options.powerLimit));
    PIM_TRY(system.pim.variant, attAccVariant(options.variant));
    system.pim.powerLimit = options.powerLimit == "on";
    system.pim.feedForward = options.feedForward;
    system.pim.pipelined = options.pipelined;
    system.pim.stacks = options.stacks;
    return system;
}

void addPhase(ordered_json& document, const std::string& phase, const LlmParts& ms) {
    const std::pair<const char*, double> parts[] = {
        {"qkv", ms.qkv},        {"attention", ms.attention}, {"proj", ms.projection}, {"ffn", ms.feedForward},
        {"act", ms.activation}, {"norm", ms.norm},           {"x2g", ms.toMemory},    {"g2g", ms.allReduce}};
    for (const auto& [name, value] : parts)
        document[fmt::format("{}_{}_ms", phase, name)] = rounded(value, 1e4);
}

void addEnergy(ordered_json& document, const std::string& prefix, const LlmEnergyParts& energy) {
    const LlmEnergy all = energy.sum();
    const std::pair<const char*, double> figures[] = {{"energy_mJ_per_token", all.sum()},
                                                      {"E_dram_mJ", all.memory},
                                                      {"E_l2_mJ", all.l2},
                                                      {"E_l1_mJ", all.l1},
                                                      {"E_reg_mJ", all.registers},
                                                      {"E_alu_mJ", all.arithmetic},
                                                      {"E_fc_mem_mJ", energy.linear.memory},
                                                      {"E_fc_comp_mJ", energy.linear.onChip()},
                                                      {"E_attn_mem_mJ", energy.attention.memory},
                                                      {"E_attn_comp_mJ", energy.attention.onChip()},
                                                      {"E_etc_mem_mJ", energy.other.memory},
                                                      {"E_etc_comp_mJ", energy.other.onChip()},
                                                      {"E_comm_mJ", all.link}};
    for (const auto& [name, value] : figures)
        document[prefix + name] = rounded(value, 1e5);
}

double tokensPerSecond(const LlmRequest& request, const LlmResult& result) {
    return result.stepMs() > 0 ? 1e3 * double(request.batch) / result.stepMs() : 0;
}

ordered_json llmJson(const LlmModel& model, const LlmSystem& system, const LlmRequest& request,
                     const LlmResult& result) {
    const bool pim = system.attAcc;
    const double gib = double(1LL << 30);
    ordered_json document{{"model", model.name},
                          {"system", pim ? "dgx-attacc" : "dgx"},
                          {"host", system.host.id},
                          {"ngpu", system.gpus},
                          {"pim", pim ? attAccVariantName(system.pim.variant) : ""},
                          {"controller", pim ? "attacc-compat" : ""},
                          {"power_limit", pim && system.pim.powerLimit ? 1 : 0},
                          {"ffopt", pim && system.pim.feedForward ? 1 : 0},
                          {"pipeopt", pim && system.pim.pipelined ? 1 : 0},
                          {"dtype", name(request.type)},
                          {"batch", request.batch},
                          {"lin", request.tokensIn},
                          {"lout", request.tokensOut},
                          {"prefill_ms", rounded(result.prefillTotalMs(), 1e4)},
                          {"gen_ms_per_token", rounded(result.stepMs(), 1e5)},
                          {"gen_ms_total", rounded(result.stepsMs.sum(), 1e3)},
                          {"e2e_ms", rounded(result.prefillTotalMs() + result.stepsMs.sum(), 1e3)},
                          {"gen_tokens_per_s", rounded(tokensPerSecond(request, result), 1e3)}};
    addPhase(document, "gen", result.stepsMs);
    addPhase(document, "pre", result.prefillMs);
    if (result.energyKnown) {
        addEnergy(document, "gen_", result.energyAsPublishedMj);
        addEnergy(document, "corrected_gen_", result.energyMj);
    }
    document["weights_GiB"] = rounded(result.weightBytes / gib, 1e3);
    document["kv_cache_GiB"] = rounded(result.cacheBytes / gib, 1e3);
    document["capacity_GiB"] = rounded(result.capacityBytes / gib, 1e3);
    document["simulated_lengths"] = result.simulatedLengths;
    document["notes"] = ordered_json::array();
    for (const Diagnostic& note : result.notes)
        document["notes"].push_back(note.message);
    return document;
}

std::string llmText(const LlmModel& model, const LlmSystem& system, const LlmRequest& request,
                    const LlmResult& result) {
    const double steps = double(std::max<std::int64_t>(result.steps, 1));
    TextTable table({"", ">prefill ms", ">ms a token", ">share"});
    const auto row = [&](const char* what, double prefill, double all) {
        const double sum = result.stepsMs.sum();
        table.add({what, fmt::format("{:.3f}", prefill), fmt::format("{:.4f}", all / steps),
                   fmt::format("{:.1f} %", sum > 0 ? 100 * all / sum : 0)});
    };
    const LlmParts &p = result.prefillMs, &g = result.stepsMs;
    row("query, key, value", p.qkv, g.qkv);
    row("attention", p.attention, g.attention);
    row("projection", p.projection, g.projection);
    row("feed-forward", p.feedForward, g.feedForward);
    row("activation", p.activation, g.activation);
    row("norm", p.norm, g.norm);
    row("to and from memory", p.toMemory, g.toMemory);
    row("all-reduce", p.allReduce, g.allReduce);
    row("all", result.prefillTotalMs(), g.sum());
    std::string where = fmt::format("{} x {}", system.gpus, system.host.name);
    if (system.attAcc)
        where += fmt::format(", AttAcc {} variant, power limit {}{}{}", attAccVariantName(system.pim.variant),
                             system.pim.powerLimit ? "on" : "off",
                             system.pim.feedForward ? ", shared feed-forward" : "",
                             system.pim.pipelined ? ", pipelined" : "");
    std::string energy = "energy unknown: the host file has no figures";
    if (const LlmEnergyParts& e = result.energyMj; result.energyKnown)
        energy = fmt::format(
            "{:.1f} mJ per step: linear {:.1f}, attention {:.1f}, other {:.2f} (the AttAcc simulator "
            "says {:.1f})",
            e.sum().sum(), e.linear.sum(), e.attention.sum(), e.other.sum(),
            result.energyAsPublishedMj.sum().sum());
    return fmt::format("{} on {}: batch {}, {} tokens in, {} out\n{}{:.1f} tokens/s; {}\n", model.name, where,
                       request.batch, request.tokensIn, request.tokensOut, table.text(),
                       tokensPerSecond(request, result), energy);
}

Result<void> llm(Session& session, LlmOptions options) {
    PIM_TRY(const LlmModel model, llmModelNamed(options.model));
    PIM_TRY(const LlmSystem system, systemOf(session, options));
    const auto type = dataTypeFromName(options.type);
    if (!type)
        return fail(ErrorCode::Usage, fmt::format("--type {} is neither f16 nor i8", options.type));
    options.request.type = *type;
    PIM_TRY(const LlmResult result, LlmSimulator().run(model, system, options.request, session.task()));
    if (session.json)
        return session.print(llmJson(model, system, options.request, result).dump(2) + "\n");
    session.say(result.notes);
    return session.print(llmText(model, system, options.request, result));
}

} // namespace

Action llmVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<LlmOptions>();
    const auto option = [&](const char* name, auto& value, const char* what, const char* type) {
        verb.add_option(name, value, what)->type_name(type)->capture_default_str();
    };
    option("--model", options->model, "Language model, as in resources/llm/models.json", "NAME");
    option("--lin", options->request.tokensIn, "Tokens of the prompt", "N");
    option("--lout", options->request.tokensOut, "Tokens generated, the first of them by the prefill", "N");
    option("--batch", options->request.batch, "Requests at once", "N");
    option("--type", options->type, "Element type: f16 or i8", "TYPE");
    option("--host", options->host, "GPU: an id of `pimc targets`", "ID");
    option("--gpus", options->gpus, "Number of GPUs", "N");
    option("--system", options->system, "gpu, or attacc: attention of the generation in memory",
           "gpu|attacc");
    option("--variant", options->variant,
           "Where AttAcc's multipliers sit: bank, bg (bank group) or buffer (buffer die)", "WHERE");
    option("--power-limit", options->powerLimit, "Keep MACs far enough apart for the power budget", "on|off");
    option("--stacks", options->stacks, "Memory stacks of a GPU", "N");
    verb.add_flag("--ffopt", options->feedForward, "Memory takes a share of the feed-forward");
    verb.add_flag("--pipeopt", options->pipelined, "Attention of one head beside the projections of others");
    option("--token-step", options->request.tokenStep,
           "Simulate attention at lengths this far apart, a line between; no loss up to 16 (buffer: 2)", "N");
    verb.footer("The model of the AttAcc simulator; prefill on the GPUs, every generated token at its own\n"
                "length. With --json the keys are the columns of its results; gen_E_* and\n"
                "gen_energy_mJ_per_token are what it prints, corrected_gen_* what they should be.\n\n"
                "Examples:\n"
                "  pimc llm --model GPT3-13B --lin 2048 --lout 128\n"
                "  pimc llm --model LLaMA-33B --batch 4 --system attacc --power-limit off --ffopt --pipeopt\n"
                "  pimc llm --model GPT-175B --gpus 8 --system attacc --variant bg --json");
    return [options](Session& session) { return llm(session, *options); };
}

} // namespace pim::cli
