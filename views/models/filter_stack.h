// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What all views are limited to: a stack of filters, each a set of ops with words for it. An op passes if every filter
/// has it. Shown as chips above the panels, each of which can be taken away.
#include "core/graph/graph.h"

#include <QObject>
#include <QString>

#include <vector>

namespace pim::views {

struct OpFilter {
    QString text;          ///< "1.20 … 1.45 ms", "type:Conv"
    std::vector<bool> ops; ///< One an op of the graph: it passes.
};

class FilterStack : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const std::vector<OpFilter>& filters() const { return m_filters; }
    bool isEmpty() const { return m_filters.empty(); }
    bool passes(OpId op) const;
    void push(OpFilter filter); ///< Replaces one with the same text.
    void remove(int index);
    void clear(); ///< Also when the graph changes: ops are positions in it.

signals:
    void changed();

private:
    std::vector<OpFilter> m_filters;
};

} // namespace pim::views
