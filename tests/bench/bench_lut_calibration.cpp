// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Calibration of the digits' transformer by every method, beside PyTorch's in the same samples (tests/golden/lut/results.csv): accuracy,
/// and how many times less processor time, in medians of three seeds. Fails where training loses more than 0.01 against the best of
/// PyTorch.
#include "core/lut/network/conversion.h"
#include "tests/support/golden_csv.h"

#include <fmt/format.h>

#include <algorithm>

using namespace pim;
using namespace pim::lut;

namespace {

constexpr double kMostLost = 0.01; // what results.csv calls meaningless

struct Reached {
    double accuracy = 0, cpuSeconds = 0;
};

/// Of PyTorch: of one method, or the best of all.
Reached published(int length, int centroids, const char* method) {
    Reached best;
    for (const test::GoldenRow& row : test::goldenRows("lut/results.csv"))
        if (row["model"] == "vit_digits" && row["V"].toInt() == length && row["CT"].toInt() == centroids &&
            (!method || row["method"] == method) && row["acc_float"].toDouble() > best.accuracy)
            best = {row["acc_float"].toDouble(), row["cpu_s"].toDouble()};
    return best;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

} // namespace

int main() {
    const std::string folder = PIM_SOURCE_DIR "/tests/golden/lut/vit_digits";
    const DataSet set = openDataSet(folder).value();
    const Samples samples = readSamples(set, "test").value();
    const Samples calibration = readSamples(set, "calib", false).value();
    const Classifier network = Classifier::open(folder + "/vit_digits.onnx", set, samples).value();
    fmt::print("{:>2} {:>3} {:10} {:>9} {:>9} {:>8} {:>9} {:>7}\n", "V", "CT", "method", "accuracy",
               "PyTorch", "CPU, s", "PyTorch", "ratio");
    bool good = true;
    for (const auto& [length, centroids] : {std::pair{2, 16}, {4, 16}, {8, 16}, {4, 8}})
        for (const char* method : {"kmeans", "refit", "elut"}) {
            std::vector<double> accuracies, seconds;
            for (int seed = 0; seed < 3; ++seed) {
                const auto options = parseConversion(
                    fmt::format("v={},ct={},method={},seed={}", length, centroids, method, seed));
                const Conversion made = convert(network, set, calibration, options.value()).value();
                accuracies.push_back(
                    logitsOf(network, samples, made.observer()).value().accuracy(samples.labels));
                seconds.push_back(made.calibrationCpuSeconds);
            }
            const bool trained = std::string_view(method) == "elut";
            const Reached theirs = published(length, centroids, trained ? nullptr : method);
            fmt::print("{:2} {:3} {:10} {:9.3f} {:9.3f} {:8.2f} {:9.2f} {:7.1f}\n", length, centroids, method,
                       median(accuracies), theirs.accuracy, median(seconds), theirs.cpuSeconds,
                       theirs.cpuSeconds / median(seconds));
            good = good && (!trained || median(accuracies) >= theirs.accuracy - kMostLost);
        }
    return good ? 0 : 1;
}
