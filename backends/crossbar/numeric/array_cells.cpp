// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/array_cells.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>

namespace pim {

namespace {

/// Uniform in [0, 1): splitmix64 (Steele, Lea and Flood 2014) of a position.
double uniformAt(std::uint64_t position) {
    std::uint64_t z = position * 0x9e3779b97f4a7c15ULL + 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return double((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

/// Standard normal: the middle of one of kQuantiles equally likely parts of the distribution, as millions are
/// drawn.
double normalAt(std::uint64_t position) {
    constexpr std::size_t kQuantiles = 1 << 14;
    static const std::vector<double> quantiles = [] {
        std::vector<double> made(kQuantiles);
        for (std::size_t i = 0; i < kQuantiles; ++i) {
            const double share = (double(i) + 0.5) / double(kQuantiles);
            double low = -6, high = 6;
            while (high - low > 1e-9) {
                const double middle = (low + high) / 2;
                (0.5 * std::erfc(-middle / std::numbers::sqrt2) < share ? low : high) = middle;
            }
            made[i] = low;
        }
        return made;
    }();
    return quantiles[std::size_t(uniformAt(position) * double(kQuantiles))];
}

/// Cells as a device holds them.
class Device {
public:
    Device(const CellCode& code, const DeviceOptions& options, int number)
        : m_code(code), m_options(options),
          m_base((options.seed * 0x100000001b3ULL + std::uint64_t(number)) << 32) {}

    /// What a cell holds on average. \param place of the cell in its array group.
    int held(int wanted, std::uint64_t place) const {
        if (m_options.stuckOff <= 0 && m_options.stuckOn <= 0)
            return wanted;
        const double fate = uniformAt(~(m_base + place));
        if (fate < m_options.stuckOff)
            return 0;
        return fate < m_options.stuckOff + m_options.stuckOn ? m_code.largestCell() : wanted;
    }
    /// \param deviation of \p worth, where cells vary by their own size.
    double varied(double worth, double deviation, std::uint64_t place) const {
        return m_options.variation > 0 ? worth + m_options.variation * deviation * normalAt(m_base + place)
                                       : worth;
    }

private:
    const CellCode& m_code;
    const DeviceOptions& m_options;
    std::uint64_t m_base;
};

} // namespace

CellCode cellCode(const CrossbarChip& chip, int weightBits) {
    return {weightBits, chip.cellBits, chip.differential};
}

Result<void> checkDevice(const DeviceOptions& device) {
    if (device.adcBits < 0 || device.adcBits > 24)
        return fail(ErrorCode::Usage,
                    fmt::format("converters of {} bits; 1 to 24 are possible, 0 is exact", device.adcBits));
    if (!(device.variation >= 0 && device.variation <= 1))
        return fail(ErrorCode::Usage, fmt::format("a variation of {}; 0 to 1 is possible", device.variation));
    if (!(device.stuckOff >= 0 && device.stuckOn >= 0 && device.stuckOff + device.stuckOn <= 1))
        return fail(
            ErrorCode::Usage,
            fmt::format("shares {} and {} of stuck cells; each is at least 0, both together at most 1",
                        device.stuckOff, device.stuckOn));
    return {};
}

int exactAdcBits(const CellCode& code, int arrayRows, int dacBits) {
    return int(std::bit_width(std::uint64_t(arrayRows) * std::uint64_t((1 << dacBits) - 1) *
                              std::uint64_t(code.largestCell())));
}

ArrayCells::ArrayCells(const GroupWeights& weights, const CellCode& code, const DeviceOptions& device,
                       ArrayGroupId number, const Inputs& inputs)
    : m_code(code), m_rows(weights.rows), m_columns(weights.columns), m_arrayRows(inputs.arrayRows),
      m_adcBits(device.adcBits) {
    const auto [arrayRows, dacBits, inputBits] = inputs;
    if (device.adcFullScale && device.adcBits > 0) {
        const std::int64_t levels = (std::int64_t(1) << device.adcBits) - 1;
        const std::int64_t largest = std::int64_t(arrayRows) * ((1 << dacBits) - 1) * code.largestCell();
        m_step = std::max<std::int64_t>(1, (largest + levels - 1) / levels);
    }
    for (int bit = 0; bit < inputBits - 1; bit += dacBits)
        m_cycles.push_back({bit, std::min(dacBits, inputBits - 1 - bit), std::int64_t(1) << bit});
    m_cycles.push_back(
        {inputBits - 1, 1, -(std::int64_t(1) << (inputBits - 1))}); // the sign of two's complement
    store(weights, device, number);
}

void ArrayCells::store(const GroupWeights& weights, const DeviceOptions& options, ArrayGroupId number) {
    const Device device(m_code, options, number.value);
    const auto cells = std::size_t(m_rows) * std::size_t(m_columns);
    const bool varies = options.variation > 0, folded = m_adcBits == 0;
    if (folded)
        m_folded.resize(cells);
    else if (varies)
        m_cells.resize(cells * std::size_t(m_code.arrays()));
    else
        m_bits.resize(plane(m_columns, 0, 0, 0));
    const bool sticks = options.stuckOff > 0 || options.stuckOn > 0;
    const std::vector<double> deviations = folded && !sticks ? weightDeviations() : std::vector<double>();
    for (int row = 0; row < m_rows; ++row)
        for (int column = 0; column < m_columns; ++column) {
            const std::size_t at = std::size_t(row) * std::size_t(m_columns) + std::size_t(column);
            const int weight = weights.weight(row, column);
            if (!deviations.empty()) {
                m_folded[at] = float(device.varied(
                    weight, deviations[std::size_t(weight + (1 << (m_code.weightBits - 1)))], at));
                continue;
            }
            double worth = -m_code.offset(), squares = 0;
            for (int array = 0; array < m_code.arrays(); ++array) {
                const std::size_t place = std::size_t(array) * cells + at;
                const int held = device.held(m_code.cell(weight, array), place);
                const double share = double(held) * double(m_code.worth(array));
                worth += share;
                squares += share * share;
                if (!m_cells.empty())
                    m_cells[place] = float(std::max(0.0, device.varied(held, held, place)));
                else if (!folded)
                    setBits(row, column, array, held);
            }
            if (folded)
                m_folded[at] = float(device.varied(worth, std::sqrt(squares), at));
        }
}

/// Of each weight, the root of what its cells are worth, squared and added up: they vary each on their own.
std::vector<double> ArrayCells::weightDeviations() const {
    const int half = 1 << (m_code.weightBits - 1);
    std::vector<double> deviations(std::size_t(half) * 2);
    for (int weight = -half; weight < half; ++weight) {
        double squares = 0;
        for (int array = 0; array < m_code.arrays(); ++array) {
            const double share = double(m_code.cell(weight, array)) * double(m_code.worth(array));
            squares += share * share;
        }
        deviations[std::size_t(weight + half)] = std::sqrt(squares);
    }
    return deviations;
}

void ArrayCells::setBits(int row, int column, int array, int cell) {
    const int segment = row / m_arrayRows, inside = row % m_arrayRows;
    for (int bit = 0; bit < m_code.cellBits; ++bit)
        if ((cell >> bit) & 1)
            m_bits[plane(column, array, bit, segment) + std::size_t(inside / 64)] |= std::uint64_t(1)
                                                                                     << (inside % 64);
}

void ArrayCells::multiply(const std::int16_t* in, std::int64_t* out) const {
    if (m_adcBits == 0)
        return multiplyFolded(in, out);
    return m_cells.empty() ? multiplyBits(in, out) : multiplyAnalog(in, out);
}

void ArrayCells::multiplyFolded(const std::int16_t* in, std::int64_t* out) const {
    std::vector<double> sums(static_cast<std::size_t>(m_columns));
    for (int row = 0; row < m_rows; ++row) {
        if (in[row] == 0)
            continue;
        const float* weights = m_folded.data() + std::size_t(row) * std::size_t(m_columns);
        for (int column = 0; column < m_columns; ++column)
            sums[std::size_t(column)] += double(in[row]) * double(weights[column]);
    }
    for (int column = 0; column < m_columns; ++column)
        out[column] = std::int64_t(std::nearbyint(sums[std::size_t(column)]));
}

/// A sum as the converter gives it: whole steps, clipped.
std::int64_t ArrayCells::converted(double sum) const {
    const std::int64_t levels = (std::int64_t(1) << m_adcBits) - 1;
    return m_step * std::clamp<std::int64_t>(std::int64_t(std::nearbyint(sum / double(m_step))), 0, levels);
}

std::int64_t ArrayCells::offsetOf(const std::int16_t* in) const {
    std::int64_t sum = 0;
    for (int row = 0; row < m_rows; ++row)
        sum += in[row];
    return sum * m_code.offset();
}

void ArrayCells::multiplyBits(const std::int16_t* in, std::int64_t* out) const {
    const int inputBits = m_cycles.back().firstBit + 1, width = segments() * words();
    std::vector<std::uint64_t> inputs(std::size_t(inputBits * width));
    for (int row = 0; row < m_rows; ++row)
        for (int bit = 0; bit < inputBits; ++bit)
            if ((in[row] >> bit) & 1)
                inputs[std::size_t(bit * width + row / m_arrayRows * words() + row % m_arrayRows / 64)] |=
                    std::uint64_t(1) << (row % m_arrayRows % 64);
    const std::int64_t offset = offsetOf(in);
    for (int column = 0; column < m_columns; ++column) {
        std::int64_t total = -offset;
        for (const Cycle& cycle : m_cycles)
            for (int array = 0; array < m_code.arrays(); ++array)
                for (int segment = 0; segment < segments(); ++segment) {
                    std::int64_t sum = 0;
                    for (int a = 0; a < cycle.bits; ++a)
                        for (int b = 0; b < m_code.cellBits; ++b) {
                            const std::uint64_t* x =
                                inputs.data() + (cycle.firstBit + a) * width + segment * words();
                            const std::uint64_t* w = m_bits.data() + plane(column, array, b, segment);
                            for (int word = 0; word < words(); ++word)
                                sum += std::int64_t(std::popcount(x[word] & w[word])) << (a + b);
                        }
                    if (sum != 0)
                        total += converted(double(sum)) * cycle.worth * m_code.worth(array);
                }
        out[column] = total;
    }
}

void ArrayCells::multiplyAnalog(const std::int16_t* in, std::int64_t* out) const {
    const auto columns = std::size_t(m_columns);
    std::vector<float> sums(columns);
    std::fill_n(out, m_columns, -offsetOf(in));
    for (const Cycle& cycle : m_cycles)
        for (int array = 0; array < m_code.arrays(); ++array)
            for (int begin = 0; begin < m_rows; begin += m_arrayRows) {
                const int end = std::min(m_rows, begin + m_arrayRows);
                std::fill(sums.begin(), sums.end(), 0.0F);
                for (int row = begin; row < end; ++row) {
                    const int digit = (in[row] >> cycle.firstBit) & ((1 << cycle.bits) - 1);
                    if (digit == 0)
                        continue;
                    const float* cells =
                        m_cells.data() +
                        (std::size_t(array) * std::size_t(m_rows) + std::size_t(row)) * columns;
                    for (std::size_t column = 0; column < columns; ++column)
                        sums[column] += float(digit) * cells[column];
                }
                for (std::size_t column = 0; column < columns; ++column)
                    out[column] += converted(double(sums[column])) * cycle.worth * m_code.worth(array);
            }
}

} // namespace pim
