// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Options of all families of hardware by name, for command lines, sweeps and help: "crossbar.mode" is the option "mode" of
/// the backend "crossbar". Flow: Backend::options() -> [names and checks] -> CompileOptions::family.
#include "core/plan/backend.h"

namespace pim {

struct FamilyOption {
    const Backend* backend = nullptr;
    OptionInfo info;
    std::string name; ///< "dual-mode.caps": as an axis of a sweep.
};

/// All there are, by family in the order of the list.
std::vector<FamilyOption> familyOptions(const BackendList& backends);

/// "dual_mode" -> "dual-mode": the name on command lines. Both are understood.
std::string familyWord(std::string_view backend);

/// Sets one option. \param name "FAMILY.KEY", or KEY alone: then it is that of \p preferred (the target's backend) where
/// that has such an option, else of the first family in the list that has. Error::Usage names what there is.
Result<void> setFamilyOption(const BackendList& backends, CompileOptions& options, std::string_view name,
                             std::string_view value, std::string_view preferred = {});

/// Error::Usage for a family, a key or a value that nobody understands.
Result<void> checkFamilyOptions(const BackendList& backends, const CompileOptions& options);

} // namespace pim
