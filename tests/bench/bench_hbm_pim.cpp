// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// GEMV on HBM2-PIM: clocks of plain reads and writes, of the kernel Samsung's public simulator brings (in
/// the layout that is right for every size) and of our own, under the simulator's controller and under the
/// strict one. A tile is 64 bursts of weights in each block of a channel, 128 inputs of 8 outputs. Figures
/// only; they follow from the rules, not from the speed of this computer.
#include "core/dram/hbm_pim/hbm_pim_gemv.h"
#include "core/dram/hbm_pim/hbm_pim_run.h"

#include <fmt/format.h>

using namespace pim;

namespace {

struct Size {
    std::int64_t out, in, batch;
    int channels, ranks;
};

std::int64_t cycles(const Result<HbmPimCost>& cost) {
    return cost ? cost->cycles : -1;
}

void line(const Size& size) {
    HbmPimShape shipped;
    shipped.out = size.out;
    shipped.in = size.in;
    shipped.batch = size.batch;
    shipped.channels = size.channels;
    shipped.ranks = size.ranks;
    shipped.padded = true;
    HbmPimShape ours = shipped;
    ours.optimised = true;
    const auto plan = HbmPimGemvPlan::of(ours);
    HbmPimTiming strict;
    strict.strict = true;
    const double tiles = double(shipped.tiles() * size.batch), ourTiles = double(ours.tiles() * size.batch);
    const std::int64_t plain = cycles(runHbmPimBaseline(shipped)), theirs = cycles(runHbmPimKernel(shipped)),
                       better = cycles(runHbmPimKernel(ours)),
                       theirsStrict = cycles(runHbmPimKernel(shipped, strict)),
                       betterStrict = cycles(runHbmPimKernel(ours, strict));
    fmt::print(
        "{:>6} x {:<6} {:>2} {:>3} {:>9} {:>8} {:>8} {:>6.2f} {:>7.1f} {:>7.1f} {:>8} {:>8} {:>6.2f}  {}\n",
        size.out, size.in, size.batch, size.channels, plain, theirs, better, double(theirs) / double(better),
        double(theirs) / tiles, double(better) / ourTiles, theirsStrict, betterStrict,
        double(theirsStrict) / double(betterStrict),
        plan.scalars ? fmt::format("scalars, {} parts of the inputs", plan.inputParts) : "lanes");
}

} // namespace

int main() {
    fmt::print("                                    pimsimulator-compat                  clocks per tile    "
               "strict\n");
    fmt::print("   out x in      b  ch     plain  shipped     ours   gain shipped    ours  shipped     ours  "
               " gain  form\n");
    for (const Size& size : {Size{64, 128, 1, 1, 1},
                             {64, 1024, 1, 1, 1},
                             {512, 512, 1, 1, 1},
                             {1024, 1024, 1, 1, 1},
                             {1000, 1000, 1, 16, 1},
                             {1024, 1024, 1, 64, 2},
                             {2048, 2048, 1, 64, 2},
                             {3000, 3000, 1, 64, 2},
                             {4096, 4096, 1, 64, 2},
                             {4096, 4096, 4, 64, 2},
                             {4096, 4096, 1, 16, 1},
                             {11008, 4096, 1, 64, 2},
                             {4096, 11008, 1, 64, 2}})
        line(size);
    return 0;
}
