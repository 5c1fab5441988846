// SPDX-License-Identifier: GPL-3.0-or-later
// Look-ups: rows, features, or both are shared out over DPUs; each has all codebooks of its rows.
#include "backends/upmem/arrange.h"
#include "backends/upmem/lut/lut_code.h"

#include <cstring>

namespace pim::upmem {
namespace {

/// Extents of the table [codebooks, centroids, features].
struct TableShape {
    std::int64_t codebooks, centroids, features;
    TableShape(const Arrangement& of, const TensorAccess& table)
        : codebooks(of.tile().tile.lookUps()->layer.codebooks),
          centroids(of.tile().tile.lookUps()->layer.centroids), features(1) {
        for (const std::int64_t extent : of.kernel().tensors[std::size_t(table.tensor)].shape)
            features *= extent;
        features /= codebooks * centroids;
    }
};

} // namespace

Arrangement::Range Arrangement::rangeOf(int dpu, LoopPart part) const {
    Range range{0, 1};
    const std::vector<int> loops = loopsOf(part);
    for (std::size_t loop = m_cuts.size(); loop-- > 0;) {
        const std::vector<Range>& cores = m_cuts[loop][std::size_t(dpu) % m_cuts[loop].size()];
        dpu /= int(m_cuts[loop].size());
        if (!loops.empty() && loops.front() == int(loop))
            range = {cores.front().first, cores.back().second};
    }
    return range;
}

void Arrangement::sendLookUps(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const {
    const auto& [layer, mapping] = *m_tile.tile.lookUps();
    const TileLayout layout = layoutOf(m_tile.tile);
    const TableShape shape(*this, kernel().accesses[std::size_t(m_tile.streamed)]);
    const Range rows = rangeOf(dpu, LoopPart::Vector), features = rangeOf(dpu, LoopPart::Output);
    const auto tensorOf = [&](int access) -> const std::vector<std::int32_t>& {
        return tensors[std::size_t(kernel().accesses[std::size_t(access)].tensor)];
    };
    const std::vector<std::int32_t>&indices = tensorOf(m_tile.held), &table = tensorOf(m_tile.streamed);
    const std::int64_t tile = mapping.kernel.codebooks;
    for (std::int64_t row = rows.first; row < rows.second; ++row)
        for (std::int64_t c = 0; c < shape.codebooks; ++c) {
            const std::uint16_t place =
                lutPlace(layer, mapping, c, indices[std::size_t(row * shape.codebooks + c)]);
            const std::int64_t at = (c / tile * layer.rows + row - rows.first) * tile + c % tile;
            std::memcpy(&mram[std::size_t(layout.x + at * kLutIndexBytes)], &place, sizeof place);
        }
    for (std::int64_t c = 0; c < shape.codebooks; ++c)
        for (std::int64_t centroid = 0; centroid < shape.centroids; ++centroid) {
            const std::int32_t* const from =
                &table[std::size_t((c * shape.centroids + centroid) * shape.features)];
            for (std::int64_t f = features.first; f < features.second; ++f)
                mram[std::size_t(layout.w + lutEntry(layer, mapping, c, centroid, f - features.first))] =
                    std::uint8_t(from[f]);
        }
}

void Arrangement::eachLookUp(int dpu, const std::function<void(std::int64_t, std::int64_t)>& visit) const {
    const auto& [layer, mapping] = *m_tile.tile.lookUps();
    const std::int64_t begin = layoutOf(m_tile.tile).y, tile = mapping.kernel.features,
                       all = TableShape(*this, kernel().accesses[std::size_t(m_tile.streamed)]).features;
    const Range rows = rangeOf(dpu, LoopPart::Vector), features = rangeOf(dpu, LoopPart::Output);
    for (std::int64_t row = rows.first; row < rows.second; ++row)
        for (std::int64_t feature = features.first; feature < features.second; ++feature) {
            const std::int64_t f = feature - features.first;
            const std::int64_t at = (f / tile * layer.rows + row - rows.first) * tile + f % tile;
            visit(begin + at * kLutOutputBytes, row * all + feature);
        }
}

void Arrangement::computeLookUps(int dpu, const KernelNumbers& tensors,
                                 std::span<std::int32_t> result) const {
    const TableShape shape(*this, kernel().accesses[std::size_t(m_tile.streamed)]);
    const Range rows = rangeOf(dpu, LoopPart::Vector), features = rangeOf(dpu, LoopPart::Output);
    const auto tensorOf = [&](int access) -> const std::vector<std::int32_t>& {
        return tensors[std::size_t(kernel().accesses[std::size_t(access)].tensor)];
    };
    const std::vector<std::int32_t>&indices = tensorOf(m_tile.held), &table = tensorOf(m_tile.streamed);
    for (std::int64_t row = rows.first; row < rows.second; ++row)
        for (std::int64_t c = 0; c < shape.codebooks; ++c) {
            const std::int64_t entry = c * shape.centroids + indices[std::size_t(row * shape.codebooks + c)];
            for (std::int64_t f = features.first; f < features.second; ++f)
                join(result[std::size_t(row * shape.features + f)],
                     table[std::size_t(entry * shape.features + f)]);
        }
}

} // namespace pim::upmem
