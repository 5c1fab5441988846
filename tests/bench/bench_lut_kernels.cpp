// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kernels of the 24 LUT layers of BERT-base, BERT-large and ViT-huge in their best mappings: what the engine takes for our code, what
/// the cost model has as fitted and as calibrated, additions of a DPU in a cycle, and what tables that stay in MRAM save.
#include "backends/upmem/lut/calibration.h"
#include "backends/upmem/lut/lut_program.h"
#include "backends/upmem/lut/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

using namespace pim;
using namespace pim::upmem;

int main() {
    const struct {
        const char* name;
        TransformerShape shape;
    } models[] = {{"BERT-base", {32768, 768, 3072, 2, 16, 1024, 16}},
                  {"BERT-large", {32768, 1024, 4096, 2, 16, 1024, 16}},
                  {"ViT-huge", {33792, 1280, 5120, 2, 16, 1024, 16}}};
    fmt::print("{:11} {:2} {:5} {:>10} {:>10} {:>10} {:>9} {:>10} {:>14}\n", "model", "V", "layer",
               "fitted, s", "calibr., s", "ours, s", "ours/fit", "cycles/add", "resident saves");
    std::vector<double> ratios;
    double fitted = 0, simulated = 0, sent = 0, all = 0;
    for (const auto& model : models)
        for (const std::int64_t subVector : {2, 4}) {
            TransformerShape shape = model.shape;
            shape.subVector = subVector;
            for (const NamedLutLayer& one : transformerLayers(shape)) {
                const auto tuning = tune(one.layer);
                if (!tuning || !tuning->mapping)
                    return 1;
                const auto run = simulateLut(one.layer, *tuning->mapping);
                if (!run) {
                    fmt::print(stderr, "{}\n", run.error().text());
                    return 1;
                }
                const LutTimes& times = tuning->times;
                const double seconds = run->cycles / kLutClockHz;
                const double additions = double(tuning->mapping->split.rows) *
                                         double(tuning->mapping->split.features * one.layer.codebooks);
                const double total = seconds + times.transfers();
                fmt::print("{:11} {:2} {:5} {:10.4f} {:10.4f} {:10.4f} {:9.2f} {:10.2f} {:13.1f}%\n",
                           model.name, subVector, one.name, times.kernel(),
                           calibrated(times, one.layer.tasklets).kernel(), seconds, seconds / times.kernel(),
                           run->cycles / additions, 100 * times.sendTable / total);
                ratios.push_back(seconds / times.kernel());
                fitted += times.kernel();
                simulated += seconds;
                sent += times.sendTable;
                all += total;
            }
        }
    std::ranges::sort(ratios);
    fmt::print(
        "ours over fitted: {:.2f} in all, {:.2f} to {:.2f}, median {:.2f}; tables that stay save {:.1f} % of "
        "the time\n",
        simulated / fitted, ratios.front(), ratios.back(), ratios[ratios.size() / 2], 100 * sent / all);
    return 0;
}
