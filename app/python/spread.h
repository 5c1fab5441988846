// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One network on several machines at once, for Python. Flow: Model + id of a system -> [spread] -> who runs what, as JSON.
#include <pybind11/pybind11.h>

namespace pim::python {

void bindSpread(pybind11::module_& module);

} // namespace pim::python
