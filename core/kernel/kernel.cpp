// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

bool isWholeNumber(DataType type) {
    return type >= DataType::I8 && type <= DataType::U64;
}

} // namespace

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

const GatheredIndex* TensorAccess::gatheredAt(std::size_t dimension) const {
    const auto found = std::ranges::find(gathered, static_cast<int>(dimension), &GatheredIndex::dimension);
    return found == gathered.end() ? nullptr : &*found;
}

std::string accessText(const Kernel& kernel, const TensorAccess& access) {
    std::string text = kernel.tensors[static_cast<std::size_t>(access.tensor)].name;
    for (std::size_t d = 0; d < access.index.size(); ++d) {
        const GatheredIndex* const from = access.gatheredAt(d);
        text += fmt::format("[{}]",
                            from ? accessText(kernel, kernel.accesses[static_cast<std::size_t>(from->access)])
                                 : affineText(access.index[d], kernel.loops));
    }
    return text;
}

Result<void> checkGathered(const Kernel& kernel) {
    const auto wrong = [&](const KernelTensor& tensor, std::string_view why) {
        return fail(ErrorCode::InvalidKernel, fmt::format("{} is looked up in, but {}", tensor.name, why),
                    kernel.name);
    };
    for (std::size_t a = 0; a < kernel.accesses.size(); ++a) {
        const TensorAccess& access = kernel.accesses[a];
        int previous = -1;
        for (const GatheredIndex& gathered : access.gathered) {
            const KernelTensor& table = kernel.tensors[static_cast<std::size_t>(access.tensor)];
            if (access.isWrite)
                return wrong(table, "results are written at affine places only");
            if (gathered.dimension <= previous || gathered.dimension >= std::ssize(access.index))
                return wrong(table, fmt::format("dimension {} of {} comes twice, out of order, or not at all",
                                                gathered.dimension, access.index.size()));
            previous = gathered.dimension;
            if (access.index[static_cast<std::size_t>(gathered.dimension)] != AffineExpr())
                return wrong(table, "the same dimension has an affine index too");
            if (gathered.access < 0 || static_cast<std::size_t>(gathered.access) >= a)
                return wrong(table, "no access before it reads the index");
            const TensorAccess& index = kernel.accesses[static_cast<std::size_t>(gathered.access)];
            const KernelTensor& numbers = kernel.tensors[static_cast<std::size_t>(index.tensor)];
            if (!isWholeNumber(numbers.dtype))
                return wrong(table, fmt::format("the elements of {} are {}, not whole numbers such as i32",
                                                numbers.name, pim::name(numbers.dtype)));
            if (!index.gathered.empty())
                return wrong(table, fmt::format("the index in {} is looked up itself", numbers.name));
            if (std::ranges::any_of(kernel.accesses, [&](const TensorAccess& other) {
                    return other.isWrite && other.tensor == index.tensor;
                }))
                return wrong(table, fmt::format("the kernel writes {}, which holds the index", numbers.name));
        }
    }
    return {};
}

bool Kernel::gathers() const {
    return std::ranges::any_of(accesses, [](const TensorAccess& access) { return !access.gathered.empty(); });
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
