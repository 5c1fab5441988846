// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_tables.h"

#include "core/base/number_text.h"
#include "views/common/core_sentences.h"
#include "views/common/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace pim::views {
namespace {

struct SystemTables {
    Q_DECLARE_TR_FUNCTIONS(pim::views::SystemTables)
};

Figure timeFigure(double ns) {
    return {text(timeText(ns)), ns, {}};
}

QString targetOf(const SystemPlan& plan, std::size_t device) {
    return text(device == 0 ? plan.system->host->id : plan.system->devices[device - 1].target->id);
}

} // namespace

QString systemDevice(const System& system, int device) {
    return device == 0 ? QStringLiteral("host") : text(system.devices[std::size_t(device - 1)].id);
}

std::vector<int> systemOps(const SystemPlan& plan) {
    std::vector<std::pair<double, int>> starts;
    for (const AssignmentSpan& span : plan.spans)
        if (span.op >= 0)
            starts.emplace_back(span.startNs, span.op);
    std::ranges::stable_sort(starts);
    std::vector<int> ops;
    for (const auto& [start, op] : starts)
        ops.push_back(op);
    return ops;
}

std::vector<FigureColumn> systemOpColumns() {
    return {{SystemTables::tr("Operator"), QStringLiteral("operator"), false, {}},
            {SystemTables::tr("Type"), QStringLiteral("type"), false, {}},
            {SystemTables::tr("Device"), QStringLiteral("device"), false, {}},
            {SystemTables::tr("Time"), QStringLiteral("time (ns)"), true,
             SystemTables::tr("Of its device, without transfers")},
            {SystemTables::tr("Why"), QStringLiteral("why"), false,
             SystemTables::tr("Its time there with the transfers it waits for, against its time elsewhere")}};
}

std::vector<std::vector<Figure>> systemOpRows(const SystemPlan& plan, const std::vector<int>& ops) {
    std::vector<std::vector<Figure>> rows;
    for (const int op : ops) {
        const Op& node = plan.plan->graph->ops[std::size_t(op)];
        const int device = plan.assignment.device[std::size_t(op)];
        rows.push_back({{text(node.name), {}, {}},
                        {text(node.type), {}, {}},
                        {systemDevice(*plan.system, device), {}, {}},
                        timeFigure(plan.problem.ops[std::size_t(op)].ns[std::size_t(device)]),
                        {coreSentence(plan.plan->ops[std::size_t(op)].reason), {}, {}}});
    }
    return rows;
}

std::vector<FigureColumn> alternativeColumns() {
    return {
        {SystemTables::tr("Instead"), QStringLiteral("instead"), false, {}},
        {SystemTables::tr("A request"), QStringLiteral("request (ns)"), true, {}},
        {SystemTables::tr("Against the plan"), QStringLiteral("ratio"), true, {}},
        {SystemTables::tr("In a stream"), QStringLiteral("stream (ns)"), true,
         SystemTables::tr("Between two results, where requests come one behind the other, up to 4 at once")},
        {SystemTables::tr("What it is"), QStringLiteral("what"), false, {}}};
}

std::vector<std::vector<Figure>> alternativeRows(const SystemPlan& plan) {
    std::vector<std::vector<Figure>> rows;
    for (const SystemAlternative& other : plan.alternatives) {
        std::vector<Figure> row(5);
        row[0].shown = text(other.id);
        row[4].shown = text(other.problem.empty() ? other.meaning : other.problem);
        if (other.problem.empty()) {
            const double ratio = plan.assignment.ns > 0 ? other.ns / plan.assignment.ns : 0;
            row[1] = timeFigure(other.ns);
            row[2] = {text(ratioText(ratio)), ratio, {}};
            row[3] = timeFigure(other.streamNs);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<FigureColumn> usageColumns() {
    return {{SystemTables::tr("Device or link"), QStringLiteral("name"), false, {}},
            {SystemTables::tr("Target"), QStringLiteral("target"), false, {}},
            {SystemTables::tr("Busy"), QStringLiteral("busy (ns)"), true, {}},
            {SystemTables::tr("Of the request"), QStringLiteral("share"), true, {}},
            {SystemTables::tr("Moved"), QStringLiteral("moved (B)"), true, {}}};
}

std::vector<std::vector<Figure>> usageRows(const SystemPlan& plan) {
    std::vector<std::vector<Figure>> rows;
    const auto share = [&](double ns) {
        return shareFigure(plan.assignment.ns > 0 ? ns / plan.assignment.ns : 0);
    };
    for (std::size_t device = 0; device < plan.busyNs.size(); ++device)
        rows.push_back({{systemDevice(*plan.system, int(device)), {}, {}},
                        {targetOf(plan, device), {}, {}},
                        timeFigure(plan.busyNs[device]),
                        share(plan.busyNs[device]),
                        {}});
    const auto names = linkNames(*plan.system);
    for (std::size_t link = 0; link < names.size(); ++link)
        rows.push_back({{text(names[link]), {}, {}},
                        {SystemTables::tr("link"), {}, {}},
                        timeFigure(plan.linkBusyNs[link]),
                        share(plan.linkBusyNs[link]),
                        {text(bytesText(plan.linkBytes[link])), plan.linkBytes[link], {}}});
    return rows;
}

} // namespace pim::views
