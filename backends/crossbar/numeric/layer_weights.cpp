// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/layer_weights.h"

#include "backends/crossbar/numeric/fixed_point.h"

#include <fmt/format.h>

namespace pim {

namespace {

/// Weights that are in memory at a time.
constexpr std::int64_t kPartElements = 2 << 20;

} // namespace

LayerWeights::LayerWeights(const MatrixWork& work, RealConstant constant)
    : m_work(&work), m_constant(std::move(constant)), m_places(work.window.kernel()),
      m_inputs(work.inOfGroup()) {}

Result<LayerWeights> LayerWeights::open(const CrossbarNetwork& network, const CrossbarLayer& layer) {
    const MatrixWork& work = *layer.matrix();
    PIM_TRY(RealConstant constant, RealConstant::open(network.graph->tensor(work.weights)));
    const std::int64_t wanted = std::int64_t(work.inOfGroup()) * work.window.kernel() * work.outChannels;
    if (constant.count() != wanted)
        return fail(ErrorCode::Unsupported,
                    fmt::format("it has {} weights, {} outputs of {} x {} inputs need {}", constant.count(),
                                work.outChannels, work.window.kernel(), work.inOfGroup(), wanted),
                    layer.name);
    return LayerWeights(work, std::move(constant));
}

Result<void> LayerWeights::read(int begin, int end, std::vector<float>& to) const {
    to.resize(std::size_t((end - begin) * rows()));
    switch (m_work->order) {
    case WeightOrder::OutInKernel:
        return readOutputFirst(begin, end, to);
    case WeightOrder::InKernelOut:
        return readInputFirst(begin, end, to);
    case WeightOrder::InOutTurned:
        break;
    }
    return readTurned(begin, end, to);
}

/// The file has [channel][input][place].
Result<void> LayerWeights::readOutputFirst(int begin, int end, std::vector<float>& to) const {
    const std::int64_t step = std::max<std::int64_t>(1, kPartElements / rows());
    std::vector<float> part;
    for (std::int64_t first = begin; first < end; first += step) {
        const std::int64_t channels = std::min<std::int64_t>(step, end - first);
        part.resize(std::size_t(channels * rows()));
        PIM_CHECK(m_constant.read(first * rows(), part));
        float* at = to.data() + (first - begin) * rows();
        for (std::int64_t channel = 0; channel < channels; ++channel)
            for (std::int64_t place = 0; place < m_places; ++place)
                for (std::int64_t input = 0; input < m_inputs; ++input)
                    *at++ = float(double(part[std::size_t(channel * rows() + input * m_places + place)]) *
                                  m_work->scale);
    }
    return {};
}

/// The file has [input][place][channel]: all of it is read for any channel.
Result<void> LayerWeights::readInputFirst(int begin, int end, std::vector<float>& to) const {
    const std::int64_t all = channels(), step = std::max<std::int64_t>(1, kPartElements / all);
    std::vector<float> part;
    for (std::int64_t first = 0; first < rows(); first += step) {
        const std::int64_t lines = std::min(step, rows() - first);
        part.resize(std::size_t(lines * all));
        PIM_CHECK(m_constant.read(first * all, part));
        for (std::int64_t line = 0; line < lines; ++line) {
            const std::int64_t input = (first + line) / m_places, place = (first + line) % m_places;
            for (int channel = begin; channel < end; ++channel)
                to[std::size_t((channel - begin) * rows() + place * m_inputs + input)] =
                    float(double(part[std::size_t(line * all + channel)]) * m_work->scale);
        }
    }
    return {};
}

/// The file has [input][channel of the group][place, the last first].
Result<void> LayerWeights::readTurned(int begin, int end, std::vector<float>& to) const {
    const std::int64_t ofGroup = m_work->outOfGroup(), line = ofGroup * m_places; // of an input
    const std::int64_t step = std::max<std::int64_t>(1, kPartElements / line);
    std::vector<float> part;
    for (std::int64_t group = begin / ofGroup; group * ofGroup < end; ++group) {
        const std::int64_t first = std::max<std::int64_t>(begin, group * ofGroup),
                           last = std::min<std::int64_t>(end, (group + 1) * ofGroup);
        for (std::int64_t input = 0; input < m_inputs; input += step) {
            const std::int64_t inputs = std::min(step, m_inputs - input);
            part.resize(std::size_t(inputs * line));
            PIM_CHECK(m_constant.read((group * m_inputs + input) * line, part));
            for (std::int64_t channel = first; channel < last; ++channel)
                for (std::int64_t place = 0; place < m_places; ++place)
                    for (std::int64_t i = 0; i < inputs; ++i)
                        to[std::size_t((channel - begin) * rows() + place * m_inputs + input + i)] =
                            float(double(part[std::size_t(
                                      i * line + (channel - group * ofGroup + 1) * m_places - 1 - place)]) *
                                  m_work->scale);
        }
    }
    return {};
}

Result<void> LayerWeights::readFixed(const WeightRange& range, const LayerNumbers& numbers, int bits,
                                     std::vector<std::int16_t>& to) const {
    to.resize(std::size_t(range.weights()));
    const int step = channelsAtOnce();
    std::vector<float> reals;
    for (int first = range.firstChannel; first < range.endChannel; first += step) {
        const int last = std::min(range.endChannel, first + step);
        PIM_CHECK(read(first, last, reals));
        std::int16_t* at = to.data() + (first - range.firstChannel) * range.rows();
        for (int channel = first; channel < last; ++channel) {
            const fixed::Rounding rounding(numbers.weightExponents[std::size_t(channel)], bits);
            const float* from = reals.data() + (channel - first) * rows();
            for (std::int64_t row = range.firstRow; row < range.endRow; ++row)
                *at++ = std::int16_t(rounding(double(from[row])));
        }
    }
    return {};
}

/// All channels of a file that has inputs first are read at once where that is little more.
int LayerWeights::channelsAtOnce() const {
    const bool inputFirst = m_work->order != WeightOrder::OutInKernel;
    return int(std::clamp<std::int64_t>((inputFirst ? 4 : 1) * kPartElements / rows(), 1, channels()));
}

Result<void> LayerWeights::forAll(const Visitor& visit) const {
    const int step = channelsAtOnce();
    std::vector<float> weights;
    for (int first = 0; first < channels(); first += step) {
        const int end = std::min(channels(), first + step);
        PIM_CHECK(read(first, end, weights));
        visit(first, end, weights);
    }
    return {};
}

} // namespace pim
