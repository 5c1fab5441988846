// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a request of the open network costs on its machine with products as look-up tables of given sizes. Compiled on a worker, one
/// after the other, with the options in force and without decisions; kept until network, machine or options change.
/// Flow: sizes of layers -> compile, simulate -> LutCost -> accuracy-latency-energy front, what-if.
#include "core/base/result.h"

#include <QObject>

#include <deque>
#include <map>
#include <optional>
#include <string>

namespace pim::views {

class Workspace;

/// Sub-vectors and centroids of converted layers, by the names of their ops.
struct LutLayerSize {
    std::int64_t length = 0, centroids = 0; ///< V, CT
};
using LutSizes = std::map<std::string, LutLayerSize>;

struct LutCost {
    double ns = 0;                  ///< From a request to its result.
    bool simulated = false;         ///< Else predicted.
    std::optional<double> energyPj; ///< Of machine and host; absent: unknown.
};

class LutPlans : public QObject {
    Q_OBJECT
public:
    /// The one of a window; made at the first call, lives as long as the workspace.
    static LutPlans* of(Workspace& workspace);

    /// Null: not known yet; it is computed, and changed() tells. Errors: those of buildGraph() and compile().
    const Result<LutCost>* costOf(const LutSizes& sizes);
    bool isBusy() const { return m_task != 0; }

signals:
    void changed();

private:
    explicit LutPlans(Workspace& workspace);
    void forget();
    void beginNext();

    Workspace& m_workspace;
    std::map<std::string, Result<LutCost>> m_known; ///< By optionsText().
    std::deque<std::pair<std::string, LutSizes>> m_waiting;
    int m_task = 0;
    std::string m_current;       ///< Being computed.
    std::string m_options;       ///< Of all that is known, as optionsJson(); empty: nothing is known.
    std::int64_t m_revision = 0; ///< What an earlier one tells late is not heard.
};

} // namespace pim::views
