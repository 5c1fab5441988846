// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the desktop asks for, read from where desktops keep it. As its own child this program is also the desktop portal.
#include <QTest>
#include <string>

#include "app/studio/desktop_wishes.h"
#include "app/studio/settings.h"
#include "tests/app_studio/studio_fixture.h"
#include "views/common/palette.h"
#include "views/common/studio_style.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMetaType>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QStyle>
#include <QTemporaryDir>

using namespace pim;
using namespace pim::studio;

using Namespaces = QMap<QString, QVariantMap>;
Q_DECLARE_METATYPE(Namespaces)

/// Answers as the portal of GNOME does. With "slow" it answers when nobody waits any more.
class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public slots:
    Namespaces ReadAll(const QStringList& wanted) {
        const QStringList arguments = QCoreApplication::arguments();
        if (arguments.contains(QStringLiteral("slow")))
            QTest::qSleep(1000);
        Namespaces all;
        if (wanted.contains(QStringLiteral("org.gnome.desktop.interface")))
            all[QStringLiteral("org.gnome.desktop.interface")] = {
                {QStringLiteral("enable-animations"), !arguments.contains(QStringLiteral("still"))},
                {QStringLiteral("gtk-theme"), QStringLiteral("Adwaita")}};
        if (wanted.contains(QStringLiteral("org.gnome.desktop.a11y.interface")))
            all[QStringLiteral("org.gnome.desktop.a11y.interface")] = {
                {QStringLiteral("high-contrast"), arguments.contains(QStringLiteral("contrast"))}};
        return all;
    }
};

class TestDesktop : public QObject {
    Q_OBJECT

    static void write(const QString& path, const QByteArray& text) {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly) && file.write(text) == text.size());
    }

private slots:
    void filesAreRead_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("gtkTheme");
        QTest::addColumn<bool>("highContrast");
        QTest::addColumn<bool>("reducedMotion");
        const QString gtk3 = QStringLiteral("gtk-3.0/settings.ini"),
                      gtk4 = QStringLiteral("gtk-4.0/settings.ini"), kde = QStringLiteral("kdeglobals"), none;
        QTest::newRow("nothing") << none << QByteArray() << none << false << false;
        QTest::newRow("variable") << none << QByteArray() << "HighContrastInverse" << true << false;
        QTest::newRow("other theme") << none << QByteArray() << "Adwaita:dark" << false << false;
        QTest::newRow("GTK 3, theme")
            << gtk3 << QByteArray("[Settings]\ngtk-theme-name=HighContrast\n") << none << true << false;
        QTest::newRow("GTK 4, no animations")
            << gtk4 << QByteArray("[Settings]\ngtk-enable-animations=false\n") << none << false << true;
        QTest::newRow("GTK 3, no animations as a number")
            << gtk3 << QByteArray("[Settings]\ngtk-enable-animations=0\n") << none << false << true;
        QTest::newRow("GTK 3, animations")
            << gtk3 << QByteArray("[Settings]\ngtk-enable-animations=1\n") << none << false << false;
        QTest::newRow("KDE, instant")
            << kde << QByteArray("[KDE]\nAnimationDurationFactor=0\n") << none << false << true;
        QTest::newRow("KDE, slow") << kde << QByteArray("[KDE]\nAnimationDurationFactor=1.5\n") << none
                                   << false << false;
        QTest::newRow("KDE, no number")
            << kde << QByteArray("[KDE]\nAnimationDurationFactor=fast\n") << none << false << false;
        QTest::newRow("rubbish") << gtk3 << QByteArray("\x00\xff[[[Settings\n=\n", 16) << none << false
                                 << false;
    }
    void filesAreRead() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, gtkTheme);
        QFETCH(bool, highContrast);
        QFETCH(bool, reducedMotion);
        QTemporaryDir folder;
        if (!file.isEmpty())
            write(folder.filePath(file), text);
        QProcessEnvironment environment;
        if (!gtkTheme.isEmpty())
            environment.insert(QStringLiteral("GTK_THEME"), gtkTheme);
        const DesktopWishes expected{highContrast, reducedMotion};
        QVERIFY(wishesIn(folder.path(), environment) == expected);
    }

    void thePortalIsAsked_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("highContrast");
        QTest::addColumn<bool>("reducedMotion");
        QTest::newRow("no wishes") << QStringList{} << false << false;
        QTest::newRow("contrast") << QStringList{"contrast"} << true << false;
        QTest::newRow("still") << QStringList{"still"} << false << true;
        QTest::newRow("slow") << QStringList{"slow", "contrast", "still"} << false << false;
        QTest::newRow("absent") << QStringList{"absent"} << false << false;
    }
    void thePortalIsAsked() {
        QFETCH(QStringList, words);
        QFETCH(bool, highContrast);
        QFETCH(bool, reducedMotion);
        if (QStandardPaths::findExecutable(QStringLiteral("dbus-run-session")).isEmpty())
            QSKIP("dbus-run-session is not installed");
        QProcess bus; // with the asker as its program, which starts the portal
        bus.setProcessChannelMode(QProcess::MergedChannels);
        bus.start(QStringLiteral("dbus-run-session"),
                  QStringList{QStringLiteral("--"), QCoreApplication::applicationFilePath(),
                              QStringLiteral("ask")} +
                      words);
        QVERIFY(bus.waitForFinished(60000));
        const QByteArray said = bus.readAll();
        QVERIFY2(said.contains("wishes " + QByteArray::number(int(highContrast)) + " " +
                               QByteArray::number(int(reducedMotion)) + "\n"),
                 said.constData());
    }

    void motionStopsAndComesBack() {
        views::applyTheme(views::Theme::Light);
        const int usual = QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration);
        const bool fades = QApplication::isEffectEnabled(Qt::UI_FadeTooltip);
        views::setReducedMotion(true);
        QVERIFY(views::reducedMotion());
        QCOMPARE(QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration), 0);
        for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo,
                                          Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip})
            QVERIFY(!QApplication::isEffectEnabled(effect));
        views::setReducedMotion(false);
        QCOMPARE(QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration), usual);
        QCOMPARE(QApplication::isEffectEnabled(Qt::UI_FadeTooltip), fades);
    }

    void settingsChooseMotionAndTheme() {
        QTemporaryDir folder;
        test::isolateSettings(folder);
        Settings settings;
        const QString motion = QString::fromUtf16(setting::kMotion);
        settings.setValue(motion, QStringLiteral("reduced"));
        applyAppearance(settings);
        QVERIFY(views::reducedMotion());
        settings.setValue(motion, QStringLiteral("full"));
        applyAppearance(settings);
        QVERIFY(!views::reducedMotion());
        settings.setValue(motion, QStringLiteral("sideways")); // is not taken
        QCOMPARE(settings.value(motion).toString(), QStringLiteral("full"));
        settings.setTheme(ThemeChoice::HighContrast);
        QCOMPARE(settings.theme(), ThemeChoice::HighContrast);
        QCOMPARE(views::currentTheme(), views::Theme::HighContrast);
        QVERIFY(views::contrast(QApplication::palette().color(QPalette::WindowText),
                                QApplication::palette().color(QPalette::Window)) > 20);
        settings.setTheme(ThemeChoice::Light);
        QCOMPARE(views::currentTheme(), views::Theme::Light);
        QCOMPARE(themeOf(QStringLiteral("high-contrast")), ThemeChoice::HighContrast);
        QVERIFY(!themeOf(QStringLiteral("pink")));
    }
};

namespace {

int bePortal() {
    qDBusRegisterMetaType<Namespaces>();
    Portal portal;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), &portal,
                            QDBusConnection::ExportAllSlots) ||
        !bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop")))
        return 1;
    printf("ready\n");
    fflush(stdout);
    return QCoreApplication::exec();
}

int ask(const QStringList& words) {
    QProcess portal;
    if (!words.contains(QStringLiteral("absent"))) {
        portal.start(QCoreApplication::applicationFilePath(), QStringList{QStringLiteral("portal")} + words);
        if (!portal.waitForReadyRead(30000))
            return 1;
    }
    const DesktopWishes wishes = wishesOfPortal();
    printf("wishes %d %d\n", int(wishes.highContrast), int(wishes.reducedMotion));
    portal.kill();
    portal.waitForFinished();
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments().mid(1);
    if (words.value(0) == QStringLiteral("portal"))
        return bePortal();
    if (words.value(0) == QStringLiteral("ask"))
        return ask(words.mid(1));
    TestDesktop test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_app_studio_desktop.moc"
