// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/lower/cnm_to_upmem.h"

#include "core/ir/dialect.h"

#include <array>

namespace pim::ir {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames{{
    {"cnm.workgroup", "upmem.alloc_dpus"},
    {"cnm.alloc", "upmem.mram_alloc"},
    {"cnm.scatter", "upmem.scatter"},
    {"cnm.gather", "upmem.gather"},
    {"cnm.launch", "upmem.launch"},
    {"cnm.wait", "upmem.wait"},
    {"cnm.free", "upmem.free_dpus"},
    {"cnm.end", "upmem.end"},
}};

Type onDpus(const Type& type) {
    if (type.isDialect("cnm.workgroup"))
        return Type::dialect("upmem.hierarchy", type.extents());
    if (type.isDialect("cnm.token"))
        return Type::dialect("upmem.token");
    if (type.isDialect("cnm.buffer"))
        return Type::dialect("upmem.mram", type.extents(), type.element(), type.body().on, type.body().space);
    return type;
}

} // namespace

Rewriter::Rule toUpmem(KernelOf kernelOf) {
    // The rule is its own for what stands inside a launch.
    auto rule = std::make_shared<Rewriter::Rule>();
    *rule = [kernelOf = std::move(kernelOf),
             inside = std::weak_ptr(rule)](Rewriter& at, const Operation& op) -> Result<bool> {
        const auto* const name =
            std::ranges::find(kNames, op.def->name, [](const auto& pair) { return pair.first; });
        if (name == kNames.end())
            return false;
        std::vector<ValueId> operands;
        for (std::size_t n = 0; n < op.operandCount; ++n)
            operands.push_back(at.operand(op, n));
        std::vector<Type> results;
        for (std::uint32_t r = 0; r < op.resultCount; ++r)
            results.push_back(onDpus(at.from().type(Module::result(op, r))));
        Attributes attributes = op.attributes;
        if (op.def->name == "cnm.scatter") {
            const Type& buffer = at.from().type(at.from().operand(op, 1));
            const bool same = buffer.body().space == static_cast<int>(buffer.body().on.size());
            attributes.push_back({"transfer", text(same ? "broadcast" : "parallel")});
        } else if (op.def->name == "cnm.launch" && kernelOf) {
            attributes = kernelOf(at.from().idOf(op));
        }
        const OperationId made =
            at.to().create(name->second, operands, results, std::move(attributes), op.regionCount);
        for (std::uint32_t r = 0; r < op.resultCount; ++r)
            at.set(op, at.to().result(made, r), r);
        PIM_CHECK(at.inside(op, made, *inside.lock()));
        return true;
    };
    return [rule](Rewriter& at, const Operation& op) { return (*rule)(at, op); };
}

Result<Module> lowerToUpmem(const Module& cnm, KernelOf kernelOf) {
    return Rewriter(cnm, "upmem").run(toUpmem(std::move(kernelOf)));
}

} // namespace pim::ir
