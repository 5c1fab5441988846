// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The evaluation of DCC, all of it: prints every figure beside the paper's. Ends with an error where something that was
/// reached is lost, where a chosen program computes a wrong number (--check), or where it takes more of the processors than
/// its ceiling.
#include "app/evaluation/functional_check.h"
#include "backends/builtin.h"

#include <fmt/format.h>

#include <ctime>
#include <string_view>

using namespace pim;
using namespace pim::evaluation;

namespace {

constexpr double kCeilingSeconds = 120; ///< Of all threads together, whatever else the machine does.

/// What is reached, a little below: a regression shows, another draft of the same time does not.
struct Floor {
    const char* claim;
    double least;
};
constexpr Floor kFloors[]{
    {"ATTN on AttAcc over the published mapping", 1.34},
    {"ATTN on AttAcc over the GPU", 10.5},
    {"GEMV on AttAcc over the published mapping", 1.28},
    {"GEMV on AttAcc over the GPU", 9.7},
    {"RED on AttAcc over the published mapping", 1.45},
    {"RED on AttAcc over the GPU", 0.58},
    {"GEMV on HBM-PIM over the published mapping", 1.90},
    {"GEMV on HBM-PIM over the GPU", 4.1},
    {"RED on HBM-PIM over the published mapping", 1.12},
    {"RED on HBM-PIM over the GPU", 0.30},
    {"VA on HBM-PIM over the published mapping", 1.18},
    {"VA on HBM-PIM over the GPU", 0.81},
    {"RELU on HBM-PIM over the published mapping", 1.15},
    {"RELU on HBM-PIM over the GPU", 0.60},
    {"AttAcc base with our mappings over without", 1.24},
    {"AttAcc base with our mappings over the GPU", 1.45},
    {"AttAcc full with our mappings over without", 1.86},
    {"AttAcc full with our mappings over the GPU", 4.88},
};

double processorSeconds() {
    return double(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

int main(int argc, char** argv) {
    const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    Evaluation evaluation;
    Evaluator evaluator(backends, catalog, evaluation.options);
    for (const int number : figureNumbers()) {
        auto figure = computeFigure(number, evaluator, {});
        if (!figure) {
            fmt::print("figure {}: {}\n", number, figure.error().text());
            return 1;
        }
        evaluation.figures.push_back(std::move(*figure));
    }
    evaluation.claims = claimsOf(evaluation.figures);
    const double seconds = processorSeconds();
    bool good = true;
    if (check) {
        auto results = checkAll(evaluator, evaluation.figures, kQuickMacs, {});
        if (!results) {
            fmt::print("{}\n", results.error().text());
            return 1;
        }
        evaluation.functional = std::move(*results);
        for (const FunctionalResult& result : evaluation.functional)
            good = good && result.wrong == 0;
        fmt::print("programs on numbers: {:.1f} s of all threads\n", processorSeconds() - seconds);
    }
    fmt::print("{}\nall figures: {:.1f} s of all threads, at most {} s\n", evaluationText(evaluation),
               seconds, kCeilingSeconds);
    if (seconds > kCeilingSeconds) {
        fmt::print("too slow\n");
        good = false;
    }
    for (const Floor& floor : kFloors)
        for (const Claim& claim : evaluation.claims)
            if (claim.text == floor.claim && claim.ours < floor.least) {
                fmt::print("lost: {} was at least {:.2f}, is {:.2f}\n", floor.claim, floor.least, claim.ours);
                good = false;
            }
    return good ? 0 : 1;
}
