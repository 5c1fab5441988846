// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/builtin.h"
#include "core/ir/dialect.h"
#include "tests/support/workspace.h"
#include "views/cinm/level_text.h"
#include "views/cinm/levels_view.h"
#include "views/common/choice_box.h"
#include "views/common/table_view.h"

#include <QLabel>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

using namespace pim;
using namespace pim::views;

class TestViewsCinm : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    struct Fixture {
        Workspace workspace;
        LevelsView panel;
        explicit Fixture(const TestViewsCinm& test)
            : workspace(test.m_backends, test.m_catalog), panel(workspace) {
            panel.resize(1100, 600);
            panel.show();
            panel.setSeen(true);
            workspace.openModel(test::sampleModel("mobilenetv2"));
        }
        std::string marked(std::size_t level) const {
            std::string ops;
            const LevelText& text = *panel.texts()[level];
            for (const int line : text.markedLines())
                if (const ir::OperationId op = text.opAt(line); op.valid())
                    ops += std::string(text.module()->operation(op).def->name) + " ";
            return ops;
        }
    };
#define LOWERED(f) QTRY_VERIFY_WITH_TIMEOUT((f).panel.flow() && test::settled((f).workspace), 60000)

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
    }

    void showsAllLevels() {
        Fixture f(*this);
        LOWERED(f);
        QCOMPARE(f.panel.chips().size(), std::size_t{2});
        QVERIFY2(f.panel.chips()[0]->text().startsWith("cinm ✓"), qPrintable(f.panel.chips()[0]->text()));
        QVERIFY(f.panel.texts()[1]->toPlainText().contains("\"cim.execute\""));
        QCOMPARE(f.panel.table()->model()->rowCount(), 36);
        QVERIFY(f.panel.texts()[0]->isVisible());
        f.panel.chips()[0]->click();
        QVERIFY(!f.panel.texts()[0]->isVisible());
    }

    void theSelectedOpIsSetOffEverywhere() {
        Fixture f(*this);
        LOWERED(f);
        const auto graph = f.workspace.graph();
        const OpId conv = graph->findOp(f.panel.flow()->products[3].name);
        QVERIFY(conv.valid());
        f.workspace.selectOp(conv);
        QVERIFY2(f.marked(0).find("cinm.gemm") != std::string::npos, f.marked(0).c_str());
        QVERIFY2(f.marked(1).find("cim.execute") != std::string::npos, f.marked(1).c_str());
        QCOMPARE(f.panel.table()->currentIndex().row(), 3);
        // And back: a line of the lower level selects the op and shows what it was made from.
        const ir::Module& cim = *f.panel.flow()->levels[1].module;
        const auto made = ir::madeFrom(cim, f.panel.flow()->products[7].op);
        QVERIFY(!made.empty());
        f.panel.texts()[1]->goToLine(f.panel.texts()[1]->lineOf(made.back()));
        QCOMPARE(f.workspace.selection().op, graph->findOp(f.panel.flow()->products[7].name));
        QCOMPARE(f.panel.texts()[0]->opAt(f.panel.texts()[0]->currentLine()), f.panel.flow()->products[7].op);
    }

    void choicesTakeEffect() {
        Fixture f(*this);
        LOWERED(f);
        const auto writes = [&] { return f.panel.flow()->total.tileWrites; };
        const auto searched = writes();
        QVERIFY(f.panel.order()->choose("mnk"));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && writes() > searched, 60000);
        QCOMPARE(writes(), f.panel.flow()->baseline.tileWrites);
        const auto large = writes();
        f.panel.tileSize()->setValue(128);
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && writes() < large, 60000);
        QVERIFY(f.panel.elements()->choose("f32"));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && writes() == 0, 60000);
        QVERIFY2(f.panel.summary()->text().contains("stay on the host"),
                 qPrintable(f.panel.summary()->text()));
    }

    void worksOnlyWhileSeen() {
        Workspace workspace(m_backends, m_catalog);
        LevelsView panel(workspace);
        workspace.openModel(test::sampleModel("tiny-gpt"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        QVERIFY(!panel.flow());
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.flow(), 60000);
    }
};

QTEST_MAIN(TestViewsCinm)
#include "tst_views_cinm.moc"
