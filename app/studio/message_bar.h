// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Tells what happened without stopping anybody: one line above the panels with details to unfold and to copy.
#include <QFrame>

class QLabel;
class QPushButton;
class QToolButton;

namespace pim::studio {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showError(const QString& message, const QString& details);
    /// \param path what was written; offers to open it. May be empty.
    void showNote(const QString& message, const QString& path);
    QString text() const;

signals:
    void visibilityChanged(bool visible);

protected:
    void changeEvent(QEvent* event) override;

private:
    void present(const QString& message);
    void restyle();

    QLabel* m_icon;
    QLabel* m_message;
    QLabel* m_details;
    QPushButton* m_more;
    QPushButton* m_copy;
    QPushButton* m_open;
    QToolButton* m_close;
    QString m_path;
    bool m_isError = false;
};

} // namespace pim::studio
