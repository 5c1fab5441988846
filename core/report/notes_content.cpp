// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/notes_content.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

namespace pim::report {
namespace {

std::string about(const Note& note) {
    if (note.timeline.empty())
        return "the operator";
    const std::string_view where = note.timeline == "network" ? "the simulated run" : "its commands";
    return note.toNs > note.fromNs
               ? fmt::format("{}, {} to {}", where, timeText(note.fromNs), timeText(note.toNs))
               : fmt::format("{}, at {}", where, timeText(note.fromNs));
}

} // namespace

Section notesSection(const std::vector<Note>& notes,
                     const std::function<std::string(const std::string& op)>& linkOf) {
    if (notes.empty())
        return {};
    Table table{"Notes on this project", {{"Operator", Column::Kind::Code}, {"About"}, {"Note"}}, {}};
    for (const Note& note : notes) {
        if (const std::string link = note.op.empty() ? std::string() : linkOf(note.op); !link.empty())
            table.links[{table.rows.size(), 0}] = link;
        table.rows.push_back({note.op.empty() ? "–" : note.op, about(note), note.text});
    }
    return {"Notes", {std::move(table)}};
}

} // namespace pim::report
