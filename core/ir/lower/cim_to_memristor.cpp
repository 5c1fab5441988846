// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/lower/cim_to_memristor.h"

#include "core/ir/lower/digits.h"
#include "core/ir/rewrite.h"

#include <fmt/format.h>

#include <map>

namespace pim::ir {

namespace {

/// A product of digits that was started.
struct Partial {
    ValueId future;
    std::int64_t tile = 0, shift = 0;
};
/// A product of the level above.
struct Started {
    std::vector<Partial> partials;
    ValueId device;
};

class DriverCalls {
public:
    DriverCalls(const Module& cim, TileSchedule schedule) : m_cim(cim), m_schedule(schedule) {}

    /// Elements that tiles of each device hold, and how often values are used.
    Result<void> look() {
        m_uses.resize(m_cim.valueCount());
        for (const Operation& op : m_cim.operations()) {
            for (std::size_t n = 0; n < op.operandCount; ++n)
                ++m_uses[m_cim.operand(op, n).index()];
            if (op.def->name != "cim.write")
                continue;
            const Scalar element = *m_cim.type(m_cim.operand(op, 1)).element();
            if (isFloat(element) || element == Scalar::Index || element == Scalar::I1)
                return fail(ErrorCode::Unsupported, fmt::format("tiles hold integers, not {}", name(element)),
                            "cim.write", "leave the product to the host");
            const auto [known, added] = m_elements.emplace(m_cim.operand(op, 0), element);
            if (known->second != element)
                return fail(
                    ErrorCode::Unsupported,
                    fmt::format("tiles of one device hold {} and {}", name(known->second), name(element)),
                    "cim.write", "acquire a device for each");
        }
        return {};
    }

    Result<bool> rule(Rewriter& at, const Operation& op) {
        const std::string_view name = op.def->name;
        if (name == "cim.acquire")
            acquire(at, op);
        else if (name == "cim.write")
            write(at, op);
        else if (name == "cim.execute")
            execute(at, op);
        else if (name == "cim.barrier")
            return true; // by the schedule
        else if (name == "cim.read")
            return read(at, op);
        else if (name == "cim.release")
            at.to().perform("memristor.release", {at.operand(op, 0)});
        else if (name == "cinm.mergePartial")
            return merge(at, op);
        else
            return handsAround(op);
        return true;
    }

private:
    std::int64_t digits(ValueId device) const {
        const auto element = m_elements.find(device);
        return element == m_elements.end() ? 1 : digitsOf(element->second);
    }

    void acquire(Rewriter& at, const Operation& op) {
        at.set(op, at.to().value("memristor.init", {}, Type::dialect("memristor.device"),
                                 {{"size", integer(integerOr(op, "size", 1))},
                                  {"tiles", integer(integerOr(op, "tiles", 1) * digits(op.firstResult))}}));
    }

    ValueId copyTile(Rewriter& at, ValueId value, std::int64_t digit) {
        const Type& whole = at.to().module().type(value);
        return at.to().value("memristor.copy_tile", {value}, Type::tensor(whole.extents(), Scalar::I8),
                             {{"digit", integer(digit)}});
    }

    void write(Rewriter& at, const Operation& op) {
        const std::int64_t count = digits(m_cim.operand(op, 0)), tile = integerOr(op, "tile", 0);
        for (std::int64_t d = 0; d < count; ++d)
            at.to().perform("memristor.write_tile", {at.operand(op, 0), copyTile(at, at.operand(op, 1), d)},
                            {{"tile", integer(tile * count + d)}});
    }

    /// Each digit of the rows meets all tiles that hold a digit it matters with.
    void execute(Rewriter& at, const Operation& op) {
        const std::int64_t count = digits(m_cim.operand(op, 0)), tile = integerOr(op, "tile", 0);
        const Type& future = m_cim.type(op.firstResult);
        const bool vector = future.extents()[0] == 1;
        Started& started = m_started[op.firstResult];
        started.device = at.operand(op, 0);
        for (std::int64_t i = 0; i < count; ++i) {
            const ValueId rows = copyTile(at, at.operand(op, 1), i);
            for (std::int64_t j = 0; i + j < count; ++j) {
                const std::int64_t held = tile * count + j;
                const ValueId made =
                    at.to().value(vector ? "memristor.gemv" : "memristor.gemm", {started.device, rows},
                                  Type::dialect("memristor.future", future.extents(), Scalar::I32),
                                  {{"tile", integer(held)}});
                started.partials.push_back({made, held, 8 * (i + j)});
            }
        }
        m_waited = false;
    }

    /// Adds all digits of a product to \p sum.
    ValueId shiftAdd(Rewriter& at, const Started& started, ValueId sum) {
        const Type type = at.to().module().type(sum);
        const Type partial = Type::tensor(type.extents(), Scalar::I32);
        if (m_schedule == TileSchedule::Alap && !m_waited)
            at.to().perform("memristor.barrier", {started.device});
        m_waited = true;
        for (const Partial& each : started.partials) {
            if (m_schedule == TileSchedule::Asap)
                at.to().perform("memristor.barrier", {started.device}, {{"tile", integer(each.tile)}});
            const ValueId stored = at.to().value("memristor.store_tile", {each.future}, partial);
            sum = at.to().value("memristor.shift_add", {sum, stored}, type, {{"shift", integer(each.shift)}});
        }
        return sum;
    }

    /// Where a result is only merged, the merge takes its digits directly.
    Result<bool> read(Rewriter& at, const Operation& op) {
        const auto started = m_started.find(m_cim.operand(op, 0));
        if (started == m_started.end())
            return fail(ErrorCode::Unsupported,
                        "reads a product that is not started by a cim.execute before it");
        m_read[op.firstResult] = started->second;
        if (m_uses[op.firstResult.index()] == 1 && isMerged(op.firstResult))
            return true;
        const Type& type = m_cim.type(op.firstResult);
        at.set(op, shiftAdd(at, started->second, at.to().constant(type, 0)));
        return true;
    }

    bool isMerged(ValueId partial) {
        if (m_merged.empty())
            for (const Operation& op : m_cim.operations())
                if (op.def->name == "cinm.mergePartial" && textOr(op, "op", "add") == "add")
                    m_merged[m_cim.operand(op, 1)] = true;
        return m_merged.contains(partial);
    }

    Result<bool> merge(Rewriter& at, const Operation& op) {
        const ValueId partial = m_cim.operand(op, 1);
        const auto started = m_read.find(partial);
        if (started == m_read.end() || m_uses[partial.index()] != 1 || !isMerged(partial))
            return false;
        at.set(op, shiftAdd(at, started->second, at.operand(op, 0)));
        return true;
    }

    /// Futures that leave the ops of the dialect have nothing that stands for them.
    Result<bool> handsAround(const Operation& op) const {
        for (const ValueId operand : m_cim.operands(op))
            if (m_cim.type(operand).isDialect("cim.future") || m_cim.type(operand).isDialect("cim.device"))
                return fail(ErrorCode::Unsupported,
                            fmt::format("hands {} around", m_cim.type(operand).text()), {},
                            "read products where they are started");
        return false;
    }

    const Module& m_cim;
    TileSchedule m_schedule;
    std::map<ValueId, Scalar> m_elements;
    std::vector<int> m_uses;
    std::map<ValueId, Started> m_started, m_read; ///< By the future, by the tensor read.
    std::map<ValueId, bool> m_merged;
    bool m_waited = true; ///< Nothing was started since the last barrier.
};

} // namespace

Result<Rewriter::Rule> toMemristor(const Module& cim, TileSchedule schedule) {
    auto calls = std::make_shared<DriverCalls>(cim, schedule);
    PIM_CHECK(calls->look());
    return [calls](Rewriter& at, const Operation& op) { return calls->rule(at, op); };
}

Result<Module> lowerToMemristor(const Module& cim, TileSchedule schedule) {
    PIM_TRY(const Rewriter::Rule rule, toMemristor(cim, schedule));
    return Rewriter(cim, "memristor").run(rule);
}

} // namespace pim::ir
