// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Document -> PDF on A4: vectors, text that can be selected, bookmarks, page numbers.
#include "core/base/result.h"
#include "core/plan/document.h"

namespace pim::report {

/// The bytes of the file. Error::Internal if the drawing library refuses.
Result<std::string> pdfBytes(const Document& document);

} // namespace pim::report
