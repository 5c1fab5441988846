// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Builds one ONNX graph node by node and writes it, weights streamed behind the structure.
#include "core/base/task.h"
#include "core/graph/zoo/seeded_values.h"

#include <memory>
#include <utility>

namespace pim::zoo {

/// Fixed extent, or the name of one that stays open.
struct Dim {
    Dim(std::int64_t extent) : value(extent) {}                    // NOLINT: dims are written as numbers
    Dim(std::string openSymbol) : symbol(std::move(openSymbol)) {} // NOLINT: or as names
    Dim(const char* openSymbol) : symbol(openSymbol) {}            // NOLINT
    std::int64_t value = -1;
    std::string symbol;
};

using Attributes =
    std::vector<std::pair<std::string, std::variant<std::int64_t, double, std::vector<std::int64_t>>>>;

/// Values are names of tensors, as in ONNX. Node and tensor names follow the current scope:
/// "/layers.0/attn/MatMul".
class GraphWriter {
public:
    GraphWriter(std::string name, std::string description, DataType floatType);
    ~GraphWriter();
    GraphWriter(const GraphWriter&) = delete;
    GraphWriter& operator=(const GraphWriter&) = delete;

    DataType floatType() const;

    std::string input(const std::string& name, DataType type, const std::vector<Dim>& dims);
    /// Names \p value, the result of a node, as output of the graph.
    void output(const std::string& value, const std::string& name, const std::vector<Dim>& dims);

    /// A trainable tensor of floatType(); counts as parameters.
    std::string weight(const std::string& name, const Shape& shape, const Fill& fill);
    /// The same for tensors nobody trains: masks, tables, running statistics.
    std::string table(const std::string& name, const Shape& shape, const Fill& fill);
    /// Constants that are part of the structure: always in the file.
    std::string ints(const std::vector<std::int64_t>& values); ///< int64 [n]
    std::string intScalar(std::int64_t value);                 ///< int64 []
    std::string scalar(double value);                          ///< floatType() []
    std::string intTable(const std::string& name, const Shape& shape,
                         const std::vector<std::int64_t>& values);

    std::string node(const std::string& type, const std::vector<std::string>& inputs,
                     const Attributes& attributes = {});
    std::vector<std::string> nodes(const std::string& type, const std::vector<std::string>& inputs,
                                   int outputs, const Attributes& attributes = {});

    /// Names made while it lives get \p name in front.
    class Scope {
    public:
        Scope(GraphWriter& writer, const std::string& name);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        GraphWriter& m_writer;
        std::size_t m_length;
    };

    std::int64_t parameters() const;
    std::int64_t weightBytes() const;
    std::int64_t nodeCount() const;

    enum class Weights { Present, Absent };
    struct WriteOptions {
        Weights weights = Weights::Present;
        std::uint64_t seed = 1;
        std::int64_t inlineLimitBytes = 0; ///< More weights than this go to a file of their own.
    };
    /// \returns the files written.
    Result<std::vector<std::filesystem::path>>
    write(const std::filesystem::path& file, const WriteOptions& options, const TaskContext& task) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace pim::zoo
