// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Evaluations as documents, which are text, HTML and PDF alike.
#include "core/plan/document.h"

namespace pim::evaluation {

/// A table of its own section: \p columns as TextTable names them, ">ours" is a number.
report::Section tableSection(std::string title, const std::vector<std::string>& columns,
                             std::vector<std::vector<std::string>> rows);
void addNote(report::Section& section, std::string text); ///< Empty text adds nothing.

/// Sections with their tables and paragraphs; drawings are left out.
std::string documentText(const report::Document& document);

} // namespace pim::evaluation
