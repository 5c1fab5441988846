// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The first byte says whose trace the rest is.
#include "backends/crossbar/compat.h"
#include "core/dram/aim/aim_trace.h"
#include "core/dram/attacc/simulator.h"
#include "core/dram/hbm_pim/hbm_pim_trace.h"
#include "core/dram/trace.h"
#include "tests/fuzz/fuzz.h"

#include <array>

using namespace pim;

namespace {

void attAcc(const std::string& file) {
    static const auto device = attAccDevice();
    fuzz::require(bool(device), "the shipped device can be read");
    if (const auto trace = openAttAccTrace(file))
        (void)simulateAttAcc(**trace, {*device});
}

void hbmPim(const std::string& file) {
    if (const auto trace = readHbmPimTrace(file))
        (void)runHbmPimTrace(*trace);
}

void crossbar(const std::string& file) {
    if (const auto stream = readCompatStream(file))
        (void)evaluateCompat(*stream, {});
}

void dram(const std::string& file) {
    const auto trace = DramTraceFile::open(file, std::uint64_t(1) << 32);
    std::array<DramRequest, 64> requests;
    while (trace) {
        const auto count = (*trace)->read(requests);
        if (!count || *count == 0)
            break;
    }
}

} // namespace

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string file = fuzz::fileOf("trace", fuzz::textOf(data + 1, size - 1)).string();
    switch (data[0]) {
    case 'a':
        attAcc(file);
        break;
    case 'i':
        (void)runAimTrace(file);
        break;
    case 'h':
        hbmPim(file);
        break;
    case 'c':
        crossbar(file);
        break;
    default:
        dram(file);
    }
    return 0;
}
