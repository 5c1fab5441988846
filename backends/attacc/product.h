// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One product on the GEMV units of a channel: which bank is which core of the draft, where the vectors lie
/// in the banks, in which order units meet them and where results go. Flow: DotWalk + Geometry -> [Product]
/// -> commands (codegen.cpp), data on the bus (operands.cpp).
///
/// Order of work: batches; visits (as many buffer vectors as there is room for side by side); chunks of bank
/// vectors; pieces of vectors that are longer than the buffer. A chunk and piece is a stage: a buffer content
/// and rows of its own, in which the vectors lie one behind the other. A block is what fills the accumulators
/// once: `abreast` buffer vectors times `blockVectors` bank vectors.
#include "backends/attacc/commands.h"
#include "backends/dram_pim/dot_walk.h"
#include "backends/dram_pim/machine.h"
#include "core/dram_pim/pim_code.h"

namespace pim::attacc {

/// Cores of a draft in banks. Positions are cores renumbered, without those that never have work: what
/// changes batches is the highest digit, then buffer vectors, bank vectors, and what is summed over the
/// lowest, in order of \p walk. Then cores with the same operands, and those with parts of the same results,
/// are at equal distances.
class Positions {
public:
    Positions(const dram::DotWalk& walk, const Geometry& geometry);

    struct Digit {
        int cut = 0, radix = 1, stride = 1;
    };
    int count() const { return int(m_core.size()); }
    int core(int position) const { return m_core[std::size_t(position)]; }
    int ofCore(int core) const; ///< -1: never has work.
    int bank(int position) const { return m_geometry.bankAt(position, m_together); }
    int together() const { return m_together; } ///< Neighbours in one bank group.
    void keepTogether(int number) { m_together = number; }
    const std::vector<Digit>& digits() const { return m_digits; } ///< Highest first.

private:
    Geometry m_geometry;
    std::vector<Digit> m_digits;
    std::vector<int> m_core;
    int m_together = 1;
};

/// A run of neighbouring digits that something does not depend on: number(n) counts positions without them.
struct Skip {
    int spread = 1, copies = 1;
    int number(int position) const { return position / (spread * copies) * spread + position % spread; }
    int digit(int position) const { return position / spread % copies; }
    /// The position with this number and digit.
    int position(int number, int digit) const {
        return (number / spread * copies + digit) * spread + number % spread;
    }
};

/// How a product is cut by what fits the operand buffer, the accumulators and the softmax buffer.
struct ProductCut {
    std::int64_t pieces = 1, pieceBursts = 1; ///< Of a vector.
    std::int64_t abreast = 1, blockVectors = 16, chunkVectors = 1, stageRows = 1;
    bool spills = false;

    struct Limits {
        std::int64_t abreast = 1, softmaxSlots = 1; ///< As Product has them.
        bool outputsStay = false;                   ///< Likewise.
        bool ones = false;                          ///< Nothing is multiplied with but ones.
    };
    /// \param resultCount what leaves all banks for a block.
    static ProductCut of(const dram::DotProducts& work, std::int64_t resultCount, const Geometry& geometry,
                         const Limits& limits);
};

class Product {
public:
    /// \param abreast most buffer vectors at once; \param softmaxSlots of the softmax buffer for results.
    /// \param outputsStay how vectors longer than the buffer are cut: results stay in the accumulators, or
    /// operands in the buffer.
    Product(const dram::DotWalk& walk, const Positions& positions, const Geometry& geometry,
            std::int64_t abreast, std::int64_t softmaxSlots, bool outputsStay);

    const dram::DotWalk& walk() const { return *m_walk; }
    const Positions& positions() const { return *m_positions; }
    std::int64_t batches() const { return m_walk->work().batches; }
    std::int64_t bufferVectors() const { return m_walk->work().bufferVectors; }
    bool multipliesOnes() const { return m_ones; }

    const Skip& operandSets() const {
        return m_sets;
    } ///< Positions without digits that leave the buffer operand as it is.
    /// Every core gets its operands on its own.
    void writeBuffersInTurn() {
        if (!m_ones)
            m_sets = {};
    }
    int setCount() const { return m_positions->count() / m_sets.copies; }
    const Skip& results() const { return m_results; } ///< Positions without digits that are summed over.
    int resultCount() const { return m_positions->count() / m_results.copies; }
    int merge() const { return m_merge; } ///< Neighbours whose results one MVSB adds.
    void setMerge(int merge) { m_merge = merge; }

    std::int64_t abreast() const { return m_cut.abreast; }
    std::int64_t visits() const { return dram::ceilDiv(bufferVectors(), m_cut.abreast); }
    std::int64_t blockVectors() const { return m_cut.blockVectors; }
    std::int64_t chunkVectors() const { return m_cut.chunkVectors; }
    std::int64_t chunks() const { return dram::ceilDiv(m_walk->work().bankVectors, m_cut.chunkVectors); }
    std::int64_t vectorsOf(std::int64_t chunk) const;
    std::int64_t pieces() const { return m_cut.pieces; }
    std::int64_t pieceBursts() const { return m_cut.pieceBursts; }
    bool spills() const { return m_cut.spills; } ///< Results leave after each piece and are added up outside.
    std::int64_t chunkBlocks() const { return dram::ceilDiv(m_cut.chunkVectors, m_cut.blockVectors); }
    /// Of all chunks of a visit.
    std::int64_t visitBlocks() const;
    std::int64_t allSlots() const { return batches() * visits() * visitBlocks() * resultCount(); }

    std::int64_t firstRow = 0; ///< Of the bank operand.
    std::int64_t stageRows() const { return m_cut.stageRows; }
    std::int64_t stages() const { return batches() * chunks() * m_cut.pieces; }
    std::int64_t rows() const { return stages() * m_cut.stageRows; }
    std::int64_t row(std::int64_t batch, std::int64_t chunk, std::int64_t piece) const {
        return firstRow + ((batch * chunks() + chunk) * m_cut.pieces + piece) * m_cut.stageRows;
    }

    // Bursts on the bus are numbered: bank operand by position, then row and column of the bank; buffer
    // operand by operand set, batch, vector, burst; results by batch, visit, block, result.
    std::int64_t bankBurst(int position, std::int64_t row, std::int64_t column) const {
        return (position * rows() + row - firstRow) * m_columns + column;
    }
    std::int64_t bufferBurst(int set, std::int64_t batch, std::int64_t vector, std::int64_t burst) const {
        return ((set * batches() + batch) * bufferVectors() + vector) * m_cut.pieces * m_cut.pieceBursts +
               burst;
    }
    std::int64_t resultBurst(std::int64_t batch, std::int64_t visit, std::int64_t block) const {
        return ((batch * visits() + visit) * visitBlocks() + block) * resultCount();
    }
    using Lanes = std::span<std::int64_t, kPimLanes>;
    void bankElements(int group, std::int64_t burst, Lanes lanes) const;
    void bufferElements(int group, std::int64_t burst, Lanes lanes) const;
    void resultElements(int group, std::int64_t burst, Lanes lanes) const;
    /// The core of a position or, if it idles in this group, of one that differs in the digits of \p skip
    /// only; -1 if all do.
    int workingCore(int group, const Skip& skip, int number) const;
    std::vector<PimPlace> places(std::int64_t element) const; ///< Of the bank operand.

private:
    const dram::DotWalk* m_walk;
    const Positions* m_positions;
    std::int64_t m_columns = 32;
    bool m_ones = false;
    Skip m_sets, m_results;
    int m_merge = 1;
    ProductCut m_cut;
};

/// The largest power of two, no more than the banks of a bank group, of neighbours whose results are parts of
/// the same.
int mergeable(const Product& product, const Geometry& geometry);

} // namespace pim::attacc
