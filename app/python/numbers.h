// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Compiled networks that compute, for NumPy arrays. Flow: plan + calibration -> [Numbers] -> arrays of the outputs.
#include "app/python/task.h"
#include "core/plan/backend.h"
#include "core/plan/number_facet.h"

#include <pybind11/numpy.h>
#include <pybind11/pytypes.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pim::python {

class Numbers {
public:
    /// \param calibration arrays of the inputs, sample by sample; may be empty. \param choices as NumberFacet::choices().
    Numbers(const Backend& backend, std::shared_ptr<const Plan> plan,
            const std::vector<pybind11::list>& calibration,
            const std::vector<std::pair<std::string, std::string>>& choices,
            const pybind11::object& progress);

    /// One array an input of the graph in, one an output out. Whole numbers of any width are taken for those of the graph.
    pybind11::list run(const pybind11::list& inputs, const pybind11::object& progress);
    std::string numbers() const { return m_network->numbers(); }
    std::vector<std::string> notes() const { return m_network->notes(); }

private:
    std::shared_ptr<const Plan> m_plan;
    NumberOptions m_options;
    std::unique_ptr<NumericNetwork> m_network;
    std::mutex m_turn; ///< Python's threads may call at once, a network takes one at a time.
};

} // namespace pim::python
