// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings_dialog.h"

#include "app/studio/settings.h"
#include "app/studio/shortcut_editor.h"
#include "views/common/core_words.h"
#include "views/common/icons.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace pim::studio {
namespace {

QLabel* faint(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QScrollArea* scrolled(QWidget* page, const QString& name) {
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(name);
    return scroll;
}

} // namespace

SettingsDialog::SettingsDialog(Settings& settings, Commands& commands, QWidget* parent)
    : QDialog(parent), m_settings(settings), m_search(new QLineEdit), m_pages(new QListWidget),
      m_stack(new QStackedWidget), m_nothing(new QLabel),
      m_shortcuts(new ShortcutEditor(commands, settings)) {
    setObjectName(QStringLiteral("SettingsDialog"));
    setWindowTitle(tr("Settings"));
    setAccessibleName(tr("Settings"));
    m_search->setPlaceholderText(tr("Search all settings"));
    m_search->setAccessibleName(tr("Search all settings"));
    m_search->setClearButtonEnabled(true);
    m_pages->setAccessibleName(tr("Pages of settings"));
    m_nothing->setAccessibleName(tr("Result of the search"));
    m_nothing->setWordWrap(true);
    m_nothing->hide();
    for (const SettingInfo& info : settingInfos())
        if (!pages().contains(info.page))
            addPage(info.page, settingPage(info.page));
    addPage(tr("Shortcuts"), m_shortcuts);
    auto* reset = new QPushButton(tr("Reset This Page"));
    reset->setToolTip(tr("Reset all settings of this page to their defaults"));
    connect(reset, &QPushButton::clicked, this, &SettingsDialog::resetPage);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(reset, QDialogButtonBox::ResetRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_pages, &QListWidget::currentRowChanged, m_stack, &QStackedWidget::setCurrentIndex);
    connect(m_search, &QLineEdit::textChanged, this, &SettingsDialog::filter);
    connect(&settings, &Settings::changed, this, [this](const QString& key) {
        if (m_fields.contains(key))
            m_fields[key].show();
    });

    auto* left = new QVBoxLayout;
    left->addWidget(m_search);
    left->addWidget(m_pages, 1);
    auto* right = new QVBoxLayout;
    right->addWidget(m_nothing);
    right->addWidget(m_stack, 1);
    auto* row = new QHBoxLayout;
    row->addLayout(left, 2);
    row->addLayout(right, 5);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row, 1);
    column->addWidget(buttons);
    m_pages->setCurrentRow(0);
    m_pages->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fitToFont();
}

/// The font may be changed in here, with the dialog open.
void SettingsDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::FontChange && layout())
        QMetaObject::invokeMethod(this, &SettingsDialog::fitToFont, Qt::QueuedConnection);
}

void SettingsDialog::fitToFont() {
    const int letter = fontMetrics().averageCharWidth(), line = fontMetrics().height();
    m_pages->setMinimumWidth(m_pages->sizeHintForColumn(0) + 2 * letter);
    layout()->activate();
    resize(std::min(1100, 120 * letter), std::min(640, 30 * line));
}

void SettingsDialog::addPage(const QString& title, QWidget* page) {
    m_stack->addWidget(page);
    m_pages->addItem(title);
}

QStringList SettingsDialog::pages() const {
    QStringList titles;
    for (int i = 0; i < m_pages->count(); ++i)
        titles.append(m_pages->item(i)->text());
    return titles;
}

QStringList SettingsDialog::shownPages() const {
    QStringList titles;
    for (int i = 0; i < m_pages->count(); ++i)
        if (!m_pages->item(i)->isHidden())
            titles.append(m_pages->item(i)->text());
    return titles;
}

QWidget* SettingsDialog::settingPage(const QString& title) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 0, 8, 0);
    column->setSpacing(10);
    for (const SettingInfo& info : settingInfos())
        if (info.page == title)
            column->addWidget(addRow(info));
    if (settingInfo(QString::fromUtf16(setting::kProjectFolder))->page == title)
        column->addWidget(storagePage());
    column->addStretch(1);
    return scrolled(page, title);
}

/// Where all of this lies, and what else is kept.
QWidget* SettingsDialog::storagePage() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    auto* file = faint(
        tr("All settings, shortcuts and layouts are kept in one text file:\n%1").arg(m_settings.file()));
    file->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    file->setAccessibleName(tr("File of the settings"));
    auto* open = new QPushButton(tr("Open Its Folder"));
    connect(open, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_settings.file()).path())); });
    auto* forgetFiles = new QPushButton(tr("Clear Recent Files"));
    connect(forgetFiles, &QPushButton::clicked, &m_settings, &Settings::clearRecentFiles);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(forgetFiles);
    buttons->addStretch(1);
    column->addWidget(file);
    column->addLayout(buttons);
    return part;
}

QWidget* SettingsDialog::addRow(const SettingInfo& info) {
    Field made = makeField(info);
    made.field->setAccessibleName(info.label);
    made.field->setAccessibleDescription(info.help);
    made.field->setToolTip(info.help);
    made.row = new QWidget;
    auto* column = new QVBoxLayout(made.row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    if (info.kind == SettingInfo::Kind::Switch) {
        column->addWidget(made.field);
    } else {
        auto* label = new QLabel(info.label);
        label->setBuddy(made.field);
        auto* line = new QHBoxLayout;
        line->addWidget(label);
        line->addWidget(made.field);
        if (info.kind == SettingInfo::Kind::Folder) {
            auto* browse = views::toolButton(QStringLiteral("open"),
                                             tr("Choose %1…").arg(views::amidSentence(info.label)));
            connect(browse, &QToolButton::clicked, this, [this, info] {
                if (const QString folder = QFileDialog::getExistingDirectory(
                        this, info.label, m_settings.value(info.key).toString());
                    !folder.isEmpty())
                    m_settings.setValue(info.key, folder);
            });
            line->addWidget(browse);
        } else {
            line->addStretch(1);
        }
        column->addLayout(line);
    }
    column->addWidget(faint(info.help));
    made.show();
    m_fields.insert(info.key, made);
    return made.row;
}

SettingsDialog::Field SettingsDialog::makeField(const SettingInfo& info) {
    const auto store = [this, key = info.key](const QVariant& value) { m_settings.setValue(key, value); };
    const auto stored = [this, key = info.key] { return m_settings.value(key); };
    switch (info.kind) {
    case SettingInfo::Kind::Switch: {
        auto* box = new QCheckBox(info.label);
        connect(box, &QCheckBox::toggled, this, store);
        return {nullptr, box, [box, stored] { box->setChecked(stored().toBool()); }};
    }
    case SettingInfo::Kind::Number: {
        auto* box = new QSpinBox;
        box->setRange(info.least, info.most);
        box->setSuffix(info.unit);
        box->setSpecialValueText(info.leastText);
        box->setKeyboardTracking(false); // not with every digit: "12" is no font of 1 pt first
        connect(box, &QSpinBox::valueChanged, this, store);
        return {nullptr, box, [box, stored] { box->setValue(stored().toInt()); }};
    }
    case SettingInfo::Kind::Choice: {
        auto* box = new QComboBox;
        for (const auto& [value, name] : info.choices)
            box->addItem(name, value);
        connect(box, &QComboBox::currentIndexChanged, this, [box, store] { store(box->currentData()); });
        return {nullptr, box, [box, stored] { box->setCurrentIndex(box->findData(stored())); }};
    }
    case SettingInfo::Kind::Folder: {
        auto* edit = new QLineEdit;
        connect(edit, &QLineEdit::editingFinished, this, [edit, store] { store(edit->text()); });
        return {nullptr, edit, [edit, stored] { edit->setText(stored().toString()); }};
    }
    }
    return {};
}

void SettingsDialog::filter(const QString& words) {
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    const auto has = [&](const QString& text) {
        return std::all_of(wanted.begin(), wanted.end(),
                           [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    };
    QHash<QString, int> hits;
    for (const SettingInfo& info : settingInfos()) {
        QStringList text{info.page, info.label, info.help, info.key};
        for (const auto& [value, name] : info.choices)
            text << value << name;
        const bool isHit = has(text.join(u' '));
        m_fields[info.key].row->setVisible(isHit);
        hits[info.page] += isHit;
    }
    m_shortcuts->setFilter(words);
    for (int i = 0; i < m_shortcuts->table()->rowCount(); ++i)
        hits[tr("Shortcuts")] += !m_shortcuts->table()->isRowHidden(i);
    int first = -1;
    for (int i = 0; i < m_pages->count(); ++i) {
        const bool isShown = hits.value(m_pages->item(i)->text()) > 0;
        m_pages->item(i)->setHidden(!isShown);
        if (isShown && first < 0)
            first = i;
    }
    m_stack->setVisible(first >= 0);
    m_nothing->setVisible(first < 0);
    m_nothing->setText(tr("No setting has \"%1\" in its name or description.").arg(words.trimmed()));
    if (first >= 0 && (!m_pages->currentItem() || m_pages->currentItem()->isHidden()))
        m_pages->setCurrentRow(first);
}

void SettingsDialog::showSetting(const QString& key) {
    m_search->clear();
    showPage(settingInfo(key)->page);
    m_fields[key].field->setFocus(Qt::OtherFocusReason);
}

void SettingsDialog::showPage(const QString& page) {
    m_search->clear();
    m_pages->setCurrentRow(std::max(0, static_cast<int>(pages().indexOf(page))));
}

void SettingsDialog::resetPage() {
    if (m_stack->currentWidget() == m_shortcuts)
        m_shortcuts->resetAll();
    else if (const QListWidgetItem* page = m_pages->currentItem())
        m_settings.resetPage(page->text());
}

} // namespace pim::studio
