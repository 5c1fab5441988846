// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/decision_history.h"

#include <QElapsedTimer>

namespace pim::views {
namespace {

constexpr int kMergeWithinMs = 2000;
constexpr int kMergeable = 1; ///< QUndoStack asks only steps with the same id; the key says the rest.

} // namespace

class DecisionHistory::Step : public QUndoCommand {
public:
    Step(DecisionHistory& history, std::shared_ptr<const Decisions> after, const QString& text,
         QString mergeKey)
        : QUndoCommand(text), m_history(history), m_before(history.m_now), m_after(std::move(after)),
          m_mergeKey(std::move(mergeKey)) {
        m_made.start();
    }
    void redo() override { m_history.enter(m_after); }
    void undo() override { m_history.enter(m_before); }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : kMergeable; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto& newer = static_cast<const Step&>(*next);
        if (newer.m_mergeKey != m_mergeKey || m_made.elapsed() > kMergeWithinMs)
            return false;
        m_after = newer.m_after;
        m_made.restart();
        return true;
    }

private:
    DecisionHistory& m_history;
    std::shared_ptr<const Decisions> m_before, m_after;
    QString m_mergeKey;
    QElapsedTimer m_made;
};

void DecisionHistory::push(Decisions after, const QString& text, const QString& mergeKey) {
    m_stack.push(new Step(*this, std::make_shared<const Decisions>(std::move(after)), text, mergeKey));
}

void DecisionHistory::start(Decisions decisions) {
    m_stack.clear();
    enter(std::make_shared<const Decisions>(std::move(decisions)));
}

void DecisionHistory::enter(std::shared_ptr<const Decisions> decisions) {
    const std::shared_ptr<const Decisions> old = std::exchange(m_now, std::move(decisions));
    m_entered(*old);
}

} // namespace pim::views
