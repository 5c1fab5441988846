// SPDX-License-Identifier: GPL-3.0-or-later
// Ops with the same kernel and draft have the same program: it is written once, named after the first of them.
#include "backends/upmem/host_code.h"
#include "backends/upmem/op_code.h"
#include "backends/upmem/tasklet/c_code.h"
#include "backends/upmem/upmem.h"
#include "core/base/file_io.h"

#include <fmt/format.h>

#include <set>

namespace pim {

using namespace upmem;

Result<std::vector<std::string>> UpmemBundle::writeData(const Plan& plan, const std::filesystem::path& folder,
                                                        const TaskContext& task) const {
    std::vector<std::string> files;
    std::set<std::pair<std::string, std::string>> written; // kernel and draft
    for (const OpPlan& op : plan.ops) {
        if (task.cancelled())
            return TaskContext::cancelledError("writing C code");
        if (op.onHost() || !op.space || !op.draft ||
            !written.emplace(op.space->kernel().text(), op.space->draftText(*op.draft)).second)
            continue;
        const auto program = opProgram(plan, op.op);
        if (!program && program.error().code == ErrorCode::Unsupported)
            continue; // soft floats
        if (!program)
            return tl::unexpected<Error>(program.error());
        const Tile& tile = program->tile.tile;
        const int tasklets = tile.shape().tasklets();
        PIM_TRY(const CCode dpu, cCode(tile.code(), tile.sizes(), tasklets, program->origin));
        PIM_TRY(const std::string host, hostCode(program->host, tile.code(), tile.sizes(), tasklets));
        const std::string name = fmt::format("{:04}_{}", op.op.index(), program->name);
        for (const auto& [ending, text] : {std::pair(".dpu.c", &dpu.text), std::pair(".host.c", &host)}) {
            PIM_CHECK(replaceFile(folder / (name + ending), *text));
            files.push_back(name + ending);
        }
    }
    return files;
}

} // namespace pim
