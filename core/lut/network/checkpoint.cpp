// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/checkpoint.h"

#include "core/base/file_io.h"
#include "core/base/file_text.h"
#include "core/base/hash.h"
#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cstring>

namespace pim::lut {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");
constexpr std::string_view kMagic = "PIMTRAIN1\n";
constexpr std::size_t kHashDigits = 64;
constexpr std::int64_t kLargest = std::int64_t{64} << 30; // bytes: more than any network that is trained here
namespace fs = std::filesystem;
using nlohmann::json;

std::string headerOf(const Checkpoint& state) {
    json header = {{"identity", state.identity}, {"steps", state.steps}, {"random", state.random},
                   {"order", state.order},       {"taken", state.taken}, {"counts", state.counts}};
    for (const CalibrationStep& point : state.curve)
        header["curve"].push_back({point.step, point.loss, point.agreement});
    for (const auto& array : state.arrays)
        header["lengths"].push_back(array.size());
    return header.dump();
}

/// Throws what nlohmann::json does for a header of another form.
Checkpoint stateOf(const json& header, std::string_view data) {
    Checkpoint state;
    state.identity = header.at("identity").get<std::string>();
    state.steps = header.at("steps").get<int>();
    state.random = header.at("random").get<std::uint64_t>();
    state.order = header.at("order").get<std::vector<std::int64_t>>();
    state.taken = header.at("taken").get<std::size_t>();
    state.counts = header.at("counts").get<std::vector<int>>();
    for (const json& point : header.value("curve", json::array()))
        state.curve.push_back({point.at(0).get<int>(), point.at(1).get<double>(), point.at(2).get<double>()});
    for (const json& entry : header.value("lengths", json::array())) {
        const auto length = entry.get<std::size_t>();
        if (length > data.size() / sizeof(float))
            throw std::out_of_range("an array is longer than the file");
        std::vector<float> array(length);
        if (length > 0) // an optimiser that was never used has none
            std::memcpy(array.data(), data.data(), length * sizeof(float));
        data.remove_prefix(length * sizeof(float));
        state.arrays.push_back(std::move(array));
    }
    if (!data.empty())
        throw std::out_of_range("there is more than its header says");
    return state;
}

tl::unexpected<Error> damaged(const fs::path& file, std::string why) {
    return fail(ErrorCode::InvalidFile, std::move(why), file.string(),
                "delete the file to begin training anew");
}

} // namespace

Result<void> writeCheckpoint(const fs::path& file, const Checkpoint& state) {
    const std::string header = headerOf(state);
    std::string bytes = fmt::format("{}{}\n{}", kMagic, header.size(), header);
    for (const auto& array : state.arrays)
        bytes.append(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(float));
    bytes += sha256Hex(bytes);
    return replaceFile(file, bytes);
}

Result<std::optional<Checkpoint>> readCheckpoint(const fs::path& file, const std::string& identity) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return std::optional<Checkpoint>();
    PIM_TRY(std::string bytes, fileText(file, {}, kLargest));
    if (!bytes.starts_with(kMagic))
        return damaged(file, "it is no state of training");
    if (bytes.size() < kMagic.size() + kHashDigits)
        return damaged(file, fmt::format("it is cut off after {} bytes", bytes.size()));
    const std::string hash = bytes.substr(bytes.size() - kHashDigits);
    bytes.resize(bytes.size() - kHashDigits);
    if (sha256Hex(bytes) != hash)
        return damaged(file, "its hash is not that of its contents");
    std::string_view rest = std::string_view(bytes).substr(kMagic.size());
    const std::size_t line = rest.find('\n');
    const auto length = parseNumber<std::size_t>(rest.substr(0, line));
    if (line == std::string_view::npos || !length || *length > rest.size() - line - 1)
        return damaged(file, "its header is cut off");
    rest.remove_prefix(line + 1);
    Checkpoint state;
    try {
        state = stateOf(json::parse(rest.substr(0, *length)), rest.substr(*length));
    } catch (const std::exception& problem) {
        return damaged(file, fmt::format("its header is odd: {}", problem.what()));
    }
    if (state.identity != identity)
        return fail(ErrorCode::Usage, "it is the state of another network, other samples or other options",
                    file.string(), "name another file, or delete this one");
    return std::optional(std::move(state));
}

} // namespace pim::lut
