// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#include "core/base/pool.h"

namespace pim {

void runTogether(std::size_t helpers, const std::function<void()>& run) {
    if (helpers == 0)
        run();
    else
        Pool::get().help(helpers, run);
}

} // namespace pim
