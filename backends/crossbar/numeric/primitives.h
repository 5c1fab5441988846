// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// From pseudo-instructions to the primitives of a machine: what a user writes to run programs on hardware of
/// their own. [PIMCOMP §IV-C: "PIMCOMP leaves an interface for the backend so that users can provide the
/// backend for the specific hardware"]
///
/// A new one: a class derived from PrimitiveTranslator and a line in primitiveTranslators(). It gets every
/// instruction once, in the order of its core, and appends lines; what it has to know from one instruction to
/// the next are its members (one object a core). Flow: CrossbarProgram -> [PrimitiveTranslator] -> text of a
/// core.
#include "backends/crossbar/instruction.h"

#include <memory>
#include <string>
#include <vector>

namespace pim {

class PrimitiveTranslator {
public:
    virtual ~PrimitiveTranslator() = default;
    /// Before the first instruction of \p core.
    virtual void begin(CoreId core, const CrossbarProgram& program, const CrossbarChip& chip,
                       std::string& text) = 0;
    /// Error::Unsupported, saying what, where the hardware has no way to do it.
    virtual Result<void> translate(const CrossbarInstruction& instruction, std::string& text) = 0;
    virtual void end(std::string& text) { (void)text; }
};

struct PrimitiveSet {
    std::string name, summary;
    std::unique_ptr<PrimitiveTranslator> (*make)();
};
/// Those there are: "pimcomp-isa".
const std::vector<PrimitiveSet>& primitiveTranslators();

/// Error::NotFound with the names there are.
Result<const PrimitiveSet*> primitiveSet(std::string_view name);
/// Text of one core; empty for one without instructions. Error::Unsupported with core, position and operation.
Result<std::string> translateCore(const CrossbarProgram& program, const CrossbarChip& chip,
                                  const PrimitiveSet& set, CoreId core);

} // namespace pim
