// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Networks as an axis of a sweep: what a value of the axis "model" names, the files behind it, and several networks as one point. Used by sweeps,
/// projects and campaigns.
#include "core/compile/sweep.h"

#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// "a.onnx", "sample:resnet50", or several that are priced together: "sum(a.onnx, sample:resnet50)", "worst(…)", "geomean(…)".
struct ModelValue {
    enum class Together { One, Sum, Worst, Geomean };
    Together how = Together::One;
    std::vector<std::string> names; ///< As written, in their order.
};
/// Error::Usage for what names none, or the same one twice.
Result<ModelValue> modelValue(std::string_view text);
/// Positions in SweepSetup::networks of what a value names. \p text: of a sweep that was prepared.
std::vector<std::size_t> networksNamed(const SweepSetup& setup, std::string_view text);

/// Finds and reads all networks that the axis "model" names; the first becomes SweepSetup::model and base. Bindings of the setup go to those that have
/// the dimension. Errors: Usage (the same network twice, a binding that none has), those of findModel(), importModel() and buildGraph(), Cancelled.
Result<void> findNetworks(SweepSetup& setup, const TaskContext& task = {});
/// Reads those of a sweep that was kept, and SweepSetup::model and base. \param model where the first is, \param hash what its structure was; \param what
/// for messages: "the sweep \"a\" was begun". Errors: those of importModel(), InvalidModel where one has changed, Cancelled.
Result<void> loadNetworks(SweepSetup& setup, const std::filesystem::path& model, const std::string& hash,
                          const std::string& what, const TaskContext& task = {});

/// "bert-base", or "bert-base and 2 more".
std::string networksText(const SweepSetup& setup);

/// \p parts: the same point for each network. Times, energies and times of baselines are added up, the greatest, or the geometric mean; work
/// per second is all work in all time, the least, or the geometric mean; power is energy by time of all, the greatest, or the geometric mean. Other figures stay
/// where they are the same for all, as area is. \p axes: figures of the user's are left out, as they are to be of the whole.
SweepPoint together(ModelValue::Together how, const std::vector<SweepAxis>& axes,
                    const std::vector<SweepPoint>& parts);

} // namespace pim
