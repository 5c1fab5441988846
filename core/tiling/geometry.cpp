// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tiling/geometry.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pim::tiling {

Cut Cut::make(const Mapping& mapping, std::int64_t loopExtent, std::int64_t extent, std::int64_t parts) {
    const std::int64_t length = ceilDiv(extent, parts);
    return {mapping.coefficient, mapping.constant, loopExtent, extent, length, ceilDiv(extent, length)};
}

std::int64_t Cut::tileOf(std::int64_t value) const {
    const std::int64_t index = coefficient * value + constant;
    return index < 0 ? 0 : std::min(index / length, tiles - 1);
}

Range Cut::range(std::int64_t tile) const {
    if (tile < 0 || tile >= tiles)
        return {0, 0};
    const std::int64_t begin = tile * length, end = begin + length;
    const bool isFirst = tile == 0, isLast = tile == tiles - 1;
    std::int64_t low = 0, high = loopExtent;
    if (coefficient == 1) {
        low = isFirst ? 0 : begin - constant;
        high = isLast ? loopExtent : end - constant;
    } else if (coefficient > 0) {
        low = isFirst ? 0 : ceilDiv(begin - constant, coefficient);
        high = isLast ? loopExtent : ceilDiv(end - constant, coefficient);
    } else {
        low = isLast ? 0 : floorDiv(constant - end, -coefficient) + 1;
        high = isFirst ? loopExtent : floorDiv(constant - begin, -coefficient) + 1;
    }
    low = std::clamp<std::int64_t>(low, 0, loopExtent);
    high = std::clamp<std::int64_t>(high, low, loopExtent);
    return {low, high};
}

WorkingTiles WorkingTiles::of(const Cut& cut, std::int64_t perGroup) {
    WorkingTiles w;
    w.longest = w.shortest = cut.loopExtent;
    if (cut.tiles == 1)
        return w;
    const std::int64_t slope = cut.coefficient < 0 ? -cut.coefficient : cut.coefficient;
    w.first = cut.tileOf(0);
    w.last = cut.tileOf(cut.loopExtent - 1);
    if (w.first > w.last)
        std::swap(w.first, w.last);
    w.longest = 0;
    w.shortest = std::numeric_limits<std::int64_t>::max();
    const auto look = [&](std::int64_t tile) {
        const std::int64_t length = lengthOf(cut.range(tile));
        if (length == 0)
            return false;
        w.longest = std::max(w.longest, length);
        w.shortest = std::min(w.shortest, length);
        return true;
    };
    if (slope <= cut.length) { // no tile between the first and the last is skipped
        w.count = w.last - w.first + 1;
        look(w.first);
        look(w.last);
        if (w.count > 2) {
            // Inner tiles repeat after slope / gcd(slope, length) tiles; mostly all are alike.
            const std::int64_t period = slope == 1 ? 1 : slope / std::gcd(slope, cut.length);
            for (std::int64_t tile = w.first + 1; tile <= std::min(w.first + period, w.last - 1); ++tile)
                look(tile);
        }
        const std::int64_t firstGroup = w.first / perGroup, lastGroup = w.last / perGroup;
        w.groupsUsed = lastGroup - firstGroup + 1;
        w.coresUsed = w.groupsUsed == 1   ? w.count
                      : w.groupsUsed == 2 ? std::max(perGroup - w.first % perGroup, w.last % perGroup + 1)
                                          : perGroup;
        return w;
    }
    w.count = w.groupsUsed = w.coresUsed = 0;
    std::int64_t inGroup = 0, group = -1;
    for (std::int64_t tile = w.first; tile <= w.last; ++tile) {
        if (!look(tile))
            continue;
        ++w.count;
        if (tile / perGroup != group) {
            group = tile / perGroup;
            ++w.groupsUsed;
            inGroup = 0;
        }
        w.coresUsed = std::max(w.coresUsed, ++inGroup);
    }
    return w;
}

namespace {

std::int64_t lastOf(const IndexRun& run) {
    return run.begin + (run.count - 1) * run.step;
}

/// The indices of one function as runs: starts from the constant and adds one variable after the other,
/// smallest coefficient first. Returns false where there would be too many runs.
bool sumSet(const AffineExpr& expr, const std::vector<Range>& ranges, std::vector<IndexRun>& out) {
    struct Step {
        std::int64_t size, count;
    };
    std::int64_t begin = expr.constant;
    thread_local std::vector<Step> steps;
    steps.clear();
    for (const auto& term : expr.terms) {
        const auto& range = ranges[static_cast<std::size_t>(term.loop)];
        const std::int64_t count = lengthOf(range);
        begin += term.coefficient * (term.coefficient > 0 ? range.first : range.second - 1);
        if (count > 1)
            steps.push_back({term.coefficient > 0 ? term.coefficient : -term.coefficient, count});
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.size < b.size; });
    const std::size_t from = out.size();
    out.push_back({begin, 1, 1});
    for (const auto& step : steps) {
        if (out.size() == from + 1) { // still one run: most often it just grows
            IndexRun& run = out.back();
            if (run.count == 1) {
                run = {run.begin, step.count, step.size};
                continue;
            }
            if (step.size % run.step == 0 && step.size <= run.count * run.step) {
                run.count += (step.count - 1) * (step.size / run.step);
                continue;
            }
        }
        const std::size_t have = out.size() - from;
        if (static_cast<std::size_t>(step.count) > kMaxIrregular / have)
            return false;
        for (std::int64_t copy = 1; copy < step.count; ++copy)
            for (std::size_t i = 0; i < have; ++i) {
                IndexRun run = out[from + i];
                run.begin += copy * step.size;
                out.push_back(run);
            }
    }
    return true;
}

bool clip(IndexRun& run, std::int64_t extent) {
    if (run.begin < 0) {
        const std::int64_t skip = std::min(run.count, ceilDiv(-run.begin, run.step));
        run.begin += skip * run.step;
        run.count -= skip;
    }
    if (run.count > 0 && lastOf(run) >= extent)
        run.count = run.begin >= extent ? 0 : (extent - 1 - run.begin) / run.step + 1;
    if (run.count == 1)
        run.step = 1;
    return run.count > 0;
}

/// Sorts and joins runs [from, end) of \p runs; false where irregular ones are too many.
bool unite(std::vector<IndexRun>& runs, std::size_t from) {
    if (runs.size() - from <= 1)
        return true;
    const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(from);
    const bool dense = std::all_of(begin, runs.end(), [](const IndexRun& run) { return run.step == 1; });
    if (dense) {
        std::sort(begin, runs.end(), [](const IndexRun& a, const IndexRun& b) { return a.begin < b.begin; });
        std::size_t keep = from;
        for (std::size_t i = from + 1; i < runs.size(); ++i) {
            IndexRun& last = runs[keep];
            if (runs[i].begin <= last.begin + last.count)
                last.count = std::max(last.count, runs[i].begin + runs[i].count - last.begin);
            else
                runs[++keep] = runs[i];
        }
        runs.resize(keep + 1);
        return true;
    }
    thread_local std::vector<std::int64_t> all;
    all.clear();
    for (std::size_t i = from; i < runs.size(); ++i) {
        if (static_cast<std::size_t>(runs[i].count) > kMaxIrregular - all.size())
            return false;
        for (std::int64_t n = 0; n < runs[i].count; ++n)
            all.push_back(runs[i].begin + n * runs[i].step);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    runs.resize(from);
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i + 1;
        const std::int64_t step = end < all.size() ? all[end] - all[i] : 1;
        while (end < all.size() && all[end] - all[end - 1] == step)
            ++end;
        if (end - i == 2 && step != 1) // two far apart are no progression worth the name
            end = i + 1;
        runs.push_back({all[i], static_cast<std::int64_t>(end - i), end - i == 1 ? 1 : step});
        i = end;
    }
    return true;
}

void expand(const std::vector<AffineExpr>& exprs, const std::vector<Range>& ranges, std::int64_t extent,
            bool inside, std::vector<IndexRun>& out) {
    std::int64_t low = std::numeric_limits<std::int64_t>::max(),
                 high = std::numeric_limits<std::int64_t>::min();
    for (const auto& expr : exprs) {
        std::int64_t least = expr.constant, most = expr.constant;
        for (const auto& term : expr.terms) {
            const auto& range = ranges[static_cast<std::size_t>(term.loop)];
            least += term.coefficient * (term.coefficient > 0 ? range.first : range.second - 1);
            most += term.coefficient * (term.coefficient > 0 ? range.second - 1 : range.first);
        }
        if (inside) {
            least = std::max<std::int64_t>(least, 0);
            most = std::min(most, extent - 1);
            if (least > most)
                continue;
        }
        low = std::min(low, least);
        high = std::max(high, most);
    }
    if (low <= high)
        out.push_back({low, high - low + 1, 1});
}

} // namespace

void collectIndices(const std::vector<AffineExpr>& exprs, const std::vector<Range>& ranges,
                    IndexStrategy strategy, std::int64_t extent, bool inside, std::vector<IndexRun>& out) {
    const std::size_t from = out.size();
    if (strategy == IndexStrategy::ExactSet) {
        bool ok = true;
        for (const auto& expr : exprs)
            ok = ok && sumSet(expr, ranges, out);
        if (ok && inside)
            out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(),
                                     [extent](IndexRun& run) { return !clip(run, extent); }),
                      out.end());
        if (ok && unite(out, from))
            return;
        out.resize(from);
    }
    expand(exprs, ranges, extent, inside, out);
}

} // namespace pim::tiling
