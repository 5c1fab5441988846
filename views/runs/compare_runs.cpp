// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/compare_runs.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace pim::views {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("CompareRuns", text);
}
QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString orNone(const std::string& s) {
    return s.empty() ? tr("none") : text(s);
}

/// Overrides that are in one run only or have another value there.
QString overrideDifference(const RunInfo& a, const RunInfo& b) {
    const auto before = Overrides::fromJson(a.overridesJson, {}),
               after = Overrides::fromJson(b.overridesJson, {});
    if (!before || !after)
        return tr("Overrides differ");
    QStringList changes;
    const auto named = [](const Override& o) {
        return QStringLiteral("%1 %2").arg(o.op.empty() ? tr("network") : text(o.op), text(o.field));
    };
    for (const Override& now : after->all()) {
        const std::string* was = before->find(now.op, now.field);
        if (!was || *was != now.value)
            changes << tr("%1: %2 → %3")
                           .arg(named(now), was ? text(*was) : tr("compiler's choice"), text(now.value));
    }
    for (const Override& was : before->all())
        if (!after->find(was.op, was.field))
            changes << tr("%1: %2 → compiler's choice").arg(named(was), text(was.value));
    constexpr qsizetype kShown = 3;
    if (changes.size() > kShown) {
        const auto more = changes.size() - kShown;
        changes = changes.mid(0, kShown);
        changes << tr("%1 more").arg(more);
    }
    return tr("Overrides: %1").arg(changes.join(QStringLiteral("; ")));
}

} // namespace

RunComparison compareRuns(const RunInfo& a, const std::vector<RunOp>& opsA, const RunInfo& b,
                          const std::vector<RunOp>& opsB) {
    RunComparison result;
    result.a = a;
    result.b = b;
    // Names are unique within a run; ops of B that A does not have come behind.
    std::unordered_map<std::string, std::size_t> rowOf;
    for (const RunOp& op : opsA) {
        OpDelta row;
        row.name = text(op.name);
        row.type = text(op.type);
        row.placementA = text(op.placement);
        row.a = op.cost;
        result.totalA += op.cost;
        rowOf.emplace(op.name, result.ops.size());
        result.ops.push_back(std::move(row));
    }
    for (const RunOp& op : opsB) {
        const auto [found, isNew] = rowOf.emplace(op.name, result.ops.size());
        if (isNew) {
            OpDelta row;
            row.name = text(op.name);
            row.type = text(op.type);
            result.ops.push_back(std::move(row));
        }
        result.ops[found->second].placementB = text(op.placement);
        result.ops[found->second].b = op.cost;
        result.totalB += op.cost;
    }
    std::stable_sort(result.ops.begin(), result.ops.end(), [](const OpDelta& x, const OpDelta& y) {
        return std::abs(x.deltaNs()) > std::abs(y.deltaNs());
    });

    const bool sameModel = a.modelHash == b.modelHash, sameTarget = a.targetHash == b.targetHash;
    result.sameModelAndTarget = sameModel && sameTarget;
    QStringList& differences = result.differences;
    if (!sameModel)
        differences << (a.modelName == b.modelName
                            ? tr("Model: both are called %1, but the graphs differ").arg(text(a.modelName))
                            : tr("Model: %1 → %2").arg(text(a.modelName), text(b.modelName)));
    if (!sameTarget)
        differences << (a.targetId == b.targetId
                            ? tr("Target: %1 was changed between the runs").arg(text(a.targetId))
                            : tr("Target: %1 → %2").arg(text(a.targetId), text(b.targetId)));
    if (a.host != b.host)
        differences << tr("Host: %1 → %2").arg(text(a.host), text(b.host));
    if (a.bindings != b.bindings)
        differences << tr("Bindings: %1 → %2").arg(orNone(a.bindings), orNone(b.bindings));
    if (a.overridesJson != b.overridesJson)
        differences << overrideDifference(a, b);
    if (a.optionsJson != b.optionsJson)
        differences << tr("Compile options differ");
    if (a.origin != b.origin)
        differences << tr("One run is predicted, the other simulated: their times do not mean the same");
    if (a.toolVersion != b.toolVersion)
        differences << tr("Version: %1 → %2").arg(text(a.toolVersion), text(b.toolVersion));
    return result;
}

int overrideCount(const RunInfo& run) {
    if (run.overridesJson.empty())
        return 0;
    const auto overrides = Overrides::fromJson(run.overridesJson, {});
    return overrides ? static_cast<int>(overrides->size()) : -1;
}

} // namespace pim::views
