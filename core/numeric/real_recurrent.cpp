// SPDX-License-Identifier: GPL-3.0-or-later
// Cells that are run over a sequence: RNN, GRU, LSTM. [ONNX 1.12, Operators.md, RNN-14, GRU-14, LSTM-14]
#include "core/base/parallel.h"
#include "core/numeric/kernels.h"
#include "core/numeric/real_ops.h"

#include <array>
#include <limits>
#include <string_view>

namespace pim::numeric {

namespace {

struct NamedActivation {
    std::string_view name;
    float (*apply)(float x, float alpha, float beta);
    int parameters;            ///< How many it takes of alpha and beta.
    float alpha = 0, beta = 0; ///< Where the operator gives none.
};
constexpr std::array kActivations{
    NamedActivation{"Sigmoid", [](float x, float, float) { return sigmoid(x); }, 0},
    NamedActivation{"Tanh", [](float x, float, float) { return std::tanh(x); }, 0},
    NamedActivation{"Relu", [](float x, float, float) { return std::max(x, 0.0F); }, 0},
    NamedActivation{"Affine", [](float x, float a, float b) { return a * x + b; }, 2, 1, 0},
    NamedActivation{"LeakyRelu", [](float x, float a, float) { return x < 0 ? a * x : x; }, 1, 0.01F},
    NamedActivation{"ThresholdedRelu", [](float x, float a, float) { return x > a ? x : 0; }, 1, 1},
    NamedActivation{"ScaledTanh", [](float x, float a, float b) { return a * std::tanh(b * x); }, 2, 1, 1},
    NamedActivation{"HardSigmoid",
                    [](float x, float a, float b) { return std::clamp(a * x + b, 0.0F, 1.0F); }, 2, 0.2F,
                    0.5F},
    NamedActivation{"Elu", [](float x, float a, float) { return x < 0 ? a * std::expm1(x) : x; }, 1, 1},
    NamedActivation{"Softsign", [](float x, float, float) { return x / (1 + std::fabs(x)); }, 0},
    NamedActivation{"Softplus", [](float x, float, float) { return softplus(x); }, 0},
};

struct Activation {
    const NamedActivation* named = nullptr;
    float alpha = 0, beta = 0;
    float operator()(float x) const { return named->apply(x, alpha, beta); }
};

template <class List>
const List* listAttribute(const Op& op, std::string_view key) {
    const Attribute* const value = op.attribute(key);
    return value ? std::get_if<List>(value) : nullptr;
}

/// Of all directions, those of one behind those of the other; empty: one of them is not known. alpha and beta are taken in order by those
/// that have them.
std::vector<Activation> activationsOf(const Op& op, std::span<const std::string_view> usual,
                                      std::size_t directions) {
    std::vector<std::string> names;
    if (const auto* const given = listAttribute<std::vector<std::string>>(op, "activations"))
        names = *given;
    else
        for (std::size_t d = 0; d < directions; ++d)
            names.insert(names.end(), usual.begin(), usual.end());
    const auto* const alphas = listAttribute<std::vector<double>>(op, "activation_alpha");
    const auto* const betas = listAttribute<std::vector<double>>(op, "activation_beta");
    std::size_t nextAlpha = 0, nextBeta = 0;
    const auto taken = [](const std::vector<double>* list, std::size_t& next, float usually) {
        return list && next < list->size() ? static_cast<float>((*list)[next++]) : usually;
    };
    std::vector<Activation> all;
    for (const std::string& name : names) {
        const auto* const named = std::ranges::find(kActivations, name, &NamedActivation::name);
        if (named == kActivations.end())
            return {};
        all.push_back({named, named->alpha, named->beta});
        if (named->parameters > 0)
            all.back().alpha = taken(alphas, nextAlpha, named->alpha);
        if (named->parameters > 1)
            all.back().beta = taken(betas, nextBeta, named->beta);
    }
    return all.size() == usual.size() * directions ? all : std::vector<Activation>();
}

/// Weights [columns][n], packed once and multiplied with rows [n] many times.
class Panels {
public:
    Panels(const float* weights, std::int64_t columns, std::int64_t n) : m_columns(columns), m_n(n) {
        m_packed.resize(
            static_cast<std::size_t>((columns + kRealColumns - 1) / kRealColumns * kRealColumns * n));
        for (std::int64_t c = 0; c < columns; ++c)
            for (std::int64_t i = 0; i < n; ++i)
                m_packed[static_cast<std::size_t>(c / kRealColumns * kRealColumns * n + i * kRealColumns +
                                                  c % kRealColumns)] = weights[c * n + i];
    }
    /// \p out [rows][columns] is written over.
    void multiply(const float* rows, std::int64_t count, float* out, int threads) const {
        const auto panels = static_cast<std::size_t>((m_columns + kRealColumns - 1) / kRealColumns);
        parallelFor(panels, threads, [&](std::size_t panel) {
            const std::int64_t first = static_cast<std::int64_t>(panel) * kRealColumns;
            realProduct({rows, count, m_packed.data() + first * m_n,
                         std::min(kRealColumns, m_columns - first), m_n, out + first, m_columns});
        });
    }

private:
    std::int64_t m_columns, m_n;
    std::vector<float> m_packed;
};

enum class Kind : std::uint8_t { Rnn, Gru, Lstm };

/// One operator; its operands have the shapes they must have.
class Cell {
public:
    Cell(const RealCall& call, Kind kind, std::vector<Activation> activations)
        : m_call(call), m_kind(kind), m_activations(std::move(activations)),
          m_clip(call.op.floatAttribute("clip", 0) > 0 ? static_cast<float>(call.op.floatAttribute("clip", 0))
                                                       : std::numeric_limits<float>::max()),
          m_couples(call.op.intAttribute("input_forget", 0) != 0),
          m_batchFirst(call.op.intAttribute("layout", 0) != 0), m_lengths(call.ints(4)) {
        const Shape &x = call.in[0].shape, &r = call.in[2].shape;
        m_steps = x[m_batchFirst ? 1 : 0];
        m_batch = x[m_batchFirst ? 0 : 1];
        m_inputs = x[2];
        m_directions = r[0];
        m_gates = r[1] / r[2];
        m_hidden = r[2];
    }

    std::vector<Value> run() {
        std::vector<Fresh<float>> made;
        for (const Value& out : m_call.out)
            made.emplace_back(DataType::F32,
                              bytesOf(out.dtype) == 0 ? Shape{0} : out.shape); // nobody wants it
        for (std::int64_t d = 0; d < m_directions; ++d)
            runDirection(d, made);
        std::vector<Value> values;
        for (Fresh<float>& one : made)
            values.push_back(std::move(one.value));
        return values;
    }

private:
    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
    /// Of a state: [D][B][H] or [B][D][H].
    std::int64_t statePlace(std::int64_t d, std::int64_t b) const {
        return (m_batchFirst ? b * m_directions + d : d * m_batch + b) * m_hidden;
    }
    /// [T][D][B][H] or [B][T][D][H].
    std::int64_t resultPlace(std::int64_t step, std::int64_t d, std::int64_t b) const {
        return (m_batchFirst ? (b * m_steps + step) * m_directions + d
                             : (step * m_directions + d) * m_batch + b) *
               m_hidden;
    }
    std::int64_t length(std::int64_t b) const {
        return m_lengths.empty() ? m_steps : std::clamp<std::int64_t>(m_lengths[at(b)], 0, m_steps);
    }
    std::vector<float> initial(std::size_t operand, std::int64_t d) const {
        std::vector<float> state(at(m_batch * m_hidden));
        if (m_call.has(operand))
            for (std::int64_t b = 0; b < m_batch; ++b)
                std::copy_n(m_call.reals(operand).data() + statePlace(d, b), m_hidden,
                            state.data() + b * m_hidden);
        return state;
    }
    float clipped(float x) const { return std::clamp(x, -m_clip, m_clip); }

    void runDirection(std::int64_t d, std::vector<Fresh<float>>& made) {
        const std::string direction = m_call.op.stringAttribute("direction", "forward");
        const bool backwards = direction == "reverse" || d == 1;
        const std::int64_t width = m_gates * m_hidden;
        const Panels recurrent(m_call.reals(2).data() + d * width * m_hidden, width, m_hidden);
        const std::vector<float> projected = projection(d);
        m_hiddenBias.assign(at(width), 0);
        m_bias.assign(at(width), 0);
        if (m_call.has(3)) {
            const float* const bias = m_call.reals(3).data() + d * 2 * width;
            std::copy_n(bias, width, m_bias.data());
            std::copy_n(bias + width, width, m_hiddenBias.data());
        }
        m_peepholes = m_call.has(7) ? m_call.reals(7).data() + d * 3 * m_hidden : nullptr;
        m_f = m_activations.data() + d * std::int64_t(m_activations.size()) / m_directions;
        std::vector<float> state = initial(5, d), cell = initial(6, d), next(state),
                           sums(at(m_batch * width));
        std::vector<float> reset(m_kind == Kind::Gru ? at(m_batch * m_hidden) : 0), resetSums(reset.size());
        const bool resetsFirst = m_kind == Kind::Gru && m_call.op.intAttribute("linear_before_reset", 0) == 0;
        std::optional<Panels> last; // of GRU's third gate alone
        if (resetsFirst)
            last.emplace(m_call.reals(2).data() + (d * width + 2 * m_hidden) * m_hidden, m_hidden, m_hidden);
        for (std::int64_t step = 0; step < m_steps; ++step) {
            recurrent.multiply(state.data(), m_batch, sums.data(), m_call.threads);
            if (resetsFirst) {
                for (std::int64_t b = 0; b < m_batch; ++b)
                    for (std::int64_t h = 0; h < m_hidden; ++h)
                        reset[at(b * m_hidden + h)] =
                            gate(projected, sums, place(step, b, backwards), b, 1, h) *
                            state[at(b * m_hidden + h)];
                last->multiply(reset.data(), m_batch, resetSums.data(), m_call.threads);
            }
            for (std::int64_t b = 0; b < m_batch; ++b) {
                if (step >= length(b))
                    continue;
                const std::int64_t row = place(step, b, backwards);
                for (std::int64_t h = 0; h < m_hidden; ++h) {
                    const std::size_t i = at(b * m_hidden + h);
                    switch (m_kind) {
                    case Kind::Rnn:
                        next[i] = gate(projected, sums, row, b, 0, h);
                        break;
                    case Kind::Gru:
                        next[i] =
                            gru(projected, sums, resetsFirst ? &resetSums[i] : nullptr, state[i], row, b, h);
                        break;
                    case Kind::Lstm:
                        next[i] = lstm(projected, sums, cell[i], row, b, h);
                        break;
                    }
                }
                std::copy_n(next.data() + b * m_hidden, m_hidden, state.data() + b * m_hidden);
                if (!made[0].data.empty()) {
                    const std::int64_t time = backwards ? length(b) - 1 - step : step;
                    std::copy_n(state.data() + b * m_hidden, m_hidden,
                                made[0].data.data() + resultPlace(time, d, b));
                }
            }
        }
        for (std::size_t out = 1; out < made.size(); ++out)
            for (std::int64_t b = 0; b < m_batch && !made[out].data.empty(); ++b)
                if (length(b) > 0) // else zero, as in ONNX Runtime 1.30: the standard does not say
                    std::copy_n((out == 1 ? state : cell).data() + b * m_hidden, m_hidden,
                                made[out].data.data() + statePlace(d, b));
    }

    /// X * W^T of all steps, [T * B][gates * H].
    std::vector<float> projection(std::int64_t d) const {
        const std::int64_t width = m_gates * m_hidden;
        std::vector<float> projected(at(m_steps * m_batch * width));
        Panels(m_call.reals(1).data() + d * width * m_inputs, width, m_inputs)
            .multiply(m_call.reals(0).data(), m_steps * m_batch, projected.data(), m_call.threads);
        return projected;
    }
    /// Row of X that a sample has in this step.
    std::int64_t place(std::int64_t step, std::int64_t b, bool backwards) const {
        const std::int64_t time = backwards ? std::max<std::int64_t>(0, length(b) - 1 - step) : step;
        return m_batchFirst ? b * m_steps + time : time * m_batch + b;
    }

    /// What goes into the activation of a gate, but for its peephole.
    float sum(const std::vector<float>& projected, const std::vector<float>& sums, std::int64_t row,
              std::int64_t b, std::int64_t g, std::int64_t h) const {
        const std::int64_t width = m_gates * m_hidden, column = g * m_hidden + h;
        return projected[at(row * width + column)] + sums[at(b * width + column)] + m_bias[at(column)] +
               m_hiddenBias[at(column)];
    }
    float gate(const std::vector<float>& projected, const std::vector<float>& sums, std::int64_t row,
               std::int64_t b, std::int64_t g, std::int64_t h) const {
        return m_f[0](clipped(sum(projected, sums, row, b, g, h)));
    }

    /// Gates z, r, h. \p afterReset the product of the third gate with the state that was reset before; null: it is reset after.
    float gru(const std::vector<float>& projected, const std::vector<float>& sums, const float* afterReset,
              float state, std::int64_t row, std::int64_t b, std::int64_t h) const {
        const std::int64_t width = m_gates * m_hidden, column = 2 * m_hidden + h;
        const float update = gate(projected, sums, row, b, 0, h);
        const float own = projected[at(row * width + column)] + m_bias[at(column)],
                    bias = m_hiddenBias[at(column)];
        const float recurrent =
            afterReset ? *afterReset + bias
                       : gate(projected, sums, row, b, 1, h) * (sums[at(b * width + column)] + bias);
        return (1 - update) * m_f[1](clipped(own + recurrent)) + update * state;
    }

    /// Gates i, o, f, c.
    float lstm(const std::vector<float>& projected, const std::vector<float>& sums, float& cell,
               std::int64_t row, std::int64_t b, std::int64_t h) const {
        const auto peephole = [&](std::int64_t p, float c) {
            return m_peepholes ? m_peepholes[p * m_hidden + h] * c : 0;
        };
        const auto gateOf = [&](std::int64_t g, std::int64_t p, float c) {
            return m_f[0](clipped(sum(projected, sums, row, b, g, h) + peephole(p, c)));
        };
        const float in = gateOf(0, 0, cell);
        const float forget = m_couples ? 1 - in : gateOf(2, 2, cell);
        cell = forget * cell + in * m_f[1](clipped(sum(projected, sums, row, b, 3, h)));
        return gateOf(1, 1, cell) * m_f[2](cell);
    }

    const RealCall& m_call;
    Kind m_kind;
    std::vector<Activation> m_activations;
    float m_clip;
    bool m_couples; ///< LSTM: what is let in is what is forgotten.
    bool m_batchFirst;
    std::vector<std::int64_t> m_lengths; ///< Of the samples; empty: all have all steps.
    std::int64_t m_steps = 0, m_batch = 0, m_inputs = 0, m_directions = 1, m_gates = 1, m_hidden = 0;
    // Of the direction at hand.
    std::vector<float> m_bias, m_hiddenBias;
    const float* m_peepholes = nullptr;
    const Activation* m_f = nullptr;
};

} // namespace

RealAnswer runRecurrent(const RealCall& call) {
    static constexpr std::array<std::string_view, 3> kUsual{"Sigmoid", "Tanh", "Tanh"};
    const Op& op = call.op;
    const Kind kind = op.type == "LSTM" ? Kind::Lstm : op.type == "GRU" ? Kind::Gru : Kind::Rnn;
    if (!op.domain.empty() || (kind == Kind::Rnn && op.type != "RNN") || !call.real(0) || !call.real(1) ||
        !call.real(2))
        return std::nullopt;
    const Shape &x = call.in[0].shape, &w = call.in[1].shape, &r = call.in[2].shape;
    const std::int64_t gates = kind == Kind::Rnn ? 1 : kind == Kind::Gru ? 3 : 4;
    if (x.size() != 3 || w.size() != 3 || r.size() != 3)
        return std::nullopt;
    const std::int64_t hidden = r[2], directions = r[0], batch = x[op.intAttribute("layout", 0) != 0 ? 0 : 1];
    const std::string direction = op.stringAttribute("direction", "forward");
    if (hidden < 1 || w != Shape{directions, gates * hidden, x[2]} ||
        r != Shape{directions, gates * hidden, hidden} ||
        directions != (direction == "bidirectional" ? 2 : 1))
        return std::nullopt;
    const auto fits = [&](std::size_t i, std::int64_t count) {
        return !call.has(i) || call.in[i].count() == count;
    };
    if (!fits(3, directions * 2 * gates * hidden) || !fits(4, batch) ||
        !fits(5, directions * batch * hidden) || !fits(6, directions * batch * hidden) ||
        !fits(7, directions * 3 * hidden))
        return std::nullopt;
    const std::int64_t states = directions * batch * hidden;
    for (std::size_t i = 0; i < call.out.size(); ++i)
        if (bytesOf(call.out[i].dtype) != 0 &&
            call.out[i].count() != (i == 0 ? x[0] * x[1] * directions * hidden : states))
            return std::nullopt;
    for (const std::size_t i : {3, 5, 6, 7})
        if (call.has(i) && !call.real(i))
            return std::nullopt;
    std::span<const std::string_view> usual(kUsual);
    if (kind == Kind::Rnn)
        usual = usual.subspan(1, 1);
    else if (kind == Kind::Gru)
        usual = usual.first(2);
    auto activations = activationsOf(op, usual, static_cast<std::size_t>(directions));
    if (activations.empty())
        return std::nullopt;
    return Cell(call, kind, std::move(activations)).run();
}

} // namespace pim::numeric
