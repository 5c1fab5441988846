// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/hardware/target_figures.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

Result<void> listTargets(Session& session) {
    const TargetCatalog& catalog = session.catalog();
    if (session.json) {
        ordered_json targets = ordered_json::array(), hosts = ordered_json::array();
        for (const auto& target : catalog.targets()) {
            ordered_json levels = ordered_json::array();
            for (const Level& level : target->levels)
                levels.push_back({{"id", level.id}, {"name", level.name}, {"count", level.count}});
            targets.push_back({{"id", target->id},
                               {"name", target->name},
                               {"summary", target->summary},
                               {"family", target->family},
                               {"backend", target->backend},
                               {"host", target->host.id},
                               {"levels", levels},
                               {"hash", target->hash}});
        }
        for (const auto& host : catalog.hosts())
            hosts.push_back({{"id", host->id}, {"name", host->name}});
        return session.print(ordered_json{{"targets", targets}, {"hosts", hosts}}.dump(2) + "\n");
    }
    TextTable targets({"target", "machine", "host", "name"});
    for (const auto& target : catalog.targets()) {
        std::string machine;
        for (const Level& level : target->levels)
            machine += fmt::format("{}{} {}", machine.empty() ? "" : " x ", level.count, level.id);
        targets.add({target->id, machine, target->host.id, target->name});
    }
    TextTable hosts({"host", "name"});
    for (const auto& host : catalog.hosts())
        hosts.add({host->id, host->name});
    return session.print(targets.text() + "\n" + hosts.text());
}

Result<void> describe(Session& session, const std::string& name, const std::string& host) {
    PIM_TRY(const auto target, session.target(name, host));
    PIM_TRY(const Backend* backend, session.backends().find(target->backend));
    session.say(backend->checkTarget(*target));
    if (session.json)
        return session.print(ordered_json::parse(targetJson(*target)).dump(2) + "\n");
    std::string text = fmt::format("{}: {}\n{}\nbackend {}, host {} ({})\n\n", target->id, target->name,
                                   target->summary, target->backend, target->host.id, target->host.name);
    TextTable levels({"level", ">count", ">in all", "what", "memories", "units"});
    for (const Level& level : target->levels) {
        std::vector<std::string> memories, units;
        for (const Memory& memory : level.memories)
            memories.push_back(
                fmt::format("{} {}", memory.name, bytesText(static_cast<double>(memory.bytes))));
        for (const Unit& unit : level.units)
            units.push_back(fmt::format("{} x{}", unit.name, unit.lanes));
        levels.add({level.id, std::to_string(level.count), std::to_string(target->instances(level.id)),
                    level.name, fmt::format("{}", fmt::join(memories, ", ")),
                    fmt::format("{}", fmt::join(units, ", "))});
    }
    text += levels.text() + "\n";
    text += "Values, as axes of a sweep:\n\n";
    TextTable values({"value", ">is", "unit"});
    for (const TargetFigure& value : targetFigures(*target))
        if (!target->parameters.contains(value.name)) // below, with their sources
            values.add({value.name, fmt::format("{:.10g}", value.value), value.unit});
    text += values.text() + "\n";
    TextTable parameters({"parameter", ">value", "unit", "source"});
    for (const auto& [key, quantity] : target->parameters)
        parameters.add({key, fmt::format("{:g}", quantity.value), quantity.unit, quantity.source});
    return session.print(text + parameters.text());
}

} // namespace

Action targetsVerb(CLI::App& verb, const BackendList&) {
    struct TargetsArguments {
        std::string name, host;
    };
    auto options = std::make_shared<TargetsArguments>();
    verb.add_option("NAME", options->name, "Target to describe, by id or .json file; none: list all")
        ->type_name("");
    verb.add_option("--host", options->host, "Host processor to combine it with")->type_name("ID");
    verb.footer("Examples:\n"
                "  pimc targets\n"
                "  pimc targets attacc --host h100\n"
                "  pimc targets --targets ~/my-machines --json");
    return [options](Session& session) {
        return options->name.empty() ? listTargets(session) : describe(session, options->name, options->host);
    };
}

} // namespace pim::cli
