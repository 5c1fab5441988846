// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Does a plan compute the network? Its PIM ops run on numbers command by command, the others in float32.
/// Flow: Plan + seed -> [checkNumbers] -> NumericReport -> `pimc verify --numeric`, tests.
///
/// Two ways: as a network, where the results of an op are what the next ones get; or op by op on random
/// operands, for models whose weights are absent and too many to make up. Each op is compared with float32 on
/// the same operands, the network as a whole with float32 throughout.
///
/// Tolerance of one element: t * (rms + |reference|), rms over the op's result, t = u (8 + s sqrt(n)), where u
/// is half the distance of 1 to the next number of the PIM's type (2^-11 for F16, 2^-8 for BF16) and n the
/// additions behind a result that round. Each of n additions rounds a partial sum of the order of the result by at most
/// u of it, and roundings do not lean to one side: evenly spread between -u and u they add up to a deviation
/// of u sqrt(n / 3). Of N results the worst is sqrt(2 ln N) deviations off [extremes of N normal numbers],
/// so s is sqrt(2 ln N / 3), at least 1. 8 u are for the rounding of operands, products and the result
/// itself. A network may be off by the root of the sum of squares of its ops' t, or, where its ops are right and an output is
/// not, by what such differences become on their way: LayerNormalization of a nearly constant row divides by next to nothing.
/// That is measured: the network runs in float32 once more, every number of PIM moved by its tolerance, up or down at random.
/// An output may be off by twice what it then is: that was one sample of many.
#include "core/numeric/difference.h"
#include "core/plan/command_facet.h"
#include "core/plan/number_facet.h"

#include <span>

namespace pim {

/// As said above. \p kernel tells how many additions are behind a result, of which one in \p exactTerms rounds
/// [CommandFacet::exactTerms()].
double numericTolerance(const Kernel& kernel, DataType type, int exactTerms = 1);

struct NumericOp {
    OpId op;
    std::string name;
    bool compared = false;
    bool broken = false; ///< Its commands are none that the hardware can run; note says which.
    OpId sameAs;         ///< Valid: this op has the code of that one, which was run instead.
    std::string note;    ///< Why it was not compared.
    NumericDifference difference;
    double seconds = 0; ///< On PIM units.
    /// Neither wrong nor broken.
    bool ok() const { return !broken && (!compared || difference.ok()); }
};

struct NumericReport {
    bool wholeNetwork = false;
    std::string how;            ///< What the numbers were, in words.
    std::vector<NumericOp> ops; ///< All on PIM that were asked for.
    std::vector<std::pair<std::string, NumericDifference>>
        outputs;               ///< Of the network, against float32 throughout.
    std::vector<Value> values; ///< What the network's outputs were, in its order; empty op by op.
    double seconds = 0;
    std::int64_t compared() const;
    std::int64_t alike() const; ///< Ops whose code was compared as that of another op.
    bool outputsAreRight() const;
    /// At least one op was compared, and nothing was wrong or broken.
    bool ok() const;
};

/// Errors: Usage (a name no PIM op has), Unsupported (an op outside PIM that nothing here computes, by name;
/// weights that are absent and too large to make up), Cancelled.
Result<NumericReport> checkNumbers(const CommandFacet& commands, const Plan& plan,
                                   const NumberOptions& options = {}, const TaskContext& task = {});

/// Error::Usage where ops are to run alone, but inputs of the network are given or its tensors are to be kept.
Result<void> wholeNetworkOnly(const NumberOptions& options);
/// What a run is on: "the model's weights, random inputs".
std::string numbersText(bool weightsOfModel, const Graph& graph, const InputValues& own);

/// How far outputs of a network are, by their names; as text of a table and as a JSON array.
using OutputDifferences = std::vector<std::pair<std::string, NumericDifference>>;
OutputDifferences outputDifferences(const Graph& graph, const std::vector<Value>& outputs,
                                    const std::vector<Value>& reference);
std::string outputsTable(const OutputDifferences& outputs, std::string_view heading = "output, from float32");
std::string outputsJson(const OutputDifferences& outputs);

/// As `pimc check` and `pimc verify --numeric` print it.
NumberReport numberReport(const NumericReport& report);

} // namespace pim
