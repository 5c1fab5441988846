// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Allocation and segmentation problems as JSON text, for `pimc dual-mode-allocate` and `pimc dual-mode-segment`.
#include "backends/dual_mode/segmentation.h"

#include <string>
#include <vector>

namespace pim::cli {

/// `{"instances": [{"N", "Dcim", "Dmain", "com_mode": "integer_duplication" or "fractional",
/// "ops": [{"W", "cw", "tr"}…], "edges": [[from, to, cap]…]}…]}`
/// Error::InvalidFile with the JSON path of what is missing or wrong.
Result<std::vector<AllocationProblem>> readAllocationProblems(const std::string& text,
                                                              const std::string& file);

struct NamedSegmentation {
    std::string name;
    SegmentationProblem problem;
};

/// `{"constants": {"Dcim", "Dmain", "Lw", "ext", "rw": "max" or "sum", "N", "arr_bytes", "L_MC", "L_CM"},
/// "cases": {NAME: {"op_preds": [[op…]…], "subops": [[op, W, M, N, K, G, cw, tr, out_bytes]…]}…}}`
/// \param name only this case; empty: all.
/// Error::InvalidFile as above, NotFound where no case has that name.
Result<std::vector<NamedSegmentation>> readSegmentations(const std::string& text, const std::string& file,
                                                         const std::string& name);

} // namespace pim::cli
