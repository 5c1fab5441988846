// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the host does with data for a draft: which element of a tensor goes to which byte of the MRAM of which DPU, and which result
/// lies where. Flow: kernel + draft + tensors -> [Arrangement] -> MRAM -> Dpu -> MRAM -> [Arrangement] -> tensors.
///
/// Where an element goes follows from the accesses of the kernel alone: every DPU and tasklet has a box of loop values
/// (TilingSpace::loopRange), and what its accesses reach from there lies in the order of TileLayout. Windows of a convolution are so
/// written out element by element; what is outside of a tensor, or pads a tile, is 0.
#include "backends/upmem/kernel_tile.h"

#include <functional>

namespace pim::upmem {

/// The tensors of a kernel, one each, row-major, in the order of Kernel::tensors: whole numbers of the width of the DPU's type.
using KernelNumbers = std::vector<std::vector<std::int32_t>>;

class Arrangement {
public:
    /// ErrorCode::Unsupported as tileOf().
    static Result<Arrangement> of(std::shared_ptr<const TilingSpace> space, const Draft& draft,
                                  const DpuTiming& timing);

    const KernelTile& tile() const { return m_tile; }
    const DraftSummary& draft() const { return m_draft; }
    const Kernel& kernel() const { return m_space->kernel(); }
    int dpus() const { return m_dpus; } ///< With work.
    int resultTensor() const;           ///< Position in Kernel::tensors.
    /// Elements of the result tensor that a DPU has sums for, whole or in part; each once.
    std::vector<std::int64_t> resultsOf(int dpu) const;
    /// Of the kernel's results before a DPU has given its own: 0, or the least number where the greatest is looked for.
    std::int32_t emptyValue() const;
    std::vector<std::int32_t> emptyResult() const;

    /// All operands of a DPU, with the zeros that pad them. \param dpu in [0, dpus())
    void send(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const;
    /// Results of a DPU joined to \p result: sums of several DPUs add up, modulo 2^32.
    void fetch(int dpu, std::span<const std::uint8_t> mram, std::span<std::int32_t> result) const;
    /// What the DPU would have given, in plain loops over the kernel: joined to \p result likewise.
    void compute(int dpu, const KernelNumbers& tensors, std::span<std::int32_t> result) const;

private:
    /// [begin, end) of a loop variable.
    using Range = std::pair<std::int64_t, std::int64_t>;
    /// Loop ranges with work, of each group of DPUs and of each of its tasklets.
    using Cuts = std::vector<std::vector<Range>>;
    class Walk;

    Arrangement(std::shared_ptr<const TilingSpace> space, KernelTile tile, DraftSummary draft)
        : m_space(std::move(space)), m_tile(std::move(tile)), m_draft(std::move(draft)) {}
    void cut(const Draft& draft);
    /// One a loop; empty where the tasklet has no work. \param tasklet in the order of the tile.
    std::vector<Range> box(int dpu, int tasklet) const;
    std::vector<int> loopsOf(LoopPart part) const;
    void sendProduct(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const;
    void sendLookUps(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const;
    void computeLookUps(int dpu, const KernelNumbers& tensors, std::span<std::int32_t> result) const;
    /// All that the tasklets of a DPU have together of the loop that plays this part.
    Range rangeOf(int dpu, LoopPart part) const;
    /// Calls visit(byte in MRAM, element of the result tensor).
    void eachLookUp(int dpu, const std::function<void(std::int64_t, std::int64_t)>& visit) const;
    void sendRows(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const;
    void computeProduct(const std::vector<Range>& mine, const KernelNumbers& tensors,
                        std::span<std::int32_t> result) const;
    void computeRows(const std::vector<Range>& mine, const KernelNumbers& tensors,
                     std::span<std::int32_t> result) const;
    void join(std::int32_t& result, std::int32_t value) const;
    template <class Visit>
    void eachResult(int dpu, int tasklet, const Visit& visit) const;

    std::shared_ptr<const TilingSpace> m_space;
    KernelTile m_tile;
    DraftSummary m_draft;
    std::vector<Cuts> m_cuts; ///< [loop][group][tasklet]
    int m_dpus = 1;
};

} // namespace pim::upmem
