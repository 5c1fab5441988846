// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The tuner of LUT layers on the 24 layers of BERT-base, BERT-large and ViT-huge: milliseconds a layer, and how many times as long
/// trying everything takes. Fails where the two differ or a layer takes more than kMostMs.
#include "backends/upmem/lut/tuner.h"
#include "tests/support/lut_brute_force.h"

#include <fmt/format.h>

#include <chrono>

using namespace pim;
using namespace pim::upmem;

namespace {

constexpr double kMostMs = 0.2;
constexpr int kTurns = 50;

double milliseconds(std::chrono::steady_clock::time_point since) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/// Best of some turns: the machine may do other things.
double tuningMs(const LutLayer& layer, LutReading reading, int turns) {
    double least = 1e300;
    for (int i = 0; i < turns; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const auto tuning = tune(layer, reading);
        least = std::min(least, tuning ? milliseconds(begin) : 1e300);
    }
    return least;
}

} // namespace

int main() {
    const struct {
        const char* name;
        TransformerShape shape;
    } models[] = {{"BERT-base", {32768, 768, 3072, 2, 16, 1024, 16}},
                  {"BERT-large", {32768, 1024, 4096, 2, 16, 1024, 16}},
                  {"ViT-huge", {33792, 1280, 5120, 2, 16, 1024, 16}}};
    fmt::print("{:11} {:2} {:5} {:>10} {:>8} {:>12} {:>8} {:>12}\n", "model", "V", "layer", "ms", "splits",
               "all, ms", "ratio", "released, ms");
    bool good = true;
    double most = 0, sum = 0, bruteSum = 0;
    for (const auto& model : models)
        for (const std::int64_t subVector : {2, 4}) {
            TransformerShape shape = model.shape;
            shape.subVector = subVector;
            for (const NamedLutLayer& one : transformerLayers(shape)) {
                const double ms = tuningMs(one.layer, LutReading::Strict, kTurns);
                const auto tuning = tune(one.layer);
                test::BruteForce all{one.layer, LutReading::Strict};
                const auto begin = std::chrono::steady_clock::now();
                all.run();
                const double bruteMs = milliseconds(begin);
                fmt::print("{:11} {:2} {:5} {:10.4f} {:4}/{:<3} {:12.1f} {:8.0f} {:12.2f}\n", model.name,
                           subVector, one.name, ms, tuning->splitsVisited, tuning->splits, bruteMs,
                           bruteMs / ms, tuningMs(one.layer, LutReading::Released, 3));
                good = good && tuning->mapping == all.best;
                most = std::max(most, ms);
                sum += ms;
                bruteSum += bruteMs;
            }
        }
    fmt::print("mean {:.4f} ms a layer, most {:.4f} ms, {:.0f} times as fast as trying everything; same "
               "mappings: {}\n",
               sum / 24, most, bruteSum / sum, good ? "yes" : "NO");
    return good && most <= kMostMs ? 0 : 1;
}
