// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All settings on pages, made from their list. What is changed holds at once; a box searches over all pages; every page
/// can be put back.
#include <QDialog>
#include <QHash>

class QLabel;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QVBoxLayout;

namespace pim::studio {

class Commands;
class Settings;
class ShortcutEditor;
struct SettingInfo;

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(Settings& settings, Commands& commands, QWidget* parent = nullptr);

    void showSetting(const QString& key); ///< Its page, with the focus in its field.
    void showPage(const QString& page);
    QStringList pages() const;
    QStringList shownPages() const; ///< Those the search leaves.

    QLineEdit* search() const { return m_search; }
    ShortcutEditor* shortcuts() const { return m_shortcuts; }
    QWidget* field(const QString& key) const { return m_fields.value(key).field; }
    QWidget* row(const QString& key) const { return m_fields.value(key).row; }
    void resetPage(); ///< The one shown.

protected:
    void changeEvent(QEvent* event) override;

private:
    void fitToFont();
    struct Field {
        QWidget* row = nullptr;
        QWidget* field = nullptr;
        std::function<void()> show; ///< The value stored.
    };
    void addPage(const QString& title, QWidget* page);
    QWidget* settingPage(const QString& title);
    QWidget* storagePage();
    QWidget* addRow(const SettingInfo& info);
    Field makeField(const SettingInfo& info);
    void filter(const QString& words);

    Settings& m_settings;
    QLineEdit* m_search;
    QListWidget* m_pages;
    QStackedWidget* m_stack;
    QLabel* m_nothing;
    ShortcutEditor* m_shortcuts;
    QHash<QString, Field> m_fields;
};

} // namespace pim::studio
