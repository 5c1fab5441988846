// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The desktop program where there is no display: what needs none works, the rest says so in one line.
#include <QProcess>
#include <QTest>
#include <string>

class TestDisplay : public QObject {
    Q_OBJECT

    struct Ended {
        int code = -1;
        QByteArray out, err;
    };
    static Ended started(const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QString::fromLatin1(name));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(PIM_STUDIO), arguments);
        if (!process.waitForFinished(60000))
            return {};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

private slots:
    void helpAndVersionNeedNone() {
        const Ended help = started({"--help"});
        QCOMPARE(help.code, 0);
        QVERIFY2(help.out.contains("Compiles neural networks"), help.out.constData());
        const Ended version = started({"--version"});
        QCOMPARE(version.code, 0);
        QVERIFY2(version.out.startsWith("pimstudio "), version.out.constData());
    }

    void aWindowSaysThatThereIsNone() {
        const Ended window = started({"--new"});
        QCOMPARE(window.code, 1);
        QCOMPARE(window.err.count('\n'), 1);
        QVERIFY2(window.err.contains("there is no display") && window.err.contains("pimc"),
                 window.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestDisplay)
#include "tst_app_studio_display.moc"
