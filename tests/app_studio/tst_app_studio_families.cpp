// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the window has from the families of hardware: words that fit the machine, and all that a family brings which
/// nothing else knows.
#include <QTest>
#include <string>

#include "app/studio/commands.h"
#include "tests/app_studio/studio_fixture.h"
#include "views/pipeline/pipeline_stages.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>

#include <algorithm>

using namespace pim;
using namespace pim::studio;
using pim::test::Studio;

namespace {

/// Plans as the backend it stands on, and says so in a stage of its own.
class ToyBackend final : public Backend {
public:
    explicit ToyBackend(const Backend& base) : m_base(base) {}
    std::string_view id() const override { return "toy"; }
    std::string_view summary() const override { return "a machine of this test"; }
    std::string_view machines() const override { return "toys"; }
    Diagnostics checkTarget(const Target& target) const override { return m_base.checkTarget(target); }
    Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                             const TaskContext& task) const override {
        PIM_TRY(const auto planned, m_base.plan(request, cache, task));
        auto plan = std::make_shared<Plan>(*planned);
        plan->stages.push_back({"wind up", 1.0, 3, "springs"});
        return std::shared_ptr<const Plan>(std::move(plan));
    }
    std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const override {
        return m_base.overrideFields(plan, op);
    }
    Result<void> checkOverride(const Plan& plan, const Override& decision) const override {
        return m_base.checkOverride(plan, decision);
    }
    Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const override {
        return m_base.lower(plan, op, task);
    }

private:
    const Backend& m_base;
};

/// One panel, its arrangement, the sentence of its stage.
views::FamilyPanels toyPanels() {
    views::FamilyPanels family;
    family.backends = {"toy"};
    family.layoutKey = QStringLiteral("-toys");
    family.panels = {{"springs",
                      QStringLiteral("Springs"),
                      [](views::Workspace&, const views::PanelLinks&) {
                          return new QLabel(QStringLiteral("three springs"));
                      },
                      [](QWidget& panel, bool isSeen) { panel.setProperty("seen", isSeen); },
                      {}}};
    family.columns[Question::WhyThisDraft] = {{70, {{100, {"springs"}}}}, {30, {{100, {"inspector"}}}}};
    family.columns[Question::WhatIf] = {{70, {{100, {"runs", "springs"}}}}, {30, {{100, {"inspector"}}}}};
    family.whyText = QStringLiteral("Why These Sprin&gs");
    family.stages = {{"wind up", QStringLiteral("Winds the springs up"), views::StageWords::Shows::Ops}};
    return family;
}

/// AttAcc under another name, planned for by the toy.
void writeToyTarget(const QString& folder) {
    QFile original(QStringLiteral(PIM_SOURCE_DIR "/resources/targets/attacc.json"));
    QVERIFY(original.open(QFile::ReadOnly));
    QByteArray text = original.readAll();
    text.replace(R"("id": "attacc")", R"("id": "toy")")
        .replace(R"("backend": "attacc")", R"("backend": "toy")");
    QFile toy(QDir(folder).filePath(QStringLiteral("toy.json")));
    QVERIFY(toy.open(QFile::WriteOnly) && toy.write(text) == text.size());
}

} // namespace

class TestFamilies : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void initTestCase() { test::isolateSettings(m_folder); }
    void init() { QSettings().clear(); }

    void theSecondQuestionFitsTheMachine_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("text");
        QTest::newRow("DRAM-PIM") << "attacc"
                                  << "Why This &Draft";
        QTest::newRow("dual mode") << "dynaplasia"
                                   << "Why These Se&gments";
        QTest::newRow("crossbar") << "isaac"
                                  << "Why This &Mapping";
    }
    void theSecondQuestionFitsTheMachine() {
        QFETCH(QString, target);
        QFETCH(QString, text);
        Studio studio;
        studio.workspace.setTarget(target);
        const QAction* why = studio.window.commands().action(QStringLiteral("view.why-this-draft"));
        QCOMPARE(why->text(), text);
        const QString what = QString(text).remove(u'&').section(u' ', -1).toLower(); // "segments"
        QVERIFY2(why->toolTip().contains(what), qPrintable(why->toolTip()));
    }

    void aFamilyBringsAllItHas() {
        const QString targets = QDir(m_folder.path()).filePath(QStringLiteral("targets"));
        QVERIFY(QDir().mkpath(targets));
        writeToyTarget(targets);
        const BackendList known = builtinBackends();
        BackendList backends;
        const auto base = known.find("attacc");
        QVERIFY(base);
        backends.add(std::make_unique<ToyBackend>(**base));
        views::FamilyList families;
        families.add(toyPanels());
        Settings settings;
        views::Workspace workspace(backends, TargetCatalog::load({targets.toStdString()}), families);
        MainWindow window(workspace, settings);
        window.setUnattended(true);
        window.resize(1280, 900);
        window.show();
        workspace.setTarget(QStringLiteral("toy"));
        workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);

        // Its panel stands where it wants it, and in the menu.
        Panels& panels = window.panels();
        QDockWidget* springs = panels.dock(QStringLiteral("springs"));
        QVERIFY(!springs->isVisible());
        panels.show(Question::WhyThisDraft);
        QVERIFY(springs->isVisible());
        QVERIFY(springs->width() > window.width() / 2);
        QVERIFY(!panels.dock(QStringLiteral("drafts"))->isVisible());
        QCOMPARE(window.commands().action(QStringLiteral("panel.springs"))->text(),
                 QStringLiteral("Springs"));
        QCOMPARE(window.commands().action(QStringLiteral("view.why-this-draft"))->text(),
                 QStringLiteral("Why These Sprin&gs"));

        // It knows when it is in front: as a panel, not as a tab behind another, and as a window.
        const auto isSeen = [&] { return springs->widget()->property("seen").toBool(); };
        QTRY_VERIFY(isSeen());
        panels.show(Question::WhatIf);
        QTRY_VERIFY(!isSeen());
        springs->setFloating(true);
        QTRY_VERIFY(isSeen());
        springs->hide();
        QTRY_VERIFY(!isSeen());
        springs->setFloating(false);
        panels.show(Question::WhyThisDraft);
        QTRY_VERIFY(isSeen());

        // Its stage is told in its sentence, those it shares with others as always.
        const auto stages = views::pipelineStages(workspace.graph().get(), workspace.plan().get(),
                                                  workspace.family(), nullptr);
        const auto stage = [&](const char* id) {
            const auto found = std::ranges::find(stages, id, &views::PipelineStage::id);
            return found == stages.end() ? views::PipelineStage() : *found;
        };
        QCOMPARE(stage("wind up").summary, QStringLiteral("Winds the springs up"));
        QCOMPARE(stage("wind up").after, QStringLiteral("3 springs"));
        QVERIFY(stage("wind up").before.endsWith(QStringLiteral(" ops")));
        QVERIFY(!stage("placement").summary.isEmpty());

        // Its layout is stored under its own name.
        panels.save();
        QVERIFY(!settings.layout(QStringLiteral("question1-toys")).isEmpty());
        QVERIFY(settings.layout(QStringLiteral("question1")).isEmpty());
    }
};

QTEST_MAIN(TestFamilies)
#include "tst_app_studio_families.moc"
