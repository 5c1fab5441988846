// SPDX-License-Identifier: GPL-3.0-or-later
// The graph view: finding ops and going through them.
#include "core/compile/op_query.h"
#include "views/common/palette.h"
#include "views/graph/graph_side.h"
#include "views/graph/graph_view.h"
#include "views/models/filter_stack.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace pim::views {

void GraphView::search(const QString& query) {
    if (m_search->text() != query) {
        m_search->setText(query); // comes back here
        return;
    }
    m_hits.clear();
    m_hit = -1;
    QString wrong;
    const bool searching = !query.trimmed().isEmpty() && m_graph;
    if (searching) {
        const auto asked = OpQuery::parse(query.toStdString());
        if (asked)
            m_hits = asked->find(source().figures(), blocks());
        else
            wrong = QString::fromStdString(asked.error().message + "; " + asked.error().hint);
    }
    m_count->setText(!searching || !wrong.isEmpty() ? QString()
                     : m_hits.empty()               ? tr("none")
                                      : tr("%n found", nullptr, static_cast<int>(m_hits.size())));
    QPalette ink = palette();
    ink.setColor(QPalette::WindowText, color(m_hits.empty() ? Role::Bad : Role::Muted));
    m_count->setPalette(ink);
    m_message->setPalette(ink);
    m_message->setText(wrong);
    m_message->setVisible(!wrong.isEmpty());
    m_search->setAccessibleDescription(wrong);
    m_limit->setEnabled(!m_hits.empty());
    m_canvas->setHits(m_hits, searching && !m_hits.empty());
    m_side->setHits(m_hits);
}

QString GraphView::searchMessage() const {
    return m_message->text();
}

QString GraphView::countText() const {
    return m_count->text();
}

void GraphView::showHit(int step) {
    if (m_hits.empty())
        return;
    const int count = static_cast<int>(m_hits.size());
    m_hit = m_hit < 0 ? (step > 0 ? 0 : count - 1) : (m_hit + step + count) % count;
    const OpId op = m_hits[static_cast<std::size_t>(m_hit)];
    m_count->setText(tr("%1 of %2").arg(m_hit + 1).arg(count));
    setSelectedOp(op);
    if (m_canvas->viewport().zoom < 0.6)
        m_canvas->setViewport(0.75, {});
    reveal(op);
    emit opSelected(op);
}

void GraphView::limitViews() {
    if (m_hits.empty())
        return;
    OpFilter filter{m_search->text().simplified(), std::vector<bool>(m_graph->ops.size())};
    for (const OpId op : m_hits)
        filter.ops[op.index()] = true;
    emit limitRequested(filter);
}

} // namespace pim::views
