// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Commands of real ops as text: what a line says, and which tile it leads to.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/plan/command_facet.h"
#include "tests/support/workspace.h"
#include "views/models/workspace.h"
#include "views/program/program_text.h"
#include "views/program/program_view.h"

#include <QComboBox>

using namespace pim;
using namespace pim::views;

class TestViewsProgram : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();

    static OpId firstOnPim(const Workspace& workspace) {
        for (const OpPlan& op : workspace.plan()->ops)
            if (!op.onHost())
                return op.op;
        return {};
    }

private slots:
    void linesLeadToTiles_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim", "aim"})
            QTest::newRow(target) << QString::fromLatin1(target);
    }
    void linesLeadToTiles() {
        QFETCH(QString, target);
        Workspace workspace(m_backends, TargetCatalog::load());
        ProgramView view(workspace);
        view.resize(900, 400);
        view.show();
        view.setSeen(true);
        workspace.setTarget(target);
        workspace.openModel(test::sampleModel("bert-base"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        const OpId op = firstOnPim(workspace);
        if (!op.valid())
            QSKIP("nothing of this model is on PIM here");
        workspace.selectOp(op);
        QTRY_VERIFY_WITH_TIMEOUT(view.text()->blockCount() > 10, 30000);
        QVERIFY(view.summary().contains(QStringLiteral("command")));

        // Every line that moves data says which, and the tile it leads to holds that element.
        const Backend* backend = workspace.backendOf(*workspace.plan()->target);
        const auto files = backend->lower(*workspace.plan(), op, {});
        QVERIFY(files);
        ProgramListing listing{
            {}, {},     QString::fromStdString(files->front().text), programLines(files->front().text),
            {}, nullptr};
        const auto places = backend->commands()->places(*workspace.plan(), op);
        QVERIFY(places);
        listing.places = *places;
        int led = 0;
        for (int line = 0; line < int(listing.lines.size()); ++line) {
            const ProgramLine& at = listing.lines[std::size_t(line)];
            if (at.kind == ProgramLine::Kind::Command)
                QVERIFY(lineText(listing, line, 0).contains(QString::fromStdString(at.opcode)));
            const auto tile = tileOf(listing, workspace.plan()->opPlan(op), line, 0);
            if (!tile)
                continue;
            ++led;
            const CoreTile held = workspace.plan()->opPlan(op).space->tile(
                *workspace.plan()->opPlan(op).draft, tile->group, tile->core);
            QVERIFY(held.iterations > 0);
        }
        QVERIFY(led > 0);

        // The cursor of a person selects the tile; text that is only shown does not.
        QCOMPARE(workspace.selection().core, -1);
        view.activateWindow();
        view.text()->setFocus();
        for (int line = 0; line < int(listing.lines.size()) && workspace.selection().core < 0; ++line)
            if (tileOf(listing, workspace.plan()->opPlan(op), line, 0))
                view.text()->goToLine(line);
        QTRY_VERIFY(view.text()->hasFocus());
        QVERIFY(workspace.selection().core >= 0);
        QVERIFY(view.facts().contains(QStringLiteral("first burst")));
        auto* phases = view.findChild<QComboBox*>();
        QVERIFY(phases->count() > 1);
    }

    /// The program of a plan is its own family's business, whatever machine is chosen meanwhile.
    void anotherMachineIsChosenWhileTheProgramIsWanted() {
        Workspace workspace(m_backends, TargetCatalog::load());
        ProgramView view(workspace);
        view.show();
        view.setSeen(true);
        for (const char* first : {"dynaplasia", "pimcomp-default", "attacc"})
            for (const char* then : {"upmem-16", "hbm-pim"}) {
                workspace.setTarget(first);
                workspace.openModel(test::sampleModel("mobilenetv2"));
                QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
                const OpId op = firstOnPim(workspace);
                QVERIFY(op.valid());
                workspace.selectOp(op);
                workspace.setTarget(then); // before the program of the first is made
                QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
                QCOMPARE(workspace.plan()->target->id, std::string(then));
            }
    }

    void anOpOnTheHostSaysSo() {
        Workspace workspace(m_backends, TargetCatalog::load());
        ProgramView view(workspace);
        view.setSeen(true);
        workspace.openModel(test::sampleModel("tiny-gpt"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        for (const OpPlan& op : workspace.plan()->ops)
            if (op.onHost()) {
                workspace.selectOp(op.op);
                break;
            }
        QTRY_VERIFY(view.text()->toPlainText().isEmpty());
    }
};

QTEST_MAIN(TestViewsProgram)
#include "core/plan/command_facet.h"
#include "tst_views_program.moc"
