// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/interpret.h"

#include "core/ir/scalar_bytes.h"
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::ir {

namespace {

Shape rowMajor(const Shape& extents) {
    Shape strides(extents.size());
    std::int64_t stride = 1;
    for (std::size_t d = extents.size(); d-- > 0; stride *= extents[d])
        strides[d] = stride;
    return strides;
}

} // namespace

Array Array::make(Scalar element, const Shape& extents) {
    Array array{
        .element = element, .extents = extents, .strides = rowMajor(extents), .offset = 0, .bytes = {}};
    array.bytes =
        std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(array.count() * bytesOf(element)));
    return array;
}

std::int64_t Array::count() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents)
        count *= extent;
    return count;
}

bool Array::isContiguous() const {
    return offset == 0 && strides == rowMajor(extents) &&
           static_cast<std::int64_t>(bytes->size()) == count() * bytesOf(element);
}

std::int64_t Array::at(std::span<const std::int64_t> indices) const {
    std::int64_t position = offset;
    for (std::size_t d = 0; d < extents.size(); ++d)
        position += indices[d] * strides[d];
    return position;
}

Array Array::compact() const {
    if (isContiguous())
        return *this;
    Array copy = make(element, extents);
    const auto size = static_cast<std::size_t>(bytesOf(element));
    std::byte* to = copy.bytes->data();
    forEachPosition(*this, [&](std::int64_t position) {
        std::memcpy(to, bytesAt(position), size);
        to += size;
    });
    return copy;
}

void forEachPosition(const Array& array, const std::function<void(std::int64_t)>& visit) {
    const std::size_t rank = array.extents.size();
    const std::int64_t count = array.count();
    std::vector<std::int64_t> at(rank);
    std::int64_t position = array.offset;
    for (std::int64_t i = 0; i < count; ++i) {
        visit(position);
        for (std::size_t d = rank; d-- > 0;) {
            position += array.strides[d];
            if (++at[d] < array.extents[d])
                break;
            position -= at[d] * array.strides[d];
            at[d] = 0;
        }
    }
}

std::vector<double> realsOf(const Array& array) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(array.count()));
    forEachPosition(array, [&](std::int64_t position) {
        values.push_back(loadReal(array.bytesAt(position), array.element));
    });
    return values;
}

std::vector<std::int64_t> intsOf(const Array& array) {
    std::vector<std::int64_t> values;
    values.reserve(static_cast<std::size_t>(array.count()));
    forEachPosition(array, [&](std::int64_t position) {
        values.push_back(loadInt(array.bytesAt(position), array.element));
    });
    return values;
}

Array arrayOf(std::span<const std::int64_t> values, Scalar element, Shape extents) {
    Array array = Array::make(element, extents);
    for (std::size_t i = 0; i < values.size(); ++i)
        storeInt(array.bytesAt(static_cast<std::int64_t>(i)), element, values[i]);
    return array;
}

Array arrayOf(std::span<const double> values, Scalar element, Shape extents) {
    Array array = Array::make(element, extents);
    for (std::size_t i = 0; i < values.size(); ++i)
        storeReal(array.bytesAt(static_cast<std::int64_t>(i)), element, values[i]);
    return array;
}

Result<Array> arrayOf(const Value& value) {
    const auto element = scalarOf(value.dtype);
    if (!element || !value.bytes)
        return fail(ErrorCode::Unsupported,
                    fmt::format("elements of type {} have no place in this program", name(value.dtype)));
    Array array{.element = *element,
                .extents = value.shape,
                .strides = rowMajor(value.shape),
                .offset = 0,
                .bytes = std::make_shared<std::vector<std::byte>>(*value.bytes)};
    return array;
}

Value valueOf(const Array& array) {
    const Array whole = array.compact();
    return {dataTypeOf(whole.element), whole.extents, whole.bytes};
}

Interpreter::Interpreter(const Module& module, InterpreterOptions options)
    : m_module(module), m_options(std::move(options)), m_cells(module.valueCount()),
      m_usedOnce(module.valueCount(), 0) {
    std::vector<std::uint8_t> uses(module.valueCount(), 0);
    for (const Operation& op : module.operations())
        for (const ValueId value : module.operands(op)) {
            auto& count = uses[value.index()];
            count = static_cast<std::uint8_t>(std::min(2, count + 1));
            m_usedOnce[value.index()] = count == 1 && module.value(value).region == op.parent;
        }
}

std::vector<std::int64_t> Interpreter::indices(const Operation& op, std::size_t first, std::size_t count) {
    std::vector<std::int64_t> found(count);
    for (std::size_t n = 0; n < count; ++n)
        found[n] = index(op, first + n);
    return found;
}

Array Interpreter::take(const Operation& op, std::size_t n) {
    const ValueId value = m_module.operand(op, n);
    Array& array = cell(value).array;
    if (m_usedOnce[value.index()] && array.bytes.use_count() == 1 && array.isContiguous())
        return std::move(array);
    Array copy = array.compact();
    if (copy.bytes == array.bytes)
        copy.bytes = std::make_shared<std::vector<std::byte>>(*array.bytes);
    return copy;
}

void Interpreter::set(const Operation& op, Array value, std::uint32_t n) {
    cell(Module::result(op, n)).array = std::move(value);
}

Result<void> Interpreter::runOne(const Operation& op) {
    if (m_options.machine) {
        PIM_TRY(const bool ran, m_options.machine(*this, op));
        if (ran)
            return {};
    }
    return op.def->run(*this, op);
}

Result<const Operation*> Interpreter::run(const Region& region) {
    for (const OperationId id : region.operations) {
        const Operation& op = m_module.operation(id);
        if (op.def->endsRegion)
            return &op;
        if (++m_steps > m_options.mostSteps)
            return fail(ErrorCode::Unsupported, fmt::format("given up after {} ops", m_options.mostSteps),
                        describe(m_module, id), "run it on smaller shapes");
        if (!op.def->run)
            return fail(ErrorCode::Unsupported, "cannot run by itself", describe(m_module, id));
        if (auto ran = runOne(op); !ran) {
            if (ran.error().where.empty())
                ran.error().where = describe(m_module, id);
            return tl::unexpected<Error>(std::move(ran).error());
        }
    }
    return nullptr;
}

Result<std::vector<Array>> Interpreter::call(std::string_view function, std::vector<Array> arguments) {
    const OperationId id = m_module.function(function);
    if (!id.valid())
        return fail(ErrorCode::NotFound, fmt::format("there is no function '{}'", function));
    const Region& body = m_module.regionOf(m_module.operation(id));
    if (arguments.size() != body.argumentCount)
        return fail(ErrorCode::Usage,
                    fmt::format("{} arguments, expected {}", arguments.size(), body.argumentCount),
                    std::string(function));
    for (std::uint32_t a = 0; a < body.argumentCount; ++a) {
        const ValueId value = Module::argument(body, a);
        const Type& wanted = m_module.type(value);
        if (wanted.extents() != arguments[a].extents || wanted.element() != arguments[a].element)
            return fail(ErrorCode::Usage,
                        fmt::format("argument {} is {}, expected {}", a,
                                    Type::tensor(arguments[a].extents, arguments[a].element).text(),
                                    wanted.text()),
                        std::string(function));
        if (wanted.isScalar()) {
            cell(value).i =
                isFloat(arguments[a].element) ? 0 : loadInt(arguments[a].bytesAt(0), arguments[a].element);
            cell(value).f = loadReal(arguments[a].bytesAt(0), arguments[a].element);
        }
        cell(value).array = std::move(arguments[a]);
    }
    PIM_TRY(const Operation* end, run(body));
    std::vector<Array> results;
    for (const ValueId value : m_module.operands(*end)) {
        const Type& type = m_module.type(value);
        if (!type.isScalar())
            results.push_back(cell(value).array.compact());
        else if (isFloat(*type.element()))
            results.push_back(arrayOf(std::span<const double>(&cell(value).f, 1), *type.element(), {}));
        else
            results.push_back(arrayOf(std::span<const std::int64_t>(&cell(value).i, 1), *type.element(), {}));
    }
    return results;
}

} // namespace pim::ir
