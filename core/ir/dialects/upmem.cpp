// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/cnm_ops.h"
#include "core/ir/dialects/dialects.h"

#include <fmt/format.h>

namespace pim::ir {

namespace upmem {
namespace {

// [PrIM, arXiv:2105.03814, section 2]
constexpr std::int64_t kMramBytes = std::int64_t{64} << 20, kMostTasklets = 24;

Result<void> verifyDpus(const Module& module, const Operation& op) {
    const Shape& extents = module.type(op.firstResult).extents();
    if (extents.size() != 2 || extents[0] < 1 || extents[1] < 1 || extents[1] > kMostTasklets)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("its result is {}, expected DPUs x tasklets, at most {} of these",
                                module.type(op.firstResult).text(), kMostTasklets));
    return {};
}

Result<void> verifyMram(const Module& module, const Operation& op) {
    PIM_CHECK(cnm::verifyAlloc(module, op));
    // How often it is there depends on what tasklets share in the kernel; one part at least.
    if (const Type& type = module.type(op.firstResult); type.bytes() > kMramBytes)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} takes {} B, a DPU has {} B", type.text(), type.bytes(), kMramBytes));
    return {};
}

/// A broadcast sends the same to all DPUs.
Result<void> verifyScatter(const Module& module, const Operation& op) {
    PIM_CHECK(cnm::verifyScatter(module, op));
    const std::string_view transfer = textOr(op, "transfer", {});
    const Type& mram = module.type(module.operand(op, 1));
    const bool same = mram.body().space == static_cast<int>(mram.body().on.size());
    if (transfer != "parallel" && !(transfer == "broadcast" && same))
        return fail(ErrorCode::InvalidFile, fmt::format("'transfer' is \"{}\" for {}", transfer, mram.text()),
                    {}, "parallel, or broadcast where all DPUs share one copy");
    return {};
}

constexpr OpDef kUpmemOps[] = {
    {"upmem.alloc_dpus", "DPUs of the machine, each with some tasklets.", "-> !upmem.hierarchy", verifyDpus,
     cnm::nothing},
    {"upmem.mram_alloc",
     "An array in the MRAM of each DPU: a part for each tasklet; at level 1 one for all tasklets, at level 2 "
     "the same "
     "in all DPUs.",
     "!upmem.hierarchy -> any", verifyMram, cnm::runAlloc},
    {"upmem.scatter",
     "Elements of a tensor into MRAM by 'map', as cnm.scatter; 'transfer': dpu_push_xfer (parallel) or "
     "dpu_broadcast_to.",
     "T[*], !upmem.mram, any* ->", verifyScatter, cnm::runScatter},
    {"upmem.gather", "MRAM into a tensor by 'map', as cnm.gather: dpu_push_xfer back.",
     "!upmem.mram, T[*], any* -> any", cnm::verifyGather, cnm::runGather},
    {"upmem.launch",
     "All tasklets of all DPUs run the region; 'kernel' names the code of the UPMEM family that does it, the "
     "other "
     "attributes how it goes through WRAM.",
     "!upmem.hierarchy, !upmem.mram* -> !upmem.token", cnm::verifyLaunch, cnm::runLaunch, 1},
    {"upmem.wait", "Until all DPUs have ended.", "!upmem.token* ->", nullptr, cnm::nothing},
    {"upmem.free_dpus", "Gives the DPUs back.", "!upmem.hierarchy ->", nullptr, cnm::nothing},
    {"upmem.end", "Ends what a tasklet runs.", "->", nullptr, nullptr, 0, true},
};

} // namespace
} // namespace upmem

const Dialect& upmemDialect() {
    static constexpr Dialect kUpmemDialect{
        "upmem", "UPMEM's DPUs: their memories, what the host sends and starts (CINM, section 3.2.6).",
        upmem::kUpmemOps};
    return kUpmemDialect;
}

} // namespace pim::ir
