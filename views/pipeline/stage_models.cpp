// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/stage_models.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"

#include <algorithm>

namespace pim::views {

void StageModel::setStages(std::vector<PipelineStage> stages) {
    beginResetModel();
    m_stages = std::move(stages);
    filter();
    endResetModel();
}

void StageModel::setHidesIdle(bool hides) {
    beginResetModel();
    m_hidesIdle = hides;
    filter();
    endResetModel();
}

void StageModel::filter() {
    m_rows.clear();
    for (std::size_t i = 0; i < m_stages.size(); ++i)
        if (!m_hidesIdle || !m_stages[i].enabled || m_stages[i].changes != 0)
            m_rows.push_back(i);
}

int StageModel::rowOf(const std::string& id) const {
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_stages[m_rows[row]].id == id)
            return int(row);
    return -1;
}

int StageModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int StageModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StageModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const PipelineStage& at = stage(index.row());
    const bool known = at.enabled && at.milliseconds >= 0;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        switch (index.column()) {
        case Stage:
            return at.title;
        case Before:
            return at.before;
        case After:
            return at.after;
        case Changes:
            return at.changes < 0 || !at.enabled ? QVariant() : QVariant(qint64(at.changes));
        case Time:
            if (!known)
                return {};
            return role == Qt::EditRole ? QVariant(at.milliseconds)
                                        : QVariant(QString::fromStdString(timeText(at.milliseconds * 1e6)));
        default:
            return {};
        }
    case Qt::CheckStateRole:
        if (index.column() == Stage && at.kind == PipelineStage::Kind::Pass)
            return int(at.enabled ? Qt::Checked : Qt::Unchecked);
        return {};
    case Qt::ToolTipRole:
        return at.kind == PipelineStage::Kind::Pass
                   ? tr("%1\nClear the check box to skip this pass.").arg(at.summary)
                   : at.summary;
    case Qt::ForegroundRole:
        return at.enabled && at.changes == 0 ? QVariant(color(Role::Muted)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() >= Changes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

bool StageModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable))
        return false;
    emit switched(QString::fromStdString(stage(index.row()).id), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags StageModel::flags(const QModelIndex& index) const {
    const bool isPass =
        index.isValid() && index.column() == Stage && stage(index.row()).kind == PipelineStage::Kind::Pass;
    return QAbstractTableModel::flags(index) | (isPass ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
}

QVariant StageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole) {
        static const char* const names[] = {QT_TR_NOOP("Stage"), QT_TR_NOOP("Before"), QT_TR_NOOP("After"),
                                            QT_TR_NOOP("Changes"), QT_TR_NOOP("Time")};
        return section < ColumnCount ? tr(names[section]) : QString();
    }
    if (role == Qt::EditRole && section == Time)
        return tr("Time (ms)");
    if (role == Qt::ToolTipRole && section == Changes)
        return tr("Rewrites of a pass; what a planning step handled");
    if (role == Qt::TextAlignmentRole)
        return int((section >= Changes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return QAbstractTableModel::headerData(section, orientation, role);
}

void ChangeModel::setChanges(std::vector<StageChange> changes) {
    beginResetModel();
    m_changes = std::move(changes);
    filter();
    endResetModel();
}

void ChangeModel::setHidesSame(bool hides) {
    beginResetModel();
    m_hidesSame = hides;
    filter();
    endResetModel();
}

void ChangeModel::setOnly(OpId op) {
    if (m_only == op)
        return;
    beginResetModel();
    m_only = op;
    filter();
    endResetModel();
}

void ChangeModel::filter() {
    // All of a rewrite is shown if one of its ops is wanted: half of it tells nothing.
    std::vector<bool> wanted;
    for (const StageChange& change : m_changes) {
        wanted.resize(std::max(wanted.size(), std::size_t(change.edit) + 1));
        if (!m_only.valid() || change.op == m_only)
            wanted[std::size_t(change.edit)] = true;
    }
    m_rows.clear();
    for (std::size_t i = 0; i < m_changes.size(); ++i)
        if (wanted[std::size_t(m_changes[i].edit)] && !(m_hidesSame && m_changes[i].isSame))
            m_rows.push_back(i);
}

bool ChangeModel::hasAny(Column side) const {
    return std::any_of(m_changes.begin(), m_changes.end(), [side](const StageChange& change) {
        return !(side == Before ? change.before : change.after).isEmpty();
    });
}

int ChangeModel::rowOf(OpId op) const {
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_changes[m_rows[row]].op == op)
            return int(row);
    return -1;
}

int ChangeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int ChangeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChangeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const StageChange& at = change(index.row());
    const QString& text = index.column() == Before ? at.before : at.after;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        if (text.isEmpty() || at.isSame || role == Qt::EditRole)
            return text;
        return (index.column() == Before ? QStringLiteral("− ") : QStringLiteral("+ ")) + text;
    case Qt::ToolTipRole:
        return text;
    case Qt::BackgroundRole:
        if (text.isEmpty() || at.isSame)
            return {};
        return mix(color(Role::Canvas), color(index.column() == Before ? Role::Bad : Role::Good), 0.14);
    case Qt::ForegroundRole:
        return at.isSame ? QVariant(color(Role::Muted)) : QVariant(color(Role::NodeText));
    default:
        return {};
    }
}

QVariant ChangeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole && section < ColumnCount)
        return section == Before ? tr("Before") : tr("After");
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    return QAbstractTableModel::headerData(section, orientation, role);
}

} // namespace pim::views
