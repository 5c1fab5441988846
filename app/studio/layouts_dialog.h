// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Named layouts: choose, save the present one, rename (F2), delete (Del).
#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace pim::studio {

class Layouts;

class LayoutsDialog : public QDialog {
    Q_OBJECT
public:
    explicit LayoutsDialog(Layouts& layouts, QWidget* parent = nullptr);

    QListWidget* list() const { return m_list; }
    QLineEdit* nameField() const { return m_name; }

private:
    void fill();
    void refresh();
    void saveAs();
    void say(const QString& problem);

    Layouts& m_layouts;
    QLineEdit* m_name;
    QListWidget* m_list;
    QPushButton* m_save;
    QPushButton* m_apply;
    QPushButton* m_rename;
    QPushButton* m_delete;
    QLabel* m_problem;
    bool m_filling = false;
};

} // namespace pim::studio
