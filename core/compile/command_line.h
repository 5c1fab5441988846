// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The `pimc` line that compiles what was compiled: the window offers it beside its commands, a report tells how to
/// get its figures again.
#include "core/plan/options.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pim {

/// \p text as one word of a POSIX shell.
std::string shellWord(std::string_view text);

struct ModelLine {
    std::string verb = "compile";
    std::string model;                                          ///< File.
    std::string target;                                         ///< Id or file.
    std::string host;                                           ///< Id; empty: the one the target names.
    std::vector<std::pair<std::string, std::int64_t>> bindings; ///< Of dimensions, as chosen.
    std::set<std::string> disabledPasses;                       ///< Over the graph.
    std::map<std::string, OptionTexts, std::less<>>
        passOptions; ///< Of passes over the graph, as GraphOptions has them.
    CompileOptions options;
    bool searchesDrafts = true; ///< False: CompileOptions::verifyDrafts says nothing.

    /// `pimc VERB MODEL …`: options only where they are not as usual, no decisions.
    std::string text() const;
};

} // namespace pim
