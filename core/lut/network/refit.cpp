// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/refit.h"

#include "core/base/parallel.h"
#include "core/lut/network/cholesky.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pim::lut {
namespace {

constexpr std::int64_t kLeastRows = 5;
constexpr std::int64_t kRowsAtOnce = 64;

std::size_t spot(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// What is added to a table: [unknowns, features], and the mean that goes with any choice of centroids.
struct Change {
    std::vector<float> values;
    std::vector<double> offset; ///< [features]
};

/// Rows of one-hot regressors, chosen centroid numbers counted through all codebooks.
class Regression {
public:
    Regression(const Table& table, std::vector<std::int32_t> chosen, std::vector<float> wanted, int threads)
        : m_books(table.codebooks), m_unknowns(table.codebooks * table.centroids), m_features(table.features),
          m_rows(std::ssize(chosen) / table.codebooks), m_threads(threads), m_chosen(std::move(chosen)),
          m_wanted(std::move(wanted)), m_isDual(m_rows < m_unknowns) {
        if (m_isDual)
            compareRows();
        else
            m_matrix.resize(spot(m_unknowns * m_unknowns));
    }

    std::int64_t rows() const { return m_rows; }
    /// Fits to the first \p count rows. Nothing where the strength is too small to solve it. \p count never falls.
    std::optional<Change> fit(std::int64_t count, double strength) {
        prepare(count);
        const Cholesky solver(m_centred, m_isDual ? count : m_unknowns, m_isDual ? count : m_unknowns,
                              static_cast<float>(strength), m_threads);
        if (!solver.isGood())
            return std::nullopt;
        Change change;
        if (m_isDual) {
            std::vector<float> weights = m_residual;
            solver.solve(weights, m_features);
            change.values = sumsByCentroid(weights);
        } else {
            change.values = m_right;
            solver.solve(change.values, m_features);
        }
        change.offset = m_mean;
        for (std::int64_t a = 0; a < m_unknowns; ++a)
            for (std::int64_t f = 0; f < m_features; ++f)
                change.offset[spot(f)] -=
                    m_counts[spot(a)] / double(count) * double(change.values[spot(a * m_features + f)]);
        return change;
    }
    /// Mean square of what still misses in rows [begin, end).
    double error(const Change* change, std::int64_t begin, std::int64_t end) const {
        std::vector<double> squares(spot((end - begin + kRowsAtOnce - 1) / kRowsAtOnce));
        parallelFor(squares.size(), m_threads, [&](std::size_t block) {
            const std::int64_t first = begin + static_cast<std::int64_t>(block) * kRowsAtOnce;
            std::vector<float> sums(spot(m_features));
            for (std::int64_t row = first; row < std::min(end, first + kRowsAtOnce); ++row) {
                const float* const wanted = &m_wanted[spot(row * m_features)];
                std::copy_n(wanted, m_features, sums.begin());
                if (change) {
                    for (std::int64_t f = 0; f < m_features; ++f)
                        sums[spot(f)] -= static_cast<float>(change->offset[spot(f)]);
                    for (std::int64_t c = 0; c < m_books; ++c) {
                        const float* const add =
                            &change->values[spot(m_chosen[spot(row * m_books + c)] * m_features)];
                        for (std::int64_t f = 0; f < m_features; ++f)
                            sums[spot(f)] -= add[f];
                    }
                }
                for (const float sum : sums)
                    squares[block] += double(sum) * double(sum);
            }
        });
        double sum = 0;
        for (const double square : squares)
            sum += square;
        return sum / double((end - begin) * m_features);
    }

private:
    /// [row][row]: in how many codebooks two rows chose the same centroid.
    void compareRows() {
        m_matrix.resize(spot(m_rows * m_rows));
        std::vector<std::uint16_t> turned(spot(m_rows * m_books)); // within a codebook rows side by side
        for (std::int64_t row = 0; row < m_rows; ++row)
            for (std::int64_t c = 0; c < m_books; ++c)
                turned[spot(c * m_rows + row)] = static_cast<std::uint16_t>(
                    m_chosen[spot(row * m_books + c)] - c * (m_unknowns / m_books));
        parallelFor(spot(m_rows), m_threads, [&](std::size_t number) {
            const auto row = static_cast<std::int64_t>(number);
            std::vector<std::uint16_t> same(spot(row + 1));
            for (std::int64_t c = 0; c < m_books; ++c) {
                const std::uint16_t* const others = &turned[spot(c * m_rows)];
                const std::uint16_t own = others[row];
                for (std::size_t i = 0; i < same.size(); ++i)
                    same[i] = static_cast<std::uint16_t>(same[i] + (others[i] == own ? 1 : 0));
            }
            for (std::int64_t i = 0; i <= row; ++i)
                m_matrix[spot(row * m_rows + i)] = m_matrix[spot(i * m_rows + row)] = same[spot(i)];
        });
    }
    /// [unknown][unknown]: how many rows chose both; the lower triangle, rows [begin, end) added.
    void countPairs(std::int64_t begin, std::int64_t end) {
        parallelFor(spot(m_books), m_threads, [&](std::size_t number) {
            const auto c = static_cast<std::int64_t>(number);
            for (std::int64_t row = begin; row < end; ++row) {
                const std::int32_t* const chosen = &m_chosen[spot(row * m_books)];
                float* const to = &m_matrix[spot(chosen[c] * m_unknowns)];
                for (std::int64_t other = 0; other <= c; ++other)
                    to[chosen[other]] += 1;
            }
        });
    }
    /// [unknowns, features]: sums of the rows that chose a centroid.
    std::vector<float> sumsByCentroid(const std::vector<float>& rows) const {
        std::vector<float> sums(spot(m_unknowns * m_features));
        const std::int64_t count = std::ssize(rows) / m_features;
        parallelFor(spot(m_books), m_threads, [&](std::size_t c) {
            for (std::int64_t row = 0; row < count; ++row) {
                const float* const from = &rows[spot(row * m_features)];
                float* const to = &sums[spot(m_chosen[spot(row * m_books) + c] * m_features)];
                for (std::int64_t f = 0; f < m_features; ++f)
                    to[f] += from[f];
            }
        });
        return sums;
    }
    void centre(std::int64_t count) {
        m_mean.assign(spot(m_features), 0);
        for (std::int64_t i = 0; i < count * m_features; ++i)
            m_mean[spot(i % m_features)] += double(m_wanted[spot(i)]);
        for (double& mean : m_mean)
            mean /= double(count);
        m_residual.resize(spot(count * m_features));
        for (std::int64_t i = 0; i < count * m_features; ++i)
            m_residual[spot(i)] =
                static_cast<float>(double(m_wanted[spot(i)]) - m_mean[spot(i % m_features)]);
        m_counts.assign(spot(m_unknowns), 0);
        for (std::int64_t i = 0; i < count * m_books; ++i)
            m_counts[spot(m_chosen[spot(i)])] += 1;
    }
    /// Matrix and right side for the first \p count rows, means taken out.
    void prepare(std::int64_t count) {
        if (count == m_prepared)
            return;
        centre(count);
        if (m_isDual) {
            std::vector<double> means(spot(count));
            double all = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                for (std::int64_t j = 0; j < count; ++j)
                    means[spot(i)] += double(m_matrix[spot(i * m_rows + j)]);
                means[spot(i)] /= double(count);
                all += means[spot(i)] / double(count);
            }
            m_centred.resize(spot(count * count));
            for (std::int64_t i = 0; i < count; ++i)
                for (std::int64_t j = 0; j <= i; ++j)
                    m_centred[spot(i * count + j)] = static_cast<float>(
                        double(m_matrix[spot(i * m_rows + j)]) - means[spot(i)] - means[spot(j)] + all);
        } else {
            countPairs(m_prepared, count);
            m_centred.resize(m_matrix.size());
            for (std::int64_t a = 0; a < m_unknowns; ++a)
                for (std::int64_t b = 0; b <= a; ++b)
                    m_centred[spot(a * m_unknowns + b)] =
                        static_cast<float>(double(m_matrix[spot(a * m_unknowns + b)]) -
                                           m_counts[spot(a)] * m_counts[spot(b)] / double(count));
            m_right = sumsByCentroid(m_residual);
        }
        m_prepared = count;
    }

    std::int64_t m_books, m_unknowns, m_features, m_rows;
    int m_threads;
    std::vector<std::int32_t> m_chosen; ///< [rows, codebooks], numbers of unknowns.
    std::vector<float> m_wanted;        ///< [rows, features]
    bool m_isDual; ///< Fewer rows than unknowns: one equation a row. [Saunders, Gammerman, Vovk 1998]
    std::vector<float> m_matrix, m_centred, m_residual, m_right;
    std::vector<double> m_mean, m_counts;
    std::int64_t m_prepared = 0;
};

/// Of the rows kept when there are too many.
Regression regressionOf(const Table& table, std::span<const std::uint16_t> indices,
                        std::span<const float> missing, int threads) {
    const std::int64_t all = std::ssize(indices) / table.codebooks, kept = std::min(all, kMostRefitRows);
    std::vector<std::int32_t> chosen;
    std::vector<float> wanted;
    chosen.reserve(spot(kept * table.codebooks));
    wanted.reserve(spot(kept * table.features));
    for (std::int64_t i = 0; i < kept; ++i) {
        const std::int64_t row = keptRow(i, kept, all);
        for (std::int64_t c = 0; c < table.codebooks; ++c)
            chosen.push_back(
                static_cast<std::int32_t>(c * table.centroids + indices[spot(row * table.codebooks + c)]));
        const auto from = missing.subspan(spot(row * table.features), spot(table.features));
        wanted.insert(wanted.end(), from.begin(), from.end());
    }
    return {table, std::move(chosen), std::move(wanted), threads};
}

void apply(const Change& change, Table& table) {
    const auto books = static_cast<double>(table.codebooks);
    for (std::int64_t i = 0; i < std::ssize(table.values);
         ++i) // every row of the output takes one of each codebook
        table.values[spot(i)] =
            static_cast<float>(double(table.values[spot(i)]) + double(change.values[spot(i)]) +
                               change.offset[spot(i % table.features)] / books);
}

} // namespace

Result<Refit> refit(Table& table, std::span<const std::uint16_t> indices, std::span<const float> missing,
                    const RefitOptions& options, const TaskContext& task) {
    if (table.codebooks < 1 || std::ssize(indices) % table.codebooks != 0 ||
        std::ssize(missing) != std::ssize(indices) / table.codebooks * table.features)
        return fail(ErrorCode::Usage,
                    fmt::format("{} outputs and {} indices for {} codebooks, {} features", missing.size(),
                                indices.size(), table.codebooks, table.features));
    if (std::ranges::any_of(indices, [&](std::uint16_t index) { return index >= table.centroids; }))
        return fail(ErrorCode::Usage, fmt::format("an index beyond {} centroids", table.centroids));
    Regression regression = regressionOf(table, indices, missing, options.threads);
    const std::int64_t rows = regression.rows(), fitted = rows - rows / 5;
    Refit made;
    if (rows < kLeastRows)
        return made;
    const auto strength = [&](int power, std::int64_t count) {
        return options.strengthBase * std::pow(4.0, power) * double(count) / double(table.centroids);
    };
    std::vector<std::optional<double>> errors(spot(options.mostPower + 1));
    const auto errorAt = [&](int power) {
        if (power < 0 || power > options.mostPower || task.cancelled())
            return std::numeric_limits<double>::infinity();
        auto& error = errors[spot(power)];
        if (!error) {
            const auto change = regression.fit(fitted, strength(power, fitted));
            error =
                change ? regression.error(&*change, fitted, rows) : std::numeric_limits<double>::infinity();
        }
        return *error;
    };
    int best = std::clamp(options.firstPower, 0, options.mostPower);
    const int step = errorAt(best + 1) < errorAt(best) ? 1 : -1;
    while (errorAt(best + step) < errorAt(best))
        best += step;
    made.power = best;
    made.errorBefore = made.errorAfter = regression.error(nullptr, fitted, rows);
    if (errorAt(best) < made.errorBefore) {
        if (const auto change = regression.fit(rows, strength(best, rows))) {
            made.errorAfter = errorAt(best);
            made.changed = true;
            apply(*change, table);
        }
    }
    if (task.cancelled())
        return TaskContext::cancelledError("the refit of a table");
    return made;
}

} // namespace pim::lut
