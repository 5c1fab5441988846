// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What could stand at the end of a command line that is being typed. Flow: declared verbs and options + words so far ->
/// [complete] -> words with a sentence each, which resources/completion/* shows in bash, zsh and fish.
#include "app/pimc/session.h"

#include <span>

namespace CLI {
class App;
}

namespace pim::cli {

struct CompletionWord {
    std::string word;  ///< Whole, with what has been typed of it; one that ends in "=" goes on.
    std::string about; ///< One line; may be empty.
};
struct Completion {
    std::vector<CompletionWord> words;
    bool files = false; ///< The name of a file or folder is possible, too.
};

/// \param app with all verbs. \param words after "pimc"; the last one is being typed and may be empty.
Completion complete(const CLI::App& app, std::span<const std::string> words, Session& session);

} // namespace pim::cli
