// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The C code of a plan compiled, run on the host under the rules of the hardware, and held against the engine. Flow: Plan ->
/// [checkCode] -> `pimc verify --numeric`.
#include "core/base/task.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <string>

namespace pim::upmem {

struct CodeCheck {
    int programs = 0;  ///< Run, of \p different ones.
    int different = 0; ///< Programs of the plan.
    int shortened = 0; ///< Of those run, with fewer blocks than the plan has.
    std::int64_t dmaBytes = 0, violations = 0;
    std::string skipped;      ///< Why nothing was run: there is no C compiler.
    std::string problem;      ///< The first that is wrong; empty: none is.
    std::string text() const; ///< One line, ends with a line break.
};

struct CodeCheckLimits {
    int programs = 16;           ///< Compiled and run at most.
    int dpus = 2;                ///< For each.
    double instructions = 100e6; ///< Of a program on the engine; larger ones are run with fewer blocks.
    std::uint64_t seed = 1;
};

/// Errors: Cancelled; Io. A program that does not compile, breaks a rule or gives other numbers is CodeCheck::problem.
Result<CodeCheck> checkCode(const Plan& plan, const CodeCheckLimits& limits, const TaskContext& task);

} // namespace pim::upmem
