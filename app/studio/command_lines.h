// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The `pimc` lines that do what the window does with what is open in it. Each is complete: pasted into a shell, it gives
/// the same numbers.
#include "views/models/draft_ranking.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>

namespace pim {
class Overrides;
struct CompileOptions;
struct Target;
} // namespace pim

namespace pim::views {
class Workspace;
}

namespace pim::studio {

/// \p text as one word of a POSIX shell.
QString shellWord(const QString& text);

/// What a line compiles: as in the window, where a field is not set.
struct LineOf {
    const Target* target = nullptr;
    QString host; ///< Id.
    const CompileOptions* options = nullptr;
    const Overrides* overrides = nullptr;
    std::optional<views::RankingChoice::By> ranking{};
};

/// `pimc VERB MODEL …` with model, dimensions, passes, target, host, options and decisions. \p more is put at its end.
QString modelLine(const views::Workspace& workspace, const QString& verb, const QStringList& more = {},
                  const LineOf& what = {});
inline QString compileLine(const views::Workspace& workspace, const QStringList& more = {},
                           const LineOf& what = {}) {
    return modelLine(workspace, QStringLiteral("compile"), more, what);
}
/// Drafts of the selected op. \p best: how many to simulate, 0: none.
QString exploreLine(const views::Workspace& workspace, int best = 0);
/// The report of the plan: of the stored run if there is one.
QString reportLine(const views::Workspace& workspace, const QString& file);
/// The calibration of look-up tables that is asked for; empty: it cannot be.
QString lutLine(views::Workspace& workspace);

} // namespace pim::studio
