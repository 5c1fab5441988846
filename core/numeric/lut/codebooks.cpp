// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/lut/codebooks.h"

#include "core/base/parallel.h"
#include "core/base/split_mix.h"
#include "core/numeric/lut/loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim::lut {
namespace {

constexpr std::int64_t kRowsAtOnce = 256;

std::size_t index(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

Result<void> checkRows(const Rows& rows, std::int64_t length) {
    if (rows.length < 1 || rows.values.empty() || std::ssize(rows.values) % rows.length != 0)
        return fail(ErrorCode::Usage,
                    fmt::format("{} values are no rows of {}", rows.values.size(), rows.length));
    if (length < 1 || rows.length % length != 0)
        return fail(ErrorCode::Usage,
                    fmt::format("sub-vectors of {} do not divide rows of {}", length, rows.length), {},
                    "take a length that divides the input of the layer");
    return {};
}

Result<void> checkBooks(const Rows& rows, const Codebooks& books) {
    PIM_CHECK(checkRows(rows, books.length));
    if (books.inputLength() != rows.length)
        return fail(ErrorCode::Usage,
                    fmt::format("{} codebooks of length {} are for rows of {}, these have {}",
                                books.codebooks, books.length, books.inputLength(), rows.length));
    if (books.centroids < 1 || books.centroids > kMostCentroids ||
        std::ssize(books.values) != books.inputLength() * books.centroids)
        return fail(ErrorCode::Usage,
                    fmt::format("{} values for {} codebooks of {} centroids of length {}",
                                books.values.size(), books.codebooks, books.centroids, books.length));
    return {};
}

Result<void> checkFinite(const Rows& rows) {
    const auto odd = std::ranges::find_if(rows.values, [](float value) { return !std::isfinite(value); });
    if (odd == rows.values.end())
        return {};
    const std::int64_t at = odd - rows.values.begin();
    return fail(ErrorCode::InvalidModel, fmt::format("{} at row {}, column {} of the inputs", *odd,
                                                     at / rows.length, at % rows.length));
}

/// Sub-vectors of one codebook, one after the other.
struct Points {
    std::int64_t length, count;
    std::vector<double> values;

    Points(const Rows& rows, std::int64_t codebook, std::int64_t elements, std::int64_t kept)
        : length(elements), count(kept) {
        values.reserve(index(count * length));
        for (std::int64_t i = 0; i < count; ++i)
            for (const float value :
                 rows.row(keptRow(i, count, rows.count())).subspan(index(codebook * length), index(length)))
                values.push_back(double(value));
    }
    const double* operator[](std::int64_t i) const { return &values[index(i * length)]; }
};

/// One codebook while it is trained: centroids [centroids][length].
struct Book {
    std::span<float> values;
    std::int64_t length;

    std::span<float> operator[](std::int64_t i) const {
        return values.subspan(index(i * length), index(length));
    }
    std::int64_t size() const { return std::ssize(values) / length; }
    void set(std::int64_t i, const double* point) const {
        std::ranges::transform(point, point + length, (*this)[i].begin(),
                               [](double value) { return static_cast<float>(value); });
    }
    double squaredDistance(std::int64_t i, const double* point) const {
        double sum = 0;
        for (std::int64_t v = 0; v < length; ++v) {
            const double apart = point[v] - double((*this)[i][index(v)]);
            sum += apart * apart;
        }
        return sum;
    }
};

/// Finds the closest centroids of a codebook as it is now.
class Closest {
public:
    explicit Closest(const Book& book)
        : m_book(book), m_turned(book.values.size()), m_distances(index(book.size())) {
        for (std::int64_t i = 0; i < book.size(); ++i)
            for (std::int64_t v = 0; v < book.length; ++v)
                m_turned[index(v * book.size() + i)] = double(book[i][index(v)]);
    }
    std::int64_t of(const double* point, double& least) {
        const std::int64_t best =
            nearest({m_turned.data(), m_book.length, m_book.size()}, point, m_distances.data());
        least = m_distances[index(best)];
        return best;
    }

private:
    Book m_book;
    std::vector<double> m_turned, m_distances;
};

/// The point at which the running sum of weights passes \p target.
std::int64_t drawn(const std::vector<double>& weights, double target) {
    double sum = 0;
    std::int64_t last = 0;
    for (std::int64_t i = 0; i < std::ssize(weights); ++i) {
        if (weights[index(i)] <= 0)
            continue;
        last = i;
        sum += weights[index(i)];
        if (sum > target)
            break;
    }
    return last;
}

void seed(const Points& points, const Book& book, std::uint64_t state) {
    std::vector<double> weights(index(points.count), std::numeric_limits<double>::infinity());
    const auto first = static_cast<std::int64_t>(nextFraction(state) * static_cast<double>(points.count));
    book.set(0, points[first]);
    for (std::int64_t next = 1; next < book.size(); ++next) {
        double sum = 0;
        for (std::int64_t i = 0; i < points.count; ++i) {
            double& weight = weights[index(i)];
            weight = std::min(weight, book.squaredDistance(next - 1, points[i]));
            sum += weight;
        }
        const double target = nextFraction(state) * sum;
        book.set(next, sum > 0 ? points[drawn(weights, target)] : points[first]);
    }
}

struct Moved {
    std::vector<std::int64_t> count;
    double before = 0, after = 0;
};

/// One step of Lloyd in place.
Moved move(const Points& points, const Book& book) {
    Moved moved;
    moved.count.resize(index(book.size()));
    std::vector<double> sums(book.values.size());
    Closest closest(book);
    for (std::int64_t i = 0; i < points.count; ++i) {
        double distance = 0;
        const std::int64_t to = closest.of(points[i], distance);
        moved.before += distance;
        ++moved.count[index(to)];
        for (std::int64_t v = 0; v < book.length; ++v)
            sums[index(to * book.length + v)] += points[i][v];
    }
    for (std::int64_t i = 0; i < std::ssize(sums); ++i)
        if (const std::int64_t count = moved.count[index(i / book.length)]; count > 0)
            book.values[index(i)] = static_cast<float>(sums[index(i)] / static_cast<double>(count));
    return moved;
}

Book bookOf(Codebooks& books, std::int64_t codebook) {
    const std::int64_t size = books.centroids * books.length;
    return {std::span(books.values).subspan(index(codebook * size), index(size)), books.length};
}

} // namespace

std::int64_t keptRow(std::int64_t index, std::int64_t kept, std::int64_t all) {
    const std::int64_t begin = index * all / kept, end = (index + 1) * all / kept;
    auto state = static_cast<std::uint64_t>(index);
    return begin + static_cast<std::int64_t>(nextRandom(state) % static_cast<std::uint64_t>(end - begin));
}

Result<Codebooks> trainCodebooks(const Rows& rows, const KMeansOptions& options, const TaskContext& task) {
    PIM_CHECK(checkRows(rows, options.length));
    PIM_CHECK(checkFinite(rows));
    if (options.centroids < 1 || options.centroids > kMostCentroids)
        return fail(ErrorCode::Usage, fmt::format("{} centroids; between 1 and {} are possible",
                                                  options.centroids, kMostCentroids));
    if (options.steps < 0 || options.mostRows < 1)
        return fail(ErrorCode::Usage, fmt::format("{} steps on {} rows", options.steps, options.mostRows));
    Codebooks books{rows.length / options.length, options.centroids, options.length, {}};
    books.values.resize(index(rows.length * options.centroids));
    const std::int64_t count = std::min(rows.count(), options.mostRows);
    parallelFor(index(books.codebooks), options.threads, [&](std::size_t number) {
        if (task.cancelled())
            return;
        const auto codebook = static_cast<std::int64_t>(number);
        const Points points(rows, codebook, options.length, count);
        const Book book = bookOf(books, codebook);
        // A stream of its own, so that neither threads nor other codebooks change it.
        std::uint64_t state = options.seed * 0x9e3779b97f4a7c15ULL + number;
        seed(points, book, nextRandom(state));
        for (int step = 0; step < options.steps; ++step) {
            const std::vector<float> before(book.values.begin(), book.values.end());
            move(points, book);
            if (std::ranges::equal(before, book.values))
                break;
        }
    });
    if (task.cancelled())
        return TaskContext::cancelledError("training of codebooks");
    return books;
}

Result<LloydStep> lloydStep(const Rows& rows, const Codebooks& books, int threads) {
    PIM_CHECK(checkBooks(rows, books));
    LloydStep step;
    step.moved = books;
    std::vector<Moved> moved(index(books.codebooks));
    parallelFor(moved.size(), threads, [&](std::size_t number) {
        const auto codebook = static_cast<std::int64_t>(number);
        const Points points(rows, codebook, books.length, rows.count());
        const Book book = bookOf(step.moved, codebook);
        moved[number] = move(points, book);
        Closest closest(book);
        for (std::int64_t i = 0; i < points.count; ++i) {
            double distance = 0;
            closest.of(points[i], distance);
            moved[number].after += distance;
        }
    });
    for (const Moved& one : moved) {
        step.count.insert(step.count.end(), one.count.begin(), one.count.end());
        step.inertiaBefore += one.before;
        step.inertiaAfter += one.after;
    }
    return step;
}

Result<std::vector<std::uint16_t>> closestCentroids(const Rows& rows, const Codebooks& books, int threads) {
    PIM_CHECK(checkBooks(rows, books));
    // Centroids beside each other, [codebooks][length][centroids], so that their distances are one loop.
    std::vector<float> turned(books.values.size());
    for (std::int64_t c = 0; c < books.codebooks; ++c)
        for (std::int64_t i = 0; i < books.centroids; ++i)
            for (std::int64_t v = 0; v < books.length; ++v)
                turned[index((c * books.length + v) * books.centroids + i)] = books.centroid(c, i)[index(v)];
    const std::int64_t count = rows.count();
    std::vector<std::uint16_t> indices(index(count * books.codebooks));
    parallelFor(index((count + kRowsAtOnce - 1) / kRowsAtOnce), threads, [&](std::size_t block) {
        std::vector<float> distances(index(books.centroids));
        const std::int64_t begin = static_cast<std::int64_t>(block) * kRowsAtOnce;
        for (std::int64_t row = begin; row < std::min(count, begin + kRowsAtOnce); ++row)
            for (std::int64_t c = 0; c < books.codebooks; ++c) {
                const TurnedBook<float> book{&turned[index(c * books.length * books.centroids)], books.length,
                                             books.centroids};
                indices[index(row * books.codebooks + c)] = static_cast<std::uint16_t>(
                    nearest(book, &rows.row(row)[index(c * books.length)], distances.data(), kCloser));
            }
    });
    return indices;
}

} // namespace pim::lut
