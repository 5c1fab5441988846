// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Facet of machines whose programs run on numbers: does what was compiled compute the network, and how well? Flow: Plan or bundle +
/// options -> [NumberFacet] -> NumberReport -> `pimc check`, `pimc verify --numeric`; -> NumericNetwork -> `pimc accuracy --target`.
#include "core/base/option_table.h"
#include "core/base/task.h"
#include "core/numeric/own_inputs.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace pim {

struct NumberOptions {
    std::uint64_t seed = 1;       ///< Of inputs, and of weights where the model has none.
    std::vector<std::string> ops; ///< Names or parts of names; empty: the whole network.
    double secondsAtMost = 0;     ///< No op is begun after that; 0: no limit.
    bool opByOp = false;          ///< Random operands for each op instead of a run of the network.
    int threads = 0;              ///< 0: as many as the machine has.
    OptionTexts own;              ///< As in NumberFacet::choices().
    InputValues inputs;           ///< Of the user, as readInputs(); those that are not here are random.
    std::filesystem::path dump;   ///< Folder for all tensors of the run (TensorDump); empty: none are kept.
    /// Inputs of the network, each with all of them, that exponents are chosen by; empty: random ones.
    std::vector<std::vector<Value>> calibration;
    /// Text of a program that is run instead of the plan's, and the file it is from; empty: none.
    std::string program, programFile;
    std::string model; ///< As the user named it, for the report.
};

/// What running a program on numbers told; every family's in the same form.
struct NumberReport {
    std::string text;               ///< A table for a person, ends with a line break.
    std::string json;               ///< One object; what is in it depends on the family.
    std::vector<std::string> notes; ///< For the user: how it was done differently from what was asked.
    /// Set where numbers are not those of the model. ErrorCode::Internal: the compiler made a program that does not compute
    /// the network; InvalidFile: a file that was given does not.
    std::optional<Error> problem;
};

/// A bundle to be run: what its manifest and files say.
struct NumberBundle {
    std::filesystem::path folder;
    std::shared_ptr<const Target> target;
    std::shared_ptr<const Graph> graph; ///< Of the model that it was compiled from.
    /// The plan that the bundle was written for, made again.
    std::function<Result<std::shared_ptr<const Plan>>()> plan;
};

/// A compiled network that computes what its machine would: numbers that the machine holds were chosen once, and inputs run through
/// its programs. One thread at a time.
class NumericNetwork {
public:
    virtual ~NumericNetwork() = default;
    /// Outputs of the graph in their order, fractions as F32. \param inputs as runReal(). Errors: those of checkPlan().
    virtual Result<std::vector<Value>> run(std::span<const Value> inputs, const TaskContext& task) = 0;
    /// What computes in which numbers, for a person: "16-bit fixed point, exact converters".
    virtual std::string numbers() const = 0;
    /// What was computed otherwise than the machine would, as far as it has run.
    virtual std::vector<std::string> notes() const { return {}; }
};

class NumberFacet {
public:
    virtual ~NumberFacet() = default;
    /// Choices about such runs that only this family has; null: none.
    virtual const OptionTable* choices() const { return nullptr; }
    /// Errors: Usage (options that do not apply, an op nobody has), Unsupported (an op nothing here computes), Cancelled.
    virtual Result<NumberReport> checkPlan(const Plan& plan, const NumberOptions& options,
                                           const TaskContext& task) const = 0;
    /// \p plan ready to run; it and \p options outlive the result. Errors: as checkPlan(), also about weights that are absent: some
    /// families make them up, others refuse.
    virtual Result<std::unique_ptr<NumericNetwork>> prepare(const Plan& plan, const NumberOptions& options,
                                                            const TaskContext& task) const = 0;
    /// The same as checkPlan() for what lies in a bundle; by default of its plan, made again. What is wrong is then the bundle's fault.
    virtual Result<NumberReport> checkBundle(const NumberBundle& bundle, const NumberOptions& options,
                                             const TaskContext& task) const;
};

} // namespace pim
