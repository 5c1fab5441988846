// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one view wants to know about the selected op from the backend: worked out on a worker thread, only
/// while the view can be seen, anew when plan or selection change.
#include "core/compile/backend.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>

namespace pim::views {

class Workspace;

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

} // namespace pim::views
