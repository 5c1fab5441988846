// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The README's story in a real window, from an empty home folder, with the mouse and the keys of the X
/// server: drop a model, choose a target, drag an op, override a draft, undo, simulate, compare, export. With
/// PIM_PICTURES=FOLDER it leaves the pictures of the help there.
#include <QTest>
#include <string>

#include "app/studio/families.h"
#include "app/studio/file_drops.h"
#include "app/studio/main_window.h"
#include "app/studio/panels.h"
#include "app/studio/session.h"
#include "app/studio/settings.h"
#include "app/studio/start.h"
#include "app/studio/target_box.h"
#include "backends/builtin.h"
#include "core/base/paths.h"
#include "tests/real_window/x_hands.h"
#include "views/drafts/drafts_view.h"
#include "views/graph/graph_canvas.h"
#include "views/graph/graph_view.h"
#include "views/hardware/hardware_view.h"
#include "views/models/workspace.h"
#include "views/runs/runs_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QScreen>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>

using namespace pim;
using pim::test::XHands;

class TestRealWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const BackendList m_backends = builtinBackends();
    const views::FamilyList m_families = studio::families();
    std::unique_ptr<studio::Settings> m_settings;
    std::unique_ptr<views::Workspace> m_workspace;
    std::unique_ptr<studio::MainWindow> m_window;
    std::unique_ptr<studio::Session> m_session;

    bool settled() const {
        return m_workspace->plan() && !m_workspace->isStale() && m_workspace->tasks()->entries().isEmpty();
    }
    template <class T>
    T* view() const {
        return m_window->findChild<T*>();
    }
    /// All of the screen, so popups and what hovers are on it too.
    void picture(const char* name) const {
        const QString folder = qEnvironmentVariable("PIM_PICTURES", m_folder.path());
        QDir().mkpath(folder);
        QTest::qWait(250); // fades and late layouts
        const QPixmap shot = m_window->screen()->grabWindow(0, m_window->x(), m_window->y(),
                                                            m_window->width(), m_window->height());
        QVERIFY(!shot.isNull());
        QVERIFY(shot.save(folder + u'/' + QString::fromLatin1(name) + QStringLiteral(".png")));
    }
    static QPoint global(const QWidget* widget, const QPointF& position) {
        return widget->mapToGlobal(position.toPoint());
    }
    OpId tiledOp(DeviceId placement) const {
        OpId found;
        double most = -1;
        for (const OpPlan& op : m_workspace->plan()->ops)
            if (op.placement == placement && op.space && op.pimCost && op.draftsKept > 1 &&
                op.hostNs > most) {
                most = op.hostNs;
                found = op.op;
            }
        return found;
    }

private slots:
    void initTestCase() {
        QVERIFY2(QDir(qEnvironmentVariable("HOME")).entryList(QDir::Files | QDir::NoDotAndDotDot).isEmpty(),
                 "the home folder is not empty");
        QApplication::setApplicationName(QStringLiteral("pimstudio"));
        QApplication::setOrganizationName(QStringLiteral("pimstudio"));
        m_settings = std::make_unique<studio::Settings>();
        applyThemeChoice(studio::ThemeChoice::Light);
        m_workspace = std::make_unique<views::Workspace>(m_backends, TargetCatalog::load(), m_families);
        m_window = std::make_unique<studio::MainWindow>(*m_workspace, *m_settings);
        m_session = std::make_unique<studio::Session>(*m_window, *m_workspace);
        m_window->setUnattended(true);
        m_workspace->setTarget(QStringLiteral("attacc"));
        m_window->setGeometry(0, 0, 1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        studio::beginWork(*m_window, *m_workspace, *m_session, {});
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    /// There is no window manager that gives the keys back when a dialog goes.
    void init() {
        XHands::act({QStringLiteral("windowfocus"), QString::number(m_window->winId())});
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanupTestCase() { m_window->close(); }

    void theTourComesFirstAndGoesWithAKey() {
        QTest::qWait(700);
        picture("tour");
        QVERIFY(XHands::keys(QStringLiteral("Escape")));
        QTest::qWait(200);
        picture("welcome");
        QVERIFY(!m_workspace->graph());
    }

    void aModelIsDroppedByAnotherProgram() {
        QProcess source;
        source.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        source.start(QStringLiteral(PIM_DRAG_SOURCE),
                     {QStringLiteral("1700"), QStringLiteral("400"),
                      QString::fromStdString((samplesDir() / "bert-base" / "bert-base.onnx").string())});
        QTRY_VERIFY_WITH_TIMEOUT(source.canReadLine(), 20000);
        QCOMPARE(source.readLine().trimmed(), QByteArray("ready"));
        QTest::qWait(200);
        QSignalSpy dropped(m_window->findChild<studio::FileDrops*>(), &studio::FileDrops::dropped);
        QVERIFY(XHands::grab({1745, 430}, {800, 500}));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChild<studio::FileDrops*>()->hint().isEmpty(), 20000);
        picture("drop");
        QVERIFY(XHands::release());
        QTRY_COMPARE_WITH_TIMEOUT(dropped.size(), 1, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(source.canReadLine(), 20000);
        QCOMPARE(source.readLine().trimmed(), QByteArray("taken"));
        // Opening takes as long as it takes: other programs are at the machine too.
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->graph(), 120000);
        source.kill();
        source.waitForFinished();
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 120000);
        picture("where-time-goes");
    }

    void aTargetIsChosenFromTheBox() {
        auto* box = view<studio::TargetBox>();
        QVERIFY(box);
        const int wanted = box->findText(QStringLiteral("AiM"), Qt::MatchContains);
        QVERIFY(wanted >= 0);
        QVERIFY(XHands::click(box));
        QTest::qWait(200);
        QStringList steps{QStringLiteral("key"), QStringLiteral("--delay"), QStringLiteral("40")};
        for (int i = box->currentIndex(); i != wanted; i += wanted > i ? 1 : -1)
            steps << (wanted > i ? QStringLiteral("Down") : QStringLiteral("Up"));
        QVERIFY(XHands::act(steps << QStringLiteral("Return")));
        QTRY_COMPARE(box->currentIndex(), wanted);
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 120000);
        QVERIFY(m_workspace->target()->backend == "aim");
        // Back by the keys, as a person who only looked.
        QVERIFY(XHands::keys(QStringLiteral("ctrl+z")));
        QTRY_COMPARE(m_workspace->target()->id, std::string("attacc"));
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 120000);
    }

    void theProjectIsSaved() {
        QVERIFY(XHands::answer(QStringLiteral("ctrl+s"), m_folder.filePath(QStringLiteral("story.pimproj"))));
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->project() && m_workspace->lastRun() > 0, 60000);
    }

    void anOpIsDraggedToTheHost() {
        QVERIFY(XHands::keys(
            QStringLiteral("ctrl+2"))); // why this draft: graph behind the inspector, hardware beside
        auto* graph = view<views::GraphView>();
        auto* hardware = view<views::HardwareView>();
        const OpId op = tiledOp(DeviceId::first());
        QVERIFY(op.valid());
        m_workspace->selectOp(op);
        m_window->showPanel(QStringLiteral("graph"));
        QTRY_VERIFY_WITH_TIMEOUT(settled() && m_workspace->exploration(), 60000);
        QTRY_VERIFY(graph->canvas()->isVisible() && hardware->floorplan()->isVisible());
        graph->reveal(op);
        QTRY_VERIFY(!graph->isLayingOut());
        QTest::qWait(400);
        const QPoint from = global(graph->canvas(), graph->canvas()->screenPosition(op));
        const QPoint to =
            global(hardware->floorplan(),
                   hardware->floorplan()->rectOf({views::HardwareSpot::Kind::Host, {}}).center());
        QVERIFY(graph->canvas()->rect().contains(graph->canvas()->mapFromGlobal(from)));
        const std::string name = m_workspace->graph()->op(op).name;
        QString verdict; // what stands there while the op is held over the host
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            if (!hardware->floorplan()->isHovering() ||
                hardware->floorplan()->spotAt(hardware->floorplan()->mapFromGlobal(QCursor::pos())).kind !=
                    views::HardwareSpot::Kind::Host)
                return;
            look.stop();
            verdict = hardware->floorplan()->verdict().text;
            picture("drag-op");
        });
        look.start(100);
        QVERIFY(XHands::drag(from, to, "1.5"));
        look.stop();
        QVERIFY(!verdict.isEmpty());
        QTRY_VERIFY(m_workspace->overrides().find(name, "placement"));
        QCOMPARE(*m_workspace->overrides().find(name, "placement"), std::string("host"));
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 60000);
        QVERIFY(XHands::keys(QStringLiteral("ctrl+z")));
        QTRY_VERIFY(m_workspace->overrides().empty());
        QTRY_VERIFY_WITH_TIMEOUT(settled() && m_workspace->exploration(), 60000);
    }

    void aDraftIsSimulatedAndPutInForce() {
        auto* drafts = view<views::DraftsView>();
        QTRY_VERIFY(drafts->isVisible());
        QTRY_VERIFY(drafts->table()->model()->rowCount() > 2);
        const auto cell = [&](int row) {
            return global(drafts->table()->viewport(),
                          drafts->table()->visualRect(drafts->table()->model()->index(row, 0)).center());
        };
        QVERIFY(XHands::click(cell(1)));
        QTRY_VERIFY(m_workspace->selection().draft.has_value());
        QVERIFY(drafts->simulateButton()->isEnabled());
        const QRect button = drafts->simulateButton()->rect();
        QVERIFY(XHands::click(global(drafts->simulateButton(), {10.0, button.height() / 2.0})));
        QTest::qWait(300);
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 120000);
        picture("why-this-draft");
        QVERIFY(XHands::click(cell(1)));
        const auto buttons = drafts->findChildren<QAbstractButton*>();
        const auto use = std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* each) {
            return each->isVisible() && each->text().startsWith(QStringLiteral("Use"));
        });
        QVERIFY(use != buttons.end());
        QTRY_VERIFY((*use)->isEnabled());
        QVERIFY(XHands::click(*use));
        QTRY_COMPARE(m_workspace->overrides().size(), std::size_t(1));
        QCOMPARE(m_workspace->overrides().all().front().field, std::string("draft"));
        QTRY_VERIFY_WITH_TIMEOUT(settled() && m_workspace->lastRun() >= 2, 60000);
        QVERIFY(XHands::keys(QStringLiteral("ctrl+z")));
        QTRY_VERIFY(m_workspace->overrides().empty());
        QVERIFY(XHands::keys(QStringLiteral("ctrl+shift+z")));
        QTRY_COMPARE(m_workspace->overrides().size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 60000);
    }

    void runsAreCompared() {
        QVERIFY(XHands::keys(QStringLiteral("ctrl+3")));
        auto* runs = view<views::RunsView>();
        QTRY_VERIFY(runs->isVisible());
        auto* table = reinterpret_cast<QTableView*>(runs->runsTable());
        QTRY_VERIFY(table->model()->rowCount() >= 3); // the last but one had an op on the host
        const auto cell = [&](int row) {
            return global(table->viewport(), table->visualRect(table->model()->index(row, 1)).center());
        };
        QVERIFY(XHands::click(cell(0)));
        QVERIFY(XHands::act(QStringList{QStringLiteral("keydown"), QStringLiteral("ctrl")} +
                            XHands::at(cell(table->model()->rowCount() - 2)) +
                            QStringList{"sleep", "0.05", "click", "1", "keyup", "ctrl"}));
        QTRY_VERIFY_WITH_TIMEOUT(runs->comparison(), 20000);
        picture("what-if");
    }

    void theReportIsExported() {
        const QString file = m_folder.filePath(QStringLiteral("story.html"));
        QVERIFY(XHands::answer(QStringLiteral("ctrl+shift+r"), file));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file).size() > 10'000, 60000);
    }

    void theBuiltProgramStartsAndQuits() {
        m_window->hide(); // its title is the same
        QProcess program;
        program.setProcessChannelMode(QProcess::MergedChannels);
        program.start(QStringLiteral(PIM_STUDIO_BINARY),
                      {QStringLiteral("--new"), m_folder.filePath(QStringLiteral("story.pimproj"))});
        QVERIFY(program.waitForStarted());
        const QStringList itsWindow{QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                                    QStringLiteral("--name"), QStringLiteral("story.pimproj")};
        QTRY_VERIFY_WITH_TIMEOUT(XHands::act(itsWindow), 30000);
        QTest::qWait(500);
        QVERIFY(XHands::act(itsWindow + QStringList{"windowfocus", "sleep", "0.3"}));
        QVERIFY(XHands::keys(QStringLiteral("ctrl+q")));
        QTRY_VERIFY_WITH_TIMEOUT(program.state() == QProcess::NotRunning, 20000);
        QCOMPARE(program.exitCode(), 0);
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    TestRealWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_real_window.moc"
