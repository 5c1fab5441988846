// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One level of a program: functions, ops with regions, values that are set once. A level is built from front
/// to back and never changed; a lowering reads one Module and builds the next, so all levels can be kept and
/// looked at side by side.
#include "core/base/ids.h"
#include "core/ir/attribute.h"

#include <span>

namespace pim::ir {

struct OpDef;

using OperationId = Id<struct OperationTag>; ///< In the order of the text: "#12" in locations.
using ValueId = Id<struct ValueTag>;         ///< %12 in the text.
using RegionId = Id<struct RegionTag>;
using LocationId = Id<struct LocationTag>;

/// Where an op comes from.
struct Location {
    std::vector<std::string> graphOps; ///< Names of ops of the network, or of the text it was read from.
    std::string level;                 ///< Of the ops it was made from: "cinm"; empty for the first level.
    std::vector<OperationId> parents;  ///< In that level, ascending.
    friend bool operator==(const Location&, const Location&) = default;
};

struct Operation {
    const OpDef* def = nullptr; ///< Never null.
    std::uint32_t firstOperand = 0, operandCount = 0;
    ValueId firstResult; ///< Results follow one another.
    std::uint32_t resultCount = 0;
    RegionId firstRegion; ///< Regions follow one another.
    std::uint32_t regionCount = 0;
    Attributes attributes;
    LocationId location;
    RegionId parent; ///< The region it stands in; invalid for a function.
};

/// One block: its arguments, then ops, the last of which ends it.
struct Region {
    OperationId owner;
    ValueId firstArgument; ///< Arguments follow one another.
    std::uint32_t argumentCount = 0;
    std::vector<OperationId> operations;
};

struct ValueInfo {
    Type type;
    OperationId op;  ///< That gives it; invalid for an argument.
    RegionId region; ///< Whose argument it is, or where its op stands.
};

class Module {
public:
    explicit Module(std::string level = {}) : m_level(std::move(level)) {}

    const std::string& level() const { return m_level; } ///< "cinm", "cnm", "upmem", …
    std::size_t size() const { return m_operations.size(); }
    std::span<const Operation> operations() const { return m_operations; }
    const Operation& operation(OperationId id) const { return m_operations[id.index()]; }
    /// \p op is one of this module.
    OperationId idOf(const Operation& op) const { return OperationId(&op - m_operations.data()); }
    const Region& region(RegionId id) const { return m_regions[id.index()]; }
    std::size_t valueCount() const { return m_values.size(); }
    const ValueInfo& value(ValueId id) const { return m_values[id.index()]; }
    const Type& type(ValueId id) const { return m_values[id.index()].type; }
    std::span<const OperationId> functions() const { return m_functions; }
    /// Invalid if there is none.
    OperationId function(std::string_view name) const;

    std::span<const ValueId> operands(const Operation& op) const {
        return std::span(m_operands).subspan(op.firstOperand, op.operandCount);
    }
    ValueId operand(const Operation& op, std::size_t n) const { return m_operands[op.firstOperand + n]; }
    static ValueId result(const Operation& op, std::uint32_t n = 0) {
        return ValueId(op.firstResult.value + static_cast<std::int32_t>(n));
    }
    const Region& regionOf(const Operation& op, std::uint32_t n = 0) const {
        return m_regions[op.firstRegion.index() + n];
    }
    static ValueId argument(const Region& region, std::uint32_t n) {
        return ValueId(region.firstArgument.value + static_cast<std::int32_t>(n));
    }
    const Location& location(const Operation& op) const { return m_locations[op.location.index()]; }
    std::span<const Location> locations() const { return m_locations; }

private:
    friend class Builder;
    std::string m_level;
    std::vector<Operation> m_operations;
    std::vector<ValueInfo> m_values;
    std::vector<ValueId> m_operands;
    std::vector<Region> m_regions;
    std::vector<Location> m_locations{Location{}};
    std::vector<OperationId> m_functions;
};

const Attribute* findAttribute(const Operation& op, std::string_view name);
/// \p fallback where the attribute is absent or of another kind.
std::int64_t integerOr(const Operation& op, std::string_view name, std::int64_t fallback);
std::string_view textOr(const Operation& op, std::string_view name, std::string_view fallback);
/// Empty where absent.
std::span<const std::int64_t> intsOf(const Operation& op, std::string_view name);
const AffineMap* mapOf(const Operation& op, std::string_view name);

/// Appends to a module. Ops stand in the text in the order they are made.
class Builder {
public:
    explicit Builder(Module& module) : m_module(module) {}

    const Module& module() const { return m_module; }
    /// Ops made from now on come from there.
    void setLocation(Location location);
    /// From ops of the level \p from is at, whose network ops are taken over.
    void setParents(const Module& from, std::span<const OperationId> parents);
    void setParent(const Module& from, OperationId parent) { setParents(from, {&parent, 1}); }

    /// \param name of an op of some dialect; unknown names are our own mistake. Regions are filled by enter().
    OperationId create(std::string_view name, std::span<const ValueId> operands,
                       std::span<const Type> results, Attributes attributes = {}, std::uint32_t regions = 0);
    OperationId create(const OpDef& def, std::span<const ValueId> operands, std::span<const Type> results,
                       Attributes attributes = {}, std::uint32_t regions = 0);
    /// An op with one result: that result.
    ValueId value(std::string_view name, std::initializer_list<ValueId> operands, const Type& result,
                  Attributes attributes = {});
    /// An op without results or regions.
    void perform(std::string_view name, std::initializer_list<ValueId> operands, Attributes attributes = {});
    /// Starts filling region \p region of \p op; returns its first argument (the others follow).
    ValueId enter(OperationId op, std::uint32_t region, std::span<const Type> arguments);
    void leave();
    /// The op that ends a region whose results were not known before: sets the results of an op made without.
    ValueId result(OperationId op, std::uint32_t n = 0) const {
        return Module::result(m_module.operation(op), n);
    }

    // ---- what every lowering needs ----

    /// `func.func`, its body entered; returns its first argument.
    ValueId beginFunction(const std::string& name, const std::vector<Type>& inputs,
                          const std::vector<Type>& results, Attributes more = {});
    void endFunction(std::span<const ValueId> results);
    ValueId constantIndex(std::int64_t value);
    ValueId constant(const Type& type, double value); ///< A scalar, or a tensor of the same elements.

    /// `scf.for` from 0 to \p end by \p step, its body entered.
    struct Loop {
        OperationId op;
        ValueId variable;
        ValueId carried; ///< First of the values carried around, as the body sees them.
    };
    Loop beginFor(std::int64_t end, std::int64_t step, std::span<const ValueId> carried = {});
    /// Ends the body; returns the first result (as many as values are carried).
    ValueId endFor(const Loop& loop, std::span<const ValueId> carried = {});

private:
    Module& m_module;
    LocationId m_location{0};
    std::vector<RegionId> m_open;
};

} // namespace pim::ir
