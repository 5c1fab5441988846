// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/dialects.h"
#include "core/ir/interpret.h"

#include <fmt/format.h>

namespace pim::ir {

namespace {

Result<void> verifyRun(const Module&, const Operation& op) {
    if (textOr(op, "op", {}).empty())
        return fail(ErrorCode::InvalidFile, "says no op",
                    "give the name of an op of the network: op = \"Softmax_3\"");
    return {};
}

Result<void> runOnHost(Interpreter& at, const Operation& op) {
    if (!at.options().host)
        return fail(ErrorCode::Unsupported,
                    fmt::format("'{}' stays on the host, and there is no network here that knows it",
                                textOr(op, "op", {})),
                    {}, "run the model, not its text alone");
    std::vector<Value> inputs;
    for (std::size_t n = 0; n < op.operandCount; ++n)
        inputs.push_back(valueOf(at.array(op, n)));
    PIM_TRY(const std::vector<Value> outputs, at.options().host(at.module(), op, inputs));
    for (std::uint32_t r = 0; r < op.resultCount; ++r) {
        PIM_TRY(Array array, arrayOf(outputs[r]));
        at.set(op, std::move(array), r);
    }
    return {};
}

constexpr OpDef kHostOps[] = {
    {"host.run", "An op of the network that stays on the host.", "any* -> any*", verifyRun, runOnHost},
};

} // namespace

const Dialect& hostDialect() {
    static constexpr Dialect kHostDialect{"host", "What stays on the host.", kHostOps};
    return kHostDialect;
}

} // namespace pim::ir
