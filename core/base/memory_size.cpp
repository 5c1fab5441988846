// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory_size.h"

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

namespace pim {

double memoryBytes() {
    double bytes = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    if (rlimit limit{}; getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        bytes = std::min(bytes, double(limit.rlim_cur));
    return bytes;
}

} // namespace pim
