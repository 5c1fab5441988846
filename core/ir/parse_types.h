// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The parts of the text that stand in ops: types, attributes, affine maps.
#include "core/base/text_scanner.h"
#include "core/ir/attribute.h"

namespace pim::ir {

/// White space and // comments.
void skipSpace(TextScanner& in);
/// Takes \p token if it stands next.
bool takeToken(TextScanner& in, std::string_view token);
Result<void> expectToken(TextScanner& in, std::string_view token);
/// Letters, digits, '_', '.', '$'; empty if none stands next.
std::string_view takeName(TextScanner& in);
/// With a sign; within 64 bits.
Result<std::int64_t> parseInteger(TextScanner& in);
Result<std::string> parseQuoted(TextScanner& in);
Result<Type> parseType(TextScanner& in);
/// `(T, T)`
Result<std::vector<Type>> parseTypeList(TextScanner& in);
Result<Attribute> parseAttribute(TextScanner& in, int depth = 0);
Result<AffineMap> parseAffineMap(TextScanner& in);

} // namespace pim::ir
