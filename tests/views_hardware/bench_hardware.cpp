// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Time to a verdict while something hovers, to the values of a draft field, and to a frame of the floorplan, on the
/// largest machines there are. Ceiling 50 ms: all of it runs on the UI thread.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/builtin.h"
#include "core/graph/zoo/zoo.h"
#include "views/common/choice_box.h"
#include "views/hardware/hardware_view.h"
#include "views/models/workspace.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

using namespace pim;
using namespace pim::views;

class BenchHardware : public QObject {
    Q_OBJECT

    static void check(const char* what, std::vector<double> ms) {
        std::sort(ms.begin(), ms.end());
        const auto at = [&](double share) {
            return ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1))];
        };
        qInfo("%s: median %.3f ms, p95 %.3f ms, slowest %.3f ms of %zu", what, at(0.5), at(0.95), at(1),
              ms.size());
#ifdef NDEBUG
        QVERIFY2(at(0.95) <= 50, what);
#endif
    }
    static double timed(const std::function<void()>& work) {
        QElapsedTimer clock;
        clock.start();
        work();
        return static_cast<double>(clock.nsecsElapsed()) / 1e6;
    }

private slots:
    void staysFluent_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim-hbm3", "aim-32", "prime-1024"})
            QTest::newRow(target) << QString(target);
    }
    void staysFluent() {
        QFETCH(QString, target);
        QTemporaryDir folder;
        const QString file = folder.filePath("model.onnx");
        QVERIFY(writeZooModel("resnet50", file.toStdString(), {.weights = false}).has_value());
        const BackendList backends = builtinBackends();
        Workspace workspace(backends, TargetCatalog::load());
        workspace.setTarget(target);
        workspace.openModel(file, {{"batch", 1}});
        QTRY_VERIFY_WITH_TIMEOUT(workspace.plan() && !workspace.isStale() &&
                                     workspace.plan()->target == workspace.target(),
                                 300000);
        HardwareView view(workspace);
        view.resize(900, 640);
        view.show();
        const auto plan = workspace.plan();
        std::vector<double> select, opVerdicts, chipVerdicts, values, frames;
        for (const OpPlan& op : plan->ops) {
            const QString name = QString::fromStdString(plan->graph->op(op.op).name);
            select.push_back(timed([&] { workspace.selectOp(op.op); }));
            for (const HardwareSpot& spot :
                 {HardwareSpot{HardwareSpot::Kind::Host, {}}, HardwareSpot{HardwareSpot::Kind::Machine, {0}}})
                opVerdicts.push_back(timed([&] { (void)view.verdict(kMimeOp, name, spot); }));
            frames.push_back(timed([&] { (void)view.floorplan()->grab(); }));
            if (!op.space || !op.draft)
                continue;
            for (int set = 0; set < static_cast<int>(op.space->sets().size()); ++set) {
                chipVerdicts.push_back(timed([&] {
                    (void)view.verdict(kMimeDimension, QString::number(set),
                                       {HardwareSpot::Kind::Machine, {0}});
                }));
                if (values.size() < 60)
                    for (const SplitLevel level : {SplitLevel::Groups, SplitLevel::Cores})
                        values.push_back(timed([&] { (void)view.editor()->counts(set, level)->choices(); }));
            }
        }
        check("select an op", select);
        check("verdict on an op", opVerdicts);
        if (!chipVerdicts.empty()) {
            check("verdict on a dimension", chipVerdicts);
            check("all values of a field", values);
        }
        check("frame", frames);
    }
};

QTEST_MAIN(BenchHardware)
#include "bench_hardware.moc"
