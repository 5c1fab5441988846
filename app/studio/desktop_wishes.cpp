// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/desktop_wishes.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QDir>
#include <QFile>
#include <QMap>
#include <QSettings>
#include <QStandardPaths>

namespace pim::studio {
namespace {

/// "HighContrast", "HighContrastInverse"
bool isHighContrast(const QString& theme) {
    return theme.contains(QStringLiteral("HighContrast"), Qt::CaseInsensitive);
}

/// Else Qt looks for one itself, or starts one.
bool hasSessionBus() {
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           QFile::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

DesktopWishes together(const DesktopWishes& a, const DesktopWishes& b) {
    return {a.highContrast || b.highContrast, a.reducedMotion || b.reducedMotion};
}

} // namespace

DesktopWishes wishesIn(const QString& configFolder, const QProcessEnvironment& environment) {
    DesktopWishes wishes;
    wishes.highContrast = isHighContrast(environment.value(QStringLiteral("GTK_THEME")));
    const QDir folder(configFolder);
    for (const char* file : {"gtk-3.0/settings.ini", "gtk-4.0/settings.ini"}) {
        const QSettings gtk(folder.filePath(QLatin1String(file)), QSettings::IniFormat);
        const QString theme = gtk.value(QStringLiteral("Settings/gtk-theme-name")).toString(),
                      animations = gtk.value(QStringLiteral("Settings/gtk-enable-animations")).toString();
        wishes.highContrast |= isHighContrast(theme);
        wishes.reducedMotion |= animations == QStringLiteral("0") || animations == QStringLiteral("false");
    }
    const QSettings kde(folder.filePath(QStringLiteral("kdeglobals")), QSettings::IniFormat);
    bool isNumber = false;
    const double factor =
        kde.value(QStringLiteral("KDE/AnimationDurationFactor")).toString().toDouble(&isNumber);
    wishes.reducedMotion |= isNumber && factor == 0;
    return wishes;
}

DesktopWishes wishesOfPortal() {
    constexpr int kPatienceMs = 250;
    const QString portal = QStringLiteral("org.freedesktop.portal.Desktop");
    if (!hasSessionBus())
        return {};
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected() || !bus.interface()->isServiceRegistered(portal))
        return {};
    const QString looks = QStringLiteral("org.freedesktop.appearance"),
                  interface = QStringLiteral("org.gnome.desktop.interface"),
                  access = QStringLiteral("org.gnome.desktop.a11y.interface");
    QDBusMessage question = QDBusMessage::createMethodCall(
        portal, QStringLiteral("/org/freedesktop/portal/desktop"),
        QStringLiteral("org.freedesktop.portal.Settings"), QStringLiteral("ReadAll"));
    question << QStringList{looks, interface, access};
    const QDBusMessage answer = bus.call(question, QDBus::Block, kPatienceMs);
    if (answer.type() != QDBusMessage::ReplyMessage || answer.signature() != QStringLiteral("a{sa{sv}}"))
        return {};
    const auto all = qdbus_cast<QMap<QString, QVariantMap>>(answer.arguments().first());
    const QVariant animations = all[interface].value(QStringLiteral("enable-animations"));
    return {all[looks].value(QStringLiteral("contrast")).toUInt() == 1 ||
                all[access].value(QStringLiteral("high-contrast")).toBool() ||
                isHighContrast(all[interface].value(QStringLiteral("gtk-theme")).toString()),
            animations.isValid() && !animations.toBool()};
}

const DesktopWishes& desktopWishes() {
    static const DesktopWishes wishes =
        together(wishesIn(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation),
                          QProcessEnvironment::systemEnvironment()),
                 wishesOfPortal());
    return wishes;
}

} // namespace pim::studio
