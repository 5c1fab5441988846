// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rearrange/layout.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pim {
namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Dimension order in a core: as in the tensor, but the dimension that SIMD runs along comes last.
std::vector<int> dimensionOrder(const TilingSpace& space, int tensor) {
    std::vector<int> order;
    int along = -1;
    const auto& shape = space.kernel().tensors[static_cast<std::size_t>(tensor)].shape;
    if (space.simdSet() >= 0)
        for (const DimRef& dim : space.sets()[static_cast<std::size_t>(space.simdSet())].dims)
            if (dim.tensor == tensor)
                along = dim.dim;
    for (int d = 0; d < static_cast<int>(shape.size()); ++d)
        if (d != along)
            order.push_back(d);
    if (along >= 0)
        order.push_back(along);
    return order;
}

std::int64_t countOf(const std::vector<IndexRun>& runs) {
    std::int64_t count = 0;
    for (const IndexRun& run : runs)
        count += run.count;
    return count;
}

/// Position of \p index among the indices held; -1 if it is not.
std::int64_t positionOf(const std::vector<IndexRun>& runs, std::int64_t index) {
    std::int64_t before = 0;
    for (const IndexRun& run : runs) {
        const std::int64_t offset = index - run.begin;
        if (offset >= 0 && offset % run.step == 0 && offset / run.step < run.count)
            return before + offset / run.step;
        before += run.count;
    }
    return -1;
}

/// Elements of a tile with its last dimension padded to whole SIMD accesses.
std::int64_t paddedElements(const TensorLayout& layout, const std::vector<std::vector<IndexRun>>& tile) {
    std::int64_t elements = 1;
    for (const int d : layout.order)
        elements *= countOf(tile[static_cast<std::size_t>(d)]);
    if (layout.order.empty() || elements == 0)
        return elements;
    const std::int64_t last = countOf(tile[static_cast<std::size_t>(layout.order.back())]);
    const std::int64_t lanes = std::max(1, layout.space->resources().simdLanes);
    return elements / last * ceilDiv(last, lanes) * lanes;
}

/// Access of vector \p v, piece \p g among \p vectors of \p pieces accesses each, cut into blocks. Dense.
std::int64_t blockedAccess(std::int64_t block, std::int64_t vectors, std::int64_t pieces, std::int64_t v, std::int64_t g) {
    const std::int64_t firstVector = v / block * block, side = std::min(block, vectors - firstVector);
    const std::int64_t firstPiece = g / block * block;
    return firstVector * pieces + firstPiece * side + (g - firstPiece) * side + (v - firstVector);
}

} // namespace

CoreGeometry coreGeometry(const Target& target) {
    CoreGeometry geometry;
    const auto bytes = [&target](const char* parameter, std::int64_t fallback) {
        return static_cast<std::int64_t>(target.number(parameter, "B").value_or(static_cast<double>(fallback)));
    };
    geometry.rowBytes = std::max<std::int64_t>(1, bytes("organisation.rowBytes", geometry.rowBytes));
    geometry.accessBytes = std::clamp<std::int64_t>(bytes("organisation.accessBytes", geometry.accessBytes), 1, geometry.rowBytes);
    geometry.banks = std::max<std::int64_t>(1, static_cast<std::int64_t>(target.numberOr("organisation.banksPerCore", 1)));
    if (const Level* core = target.level("core"))
        if (const Memory* bank = core->memory("bank"))
            geometry.rows = bank->bytes / geometry.rowBytes;
    return geometry;
}

MemoryLayout layoutOf(const Plan& plan) {
    MemoryLayout layout;
    layout.geometry = coreGeometry(*plan.target);
    std::set<std::tuple<TensorId, const TilingSpace*, std::string>> seen; // laid out alike: one place for all ops
    for (const OpPlan& op : plan.ops) {
        if (op.placement != Placement::Pim || !op.space || !op.draft)
            continue;
        const DraftSummary summary = op.space->summarize(*op.draft);
        for (std::size_t t = 0; t < op.tensors.size(); ++t) {
            if (op.tensors[t].residency != Residency::Resident ||
                !seen.emplace(op.tensors[t].tensor, op.space.get(), op.space->draftText(*op.draft)).second)
                continue;
            TensorLayout one;
            one.op = op.op;
            one.kernelTensor = static_cast<int>(t);
            one.tensor = op.tensors[t].name;
            one.space = op.space;
            one.draft = *op.draft;
            one.order = dimensionOrder(*op.space, one.kernelTensor);
            if (op.space->kernel().body == BodyKind::Mac)
                one.block = std::max<std::int64_t>(1, static_cast<std::int64_t>(plan.target->numberOr("register.GRF.entries", 1)));
            one.elementBytes = bytesOf(op.space->kernel().tensors[t].dtype);
            one.firstRow = layout.rowsUsed;
            // The first core has the largest tile: remainders go to the last ones. [core/tiling: ceil(length / parts)]
            const CoreTile first = op.space->tile(*op.draft, 0, 0);
            const std::int64_t elements =
                std::max(summary.tensors[t].tileElements, first.data.size() > t ? paddedElements(one, first.data[t]) : 0);
            one.rows = std::max<std::int64_t>(1, ceilDiv(elements * one.elementBytes, layout.geometry.rowBytes));
            layout.rowsUsed += one.rows;
            layout.tensors.push_back(std::move(one));
        }
    }
    return layout;
}

Result<ElementPlace> placeOf(const TensorLayout& layout, const CoreGeometry& geometry,
                             const std::vector<std::int64_t>& index) {
    const TilingResources& machine = layout.space->resources();
    const std::size_t tensor = static_cast<std::size_t>(layout.kernelTensor);
    if (index.size() != layout.order.size())
        return fail(ErrorCode::NotFound, fmt::format("an index of {} dimensions; the tensor has {}", index.size(), layout.order.size()),
                    layout.tensor);
    const std::int64_t lanes = std::max(1, machine.simdLanes);
    for (int group = 0; group < machine.groups; ++group)
        for (int core = 0; core < machine.coresPerGroup; ++core) {
            const CoreTile tile = layout.space->tile(layout.draft, group, core);
            if (tile.iterations == 0)
                continue;
            std::int64_t vector = 0, vectors = 1, along = 0, pieces = 1; // all dimensions but the last; the last
            bool held = true;
            for (std::size_t i = 0; held && i < layout.order.size(); ++i) {
                const auto& runs = tile.data[tensor][static_cast<std::size_t>(layout.order[i])];
                const std::int64_t position = positionOf(runs, index[static_cast<std::size_t>(layout.order[i])]);
                held = position >= 0;
                if (i + 1 == layout.order.size()) {
                    along = position;
                    pieces = ceilDiv(countOf(runs), lanes);
                } else {
                    vector = vector * countOf(runs) + position;
                    vectors *= countOf(runs);
                }
            }
            if (!held)
                continue;
            const std::int64_t access = layout.block > 1
                                            ? blockedAccess(layout.block, vectors, pieces, vector, along / lanes)
                                            : vector * pieces + along / lanes;
            const std::int64_t linear = access * lanes + along % lanes;
            const std::int64_t address = linear * layout.elementBytes;
            const std::int64_t row = layout.firstRow + address / geometry.rowBytes, inRow = address % geometry.rowBytes;
            return ElementPlace{group, core, row % geometry.banks, row / geometry.banks, inRow / geometry.accessBytes,
                                inRow % geometry.accessBytes};
        }
    return fail(ErrorCode::NotFound, fmt::format("no core holds the index [{}]", fmt::join(index, ", ")), layout.tensor);
}

std::string layoutJson(const Plan& plan) {
    const MemoryLayout layout = layoutOf(plan);
    nlohmann::ordered_json json;
    json["row_bytes"] = layout.geometry.rowBytes;
    json["access_bytes"] = layout.geometry.accessBytes;
    json["banks_per_core"] = layout.geometry.banks;
    json["rows_used"] = layout.rowsUsed;
    json["rows_of_core"] = layout.geometry.rows;
    json["tensors"] = nlohmann::ordered_json::array();
    for (const TensorLayout& one : layout.tensors) {
        const KernelTensor& tensor = one.space->kernel().tensors[static_cast<std::size_t>(one.kernelTensor)];
        json["tensors"].push_back({{"tensor", one.tensor},
                                   {"op", plan.graph->op(one.op).name},
                                   {"kernel_tensor", tensor.name},
                                   {"shape", tensor.shape},
                                   {"dtype", name(tensor.dtype)},
                                   {"draft", one.space->draftText(one.draft)},
                                   {"order", one.order},
                                   {"block", one.block},
                                   {"first_row", one.firstRow},
                                   {"rows", one.rows}});
    }
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace pim
