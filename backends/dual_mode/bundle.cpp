// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/bundle.h"

#include "backends/dual_mode/flow/flow.h"

#include <fmt/format.h>

namespace pim {

Diagnostics DualModeBundleFacet::verifyProgram(const BundleProgram& program) const {
    Diagnostics problems;
    const auto problem = [&](std::string object, std::string message,
                             std::string hint = "write the bundle again") {
        problems.push_back({Severity::Error, std::move(object), std::move(message), std::move(hint)});
    };
    const auto flow = parseFlow(program.text, program.path);
    if (!flow) {
        problem(flow.error().where.empty() ? program.path : flow.error().where, flow.error().message,
                flow.error().hint);
        return problems;
    }
    if (flowText(*flow) != program.text)
        problem(program.path, "does not give the same bytes when it is read and written again");
    if (program.target && program.target->level("array"))
        if (const auto arrays = program.target->instances("array"); flow->arrays != arrays)
            problem(program.path,
                    fmt::format("is for a chip of {} arrays, target.json has {}", flow->arrays, arrays));
    return problems;
}

} // namespace pim
