// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How right a compiled classifier is in the numbers of its machine. Flow: Plan + samples -> [answersOn] -> logits.
#include "core/compile/which.h"
#include "core/lut/network/inference.h"
#include "core/plan/number_facet.h"

namespace pim {

struct AccuracySamples {
    lut::DataSet set;
    lut::Samples test,
        calibration; ///< By the second the machine's ranges are chosen; its labels are not used.
};

struct MachineAnswers {
    lut::Logits logits;
    std::string numbers;            ///< As NumericNetwork::numbers().
    std::vector<std::string> notes; ///< What was computed otherwise than the machine would.
};

/// \p plan is of a classifier whose input takes the samples. \param options calibration is taken from the samples, up to 512 of them.
/// Errors: those of NumberFacet::prepare() and lut::logitsOf().
Result<MachineAnswers> answersOn(const NumberFacet& facet, const Plan& plan, NumberOptions options,
                                 const AccuracySamples& samples, const TaskContext& task = {});

/// For which(): a folder with test_x.npy, test_y.npy, calib_x.npy.
struct AccuracyQuestion {
    AccuracyOf ofPlans;
    PlanAccuracy ofHosts; ///< In float32.
    /// Open dimensions of the model that samples say: the graph of which() has to be for these.
    std::map<std::string, std::int64_t> bindings;
};

/// \param samplesAtMost of the test; 0: all. Errors: those of lut::openDataSet(), lut::readSamples(), lut::Classifier::open() and lut::logitsOf().
Result<AccuracyQuestion> askAccuracy(const std::filesystem::path& model, const std::filesystem::path& folder,
                                     std::int64_t samplesAtMost, const TaskContext& task = {});

} // namespace pim
