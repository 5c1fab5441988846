// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Facet of machines whose commands and places are those of a DRAM: what each command waited for, which rows of the banks
/// hold what. Flow: Plan -> [CommandFacet] -> views of commands and memory, layout of bundles.
#include "core/base/task.h"
#include "core/plan/memory_layout.h"
#include "core/plan/op_places.h"
#include "core/plan/plan.h"

#include <memory>
#include <vector>

namespace pim {

class Backend;
struct Exploration;  // draft_facet.h
struct CommandTrace; // of one op, with times

class CommandFacet {
public:
    virtual ~CommandFacet() = default;

    /// The commands of one op placed on PIM with their times. Error::Unsupported for an op on the host.
    virtual Result<std::shared_ptr<const CommandTrace>> trace(const Plan& plan, OpId op,
                                                              const TaskContext& task) const = 0;
    /// Rows of the banks by op. What a backend cannot generate has no region.
    virtual Result<MemoryLayout> layout(const Plan& plan, const TaskContext& task) const = 0;
    /// Where the tensors of one op placed on PIM lie. Error::Unsupported as for trace().
    virtual Result<std::shared_ptr<const OpPlaces>> places(const Plan& plan, OpId op) const = 0;
    /// Runs one op placed on PIM on numbers, command by command, as its units compute. \param tensors one a tensor of the
    /// kernel, row-major; outputs may be empty. \returns the same with outputs. \param threads 0: as many as the machine has.
    virtual Result<std::vector<std::vector<float>>> execute(const Plan& plan, OpId op,
                                                            std::vector<std::vector<float>> tensors,
                                                            int threads, const TaskContext& task) const = 0;
    /// The same for the kernel of an exploration under one of its drafts. \param draft position in Exploration::drafts.
    /// Error::Unsupported also for a kernel that adds more than the product of two tensors, which is all that units add;
    /// Error::Usage for a draft that is not there.
    virtual Result<std::vector<std::vector<float>>>
    executeDraft(const Exploration& exploration, std::size_t draft, std::vector<std::vector<float>> tensors,
                 int threads, const TaskContext& task) const = 0;
    /// Terms of a sum that units add in more bits than operands have before they round to the type of these: a sum of n terms
    /// is rounded about n / exactTerms() times at most.
    virtual int exactTerms() const { return 1; }
};

/// The facet of \p backend. Error::Unsupported where it has none.
Result<const CommandFacet*> commandsOf(const Backend& backend);

} // namespace pim
