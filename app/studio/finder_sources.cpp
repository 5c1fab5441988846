// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/finder_sources.h"

#include "app/studio/commands.h"
#include "app/studio/help_library.h"
#include "app/studio/main_window.h"
#include "app/studio/settings.h"
#include "core/base/number_text.h"
#include "views/models/document.h"
#include "views/models/workspace.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileInfo>

namespace pim::studio {
namespace {

struct Found {
    Q_DECLARE_TR_FUNCTIONS(Found)
};

/// A source over a list that is kept with it.
template <typename T>
FinderSource over(const QString& prefix, const QString& name, std::vector<T> things,
                  std::function<QString(const T&)> title, std::function<FinderItem(const T&)> item) {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(things));
    return {prefix, name, static_cast<int>(kept->size()),
            [kept, title](int i) { return title((*kept)[static_cast<std::size_t>(i)]); },
            [kept, item](int i) { return item((*kept)[static_cast<std::size_t>(i)]); }};
}

FinderSource opSource(MainWindow& window, views::Workspace& workspace) {
    const auto graph = workspace.graph();
    const auto plan = workspace.plan();
    FinderSource source{
        QStringLiteral("o"), Found::tr("Ops"), graph ? static_cast<int>(graph->ops.size()) : 0,
        [graph](int i) { return QString::fromStdString(graph->ops[static_cast<std::size_t>(i)].name); },
        [graph, plan, &window, &workspace](int i) {
            const Op& op = graph->ops[static_cast<std::size_t>(i)];
            QString hint = QString::fromStdString(op.type);
            if (plan && plan->graph == graph)
                hint += QStringLiteral(" · ") +
                        QString::fromStdString(timeText(plan->opPlan(OpId(i)).cost.totalNs()));
            return FinderItem{QString::fromStdString(op.name), hint, {}, [i, &window, &workspace] {
                                  workspace.selectOp(OpId(i));
                                  window.showPanel(QStringLiteral("graph"));
                              }};
        }};
    source.whenEmpty = Found::tr("No model is open.");
    return source;
}

FinderSource tensorSource(MainWindow& window, views::Workspace& workspace) {
    const auto graph = workspace.graph();
    FinderSource source{
        QStringLiteral("t"), Found::tr("Tensors"), graph ? static_cast<int>(graph->tensors.size()) : 0,
        [graph](int i) { return QString::fromStdString(graph->tensors[static_cast<std::size_t>(i)].name); },
        [graph, &window, &workspace](int i) {
            const Tensor& tensor = graph->tensors[static_cast<std::size_t>(i)];
            const QString hint = QStringLiteral("%1 %2").arg(
                QString::fromUtf8(name(tensor.dtype).data()),
                tensor.shape ? QString::fromStdString(shapeText(*tensor.shape)) : Found::tr("shape unknown"));
            const OpId op = tensor.producer.valid() || tensor.consumers.empty() ? tensor.producer
                                                                                : tensor.consumers.front();
            return FinderItem{QString::fromStdString(tensor.name), hint,
                              op.valid() ? QString() : Found::tr("No op makes or reads it."),
                              [op, &window, &workspace] {
                                  workspace.selectOp(op);
                                  window.showPanel(QStringLiteral("inspector"));
                              }};
        }};
    source.whenEmpty = Found::tr("No model is open.");
    return source;
}

FinderSource draftSource(MainWindow& window, views::Workspace& workspace) {
    const auto exploration = workspace.exploration();
    const OpId op = workspace.selection().op;
    FinderSource source{
        QStringLiteral("d"), Found::tr("Drafts of the selected op"),
        exploration ? static_cast<int>(exploration->drafts.size()) : 0,
        [exploration](int i) {
            return QString::fromStdString(
                exploration->space->draftText(exploration->drafts[static_cast<std::size_t>(i)]));
        },
        [exploration, op, &window, &workspace](int i) {
            const auto at = static_cast<std::size_t>(i);
            const Draft draft = exploration->drafts[at];
            return FinderItem{QString::fromStdString(exploration->space->draftText(draft)),
                              QString::fromStdString(timeText(exploration->costs[at].totalNs())),
                              {},
                              [draft, op, &window, &workspace] {
                                  views::Selection selection;
                                  selection.op = op;
                                  selection.draft = draft;
                                  workspace.select(selection);
                                  window.showPanel(QStringLiteral("drafts"));
                              }};
        }};
    source.whenEmpty = op.valid() ? workspace.explorationNote() : Found::tr("No op is selected.");
    return source;
}

FinderSource runSource(MainWindow& window, views::Workspace& workspace) {
    std::vector<RunInfo> runs;
    if (workspace.project())
        if (auto stored = workspace.project()->runs())
            runs = std::move(*stored);
    const auto title = [](const RunInfo& run) {
        return Found::tr("Run %1 %2 %3 on %4")
            .arg(run.id)
            .arg(QString::fromStdString(run.label), QString::fromStdString(run.modelName),
                 QString::fromStdString(run.targetId))
            .simplified();
    };
    FinderSource source = over<RunInfo>(QStringLiteral("r"), Found::tr("Runs"), std::move(runs), title,
                                        [title, &window](const RunInfo& run) {
                                            return FinderItem{title(run),
                                                              QString::fromStdString(timeText(run.totalNs)),
                                                              {},
                                                              [&window, id = run.id] { window.showRun(id); }};
                                        });
    source.whenEmpty = workspace.project() ? Found::tr("The project holds no runs yet.")
                                           : Found::tr("No project is open: save one to keep runs.");
    return source;
}

/// Commands whose ids begin with \p family.
FinderSource familySource(Commands& commands, const QString& prefix, const QString& name,
                          const QString& family, const std::function<void(const QString&)>& run = {}) {
    std::vector<QString> ids;
    for (const QString& id : commands.ids())
        if (id.startsWith(family))
            ids.push_back(id);
    const auto title = [&commands](const QString& id) { return plainText(commands.action(id)->text()); };
    return over<QString>(prefix, name, std::move(ids), title, [title, run, &commands](const QString& id) {
        return FinderItem{title(id), commands.tip(id), commands.whyNot(id),
                          [id, run, &commands] { run ? run(id) : commands.action(id)->trigger(); },
                          commands.commandLine(id)};
    });
}

FinderSource variantSource(views::Workspace& workspace) {
    FinderSource source = over<Variant>(
        QStringLiteral("v"), Found::tr("Variants"),
        workspace.graph() ? workspace.variants() : std::vector<Variant>(),
        [](const Variant& variant) { return QString::fromStdString(variant.name); },
        [&workspace](const Variant& variant) {
            return FinderItem{
                QString::fromStdString(variant.name),
                Found::tr("%1 decisions").arg(variant.overrides.size()),
                {},
                [&workspace, name = QString::fromStdString(variant.name)] { workspace.switchVariant(name); }};
        });
    source.whenEmpty = Found::tr("No model is open.");
    return source;
}

FinderSource fileSource(MainWindow& window, const Settings& settings) {
    const QStringList files = settings.recentFiles();
    FinderSource source = over<QString>(
        QStringLiteral("f"), Found::tr("Recent files"), {files.begin(), files.end()},
        [](const QString& path) { return path; },
        [&window](const QString& path) {
            return FinderItem{path,
                              {},
                              QFileInfo::exists(path) ? QString() : Found::tr("The file no longer exists."),
                              [&window, path] { window.openFile(path); }};
        });
    source.whenEmpty = Found::tr("No file has been opened yet.");
    return source;
}

FinderSource settingSource(MainWindow& window, const Settings& settings) {
    const auto title = [](const SettingInfo& info) {
        return QStringLiteral("%1 › %2").arg(info.page, info.label);
    };
    return over<SettingInfo>(QStringLiteral("s"), Found::tr("Settings"), settingInfos(), title,
                             [title, &window, &settings](const SettingInfo& info) {
                                 return FinderItem{title(info),
                                                   valueText(info, settings.value(info.key)),
                                                   {},
                                                   [&window, key = info.key] { window.showSettings(key); }};
                             });
}

FinderSource helpSource(MainWindow& window) {
    const QStringList pages = helpPages();
    const auto title = [](const QString& page) { return helpTitle(page); };
    return over<QString>(
        QStringLiteral("h"), Found::tr("Help pages"), {pages.begin(), pages.end()}, title,
        [title, &window](const QString& page) {
            return FinderItem{title(page), {}, {}, [&window, page] { window.showHelpTopic(page); }};
        });
}

} // namespace

FinderSource commandSource(Commands& commands, const QStringList& recent) {
    FinderSource source = over<QString>(
        {}, Found::tr("Commands"), commands.ids(),
        [&commands](const QString& id) { return commands.title(id); },
        [&commands, recent](const QString& id) {
            const QAction* action = commands.action(id);
            QStringList hints;
            if (recent.contains(id))
                hints.append(Found::tr("used recently"));
            if (action->isChecked())
                hints.append(Found::tr("on"));
            if (!action->shortcut().isEmpty())
                hints.append(action->shortcut().toString(QKeySequence::NativeText));
            return FinderItem{commands.title(id), hints.join(QStringLiteral(" · ")), commands.whyNot(id),
                              [id, &commands] { commands.action(id)->trigger(); }, commands.commandLine(id)};
        });
    for (const QString& id : recent)
        if (const auto at = std::find(commands.ids().begin(), commands.ids().end(), id);
            at != commands.ids().end())
            source.first.push_back(static_cast<int>(at - commands.ids().begin()));
    return source;
}

std::vector<FinderSource> locatorSources(MainWindow& window, views::Workspace& workspace,
                                         Settings& settings) {
    Commands& commands = window.commands();
    const auto showPanel = [&window](const QString& id) { window.showPanel(id.section(u'.', 1)); };
    return {
        opSource(window, workspace),
        tensorSource(window, workspace),
        draftSource(window, workspace),
        runSource(window, workspace),
        familySource(commands, QStringLiteral("m"), Found::tr("Machines"), QStringLiteral("target.")),
        familySource(commands, QStringLiteral("b"), Found::tr("Hosts of the machine"),
                     QStringLiteral("host.")),
        variantSource(workspace),
        fileSource(window, settings),
        familySource(commands, QStringLiteral("p"), Found::tr("Panels"), QStringLiteral("panel."), showPanel),
        settingSource(window, settings),
        helpSource(window)};
}

} // namespace pim::studio
