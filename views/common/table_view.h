// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A table whose cells can be taken elsewhere: Ctrl+C copies all selected cells with their header as TSV, the
/// right-click menu also offers Markdown, CSV and JSON.
#include "core/base/result.h"

#include <QTableView>

class QMenu;

namespace pim::views {

/// Cells are taken unrounded: a model gives the exact value as Qt::EditRole (a number, for figures shown with
/// a unit) and the header of that value, unit included, as Qt::EditRole of its header; both fall back to
/// Qt::DisplayRole.
class TableView : public QTableView {
    Q_OBJECT
public:
    enum class Format { Tsv, Markdown, Csv, Json }; ///< Json: an object a row, by header.

    explicit TableView(QWidget* parent = nullptr);

    /// Visible selected cells in visual order, whole rows and columns of their bounding grid; everything if
    /// nothing is selected.
    QString text(Format format, bool selectedOnly = true) const;
    /// The whole table, as JSON if \p path ends so, else as CSV. Error::Io.
    Result<void> save(const QString& path) const;
    /// Widths from the contents, none wider than \p most.
    void fitColumns(int most = 300);
    int sizeHintForColumn(int column) const override;
    void setExportName(const QString& name) { m_exportName = name; }
    /// Adds the copy and save actions; for views that build a larger menu.
    void addCopyActions(QMenu* menu);
    /// Frames a row that something else under the mouse is about; -1: none.
    void setMarkedRow(int row);

public slots:
    void copySelection();

signals:
    /// The mouse is over another row; -1: over none. Needs setMouseTracking().
    void rowHovered(int row);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QString m_exportName = QStringLiteral("table");
    int m_hovered = -1, m_marked = -1;
};

} // namespace pim::views
