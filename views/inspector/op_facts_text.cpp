// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/op_facts_text.h"

#include "core/base/number_text.h"
#include "views/common/core_sentences.h"
#include "views/common/core_words.h"
#include "views/common/palette.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPalette>

#include <cmath>

namespace pim::views {
namespace {

struct OpFactsWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::OpFactsWords)
};
QString plain(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

QString section(const QString& title) {
    return QStringLiteral("<p style='margin-top:10px;margin-bottom:2px'><b>%1</b></p>").arg(title);
}
QString row(const QString& label, const QString& value, const QString& more = {}) {
    return QStringLiteral("<tr><td style='padding-right:10px;color:%1'>%2</td><td align='right' "
                          "style='white-space:nowrap'>%3</td>"
                          "<td style='padding-left:8px;color:%1'>%4</td></tr>")
        .arg(color(Role::Muted).name(), label, value, more);
}
QString table(const QString& rows) {
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

/// Of a plan: its name says in which unit it is.
QString figureRow(std::string what, double value) {
    const auto cut = [&](std::string_view ending) {
        const bool ends = what.ends_with(ending);
        if (ends)
            what.resize(what.size() - ending.size());
        return ends;
    };
    std::string text;
    if (cut("_ns"))
        text = timeText(value);
    else if (cut("_pj"))
        text = energyText(value);
    else if (what.ends_with("_bytes"))
        text = bytesText(value);
    else if (what.ends_with("_share"))
        text = percentText(value);
    else if (value == std::floor(value) && std::abs(value) < 1e15)
        text = exactText(std::int64_t(value));
    else
        text = countText(value);
    std::ranges::replace(what, '_', ' ');
    return row(coreWord(what).toHtmlEscaped(), plain(text));
}

QString costRows(const CostSplit& cost) {
    const double total = cost.totalNs();
    const std::pair<const char*, double> parts[] = {
        {QT_TRANSLATE_NOOP("pim::views::OpFactsWords", "Input rearrangement"), cost.inputNs},
        {QT_TRANSLATE_NOOP("pim::views::OpFactsWords", "Compute"), cost.computeNs},
        {QT_TRANSLATE_NOOP("pim::views::OpFactsWords", "Output rearrangement"), cost.outputNs},
        {QT_TRANSLATE_NOOP("pim::views::OpFactsWords", "Mode switch"), cost.modeSwitchNs},
        {QT_TRANSLATE_NOOP("pim::views::OpFactsWords", "Weight rewrite"), cost.rewriteNs},
        {QT_TRANSLATE_NOOP("pim::views::OpFactsWords", "Host"), cost.hostNs},
    };
    QString rows;
    for (const auto& [label, ns] : parts)
        if (ns > 0)
            rows += row(OpFactsWords::tr(label), plain(timeText(ns)), plain(percentText(ns / total)));
    return rows + row(QStringLiteral("<b>%1</b>").arg(OpFactsWords::tr("Total")),
                      QStringLiteral("<b>%1</b>").arg(plain(timeText(total))));
}

/// A name in the room there is; shortened ones say all of it in a tip.
QString fitted(const std::string& whole, const NameFit& fit) {
    const QString all = QString::fromStdString(whole), shown = fit(all, false);
    if (shown == all)
        return all.toHtmlEscaped();
    return QStringLiteral("<a href='name:%1' style='color:%2;text-decoration:none'>%3</a>")
        .arg(QString::fromLatin1(all.toUtf8().toPercentEncoding()),
             QGuiApplication::palette().color(QPalette::Text).name(), shown.toHtmlEscaped());
}

QString tensorLine(const Graph& graph, const OpPlan* planned, TensorId id, const QString& direction,
                   const NameFit& fit) {
    if (!id.valid())
        return {};
    const Tensor& tensor = graph.tensor(id);
    QString residency;
    if (planned)
        for (const TensorPlan& t : planned->tensors)
            if (t.tensor == id)
                residency =
                    coreWord(name(t.residency)) + (t.overridden ? OpFactsWords::tr(" (yours)") : QString()) +
                    (t.loadNs > 0 ? OpFactsWords::tr(", loaded once in %1").arg(plain(timeText(t.loadNs)))
                                  : QString());
    QStringList facts{plain(name(tensor.dtype)),
                      tensor.shape ? plain(shapeText(*tensor.shape)) : OpFactsWords::tr("shape unknown")};
    if (const auto bytes = tensor.bytes())
        facts.append(plain(bytesText(static_cast<double>(*bytes))));
    if (tensor.data && !tensor.data->present)
        facts.append(OpFactsWords::tr("weights not included"));
    else if (tensor.isConstant())
        facts.append(OpFactsWords::tr("constant"));
    if (!residency.isEmpty())
        facts.append(residency);
    return QStringLiteral(
               "<p style='margin:2px 0'><span style='color:%1'>%2</span> %3<br/><small>%4</small></p>")
        .arg(color(Role::Muted).name(), direction, fitted(tensor.name, fit),
             facts.join(QStringLiteral(" · ")));
}

} // namespace

QString headText(const Op& op, const NameFit& fit) {
    const QString domain = op.domain.empty() ? QString() : QStringLiteral(" (%1)").arg(plain(op.domain));
    return QStringLiteral(
               "<span style='font-size:large'><b>%1</b></span><br/><span style='color:%2'>%3%4 · %5</span>")
        .arg(fit(QString::fromStdString(op.name), true).toHtmlEscaped(), color(Role::Muted).name(),
             plain(op.type), domain, plain(name(op.opClass)));
}

QString networkHeadText(const Plan& plan) {
    return QStringLiteral(
               "<p style='margin:0;font-size:large'><b>%1</b></p><p style='margin:0;color:%2'>%3</p>")
        .arg(plain(plan.graph->name), color(Role::Muted).name(),
             OpFactsWords::tr("whole network, %1 ops; select one to see it").arg(plan.ops.size()));
}

QString networkText(const Plan& plan, bool stale) {
    QString text = section(stale ? OpFactsWords::tr("Time (being recomputed)")
                                 : OpFactsWords::tr("Time (%1)").arg(coreWord(name(plan.origin)))) +
                   table(costRows(plan.total));
    QString rows;
    for (const Baseline& baseline : plan.baselines)
        rows += row(coreWord(baseline.name).toHtmlEscaped(), plain(timeText(baseline.totalNs)),
                    plain(ratioText(plan.speedupOver(baseline))));
    rows += row(OpFactsWords::tr("%1 alone").arg(plain(plan.target->host.name)),
                plain(timeText(plan.hostOnlyNs)), plain(ratioText(plan.speedup())));
    text += section(OpFactsWords::tr("Compared: time, and how many times faster this plan is")) + table(rows);
    if (plan.detail) {
        rows.clear();
        for (const auto& [what, value] : plan.detail->figures())
            rows += figureRow(what, value);
        text += section(OpFactsWords::tr("Plan")) + table(rows);
    }
    return text;
}

QString decisionText(const Plan& plan, OpId id, bool stale, const QString& limit) {
    const OpPlan& op = plan.opPlan(id);
    const bool onPim = !op.onHost();
    const QString place = plain(onPim ? targetOf(plan, op.placement).name : plan.target->host.name);
    QString text =
        QStringLiteral(
            "<p style='margin:0'><b style='color:%1'>%2</b> · %3%4</p><p style='margin:2px 0'>%5</p>")
            .arg((onPim ? deviceColor(op.placement.index()) : color(Role::OnHost)).name(),
                 onPim ? OpFactsWords::tr("On PIM") : OpFactsWords::tr("On the host"), place,
                 op.placementOverridden ? OpFactsWords::tr(" · your decision") : QString(),
                 coreSentence(op.reason).toHtmlEscaped());
    text += section(stale ? OpFactsWords::tr("Time (being recomputed)")
                          : OpFactsWords::tr("Time (%1)").arg(coreWord(name(op.origin))));
    if (!onPim && !op.hostKnown)
        text += OpFactsWords::tr("<p style='margin:0'>Cost on the host is unknown; counted as 0 ns.</p>");
    else
        text += table(costRows(op.cost));
    if (onPim && op.hostKnown)
        text += OpFactsWords::tr("<p style='margin:4px 0 0 0'>On the host it would take %1 (%2).</p>")
                    .arg(plain(timeText(op.hostNs)), plain(ratioText(op.hostNs / op.cost.totalNs())));
    else if (!onPim && op.pimCost)
        text += OpFactsWords::tr("<p style='margin:4px 0 0 0'>On PIM it would take %1.</p>")
                    .arg(plain(timeText(op.pimCost->totalNs())));
    else if (!onPim && !op.pimVerdict.empty())
        text += OpFactsWords::tr("<p style='margin:4px 0 0 0'>PIM cannot run it: %1.</p>")
                    .arg(plain(op.pimVerdict));
    if (!limit.isEmpty() && !stale)
        text += section(OpFactsWords::tr("What sets its time (simulated)")) +
                QStringLiteral("<p style='margin:0'>%1</p>").arg(limit.toHtmlEscaped());
    const QString checked = op.draftCheck ? coreSentence(op.draftCheck->text()).toHtmlEscaped() : QString();
    if (onPim && op.draft && op.space)
        text +=
            section(op.draftOverridden ? OpFactsWords::tr("Draft (your decision)")
                                       : OpFactsWords::tr("Draft")) +
            QStringLiteral("<p style='margin:0'><code>%1</code></p><p style='margin:2px 0;color:%2'>%3</p>")
                .arg(plain(op.space->draftText(*op.draft)), color(Role::Muted).name(),
                     op.draftOverridden
                         ? OpFactsWords::tr("Reset it below to take the compiler's choice again")
                         : OpFactsWords::tr("Best of %1 kept, %2 looked at")
                                   .arg(plain(exactText(op.draftsKept)),
                                        plain(exactText(op.draftsEnumerated))) +
                               (checked.isEmpty() ? QString() : QStringLiteral("<br>%1").arg(checked)));
    return text;
}

QString factsText(const Graph& graph, const Plan* plan, OpId id, const NameFit& fit) {
    const Op& op = graph.op(id);
    QString text = section(OpFactsWords::tr("Work"));
    if (op.work.known) {
        QString rows = row(OpFactsWords::tr("Multiply-accumulates"),
                           plain(countText(static_cast<double>(op.work.macs))), OpFactsWords::tr("MACs"));
        if (op.work.otherOps > 0)
            rows += row(OpFactsWords::tr("Other operations"),
                        plain(countText(static_cast<double>(op.work.otherOps))), OpFactsWords::tr("ops"));
        rows +=
            row(OpFactsWords::tr("Read"), plain(bytesText(static_cast<double>(op.work.bytesRead))),
                op.work.weightBytes > 0 ? OpFactsWords::tr("of it weights %1")
                                              .arg(plain(bytesText(static_cast<double>(op.work.weightBytes))))
                                        : QString());
        rows += row(OpFactsWords::tr("Written"), plain(bytesText(static_cast<double>(op.work.bytesWritten))));
        rows += row(OpFactsWords::tr("Arithmetic intensity"),
                    QString::number(op.work.arithmeticIntensity(), 'g', 4), QStringLiteral("FLOP/B"));
        text += table(rows);
    } else {
        text += OpFactsWords::tr(
            "<p style='margin:0'>Not known: shapes are missing or the op is not understood.</p>");
    }
    const OpPlan* planned = plan ? &plan->opPlan(id) : nullptr;
    text += section(OpFactsWords::tr("Tensors"));
    for (const TensorId tensor : op.inputs)
        text += tensorLine(graph, planned, tensor, OpFactsWords::tr("in"), fit);
    for (const TensorId tensor : op.outputs)
        text += tensorLine(graph, planned, tensor, OpFactsWords::tr("out"), fit);
    if (!op.attributes.empty()) {
        QString rows;
        for (const auto& [key, value] : op.attributes)
            rows += QStringLiteral("<tr><td style='padding-right:10px;color:%1'>%2</td><td>%3</td></tr>")
                        .arg(color(Role::Muted).name(), plain(key), plain(attributeText(value)));
        text += section(OpFactsWords::tr("Attributes")) + table(rows);
    }
    text += section(op.sources.size() == 1
                        ? OpFactsWords::tr("From the model file")
                        : OpFactsWords::tr("From %1 nodes of the model file").arg(op.sources.size()));
    constexpr std::size_t kShown = 40;
    for (std::size_t i = 0; i < std::min(op.sources.size(), kShown); ++i) {
        const NodeRef& node = op.sources[i];
        text += QStringLiteral("<p style='margin:0'>%1 <span style='color:%2'>%3, node %4</span></p>")
                    .arg(fitted(node.name, fit), color(Role::Muted).name(), plain(node.type))
                    .arg(node.index);
    }
    if (op.sources.size() > kShown)
        text += OpFactsWords::tr("<p style='margin:0'>… and %1 more</p>").arg(op.sources.size() - kShown);
    return text;
}

} // namespace pim::views
