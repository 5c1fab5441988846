// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one view wants to know about the selected op from the backend: worked out on a worker thread, only
/// while the view can be seen, anew when plan or selection change.
#include "core/plan/backend.h"
#include "views/models/filter_stack.h"
#include "views/models/workspace.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>

namespace pim::views {

/// Ops of the plan that run on PIM, with their names, in the order of the graph.
std::vector<std::pair<OpId, QString>> pimOps(const Plan& plan);

class OpSource : public QObject {
    Q_OBJECT
public:
    /// On a worker thread. What it returns is handed out by result(); its type is the caller's business.
    using Work = std::function<Result<std::shared_ptr<const void>>(
        const Backend& backend, std::shared_ptr<const Plan> plan, OpId op, const TaskContext& task)>;
    /// \param taskName shown while it runs; "%1" is the op.
    OpSource(Workspace& workspace, QString taskName, Work work, QObject* parent);
    ~OpSource() override;

    void setWanted(bool wanted); ///< Nothing is begun while it is not.
    template <class T>
    std::shared_ptr<const T> result() const {
        return std::static_pointer_cast<const T>(m_result);
    }
    std::shared_ptr<const Plan> plan() const { return m_resultPlan; } ///< That result() is of.
    OpId op() const { return m_resultOp; }
    bool isStale() const {
        return m_resultPlan != m_plan || m_resultOp != m_op;
    }                                       ///< Of an older plan or another op; newer is on the way.
    QString note() const { return m_note; } ///< Why there is none, in words.

signals:
    void changed();

private:
    void update();
    void start();
    void show(std::shared_ptr<const void> result, const QString& note);

    Workspace& m_workspace;
    QString m_taskName;
    Work m_work;
    QTimer m_delay; ///< Steps made quickly one after the other count once.
    bool m_isWanted = false;
    std::shared_ptr<const Plan> m_plan, m_resultPlan;
    OpId m_op, m_resultOp;
    std::shared_ptr<const void> m_result;
    QString m_note;
    int m_task = 0;
};

/// What a view of one op says while it has nothing of it to show.
struct OpViewWords {
    QString waiting, waitingFor; ///< "No commands yet", "They are being timed."
    QString nothing;             ///< "No commands to show"; why is the source's note.
};

/// Joins a view of one op to the workspace: the ops to choose from (those the filters leave), the selection, what is
/// seen, and words while there is nothing. \p take gets what the source found, or null. The view has setOps, setSelectedOp, setStale, setEmptyText
/// and the signals opChosen and seenChanged.
template <class View, class Take>
OpSource* joinOpView(View* view, Workspace& workspace, QString taskName, OpSource::Work work,
                     OpViewWords words, Take take) {
    auto* source = new OpSource(workspace, std::move(taskName), std::move(work), view);
    const auto takeOps = [view, &workspace] {
        const auto plan = workspace.plan();
        if (!plan || !workspace.isStale()) {
            auto ops = plan ? pimOps(*plan) : std::vector<std::pair<OpId, QString>>();
            std::erase_if(ops, [&](const auto& op) { return !workspace.filters()->passes(op.first); });
            view->setOps(ops);
        }
        view->setSelectedOp(workspace.selection().op);
    };
    QObject::connect(workspace.filters(), &FilterStack::changed, view, takeOps);
    QObject::connect(&workspace, &Workspace::planChanged, view, takeOps);
    QObject::connect(&workspace, &Workspace::selectionChanged, view, takeOps);
    QObject::connect(view, &View::opChosen, &workspace, &Workspace::selectOp);
    QObject::connect(view, &View::seenChanged, source, &OpSource::setWanted);
    QObject::connect(source, &OpSource::changed, view,
                     [view, source, words = std::move(words), take = std::move(take)] {
                         if (source->isStale()) { // the older one stays until the next is there
                             view->setEmptyText(words.waiting, words.waitingFor);
                             return view->setStale(true);
                         }
                         take(*source);
                         if (!source->template result<void>())
                             view->setEmptyText(words.nothing, source->note());
                     });
    takeOps();
    return source;
}

} // namespace pim::views
