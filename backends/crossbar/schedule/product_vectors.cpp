// SPDX-License-Identifier: GPL-3.0-or-later
// What products multiply.
#include "backends/crossbar/schedule/row_engine.h"

#include <algorithm>

namespace pim {

/// Where the rows of a group lie for the window, or piece of the input, that begins at row \p top and column
/// \p left: in the lane itself where they are side by side there, else they are brought together.
std::uint32_t RowEngine::vectorFor(const RowMember& member, LayerId position, const GroupPlace& place,
                                   int top, int left) {
    const CrossbarLayer& l = m_in.layer(position);
    const ArrayGroupShape& group = place.shape;
    const PixelWindow& w = place.window;
    const int base = place.base, width = place.width;
    std::uint32_t vector = kNoRow; // taken when the first piece is brought
    const auto placeOf = [&](int row) {
        if (vector == kNoRow)
            vector = m_rings.takeVector(member.core, std::uint32_t(group.rows));
        return vector + std::uint32_t(row - group.rowBegin);
    };
    const bool oneFeed = member.feeds.size() == 1;
    const Lane* only = oneFeed ? &m_lanes[member.feeds[0].lane] : nullptr;
    const bool sideBySide = only && only->channels() == width && w.dilationX == 1;
    const int end = group.rowBegin + group.rows, first = group.rowBegin / width; // place of the kernel
    int ky = first / w.kernelX, kx = first % w.kernelX, channel = group.rowBegin % width;
    for (int row = group.rowBegin, stop = row, places = 1; row < end; row = stop, channel = 0, kx += places) {
        if (kx >= w.kernelX) {
            kx = 0;
            ++ky;
        }
        const int y = top + ky * w.dilationY, column = left + kx * w.dilationX;
        const int rowOfKernel = (ky + 1) * w.kernelX * width;
        if (y < 0 || y >= l.in.height) { // above or below the map
            places = w.kernelX;
            stop = std::min(end, rowOfKernel);
            m_writer.emit({member.core, position, CrossbarStage::Input}, CrossbarOpcode::Write, placeOf(row),
                          0, std::uint32_t(stop - row));
            continue;
        }
        if (sideBySide) {
            places = only->together(column);
            stop = std::min({end, rowOfKernel, row - channel + places * width});
            const std::uint32_t from = only->at(
                y, column, member.feeds[0].source.begin + base + channel - member.feeds[0].source.at);
            if (row == group.rowBegin && stop == end)
                return from;
            m_writer.copy({member.core, position, CrossbarStage::Input}, placeOf(row), from,
                          std::uint32_t(stop - row));
            continue;
        }
        if (only && channel == 0) { // places of the kernel side by side in a row
            places = std::min(
                {w.kernelX - kx, (end - row) / width, (only->together(column) - 1) / w.dilationX + 1});
            if (places > 1) {
                stop = row + places * width;
                CrossbarInstruction& gathered = m_writer.emit(
                    {member.core, position, CrossbarStage::Input}, CrossbarOpcode::Copy, placeOf(row),
                    only->at(y, column, member.feeds[0].source.begin + base - member.feeds[0].source.at),
                    std::uint32_t(places * width));
                gathered.peer = std::uint32_t(places);
                gathered.src2 = std::uint32_t(only->channels() * w.dilationX);
                continue;
            }
        }
        places = 1;
        stop = std::min(end, row - channel + width);
        for (const RowFeed& feed : member.feeds) { // channels [base + channel, base + channel + stop - row)
            const int begin = std::max(base + channel, feed.source.at),
                      last = std::min(base + channel + stop - row,
                                      feed.source.at + feed.source.end - feed.source.begin);
            if (last <= begin)
                continue;
            const std::uint32_t from =
                m_lanes[feed.lane].at(y, column, feed.source.begin + begin - feed.source.at);
            if (last - begin == group.rows)
                return from;
            m_writer.copy({member.core, position, CrossbarStage::Input},
                          placeOf(row + begin - base - channel), from, std::uint32_t(last - begin));
        }
    }
    return vector;
}

} // namespace pim
