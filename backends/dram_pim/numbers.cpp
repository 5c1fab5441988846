// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/dram_pim_backend.h"
#include "core/execute/numeric_check.h"
#include "core/execute/numeric_network.h"

namespace pim {

Result<NumberReport> DramPimBackend::checkPlan(const Plan& plan, const NumberOptions& options,
                                               const TaskContext& task) const {
    if (!options.program.empty())
        return fail(ErrorCode::Usage, "commands of a DRAM are not run from a file", options.programFile,
                    "run a bundle: pimc verify BUNDLE --numeric");
    auto done = checkNumbers(*this, plan, options, task);
    std::vector<std::string> notes;
    const bool bound = !options.inputs.empty() || !options.dump.empty(); // to a run of the whole network
    if (!done && done.error().code == ErrorCode::Unsupported && !options.opByOp && !bound) {
        notes.push_back(done.error().text() + "; its ops are run one by one");
        NumberOptions opByOp = options;
        opByOp.opByOp = true;
        done = checkNumbers(*this, plan, opByOp, task);
    }
    PIM_TRY(const NumericReport found, std::move(done));
    NumberReport report = numberReport(found);
    report.notes = std::move(notes);
    return report;
}

Result<std::unique_ptr<NumericNetwork>>
DramPimBackend::prepare(const Plan& plan, const NumberOptions& options, const TaskContext&) const {
    return networkOfCommands(*this, plan, options);
}

} // namespace pim
