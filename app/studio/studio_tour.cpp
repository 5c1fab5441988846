// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/studio_tour.h"

#include "app/studio/headline_bar.h"
#include "app/studio/main_window.h"
#include "app/studio/target_box.h"
#include "views/models/workspace.h"

#include <QDockWidget>
#include <QSettings>

#include <algorithm>

namespace pim::studio {
namespace {

const QString kSeen = QStringLiteral("tourSeen");
const QString kSample = QStringLiteral("tiny-gpt");

QWidget* dockOf(MainWindow& window, const char* id) {
    const auto& docks = window.panels().docks();
    const auto found = docks.find(QString::fromLatin1(id));
    return found == docks.end() ? nullptr : found->second;
}

void openSampleIfNothingIsOpen(MainWindow& window, views::Workspace& workspace) {
    if (workspace.graph())
        return;
    for (const Sample& sample : findSamples())
        if (sample.id == kSample)
            window.openSample(sample);
}

/// So that there is something to see in the panels of the third and fourth step.
void selectCostliestOnPim(views::Workspace& workspace) {
    const auto plan = workspace.plan();
    if (!plan || workspace.selection().op.valid())
        return;
    const auto cost = [](const OpPlan& op) { return !op.onHost() ? op.cost.totalNs() : -1; };
    const auto most = std::max_element(plan->ops.begin(), plan->ops.end(),
                                       [&](const OpPlan& a, const OpPlan& b) { return cost(a) < cost(b); });
    if (most != plan->ops.end() && cost(*most) > 0)
        workspace.selectOp(most->op);
}

} // namespace

bool isTourSeen() {
    return QSettings().value(kSeen).toBool();
}
void setTourSeen(bool seen) {
    QSettings().setValue(kSeen, seen);
}

Tour* startTour(MainWindow& window, views::Workspace& workspace) {
    const auto planned = [&workspace] {
        return workspace.plan() || workspace.tasks()->entries().isEmpty()
                   ? QString()
                   : MainWindow::tr("still planning, a moment");
    };
    std::vector<TourStep> steps;
    steps.push_back(
        {MainWindow::tr("Open a network"),
         MainWindow::tr("Drop an .onnx file anywhere, or take a sample: one click opens it, without weights. "
                        "If nothing is open, Next opens the smallest sample."),
         [&window]() -> QWidget* {
             return window.centralWidget()->isVisible() ? window.centralWidget() : dockOf(window, "graph");
         },
         nullptr, nullptr});
    steps.push_back(
        {MainWindow::tr("Choose a machine"),
         MainWindow::tr("The target is the processing-in-memory hardware to compile for. Change it at any "
                        "time: the model, your decisions and the history stay."),
         [&window]() -> QWidget* { return window.findChild<TargetBox*>(); },
         [&window, &workspace] { openSampleIfNothingIsOpen(window, workspace); }, planned});
    steps.push_back(
        {MainWindow::tr("See where the time goes"),
         MainWindow::tr("This line tells the total, the gain over the host alone, and whether the figure is "
                        "predicted or simulated. Ctrl+1, Ctrl+2 and Ctrl+3 bring the "
                        "panels for three questions: where the time goes, why this draft, what if."),
         [&window]() -> QWidget* { return window.findChild<HeadlineBar*>(); },
         [&window, &workspace] {
             window.panels().show(Question::WhereTimeGoes);
             selectCostliestOnPim(workspace);
         },
         nullptr});
    steps.push_back(
        {MainWindow::tr("Decide yourself"),
         MainWindow::tr("The machine is a place to drop things: drag an operator onto the host or into "
                        "memory. The verdict with its reason is there before you let go, "
                        "and Ctrl+Z undoes every decision."),
         [&window] { return dockOf(window, "hardware"); },
         [&window] {
             window.panels().show(Question::WhyThisDraft);
             window.showPanel(QStringLiteral("hardware"));
         },
         nullptr});
    steps.push_back(
        {MainWindow::tr("Find anything"),
         MainWindow::tr("Ctrl+Shift+P finds every command, Ctrl+K every operator. F1 explains the panel you "
                        "are in, with a picture for every concept. "
                        "This tour is in the Help menu."),
         [&window]() -> QWidget* { return window.menuWidget(); }, nullptr, nullptr});
    auto* tour = new Tour(window, std::move(steps));
    QObject::connect(tour, &Tour::ended, tour, [] { setTourSeen(true); });
    return tour;
}

} // namespace pim::studio
