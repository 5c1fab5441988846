// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/model_panel.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/text_label.h"
#include "views/models/workspace.h"

#include <QEvent>
#include <QLabel>
#include <QShowEvent>
#include <QVBoxLayout>

namespace pim::studio {
namespace {

QString plain(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

/// What exporters add may be pages long: `pimc inspect` has more of it.
QString shortened(const std::string& text) {
    constexpr qsizetype kMost = 160;
    const QString whole = QString::fromStdString(text).simplified();
    return (whole.size() <= kMost ? whole : whole.left(kMost) + u'…').toHtmlEscaped();
}

QString row(const QString& label, const QString& value) {
    return QStringLiteral("<tr><td style='padding-right:12px;color:%1'>%2</td><td>%3</td></tr>")
        .arg(views::color(views::Role::Muted).name(), label, value);
}
QString section(const QString& title, const QString& rows) {
    return QStringLiteral("<p style='margin-top:10px;margin-bottom:2px'><b>%1</b></p><table cellspacing='0' "
                          "cellpadding='1'>%2</table>")
        .arg(title, rows);
}

QString tensorRows(const Graph& graph, const std::vector<TensorId>& ids) {
    constexpr std::size_t kShown = 24; // caches come in by the dozen
    QString rows;
    for (std::size_t i = 0; i < std::min(ids.size(), kShown); ++i) {
        const Tensor& tensor = graph.tensor(ids[i]);
        rows += row(plain(tensor.name),
                    plain(name(tensor.dtype)) + u' ' +
                        (tensor.shape ? plain(shapeText(*tensor.shape)) : ModelPanel::tr("shape unknown")));
    }
    if (ids.size() > kShown)
        rows += row(ModelPanel::tr("… and %1 more").arg(ids.size() - kShown), {});
    return rows;
}

} // namespace

ModelPanel::ModelPanel(views::Workspace& workspace, QWidget* parent)
    : QScrollArea(parent), m_workspace(workspace), m_badge(new views::TextLabel),
      m_text(new views::TextLabel) {
    setObjectName(QStringLiteral("ModelPanel"));
    setAccessibleName(tr("Model"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    for (QLabel* label : {m_badge, m_text})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_badge->setAccessibleName(tr("Weights that are not included"));
    m_text->setAccessibleName(tr("Facts about the model"));
    m_text->setTextFormat(Qt::RichText);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->addWidget(m_badge);
    column->addWidget(m_text);
    column->addStretch(1);
    setWidget(page);
    connect(&workspace, &views::Workspace::graphChanged, this, &ModelPanel::refresh);
    connect(&workspace, &views::Workspace::planChanged, this, &ModelPanel::refresh);
    refresh();
}

void ModelPanel::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_text)
        refresh();
}

void ModelPanel::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    if (m_isOld)
        refresh();
}

void ModelPanel::refresh() {
    // Laying out long tables takes a while: in a turn of its own, and not behind another panel.
    m_isOld = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_isOld && isVisible())
                fill();
        },
        Qt::QueuedConnection);
}

void ModelPanel::fill() {
    m_isOld = false;
    const auto graph = m_workspace.graph();
    if (!graph) {
        m_badge->hide();
        m_text->setText(tr("No model open"));
        return;
    }
    const std::int64_t missing = graph->missingWeightTensors();
    m_badge->setVisible(missing > 0);
    m_badge->setText((missing == 1 ? tr("1 weight tensor is not included.")
                                   : tr("%1 weight tensors are not included.").arg(missing)) +
                     tr(" Placement and timing need only their shapes."));
    const QString frame =
        QStringLiteral("QLabel { border: 1px solid %1; border-left: 4px solid %1; padding: 4px; }")
            .arg(views::color(views::Role::Muted).name());
    if (m_badge->styleSheet() != frame)
        m_badge->setStyleSheet(frame);

    const ModelSource& source = graph->source;
    QString file = row(tr("File"), plain(source.path.filename().string()));
    file += row(tr("Size"), plain(bytesText(static_cast<double>(source.fileBytes))));
    file += row(tr("Weights"), plain(bytesText(static_cast<double>(source.weightBytes))));
    if (!source.producer.empty())
        file += row(tr("Made by"), plain(source.producer));
    file += row(tr("IR version"), QString::number(source.irVersion));
    for (const auto& [domain, version] : source.opsets)
        file += row(tr("Opset"), (domain.empty() ? QStringLiteral("ai.onnx") : plain(domain)) +
                                     QStringLiteral(" %1").arg(version));
    if (!source.description.empty())
        file += row(tr("Description"), shortened(source.description));
    for (const auto& [key, value] : source.metadata)
        file += row(shortened(key), shortened(value));
    file += row(tr("Structure hash"), plain(source.structureHash.substr(0, 12)) + u'…');

    const OpWork work = graph->totalWork();
    QString totals = row(tr("Ops"), plain(exactText(static_cast<std::int64_t>(graph->ops.size()))));
    totals += row(tr("Multiply-accumulates"), plain(countText(static_cast<double>(work.macs))) + tr(" MACs"));
    totals += row(tr("Read"), plain(bytesText(static_cast<double>(work.bytesRead))));
    totals += row(tr("Written"), plain(bytesText(static_cast<double>(work.bytesWritten))));
    totals += row(tr("Arithmetic intensity"),
                  QStringLiteral("%1 FLOP/B").arg(work.arithmeticIntensity(), 0, 'g', 4));
    if (const auto plan = m_workspace.plan()) {
        totals += row(tr("Resident in PIM"), plain(bytesText(static_cast<double>(plan->residentBytes))));
        if (plan->residentLoadNs > 0)
            totals += row(tr("Loaded once in"), plain(timeText(plan->residentLoadNs)));
    }

    std::map<OpClass, int> classes;
    for (const Op& op : graph->ops)
        ++classes[op.opClass];
    QString kinds;
    for (const auto& [opClass, count] : classes)
        kinds += row(plain(name(opClass)), QString::number(count));

    QString dims;
    for (const DimBinding& binding : graph->bindings)
        dims += row(plain(binding.symbol),
                    QString::number(binding.value) + (binding.assumed ? tr(" (assumed)") : QString()));

    m_text->setText(section(tr("Whole network"), totals) +
                    (dims.isEmpty() ? QString() : section(tr("Dimensions"), dims)) +
                    section(tr("Kinds of ops"), kinds) +
                    section(tr("Inputs"), tensorRows(*graph, graph->inputs)) +
                    section(tr("Outputs"), tensorRows(*graph, graph->outputs)) + section(tr("Source"), file));
}

} // namespace pim::studio
