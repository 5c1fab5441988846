// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The hardware view over a plan of two machines: each shows what runs on it, and nothing of the other.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/graph/zoo/zoo.h"
#include "tests/support/two_planned_devices.h"
#include "tests/support/workspace.h"
#include "views/hardware/hardware_tree.h"
#include "views/hardware/hardware_view.h"
#include "views/hardware/machine_share.h"
#include "views/hardware/machine_use.h"
#include "views/models/family_panels.h"
#include "views/models/workspace.h"

#include <QComboBox>
#include <QLabel>
#include <QTemporaryDir>

using namespace pim;
using namespace pim::views;

namespace {

/// Answers for AiM with a plan over AiM and HBM-PIM; all else is AiM's.
class TwoMachines final : public Backend {
public:
    std::string_view id() const override { return "aim"; }
    std::string_view summary() const override { return aim().summary(); }
    std::string_view machines() const override { return aim().machines(); }
    Diagnostics checkTarget(const Target& target) const override { return aim().checkTarget(target); }
    Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache*,
                                             const TaskContext&) const override {
        return test::plannedOnTwo(m_real, request.graph);
    }
    std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const override {
        return aim().overrideFields(plan, op);
    }
    Result<void> checkOverride(const Plan& plan, const Override& decision) const override {
        return aim().checkOverride(plan, decision);
    }
    Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const override {
        return aim().lower(plan, op, task);
    }

private:
    const Backend& aim() const { return **m_real.find("aim"); }
    const BackendList m_real = builtinBackends();
};

} // namespace

class TestMachines : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    BackendList m_backends;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<HardwareView> m_view;

    /// The first one there that its machine works on by a draft.
    OpId opOn(DeviceId device) const {
        for (const OpPlan& op : m_workspace->plan()->ops)
            if (op.placement == device && op.space && op.draft)
                return op.op;
        return {};
    }

private slots:
    void initTestCase() {
        m_backends.add(std::make_unique<TwoMachines>());
        const QString model = m_folder.filePath("tiny.onnx");
        QVERIFY(writeZooModel("tiny-gpt", model.toStdString()).has_value());
        m_workspace = std::make_unique<Workspace>(m_backends, TargetCatalog::load());
        m_workspace->setTarget("aim");
        m_workspace->openModel(model, {{"batch", 1}, {"past", 48}});
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(*m_workspace), 60000);
        QCOMPARE(m_workspace->plan()->devices.size(), std::size_t{2});
        m_view = std::make_unique<HardwareView>(*m_workspace);
        m_view->resize(1100, 700);
        m_view->show();
    }

    void theMachineOfTheSelectedOpIsShown() {
        for (const std::size_t d : {1, 0}) {
            const OpId op = opOn(DeviceId(d));
            QVERIFY(op.valid());
            m_workspace->selectOp(op);
            const Device& device = m_workspace->plan()->devices[d];
            QVERIFY(m_view->machineBox()->isVisible());
            QCOMPARE(m_view->machineBox()->currentText(), QString::fromStdString(device.name));
            QCOMPARE(m_view->tree()->hardware()->target(), device.target.get());
            QVERIFY(m_view->editor()->draft().has_value());
        }
    }

    void aMachineCanBeChosen() {
        m_workspace->selectOp(opOn(DeviceId(0)));
        QComboBox* const box = m_view->machineBox();
        box->setCurrentIndex(1);
        emit box->activated(1);
        QCOMPARE(m_view->tree()->hardware()->target(), m_workspace->plan()->devices[1].target.get());
        QVERIFY2(m_view->editor()->isHidden(), "a draft for AiM says nothing about HBM-PIM");
        m_workspace->selectOp({});
        QCOMPARE(box->currentIndex(), 1); // it stays
    }

    void memoryIsThatOfOpsOnTheMachine() {
        const auto whole = m_workspace->plan();
        const FamilyPanels plain;
        for (std::size_t d = 0; d < 2; ++d) {
            const auto share = shareOf(whole, DeviceId(d));
            const auto& part = *whole->parts[d].plan;
            const MemoryUse here = MachineUse(plain, *share, OpId()).of({0, 1}),
                            alone = MachineUse(plain, part, OpId()).of({0, 1});
            QVERIFY(alone.others > 0);
            QCOMPARE(here.others, alone.others);
            QCOMPARE(here.capacity, alone.capacity);
        }
        QCOMPARE(shareOf(whole->parts[0].plan, DeviceId::first()), whole->parts[0].plan);
    }
};

QTEST_MAIN(TestMachines)
#include "tst_views_hardware_machines.moc"
