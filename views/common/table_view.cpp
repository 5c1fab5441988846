// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table_view.h"

#include "views/common/palette.h"
#include "views/common/plot_export.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <functional>
#include <utility>

namespace pim::views {
namespace {

QString cellText(const QVariant& exact, const QVariant& shown) {
    if (!exact.isValid())
        return shown.toString();
    return exact.typeId() == QMetaType::Double ? exactNumber(exact.toDouble()) : exact.toString();
}

/// A number where it is one; nothing where there is nothing.
QJsonValue jsonOf(const QVariant& exact, const QVariant& shown) {
    const QVariant& value = exact.isValid() ? exact : shown;
    switch (value.typeId()) {
    case QMetaType::UnknownType:
        return {};
    case QMetaType::Bool:
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Double: // one that is not finite is null
        return QJsonValue::fromVariant(value);
    default:
        return value.toString();
    }
}

QString joined(const QStringList& cells, TableView::Format format) {
    QStringList safe;
    switch (format) {
    case TableView::Format::Csv:
        return csvLine(cells);
    case TableView::Format::Tsv:
        for (QString cell : cells)
            safe << cell.replace(QLatin1Char('\t'), QLatin1Char(' '))
                        .replace(QLatin1Char('\n'), QLatin1Char(' '));
        return safe.join(QLatin1Char('\t'));
    case TableView::Format::Markdown:
        for (QString cell : cells)
            safe << cell.replace(QLatin1Char('|'), QLatin1String("\\|"))
                        .replace(QLatin1Char('\n'), QLatin1Char(' '));
        return QLatin1String("| ") + safe.join(QLatin1String(" | ")) + QLatin1String(" |");
    case TableView::Format::Json: // is no list of lines
        break;
    }
    return {};
}

} // namespace

TableView::TableView(QWidget* parent) : QTableView(parent) {
    setAlternatingRowColors(true);
    setWordWrap(false);
    setShowGrid(false);
    setTabKeyNavigation(false); // Tab leaves the table; arrows move in it
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
}

QString TableView::text(Format format, bool selectedOnly) const {
    if (!model())
        return {};
    QModelIndexList chosen =
        selectedOnly && selectionModel() ? selectionModel()->selectedIndexes() : QModelIndexList();
    std::vector<int> rows, columns;
    const auto isShown = [this](int column) { return !isColumnHidden(column); };
    if (chosen.isEmpty()) {
        for (int row = 0; row < model()->rowCount(); ++row)
            rows.push_back(row);
        for (int column = 0; column < model()->columnCount(); ++column)
            if (isShown(column))
                columns.push_back(column);
    } else {
        for (const QModelIndex& index : chosen) {
            rows.push_back(index.row());
            if (isShown(index.column()))
                columns.push_back(index.column());
        }
        const auto unique = [](std::vector<int>& values) {
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
        };
        unique(rows);
        unique(columns);
    }
    std::sort(columns.begin(), columns.end(), [this](int a, int b) {
        return horizontalHeader()->visualIndex(a) < horizontalHeader()->visualIndex(b);
    });

    QStringList header;
    for (const int column : columns) {
        const QVariant exact = model()->headerData(column, Qt::Horizontal, Qt::EditRole);
        header << cellText(exact, model()->headerData(column, Qt::Horizontal, Qt::DisplayRole));
    }
    const bool all = chosen.isEmpty();
    if (format == Format::Json) {
        for (qsizetype i = 1; i < header.size(); ++i) // no name may hide another's values
            for (int same = 2; header.indexOf(header[i]) < i; ++same)
                header[i] = QStringLiteral("%1 %2").arg(header[i]).arg(same);
        QJsonArray objects;
        for (const int row : rows) {
            QJsonObject object;
            for (std::size_t i = 0; i < columns.size(); ++i)
                if (const QModelIndex index = model()->index(row, columns[i]);
                    all || selectionModel()->isSelected(index))
                    object[header[static_cast<qsizetype>(i)]] =
                        jsonOf(index.data(Qt::EditRole), index.data());
            objects.append(object);
        }
        return QString::fromUtf8(QJsonDocument(objects).toJson());
    }
    QString result = joined(header, format) + QLatin1Char('\n');
    if (format == Format::Markdown) {
        QStringList rule;
        for (std::size_t i = 0; i < columns.size(); ++i)
            rule << QStringLiteral("---");
        result += joined(rule, format) + QLatin1Char('\n');
    }
    for (const int row : rows) {
        QStringList cells;
        for (const int column : columns) {
            const QModelIndex index = model()->index(row, column);
            cells << (all || selectionModel()->isSelected(index)
                          ? cellText(index.data(Qt::EditRole), index.data())
                          : QString());
        }
        result += joined(cells, format) + QLatin1Char('\n');
    }
    return result;
}

Result<void> TableView::save(const QString& path) const {
    QSaveFile file(path);
    const bool isJson = path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive);
    const QByteArray bytes = text(isJson ? Format::Json : Format::Csv, false).toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::Io, file.errorString().toStdString(), path.toStdString(),
                    "choose another folder");
    return {};
}

void TableView::fitColumns(int most) {
    resizeColumnsToContents();
    if (!model() || model()->columnCount() == 0)
        return;
    // So that a column does not look glued to the next; less where that brings one more into sight.
    constexpr int kRoom = 12, kLeastRoom = 2;
    const int columns = model()->columnCount();
    const int room =
        std::clamp((viewport()->width() - horizontalHeader()->length()) / columns, kLeastRoom, kRoom);
    for (int column = 0; column < columns; ++column)
        setColumnWidth(column, std::min(columnWidth(column) + room, most));
}

int TableView::sizeHintForColumn(int column) const {
    constexpr int kFirstRows = 100; // and those in sight
    constexpr std::size_t kMeasured = 6;
    if (!model())
        return -1;
    // Laying out text takes long, counting its letters does not: of all these texts the longest are measured.
    std::vector<std::pair<qsizetype, int>> longest; // and its row
    const auto look = [&](int from, int to) {
        for (int row = from; row < std::min(to, model()->rowCount()); ++row)
            if (!isRowHidden(row)) {
                const QModelIndex index = model()->index(row, column);
                const bool isBold = index.data(Qt::FontRole).value<QFont>().bold();
                longest.emplace_back(index.data().toString().size() + (isBold ? 2 : 0), row);
            }
    };
    look(0, kFirstRows);
    const int last = rowAt(viewport()->height() - 1);
    look(std::max(kFirstRows, rowAt(0)), last < 0 ? model()->rowCount() : last + 1);
    const auto middle = longest.begin() + static_cast<std::ptrdiff_t>(std::min(kMeasured, longest.size()));
    std::partial_sort(longest.begin(), middle, longest.end(), std::greater<>());
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    int width = 0;
    for (auto text = longest.begin(); text != middle; ++text) {
        const QModelIndex index = model()->index(text->second, column);
        width = std::max(width, itemDelegateForIndex(index)->sizeHint(option, index).width());
    }
    return width + (showGrid() ? 1 : 0);
}

void TableView::copySelection() {
    QGuiApplication::clipboard()->setText(text(Format::Tsv));
}

void TableView::addCopyActions(QMenu* menu) {
    QAction* copy = menu->addAction(tr("Copy"), this, &TableView::copySelection);
    copy->setShortcut(QKeySequence::Copy);
    menu->addAction(tr("Copy as Markdown"), this,
                    [this] { QGuiApplication::clipboard()->setText(text(Format::Markdown)); });
    menu->addAction(tr("Copy as CSV"), this,
                    [this] { QGuiApplication::clipboard()->setText(text(Format::Csv)); });
    menu->addAction(tr("Copy as JSON"), this,
                    [this] { QGuiApplication::clipboard()->setText(text(Format::Json)); });
    menu->addSeparator();
    menu->addAction(tr("Save Table…"), this, [this] {
        const QString path =
            QFileDialog::getSaveFileName(this, tr("Save Table"), m_exportName + QStringLiteral(".csv"),
                                         QStringLiteral("CSV (*.csv);;JSON (*.json)"));
        if (path.isEmpty())
            return;
        if (const auto done = save(path); !done)
            QMessageBox::warning(this, tr("Save failed"), QString::fromStdString(done.error().text()));
    });
}

void TableView::setMarkedRow(int row) {
    if (row == std::exchange(m_marked, row))
        return;
    viewport()->update();
}

bool TableView::viewportEvent(QEvent* event) {
    const bool moves = event->type() == QEvent::MouseMove, leaves = event->type() == QEvent::Leave;
    if (hasMouseTracking() && (moves || leaves)) {
        const int row = moves ? rowAt(static_cast<QMouseEvent*>(event)->position().toPoint().y()) : -1;
        if (row != std::exchange(m_hovered, row))
            emit rowHovered(row);
    }
    return QTableView::viewportEvent(event);
}

void TableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_marked < 0)
        return;
    QPainter painter(viewport());
    painter.setPen(color(Role::NodeText));
    painter.drawRect(0, rowViewportPosition(m_marked), viewport()->width() - 1, rowHeight(m_marked) - 1);
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addCopyActions(menu);
    menu->popup(event->globalPos());
}

} // namespace pim::views
