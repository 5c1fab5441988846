// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/breadcrumbs.h"

#include "views/graph/graph_picture.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>


namespace pim::views {

Breadcrumbs::Breadcrumbs(QWidget* parent) : QWidget(parent), m_steps(new QHBoxLayout(this)) {
    setAccessibleName(tr("Where the selection is in the graph"));
    m_steps->setContentsMargins(0, 0, 0, 0);
    m_steps->setSpacing(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // a narrow panel cuts the end off
    setFixedHeight(fontMetrics().height() + 8);
}

void Breadcrumbs::add(const QString& text, const QString& tip, std::function<void()> go) {
    if (m_steps->count() > 0) {
        auto* arrow = new QLabel(QStringLiteral("›"));
        arrow->setContentsMargins(3, 0, 3, 0);
        m_steps->addWidget(arrow);
    }
    auto* step = new QToolButton;
    step->setAutoRaise(true);
    step->setText(fontMetrics().elidedText(text, Qt::ElideMiddle, 200));
    step->setToolTip(tip);
    step->setAccessibleName(tip);
    step->setEnabled(go != nullptr);
    if (go)
        connect(step, &QToolButton::clicked, this, go);
    m_steps->addWidget(step);
}

void Breadcrumbs::show(const Graph* graph, const BlockTree* blocks, OpId op, std::int32_t block) {
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->setParent(nullptr);
            widget->deleteLater(); // it may be the one that was clicked
        }
        delete item;
    }
    if (!graph)
        return;
    const QString network = graph->name.empty() ? tr("network") : QString::fromStdString(graph->name);
    add(network, tr("Show all of %1, %2 ops").arg(network).arg(graph->ops.size()), [this] { emit rootClicked(); });
    std::vector<std::int32_t> path;
    if (blocks && !blocks->inner.empty())
        for (std::int32_t b = block >= 0 ? block : op.valid() ? blocks->inner[op.index()] : -1; b >= 0;
             b = blocks->blocks[static_cast<std::size_t>(b)].parent)
            path.insert(path.begin(), b);
    for (const std::int32_t b : path) {
        const QString name = QString::fromStdString(blocks->blocks[static_cast<std::size_t>(b)].name);
        add(name, tr("Go to %1 (%2)").arg(name, contentsText(*graph, *blocks, b)), [this, b] { emit blockClicked(b); });
    }
    if (op.valid() && block < 0) {
        const Op& shown = graph->op(op);
        add(QString::fromStdString(shown.type), tr("Selected: %1").arg(QString::fromStdString(shown.name)), nullptr);
    }
    m_steps->addStretch(1);
}

QStringList Breadcrumbs::steps() const {
    QStringList texts;
    for (int i = 0; i < m_steps->count(); ++i)
        if (const auto* step = qobject_cast<const QToolButton*>(m_steps->itemAt(i)->widget()))
            texts << step->text();
    return texts;
}

} // namespace pim::views
