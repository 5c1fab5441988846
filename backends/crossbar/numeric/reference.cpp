// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/reference.h"

#include "backends/crossbar/numeric/vector_unit.h"
#include "core/base/parallel.h"
#include "core/numeric/kernels.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

namespace {

using Map = std::vector<std::int64_t>;

class Reference {
public:
    Reference(const CrossbarNetwork& network, const CrossbarNumbers& numbers, CrossbarMaps maps, int threads)
        : m_network(network), m_numbers(numbers), m_unit(network, numbers), m_maps(std::move(maps)),
          m_threads(threads) {}

    Result<void> run(LayerId position) {
        const CrossbarLayer& layer = m_network.layers[position.index()];
        if (layer.as<InputWork>())
            return {};
        Map out(std::size_t(layer.out.elements()));
        if (const MatrixWork* work = layer.matrix())
            matrix(position, *work, out);
        else if (const auto* window = layer.as<WindowWork>())
            pool(position, *window, out);
        else if (const auto* element = layer.as<ElementWork>())
            elementwise(position, *element, out);
        else if (const auto* concat = layer.as<ConcatWork>())
            concatenate(layer, *concat, out);
        else if (layer.as<NormaliseWork>())
            m_unit.normalise(position, input(layer, 0), 0, out);
        else if (const auto* view = layer.as<ViewWork>())
            rearrange(layer, *view, out);
        else
            PIM_CHECK(host(position, out));
        if (!layer.as<HostWork>()) // the host's ops contain all functions
            m_unit.activate(position, Map(out), out);
        m_maps[position.index()] = std::move(out);
        return {};
    }
    CrossbarMaps take() { return std::move(m_maps); }

private:
    const Map& input(const CrossbarLayer& layer, std::size_t i) const {
        return m_maps[layer.inputs[i].index()];
    }
    int exponentOf(const CrossbarLayer& layer, std::size_t i) const {
        return m_numbers.layers[layer.inputs[i].index()].exponent;
    }

    /// Convolution, kBlock output pixels at a time.
    void matrix(LayerId position, const MatrixWork& work, Map& out) const {
        constexpr std::int64_t kBlock = 32;
        const CrossbarLayer& layer = m_network.layers[position.index()];
        const Map& in = input(layer, 0);
        const std::int64_t rows = std::int64_t(work.window.kernel()) * work.inOfGroup(),
                           stride = paddedLength(rows);
        const std::vector<std::int16_t> weights =
            padded(m_numbers.layers[position.index()].weights, rows, stride);
        const std::int64_t pixels = layer.out.pixels(), columns = work.outOfGroup();
        parallelFor(std::size_t((pixels + kBlock - 1) / kBlock), m_threads, [&](std::size_t block) {
            const std::int64_t begin = std::int64_t(block) * kBlock, count = std::min(kBlock, pixels - begin);
            std::vector<std::int16_t> windows(std::size_t(count * stride));
            std::vector<std::int64_t> sums(std::size_t(count * work.outChannels));
            for (int group = 0; group < work.groups; ++group) {
                for (std::int64_t i = 0; i < count; ++i)
                    gatherWindow(layer, work, in, begin + i, group, windows.data() + i * stride);
                multiply({windows.data(), count, weights.data() + group * columns * stride, columns, stride,
                          sums.data() + group * columns, work.outChannels});
            }
            m_unit.finish(position, sums, 0,
                          std::span(out).subspan(std::size_t(begin * work.outChannels), sums.size()));
        });
    }

    static std::vector<std::int16_t> padded(const std::vector<std::int16_t>& weights, std::int64_t rows,
                                            std::int64_t stride) {
        std::vector<std::int16_t> to(weights.size() / std::size_t(rows) * std::size_t(stride));
        for (std::size_t column = 0; column * std::size_t(rows) < weights.size(); ++column)
            std::copy_n(weights.begin() + std::ptrdiff_t(column) * rows, rows,
                        to.begin() + std::ptrdiff_t(column) * stride);
        return to;
    }

    /// Order of rows: kernel row, kernel column, channel of the group.
    static void gatherWindow(const CrossbarLayer& layer, const MatrixWork& work, const Map& in,
                             std::int64_t pixel, int group, std::int16_t* to) {
        const PixelWindow& w = work.window;
        const PixelRange origin = windowOrigin(w, layer.out, pixel);
        const int channels = work.inOfGroup();
        for (int ky = 0; ky < w.kernelY; ++ky)
            for (int kx = 0; kx < w.kernelX; ++kx, to += channels) {
                const int spreadY = origin.yBegin + ky * w.dilationY,
                          spreadX = origin.xBegin + kx * w.dilationX;
                const int y = spreadY / w.spreadY, x = spreadX / w.spreadX;
                if (spreadY < 0 || y >= layer.in.height || spreadX < 0 || x >= layer.in.width ||
                    y * w.spreadY != spreadY || x * w.spreadX != spreadX) {
                    std::fill_n(to, channels, std::int16_t(0));
                    continue;
                }
                const std::int64_t* from =
                    in.data() + (std::int64_t(y) * layer.in.width + x) * layer.in.channels + group * channels;
                for (int c = 0; c < channels; ++c)
                    to[c] = std::int16_t(from[c]);
            }
    }

    /// Windows in \p of.a, weights in \p of.b.
    void multiply(const BlockProduct<std::int16_t, std::int64_t>& of) const {
        const auto [windows, count, weights, columns, stride, sums, step, one] = of;
        if (m_numbers.accumulatorBits <= 32) { // sums of 32 bits that wrap contain those of fewer
            std::vector<std::int32_t> narrow(std::size_t(count * columns));
            integerProduct({windows, count, weights, columns, stride, narrow.data(), columns}, false);
            for (std::int64_t i = 0; i < count; ++i)
                for (std::int64_t c = 0; c < columns; ++c)
                    sums[i * step + c] =
                        fixed::wrap(narrow[std::size_t(i * columns + c)], m_numbers.accumulatorBits);
            return;
        }
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t c = 0; c < columns; ++c) {
                std::int64_t sum = 0;
                for (std::int64_t n = 0; n < stride; ++n)
                    sum += std::int64_t(windows[i * stride + n]) * weights[c * stride + n];
                sums[i * step + c] = fixed::wrap(sum, m_numbers.accumulatorBits);
            }
    }

    void pool(LayerId position, const WindowWork& work, Map& out) const {
        const CrossbarLayer& layer = m_network.layers[position.index()];
        const Map& in = input(layer, 0);
        const auto channels = std::size_t(layer.out.channels);
        Map sums(channels);
        for (std::int64_t pixel = 0; pixel < layer.out.pixels(); ++pixel) {
            int places = 0;
            forPlaces(layer, work.window, pixel, [&](std::int64_t from) {
                for (std::size_t c = 0; c < channels; ++c) {
                    const std::int64_t value = in[std::size_t(from) * channels + c];
                    sums[c] = places == 0 ? value
                              : work.kind == PoolKind::Max
                                  ? std::max(sums[c], value)
                                  : fixed::wrap(sums[c] + value, m_numbers.accumulatorBits);
                }
                ++places;
            });
            const auto to = std::span(out).subspan(std::size_t(pixel) * channels, channels);
            if (places == 0)
                std::fill(to.begin(), to.end(), 0);
            else if (work.kind == PoolKind::Max)
                std::copy(sums.begin(), sums.end(), to.begin());
            else
                m_unit.average(position, sums, averagePlaces(layer, work, pixel), to);
        }
    }

    template <class Visit>
    static void forPlaces(const CrossbarLayer& layer, const PixelWindow& w, std::int64_t pixel,
                          const Visit& visit) {
        const PixelRange origin = windowOrigin(w, layer.out, pixel);
        for (int ky = 0; ky < w.kernelY; ++ky)
            for (int kx = 0; kx < w.kernelX; ++kx) {
                const int y = origin.yBegin + ky * w.dilationY, x = origin.xBegin + kx * w.dilationX;
                if (y >= 0 && y < layer.in.height && x >= 0 && x < layer.in.width)
                    visit(std::int64_t(y) * layer.in.width + x);
            }
    }

    void elementwise(LayerId position, const ElementWork& work, Map& out) const {
        const CrossbarLayer& layer = m_network.layers[position.index()];
        const Map& first = input(layer, 0);
        const std::size_t seconds = layer.inputs.size() - 1;
        if (seconds == 0 && !work.constant.valid())
            return m_unit.element(position, first, out);
        const std::int64_t channels = layer.out.channels;
        const auto meets = [&](Broadcast broadcast, std::size_t i) {
            switch (broadcast) {
            case Broadcast::Pixels:
                return i % std::size_t(channels);
            case Broadcast::Channels:
                return i / std::size_t(channels);
            case Broadcast::Scalar:
                return std::size_t(0);
            default:
                return i;
            }
        };
        const Map* left = &first;
        int exponent = exponentOf(layer, 0);
        for (std::size_t k = 0; k < seconds; ++k) {
            const Map& second = input(layer, k + 1);
            const int other = exponentOf(layer, k + 1);
            m_unit.element(
                position, *left, exponent,
                [&](std::size_t i) { return m_unit.real(second[meets(work.broadcast[k], i)], other); }, out);
            left = &out;
            exponent = m_numbers.layers[position.index()].preExponent;
        }
        if (work.constant.valid()) {
            const auto& constant = m_numbers.layers[position.index()].constant;
            m_unit.element(
                position, Map(*left), exponent,
                [&](std::size_t i) { return double(constant[meets(work.broadcast.back(), i)]); }, out);
        }
    }

    void concatenate(const CrossbarLayer& layer, const ConcatWork& work, Map& out) const {
        if (work.axis == ConcatAxis::Pixels) {
            auto to = out.begin();
            for (std::size_t i = 0; i < layer.inputs.size(); ++i)
                to = std::copy(input(layer, i).begin(), input(layer, i).end(), to);
            return;
        }
        auto to = out.begin();
        for (std::int64_t pixel = 0; pixel < layer.out.pixels(); ++pixel)
            for (std::size_t i = 0; i < layer.inputs.size(); ++i) {
                const std::int64_t channels = std::int64_t(input(layer, i).size()) / layer.out.pixels();
                to = std::copy_n(input(layer, i).begin() + pixel * channels, channels, to);
            }
    }

    void rearrange(const CrossbarLayer& layer, const ViewWork& view, Map& out) const {
        const Map& in = input(layer, 0);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::int64_t from = view.from.empty() ? std::int64_t(i) : view.from[i];
            out[i] = from < 0 ? 0 : in[std::size_t(from)];
        }
    }

    Result<void> host(LayerId position, Map& out) const {
        const auto mapOf = [&](LayerId layer) {
            const Map& held = m_maps[layer.index()];
            std::vector<double> map(held.size());
            std::ranges::transform(held, map.begin(),
                                   [&](std::int64_t value) { return m_numbers.toHost(layer, value); });
            return map;
        };
        PIM_TRY(const auto made, hostLayer(m_network, position, mapOf, m_threads));
        std::ranges::transform(made, out.begin(),
                               [&](double value) { return m_numbers.fromHost(position, value); });
        return {};
    }

    const CrossbarNetwork& m_network;
    const CrossbarNumbers& m_numbers;
    VectorUnit<std::int64_t> m_unit;
    CrossbarMaps m_maps;
    int m_threads;
};

} // namespace

Result<CrossbarMaps> inputMaps(const CrossbarNetwork& network, const CrossbarNumbers& numbers,
                               std::span<const Value> inputs) {
    CrossbarMaps maps(network.layers.size());
    const Graph& graph = *network.graph;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        if (!network.layers[i].as<InputWork>())
            continue;
        const auto at = std::find(graph.inputs.begin(), graph.inputs.end(), network.layers[i].value);
        if (at == graph.inputs.end() || std::size_t(at - graph.inputs.begin()) >= inputs.size())
            return fail(ErrorCode::Usage,
                        fmt::format("{} inputs were given, none is for this layer", inputs.size()),
                        network.layers[i].name);
        const Value& value = inputs[std::size_t(at - graph.inputs.begin())];
        const CrossbarLayer& layer = network.layers[i];
        if (layer.whole) {
            PIM_TRY(maps[i], wholeMapOfTensor(value, layer.out, layer.name));
            continue;
        }
        PIM_TRY(const auto reals, mapOfTensor(value, layer.out, layer.name));
        maps[i] = numbers.held(LayerId(i), reals);
    }
    return maps;
}

Result<CrossbarMaps> referenceMaps(const CrossbarNetwork& network, const CrossbarNumbers& numbers,
                                   std::span<const Value> inputs, int threads, const TaskContext& task) {
    PIM_TRY(CrossbarMaps maps, inputMaps(network, numbers, inputs));
    Reference reference(network, numbers, std::move(maps), threads);
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        if (task.cancelled())
            return TaskContext::cancelledError("the reference run");
        task.report("computing the reference", std::int64_t(i), std::int64_t(network.layers.size()));
        PIM_CHECK(reference.run(LayerId(i)));
    }
    return reference.take();
}

} // namespace pim
