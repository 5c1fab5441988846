// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/table_rows.h"

#include <fmt/format.h>

namespace pim {

bool takesTableRows(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    if (op.type != "Gather" || !op.domain.empty() || op.inputs.size() != 2)
        return false;
    const Tensor& table = graph.tensor(op.inputs[0]);
    if (!table.isConstant() || !isRealType(table.dtype) || !table.shape || table.shape->empty())
        return false;
    const std::int64_t axis = op.intAttribute("axis", 0);
    return (axis == 0 || axis + std::ssize(*table.shape) == 0) &&
           elementCount(*table.shape).value_or(0) >= kLargeConstant;
}

Result<Value> tableRows(const Graph& graph, OpId id, const Value& indices) {
    const Op& op = graph.op(id);
    const Tensor& table = graph.tensor(op.inputs[0]);
    const std::int64_t rows = table.shape->front();
    PIM_TRY(const RealConstant constant, RealConstant::open(table));
    Shape shape = indices.shape;
    shape.insert(shape.end(), table.shape->begin() + 1, table.shape->end());
    Fresh<float> fresh(DataType::F32, shape);
    const auto length = std::size_t(constant.count() / std::max<std::int64_t>(1, rows));
    std::size_t at = 0;
    for (const std::int64_t index : intsOf(*indices.bytes, indices.dtype)) {
        const std::int64_t row = index < 0 ? index + rows : index;
        if (row < 0 || row >= rows)
            return fail(ErrorCode::InvalidModel,
                        fmt::format("row {} is wanted of a table of {} rows", index, rows),
                        fmt::format("{} \"{}\"", op.type, op.name));
        PIM_CHECK(constant.read(row * std::int64_t(length), fresh.data.subspan(at, length)));
        at += length;
    }
    return fresh.value;
}

} // namespace pim
