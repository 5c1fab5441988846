// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/command_palette.h"

#include "app/studio/commands.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::studio {
namespace {

constexpr int kRowsShown = 200; ///< More than anybody reads; keeps typing fast with thousands of ops.

/// Title left, hint right.
class EntryDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QString hint = index.data(Qt::UserRole + 1).toString();
        if (hint.isEmpty())
            return;
        painter->save();
        painter->setPen(option.palette.color(option.state & QStyle::State_Selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, hint);
        painter->restore();
    }
};

} // namespace

int fuzzyScore(const QString& query, const QString& title) {
    QString letters = query.toCaseFolded();
    letters.remove(u' ');
    const QString text = title.toCaseFolded();
    // best[i]: best score with the letters so far, the last one at i. Quadratic in a title of a few dozen letters.
    constexpr int kNone = -1;
    std::vector<int> best(static_cast<std::size_t>(text.size()), kNone);
    for (qsizetype k = 0; k < letters.size(); ++k) {
        std::vector<int> next(best.size(), kNone);
        int before = k == 0 ? 0 : kNone; // best score that ends anywhere left of i
        for (qsizetype i = 0; i < text.size(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (text[i] == letters[k]) {
                const bool wordStart = i == 0 || !text[i - 1].isLetterOrNumber();
                if (before != kNone)
                    next[at] = before + (wordStart ? 5 : 1);
                if (k > 0 && i > 0 && best[at - 1] != kNone)
                    next[at] = std::max(next[at], best[at - 1] + 6);
            }
            if (k > 0)
                before = std::max(before, best[at]);
        }
        best = std::move(next);
    }
    const int score = best.empty() ? kNone : *std::max_element(best.begin(), best.end());
    return score == kNone ? kNone : std::max(0, score * 1000 - static_cast<int>(text.size()));
}

QList<PaletteEntry> commandEntries(Commands& commands) {
    QList<PaletteEntry> entries;
    for (const QString& id : commands.ids()) {
        QAction* action = commands.action(id);
        const QString reason = commands.whyNot(id);
        QString hint = reason.isEmpty() ? action->shortcut().toString(QKeySequence::NativeText) : reason;
        if (action->isChecked())
            hint = QStringLiteral("✓ ") + hint;
        entries.append({commands.title(id), hint, reason.isEmpty(), [action] { action->trigger(); }});
    }
    return entries;
}

CommandPalette::CommandPalette(const QString& prompt, QList<PaletteEntry> entries, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), m_entries(std::move(entries)), m_input(new QLineEdit), m_list(new QListWidget) {
    setObjectName(QStringLiteral("CommandPalette"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(prompt);
    setAccessibleName(prompt);
    m_input->setPlaceholderText(prompt);
    m_input->setAccessibleName(prompt);
    m_input->setClearButtonEnabled(true);
    m_input->installEventFilter(this);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_input);
    column->addWidget(m_list, 1);
    resize(std::min(620, parent->width() - 80), 380);
    move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 70)));
    connect(m_input, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_input, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    refresh();
}

void CommandPalette::refresh() {
    const QString query = m_input->text().trimmed();
    std::vector<std::pair<int, qsizetype>> ranked;
    for (qsizetype i = 0; i < m_entries.size(); ++i)
        if (const int score = query.isEmpty() ? 0 : fuzzyScore(query, m_entries[i].title); score >= 0)
            ranked.emplace_back(score, i);
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    m_list->clear();
    for (std::size_t i = 0; i < std::min<std::size_t>(ranked.size(), kRowsShown); ++i) {
        const PaletteEntry& entry = m_entries[ranked[i].second];
        auto* item = new QListWidgetItem(entry.title, m_list);
        item->setData(Qt::UserRole, ranked[i].second);
        item->setData(Qt::UserRole + 1, entry.hint);
        if (!entry.enabled)
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->flags() & Qt::ItemIsEnabled) {
            m_list->setCurrentRow(row);
            break;
        }
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled))
        return;
    const auto run = m_entries[item->data(Qt::UserRole).toLongLong()].run;
    accept();
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up || key->key() == Qt::Key_PageDown || key->key() == Qt::Key_PageUp) {
            QApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace pim::studio
