// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a path the user hands over is: by a dialog, a drop, the command line or another instance of the
/// program.
#include <QString>

namespace pim::studio {

struct OpenRequest {
    enum class Kind { Model, Project, Link, Target, Refused };
    Kind kind = Kind::Refused;
    QString what;   ///< The path; for Link the link itself, also if it was found in a report.
    QString reason; ///< Why it is refused, as a sentence with a way out.
};

/// Looks into reports and .json files (their beginning only), else goes by the suffix: what a model holds is
/// told when it is read. A path without a suffix we know is tried as a model if \p isChosen, that is if the
/// user said so himself.
OpenRequest judgeFile(const QString& path, bool isChosen);

} // namespace pim::studio
