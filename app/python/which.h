// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One network on many machines, and over many sizes, for Python. Flow: Model -> [which], [sweep] -> rows as JSON.
#include <pybind11/pybind11.h>

namespace pim::python {

void bindWhich(pybind11::module_& module);

} // namespace pim::python
