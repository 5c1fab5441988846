// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/project/project.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct NotesArguments {
    std::string project;
    std::optional<std::string> add;
    std::string op;
    std::vector<double> stretch;
    std::optional<std::int64_t> remove;
    bool csv = false;
};

Result<void> print(Session& session, const std::vector<Note>& notes, bool csv) {
    if (session.json) {
        ordered_json all = ordered_json::array();
        for (const Note& note : notes)
            all.push_back({{"note", note.id},
                           {"op", note.op},
                           {"timeline", note.timeline},
                           {"from_ns", note.fromNs},
                           {"to_ns", note.toNs},
                           {"text", note.text}});
        return session.print(all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    if (csv) {
        std::string text = "note,op,timeline,from_ns,to_ns,text\n";
        for (const Note& note : notes)
            text += fmt::format("{},{},{},{},{},{}\n", note.id, csvField(note.op), csvField(note.timeline),
                                note.fromNs, note.toNs, csvField(note.text));
        return session.printCsv(text);
    }
    TextTable table({">note", "op", "timeline", ">from", ">to", "text"});
    for (const Note& note : notes) {
        const bool hasStretch = !note.timeline.empty();
        table.add({std::to_string(note.id), note.op, note.timeline, hasStretch ? timeText(note.fromNs) : "",
                   hasStretch ? timeText(note.toNs) : "", note.text});
    }
    return session.print(notes.empty() ? "no notes yet\n" : table.text());
}

/// What a person would find who opened a project in which only runs were ever stored.
Result<DecisionState> decisionsOfNewestRun(const Project& project) {
    PIM_TRY(const auto runs, project.runs());
    if (runs.empty())
        return fail(ErrorCode::NotFound, "the project has no runs to write notes on", project.file().string(),
                    "`pimc compile --project` makes one");
    PIM_TRY(RunRecipe recipe, project.recipe(runs.front().id));
    DecisionState state;
    state.modelPath = std::filesystem::absolute(recipe.modelPath);
    state.modelHash = recipe.modelHash;
    state.graph = recipe.graph;
    state.target = recipe.target;
    state.options = recipe.options;
    state.variant = runs.front().variant;
    state.variants = {{state.variant, {}, recipe.overrides}};
    return state;
}

Result<void> add(DecisionState& state, const NotesArguments& options) {
    Note note;
    note.id = ++state.lastNote;
    note.op = options.op;
    note.text = *options.add;
    if (!options.stretch.empty()) {
        note.timeline = "network";
        note.fromNs = options.stretch.front();
        note.toNs = options.stretch.back();
        if (note.fromNs < 0 || note.toNs < note.fromNs)
            return fail(
                ErrorCode::Usage,
                fmt::format("the stretch ends at {} ns, before it begins at {} ns or before the run does",
                            note.toNs, note.fromNs),
                options.project, "give a begin of at least 0 and an end that is no earlier");
    }
    if (note.op.empty() && note.timeline.empty())
        return fail(ErrorCode::Usage, "the note is about nothing", options.project,
                    "say what it is about with --op NAME, --stretch FROM TO (ns), or both");
    state.notes.push_back(std::move(note));
    return {};
}

Result<void> run(Session& session, const NotesArguments& options) {
    const bool changes = options.add || options.remove;
    PIM_TRY(const auto project,
            Project::open(options.project, changes ? Project::Mode::ReadWrite : Project::Mode::ReadOnly));
    PIM_TRY(auto state, project->decisions());
    if (!state && !changes)
        return print(session, {}, options.csv);
    if (!state) {
        PIM_TRY(state, decisionsOfNewestRun(*project));
    }
    if (options.add)
        PIM_CHECK(add(*state, options));
    if (options.remove &&
        std::erase_if(state->notes, [&](const Note& note) { return note.id == *options.remove; }) == 0)
        return fail(ErrorCode::NotFound, fmt::format("there is no note {}", *options.remove), options.project,
                    "`pimc notes PROJECT` lists them");
    if (changes)
        PIM_CHECK(project->saveDecisions(*state));
    return print(session, state->notes, options.csv);
}

} // namespace

Action notesVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<NotesArguments>();
    verb.add_option("PROJECT", options->project, "Project file")
        ->required()
        ->type_name("")
        ->check(CLI::ExistingFile);
    auto* add = verb.add_option("--add", options->add, "Write a note")->type_name("TEXT");
    verb.add_option("--op", options->op, "Operator the new note is about")->type_name("NAME")->needs(add);
    verb.add_option("--stretch", options->stretch, "Stretch of the simulated run it is about, ns")
        ->type_name("FROM TO")
        ->expected(2)
        ->needs(add);
    verb.add_option("--remove", options->remove, "Remove a note")->type_name("N");
    verb.add_flag("--csv", options->csv, "List as CSV");
    verb.footer("Examples:\n"
                "  pimc notes p.pimproj\n"
                "  pimc notes p.pimproj --add \"why so slow?\" --op Conv_12\n"
                "  pimc notes p.pimproj --add \"the bus is full\" --stretch 12500 14000\n"
                "  pimc notes p.pimproj --remove 3\n"
                "The report prints them: pimc report p.pimproj -o report.html");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
