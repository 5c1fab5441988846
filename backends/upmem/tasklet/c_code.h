// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// TaskletCode as the C program that the vendor's compiler makes a DPU binary of. Flow: TaskletCode, sizes -> [cCode] -> text.
/// Calls: SDK 2023.2, as PrIM 9a1498f uses them. Free of warnings under -Wall -Wextra.
#include "backends/upmem/tasklet/code.h"

namespace pim::upmem {

struct CCode {
    std::string text;
    std::vector<int> statementOfLine; ///< One a line of the text; -1: of no statement.
};

/// \param code its values of 32 bits wrap around; products of signed ones that do so are undefined in C.
/// \param sizes one each of its sizes.
/// \param origin what it was made for, one line; may be empty.
/// Errors: as TaskletCode::checkSizes().
Result<CCode> cCode(const TaskletCode& code, std::span<const std::int64_t> sizes, int tasklets,
                    const std::string& origin = {});

/// "A_OFFSET" for array "a": the byte where it begins, as a macro for the host too.
std::string cOffsetName(const TaskletCode::Array& array);

} // namespace pim::upmem
