// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Facet of machines whose bundles hold programs of their own form, or more than programs. Flow: Plan -> [writeData] -> files
/// of a bundle -> [verifyProgram] -> `pimc verify`.
#include "core/base/task.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace pim {

/// A program file of a bundle, and what lies around it.
struct BundleProgram {
    std::string path; ///< In the bundle: "programs/network.xbar".
    std::string_view text;
    std::filesystem::path folder;                  ///< Of the bundle.
    const Target* target = nullptr;                ///< That of the bundle; null where it cannot be read.
    std::function<bool(const std::string&)> names; ///< Is this path in the manifest?
};

class BundleFacet {
public:
    virtual ~BundleFacet() = default;
    /// ".xbar"; empty: programs have the common form (core/program).
    virtual std::string_view programEnding() const { return {}; }
    /// Everything that is wrong with one program with that ending, by file; empty: it is sound.
    virtual Diagnostics verifyProgram(const BundleProgram&) const { return {}; }
    /// Writes what a machine is loaded with in addition to its programs into \p folder, which exists, piece by piece: it can
    /// be larger than memory. \returns the names of the files; none by default.
    virtual Result<std::vector<std::string>> writeData(const Plan& plan, const std::filesystem::path& folder,
                                                       const TaskContext& task) const;
};

} // namespace pim
