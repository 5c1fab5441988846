// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings.h"

#include "views/common/palette.h"

#include <QFileInfo>
#include <QSettings>

namespace pim::studio {
namespace {

constexpr int kRecentFiles = 10;
const QString kRecent = QStringLiteral("recentFiles");
const QString kTheme = QStringLiteral("theme");
const QString kTarget = QStringLiteral("target");

} // namespace

QStringList Settings::recentFiles() const { return QSettings().value(kRecent).toStringList(); }

void Settings::addRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    while (files.size() > kRecentFiles)
        files.removeLast();
    QSettings().setValue(kRecent, files);
    emit recentFilesChanged();
}

void Settings::removeRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    QSettings().setValue(kRecent, files);
    emit recentFilesChanged();
}

ThemeChoice Settings::theme() const {
    const QString text = QSettings().value(kTheme).toString();
    return text == QStringLiteral("light") ? ThemeChoice::Light : text == QStringLiteral("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

void Settings::setTheme(ThemeChoice theme) {
    const QString text[] = {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
    QSettings().setValue(kTheme, text[static_cast<int>(theme)]);
    applyThemeChoice(theme);
}

QString Settings::target() const { return QSettings().value(kTarget).toString(); }
void Settings::setTarget(const QString& id) { QSettings().setValue(kTarget, id); }

QByteArray Settings::layout(const QString& key) const { return QSettings().value(QStringLiteral("layout/") + key).toByteArray(); }
void Settings::setLayout(const QString& key, const QByteArray& state) { QSettings().setValue(QStringLiteral("layout/") + key, state); }
void Settings::clearLayouts() { QSettings().remove(QStringLiteral("layout")); }

void applyThemeChoice(ThemeChoice choice) {
    static const views::Theme system = views::currentTheme(); // first call: before we set any palette
    views::applyTheme(choice == ThemeChoice::System ? system : choice == ThemeChoice::Light ? views::Theme::Light : views::Theme::Dark);
}

} // namespace pim::studio
