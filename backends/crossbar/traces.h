// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Programs of crossbar chips as streams of PIMCOMP-NN (git 2ed10c8), and back: CSV with the columns
/// group,core,op,stage,elements,in_elements,out_elements,ag,comm, an instruction a line, by group, then core, in program
/// order: what its evaluation reads of an instruction. The program itself passes streams on in memory, so the columns are
/// ours, the opcodes and stages are its own. What each of our instructions is there: compat.h.
#include "core/plan/trace_facet.h"

namespace pim {

class CrossbarTraces final : public TraceFacet {
public:
    std::span<const TraceFormat> formats() const override;
    /// For one op, the instructions that work on its layer; transfers from or to other layers are left out, as they have
    /// no second side.
    Result<TraceSummary> write(const TraceRequest& request, const TraceSink& sink,
                               const TaskContext& task) const override;
    /// Times it on the engine pimcomp-compat: on the chip of \p target, else on that of the shipped configuration.
    Result<TraceSummary> read(std::string_view format, const std::string& file, const Target* target,
                              const TaskContext& task) const override;
};

} // namespace pim
