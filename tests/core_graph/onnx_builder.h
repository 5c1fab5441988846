// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Writes small ONNX files for tests, with libonnx. Also the broken ones no exporter would write.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace pim::test {

/// A fixed extent, a symbol, or (empty symbol) an anonymous open one.
using DimSpec = std::variant<std::int64_t, std::string>;
using AttributeSpec = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                                   std::vector<double>, std::vector<std::string>>;
using Attributes = std::vector<std::pair<std::string, AttributeSpec>>;

class OnnxBuilder {
public:
    explicit OnnxBuilder(std::int64_t opset = 13);
    OnnxBuilder(OnnxBuilder&&) noexcept;
    ~OnnxBuilder();

    OnnxBuilder& input(const std::string& name, const std::vector<DimSpec>& dims, int onnxType = 1);
    OnnxBuilder& output(const std::string& name);
    OnnxBuilder& node(const std::string& type, const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs, const Attributes& attributes = {},
                      const std::string& name = {}, const std::string& domain = {});
    /// Float weights 0, 1, 2, … scaled by \p step, as raw data.
    OnnxBuilder& weight(const std::string& name, const std::vector<std::int64_t>& dims, float step = 0.01F);
    OnnxBuilder& floats(const std::string& name, const std::vector<std::int64_t>& dims,
                        const std::vector<float>& values);
    OnnxBuilder& scalar(const std::string& name, float value) { return floats(name, {}, {value}); }
    OnnxBuilder& ints(const std::string& name, const std::vector<std::int64_t>& values,
                      bool isScalar = false);
    OnnxBuilder& external(const std::string& name, const std::vector<std::int64_t>& dims,
                          const std::string& location, std::int64_t offset, std::int64_t length);
    /// Elements of any type, as raw data.
    OnnxBuilder& constant(const std::string& name, const std::vector<std::int64_t>& dims, int onnxType,
                          const std::string& bytes);
    /// Another set of operators, "com.microsoft" for example.
    OnnxBuilder& domain(const std::string& name, std::int64_t version);
    /// Initializer with dims as given and this many raw bytes.
    OnnxBuilder& rawWeight(const std::string& name, const std::vector<std::int64_t>& dims, std::size_t bytes);
    /// If with branches of one node each, `type` applied to \p captured.
    OnnxBuilder& branch(const std::string& condition, const std::string& captured, const std::string& output,
                        const std::string& thenType, const std::string& elseType);
    /// If in If in If …, \p depth deep.
    OnnxBuilder& nested(int depth, const std::string& condition, const std::string& output);
    /// Function domain "local" with inputs x, y, output z: z = type(x, y).
    OnnxBuilder& function(const std::string& name, const std::string& type, const std::string& domain = {});
    OnnxBuilder&
    largeGraph(int nodes); ///< A residual chain of Mul and Add on input "x" [1, 64], output "last".

    OnnxBuilder& description(const std::string& text);

    std::string bytes() const;
    std::filesystem::path save(const std::filesystem::path& file) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

void writeFile(const std::filesystem::path& file, const std::string& bytes);

} // namespace pim::test
