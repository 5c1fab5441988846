// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/language.h"
#include "app/studio/settings.h"

#include "core/base/jobs.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace pim::studio {
namespace {

struct Names {
    Q_DECLARE_TR_FUNCTIONS(SettingNames)
};

using Kind = SettingInfo::Kind;

QString at(const char16_t* key) {
    return QString::fromUtf16(key);
}

std::vector<SettingInfo> general() {
    const QString page = Names::tr("General");
    return {
        {at(setting::kRestoreSession), page, Names::tr("Start where you left off"),
         Names::tr("Opens the last model or project with its selection and panels."), Kind::Switch, true},
        {at(setting::kAskUnsaved), page, Names::tr("Ask about unsaved decisions"),
         Names::tr("Before the window closes."), Kind::Switch, true},
        {at(setting::kRecentCount),
         page,
         Names::tr("Recent files to remember"),
         Names::tr("In the menu, on the welcome page and in the locator."),
         Kind::Number,
         10,
         {},
         0,
         50,
         {},
         Names::tr("none")},
        {at(setting::kJobs),
         page,
         Names::tr("Threads that work at once"),
         Names::tr("Usually what PIM_JOBS says, or one for each core. Results do not depend on it."),
         Kind::Number,
         0,
         {},
         0,
         kMostJobs,
         {},
         Names::tr("usual")},
    };
}

/// Each in its own words, so that who ends up in the wrong one finds the way out.
QList<std::pair<QString, QString>> languageChoices() {
    QList<std::pair<QString, QString>> choices{{QStringLiteral("system"), Names::tr("As the system")}};
    for (const QString& language : languages())
        choices.append({language, language == QStringLiteral("en") ? QStringLiteral("English")
                                                                   : QLocale(language).nativeLanguageName()});
    return choices;
}

std::vector<SettingInfo> appearance() {
    const QString page = Names::tr("Appearance");
    return {
        {at(setting::kLanguage), page, Names::tr("Language"),
         Names::tr("Of the window, from its next start on. Messages of the compiler stay English."),
         Kind::Choice, QStringLiteral("system"), languageChoices()},
        {at(setting::kTheme),
         page,
         Names::tr("Theme"),
         Names::tr("Light, dark or with high contrast, or as the desktop was when the program started."),
         Kind::Choice,
         QStringLiteral("system"),
         {{QStringLiteral("system"), Names::tr("As the system")},
          {QStringLiteral("light"), Names::tr("Light")},
          {QStringLiteral("dark"), Names::tr("Dark")},
          {QStringLiteral("high-contrast"), Names::tr("High contrast")}}},
        {at(setting::kFontSize),
         page,
         Names::tr("Font size"),
         Names::tr("Of all texts of the program."),
         Kind::Number,
         0,
         {},
         0,
         28,
         Names::tr(" pt"),
         Names::tr("as the system")},
        {at(setting::kColorMap),
         page,
         Names::tr("Colour map"),
         Names::tr("Of heat maps and overlays. Cividis looks the same with and without red-green blindness."),
         Kind::Choice,
         QStringLiteral("viridis"),
         {{QStringLiteral("viridis"), QStringLiteral("Viridis")},
          {QStringLiteral("cividis"), QStringLiteral("Cividis")}}},
        {at(setting::kMotion),
         page,
         Names::tr("Motion"),
         Names::tr("Menus, tips and bars that slide, fade or run; or none, where the desktop asks for that."),
         Kind::Choice,
         QStringLiteral("system"),
         {{QStringLiteral("system"), Names::tr("As the system")},
          {QStringLiteral("full"), Names::tr("With motion")},
          {QStringLiteral("reduced"), Names::tr("Without motion")}}},
    };
}

std::vector<SettingInfo> compile() {
    const QString page = Names::tr("Compile defaults");
    return {
        {at(setting::kType),
         page,
         Names::tr("Number type"),
         Names::tr("Used for all floating-point tensors of a newly opened model."),
         Kind::Choice,
         QStringLiteral("f16"),
         {{QStringLiteral("f16"), QStringLiteral("f16")},
          {QStringLiteral("bf16"), QStringLiteral("bf16")},
          {QStringLiteral("f32"), QStringLiteral("f32")},
          {QStringLiteral("i8"), QStringLiteral("i8")}}},
        {at(setting::kConvAsGemm), page, Names::tr("Convolution as matrix product"),
         Names::tr("By im2col; off: as a direct loop nest."), Kind::Switch, true},
        {at(setting::kGroupCommands), page, Names::tr("Group-level commands"),
         Names::tr("Prefer commands that drive all banks of a group at once."), Kind::Switch, true},
        {at(setting::kOverlapTransfer), page, Names::tr("Overlap host and PIM transfer"),
         Names::tr("The host reads while PIM memory is written."), Kind::Switch, false},
    };
}

std::vector<SettingInfo> others() {
    const QString simulation = Names::tr("Simulation"), storage = Names::tr("Storage");
    return {
        {at(setting::kSimulate), simulation, Names::tr("Simulate every new plan"),
         Names::tr("In the background, where the target has a simulator; off: Model › Simulate does it."),
         Kind::Switch, true},
        {at(setting::kSimulatedDrafts),
         simulation,
         Names::tr("Drafts to simulate"),
         Names::tr("How many of the drafts predicted to be best the copied pimc command simulates."),
         Kind::Number,
         8,
         {},
         1,
         1000},
        {at(setting::kProjectFolder), storage, Names::tr("Folder of projects"),
         Names::tr("Where dialogs begin; empty: the folder used last."), Kind::Folder, QString()},
    };
}

} // namespace

const std::vector<SettingInfo>& settingInfos() {
    static const std::vector<SettingInfo> infos = [] {
        std::vector<SettingInfo> all;
        for (const auto& page : {general(), appearance(), compile(), others()})
            all.insert(all.end(), page.begin(), page.end());
        return all;
    }();
    return infos;
}

const SettingInfo* settingInfo(const QString& key) {
    const auto& infos = settingInfos();
    const auto found =
        std::find_if(infos.begin(), infos.end(), [&](const SettingInfo& info) { return info.key == key; });
    return found == infos.end() ? nullptr : &*found;
}

QString valueText(const SettingInfo& info, const QVariant& value) {
    switch (info.kind) {
    case Kind::Switch:
        return value.toBool() ? Names::tr("on") : Names::tr("off");
    case Kind::Folder:
        return value.toString();
    case Kind::Number:
        return value.toInt() == info.least && !info.leastText.isEmpty()
                   ? info.leastText
                   : QString::number(value.toInt()) + info.unit;
    case Kind::Choice:
        for (const auto& [choice, name] : info.choices)
            if (choice == value.toString())
                return name;
    }
    return value.toString();
}

} // namespace pim::studio
