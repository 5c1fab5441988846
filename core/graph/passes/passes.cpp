// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/passes.h"

#include "core/graph/passes/look_up_tables.h"
#include "core/graph/passes/rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace pim {
namespace {

constexpr std::array<std::string_view, 3> kGeluForms{"any", "erf", "tanh"};

const TypedOptionTable<FuseGeluOptions>& geluOptions() {
    static const TypedOptionTable<FuseGeluOptions> table(
        {{{"form", "any|erf|tanh", "the ways of writing it that are recognised"},
          [](const FuseGeluOptions& o) { return std::string(kGeluForms[static_cast<std::size_t>(o.form)]); },
          [](FuseGeluOptions& o, std::string_view value) {
              const auto found = std::ranges::find(kGeluForms, value);
              if (found == kGeluForms.end())
                  return false;
              o.form = static_cast<GeluForm>(found - kGeluForms.begin());
              return true;
          }}});
    return table;
}

const TypedOptionTable<FuseAttentionOptions>& attentionOptions() {
    static const TypedOptionTable<FuseAttentionOptions> table(
        {{{"mask", "any|none", "with a mask as well, or only attention without one"},
          [](const FuseAttentionOptions& o) { return std::string(o.withMask ? "any" : "none"); },
          [](FuseAttentionOptions& o, std::string_view value) {
              o.withMask = value == "any";
              return value == "any" || value == "none";
          }}});
    return table;
}

/// A pass without options that can be done to every network.
template <int (*Rewrite)(Graph&)>
Result<int> always(Graph& graph, const OptionTexts&) {
    return Rewrite(graph);
}

Result<int> lookUps(Graph& graph, const OptionTexts& texts) {
    PIM_TRY(const auto options, lookUpOptions().read(texts));
    return lookUpTables(graph, options);
}

/// A pass with options that can be done to every network.
template <auto Table, auto Rewrite>
Result<int> with(Graph& graph, const OptionTexts& texts) {
    PIM_TRY(const auto options, Table().read(texts));
    return Rewrite(graph, options);
}

template <auto Table>
const OptionTable* tableOf() {
    return &Table();
}

const OptionTexts& optionsOf(const Pass& pass, const GraphOptions& options) {
    static const OptionTexts kDefaults;
    const auto found = options.passOptions.find(pass.name);
    return found == options.passOptions.end() ? kDefaults : found->second;
}

Result<const Pass*> passNamed(std::span<const Pass> passes, std::string_view name) {
    std::string known;
    for (const Pass& pass : passes) {
        if (pass.name == name)
            return &pass;
        known += (known.empty() ? "" : ", ") + std::string(pass.name);
    }
    return fail(ErrorCode::Usage, fmt::format("there is no pass \"{}\"", name), {}, "the passes: " + known);
}

Result<const OptionTable*> optionTableOf(std::span<const Pass> passes, std::string_view name) {
    PIM_TRY(const Pass* pass, passNamed(passes, name));
    if (pass->options)
        return pass->options();
    std::string some;
    for (const Pass& each : passes)
        if (each.options)
            some += (some.empty() ? "" : ", ") + std::string(each.name);
    return fail(ErrorCode::Usage, fmt::format("the pass \"{}\" has no options", name), {},
                some.empty() ? "no pass has any" : "those that have: " + some);
}

} // namespace

std::span<const Pass> allPasses() {
    static constexpr std::array kPasses{
        Pass{"fold_constants", "Computes what depends on constants alone and drops results nobody uses.",
             always<foldConstants>},
        Pass{"remove_identity", "Removes operators that hand on their input unchanged.",
             always<removeIdentity>},
        Pass{"fold_batch_norm", "Folds BatchNormalization into the weights of the Conv or Gemm before it.",
             always<foldBatchNorm>},
        Pass{"fuse_layer_norm", "Recognises a layer normalisation written as single steps.",
             always<fuseLayerNorm>},
        Pass{"fuse_rms_norm", "Recognises a root-mean-square normalisation written as single steps.",
             always<fuseRmsNorm>},
        Pass{"fuse_gelu", "Recognises GELU written with erf or tanh.", with<geluOptions, fuseGelu>,
             tableOf<geluOptions>},
        Pass{"fuse_silu", "Recognises x * sigmoid(x).", always<fuseSilu>},
        Pass{"fuse_attention", "Recognises attention: scores, scale, mask, softmax, context.",
             with<attentionOptions, fuseAttention>, tableOf<attentionOptions>},
        Pass{"group_heads",
             "Reads keys and values that heads share once, where they were repeated for each head.",
             always<groupHeads>},
        Pass{"look_up_tables",
             "Makes products with constant weights searches of centroids and sums of looked-up table rows.",
             lookUps, tableOf<lookUpOptions>},
    };
    return kPasses;
}

Result<void> checkPasses(std::span<const Pass> passes, const GraphOptions& options) {
    for (const std::string& name : options.disabledPasses)
        PIM_CHECK(passNamed(passes, name));
    for (const auto& [name, texts] : options.passOptions) {
        PIM_TRY(const OptionTable* table, optionTableOf(passes, name));
        if (auto checked = table->check(texts); !checked) {
            Error error = std::move(checked).error();
            error.where = name;
            return tl::unexpected<Error>(std::move(error));
        }
    }
    return {};
}

Result<int> runPass(Graph& graph, const Pass& pass, const GraphOptions& options) {
    auto changes = pass.run(graph, optionsOf(pass, options));
    if (changes)
        return *changes;
    Error error = std::move(changes).error();
    error.message = fmt::format("the pass \"{}\" cannot be done: {}", pass.name, error.message);
    if (error.hint.empty())
        error.hint = fmt::format("leave it out: --no-pass {}", pass.name);
    return tl::unexpected<Error>(std::move(error));
}

Result<void> runPasses(Graph& graph, std::span<const Pass> passes, const GraphOptions& options,
                       const TaskContext& task) {
    relink(graph);
    for (const Pass& pass : passes) {
        if (task.cancelled())
            return TaskContext::cancelledError("building the graph");
        task.report(pass.name, static_cast<std::int64_t>(graph.passes.size()),
                    static_cast<std::int64_t>(passes.size()));
        PassRecord record{std::string(pass.name), std::string(pass.summary)};
        record.enabled = !options.disabledPasses.contains(record.name);
        record.options = optionsOf(pass, options);
        record.opsBefore = record.opsAfter = static_cast<int>(graph.ops.size());
        if (record.enabled) {
            const auto start = std::chrono::steady_clock::now();
            PIM_TRY(record.changes, runPass(graph, pass, options));
            record.milliseconds =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            record.opsAfter = static_cast<int>(graph.ops.size());
        }
        graph.passes.push_back(std::move(record));
    }
    return {};
}

std::vector<PassRecord> graphPasses() {
    std::vector<PassRecord> records;
    for (const Pass& pass : allPasses())
        records.push_back(PassRecord{std::string(pass.name), std::string(pass.summary)});
    return records;
}

std::vector<PassOption> passOptions() {
    std::vector<PassOption> all;
    for (const Pass& pass : allPasses())
        if (pass.options)
            for (const OptionInfo& info : pass.options()->infos())
                all.push_back({fmt::format("{}.{}", pass.name, info.key), pass.name, info});
    return all;
}

Result<void> setPassOption(GraphOptions& options, std::string_view text) {
    const std::size_t colon = text.find_first_of(":."), equals = text.find('=');
    if (colon == std::string_view::npos || equals == std::string_view::npos || equals < colon)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no option of a pass", text), {},
                    "write PASS:KEY=VALUE, for instance fuse_gelu:form=erf");
    const std::string pass(text.substr(0, colon));
    PIM_TRY(const OptionTable* table, optionTableOf(allPasses(), pass));
    OptionTexts texts = options.passOptions[pass];
    const auto set = table->set(texts, text.substr(colon + 1, equals - colon - 1), text.substr(equals + 1));
    if (texts.empty())
        options.passOptions.erase(pass);
    else
        options.passOptions[pass] = std::move(texts);
    if (set)
        return {};
    Error error = set.error();
    error.where = pass;
    return tl::unexpected<Error>(std::move(error));
}

} // namespace pim
