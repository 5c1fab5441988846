// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/search/best_so_far.h"

#include "core/compile/search/search.h"

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

using Row = std::vector<double>;

bool hasResult(const Row& row) {
    return !row.empty() && std::ranges::none_of(row, [](double value) { return std::isnan(value); });
}

/// At least as good in everything.
bool covers(const Row& a, const Row& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return x <= y; });
}

/// The front of the points so far.
class RunningFront {
public:
    /// \return whether the front is another now.
    bool add(const Row& row) {
        // Points that come one after the other are alike: who covered the last asks first.
        const auto found = std::ranges::find_if(m_rows, [&](const Row& other) { return covers(other, row); });
        if (found != m_rows.end()) {
            std::iter_swap(m_rows.begin(), found);
            return false;
        }
        std::erase_if(m_rows, [&](const Row& other) { return covers(row, other); });
        m_rows.push_back(row);
        return true;
    }
    const std::vector<Row>& rows() const { return m_rows; }

private:
    std::vector<Row> m_rows;
};

/// Figures between the best (0) and the worst (1) of each objective that varies.
class UnitBox {
public:
    explicit UnitBox(const std::vector<Row>& figures) {
        for (const Row& row : figures) {
            if (!hasResult(row))
                continue;
            if (m_low.empty())
                m_low = m_high = row;
            for (std::size_t o = 0; o < row.size(); ++o) {
                m_low[o] = std::min(m_low[o], row[o]);
                m_high[o] = std::max(m_high[o], row[o]);
            }
        }
        for (std::size_t o = 0; o < m_low.size(); ++o)
            if (m_high[o] > m_low[o])
                m_varying.push_back(o);
    }
    std::size_t dimensions() const { return m_varying.size(); }
    Row of(const Row& row) const {
        Row placed;
        for (const std::size_t o : m_varying)
            placed.push_back((row[o] - m_low[o]) / (m_high[o] - m_low[o]));
        return placed;
    }

private:
    Row m_low, m_high;
    std::vector<std::size_t> m_varying;
};

} // namespace

BestSoFar bestSoFar(const std::vector<Row>& figures) {
    BestSoFar found;
    found.points = std::ssize(figures);
    const UnitBox box(figures);
    const bool hasVolume = box.dimensions() >= 2 && box.dimensions() <= kMostVolumeObjectives;
    RunningFront front;
    bool isChanged = false;
    std::int64_t next = 0; ///< No volume before so many points.
    for (std::int64_t points = 1; points <= found.points; ++points) {
        const Row& row = figures[static_cast<std::size_t>(points - 1)];
        if (hasResult(row)) {
            found.best.resize(row.size());
            for (std::size_t o = 0; o < row.size(); ++o)
                if (found.best[o].empty() || row[o] < found.best[o].back().value)
                    found.best[o].push_back({points, row[o]});
            if (hasVolume && front.add(box.of(row)))
                isChanged = true;
        } else {
            ++found.refused;
        }
        if (isChanged && (points >= next || points == found.points)) {
            found.volume.push_back({points, hypervolume(front.rows(), Row(box.dimensions(), 1.0))});
            next = points + (found.points + kVolumeSteps - 1) / kVolumeSteps;
            isChanged = false;
        }
    }
    return found;
}

} // namespace pim
