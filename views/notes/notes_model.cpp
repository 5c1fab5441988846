// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/notes/notes_model.h"

#include "core/base/number_text.h"
#include "views/common/text.h"
#include "views/models/workspace.h"

#include <algorithm>

namespace pim::views {
NotesModel::NotesModel(Workspace& workspace, QObject* parent)
    : QAbstractTableModel(parent), m_workspace(workspace) {
    connect(&workspace, &Workspace::notesChanged, this, &NotesModel::take);
    take();
}

void NotesModel::take() {
    const std::vector<Note>& now = m_workspace.notes();
    // An edited text keeps the selection; a note more or less does not move the others.
    const bool sameRows = std::equal(now.begin(), now.end(), m_notes.begin(), m_notes.end(),
                                     [](const Note& a, const Note& b) { return a.id == b.id; });
    if (sameRows) {
        m_notes = now;
        if (!m_notes.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
        return;
    }
    beginResetModel();
    m_notes = now;
    endResetModel();
}

int NotesModel::rowOf(std::int64_t id) const {
    const auto found =
        std::find_if(m_notes.begin(), m_notes.end(), [id](const Note& note) { return note.id == id; });
    return found == m_notes.end() ? -1 : int(found - m_notes.begin());
}

int NotesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_notes.size());
}

int NotesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant NotesModel::shown(const Note& note, Column column) const {
    const bool hasStretch = !note.timeline.empty();
    switch (column) {
    case Op:
        return note.op.empty() ? QStringLiteral("–") : text(note.op);
    case Where:
        return !hasStretch ? tr("operator") : note.timeline == "network" ? tr("timeline") : tr("commands");
    case From:
        return hasStretch ? text(timeText(note.fromNs)) : QString();
    case To:
        return hasStretch ? text(timeText(note.toNs)) : QString();
    case Text:
    case kColumns:
        break;
    }
    return text(note.text);
}

QVariant NotesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Note& one = note(index.row());
    const auto column = Column(index.column());
    if (role == Qt::DisplayRole)
        return shown(one, column);
    if (role == Qt::EditRole)
        return one.timeline.empty() || (column != From && column != To) ? shown(one, column)
               : column == From                                         ? QVariant(one.fromNs)
                                                                        : QVariant(one.toNs);
    if (role == Qt::ToolTipRole)
        return column == From || column == To
                   ? one.timeline.empty()
                         ? QVariant()
                         : tr("%1 ns").arg(column == From ? one.fromNs : one.toNs, 0, 'g', 15)
                   : shown(one, column);
    if (role == Qt::TextAlignmentRole)
        return int((column == From || column == To ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

bool NotesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const QString edited = value.toString().trimmed();
    if (!index.isValid() || index.column() != Text || role != Qt::EditRole || edited.isEmpty())
        return false;
    m_workspace.editNote(note(index.row()).id, edited);
    return true;
}

Qt::ItemFlags NotesModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Text ? flags | Qt::ItemIsEditable : flags;
}

QVariant NotesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
        return {};
    static const char* const kShown[] = {QT_TR_NOOP("Operator"), QT_TR_NOOP("About"), QT_TR_NOOP("From"),
                                         QT_TR_NOOP("To"), QT_TR_NOOP("Note")};
    static const char* const kExact[] = {"op", "about", "from_ns", "to_ns", "note"};
    if (role == Qt::DisplayRole)
        return tr(kShown[section]);
    return role == Qt::EditRole ? QVariant(QString::fromLatin1(kExact[section])) : QVariant();
}

} // namespace pim::views
