// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Look-up tables for Python: conversion of whole networks on the samples of a folder, and what layers of another framework need to
/// become tables that the compiler reads. Flow: arrays of rows -> [lut] -> centroids -> tables as files.
#include <pybind11/pybind11.h>

namespace pim::python {

void bindLut(pybind11::module_& module);

} // namespace pim::python
