// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the program remembers between starts that is not part of a project: what a person has set (listed here, once, for
/// the dialog, the locator and the help page), recent files, shortcuts, window layout. All of it is one INI file.
#include <QKeySequence>
#include <QObject>
#include <QStringList>
#include <QVariant>

#include <optional>
#include <vector>

namespace pim::studio {

enum class ThemeChoice { System, Light, Dark, HighContrast };

struct SettingInfo {
    enum class Kind { Switch, Number, Choice, Folder };

    QString key;  ///< In the file: "compile/dtype".
    QString page; ///< Of the dialog.
    QString label;
    QString help; ///< One sentence.
    Kind kind = Kind::Switch;
    QVariant usual;
    QList<std::pair<QString, QString>> choices = {}; ///< Choice: value and what it is called.
    int least = 0, most = 0;                         ///< Number.
    QString unit = {};                               ///< Number: " pt".
    QString leastText = {};                          ///< Number: what the least one means.
};

/// Everything a person can set, by page and in the order of the dialog.
const std::vector<SettingInfo>& settingInfos();
const SettingInfo* settingInfo(const QString& key);                ///< Null: there is none.
QString valueText(const SettingInfo& info, const QVariant& value); ///< "Dark", "on", "11 pt".

// Keys that code asks for.
namespace setting {
inline constexpr char16_t kAskUnsaved[] = u"askUnsaved";
inline constexpr char16_t kRestoreSession[] = u"restoreSession";
inline constexpr char16_t kRecentCount[] = u"recentCount";
inline constexpr char16_t kJobs[] = u"jobs";
inline constexpr char16_t kLanguage[] = u"language";
inline constexpr char16_t kTheme[] = u"theme";
inline constexpr char16_t kFontSize[] = u"appearance/fontSize";
inline constexpr char16_t kColorMap[] = u"appearance/colorMap";
inline constexpr char16_t kMotion[] = u"appearance/motion";
inline constexpr char16_t kType[] = u"compile/dtype";
inline constexpr char16_t kConvAsGemm[] = u"compile/convAsGemm";
inline constexpr char16_t kGroupCommands[] = u"compile/groupCommands";
inline constexpr char16_t kOverlapTransfer[] = u"compile/overlapTransfer";
inline constexpr char16_t kSimulate[] = u"simulation/automatic";
inline constexpr char16_t kSimulatedDrafts[] = u"simulation/drafts";
inline constexpr char16_t kProjectFolder[] = u"storage/projectFolder";
} // namespace setting

class Settings : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// The usual value where nothing is stored, or something that is not allowed.
    QVariant value(const QString& key) const;
    QVariant value(const char16_t* key) const { return value(QString::fromUtf16(key)); }
    /// Stored at once; a value that is not allowed changes nothing.
    void setValue(const QString& key, const QVariant& value);
    void reset(const QString& key);
    void resetPage(const QString& page);
    QString file() const; ///< All of this, as text.

    QStringList recentFiles() const; ///< Newest first; may name files that are gone.
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);
    void clearRecentFiles();

    QStringList recentCommands() const; ///< Ids, newest first.
    void addRecentCommand(const QString& id);

    /// What the person chose for a command; none: those of the program.
    std::optional<QList<QKeySequence>> shortcuts(const QString& command) const;
    void setShortcuts(const QString& command, const QList<QKeySequence>& shortcuts);
    void clearShortcuts(const QString& command);

    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);

    QString target() const; ///< Last one chosen.
    void setTarget(const QString& id);

    QByteArray layout(const QString& key) const;
    void setLayout(const QString& key, const QByteArray& state);
    void clearLayouts();

signals:
    void changed(const QString& key); ///< One of settingInfos().
    void recentFilesChanged();
};

/// As the settings and the command line call it: "high-contrast".
QString themeId(ThemeChoice choice);
std::optional<ThemeChoice> themeOf(const QString& id); ///< Nothing: there is none of this name.
/// Applies a theme at once; System follows what the desktop had when the program started, its wish for high contrast too.
void applyThemeChoice(ThemeChoice choice);
/// Theme, font, colour map and motion of the whole application, as set.
void applyAppearance(const Settings& settings);

} // namespace pim::studio
