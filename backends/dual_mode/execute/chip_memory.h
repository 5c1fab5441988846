// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the bytes are while a flow is executed: main memory, arrays in memory mode, the on-chip buffer; and
/// what the arrays in compute mode hold. Nothing can be read that was not written there: every byte knows
/// whose it is.
#include "backends/dual_mode/flow/flow.h"
#include "backends/dual_mode/plan.h"

#include <span>

namespace pim {

/// Weights in an array in compute mode.
struct ArrayTile {
    int piece = -1, block = -1;     ///< -1: nothing was written.
    std::vector<std::int8_t> cells; ///< [rows][columns]
};

/// Methods that can fail say what is wrong, not where in the flow. read() and write() of bytes that do not
/// overlap may run at the same time.
class ChipMemory {
public:
    /// \param flow passed checkFlow(), and outlives this.
    explicit ChipMemory(const DualModeFlow& flow);

    Result<void> switchTo(ArrayMode mode, const ArrayList& arrays);
    Result<void> hold(const FlowOperator& op);
    Result<void> load(const FlowOperator& op);
    Result<void> store(const FlowOperator& op);
    Result<void> release(const FlowOperator& op);
    /// What passed through the on-chip buffer is gone.
    void endBlock();

    /// \param tensor no view. \param begin first byte.
    Result<void> read(int tensor, std::int64_t begin, std::span<std::byte> out) const;
    Result<void> write(int tensor, std::int64_t begin, std::span<const std::byte> in);
    /// Before the first write() of an operator; not beside others.
    void prepareWrite(int tensor);
    Result<std::vector<std::byte>> readAll(int tensor) const;
    /// All bytes of the tensor as main memory has them.
    Result<std::vector<std::byte>> readMain(int tensor) const;

    /// Error unless the array is in compute mode.
    Result<ArrayTile*> tile(int array);
    std::int64_t switches() const { return m_switches; }

private:
    struct Held {
        int tensor = -1;
        ByteRuns runs;
        bool window = false;
        std::vector<int> arrays;
    };
    /// Bytes [begin, end) of a tensor lie in an array from byte `at`.
    struct Place {
        std::int64_t begin = 0, end = 0;
        int array = -1;
        std::int64_t at = 0;
    };
    struct Array {
        ArrayMode mode = ArrayMode::Compute;
        int held = -1; ///< Tensor it holds bytes of, -1: none.
        std::vector<std::byte> bytes;
        std::vector<std::uint8_t> written;
        ArrayTile tile;
    };

    const FlowTensor& tensor(int id) const { return m_flow.tensors[static_cast<std::size_t>(id)]; }
    Array& array(int id) { return m_arrays[static_cast<std::size_t>(id)]; }
    const Array& array(int id) const { return m_arrays[static_cast<std::size_t>(id)]; }
    std::vector<Place> placesOf(const Held& held) const;
    Result<std::size_t> findHeld(const FlowOperator& op) const;
    Result<void> readMainBytes(int tensor, std::int64_t begin, std::span<std::byte> out) const;
    void writeMainBytes(int tensor, std::int64_t begin, std::span<const std::byte> in);
    template <class Visit>
    Result<void> walk(int tensor, std::int64_t begin, std::int64_t count, Visit visit) const;

    const DualModeFlow& m_flow;
    std::vector<std::byte> m_main;
    std::vector<std::int32_t> m_owner; ///< Tensor each byte of main memory belongs to, -1: never written.
    std::vector<std::vector<std::byte>> m_buffer; ///< Of buffered tensors.
    std::vector<std::vector<std::uint8_t>> m_bufferWritten;
    std::vector<Array> m_arrays;
    std::vector<Held> m_held;
    std::vector<std::vector<Place>> m_places; ///< One list a tensor, ascending; windows are not in it.
    std::int64_t m_switches = 0;
};

} // namespace pim
