// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Pictures of README and help that only a test brings about: taken by resources/scripts/pictures, which says where to by PIM_PICTURES.
#include "views/common/palette.h"

#include <QCoreApplication>
#include <QDir>
#include <QPixmap>
#include <QWidget>

namespace pim::test {

/// NAME.png of \p widget as it stands, in that size and in light colours; nothing where nobody asked for pictures.
inline void helpPicture(QWidget& widget, QSize size, const char* name) {
    const QString folder = qEnvironmentVariable("PIM_PICTURES");
    if (folder.isEmpty())
        return;
    views::applyTheme(views::Theme::Light);
    widget.resize(size);
    QCoreApplication::processEvents();
    widget.grab().save(QDir(folder).filePath(QString::fromLatin1(name) + QStringLiteral(".png")));
}

} // namespace pim::test
