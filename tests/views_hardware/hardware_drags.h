// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the tests of the hardware view have in common: places, drags, ops to take.
#include "core/plan/plan.h"
#include "views/hardware/hardware_spot.h"
#include "views/models/workspace.h"

#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QWidget>

namespace pim::views::test {

inline const HardwareSpot kHost{HardwareSpot::Kind::Host, {}};
inline HardwareSpot machine(std::vector<int> path = {}) {
    return {HardwareSpot::Kind::Machine, std::move(path)};
}

/// A drag as the window system delivers it, one event at a time.
class Drag {
public:
    Drag(QWidget* over, const char* mime, const QByteArray& payload) : m_over(over) {
        m_data.setData(QLatin1String(mime), payload);
    }
    void enter(const QPointF& at) {
        QDragEnterEvent event(at.toPoint(), Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_over, &event);
    }
    bool move(const QPointF& at) {
        QDragMoveEvent event(at.toPoint(), Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_over, &event);
        return event.isAccepted();
    }
    void leave() { // what Esc, or going elsewhere, sends
        QDragLeaveEvent event;
        QCoreApplication::sendEvent(m_over, &event);
    }
    bool drop(const QPointF& at) {
        QDropEvent event(at, Qt::CopyAction, &m_data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_over, &event);
        return event.isAccepted();
    }

private:
    QWidget* m_over;
    QMimeData m_data;
};

inline QString opName(const Workspace& workspace, OpId op) {
    return QString::fromStdString(workspace.graph()->op(op).name);
}

/// The slowest op that PIM can run, with at least \p sets dimensions to split.
inline OpId opWithDraft(const Plan& plan, std::size_t sets = 1) {
    OpId best;
    for (const OpPlan& op : plan.ops)
        if (op.draft && op.space && op.space->sets().size() >= sets &&
            (!best.valid() || op.cost.totalNs() > plan.opPlan(best).cost.totalNs()))
            best = op.op;
    return best;
}

inline OpId opPimCannotRun(const Plan& plan) {
    for (const OpPlan& op : plan.ops)
        if (!op.space && !op.pimVerdict.empty())
            return op.op;
    return {};
}

} // namespace pim::views::test
