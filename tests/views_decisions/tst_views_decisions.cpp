// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The panel of decisions, variants and the history over the real core.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "tests/support/workspace.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/decisions/decisions_model.h"
#include "views/decisions/decisions_view.h"
#include "views/decisions/history_view.h"
#include "views/decisions/variant_totals.h"
#include "views/decisions/variants_view.h"
#include "views/models/workspace.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QEventLoop>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QUndoStack>
#include <QUndoView>

using namespace pim;
using namespace pim::views;

class TestViewsDecisions : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    QTemporaryDir m_folder;

    struct Fixture {
        Workspace workspace;
        DecisionsView view;
        explicit Fixture(const TestViewsDecisions& test)
            : workspace(test.m_backends, test.m_catalog), view(workspace) {
            view.resize(340, 500);
            view.show();
            workspace.setTarget(QStringLiteral("attacc"));
            workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}});
        }
        QTabWidget& tabs() { return *view.findChild<QTabWidget*>(); }
        QPushButton* button(const QString& text) const {
            for (QPushButton* each : view.findChildren<QPushButton*>())
                if (each->text() == text)
                    return each;
            return nullptr;
        }
        TableView* table(const char* name) const {
            return view.findChild<TableView*>(QString::fromLatin1(name));
        }
        /// Ops on PIM, with a placement to decide about.
        std::string pimOp(int number) const {
            for (const OpPlan& op : workspace.plan()->ops)
                if (!op.onHost() && number-- == 0)
                    return workspace.graph()->op(op.op).name;
            return {};
        }
    };
#define SETTLE(f) QTRY_VERIFY_WITH_TIMEOUT(test::settled((f).workspace), 60000)

private slots:
    void everyDecisionShowsWhatBecameOfIt() {
        Fixture f(*this);
        SETTLE(f);
        QAbstractItemModelTester tester(&f.view.model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(f.view.model().rowCount(), 0);
        const std::string op = f.pimOp(0), other = f.pimOp(1);
        Overrides decided;
        decided.set({op, "placement", "host"});
        decided.set({"no such op", "placement", "host"});
        f.workspace.replaceOverrides(decided, QStringLiteral("two"));
        SETTLE(f);
        QCOMPARE(f.view.model().rowCount(), 2);
        QCOMPARE(f.view.model().count(Fit::Applied), 1);
        QCOMPARE(f.view.model().count(Fit::Stale), 1);
        const int stale = f.view.model().at(0).fit == Fit::Stale ? 0 : 1;
        const QModelIndex state = f.view.model().index(stale, DecisionsModel::State);
        QCOMPARE(state.data().toString(), QStringLiteral("stale"));
        QCOMPARE(state.data(Qt::ForegroundRole).value<QColor>(), color(Role::Muted));
        QVERIFY2(state.data(Qt::ToolTipRole).toString().contains(QStringLiteral("the model has no op")),
                 qPrintable(state.data(Qt::ToolTipRole).toString()));
        const auto labels = f.view.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("1 does not fit"));
        }));
        // The time of an op has its unit; the exact value is there too.
        const QModelIndex time = f.view.model().index(1 - stale, DecisionsModel::Time);
        QVERIFY(time.data().toString().contains(QStringLiteral("s")));
        QCOMPARE(time.data(Qt::EditRole).toDouble(),
                 f.workspace.plan()->opPlan(f.workspace.graph()->findOp(op)).cost.totalNs());
        QVERIFY(f.table("DecisionList")
                    ->text(TableView::Format::Tsv, false)
                    .contains(QStringLiteral("Op takes (ns)")));
    }

    void aRowLeadsToItsOpAndCanBeTakenBack() {
        Fixture f(*this);
        SETTLE(f);
        const std::string first = f.pimOp(0), second = f.pimOp(1);
        f.workspace.applyOverride({first, "placement", "host"});
        f.workspace.applyOverride({second, "placement", "host"});
        SETTLE(f);
        TableView* list = f.table("DecisionList");
        const int row = f.view.model().at(0).decision.op == second ? 0 : 1;
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(f.view.model().index(row, 1)).center());
        QCOMPARE(f.workspace.selection().op, f.workspace.graph()->findOp(second));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(f.workspace.overrides().size(), std::size_t{1});
        QVERIFY(f.workspace.overrides().find(first, "placement"));
        QVERIFY(f.workspace.undoStack()->undoText().contains(QStringLiteral("Remove")));
        f.workspace.undoStack()->undo();
        QCOMPARE(f.workspace.overrides().size(), std::size_t{2});
    }

    void filesAndPatchesGoOutAndComeBack() {
        Fixture f(*this);
        SETTLE(f);
        QSignalSpy told(&f.view, &DecisionsView::succeeded), failed(&f.view, &DecisionsView::failed);
        const std::string op = f.pimOp(0), other = f.pimOp(1);
        f.workspace.applyOverride({op, "placement", "host"});
        f.workspace.branchVariant(QStringLiteral("try"));
        f.workspace.applyOverride({other, "placement", "host"});
        SETTLE(f);
        const std::string both = f.workspace.overrides().json();
        const QString whole = m_folder.filePath(QStringLiteral("all.json")),
                      patch = m_folder.filePath(QStringLiteral("try.patch.json"));
        f.view.exportFile(whole);
        f.view.exportFile(patch);
        QFile file(patch);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains(QByteArray::fromStdString(other).replace("~", "~0").replace("/", "~1")));
        QVERIFY(!text.contains("\"path\": \"/ops/" +
                               QByteArray::fromStdString(op).replace("~", "~0").replace("/", "~1") +
                               "\"")); // the parent has it
        f.workspace.switchVariant(QStringLiteral("main"));
        f.view.importFile(patch);
        QCOMPARE(f.workspace.overrides().json(), both);
        SETTLE(f);
        QCOMPARE(told.last().at(0).toString(), QStringLiteral("Imported: 2 applied, 0 moved, 0 stale"));
        f.workspace.replaceOverrides({}, QStringLiteral("none"));
        f.view.importFile(whole);
        QCOMPARE(f.workspace.overrides().json(), both);
        QVERIFY(failed.isEmpty());
        f.view.importFile(m_folder.filePath(QStringLiteral("absent.json")));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(f.workspace.overrides().json(), both);
    }

    void movedOnesAreMarkedAndCanTakeTheNewNames() {
        Fixture f(*this);
        SETTLE(f);
        const std::string op = f.pimOp(0);
        Overrides decided;
        decided.set({op, "placement", "host"});
        MarkedOverrides marked{decided, marksOf(*f.workspace.graph(), decided)};
        // As exported from a model in which the op had another name.
        marked.overrides = {};
        marked.overrides.set({"old name", "placement", "host"});
        marked.marks = {{"old name", marked.marks.at(op)}};
        QFile file(m_folder.filePath(QStringLiteral("old.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(decisionsJson(marked)));
        file.close();
        QSignalSpy told(&f.view, &DecisionsView::succeeded);
        f.view.importFile(file.fileName());
        SETTLE(f);
        QCOMPARE(told.last().at(0).toString(), QStringLiteral("Imported: 0 applied, 1 moved, 0 stale"));
        QCOMPARE(f.view.model().at(0).fit, Fit::Moved);
        QVERIFY(f.workspace.plan()->opPlan(f.workspace.graph()->findOp(op)).placementOverridden);
        // What the inspector resets is the decision under its old name.
        f.workspace.clearOverride(op, "placement");
        QVERIFY(f.workspace.overrides().empty());
        f.workspace.undoStack()->undo();
        SETTLE(f);
        QVERIFY(f.button(QStringLiteral("Take Over Names"))->isVisible());
        f.button(QStringLiteral("Take Over Names"))->click();
        QVERIFY(f.workspace.overrides().find(op, "placement"));
        SETTLE(f);
        QCOMPARE(f.view.model().count(Fit::Applied), 1);
        QVERIFY(!f.button(QStringLiteral("Take Over Names"))->isVisible());
    }

    void totalsThatGoTakeTheirWorkWithThem() {
        Fixture f(*this);
        SETTLE(f);
        f.workspace.branchVariant(QStringLiteral("other"));
        f.workspace.applyOverride({"", "placement", "host"});
        SETTLE(f);
        TaskList* const tasks = f.workspace.tasks();
        auto totals = std::make_unique<VariantTotals>(f.workspace);
        QEventLoop untilItBegins;
        connect(tasks, &TaskList::changed, &untilItBegins, [&] {
            for (const TaskList::Entry& entry : tasks->entries())
                if (entry.name.contains(QStringLiteral("variants")))
                    untilItBegins.quit();
        });
        totals->setWanted(true);
        untilItBegins.exec();
        QVERIFY(totals->isRunning());
        const auto before = tasks->entries().size();
        totals.reset();
        // or its result would come to somebody who is not there
        QCOMPARE(tasks->entries().size(), before - 1);
    }

    void variantsBranchCompareAndTellTheBest() {
        Fixture f(*this);
        SETTLE(f);
        f.tabs().setCurrentIndex(1);
        VariantsView& variants = f.view.variants();
        QAbstractItemModelTester tester(&variants.model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(variants.model().rowCount(), 1);
        QVERIFY(variants.model().best().isEmpty()); // nothing to be better than
        const double compilers = f.workspace.plan()->total.totalNs();
        const std::string op = f.pimOp(0);
        f.button(QStringLiteral("Branch"))->click();
        QCOMPARE(f.workspace.variant(), QStringLiteral("main 2"));
        f.workspace.applyOverride({"", "placement", "host"});
        SETTLE(f);
        const auto opNs = [&] {
            return f.workspace.plan()->opPlan(f.workspace.graph()->findOp(op)).cost.totalNs();
        };
        const double onHost = opNs();
        f.workspace.branchVariant(QStringLiteral("deeper"));
        f.workspace.applyOverride({op, "placement", "pim"});
        SETTLE(f);
        const double deeper = f.workspace.plan()->total.totalNs(), onPim = opNs();
        QVERIFY(onPim != onHost);
        f.workspace.switchVariant(QStringLiteral("main"));
        SETTLE(f);
        const auto value = [&](const char* name) {
            return variants.model()
                .index(variants.model().rowOf(QString::fromLatin1(name)), VariantsModel::Value)
                .data(Qt::EditRole)
                .toDouble();
        };
        QTRY_COMPARE_WITH_TIMEOUT(value("deeper"), deeper, 30000);
        QCOMPARE(value("main"), compilers);
        QVERIFY(value("main 2") > compilers);
        QCOMPARE(variants.model().best(), QStringLiteral("main"));
        QCOMPARE(variants.model().nameAt(0), QStringLiteral("main"));
        QCOMPARE(variants.model().nameAt(1), QStringLiteral("main 2"));
        QCOMPARE(variants.model().nameAt(2), QStringLiteral("deeper")); // below the one it came from
        const double toParent =
            variants.model().index(1, VariantsModel::ToParent).data(Qt::EditRole).toDouble();
        QCOMPARE(toParent, value("main 2") / compilers - 1);
        QVERIFY(variants.model().index(1, VariantsModel::ToParent).data().toString().startsWith(u'+'));

        QSignalSpy compared(&variants, &VariantsView::compareRequested);
        variants.compare(QStringLiteral("main 2"), QStringLiteral("deeper"));
        QCOMPARE(compared.size(), 1);
        const auto* differences = f.table("VariantDifferences")->model();
        QCOMPARE(differences->rowCount(), 1);
        QCOMPARE(differences->index(0, 0).data().toString().toStdString(), op);
        QCOMPARE(differences->index(0, 3).data().toString(), QStringLiteral("pim"));
        QCOMPARE(differences->index(0, 4).data(Qt::EditRole).toDouble(), onPim - onHost);
    }

    void simulatedEnergyIsMadeOnRequest() {
        Fixture f(*this);
        SETTLE(f);
        f.tabs().setCurrentIndex(1);
        VariantsView& variants = f.view.variants();
        f.workspace.branchVariant(QStringLiteral("host"));
        f.workspace.applyOverride({f.pimOp(0), "placement", "host"});
        SETTLE(f);
        variants.findChild<QComboBox*>()->setCurrentIndex(static_cast<int>(VariantMetric::SimulatedTime));
        const auto value = [&](int row) {
            return variants.model().index(row, VariantsModel::Value).data(Qt::EditRole);
        };
        QTRY_VERIFY_WITH_TIMEOUT(
            value(0).userType() == QMetaType::Double && value(1).userType() == QMetaType::Double, 60000);
        QVERIFY(value(0).toDouble() > 0);
        QVERIFY(value(0).toDouble() != value(1).toDouble());
    }

    void renamingInPlaceAndDeleting() {
        Fixture f(*this);
        SETTLE(f);
        f.tabs().setCurrentIndex(1);
        VariantsView& variants = f.view.variants();
        QSignalSpy failed(&f.workspace, &Workspace::failed);
        f.workspace.branchVariant(QStringLiteral("a"));
        f.workspace.branchVariant(QStringLiteral("b"));
        QVERIFY(
            variants.model().setData(variants.model().index(variants.model().rowOf(QStringLiteral("a")), 0),
                                     QStringLiteral(" renamed "), Qt::EditRole));
        QVERIFY(variants.model().rowOf(QStringLiteral("renamed")) >= 0);
        variants.model().setData(variants.model().index(0, 0), QStringLiteral("b"), Qt::EditRole);
        QCOMPARE(failed.size(), 1); // taken
        TableView* list = f.table("VariantList");
        list->selectRow(variants.model().rowOf(QStringLiteral("renamed")));
        QVERIFY(f.button(QStringLiteral("Delete"))->isEnabled());
        f.button(QStringLiteral("Delete"))->click();
        QCOMPARE(variants.model().rowCount(), 2);
        QCOMPARE(f.workspace.variants().back().parent, std::string("main")); // b went to the one a came from
        list->selectRow(variants.model().rowOf(QStringLiteral("b")));
        QVERIFY(!f.button(QStringLiteral("Delete"))->isEnabled()); // in force
        while (f.workspace.undoStack()->canUndo())
            f.workspace.undoStack()->undo();
        QCOMPARE(variants.model().rowCount(), 1);
    }

    void theHistoryGoesWhereOneClicks() {
        Fixture f(*this);
        SETTLE(f);
        HistoryView history(f.workspace);
        history.resize(300, 300);
        history.show();
        const std::string before = f.workspace.decisionsText();
        f.workspace.applyOverride({f.pimOp(0), "placement", "host"});
        f.workspace.addNote({0, f.pimOp(1), "", 0, 0, "look here"});
        f.workspace.branchVariant(QStringLiteral("other"));
        const std::string after = f.workspace.decisionsText();
        auto* list = history.findChild<QUndoView*>();
        QCOMPARE(list->model()->rowCount(), 4);
        QVERIFY(list->model()->index(1, 0).data().toString().startsWith(QStringLiteral("Set placement of ")));
        QCOMPARE(list->model()->index(3, 0).data().toString(), QStringLiteral("Branch variant other"));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(0, 0)).center());
        QCOMPARE(f.workspace.decisionsText(), before);
        QVERIFY(history.findChild<QLabel*>()->text().startsWith(QStringLiteral("Step 0 of 3")));
        list->setCurrentIndex(list->model()->index(3, 0));
        QCOMPARE(f.workspace.decisionsText(), after);
        QVERIFY(f.workspace.undoStack()->undoText() == QStringLiteral("Branch variant other"));
        SETTLE(f);
    }

    void everythingHasAName() {
        Fixture f(*this);
        HistoryView history(f.workspace);
        for (const QWidget* root : {static_cast<QWidget*>(&f.view), static_cast<QWidget*>(&history)})
            for (const QWidget* widget : root->findChildren<QWidget*>())
                if (widget->focusPolicy() != Qt::NoFocus &&
                    !widget->objectName().startsWith(QStringLiteral("qt_")) &&
                    !qobject_cast<const QLabel*>(widget))
                    QVERIFY2(!widget->accessibleName().isEmpty(),
                             qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' +
                                        widget->objectName()));
    }

    /// For eyes: PIM_PICTURES=folder writes what the panel looks like.
    void looks() {
        const QString folder = qEnvironmentVariable("PIM_PICTURES");
        if (folder.isEmpty())
            QSKIP("PIM_PICTURES names no folder");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(theme);
            Fixture f(*this);
            SETTLE(f);
            HistoryView history(f.workspace);
            history.resize(340, 300);
            history.show();
            f.workspace.branchVariant(QStringLiteral("everything on the host"));
            Overrides decided;
            decided.set({"", "placement", "host"});
            decided.set({f.pimOp(0), "placement", "pim"});
            decided.set({"blocks/7/attn/MatMul of an older export", "placement", "host"});
            f.workspace.replaceOverrides(decided, QStringLiteral("Import decisions from old.json"));
            SETTLE(f);
            f.workspace.switchVariant(QStringLiteral("main"));
            f.workspace.branchVariant(QStringLiteral("one op"));
            f.workspace.switchVariant(QStringLiteral("everything on the host"));
            SETTLE(f);
            const QString name = theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark");
            QTest::qWait(50);
            QVERIFY(f.view.grab().save(folder + u'/' + name + QStringLiteral("-decisions.png")));
            f.tabs().setCurrentIndex(1);
            f.view.variants().compare(QStringLiteral("main"), QStringLiteral("everything on the host"));
            QTRY_VERIFY(!f.view.variants().totals().isRunning());
            QTest::qWait(50);
            QVERIFY(f.view.grab().save(folder + u'/' + name + QStringLiteral("-variants.png")));
            QVERIFY(history.grab().save(folder + u'/' + name + QStringLiteral("-history.png")));
        }
        applyTheme(Theme::Light);
    }
};

QTEST_MAIN(TestViewsDecisions)
#include "tst_views_decisions.moc"
