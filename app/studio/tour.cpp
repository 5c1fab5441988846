// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tour.h"

#include "views/common/palette.h"

#include <QAccessible>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QTimer>

namespace pim::studio {
namespace {

constexpr int kCardWidth = 380;
constexpr int kGap = 14;   ///< Between what is lit and the card.
constexpr int kMargin = 5; ///< Around what is lit.
constexpr double kShade = 0.55;
constexpr int kFollowMs = 200; ///< The window may still be arranging itself.

} // namespace

Tour::Tour(QWidget& window, std::vector<TourStep> steps)
    : QWidget(&window), m_window(window), m_steps(std::move(steps)),
      m_focusBefore(QApplication::focusWidget()), m_card(new QFrame(this)), m_count(new QLabel),
      m_title(new QLabel), m_text(new QLabel), m_skip(new QPushButton(tr("End tour"))),
      m_back(new QPushButton(tr("Back"))), m_next(new QPushButton) {
    setObjectName(QStringLiteral("Tour"));
    setAccessibleName(tr("Tour"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    m_card->setObjectName(QStringLiteral("TourCard"));
    m_card->setFixedWidth(kCardWidth);
    m_card->setAutoFillBackground(true);
    m_card->setFrameShape(QFrame::StyledPanel);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    QFont large = m_title->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.25);
    m_title->setFont(large);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_skip->setToolTip(tr("End the tour (Esc)"));
    m_back->setToolTip(tr("The step before (Left)"));
    m_next->setToolTip(tr("The next step (Right or Enter)"));
    for (QPushButton* button : {m_skip, m_back, m_next})
        button->installEventFilter(this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_skip);
    buttons->addStretch(1);
    buttons->addWidget(m_back);
    buttons->addWidget(m_next);
    auto* column = new QVBoxLayout(m_card);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    column->addWidget(m_count);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addSpacing(4);
    column->addLayout(buttons);
    connect(m_skip, &QPushButton::clicked, this, [this] { end(false); });
    connect(m_back, &QPushButton::clicked, this, &Tour::back);
    connect(m_next, &QPushButton::clicked, this, &Tour::next);
    m_window.installEventFilter(this);
    auto* follow = new QTimer(this);
    connect(follow, &QTimer::timeout, this, &Tour::place);
    follow->start(kFollowMs);
    show();
    raise();
    enter(0);
}

QRect Tour::spot() const {
    if (!m_lit || !m_lit->isVisible())
        return {};
    const QRect all(m_lit->mapTo(&m_window, QPoint()), m_lit->size());
    return all.adjusted(-kMargin, -kMargin, kMargin, kMargin) & m_window.rect();
}

void Tour::enter(int step) {
    m_step = step;
    const TourStep& now = m_steps[static_cast<std::size_t>(step)];
    if (now.prepare)
        now.prepare();
    m_lit = now.widget ? now.widget() : nullptr;
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(m_steps.size()));
    m_title->setText(now.title);
    m_text->setText(now.text);
    m_back->setEnabled(step > 0);
    m_next->setText(step + 1 == steps() ? tr("Finish") : tr("Next"));
    m_card->setAccessibleName(now.title);
    m_card->setAccessibleDescription(now.text);
    m_next->setFocus();
    place();
    QAccessibleEvent announce(m_card, QAccessible::Alert);
    QAccessible::updateAccessibility(&announce);
}

void Tour::next() {
    const TourStep& now = m_steps[static_cast<std::size_t>(m_step)];
    if (const QString reason = now.notYet ? now.notYet() : QString(); !reason.isEmpty()) {
        m_count->setText(tr("%1 of %2 · %3").arg(m_step + 1).arg(m_steps.size()).arg(reason));
        return;
    }
    if (m_step + 1 == steps())
        end(true);
    else
        enter(m_step + 1);
}

void Tour::back() {
    if (m_step > 0)
        enter(m_step - 1);
}

void Tour::end(bool seenWhole) {
    if (m_step < 0)
        return; // a second click while closing
    m_step = -1;
    if (m_focusBefore)
        m_focusBefore->setFocus();
    emit ended(seenWhole);
    close();
}

/// Where there is most room beside what is lit, never over it if that can be avoided.
void Tour::place() {
    if (m_step < 0)
        return;
    if (m_steps[static_cast<std::size_t>(m_step)].widget)
        m_lit = m_steps[static_cast<std::size_t>(m_step)].widget(); // it may only now be there
    setGeometry(m_window.rect());
    m_card->adjustSize();
    const QSize size = m_card->size();
    const QRect lit = spot(), all = rect();
    QPoint at = all.center() - QPoint(size.width() / 2, size.height() / 2);
    if (!lit.isEmpty()) {
        const int alongX = lit.center().x() - size.width() / 2, alongY = lit.center().y() - size.height() / 2;
        const std::pair<int, QPoint> choices[] = {
            {all.bottom() - lit.bottom() - size.height(), {alongX, lit.bottom() + kGap}},
            {lit.top() - size.height(), {alongX, lit.top() - kGap - size.height()}},
            {all.right() - lit.right() - size.width(), {lit.right() + kGap, alongY}},
            {lit.left() - size.width(), {lit.left() - kGap - size.width(), alongY}},
        };
        int most = kGap;
        for (const auto& [room, position] : choices)
            if (room > most) {
                most = room;
                at = position;
            }
    }
    at.setX(std::clamp(at.x(), kGap, std::max(kGap, all.width() - size.width() - kGap)));
    at.setY(std::clamp(at.y(), kGap, std::max(kGap, all.height() - size.height() - kGap)));
    m_card->move(at);
    QRegion reach(all);
    reach -= lit; // clicks on what is lit go through
    setMask(reach + m_card->geometry());
    update();
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor shade = Qt::black;
    shade.setAlphaF(static_cast<float>(kShade));
    painter.fillRect(rect(), shade);
    if (const QRect lit = spot(); !lit.isEmpty()) {
        painter.setPen(QPen(views::color(views::Role::Selection), 3));
        painter.drawRect(lit.adjusted(-2, -2, 1, 1));
    }
}

void Tour::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        return end(false);
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return next();
    case Qt::Key_Left:
        return back();
    default:
        QWidget::keyPressEvent(event);
    }
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_window && event->type() == QEvent::Resize)
        place();
    if (watched != &m_window && event->type() == QEvent::KeyPress) { // arrows would walk over the buttons
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right || key->key() == Qt::Key_Escape) {
            keyPressEvent(key);
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            static_cast<QPushButton*>(watched)->click();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pim::studio
