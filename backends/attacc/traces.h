// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Streams of AttAcc memories as traces of its simulator (c600051: Ramulator 2.0 b7c7027 with its HBM3-PIM device), and
/// back. A line is `WORD 0xADDRESS`; the address is that of its map HBM3-PIM, organisation HBM3_8Gb_2R, from the lowest bit:
/// 5 within an access, 5 column, 14 row, 2 bank, 2 bank group, 1 rank, 1 pseudo-channel, 4 channel
/// (core/dram/attacc/command.h). [pim_ramulator_src/hbm3_pim_linear_mappers.cpp, attacc_bank.yaml]
///
/// What is different there, and what is done about it:
///   - Rows are opened and closed by its controller: ACT, PRE, PREA, ACTAB of ours are not written.
///   - Its streams end with results in the softmax buffer and do not show how they reach the host, so it has no word for
///     RDSB and WRSB. They are left out and counted in a note.
///   - It knows no phases. Where ours end, a PIM_BARRIER is written: nothing of the next phase begins before it.
#include "core/plan/trace_facet.h"

namespace pim {

class DramPimBackend;

class AttAccTraces final : public TraceFacet {
public:
    explicit AttAccTraces(const DramPimBackend& backend) : m_backend(backend) {}
    std::span<const TraceFormat> formats() const override;
    Result<TraceSummary> write(const TraceRequest& request, const TraceSink& sink,
                               const TaskContext& task) const override;
    /// Times it on the engine attacc-compat, 5.2 Gbit/s a pin; of \p target only whether power is limited counts.
    Result<TraceSummary> read(std::string_view format, const std::string& file, const Target* target,
                              const TaskContext& task) const override;

private:
    const DramPimBackend& m_backend;
};

} // namespace pim
