// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What happened in a chosen area of a timeline, as tables: time of every kind in every group of tracks, and
/// the ops by the time they kept tracks busy.
#include "core/timeline/timeline.h"

#include <QAbstractTableModel>

#include <span>

namespace pim::views {

/// Spans that are cut by the edge of the area count with the part inside; durations are of whole spans.
struct AreaRow {
    std::string group, kind, name; ///< name: of the op.
    int op = -1;
    int kindIndex = -1;
    std::int64_t spans = 0;
    double ns = 0;
    double share = 0; ///< Of the time of all tracks of the group in the area; of an op: of all busy time.
    double meanNs = 0, medianNs = 0, p95Ns = 0;
};

struct AreaSummary {
    std::vector<AreaRow> kinds; ///< By group, then time; an idle row closes each group.
    std::vector<AreaRow> ops;   ///< Busiest first.
    double busyNs = 0;
    std::int64_t spans = 0;
    int tracks = 0;
};

/// \param tracks those of the area, in any order.
AreaSummary summarize(const Timeline& timeline, double fromNs, double toNs,
                      std::span<const std::uint32_t> tracks);

class AreaModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Rows { Kinds, Ops };
    explicit AreaModel(Rows rows, QObject* parent = nullptr);

    void setRows(std::vector<AreaRow> rows, std::vector<QColor> kindColors);
    const AreaRow& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    enum Column { Group, Kind, Name, Spans, Time, Share, Mean, Median, P95 };
    Rows m_what;
    std::vector<Column> m_columns;
    std::vector<AreaRow> m_rows;
    std::vector<QColor> m_colors;
};

} // namespace pim::views
