// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A short tour over the real window: each step lights up one widget and says what it is for. Keys: Right,
/// Enter, Space go on, Left goes back, Esc ends it. What is lit stays usable with the mouse.
#include <QFrame>
#include <QPointer>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace pim::studio {

struct TourStep {
    QString title, text;
    std::function<QWidget*()>
        widget; ///< What to light up; null or hidden: nothing, the card stands in the middle.
    std::function<void()> prepare; ///< Brings it to the front; may be null.
    std::function<QString()>
        notYet; ///< Why one cannot go on now ("Still planning …"); null or empty: one can.
};

class Tour : public QWidget {
    Q_OBJECT
public:
    /// Covers \p window and deletes itself at the end.
    Tour(QWidget& window, std::vector<TourStep> steps);

    int step() const { return m_step; }
    int steps() const { return static_cast<int>(m_steps.size()); }
    QWidget* lit() const { return m_lit; }
    QRect spot() const; ///< What is lit, in coordinates of the window; empty: nothing.
    QWidget* card() const { return m_card; }
    void next();
    void back();

signals:
    void ended(bool seenWhole);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void enter(int step);
    void place();
    void end(bool seenWhole);

    QWidget& m_window;
    std::vector<TourStep> m_steps;
    int m_step = -1;
    QPointer<QWidget> m_lit;
    QPointer<QWidget> m_focusBefore;
    QFrame* m_card;
    QLabel* m_count;
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_skip;
    QPushButton* m_back;
    QPushButton* m_next;
};

} // namespace pim::studio
