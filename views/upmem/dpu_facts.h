// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is drawn of the DPUs of a machine: where they stand, and one figure of each in words and as a share of the scale.
/// Flow: DpuLoad -> [DpuFacts] -> canvas, table.
#include "backends/upmem/op_run.h"
#include "core/plan/plan.h"

#include <QString>

namespace pim::views {

/// What the colour of a DPU says.
enum class DpuFigure { Busy, MramKept, MramPeak, Count_ };
QString title(DpuFigure figure);   ///< "Busy share"
QString meaning(DpuFigure figure); ///< In a sentence.

struct DpuFacts {
    upmem::DpuLoad load;
    int ranksPerModule = 1;
    std::int64_t mramBytes = upmem::kMramBytes; ///< That a DPU has.
    QString op;                                 ///< Figures are of this op alone; empty: of all.

    int dpus() const { return int(load.busyNs.size()); }
    int ranks() const;
    int modules() const { return (ranks() + ranksPerModule - 1) / ranksPerModule; }
    int rankOf(int dpu) const { return dpu / load.dpusPerRank; }
    int chipOf(int dpu) const { return dpu % load.dpusPerRank / load.dpusPerChip; }
    int chipsPerRank() const { return (load.dpusPerRank + load.dpusPerChip - 1) / load.dpusPerChip; }

    double value(int dpu, DpuFigure figure) const; ///< A share of 0 … 1, or bytes.
    QString valueText(int dpu, DpuFigure figure) const;
    /// End of the colour scale: all there is, or where everything is far below it the greatest value.
    double scale(DpuFigure figure) const;
    QString text(double value, DpuFigure figure) const;
    bool overflows(int dpu) const; ///< Needs more MRAM than it has.
    int overflowing() const;       ///< DPUs that do.
    int working() const;           ///< DPUs that compute at all.
    QString place(int dpu) const;  ///< "DPU 137: module 1, rank 2, chip 1"
    QString describe(int dpu) const;
    QString headline() const; ///< Rich text.
};

/// \param op one alone; invalid: all.
DpuFacts dpuFacts(const Plan& plan, OpId op);

} // namespace pim::views
