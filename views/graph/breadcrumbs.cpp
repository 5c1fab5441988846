// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/breadcrumbs.h"

#include "views/graph/graph_picture.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace pim::views {

Breadcrumbs::Breadcrumbs(QWidget* parent) : QWidget(parent), m_layout(new QHBoxLayout(this)) {
    setAccessibleName(tr("Where the selection is in the graph"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // a narrow panel cuts the end off
    setFixedHeight(fontMetrics().height() + 8);
}

void Breadcrumbs::add(const QString& text, const QString& tip, std::function<void()> go) {
    if (m_layout->count() > 0) {
        auto* arrow = new QLabel(QStringLiteral("›"));
        arrow->setContentsMargins(3, 0, 3, 0);
        m_layout->addWidget(arrow);
    }
    auto* step = new QToolButton;
    step->setAutoRaise(true);
    step->setToolTip(tip);
    step->setAccessibleName(tip);
    step->setEnabled(go != nullptr);
    if (go)
        connect(step, &QToolButton::clicked, this, go);
    m_layout->addWidget(step);
    m_steps.push_back({step, text});
}

void Breadcrumbs::fit() {
    constexpr int kMost = 200, kLeast = 24;
    int room = width();
    for (int i = 0; i < m_layout->count(); ++i)
        if (const auto* arrow = qobject_cast<const QLabel*>(m_layout->itemAt(i)->widget()))
            room -= arrow->sizeHint().width();
    for (int most = kMost; most >= kLeast; most -= 4) {
        int needed = 0;
        for (const Step& step : m_steps) {
            step.button->setText(fontMetrics().elidedText(step.text, Qt::ElideMiddle, most));
            needed += step.button->sizeHint().width();
        }
        if (needed <= room)
            break;
    }
}

void Breadcrumbs::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void Breadcrumbs::show(const Graph* graph, const BlockTree* blocks, OpId op, std::int32_t block) {
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->setParent(nullptr);
            widget->deleteLater(); // it may be the one that was clicked
        }
        delete item;
    }
    m_steps.clear();
    if (!graph)
        return;
    const QString network = graph->name.empty() ? tr("network") : QString::fromStdString(graph->name);
    add(network, tr("Show all of %1, %2 ops").arg(network).arg(graph->ops.size()),
        [this] { emit rootClicked(); });
    std::vector<std::int32_t> path;
    if (blocks && !blocks->inner.empty())
        for (std::int32_t b = block >= 0   ? block
                              : op.valid() ? blocks->inner[op.index()]
                                           : -1;
             b >= 0; b = blocks->blocks[static_cast<std::size_t>(b)].parent)
            path.insert(path.begin(), b);
    for (const std::int32_t b : path) {
        const QString name = QString::fromStdString(blocks->blocks[static_cast<std::size_t>(b)].name);
        add(name, tr("Go to %1 (%2)").arg(name, contentsText(*graph, *blocks, b)),
            [this, b] { emit blockClicked(b); });
    }
    if (op.valid() && block < 0) {
        const Op& shown = graph->op(op);
        add(QString::fromStdString(shown.type), tr("Selected: %1").arg(QString::fromStdString(shown.name)),
            nullptr);
    }
    m_layout->addStretch(1);
    fit();
}

QStringList Breadcrumbs::steps() const {
    QStringList texts;
    for (const Step& step : m_steps)
        texts << step.button->text();
    return texts;
}

} // namespace pim::views
