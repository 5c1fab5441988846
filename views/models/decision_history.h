// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The undo history: a stack of steps, each from one set of decisions to the next. Owned by the Workspace.
#include "views/models/document.h"

#include <QUndoStack>

#include <functional>

namespace pim::views {

class DecisionHistory {
public:
    /// \param entered told after every move, with what was in force before.
    using Entered = std::function<void(const Decisions& old)>;
    explicit DecisionHistory(Entered entered) : m_entered(std::move(entered)) {}

    const Decisions& now() const { return *m_now; }
    /// As a value that does not change any more, for worker threads.
    std::shared_ptr<const Decisions> snapshot() const { return m_now; }
    QUndoStack& stack() { return m_stack; }

    /// One step further. Steps with the same \p mergeKey (not empty) in quick succession become one.
    void push(Decisions after, const QString& text, const QString& mergeKey = {});
    /// Another document, or a choice before there is one: nothing to undo.
    void start(Decisions decisions);

private:
    class Step;
    void enter(std::shared_ptr<const Decisions> decisions);

    Entered m_entered;
    std::shared_ptr<const Decisions> m_now = std::make_shared<const Decisions>();
    QUndoStack m_stack;
};

} // namespace pim::views
