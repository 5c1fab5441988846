// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What lies where in the two memories of a DPU, from the first byte to the last: arrays and buffers, and what is free
/// between them. Flow: OpOnDpu -> [MemoryPieces] -> strips, table.
#include "backends/upmem/op_run.h"

#include <QColor>
#include <QString>

#include <vector>

namespace pim::views {

struct MemoryPiece {
    enum class Kind { Kept, Passing, Runtime, Shared, OfTasklet, Free };
    QString name;   ///< Of the array or buffer.
    QString tensor; ///< That it holds; may be empty.
    QString what;   ///< In words.
    std::int64_t begin = 0, bytes = 0;
    Kind kind = Kind::Free;
    int tasklet = -1; ///< -1: of all.
    int color = 0;    ///< Those of the same number belong together.
};

struct MemoryPieces {
    QString name; ///< "MRAM"
    std::int64_t capacity = 0;
    std::vector<MemoryPiece> pieces; ///< By address; together without gaps up to the capacity.

    std::int64_t taken() const;                          ///< Bytes, free ones not counted.
    std::int64_t end() const;                            ///< Of the last piece, or the capacity.
    std::int64_t beyond(const MemoryPiece& piece) const; ///< Bytes of it past the capacity.
    std::int64_t overflow() const;                       ///< Of all of them.
    QString headline() const;                            ///< Rich text.
    QString describe(const MemoryPiece& piece) const;    ///< One line.
};
QString title(MemoryPiece::Kind kind);
QColor colorOf(const MemoryPiece& piece);

MemoryPieces mramPieces(const upmem::OpOnDpu& run);
MemoryPieces wramPieces(const upmem::OpOnDpu& run);

} // namespace pim::views
