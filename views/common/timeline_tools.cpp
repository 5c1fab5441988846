// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/timeline_tools.h"

#include "views/common/icons.h"
#include "views/common/timeline_canvas.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace pim::views {

KeysCard::KeysCard(TimelineCanvas* canvas, const QString& mark, const QString& span, const QString& lanes,
                   bool hasPath)
    : QFrame(canvas), m_canvas(canvas) {
    setObjectName(QStringLiteral("KeysCard"));
    setAccessibleName(tr("Keys and mouse of the timeline"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setFocusPolicy(Qt::StrongFocus);
    std::vector<std::pair<QString, QString>> rows{
        {tr("<b>W</b> <b>S</b>, Ctrl+wheel"), tr("zoom in time")},
        {tr("<b>A</b> <b>D</b>, drag, Shift+wheel"), tr("pan")},
        {tr("<b>F</b>, <b>Home</b>, <b>End</b>"), tr("show all, the beginning, the end")},
        {tr("<b>Z</b>, double click"), tr("zoom to the area or the current %1").arg(span)},
        {tr("<b>.</b> <b>,</b> and arrows"), tr("next %1, previous one, other %2").arg(span, lanes)},
        {tr("<b>N</b>, <b>Shift+N</b>"), tr("next and previous %1").arg(mark)},
        {tr("<b>Enter</b>, click"), tr("select what a %1 belongs to").arg(span)},
        {tr("<b>Shift+drag</b>, Shift+arrows"), tr("measure: figures of an area")},
        {tr("<b>M</b>"), tr("note on the area or the current %1").arg(span)},
        {tr("wheel, Alt+wheel"), tr("scroll and zoom the %1").arg(lanes)},
        {tr("<b>P</b>"), tr("pin to the top, and back")},
        {tr("<b>Alt+Up</b> <b>Alt+Down</b>, drag a name"),
         tr("move among its %1; with Shift, the group").arg(lanes)},
        {tr("<b>/</b>"), tr("filter the %1 by name").arg(lanes)},
        {tr("<b>E</b>, click on a heading"), tr("fold and unfold")},
        {tr("<b>Esc</b>"), tr("drop the area, then the selection")},
    };
    if (hasPath)
        rows.insert(rows.end() - 1, {tr("<b>C</b>, <b>[</b> <b>]</b>"), tr("critical path, and along it")});
    QString table = QStringLiteral("<table cellspacing='3'>");
    for (const auto& [keys, what] : rows)
        table += QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>").arg(keys, what);
    auto* label = new QLabel(table + QStringLiteral("</table>"));
    label->setTextFormat(Qt::RichText);
    label->setForegroundRole(QPalette::ToolTipText);
    label->setAccessibleName(tr("Keys and mouse"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->addWidget(label);
    hide();
    connect(canvas, &TimelineCanvas::keysRequested, this, &KeysCard::toggle);
}

void KeysCard::toggle() {
    if (isVisible())
        return closeCard();
    adjustSize();
    move(std::max(0, (m_canvas->width() - width()) / 2), std::max(0, (m_canvas->height() - height()) / 2));
    show();
    raise();
    setFocus();
}

QToolButton* KeysCard::newButton() {
    auto* button = toolButton({}, tr("Keys and mouse (?)"));
    button->setText(QStringLiteral("?"));
    button->setFocusPolicy(Qt::TabFocus); // a click leaves the focus on the card, which goes when it loses it
    connect(button, &QToolButton::clicked, this, &KeysCard::toggle);
    return button;
}

void KeysCard::closeCard() {
    if (hasFocus())
        m_canvas->setFocus();
    hide();
}

void KeysCard::keyPressEvent(QKeyEvent* event) {
    closeCard();
    event->accept();
}

void KeysCard::focusOutEvent(QFocusEvent* event) {
    hide();
    QFrame::focusOutEvent(event);
}

void KeysCard::mousePressEvent(QMouseEvent*) {
    closeCard();
}

QLineEdit* newLaneFilter(TimelineCanvas* canvas) {
    auto* field = new QLineEdit;
    field->setPlaceholderText(QObject::tr("Lanes"));
    field->setAccessibleName(QObject::tr("Words that lanes must have in their name"));
    field->setToolTip(QObject::tr("Shows only lanes whose name or group has these words (/)"));
    field->setClearButtonEnabled(true);
    field->setMaximumWidth(130);
    field->setMinimumWidth(60);
    QObject::connect(field, &QLineEdit::textChanged, canvas, &TimelineCanvas::setLaneFilter);
    QObject::connect(field, &QLineEdit::returnPressed, canvas, [canvas] { canvas->setFocus(); });
    QObject::connect(canvas, &TimelineCanvas::filterRequested, field, [field] {
        field->setFocus();
        field->selectAll();
    });
    QObject::connect(canvas, &TimelineCanvas::lanesChanged, field, [field, canvas] {
        if (field->text().simplified() != canvas->lanes().filter) {
            const QSignalBlocker quiet(field);
            field->setText(canvas->lanes().filter);
        }
    });
    auto* escape = new QShortcut(Qt::Key_Escape, field, nullptr, nullptr, Qt::WidgetShortcut);
    QObject::connect(escape, &QShortcut::activated, field, [field, canvas] {
        field->clear();
        canvas->setFocus();
    });
    return field;
}

NoteLine::NoteLine(TimelineCanvas* canvas)
    : m_canvas(canvas), m_field(new QLineEdit), m_add(toolButton({}, tr("Add the note (Enter)"))) {
    m_field->setAccessibleName(tr("Note on the chosen stretch of time"));
    m_field->setPlaceholderText(tr("Note on this stretch"));
    m_field->setMaxLength(500);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_add);
    m_add->setText(QStringLiteral("+"));
    m_add->setEnabled(false);
    connect(m_field, &QLineEdit::textChanged, this,
            [this] { m_add->setEnabled(!m_field->text().trimmed().isEmpty()); });
    connect(m_field, &QLineEdit::returnPressed, this, &NoteLine::enter);
    connect(m_add, &QToolButton::clicked, this, &NoteLine::enter);
    connect(canvas, &TimelineCanvas::noteRequested, this, [this, canvas] {
        // A note on a span is one on its stretch, over the row it is in.
        if (const auto stretch = canvas->chosenStretch(); stretch && !canvas->area())
            if (const auto lane = canvas->currentLane())
                canvas->setArea(TimelineArea{stretch->first, stretch->second, int(*lane), int(*lane)});
        m_field->setFocus();
    });
}

void NoteLine::enter() {
    const QString text = m_field->text().trimmed();
    const auto stretch = m_canvas->chosenStretch();
    if (text.isEmpty() || !stretch)
        return;
    m_field->clear();
    m_canvas->setFocus();
    emit noteEntered(stretch->first, stretch->second, text);
}

} // namespace pim::views
