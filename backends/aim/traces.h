// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Streams of AiM memories as instructions for the public aim_simulator (0f28a07), and back. Lines and masks:
/// core/dram/aim/aim_trace.h. Its host splits an instruction into commands; so runs of WRGB, MAC16 and EWMUL16 are one
/// instruction here, at most 64 commands long, and ACT16, PREA and TMOD, which its controller adds, are not written.
///
/// An instruction begins at column and slot 0 there. Runs that begin elsewhere are written with their length; that changes
/// what is multiplied, not how long it takes, and a note counts them. The simulator has no values.
#include "core/plan/trace_facet.h"

namespace pim {

class DramPimBackend;

class AimTraces final : public TraceFacet {
public:
    explicit AimTraces(const DramPimBackend& backend) : m_backend(backend) {}
    std::span<const TraceFormat> formats() const override;
    Result<TraceSummary> write(const TraceRequest& request, const TraceSink& sink,
                               const TaskContext& task) const override;
    /// Times it on the engine aim-compat with the simulator's own times, where that has rules for all instructions.
    Result<TraceSummary> read(std::string_view format, const std::string& file, const Target* target,
                              const TaskContext& task) const override;

private:
    const DramPimBackend& m_backend;
};

} // namespace pim
