// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/module.h"

#include "core/ir/dialect.h"

#include <algorithm>

namespace pim::ir {

OperationId Module::function(std::string_view name) const {
    for (const OperationId id : m_functions)
        if (textOr(operation(id), "sym_name", {}) == name)
            return id;
    return {};
}

const Attribute* findAttribute(const Operation& op, std::string_view name) {
    const auto found = std::ranges::find(op.attributes, name, &NamedAttribute::name);
    return found == op.attributes.end() ? nullptr : &found->value;
}

namespace {

template <class T>
const T* attributeAs(const Operation& op, std::string_view name) {
    const Attribute* attribute = findAttribute(op, name);
    return attribute ? std::get_if<T>(&attribute->value) : nullptr;
}

} // namespace

std::int64_t integerOr(const Operation& op, std::string_view name, std::int64_t fallback) {
    const auto* found = attributeAs<IntegerAttribute>(op, name);
    return found ? found->value : fallback;
}

std::string_view textOr(const Operation& op, std::string_view name, std::string_view fallback) {
    const auto* found = attributeAs<std::string>(op, name);
    return found ? std::string_view(*found) : fallback;
}

std::span<const std::int64_t> intsOf(const Operation& op, std::string_view name) {
    const auto* found = attributeAs<IntsAttribute>(op, name);
    return found ? std::span(found->values) : std::span<const std::int64_t>();
}

const AffineMap* mapOf(const Operation& op, std::string_view name) {
    return attributeAs<AffineMap>(op, name);
}

void Builder::setLocation(Location location) {
    auto& all = m_module.m_locations;
    if (all.back() != location)
        all.push_back(std::move(location));
    m_location = LocationId(static_cast<std::int64_t>(all.size()) - 1);
}

void Builder::setParents(const Module& from, std::span<const OperationId> parents) {
    Location location{{}, from.level(), {parents.begin(), parents.end()}};
    std::ranges::sort(location.parents);
    for (const OperationId parent : location.parents)
        for (const std::string& op : from.location(from.operation(parent)).graphOps)
            if (std::ranges::find(location.graphOps, op) == location.graphOps.end())
                location.graphOps.push_back(op);
    setLocation(std::move(location));
}

OperationId Builder::create(std::string_view name, std::span<const ValueId> operands,
                            std::span<const Type> results, Attributes attributes, std::uint32_t regions) {
    const OpDef* def = findOp(name);
    PIM_ASSERT(def != nullptr, "an op of no dialect");
    return create(*def, operands, results, std::move(attributes), regions);
}

OperationId Builder::create(const OpDef& def, std::span<const ValueId> operands,
                            std::span<const Type> results, Attributes attributes, std::uint32_t regions) {
    Module& module = m_module;
    const OperationId id(static_cast<std::int64_t>(module.m_operations.size()));
    const RegionId parent = m_open.empty() ? RegionId() : m_open.back();
    Operation op{.def = &def,
                 .firstOperand = static_cast<std::uint32_t>(module.m_operands.size()),
                 .operandCount = static_cast<std::uint32_t>(operands.size()),
                 .firstResult = ValueId(static_cast<std::int64_t>(module.m_values.size())),
                 .resultCount = static_cast<std::uint32_t>(results.size()),
                 .firstRegion = RegionId(static_cast<std::int64_t>(module.m_regions.size())),
                 .regionCount = regions,
                 .attributes = std::move(attributes),
                 .location = m_location,
                 .parent = parent};
    if (!std::ranges::is_sorted(op.attributes, {}, &NamedAttribute::name))
        std::ranges::sort(op.attributes, {}, &NamedAttribute::name);
    module.m_operands.insert(module.m_operands.end(), operands.begin(), operands.end());
    for (const Type& type : results)
        module.m_values.push_back({type, id, parent});
    for (std::uint32_t r = 0; r < regions; ++r)
        module.m_regions.push_back({.owner = id, .firstArgument = {}, .argumentCount = 0, .operations = {}});
    module.m_operations.push_back(std::move(op));
    if (parent.valid())
        module.m_regions[parent.index()].operations.push_back(id);
    else
        module.m_functions.push_back(id);
    return id;
}

ValueId Builder::value(std::string_view name, std::initializer_list<ValueId> operands, const Type& result,
                       Attributes attributes) {
    return this->result(
        create(name, {operands.begin(), operands.size()}, {&result, 1}, std::move(attributes)));
}

void Builder::perform(std::string_view name, std::initializer_list<ValueId> operands, Attributes attributes) {
    create(name, {operands.begin(), operands.size()}, {}, std::move(attributes));
}

ValueId Builder::enter(OperationId op, std::uint32_t region, std::span<const Type> arguments) {
    const RegionId id(m_module.operation(op).firstRegion.value + static_cast<std::int32_t>(region));
    Region& entered = m_module.m_regions[id.index()];
    entered.firstArgument = ValueId(static_cast<std::int64_t>(m_module.m_values.size()));
    entered.argumentCount = static_cast<std::uint32_t>(arguments.size());
    for (const Type& type : arguments)
        m_module.m_values.push_back({type, {}, id});
    m_open.push_back(id);
    return entered.firstArgument;
}

void Builder::leave() {
    PIM_ASSERT(!m_open.empty(), "left a region that was not entered");
    m_open.pop_back();
}

ValueId Builder::beginFunction(const std::string& name, const std::vector<Type>& inputs,
                               const std::vector<Type>& results, Attributes more) {
    more.push_back({"function_type", {Type::function(inputs, results)}});
    more.push_back({"sym_name", text(name)});
    return enter(create("func.func", {}, {}, std::move(more), 1), 0, inputs);
}

void Builder::endFunction(std::span<const ValueId> results) {
    create("func.return", results, {});
    leave();
}

ValueId Builder::constantIndex(std::int64_t value) {
    return this->value("arith.constant", {}, Type::index(), {{"value", integer(value, Scalar::Index)}});
}

ValueId Builder::constant(const Type& type, double value) {
    const Scalar element = *type.element();
    Attribute attribute = type.isTensor()    ? splat(type, value)
                          : isFloat(element) ? real(value, element)
                                             : integer(static_cast<std::int64_t>(value), element);
    return this->value("arith.constant", {}, type, {{"value", std::move(attribute)}});
}

Builder::Loop Builder::beginFor(std::int64_t end, std::int64_t step, std::span<const ValueId> carried) {
    std::vector<ValueId> operands{constantIndex(0), constantIndex(end), constantIndex(step)};
    std::vector<Type> results, arguments{Type::index()};
    for (const ValueId value : carried) {
        operands.push_back(value);
        results.push_back(m_module.type(value));
        arguments.push_back(m_module.type(value));
    }
    Loop loop;
    loop.op = create("scf.for", operands, results, {}, 1);
    loop.variable = enter(loop.op, 0, arguments);
    loop.carried = ValueId(loop.variable.value + 1);
    return loop;
}

ValueId Builder::endFor(const Loop& loop, std::span<const ValueId> carried) {
    create("scf.yield", carried, {});
    leave();
    return result(loop.op);
}

} // namespace pim::ir
