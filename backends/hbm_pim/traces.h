// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Streams of HBM-PIM memories as requests of Samsung's public simulator (PIMSimulator b464dde), and back. Lines and
/// addresses: core/dram/hbm_pim/hbm_pim_trace.h.
///
/// Our programs open and close rows by commands; a host asks for bursts, and the simulator's controller opens and closes. So
///   - RD, WR, RD_AB, WR_AB, WRR_AB are bursts (all-bank ones: of bank 0 or 1);
///   - activations that switch the mode are the writes with which its host code has these rows opened: row 17ff of banks 0,
///     1, 8, 9, row 1fff of banks 0 and 1, column 1f;
///   - other activations and all precharges are not written. Where a precharge closes all banks (PREA), a phase ends, or, in
///     all-bank and PIM mode, accesses go on to another row or from reads to writes, a barrier keeps the order: in PIM mode
///     every burst takes a step of the microprogram, and the controller would take bursts to an open row first.
/// The microprogram and the mode register are written with their data; values of operands are not in a plan, they are zeros.
#include "core/plan/trace_facet.h"

namespace pim {

class DramPimBackend;

class HbmPimTraces final : public TraceFacet {
public:
    explicit HbmPimTraces(const DramPimBackend& backend) : m_backend(backend) {}
    std::span<const TraceFormat> formats() const override;
    Result<TraceSummary> write(const TraceRequest& request, const TraceSink& sink,
                               const TaskContext& task) const override;
    /// Times it on the engine pimsimulator-compat with the simulator's own times.
    Result<TraceSummary> read(std::string_view format, const std::string& file, const Target* target,
                              const TaskContext& task) const override;

private:
    const DramPimBackend& m_backend;
};

} // namespace pim
