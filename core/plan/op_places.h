// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the elements of one op's tensors lie in the banks of a PIM memory. Flow: Plan -> Backend::places ->
/// [OpPlaces] -> layout viewer, `pimc inspect --element`.
#include "core/dram/device.h"
#include "core/dram_pim/pim_code.h"
#include "core/plan/plan.h"

namespace pim {

struct PlacedTensor {
    std::string name;      ///< In the kernel: "W".
    std::string graphName; ///< In the graph; empty where no graph tensor stands behind it.
    Shape shape;           ///< Of the kernel tensor, a reshape of the graph's (row-major in both).
    TensorRole role = TensorRole::Input;
    Residency residency = Residency::Streamed;
};

/// Immutable, thread-safe, cheap to ask.
struct OpPlaces {
    std::string op;
    std::vector<PlacedTensor> tensors; ///< As in the kernel.
    std::shared_ptr<const PimOperands> operands;
    std::shared_ptr<const DramDevice>
        device; ///< One channel: names and counts of the levels that PimPlace::bank counts through.
    DataType type = DataType::F16;
    int groups = 1; ///< Channels that take part.
    int groupsOfMachine = 1;
    int groupsPerStack = 1;    ///< Channels (pseudo-channels) of a stack or package.
    std::int64_t firstRow = 0; ///< Of the op in every bank; PimPlace::row counts from here.
    std::int64_t rows = 0;     ///< Of the op in every bank.

    /// All copies of an element (row-major position) of tensors[tensor], in order; empty where it never is in
    /// a bank.
    std::vector<PimPlace> of(int tensor, std::int64_t element) const {
        return operands->places(tensor, element);
    }
};

/// Row-major position of \p index in \p shape. Error::Usage says which dimension is wrong and what is
/// allowed.
Result<std::int64_t> elementOf(const Shape& shape, const std::vector<std::int64_t>& index);
/// "stack 1, channel 3, bank group 2, bank 1, row 17, column 5, lane 3": by the levels of the device.
std::string placeText(const OpPlaces& places, const PimPlace& place);

} // namespace pim
