// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/text_label.h"

#include <QEvent>

#include <algorithm>

namespace pim::views {

TextLabel::TextLabel(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
}

void TextLabel::forgetOldText() const {
    const QString now = text();
    if (now == m_measured)
        return;
    m_measured = now;
    m_heights.clear();
    m_hint = m_minimumHint = {};
}

int TextLabel::heightForWidth(int width) const {
    constexpr std::size_t kKept = 8; // with and without a scroll bar, of the panel and of the page
    forgetOldText();
    const auto known = std::find_if(m_heights.begin(), m_heights.end(),
                                    [width](const Height& height) { return height.width == width; });
    if (known != m_heights.end())
        return known->height;
    if (m_heights.size() == kKept)
        m_heights.erase(m_heights.begin());
    m_heights.push_back({width, QLabel::heightForWidth(width)});
    return m_heights.back().height;
}

QSize TextLabel::sizeHint() const {
    forgetOldText();
    if (!m_hint.isValid())
        m_hint = QLabel::sizeHint();
    return m_hint;
}

QSize TextLabel::minimumSizeHint() const {
    forgetOldText();
    if (!m_minimumHint.isValid())
        m_minimumHint = QLabel::minimumSizeHint();
    return m_minimumHint;
}

void TextLabel::changeEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::FontChange:
    case QEvent::StyleChange: // of the borders too
    case QEvent::LanguageChange:
    case QEvent::LayoutDirectionChange:
    case QEvent::ContentsRectChange:
        m_measured.clear();
        m_heights.clear();
        m_hint = m_minimumHint = {};
        break;
    default:
        break;
    }
    QLabel::changeEvent(event);
}

} // namespace pim::views
