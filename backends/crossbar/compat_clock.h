// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The clocks of one core by the rules of PIMCOMP-NN (git 2ed10c8, its evaluation): what an instruction does
/// to them, whole numbers where the original keeps whole numbers. Shared by the evaluation of a stream
/// (compat.h) and by the schedules and searches that are made for it. Nanoseconds.
#include "backends/crossbar/busy_time.h"
#include "backends/crossbar/compat.h"

#include <cmath>

namespace pim {

struct CompatClock {
    double now = 0;         ///< L: everything issued is done.
    std::int64_t ready = 0; ///< P: until here inputs are loaded.
    std::int64_t prep = 0;  ///< Loading and moving since the last product.
    std::int64_t start = 0; ///< S: of the last product.
    std::int64_t met = 0;   ///< Y: last synchronisation.
    bool fresh = true;      ///< No product in this group yet.

    /// When the next product would start, of an array group whose last one started at \p ofGroup (0: none).
    std::int64_t nextProduct(const CompatHardware& hardware, std::int64_t ofGroup) const {
        if (fresh)
            return ready;
        std::int64_t next = start + std::max(std::int64_t(hardware.issueNs), ready - start);
        if (ofGroup != 0 && double(ofGroup) + hardware.mvmNs > double(next))
            next = std::int64_t(double(ofGroup) + hardware.mvmNs);
        return next < met ? met + prep : next;
    }
    void product(const CompatHardware& hardware, std::int64_t& ofGroup) {
        start = nextProduct(hardware, ofGroup);
        ofGroup = start;
        // The first of a group adds to the clock, later ones make it forget the vector work before them.
        now = fresh ? now + hardware.mvmNs : double(start) + hardware.mvmNs;
        prep = 0;
        fresh = false;
    }
    void moveInput(std::int64_t ns) {
        ready += ns;
        prep += ns;
    }
    /// \returns what it took.
    std::int64_t load(BusyTime& memory, std::int64_t ns) {
        const std::int64_t taken = memory.take(ready, ns);
        moveInput(taken);
        now = std::max(now, double(ready));
        return taken;
    }
    std::int64_t store(BusyTime& memory, std::int64_t ns) {
        const std::int64_t taken = memory.take(std::int64_t(now), ns);
        now += double(taken);
        return taken;
    }
    /// Both sides wait until everything issued before is done. \returns when they meet.
    static double meet(CompatClock& a, CompatClock& b) {
        a.now = b.now = std::max(a.now, b.now);
        a.met = b.met = std::int64_t(a.now);
        return a.now;
    }
    void endGroup() {
        ready = std::int64_t(now);
        prep = 0;
    }
};

/// What an instruction takes alone.
inline std::int64_t compatBytes(const CompatHardware& hardware, std::uint32_t elements) {
    return std::int64_t(elements) * hardware.elementBits / 8;
}
inline double compatVectorNs(const CompatHardware& hardware, std::uint32_t elements) {
    return std::ceil(double(elements) * hardware.elementBits / (hardware.vectorBytes * 8)) *
           hardware.vectorNs;
}
inline std::int64_t compatPassNs(std::int64_t bytes, double bytesPerNs) {
    return std::int64_t(std::ceil(double(bytes) / bytesPerNs));
}
/// A copy reads and writes (\p passes 2), a fill only writes.
inline std::int64_t compatLocalNs(const CompatHardware& hardware, std::uint32_t elements, int passes) {
    return passes * compatPassNs(compatBytes(hardware, elements), hardware.localBytesPerNs);
}

} // namespace pim
