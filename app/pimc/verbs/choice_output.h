// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `--choose` of `explore` and `kernel`: the draft that a compile takes, how it came to it, and how far the
/// optimum can be.
#include "app/pimc/session.h"
#include "core/compile/draft_choice.h"

namespace CLI {
class App;
}

namespace pim::cli {

struct ChoiceOutput {
    bool wanted = false;

    void declare(CLI::App& verb);
    /// Error::Usage where \p other, an option about the list of all drafts, is given too.
    Result<void> check(const char* other, bool given) const;
    /// \param title what the draft is of.
    Result<void> print(Session& session, const DraftChoice& choice, const Target& target,
                       const std::string& title) const;
};

/// One line for a person: "a compile takes [[…]] expanded: 12.3 us, fastest of 2 simulated; at most 1 % from
/// the optimum".
std::string choiceLine(const DraftChoice& choice);
/// The backend as one that has drafts. Error::Unsupported for others.
Result<const OpwiseBackend*> draftsOf(const Backend& backend, const Target& target);

} // namespace pim::cli
