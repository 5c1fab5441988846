// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/sweep_shards.h"

#include "core/base/hash.h"
#include "core/base/parse_number.h"
#include "core/plan/code_version.h"
#include "core/plan/family_options.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace pim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kSumDigits = 16;

std::string dumpedLine(const Json& value) {
    const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return sha256Hex(text).substr(0, kSumDigits) + ' ' + text + '\n';
}

/// Nothing for a line that is not as it was written.
std::optional<Json> readLine(std::string_view line) {
    if (line.size() < kSumDigits + 2 || line[kSumDigits] != ' ')
        return std::nullopt;
    const std::string_view text = line.substr(kSumDigits + 1);
    if (sha256Hex(text).substr(0, kSumDigits) != line.substr(0, kSumDigits))
        return std::nullopt;
    Json value = Json::parse(text, nullptr, false);
    return value.is_object() ? std::optional(std::move(value)) : std::nullopt;
}

Json headerOf(const SweepSetup& setup) {
    Json targets = Json::array();
    for (const auto& target : setup.targets)
        targets.push_back(target->hash);
    CompileOptions options = setup.request.options;
    options.threads = 0;
    return {{"format", "pim-sweep-shard"},
            {"version", 1},
            {"code", codeVersion()},
            {"model", setup.base->source.structureHash},
            {"over", sweepText(setup.axes)},
            {"points", sweepSize(setup.axes)},
            {"target", setup.request.target->hash},
            {"targets", std::move(targets)},
            {"options", optionsJson(options)},
            {"overrides", setup.request.overrides.json()},
            {"bindings", setup.graph.bindings},
            {"disabled_passes", setup.graph.disabledPasses},
            {"pass_options", setup.graph.passOptions}};
}

Json pointJson(const SweepPoint& point) {
    Json record{{"point", point.index}, {"ms", point.compileMs}};
    if (!point.problem.empty()) {
        record["problem"] = point.problem;
        return record;
    }
    record["total_ns"] = point.totalNs;
    record["host_only_ns"] = point.hostOnlyNs;
    record["macs"] = point.macs;
    for (const Baseline& baseline : point.baselines)
        record["baselines"].push_back({baseline.id, baseline.name, baseline.totalNs});
    for (const auto& [name, value] : point.figures)
        record["figures"].push_back({name, value});
    return record;
}

/// Nothing where something is missing: a checksum says that it was written so, not by whom.
std::optional<SweepPoint> pointFrom(const Json& record, const std::vector<SweepAxis>& axes) {
    SweepPoint point;
    try {
        point.index = record.at("point").get<std::int64_t>();
        if (point.index < 0 || point.index >= sweepSize(axes))
            return std::nullopt;
        point.values = sweepValues(axes, point.index);
        point.compileMs = record.at("ms").get<double>();
        if (record.contains("problem")) {
            point.problem = record.at("problem").get<std::string>();
            return point;
        }
        point.totalNs = record.at("total_ns").get<double>();
        point.hostOnlyNs = record.at("host_only_ns").get<double>();
        point.macs = record.at("macs").get<double>();
        for (const Json& baseline : record.value("baselines", Json::array()))
            point.baselines.push_back({baseline.at(0).get<std::string>(), baseline.at(1).get<std::string>(),
                                       baseline.at(2).get<double>()});
        for (const Json& figure : record.value("figures", Json::array()))
            point.figures.emplace_back(figure.at(0).get<std::string>(), figure.at(1).get<double>());
    } catch (const Json::exception&) {
        return std::nullopt;
    }
    return point;
}

/// All but how long it took.
std::string resultText(const SweepPoint& point) {
    Json record = pointJson(point);
    record.erase("ms");
    return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Error otherSweep(const fs::path& file, const Json& theirs, const Json& ours) {
    std::string what = "another sweep";
    for (const auto& [key, value] : ours.items())
        if (theirs.value(key, Json()) != value) {
            what = key == "code" ? std::string("another version of the program")
                                 : fmt::format("another sweep: \"{}\" is {}, here {}", key,
                                               theirs.value(key, Json()).dump(), value.dump());
            break;
        }
    return {ErrorCode::Usage, fmt::format("is a file of {}", what), file.string(),
            "give the same command with the same program to all shards, or another folder"};
}

struct ReadFile {
    std::vector<SweepPoint> points;
    std::int64_t damaged = 0;
    bool hasHeader = false;
    bool endsWithLine = true; ///< Else the last line was cut.
};

Result<ReadFile> readFile(const fs::path& file, const SweepSetup& setup, const Json& header) {
    ReadFile read;
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return fail(ErrorCode::Io, "cannot be read", file.string());
    for (std::string line; std::getline(in, line);) {
        read.endsWithLine = !in.eof();
        const auto record = readLine(line);
        if (record && record->contains("format")) {
            if (*record != header)
                return tl::unexpected<Error>(otherSweep(file, *record, header));
            read.hasHeader = true;
        } else if (const auto point =
                       record && read.hasHeader ? pointFrom(*record, setup.axes) : std::nullopt) {
            read.points.push_back(*point);
        } else {
            ++read.damaged;
        }
    }
    if (in.bad())
        return fail(ErrorCode::Io, "cannot be read to its end", file.string());
    return read;
}

/// The file of one shard, open for appending, and nobody else's as long as it is.
class ShardFile {
public:
    static Result<ShardFile> open(const fs::path& file) {
        const int handle = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        if (handle < 0)
            return fail(ErrorCode::Io, fmt::format("cannot be written: {}", std::strerror(errno)),
                        file.string());
        ShardFile opened(file, handle);
        if (::flock(handle, LOCK_EX | LOCK_NB) != 0)
            return fail(ErrorCode::Usage, "another process computes this shard", file.string(),
                        "wait for it or stop it; what it finishes is kept");
        return opened;
    }
    ShardFile(ShardFile&& other) noexcept
        : m_file(std::move(other.m_file)), m_handle(std::exchange(other.m_handle, -1)) {}
    ShardFile& operator=(ShardFile&&) = delete;
    ~ShardFile() {
        if (m_handle >= 0)
            ::close(m_handle);
    }

    Result<void> write(std::string_view text) const {
        while (!text.empty()) {
            const auto written = ::write(m_handle, text.data(), text.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return fail(ErrorCode::Io,
                            fmt::format("cannot be written: {}; the points before this one are kept",
                                        std::strerror(errno)),
                            m_file.string(), "make room and give the same command again");
            text.remove_prefix(static_cast<std::size_t>(written));
        }
        return {};
    }

private:
    ShardFile(fs::path file, int handle) : m_file(std::move(file)), m_handle(handle) {}
    fs::path m_file;
    int m_handle = -1;
};

} // namespace

Result<SweepShard> parseShard(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto number = parsePositive<std::int64_t>(text.substr(0, slash));
    const auto count =
        slash == std::string_view::npos ? std::nullopt : parsePositive<std::int64_t>(text.substr(slash + 1));
    if (!number || !count || *number > *count)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no shard", text), {},
                    "write 3/8 for the third of eight");
    return SweepShard{*number, *count};
}

Result<void> runShard(const BackendList& backends, const SweepSetup& setup, const SweepShard& shard,
                      const fs::path& folder, const std::function<void(const SweepPoint&)>& told,
                      const TaskContext& task) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::Io, fmt::format("cannot be made: {}", error.message()), folder.string());
    const fs::path path = folder / fmt::format("shard-{}-of-{}.jsonl", shard.number, shard.count);
    PIM_TRY(const ShardFile file, ShardFile::open(path));
    const Json header = headerOf(setup);
    PIM_TRY(const ReadFile read, readFile(path, setup, header));
    if (!read.endsWithLine)
        PIM_CHECK(file.write("\n"));
    if (!read.hasHeader)
        PIM_CHECK(file.write(dumpedLine(header)));
    std::set<std::int64_t> finished;
    for (const SweepPoint& point : read.points)
        finished.insert(point.index);
    SweepSetup part = setup;
    part.first = shard.number - 1;
    part.step = shard.count;
    return sweep(
        backends, part, finished,
        [&](const SweepPoint& point) -> Result<void> {
            PIM_CHECK(file.write(dumpedLine(pointJson(point))));
            if (told)
                told(point);
            return {};
        },
        task);
}

Result<ShardFiles> readShards(const SweepSetup& setup, const fs::path& folder) {
    const Json header = headerOf(setup);
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".jsonl" && entry.path().filename().string().starts_with("shard-"))
            paths.push_back(entry.path());
    if (paths.empty())
        return fail(ErrorCode::NotFound, error ? error.message() : std::string("there is no file of a shard"),
                    folder.string(), "compute some with --shard 1/N first");
    std::ranges::sort(paths);
    ShardFiles all;
    all.files = std::ssize(paths);
    for (const fs::path& path : paths) {
        PIM_TRY(ReadFile read, readFile(path, setup, header));
        all.damaged += read.damaged;
        std::ranges::move(read.points, std::back_inserter(all.points));
    }
    std::ranges::stable_sort(all.points, {}, &SweepPoint::index);
    for (std::size_t p = 1; p < all.points.size(); ++p)
        if (all.points[p].index == all.points[p - 1].index &&
            resultText(all.points[p]) != resultText(all.points[p - 1]))
            return fail(
                ErrorCode::Usage,
                fmt::format("point {} is there twice with different figures: {} and {}", all.points[p].index,
                            resultText(all.points[p - 1]), resultText(all.points[p])),
                folder.string(), "one of the machines computes wrongly, or a file was changed: delete it");
    const auto twice = std::ranges::unique(all.points, {}, &SweepPoint::index);
    all.points.erase(twice.begin(), twice.end());
    for (const SweepPoint& point : all.points)
        all.seconds += point.compileMs / 1e3;
    return all;
}

} // namespace pim
