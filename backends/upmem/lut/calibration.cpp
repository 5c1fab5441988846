// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::upmem {
namespace {

/// Of the fitted cycles, and of the pipeline of a DPU.
constexpr double kFittedTasklets = 16, kFullPipeline = 11;

} // namespace

LutTimes calibrated(const LutTimes& model, std::int64_t tasklets, const LutCalibration& calibration) {
    const double kernel =
        calibration.kernel * std::max(static_cast<double>(tasklets), kFullPipeline) / kFittedTasklets;
    LutTimes times = model;
    for (double LutTimes::*part : {&LutTimes::sendIndex, &LutTimes::sendTable, &LutTimes::fetchOutput})
        times.*part *= calibration.transfers;
    for (double LutTimes::*part :
         {&LutTimes::reduce, &LutTimes::loadIndex, &LutTimes::moveOutput, &LutTimes::loadTable})
        times.*part *= kernel;
    return times;
}

Result<LutCalibration> fitCalibration(std::span<const LutMeasurement> measurements) {
    double tt = 0, tk = 0, kk = 0, t1 = 0, k1 = 0;
    for (const LutMeasurement& one : measurements) {
        if (!(one.measured > 0))
            return fail(ErrorCode::Usage, fmt::format("a measured time of {} s", one.measured));
        const double transfers = one.transfers / one.measured, kernel = one.kernel / one.measured;
        tt += transfers * transfers;
        tk += transfers * kernel;
        kk += kernel * kernel;
        t1 += transfers;
        k1 += kernel;
    }
    const double determinant = tt * kk - tk * tk;
    if (!(determinant > 1e-12 * tt * kk))
        return fail(
            ErrorCode::Usage,
            fmt::format("{} measurements do not tell transfers and kernel apart", measurements.size()), {},
            "measure mappings that differ in the share of the two");
    return LutCalibration{(kk * t1 - tk * k1) / determinant, (tt * k1 - tk * t1) / determinant};
}

} // namespace pim::upmem
