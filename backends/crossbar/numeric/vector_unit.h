// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the vector unit of a core computes, layer by layer; the one implementation, so that reference and
/// execution can only differ in which numbers they bring together. Number: std::int64_t for fixed point,
/// double where numbers are real.
#include "backends/crossbar/numeric/fixed_point.h"
#include "backends/crossbar/numeric/numbers.h"
#include "backends/crossbar/numeric/vector_functions.h"

#include <span>
#include <type_traits>

namespace pim {

/// By how much the sum of a window is divided. onnx/docs/Operators.md, AveragePool: padding counts if asked
/// for, what ceil_mode adds behind it never does.
inline std::int64_t averagePlaces(const CrossbarLayer& layer, const WindowWork& work, std::int64_t pixel) {
    const PixelWindow& w = work.window;
    const PixelRange origin = windowOrigin(w, layer.out, pixel);
    const auto places = [&](int begin, int kernel, int dilation, int extent, int before, int behind) {
        std::int64_t count = 0;
        for (int k = 0; k < kernel; ++k) {
            const int at = begin + k * dilation;
            count += work.countPadding ? at >= -before && at < extent + behind : at >= 0 && at < extent;
        }
        return count;
    };
    return std::max<std::int64_t>(
        1, places(origin.yBegin, w.kernelY, w.dilationY, layer.in.height, w.padTop, w.padBottom) *
               places(origin.xBegin, w.kernelX, w.dilationX, layer.in.width, w.padLeft, w.padRight));
}

template <class Number>
class VectorUnit {
public:
    VectorUnit(const CrossbarNetwork& network, const CrossbarNumbers& numbers)
        : m_network(network), m_numbers(numbers) {}

    using In = std::span<const Number>;
    using Out = std::span<Number>;

    /// Sums of a matrix layer -> its elements, channels \p channel and on; without its fused function.
    void finish(LayerId layer, In sums, std::int64_t channel, Out out) const {
        const LayerNumbers& n = at(layer);
        const std::size_t channels = n.sumExponents.size();
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const std::size_t c = (std::size_t(channel) + i) % channels;
            const double bias = n.bias.empty() ? 0 : n.bias[c];
            out[i] =
                held(real(sums[i], n.sumExponents[c]) + std::ldexp(bias, n.sumExponents[c]), n.preExponent);
        }
    }
    /// Sums of \p places pixels -> their mean.
    void average(LayerId layer, In sums, std::int64_t places, Out out) const {
        const CrossbarLayer& l = m_network.layers[layer.index()];
        for (std::size_t i = 0; i < sums.size(); ++i)
            out[i] = held(real(sums[i], at(l.inputs[0]).exponent) / double(places), at(layer).preExponent);
    }
    /// The fused function, on finished elements.
    void activate(LayerId layer, In in, Out out) const {
        const FusedActivation& f = m_network.layers[layer.index()].activation;
        if (f.op == VectorOp::None) {
            std::copy(in.begin(), in.end(), out.begin());
            return;
        }
        for (std::size_t i = 0; i < in.size(); ++i)
            out[i] = held(vectorFunction(f.op, real(in[i], at(layer).preExponent), f.alpha, f.beta),
                          at(layer).exponent);
    }
    /// Element layers of one operand.
    void element(LayerId layer, In in, Out out) const {
        const auto& work = *m_network.layers[layer.index()].template as<ElementWork>();
        for (std::size_t i = 0; i < in.size(); ++i)
            out[i] = held(vectorFunction(work.op, real(in[i], inExponent(m_network.layers[layer.index()])),
                                         work.alpha, work.beta),
                          at(layer).preExponent);
    }
    /// One step of an element layer of two operands or more. \param second real operand that meets element i.
    template <class Second>
    void element(LayerId layer, In first, int firstExponent, const Second& second, Out out) const {
        const auto& work = *m_network.layers[layer.index()].template as<ElementWork>();
        for (std::size_t i = 0; i < first.size(); ++i) {
            const double a = real(first[i], firstExponent), b = second(i);
            out[i] = held(work.constantFirst ? vectorFunction(work.op, b, a) : vectorFunction(work.op, a, b),
                          at(layer).preExponent);
        }
    }
    /// Whole pixels, \p first the element of the map they begin with.
    void normalise(LayerId layer, In in, std::int64_t first, Out out) const {
        const CrossbarLayer& l = m_network.layers[layer.index()];
        const auto& work = *l.template as<NormaliseWork>();
        const auto channels = std::size_t(l.out.channels);
        std::vector<double> pixel(channels), result(channels);
        if (work.kind == NormaliseKind::ScaleShift) {
            for (std::size_t i = 0; i < in.size(); ++i) {
                const std::size_t c = (std::size_t(first) + i) % channels;
                out[i] = held(real(in[i], inExponent(l)) * at(layer).factor[c] + at(layer).shift[c],
                              at(layer).preExponent);
            }
            return;
        }
        for (std::size_t begin = 0; begin + channels <= in.size(); begin += channels) {
            for (std::size_t c = 0; c < channels; ++c)
                pixel[c] = real(in[begin + c], inExponent(l));
            if (work.kind == NormaliseKind::Lrn)
                localResponse(work, pixel, result);
            else if (work.kind == NormaliseKind::Softmax)
                softmaxOf(pixel, result);
            else {
                normalisedOf(pixel, work.epsilon, work.kind == NormaliseKind::LayerNorm, result);
                for (std::size_t c = 0; c < channels; ++c)
                    result[c] = result[c] * at(layer).factor[c] + at(layer).shift[c];
            }
            for (std::size_t c = 0; c < channels; ++c)
                out[begin + c] = held(result[c], at(layer).preExponent);
        }
    }

    double real(Number value, int exponent) const {
        if constexpr (std::is_floating_point_v<Number>)
            return double(value);
        else
            return std::ldexp(double(value), exponent);
    }
    Number held(double value, int exponent) const {
        if constexpr (std::is_floating_point_v<Number>)
            return Number(value);
        else
            return fixed::fromReal(value, exponent, m_numbers.activationBits);
    }
    const LayerNumbers& at(LayerId layer) const { return m_numbers.layers[layer.index()]; }
    int inExponent(const CrossbarLayer& layer) const { return at(layer.inputs[0]).exponent; }

private:
    const CrossbarNetwork& m_network;
    const CrossbarNumbers& m_numbers;
};

} // namespace pim
