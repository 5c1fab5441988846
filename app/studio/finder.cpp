// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/finder.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace pim::studio {
namespace {

constexpr std::size_t kRowsShown = 200; ///< More than anybody reads.
constexpr qint64 kSliceNs = 5'000'000;  ///< A third of a frame.
constexpr int kClockEvery = 64;         ///< Titles between two looks at the clock.
constexpr int kNone = -1;

/// Title left, hint or problem right.
class RowDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const QString problem = index.data(FinderModel::ProblemRole).toString();
        const QString hint = problem.isEmpty() ? index.data(FinderModel::HintRole).toString() : problem;
        const int room = option.rect.width() - 24;
        const int titleWidth = option.fontMetrics.horizontalAdvance(index.data().toString());
        // The title has what it needs up to two thirds; the hint gets the rest.
        const int hintWidth =
            std::min(option.fontMetrics.horizontalAdvance(hint) + 2, std::max(room - titleWidth, room / 3));
        QStyleOptionViewItem left(option);
        initStyleOption(&left, index);
        left.text.clear();
        QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &left, painter, option.widget);
        const bool isCurrent = option.state & QStyle::State_Selected;
        const QPalette::ColorGroup group = problem.isEmpty() ? QPalette::Active : QPalette::Disabled;
        const QRect text = option.rect.adjusted(8, 0, -8, 0);
        painter->save();
        painter->setFont(option.font);
        painter->setPen(option.palette.color(group, isCurrent ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(text.adjusted(0, 0, -hintWidth - 8, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle,
                                                        text.width() - hintWidth - 8));
        painter->setPen(
            option.palette.color(isCurrent ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(hint, Qt::ElideRight, hintWidth));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {100, option.fontMetrics.height() + 8};
    }
};

} // namespace

FuzzyQuery::FuzzyQuery(const QString& text) : m_letters(text.toCaseFolded()) {
    m_letters.remove(u' ');
}

int FuzzyQuery::score(QStringView title) const {
    // Most titles lack a letter: seen in one pass.
    qsizetype matched = 0;
    for (const QChar letter : title)
        if (matched < m_letters.size() && letter.toCaseFolded() == m_letters[matched])
            ++matched;
    if (matched < m_letters.size())
        return kNone;
    // m_best[i]: best score with the letters so far, the last one at i. Quadratic in a title of a few dozen letters.
    const auto size = static_cast<std::size_t>(title.size());
    m_best.assign(size, kNone);
    for (qsizetype k = 0; k < m_letters.size(); ++k) {
        m_next.assign(size, kNone);
        int before = k == 0 ? 0 : kNone; // best score that ends anywhere left of i
        for (std::size_t i = 0; i < size; ++i) {
            const auto at = static_cast<qsizetype>(i);
            if (title[at].toCaseFolded() == m_letters[k]) {
                const bool wordStart = i == 0 || !title[at - 1].isLetterOrNumber();
                if (before != kNone)
                    m_next[i] = before + (wordStart ? 5 : 1);
                if (k > 0 && i > 0 && m_best[i - 1] != kNone)
                    m_next[i] = std::max(m_next[i], m_best[i - 1] + 6);
            }
            if (k > 0)
                before = std::max(before, m_best[i]);
        }
        std::swap(m_best, m_next);
    }
    const int score = m_best.empty() ? 0 : *std::max_element(m_best.begin(), m_best.end());
    return score == kNone && !m_letters.isEmpty() ? kNone
                                                  : std::max(0, score * 1000 - static_cast<int>(size));
}

FinderModel::FinderModel(std::vector<FinderSource> sources, QObject* parent)
    : QAbstractListModel(parent), m_sources(std::move(sources)) {
    m_slice.setInterval(0);
    connect(&m_slice, &QTimer::timeout, this, &FinderModel::searchSlice);
    setQuery({});
}

void FinderModel::setQuery(const QString& text) {
    m_slice.stop();
    m_searched.clear();
    QString letters = text;
    const qsizetype space = text.indexOf(u' ');
    for (int i = 0; i < static_cast<int>(m_sources.size()); ++i)
        if (!m_sources[static_cast<std::size_t>(i)].prefix.isEmpty() && space > 0 &&
            text.left(space) == m_sources[static_cast<std::size_t>(i)].prefix) {
            m_searched = {i};
            letters = text.mid(space + 1);
        }
    const bool isAboutAll = m_searched.empty();
    for (int i = 0; isAboutAll && i < static_cast<int>(m_sources.size()); ++i)
        m_searched.push_back(i);
    m_query = FuzzyQuery(letters);
    m_matches.clear();
    m_atSource = 0;
    m_atIndex = 0;
    m_isFirstSlice = true;
    if (m_query.isEmpty() && isAboutAll)
        return showFirst();
    searchSlice();
}

/// Before anything is typed: what was used last, then the kinds there are, or simply all of the only kind.
void FinderModel::showFirst() {
    std::vector<FinderItem> rows;
    for (const FinderSource& source : m_sources)
        for (const int index : source.first)
            rows.push_back(source.item(index));
    for (const FinderSource& source : m_sources)
        if (m_sources.size() > 1)
            rows.push_back({tr("%1: type %2 and a space").arg(source.name, source.prefix),
                            source.count > 0 ? QString() : source.whenEmpty,
                            {},
                            [this, prefix = source.prefix] { emit queryWanted(prefix + u' '); },
                            {},
                            true});
        else
            for (int i = 0; i < source.count; ++i)
                if (std::find(source.first.begin(), source.first.end(), i) == source.first.end())
                    rows.push_back(source.item(i));
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    emit found();
}

void FinderModel::searchSlice() {
    QElapsedTimer clock;
    clock.start();
    for (int since = 0; m_atSource < m_searched.size();) {
        const int at = m_searched[m_atSource];
        const FinderSource& source = m_sources[static_cast<std::size_t>(at)];
        for (; m_atIndex < source.count; ++m_atIndex) {
            if (++since % kClockEvery == 0 && clock.nsecsElapsed() > kSliceNs) {
                m_slice.start();
                if (std::exchange(m_isFirstSlice, false))
                    publish();
                return;
            }
            if (const int score = m_query.score(source.title(m_atIndex)); score >= 0)
                m_matches.push_back({score, at, m_atIndex});
        }
        ++m_atSource;
        m_atIndex = 0;
    }
    m_slice.stop();
    publish();
}

void FinderModel::publish() {
    std::vector<Match> best(std::min(kRowsShown, m_matches.size()));
    std::partial_sort_copy(
        m_matches.begin(), m_matches.end(), best.begin(), best.end(), [](const Match& a, const Match& b) {
            return std::tie(b.score, a.source, a.index) < std::tie(a.score, b.source, b.index);
        });
    beginResetModel();
    m_rows.clear();
    for (const Match& match : best)
        m_rows.push_back(m_sources[static_cast<std::size_t>(match.source)].item(match.index));
    endResetModel();
    emit found();
}

const FinderItem* FinderModel::item(const QModelIndex& index) const {
    return index.isValid() && index.row() < rowCount() ? &m_rows[static_cast<std::size_t>(index.row())]
                                                       : nullptr;
}

QString FinderModel::note() const {
    int all = 0;
    for (const int source : m_searched)
        all += m_sources[static_cast<std::size_t>(source)].count;
    if (m_searched.size() == 1 && all == 0)
        return m_sources[static_cast<std::size_t>(m_searched.front())].whenEmpty;
    if (m_query.isEmpty() && m_matches.empty())
        return {};
    if (m_matches.empty())
        return isSearching() ? tr("Searching…") : tr("Nothing matches these letters in this order.");
    return isSearching() ? tr("%1 found so far").arg(m_matches.size())
                         : tr("%1 of %2").arg(m_matches.size()).arg(all);
}

int FinderModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant FinderModel::data(const QModelIndex& index, int role) const {
    const FinderItem* row = item(index);
    if (!row)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return row->title;
    case HintRole:
        return row->hint;
    case ProblemRole:
        return row->problem;
    case Qt::AccessibleTextRole:
        return QStringList{row->title, row->problem.isEmpty() ? row->hint : row->problem}.join(
            QStringLiteral(", "));
    case Qt::ToolTipRole:
        return QStringList{row->title, row->problem, row->copyText}.join(u'\n').trimmed();
    default:
        return {};
    }
}

Qt::ItemFlags FinderModel::flags(const QModelIndex& index) const {
    const FinderItem* row = item(index);
    // One that cannot be run can still be read.
    return row ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren : Qt::NoItemFlags;
}

Finder::Finder(const QString& prompt, std::vector<FinderSource> sources, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), m_input(new QLineEdit), m_list(new QListView),
      m_note(new QLabel), m_model(new FinderModel(std::move(sources), this)) {
    setObjectName(QStringLiteral("Finder"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(prompt);
    setAccessibleName(prompt);
    m_input->setPlaceholderText(prompt);
    m_input->setAccessibleName(prompt);
    m_input->setClearButtonEnabled(true);
    m_input->installEventFilter(this);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus); // arrow keys reach it from the input
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setAccessibleName(tr("How many were found"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_input);
    column->addWidget(m_list, 1);
    column->addWidget(m_note);
    const int letters = fontMetrics().averageCharWidth();
    resize(std::min(std::max(620, 110 * letters), parent->width() - 40),
           std::min(420, parent->height() - 90));
    move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 70)));
    connect(m_input, &QLineEdit::textChanged, m_model, &FinderModel::setQuery);
    connect(m_input, &QLineEdit::returnPressed, this, &Finder::runCurrent);
    connect(m_list, &QListView::clicked, this, &Finder::runCurrent);
    connect(m_model, &FinderModel::found, this, &Finder::showFound);
    connect(m_model, &FinderModel::queryWanted, m_input, &QLineEdit::setText);
    showFound();
}

void Finder::showFound() {
    int row = 0; // the best that can be run; else the best, to be read
    for (int i = 0; i < m_model->rowCount(); ++i)
        if (m_model->item(m_model->index(i))->problem.isEmpty()) {
            row = i;
            break;
        }
    m_list->setCurrentIndex(m_model->index(row));
    const QString note = m_model->note();
    const FinderItem* current = m_model->item(m_list->currentIndex());
    m_note->setText(current && !current->copyText.isEmpty()
                        ? QStringList{note, tr("Ctrl+Shift+C copies the pimc command")}.join(
                              note.isEmpty() ? QString() : QStringLiteral(" · "))
                        : note);
}

void Finder::runCurrent() {
    const FinderItem* current = m_model->item(m_list->currentIndex());
    if (!current)
        return;
    if (!current->problem.isEmpty())
        return m_note->setText(current->problem);
    const auto run = current->run;
    if (!current->staysOpen)
        accept();
    if (run)
        run();
}

void Finder::copyCurrent() {
    const FinderItem* current = m_model->item(m_list->currentIndex());
    if (!current || current->copyText.isEmpty())
        return m_note->setText(tr("There is no pimc command for this."));
    QApplication::clipboard()->setText(current->copyText);
    m_note->setText(tr("Copied: %1").arg(current->copyText));
}

bool Finder::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up || key->key() == Qt::Key_PageDown ||
            key->key() == Qt::Key_PageUp) {
            QApplication::sendEvent(m_list, event);
            return true;
        }
        if (key->key() == Qt::Key_C && key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
            copyCurrent();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace pim::studio
