// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ops run on their DPU for the panels of a window: the selected one, worked out once for all panels that are seen, and
/// the place of every op under its roofline. Flow: Workspace -> [runOnDpu on a worker] -> panels.
#include "backends/upmem/op_run.h"
#include "core/timeline/timeline.h"
#include "views/models/op_source.h"

#include <set>

namespace pim::views {

class TimelineLevels;

/// An op that was run, with what takes long to make of it.
struct OpShown {
    std::shared_ptr<const upmem::OpOnDpu> run;
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const TimelineLevels> levels; ///< Of the timeline.
};
/// For worker threads: takes time by the number of spans.
std::shared_ptr<const OpShown> shownOf(std::shared_ptr<const upmem::OpOnDpu> run);

bool isOnDpus(const Plan& plan, OpId op);
/// Ops of the plan that run on DPUs, with their names, in the order of the graph.
std::vector<std::pair<OpId, QString>> opsOnDpus(const Plan& plan);
/// Why there are no DPUs to show, and what to do; empty: there are. \p plan may be null.
QString whyNoDpus(const Plan* plan);
/// Why an op of a plan with DPUs cannot be looked at on one; empty: it can.
QString whyNotOnDpu(const Plan& plan, OpId op);

class OpRuns : public QObject {
    Q_OBJECT
public:
    /// The one of a window; made at the first call, lives as long as the workspace.
    static OpRuns* of(Workspace& workspace);

    void setWanted(const QObject* panel, bool wanted); ///< Nothing is run while no panel wants it.
    std::shared_ptr<const OpShown> shown() const; ///< Of plan and selection of now; null: note() says why.
    bool isWorking() const;                       ///< It will come.
    QString note() const;

signals:
    void changed();

private:
    explicit OpRuns(Workspace& workspace);
    QString whyNot() const;
    void update();

    Workspace& m_workspace;
    OpSource* m_source;
    std::set<const QObject*> m_panels;
};

/// An op under its ceilings.
struct RooflineDot {
    OpId op;
    QString name, type;
    int tasklets = 0;
    upmem::DpuRoofline roofline;

    double intensity() const; ///< Operations a byte of MRAM; infinite where none moves.
    double operationsPerCycle() const;
    double ceiling() const; ///< The least of pipeline, tasklets and MRAM, operations a cycle.
    enum class Bound { Pipeline, Tasklets, Mram };
    Bound bound() const;
};
QString name(RooflineDot::Bound bound);

/// Of all ops on DPUs of the plan. Ops that are the same kernel, cut alike, are run once.
Result<std::vector<RooflineDot>> rooflineOf(const Plan& plan, const TaskContext& task);

} // namespace pim::views
