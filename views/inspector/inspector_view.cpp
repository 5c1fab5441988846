// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/inspector_view.h"

#include "views/common/empty_state.h"
#include "views/common/text_label.h"
#include "views/inspector/op_facts_text.h"
#include "views/inspector/override_editor.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <QAction>
#include <QClipboard>
#include <QCursor>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStackedLayout>
#include <QToolTip>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::views {
namespace {

QLabel* richLabel(const QString& accessibleName) {
    auto* label = new TextLabel;
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setAccessibleName(accessibleName);
    label->setMinimumWidth(80);
    return label;
}

} // namespace

InspectorView::InspectorView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_pages(new QStackedLayout(this)),
      m_empty(new EmptyState(QStringLiteral("search"))), m_page(new QScrollArea),
      m_head(richLabel(tr("Selected op"))), m_decision(richLabel(tr("Placement and time"))),
      m_editor(new OverrideEditor(workspace)), m_facts(richLabel(tr("Work and tensors"))) {
    setObjectName(QStringLiteral("InspectorView"));
    setAccessibleName(tr("Op inspector"));
    setMinimumWidth(350); // below, captions and inputs do not fit side by side
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_head);
    column->addWidget(m_decision);
    column->addSpacing(6);
    column->addWidget(m_editor);
    column->addWidget(m_facts);
    column->addStretch(1);
    m_page->setWidget(page);
    m_page->setWidgetResizable(true);
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_page->setAccessibleName(tr("Overview of the selected op"));
    m_empty->setText(tr("No op selected"), tr("Click an op in the graph, the breakdown or a table."));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    connect(m_facts, &QLabel::linkHovered, this, [this](const QString& link) {
        QToolTip::showText(QCursor::pos(), QUrl::fromPercentEncoding(link.mid(5).toUtf8()), m_facts);
    });
    connect(m_facts, &QLabel::linkActivated, this, [](const QString& link) {
        QGuiApplication::clipboard()->setText(QUrl::fromPercentEncoding(link.mid(5).toUtf8()));
    });
    auto* copy = new QAction(tr("Copy Name"), m_head);
    connect(copy, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(m_head->toolTip()); });
    m_head->addAction(copy);
    m_head->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (const auto signal : {&Workspace::graphChanged, &Workspace::planChanged, &Workspace::selectionChanged,
                              &Workspace::targetChanged})
        connect(&workspace, signal, this, &InspectorView::refresh);
    connect(workspace.simulations(), &SimulationSource::changed, this, &InspectorView::refresh);
    refresh();
}

void InspectorView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_facts)
        refresh();
}

void InspectorView::refresh() {
    const auto graph = m_workspace.graph();
    const OpId op = m_workspace.selection().op;
    const auto plan = m_workspace.plan();
    const bool anOp = graph && op.valid() && op.index() < graph->ops.size();
    if (!anOp && !plan) {
        m_pages->setCurrentWidget(m_empty);
        return;
    }
    m_pages->setCurrentWidget(m_page);
    if (!anOp) {
        m_head->setText(networkHeadText(*plan));
        m_head->setToolTip({});
        m_decision->setText(networkText(*plan, m_workspace.isStale()));
        m_decision->setEnabled(!m_workspace.isStale());
        m_editor->refresh();
        m_facts->clear();
        return;
    }
    const SimulationSource& simulations = *m_workspace.simulations();
    m_decision->setText(
        plan ? decisionText(*plan, op, m_workspace.isStale(),
                            simulations.plan() == plan ? simulations.sentenceOf(op) : QString())
             : tr("Not planned yet."));
    m_decision->setEnabled(!m_workspace.isStale());
    m_editor->refresh();
    showNames();
}

void InspectorView::showNames() {
    const auto graph = m_workspace.graph();
    const OpId op = m_workspace.selection().op;
    if (!graph || !op.valid() || op.index() >= graph->ops.size())
        return;
    const int room = std::max(120, width() - 48); // margins, scroll bar
    QFont large = font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.25); // "large" of rich text
    const QFontMetrics normalMetrics(font()), largeMetrics(large);
    const NameFit fit = [&](const QString& name, bool isLarge) {
        return isLarge ? largeMetrics.elidedText(name, Qt::ElideMiddle, room)
                       : normalMetrics.elidedText(name, Qt::ElideMiddle,
                                                  room - normalMetrics.horizontalAdvance(tr("out ")) - 8);
    };
    const auto plan = m_workspace.plan();
    m_head->setText(headText(graph->op(op), fit));
    m_head->setToolTip(QString::fromStdString(graph->op(op).name));
    m_facts->setText(factsText(*graph, plan.get(), op, fit));
}

void InspectorView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        showNames();
}

} // namespace pim::views
