// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A hardware view over a real compile: a small transformer on AttAcc; one more target with tiny banks.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/builtin.h"
#include "core/graph/zoo/zoo.h"
#include "tests/views_hardware/hardware_drags.h"
#include "views/crossbar/crossbar_panels.h"
#include "views/dual_mode/dual_mode_panels.h"
#include "views/hardware/hardware_view.h"
#include "views/models/workspace.h"

#include <QDir>
#include <QTemporaryDir>

#define SETTLE()                                                                                             \
    QTRY_VERIFY_WITH_TIMEOUT(m_workspace->plan() && !m_workspace->isStale() &&                               \
                                 m_workspace->plan()->target == m_workspace->target(),                       \
                             60000)

namespace pim::views::test {

/// Its slots run before and after those of the test.
class HardwareTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QVERIFY(writeZooModel("tiny-gpt", m_folder.filePath("tiny.onnx").toStdString()).has_value());
        // AttAcc with banks that hardly hold anything.
        QFile original(QStringLiteral(PIM_SOURCE_DIR "/resources/targets/attacc.json"));
        QVERIFY(original.open(QFile::ReadOnly));
        QByteArray text = original.readAll();
        QVERIFY(text.contains(R"("capacity": { "value": 16, "unit": "MiB")"));
        text.replace(R"("capacity": { "value": 16, "unit": "MiB")",
                     R"("capacity": { "value": 2, "unit": "KiB")");
        text.replace(R"("id": "attacc")", R"("id": "small-banks")");
        QVERIFY(QDir(m_folder.path()).mkdir("targets"));
        QFile small(m_folder.filePath("targets/small-banks.json"));
        QVERIFY(small.open(QFile::WriteOnly) && small.write(text) == text.size());
        small.close();
        m_backends = builtinBackends();
        m_families.add(crossbarPanels());
        m_families.add(dualModePanels());
        m_catalog = std::make_unique<TargetCatalog>(
            TargetCatalog::load({m_folder.filePath("targets").toStdString()}));
        QVERIFY2(m_catalog->find("small-banks").has_value(), "the target file made for this test");
    }

    void init() {
        m_workspace = std::make_unique<Workspace>(m_backends, *m_catalog, m_families);
        m_workspace->setTarget("attacc");
        m_workspace->openModel(m_folder.filePath("tiny.onnx"), {{"batch", 1}, {"past", 48}});
        SETTLE();
        m_view = std::make_unique<HardwareView>(*m_workspace);
        m_view->resize(900, 640);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    void cleanup() {
        m_view.reset();
        m_workspace.reset();
    }

protected:
    QTemporaryDir m_folder;
    BackendList m_backends;
    FamilyList m_families;
    std::unique_ptr<TargetCatalog> m_catalog;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<HardwareView> m_view;
};

} // namespace pim::views::test
