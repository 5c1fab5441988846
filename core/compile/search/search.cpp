// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/search/search.h"

#include "core/compile/pareto.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace pim {
namespace {

using Row = std::vector<double>;

constexpr std::array<std::string_view, 3> kMethods{"exhaustive", "random", "nsga2"};
constexpr std::int64_t kChunk = 1 << 14; ///< Of an exhaustive search: what is held at once.
/// Larger ones breed too few generations in a few hundred evaluations.
constexpr std::int64_t kPopulation = 40;
constexpr std::int64_t kLeastPopulation = 8;
constexpr double kCrossover = 0.9; ///< Share of children of two parents: Deb et al., section VI.
constexpr double kSteps = 0.8; ///< Share of changes of a gene that are one step; the others are to any value.
constexpr double kRefused = 1e30; ///< No figure is as large: 1e30 ns are older than the universe.

/// All points that were priced, and the budget for others.
class Archive {
public:
    Archive(const std::vector<std::int64_t>& radices, const SearchOptions& options, const PriceBatch& price)
        : m_price(price), m_left(options.evaluations) {
        for (std::size_t d = radices.size(); d-- > 0;) {
            if (radices[d] > 1) { // a digit with one value is no gene
                m_radices.insert(m_radices.begin(), radices[d]);
                m_strides.insert(m_strides.begin(), m_size);
            }
            m_size *= radices[d];
        }
    }

    const std::vector<std::int64_t>& radices() const { return m_radices; }
    std::int64_t size() const { return m_size; }
    std::int64_t left() const { return m_left; }
    bool knows(std::int64_t index) const { return m_rows.contains(index); }
    std::size_t count() const { return m_rows.size(); }
    const std::optional<Error>& error() const { return m_error; }

    std::int64_t digit(std::int64_t index, std::size_t gene) const {
        return index / m_strides[gene] % m_radices[gene];
    }
    /// \p index with another value of one gene.
    std::int64_t with(std::int64_t index, std::size_t gene, std::int64_t value) const {
        return index + (value - digit(index, gene)) * m_strides[gene];
    }

    /// The first of those that are new, as far as the budget goes. False: the error is kept.
    bool price(const std::vector<std::int64_t>& indices) {
        std::set<std::int64_t> wanted;
        for (const std::int64_t at : indices)
            if (!knows(at) && std::ssize(wanted) < m_left)
                wanted.insert(at);
        if (wanted.empty())
            return true;
        const std::vector<std::int64_t> asked(wanted.begin(), wanted.end());
        auto rows = m_price(asked);
        if (!rows) {
            m_error = std::move(rows.error());
            return false;
        }
        for (std::size_t i = 0; i < asked.size(); ++i)
            m_rows.emplace(asked[i], std::move((*rows)[i]));
        for (const std::int64_t at : asked)
            if (const Row& row = m_rows.at(at); !row.empty())
                m_width = std::max(row.size(), m_width);
        m_left -= std::ssize(asked);
        return true;
    }

    /// What is minimised. Refused points differ, since crowding is measured by differences.
    Row fitness(std::int64_t at) const {
        const Row& row = m_rows.at(at);
        return row.empty()
                   ? Row(m_width, kRefused * (1 + static_cast<double>(at) / static_cast<double>(m_size)))
                   : row;
    }

    /// By index, so that nothing hangs on the order of a hash table.
    std::vector<std::int64_t> front() const {
        std::vector<std::int64_t> indices;
        for (const auto& [at, row] : m_rows)
            if (!row.empty())
                indices.push_back(at);
        std::ranges::sort(indices);
        std::vector<Row> rows;
        for (const std::int64_t at : indices)
            rows.push_back(m_rows.at(at));
        const std::vector<bool> stays = paretoFront(rows);
        std::vector<std::int64_t> best;
        for (std::size_t i = 0; i < indices.size(); ++i)
            if (stays[i])
                best.push_back(indices[i]);
        return best;
    }

    /// One step of one digit away from the front, not priced yet.
    std::vector<std::int64_t> neighboursOfFront() const {
        std::set<std::int64_t> near;
        for (const std::int64_t at : front())
            for (std::size_t g = 0; g < m_radices.size(); ++g) {
                const std::int64_t digit = this->digit(at, g);
                if (digit > 0 && !knows(at - m_strides[g]))
                    near.insert(at - m_strides[g]);
                if (digit + 1 < m_radices[g] && !knows(at + m_strides[g]))
                    near.insert(at + m_strides[g]);
            }
        return {near.begin(), near.end()};
    }

private:
    const PriceBatch& m_price;
    std::int64_t m_left = 0, m_size = 1;
    std::vector<std::int64_t> m_radices, m_strides;
    std::unordered_map<std::int64_t, Row> m_rows;
    std::size_t m_width = 1; ///< Figures of a point.
    std::optional<Error> m_error;
};

/// Not priced yet, each as likely but for the remainder of 2^64 by the size, below 1 in 4.
std::vector<std::int64_t> drawNew(const Archive& archive, std::int64_t count, std::mt19937_64& random) {
    const std::int64_t most = std::min(count, archive.size() - static_cast<std::int64_t>(archive.count()));
    std::set<std::int64_t> drawn;
    while (std::ssize(drawn) < most) {
        const auto at = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(archive.size()));
        if (!archive.knows(at))
            drawn.insert(at);
    }
    return {drawn.begin(), drawn.end()};
}

void shuffle(std::vector<std::int64_t>& all, std::mt19937_64& random) {
    for (std::size_t i = all.size(); i > 1; --i) // std::shuffle differs between libraries
        std::swap(all[i - 1], all[random() % i]);
}

/// How good a point is among others: those of a smaller front are better, within a front those with fewer points near them.
struct Standing {
    std::size_t front = 0;
    double distance = 0; ///< To its neighbours in the front, over all figures; infinite at an end.
    bool betterThan(const Standing& other) const {
        return std::tuple(front, -distance) < std::tuple(other.front, -other.distance);
    }
};

/// Not worse in any figure, better in one.
bool dominates(const Row& one, const Row& other) {
    bool isBetter = false;
    for (std::size_t f = 0; f < one.size(); ++f) {
        if (one[f] > other[f])
            return false;
        isBetter |= one[f] < other[f];
    }
    return isBetter;
}

/// Adds to each point of a front how far the next ones on both sides are, as a share of the front (section III-B).
void addDistances(const std::vector<Row>& rows, std::vector<std::size_t> front, std::vector<Standing>& all) {
    for (std::size_t f = 0; f < rows[front[0]].size(); ++f) {
        std::ranges::stable_sort(front, {}, [&](std::size_t i) { return rows[i][f]; });
        const double low = rows[front.front()][f], range = rows[front.back()][f] - low;
        all[front.front()].distance = all[front.back()].distance = std::numeric_limits<double>::infinity();
        for (std::size_t i = 1; range > 0 && i + 1 < front.size(); ++i)
            all[front[i]].distance += (rows[front[i + 1]][f] - rows[front[i - 1]][f]) / range;
    }
}

/// Fast non-dominated sorting (section III-A).
std::vector<Standing> standings(const std::vector<Row>& rows) {
    std::vector<std::vector<std::size_t>> worse(rows.size());
    std::vector<std::size_t> better(rows.size()), front;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.size(); ++j)
            if (dominates(rows[i], rows[j])) {
                worse[i].push_back(j);
                ++better[j];
            }
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (better[i] == 0)
            front.push_back(i);
    std::vector<Standing> all(rows.size());
    for (std::size_t number = 0; !front.empty(); ++number) {
        addDistances(rows, front, all);
        std::vector<std::size_t> next;
        for (const std::size_t i : front) {
            all[i].front = number;
            for (const std::size_t j : worse[i])
                if (--better[j] == 0)
                    next.push_back(j);
        }
        front = std::move(next);
    }
    return all;
}

std::vector<Standing> standings(const Archive& archive, const std::vector<std::int64_t>& indices) {
    std::vector<Row> rows;
    for (const std::int64_t at : indices)
        rows.push_back(archive.fitness(at));
    return standings(rows);
}

/// The best of some points.
std::vector<std::int64_t> bestOf(const Archive& archive, std::vector<std::int64_t> indices,
                                 std::int64_t count) {
    std::ranges::sort(indices);
    const auto twice = std::ranges::unique(indices);
    indices.erase(twice.begin(), twice.end());
    if (std::ssize(indices) <= count)
        return indices;
    const std::vector<Standing> all = standings(archive, indices);
    std::vector<std::size_t> order(indices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return all[a].betterThan(all[b]); });
    std::vector<std::int64_t> best;
    for (std::size_t i = 0; std::ssize(best) < count; ++i)
        best.push_back(indices[order[i]]);
    return best;
}

/// Parents by tournaments of two, each gene from one of them, one gene of a child changed on average. The paper's operators are for real numbers; these
/// are the usual ones for digits, of which some have an order and others none.
class Breeder {
public:
    Breeder(const Archive& archive, std::vector<std::int64_t> members, std::mt19937_64& random)
        : m_archive(archive), m_random(random), m_members(std::move(members)),
          m_standings(standings(archive, m_members)) {}

    std::int64_t child() {
        const std::int64_t mother = parent();
        const std::int64_t father = chance(kCrossover) ? parent() : mother;
        const std::vector<std::int64_t>& radices = m_archive.radices();
        std::int64_t made = mother;
        for (std::size_t g = 0; g < radices.size(); ++g) {
            if (chance(0.5))
                made = m_archive.with(made, g, m_archive.digit(father, g));
            if (chance(1.0 / static_cast<double>(radices.size())))
                made = m_archive.with(made, g, changed(m_archive.digit(made, g), radices[g]));
        }
        return made;
    }

private:
    std::int64_t below(std::int64_t count) {
        return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(count));
    }
    bool chance(double share) { return static_cast<double>(m_random() >> 11) * 0x1p-53 < share; }
    std::int64_t parent() {
        const auto one = static_cast<std::size_t>(below(std::ssize(m_members))),
                   other = static_cast<std::size_t>(below(std::ssize(m_members)));
        return m_members[m_standings[other].betterThan(m_standings[one]) ? other : one];
    }
    std::int64_t changed(std::int64_t digit, std::int64_t radix) {
        if (chance(kSteps))
            return std::clamp<std::int64_t>(digit + (chance(0.5) ? 1 : -1), 0, radix - 1);
        return below(radix);
    }

    const Archive& m_archive;
    std::mt19937_64& m_random;
    std::vector<std::int64_t> m_members;
    std::vector<Standing> m_standings;
};

bool evolve(Archive& archive, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::int64_t population = std::clamp(archive.left() / 4, kLeastPopulation, kPopulation);
    std::vector<std::int64_t> members = drawNew(archive, population, random);
    if (!archive.price(members))
        return false;
    std::erase_if(members, [&](std::int64_t at) { return !archive.knows(at); });
    while (archive.left() > 0) {
        const std::size_t before = archive.count();
        const auto add = [&](const std::vector<std::int64_t>& more) {
            const bool good = archive.price(more);
            std::ranges::copy_if(more, std::back_inserter(members),
                                 [&](std::int64_t at) { return archive.knows(at); });
            return good;
        };
        Breeder breeder(archive, members, random);
        std::vector<std::int64_t> children;
        while (std::ssize(children) < population)
            children.push_back(breeder.child());
        if (!add(children))
            return false;
        if (static_cast<std::int64_t>(archive.count() - before) < population * 3 / 4 &&
            archive.left() > 0) { // the surroundings of the front are worth more now
            std::vector<std::int64_t> more = archive.neighboursOfFront();
            shuffle(more, random);
            if (more.empty())
                more = drawNew(archive, population, random);
            more.resize(static_cast<std::size_t>(std::min({std::ssize(more), population, archive.left()})));
            if (!add(more))
                return false;
        }
        members = bestOf(archive, std::move(members), population);
    }
    return true;
}

std::vector<Row> onFront(const std::vector<Row>& rows) {
    const std::vector<bool> stays = paretoFront(rows);
    std::vector<Row> front;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (stays[i])
            front.push_back(rows[i]);
    return front;
}

/// What lies between points of two figures and a reference: a stair.
class Stair {
public:
    Stair(double lastX, double lastY) : m_lastX(lastX), m_lastY(lastY) {}
    double area() const { return m_area; }
    void add(double x, double y) {
        auto next = m_steps.lower_bound(x);
        double from = x, level = next == m_steps.begin() ? m_lastY : std::prev(next)->second;
        if (level <= y)
            return;
        for (; next != m_steps.end() && next->second >= y; next = m_steps.erase(next)) {
            m_area += (next->first - from) * (level - y);
            from = next->first;
            level = next->second;
        }
        if (next != m_steps.end() && next->first == x) // as far, and lower
            return;
        m_area += ((next == m_steps.end() ? m_lastX : next->first) - from) * (level - y);
        m_steps.emplace(x, y);
    }

private:
    double m_lastX, m_lastY, m_area = 0;
    std::map<double, double> m_steps; ///< y by x; y falls.
};

/// Of points better than the reference, none worse than another: in the order of the last figure each adds a slice over those of the figures before it.
/// Three figures: one stair that grows, n log n. More: WFG (While, Bradstreet and Barone, IEEE Trans. Evol. Comp. 16(1), 2012), a point at a time
/// with the part of it that later ones do not have. The same for any order of the points.
double volumeOf(std::vector<Row> front, Row reference) {
    while (reference.size() < 3) { // a slice of thickness 1
        reference.push_back(1);
        for (Row& row : front)
            row.push_back(0);
    }
    const std::size_t last = reference.size() - 1;
    double volume = 0;
    if (last == 2) {
        std::ranges::sort(front, {}, [](const Row& row) { return std::tuple(row[2], row[0], row[1]); });
        Stair stair(reference[0], reference[1]);
        for (std::size_t i = 0; i < front.size(); ++i) {
            stair.add(front[i][0], front[i][1]);
            volume += stair.area() * ((i + 1 < front.size() ? front[i + 1][2] : reference[2]) - front[i][2]);
        }
        return volume;
    }
    std::ranges::sort(
        front, [&](const Row& a, const Row& b) { return std::tie(b[last], b) < std::tie(a[last], a); });
    const Row inner(reference.begin(), reference.begin() + static_cast<std::ptrdiff_t>(last));
    for (std::size_t i = 0; i < front.size(); ++i) { // those after it reach further in the last figure
        std::vector<Row> later;
        for (std::size_t j = i + 1; j < front.size(); ++j) {
            later.emplace_back();
            for (std::size_t f = 0; f < last; ++f)
                later.back().push_back(std::max(front[i][f], front[j][f]));
        }
        double alone = 1;
        for (std::size_t f = 0; f < last; ++f)
            alone *= reference[f] - front[i][f];
        volume += (reference[last] - front[i][last]) * (alone - volumeOf(onFront(later), inner));
    }
    return volume;
}

} // namespace

std::string_view name(SearchMethod method) {
    return kMethods[static_cast<std::size_t>(method)];
}

std::optional<SearchMethod> searchMethod(std::string_view name) {
    const auto found = std::ranges::find(kMethods, name);
    return found == kMethods.end() ? std::nullopt
                                   : std::optional(static_cast<SearchMethod>(found - kMethods.begin()));
}

Result<void> searchSpace(const std::vector<std::int64_t>& radices, const SearchOptions& options,
                         const PriceBatch& price) {
    if (options.evaluations < 1)
        return fail(ErrorCode::Usage, "a search needs at least one evaluation", "evaluations",
                    "give a number from 1 on");
    Archive archive(radices, options, price);
    if (options.method == SearchMethod::Exhaustive || archive.size() <= options.evaluations) {
        for (std::int64_t first = 0; first < archive.size(); first += kChunk) {
            std::vector<std::int64_t> chunk(
                static_cast<std::size_t>(std::min(kChunk, archive.size() - first)));
            std::iota(chunk.begin(), chunk.end(), first);
            PIM_CHECK(price(chunk));
        }
        return {};
    }
    bool done = false;
    if (options.method == SearchMethod::Random) {
        std::mt19937_64 random(options.seed);
        done = archive.price(drawNew(archive, options.evaluations, random));
    } else {
        done = evolve(archive, options.seed);
    }
    if (!done)
        return tl::unexpected<Error>(*archive.error());
    return {};
}

double hypervolume(const std::vector<std::vector<double>>& figures, const std::vector<double>& reference) {
    std::vector<Row> inside;
    for (const Row& row : figures)
        if (std::ranges::equal(row, reference, [](double a, double b) { return a < b; }))
            inside.push_back(row);
    return volumeOf(onFront(inside), reference);
}

} // namespace pim
