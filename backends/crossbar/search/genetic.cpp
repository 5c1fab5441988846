// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/genetic.h"

#include "backends/crossbar/search/search_budget.h"
#include "backends/crossbar/search/search_random.h"
#include "core/base/parallel.h"
#include "core/base/time_limit.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

constexpr int kGeneLayer = 10'000;  // [PIMCOMP §VI-A]
constexpr int kGenesOfCore = 32;    // layers a core can hold [PIMCOMP-NN git 2ed10c8]
constexpr double kKept = 0.3;       // best of a generation …
constexpr double kKeptOfRest = 0.2; // … and how many of the others, at random [PIMCOMP-NN git 2ed10c8]
constexpr int kTries = 8;           // for a mutation that leaves a legal chromosome

using Chromosome = std::vector<int>; // [core * kGenesOfCore + position]

MatrixId entryOf(int gene) {
    return MatrixId(gene / kGeneLayer);
}
int countOf(int gene) {
    return gene % kGeneLayer;
}

struct Individual {
    Chromosome genes;
    double fitness = 0;
};

class Genetics {
public:
    explicit Genetics(const CrossbarLayoutModel& model) : m_model(model) {}

    Chromosome encode(const CrossbarLayout& layout) const {
        Chromosome genes(std::size_t(m_model.cores()) * kGenesOfCore, 0);
        for (const MatrixId entry : m_model.allEntries())
            for (const CoreId core : layout.cores(entry))
                addTo(genes, core, entry, 1);
        return genes;
    }

    /// Nothing where cores hold more than they have arrays for, or replicas are not whole.
    std::optional<CrossbarLayout> decode(const Chromosome& genes) const {
        std::vector<std::vector<CoreId>> cores(m_model.layers.size());
        for (std::size_t i = 0; i < genes.size(); ++i)
            if (genes[i] > 0)
                cores[entryOf(genes[i]).index()].insert(cores[entryOf(genes[i]).index()].end(),
                                                        std::size_t(countOf(genes[i])),
                                                        CoreId(std::int64_t(i) / kGenesOfCore));
        std::vector<std::vector<int>> left = m_model.capacity;
        CrossbarLayout layout(m_model);
        for (const MatrixId entry : m_model.allEntries()) {
            const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
            const auto groups = std::size_t(layer.groups);
            if (cores[entry.index()].empty() || cores[entry.index()].size() % groups != 0 ||
                int(cores[entry.index()].size() / groups) > layer.maxReplicas)
                return std::nullopt;
            for (std::size_t i = 0; i < cores[entry.index()].size(); ++i)
                if ((left[std::size_t(layer.arrayKind)][cores[entry.index()][i].index()] -=
                     layer.partition->groups[i % groups].crossbars) < 0)
                    return std::nullopt;
        }
        for (const MatrixId entry : m_model.allEntries())
            for (std::size_t begin = 0; begin < cores[entry.index()].size();
                 begin += std::size_t(m_model.layers[entry.index()].groups))
                layout.add(entry, std::span(cores[entry.index()])
                                      .subspan(begin, std::size_t(m_model.layers[entry.index()].groups)));
        return layout;
    }

    /// A legal child, or the parent where kTries do not give one.
    Chromosome mutate(const Chromosome& parent, SearchRandom& random) const {
        for (int i = 0; i < kTries; ++i) {
            Chromosome child = parent;
            if ((random.below(2) ? changeCount(child, random) : swapParts(child, random)) && decode(child))
                return child;
        }
        return parent;
    }

private:
    bool addTo(Chromosome& genes, CoreId core, MatrixId entry, int count) const {
        const std::size_t begin = core.index() * kGenesOfCore;
        std::size_t empty = begin + kGenesOfCore;
        for (std::size_t i = begin; i < begin + kGenesOfCore; ++i) {
            if (genes[i] > 0 && entryOf(genes[i]) == entry) {
                genes[i] += count;
                if (countOf(genes[i]) == 0)
                    genes[i] = 0;
                return true;
            }
            if (genes[i] == 0 && empty == begin + kGenesOfCore)
                empty = i;
        }
        if (empty == begin + kGenesOfCore || count <= 0)
            return false;
        genes[empty] = entry.value * kGeneLayer + count;
        return true;
    }

    /// Mutation I: a gene gets more or fewer array groups; an empty one a layer, once.
    bool changeCount(Chromosome& genes, SearchRandom& random) const {
        const int position = random.below(int(genes.size()));
        const CoreId core(position / kGenesOfCore);
        const int gene = genes[std::size_t(position)];
        if (gene == 0) {
            const MatrixId entry(random.below(int(m_model.layers.size())));
            return addTo(genes, core, entry, m_model.layers[entry.index()].groups);
        }
        const MatrixId entry = entryOf(gene);
        const int groups = m_model.layers[entry.index()].groups;
        if (random.below(2))
            return addTo(genes, core, entry, groups);
        if (countOf(gene) < groups)
            return false;
        return addTo(genes, core, entry, -groups);
    }

    /// Mutation II: parts of two genes change cores.
    bool swapParts(Chromosome& genes, SearchRandom& random) const {
        const auto any = [&] {
            int position = random.below(int(genes.size()));
            for (int i = 0; i < 4 * kGenesOfCore && genes[std::size_t(position)] == 0; ++i)
                position = random.below(int(genes.size()));
            return position;
        };
        const int first = any(), second = any();
        const int a = genes[std::size_t(first)], b = genes[std::size_t(second)];
        const CoreId from(first / kGenesOfCore), to(second / kGenesOfCore);
        if (a == 0 || b == 0 || from == to)
            return false;
        const int some = 1 + random.below(countOf(a)), other = random.below(countOf(b) + 1);
        return addTo(genes, from, entryOf(a), -some) &&
               (other == 0 || addTo(genes, to, entryOf(b), -other)) && addTo(genes, to, entryOf(a), some) &&
               (other == 0 || addTo(genes, from, entryOf(b), other));
    }

    const CrossbarLayoutModel& m_model;
};

} // namespace

LayoutSearchResult geneticLayout(const CrossbarLayout& once, const MappingOptions& options,
                                 const TaskContext& task) {
    SearchBudget budget(options);
    budget.setNoPrograms();
    const TimeLimit limit(task, budget.endSeconds());
    const std::int64_t most = options.seconds
                                  ? std::numeric_limits<std::int64_t>::max()
                                  : 2 * annealingSteps(once, options.mode, budget.effortSeconds());
    const Genetics genetics(once.model());
    const auto fitness = [&](const CrossbarLayout& layout) { return layoutNs(layout, options.mode); };

    const auto size = std::size_t(std::max(2, options.population));
    std::vector<Individual> population(size, {genetics.encode(once), fitness(once)});
    LayoutSearchResult result{once, {}, {{0, population.front().fitness}}, 0};
    const auto kept = std::max<std::size_t>(1, std::size_t(double(size) * kKept));
    SearchRandom random(options.seed);
    for (int iteration = 0; iteration < options.iterations; ++iteration) {
        if (limit.over() || result.steps >= most)
            break;
        task.report("generation", iteration, options.iterations);
        std::vector<std::size_t> parents(kept);
        std::iota(parents.begin(), parents.end(), std::size_t(0));
        for (std::size_t i = kept; i < size; ++i)
            if (random.unit() < kKeptOfRest)
                parents.push_back(i);
        std::vector<std::pair<std::size_t, std::uint64_t>> children; // parent, seed
        for (std::size_t i = 0; i < size - std::min(size, parents.size()); ++i)
            children.emplace_back(parents[std::size_t(random.below(int(parents.size())))],
                                  (std::uint64_t(options.seed) << 40) + std::uint64_t(iteration) * size + i);
        std::vector<Individual> next(parents.size() + children.size());
        for (std::size_t i = 0; i < parents.size(); ++i)
            next[i] = population[parents[i]];
        parallelFor(children.size(), options.threads, [&](std::size_t i) {
            SearchRandom own(children[i].second);
            Individual& child = next[parents.size() + i];
            child.genes = genetics.mutate(population[children[i].first].genes, own);
            child.fitness = fitness(*genetics.decode(child.genes));
        });
        result.steps += std::ssize(children);
        std::ranges::stable_sort(next, {}, &Individual::fitness);
        population = std::move(next);
        if (population.front().fitness < result.history.back().ns)
            result.history.push_back({result.steps, population.front().fitness});
    }
    result.best = *genetics.decode(std::ranges::min_element(population, {}, &Individual::fitness)->genes);
    return result;
}

} // namespace pim
