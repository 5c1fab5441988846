// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What `pimc export-trace` and `pimc import-trace` say of a trace.
#include "core/plan/trace_facet.h"

#include <string>

namespace pim::cli {

/// Whose trace it is.
struct TraceTitle {
    std::string file, format, simulator;
    std::string op, target; ///< Empty: not known.
};

std::string traceText(const TraceTitle& title, const TraceSummary& summary);
std::string traceJson(const TraceTitle& title, const TraceSummary& summary);

} // namespace pim::cli
