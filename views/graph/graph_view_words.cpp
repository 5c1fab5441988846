// SPDX-License-Identifier: GPL-3.0-or-later
// The graph view: tips, context menu, export.
#include "core/base/number_text.h"
#include "views/common/core_sentences.h"
#include "views/common/icons.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/graph/graph_view.h"

#include <QMenu>
#include <QPainter>

namespace pim::views {
namespace {

QString row(const QString& key, const QString& value) {
    return QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>")
        .arg(key, value.toHtmlEscaped());
}

} // namespace

QString GraphView::nodeTip(const PictureNode& node) const {
    if (node.kind == PictureNode::Kind::Group)
        return groupTip(node);
    if (node.kind != PictureNode::Kind::Op)
        return QStringLiteral("<b>%1</b> %2<br>%3")
            .arg(node.type, node.name.toHtmlEscaped(), node.shape.toHtmlEscaped());
    const Op& op = m_graph->op(node.op);
    QString tip =
        QStringLiteral("<b>%1</b> %2<table>").arg(node.type.toHtmlEscaped(), text(op.name).toHtmlEscaped());
    tip += row(tr("Output"), node.shape);
    if (op.work.known) {
        tip += row(tr("Work"), tr("%1 MAC").arg(text(pim::countText(static_cast<double>(op.work.macs)))));
        tip += row(tr("Traffic"), tr("%1 read, %2 written")
                                      .arg(text(bytesText(static_cast<double>(op.work.bytesRead))),
                                           text(bytesText(static_cast<double>(op.work.bytesWritten)))));
        tip += row(tr("Intensity"), tr("%1 FLOP/B").arg(op.work.arithmeticIntensity(), 0, 'g', 4));
    } else {
        tip += row(tr("Work"), tr("not known; runs on the host and is counted as 0"));
    }
    if (m_plan && m_plan->graph == m_graph) {
        const OpPlan& plan = m_plan->opPlan(node.op);
        const bool onPim = !plan.onHost();
        tip += row(tr("Placement"), placeText(*m_plan, plan.placement) +
                                        (plan.placementOverridden ? tr(", chosen by you") : QString()));
        if (onPim || plan.hostKnown)
            tip += row(tr("Time"), tr("%1 (%2)").arg(text(timeText(plan.cost.totalNs())),
                                                     plan.origin == Origin::Simulated ? tr("simulated")
                                                                                      : tr("predicted")));
        tip += figureRow({node.op}) + notesRow(node);
        return tip + QStringLiteral("</table>") + coreSentence(plan.reason).toHtmlEscaped();
    }
    return tip + figureRow({node.op}) + notesRow(node) + QStringLiteral("</table>");
}

/// The figure the colour stands for, exactly, or why there is none.
QString GraphView::figureRow(const std::vector<OpId>& ops) const {
    if (!isFigure(overlay()))
        return {};
    const OverlaySource figures = source();
    const auto value = overlayValue(figures, overlay(), ops);
    if (!value)
        return row(overlayText(overlay()), tr("none: %1").arg(whyUnknown(figures, overlay(), ops.front())));
    return row(overlayText(overlay()),
               QStringLiteral("%1 (%2)").arg(overlayValueText(overlay(), *value), exactNumber(*value)));
}

QString GraphView::notesRow(const PictureNode& node) const {
    constexpr qsizetype kTold = 3;
    const QStringList notes = notesOf(node);
    QString rows;
    for (const QString& note : notes.first(std::min(notes.size(), kTold)))
        rows += row(tr("Note"), note);
    return notes.size() > kTold ? rows + row({}, tr("and %1 more").arg(notes.size() - kTold)) : rows;
}

QString GraphView::groupTip(const PictureNode& node) const {
    const std::vector<OpId> ops = m_canvas->picture()->opsOf(node);
    QString tip = QStringLiteral("<b>%1</b><table>").arg(node.type.toHtmlEscaped());
    tip += row(tr("In it"), node.name);
    tip += row(tr("Output"), node.shape);
    double macs = 0, ns = 0;
    std::size_t onPim = 0;
    const Plan* plan = source().planOf(*m_graph);
    for (const OpId op : ops) {
        macs += static_cast<double>(m_graph->op(op).work.macs);
        ns += plan ? plan->opPlan(op).cost.totalNs() : 0;
        onPim += plan && !plan->opPlan(op).onHost() ? 1 : 0;
    }
    tip += row(tr("Work"), tr("%1 MAC").arg(text(pim::countText(macs))));
    if (plan) {
        tip +=
            row(tr("Placement"), tr("%1 of %2 on %3").arg(onPim).arg(ops.size()).arg(placeText(*plan, ops)));
        tip +=
            row(tr("Time"), tr("%1, sum of the ops (%2)")
                                .arg(text(timeText(ns)),
                                     plan->origin == Origin::Simulated ? tr("simulated") : tr("predicted")));
    }
    return tip + figureRow(ops) + notesRow(node) + QStringLiteral("</table>") +
           tr("Double click or + unfolds it");
}

QString GraphView::edgeTip(const PictureEdge& edge) const {
    const Tensor& tensor = m_graph->tensor(edge.tensor);
    const auto bytes = tensor.bytes();
    const QString more = edge.tensors == 2  ? tr("<br>and 1 more tensor")
                         : edge.tensors > 2 ? tr("<br>and %1 more tensors").arg(edge.tensors - 1)
                                            : QString();
    return tensorTip(tensor, bytes) + more;
}

QString GraphView::tensorTip(const Tensor& tensor, std::optional<std::int64_t> bytes) {
    return QStringLiteral("<b>%1</b><br>%2<br>%3")
        .arg(text(tensor.name).toHtmlEscaped(), tensorText(tensor).toHtmlEscaped(),
             bytes
                 ? tr("%1 (%2 B)").arg(text(bytesText(static_cast<double>(*bytes))), text(exactText(*bytes)))
                 : tr("size not known"));
}

// --- export
// -----------------------------------------------------------------------------------------------------

QString GraphView::csv() const {
    if (!m_graph)
        return {};
    QStringList header{QStringLiteral("name"),       QStringLiteral("block"),
                       QStringLiteral("type"),       QStringLiteral("shape"),
                       QStringLiteral("bytes_read"), QStringLiteral("bytes_written"),
                       QStringLiteral("placement")};
    for (int i = static_cast<int>(Overlay::TotalTime); i < kOverlays; ++i)
        header << overlayExactHeader(static_cast<Overlay>(i));
    QString result = csvLine(header) + QLatin1Char('\n');
    const OverlaySource figures = source();
    const Plan* plan = figures.planOf(*m_graph);
    for (std::size_t i = 0; i < m_graph->ops.size(); ++i) {
        const OpId id(static_cast<std::int64_t>(i));
        const Op& op = m_graph->ops[i];
        const std::int32_t block = m_blocks && !m_blocks->inner.empty() ? m_blocks->inner[i] : -1;
        const auto output =
            std::find_if(op.outputs.begin(), op.outputs.end(), [](TensorId t) { return t.valid(); });
        QStringList fields{text(op.name),
                           block >= 0 ? text(m_blocks->blocks[static_cast<std::size_t>(block)].name)
                                      : QString(),
                           text(op.type),
                           output != op.outputs.end() ? tensorText(m_graph->tensor(*output)) : QString(),
                           QString::number(op.work.bytesRead),
                           QString::number(op.work.bytesWritten),
                           plan ? text(name(plan->opPlan(id).placement)) : QString()};
        for (int k = static_cast<int>(Overlay::TotalTime); k < kOverlays; ++k) {
            const auto value = overlayValue(figures, static_cast<Overlay>(k), {id});
            fields << (value ? exactNumber(*value) : QString());
        }
        result += csvLine(fields) + QLatin1Char('\n');
    }
    return result;
}

ExportSource GraphView::exportSource() const {
    return {m_graph && !m_graph->name.empty() ? text(m_graph->name) : QStringLiteral("graph"),
            [this] { return m_canvas->picture() ? m_canvas->picture()->bounds.size().toSize() : QSize(); },
            [this](QPainter& painter) { m_canvas->paintAll(painter, 1); }, [this] { return csv(); }};
}

void GraphView::showContextMenu(const QPoint& at) {
    if (!m_canvas->picture())
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const OpId op = m_canvas->selectedOp(); op.valid()) {
        menu->addAction(tr("Inspect"), this, [this, op] { emit inspectRequested(op); });
        menu->addAction(icon(QStringLiteral("zoom-selection")), tr("Zoom to Selection"), m_canvas,
                        &GraphCanvas::zoomToSelection);
    }
    if (const std::int32_t block = m_canvas->selectedBlock(); block >= 0) {
        const bool isFolded = m_canvas->picture()->nodeOfBlock(block) >= 0;
        menu->addAction(isFolded ? tr("Unfold") : tr("Fold"), this,
                        [this, block, isFolded] { setFolded(block, !isFolded); });
        menu->addAction(tr("Zoom to Block"), this, [this, block] { m_canvas->showBlock(block); });
    }
    menu->addAction(tr("Fold All Blocks"), this, [this] { setAllFolded(true); });
    menu->addAction(tr("Unfold All Blocks"), this, [this] { setAllFolded(false); });
    menu->addAction(icon(QStringLiteral("zoom-fit")), tr("Fit Graph"), m_canvas, &GraphCanvas::zoomToFit);
    menu->addSeparator();
    addExportActions(menu, this, exportSource());
    menu->popup(m_canvas->mapToGlobal(at));
}

} // namespace pim::views
