// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A Graph brought to 8 bit, and its reference execution: what a compute-in-memory chip with exact
/// accumulators computes. The scheme, so exact that two executors agree bit for bit:
/// * A tensor of real numbers is int8 with one exponent e for all of it: real = q * 2^e. q = round(x * 2^-e),
/// ties to even,
///   clamped to [-128, 127]: QuantizeLinear of ONNX with zero point 0 and a scale that is a power of two
///   (Jacob et al. 2018, arXiv:1712.05877, with the scales of Jain et al. 2020, arXiv:1903.08066).
/// * e is the smallest exponent with max |x| <= 127 * 2^e: of the constant itself, or of the tensor in runs of the
///   network in float32 on calibration inputs. Infinities count as 65504, the largest half-precision number.
/// * Matrix products: exact int32 sums of int8 products; plus the bias as int32 with the exponent of the
/// sums, e_in + e_w;
///   times 2^(e_in + e_w - e_out), rounded with ties to even, clamped. Scores of attention are brought to 8
///   bit the same way; its probabilities have exponent -7.
/// * Operators that choose or move elements (ReLU, max pooling, Reshape, Transpose, …) keep the exponent of
/// their input: exact.
/// * All others run in float32 on q * 2^e (real_ops.h) and their results are brought to 8 bit again. Their
/// constants
///   (gains, masks, tables of embeddings) stay float32: the digital unit holds them.
/// * Whole numbers and truth values (token ids, masks, shapes) stay as they are.
#include "core/base/task.h"
#include "core/numeric/element_access.h"
#include "core/numeric/matrix_form.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pim {

/// A constant operand of a matrix product.
struct QuantizedOperand {
    std::vector<std::int8_t> values; ///< As the tensor lies in the graph.
    int exponent = 0;
};

constexpr int kProbabilityExponent = -7;

struct QuantizedModel {
    std::shared_ptr<const Graph> graph;
    std::vector<std::vector<MatrixForm>> forms; ///< One an op; empty where it is no matrix product.
    std::vector<std::optional<int>> exponents;  ///< One a tensor: of activations that are int8.
    std::map<std::pair<OpId, int>, QuantizedOperand>
        operands; ///< Constant operands of matrix products, by op and input.
    std::map<OpId, std::vector<std::int32_t>> biases; ///< One a channel (g * k), or one an output element.
    std::map<OpId, int> scoreExponents;               ///< Of attention ops.
    std::map<TensorId, Value> constants;              ///< Operands of other ops; fractions as F32.
    std::vector<Value> calibration;                   ///< The first inputs it was calibrated with.

    const MatrixForm& form(OpId op, int part) const {
        return forms[op.index()][static_cast<std::size_t>(part)];
    }
    /// How a tensor is held: I8, or the type of the graph.
    DataType heldType(TensorId tensor) const {
        return exponents[tensor.index()] ? DataType::I8 : graph->tensor(tensor).dtype;
    }
    /// Bytes in memory of the int8 weights.
    std::int64_t weightBytes() const;
};

struct QuantizeOptions {
    std::vector<std::vector<Value>>
        calibration; ///< Inputs of each float32 run; empty: one with sampleInputs(seed).
    std::uint64_t seed = 1;
    int threads = 0; ///< 0: as many as the machine has.
};

/// Errors: those of runReal(); Unsupported where a sum could overflow 32 bits or a bias is no constant, with
/// the op.
Result<QuantizedModel> quantize(std::shared_ptr<const Graph> graph, const QuantizeOptions& options = {},
                                const TaskContext& task = {});

/// Smallest e with largest <= 127 * 2^e, in [-120, 121]; -7 for 0.
int exponentFor(double largest);
std::int8_t quantizeReal(float value, int exponent);
/// sum * 2^-shift, ties to even, clamped to int8.
std::int8_t requantize(std::int64_t sum, int shift);

/// F32 -> I8 and back.
Value toInt8(const Value& reals, int exponent);
Value toReal(const Value& int8, int exponent);

/// Finishes the sums of one matrix product.
class SumFinisher {
public:
    SumFinisher(const QuantizedModel& model, OpId op, int part);
    /// \param at element of the result, MatrixForm::outIndex. \param channel instance * k + column.
    std::int8_t operator()(std::int64_t at, std::int64_t channel, std::int32_t sum) const {
        const std::int64_t bias =
            !m_bias ? 0 : (*m_bias)[static_cast<std::size_t>(m_perChannel ? channel : at)];
        return requantize(sum + bias, m_shift);
    }

private:
    const std::vector<std::int32_t>* m_bias = nullptr;
    bool m_perChannel = true;
    int m_shift = 0;
};

/// An op that is no matrix product. Inputs and outputs as held: I8 with the exponents of the model, constants
/// of the model, others as they are. Results of ops a chip runs on its digital unit are defined by this
/// function alone.
Result<std::vector<Value>> runQuantizedOp(const QuantizedModel& model, OpId op, std::span<const Value> inputs,
                                          int threads = 0);
/// I8 scores -> I8 probabilities of an attention op. \param mask as held; bytes null if there is none.
Result<Value> quantizedProbabilities(const QuantizedModel& model, OpId op, const Value& scores,
                                     const Value& mask, int threads = 0);

/// The value of a tensor that an op reads and that is a constant.
const Value* constantOf(const QuantizedModel& model, TensorId tensor);

/// Everything a run computed.
struct QuantizedRun {
    std::vector<Value> values; ///< One a tensor of the graph, as held; bytes null for constants.
    std::map<std::pair<OpId, int>, std::vector<std::int32_t>>
        sums;                                    ///< Of op and part, [MatrixForm::outIndex], before the bias.
    std::map<OpId, Value> scores, probabilities; ///< I8, of attention ops.
};

/// A machine that computes parts of a run in its own way, on the operands of the reference.
class QuantizedDevice {
public:
    virtual ~QuantizedDevice() = default;
    /// Sums of a product before the bias, [MatrixForm::outIndex]; operands as they lie in the graph. Nothing: the reference adds up.
    virtual Result<std::optional<std::vector<std::int32_t>>> sums(const MatrixForm& form,
                                                                  std::span<const std::int8_t> input,
                                                                  std::span<const std::int8_t> weights) = 0;
    /// Results of another op, as held. Nothing: the reference computes them.
    virtual Result<std::optional<std::vector<Value>>> results(OpId op, std::span<const Value> inputs) = 0;
};

struct QuantizedRunOptions {
    bool keepSums = true;
    int threads = 0;
    QuantizedDevice* device = nullptr; ///< Null: the reference computes all.
};

/// \param inputs as runReal(): fractions in F32; they are brought to 8 bit here.
Result<QuantizedRun> runQuantized(const QuantizedModel& model, std::span<const Value> inputs,
                                  const QuantizedRunOptions& options = {}, const TaskContext& task = {});
/// The inputs as held.
Result<std::vector<Value>> heldInputs(const QuantizedModel& model, std::span<const Value> inputs);

} // namespace pim
