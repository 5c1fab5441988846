// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/op_runs.h"

#include "views/common/text.h"
#include "views/common/timeline_levels.h"
#include "views/upmem/tasklet_timeline.h"

#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <mutex>

namespace pim::views {
namespace {

constexpr const char* kBackend = "upmem";
constexpr std::size_t kKept = 4; ///< Runs with their spans, so that going back to an op costs nothing.

/// Runs made lately; asked from worker threads.
class RunCache {
public:
    std::shared_ptr<const OpShown> find(const std::shared_ptr<const Plan>& plan, OpId op) {
        const std::lock_guard lock(m_mutex);
        for (auto entry = m_entries.begin(); entry != m_entries.end(); ++entry)
            if (entry->plan == plan && entry->op == op) {
                m_entries.splice(m_entries.begin(), m_entries, entry);
                return entry->shown;
            }
        return nullptr;
    }
    void add(std::shared_ptr<const Plan> plan, OpId op, std::shared_ptr<const OpShown> shown) {
        const std::lock_guard lock(m_mutex);
        m_entries.push_front({std::move(plan), op, std::move(shown)});
        if (m_entries.size() > kKept)
            m_entries.pop_back();
    }

private:
    struct Entry {
        std::shared_ptr<const Plan> plan;
        OpId op;
        std::shared_ptr<const OpShown> shown;
    };
    std::mutex m_mutex;
    std::list<Entry> m_entries; ///< Asked for last first.
};

OpSource::Work workOf(std::shared_ptr<RunCache> cache) {
    return [cache](const Backend&, const std::shared_ptr<const Plan>& plan, OpId op,
                   const TaskContext& task) -> Result<std::shared_ptr<const void>> {
        auto shown = cache->find(plan, op);
        if (!shown) {
            PIM_TRY(auto run, upmem::runOnDpu(*plan, op, task));
            shown = shownOf(std::move(run));
            cache->add(plan, op, shown);
        }
        return std::shared_ptr<const void>(std::move(shown));
    };
}

/// Ops with equal ones do the same on a DPU.
using KernelKey = std::tuple<const TilingSpace*, std::string, std::vector<Residency>, bool>;
KernelKey keyOf(const OpPlan& op) {
    std::vector<Residency> residency;
    for (const TensorPlan& tensor : op.tensors)
        residency.push_back(tensor.residency);
    return {op.space.get(), op.space && op.draft ? op.space->draftText(*op.draft) : std::string(),
            std::move(residency), op.takesFrom.valid()};
}

} // namespace

std::shared_ptr<const OpShown> shownOf(std::shared_ptr<const upmem::OpOnDpu> run) {
    auto shown = std::make_shared<OpShown>();
    shown->run = std::move(run);
    shown->timeline = std::make_shared<const Timeline>(taskletTimeline(*shown->run));
    shown->levels = std::make_shared<const TimelineLevels>(*shown->timeline);
    return shown;
}

bool isOnDpus(const Plan& plan, OpId op) {
    const OpPlan& planned = plan.opPlan(op);
    return !planned.onHost() && targetOf(plan, planned.placement).backend == kBackend;
}

std::vector<std::pair<OpId, QString>> opsOnDpus(const Plan& plan) {
    auto ops = pimOps(plan);
    std::erase_if(ops, [&](const auto& op) { return !isOnDpus(plan, op.first); });
    return ops;
}

QString whyNoDpus(const Plan* plan) {
    if (!plan)
        return OpRuns::tr("Open a model and choose UPMEM modules as its target, such as upmem-20.");
    bool any = plan->target->backend == kBackend;
    for (const Device& device : plan->devices)
        any = any || device.target->backend == kBackend;
    return any ? QString()
               : OpRuns::tr("%1 has no DPUs. Choose UPMEM modules as the target, such as upmem-20.")
                     .arg(text(plan->target->name));
}

QString whyNotOnDpu(const Plan& plan, OpId op) {
    if (!op.valid() || op.index() >= plan.ops.size())
        return opsOnDpus(plan).empty()
                   ? OpRuns::tr("No operator of this plan runs on DPUs: all are faster on the host, or in a "
                                "type DPUs do not compute in. Try the type i8 or i16.")
                   : OpRuns::tr("Select an operator that runs on DPUs, in the graph or above.");
    if (isOnDpus(plan, op))
        return {};
    const QString name = text(plan.graph->op(op).name);
    const OpPlan& planned = plan.opPlan(op);
    return planned.onHost()
               ? OpRuns::tr("%1 does not run on DPUs. %2. Place it there, or select an operator that "
                            "runs on DPUs.")
                     .arg(name, text(planned.reason))
               : OpRuns::tr("%1 runs on %2, which has no DPUs. Select an operator that runs on DPUs.")
                     .arg(name, text(deviceName(plan, planned.placement)));
}

OpRuns* OpRuns::of(Workspace& workspace) {
    if (auto* made = workspace.findChild<OpRuns*>(QString(), Qt::FindDirectChildrenOnly))
        return made;
    return new OpRuns(workspace);
}

OpRuns::OpRuns(Workspace& workspace)
    : QObject(&workspace), m_workspace(workspace),
      m_source(
          new OpSource(workspace, tr("Running %1 on a DPU"), workOf(std::make_shared<RunCache>()), this)) {
    connect(m_source, &OpSource::changed, this, &OpRuns::changed);
    connect(&workspace, &Workspace::planChanged, this, &OpRuns::update);
    connect(&workspace, &Workspace::selectionChanged, this, &OpRuns::update);
}

void OpRuns::setWanted(const QObject* panel, bool wanted) {
    if (wanted)
        m_panels.insert(panel);
    else
        m_panels.erase(panel);
    update();
}

void OpRuns::update() {
    m_source->setWanted(!m_panels.empty() && whyNot().isEmpty());
    emit changed();
}

QString OpRuns::whyNot() const {
    const auto plan = m_workspace.plan();
    if (const QString none = whyNoDpus(plan.get()); !none.isEmpty())
        return none;
    return whyNotOnDpu(*plan, m_workspace.selection().op);
}

std::shared_ptr<const OpShown> OpRuns::shown() const {
    const bool isOfNow =
        m_source->plan() == m_workspace.plan() && m_source->op() == m_workspace.selection().op;
    return isOfNow && whyNot().isEmpty() ? m_source->result<OpShown>() : nullptr;
}

bool OpRuns::isWorking() const {
    if (m_workspace.isStale())
        return m_workspace.plan() != nullptr || !m_workspace.tasks()->entries().isEmpty();
    return whyNot().isEmpty() && (m_source->isStale() || m_source->plan() != m_workspace.plan() ||
                                  m_source->op() != m_workspace.selection().op);
}

QString OpRuns::note() const {
    if (isWorking())
        return m_workspace.isStale() ? tr("The network is being planned.")
                                     : tr("The operator is being run on a DPU.");
    const QString reason = whyNot();
    return reason.isEmpty() ? m_source->note() : reason;
}

double RooflineDot::intensity() const {
    return roofline.mramBytes > 0 ? roofline.operations / roofline.mramBytes
                                  : std::numeric_limits<double>::infinity();
}

double RooflineDot::operationsPerCycle() const {
    return roofline.cycles > 0 ? roofline.operations / roofline.cycles : 0;
}

double RooflineDot::ceiling() const {
    return std::min(roofline.operationsPerCycleMost * std::min(1.0, roofline.taskletCeiling),
                    roofline.bytesPerCycleMost * intensity());
}

RooflineDot::Bound RooflineDot::bound() const {
    const double issue = roofline.operationsPerCycleMost * std::min(1.0, roofline.taskletCeiling);
    if (roofline.bytesPerCycleMost * intensity() < issue)
        return Bound::Mram;
    return roofline.taskletCeiling < 1 ? Bound::Tasklets : Bound::Pipeline;
}

QString name(RooflineDot::Bound bound) {
    switch (bound) {
    case RooflineDot::Bound::Pipeline:
        return OpRuns::tr("pipeline");
    case RooflineDot::Bound::Tasklets:
        return OpRuns::tr("too few tasklets");
    case RooflineDot::Bound::Mram:
        return OpRuns::tr("MRAM bandwidth");
    }
    return {};
}

Result<std::vector<RooflineDot>> rooflineOf(const Plan& plan, const TaskContext& task) {
    std::map<KernelKey, std::optional<RooflineDot>> known; // nothing: it cannot be run
    std::vector<RooflineDot> dots;
    const auto ops = opsOnDpus(plan);
    std::int64_t done = 0;
    std::optional<Error> refused;
    TaskContext silent{task.stop, {}};
    for (const auto& [op, name] : ops) {
        if (task.cancelled())
            return TaskContext::cancelledError("the roofline");
        task.report("running ops", done++, std::ssize(ops));
        const auto [entry, isNew] = known.try_emplace(keyOf(plan.opPlan(op)));
        if (isNew) {
            const auto run = upmem::runOnDpu(plan, op, silent);
            if (run)
                entry->second = RooflineDot{op, {}, {}, (*run)->tasklets, (*run)->roofline};
            else if (run.error().code == ErrorCode::Cancelled)
                return tl::unexpected<Error>(run.error());
            else
                refused = run.error();
        }
        if (entry->second) {
            dots.push_back(*entry->second);
            dots.back().op = op;
            dots.back().name = name;
            dots.back().type = text(plan.graph->op(op).type);
        }
    }
    if (dots.empty() && refused)
        return tl::unexpected<Error>(*refused);
    return dots;
}

} // namespace pim::views
