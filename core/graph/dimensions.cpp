// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/graph_builder.h"

#include "core/base/parse_number.h"

#include "core/graph/semantics/op_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

namespace pim {

namespace {

constexpr std::int64_t kLargestExtent = std::int64_t(1) << 40;

/// "past + 2*seq" over known names; nullopt if it is no such expression.
class Expression {
public:
    Expression(std::string_view text, const std::map<std::string, std::int64_t>& known)
        : m_text(text), m_known(known) {}

    std::optional<std::int64_t> value() {
        auto sum = product();
        skipBlanks();
        while (sum && m_at < m_text.size() && (m_text[m_at] == '+' || m_text[m_at] == '-')) {
            const bool minus = m_text[m_at++] == '-';
            const auto next = product();
            if (!next || (minus ? __builtin_sub_overflow(*sum, *next, &*sum)
                                : __builtin_add_overflow(*sum, *next, &*sum)))
                return std::nullopt;
            skipBlanks();
        }
        return m_at == m_text.size() ? sum : std::nullopt;
    }

private:
    void skipBlanks() {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    std::optional<std::int64_t> product() {
        auto result = factor();
        skipBlanks();
        while (result && m_at < m_text.size() && m_text[m_at] == '*') {
            ++m_at;
            const auto next = factor();
            if (!next || __builtin_mul_overflow(*result, *next, &*result))
                return std::nullopt;
            skipBlanks();
        }
        return result;
    }
    std::optional<std::int64_t> factor() {
        skipBlanks();
        const std::size_t start = m_at;
        while (m_at < m_text.size() && !std::strchr("+-* ", m_text[m_at]))
            ++m_at;
        const std::string word(m_text.substr(start, m_at - start));
        if (word.empty())
            return std::nullopt;
        if (const auto number = parseNumber<std::int64_t>(word))
            return number;
        const auto it = m_known.find(word);
        return it == m_known.end() ? std::nullopt : std::optional(it->second);
    }

    std::string_view m_text;
    const std::map<std::string, std::int64_t>& m_known;
    std::size_t m_at = 0;
};

bool looksLikeExpression(const std::string& symbol) {
    return symbol.find_first_of("+*") != std::string::npos;
}

} // namespace

std::string dimensionSymbol(const file::RawValue& input, std::size_t axis) {
    const file::RawDim& dim = (*input.dims)[axis];
    if (dim.value && *dim.value >= 0)
        return {};
    return dim.symbol.empty() ? fmt::format("{}.{}", input.name, axis) : dim.symbol;
}

Result<std::vector<DimBinding>> bindDimensions(const file::RawModel& model,
                                               const std::map<std::string, std::int64_t>& chosen,
                                               std::int64_t size) {
    std::set<std::string> initializers;
    for (const auto& tensor : model.graph.initializers)
        initializers.insert(tensor.name);
    std::vector<DimBinding> bindings;
    std::map<std::string, std::size_t> position;
    for (const auto& input : model.graph.inputs) {
        if (!input.dims || initializers.contains(input.name))
            continue;
        if (input.dims->size() > kMaxRank)
            return fail(
                ErrorCode::InvalidModel,
                fmt::format("it has {} dimensions, at most {} are possible", input.dims->size(), kMaxRank),
                fmt::format("{}: graph input \"{}\"", model.path.string(), input.name),
                "export the model again");
        for (std::size_t axis = 0; axis < input.dims->size(); ++axis) {
            const auto& dim = (*input.dims)[axis];
            if (dim.value && *dim.value < -1) // -1 is what some exporters write for "open"
                return fail(ErrorCode::InvalidModel,
                            fmt::format("extent {} of its shape is {}", axis, *dim.value),
                            fmt::format("{}: graph input \"{}\"", model.path.string(), input.name),
                            "export the model again");
            const std::string symbol = dimensionSymbol(input, axis);
            if (symbol.empty())
                continue;
            const auto [it, isNew] = position.try_emplace(symbol, bindings.size());
            if (isNew)
                bindings.push_back(DimBinding{symbol, size, true, {}});
            if (axis == 0)
                bindings[it->second].value = 1;
            auto& tensors = bindings[it->second].tensors;
            if (tensors.empty() || tensors.back() != input.name)
                tensors.push_back(input.name);
        }
    }
    std::map<std::string, std::int64_t> known;
    for (const auto& [symbol, value] : chosen) {
        const auto it = position.find(symbol);
        if (it == position.end()) {
            std::vector<std::string> names;
            for (const auto& binding : bindings)
                names.push_back(binding.symbol);
            return fail(ErrorCode::Usage, fmt::format("the model has no open dimension \"{}\"", symbol),
                        model.path.string(),
                        names.empty() ? "all its dimensions are fixed"
                                      : fmt::format("its open dimensions: {}", fmt::join(names, ", ")));
        }
        if (value < 1 || value > kLargestExtent)
            return fail(
                ErrorCode::Usage,
                fmt::format("the dimension \"{}\" is bound to {}; 1 … 2^40 is possible", symbol, value),
                model.path.string());
        bindings[it->second].value = value;
        bindings[it->second].assumed = false;
    }
    for (const auto& binding : bindings)
        if (!looksLikeExpression(binding.symbol) || !binding.assumed)
            known[binding.symbol] = binding.value;
    for (auto& binding : bindings)
        if (binding.assumed && looksLikeExpression(binding.symbol))
            if (const auto value = Expression(binding.symbol, known).value();
                value && *value >= 1 && *value <= kLargestExtent)
                binding.value = *value;
    return bindings;
}

} // namespace pim
