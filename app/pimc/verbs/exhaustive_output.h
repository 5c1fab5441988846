// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `--exhaustive` of `explore` and `kernel`: the fastest of all drafts, simulated, and what price and prediction made of it.
#include "app/pimc/session.h"
#include "core/plan/draft_facet.h"

namespace CLI {
class App;
}

namespace pim::cli {

struct ExhaustiveOutput {
    bool wanted = false;

    void declare(CLI::App& verb);
    /// Error::Usage where \p other, an option that lists drafts its own way, is given too.
    Result<void> check(const char* other, bool given) const;
    /// \param title what the drafts are of. \param top drafts to list; absent: 20 in text, else all.
    Result<void> run(Session& session, const DraftFacet& drafts, const Exploration& exploration,
                     const std::string& title, bool csv, std::optional<std::int64_t> top) const;
};

} // namespace pim::cli
