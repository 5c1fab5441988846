// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/crash_reports.h"

#include "core/base/file_io.h"
#include "core/base/parse_number.h"
#include "core/support/function_names.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>

namespace pim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReports = 20;
constexpr std::uintmax_t kMostBytes = 1 << 20; ///< Of one; those of crash_handler.h have some 40 KiB.

/// "path(symbol+0x12)[0x7f…]", as glibc's backtrace_symbols_fd() writes it; the symbol may be missing.
struct RawFrame {
    std::string module, symbol;
    std::uint64_t offset = 0; ///< From the symbol, or from where the module is loaded.
};

std::optional<RawFrame> rawFrame(std::string_view line) {
    const std::size_t close = line.rfind(")[0x"), open = line.rfind('(', close);
    if (close == std::string_view::npos || open == std::string_view::npos || !line.ends_with(']'))
        return std::nullopt;
    const std::string_view inside = line.substr(open + 1, close - open - 1);
    const std::size_t plus = inside.rfind("+0x");
    if (plus == std::string_view::npos)
        return std::nullopt;
    RawFrame frame{std::string(line.substr(0, open)), std::string(inside.substr(0, plus)), 0};
    const std::string_view digits = inside.substr(plus + 3);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), frame.offset, 16).ptr !=
        digits.data() + digits.size())
        return std::nullopt;
    return frame;
}

/// What stands behind "key: " in the head; empty: nothing does.
std::string headValue(const std::vector<std::string>& lines, const std::string& key) {
    for (const std::string& line : lines) {
        if (line.empty())
            break;
        if (line.starts_with(key + ": "))
            return line.substr(key.size() + 2);
    }
    return {};
}

/// Puts names in place of addresses. \returns whether there were any.
bool nameFrames(std::vector<std::string>& lines, FunctionNames& names) {
    const fs::path executable = headValue(lines, "executable");
    const std::string build = headValue(lines, "build");
    const bool isSame = !build.empty() && names.buildId(executable) == build;
    bool isChanged = false;
    int number = 0;
    auto line = std::ranges::find(lines, "stack:");
    while (line != lines.end() && ++line != lines.end() && !line->empty()) {
        const auto frame = rawFrame(*line);
        if (!frame)
            continue;
        // The program goes by the name it was called with.
        const bool isProgram = fs::path(frame->module).filename() == executable.filename();
        // A frame that called another stands behind the call, which may be the last of its function.
        const std::uint64_t place = frame->offset - (number > 0 && frame->offset > 0 ? 1 : 0);
        std::string name;
        if (!frame->symbol.empty())
            name = demangled(frame->symbol);
        else if (!isProgram || isSame)
            name = names.at(isProgram ? executable : fs::path(frame->module), place);
        *line = fmt::format("#{:<3} {} ({}+{:#x})", number++, name.empty() ? "?" : name,
                            fs::path(frame->module).filename().string(), frame->offset);
        isChanged = true;
    }
    if (isChanged && !build.empty() && !isSame)
        lines.insert(std::ranges::find(lines, "stack:"),
                     "note: the program is not the one that crashed, so its functions have no names");
    return isChanged;
}

/// The function of "#3   pim::compile(…) (pimc+0x12)", if it is ours.
std::string ownFunction(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(' ', line.find(' '));
    if (!line.starts_with('#') || begin == std::string::npos)
        return {};
    const std::string name = line.substr(begin, line.rfind(" (") - begin);
    // "void pim::…<>()" and "(anonymous namespace)" have it further on
    const bool isHandler = name.find("onTerminate") != std::string::npos; // of crash_handler.cpp
    return name.find("pim::") == std::string::npos || isHandler ? std::string() : name;
}

std::vector<std::string> linesOf(const fs::path& file) {
    std::error_code unknown;
    if (fs::file_size(file, unknown) > kMostBytes || unknown)
        return {};
    std::ifstream stream(file, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(std::move(line));
    return lines;
}

CrashReport readReport(const fs::path& file, FunctionNames& names) {
    std::vector<std::string> lines = linesOf(file);
    const bool isNamed = nameFrames(lines, names);
    CrashReport report{file, headValue(lines, "program"), headValue(lines, "signal"), {}, {}, {}};
    if (const auto seconds = parseNumber<std::int64_t>(headValue(lines, "seconds")))
        report.when = fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(*seconds)));
    for (const std::string& line : lines) {
        report.text += line + '\n';
        if (report.place.empty())
            report.place = ownFunction(line);
    }
    if (isNamed) // one that cannot be written is named anew each time
        (void)replaceFile(file, report.text);
    return report;
}

} // namespace

fs::path crashFolder() {
    for (const auto& [variable, below] : {std::pair("XDG_STATE_HOME", "pimstudio/crashes"),
                                          std::pair("HOME", ".local/state/pimstudio/crashes")})
        if (const char* const folder = std::getenv(variable); folder && *folder)
            return fs::path(folder) / below;
    return {};
}

std::vector<CrashReport> crashReports(const fs::path& folder) {
    std::error_code unknown;
    std::vector<CrashReport> reports;
    FunctionNames names;
    for (fs::directory_iterator each(folder, unknown), end; !unknown && each != end; each.increment(unknown))
        if (each->path().extension() == ".txt" && each->is_regular_file(unknown))
            reports.push_back(readReport(each->path(), names));
    std::ranges::sort(reports, [](const CrashReport& a, const CrashReport& b) {
        return a.when != b.when ? a.when > b.when : a.file > b.file;
    });
    while (reports.size() > kMostReports) {
        fs::remove(reports.back().file, unknown);
        reports.pop_back();
    }
    return reports;
}

Result<void> removeCrashReport(const fs::path& file) {
    std::error_code error;
    fs::remove(file, error);
    if (error)
        return fail(ErrorCode::Io, "cannot be removed: " + error.message(), file.string());
    return {};
}

} // namespace pim
