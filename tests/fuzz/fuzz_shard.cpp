// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Files of sweeps that other processes write. An input has lines without the checksum that each begins with; a line "!" is put in
/// as it is, without its first byte. The first line of a file, which says what sweep it is of, is the right one.
#include "core/base/hash.h"
#include "core/project/sweep_shards.h"
#include "tests/fuzz/fuzz.h"

#include <fstream>

using namespace pim;

namespace {

SweepSetup made() {
    SweepSetup setup;
    setup.base = std::make_shared<Graph>();
    setup.request.target = std::make_shared<Target>();
    setup.axes = *parseSweep("batch=1,2,4;seq=32..2048");
    return setup;
}

std::string headerOf(const SweepSetup& setup) {
    const auto to = fuzz::folder() / "header";
    (void)runShard({}, setup, {}, to); // which comes no further than that, with no machine
    std::ifstream in(to / "shard-1-of-1.jsonl");
    std::string line;
    std::getline(in, line);
    return line + "\n";
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const SweepSetup setup = made();
    static const std::string header = headerOf(setup);
    std::string text = header;
    for (std::string_view rest = fuzz::textOf(data, size); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        if (line.starts_with('!'))
            text += line.substr(1);
        else
            text += sha256Hex(line).substr(0, 16).append(" ").append(line);
        if (end < rest.size())
            text += '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::filesystem::create_directories(fuzz::folder() / "shards");
    (void)fuzz::fileOf("shards/shard-1-of-1.jsonl", text);
    const auto read = readShards(setup, fuzz::folder() / "shards");
    for (std::size_t p = 1; read && p < read->points.size(); ++p)
        fuzz::require(read->points[p - 1].index < read->points[p].index, "points come by index, each once");
    return 0;
}
