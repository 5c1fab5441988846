// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every painted canvas of the window over real plans, as a screen reader walks through it: its items have names and
/// values, lie where they are drawn, can be chosen, and the arrow keys go from one to the next.
#include <QTest>
#include <string>

#include "tests/app_studio/studio_fixture.h"
#include "tests/support/canvas_walk.h"

#include <QDockWidget>

using namespace pim;
using namespace pim::studio;
using pim::test::faultsOf;
using pim::test::faultsOfKeys;
using pim::test::itemsOf;
using pim::test::nameOf;
using pim::test::Studio;

class TestCanvases : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void initTestCase() { test::isolateSettings(m_folder); }
    void init() { QSettings().clear(); }

    void everyCanvasCanBeReadAndWalked_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QStringList>("canvases"); ///< Names that have to be among them.
        QTest::newRow("DRAM-PIM") << "tiny-gpt"
                                  << "attacc"
                                  << QStringList{"Model graph", "Hardware floorplan", "Timeline",
                                                 "Scatter of drafts"};
        QTest::newRow("dual mode") << "tiny-gpt"
                                   << "dynaplasia" << QStringList{"Model graph", "Segments", "Timeline"};
        QTest::newRow("crossbar") << "tiny-gpt"
                                  << "isaac"
                                  << QStringList{"Model graph", "Chips, cores and arrays", "Timeline"};
        QTest::newRow("UPMEM") << "tiny-gpt"
                               << "upmem-1" << QStringList{"Model graph", "DPUs of the machine"};
    }
    void everyCanvasCanBeReadAndWalked() {
        QFETCH(QString, sample);
        QFETCH(QString, target);
        QFETCH(QStringList, canvases);
        Studio studio;
        studio.window.resize(1920, 1080);
        studio.window.activateWindow();
        studio.workspace.setTarget(target);
        studio.workspace.openModel(test::sampleModel(sample.toUtf8()), {{"batch", 1}, {"past", 32}});
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.plan(), 60000);
        SETTLE(studio);
        const OpId costliest = studio.costliestOnPim();
        const auto select = [&] { // the keys go elsewhere
            if (costliest.valid())
                studio.workspace.selectOp(costliest);
            SETTLE(studio);
        };
        select();
        QStringList faults, found;
        for (int question = 0; question < kQuestions; ++question) {
            studio.window.panels().show(static_cast<Question>(question));
            for (const auto& [id, dock] : studio.window.panels().docks()) {
                if (!dock->isVisible())
                    continue;
                dock->raise();
                QTest::qWait(30);
                SETTLE(studio);
                for (QWidget* widget : dock->findChildren<QWidget*>()) {
                    if (!widget->isVisible() || itemsOf(*widget, 1).isEmpty())
                        continue;
                    const QString name = nameOf(*widget);
                    if (found.contains(name))
                        continue;
                    found << name;
                    const bool isWalked = itemsOf(*widget, 2).size() > 1;
                    faults += faultsOf(*widget);
                    if (isWalked)
                        faults += faultsOfKeys(*widget);
                    select();
                }
            }
        }
        for (const QString& name : canvases)
            if (!found.contains(name))
                faults << name + QStringLiteral(": no such canvas");
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }
};

QTEST_MAIN(TestCanvases)
#include "tst_app_studio_canvases.moc"
