// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the views are limited to, as a row of chips; each goes with a click, Delete or the space bar.
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace pim::views {

class Workspace;

class FilterChips : public QWidget {
    Q_OBJECT
public:
    /// \p workspace outlives it.
    explicit FilterChips(Workspace& workspace, QWidget* parent = nullptr);

    QList<QToolButton*> chips() const { return m_chips; } ///< One a filter, in their order.
    QToolButton* clearButton() const { return m_clear; }
    QLabel* summary() const { return m_summary; } ///< "12 of 69 ops:"
    bool isNeeded() const { return !m_chips.isEmpty(); }

signals:
    void neededChanged(bool needed); ///< There is something to show, or nothing any more.

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refill();
    QToolButton* newChip(int index, const QString& text);

    Workspace& m_workspace;
    QLabel* m_summary;
    QHBoxLayout* m_row;
    QToolButton* m_clear;
    QList<QToolButton*> m_chips;
};

} // namespace pim::views
