// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Inputs that the user gives a network: arrays of NumPy, checked against the graph. Flow: words of a command line + Graph ->
/// [OwnInputs] -> runInputs, where random ones are beside them.
#include "core/numeric/element_access.h"

#include <map>
#include <string>
#include <vector>

namespace pim {

/// By name of the graph input, as runReal() takes them.
using InputValues = std::map<std::string, Value>;

struct OwnInputs {
    InputValues values;
    std::vector<std::string>
        notes; ///< What was not taken as it was: rounded fractions, files that are not there.
};

/// \param given each FILE.npy (of a network with one input), NAME=FILE.npy, or a folder of files npyName(NAME).npy.
/// Fractions are read in any width, whole numbers in any width that holds them. Errors: NotFound (no such input, a folder with none),
/// Usage (which input it is, two for one, another shape or kind of number, NaN, a row that the table does not have); those of
/// readNpy(), all with input and file.
Result<OwnInputs> readInputs(const Graph& graph, const std::vector<std::string>& given);

/// Inputs of a run: those of \p own, the others as sampleInputs(). ErrorCode::NotFound: \p own has a name that no input has.
Result<std::vector<Value>> runInputs(const Graph& graph, const InputValues& own, std::uint64_t seed);

/// "random inputs", "the inputs given", "the inputs given, random: mask, past".
std::string inputsText(const Graph& graph, const InputValues& own);

} // namespace pim
