// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

std::string_view name(BodyKind kind) {
    switch (kind) {
    case BodyKind::Mac:
        return "mac";
    case BodyKind::Elementwise:
        return "elementwise";
    case BodyKind::Reduce:
        return "reduce";
    case BodyKind::Attention:
        return "attention";
    }
    return "mac";
}

std::string affineText(const AffineExpr& expr, const std::vector<Loop>& loops) {
    std::string text;
    for (const auto& term : expr.terms) {
        const auto& variable = loops[static_cast<std::size_t>(term.loop)].name;
        if (term.coefficient < 0)
            text += '-';
        else if (!text.empty())
            text += '+';
        text += variable;
        if (term.coefficient != 1 && term.coefficient != -1)
            text += fmt::format("*{}", fmt::to_string(term.coefficient).substr(term.coefficient < 0 ? 1 : 0));
    }
    if (text.empty())
        return fmt::to_string(expr.constant);
    if (expr.constant != 0)
        text += fmt::format("{:+}", expr.constant);
    return text;
}

std::int64_t Kernel::iterations() const {
    std::int64_t product = 1;
    for (const auto& loop : loops)
        product *= loop.extent;
    return product;
}

bool Kernel::isReductionLoop(int loop) const {
    return std::none_of(accesses.begin(), accesses.end(), [loop](const TensorAccess& access) {
        return access.isWrite &&
               std::any_of(access.index.begin(), access.index.end(), [loop](const AffineExpr& expr) {
                   return std::any_of(expr.terms.begin(), expr.terms.end(),
                                      [loop](const AffineTerm& term) { return term.loop == loop; });
               });
    });
}

std::string Kernel::text() const {
    // A result that is accumulated starts at zero, so it is a local; one that is only assigned may be a
    // parameter.
    const auto accumulated = [this](std::size_t tensor) {
        return tensors[tensor].role == TensorRole::Output &&
               (statement.find(" += ") != std::string::npos ||
                std::any_of(accesses.begin(), accesses.end(), [tensor](const TensorAccess& access) {
                    return !access.isWrite && static_cast<std::size_t>(access.tensor) == tensor;
                }));
    };
    std::string parameters, locals, returns;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const auto& tensor = tensors[t];
        if (accumulated(t)) {
            locals += fmt::format("    {} = DCC.Tensor.zero([{}], {})\n", tensor.name,
                                  fmt::join(tensor.shape, ", "), pim::name(tensor.dtype));
            returns += fmt::format("    return {}\n", tensor.name);
            continue;
        }
        parameters += fmt::format("{}{}", parameters.empty() ? "" : ", ", tensor.name);
        for (const auto extent : tensor.shape)
            parameters += fmt::format("[{}]", extent);
        parameters += fmt::format(": {}{}{}", tensor.constant ? "const " : "", tensor.cache ? "cache " : "",
                                  pim::name(tensor.dtype));
    }
    std::string text = fmt::format("def {}({}):\n{}", name, parameters, locals);
    std::string indent = "    ";
    for (const auto& loop : loops) {
        text += fmt::format("{}for {} in range({}):\n", indent, loop.name, loop.extent);
        indent += "    ";
    }
    return text + indent + statement + "\n" + returns;
}

} // namespace pim
