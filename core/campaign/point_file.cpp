// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/point_file.h"

#include "core/base/file_io.h"
#include "core/base/hash.h"
#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace pim {
namespace {

namespace fs = std::filesystem;
using Names = nlohmann::json;

constexpr std::string_view kExtension = ".points";
constexpr std::size_t kSumDigits = 8;

std::string checkedLine(std::string_view text) {
    return fmt::format("{:08x} {}\n", crc32(text), text);
}

/// Nothing for a line that is not as it was written.
std::optional<std::string_view> checkedText(std::string_view line) {
    if (line.size() < kSumDigits + 2 || line[kSumDigits] != ' ')
        return std::nullopt;
    const std::string_view text = line.substr(kSumDigits + 1);
    const auto sum = parseNumber<std::uint32_t>(line.substr(0, kSumDigits), 16);
    return sum && *sum == crc32(text) ? std::optional(text) : std::nullopt;
}

std::string escaped(std::string_view text) {
    std::string all;
    for (const char c : text)
        all += c == '\\' ? std::string("\\\\") : c == '\n' ? std::string("\\n") : std::string(1, c);
    return all;
}
std::string unescaped(std::string_view text) {
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isEscape = text[i] == '\\' && i + 1 < text.size();
        i += isEscape ? 1 : 0;
        all += isEscape && text[i] == 'n' ? '\n' : text[i];
    }
    return all;
}

void append(std::string& text, double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(1, ' ').append(digits.data(), end);
}

std::string namesLine(const SweepPoint& point) {
    Names baselines = Names::array(), figures = Names::array();
    for (const Baseline& baseline : point.baselines)
        baselines.push_back({baseline.id, baseline.name});
    for (const auto& figure : point.figures)
        figures.push_back(figure.first);
    return "N " + Names::array({std::move(baselines), std::move(figures)})
                      .dump(-1, ' ', false, Names::error_handler_t::replace);
}

std::string pointLine(const SweepPoint& point) {
    std::string line = fmt::format("{} {}", point.problem.empty() ? 'P' : 'F', point.index);
    append(line, point.compileMs);
    if (!point.problem.empty())
        return line + " " + escaped(point.problem);
    for (const double value : {point.totalNs, point.hostOnlyNs, point.macs})
        append(line, value);
    for (const Baseline& baseline : point.baselines)
        append(line, baseline.totalNs);
    for (const auto& figure : point.figures)
        append(line, figure.second);
    return line;
}

/// Of points without a result.
const std::shared_ptr<const PointNames>& noNames() {
    static const auto names = std::make_shared<const PointNames>();
    return names;
}

/// Words of a line between single blanks.
class Words {
public:
    explicit Words(std::string_view line) : m_rest(line) {}
    template <class Number>
    bool read(Number& number) {
        const std::size_t end = std::min(m_rest.find(' '), m_rest.size());
        const auto value = parseNumber<Number>(m_rest.substr(0, end));
        m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
        number = value.value_or(number);
        return value.has_value();
    }
    std::string_view rest() const { return m_rest; }

private:
    std::string_view m_rest;
};

} // namespace

PointWriter::~PointWriter() {
    if (m_handle >= 0)
        ::close(m_handle);
}

Result<void> PointWriter::open() {
    const fs::path folder = m_campaign.folderOf(m_chunk);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::Io, fmt::format("cannot be made: {}", error.message()), folder.string());
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    // A process may have had the same number before.
    for (int attempt = 0; m_handle < 0; ++attempt) {
        m_file = folder / fmt::format("{}-{}-{}{}", host.data(), getpid(), attempt, kExtension);
        m_handle = openHandle(m_file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
        if (m_handle < 0 && errno != EEXIST)
            return fail(ErrorCode::Io, fmt::format("cannot be made: {}", std::strerror(errno)),
                        m_file.string(), "make room, or see that the folder may be written");
    }
    return put(checkedLine("H 1 " + m_campaign.id));
}

Result<void> PointWriter::put(std::string_view text) const {
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

Result<void> PointWriter::write(const SweepPoint& point) {
    if (m_handle < 0)
        PIM_CHECK(open());
    std::string text;
    if (point.problem.empty())
        if (std::string names = namesLine(point); names != m_names) {
            text = checkedLine(names);
            m_names = std::move(names);
        }
    return put(text + checkedLine(pointLine(point)));
}

std::vector<fs::path> pointFiles(const Campaign& campaign, std::int64_t chunk) {
    std::vector<fs::path> files;
    std::error_code error; // no folder, no files
    for (const auto& entry : fs::directory_iterator(campaign.folderOf(chunk), error))
        if (entry.path().extension() == kExtension)
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

PointFileReader::PointFileReader(const Campaign& campaign, std::int64_t chunk, fs::path file)
    : m_campaign(&campaign), m_indices(campaign.indicesOf(chunk)), m_file(std::move(file)),
      m_names(std::make_shared<const PointNames>()) {}

Result<void> PointFileReader::readOn(ChunkPoints& into) {
    if (m_isForeign)
        return foreign();
    std::error_code error;
    if (m_offset > 0 && fs::file_size(m_file, error) == m_offset && !error)
        return {};
    if (fs::is_fifo(m_file, error)) // would be waited for
        return fail(ErrorCode::Io, "is a pipe, not a file", m_file.string());
    std::ifstream in(m_file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(m_offset));
    std::string text = m_rest;
    constexpr std::streamsize kPiece = 1 << 16;
    for (std::streamsize got = kPiece; in && got == kPiece;) {
        const std::size_t before = text.size();
        text.resize(before + kPiece);
        got = in.read(text.data() + before, kPiece).gcount();
        text.resize(before + static_cast<std::size_t>(got));
    }
    if (!in.is_open() || in.bad()) // nothing of it counts as read: the next time begins where this one did
        return fail(ErrorCode::Io, "cannot be read", m_file.string());
    m_offset += text.size() - m_rest.size();
    m_rest.clear();
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        PIM_CHECK(readLine(std::string_view(text).substr(begin, end - begin), into));
        begin = end + 1;
    }
    m_rest = text.substr(begin);
    return {};
}

tl::unexpected<Error> PointFileReader::foreign() const {
    return fail(ErrorCode::Usage, "has points of another campaign, or in another format", m_file.string(),
                "move it to its own campaign, or delete it");
}

Result<void> PointFileReader::readAll(ChunkPoints& into) {
    PIM_CHECK(readOn(into));
    ++into.files;
    return m_rest.empty() ? Result<void>() : readLine(std::exchange(m_rest, {}), into);
}

Result<void> PointFileReader::readLine(std::string_view line, ChunkPoints& into) {
    const auto text = checkedText(line);
    if (text && text->front() == 'H') {
        m_hasHeader = *text == "H 1 " + m_campaign->id;
        m_isForeign = !m_hasHeader;
        if (m_isForeign)
            return foreign();
    } else if (!text || !m_hasHeader || !readRest(*text, into)) {
        ++into.damaged;
    }
    return {};
}

/// A checksum says that a line is as it was written, not by whom.
bool PointFileReader::readRest(std::string_view line, ChunkPoints& into) {
    if (line.size() < 3 || line[1] != ' ')
        return false;
    if (line[0] == 'N')
        return readNames(line.substr(2));
    PointRecord point;
    Words words(line.substr(2));
    if (!words.read(point.index) || point.index < m_indices.first || point.index >= m_indices.second ||
        !words.read(point.compileMs))
        return false;
    if (line[0] == 'F') {
        point.problem = unescaped(words.rest());
        point.names = noNames();
        if (point.problem.empty())
            return false;
        into.points.push_back(std::move(point));
        return true;
    }
    if (line[0] != 'P' || !words.read(point.totalNs) || !words.read(point.hostOnlyNs) ||
        !words.read(point.macs))
        return false;
    point.numbers.pop_back();
    point.numbers.reserve(words.rest().size() + 2);
    for (std::size_t i = 0; i < m_names->size(); ++i) {
        double number = 0;
        if (!words.read(number))
            return false;
        appendNumber(point.numbers, number);
    }
    point.numbers += ']';
    point.names = m_names;
    if (!words.rest().empty())
        return false;
    into.points.push_back(std::move(point));
    return true;
}

bool PointFileReader::readNames(std::string_view text) {
    PointNames read;
    const Names names = Names::parse(text, nullptr, false);
    try {
        for (const Names& baseline : names.at(0))
            read.baselines.emplace_back(baseline.at(0).get<std::string>(), baseline.at(1).get<std::string>());
        for (const Names& figure : names.at(1))
            read.figures.push_back(figure.get<std::string>());
    } catch (const Names::exception&) {
        return false;
    }
    m_names = std::make_shared<const PointNames>(std::move(read));
    return true;
}

Result<ChunkPoints> readChunk(const Campaign& campaign, std::int64_t chunk) {
    ChunkPoints all;
    for (const fs::path& file : pointFiles(campaign, chunk))
        PIM_CHECK(PointFileReader(campaign, chunk, file).readAll(all));
    if (!std::ranges::is_sorted(all.points, {}, &PointRecord::index))
        std::ranges::stable_sort(all.points, {}, &PointRecord::index);
    for (std::size_t p = 1; p < all.points.size(); ++p) {
        const PointRecord &one = all.points[p - 1], &other = all.points[p];
        if (one.index == other.index && !haveSameResult(one, other))
            return fail(ErrorCode::Usage,
                        fmt::format("point {} is there twice with different figures: {} and {}", one.index,
                                    resultText(one), resultText(other)),
                        campaign.folderOf(chunk).string(),
                        "one of the machines computes wrongly, or a file was changed: delete it");
    }
    const auto twice = std::ranges::unique(all.points, {}, &PointRecord::index);
    all.points.erase(twice.begin(), twice.end());
    return all;
}

} // namespace pim
