// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/builtin.h"

#include "backends/aim/aim.h"
#include "backends/attacc/attacc.h"
#include "backends/crossbar/crossbar.h"
#include "backends/dual_mode/dual_mode.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "backends/host/roofline_host.h"
#include "backends/upmem/upmem.h"

namespace pim {

BackendList builtinBackends() {
    const auto host = std::make_shared<const RooflineHost>();
    BackendList backends;
    backends.add(std::make_unique<AimBackend>(host));
    backends.add(std::make_unique<AttAccBackend>(host));
    backends.add(std::make_unique<CrossbarBackend>(host));
    backends.add(std::make_unique<DualModeBackend>(host));
    backends.add(std::make_unique<HbmPimBackend>(host));
    backends.add(std::make_unique<UpmemBackend>(host));
    return backends;
}

} // namespace pim
