// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the program remembers between starts that is not part of a project: recent files, theme, window layout.
#include <QObject>
#include <QStringList>

namespace pim::studio {

enum class ThemeChoice { System, Light, Dark };

class Settings : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    QStringList recentFiles() const; ///< Newest first; may name files that are gone.
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);

    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);

    QString target() const;          ///< Last one chosen.
    void setTarget(const QString& id);

    QByteArray layout(const QString& key) const;
    void setLayout(const QString& key, const QByteArray& state);
    void clearLayouts();

signals:
    void recentFilesChanged();
};

/// Applies Light or Dark at once; System follows what the desktop had when the program started.
void applyThemeChoice(ThemeChoice choice);

} // namespace pim::studio
