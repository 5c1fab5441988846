// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Everything that can be chosen about a compile beside the user's decisions about the network.
#include "core/base/option_table.h"
#include "core/graph/graph.h"
#include "core/tiling/tiling.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pim {

class DraftPredictor; // core/drafts/draft_choice.h

/// Who chooses the draft of an op.
enum class MappingChoice : std::uint8_t {
    Searched, ///< The search of DCC §IV-B.
    /// The one the machine's makers published (OpwiseBackend::fixedDraft): the baseline of comparisons.
    Fixed,
};
std::string_view name(MappingChoice choice); ///< "searched", "fixed"

/// Optimiser passes over the code of a draft [DCC §IV-C] that are left out. What there is: Backend::codePasses().
struct CodePasses {
    std::vector<std::string> leftOut; ///< Ids, ascending.
    bool isOn(std::string_view id) const;
    friend bool operator==(const CodePasses&, const CodePasses&) = default;
};

struct CompileOptions {
    /// All floating-point tensors are taken in this type, on host and PIM alike.
    DataType computeType = DataType::F16;
    bool convAsGemm = true; ///< Convolution as im2col matrix product, else the direct nest.
    TilingOptions tiling{.everyAllocation = false};
    /// Host read and PIM write of rearrangement overlap (double buffering).
    bool overlapHostTransfer = false;
    bool groupCommands = true; ///< Prefer group-level commands (padding), as DCC §IV-C II.
    MappingChoice mapping = MappingChoice::Searched;
    CodePasses passes;
    /// Ranks drafts better than their price does; null: the price decides. Its version is part of a run's provenance.
    std::shared_ptr<const DraftPredictor> predictor;
    /// Of the predictor; of a stored run, the one it has to be compiled with.
    std::string predictorVersion;
    /// So many drafts, those ranked best, are simulated and the fastest is taken; 0: none.
    int verifyDrafts = 0;
    std::uint64_t seed = 0; ///< For backends with a random search; kept with the run.
    int threads = 0;        ///< 0: as many as the machine has.
    /// Options of families of hardware that are not at their default: Backend::id(), then key to value as in
    /// Backend::options(). Those of other machines than the target's say nothing about a plan.
    std::map<std::string, OptionTexts, std::less<>> family;

    /// Those of one family; empty: all are at their default.
    const OptionTexts& of(std::string_view backend) const;
};

/// Names that families had in earlier versions, in projects and on command lines; they are still read.
struct FormerFamilyName {
    std::string_view former, now;
};
std::span<const FormerFamilyName> formerFamilyNames();

/// Canonical JSON of the options; part of a run's provenance.
std::string optionsJson(const CompileOptions& options);
/// Reads it back, so that a stored run can be compiled again. Keys left out keep their default; a key nobody knows is
/// an error, because the run would not be the same. Options of families are checked where they are used
/// (family_options.h).
Result<CompileOptions> optionsFromJson(std::string_view json, std::string_view where);

} // namespace pim
