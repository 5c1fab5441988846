// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/line_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

namespace pim {
namespace {

constexpr std::size_t kBuffer = 1 << 18;
constexpr std::size_t kShown = 40;

struct CloseFile {
    void operator()(gzFile file) const { gzclose(file); }
};

} // namespace

struct LineReader::State {
    std::unique_ptr<gzFile_s, CloseFile> file;
    std::string name, what;
    std::size_t longestLine = 0;
    std::vector<char> buffer = std::vector<char>(kBuffer);
    std::size_t begin = 0, end = 0; ///< Unread part of the buffer.
    bool ended = false;             ///< The file has no more.
    std::int64_t line = 0;

    /// Moves what is left to the front and reads behind it; false if there was nothing more.
    Result<bool> fill() {
        if (ended)
            return false;
        std::memmove(buffer.data(), buffer.data() + begin, end - begin);
        end -= begin;
        begin = 0;
        const int got = gzread(file.get(), buffer.data() + end, unsigned(buffer.size() - end));
        int code = Z_OK;
        const char* const why = gzerror(file.get(), &code);
        if (got < 0 || (got == 0 && code == Z_BUF_ERROR)) // what came before the end is read first
            return fail(code == Z_ERRNO ? ErrorCode::Io : ErrorCode::InvalidFile,
                        code == Z_ERRNO       ? fmt::format("cannot be read: {}", std::strerror(errno))
                        : code == Z_BUF_ERROR ? std::string("the compressed file ends too early")
                                              : fmt::format("the compressed file is damaged ({})", why),
                        fmt::format("{}:{}", name, line + 1));
        end += std::size_t(got);
        ended = got == 0;
        return got > 0;
    }
};

LineReader::LineReader(std::unique_ptr<State> state) : m_state(std::move(state)) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

Result<LineReader> LineReader::open(std::string file, std::size_t longestLine, std::string what) {
    PIM_ASSERT(longestLine < kBuffer, "a line fits the buffer");
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return fail(ErrorCode::Io, "is a folder", file, fmt::format("give {}", what));
    auto state = std::make_unique<State>();
    state->file.reset(gzopen(file.c_str(), "rb")); // reads plain text as well
    if (!state->file)
        return fail(ErrorCode::Io, fmt::format("cannot be opened: {}", std::strerror(errno)), file);
    gzbuffer(state->file.get(), kBuffer);
    state->name = std::move(file);
    state->what = std::move(what);
    state->longestLine = longestLine;
    return LineReader(std::move(state));
}

Result<bool> LineReader::next(std::string_view& line) {
    State& s = *m_state;
    while (true) {
        const char* const begin = s.buffer.data() + s.begin;
        const auto* const feed = static_cast<const char*>(std::memchr(begin, '\n', s.end - s.begin));
        if (feed == nullptr && s.end - s.begin <= s.longestLine) {
            PIM_TRY(const bool more, s.fill());
            if (more)
                continue;
            if (s.begin == s.end)
                return false;
        }
        const char* const from = s.buffer.data() + s.begin; // filling may have moved it
        const std::size_t length = feed != nullptr ? std::size_t(feed - from) : s.end - s.begin;
        ++s.line;
        if (length > s.longestLine)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("the line is longer than {} characters", s.longestLine), where(),
                        fmt::format("is it {}?", s.what));
        line = {from, length};
        s.begin += length + (feed != nullptr ? 1 : 0);
        return true;
    }
}

std::int64_t LineReader::number() const {
    return m_state->line;
}

std::string LineReader::where() const {
    return fmt::format("{}:{}", m_state->name, m_state->line);
}

std::string shownText(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, kShown))
        result += c >= ' ' && c < '\x7f' ? c : '?';
    return text.size() > kShown ? result + "..." : result;
}

} // namespace pim
