// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The language of the window: English, which the sources are written in, or one that resources/translations has a file for.
#include <QString>
#include <QStringList>

namespace pim::studio {

/// Codes of the languages in the program, English first: "en", "de".
const QStringList& languages();

/// One of languages(). \p wanted: one of them too, or anything else for the first of \p asked ("de_AT.UTF-8", "pt", "C", the
/// one that is liked best first) that the program has. Empty: it has none of them.
QString chooseLanguage(const QString& wanted, const QStringList& asked);

/// Of messages, as the environment has it: "de_AT.UTF-8"; "C" where it has none.
QString localeOfSystem();
/// What the environment asks for, the one that is liked best first: LANGUAGE, then the locale. As for gettext LANGUAGE counts
/// for nothing where the locale is an English one. (QLocale::uiLanguages() does not look at LC_ALL.)
QStringList languagesOfSystem();

/// From now on texts are in \p language, those of Qt's own dialogs too where Qt's translations are installed. Texts made
/// before stay as they are: to be called before the first one. Numbers are written with a point in every language, as
/// core/base/number_text.h has them.
void useLanguage(const QString& language);

} // namespace pim::studio
