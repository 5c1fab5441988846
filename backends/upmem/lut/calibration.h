// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Cost model against measurements. The authors' constants are too low by 16 to 30 % on BERT, and too high on a ViT that runs 11
/// tasklets, whose additions they charge as if 16 shared the pipeline.
#include "backends/upmem/lut/cost_model.h"

#include <span>

namespace pim::upmem {

/// Factors on what the cost model says.
struct LutCalibration {
    double transfers = 1, kernel = 1;
};

/// Fitted by fitCalibration to six LUT totals of one transformer layer: BERT-base, BERT-large and ViT-huge, sub-vectors of 2
/// and 4, in the mappings of the artifact. Totals are PIM-DL's latencies (fig. 10) less what is not look-up (fig. 11a, which is of
/// sub-vectors of 4; host work does not depend on them). [PIM-DL artifact 87aee67, results_ref, digitised to 1 %]
constexpr LutCalibration kMeasuredLut{0.8567, 1.5782};

/// The model's times as they would be measured.
/// Its cycles are those of a tasklet that shares the pipeline with 15 others; with T >= 11 the pipeline is full, so a tasklet takes
/// T / 16 of them, and never less than 11 / 16, since it issues every 11th cycle at best. [PrIM, arXiv:2105.03814]
LutTimes calibrated(const LutTimes& model, std::int64_t tasklets,
                    const LutCalibration& calibration = kMeasuredLut);

struct LutMeasurement {
    double transfers = 0, kernel = 0; ///< Seconds, of calibrated() with factors of 1.
    double measured = 0;              ///< Seconds in all.
};
/// Least squares of relative errors: the factors with the least sum of ((transfers x a + kernel x b) / measured - 1)^2.
/// Errors: Usage for fewer than two measurements, one that is not positive, or all alike.
Result<LutCalibration> fitCalibration(std::span<const LutMeasurement> measurements);

} // namespace pim::upmem
