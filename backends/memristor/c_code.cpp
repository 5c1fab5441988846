// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/memristor/c_code.h"

#include "backends/memristor/results.h"
#include "core/ir/dialects/element_ops.h"
#include "core/ir/scalar_bytes.h"
#include "core/ir/slices.h"
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace pim::memristor {

namespace {

using namespace ir;

constexpr std::int64_t kMostConstants = 1'000'000; ///< Elements of a constant that is written into the text.

std::string_view cType(Scalar scalar) {
    switch (scalar) {
    case Scalar::I1:
        return "uint8_t";
    case Scalar::I8:
        return "int8_t";
    case Scalar::I16:
        return "int16_t";
    case Scalar::I32:
        return "int32_t";
    case Scalar::F32:
        return "float";
    case Scalar::F64:
        return "double";
    default:
        return "int64_t";
    }
}

std::string literal(const std::byte* bytes, Scalar type) {
    if (!isFloat(type)) {
        const std::int64_t value = loadInt(bytes, type);
        return value == std::numeric_limits<std::int64_t>::min() ? "INT64_MIN" : fmt::format("{}", value);
    }
    return fmt::format("{:a}", loadReal(bytes, type));
}

class Writer {
public:
    Writer(const Module& module, OperationId function)
        : m_module(module), m_function(module.operation(function)), m_names(module.valueCount()),
          m_lastUse(module.valueCount()) {
        for (std::size_t i = 0; i < module.size(); ++i)
            for (const ValueId operand : module.operands(module.operations()[i]))
                m_lastUse[operand.index()] = OperationId(static_cast<std::int64_t>(i));
    }

    Result<CCode> code(std::string_view name) {
        const Region& body = m_module.regionOf(m_function);
        std::string parameters;
        for (std::uint32_t a = 0; a < body.argumentCount; ++a) {
            const ValueId argument = Module::argument(body, a);
            PIM_TRY(const Scalar element, elementOf(argument));
            m_names[argument.index()] = fmt::format("in{}", a);
            parameters += fmt::format("{}const {}* in{}", a ? ", " : "", cType(element), a);
        }
        const Operation& end = m_module.operation(body.operations.back());
        for (std::size_t r = 0; r < end.operandCount; ++r) {
            PIM_TRY(const Scalar element, elementOf(m_module.operand(end, r)));
            parameters += fmt::format("{}{}* out{}", parameters.empty() ? "" : ", ", cType(element), r);
        }
        PIM_CHECK(region(body, {}));
        const std::string prototype =
            fmt::format("void {}_on_tiles({})", name, parameters.empty() ? "void" : parameters);
        return CCode{fmt::format("#include \"memristor.h\"\n\n#include <string.h>\n\n{}\n{} {{\n{}}}\n",
                                 m_arrays, prototype, m_text),
                     prototype};
    }

private:
    // ---- text ----

    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        m_text.append(m_depth * 4, ' ');
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
        m_text += '\n';
    }
    void open(std::int64_t number, std::int64_t extent) {
        line("for (int64_t x{0} = 0; x{0} < {1}; ++x{0}) {{", number, extent);
        ++m_depth;
    }
    void close(std::size_t loops = 1) {
        for (; loops > 0; --loops) {
            --m_depth;
            line("}}");
        }
    }
    /// Where the next ops come from, once.
    void comment(const Operation& op) {
        const auto& names = m_module.location(op).graphOps;
        if (names.empty() || names == m_lastNames)
            return;
        m_lastNames = names;
        std::string all;
        for (const std::string& each : names)
            for (const char c : (all.empty() ? "" : ", ") + each)
                all += c >= ' ' && c <= '~' && c != '\\' ? c : '?'; // no line may go on behind it
        line("// {}", all);
    }

    // ---- values ----

    Result<Scalar> elementOf(ValueId value) const {
        const Type& type = m_module.type(value);
        if (!type.isTensor() || !type.element() || *type.element() == Scalar::F16 ||
            *type.element() == Scalar::BF16)
            return fail(ErrorCode::Unsupported, fmt::format("{} is nothing C has arrays of", type.text()), {},
                        "tensors of i8, i16, i32, i64, f32 or f64");
        return *type.element();
    }
    const std::string& name(ValueId value) const { return m_names[value.index()]; }
    const std::string& name(const Operation& op, std::size_t n) const {
        return name(m_module.operand(op, n));
    }
    std::int64_t count(ValueId value) const { return m_module.type(value).count(); }

    /// A new array for a value.
    const std::string& array(ValueId value, Scalar element) {
        std::string& made = m_names[value.index()];
        made = fmt::format("v{}", value.value);
        m_arrays +=
            fmt::format("static {} {}[{}];\n", cType(element), made, std::max<std::int64_t>(1, count(value)));
        m_own.insert(made);
        return made;
    }
    void copy(const std::string& to, const std::string& from) {
        line("memcpy({0}, {1}, sizeof {0});", to, from);
    }

    /// \p made takes over the array of \p old if nobody needs that any more, else gets a copy.
    Result<void> replace(const Operation& op, ValueId old, ValueId made) {
        const bool last = m_module.operation(m_lastUse[old.index()]).parent == op.parent &&
                          &m_module.operation(m_lastUse[old.index()]) == &op &&
                          m_module.value(old).region == op.parent && m_own.contains(name(old));
        if (last) {
            m_names[made.index()] = name(old);
            return {};
        }
        PIM_TRY(const Scalar element, elementOf(made));
        copy(array(made, element), name(old));
        return {};
    }

    // ---- ops ----

    Result<void> region(const Region& body, std::span<const std::string> carried) {
        ++m_depth;
        for (const OperationId id : body.operations) {
            const Operation& op = m_module.operation(id);
            comment(op);
            auto done = step(op, carried);
            if (!done) {
                if (done.error().where.empty())
                    done.error().where = describe(m_module, id);
                return done;
            }
        }
        --m_depth;
        return {};
    }

    Result<void> step(const Operation& op, std::span<const std::string> carried) {
        const std::string_view what = op.def->name;
        if (what.starts_with("memristor."))
            return call(op, what.substr(10));
        if (what == "scf.for")
            return loop(op);
        if (what == "scf.yield" || what == "func.return")
            return end(op, carried);
        if (what == "arith.constant")
            return constant(op);
        if (what == "arith.addi" || what == "arith.muli" || what == "arith.subi")
            return index(op, what == "arith.addi" ? '+' : what == "arith.muli" ? '*' : '-');
        if (what == "tensor.empty")
            return elementOf(op.firstResult).map([&](Scalar element) { array(op.firstResult, element); });
        if (what == "tensor.collapse_shape" || what == "tensor.expand_shape")
            return replace(op, m_module.operand(op, 0), op.firstResult);
        if (what == "tensor.extract_slice" || what == "tensor.insert_slice")
            return slice(op, what == "tensor.insert_slice");
        if (what == "cinm.transpose")
            return transpose(op);
        if (what == "cinm.gemm" || what == "cinm.gemv")
            return gemm(op);
        if (what.starts_with("cinm."))
            return elements(op);
        return unsupported(op);
    }

    static tl::unexpected<Error> unsupported(const Operation& op) {
        return fail(ErrorCode::Unsupported, fmt::format("{} is not written in C", op.def->name), {},
                    "run the program with the interpreter");
    }

    Result<void> constant(const Operation& op) {
        const Type& type = m_module.type(op.firstResult);
        const ir::Attribute* value = findAttribute(op, "value");
        const auto* dense = value ? std::get_if<DenseAttribute>(&value->value) : nullptr;
        if (!dense) {
            if (const auto* whole = value ? std::get_if<IntegerAttribute>(&value->value) : nullptr)
                m_names[op.firstResult.index()] = fmt::format("{}", whole->value);
            else if (const auto* real = value ? std::get_if<FloatAttribute>(&value->value) : nullptr)
                m_names[op.firstResult.index()] = fmt::format("{:a}", real->value);
            else
                return unsupported(op);
            return {};
        }
        PIM_TRY(const Scalar element, elementOf(op.firstResult));
        if (dense->isSplat()) {
            const std::string made = array(op.firstResult, element);
            open(0, type.count());
            line("{}[x0] = {};", made, literal(dense->bytes.data(), element));
            close();
            return {};
        }
        if (type.count() > kMostConstants)
            return fail(ErrorCode::Unsupported,
                        fmt::format("a constant of {} elements, at most {} are written into C", type.count(),
                                    kMostConstants),
                        {}, "pass it as an argument");
        std::string& made = m_names[op.firstResult.index()] = fmt::format("v{}", op.firstResult.value);
        m_arrays += fmt::format("static const {} {}[] = {{", cType(element), made);
        for (std::int64_t i = 0; i < type.count(); ++i)
            m_arrays += (i ? (i % 16 ? ", " : ",\n    ") : "") +
                        literal(dense->bytes.data() + i * bytesOf(element), element);
        m_arrays += "};\n";
        return {};
    }

    Result<void> index(const Operation& op, char sign) {
        if (!m_module.type(op.firstResult).isScalar(Scalar::Index))
            return unsupported(op);
        m_names[op.firstResult.index()] = fmt::format("i{}", op.firstResult.value);
        line("const int64_t {} = {} {} {};", name(op.firstResult), name(op, 0), sign, name(op, 1));
        return {};
    }

    Result<void> loop(const Operation& op) {
        const Region& body = m_module.regionOf(op);
        std::vector<std::string> carried;
        for (std::uint32_t r = 0; r < op.resultCount; ++r) {
            const ValueId result = Module::result(op, r);
            if (!m_module.type(result).isTensor())
                return unsupported(op);
            PIM_CHECK(replace(op, m_module.operand(op, 3 + r), result));
            carried.push_back(name(result));
            m_names[Module::argument(body, 1 + r).index()] = carried.back();
        }
        std::string& variable = m_names[Module::argument(body, 0).index()];
        variable = fmt::format("i{}", Module::argument(body, 0).value);
        line("for (int64_t {0} = {1}; {0} < {2}; {0} += {3}) {{", variable, name(op, 0), name(op, 1),
             name(op, 2));
        PIM_CHECK(region(body, carried));
        line("}}");
        return {};
    }

    /// What goes around a loop goes back into its arrays, what a function returns into those of its caller.
    Result<void> end(const Operation& op, std::span<const std::string> carried) {
        const bool isReturn = op.def->name == "func.return";
        for (std::size_t r = 0; r < op.operandCount; ++r) {
            const std::string from = name(op, r);
            if (isReturn)
                line("memcpy(out{}, {}, {});", r, from, m_module.type(m_module.operand(op, r)).bytes());
            else if (from != carried[r]) {
                if (std::ranges::find(carried, from) != carried.end())
                    return fail(ErrorCode::Unsupported, "a loop exchanges tensors that it carries");
                copy(carried[r], from);
            }
        }
        return {};
    }

    /// Position in row-major order of \p extents by the loops over x0, x1, …
    static std::string position(std::span<const std::int64_t> extents, std::span<const std::string> terms) {
        std::string made = "0";
        for (std::size_t d = 0; d < extents.size(); ++d)
            made = d == 0 ? fmt::format("({})", terms[d])
                          : fmt::format("({} * {} + {})", made, extents[d], terms[d]);
        return made;
    }

    Result<void> slice(const Operation& op, bool insert) {
        const ValueId whole = m_module.operand(op, insert ? 1 : 0),
                      part = insert ? m_module.operand(op, 0) : op.firstResult;
        if (insert) {
            PIM_CHECK(replace(op, whole, op.firstResult));
        } else {
            PIM_TRY(const Scalar element, elementOf(part));
            array(part, element);
        }
        const auto offsets = intsOf(op, "static_offsets"), sizes = intsOf(op, "static_sizes"),
                   strides = intsOf(op, "static_strides");
        std::size_t next = insert ? 2 : 1;
        std::vector<std::string> outer, inner;
        for (std::size_t d = 0; d < offsets.size(); ++d) {
            const std::string begin =
                offsets[d] == kDynamicOffset ? name(op, next++) : fmt::format("{}", offsets[d]);
            inner.push_back(fmt::format("x{}", d));
            outer.push_back(
                fmt::format("{} + x{}{}", begin, d, strides[d] == 1 ? "" : fmt::format(" * {}", strides[d])));
            open(static_cast<std::int64_t>(d), sizes[d]);
        }
        const std::string at = position(m_module.type(whole).extents(), outer), of = position(sizes, inner);
        if (insert)
            line("{}[{}] = {}[{}];", name(op.firstResult), at, name(part), of);
        else
            line("{}[{}] = {}[{}];", name(part), of, name(whole), at);
        close(offsets.size());
        return {};
    }

    Result<void> transpose(const Operation& op) {
        PIM_TRY(const Scalar element, elementOf(op.firstResult));
        array(op.firstResult, element);
        const auto perms = intsOf(op, "perms");
        const Shape& to = m_module.type(op.firstResult).extents();
        std::vector<std::string> made, from(perms.size());
        for (std::size_t d = 0; d < perms.size(); ++d) {
            made.push_back(fmt::format("x{}", d));
            from[static_cast<std::size_t>(perms[d])] = made.back();
            open(static_cast<std::int64_t>(d), to[d]);
        }
        line("{}[{}] = {}[{}];", name(op.firstResult), position(to, made), name(op, 0),
             position(m_module.type(m_module.operand(op, 0)).extents(), from));
        close(perms.size());
        return {};
    }

    /// A product that stays on the host; sums of reals in double, rounded once, as the interpreter makes them.
    Result<void> gemm(const Operation& op) {
        PIM_TRY(const Scalar element, elementOf(op.firstResult));
        const std::string made = array(op.firstResult, element);
        const Shape& a = m_module.type(m_module.operand(op, 0)).extents();
        const std::int64_t n =
            m_module.type(op.firstResult).rank() == 2 ? m_module.type(op.firstResult).extents()[1] : 1;
        open(0, a[0]);
        open(1, n);
        const std::string_view sum = isFloat(element) ? "double" : "uint64_t";
        const std::string start =
            op.operandCount > 2 ? fmt::format("({}){}[x0 * {} + x1]", sum, name(op, 2), n) : "0";
        line("{} sum = {};", sum, start);
        open(2, a[1]);
        line("sum += ({0}){1}[x0 * {2} + x2] * ({0}){3}[x2 * {4} + x1];", sum, name(op, 0), a[1], name(op, 1),
             n);
        close();
        line("{}[x0 * {} + x1] = ({})sum;", made, n, cType(element));
        close(2);
        return {};
    }

    /// Two tensors, or a tensor and a scalar, element by element. Integers are made of 64 bits and wrap when stored.
    Result<void> elements(const Operation& op) {
        std::string_view what = op.def->name.substr(5);
        if (what == "mergePartial")
            what = textOr(op, "op", "add");
        const auto known = elementOpFromName(what);
        PIM_TRY(const Scalar element, elementOf(op.firstResult));
        if (!known || *known == ElementOp::Div || op.operandCount != 2)
            return unsupported(op);
        const std::string_view wide = isFloat(element) ? "double" : "int64_t",
                               sum = isFloat(element) ? "double" : "uint64_t";
        const std::string made = array(op.firstResult, element);
        open(0, count(op.firstResult));
        line("const {} a = {}[x0];", wide, name(op, 0));
        line("const {} b = {}{};", wide, name(op, 1),
             m_module.type(m_module.operand(op, 1)).isTensor() ? "[x0]" : "");
        const auto sign = [&](char c) {
            line("{}[x0] = ({})(({})a {} ({})b);", made, cType(element), sum, c, sum);
        };
        switch (*known) {
        case ElementOp::Add:
            sign('+');
            break;
        case ElementOp::Sub:
            sign('-');
            break;
        case ElementOp::Mul:
            sign('*');
            break;
        case ElementOp::And:
            sign('&');
            break;
        case ElementOp::Or:
            sign('|');
            break;
        case ElementOp::Xor:
            sign('^');
            break;
        default:
            line("{}[x0] = ({})(a {} b ? a : b);", made, cType(element),
                 *known == ElementOp::Min ? '<' : '>');
        }
        close();
        return {};
    }

    Result<void> call(const Operation& op, std::string_view what) {
        const std::int64_t tile = integerOr(op, "tile", -1);
        if (what == "init")
            line("memristor_init({}, {});", integerOr(op, "tiles", 1), integerOr(op, "size", 1));
        else if (what == "release")
            line("memristor_release();");
        else if (what == "barrier" && tile < 0)
            line("memristor_barrier_all();");
        else if (what == "barrier")
            line("memristor_barrier({});", tile);
        else if (what == "copy_tile") {
            const std::string& made = array(op.firstResult, Scalar::I8);
            PIM_TRY(const Scalar element, elementOf(m_module.operand(op, 0)));
            line("memristor_copy_tile({}, {}, {}, {}, {});", made, name(op, 0), count(op.firstResult),
                 bytesOf(element), integerOr(op, "digit", 0));
        } else if (what == "write_tile") {
            const Shape& matrix = m_module.type(m_module.operand(op, 1)).extents();
            line("memristor_write_tile({}, {}, {}, {});", tile, name(op, 1), matrix[0], matrix[1]);
        } else if (what == "gemm" || what == "gemv") {
            const Shape& rows = m_module.type(m_module.operand(op, 1)).extents();
            const auto bytes = m_resultBytes.find(op.firstResult);
            line("memristor_{}({}, {}, {}{}, {}, {});", what, tile, name(op, 1),
                 what == "gemm" ? fmt::format("{}, ", rows[0]) : "", rows[1],
                 array(op.firstResult, Scalar::I32), bytes == m_resultBytes.end() ? 4 : bytes->second);
        } else if (what == "store_tile")
            line("memristor_store_tile({}, {}, {});", array(op.firstResult, Scalar::I32), name(op, 0),
                 count(op.firstResult));
        else if (what == "shift_add")
            return shiftAdd(op);
        else
            return unsupported(op);
        return {};
    }

    Result<void> shiftAdd(const Operation& op) {
        PIM_TRY(const Scalar element, elementOf(op.firstResult));
        PIM_CHECK(replace(op, m_module.operand(op, 0), op.firstResult));
        const std::string& made = name(op.firstResult);
        open(0, count(op.firstResult));
        line("{0}[x0] = ({1})((uint64_t){0}[x0] + ((uint64_t){2}[x0] << {3}));", made, cType(element),
             name(op, 1), integerOr(op, "shift", 0));
        close();
        return {};
    }

    const Module& m_module;
    const Operation& m_function;
    std::vector<std::string> m_names;   ///< Of each value in C: an array, a variable, a number.
    std::vector<OperationId> m_lastUse; ///< Of each value.
    std::set<std::string> m_own;        ///< Arrays that may be changed.
    const std::map<ValueId, std::int64_t> m_resultBytes = resultBytes(m_module);
    std::vector<std::string> m_lastNames; ///< Of the last comment.
    std::string m_arrays, m_text;
    std::size_t m_depth = 0;
};

} // namespace

Result<CCode> cCode(const Module& module, std::string_view function) {
    const OperationId found = module.function(function);
    if (!found.valid())
        return fail(ErrorCode::NotFound, "there is no such function", std::string(function));
    return Writer(module, found).code(function);
}

} // namespace pim::memristor
