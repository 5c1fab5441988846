// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Everything a person decided about one model, as a value: what is undone and redone in a window, kept in a
/// project with every change, and brought back when it opens. The graph itself is not in it: it is built from
/// the model again.
#include "core/compile/override_fit.h"
#include "core/graph/import.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pim {

/// Something a person wrote down about an op, about a stretch of time, or about both.
struct Note {
    std::int64_t id = 0; ///< Unique in its project; never given twice.
    std::string op;      ///< Op::name; empty: none.
    std::string
        timeline; ///< Which timeline the stretch is of: "network", or "commands/OP". Empty: no stretch.
    double fromNs = 0, toNs = 0;
    std::string text;
    friend bool operator==(const Note&, const Note&) = default;
};

/// A named set of overrides.
struct Variant {
    std::string name;   ///< Unique; the first one is "main".
    std::string parent; ///< It was branched from; empty: none.
    Overrides overrides;
    friend bool operator==(const Variant&, const Variant&) = default;
};

struct DecisionState {
    std::filesystem::path modelPath; ///< Absolute.
    std::string modelHash;           ///< ModelSource::structureHash of the graph the state was saved with.
    GraphOptions graph;
    std::shared_ptr<const Target> target;
    CompileOptions options;
    std::string variant = "main";                    ///< The one in force.
    std::vector<Variant> variants{{"main", {}, {}}}; ///< In the order they were made; never empty.
    OpMarks marks;                                   ///< Of all ops that any variant decides about.
    std::vector<Note> notes;                         ///< By id, ascending.
    std::int64_t lastNote = 0;                       ///< Highest id ever given.
    std::map<std::string, std::string> viewStates;   ///< View -> JSON.

    const Overrides& overrides() const; ///< Of the variant in force.
};

/// Canonical JSON of a state, without how the views looked: equal states are equal texts.
std::string decisionsText(const DecisionState& state);

} // namespace pim
