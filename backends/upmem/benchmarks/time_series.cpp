// SPDX-License-Identifier: GPL-3.0-or-later
// TS: the window of a series that is nearest to a query. Distance as PrIM's, in whole numbers with quotients cut towards 0:
//   2 (m - (sum_j t[i + j] q[j] - m mean[i] mean_q) / (sigma[i] sigma_q)),   m the length of the query,
// the square of the Euclidean distance of z-normalised windows but for cut means and deviations. Windows lie inside the series; the
// least distance wins, then the first window. A deviation below 1 counts as 1, so that nothing is divided by 0.
#include "backends/upmem/benchmarks/build.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace pim::upmem {
namespace {

constexpr std::int64_t kPositions = 128; ///< Windows that a tasklet has in WRAM together.
constexpr std::int32_t kFarthest = std::numeric_limits<std::int32_t>::max();

struct Moments {
    std::int32_t mean, sigma;
};
/// Cut to whole numbers; sums of whole numbers are exact.
Moments momentsOf(std::int64_t sum, std::int64_t squares, std::int64_t count) {
    const double mean = double(sum) / double(count), variance = double(squares) / double(count) - mean * mean;
    return {std::int32_t(mean), std::max(std::int32_t(std::sqrt(std::max(variance, 0.0))), 1)};
}

struct SeriesData {
    std::vector<std::int32_t> series, query, means, sigmas, ofQuery, nearest;
};

SeriesData seriesData(std::int64_t length, std::int64_t m) {
    SeriesData made;
    made.series = seededNumbers<std::int32_t>(length, 0, 126, 13); // [PrIM: values below 127]
    made.query = seededNumbers<std::int32_t>(m, 0, 126, 14);
    const auto moments = [m](const std::int32_t* begin) {
        std::int64_t sum = 0, squares = 0;
        for (std::int64_t j = 0; j < m; ++j) {
            sum += begin[j];
            squares += begin[j] * begin[j];
        }
        return momentsOf(sum, squares, m);
    };
    const Moments query = moments(made.query.data());
    made.ofQuery = {query.mean, query.sigma};
    made.nearest = {kFarthest, 0};
    for (std::int64_t i = 0; i + m <= length; ++i) {
        const Moments here = moments(&made.series[std::size_t(i)]);
        made.means.push_back(here.mean);
        made.sigmas.push_back(here.sigma);
        std::int64_t sum = 0;
        for (std::int64_t j = 0; j < m; ++j)
            sum += made.series[std::size_t(i + j)] * made.query[std::size_t(j)];
        const std::int64_t distance =
            2 * (m - (sum - m * here.mean * query.mean) / (std::int64_t(here.sigma) * query.sigma));
        if (distance < made.nearest[0])
            made.nearest = {std::int32_t(distance), std::int32_t(i)};
    }
    return made;
}

struct Window {
    TaskletValue series, query, mean,
        sigma; ///< In WRAM; mean times the query's and its length, sigma of the window alone.
    TaskletValue length, sigmaOfQuery;
};

TaskletValue distanceTo(BenchmarkBuilder& make, const Window& w) {
    TaskletCode& code = make.code();
    const TaskletValue sum = code.variable("sum", Element::I32, make.number(0));
    code.range("j", make.number(0), w.length, make.number(4), [&](TaskletValue j) {
        code.unrolled(4, [&](TaskletValue k) {
            code.add(sum, code.load(w.series, j + k) * code.load(w.query, j + k));
        });
    });
    const TaskletValue covariance = code.variable("covariance", Element::I32, sum - w.mean);
    const TaskletValue deviation = code.variable("deviation", Element::U32, w.sigma * w.sigmaOfQuery);
    const TaskletValue quotient = code.variable("quotient", Element::I32, make.number(0));
    code.when(
        covariance < 0,
        [&] { code.set(quotient, make.number(0) - (make.number(0) - covariance) / deviation); },
        [&] { code.set(quotient, covariance / deviation); });
    return code.variable("distance", Element::I32, (w.length - quotient) * 2);
}

/// Values of the series and of the query, windows of all DPUs and of one, tasklets of a DPU.
struct SeriesExtents {
    std::int64_t n = 0, m = 0, windows = 0, slice = 0, tasklets = 0;
};

void describeHost(BenchmarkBuilder& make, const SeriesExtents& of) {
    using Split = HostInput::Split;
    HostProgram& host = make.host();
    host.inputs = {
        {"series", "", Element::I32, of.n, Split::Slices, of.slice, of.m},
        {"means", "of each window", Element::I32, of.windows, Split::Slices, of.slice},
        {"sigmas", "standard deviation of each window", Element::I32, of.windows, Split::Slices, of.slice},
        {"query", "", Element::I32, of.m, Split::Copies, of.m},
        {"of_query", "its mean and deviation", Element::I32, 2, Split::Copies, 2}};
    host.arguments.push_back({"windows", HostArgument::What::Share, "means"});
    host.outputs.push_back({"nearest", "distance and window", Element::I32, 2, of.tasklets * 2,
                            HostOutput::Merge::Minimum, "means"});
}

} // namespace

Result<BenchmarkCase> timeSeries(const BenchmarkOptions& options) {
    const std::int64_t n = options.size, m = options.second;
    if (m % 4 != 0 || m > n || m > 2048)
        return fail(
            ErrorCode::Usage,
            fmt::format(
                "a query of {} values for a series of {}; multiples of 4 up to 2048 and the length of the "
                "series are possible",
                m, n),
            "TS");
    const std::int64_t windows = n - m + 1;
    const std::int64_t slice = roundedUp((windows + options.dpus - 1) / options.dpus, kPositions);
    BenchmarkBuilder make("TS", "the window of a series nearest to a query", options);
    TaskletCode& code = make.code();
    const TaskletValue length = make.size("QUERY", m, "values of the query");
    const TaskletValue here = make.size("SLICE", slice, "windows of a DPU, whole blocks");
    const TaskletValue block = make.size("BLOCK", kPositions, "windows that a tasklet has at a time");
    const TaskletValue series =
        code.array("series", Element::I32, here * 4 + length * 4, "windows and the rest of the last");
    const TaskletValue means = code.array("means", Element::I32, here * 4, "of each window");
    const TaskletValue sigmas =
        code.array("sigmas", Element::I32, here * 4, "standard deviation of each window");
    const TaskletValue query = code.array("query", Element::I32, length * 4, "");
    const TaskletValue share = code.shared("windows", Element::U32, make.number(1), "of this DPU", true);
    const TaskletValue ofQuery =
        code.shared("of_query", Element::I32, make.number(2), "its mean and deviation", true);
    const TaskletValue nearest = code.shared("nearest", Element::I32, make.tasklets() * 2,
                                             "distance and window of each tasklet", true);
    const TaskletValue queries = code.shared("all_query", Element::I32, length, "");
    const TaskletValue some = code.own("series_here", Element::I32, block + length, "");
    const TaskletValue someMeans = code.own("means_here", Element::I32, block, "");
    const TaskletValue someSigmas = code.own("sigmas_here", Element::I32, block, "");
    code.when(code.me() == 0, [&] { code.readAll(queries, query, length * 4); });
    code.barrier();
    const TaskletValue least = code.variable("least", Element::I32, make.number(kFarthest));
    const TaskletValue place = code.variable("place", Element::U32, make.number(0));
    const TaskletValue scale = code.variable("scale", Element::I32, code.load(ofQuery, 0) * length);
    const TaskletValue step = block * make.tasklets();
    code.range("base", code.me() * block, code.load(share), step, (here + step - 1) / step,
               [&](TaskletValue base) {
                   code.readAll(some, series + base * 4, block * 4 + length * 4);
                   code.read(someMeans, means + base * 4, block * 4);
                   code.read(someSigmas, sigmas + base * 4, block * 4);
                   const TaskletValue count =
                       code.variable("count", Element::U32, min(block, code.load(share) - base));
                   code.range("i", make.number(0), count, make.number(1), block, [&](TaskletValue i) {
                       const TaskletValue window = code.pointer("window", Element::I32, some + i);
                       const TaskletValue distance =
                           distanceTo(make, {window, queries, code.load(someMeans, i) * scale,
                                             code.load(someSigmas, i), length, code.load(ofQuery, 1)});
                       code.when(
                           distance < least,
                           [&] {
                               code.set(least, distance);
                               code.set(place, base + i);
                           },
                           {}, 32);
                   });
               });
    code.store(nearest, code.me() * 2, least);
    code.store(nearest, code.me() * 2 + 1, place);

    describeHost(make, {n, m, windows, slice, options.tasklets});
    const SeriesData data = seriesData(n, m);
    make.input("series", data.series);
    make.input("means", data.means);
    make.input("sigmas", data.sigmas);
    make.input("query", data.query);
    make.input("of_query", data.ofQuery);
    make.expect("nearest", data.nearest);
    return make.finish();
}

} // namespace pim::upmem
