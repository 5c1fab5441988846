// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The compiled bundle: a folder with manifest.json (schema version, SHA-256 of every file, provenance),
/// plan.json, target.json, overrides.json, layout.json (where resident tensors lie), programs/, and what the machine is loaded with
/// beside its programs in chip/ (core/plan/bundle_facet.h).
/// A plan over several machines is plan.json, overrides.json and a bundle of each part in parts/, which the manifest lists with
/// their machines.
/// Byte-identical for identical input.
#include "core/graph/import.h"
#include "core/plan/backend.h"

#include <filesystem>

namespace pim {

/// Writes to a folder beside \p folder first and renames, so that a failure leaves nothing half-written.
/// \p folder may exist if it is empty or an older bundle (replaced). Errors: Io (disk full, permission),
/// Usage (folder holds something else).
Result<void> writeBundle(const BackendList& backends, const Plan& plan, const CompileOptions& options,
                         const std::filesystem::path& folder, const TaskContext& task = {});

struct VerifyReport {
    std::int64_t files = 0;
    std::int64_t programs = 0;
    Diagnostics problems; ///< Empty: the bundle is sound.
};
/// Hashes, parses and cross-checks everything: programs parse back to the same bytes, totals add up, drafts
/// are legal. Error only if the folder is no bundle at all.
Result<VerifyReport> verifyBundle(const BackendList& backends, const std::filesystem::path& folder,
                                  const TaskContext& task = {});

/// What a bundle was compiled from, as far as it is in it: all but the model, which it knows by name and hash.
struct BundleSource {
    std::string modelFile; ///< Without folders.
    std::string modelHash; ///< GraphSource::structureHash.
    GraphOptions graphOptions;
    std::shared_ptr<const Target> target;
    Overrides overrides;
    CompileOptions options;
};
/// Errors as verifyBundle(), InvalidFile where some of it cannot be read back, and Unsupported where it is for several machines:
/// there is no request that gives such a plan.
Result<BundleSource> readBundleSource(const std::filesystem::path& folder);

/// Error::Usage if \p graph is another model than the bundle was compiled from.
Result<void> checkModelOfBundle(const BundleSource& source, const Graph& graph);

/// The plan that a bundle was written for, made again from its model. Error::Usage if the model is another one,
/// Error::InvalidFile if plan or programs come out different (another version of the product wrote it): names the file.
Result<std::shared_ptr<const Plan>>
planOfBundle(const BackendList& backends, const std::filesystem::path& folder, const BundleSource& source,
             std::shared_ptr<const Graph> graph, const TaskContext& task = {});

} // namespace pim
