// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a program of UPMEM moves, as the checker of its C counted it and as the engine did.
#include "backends/upmem/c_run.h"
#include "backends/upmem/host_run.h"

#include <QString>

namespace pim::test {

/// Empty if they agree to the byte; else what differs: "DMA reads 12, engine 10; ".
inline QString differencesOf(const upmem::CTraffic& c, const upmem::HostRun& engine) {
    QString text;
    const auto compare = [&](const char* what, std::int64_t ofC, std::int64_t ofEngine) {
        if (ofC != ofEngine)
            text += QStringLiteral("%1 %2, engine %3; ").arg(QLatin1String(what)).arg(ofC).arg(ofEngine);
    };
    compare("DMA reads", c.dmaReads, engine.reads);
    compare("bytes read", c.dmaReadBytes, engine.readBytes);
    compare("DMA writes", c.dmaWrites, engine.writes);
    compare("bytes written", c.dmaWriteBytes, engine.writeBytes);
    compare("bytes to DPUs", c.hostToBytes, engine.toBytes);
    compare("bytes from DPUs", c.hostFromBytes, engine.fromBytes);
    compare("launches", c.launches, engine.launches);
    return text;
}

} // namespace pim::test
