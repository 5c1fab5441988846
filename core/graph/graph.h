// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The network: ops, tensors, edges. Flow: model file -> import -> passes -> [Graph] -> placement.
/// Immutable once built, shared as `std::shared_ptr<const Graph>`. No weight bytes live here: a tensor knows
/// the file, offset and length of its initializer.
#include "core/base/ids.h"
#include "core/base/option_table.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pim {

enum class DataType : std::uint8_t {
    Unknown,
    F32,
    F16,
    BF16,
    F64,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Bool,
    String,
    Complex64,
    Complex128,
    I4, ///< These, and F4E2M1, lie in files two to a byte.
    U4,
    F8E4M3,
    F8E4M3Fnuz,
    F8E5M2,
    F8E5M2Fnuz,
    F4E2M1,
};
std::string_view name(DataType type); ///< "f16", "i8", …
std::optional<DataType> dataTypeFromName(std::string_view name);
bool isRealType(DataType type);      ///< With a fraction; not complex.
std::int64_t bytesOf(DataType type); ///< Bytes of one element at work; 0 for Unknown and String.
/// Of \p count elements in a file and in traffic: those of 4 bits are two to a byte. \p count * bytesOf() does not overflow.
std::int64_t storedBytes(DataType type, std::int64_t count);

/// Extents, outermost first. Each >= 0; -1 stands for an extent that is not known.
using Shape = std::vector<std::int64_t>;
bool isStatic(const Shape& shape);
std::string shapeText(const Shape& shape); ///< "[1, 64, 56, 56]", unknown extents as "?"
/// Product of the extents; 1 for a scalar. Error::InvalidModel where an extent is unknown or the product
/// overflows.
Result<std::int64_t> elementCount(const Shape& shape);

/// Where the bytes of an initializer lie. Nothing is read before somebody asks (see weights.h).
struct InitializerRef {
    std::filesystem::path file;
    std::int64_t offset = 0; ///< Bytes from the start of \ref file.
    std::int64_t length = 0; ///< Bytes; little-endian elements, row-major.
    bool present = true; ///< False: the file is absent or too short; the graph is complete, numeric work is
                         ///< not possible.
    /// False for the typed fields (`float_data`, `int64_data`, …): elements are protobuf-packed or spread;
    /// weights.h decodes.
    bool raw = true;
};

struct Derivation;

struct Tensor {
    std::string name; ///< Unique in the graph.
    DataType dtype = DataType::Unknown;
    std::optional<Shape> shape;         ///< Absent: rank unknown.
    std::optional<InitializerRef> data; ///< Set for initializers.
    /// Little-endian elements of a constant computed by us (folding) or small enough to matter to shapes;
    /// else null.
    std::shared_ptr<const std::vector<std::byte>> constant;
    /// Set where the value is computed from initializers but is too large to keep (a transposed weight, a
    /// weight with BatchNorm folded in). \ref data then points at the largest initializer it comes from,
    /// whose bytes are *not* the value: readConstant() computes it, on demand.
    std::shared_ptr<const Derivation> derived;
    /// Bits an element takes in the numbers a constant is unpacked from (4-bit blocks, int8 with scales), their scales and zeros
    /// included; 0 where it is none of these. A host reads those and unpacks them on the way.
    double packedBits = 0;
    OpId producer;               ///< Invalid for graph inputs, initializers and constants.
    std::vector<OpId> consumers; ///< In op order, each once.
    bool isInput = false;
    bool isOutput = false;

    bool isConstant() const { return data.has_value() || constant != nullptr || derived != nullptr; }
    /// Bytes of all elements; nullopt where shape or dtype is unknown.
    std::optional<std::int64_t> bytes() const;
    /// As they lie in memory: of a constant in packed numbers those, where they are fewer than \p unpacked.
    std::int64_t bytesAtRest(std::int64_t unpacked) const;
};

struct AttributeGraph {
    int nodes = 0;
}; ///< A subgraph (If, Loop, Scan body) we keep as a count only.
using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string>, AttributeGraph>;
std::string attributeText(const Attribute& value);

/// What kind of work an op is; decides which hardware can take it and how it is priced.
enum class OpClass : std::uint8_t {
    MatMul,      ///< MatMul, Gemm: C[..][M][N] += A[..][M][K] * B[..][K][N]
    Conv,        ///< Conv and its grouped and depthwise forms, ConvTranspose
    Attention,   ///< fused scores, softmax, context
    Elementwise, ///< one output element from one element of each input (unary and binary, broadcasting)
    Reduction,   ///< ReduceSum, ReduceMean, GlobalAveragePool, ArgMax, …
    Softmax,
    Normalize, ///< LayerNorm, RmsNorm, BatchNorm, GroupNorm, LRN
    Pool,
    Movement, ///< Reshape, Transpose, Concat, Slice, Gather, Pad, …: bytes move, nothing is computed
    Other,    ///< anything else, unknown domains included: kept, run on the host, cost unknown
};
std::string_view name(OpClass opClass);

/// Work an op does, from its shapes alone. All counts are for one execution.
struct OpWork {
    bool known = false;         ///< False: shapes are missing or the op is not understood; all counts are 0.
    std::int64_t macs = 0;      ///< Multiply-accumulates.
    std::int64_t otherOps = 0;  ///< Element operations that are not MACs (compare, add, exp, …).
    std::int64_t bytesRead = 0; ///< Activations and weights, each tensor once.
    std::int64_t bytesWritten = 0;
    std::int64_t weightBytes = 0; ///< The part of bytesRead that is constant.

    std::int64_t flops() const { return 2 * macs + otherOps; }
    /// Floating-point operations a byte of traffic; 0 where nothing moves.
    double arithmeticIntensity() const {
        const auto bytes = bytesRead + bytesWritten;
        return bytes > 0 ? static_cast<double>(flops()) / static_cast<double>(bytes) : 0.0;
    }
};

/// A node of the ONNX file an op came from.
struct NodeRef {
    int index = -1;   ///< Position in `graph.node` of the file.
    std::string name; ///< May be empty in the file; then "Type_index".
    std::string type;
};

struct Op {
    std::string name; ///< Unique in the graph.
    std::string
        type; ///< ONNX operator type, or ours for a recognised group: LayerNorm, RmsNorm, Gelu, Attention.
    std::string domain; ///< "" for ONNX proper, "pim" for recognised groups.
    OpClass opClass = OpClass::Other;
    std::map<std::string, Attribute> attributes;
    std::vector<TensorId> inputs; ///< Invalid id for an input left out.
    std::vector<TensorId> outputs;
    std::vector<NodeRef>
        sources; ///< Nodes of the file this op stands for, its fused parts included; never empty.
    OpWork work;

    const Attribute* attribute(std::string_view key) const;
    std::int64_t intAttribute(std::string_view key, std::int64_t fallback) const;
    double floatAttribute(std::string_view key, double fallback) const;
    std::string stringAttribute(std::string_view key, std::string fallback) const;
    std::vector<std::int64_t> intsAttribute(std::string_view key, std::vector<std::int64_t> fallback) const;
};

/// How a folded constant is computed: one op over constant tensors (which may be derived themselves).
struct Derivation {
    Op op;                      ///< Inputs and outputs are not set; \ref inputs holds the operands.
    std::vector<Tensor> inputs; ///< An input left out is a tensor without a name.
    int output = 0;             ///< Which output of the op this is.
    std::vector<std::pair<DataType, Shape>> outputs; ///< All outputs of the op.
    int depth = 1;                                   ///< Ops between this and the initializers.
};

/// A dimension the file leaves open and the value it has in this Graph.
struct DimBinding {
    std::string symbol; ///< Name in the file; "input_name.axis" for an anonymous one.
    std::int64_t value = 1;
    /// Nobody chose it: 1, or, for a dimension that is no batch, the smallest usual size the model can work
    /// on.
    bool assumed = true;
    std::vector<std::string> tensors; ///< Graph inputs that carry it.
};

/// What one pass did, kept for the pipeline view.
struct PassRecord {
    std::string name;    ///< "fold_constants"
    std::string summary; ///< One sentence for a person.
    bool enabled = true;
    int opsBefore = 0;
    int opsAfter = 0;
    int changes = 0; ///< Rewrites applied.
    double milliseconds = 0;
    OptionTexts options{}; ///< As chosen; those at their default are left out.
};

/// The file a Graph was made from.
struct ModelSource {
    std::filesystem::path path;
    std::int64_t fileBytes = 0;   ///< The .onnx file alone.
    std::int64_t weightBytes = 0; ///< All initializers and floating-point constants, wherever they lie.
    std::string producer;         ///< "pytorch 1.13.1"
    std::string description;      ///< What its author says of it.
    std::vector<std::pair<std::string, std::string>> metadata; ///< As written; long ones cut.
    std::int64_t irVersion = 0;
    std::map<std::string, std::int64_t> opsets; ///< domain -> version
    /// SHA-256 over graph structure, shapes and small constants, not over weight payloads: cheap, and equal
    /// exactly when placement and timing must be equal.
    std::string structureHash;
};

struct Graph {
    std::string name;
    std::vector<Op> ops;          ///< Topological order; OpId is the position.
    std::vector<Tensor> tensors;  ///< TensorId is the position.
    std::vector<TensorId> inputs; ///< Graph inputs that are not initializers.
    std::vector<TensorId> outputs;
    std::vector<DimBinding> bindings;
    std::vector<PassRecord> passes; ///< In the order they ran.
    Diagnostics problems;           ///< Unknown ops, missing weights, unresolved shapes, …
    ModelSource source;

    const Op& op(OpId id) const { return ops[id.index()]; }
    const Tensor& tensor(TensorId id) const { return tensors[id.index()]; }
    /// Finds by exact name; invalid id if there is none.
    OpId findOp(std::string_view opName) const;
    std::vector<OpId> predecessors(OpId id) const; ///< Producers of the inputs, each once, in input order.
    std::vector<OpId> successors(OpId id) const;
    OpWork totalWork() const;
    std::int64_t missingWeightTensors() const;
};

} // namespace pim
