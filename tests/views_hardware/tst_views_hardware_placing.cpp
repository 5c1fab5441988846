// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Placing ops and splitting dimensions on the floorplan: verdicts before a drop, by mouse and by keys; every count offered.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "core/drafts/core_memory.h"
#include "tests/views_hardware/hardware_fixture.h"
#include "views/common/choice_box.h"
#include "views/hardware/hardware_tree.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QStandardItemModel>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;
using namespace pim::views::test;

class TestHardwarePlacing : public HardwareTest {
    Q_OBJECT
private slots:
    void draggingAnOpSaysWhatWillHappenBeforeTheDrop() {
        const OpId op = opWithDraft(*m_workspace->plan());
        const QString name = opName(*m_workspace, op);
        const bool wasOnPim = !m_workspace->plan()->opPlan(op).onHost();
        if (!wasOnPim) { // start from PIM
            m_workspace->applyOverride({name.toStdString(), "placement", "pim"});
            SETTLE();
        }
        const int steps = m_workspace->undoStack()->count();
        const Overrides before = m_workspace->overrides();
        Floorplan* const picture = m_view->floorplan();
        Drag drag(picture, kMimeOp, name.toUtf8());
        drag.enter(picture->rectOf(machine({0})).center());
        QVERIFY(picture->isHovering());
        // Over the machine: where it is.
        QVERIFY(drag.move(picture->rectOf(machine({1})).center()));
        QVERIFY2(m_view->statusText().startsWith("✓") && m_view->statusText().contains("free") &&
                     m_view->statusText().contains("B of each bank"),
                 qPrintable(m_view->statusText()));
        // Over the host: green, the time before and after, and what becomes free.
        QVERIFY(drag.move(picture->rectOf(kHost).center()));
        QVERIFY(picture->verdict().legal);
        const QString said = m_view->statusText();
        QVERIFY2(said.startsWith("✓") && said.contains(name) && said.contains("instead of") &&
                     said.contains("s (predicted)"),
                 qPrintable(said));
        QVERIFY2(said.contains("become free"), qPrintable(said));
        QVERIFY(picture->verdict().after.has_value());
        // Between the two: nothing to drop on.
        QVERIFY(!drag.move(QPointF(picture->rectOf(kHost).right() + 10, 20)));
        QVERIFY(m_view->statusText().startsWith("✗"));
        QVERIFY2(m_workspace->overrides() == before && m_workspace->undoStack()->count() == steps,
                 "hovering decides nothing");
        QVERIFY(drag.move(picture->rectOf(kHost).center()));
        QVERIFY(drag.drop(picture->rectOf(kHost).center()));
        QVERIFY(!picture->isHovering());
        QCOMPARE(m_workspace->undoStack()->count(), steps + 1);
        SETTLE();
        QCOMPARE(m_workspace->plan()->opPlan(op).placement, DeviceId::host());
        m_workspace->undoStack()->undo();
        QVERIFY(m_workspace->overrides() == before);
    }

    void escapeLeavesEverythingAsItWas() {
        const OpId op = opWithDraft(*m_workspace->plan());
        m_workspace->selectOp(op);
        const Overrides before = m_workspace->overrides();
        const int steps = m_workspace->undoStack()->count();
        Floorplan* const picture = m_view->floorplan();
        Drag drag(picture, kMimeOp, opName(*m_workspace, op).toUtf8());
        drag.enter(picture->rectOf(kHost).center());
        drag.move(picture->rectOf(kHost).center());
        QVERIFY(picture->isHovering());
        drag.leave();
        QVERIFY(!picture->isHovering());
        picture->setFocus();
        QTest::keyClick(picture, Qt::Key_X, Qt::ControlModifier);
        QTest::keyClick(picture, Qt::Key_Home);
        QVERIFY(picture->isCarrying() && picture->verdict().legal);
        QTest::keyClick(picture, Qt::Key_Escape);
        QVERIFY(!picture->isHovering());
        QVERIFY(m_workspace->overrides() == before && m_workspace->undoStack()->count() == steps &&
                !m_workspace->isStale());
        QVERIFY(!m_view->statusText().startsWith("✓"));
    }

    void whatIsIllegalSaysWhyAndCannotBeDropped() {
        const OpId op = opPimCannotRun(*m_workspace->plan());
        QVERIFY(op.valid());
        Floorplan* const picture = m_view->floorplan();
        const QPointF at = picture->rectOf(machine({0})).center();
        Drag drag(picture, kMimeOp, opName(*m_workspace, op).toUtf8());
        drag.enter(at);
        QVERIFY(!drag.move(at));
        const QString said = m_view->statusText();
        QVERIFY2(said.startsWith("✗") &&
                     said.contains(QString::fromStdString(m_workspace->plan()->opPlan(op).pimVerdict)),
                 qPrintable(said));
        QVERIFY(!drag.drop(at));
        QVERIFY(m_workspace->overrides().empty());
        // Nor past the picture.
        m_view->drop(kMimeOp, opName(*m_workspace, op), machine());
        QVERIFY(m_workspace->overrides().empty());
        QVERIFY(!m_view->verdict(kMimeOp, "no such op", kHost).legal);
    }

    void aFullMemorySaysWhatIsNeededAndWhatIsFree() {
        m_workspace->setTarget("small-banks");
        SETTLE();
        const auto plan = m_workspace->plan();
        // Place ops until one no longer fits.
        CoreFill fill;
        QString refused;
        for (const OpPlan& op : plan->ops) {
            if (!op.space || !op.draft || op.keptCoreBytes == 0)
                continue;
            CoreFill with = fill;
            with.add(op);
            if (with.bytes() > plan->coreBytes) {
                refused = opName(*m_workspace, op.op);
                break;
            }
            fill = with;
            m_workspace->applyOverride({m_workspace->graph()->op(op.op).name, "placement", "pim"});
        }
        SETTLE();
        QVERIFY2(!refused.isEmpty(), "the banks of the test target are too large");
        Drag drag(m_view->floorplan(), kMimeOp, refused.toUtf8());
        const QPointF at = m_view->floorplan()->rectOf(machine({0})).center();
        drag.enter(at);
        QVERIFY(!drag.move(at));
        const QString said = m_view->statusText();
        QVERIFY2(said.contains("of a core, which has 2.000 KiB") && said.contains("free now:"),
                 qPrintable(said));
    }

    void aDimensionIsSplitWhereItIsDropped() {
        const OpId op = opWithDraft(*m_workspace->plan());
        m_workspace->selectOp(op);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->editor()->draft(), 10000);
        const auto space = m_workspace->plan()->opPlan(op).space;
        // Everything on one core first, so that there is something to spread.
        Draft alone = *m_view->editor()->draft();
        for (DraftPart& part : alone.parts)
            part.groups = part.cores = 1;
        m_workspace->applyOverride({m_workspace->graph()->op(op).name, "draft", space->draftText(alone)});
        SETTLE();
        QCOMPARE(*m_view->editor()->draft(), alone);
        int set = -1; // the longest dimension
        for (int s = 0; s < int(space->sets().size()); ++s)
            if (set < 0 || space->tileLength(alone, s) > space->tileLength(alone, set))
                set = s;
        const std::int64_t length = space->tileLength(alone, set);
        QVERIFY(length > 1);
        Floorplan* const picture = m_view->floorplan();
        const int steps = m_workspace->undoStack()->count();
        Drag drag(picture, kMimeDimension, QByteArray::number(set));
        drag.enter(picture->rectOf(kHost).center());
        QVERIFY(!drag.move(picture->rectOf(kHost).center()));
        QVERIFY2(m_view->statusText().contains("groups and cores"), qPrintable(m_view->statusText()));
        const QPointF onDevice = picture->rectOf(machine({0})).topLeft() + QPointF(3, 3);
        QCOMPARE(picture->spotAt(onDevice), machine({0}));
        QVERIFY(drag.move(onDevice));
        const int groups = int(std::min<std::int64_t>(length, space->resources().groups));
        QVERIFY2(m_view->statusText().contains(QStringLiteral("over %1 of %2 groups instead of 1")
                                                   .arg(groups)
                                                   .arg(space->resources().groups)),
                 qPrintable(m_view->statusText()));
        QVERIFY2(m_view->statusText().contains("of the 16.00 MiB of a bank"),
                 qPrintable(m_view->statusText()));
        QVERIFY(drag.drop(onDevice));
        QCOMPARE(m_workspace->undoStack()->count(), steps + 1);
        SETTLE();
        QCOMPARE(m_workspace->plan()->opPlan(op).draft->parts[std::size_t(set)].groups, groups);
        // On a core: over cores; what is left of it if the groups took all is nothing, and says so.
        const DropVerdict onCore = m_view->verdict(kMimeDimension, QString::number(set), machine({0, 0, 0}));
        QCOMPARE(onCore.legal, length > groups);
        QVERIFY2(onCore.text.contains("cores of a group"), qPrintable(onCore.text));
        QVERIFY(!m_view->verdict(kMimeDimension, QString::number(set), machine({0})).legal);
        // The tree takes it as well.
        m_workspace->undoStack()->undo();
        SETTLE();
        QTRY_VERIFY(m_view->tree()->isVisible());
        Drag ontoTree(m_view->tree()->viewport(), kMimeDimension, QByteArray::number(set));
        const QPointF row =
            m_view->tree()->visualRect(m_view->tree()->hardware()->indexOfSpot(machine({1}))).center();
        ontoTree.enter(row);
        QVERIFY(ontoTree.move(row));
        QVERIFY(m_view->statusText().startsWith("✓"));
        QVERIFY(ontoTree.drop(row));
        SETTLE();
        QCOMPARE(m_workspace->plan()->opPlan(op).draft->parts[std::size_t(set)].groups, groups);
    }

    void theKeysDoWhatTheMouseDoes() {
        const OpId op = opWithDraft(*m_workspace->plan());
        m_workspace->selectOp(op);
        const DeviceId was = m_workspace->plan()->opPlan(op).placement;
        Floorplan* const picture = m_view->floorplan();
        picture->setFocus();
        const int steps = m_workspace->undoStack()->count();
        QTest::keyClick(picture, Qt::Key_X, Qt::ControlModifier);
        QVERIFY(picture->isCarrying());
        QCOMPARE(QGuiApplication::clipboard()->text(), opName(*m_workspace, op));
        QVERIFY(m_view->statusText().startsWith("✗")); // no place yet
        QTest::keyClick(picture, Qt::Key_Right);
        QCOMPARE(picture->highlight(), machine({0}));
        QVERIFY(m_view->statusText().startsWith("✓"));
        QTest::keyClick(picture, Qt::Key_PageDown);
        QTest::keyClick(picture, Qt::Key_Right);
        QCOMPARE(picture->highlight(), machine({0, 1}));
        QTest::keyClick(picture, Qt::Key_PageUp);
        if (!was.onHost()) {
            QTest::keyClick(picture, Qt::Key_Left);
            QCOMPARE(picture->highlight(), kHost);
        }
        QVERIFY(m_view->statusText().contains("instead of"));
        QVERIFY2(m_workspace->overrides().empty(), "nothing is decided before it is put down");
        QTest::keyClick(picture, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(!picture->isCarrying());
        QCOMPARE(m_workspace->undoStack()->count(), steps + 1);
        SETTLE();
        QVERIFY(m_workspace->plan()->opPlan(op).placement != was);
        m_workspace->undoStack()->undo();
        SETTLE();
        // A dimension, from its chip.
        QTRY_VERIFY(m_view->editor()->draft());
        QWidget* const chip = m_view->editor()->chip(0);
        chip->setFocus();
        QTest::keyClick(chip, Qt::Key_X, Qt::ControlModifier);
        QVERIFY(picture->isCarrying());
        QTest::keyClick(picture, Qt::Key_Home);
        QVERIFY(!picture->verdict().legal);
        QTest::keyClick(picture, Qt::Key_V, Qt::ControlModifier);
        QVERIFY2(picture->isCarrying() && m_workspace->overrides().empty(), "an illegal place takes nothing");
        QTest::keyClick(picture, Qt::Key_Escape);
        // Every core can be reached, and the same number of steps leads back.
        picture->setHighlight(machine({0, 0, 0}));
        std::set<std::vector<int>> seen;
        for (int i = 0; i < 200; ++i) {
            QVERIFY(picture->highlight().path.size() == 3);
            seen.insert(picture->highlight().path);
            QTest::keyClick(picture, Qt::Key_Right);
        }
        QVERIFY(seen.size() > 8);
        QTest::keyClick(picture, Qt::Key_Home);
        QCOMPARE(picture->highlight(), kHost);
        // Without an op there is nothing to cut, which is said.
        m_workspace->selectOp(OpId());
        QStringList said;
        connect(m_workspace.get(), &Workspace::failed, this,
                [&said](const QString& message) { said << message; });
        QTest::keyClick(picture, Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(said.size(), 1);
        QVERIFY(!picture->isCarrying());
    }

    void everyCountIsOfferedAndTheIllegalOnesSayWhy() {
        const OpId op = opWithDraft(*m_workspace->plan(), 2);
        QVERIFY(op.valid());
        m_workspace->selectOp(op);
        QTRY_VERIFY(m_view->editor()->draft());
        const auto space = m_workspace->plan()->opPlan(op).space;
        int greyed = 0;
        for (int set = 0; set < int(space->sets().size()); ++set)
            for (const SplitLevel level : {SplitLevel::Groups, SplitLevel::Cores}) {
                ChoiceBox* const box = m_view->editor()->counts(set, level);
                QVERIFY(!box->accessibleName().isEmpty());
                box->choices(); // opened: the verdicts follow
                QTRY_VERIFY_WITH_TIMEOUT(m_workspace->tasks()->entries().isEmpty(), 60000);
                const auto choices = box->choices();
                QCOMPARE(int(choices.size()), level == SplitLevel::Groups ? space->resources().groups
                                                                          : space->resources().coresPerGroup);
                const auto* items = qobject_cast<QStandardItemModel*>(box->model());
                for (std::size_t i = 0; i < choices.size(); ++i) {
                    QCOMPARE(items->item(int(i))->isEnabled(), choices[i].legal);
                    if (choices[i].legal)
                        continue;
                    ++greyed;
                    QVERIFY2(choices[i].remark.contains("the other dimensions leave") ||
                                 choices[i].remark.contains("of a core, which has") ||
                                 choices[i].remark.contains("no commands"),
                             qPrintable(choices[i].remark));
                    if (greyed % 16 == 1) {
                        const auto before = m_workspace->overrides();
                        QVERIFY(!box->choose(choices[i].value));
                        QVERIFY(m_workspace->overrides() == before);
                    }
                }
            }
        QVERIFY(greyed > 0);
        // A legal one is taken, in one step.
        ChoiceBox* const box = m_view->editor()->counts(0, SplitLevel::Groups);
        const auto choices = box->choices();
        const auto other = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
            return choice.legal && choice.value != box->value();
        });
        if (other == choices.end())
            QSKIP("nothing else is possible for the first dimension");
        const QString wanted = other->value;
        const int steps = m_workspace->undoStack()->count();
        QVERIFY(box->choose(wanted));
        QCOMPARE(m_workspace->undoStack()->count(), steps + 1);
        SETTLE();
        QCOMPARE(QString::number(m_workspace->plan()->opPlan(op).draft->parts[0].groups), wanted);
        QCOMPARE(m_view->editor()->counts(0, SplitLevel::Groups)->value(), wanted);
    }
};

QTEST_MAIN(TestHardwarePlacing)
#include "tst_views_hardware_placing.moc"
