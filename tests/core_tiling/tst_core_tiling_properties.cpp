// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What must hold for every kernel, machine and draft, tried on random ones with fixed seeds.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/kernel/parse.h"
#include "core/tiling/tiling.h"

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>

using namespace pim;

namespace {

using Random = std::mt19937;

int pick(Random& random, int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

struct RandomKernel {
    std::string text;
    bool plain = true; ///< Every dimension is one variable or a sum that stays inside: the summary is exact.
};

RandomKernel randomKernel(Random& random) {
    const int a = pick(random, 1, 13), b = pick(random, 1, 13), c = pick(random, 1, 13),
              d = pick(random, 1, 6);
    switch (pick(random, 0, 8)) {
    case 0:
        return {
            fmt::format("def gemv(X[{1}], W[{0}][{1}]):\n y = DCC.Tensor.zero([{0}])\n for n in range({0}):\n"
                        "  for k in range({1}):\n   y[n] += X[k] * W[n][k]\n",
                        a * 3, b * 5)};
    case 1:
        return {fmt::format(
            "def gemm(X[{0}][{2}], W[{2}][{1}]):\n y = DCC.Tensor.zero([{0}, {1}])\n for m in range({0}):\n"
            "  for n in range({1}):\n   for k in range({2}):\n    y[m][n] += X[m][k] * W[k][n]\n",
            a, b, c)};
    case 2: { // as in Fig. 4, with other slopes and offsets; A is longer than the loops
        const int slope = pick(random, 1, 4), offset = pick(random, 0, 3);
        return {fmt::format("def figure(A[{0}][{1}], B[{2}][{3}], C[{0}][{3}]):\n for b in range({4}):\n  "
                            "for i in range({2}):\n"
                            "   for k in range({3}):\n    A[b][i] = A[b+{5}][i*{6}] + B[i][k] * C[b][k]\n",
                            a + offset, b * slope, b, c, a, offset, slope),
                false};
    }
    case 3: { // convolution whose windows stay inside
        const int stride = pick(random, 1, 3), dilation = pick(random, 1, 2), taps = pick(random, 1, 4);
        return {fmt::format("def conv(X[{0}][{1}], W[{2}][{0}][{3}]):\n y = DCC.Tensor.zero([{2}, {4}])\n "
                            "for o in range({2}):\n"
                            "  for h in range({4}):\n   for c in range({0}):\n    for r in range({3}):\n"
                            "     y[o][h] += X[c][h*{5}+r*{6}] * W[o][c][r]\n",
                            d, (a - 1) * stride + (taps - 1) * dilation + 1, b, taps, a, stride, dilation)};
    }
    case 4: { // windows that hang over both edges
        const int stride = pick(random, 1, 2), taps = pick(random, 1, 5), pad = pick(random, 0, taps);
        return {fmt::format("def pad(X[{0}], W[{1}]):\n y = DCC.Tensor.zero([{2}])\n for h in range({2}):\n  "
                            "for r in range({1}):\n"
                            "   y[h] += X[h*{3}+r-{4}] * W[r]\n",
                            std::max(1, (a - 1) * stride + taps - 2 * pad), taps, a, stride, pad),
                false};
    }
    case 5: // two variables reach the same dimension
        return {fmt::format("def gram(A[{0}][{1}]):\n y = DCC.Tensor.zero([{0}, {0}])\n for i in "
                            "range({0}):\n  for j in range({0}):\n"
                            "   for k in range({1}):\n    y[i][j] += A[i][k] * A[j][k]\n",
                            a, b),
                false};
    case 6: // backwards, shifted outside the tensor
        return {
            fmt::format("def turn(X[{0}][{1}], Y[{0}][{1}]):\n for i in range({0}):\n  for j in range({1}):\n"
                        "   Y[{2}-i][j] = X[i][j-{3}]\n",
                        a, b, a - 1, pick(random, 0, 4)),
            false};
    case 7:
        return {fmt::format("def attention(Q[{0}][{1}][{2}], K[{0}][{3}][{2}], V[{0}][{3}][{2}]):\n o = "
                            "DCC.Tensor.zero([{0}, {1}, "
                            "{2}])\n for h in range({0}):\n  for m in range({1}):\n   for l in range({3}):\n "
                            "   for d in range({2}):\n"
                            "     o[h][m][d] += softmax(Q[h][m][d] * K[h][l][d]) * V[h][l][d]\n",
                            d, pick(random, 1, 3), b, c)};
    default:
        return {fmt::format("def bias(X[{0}][{1}], B[{1}], S[1], Y[{0}][{1}]):\n for i in range({0}):\n  for "
                            "j in range({1}):\n"
                            "   Y[i][j] = X[i][j] * S[0] + B[j]\n",
                            a, b * 3)};
    }
}

Draft randomDraft(Random& random, const TilingSpace& space) {
    Draft draft;
    draft.parts.resize(space.sets().size());
    std::vector<int> order(draft.parts.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    std::shuffle(order.begin(), order.end(), random);
    for (const int set : order) {
        auto& part = draft.parts[static_cast<std::size_t>(set)];
        const auto [groups, cores] = space.available(draft, set);
        part = {pick(random, 1, groups), pick(random, 1, cores),
                pick(random, 0,
                     static_cast<int>(space.sets()[static_cast<std::size_t>(set)].mappings.size()) - 1)};
    }
    draft.strategy = random() % 2 != 0 ? IndexStrategy::ExactSet : IndexStrategy::ExpandedRange;
    return draft;
}

/// Value of an index at one iteration.
std::int64_t at(const AffineExpr& expr, const std::vector<std::int64_t>& point) {
    std::int64_t value = expr.constant;
    for (const auto& term : expr.terms)
        value += term.coefficient * point[static_cast<std::size_t>(term.loop)];
    return value;
}

template <class Visit>
void forEachPoint(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges, const Visit& visit) {
    std::vector<std::int64_t> point;
    for (const auto& [begin, end] : ranges) {
        if (begin >= end)
            return;
        point.push_back(begin);
    }
    for (;;) {
        visit(point);
        std::size_t loop = ranges.size();
        while (loop-- > 0) {
            if (++point[loop] < ranges[loop].second)
                break;
            point[loop] = ranges[loop].first;
            if (loop == 0)
                return;
        }
    }
}

std::int64_t elements(const std::vector<std::vector<IndexRun>>& dims) {
    std::int64_t product = 1;
    for (const auto& runs : dims) {
        std::int64_t count = 0;
        for (const auto& run : runs)
            count += run.count;
        product *= count;
    }
    return product;
}

} // namespace

class TestProperties : public QObject {
    Q_OBJECT

    /// Runs \p check on many random (kernel, machine) pairs.
    template <class Check>
    static void overRandomSpaces(unsigned seed, int rounds, const Check& check) {
        Random random(seed);
        int made = 0;
        for (int round = 0; round < rounds; ++round) {
            const RandomKernel source = randomKernel(random);
            const TilingResources resources{.groups = pick(random, 1, 6),
                                            .coresPerGroup = pick(random, 1, 8),
                                            .simdLanes = 1 << pick(random, 0, 3)};
            auto kernel = parseKernel(source.text);
            QVERIFY2(kernel, kernel ? "" : (kernel.error().text() + "\n" + source.text).c_str());
            const auto space = TilingSpace::create(*kernel, resources);
            QVERIFY2(space, space ? "" : (space.error().text() + "\n" + source.text).c_str());
            ++made;
            check(random, **space, source);
            if (QTest::currentTestFailed()) {
                qWarning("%s on %d groups of %d cores", source.text.c_str(), resources.groups,
                         resources.coresPerGroup);
                return;
            }
        }
        QCOMPARE(made, rounds);
    }

private slots:
    void everyIterationIsComputedOnceWithItsData() {
        overRandomSpaces(1, 120, [](Random& random, const TilingSpace& space, const RandomKernel&) {
            const auto& kernel = space.kernel();
            for (int n = 0; n < 4; ++n) {
                const Draft draft = randomDraft(random, space);
                QVERIFY(space.check(draft));
                std::vector<int> owners(static_cast<std::size_t>(kernel.iterations()), 0);
                for (int g = 0; g < space.resources().groups; ++g)
                    for (int c = 0; c < space.resources().coresPerGroup; ++c) {
                        const CoreTile tile = space.tile(draft, g, c);
                        std::vector<std::vector<std::vector<bool>>> held; // [tensor][dim][index]
                        for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
                            auto& dims = held.emplace_back();
                            for (std::size_t d = 0; d < kernel.tensors[t].shape.size(); ++d) {
                                auto& flags = dims.emplace_back(
                                    static_cast<std::size_t>(kernel.tensors[t].shape[d]), false);
                                std::int64_t before = -1;
                                for (const auto& run : tile.data[t][d])
                                    for (std::int64_t i = 0; i < run.count; ++i) {
                                        const auto index = run.begin + i * run.step;
                                        QVERIFY(index > before || draft.strategy == IndexStrategy::ExactSet);
                                        QVERIFY(index >= 0 && index < kernel.tensors[t].shape[d]);
                                        QVERIFY(!flags[static_cast<std::size_t>(index)]); // disjoint
                                        flags[static_cast<std::size_t>(index)] = true;
                                        before = index;
                                    }
                            }
                        }
                        std::int64_t iterations = 0;
                        bool complete = true;
                        forEachPoint(tile.loops, [&](const std::vector<std::int64_t>& point) {
                            std::int64_t flat = 0;
                            for (std::size_t l = 0; l < point.size(); ++l)
                                flat = flat * kernel.loops[l].extent + point[l];
                            ++owners[static_cast<std::size_t>(flat)];
                            ++iterations;
                            for (const auto& access : kernel.accesses)
                                for (std::size_t d = 0; d < access.index.size(); ++d) {
                                    const auto index = at(access.index[d], point);
                                    const auto tensor = static_cast<std::size_t>(access.tensor);
                                    if (index >= 0 && index < kernel.tensors[tensor].shape[d])
                                        complete =
                                            complete && held[tensor][d][static_cast<std::size_t>(index)];
                                }
                        });
                        QVERIFY2(complete, space.draftText(draft).c_str());
                        QCOMPARE(iterations, tile.iterations);
                    }
                QVERIFY2(std::all_of(owners.begin(), owners.end(), [](int count) { return count == 1; }),
                         space.draftText(draft).c_str());
            }
        });
    }

    /// An exact set holds nothing that is not needed; an expanded range fills the gaps and nothing else.
    void exactSetsHoldNoMoreThanNeeded() {
        overRandomSpaces(2, 120, [](Random& random, const TilingSpace& space, const RandomKernel&) {
            const auto& kernel = space.kernel();
            Draft draft = randomDraft(random, space);
            draft.strategy = IndexStrategy::ExactSet;
            const CoreTile tile = space.tile(draft, 0, 0);
            std::vector<std::vector<std::set<std::int64_t>>> needed(kernel.tensors.size());
            for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
                needed[t].resize(kernel.tensors[t].shape.size());
            forEachPoint(tile.loops, [&](const std::vector<std::int64_t>& point) {
                for (const auto& access : kernel.accesses)
                    for (std::size_t d = 0; d < access.index.size(); ++d) {
                        const auto index = at(access.index[d], point);
                        const auto tensor = static_cast<std::size_t>(access.tensor);
                        if (index >= 0 && index < kernel.tensors[tensor].shape[d])
                            needed[tensor][d].insert(index);
                    }
            });
            for (std::size_t t = 0; t < needed.size(); ++t)
                for (std::size_t d = 0; d < needed[t].size(); ++d) {
                    std::set<std::int64_t> held;
                    for (const auto& run : tile.data[t][d])
                        for (std::int64_t i = 0; i < run.count; ++i)
                            held.insert(run.begin + i * run.step);
                    QCOMPARE(held, needed[t][d]);
                }
        });
    }

    void summaryAgreesWithTheTiles() {
        overRandomSpaces(3, 250, [](Random& random, const TilingSpace& space, const RandomKernel& source) {
            const auto& kernel = space.kernel();
            for (int n = 0; n < 6; ++n) {
                const Draft draft = randomDraft(random, space);
                const DraftSummary summary = space.summarize(draft);
                std::vector<std::int64_t> loopTile(kernel.loops.size(), 0), most(kernel.tensors.size(), 0);
                std::vector<std::int64_t> groupMost(kernel.tensors.size(), 0),
                    copies(kernel.tensors.size(), 0);
                std::int64_t busiest = 0, leastBusy = kernel.iterations(), bytes = 0, groupsUsed = 0,
                             coresUsed = 0;
                for (int g = 0; g < space.resources().groups; ++g) {
                    std::int64_t working = 0;
                    std::vector<std::map<std::string, std::int64_t>> alike(kernel.tensors.size());
                    std::vector<std::vector<std::set<std::int64_t>>> united(kernel.tensors.size());
                    for (int c = 0; c < space.resources().coresPerGroup; ++c) {
                        const CoreTile tile = space.tile(draft, g, c);
                        if (tile.iterations == 0)
                            continue;
                        ++working;
                        busiest = std::max(busiest, tile.iterations);
                        leastBusy = std::min(leastBusy, tile.iterations);
                        std::int64_t coreBytes = 0;
                        for (std::size_t l = 0; l < loopTile.size(); ++l)
                            loopTile[l] = std::max(loopTile[l], tile.loops[l].second - tile.loops[l].first);
                        for (std::size_t t = 0; t < most.size(); ++t) {
                            const auto count = elements(tile.data[t]);
                            QCOMPARE(tile.tensorBytes[t], count * bytesOf(kernel.tensors[t].dtype));
                            most[t] = std::max(most[t], count);
                            coreBytes += tile.tensorBytes[t];
                            std::string key;
                            united[t].resize(tile.data[t].size());
                            for (std::size_t d = 0; d < tile.data[t].size(); ++d)
                                for (const auto& run : tile.data[t][d]) {
                                    key += fmt::format("{}:{},{},{} ", d, run.begin, run.count, run.step);
                                    for (std::int64_t i = 0; i < run.count; ++i)
                                        united[t][d].insert(run.begin + i * run.step);
                                }
                            copies[t] = std::max(copies[t], ++alike[t][key]);
                        }
                        bytes = std::max(bytes, coreBytes);
                    }
                    groupsUsed += working > 0;
                    coresUsed = std::max(coresUsed, working);
                    for (std::size_t t = 0; working > 0 && t < united.size(); ++t) {
                        std::int64_t product = 1;
                        for (const auto& dim : united[t])
                            product *= static_cast<std::int64_t>(dim.size());
                        groupMost[t] = std::max(groupMost[t], product);
                    }
                }
                const auto text = space.draftText(draft);
                QCOMPARE(summary.loopTile, loopTile);
                QCOMPARE(summary.iterationsPerCore, busiest);
                QCOMPARE(summary.groupsUsed, groupsUsed);
                QCOMPARE(summary.coresUsed, coresUsed);
                QVERIFY(summary.bytesPerCore >= bytes);
                QVERIFY(!summary.uniform || busiest == leastBusy);
                for (std::size_t t = 0; t < most.size(); ++t) {
                    const auto& share = summary.tensors[t];
                    QVERIFY2(share.tileElements >= most[t], text.c_str());
                    QVERIFY2(share.groupElements >= groupMost[t], text.c_str());
                    QVERIFY2(share.tileElements <= *elementCount(kernel.tensors[t].shape), text.c_str());
                    QVERIFY2(share.coresPerCopy <= copies[t], text.c_str());
                    if (!source.plain)
                        continue;
                    QVERIFY2(share.tileElements == most[t], text.c_str());
                    QVERIFY2(share.coresPerCopy == copies[t], text.c_str());
                    if (draft.strategy == IndexStrategy::ExactSet)
                        QVERIFY2(share.groupElements == groupMost[t], text.c_str());
                }
                if (source.plain)
                    QCOMPARE(summary.bytesPerCore, bytes);
            }
        });
    }

    /// Every element of an output gathers exactly partialCores results in a group and partialGroups groups.
    void splitReductionsAreMergedOnce() {
        std::int64_t split = 0;
        overRandomSpaces(4, 150, [&split](Random& random, const TilingSpace& space, const RandomKernel&) {
            const auto& kernel = space.kernel();
            for (int n = 0; n < 4; ++n) {
                const Draft draft = randomDraft(random, space);
                const DraftSummary summary = space.summarize(draft);
                const auto write = std::find_if(kernel.accesses.begin(), kernel.accesses.end(),
                                                [](const TensorAccess& access) { return access.isWrite; });
                const auto& shape = kernel.tensors[static_cast<std::size_t>(write->tensor)].shape;
                std::map<std::vector<std::int64_t>, std::map<int, std::set<int>>>
                    holders; // element -> group -> cores
                for (int g = 0; g < space.resources().groups; ++g)
                    for (int c = 0; c < space.resources().coresPerGroup; ++c)
                        forEachPoint(space.tile(draft, g, c).loops,
                                     [&](const std::vector<std::int64_t>& point) {
                                         std::vector<std::int64_t> element;
                                         for (std::size_t d = 0; d < shape.size(); ++d) {
                                             element.push_back(at(write->index[d], point));
                                             if (element.back() < 0 || element.back() >= shape[d])
                                                 return;
                                         }
                                         holders[element][g].insert(c);
                                     });
                std::int64_t cores = 0, groups = 0;
                for (const auto& [element, byGroup] : holders) {
                    groups = std::max(groups, std::ssize(byGroup));
                    for (const auto& [group, coresOfGroup] : byGroup)
                        cores = std::max(cores, std::ssize(coresOfGroup));
                }
                const auto& share = summary.tensors[static_cast<std::size_t>(write->tensor)];
                QCOMPARE(share.partialCores, cores);
                QCOMPARE(share.partialGroups, groups);
                split += cores * groups > 1;
            }
        });
        QVERIFY(split > 20);
    }

    void capacityIsRespected() {
        std::int64_t refused = 0;
        overRandomSpaces(5, 60, [&refused](Random& random, const TilingSpace& whole, const RandomKernel&) {
            auto resources = whole.resources();
            resources.coreBytes = 1 + whole.summarize(randomDraft(random, whole)).bytesPerCore;
            const auto space = *TilingSpace::create(whole.kernel(), resources);
            EnumerationCounts counts;
            const auto kept = keptDrafts(*space, {}, &counts);
            QVERIFY(kept);
            refused += counts.byRule[static_cast<std::size_t>(PruneRule::Capacity)];
            for (std::size_t i = 0; i < kept->size(); i += 1 + kept->size() / 5)
                for (int g = 0; g < resources.groups; ++g)
                    for (int c = 0; c < resources.coresPerGroup; ++c) {
                        const auto tile = space->tile((*kept)[i], g, c);
                        std::int64_t bytes = 0;
                        for (const auto one : tile.tensorBytes)
                            bytes += one;
                        QVERIFY(bytes <= resources.coreBytes);
                    }
        });
        QVERIFY(refused > 0);
    }

    /// Rule 3 as the paper states it, by brute force: of all drafts with the same mappings and, for every
    /// set, the same working groups and the same worst core, exactly the one with the fewest cores stays.
    void rule3KeepsTheSmallestOfEachClass() {
        overRandomSpaces(6, 40, [](Random&, const TilingSpace& space, const RandomKernel&) {
            using Key = std::vector<std::int64_t>;
            std::map<Key, std::pair<std::int64_t, std::int64_t>>
                classes; // fewest cores; cores of the kept one
            const TilingOptions options{.rule1 = false, .rule2 = false, .bothStrategies = false};
            const auto counts = forEachDraft(space, options, [&](const Draft& draft, PruneRule rule) {
                Key key;
                std::int64_t cores = 1;
                for (std::size_t s = 0; s < draft.parts.size(); ++s) {
                    const auto& part = draft.parts[s];
                    const auto dim = space.sets()[s].mappings[static_cast<std::size_t>(part.mapping)].dim;
                    const auto extent = space.kernel()
                                            .tensors[static_cast<std::size_t>(dim.tensor)]
                                            .shape[static_cast<std::size_t>(dim.dim)];
                    const auto length = space.tileLength(draft, static_cast<int>(s));
                    std::int64_t working = 0;
                    for (std::int64_t g = 0; g < part.groups; ++g)
                        working += g * part.cores * length < extent;
                    key.insert(key.end(), {part.mapping, working, length});
                    cores *= static_cast<std::int64_t>(part.groups) * part.cores;
                }
                auto [one, isNew] = classes.try_emplace(key, cores, -1);
                one->second.first = std::min(one->second.first, cores);
                if (rule == PruneRule::Kept) {
                    if (one->second.second != -1)
                        one->second.second = -2;
                    else
                        one->second.second = cores;
                }
                return true;
            });
            QVERIFY(counts);
            for (const auto& [key, cores] : classes)
                QCOMPARE(cores.second, cores.first);
        });
    }

    /// Rule 2 takes nothing away that has no equal: whatever it removes, a kept draft has as many multi-data steps per core
    /// along the set they run along, the same in all other sets, and no more groups and cores. Multiples of the lanes,
    /// which are all that the rule as printed keeps, stay.
    void rule2KeepsADraftOfEveryNumberOfSteps() {
        std::int64_t removed = 0;
        overRandomSpaces(16, 40, [&removed](Random&, const TilingSpace& space, const RandomKernel&) {
            const auto lanes = space.resources().simdLanes;
            const TilingOptions options{.rule1 = false, .rule3 = false, .bothStrategies = false};
            const auto counts = forEachDraft(space, options, [&](const Draft& draft, PruneRule rule) {
                [&] {
                    if (rule != PruneRule::SimdMultiple)
                        return;
                    ++removed;
                    const int set = space.simdSet();
                    QVERIFY(space.tileLength(draft, set) % lanes != 0);
                    const auto reason = explain(space, options, draft);
                    QVERIFY(reason && reason->keptInstead);
                    const Draft& kept = *reason->keptInstead;
                    QCOMPARE((space.tileLength(kept, set) + lanes - 1) / lanes,
                             (space.tileLength(draft, set) + lanes - 1) / lanes);
                    for (std::size_t s = 0; s < draft.parts.size(); ++s) {
                        QVERIFY(kept.parts[s].groups <= draft.parts[s].groups &&
                                kept.parts[s].cores <= draft.parts[s].cores);
                        if (static_cast<int>(s) != set)
                            QCOMPARE(kept.parts[s], draft.parts[s]);
                    }
                }();
                return !QTest::currentTestFailed();
            });
            QVERIFY(counts);
        });
        QVERIFY(removed > 100);
    }

    void fastWalkKeepsAndCountsTheSame() {
        overRandomSpaces(7, 60, [](Random& random, const TilingSpace& space, const RandomKernel&) {
            TilingOptions options{.rule1 = random() % 4 != 0,
                                  .rule2 = random() % 4 != 0,
                                  .rule3 = random() % 4 != 0,
                                  .paperRule2 = random() % 4 == 0};
            const auto walk = [&](bool everyAllocation, std::vector<Draft>& kept) {
                options.everyAllocation = everyAllocation;
                options.walkLimit = 1'000'000;
                return *forEachDraft(space, options, [&](const Draft& draft, PruneRule rule) {
                    if (rule == PruneRule::Kept)
                        kept.push_back(draft);
                    return true;
                });
            };
            std::vector<Draft> every, fast;
            const auto slowCounts = walk(true, every), fastCounts = walk(false, fast);
            QCOMPARE(fast, every);
            QCOMPARE(fastCounts.enumerated, slowCounts.enumerated);
            QCOMPARE(fastCounts.byRule, slowCounts.byRule);
            QCOMPARE(fastCounts.passedOver, 0);
            std::int64_t sum = 0;
            for (const auto count : slowCounts.byRule)
                sum += count;
            QCOMPARE(sum, slowCounts.enumerated);
            QVERIFY(!every.empty());
            QCOMPARE(*keptDrafts(space, options, nullptr), every);
        });
    }

    void laddersWalkAPartOfTheKept() {
        std::set<Ladder> seen;
        overRandomSpaces(8, 60, [&seen](Random& random, const TilingSpace& space, const RandomKernel&) {
            TilingOptions options{.bothStrategies = false};
            EnumerationCounts all, some;
            const auto every = *keptDrafts(space, options, &all);
            options.everyAllocation = false;
            options.walkLimit = pick(random, 1, 200);
            const auto kept = *keptDrafts(space, options, &some);
            seen.insert(some.ladder);
            QVERIFY(!kept.empty());
            QCOMPARE(some.enumerated, all.enumerated);
            QCOMPARE(some.passedOver + std::ssize(kept), std::ssize(every));
            std::size_t next = 0; // same order, same drafts
            for (const auto& draft : kept) {
                while (next < every.size() && !(every[next] == draft))
                    ++next;
                QVERIFY(next < every.size());
            }
        });
        QVERIFY(seen.size() >= 4);
    }

    void explainAgreesWithTheWalk() {
        overRandomSpaces(9, 25, [](Random&, const TilingSpace& space, const RandomKernel&) {
            std::int64_t step = 0;
            const auto counts = forEachDraft(space, {}, [&](const Draft& draft, PruneRule rule) {
                if (step++ % 17 != 0)
                    return true;
                const auto reason = explain(space, {}, draft);
                [&] {
                    QVERIFY(reason);
                    QCOMPARE(reason->rule, rule);
                    QVERIFY(!reason->text.empty());
                    if (reason->keptInstead)
                        QCOMPARE(explain(space, {}, *reason->keptInstead)->rule, PruneRule::Kept);
                }();
                return !QTest::currentTestFailed();
            });
            QVERIFY(counts);
        });
    }

    void stopsWhenAsked() {
        const auto kernel = parseKernel(
            "def gemv(X[4096], W[4096][4096]):\n y = DCC.Tensor.zero([4096])\n for n in range(4096):\n"
            "  for k in range(4096):\n   y[n] += X[k] * W[n][k]\n");
        const auto space =
            *TilingSpace::create(*kernel, {.groups = 80, .coresPerGroup = 64, .simdLanes = 16});
        std::int64_t visits = 0;
        QVERIFY(forEachDraft(*space, {}, [&](const Draft&, PruneRule) { return ++visits < 10; }));
        QCOMPARE(visits, 10);
        std::stop_source stop;
        visits = 0;
        const auto cancelled = forEachDraft(
            *space, {},
            [&](const Draft&, PruneRule) {
                if (++visits == 5000)
                    stop.request_stop();
                return true;
            },
            TaskContext{.stop = stop.get_token()});
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        QVERIFY(visits < 7000);
        EnumerationCounts counts;
        QCOMPARE(keptDrafts(*space, {.maxKept = 100}, &counts)->size(), 100U);
        QVERIFY(counts.truncated);
    }

    /// The paper counts [1..k] groups and [1..m] cores for every set; the product may not exceed what there
    /// is.
    void countsOfTheLargeGemv() {
        const auto kernel = parseKernel(
            "def gemv(X[4096], W[4096][4096]):\n y = DCC.Tensor.zero([4096])\n for n in range(4096):\n"
            "  for k in range(4096):\n   y[n] += X[k] * W[n][k]\n");
        const auto space =
            *TilingSpace::create(*kernel, {.groups = 80, .coresPerGroup = 64, .simdLanes = 16});
        std::int64_t groups = 0, cores = 0;
        for (int first = 1; first <= 80; ++first)
            groups += 80 / first;
        for (int first = 1; first <= 64; ++first)
            cores += 64 / first;
        EnumerationCounts counts;
        QVERIFY(keptDrafts(*space, {}, &counts));
        QCOMPARE(counts.enumerated, groups * cores * 2 * 2);
    }

    void refusesWhatItCannotSplit() {
        const auto create = [](const std::string& text,
                               TilingResources resources = {.groups = 2, .coresPerGroup = 2}) {
            return TilingSpace::create(*parseKernel(text), resources);
        };
        const auto pool = create("def f(X[9]):\n y = DCC.Tensor.zero([1])\n for h in range(4):\n  for r in "
                                 "range(3):\n   y[0] += X[h*2+r]\n");
        QVERIFY(!pool);
        QCOMPARE(pool.error().code, ErrorCode::Unsupported);
        const auto transposed = create(
            "def f(X[4], W[3]):\n y = DCC.Tensor.zero([9])\n for h in range(4):\n  for r in range(3):\n   "
            "y[h*2+r] += X[h] * W[r]\n");
        QVERIFY(!transposed);
        QVERIFY(transposed.error().message.find("written through h*2+r") != std::string::npos);
        const auto lookup =
            create("def f(T[9]: f16, I[4]: i32, Y[4]: f16):\n for l in range(4):\n  Y[l] = T[I[l]]\n");
        QVERIFY(!lookup);
        QCOMPARE(lookup.error().code, ErrorCode::Unsupported);
        QVERIFY2(lookup.error().message.find("elements of T are looked up") != std::string::npos,
                 lookup.error().message.c_str());
        const std::string gemv = "def f(X[4], Y[4]):\n for i in range(4):\n  Y[i] = X[i]\n";
        QVERIFY(!create(gemv, {.groups = 0}));
        QVERIFY(!create(gemv, {.groups = 1 << 20, .coresPerGroup = 1 << 20}));
        QVERIFY(create(gemv));
        Kernel broken = *parseKernel(gemv);
        broken.accesses[0].index[0].terms[0].loop = 7;
        QCOMPARE(TilingSpace::create(broken, {}).error().code, ErrorCode::InvalidKernel);
        broken = *parseKernel(gemv);
        broken.loops[0].extent = 0;
        QVERIFY(!TilingSpace::create(broken, {}));
        broken = *parseKernel(gemv);
        broken.accesses[0].tensor = -1;
        QVERIFY(!TilingSpace::create(broken, {}));
    }

    /// Head dimension split over cores: scores are partial until merged; split keys leave partial outputs.
    void attentionSaysWhereScoresArePartial() {
        const auto kernel = parseKernel(
            "def a(Q[4][8], K[16][8], V[16][8]):\n o = DCC.Tensor.zero([4, 8])\n for m in range(4):\n"
            "  for l in range(16):\n   for d in range(8):\n"
            "    o[m][d] += softmax(Q[m][d] * K[l][d]) * V[l][d]\n");
        const auto space = *TilingSpace::create(*kernel, {.groups = 2, .coresPerGroup = 4});
        QCOMPARE(space->sets().size(), 3U);
        Draft draft{std::vector<DraftPart>(3)};
        for (std::size_t s = 0; s < 3; ++s)
            if (space->sets()[s].loops == std::vector<int>{2})
                draft.parts[s].cores = 4;
            else if (space->sets()[s].loops == std::vector<int>{1})
                draft.parts[s].groups = 2;
        const auto summary = space->summarize(draft);
        QCOMPARE(summary.scorePartialCores, 4);
        QCOMPARE(summary.scorePartialGroups, 1);
        QCOMPARE(summary.tensors[3].partialCores, 1);
        QCOMPARE(summary.tensors[3].partialGroups, 2);
    }
};

QTEST_GUILESS_MAIN(TestProperties)
#include "tst_core_tiling_properties.moc"
