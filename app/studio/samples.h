// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The sample projects that ship with the program: projects/NAME/sample.json.
#include <QList>
#include <QString>

#include <cstdint>
#include <map>
#include <string>

namespace pim::studio {

struct Sample {
    QString id; ///< Name of its folder.
    QString title, summary;
    QString modelPath; ///< Absolute.
    QString target;    ///< Empty: whatever is chosen.
    std::map<std::string, std::int64_t> bindings;
    bool isMain = false; ///< The one the README shows.
};

/// In the order of their titles, the main one first. Folders without a readable sample.json are left out.
QList<Sample> findSamples();

} // namespace pim::studio
