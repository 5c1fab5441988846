// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Loop nests for Python: NumPy arrays of their tensors, tables of their drafts, and kernels written as text.
/// Flow: text + sizes -> [TextKernel] -> drafts -> numbers.
#include "app/python/model.h"
#include "core/kernel/kernel.h"
#include "core/plan/draft_facet.h"

#include <pybind11/numpy.h>

#include <map>
#include <tuple>

namespace pim::python {

using Floats = pybind11::array_t<float, pybind11::array::c_style>;
using Doubles = pybind11::array_t<double, pybind11::array::c_style>; ///< [drafts][parts]
using DraftRows = std::pair<std::vector<std::string>, Doubles>;

/// (name, shape, is it computed) of each tensor.
std::vector<std::tuple<std::string, Shape, bool>> kernelTensors(const Kernel& kernel);
/// One a tensor, empty where it is computed. Raises UsageError for arrays that are not exactly what the kernel takes. \param who the
/// op or kernel, for messages.
std::vector<std::vector<float>> kernelInputs(const Kernel& kernel,
                                             const std::map<std::string, pybind11::array>& given,
                                             const std::string& who);
/// What is computed, by name. \param tensors one a tensor.
std::map<std::string, Floats> kernelOutputs(const Kernel& kernel,
                                            const std::vector<std::vector<float>>& tensors);
/// (draft, input, compute, output, mode switch, rewrite, host in ns) of all, the best first.
DraftRows draftRows(const Exploration& exploration);

void bindKernel(pybind11::module_& module);

} // namespace pim::python
