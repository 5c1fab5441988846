// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/completion.h"

#include "app/pimc/verbs/verbs.h"

#include "core/base/paths.h"
#include "core/graph/passes/passes.h"
#include "core/graph/zoo/zoo.h"
#include "core/plan/draft_facet.h"
#include "core/plan/family_options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace pim::cli {
namespace {

/// What an option or argument takes, by its name; "zoo NAME" where the name alone says too little.
struct KnownValues {
    std::string_view of;
    void (*add)(Session& session, Completion& completion);
};

void addTargets(Session& session, Completion& completion) {
    for (const auto& target : session.catalog().targets())
        completion.words.push_back({target->id, target->name});
}
void addHosts(Session& session, Completion& completion) {
    for (const auto& host : session.catalog().hosts())
        completion.words.push_back({host->id, host->name});
}
void addModels(Session&, Completion& completion) {
    completion.files = true;
    std::error_code ignored;
    for (const auto& folder : std::filesystem::directory_iterator(samplesDir(), ignored))
        if (folder.is_directory())
            completion.words.push_back({"sample:" + folder.path().filename().string(), "bundled sample"});
    std::sort(completion.words.begin(), completion.words.end(),
              [](const CompletionWord& a, const CompletionWord& b) { return a.word < b.word; });
}
void addZoo(Session&, Completion& completion) {
    for (const ZooModel& model : zooModels())
        completion.words.push_back({model.name, model.summary});
}
void addGraphPasses(Session&, Completion& completion) {
    for (const Pass& pass : allPasses())
        completion.words.push_back({std::string(pass.name), std::string(pass.summary)});
}
void addCodePasses(Session& session, Completion& completion) {
    for (const auto& backend : session.backends().all())
        if (const DraftFacet* const drafts = backend->drafts())
            for (const CodePassInfo& pass : drafts->codePasses())
                completion.words.push_back({std::string(pass.id), std::string(pass.summary)});
}
void addTypes(Session&, Completion& completion) {
    for (const DataType type : {DataType::F16, DataType::BF16, DataType::F32, DataType::I8})
        completion.words.push_back({std::string(name(type)), {}});
}
void addVerbsWithJson(Session&, Completion& completion) {
    for (const VerbGroup& group : verbGroups())
        for (const Verb& verb : group.verbs)
            if (verb.output == VerbOutput::TextOrJson)
                completion.words.push_back({verb.name, verb.summary});
}
void addPredictors(Session&, Completion& completion) {
    completion.files = true;
    std::set<std::string> shipped;
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator(resourceDir() / "predictors", ignored))
        shipped.insert(file.path().stem().string());
    for (const std::string& target : shipped)
        completion.words.push_back({target, "shipped predictor"});
}
void addFiles(Session&, Completion& completion) {
    completion.files = true;
}

constexpr KnownValues kKnownValues[] = {
    {"--target", addTargets},
    {"--host", addHosts},
    {"--dtype", addTypes},
    {"--no-pass", addGraphPasses},
    {"--no-code-pass", addCodePasses},
    {"zoo NAME", addZoo},
    {"targets NAME", addTargets},
    {"schema VERB", addVerbsWithJson},
    {"MODEL", addModels},
    {"FILE", addFiles},
    {"FOLDER", addFiles},
    {"PROJECT", addFiles},
    {"PREDICTOR", addPredictors},
    {"--model", addModels},
    {"BUNDLE", addFiles},
};

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// "ht|ll" -> both. What is in capitals stands for something else: "off|FILE" -> "off", and files.
void addAlternatives(std::string_view values, std::string_view before, Completion& completion) {
    if (values.find('|') == std::string_view::npos)
        return;
    for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t end = std::min(values.find('|', begin), values.size());
        const std::string_view value = values.substr(begin, end - begin);
        if (value.starts_with("FILE") || value == "FOLDER")
            completion.files = true;
        else if (std::none_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
            completion.words.push_back({std::string(before) + std::string(value), {}});
        begin = end + 1;
    }
}

/// KEY=VALUE of a family of hardware. \return whether the option is one.
bool addFamily(const CLI::Option& option, const std::string& typed, Session& session,
               Completion& completion) {
    for (const auto& backend : session.backends().all()) {
        const OptionTable* const table = backend->options();
        if (!table || !option.check_lname(familyWord(backend->id())))
            continue;
        for (const OptionInfo& info : table->infos()) {
            const std::string key = std::string(info.key) + "=";
            if (typed.starts_with(key))
                addAlternatives(info.values, key, completion);
            else
                completion.words.push_back({key, std::string(info.meaning)});
        }
        return true;
    }
    return false;
}

void addValues(const CLI::App& verb, const CLI::Option& option, const std::string& typed, Session& session,
               Completion& completion) {
    if (addFamily(option, typed, session, completion))
        return;
    const std::string type =
        option.get_type_name().substr(0, option.get_type_name().find(':')); // before its checks
    if (type.starts_with("FILE") || type == "FOLDER")
        completion.files = true;
    addAlternatives(type, "", completion);
    const std::string name = option.get_name(option.get_positional());
    for (const KnownValues& known : kKnownValues)
        if (known.of == name || known.of == verb.get_name() + " " + name)
            return known.add(session, completion);
}

void addVerbs(const CLI::App& app, Completion& completion) {
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        completion.words.push_back({verb->get_name(), verb->get_description()});
}

void addOptions(const CLI::App& verb, Completion& completion) {
    for (const CLI::Option* option : verb.get_options())
        if (!option->get_group().empty())
            for (const std::string& longName : option->get_lnames())
                completion.words.push_back({"--" + longName, firstLine(option->get_description())});
}

bool isOption(const std::string& word) {
    return word.size() > 1 && word.front() == '-';
}

/// Where the typed word stands.
struct Place {
    const CLI::App* verb = nullptr; ///< Null: the verb itself is typed.
    const CLI::App* above =
        nullptr; ///< Whose verb it is, where that is a verb too: its options are understood.
    const CLI::Option* option = nullptr; ///< Waits for its value.
    std::size_t argument = 0;            ///< Else: this positional argument.
    std::vector<std::string> targetFolders;
    bool understood = true;
};

const CLI::App* verbBelow(const CLI::App& verb, const std::string& word) {
    const auto named = verb.get_subcommands([&](const CLI::App* below) { return below->check_name(word); });
    return named.empty() ? nullptr : named.front();
}

Place placeAfter(const CLI::App& app, std::span<const std::string> words) {
    Place place;
    for (const std::string& word : words) {
        if (!place.verb) {
            if (isOption(word))
                continue;
            place.verb = verbBelow(app, word);
            if (!place.verb) {
                place.understood = false;
                return place;
            }
        } else if (place.option) {
            if (place.option->check_lname("targets"))
                place.targetFolders.push_back(word);
            place.option = nullptr;
        } else if (isOption(word)) {
            const CLI::Option* option = place.verb->get_option_no_throw(word);
            if (!option && place.above)
                option = place.above->get_option_no_throw(word);
            if (option && option->get_type_size_max() > 0)
                place.option = option;
        } else if (const CLI::App* below = place.argument == 0 ? verbBelow(*place.verb, word) : nullptr) {
            place.above = std::exchange(place.verb, below);
        } else {
            ++place.argument;
        }
    }
    return place;
}

} // namespace

Completion complete(const CLI::App& app, std::span<const std::string> words, Session& session) {
    const std::string typed = words.empty() ? std::string() : words.back();
    const Place place = placeAfter(app, words.first(words.empty() ? 0 : words.size() - 1));
    session.targetFolders = place.targetFolders;
    Completion completion;
    if (!place.understood)
        return completion;
    if (place.option)
        addValues(*place.verb, *place.option, typed, session, completion);
    else if (isOption(typed) || typed == "-") {
        addOptions(place.verb ? *place.verb : app, completion);
        if (place.above)
            addOptions(*place.above, completion);
    } else if (!place.verb)
        addVerbs(app, completion);
    else {
        if (place.argument == 0)
            addVerbs(*place.verb, completion);
        const auto arguments =
            place.verb->get_options([](const CLI::Option* o) { return o->get_positional(); });
        if (place.argument < arguments.size())
            addValues(*place.verb, *arguments[place.argument], typed, session, completion);
    }
    std::erase_if(completion.words,
                  [&](const CompletionWord& each) { return !each.word.starts_with(typed); });
    return completion;
}

} // namespace pim::cli
