// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/icons.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>
#include <QToolButton>

#include <optional>

static void loadIconResource() {
    Q_INIT_RESOURCE(icons);
} // a static library must ask; not possible in a namespace

namespace pim::views {
namespace {

class SvgEngine final : public QIconEngine {
public:
    SvgEngine(QByteArray svg, std::optional<Role> role) : m_svg(std::move(svg)), m_role(role) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QPalette palette = QGuiApplication::palette();
        const QColor ink = mode == QIcon::Disabled   ? palette.color(QPalette::Disabled, QPalette::ButtonText)
                           : mode == QIcon::Selected ? palette.color(QPalette::HighlightedText)
                           : m_role                  ? color(*m_role)
                                                     : palette.color(QPalette::ButtonText);
        QByteArray svg = m_svg;
        svg.replace("currentColor", ink.name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        if (size.isEmpty()) // a button that is squeezed to nothing asks too
            return {};
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new SvgEngine(*this); }

private:
    QByteArray m_svg;
    std::optional<Role> m_role;
};

QIcon load(const QString& name, std::optional<Role> role) {
    loadIconResource();
    QFile file(QStringLiteral(":/pim/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? QIcon(new SvgEngine(file.readAll(), role)) : QIcon();
}

} // namespace

QIcon icon(const QString& name) {
    return load(name, std::nullopt);
}

QIcon icon(const QString& name, Role role) {
    return load(name, role);
}

QStringList iconNames() {
    loadIconResource();
    QStringList names =
        QDir(QStringLiteral(":/pim/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name);
    for (QString& name : names)
        name.chop(4);
    return names;
}

QToolButton* toolButton(const QString& iconName, const QString& name) {
    auto* button = new QToolButton;
    if (!iconName.isEmpty())
        button->setIcon(icon(iconName));
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace pim::views
