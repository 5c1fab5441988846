// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/area_model.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/text.h"

#include <QColor>

#include <algorithm>
#include <map>

namespace pim::views {
namespace {

/// Nearest rank.
double percentile(std::vector<float>& values, double share) {
    if (values.empty())
        return 0;
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

struct Sum {
    AreaRow row;
    std::vector<float> durations;
    double wholeNs = 0;
};

void finish(Sum& sum) {
    sum.row.spans = static_cast<std::int64_t>(sum.durations.size());
    sum.row.meanNs = sum.durations.empty() ? 0 : sum.wholeNs / static_cast<double>(sum.durations.size());
    sum.row.medianNs = percentile(sum.durations, 0.5);
    sum.row.p95Ns = percentile(sum.durations, 0.95);
}

} // namespace

AreaSummary summarize(const Timeline& timeline, double fromNs, double toNs,
                      std::span<const std::uint32_t> tracks) {
    AreaSummary made;
    const std::size_t kinds = timeline.kinds.size();
    std::vector<std::string> groups; // in order of appearance
    std::vector<double> groupNs;     // time of their tracks in the area
    std::vector<Sum> sums;           // [group][kind]
    std::vector<Sum> labels(timeline.labels.size());
    for (const std::uint32_t track : tracks) {
        const auto found = std::find(groups.begin(), groups.end(), timeline.tracks[track].group);
        const auto group = static_cast<std::size_t>(found - groups.begin());
        if (found == groups.end()) {
            groups.push_back(timeline.tracks[track].group);
            groupNs.push_back(0);
            sums.resize(groups.size() * kinds);
        }
        groupNs[group] += toNs - fromNs;
        ++made.tracks;
        const auto begin = timeline.spans.begin() + static_cast<std::ptrdiff_t>(timeline.firstSpan[track]);
        const auto end = timeline.spans.begin() + static_cast<std::ptrdiff_t>(timeline.firstSpan[track + 1]);
        auto span = std::partition_point(
            begin, end, [&](const TimelineSpan& s) { return s.startNs + s.durationNs <= fromNs; });
        for (; span != end && span->startNs < toNs; ++span) {
            if (timeline.kinds[span->kind].role == SpanRole::Idle)
                continue;
            const double ns =
                std::min(toNs, span->startNs + span->durationNs) - std::max(fromNs, span->startNs);
            ++made.spans;
            made.busyNs += ns;
            for (Sum* sum : {&sums[group * kinds + span->kind],
                             span->label < labels.size() ? &labels[span->label] : nullptr})
                if (sum) {
                    sum->row.ns += ns;
                    sum->wholeNs += span->durationNs;
                    sum->durations.push_back(span->durationNs);
                }
        }
    }
    for (std::size_t group = 0; group < groups.size(); ++group) {
        std::vector<AreaRow> rows;
        double busy = 0;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            Sum& sum = sums[group * kinds + kind];
            if (sum.durations.empty())
                continue;
            finish(sum);
            sum.row.group = groups[group];
            sum.row.kind = timeline.kinds[kind].name;
            sum.row.kindIndex = static_cast<int>(kind);
            sum.row.share = groupNs[group] > 0 ? sum.row.ns / groupNs[group] : 0;
            busy += sum.row.ns;
            rows.push_back(sum.row);
        }
        std::stable_sort(rows.begin(), rows.end(),
                         [](const AreaRow& a, const AreaRow& b) { return a.ns > b.ns; });
        made.kinds.insert(made.kinds.end(), rows.begin(), rows.end());
        AreaRow idle;
        idle.group = groups[group];
        idle.kind = "idle";
        idle.ns = std::max(0.0, groupNs[group] - busy);
        idle.share = groupNs[group] > 0 ? idle.ns / groupNs[group] : 0;
        made.kinds.push_back(idle);
    }
    for (std::size_t label = 0; label < labels.size(); ++label) {
        if (labels[label].durations.empty())
            continue;
        finish(labels[label]);
        AreaRow& row = labels[label].row;
        row.name = timeline.labels[label].empty() ? "no op" : timeline.labels[label];
        row.op = label < timeline.labelOps.size() ? timeline.labelOps[label] : -1;
        row.share = made.busyNs > 0 ? row.ns / made.busyNs : 0;
        made.ops.push_back(row);
    }
    std::stable_sort(made.ops.begin(), made.ops.end(),
                     [](const AreaRow& a, const AreaRow& b) { return a.ns > b.ns; });
    return made;
}

AreaModel::AreaModel(Rows rows, QObject* parent)
    : QAbstractTableModel(parent), m_what(rows),
      m_columns(rows == Rows::Kinds ? std::vector<Column>{Group, Kind, Spans, Time, Share, Mean, Median, P95}
                                    : std::vector<Column>{Name, Spans, Time, Share, Mean, Median, P95}) {}

void AreaModel::setRows(std::vector<AreaRow> rows, std::vector<QColor> kindColors) {
    beginResetModel();
    m_rows = std::move(rows);
    m_colors = std::move(kindColors);
    endResetModel();
}

int AreaModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AreaModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant AreaModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const AreaRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const Column column = m_columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::TextAlignmentRole)
        return int((column <= Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::DecorationRole && column == Kind && row.kindIndex >= 0)
        return m_colors[static_cast<std::size_t>(row.kindIndex)];
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    const bool exact = role == Qt::EditRole;
    const auto time = [&](double ns) {
        return exact                              ? QVariant(ns)
               : row.spans == 0 && column != Time ? QVariant(QStringLiteral("–"))
                                                  : QVariant(text(timeText(ns)));
    };
    switch (column) {
    case Group:
        return coreWord(row.group);
    case Kind:
        return coreWord(row.kind);
    case Name:
        return text(row.name);
    case Spans:
        return exact ? QVariant(static_cast<qlonglong>(row.spans))
                     : QVariant(row.spans == 0 ? QStringLiteral("–") : text(exactText(row.spans)));
    case Time:
        return time(row.ns);
    case Share:
        return exact                                 ? QVariant(row.share)
               : row.share > 0 && row.share < 0.0005 ? QVariant(QStringLiteral("<0.1 %"))
                                                     : QVariant(text(percentText(row.share)));
    case Mean:
        return time(row.meanNs);
    case Median:
        return time(row.medianNs);
    case P95:
        return time(row.p95Ns);
    }
    return {};
}

QVariant AreaModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole)
        return int((column <= Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    static const char* const kShown[] = {QT_TR_NOOP("Tracks"), QT_TR_NOOP("Kind"), QT_TR_NOOP("Op"),
                                         QT_TR_NOOP("Spans"),  QT_TR_NOOP("Time"), QT_TR_NOOP("Share"),
                                         QT_TR_NOOP("Mean"),   QT_TR_NOOP("p50"),  QT_TR_NOOP("p95")};
    static const char* const kExact[] = {"tracks", "kind",    "op",     "spans", "time_ns",
                                         "share",  "mean_ns", "p50_ns", "p95_ns"};
    if (role == Qt::DisplayRole)
        return tr(kShown[column]);
    if (role == Qt::EditRole)
        return QString::fromLatin1(kExact[column]);
    if (role == Qt::ToolTipRole && column == Share)
        return m_what == Rows::Kinds ? tr("Of the time of all chosen tracks of the group")
                                     : tr("Of all busy time in the area");
    return {};
}

} // namespace pim::views
