// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/dram_pim_backend.h"

namespace pim {

Result<PimCode> DramPimBackend::generate(const TilingSpace& space, const Draft&, const Target&,
                                         const std::vector<Residency>&) const {
    return fail(ErrorCode::Unsupported, "no code for this machine yet", space.kernel().name);
}

std::unique_ptr<PimChannel> DramPimBackend::makeChannel(const PimCode&, const Target&) const { return nullptr; }

} // namespace pim
