// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings.h"

#include "app/studio/desktop_wishes.h"
#include "core/base/result.h"
#include "views/common/palette.h"
#include "views/common/studio_style.h"

#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QSettings>
#include <QWidget>

#include <algorithm>

namespace pim::studio {
namespace {

constexpr int kRecentCommands = 8;
const QString kRecent = QStringLiteral("recentFiles");
const QString kCommands = QStringLiteral("recentCommands");
const QString kTarget = QStringLiteral("target");

QString shortcutKey(const QString& command) {
    return QStringLiteral("shortcuts/") + command;
}

/// \p value as the setting takes it; null: it does not.
QVariant allowed(const SettingInfo& info, const QVariant& value) {
    switch (info.kind) {
    case SettingInfo::Kind::Switch:
        // An INI file has texts only.
        return value.typeId() == QMetaType::Bool || value.toString() == QStringLiteral("true") ||
                       value.toString() == QStringLiteral("false")
                   ? QVariant(value.toBool())
                   : QVariant();
    case SettingInfo::Kind::Number: {
        bool isNumber = false;
        const int number = value.toInt(&isNumber);
        return isNumber && number >= info.least && number <= info.most ? QVariant(number) : QVariant();
    }
    case SettingInfo::Kind::Choice:
        return std::any_of(info.choices.begin(), info.choices.end(),
                           [&](const auto& choice) { return choice.first == value.toString(); })
                   ? QVariant(value.toString())
                   : QVariant();
    case SettingInfo::Kind::Folder:
        return value.toString();
    }
    return {};
}

} // namespace

QVariant Settings::value(const QString& key) const {
    const SettingInfo* info = settingInfo(key);
    PIM_ASSERT(info, "only settings that are listed are asked for");
    const QVariant stored = QSettings().value(key);
    const QVariant taken = stored.isValid() ? allowed(*info, stored) : QVariant();
    return taken.isValid() ? taken : info->usual;
}

void Settings::setValue(const QString& key, const QVariant& value) {
    const SettingInfo* info = settingInfo(key);
    PIM_ASSERT(info, "only settings that are listed are set");
    const QVariant taken = allowed(*info, value);
    if (!taken.isValid() || taken == this->value(key))
        return;
    if (taken == info->usual)
        QSettings().remove(key);
    else
        QSettings().setValue(key, taken);
    emit changed(key);
}

void Settings::reset(const QString& key) {
    setValue(key, settingInfo(key)->usual);
}

void Settings::resetPage(const QString& page) {
    for (const SettingInfo& info : settingInfos())
        if (info.page == page)
            reset(info.key);
}

QString Settings::file() const {
    return QSettings().fileName();
}

QStringList Settings::recentFiles() const {
    return QSettings().value(kRecent).toStringList();
}

void Settings::addRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(kRecent, files.mid(0, value(setting::kRecentCount).toInt()));
    emit recentFilesChanged();
}

void Settings::removeRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    QSettings().setValue(kRecent, files);
    emit recentFilesChanged();
}

void Settings::clearRecentFiles() {
    QSettings().remove(kRecent);
    emit recentFilesChanged();
}

QStringList Settings::recentCommands() const {
    return QSettings().value(kCommands).toStringList();
}

void Settings::addRecentCommand(const QString& id) {
    QStringList ids = recentCommands();
    ids.removeAll(id);
    ids.prepend(id);
    QSettings().setValue(kCommands, ids.mid(0, kRecentCommands));
}

std::optional<QList<QKeySequence>> Settings::shortcuts(const QString& command) const {
    const QSettings stored;
    if (!stored.contains(shortcutKey(command)))
        return std::nullopt;
    QList<QKeySequence> shortcuts;
    for (const QString& text : stored.value(shortcutKey(command)).toStringList())
        if (const QKeySequence shortcut(text, QKeySequence::PortableText); !shortcut.isEmpty())
            shortcuts.append(shortcut);
    return shortcuts;
}

void Settings::setShortcuts(const QString& command, const QList<QKeySequence>& shortcuts) {
    QStringList texts;
    for (const QKeySequence& shortcut : shortcuts)
        texts.append(shortcut.toString(QKeySequence::PortableText));
    QSettings().setValue(shortcutKey(command), texts);
}

void Settings::clearShortcuts(const QString& command) {
    QSettings().remove(shortcutKey(command));
}

ThemeChoice Settings::theme() const {
    return themeOf(value(setting::kTheme).toString()).value_or(ThemeChoice::System);
}

void Settings::setTheme(ThemeChoice theme) {
    setValue(QString::fromUtf16(setting::kTheme), themeId(theme));
    applyThemeChoice(theme);
}

QString Settings::target() const {
    return QSettings().value(kTarget).toString();
}
void Settings::setTarget(const QString& id) {
    QSettings().setValue(kTarget, id);
}

QByteArray Settings::layout(const QString& key) const {
    return QSettings().value(QStringLiteral("layout/") + key).toByteArray();
}
void Settings::setLayout(const QString& key, const QByteArray& state) {
    QSettings().setValue(QStringLiteral("layout/") + key, state);
}
void Settings::clearLayouts() {
    QSettings().remove(QStringLiteral("layout"));
}

QString themeId(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::System:
        return QStringLiteral("system");
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::HighContrast:
        return QStringLiteral("high-contrast");
    }
    return {};
}

std::optional<ThemeChoice> themeOf(const QString& id) {
    for (const ThemeChoice choice :
         {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::HighContrast})
        if (themeId(choice) == id)
            return choice;
    return {};
}

void applyThemeChoice(ThemeChoice choice) {
    static const views::Theme system = // first call: before we set any palette
        desktopWishes().highContrast ? views::Theme::HighContrast : views::currentTheme();
    switch (choice) {
    case ThemeChoice::System:
        return views::applyTheme(system);
    case ThemeChoice::Light:
        return views::applyTheme(views::Theme::Light);
    case ThemeChoice::Dark:
        return views::applyTheme(views::Theme::Dark);
    case ThemeChoice::HighContrast:
        return views::applyTheme(views::Theme::HighContrast);
    }
}

void applyAppearance(const Settings& settings) {
    applyThemeChoice(settings.theme());
    static const QFont usual = QApplication::font(); // first call: before we set any
    QFont font = usual;
    if (const int points = settings.value(setting::kFontSize).toInt(); points > 0)
        font.setPointSize(points);
    if (QApplication::font() != font)
        QApplication::setFont(font);
    const QString motion = settings.value(setting::kMotion).toString();
    views::setReducedMotion(motion == QStringLiteral("system") ? desktopWishes().reducedMotion
                                                               : motion == QStringLiteral("reduced"));
    const views::ColorMap map = settings.value(setting::kColorMap).toString() == QStringLiteral("cividis")
                                    ? views::ColorMap::Cividis
                                    : views::ColorMap::Viridis;
    if (map == views::colorMap())
        return;
    views::setColorMap(map);
    // Views keep pictures; they make them again when colours change.
    for (QWidget* widget : QApplication::allWidgets())
        for (const QEvent::Type type : {QEvent::ApplicationPaletteChange, QEvent::PaletteChange}) {
            QEvent event(type);
            QApplication::sendEvent(widget, &event);
            widget->update();
        }
}

} // namespace pim::studio
