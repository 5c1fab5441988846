// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/model_options.h"

#include "app/pimc/verbs/seed_option.h"
#include "core/compile/which.h"
#include "core/numeric/tensor_dump.h"
#include "core/plan/family_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {

void ModelOptions::declare(CLI::App& verb) {
    verb.add_option("MODEL", model, "ONNX file, or sample:NAME for a bundled one")->required()->type_name("");
    verb.add_option("--bind", bind,
                    "Values of open dimensions, e.g. batch=1,past=512; all others become 1; may be repeated")
        ->join(',')
        ->type_name("NAME=N,...");
    verb.add_option("--no-pass", disabledPasses, "Skip one graph pass; may be repeated")->type_name("PASS");
    std::string keys;
    for (const PassOption& option : pim::passOptions())
        keys += fmt::format("\n  {}:{}={}: {}", option.pass, option.info.key, option.info.values,
                            option.info.meaning);
    verb.add_option("--pass", passOptions, "Option of a graph pass; may be repeated" + keys)
        ->type_name("PASS:KEY=VALUE")
        ->check([](const std::string& text) {
            GraphOptions options;
            const auto set = setPassOption(options, text);
            return set ? std::string() : set.error().text();
        })
        ->expected(1)
        ->take_all();
}

Result<GraphOptions> ModelOptions::graphOptions(const ModelArgument& argument) const {
    GraphOptions options;
    options.bindings = argument.bindings;
    for (const auto& [symbol, value] : bindings)
        options.bindings[symbol] = value;
    if (!bind.empty()) {
        PIM_TRY(const auto chosen, parseBindings(bind));
        for (const auto& [symbol, value] : chosen)
            options.bindings[symbol] = value;
    }
    options.disabledPasses = {disabledPasses.begin(), disabledPasses.end()};
    for (const std::string& text : passOptions)
        PIM_CHECK(setPassOption(options, text));
    return options;
}

Result<std::shared_ptr<const Graph>> ModelOptions::load(Session& session) const {
    PIM_TRY(const ModelArgument argument, findModel(model));
    PIM_TRY(const GraphOptions options, graphOptions(argument));
    PIM_TRY(auto graph, loadGraph(argument.path, options, session.task()));
    std::vector<std::string> assumed;
    for (const DimBinding& binding : graph->bindings)
        if (binding.assumed)
            assumed.push_back(fmt::format("{}={}", binding.symbol, binding.value));
    if (!assumed.empty())
        session.say(fmt::format("note: assumed {}; choose with --bind", fmt::join(assumed, ", ")));
    session.say(graph->problems);
    session.tell(LogLevel::Info,
                 fmt::format("model {}: {} ops, {} tensors, structure {}", argument.path.string(),
                             graph->ops.size(), graph->tensors.size(), graph->source.structureHash));
    return graph;
}

/// By exact name, else by the only name that contains the text.
Result<std::vector<std::string>> machineIds(Session& session, std::vector<std::string> named,
                                            const std::vector<std::string>& kinds) {
    for (const std::string& kind : kinds) {
        PIM_TRY(auto ids, machinesOfKind(session.backends(), session.catalog(), kind));
        std::ranges::move(ids, std::back_inserter(named));
    }
    return named;
}

Result<OpId> findOp(const Graph& graph, const std::string& text) {
    if (const OpId exact = graph.findOp(text); exact.valid())
        return exact;
    std::vector<std::string> matches;
    OpId found;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].name.find(text) != std::string::npos) {
            found = OpId(static_cast<std::int64_t>(i));
            matches.push_back(graph.ops[i].name);
        }
    if (matches.size() == 1)
        return found;
    if (matches.empty())
        return fail(ErrorCode::NotFound, "the model has no such op", text,
                    "`pimc inspect MODEL --ops` lists them");
    constexpr std::size_t kShown = 8;
    const bool more = matches.size() > kShown;
    const std::size_t all = matches.size();
    matches.resize(std::min(matches.size(), kShown));
    return fail(ErrorCode::NotFound, fmt::format("{} ops have this in their name", all), text,
                fmt::format("name one of: {}{}", fmt::join(matches, ", "), more ? ", …" : ""));
}

void TargetOptions::declareFamily(CLI::App& verb, const Backend& backend,
                                  const std::vector<OptionInfo>& infos) {
    const std::string word = familyWord(backend.id());
    std::string flags = "--" + word, keys;
    for (const FormerFamilyName& name : formerFamilyNames())
        if (name.now == backend.id())
            flags += fmt::format(",--{}", name.former);
    for (const OptionInfo& info : infos)
        keys += fmt::format("\n  {}={}: {}", info.key, info.values, info.meaning);
    verb.add_option_function<std::vector<std::string>>(
            flags,
            [this, word](const std::vector<std::string>& words) {
                for (const std::string& each : words)
                    family.push_back(word + "." + each);
            },
            fmt::format("Option of {}; may be repeated{}", backend.machines(), keys))
        ->type_name("KEY=VALUE")
        ->check([](const std::string& each) {
            return each.find('=') == std::string::npos
                       ? fmt::format("\"{}\" is not understood; write KEY=VALUE", each)
                       : std::string();
        })
        ->expected(1)
        ->take_all();
    for (const OptionInfo& info : infos)
        if (info.standsAlone)
            verb.add_option_function<std::string>(
                    fmt::format("--{}", info.key),
                    [this, prefix = fmt::format("{}.{}=", word, info.key)](const std::string& value) {
                        family.push_back(prefix + value);
                    },
                    fmt::format("The same as --{} {}=…: {}", word, info.key, info.meaning))
                ->check([table = backend.options(), key = info.key](const std::string& value) {
                    OptionTexts texts;
                    const auto set = table->set(texts, key, value);
                    return set ? std::string() : set.error().message;
                })
                ->type_name(std::string(info.values));
}

void TargetOptions::declare(CLI::App& verb, const BackendList& backends) {
    verb.add_option("-t,--target", target, "PIM machine: an id of `pimc targets`, or a .json file")
        ->type_name("ID");
    verb.add_option("--host", host, "Host processor, instead of the one the target names")->type_name("ID");
    verb.add_option("--dtype", dtype, "Number type used for all floating-point tensors")
        ->capture_default_str()
        ->type_name("TYPE");
    verb.add_option("--conv", conv, "Convolutions as im2col matrix product or as direct loop nest")
        ->check(CLI::IsMember({"gemm", "direct"}))
        ->capture_default_str()
        ->type_name("gemm|direct");
    verb.add_flag("--overlap-transfer", overlapTransfer,
                  "Let the host read while PIM memory is written (double buffering)");
    verb.add_flag("--no-group-commands", noGroupCommands,
                  "Do not prefer commands that drive all banks of a group at once");
    verb.add_option(
            "--verify", verify,
            "Simulate the N drafts of an op that are ranked best and take the fastest; 0: trust the ranking")
        ->check(CLI::Range(0, 100000))
        ->capture_default_str()
        ->type_name("N");
    verb.add_option("--mapping", mapping,
                    "Drafts that are searched, or the ones published for the machine, where there are any")
        ->check(CLI::IsMember({"searched", "fixed"}))
        ->capture_default_str()
        ->type_name("searched|fixed");
    verb.add_option("--no-code-pass", leftOutPasses, "Skip one code pass; may be repeated")
        ->type_name("ID")
        ->expected(1)
        ->take_all();
    for (const auto& backend : backends.all())
        if (const OptionTable* const table = backend->options())
            declareFamily(verb, *backend, table->infos());
    addSeed(verb, "--seed", seed, "Seed for searches that use chance");
}

Result<std::shared_ptr<const Target>> TargetOptions::find(Session& session,
                                                          const std::string& fallback) const {
    const std::string& wanted = target.empty() ? fallback : target;
    if (wanted.empty())
        return fail(ErrorCode::Usage, "no target was given", "--target",
                    "`pimc targets` lists what there is");
    return session.target(wanted, host);
}

Result<CompileOptions> TargetOptions::compileOptions(const BackendList& backends) const {
    CompileOptions options;
    const auto type = dataTypeFromName(dtype);
    if (!type)
        return fail(ErrorCode::Usage, fmt::format("no such type \"{}\"", dtype), "--dtype",
                    "allowed are f16, bf16, f32, i8 and others, as far as the target has units for them");
    options.computeType = *type;
    options.convAsGemm = conv == "gemm";
    options.seed = seed;
    options.overlapHostTransfer = overlapTransfer;
    options.groupCommands = !noGroupCommands;
    options.verifyDrafts = verify;
    options.mapping = mapping == name(MappingChoice::Fixed) ? MappingChoice::Fixed : MappingChoice::Searched;
    options.passes.leftOut = leftOutPasses;
    std::sort(options.passes.leftOut.begin(), options.passes.leftOut.end());
    options.passes.leftOut.erase(std::unique(options.passes.leftOut.begin(), options.passes.leftOut.end()),
                                 options.passes.leftOut.end());
    for (const std::string& word : family) {
        const std::size_t equals = word.find('=');
        if (auto done = setFamilyOption(backends, options, word.substr(0, equals), word.substr(equals + 1));
            !done) {
            Error error = std::move(done).error();
            error.where = "--" + word.substr(0, word.find('.'));
            return tl::unexpected<Error>(std::move(error));
        }
    }
    return options;
}

void NumberChoices::declare(CLI::App& verb, const BackendList& backends,
                            const std::set<std::string_view>& without) {
    for (const auto& backend : backends.all()) {
        const OptionTable* const table = backend->numbers() ? backend->numbers()->choices() : nullptr;
        for (const OptionInfo& info : table ? table->infos() : std::vector<OptionInfo>()) {
            if (without.contains(info.key))
                continue;
            const auto put = [this, key = std::string(info.key)](const std::string& value) {
                given.emplace_back(key, value);
            };
            CLI::Option* option =
                info.values == "on|off"
                    ? verb.add_flag_callback(
                          fmt::format("--{}", info.key), [put] { put("on"); }, std::string(info.meaning))
                    : verb.add_option_function<std::string>(fmt::format("--{}", info.key), put,
                                                            std::string(info.meaning))
                          ->type_name(std::string(info.values));
            option->group(fmt::format("For {}", backend->machines()));
        }
    }
}

Result<OptionTexts> NumberChoices::read(const Backend& backend) const {
    OptionTexts texts;
    const OptionTable* const table = backend.numbers() ? backend.numbers()->choices() : nullptr;
    for (const auto& [key, value] : given) {
        if (!table)
            return fail(ErrorCode::Usage, fmt::format("{} have no such choice", backend.machines()),
                        "--" + key, "leave it out");
        if (auto set = table->set(texts, key, value); !set) {
            set.error().where = "--" + key;
            return tl::unexpected<Error>(std::move(set).error());
        }
    }
    return texts;
}

void RunFiles::declare(CLI::App& verb, bool dumps) {
    verb.add_option("--input", inputs,
                    "Input of the network, an array of NumPy; may be repeated. FILE.npy where there is one "
                    "input; a FOLDER has NAME.npy for each, what is no letter, digit, '.', '-' or '_' in a "
                    "NAME being '_'. Inputs that are not given are random")
        ->type_name("NAME=FILE|FILE|FOLDER")
        ->expected(1)
        ->take_all();
    if (dumps)
        verb.add_option(
                "--dump", dump,
                "Write the result of every op there, as machine, check and float32 have it (NAME.npy, "
                "NAME.expected.npy, NAME.reference.npy), with index.csv; a new folder")
            ->type_name("FOLDER");
}

Result<void> RunFiles::read(Session& session, const Graph& graph, NumberOptions& numbers) const {
    numbers.dump = dump;
    if (!dump.empty())
        PIM_CHECK(TensorDump::checkFolder(dump));
    PIM_TRY(OwnInputs own, readInputs(graph, inputs));
    for (const std::string& note : own.notes)
        session.say("note: " + note);
    numbers.inputs = std::move(own.values);
    return {};
}

Result<const NumberFacet*> numbersOf(const Backend& backend, const std::string& target) {
    if (const NumberFacet* const facet = backend.numbers())
        return facet;
    return fail(ErrorCode::Unsupported,
                fmt::format("programs for {} cannot be executed on numbers", backend.machines()), target);
}

} // namespace pim::cli
