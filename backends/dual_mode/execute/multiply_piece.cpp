// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/execute/multiply_piece.h"

#include "core/base/parallel.h"
#include "core/numeric/kernels.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <optional>

namespace pim {

namespace {

constexpr std::int64_t kRows = 128; ///< Rows handled together.

/// A tile as the kernel takes it: [columns][padded rows].
struct WideTile {
    FlowWeightBlock block;
    std::int64_t length = 0, columns = 0;
    std::vector<std::int16_t> cells;
};

WideTile widen(const DualModeFlow& flow, const FlowWeightBlock& block, const ArrayTile& tile) {
    WideTile wide{block, paddedLength(block.g * block.n), block.g * block.k, {}};
    wide.cells.assign(static_cast<std::size_t>(wide.length * wide.columns), 0);
    for (std::int64_t c = 0; c < wide.columns; ++c)
        for (std::int64_t r = 0; r < block.g * block.n; ++r)
            wide.cells[static_cast<std::size_t>(c * wide.length + r)] =
                tile.cells[static_cast<std::size_t>(r * flow.columns + c)];
    return wide;
}

/// Rows of the same image that are computed together, and one unit of instances.
struct RowsOfUnit {
    std::int64_t unit = 0, begin = 0, count = 0;
};

class PieceRunner {
public:
    PieceRunner(const PieceMultiply& job, ChipMemory& memory)
        : m_job(job), m_memory(memory), m_form(job.form),
          m_piece(job.flow.pieces[static_cast<std::size_t>(job.piece)]),
          m_op(job.flow.ops[static_cast<std::size_t>(m_piece.op)]),
          m_finish(job.model, job.form.op, job.form.part) {
        const bool packed = m_op.packed > 1;
        m_rowBlocks = packed ? 1 : (m_piece.n + job.flow.rows - 1) / job.flow.rows;
        m_columnBlocks = packed ? 1 : (m_piece.k + job.flow.columns - 1) / job.flow.columns;
        m_units = packed ? (m_piece.g + m_op.packed - 1) / m_op.packed : m_piece.g;
        for (std::size_t i = 0; i < job.tiles.size(); ++i)
            m_tiles.push_back(widen(job.flow,
                                    weightBlock(job.flow, m_piece, static_cast<int>(i) % m_piece.blocks),
                                    *job.tiles[i]));
    }

    Result<void> run(const TaskContext& task) {
        m_memory.prepareWrite(m_op.result);
        if (m_op.accumulator >= 0)
            m_memory.prepareWrite(m_op.accumulator);
        const std::int64_t image =
            m_form.isConv() ? m_form.window.outHeight * m_form.window.outWidth : m_form.m;
        std::vector<RowsOfUnit> work;
        for (std::int64_t u = 0; u < m_units; ++u)
            for (std::int64_t first = 0; first < m_form.m; first += image)
                for (std::int64_t at = 0; at < image; at += kRows)
                    work.push_back({u, first + at, std::min(kRows, image - at)});
        std::optional<std::pair<std::size_t, Error>> failure;
        std::mutex mutex;
        parallelFor(work.size(), m_job.threads, [&](std::size_t i) {
            if (task.cancelled())
                return;
            if (auto done = rows(work[i]); !done) {
                const std::lock_guard lock(mutex);
                if (!failure || i < failure->first)
                    failure.emplace(i, std::move(done).error());
            }
        });
        if (task.cancelled())
            return TaskContext::cancelledError("executing the flow");
        if (failure)
            return tl::unexpected(std::move(failure->second));
        return {};
    }

private:
    /// Sums of some rows for all columns of a unit; then what SumRole says.
    Result<void> rows(const RowsOfUnit& part) {
        const std::int64_t width = m_op.packed > 1 ? tileOf(part.unit, 0, 0, 0).columns : m_piece.k;
        std::vector<std::int32_t> sums(static_cast<std::size_t>(part.count * width), 0);
        std::vector<std::int16_t> gathered, ofCopy;
        for (std::int64_t r = 0; r < m_rowBlocks; ++r) {
            const WideTile& any = tileOf(part.unit, r, 0, 0);
            const FlowWeightBlock& block = any.block;
            gathered.assign(static_cast<std::size_t>(part.count * any.length), 0);
            for (std::int64_t i = 0; i < block.g; ++i)
                gatherInput(m_form, m_job.streamed.data(),
                            {block.gBegin + i, part.begin, part.count, block.nBegin, block.n},
                            gathered.data() + i * block.n, any.length);
            for (std::int64_t c = 0; c < m_job.copies; ++c) {
                // Copy c has rows c, c + copies, … of the operator.
                const std::int64_t first = ((c - part.begin) % m_job.copies + m_job.copies) % m_job.copies;
                if (first >= part.count)
                    continue;
                const std::int64_t count = (part.count - first - 1) / m_job.copies + 1;
                const std::int16_t* in = gathered.data();
                if (m_job.copies > 1) {
                    ofCopy.resize(static_cast<std::size_t>(count * any.length));
                    for (std::int64_t j = 0; j < count; ++j)
                        std::memcpy(ofCopy.data() + j * any.length,
                                    gathered.data() + (first + j * m_job.copies) * any.length,
                                    static_cast<std::size_t>(any.length) * sizeof(std::int16_t));
                    in = ofCopy.data();
                }
                for (std::int64_t k = 0; k < m_columnBlocks; ++k) {
                    const WideTile& tile = tileOf(part.unit, r, k, c);
                    const std::int64_t column = m_op.packed > 1 ? 0 : tile.block.kBegin - m_piece.kBegin;
                    integerProduct({in, count, tile.cells.data(), tile.columns, tile.length,
                                    sums.data() + first * width + column, m_job.copies * width},
                                   true);
                }
            }
        }
        const FlowWeightBlock& block = tileOf(part.unit, 0, 0, 0).block;
        for (std::int64_t i = 0; i < block.g; ++i)
            PIM_CHECK(finish(part, block.gBegin + i, sums.data() + i * m_piece.k, width));
        return {};
    }

    /// \param sums [rows][stride], the first piece.k of each row belong to \p instance.
    Result<void> finish(const RowsOfUnit& part, std::int64_t instance, std::int32_t* sums,
                        std::int64_t stride) {
        const auto bytes = static_cast<std::size_t>(m_piece.k) * sizeof(std::int32_t);
        std::vector<std::int32_t> before(static_cast<std::size_t>(m_piece.k));
        for (std::int64_t r = 0; r < part.count && m_piece.sum != SumRole::Whole; ++r) {
            std::int32_t* row = sums + r * stride;
            const std::int64_t at = ((instance * m_form.m + part.begin + r) * m_form.k + m_piece.kBegin) *
                                    static_cast<std::int64_t>(sizeof(std::int32_t));
            if (m_piece.sum != SumRole::First) {
                PIM_CHECK(m_memory.read(m_op.accumulator, at,
                                        {reinterpret_cast<std::byte*>(before.data()), bytes}));
                for (std::int64_t k = 0; k < m_piece.k; ++k)
                    row[k] += before[static_cast<std::size_t>(k)];
            }
            if (m_piece.sum != SumRole::Last)
                PIM_CHECK(
                    m_memory.write(m_op.accumulator, at, {reinterpret_cast<const std::byte*>(row), bytes}));
        }
        if (m_piece.sum == SumRole::First || m_piece.sum == SumRole::More)
            return {};
        std::vector<std::int8_t> out(static_cast<std::size_t>(m_form.isConv() ? part.count : m_piece.k));
        const auto put = [&](std::int64_t at) {
            return m_memory.write(m_op.result, at,
                                  {reinterpret_cast<const std::byte*>(out.data()), out.size()});
        };
        const auto element = [&](std::int64_t r, std::int64_t k) {
            const std::int64_t at = m_form.outIndex(instance, part.begin + r, m_piece.kBegin + k);
            const std::int32_t sum = sums[r * stride + k];
            if (!m_job.sums.empty())
                m_job.sums[static_cast<std::size_t>(at)] = sum;
            return m_finish(at, instance * m_form.k + m_piece.kBegin + k, sum);
        };
        if (m_form.isConv()) { // pixels of a channel are neighbours
            for (std::int64_t k = 0; k < m_piece.k; ++k) {
                for (std::int64_t r = 0; r < part.count; ++r)
                    out[static_cast<std::size_t>(r)] = element(r, k);
                PIM_CHECK(put(m_form.outIndex(instance, part.begin, m_piece.kBegin + k)));
            }
            return {};
        }
        for (std::int64_t r = 0; r < part.count; ++r) {
            for (std::int64_t k = 0; k < m_piece.k; ++k)
                out[static_cast<std::size_t>(k)] = element(r, k);
            PIM_CHECK(put(m_form.outIndex(instance, part.begin + r, m_piece.kBegin)));
        }
        return {};
    }

    const WideTile& tileOf(std::int64_t unit, std::int64_t rowBlock, std::int64_t columnBlock,
                           std::int64_t copy) const {
        return m_tiles[static_cast<std::size_t>(
            copy * m_piece.blocks + (unit * m_rowBlocks + rowBlock) * m_columnBlocks + columnBlock)];
    }

    const PieceMultiply& m_job;
    ChipMemory& m_memory;
    const MatrixForm& m_form;
    const FlowPiece& m_piece;
    const FlowOp& m_op;
    SumFinisher m_finish;
    std::int64_t m_rowBlocks = 1, m_columnBlocks = 1, m_units = 1;
    std::vector<WideTile> m_tiles;
};

} // namespace

Result<ArrayTile> weightTile(const DualModeFlow& flow, const MatrixForm& form, int piece, int block,
                             std::span<const std::int8_t> weights) {
    const FlowWeightBlock part = weightBlock(flow, flow.pieces[static_cast<std::size_t>(piece)], block);
    if (part.g * part.n > flow.rows || part.g * part.k > flow.columns)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} x {} weights do not fit into an array of {} x {}", part.g * part.n,
                                part.g * part.k, flow.rows, flow.columns));
    ArrayTile tile{piece, block,
                   std::vector<std::int8_t>(
                       static_cast<std::size_t>(flow.rows) * static_cast<std::size_t>(flow.columns), 0)};
    std::vector<std::int16_t> columns(static_cast<std::size_t>(part.n * part.k));
    for (std::int64_t i = 0; i < part.g; ++i) {
        gatherWeights(form, weights.data(), {part.gBegin + i, part.kBegin, part.k, part.nBegin, part.n},
                      columns.data(), part.n);
        for (std::int64_t k = 0; k < part.k; ++k)
            for (std::int64_t n = 0; n < part.n; ++n)
                tile.cells[static_cast<std::size_t>((i * part.n + n) * flow.columns + i * part.k + k)] =
                    static_cast<std::int8_t>(columns[static_cast<std::size_t>(k * part.n + n)]);
    }
    return tile;
}

Result<void> multiplyPiece(const PieceMultiply& job, ChipMemory& memory, const TaskContext& task) {
    return PieceRunner(job, memory).run(task);
}

} // namespace pim
