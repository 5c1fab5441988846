// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Points of one chunk as one process finished them: lines of text, each with the CRC-32 of its rest before it, so that a line that a kill or a
/// full disk cut is known and passed over. The lines, after the CRC:
///
///     H 1 CAMPAIGN                                 the first; version of the format, id of the campaign
///     N [[["id","name"],…],["figure",…]]           names of the numbers in the P lines from here on
///     P index ms total_ns host_only_ns macs …      times of the baselines, then figures; numbers read back to the last digit
///     F index ms problem                           a point without a result; \\ and \n stand for backslash and line feed
#include "core/campaign/campaign.h"
#include "core/compile/point_record.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pim {

/// A file that nobody else writes, made with the first point.
class PointWriter {
public:
    PointWriter(const Campaign& campaign, std::int64_t chunk) : m_campaign(campaign), m_chunk(chunk) {}
    ~PointWriter();
    PointWriter(const PointWriter&) = delete;
    PointWriter& operator=(const PointWriter&) = delete;

    /// On the way to the disk when it comes back: a kill of the process loses nothing. Error::Io, with what is kept.
    Result<void> write(const SweepPoint& point);

private:
    Result<void> open();
    Result<void> put(std::string_view text) const;

    const Campaign& m_campaign;
    std::int64_t m_chunk;
    std::filesystem::path m_file;
    int m_handle = -1;
    std::string m_names;
};

struct ChunkPoints {
    std::vector<PointRecord> points; ///< By index, each once.
    std::int64_t files = 0;
    std::int64_t damaged = 0; ///< Lines that were cut or changed, or of no point of the chunk.
};

/// The files of a chunk that are there now, in the order of their names.
std::vector<std::filesystem::path> pointFiles(const Campaign& campaign, std::int64_t chunk);

/// Reads one file, and goes on where it stopped when the file has grown.
class PointFileReader {
public:
    /// \p campaign outlives it.
    PointFileReader(const Campaign& campaign, std::int64_t chunk, std::filesystem::path file);

    /// Appends the points of the lines that are whole; what has no line end yet is being written and waits for the next time. Counts damaged lines, not
    /// files. Errors: as readChunk().
    Result<void> readOn(ChunkPoints& into);
    /// The same, and what has no line end is a damaged line.
    Result<void> readAll(ChunkPoints& into);

private:
    Result<void> readLine(std::string_view line, ChunkPoints& into);
    bool readRest(std::string_view line, ChunkPoints& into);
    bool readNames(std::string_view text);
    tl::unexpected<Error> foreign() const;

    const Campaign* m_campaign;
    std::pair<std::int64_t, std::int64_t> m_indices;
    std::filesystem::path m_file;
    std::uintmax_t m_offset = 0; ///< What is read.
    std::string m_rest;          ///< Of it, behind the last line end.
    bool m_hasHeader = false, m_isForeign = false;
    std::shared_ptr<const PointNames> m_names;
};

/// All that the files of a chunk have. Errors: Usage (a file of another campaign; a point that two files have with different figures), Io.
Result<ChunkPoints> readChunk(const Campaign& campaign, std::int64_t chunk);

} // namespace pim
