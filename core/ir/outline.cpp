// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/outline.h"

#include "core/ir/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace pim::ir {

namespace {

bool isOfInterest(const Operation& op) {
    static constexpr std::array<std::string_view, 6> kOfMachines{"cinm.",  "cnm.",       "cim.",
                                                                 "upmem.", "memristor.", "host."};
    return std::ranges::any_of(kOfMachines,
                               [&](std::string_view dialect) { return op.def->name.starts_with(dialect); });
}

/// What tells an op from others of its name.
std::string described(const Module& module, const Operation& op) {
    std::string text(op.def->name);
    const std::string_view name = shortName(op);
    if (name == "workgroup" || name == "alloc_dpus" || name == "gather" || name == "alloc" ||
        name == "mram_alloc")
        text += " " + module.type(op.firstResult).text();
    else if (name == "scatter")
        text += fmt::format(" {}{}", module.type(module.operand(op, 0)).text(),
                            op.def->name == "upmem.scatter" ? fmt::format(", {}", textOr(op, "transfer", {}))
                                                            : "");
    else if (name == "launch" && findAttribute(op, "kernel"))
        text += fmt::format(" {}", textOr(op, "kernel", {}));
    else if (name == "write" || name == "write_tile")
        text += " " + module.type(module.operand(op, 1)).text();
    return text;
}

class Outline {
public:
    Outline(const Module& module, OperationId parent) : m_module(module) {
        for (const Location& location : module.locations())
            m_isMine.push_back(std::ranges::find(location.parents, parent) != location.parents.end());
    }

    std::vector<OutlineLine> run() {
        for (const OperationId function : m_module.functions())
            region(m_module.regionOf(m_module.operation(function)), 0, 1);
        return std::move(m_lines);
    }

private:
    /// A region shows what is inside; of loops that are not this op's, only what it put there.
    void region(const Region& region, int depth, std::int64_t times) {
        std::map<std::string, std::pair<std::size_t, int>> listed; // line and count, since the last loop
        for (const OperationId id : region.operations) {
            const Operation& op = m_module.operation(id);
            const bool mine = m_isMine[op.location.index()];
            if (op.def->name == "scf.for") {
                listed.clear();
                loop(id, mine, depth, times);
                continue;
            }
            if (mine && isOfInterest(op) && !op.def->endsRegion) {
                const std::string text = described(m_module, op);
                const auto [known, added] = listed.emplace(text, std::pair(m_lines.size(), 1));
                if (added) {
                    m_lines.push_back({id, depth, text, times});
                } else {
                    OutlineLine& line = m_lines[known->second.first];
                    line.times += times;
                    line.text = fmt::format("{} x {}", text, ++known->second.second);
                }
            }
            for (std::uint32_t r = 0; r < op.regionCount; ++r)
                this->region(m_module.regionOf(op, r), depth + 1, times);
        }
    }

    void loop(OperationId id, bool mine, int depth, std::int64_t times) {
        const Operation& op = m_module.operation(id);
        const auto turns = turnsOf(m_module, op);
        const std::size_t before = m_lines.size();
        if (mine)
            m_lines.push_back(
                {id, depth, turns ? fmt::format("for: {} turns", *turns) : "for: turns are computed", times});
        region(m_module.regionOf(op), depth + (mine ? 1 : 0), turns ? times * *turns : 0);
        if (mine && m_lines.size() == before + 1)
            m_lines.pop_back(); // it only moves data
    }

    const Module& m_module;
    std::vector<bool> m_isMine; ///< By location.
    std::vector<OutlineLine> m_lines;
};

} // namespace

std::optional<std::int64_t> turnsOf(const Module& module, const Operation& loop) {
    std::int64_t bounds[3];
    for (std::size_t n = 0; n < 3; ++n) {
        const ValueInfo& info = module.value(module.operand(loop, n));
        if (!info.op.valid() || module.operation(info.op).def->name != "arith.constant")
            return std::nullopt;
        bounds[n] = integerOr(module.operation(info.op), "value", 1);
    }
    const std::int64_t step = std::max<std::int64_t>(1, bounds[2]);
    return std::max<std::int64_t>(0, (bounds[1] - bounds[0] + step - 1) / step);
}

std::vector<OutlineLine> outline(const Module& level, OperationId op) {
    return Outline(level, op).run();
}

std::string text(const std::vector<OutlineLine>& lines) {
    std::string all;
    for (const OutlineLine& line : lines)
        all += fmt::format("{}{}{}\n", std::string(2 * static_cast<std::size_t>(line.depth), ' '), line.text,
                           line.times > 1 ? fmt::format("  ({} in all)", line.times) : "");
    return all;
}

} // namespace pim::ir
