// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What importModel() hands to buildGraph(); nobody else looks inside.
#include "core/graph/file/onnx_model.h"
#include "core/graph/import.h"

namespace pim {

class ImportedModel {
public:
    explicit ImportedModel(file::RawModel model) : raw(std::move(model)) {}
    const file::RawModel raw;
};

} // namespace pim
