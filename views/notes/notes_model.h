// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The notes of the document as a table; the text of a note can be edited in place.
#include "core/project/project.h"

#include <QAbstractTableModel>

namespace pim::views {

class Workspace;

class NotesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Op, Where, From, To, Text, kColumns };
    explicit NotesModel(Workspace& workspace, QObject* parent = nullptr);

    const Note& note(int row) const { return m_notes[static_cast<std::size_t>(row)]; }
    int rowOf(std::int64_t id) const; ///< -1: none.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void take();
    QVariant shown(const Note& note, Column column) const;

    Workspace& m_workspace;
    std::vector<Note> m_notes;
};

} // namespace pim::views
