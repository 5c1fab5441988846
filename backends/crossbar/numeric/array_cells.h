// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Weights as cells of physical crossbars: bits in slices of a cell's width, signs either in a second array
/// (differential) or by an offset of half the range, which is taken off again with the sum of the inputs.
/// [ISAAC, Shafiee et al., ISCA 2016, §5]
#include "backends/crossbar/chip.h"
#include "backends/crossbar/numeric/group_weights.h"

#include <cstdint>
#include <vector>

namespace pim {

/// How weights of a chip become cells.
struct CellCode {
    int weightBits = 16, cellBits = 2;
    bool differential = false;

    int slices() const { return (weightBits + cellBits - 1) / cellBits; }
    int arrays() const { return slices() * (differential ? 2 : 1); } ///< Physical arrays a logical one takes.
    int largestCell() const { return (1 << cellBits) - 1; }
    int offset() const { return differential ? 0 : 1 << (weightBits - 1); }
    /// Cell of \p weight in physical array \p array: slice array % slices(), lowest bits first; the negative
    /// parts come second.
    int cell(int weight, int array) const {
        const int slice = array % slices();
        const int part = !differential      ? weight + offset()
                         : array < slices() ? (weight > 0 ? weight : 0)
                                            : (weight < 0 ? -weight : 0);
        return (part >> (slice * cellBits)) & largestCell();
    }
    /// What one unit of a cell of \p array is worth.
    std::int64_t worth(int array) const {
        const std::int64_t unit = std::int64_t(1) << (array % slices() * cellBits);
        return array < slices() ? unit : -unit;
    }
};
CellCode cellCode(const CrossbarChip& chip, int weightBits);

/// What real devices do. All by seed: the same seed gives the same cells on every machine.
struct DeviceOptions {
    int adcBits = 0;           ///< 0: as many as the sums need.
    bool adcFullScale = false; ///< False: steps of one unit, larger sums are clipped; true: coarser steps
                               ///< over the whole range.
    double variation = 0;      ///< Standard deviation of a conductance, relative to it.
    double stuckOff = 0, stuckOn = 0; ///< Share of the cells that always hold 0, or the largest value.
    std::uint64_t seed = 1;
    bool exact() const { return adcBits == 0 && variation <= 0 && stuckOff <= 0 && stuckOn <= 0; }
};
/// Errors: Usage, with what is out of range.
Result<void> checkDevice(const DeviceOptions& device);

/// Bits with which every sum of a column comes through exactly.
int exactAdcBits(const CellCode& code, int arrayRows, int dacBits);

/// One array group as its cells, multiplying bit by bit.
class ArrayCells {
public:
    struct Inputs {
        int arrayRows = 0; ///< That add up before a converter.
        int dacBits = 1, bits = 16;
    };
    /// \param number of the array group: replicas have cells of their own.
    ArrayCells(const GroupWeights& weights, const CellCode& code, const DeviceOptions& device,
               ArrayGroupId number, const Inputs& inputs);

    /// \param in stride elements. \param out a sum for each column.
    void multiply(const std::int16_t* in, std::int64_t* out) const;

private:
    struct Cycle {
        int firstBit = 0, bits = 1; ///< Of the input.
        std::int64_t worth = 1;
    };
    void store(const GroupWeights& weights, const DeviceOptions& device, ArrayGroupId number);
    void setBits(int row, int column, int array, int cell);
    std::vector<double> weightDeviations() const;
    void multiplyFolded(const std::int16_t* in, std::int64_t* out) const;
    void multiplyBits(const std::int16_t* in, std::int64_t* out) const;
    void multiplyAnalog(const std::int16_t* in, std::int64_t* out) const;
    std::int64_t converted(double sum) const;
    std::int64_t offsetOf(const std::int16_t* in) const;
    int segments() const { return (m_rows + m_arrayRows - 1) / m_arrayRows; }
    int words() const { return (m_arrayRows + 63) / 64; }
    std::size_t plane(int column, int array, int bit, int segment) const {
        return ((std::size_t(column) * std::size_t(m_code.arrays()) + std::size_t(array)) *
                    std::size_t(m_code.cellBits) +
                std::size_t(bit)) *
                   std::size_t(segments() * words()) +
               std::size_t(segment * words());
    }

    CellCode m_code;
    int m_rows, m_columns, m_arrayRows, m_adcBits;
    std::int64_t m_step = 1; ///< Of a converter.
    std::vector<Cycle> m_cycles;
    std::vector<std::uint64_t> m_bits; ///< Whole cells behind a converter: bit planes, 64 rows per word.
    std::vector<float> m_cells;        ///< Cells that vary behind a converter: [array][row][column].
    std::vector<float> m_folded; ///< Cells that vary, sums exact: weights they are worth, [row][column].
};

} // namespace pim
