// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a view shows when it has nothing to show: what is missing and what to do about it.
#include <QWidget>

class QLabel;
class QPushButton;

namespace pim::views {

class EmptyState : public QWidget {
    Q_OBJECT
public:
    /// \param iconName as in icons.h; empty: none.
    explicit EmptyState(const QString& iconName, QWidget* parent = nullptr);

    void setText(const QString& missing, const QString& whatToDo);
    /// Shows a button with this text; an empty text hides it.
    void setAction(const QString& text);
    QString text() const;

signals:
    void actionTriggered();

protected:
    void changeEvent(QEvent* event) override;

private:
    void style();

    QString m_iconName;
    QLabel* m_icon;
    QLabel* m_missing;
    QLabel* m_hint;
    QPushButton* m_action;
};

} // namespace pim::views
