// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Meta-operator flows in bundles.
#include "core/plan/bundle_facet.h"

namespace pim {

class DualModeBundleFacet final : public BundleFacet {
public:
    std::string_view programEnding() const override { return ".flow"; }
    Diagnostics verifyProgram(const BundleProgram& program) const override;
};

} // namespace pim
