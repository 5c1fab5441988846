// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/search/search.h"

#include "core/compile/pareto.h"

#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/utils/hypervolume.hpp>
#include <pagmo/utils/multi_objective.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <unordered_map>
#include <utility>

namespace pim {
namespace {

using Row = std::vector<double>;

constexpr std::array<std::string_view, 3> kMethods{"exhaustive", "random", "nsga2"};
constexpr std::int64_t kChunk = 1 << 14;    ///< Of an exhaustive search: what is held at once.
constexpr std::size_t kPopulation = 40;     ///< A multiple of 4, as NSGA-II of pagmo wants it.
constexpr std::size_t kLeastPopulation = 8; ///< It wants 5 at least.
constexpr double kRefused = 1e30;           ///< No figure is as large: 1e30 ns are older than the universe.

/// pagmo tells of its own problems by exceptions only; the error itself is kept beside it.
struct PriceFailed : std::exception {};

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

    std::int64_t index(const Row& genes) const {
        std::int64_t at = 0;
        for (std::size_t g = 0; g < genes.size(); ++g)
            at += static_cast<std::int64_t>(genes[g]) * m_strides[g];
        return at;
    }
    Row genes(std::int64_t index) const {
        Row genes;
        for (std::size_t g = 0; g < m_radices.size(); ++g)
            genes.push_back(static_cast<double>(index / m_strides[g] % m_radices[g]));
        return genes;
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

    /// What NSGA-II minimises: two figures at least. Refused points differ, since crowding is measured by differences.
    Row fitness(std::int64_t at) const {
        const std::size_t width = std::max<std::size_t>(2, m_width);
        const auto found = m_rows.find(at);
        if (found == m_rows.end() || found->second.empty())
            return Row(width, kRefused * (1 + static_cast<double>(at) / static_cast<double>(m_size)));
        Row row = found->second;
        row.resize(width, row.front());
        return row;
    }
    std::size_t objectives() const { return std::max<std::size_t>(2, m_width); }

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
                const std::int64_t digit = at / m_strides[g] % m_radices[g];
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
    std::size_t m_width = 0;
    std::optional<Error> m_error;
};

/// The space as pagmo wants to see it. It copies problems; all copies share the archive, which outlives them.
class DigitProblem {
public:
    DigitProblem() = default; // pagmo asks for it
    explicit DigitProblem(Archive& archive) : m_archive(&archive), m_objectives(archive.objectives()) {}

    Row fitness(const Row& genes) const { return batch_fitness(genes); }
    Row batch_fitness(const Row& all) const {
        const std::size_t width = m_archive->radices().size();
        std::vector<std::int64_t> indices;
        for (std::size_t at = 0; at < all.size(); at += width)
            indices.push_back(m_archive->index(Row(all.begin() + static_cast<std::ptrdiff_t>(at),
                                                   all.begin() + static_cast<std::ptrdiff_t>(at + width))));
        if (!m_archive->price(indices))
            throw PriceFailed();
        Row fitness;
        for (const std::int64_t at : indices) {
            Row row = m_archive->fitness(at);
            row.resize(m_objectives, row.front());
            fitness.insert(fitness.end(), row.begin(), row.end());
        }
        return fitness;
    }
    bool has_batch_fitness() const { return true; }
    std::size_t get_nobj() const { return m_objectives; }
    std::size_t get_nix() const { return m_archive ? m_archive->radices().size() : 1; }
    std::pair<Row, Row> get_bounds() const {
        if (!m_archive)
            return {{0}, {1}};
        Row most;
        for (const std::int64_t radix : m_archive->radices())
            most.push_back(static_cast<double>(radix - 1));
        return {Row(most.size(), 0.0), most};
    }
    template <class Stream>
    void serialize(Stream& /*stream*/, unsigned /*version*/) {} // pagmo asks for it; none is ever stored

private:
    Archive* m_archive = nullptr;
    std::size_t m_objectives = 2;
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

/// The best of some points, by rank and crowding.
std::vector<std::int64_t> bestOf(const Archive& archive, std::vector<std::int64_t> indices,
                                 std::size_t count) {
    std::ranges::sort(indices);
    const auto twice = std::ranges::unique(indices);
    indices.erase(twice.begin(), twice.end());
    if (indices.size() <= count)
        return indices;
    std::vector<Row> rows;
    for (const std::int64_t at : indices)
        rows.push_back(archive.fitness(at));
    std::vector<std::int64_t> best;
    for (const auto i : pagmo::select_best_N_mo(rows, count))
        best.push_back(indices[i]);
    return best;
}

bool evolve(Archive& archive, std::uint64_t seed) {
    // pagmo checks digits in threads of its own, which would be beside those that compute and are not worth it.
    const tbb::global_control noThreads(tbb::global_control::max_allowed_parallelism, 1);
    std::mt19937_64 random(seed);
    const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(archive.left() / 4, kPopulation));
    const std::size_t population = std::max(kLeastPopulation, wanted / 4 * 4);
    std::vector<std::int64_t> members = drawNew(archive, static_cast<std::int64_t>(population), random);
    if (!archive.price(members))
        return false;
    while (archive.left() > 0) {
        const std::size_t before = archive.count();
        pagmo::population now{pagmo::problem(DigitProblem(archive)), 0, static_cast<unsigned>(random())};
        for (std::size_t m = 0; m < population; ++m) { // fewer than that differ where most are refused
            const std::int64_t at = members[m % members.size()];
            now.push_back(archive.genes(at), archive.fitness(at));
        }
        // A gene in each child changes, on average.
        pagmo::nsga2 algorithm(1, 0.95, 10., 1.0 / static_cast<double>(archive.radices().size()), 20.,
                               static_cast<unsigned>(random()));
        algorithm.set_bfe(pagmo::bfe());
        const pagmo::population next = algorithm.evolve(now);
        for (const Row& genes : next.get_x())
            if (const std::int64_t at = archive.index(genes); archive.knows(at))
                members.push_back(at);
        if (archive.count() - before < population / 2 && archive.left() > 0) {
            std::vector<std::int64_t> more = archive.neighboursOfFront();
            shuffle(more, random);
            if (more.empty())
                more = drawNew(archive, static_cast<std::int64_t>(population), random);
            more.resize(std::min({more.size(), population, static_cast<std::size_t>(archive.left())}));
            if (!archive.price(more))
                return false;
            members.insert(members.end(), more.begin(), more.end());
        }
        members = bestOf(archive, std::move(members), population);
    }
    return true;
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
        try {
            done = evolve(archive, options.seed);
        } catch (const std::exception& problem) { // pagmo wraps what a problem threw
            if (!archive.error())
                return fail(ErrorCode::Unsupported, problem.what(), "nsga2", "search with random");
        }
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
    if (inside.empty())
        return 0;
    if (reference.size() == 1) // pagmo begins with two
        return reference[0] - std::ranges::min(inside)[0];
    const std::vector<bool> stays = paretoFront(inside); // quicker than pagmo is on what adds nothing
    std::vector<Row> front;
    for (std::size_t i = 0; i < inside.size(); ++i)
        if (stays[i])
            front.push_back(inside[i]);
    return pagmo::hypervolume(front).compute(reference);
}

} // namespace pim
