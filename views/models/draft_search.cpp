// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/draft_search.h"

#include "core/plan/draft_facet.h"
#include "views/models/task_runner.h"
#include "views/models/workspace.h"

#include <QCoreApplication>

namespace pim::views {
namespace {

constexpr int kDelayMs = 120; ///< So that walking through ops with the arrow keys starts no searches.
constexpr std::size_t kKept = 12;
constexpr std::size_t kDraftsKept = 3'000'000; ///< Over all remembered explorations; some 100 bytes each.

struct DraftSearchWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::DraftSearchWords)
};

/// What the search results of an op depend on, as text.
std::string keyOf(const Plan& plan, const CompileOptions& options, OpId op) {
    std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(plan.graph.get())) + '|' +
                      plan.target->hash + '|' + optionsJson(options) + '|' + std::to_string(op.value) + '|' +
                      plan.opPlan(op).space->kernel().text();
    for (const TensorPlan& tensor : plan.opPlan(op).tensors)
        key += '|' + tensor.name + '=' + std::string(name(tensor.residency));
    return key;
}

/// Of an op that runs on PIM without a draft of its own.
QString noDrafts(const QString& op, const Backend* backend) {
    const Backend::Instead instead = backend ? backend->insteadOfDrafts() : Backend::Instead();
    if (instead.what.empty())
        return DraftSearchWords::tr("%1 has no drafts: this machine is planned as a whole").arg(op);
    QString lookAt = QString::fromUtf8(instead.lookAt.data(), qsizetype(instead.lookAt.size()));
    if (!lookAt.isEmpty())
        lookAt[0] = lookAt[0].toUpper();
    return DraftSearchWords::tr("%1 has no drafts: %2. %3.")
        .arg(op, QString::fromUtf8(instead.what.data(), qsizetype(instead.what.size())), lookAt);
}

} // namespace

DraftSearch::DraftSearch(const Workspace& workspace, TaskRunner& tasks, std::function<void()> changed)
    : m_workspace(workspace), m_tasks(tasks), m_changed(std::move(changed)) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    QObject::connect(&m_delay, &QTimer::timeout, &m_delay, [this] { start(); });
}

void DraftSearch::drop() {
    m_found = {};
    m_id.clear();
}

void DraftSearch::forget() {
    stop();
    drop();
    m_remembered.clear();
}

void DraftSearch::stop() {
    m_delay.stop();
    m_tasks.abandon(std::exchange(m_task, 0));
}

void DraftSearch::show(Found found, std::string id, const QString& note) {
    if (m_found.exploration == found.exploration && m_note == note)
        return;
    m_found = std::move(found);
    m_id = std::move(id);
    m_note = note;
    m_changed();
}

void DraftSearch::refresh() {
    const auto nothing = [this](const QString& why) {
        stop();
        show({}, {}, why);
    };
    const auto graph = m_workspace.graph();
    const auto plan = m_workspace.plan();
    const OpId selected = m_workspace.selection().op;
    if (!graph || !selected.valid())
        return nothing(graph ? DraftSearchWords::tr("Select an op to see its drafts")
                             : DraftSearchWords::tr("Open a model to see drafts"));
    if (!plan || plan->target != m_workspace.target())
        return nothing(DraftSearchWords::tr("The network is being planned"));
    const OpPlan& op = plan->opPlan(selected);
    const QString opName = QString::fromStdString(graph->op(selected).name);
    if (!op.space && !op.onHost())
        return nothing(noDrafts(opName, m_workspace.backendOf(*plan->target)));
    if (!op.space)
        return nothing(DraftSearchWords::tr("%1 has no drafts: %2")
                           .arg(opName, op.pimVerdict.empty() ? DraftSearchWords::tr("it runs on the host")
                                                              : QString::fromStdString(op.pimVerdict)));

    std::string id = keyOf(*plan, m_workspace.options(), selected);
    if (m_found.exploration && m_id == id)
        return;
    for (auto known = m_remembered.begin(); known != m_remembered.end(); ++known)
        if (known->first == id) {
            stop();
            m_remembered.splice(m_remembered.begin(), m_remembered, known);
            return show(m_remembered.front().second, std::move(id), {});
        }
    if (m_id == id && (m_task || m_delay.isActive()))
        return; // already searching
    stop();
    show({}, std::move(id), DraftSearchWords::tr("Searching drafts of %1…").arg(opName));
    m_delay.start();
}

void DraftSearch::start() {
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    if (!plan || !op.valid())
        return;
    const auto backend = m_workspace.backends().find(plan->target->backend);
    if (!backend)
        return;
    const PlanRequest request{m_workspace.graph(), m_workspace.target(), plan->overrides,
                              m_workspace.options()};
    m_task = m_tasks.start(
        m_note,
        [this, request, op, id = m_id, chosen = *backend](const TaskContext& task) -> std::function<void()> {
            const auto drafts = draftsOf(*chosen, request.graph->op(op).name);
            auto explored =
                drafts ? (*drafts)->explore(request, op, task)
                       : Result<std::shared_ptr<const Exploration>>(tl::unexpected<Error>(drafts.error()));
            Found found;
            if (explored)
                found = {*explored, pim::knownError(**explored, request.options)};
            return [this, id, found, explored = std::move(explored)] {
                m_task = 0;
                if (!explored)
                    return show({}, {}, QString::fromStdString(explored.error().text()));
                remember(id, found);
                show(found, id, {});
            };
        },
        [this] {
            m_task = 0;
            show({}, {}, DraftSearchWords::tr("The search was cancelled; select the op again to repeat it"));
        });
}

void DraftSearch::remember(const std::string& id, const Found& found) {
    m_remembered.emplace_front(id, found);
    std::size_t drafts = 0, count = 0;
    for (auto it = m_remembered.begin(); it != m_remembered.end(); ++count) {
        drafts += it->second.exploration->drafts.size();
        it = count > 0 && (drafts > kDraftsKept || count >= kKept) ? m_remembered.erase(it) : std::next(it);
    }
}

} // namespace pim::views
