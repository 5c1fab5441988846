// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The language of the window: which one the settings and the locale choose, that a window in German is German in menus,
/// dialogs of Qt and settings, and that no menu has a letter twice. One program, one language: this one speaks German.
#include <QTest>
#include <string>

#include "app/studio/language.h"
#include "tests/app_studio/studio_fixture.h"
#include "views/common/core_sentences.h"
#include "views/common/core_words.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLibraryInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>

#include <map>
#include <set>

using namespace pim;
using namespace pim::studio;
using pim::test::Studio;

namespace {

QChar mnemonic(QString text) {
    const qsizetype at = text.remove(QStringLiteral("&&")).indexOf(u'&');
    return at < 0 || at + 1 >= text.size() ? QChar() : text[at + 1].toLower();
}

/// "Datei: &Öffnen… and Öff&nen" for letters that two entries of a menu share.
QStringList sharedLetters(const QString& where, const QList<QAction*>& actions) {
    QStringList found;
    std::map<QChar, QString> taken;
    for (const QAction* action : actions) {
        const QChar letter = mnemonic(action->text());
        if (letter.isNull() || !action->isVisible())
            continue;
        if (const auto [other, isNew] = taken.try_emplace(letter, action->text()); !isNew)
            found << QStringLiteral("%1: %2 and %3").arg(where, other->second, action->text());
        if (action->menu())
            found += sharedLetters(action->text(), action->menu()->actions());
    }
    return found;
}

} // namespace

class TestLanguage : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// What the program says on standard error with this locale and these arguments; its exit code before it.
    static std::pair<int, QString> told(const QString& locale, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LC_ALL"), locale);
        environment.remove(QStringLiteral("LANGUAGE"));
        QTemporaryDir home;
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home.path());
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(PIM_STUDIO), arguments);
        if (!program.waitForFinished(60000) || program.exitStatus() != QProcess::NormalExit)
            return {-1, QStringLiteral("it did not end by itself")};
        return {program.exitCode(), QString::fromUtf8(program.readAllStandardError())};
    }

private slots:
    void initTestCase() {
        pim::test::isolateSettings(m_folder);
        QLocale::setDefault(QLocale(QLocale::German)); // as on a German desktop
        useLanguage(QStringLiteral("de"));
    }

    void isChosen_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QStringList>("asked");
        QTest::addColumn<QString>("language");
        const auto row = [](const char* name, const char* wanted, const QStringList& asked,
                            const char* language) {
            QTest::newRow(name) << QString::fromLatin1(wanted) << asked << QString::fromLatin1(language);
        };
        const QString german = QStringLiteral("de_DE.UTF-8"), french = QStringLiteral("fr_FR.UTF-8"),
                      none = QStringLiteral("xx_YY");
        row("by the locale", "system", {german}, "de");
        row("of another country", "", {QStringLiteral("de_AT@euro")}, "de");
        row("by the settings", "en", {german}, "en");
        row("German by the settings", "de", {french}, "de");
        row("settings that are wrong", "klingon", {german}, "de");
        row("the first there is", "system", {french, german}, "de");
        row("English before another", "system", {QStringLiteral("en_GB"), german}, "en");
        row("C", "system", {QStringLiteral("C.UTF-8"), german}, "en");
        row("POSIX", "system", {QStringLiteral("POSIX")}, "en");
        row("no translation", "system", {french}, "");
        row("no locale", "system", {none}, "");
        row("a broken name", "system", {QStringLiteral("_.@"), QString()}, "");
    }
    void isChosen() {
        QFETCH(QString, wanted);
        QFETCH(QStringList, asked);
        QFETCH(QString, language);
        QCOMPARE(chooseLanguage(wanted, asked), language);
    }

    void theSystemAsksByItsVariables() {
        const std::map<const char*, QByteArray> before{{"LC_ALL", qgetenv("LC_ALL")},
                                                       {"LC_MESSAGES", qgetenv("LC_MESSAGES")},
                                                       {"LANG", qgetenv("LANG")},
                                                       {"LANGUAGE", qgetenv("LANGUAGE")}};
        const auto restore = qScopeGuard([&] {
            for (const auto& [name, value] : before)
                value.isNull() ? qunsetenv(name) : qputenv(name, value);
        });
        for (const auto& [name, value] : before)
            qunsetenv(name);
        QCOMPARE(languagesOfSystem(), QStringList{QStringLiteral("C")});
        qputenv("LANG", "de_DE.UTF-8");
        QCOMPARE(languagesOfSystem(), QStringList{QStringLiteral("de_DE.UTF-8")});
        qputenv("LANGUAGE", "fr:de");
        QCOMPARE(languagesOfSystem(),
                 (QStringList{QStringLiteral("fr"), QStringLiteral("de"), QStringLiteral("de_DE.UTF-8")}));
        qputenv("LC_MESSAGES", "fr_CH");
        QCOMPARE(localeOfSystem(), QStringLiteral("fr_CH"));
        qputenv("LC_ALL", "C");
        QCOMPARE(languagesOfSystem(), QStringList{QStringLiteral("C")}); // LANGUAGE counts for nothing then
    }

    void theWindowIsGerman() {
        QCOMPARE(languages(), (QStringList{QStringLiteral("en"), QStringLiteral("de")}));
        Studio studio;
        QStringList menus;
        for (const QAction* action : studio.window.menuBar()->actions())
            menus << QString(action->text()).remove(u'&');
        QCOMPARE(menus, QStringLiteral("Datei Bearbeiten Modell Op Ansicht Hilfe").split(u' '));
        const SettingInfo* language = settingInfo(QString::fromUtf16(setting::kLanguage));
        QCOMPARE(language->label, QStringLiteral("Sprache"));
        QCOMPARE(language->choices.first().second, QStringLiteral("Wie das System"));
        QCOMPARE(language->choices.last().second,
                 QStringLiteral("Deutsch")); // not "German": who reads it needs it
    }

    void numbersHaveAPoint() {
        QCOMPARE(QDoubleSpinBox().textFromValue(0.5), QStringLiteral("0.50"));
        QCOMPARE(QLocale().toString(0.5), QStringLiteral("0.5")); // what plots write at their axes
    }

    void pluralsHaveTwoForms() {
        const auto found = [](int n) {
            return QCoreApplication::translate("pim::views::ChipMapView", "%1, %n phases", nullptr, n);
        };
        QCOMPARE(found(1), QStringLiteral("%1, 1 Phase"));
        QCOMPARE(found(7), QStringLiteral("%1, 7 Phasen"));
    }

    void wordsOfCoreAreGermanWhereTheyStandAlone() {
        const auto word = [](const char* core) { return views::coreWord(core); };
        QCOMPARE(word("PIM channels"), QStringLiteral("PIM-Kanäle"));
        QCOMPARE(word("bank 3"), QStringLiteral("Bank 3"));
        QCOMPARE(word("core 12 arrays"), QStringLiteral("Kern 12 Arrays"));
        QCOMPARE(word("Residency of layer 4"), QStringLiteral("Verbleib von layer 4")); // a name stays
        for (const char* name : {"", "7", " 7", "layers.4", "conv1", "a 3 b", "bank 3x", "bank  3"})
            QCOMPARE(word(name), QString::fromLatin1(name));
        QCOMPARE(views::amidSentence(QStringLiteral("Rechen-Tile")), QStringLiteral("Rechen-Tile"));
    }

    void sentencesThatLeadAreGerman_data() {
        QTest::addColumn<QString>("core");
        QTest::addColumn<QString>("german");
        QTest::newRow("one resource")
            << QStringLiteral(
                   "the time is set by global memory: busy 78 % of the run, and on 61 % of the longest "
                   "chain of work; the largest part of the chain is layer1, 12 %")
            << QStringLiteral(
                   "maßgebend für die Zeit: globaler Speicher, 78 % des Laufs in Arbeit und auf 61 % der "
                   "längsten Kette von Arbeit; der größte Teil der Kette ist layer1, 12 %");
        QTest::newRow("many, after pauses, in a stretch")
            << QStringLiteral(
                   "nothing is under way for 60 % of this stretch of the run; of the rest, the time is set "
                   "by arrays: on 30 % of the longest chain of work; the busiest of 96, array 7, is busy "
                   "20 % of this stretch of the run")
            << QStringLiteral(
                   "in 60 % dieses Abschnitts des Laufs ist nichts im Gang; für den Rest ist maßgebend für "
                   "die "
                   "Zeit: Arrays, auf 30 % der längsten Kette von Arbeit; von 96 hat Array 7 am meisten zu "
                   "tun, 20 % dieses Abschnitts des Laufs");
        QTest::newRow("roof")
            << QStringLiteral(
                   "set by no ceiling, the lowest is a; b, which needs 3.1 % of its time at full speed, "
                   "host memory 5.0 %; its time goes to mode switches 40.0 %, waiting for tRCD 7.5 %; 3 of "
                   "16 channels have work")
            << QString();
        QTest::newRow("reason")
            << QStringLiteral("PIM 2.10× faster than xeon: memory-bound, AI 0.5 FLOP/B; takes the result of "
                              "%1 where it lies, which saves their chain 3 ns")
            << QStringLiteral("PIM 2.10× schneller als xeon: vom Speicher begrenzt, AI 0.5 FLOP/B; nimmt das "
                              "Ergebnis von %1, wo es liegt, was ihrer Kette 3 ns spart");
        QTest::newRow("verdict") << QStringLiteral("host: no unit computes this") // a message of core stays
                                 << QStringLiteral("Host: no unit computes this");
        QTest::newRow("draft") << QStringLiteral("fastest of 8 simulated; at most 6.9 % from the optimum")
                               << QStringLiteral(
                                      "schnellster von 8 simulierten; höchstens 6.9 % vom Optimum entfernt");
        QTest::newRow("several machines")
            << QStringLiteral("pcm 1.2 µs + 0.3 µs of transfers, placed by you; host 4.5 µs; upmem cannot")
            << QStringLiteral(
                   "pcm 1.2 µs + 0.3 µs für Übertragungen, von Ihnen platziert; host 4.5 µs; upmem "
                   "kann es nicht");
        QTest::newRow("problem")
            << QStringLiteral(
                   "the operator ai.x::Foo is not known (3 times): it runs on the host at unknown cost")
            << QStringLiteral(
                   "der Operator ai.x::Foo ist nicht bekannt (3-mal): Er läuft zu unbekannten Kosten "
                   "auf dem Host");
        QTest::newRow("problem, in parts")
            << QStringLiteral("its units compute in bf16; all tensors are taken in bf16 instead of f16")
            << QStringLiteral("seine Einheiten rechnen in bf16; alle Tensoren gelten als bf16 statt f16");
        QTest::newRow("nothing") << QString() << QString();
    }
    void sentencesThatLeadAreGerman() {
        QFETCH(QString, core);
        QFETCH(QString, german);
        const QString said = views::coreSentence(core.toStdString());
        if (!german.isEmpty() || core.isEmpty()) {
            QCOMPARE(said, german);
            return;
        }
        for (const char* const word : {"which", "its time", "waiting for", "have work", "set by"})
            QVERIFY2(!said.contains(QLatin1String(word)), qPrintable(said));
        for (const char* const kept : {"a; b", "3.1 %", "5.0 %", "40.0 %", "tRCD 7.5 %", "16"})
            QVERIFY2(said.contains(QLatin1String(kept)), qPrintable(said));
    }

    /// A name of any length costs nothing.
    void longNamesStayAsTheyAre() {
        std::string name;
        for (int i = 0; i < 20000; ++i)
            name += "set by of in each, ";
        const std::string sentence = "the time is set by " + name + ": on 3 % of the longest chain of work";
        QCOMPARE(views::coreSentence(sentence), QString::fromStdString(sentence));
    }

    /// Of all families of machines: why an op is where it is, and what limits the run.
    void sentencesOfRealPlansAreGerman() {
        Studio studio;
        for (const char* const target : {"attacc", "hbm-pim", "aim", "upmem-4", "dynaplasia", "isaac"}) {
            for (const Sample& each : findSamples())
                if (each.id == QLatin1String("tiny-gpt"))
                    studio.workspace.openModel(each.modelPath, each.bindings, QString::fromLatin1(target));
            QTRY_VERIFY(studio.workspace.plan() && studio.workspace.plan()->target->id == target);
            SETTLE(studio);
            for (const OpPlan& op : studio.workspace.plan()->ops)
                QVERIFY2(op.reason.empty() ||
                             views::coreSentence(op.reason) != QString::fromStdString(op.reason),
                         op.reason.c_str());
        }
    }

    void noMenuHasALetterTwice() {
        Studio studio;
        for (const Sample& each : findSamples())
            if (each.id == QLatin1String("tiny-gpt"))
                studio.workspace.openModel(each.modelPath, each.bindings, QStringLiteral("attacc"));
        QTRY_VERIFY(studio.workspace.graph());
        SETTLE(studio);
        const QStringList shared =
            sharedLetters(QStringLiteral("menu bar"), studio.window.menuBar()->actions());
        QVERIFY2(shared.isEmpty(), qPrintable(shared.join(u'\n')));
    }

    void noPanelTakesALetterOfTheMenuBar() {
        Studio studio;
        std::set<QChar> taken;
        for (const QAction* action : studio.window.menuBar()->actions())
            taken.insert(mnemonic(action->text()));
        QStringList found;
        const auto look = [&](const QString& text) {
            if (taken.contains(mnemonic(text)))
                found << text;
        };
        for (const auto& [id, dock] : studio.window.panels().docks()) {
            for (const QAbstractButton* button : dock->findChildren<QAbstractButton*>())
                look(button->text());
            for (const QLabel* label : dock->findChildren<QLabel*>())
                if (label->buddy())
                    look(label->text());
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    void dialogsOfQtToo() {
        if (!QFileInfo::exists(QLibraryInfo::path(QLibraryInfo::TranslationsPath) +
                               QStringLiteral("/qtbase_de.qm")))
            QSKIP("Qt's translations are not installed");
        const QMessageBox box(QMessageBox::Question, {}, {}, QMessageBox::Cancel);
        QCOMPARE(box.button(QMessageBox::Cancel)->text().remove(u'&'), QStringLiteral("Abbrechen"));
    }

    void aLocaleThatDoesNotExistIsOneLine() {
        const QStringList start{QStringLiteral("--new"), QStringLiteral("--until-usable")};
        const auto [code, said] = told(QStringLiteral("xx_YY.UTF-8"), start);
        QCOMPARE(code, 0);
        QCOMPARE(said,
                 QStringLiteral(
                     "pimstudio: this machine has no locale \"xx_YY.UTF-8\"; the window is in English\n"));
        for (const char* fine : {"C.UTF-8", "POSIX", "de_DE.UTF-8"}) {
            const auto [ended, nothing] = told(QString::fromLatin1(fine), start);
            QCOMPARE(ended, 0);
            QCOMPARE(nothing, QString());
        }
    }

    void aLanguageThatDoesNotExistIsRefused() {
        const auto [code, said] =
            told(QStringLiteral("C.UTF-8"), {QStringLiteral("--language"), QStringLiteral("tlh")});
        QCOMPARE(code, 1);
        QCOMPARE(said, QStringLiteral("pimstudio: unknown language \"tlh\"; there are system, en, de\n"));
    }
};

QTEST_MAIN(TestLanguage)
#include "tst_app_studio_language.moc"
