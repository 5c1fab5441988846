// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is known about drafts beside the list of them: figures of their shape, which were simulated, which
/// two are compared, and how far predictions of this machine are off. One for a workspace; the views about
/// drafts share it.
#include "core/compile/compare.h"
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"

#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <optional>

namespace pim::views {

class Workspace;

/// A draft with what it takes to look at it while another op is selected.
struct BoardDraft {
    std::shared_ptr<const TilingSpace> space;
    std::shared_ptr<const Target> target;
    std::vector<TensorPlan> tensors; ///< Residency its price assumes.
    QString op;
    Draft draft;
    std::optional<CostSplit> predicted; ///< Absent: it was rejected before it was priced.
    std::optional<CostSplit> simulated;
    bool asPlanned = false; ///< Priced among its neighbours in the plan, not alone as explored drafts are.

    QString text() const { return QString::fromStdString(space->draftText(draft)); }
    /// Simulated where it is, else predicted.
    const CostSplit* cost() const { return simulated ? &*simulated : predicted ? &*predicted : nullptr; }
    Origin origin() const { return simulated ? Origin::Simulated : Origin::Predicted; }
    Facts facts() const; ///< Of its shape, and of \ref cost() if there is one.
};

/// Figures of the shape of all drafts of an exploration, for plots: the kept ones, then the rejected ones.
struct DraftShapes {
    std::shared_ptr<const Exploration> exploration;
    std::vector<double> bytesPerCore, coresUsed, movedBytes; ///< Moved: to and from the groups.
};

class DraftBoard : public QObject {
    Q_OBJECT
public:
    /// The one of \p workspace; made when first asked for and owned by it.
    static DraftBoard& of(Workspace& workspace);

    /// Null while they are worked out or if there is no exploration.
    std::shared_ptr<const DraftShapes> shapes() const { return m_shapes; }

    /// A draft of the exploration shown, by its position; null if it was not simulated.
    const SimulatedDraft* simulated(std::size_t position) const;
    std::size_t simulatedCount() const; ///< Of the exploration shown, those that could not be included.
    /// Starts a task; results are kept while the exploration lives. Positions already simulated are left out.
    void simulate(std::vector<std::size_t> positions);
    void cancelSimulation();
    bool isSimulating() const { return m_task != 0; }

    /// Of this machine: ops of the plan that were simulated, and drafts.
    std::optional<PredictionError> knownError() const;

    /// A is the draft in force unless one is kept, B the one selected (else the one in force).
    std::optional<BoardDraft> a() const { return m_kept ? m_kept : inForce(); }
    std::optional<BoardDraft> b() const;
    std::optional<BoardDraft> inForce() const;
    bool isAKept() const { return m_kept.has_value(); }
    void keepA(std::optional<BoardDraft> draft); ///< Absent: A is the draft in force again.
    /// A draft of the exploration shown, or of the plan, with all that is known about it.
    std::optional<BoardDraft> lookUp(const Draft& draft) const;

signals:
    void changed();         ///< Simulated drafts, the known error, shapes.
    void comparedChanged(); ///< A or B.

private:
    explicit DraftBoard(Workspace& workspace);
    struct Simulated {
        std::weak_ptr<const Exploration> alive;
        std::shared_ptr<const Target> target;
        std::map<std::size_t, SimulatedDraft> drafts;
        std::vector<PredictedSimulated> pairs; ///< Of those that could be simulated.
    };
    void takeExploration();
    void takeSimulated(const std::shared_ptr<const Exploration>& exploration,
                       std::vector<SimulatedDraft> drafts);
    const Simulated* simulatedOf(const Exploration* exploration) const;

    Workspace& m_workspace;
    std::shared_ptr<const DraftShapes> m_shapes;
    std::shared_ptr<const Exploration> m_exploration; ///< That m_shapes is, or will be, of.
    std::map<const Exploration*, Simulated> m_simulated;
    std::optional<BoardDraft> m_kept;
    int m_task = 0, m_shapeTask = 0;
};

} // namespace pim::views
