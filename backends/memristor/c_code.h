// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A program at level "memristor" as C that calls the driver of resources/memristor. Module -> [cCode] -> text; [runC] compiles
/// and runs it. Tensors are static arrays; a tensor that nobody needs any more is changed in place, so that loops that carry
/// one do not copy it.
#include "backends/memristor/occ.h"
#include "core/base/task.h"
#include "core/ir/interpret.h"

namespace pim::memristor {

struct CCode {
    std::string source;    ///< Defines \ref prototype.
    std::string prototype; ///< "void main_on_tiles(const int32_t* in0, int32_t* out0)"
};

/// Errors: NotFound, no such function; Unsupported, an op that is not written in C yet, with its name and place.
Result<CCode> cCode(const ir::Module& module, std::string_view function);

struct CRun {
    std::vector<ir::Array> results;
    TileCounts counts; ///< As the driver counted; merges are the host's and not among them.
};
/// Compiles with $PIM_CC, else cc, and runs it. Errors: as cCode(); NotFound without a compiler; Internal where the code does
/// not compile or the driver stopped it, with its words; Cancelled; Io.
Result<CRun> runC(const ir::Module& module, std::string_view function,
                  const std::vector<ir::Array>& arguments, const TaskContext& task = {});

} // namespace pim::memristor
