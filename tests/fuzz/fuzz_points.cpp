// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Files of points that other processes write. An input has lines without the checksum that each begins with; a line "!" is put in as it is, without
/// its first byte. The first line of a file, which says what campaign it is of, is the right one.
#include "core/base/hash.h"
#include "core/campaign/point_file.h"
#include "tests/fuzz/fuzz.h"

#include <cstdio>

using namespace pim;

namespace {

std::string checked(std::string_view line) {
    char sum[10];
    std::snprintf(sum, sizeof sum, "%08x ", crc32(line));
    return sum + std::string(line);
}

Campaign made() {
    Campaign campaign;
    campaign.folder = fuzz::folder();
    campaign.id = "campaign";
    campaign.setup.axes = *parseSweep("batch=1,2,4;seq=32..2048");
    campaign.chunkPoints = 100;
    std::filesystem::create_directories(campaign.folderOf(0));
    return campaign;
}

} // namespace

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    static const Campaign campaign = made();
    std::string text = checked("H 1 campaign") + "\n";
    for (std::string_view rest = fuzz::textOf(data, size); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        text += line.starts_with('!') ? std::string(line.substr(1)) : checked(line);
        if (end < rest.size())
            text += '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    (void)fuzz::fileOf("points/000000/all.points", text);
    const auto read = readChunk(campaign, 0);
    for (std::size_t p = 1; read && p < read->points.size(); ++p)
        fuzz::require(read->points[p - 1].index < read->points[p].index, "points come by index, each once");
    return 0;
}
