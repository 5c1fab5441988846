// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <algorithm>
#include <memory>

namespace pim::studio {
namespace {

const QString kFolder = QStringLiteral(":/i18n");
const QString kEnglish = QStringLiteral("en");

/// "pt" of "pt_BR.UTF-8", "c" of "C.UTF-8".
QString languageOf(const QString& locale) {
    const auto end = std::find_if(locale.begin(), locale.end(), [](QChar c) { return !c.isLetter(); });
    return locale.left(end - locale.begin()).toLower();
}

/// The locale that asks for texts as the sources have them.
bool isPlain(const QString& language) {
    return language == QStringLiteral("c") || language == QStringLiteral("posix");
}

void install(const QString& name, const QString& language, const QString& folder) {
    auto translator = std::make_unique<QTranslator>(QCoreApplication::instance());
    if (translator->load(name + QLatin1Char('_') + language, folder))
        QCoreApplication::installTranslator(translator.release());
}

} // namespace

const QStringList& languages() {
    static const QStringList all = [] {
        QStringList found{kEnglish};
        for (const QString& file :
             QDir(kFolder).entryList({QStringLiteral("pimstudio_*.qm")}, QDir::Files, QDir::Name))
            found.append(file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0));
        return found;
    }();
    return all;
}

QString chooseLanguage(const QString& wanted, const QStringList& asked) {
    if (languages().contains(wanted))
        return wanted;
    for (const QString& locale : asked) {
        const QString language = languageOf(locale);
        if (isPlain(language))
            return kEnglish;
        if (languages().contains(language))
            return language;
    }
    return {};
}

QString localeOfSystem() {
    for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const QString locale = qEnvironmentVariable(variable); !locale.isEmpty())
            return locale;
    return QStringLiteral("C");
}

QStringList languagesOfSystem() {
    const QString locale = localeOfSystem();
    if (isPlain(languageOf(locale)))
        return {locale};
    return qEnvironmentVariable("LANGUAGE").split(QLatin1Char(':'), Qt::SkipEmptyParts) << locale;
}

void useLanguage(const QString& language) {
    QLocale::setDefault(QLocale::c());
    if (language == kEnglish)
        return;
    install(QStringLiteral("qtbase"), language, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(QStringLiteral("pimstudio"), language, kFolder);
}

} // namespace pim::studio
