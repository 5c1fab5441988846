// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Document -> one self-contained HTML file, well-formed as XML: nothing is fetched from anywhere, pictures
/// are inline SVG with real text, light or dark as the reader's system is, fit for printing.
#include "core/plan/document.h"

namespace pim::report {

std::string htmlText(const Document& document);
/// One picture, dark on white, as an SVG file or as part of any page.
std::string svgText(const Drawing& drawing);

} // namespace pim::report
