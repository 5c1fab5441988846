// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Small transformers, chosen by a seed: tokens from a table or patches of an image, all spellings of
/// normalisations, attention with and without a mask, what is wanted of the result.
#include "core/graph/graph.h"

#include <memory>
#include <string>

namespace pim::test {

/// \param file where the model is written; its weights are read from there when asked for.
Result<std::shared_ptr<const Graph>> randomTransformer(unsigned seed, const std::string& file);

} // namespace pim::test
