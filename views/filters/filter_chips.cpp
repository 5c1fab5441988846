// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filters/filter_chips.h"

#include "core/base/number_text.h"
#include "views/common/icons.h"
#include "views/models/filter_stack.h"
#include "views/models/workspace.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace pim::views {
namespace {

constexpr int kWidestChip = 280;

QString countText(std::int64_t count) {
    return QString::fromStdString(exactText(count));
}

} // namespace

FilterChips::FilterChips(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_summary(new QLabel), m_row(new QHBoxLayout),
      m_clear(toolButton({}, tr("Show all ops again"))) {
    setObjectName(QStringLiteral("FilterChips"));
    setAccessibleName(tr("Filters of the views"));
    m_summary->setAccessibleName(tr("How many ops the views are limited to"));
    m_clear->setText(tr("Show All"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    m_row->setSpacing(6);
    layout->addWidget(m_summary);
    layout->addLayout(m_row);
    layout->addWidget(m_clear);
    layout->addStretch(1);
    FilterStack* filters = workspace.filters();
    connect(m_clear, &QToolButton::clicked, filters, &FilterStack::clear);
    connect(filters, &FilterStack::changed, this, &FilterChips::refill);
    connect(&workspace, &Workspace::graphChanged, this, &FilterChips::refill);
    refill();
}

QToolButton* FilterChips::newChip(int index, const QString& text) {
    QToolButton* chip = toolButton(QStringLiteral("cancel"), tr("Remove the filter %1 (Delete)").arg(text));
    chip->setText(QFontMetrics(font()).elidedText(text, Qt::ElideMiddle, kWidestChip));
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setAutoRaise(false);
    chip->setFocusPolicy(Qt::StrongFocus);
    // Later, for the stack takes the chip away.
    connect(
        chip, &QToolButton::clicked, m_workspace.filters(),
        [filters = m_workspace.filters(), index] { filters->remove(index); }, Qt::QueuedConnection);
    chip->installEventFilter(this);
    return chip;
}

bool FilterChips::eventFilter(QObject* watched, QEvent* event) {
    auto* chip = qobject_cast<QToolButton*>(watched);
    if (chip && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Left ? -1 : key == Qt::Key_Right ? 1 : 0;
        if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
            chip->click();
            return true;
        }
        if (step != 0) {
            const qsizetype to = m_chips.indexOf(chip) + step;
            if (to >= 0 && to < m_chips.size())
                m_chips[to]->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FilterChips::refill() {
    const FilterStack& filters = *m_workspace.filters();
    const bool wasNeeded = isNeeded();
    const auto focused =
        std::find_if(m_chips.begin(), m_chips.end(), [](QToolButton* chip) { return chip->hasFocus(); });
    const auto next = focused == m_chips.end() ? -1 : int(focused - m_chips.begin());
    qDeleteAll(m_chips);
    m_chips.clear();
    for (std::size_t i = 0; i < filters.filters().size(); ++i) {
        m_chips.append(newChip(int(i), filters.filters()[i].text));
        m_row->addWidget(m_chips.back());
    }
    m_clear->setVisible(m_chips.size() > 1);
    const auto graph = m_workspace.graph();
    std::int64_t passing = 0;
    const auto all = graph ? std::int64_t(graph->ops.size()) : 0;
    for (std::int64_t op = 0; op < all; ++op)
        passing += filters.passes(OpId(op));
    m_summary->setText(tr("Views show %1 of %2 ops:").arg(countText(passing), countText(all)));
    if (next >= 0 && !m_chips.isEmpty())
        m_chips[std::min<qsizetype>(next, m_chips.size() - 1)]->setFocus();
    if (isNeeded() != wasNeeded)
        emit neededChanged(isNeeded());
}

} // namespace pim::views
