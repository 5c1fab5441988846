// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/layouts_dialog.h"

#include "app/studio/layouts.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>

namespace pim::studio {

LayoutsDialog::LayoutsDialog(Layouts& layouts, QWidget* parent)
    : QDialog(parent), m_layouts(layouts), m_name(new QLineEdit), m_list(new QListWidget),
      m_save(new QPushButton(tr("&Save"))), m_apply(new QPushButton(tr("&Use"))),
      m_rename(new QPushButton(tr("&Rename"))), m_delete(new QPushButton(tr("&Delete"))),
      m_problem(new QLabel) {
    setObjectName(QStringLiteral("LayoutsDialog"));
    setWindowTitle(tr("Layouts"));
    m_name->setPlaceholderText(tr("Name for the panels as they are now"));
    m_name->setAccessibleName(tr("Name of a new layout"));
    m_list->setAccessibleName(tr("Saved layouts"));
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_rename->setToolTip(tr("Give the layout another name (F2)"));
    m_delete->setToolTip(tr("Delete this layout (Del)"));
    m_problem->setWordWrap(true);
    m_problem->setAccessibleName(tr("What is wrong"));
    auto* box = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* grid = new QGridLayout(this);
    grid->addWidget(m_name, 0, 0);
    grid->addWidget(m_save, 0, 1);
    grid->addWidget(m_list, 1, 0, 4, 1);
    grid->addWidget(m_apply, 1, 1);
    grid->addWidget(m_rename, 2, 1);
    grid->addWidget(m_delete, 3, 1);
    grid->addWidget(m_problem, 5, 0, 1, 2);
    grid->addWidget(box, 6, 0, 1, 2);
    grid->setRowStretch(4, 1);
    m_save->setDefault(true);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_name, &QLineEdit::textChanged, this, &LayoutsDialog::refresh);
    connect(m_save, &QPushButton::clicked, this, &LayoutsDialog::saveAs);
    connect(m_list, &QListWidget::itemSelectionChanged, this, &LayoutsDialog::refresh);
    connect(m_apply, &QPushButton::clicked, this,
            [this] { say(m_layouts.apply(m_list->currentItem()->text())); });
    connect(m_list, &QListWidget::itemDoubleClicked, m_apply, &QPushButton::click);
    connect(m_rename, &QPushButton::clicked, this, [this] { m_list->editItem(m_list->currentItem()); });
    const auto removeCurrent = [this] {
        if (const QListWidgetItem* item = m_list->currentItem())
            m_layouts.remove(item->data(Qt::UserRole).toString());
    };
    connect(m_delete, &QPushButton::clicked, this, removeCurrent);
    auto* key = new QShortcut(QKeySequence(Qt::Key_Delete), m_list, nullptr, nullptr, Qt::WidgetShortcut);
    connect(key, &QShortcut::activated, this, removeCurrent);
    connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        if (m_filling)
            return;
        const QString problem = m_layouts.rename(item->data(Qt::UserRole).toString(), item->text());
        fill();
        say(problem);
    });
    connect(&m_layouts, &Layouts::changed, this, &LayoutsDialog::fill, Qt::QueuedConnection);
    fill();
    resize(420, 320);
}

void LayoutsDialog::fill() {
    const QString current = m_list->currentItem() ? m_list->currentItem()->text() : QString();
    m_filling = true;
    m_list->clear();
    for (const QString& name : m_layouts.names()) {
        auto* item = new QListWidgetItem(name, m_list);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        item->setData(Qt::UserRole, name);
        if (name == current || m_list->count() == 1)
            m_list->setCurrentItem(item);
    }
    m_filling = false;
    refresh();
}

void LayoutsDialog::refresh() {
    m_save->setEnabled(!m_name->text().trimmed().isEmpty());
    m_save->setText(m_layouts.names().contains(m_name->text().trimmed()) ? tr("&Replace") : tr("&Save"));
    for (QPushButton* button : {m_apply, m_rename, m_delete})
        button->setEnabled(m_list->currentItem() != nullptr);
}

void LayoutsDialog::saveAs() {
    const QString problem = m_layouts.save(m_name->text());
    if (problem.isEmpty())
        m_name->clear();
    say(problem);
}

void LayoutsDialog::say(const QString& problem) {
    m_problem->setText(problem);
}

} // namespace pim::studio
