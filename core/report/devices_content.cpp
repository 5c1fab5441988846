// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/devices_content.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

namespace pim::report {
namespace {

constexpr std::size_t kTransfersInTable = 25;
using Kind = Column::Kind;

Table devicesTable(const Plan& plan) {
    Table table{fmt::format("Machines of the plan, times {}", name(plan.origin)),
                {{"Name"}, {"Machine"}, {"Ops", Kind::Number}, {"Time", Kind::Number}},
                {},
                false};
    const auto row = [&](DeviceId device, const std::string& machine) {
        std::int64_t ops = 0;
        double ns = 0;
        for (const OpPlan& op : plan.ops)
            if (op.placement == device) {
                ++ops;
                ns += op.cost.totalNs();
            }
        table.rows.push_back({deviceName(plan, device), machine, exactText(ops), timeText(ns)});
    };
    for (std::size_t d = 0; d < plan.devices.size(); ++d)
        row(DeviceId(d), plan.devices[d].target->name);
    row(DeviceId::host(), plan.target->host.name);
    return table;
}

Table partsTable(const Plan& plan) {
    Table table{fmt::format("Parts in the order in which they run, times {} and without transfers",
                            name(plan.origin)),
                {{"Part"},
                 {"On"},
                 {"Ops", Kind::Number},
                 {"From"},
                 {"To"},
                 {"Time", Kind::Number},
                 {"Host alone", Kind::Number}},
                {},
                false};
    for (std::size_t p = 0; p < plan.parts.size(); ++p) {
        const PlanPart& part = plan.parts[p];
        table.rows.push_back({exactText(static_cast<std::int64_t>(p + 1)), deviceName(plan, part.device),
                              exactText(static_cast<std::int64_t>(part.ops.size())),
                              plan.graph->op(part.ops.front()).name, plan.graph->op(part.ops.back()).name,
                              timeText(part.plan->total.totalNs()), timeText(part.plan->hostOnlyNs)});
    }
    return table;
}

Table transfersTable(const Plan& plan) {
    Table table{"What moves between machines; its time is part of that of the op that waits for it",
                {{"Tensor"}, {"From"}, {"To"}, {"Size", Kind::Number}, {"Time", Kind::Number}},
                {},
                true};
    double bytes = 0, ns = 0;
    for (std::size_t t = 0; t < plan.transfers.size(); ++t) {
        const Transfer& transfer = plan.transfers[t];
        bytes += static_cast<double>(transfer.bytes);
        ns += transfer.ns;
        if (t < kTransfersInTable)
            table.rows.push_back({plan.graph->tensor(transfer.tensor).name, deviceName(plan, transfer.from),
                                  deviceName(plan, transfer.to),
                                  bytesText(static_cast<double>(transfer.bytes)), timeText(transfer.ns)});
    }
    const std::string all =
        plan.transfers.size() > kTransfersInTable
            ? fmt::format("All {}", exactText(static_cast<std::int64_t>(plan.transfers.size())))
            : "Total";
    table.rows.push_back({all, "", "", bytesText(bytes), timeText(ns)});
    return table;
}

} // namespace

Section devicesSection(const Plan& plan) {
    if (plan.devices.empty())
        return {};
    Section section{"Machines and transfers", {devicesTable(plan), partsTable(plan)}};
    if (plan.transfers.empty())
        section.blocks.push_back(Paragraph{"Nothing moves from one machine to another."});
    else
        section.blocks.push_back(transfersTable(plan));
    return section;
}

std::string machinesOf(const Plan& plan, std::string Target::*text) {
    if (plan.devices.empty())
        return (*plan.target).*text;
    std::string all;
    for (std::size_t d = 0; d < plan.devices.size(); ++d)
        all += (d == 0                         ? ""
                : d + 1 == plan.devices.size() ? " and "
                                               : ", ") +
               (*plan.devices[d].target).*text;
    return all;
}

} // namespace pim::report
