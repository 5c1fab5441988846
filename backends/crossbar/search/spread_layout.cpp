// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/spread_layout.h"

#include "backends/crossbar/search/search.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

constexpr double kWorthIt = 0.997;   // a change is kept if a sample then takes at most this part
constexpr int kMostFailures = 4;     // of a change
constexpr std::size_t kTogether = 4; // estimated before the best of them is kept; [measured: 2 find no more]
constexpr double kLeastWait = 0.002; // of a sample: what nobody waits for may be in the way all the same
/// Part of the changes of a kind that make something better, before there is experience with this network.
/// [measured by the rules of PIMCOMP-NN, products of 800 and 4000 ns, five networks, 80 tries from each of 28
/// starts; the rarest rounded up]
constexpr double kHopes[] = {0.10, 0.05, 0.03, 0.07, 0.17, 0.13, 0.04, 0.11, 0.04, 0.15, 0.06, 0.04};
static_assert(std::size(kHopes) == std::size_t(LayoutChange::Kind::Count));
constexpr int kTriesOfHope = 10; // what that counts beside experience

} // namespace

LayoutSpreader::LayoutSpreader(const CrossbarLayout& start) : LayoutSpreader(start, pipelineTimes(start)) {}

LayoutSpreader::LayoutSpreader(const CrossbarLayout& start, const RowPipelineTimes& times)
    : m_changes(start.model()), m_records() {
    m_changes.setBase(start, times);
    m_met.emplace_back(times.ns, start);
}

/// What a sample waits for most comes first, what failed or seldom helps later.
double LayoutSpreader::rankOf(const LayoutChange& change) const {
    const auto kind = std::size_t(change.kind);
    const Record& record = m_records[kind];
    const double hope = (record.better + kHopes[kind] * kTriesOfHope) / double(record.tried + kTriesOfHope);
    const auto failures = m_failures.find(change.key());
    return (change.waitNs + kLeastWait * ns()) * hope *
           std::pow(0.5, failures == m_failures.end() ? 0 : failures->second);
}

void LayoutSpreader::run(int tries, const TaskContext& task) {
    struct Try {
        LayoutChange change;
        CrossbarLayout layout;
        RowPipelineTimes times;
    };
    std::vector<LayoutChange> changes = m_changes.all();
    while (tries > 0 && !task.cancelled()) {
        std::ranges::stable_sort(changes, {}, [&](const LayoutChange& change) { return -rankOf(change); });
        std::vector<Try> next;
        for (const LayoutChange& change : changes) {
            if (next.size() == std::min(std::size_t(tries), kTogether))
                break;
            int& failures = m_failures[change.key()];
            if (failures >= kMostFailures)
                continue;
            if (std::optional<CrossbarLayout> layout = m_changes.made(change, failures++))
                next.push_back({change, std::move(*layout), {}});
        }
        if (next.empty())
            return;
        const double limitNs = ns() * kWorthIt;
        parallelFor(next.size(), 0,
                    [&](std::size_t i) { next[i].times = pipelineTimes(next[i].layout, limitNs); });
        tries -= int(next.size());
        m_tried += int(next.size());
        for (const Try& one : next)
            ++m_records[std::size_t(one.change.kind)].tried;
        Try& best = *std::ranges::min_element(next, {}, [](const Try& one) { return one.times.ns; });
        if (best.times.ns > limitNs)
            continue;
        ++m_records[std::size_t(best.change.kind)].better;
        for (auto& [key, failures] : m_failures)
            failures /= 2; // it is another layout now
        m_failures[best.change.key()] = 0;
        m_changes.setBase(best.layout, best.times);
        m_met.emplace_back(best.times.ns, std::move(best.layout));
        changes = m_changes.all();
    }
}

} // namespace pim
