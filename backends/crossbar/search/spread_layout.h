// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// LL: a layout made better by changes that reach several layers at once, as long as a sample then takes less
/// time. Flow: start layout -> LayoutChanges -> RowPipelineTimes -> [LayoutSpreader] -> best layout.
#include "backends/crossbar/search/layout_changes.h"
#include "core/base/task.h"

#include <array>
#include <map>

namespace pim {

class LayoutSpreader {
public:
    explicit LayoutSpreader(const CrossbarLayout& start);
    /// \p times: of \p start, as pipelineTimes() has them.
    LayoutSpreader(const CrossbarLayout& start, const RowPipelineTimes& times);

    /// Goes on from the best so far. \p tries: estimates at most; fewer where nothing is left to try, or once
    /// \p task is cancelled. The same tries give the same layouts.
    void run(int tries, const TaskContext& task = {});
    const CrossbarLayout& best() const { return m_met.back().second; }
    double ns() const { return m_met.back().first; } ///< Of the best, by rowPipelineTimes().
    int tried() const { return m_tried; }            ///< Estimates, by all runs.
    /// Every layout that was the best when it was met, the start first, and its time.
    const std::vector<std::pair<double, CrossbarLayout>>& met() const { return m_met; }

private:
    struct Record {
        int tried = 0, better = 0;
    };
    double rankOf(const LayoutChange& change) const;

    LayoutChanges m_changes;
    std::vector<std::pair<double, CrossbarLayout>> m_met;
    std::map<decltype(LayoutChange().key()), int> m_failures; ///< Of a change since something was better.
    std::array<Record, std::size_t(LayoutChange::Kind::Count)> m_records;
    int m_tried = 0;
};

} // namespace pim
