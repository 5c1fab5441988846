// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/crash_bar.h"

#include "app/studio/text_dialog.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMainWindow>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::studio {
namespace {

constexpr std::size_t kMostCrashRows = 3; ///< The newest; the others are offered when these are dealt with.

} // namespace

QString CrashBar::text(const CrashReport& report) {
    const QDateTime when = QDateTime::fromString(QString::fromStdString(report.when), Qt::ISODate);
    const QString head = tr("%1 crashed on %2")
                             .arg(QString::fromStdString(report.program),
                                  QLocale().toString(when.toLocalTime(), QLocale::ShortFormat));
    if (report.place.empty())
        return tr("%1: %2").arg(head, QString::fromStdString(report.signal));
    // without arguments, which take all the room
    const QString place = QString::fromStdString(report.place.substr(0, report.place.rfind('(')));
    return tr("%1 in %2: %3").arg(head, place, QString::fromStdString(report.signal));
}

CrashBar::CrashBar(const std::vector<CrashReport>& reports, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("CrashBar"));
    setAccessibleName(tr("Crashes of earlier starts"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(2);
    for (std::size_t i = 0; i < std::min(kMostCrashRows, reports.size()); ++i)
        addRow(*column, reports[i]);
}

void CrashBar::addRow(QVBoxLayout& column, const CrashReport& report) {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    auto* icon = new QLabel;
    icon->setPixmap(views::icon(QStringLiteral("warning"), views::Role::Bad).pixmap(16, 16));
    auto* label = new views::LineLabel;
    label->setText(text(report));
    label->setTextFormat(Qt::PlainText);
    const QString file = QString::fromStdString(report.file.string());
    label->setToolTip(text(report) + u'\n' + file);
    auto* read = new QPushButton(tr("Show"));
    read->setToolTip(tr("The functions it was in, and what it had said last"));
    auto* tell = new QPushButton(tr("Report…"));
    tell->setToolTip(tr("Make a report of the problem with it; nothing is sent"));
    auto* remove = new QPushButton(tr("Delete"));
    remove->setToolTip(tr("Delete the file, and do not offer it again"));
    line->addWidget(icon);
    line->addWidget(label, 1);
    for (QPushButton* button : {read, tell, remove}) {
        button->setAccessibleName(tr("%1: %2").arg(button->text(), text(report)));
        line->addWidget(button);
    }
    auto* later = new QToolButton;
    later->setIcon(views::icon(QStringLiteral("cancel")));
    later->setAutoRaise(true);
    later->setToolTip(tr("Not now: it is offered at the next start again"));
    later->setAccessibleName(tr("Not now: %1").arg(text(report)));
    line->addWidget(later);
    connect(later, &QToolButton::clicked, this, [this, row] { removeRow(row); });
    column.addWidget(row);
    ++m_rows;
    connect(read, &QPushButton::clicked, this, [this, report] {
        showText(window(), tr("Crash"), text(report).toHtmlEscaped(), QString::fromStdString(report.text));
    });
    connect(tell, &QPushButton::clicked, this, [this, file] { emit reportRequested(file); });
    connect(remove, &QPushButton::clicked, this, [this, row, path = report.file] {
        if (const auto gone = removeCrashReport(path); !gone)
            return emit failed(tr("The report of the crash could not be deleted"),
                               QString::fromStdString(gone.error().text()));
        removeRow(row);
    });
}

void CrashBar::removeRow(QWidget* row) {
    row->hide();
    row->deleteLater();
    if (--m_rows == 0)
        emit emptied();
}

CrashBar* showCrashes(QMainWindow& window, const std::vector<CrashReport>& reports) {
    window.addToolBarBreak();
    QToolBar* holder = window.addToolBar(CrashBar::tr("Crashes"));
    holder->setObjectName(QStringLiteral("CrashHolder"));
    holder->setMovable(false);
    holder->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* bar = new CrashBar(reports);
    holder->addWidget(bar);
    QObject::connect(bar, &CrashBar::emptied, holder, [&window, holder] {
        window.removeToolBar(holder);
        holder->deleteLater();
    });
    return bar;
}

} // namespace pim::studio
