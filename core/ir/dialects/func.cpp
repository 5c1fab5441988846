// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/dialects.h"
#include "core/ir/interpret.h"

#include <fmt/format.h>

namespace pim::ir {

namespace {

const Type* functionType(const Operation& op) {
    const Attribute* attribute = findAttribute(op, "function_type");
    const Type* type = attribute ? std::get_if<Type>(&attribute->value) : nullptr;
    return type && type->form() == TypeForm::Function ? type : nullptr;
}

Result<void> verifyFunction(const Module& module, const Operation& op) {
    const Type* type = functionType(op);
    const std::string_view name = textOr(op, "sym_name", {});
    if (!type || name.empty())
        return fail(ErrorCode::InvalidFile, "a function has the attributes function_type and sym_name");
    if (&module.operation(module.function(name)) != &op)
        return fail(ErrorCode::InvalidFile, fmt::format("there are two functions '{}'", name));
    const Region& body = module.regionOf(op);
    const auto& inputs = type->body().inputs;
    if (inputs.size() != body.argumentCount)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} arguments, but a type with {}", body.argumentCount, inputs.size()));
    for (std::uint32_t a = 0; a < body.argumentCount; ++a)
        if (inputs[a] != module.type(Module::argument(body, a)))
            return fail(ErrorCode::InvalidFile,
                        fmt::format("argument {} is {}, but its type says {}", a,
                                    module.type(Module::argument(body, a)).text(), inputs[a].text()));
    const Operation& end = module.operation(body.operations.back());
    if (end.def->name != "func.return")
        return fail(ErrorCode::InvalidFile, "a function ends with func.return");
    return {};
}

Result<void> verifyReturn(const Module& module, const Operation& op) {
    const Operation& function = module.operation(module.region(op.parent).owner);
    const Type* type = function.def->name == "func.func" ? functionType(function) : nullptr;
    if (!type)
        return fail(ErrorCode::InvalidFile, "stands in no function");
    const auto& results = type->body().results;
    const auto given = module.operands(op);
    if (given.size() != results.size())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("returns {} values, the function has {}", given.size(), results.size()));
    for (std::size_t r = 0; r < given.size(); ++r)
        if (module.type(given[r]) != results[r])
            return fail(ErrorCode::InvalidFile,
                        fmt::format("returns {} as result {}, expected {}", module.type(given[r]).text(), r,
                                    results[r].text()));
    return {};
}

constexpr OpDef kFuncOps[] = {
    {"func.func", "A function: the whole program, or a part with a name.", "->", verifyFunction, nullptr, 1},
    {"func.return", "Ends a function with its results.", "any* ->", verifyReturn, nullptr, 0, true},
};

} // namespace

const Dialect& funcDialect() {
    static constexpr Dialect kFuncDialect{"func", "Functions, as in MLIR.", kFuncOps};
    return kFuncDialect;
}

} // namespace pim::ir
