// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/lower/cinm_to_cnm.h"

#include "core/ir/contraction.h"
#include "core/ir/dialect.h"
#include "core/ir/dialects/element_ops.h"
#include "core/ir/slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim::ir {

namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

bool isBinary(std::string_view name) {
    return elementOpFromName(name).has_value() || name == "mergePartial";
}

const Shape& extentsOf(const Module& module, const Operation& op, std::size_t operand) {
    return module.type(module.operand(op, operand)).extents();
}

/// The folded dimensions of a reduction or a scan last: {the others, folded ones}.
std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> folded(const Module& module,
                                                                       const Operation& op) {
    const auto rank = static_cast<std::int64_t>(extentsOf(module, op, 0).size());
    std::vector<std::int64_t> kept, gone;
    const auto named = intsOf(op, "dimensions");
    for (std::int64_t d = 0; d < rank; ++d) {
        const bool folds = shortName(op) == "scan"
                               ? d == integerOr(op, "dimension", 0)
                               : named.empty() || std::ranges::find(named, d) != named.end();
        (folds ? gone : kept).push_back(d);
    }
    return {kept, gone};
}

std::int64_t extentOf(const Shape& shape, const std::vector<std::int64_t>& dimensions) {
    std::int64_t extent = 1;
    for (const std::int64_t d : dimensions)
        extent *= shape[static_cast<std::size_t>(d)];
    return extent;
}

std::int64_t countOf(const Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

/// An array of the units: its own dimensions, and those of the tensor it is a part of, by the loops that count them.
struct Part {
    std::vector<std::size_t> buffer, tensor;
};

/// One op spread over units. Loops are named by their place in unitLoops().
class Spread {
public:
    Spread(Rewriter& at, const std::vector<UnitLoop>& loops, const UnitMapping& mapping, Scalar element)
        : m_to(at.to()), m_loops(loops), m_mapping(mapping), m_element(element) {
        m_shape = {mapping.devices(), mapping.units()};
        m_group = m_to.value("cnm.workgroup", {}, Type::dialect("cnm.workgroup", m_shape));
        for (std::size_t l = 0; l < loops.size(); ++l)
            if (loops[l].sums)
                m_parts *= boxes(l);
    }

    std::int64_t parts() const { return m_parts; } ///< Partial results of an element.
    std::int64_t tile(std::size_t loop) const { return m_mapping.loops[loop].tile; }
    std::int64_t boxes(std::size_t loop) const {
        return m_mapping.loops[loop].devices * m_mapping.loops[loop].units;
    }

    /// Elements outside of the tensor are \p padding.
    void scatter(ValueId tensor, const Part& part, Attribute padding) {
        const int level = levelOf(part.buffer);
        const ValueId buffer = alloc(part.buffer, m_element, level);
        AffineMap map = mapOf(part, level);
        m_to.perform("cnm.scatter", {tensor, buffer},
                     {{"map", affine(std::move(map))}, {"padding", std::move(padding)}});
        m_buffers.push_back(buffer);
    }
    /// What comes before: element [part - 1][row] of \p totals for every element of a box.
    void scatterBefore(ValueId totals, const Part& part, std::size_t row, Attribute padding) {
        const ValueId buffer = alloc(part.buffer, m_element, 0);
        AffineMap map{2 + static_cast<int>(part.buffer.size()),
                      {partExpr() + AffineExpr::constant(-1), indexOf(row, part, 0)}};
        m_to.perform("cnm.scatter", {totals, buffer},
                     {{"map", affine(std::move(map))}, {"padding", std::move(padding)}});
        m_buffers.push_back(buffer);
    }
    void result(const Part& part, Scalar element) {
        m_buffers.push_back(alloc(part.buffer, element, 0));
        m_results.push_back({part, element, m_buffers.back()});
    }

    /// \p body appends what a unit does; it gets the unit's arrays, inputs first.
    template <class Body>
    void launch(Body body) {
        std::vector<ValueId> operands{m_group};
        std::vector<Type> arguments{Type::index(), Type::index()};
        for (const ValueId buffer : m_buffers) {
            operands.push_back(buffer);
            const Type& type = m_to.module().type(buffer);
            arguments.push_back(Type::memref(type.extents(), *type.element()));
        }
        const Type token = Type::dialect("cnm.token");
        const OperationId launch = m_to.create("cnm.launch", operands, {&token, 1}, {}, 1);
        const ValueId first = m_to.enter(launch, 0, arguments);
        std::vector<ValueId> arrays;
        for (std::size_t b = 0; b < m_buffers.size(); ++b)
            arrays.emplace_back(first.value + 2 + static_cast<std::int32_t>(b));
        body(arrays);
        m_to.perform("cnm.end", {});
        m_to.leave();
        m_to.perform("cnm.wait", {m_to.result(launch)});
    }

    /// Result \p n, as a tensor; \p partial: with a dimension more in front, the parts of its sums.
    ValueId gather(std::size_t n, bool partial) {
        const Made& made = m_results[n];
        Shape extents;
        AffineMap map{2 + static_cast<int>(made.part.buffer.size()), {}};
        if (partial) {
            extents.push_back(m_parts);
            map.results.push_back(partExpr());
        }
        for (const std::size_t loop : made.part.tensor) {
            extents.push_back(m_loops[loop].extent);
            map.results.push_back(indexOf(loop, made.part, 0));
        }
        const Type type = Type::tensor(extents, made.element);
        return m_to.value("cnm.gather", {made.buffer, m_to.value("tensor.empty", {}, type)}, type,
                          {{"map", affine(std::move(map))}});
    }
    /// Result \p n with its parts folded by \p kind.
    ValueId merged(std::size_t n, std::string_view kind) {
        if (m_parts == 1)
            return gather(n, false);
        const ValueId parts = gather(n, true);
        Shape extents = m_to.module().type(parts).extents();
        extents.erase(extents.begin());
        return m_to.value("cinm.reduce", {parts}, Type::tensor(extents, m_results[n].element),
                          {{"dimensions", ints({0})}, {"op", pim::ir::text(std::string(kind))}});
    }
    void free() { m_to.perform("cnm.free", {m_group}); }

private:
    struct Made {
        Part part;
        Scalar element;
        ValueId buffer;
    };

    /// 2: all units need the same, 1: all units of a device, 0: each its own.
    int levelOf(const std::vector<std::size_t>& loops) const {
        const auto cut = [&](auto count) {
            return std::ranges::any_of(loops, [&](std::size_t l) { return count(m_mapping.loops[l]) > 1; });
        };
        if (cut([](const UnitMapping::Cut& c) { return c.units; }))
            return 0;
        return cut([](const UnitMapping::Cut& c) { return c.devices; }) ? 1 : 2;
    }
    ValueId alloc(const std::vector<std::size_t>& loops, Scalar element, int level) {
        Shape extents;
        for (const std::size_t loop : loops)
            extents.push_back(tile(loop));
        return m_to.value("cnm.alloc", {m_group},
                          Type::dialect("cnm.buffer", extents, element, m_shape, level));
    }
    /// Which box of a loop a unit has. Dimensions that \p level leaves out are not needed.
    AffineExpr boxOf(std::size_t loop) const {
        std::int64_t devicesBehind = 1, unitsBehind = 1;
        for (std::size_t l = loop + 1; l < m_loops.size(); ++l) {
            devicesBehind *= m_mapping.loops[l].devices;
            unitsBehind *= m_mapping.loops[l].units;
        }
        const auto& cut = m_mapping.loops[loop];
        const auto digit = [](int dim, std::int64_t behind, std::int64_t count, std::int64_t all) {
            if (count == 1)
                return AffineExpr();
            const AffineExpr rest = floorDiv(AffineExpr::dim(dim), behind);
            return behind * count == all ? rest : mod(rest, count);
        };
        return digit(0, devicesBehind, cut.devices, m_shape[0]) * cut.units +
               digit(1, unitsBehind, cut.units, m_shape[1]);
    }
    AffineExpr indexOf(std::size_t loop, const Part& part, int level) const {
        const auto place = std::ranges::find(part.buffer, loop);
        const AffineExpr begin = boxOf(loop) * tile(loop);
        return place == part.buffer.end()
                   ? begin
                   : begin + AffineExpr::dim(2 - level + static_cast<int>(place - part.buffer.begin()));
    }
    AffineExpr partExpr() const {
        AffineExpr part;
        for (std::size_t l = 0; l < m_loops.size(); ++l)
            if (m_loops[l].sums)
                part = part * boxes(l) + boxOf(l);
        return part;
    }
    AffineMap mapOf(const Part& part, int level) const {
        AffineMap map{2 - level + static_cast<int>(part.buffer.size()), {}};
        for (const std::size_t loop : part.tensor)
            map.results.push_back(indexOf(loop, part, level));
        return map;
    }

    Builder& m_to;
    const std::vector<UnitLoop>& m_loops;
    const UnitMapping& m_mapping;
    Scalar m_element;
    Shape m_shape;
    std::int64_t m_parts = 1;
    ValueId m_group;
    std::vector<ValueId> m_buffers;
    std::vector<Made> m_results;
};

Attribute number(Scalar element, std::int64_t whole, double fraction) {
    return isFloat(element) ? real(fraction, element) : integer(whole, element);
}
Attribute zero(Scalar element) {
    return number(element, 0, 0);
}
Attribute neutral(Scalar element, std::string_view kind) {
    const ElementOp op = *elementOpFromName(kind);
    return isFloat(element) ? real(neutralReal(op), element) : integer(neutralInt(op, element), element);
}

/// One op of the cinm level and what it becomes.
class Spreading {
public:
    Spreading(Rewriter& at, const Operation& op, const std::vector<UnitLoop>& loops,
              const UnitMapping& mapping)
        : m_at(at), m_to(at.to()), m_op(op), m_loops(loops), m_mapping(mapping),
          m_type(at.from().type(at.from().operand(op, 0))), m_element(*m_type.element()) {}

    void make() {
        const std::string_view name = shortName(m_op);
        if (name == "gemm" || name == "gemv")
            contraction();
        else if (isBinary(name))
            binary(name == "mergePartial" ? textOr(m_op, "op", "add") : name);
        else if (name == "not" || name == "popCount")
            unary(name);
        else if (name == "transpose")
            transposition();
        else if (name == "reduce")
            reduction();
        else if (name == "scan")
            scan();
        else if (name == "histogram")
            histogram();
        else if (name == "majority")
            majority();
        else if (name == "topk")
            topK();
        else
            search();
    }

private:
    Spread spread() { return {m_at, m_loops, m_mapping, m_element}; }
    const Type& resultType(std::uint32_t n = 0) const { return m_at.from().type(Module::result(m_op, n)); }
    void set(ValueId made, std::uint32_t n = 0) {
        m_at.set(m_op, reshape(m_to, made, resultType(n).extents()), n);
    }
    ValueId flat(std::size_t operand) {
        return reshape(m_to, m_at.operand(m_op, operand), {m_loops[0].extent});
    }

    /// C[m][n] = sum over k of A[m][k] B[k][n]; units hold rows of B transposed.
    void contraction() {
        Spread units = spread();
        units.scatter(m_at.operand(m_op, 0), {{0, 2}, {0, 2}}, zero(m_element));
        units.scatter(reshape(m_to, m_at.operand(m_op, 1), {m_loops[2].extent, m_loops[1].extent}),
                      {{1, 2}, {2, 1}}, zero(m_element));
        units.result({{0, 1}, {0, 1}}, m_element);
        contract(units, {});
        ValueId sums = units.merged(0, "add");
        units.free();
        if (m_op.operandCount > 2)
            sums = m_to.value("cinm.add", {sums, m_at.operand(m_op, 2)}, m_to.module().type(sums));
        set(sums);
    }
    void contract(Spread& units, std::string_view metric) {
        Attributes attributes{{"fresh", unit()}};
        if (!metric.empty())
            attributes.push_back({"metric", text(std::string(metric))});
        const ValueId first = m_to.constantIndex(0);
        units.launch([&](const std::vector<ValueId>& arrays) {
            m_to.perform("cnm.contract", {arrays[0], arrays[1], arrays[2], first, first}, attributes);
        });
    }

    void binary(std::string_view kind) {
        const bool scalar = m_at.from().type(m_at.from().operand(m_op, 1)).isScalar();
        Spread units = spread();
        units.scatter(flat(0), {{0}, {0}}, zero(m_element));
        if (!scalar) // nothing is divided by the zeros that fill up
            units.scatter(flat(1), {{0}, {0}}, kind == "div" ? number(m_element, 1, 1) : zero(m_element));
        units.result({{0}, {0}}, m_element);
        map(units, kind, scalar ? m_at.operand(m_op, 1) : ValueId());
    }
    void unary(std::string_view kind) {
        Spread units = spread();
        units.scatter(flat(0), {{0}, {0}}, zero(m_element));
        units.result({{0}, {0}}, m_element);
        map(units, kind, {});
    }
    void map(Spread& units, std::string_view kind, ValueId scalar) {
        units.launch([&](std::vector<ValueId> arrays) {
            if (scalar.valid())
                arrays.insert(arrays.begin() + 1, scalar);
            m_to.create("cnm.map", arrays, {}, {{"op", text(std::string(kind))}});
        });
        const ValueId made = units.gather(0, false);
        units.free();
        set(made);
    }

    void transposition() {
        const auto perms = intsOf(m_op, "perms");
        std::vector<std::size_t> result, operand(perms.size());
        for (std::size_t d = 0; d < perms.size(); ++d) {
            result.push_back(d);
            operand[static_cast<std::size_t>(perms[d])] = d;
        }
        Spread units = spread();
        units.scatter(m_at.operand(m_op, 0), {result, operand}, zero(m_element));
        units.result({result, result}, m_element);
        map(units, "copy", {});
    }

    /// [rows][folded]
    ValueId foldedLast() {
        auto [perms, gone] = folded(m_at.from(), m_op);
        perms.insert(perms.end(), gone.begin(), gone.end());
        return reshape(m_to, transpose(m_to, m_at.operand(m_op, 0), perms),
                       {m_loops[0].extent, m_loops[1].extent});
    }

    void reduction() {
        const std::string_view kind = textOr(m_op, "op", {});
        const ValueId rows = foldedLast();
        Spread units = spread();
        units.scatter(rows, {{0, 1}, {0, 1}}, neutral(m_element, kind));
        units.result({{0}, {0}}, m_element);
        units.launch([&](const std::vector<ValueId>& arrays) {
            m_to.create("cnm.fold", arrays, {}, {{"op", text(std::string(kind))}});
        });
        const ValueId made = units.merged(0, kind);
        units.free();
        set(made);
    }

    /// Units scan their parts of the rows, the host scans the totals, units add what comes before.
    void scan() {
        const std::string_view kind = textOr(m_op, "op", {});
        const Attribute padding = neutral(m_element, kind);
        const ValueId rows = foldedLast();
        Spread units = spread();
        units.scatter(rows, {{0, 1}, {0, 1}}, padding);
        units.result({{0, 1}, {0, 1}}, m_element);
        units.result({{0}, {0}}, m_element);
        units.launch([&](const std::vector<ValueId>& arrays) {
            m_to.create("cnm.scan", arrays, {}, {{"op", text(std::string(kind))}});
        });
        ValueId made = units.gather(0, false);
        if (units.parts() > 1) {
            ValueId totals = units.gather(1, true);
            totals = m_to.value("cinm.scan", {totals}, m_to.module().type(totals),
                                {{"dimension", integer(0)}, {"op", text(std::string(kind))}});
            units.free();
            Spread more = spread();
            more.scatter(made, {{0, 1}, {0, 1}}, padding);
            more.scatterBefore(totals, {{0, 1}, {0, 1}}, 0, padding);
            more.result({{0, 1}, {0, 1}}, m_element);
            more.launch([&](const std::vector<ValueId>& arrays) {
                m_to.create("cnm.map", arrays, {}, {{"op", text(std::string(kind))}});
            });
            made = more.gather(0, false);
            more.free();
        } else {
            units.free();
        }
        auto [perms, gone] = folded(m_at.from(), m_op);
        perms.insert(perms.end(), gone.begin(), gone.end());
        Shape extents;
        std::vector<std::int64_t> back(perms.size());
        for (std::size_t d = 0; d < perms.size(); ++d) {
            extents.push_back(m_type.extents()[static_cast<std::size_t>(perms[d])]);
            back[static_cast<std::size_t>(perms[d])] = static_cast<std::int64_t>(d);
        }
        set(transpose(m_to, reshape(m_to, made, extents), back));
    }

    /// The zeros that fill up stand in the first bin and are taken out again.
    void histogram() {
        Spread units = spread();
        units.scatter(flat(0), {{0}, {0}}, zero(m_element));
        units.result({{1}, {1}}, Scalar::I32);
        Attributes attributes;
        if (findAttribute(m_op, "depth"))
            attributes.push_back({"depth", integer(integerOr(m_op, "depth", 0))});
        units.launch([&](const std::vector<ValueId>& arrays) {
            m_to.create("cnm.histogram", arrays, {}, attributes);
        });
        ValueId bins = units.merged(0, "add");
        units.free();
        if (const std::int64_t more = units.tile(0) * units.boxes(0) - m_loops[0].extent; more > 0) {
            const Type type = m_to.module().type(bins);
            const ValueId count = m_to.constant(Type::scalar(Scalar::I32), static_cast<double>(more));
            const ValueId filled =
                m_to.value("tensor.insert", {count, m_to.constant(type, 0), m_to.constantIndex(0)}, type);
            bins = m_to.value("cinm.sub", {bins, filled}, type);
        }
        set(bins);
    }

    void majority() {
        Spread units = spread();
        units.scatter(m_at.operand(m_op, 0), {{0, 1}, {1, 0}}, zero(m_element));
        units.result({{0}, {0}}, m_element);
        units.launch([&](const std::vector<ValueId>& arrays) {
            m_to.create("cnm.majority", arrays, {}, {{"rows", integer(m_loops[1].extent)}});
        });
        const ValueId made = units.gather(0, false);
        units.free();
        set(made);
    }

    /// The best of every unit; the host takes the best of these and finds where they stand.
    void topK() {
        const std::int64_t count = resultType().count();
        const std::int64_t each = std::min(count, m_mapping.loops[0].tile);
        std::vector<UnitLoop> loops = m_loops;
        UnitMapping mapping = m_mapping;
        loops[1].extent = mapping.loops[1].tile = each;
        Spread units(m_at, loops, mapping, m_element);
        units.scatter(m_at.operand(m_op, 0), {{0}, {0}},
                      number(m_element, neutralInt(ElementOp::Max, m_element), neutralReal(ElementOp::Max)));
        units.result({{1}, {1}}, m_element);
        units.result({{1}, {1}}, Scalar::I32);
        units.launch([&](const std::vector<ValueId>& arrays) { m_to.create("cnm.topk", arrays, {}); });
        const bool several = units.parts() > 1;
        const ValueId values = units.gather(0, several), places = units.gather(1, several);
        units.free();
        if (!several) {
            set(values, 0);
            set(places, 1);
            return;
        }
        const Shape all{units.parts() * each};
        const Type types[] = {resultType(0), resultType(1)};
        const ValueId candidates[] = {reshape(m_to, values, all)};
        const OperationId best = m_to.create("cinm.topk", candidates, types);
        set(m_to.result(best, 0), 0);
        set(wherePlaced(m_to.result(best, 1), reshape(m_to, places, all), each, units.tile(0)), 1);
    }
    /// Candidate c of a unit stands at (c / each) tile + places[c] of the whole.
    ValueId wherePlaced(ValueId chosen, ValueId places, std::int64_t each, std::int64_t tile) {
        const Type type = m_to.module().type(chosen), i32 = Type::scalar(Scalar::I32), index = Type::index();
        const ValueId empty = m_to.value("tensor.empty", {}, type);
        const auto loop = m_to.beginFor(type.count(), 1, {&empty, 1});
        const ValueId candidate = m_to.value(
            "arith.index_cast", {m_to.value("tensor.extract", {chosen, loop.variable}, i32)}, index);
        const ValueId place = m_to.value("tensor.extract", {places, candidate}, i32);
        const ValueId unit = m_to.value("arith.divsi", {candidate, m_to.constantIndex(each)}, index);
        const ValueId begin = m_to.value("arith.muli", {unit, m_to.constantIndex(tile)}, index);
        const ValueId found =
            m_to.value("arith.addi", {place, m_to.value("arith.index_cast", {begin}, i32)}, i32);
        const ValueId more = m_to.value("tensor.insert", {found, loop.carried, loop.variable}, type);
        return m_to.endFor(loop, {&more, 1});
    }

    /// Units compare rows with the query, the host takes the best.
    void search() {
        const std::string_view metric = textOr(m_op, "metric", {});
        const std::int64_t rows = m_loops[0].extent, length = m_loops[2].extent;
        Spread units = spread();
        units.scatter(m_at.operand(m_op, 0), {{0, 2}, {0, 2}}, zero(m_element));
        units.scatter(reshape(m_to, m_at.operand(m_op, 1), {1, length}), {{1, 2}, {1, 2}}, zero(m_element));
        units.result({{0, 1}, {0, 1}}, m_element);
        contract(units, metric);
        const Type flatType = Type::tensor({rows}, m_element);
        ValueId scores = reshape(m_to, units.merged(0, "add"), {rows});
        units.free();
        const bool distance = metric == "l2";
        if (distance) // the smallest are the best
            scores = m_to.value("cinm.sub", {m_to.constant(flatType, 0), scores}, flatType);
        const Type types[] = {resultType(0), resultType(1)};
        const ValueId operands[] = {scores};
        const OperationId best = m_to.create("cinm.topk", operands, types);
        ValueId values = m_to.result(best, 0);
        if (distance)
            values = m_to.value("cinm.sub", {m_to.constant(types[0], 0), values}, types[0]);
        set(values, 0);
        set(m_to.result(best, 1), 1);
    }

    Rewriter& m_at;
    Builder& m_to;
    const Operation& m_op;
    const std::vector<UnitLoop>& m_loops;
    const UnitMapping& m_mapping;
    const Type m_type;
    Scalar m_element;
};

} // namespace

std::vector<UnitLoop> unitLoops(const Module& module, const Operation& op) {
    if (!op.def->name.starts_with("cinm."))
        return {};
    const std::string_view name = shortName(op);
    const Shape& first = extentsOf(module, op, 0);
    const Shape& out = module.type(op.firstResult).extents();
    std::vector<UnitLoop> loops;
    if (name == "gemm" || name == "gemv")
        loops = {{"m", first[0]}, {"n", name == "gemv" ? 1 : out[1]}, {"k", first[1], true}};
    else if (isBinary(name) || name == "not" || name == "popCount")
        loops = {{"i", countOf(first)}};
    else if (name == "transpose")
        for (std::size_t d = 0; d < out.size(); ++d)
            loops.push_back({fmt::format("d{}", d), out[d]});
    else if (name == "reduce" || name == "scan") {
        const auto [kept, gone] = folded(module, op);
        loops = {{"r", extentOf(first, kept)}, {"i", extentOf(first, gone), true}};
    } else if (name == "histogram")
        loops = {{"i", countOf(first), true}, {"bin", out[0], false, true}};
    else if (name == "majority")
        loops = {{"c", first[1]}, {"r", first[0], false, true}};
    else if (name == "topk")
        loops = {{"i", first[0], true}, {"best", out[0], false, true}};
    else if (name == "simSearch" && textOr(op, "metric", {}) != "cos")
        loops = {{"r", first[0]}, {"q", 1, false, true}, {"d", first[1], true}};
    if (std::ranges::any_of(loops, [](const UnitLoop& loop) { return loop.extent < 1; }))
        return {};
    return loops;
}

std::int64_t UnitMapping::devices() const {
    std::int64_t all = 1;
    for (const Cut& cut : loops)
        all *= cut.devices;
    return all;
}

std::int64_t UnitMapping::units() const {
    std::int64_t all = 1;
    for (const Cut& cut : loops)
        all *= cut.units;
    return all;
}

std::string text(const UnitMapping& mapping, const std::vector<UnitLoop>& loops) {
    std::string cuts;
    for (std::size_t l = 0; l < loops.size(); ++l)
        if (const auto& cut = mapping.loops[l]; cut.devices * cut.units > 1)
            cuts += fmt::format("{}{} {}", cuts.empty() ? ": " : ", ", cut.tile, loops[l].name);
    return fmt::format("{} x {}{}", mapping.devices(), mapping.units(), cuts);
}

UnitMapping spreadEvenly(const std::vector<UnitLoop>& loops, std::int64_t devices, std::int64_t units) {
    UnitMapping mapping;
    mapping.loops.resize(loops.size());
    for (std::size_t l = 0; l < loops.size(); ++l)
        mapping.loops[l].tile = loops[l].extent;
    for (const bool sums : {false, true})
        for (std::size_t l = 0; l < loops.size(); ++l) {
            if (loops[l].whole || loops[l].sums != sums)
                continue;
            UnitMapping::Cut& cut = mapping.loops[l];
            cut.devices = std::min(devices, loops[l].extent);
            cut.units = std::min(units, ceilDiv(loops[l].extent, cut.devices));
            cut.tile = ceilDiv(loops[l].extent, cut.devices * cut.units);
            cut.devices =
                ceilDiv(ceilDiv(loops[l].extent, cut.tile), cut.units); // of equal boxes fewer may do
            devices /= cut.devices;
            units /= cut.units;
        }
    return mapping;
}

std::int64_t unitBytes(const Module& module, const Operation& op, const UnitMapping& mapping) {
    const std::string_view name = shortName(op);
    const auto t = [&](std::size_t loop) { return mapping.loops[loop].tile; };
    const std::int64_t bytes = bytesOf(*module.type(module.operand(op, 0)).element());
    if (name == "gemm" || name == "gemv" || name == "simSearch")
        return bytes * (t(0) * t(2) + t(1) * t(2) + t(0) * t(1));
    if (name == "reduce")
        return bytes * (t(0) * t(1) + t(0));
    if (name == "scan")
        return bytes * (2 * t(0) * t(1) + t(0));
    if (name == "histogram")
        return bytes * t(0) + 4 * t(1);
    if (name == "topk")
        return bytes * (t(0) + t(1)) + 4 * t(1);
    if (name == "majority")
        return bytes * (t(0) * t(1) + t(0));
    std::int64_t elements = 1; // element by element, and transposes
    for (const UnitMapping::Cut& cut : mapping.loops)
        elements *= cut.tile;
    return bytes * elements * 3;
}

Rewriter::Rule toCnm(UnitMappingOf mappingOf) {
    return [mappingOf = std::move(mappingOf)](Rewriter& at, const Operation& op) -> Result<bool> {
        const std::vector<UnitLoop> loops = unitLoops(at.from(), op);
        const auto mapping = loops.empty() ? std::nullopt : mappingOf(at.from().idOf(op));
        if (!mapping)
            return false;
        if (mapping->loops.size() != loops.size())
            return fail(ErrorCode::Internal, fmt::format("a mapping of {} loops, expected {}",
                                                         mapping->loops.size(), loops.size()));
        Spreading(at, op, loops, *mapping).make();
        return true;
    };
}

Result<Module> lowerToCnm(const Module& cinm, UnitMappingOf mappingOf) {
    return Rewriter(cinm, "cnm").run(toCnm(std::move(mappingOf)));
}

} // namespace pim::ir
