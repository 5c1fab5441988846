// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The help pages as they lie in resources/help: their order, their texts, their pictures in the colours of a
/// theme, and which place of them explains a widget. A page is Markdown, NAME.md, or a notebook, "notebooks/NAME"
/// of notebooks/NAME.ipynb. A topic is "page" or "page#heading", with the heading as in a link.
#include "views/common/palette.h"

#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>
#include <QUrl>

class QWidget;

namespace pim::studio {

struct HelpGroup {
    QString title;
    QStringList pages;
};

struct HelpHit {
    QString topic, title; ///< Title: of the page, and of the section if it is another.
    QString excerpt;      ///< The line with the words.
};

/// In the order of contents.json; pages it does not name come last, under a title of their own.
QList<HelpGroup> helpContents();
QStringList helpPages(); ///< All of them, in that order.
QString helpTitle(const QString& page);
/// Markdown; of a notebook its texts, and its code in fences, without results. Empty: there is no such page.
QString helpText(const QString& page);
QString helpFolder();
/// "Data tile" -> "data-tile", as in links to headings.
QString headingAnchor(const QString& heading);
/// What a link of \p page leads to: "../sweep.md#axes" in a notebook to "sweep#axes". Empty: no page of the help.
QString linkedTopic(const QString& page, const QUrl& link);
/// Sections that hold all words of \p query, those with them in the heading first.
QList<HelpHit> searchHelp(const QString& query);

/// A picture of resources/help/images, no wider than \p width in device-independent pixels. SVG is drawn in
/// the colours of \p theme: its files are written in those of Theme::Light. Null: there is none.
QImage helpPicture(const QString& file, views::Theme theme, int width, double devicePixelRatio);
/// The size of that picture, without drawing it; empty: there is none.
QSizeF helpPictureSize(const QString& file, int width, double devicePixelRatio);

/// Topic for the widget that has the keys: of the nearest one around it with a property "helpTopic", else of
/// its panel.
QString helpTopic(const QWidget* widget);
inline constexpr char kHelpTopicProperty[] = "helpTopic";

} // namespace pim::studio
