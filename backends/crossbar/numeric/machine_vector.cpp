// SPDX-License-Identifier: GPL-3.0-or-later
// Vector operations: which rule of README.md an instruction follows, by the kind of its layer.
#include "backends/crossbar/numeric/machine.h"

#include <fmt/format.h>

namespace pim {

template <class Number>
Result<void> CrossbarMachine<Number>::give(CoreId core, const Instruction& in, std::span<const Number> values,
                                           bool complete) {
    if constexpr (!std::is_floating_point_v<Number>)
        if (m_check && complete)
            if (const auto miss = m_check->check(LayerId(in.layer), values))
                return broken(core, fmt::format("pixel {}, channel {} of \"{}\" should be {}, it computes {}",
                                                miss->pixel, miss->channel, layerOf(in).name, miss->expected,
                                                miss->got));
    return write(core, in.dst, values, wideResult(in));
}

template <class Number>
Result<void> CrossbarMachine<Number>::vector(CoreId core, const Instruction& in) {
    const CrossbarLayer& layer = layerOf(in);
    const VectorOp activation = layer.activation.op;
    const auto* element = layer.template as<ElementWork>();
    // A fused function that is a step of its own.
    if (activation != VectorOp::None && in.vec == activation && !wideSource(in) &&
        !(element && element->op == activation)) {
        PIM_TRY(const auto values, read(core, in.src1, in.length, false));
        std::vector<Number> out(values.size());
        m_unit.activate(LayerId(in.layer), values, out);
        return give(core, in, out, true);
    }
    if (const MatrixWork* work = layer.matrix())
        return matrixVector(core, in, *work);
    if (const auto* work = layer.template as<WindowWork>())
        return windowVector(core, in, *work);
    if (element)
        return elementVector(core, in, *element);
    if (const auto* normalise = layer.template as<NormaliseWork>()) {
        if (in.vec != vectorOpOf(normalise->kind))
            return broken(core, fmt::format("its layer computes {}", name(vectorOpOf(normalise->kind))));
        PIM_TRY(const auto values, read(core, in.src1, in.length, false));
        if (in.vec != VectorOp::Scale && in.length % std::uint32_t(layer.out.channels) != 0)
            return broken(core, fmt::format("it takes {} elements, a pixel has {} channels", in.length,
                                            layer.out.channels));
        std::vector<Number> out(values.size());
        m_unit.normalise(LayerId(in.layer), values, in.index, out);
        return give(core, in, out, activation == VectorOp::None);
    }
    return broken(core, "its layer only moves elements");
}

template <class Number>
Result<void> CrossbarMachine<Number>::matrixVector(CoreId core, const Instruction& in, const MatrixWork&) {
    PIM_TRY(auto sums, read(core, in.src1, in.length, wideSource(in)));
    if (wideSource(in) && wideResult(in)) {
        if (in.vec != VectorOp::Add)
            return broken(core, "accumulators can only be added");
        PIM_TRY(const auto other, read(core, in.src2, in.length, true));
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] = wrapped(sums[i] + other[i]);
        return write(core, in.dst, sums, true);
    }
    if (!wideSource(in))
        return broken(core, "only sums are finished by a matrix layer");
    const VectorOp activation = layerOf(in).activation.op;
    if (in.vec != VectorOp::Scale && in.vec != VectorOp::None && in.vec != activation)
        return broken(core, fmt::format("its layer ends with {}",
                                        activation == VectorOp::None ? "scale" : name(activation)));
    std::vector<Number> out(sums.size());
    m_unit.finish(LayerId(in.layer), sums, in.index, out);
    const bool both = activation != VectorOp::None && in.vec == activation;
    if (both)
        m_unit.activate(LayerId(in.layer), std::vector<Number>(out), out);
    return give(core, in, out, both || activation == VectorOp::None);
}

template <class Number>
Result<void> CrossbarMachine<Number>::windowVector(CoreId core, const Instruction& in,
                                                   const WindowWork& work) {
    PIM_TRY(auto values, read(core, in.src1, in.length, wideSource(in)));
    if (in.vec == VectorOp::Scale) {
        if (work.kind != PoolKind::Average || !wideSource(in))
            return broken(core, "only the sums of an average pool are divided");
        std::vector<Number> out(values.size());
        m_unit.average(LayerId(in.layer), values, averagePlaces(layerOf(in), work, in.src2), out);
        return give(core, in, out, true);
    }
    // The second operand of a sum may be a pixel as it is stored.
    const bool wideSecond = wideSource(in) && m_cores[core.index()].local.isWide(in.src2);
    PIM_TRY(const auto other, read(core, in.src2, in.length, wideSecond));
    const VectorOp wanted = work.kind == PoolKind::Max ? VectorOp::Max : VectorOp::Add;
    if (in.vec != wanted)
        return broken(core, fmt::format("its layer needs {}", name(wanted)));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = wanted == VectorOp::Max ? std::max(values[i], other[i]) : wrapped(values[i] + other[i]);
    return write(core, in.dst, values, wideResult(in));
}

template <class Number>
Result<void> CrossbarMachine<Number>::elementVector(CoreId core, const Instruction& in,
                                                    const ElementWork& work) {
    const CrossbarLayer& layer = layerOf(in);
    const LayerNumbers& numbers = m_unit.at(LayerId(in.layer));
    if (in.vec != work.op)
        return broken(core, fmt::format("its layer computes {}", name(work.op)));
    PIM_TRY(const auto first, read(core, in.src1, in.length, false));
    std::vector<Number> out(first.size());
    const bool complete = layer.activation.op == VectorOp::None;
    // inputs of more than one step share theirs with the result
    const int firstExponent = m_unit.inExponent(layer);
    const auto channels = std::size_t(layer.out.channels);
    const auto meets = [&](Broadcast broadcast, std::size_t begin, std::size_t i) {
        switch (broadcast) {
        case Broadcast::Pixels:
            return (begin + i) % channels;
        case Broadcast::Channels:
            return (begin + i) / channels;
        case Broadcast::Scalar:
            return std::size_t(0);
        default:
            return begin + i;
        }
    };
    if (layer.inputs.size() == 1 && !work.constant.valid()) {
        m_unit.element(LayerId(in.layer), first, out);
        return give(core, in, out, complete);
    }
    if (work.constant.valid()) {
        if (std::int64_t(in.index) + in.length > layer.out.elements())
            return broken(core, fmt::format("elements {} to {} of {}", in.index, in.index + in.length,
                                            layer.out.elements()));
        m_unit.element(
            LayerId(in.layer), first, firstExponent,
            [&](std::size_t i) {
                return double(numbers.constant[meets(work.broadcast.back(), in.index, i)]);
            },
            out);
        return give(core, in, out, complete);
    }
    if (in.index < 1 || in.index >= layer.inputs.size())
        return broken(core, fmt::format("operand {} of {}", in.index, layer.inputs.size()));
    PIM_TRY(const auto second, read(core, in.src2, in.length, false));
    const int exponent = m_unit.at(layer.inputs[in.index]).exponent;
    m_unit.element(
        LayerId(in.layer), first, firstExponent,
        [&](std::size_t i) { return m_unit.real(second[i], exponent); }, out);
    return give(core, in, out, complete && in.index + 1 == layer.inputs.size());
}

template class CrossbarMachine<std::int64_t>;
template class CrossbarMachine<double>;

} // namespace pim
