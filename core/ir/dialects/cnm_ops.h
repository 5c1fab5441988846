// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What ops of the cnm dialect do when they run: transfers between tensors and the buffers of processing units, and
/// what one unit computes on its own buffers. upmem's transfers are the same.
#include "core/ir/interpret.h"

namespace pim::ir::cnm {

/// The buffers of one `alloc`: a copy for each unit, or for each group of units that share it.
struct Buffers final : RuntimeObject {
    Type type;              ///< `!cnm.buffer<extents x element on workgroup, level n>`
    std::int64_t pitch = 0; ///< Elements from one copy to the next.
    Array array;            ///< Copies one behind the other.
};

/// Units of a workgroup.
std::int64_t unitsOf(const Shape& workgroup);
/// Dimensions of the workgroup that tell copies of a buffer apart: all but the last `level`.
std::size_t copyRank(const Type& buffer);
std::int64_t copiesOf(const Type& buffer);

/// A buffer with \p pitch elements from copy to copy (0: no gaps).
std::shared_ptr<Buffers> makeBuffers(const Type& type, std::int64_t pitch = 0);

/// `scatter(tensor, buffer, index*)`: element p of copy u becomes element map(u, p, index) of the tensor, or 'padding' where that
/// lies outside. `gather(buffer, tensor, index*)`: the other way; what lies outside is left.
Result<void> verifyScatter(const Module& module, const Operation& op);
Result<void> verifyGather(const Module& module, const Operation& op);
Result<void> runScatter(Interpreter& at, const Operation& op);
Result<void> runGather(Interpreter& at, const Operation& op);

// The same for both dialects: `workgroup`, `alloc`, `launch`, and what needs no doing here.
Result<void> verifyWorkgroup(const Module& module, const Operation& op);
Result<void> verifyAlloc(const Module& module, const Operation& op);
Result<void> verifyLaunch(const Module& module, const Operation& op);
Result<void> runAlloc(Interpreter& at, const Operation& op);
Result<void> runLaunch(Interpreter& at, const Operation& op);
Result<void> nothing(Interpreter& at, const Operation& op);

// Of one unit, on memrefs.
Result<void> runContract(Interpreter& at, const Operation& op);
Result<void> runMap(Interpreter& at, const Operation& op);
Result<void> runFold(Interpreter& at, const Operation& op);
Result<void> runScan(Interpreter& at, const Operation& op);
Result<void> runHistogram(Interpreter& at, const Operation& op);
Result<void> runTopK(Interpreter& at, const Operation& op);
Result<void> runMajority(Interpreter& at, const Operation& op);

} // namespace pim::ir::cnm
