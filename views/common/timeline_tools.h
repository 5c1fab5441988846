// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What stands around a canvas of time, the same for all of them: the card of its keys, the field that
/// filters lanes, the line for a note.
#include <QFrame>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace pim::views {

class TimelineCanvas;

/// Keys and mouse of a canvas, over its middle; goes with Esc, `?` or a click elsewhere.
class KeysCard : public QFrame {
    Q_OBJECT
public:
    /// \param mark what N goes to, \param span what a span is, \param lanes what rows are called: "switch",
    /// "span", "tracks". \param hasPath a critical path may be shown.
    KeysCard(TimelineCanvas* canvas, const QString& mark, const QString& span, const QString& lanes,
             bool hasPath = false);

    void toggle();
    QToolButton* newButton(); ///< Shows the card; without a parent.

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void closeCard();
    TimelineCanvas* m_canvas;
};

/// Field whose words lanes must have in their name; `/` on the canvas goes there. Without a parent.
QLineEdit* newLaneFilter(TimelineCanvas* canvas);

/// Field for a note about the chosen stretch; `M` on the canvas goes there.
class NoteLine : public QWidget {
    Q_OBJECT
public:
    explicit NoteLine(TimelineCanvas* canvas);
    QLineEdit* field() const { return m_field; }

signals:
    void noteEntered(double fromNs, double toNs, const QString& text);

private:
    void enter();
    TimelineCanvas* m_canvas;
    QLineEdit* m_field;
    QToolButton* m_add;
};

} // namespace pim::views
