// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sentences of core that the window leads with, in its language: why an op is where it is, what limits a run, what keeps an op under its
/// roof. Core writes them in English, for reports and the command line too; here their parts are recognised and written anew.
#include <QString>

#include <string_view>

namespace pim::views {

/// Parts between semicolons that are not known stay as they are, and so do names, figures and units, and a
/// sentence of more than 1000 bytes.
QString coreSentence(std::string_view sentence);

} // namespace pim::views
