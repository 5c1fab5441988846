// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/memory_pieces.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"

#include <QCoreApplication>
#include <QGuiApplication>

#include <algorithm>
#include <map>

namespace pim::views {
namespace {

struct DpuMemory {
    Q_DECLARE_TR_FUNCTIONS(pim::views::DpuMemory)
};

QString size(std::int64_t bytes) {
    return withoutTrailingZeros(text(bytesText(double(bytes))));
}

/// Sorted, with what is free between and behind.
void complete(MemoryPieces& memory) {
    std::ranges::stable_sort(memory.pieces, {}, &MemoryPiece::begin);
    std::vector<MemoryPiece> all;
    std::int64_t at = 0;
    const auto addFree = [&](std::int64_t to) {
        if (to > at)
            all.push_back({DpuMemory::tr("free"),
                           {},
                           DpuMemory::tr("free"),
                           at,
                           to - at,
                           MemoryPiece::Kind::Free,
                           -1,
                           0});
    };
    for (MemoryPiece& piece : memory.pieces) {
        addFree(std::min(piece.begin, memory.capacity));
        at = std::max(at, piece.begin + piece.bytes);
        all.push_back(std::move(piece));
    }
    addFree(memory.capacity);
    memory.pieces = std::move(all);
}

} // namespace

std::int64_t MemoryPieces::taken() const {
    std::int64_t bytes = 0;
    for (const MemoryPiece& piece : pieces)
        bytes += piece.kind == MemoryPiece::Kind::Free ? 0 : piece.bytes;
    return bytes;
}

std::int64_t MemoryPieces::end() const {
    std::int64_t last = capacity;
    for (const MemoryPiece& piece : pieces)
        last = std::max(last, piece.begin + piece.bytes);
    return last;
}

std::int64_t MemoryPieces::beyond(const MemoryPiece& piece) const {
    return std::clamp<std::int64_t>(piece.begin + piece.bytes - capacity, 0, piece.bytes);
}

std::int64_t MemoryPieces::overflow() const {
    std::int64_t bytes = 0;
    for (const MemoryPiece& piece : pieces)
        bytes += beyond(piece);
    return bytes;
}

QString MemoryPieces::headline() const {
    QString line = DpuMemory::tr("<b>%1</b> %2 of %3 taken (%4)")
                       .arg(name, size(taken()), size(capacity),
                            text(percentText(capacity > 0 ? double(taken()) / double(capacity) : 0)));
    if (const std::int64_t over = overflow(); over > 0)
        line += DpuMemory::tr(" · <span style='color:%1'><b>%2 do not fit</b></span>")
                    .arg(color(Role::Bad).name(), size(over));
    return line;
}

QString MemoryPieces::describe(const MemoryPiece& piece) const {
    QStringList parts{piece.kind == MemoryPiece::Kind::Free ? DpuMemory::tr("%1: free").arg(name)
                                                            : DpuMemory::tr("%1: %2").arg(name, piece.name)};
    if (piece.tasklet >= 0)
        parts.back() += DpuMemory::tr(" of tasklet %1").arg(piece.tasklet);
    if (!piece.tensor.isEmpty())
        parts << DpuMemory::tr("tensor %1").arg(piece.tensor);
    if (!piece.what.isEmpty() && piece.kind != MemoryPiece::Kind::Free)
        parts << piece.what;
    parts << DpuMemory::tr("%1 (%2 B) from byte %3")
                 .arg(size(piece.bytes), text(exactText(piece.bytes)), text(exactText(piece.begin)));
    if (const std::int64_t over = beyond(piece); over > 0)
        parts << DpuMemory::tr("%1 of them do not fit").arg(size(over));
    return parts.join(QStringLiteral(" · "));
}

QString title(MemoryPiece::Kind kind) {
    switch (kind) {
    case MemoryPiece::Kind::Kept:
        return DpuMemory::tr("kept from run to run");
    case MemoryPiece::Kind::Passing:
        return DpuMemory::tr("of this run");
    case MemoryPiece::Kind::Runtime:
        return DpuMemory::tr("stacks and runtime");
    case MemoryPiece::Kind::Shared:
        return DpuMemory::tr("shared by all tasklets");
    case MemoryPiece::Kind::OfTasklet:
        return DpuMemory::tr("of each tasklet");
    case MemoryPiece::Kind::Free:
        break;
    }
    return DpuMemory::tr("free");
}

QColor colorOf(const MemoryPiece& piece) {
    switch (piece.kind) {
    case MemoryPiece::Kind::Runtime:
        return color(Role::OtherWork);
    case MemoryPiece::Kind::Free:
        return mix(QGuiApplication::palette().color(QPalette::Base), color(Role::Idle), 0.5);
    default:
        return category(piece.color);
    }
}

MemoryPieces mramPieces(const upmem::OpOnDpu& run) {
    MemoryPieces memory{QStringLiteral("MRAM"), run.mramBytes, {}};
    int next = 0;
    for (const upmem::MramRegion& region : run.mram)
        if (region.bytes > 0)
            memory.pieces.push_back(
                {text(region.name), text(region.tensor), text(region.meaning), region.begin, region.bytes,
                 region.resident ? MemoryPiece::Kind::Kept : MemoryPiece::Kind::Passing, -1, next++});
    complete(memory);
    return memory;
}

MemoryPieces wramPieces(const upmem::OpOnDpu& run) {
    MemoryPieces memory{QStringLiteral("WRAM"), run.wramBytes, {}};
    memory.pieces.push_back(
        {DpuMemory::tr("stacks and runtime"), {}, {}, 0, run.wramKept, MemoryPiece::Kind::Runtime, -1, 0});
    std::map<std::string, int> colors; // buffers of all tasklets look alike
    for (const upmem::WramRegion& region : run.program.wram) {
        const int number = colors.try_emplace(region.name, int(colors.size())).first->second;
        if (region.bytes > 0)
            memory.pieces.push_back(
                {text(region.name),
                 {},
                 {},
                 region.begin,
                 region.bytes,
                 region.tasklet < 0 ? MemoryPiece::Kind::Shared : MemoryPiece::Kind::OfTasklet,
                 region.tasklet,
                 number});
    }
    complete(memory);
    return memory;
}

} // namespace pim::views
