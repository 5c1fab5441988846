// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/limits/what_helps.h"

#include "core/hardware/catalog.h"
#include "core/plan/simulation.h"
#include "views/common/text.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <fmt/format.h>

#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include <utility>

namespace pim::views {
namespace {

constexpr double kTwice = 2;

} // namespace

WhatHelps::WhatHelps(Workspace& workspace, QWidget* parent)
    : HelpsView(*workspace.tasks(), parent), m_workspace(workspace) {
    setUse(tr("&Use Twice as Fast…"), tr("&Use Twice as Many…"),
           tr("Saves the machine with the chosen resource twice as fast, or twice as many of it, as a "
              "target file, and plans for it; undone as any other choice of a target"));
    connect(this, &HelpsView::useWanted, this, &WhatHelps::use);
    connect(this, &HelpsView::answered, m_workspace.simulations(),
            &SimulationSource::setHelp); // for the report
    connect(m_workspace.simulations(), &SimulationSource::changed, this, &WhatHelps::planChanged);
    planChanged();
}

void WhatHelps::planChanged() {
    const auto now = m_workspace.simulations()->simulation();
    m_target = m_workspace.target();
    Question question;
    if (now && m_target && m_workspace.simulations()->limits())
        question = [now,
                    request = PlanRequest{m_workspace.graph(), m_target, m_workspace.fit().inForce(),
                                          m_workspace.options()},
                    &backends = m_workspace.backends()](const TaskContext& task) -> Result<Answer> {
            PIM_TRY(WhatIf answer, whatIf(backends, request, *now, task));
            return Answer{std::make_shared<const WhatIf>(std::move(answer)), {}};
        };
    setQuestion(std::move(question),
                tr("Plans and simulates again, with one resource at a time faster or more of it."));
}

void WhatHelps::use(int row) {
    const std::shared_ptr<const Target> target = m_target;
    const std::shared_ptr<const WhatIf> asked = answer();
    const WhatIfRow& of = asked->rows[static_cast<std::size_t>(row)];
    const QString name = text(of.resource).toLower().replace(QLatin1Char(' '), QLatin1Char('-')) +
                         (of.way == SpeedUp::Way::Many ? QStringLiteral("-doubled") : QStringLiteral("-x2"));
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save Changed Machine"), QStringLiteral("%1-%2.json").arg(text(target->id), name),
        tr("Targets (*.json)"));
    if (file.isEmpty())
        return;
    if (answer() != asked) // while the dialog was open
        setMessage(tr("The plan has changed meanwhile, and nothing was saved: ask again."));
    else
        saveAndUse(row, file);
}

void WhatHelps::saveAndUse(int row, const QString& file) {
    const WhatIfRow& chosen = answer()->rows[static_cast<std::size_t>(row)];
    const auto failed = [&](const QString& why) {
        emit m_workspace.failed(tr("The changed machine is not used"), why);
    };
    const auto changed = changedTarget(*m_target, chosen.change(), kTwice);
    if (!changed)
        return failed(text(changed.error().text()));
    Target named = **changed;
    named.id = QFileInfo(file).completeBaseName().toStdString();
    named.name += chosen.way == SpeedUp::Way::Many ? fmt::format(", twice as many {}", chosen.resource)
                                                   : fmt::format(", {} twice as fast", chosen.resource);
    QSaveFile out(file);
    const std::string json = targetJson(named);
    if (!out.open(QIODevice::WriteOnly) || out.write(json.data(), std::ssize(json)) != std::ssize(json) ||
        !out.commit())
        return failed(tr("%1 cannot be written: %2").arg(file, out.errorString()));
    m_workspace.setTarget(file);
}

} // namespace pim::views
