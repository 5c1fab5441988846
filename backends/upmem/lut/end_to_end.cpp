// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/end_to_end.h"

#include "backends/host/roofline.h"
#include "backends/upmem/lut/calibration.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace pim::upmem {
namespace {

constexpr double kNumberBytes = 4, kSumBytes = 4;
/// Of an element; the sum is tanh's in x (1 + tanh(a (x + b x^3))) / 2, the line is memory's in any case.
constexpr double kGeluFlop = 14, kNormFlop = 8;

double seconds(double ns) {
    return ns / 1e9;
}

double attentionSeconds(const Encoder& encoder, const Host& host) {
    const auto sequence = static_cast<double>(encoder.sequence);
    const auto headWidth = static_cast<double>(encoder.hidden / encoder.heads);
    const auto products = static_cast<double>(encoder.batch * encoder.heads);
    const Gemm scores{sequence, sequence, headWidth, products, false};
    const Gemm context{sequence, headWidth, sequence, products, false};
    return seconds(gemmCost(host, scores, DataType::F32).ns +
                   softmaxCost(host, products * sequence * sequence, products, DataType::F32).ns +
                   gemmCost(host, context, DataType::F32).ns);
}

/// \param sums whether linear layers give integers that have to become numbers.
double elementWiseSeconds(const Encoder& encoder, const Host& host, bool sums) {
    const auto rows = static_cast<double>(encoder.rows());
    const double hidden = rows * static_cast<double>(encoder.hidden);
    const double inner = rows * static_cast<double>(encoder.feedForward);
    const double outputs = 5 * hidden + inner; // QKV, O and FFN2; FFN1
    double ns = 2 * streamCost(host, 3 * kNumberBytes * hidden, hidden, DataType::F32).ns +
                2 * normCost(host, 2 * kNumberBytes * hidden, kNormFlop * hidden, DataType::F32).ns +
                activationCost(host, 2 * kNumberBytes * inner, kGeluFlop * inner, DataType::F32).ns;
    if (sums)
        ns += streamCost(host, (kSumBytes + kNumberBytes) * outputs, 2 * outputs, DataType::F32).ns;
    return seconds(ns);
}

/// c with the least sum of (c x / y - 1)^2 over pairs x, y.
double factorOf(std::span<const HostMeasurement> measurements, double HostMeasurement::*model,
                double HostMeasurement::*measured) {
    double linear = 0, square = 0;
    for (const HostMeasurement& one : measurements) {
        const double ratio = one.*model / one.*measured;
        linear += ratio;
        square += ratio * ratio;
    }
    return linear / square;
}

} // namespace

double searchSeconds(const LutLayer& layer, std::int64_t subVector, double flop, const Host& host) {
    const auto subVectors = static_cast<double>(layer.rows * layer.codebooks);
    const double bytes =
        subVectors * (static_cast<double>(subVector) * kNumberBytes + static_cast<double>(kLutIndexBytes));
    return seconds(streamCost(host, bytes, flop, DataType::F32).ns);
}

double Encoder::linearMacs() const {
    const auto width = static_cast<double>(hidden);
    return static_cast<double>(rows()) * (4 * width * width + 2 * width * static_cast<double>(feedForward));
}

Result<void> checkEncoder(const Encoder& encoder) {
    for (const auto& [name, extent] :
         {std::pair("batch", encoder.batch), std::pair("sequence", encoder.sequence),
          std::pair("hidden width", encoder.hidden), std::pair("feed-forward width", encoder.feedForward),
          std::pair("heads", encoder.heads)})
        if (extent < 1)
            return fail(ErrorCode::Usage, fmt::format("an encoder with {} = {}", name, extent), {},
                        "all extents are at least 1");
    if (encoder.hidden % encoder.heads != 0)
        return fail(ErrorCode::Usage,
                    fmt::format("{} heads do not share a hidden width of {}", encoder.heads, encoder.hidden),
                    {}, "take a number of heads that divides it");
    return {};
}

double LutBlock::search() const {
    return std::accumulate(layers.begin(), layers.end(), 0.0,
                           [](double sum, const LutBlockLayer& layer) { return sum + layer.search; });
}
double LutBlock::lookUp() const {
    return std::accumulate(layers.begin(), layers.end(), 0.0, [](double sum, const LutBlockLayer& layer) {
        return sum + layer.tuning.times.total();
    });
}
double LutBlock::transfers() const {
    return std::accumulate(layers.begin(), layers.end(), 0.0, [](double sum, const LutBlockLayer& layer) {
        return sum + layer.tuning.times.transfers();
    });
}

Result<LutBlock> lutBlock(const Encoder& encoder, const LutSetting& setting, const Host& host,
                          LutReading reading) {
    PIM_CHECK(checkEncoder(encoder));
    if (setting.subVector < 1 || encoder.hidden % setting.subVector != 0 ||
        encoder.feedForward % setting.subVector != 0)
        return fail(ErrorCode::Usage,
                    fmt::format("sub-vectors of {} do not divide widths of {} and {}", setting.subVector,
                                encoder.hidden, encoder.feedForward),
                    {}, "take a common divisor");
    const auto layers =
        transformerLayers({encoder.rows(), encoder.hidden, encoder.feedForward, setting.subVector,
                           setting.centroids, setting.dpus, setting.tasklets},
                          reading);
    LutBlock block;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        LutBlockLayer& one = block.layers[i];
        one.name = layers[i].name;
        one.layer = layers[i].layer;
        PIM_TRY(one.tuning, tune(one.layer, reading));
        if (!one.tuning.mapping)
            return fail(ErrorCode::Unsupported, one.tuning.reason, std::string(one.name));
        const auto inputs = static_cast<double>(one.layer.rows * one.layer.codebooks * setting.subVector);
        one.searchFlop = 3 * inputs * static_cast<double>(setting.centroids);
        one.search = searchSeconds(one.layer, setting.subVector, one.searchFlop, host);
    }
    block.attention = attentionSeconds(encoder, host);
    block.elementWise = elementWiseSeconds(encoder, host, true);
    return block;
}

Result<HostCalibration> fitHost(std::span<const HostMeasurement> measurements) {
    if (measurements.empty())
        return fail(ErrorCode::Usage, "no measurement of the host to fit to");
    for (const HostMeasurement& one : measurements)
        if (!(one.searchFlop > 0 && one.searchSeconds > 0 && one.other > 0 && one.otherSeconds > 0))
            return fail(ErrorCode::Usage,
                        fmt::format("a measurement of {} operations in {} s and {} s against {} s",
                                    one.searchFlop, one.searchSeconds, one.other, one.otherSeconds),
                        {}, "all four are positive");
    return HostCalibration{
        1 / factorOf(measurements, &HostMeasurement::searchFlop, &HostMeasurement::searchSeconds),
        factorOf(measurements, &HostMeasurement::other, &HostMeasurement::otherSeconds)};
}

LutBlock calibrated(const LutBlock& block, const HostCalibration& calibration) {
    LutBlock measured = block;
    for (LutBlockLayer& layer : measured.layers) {
        layer.tuning.times = calibrated(layer.tuning.times, layer.layer.tasklets);
        layer.search = layer.searchFlop / calibration.searchFlopPerSecond;
    }
    measured.attention *= calibration.other;
    measured.elementWise *= calibration.other;
    return measured;
}

Result<ProductBlock> productBlock(const Encoder& encoder, const Host& host, DataType type) {
    PIM_CHECK(checkEncoder(encoder));
    const auto rows = static_cast<double>(encoder.rows()), hidden = static_cast<double>(encoder.hidden),
               inner = static_cast<double>(encoder.feedForward);
    double ns = 0;
    for (const Gemm& layer : {Gemm{rows, 3 * hidden, hidden}, Gemm{rows, hidden, hidden},
                              Gemm{rows, inner, hidden}, Gemm{rows, hidden, inner}})
        ns += gemmCost(host, layer, type).ns;
    return ProductBlock{seconds(ns), attentionSeconds(encoder, host),
                        elementWiseSeconds(encoder, host, type == DataType::I8)};
}

Result<ProductBlock> productBlock(const Encoder& encoder, const Host& host, double linear) {
    PIM_CHECK(checkEncoder(encoder));
    return ProductBlock{linear, attentionSeconds(encoder, host), elementWiseSeconds(encoder, host, true)};
}

LutOperations lutOperations(double rows, double in, double out, double subVector, double centroids) {
    const double products = rows * in * centroids;
    return {products, 3 * products + rows * out * in / subVector};
}

double geometricMean(std::span<const double> values) {
    if (values.empty())
        return 0;
    double sum = 0;
    for (const double value : values)
        sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
}

} // namespace pim::upmem
