// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_trace.h"

#include "core/base/line_reader.h"
#include "core/base/parallel.h"
#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>

namespace pim {
namespace {

constexpr std::string_view kHeadWord = "# channels ";
constexpr int kOffsetBits = 5, kTraceBankBits = 4, kTraceColumnBits = 5, kTraceRowBits = 14;
constexpr std::size_t kLongestTraceLine = 1000;
constexpr std::int64_t kMostTraceRequests = 100'000'000; // held in memory, 16 bytes each
constexpr std::int64_t kPollTraceLines = 1 << 16;
constexpr std::size_t kDataDigits = 64;

int channelBits(int system) {
    return std::countr_zero(unsigned(system));
}

std::uint64_t addressOf(const HbmPimBurst& burst, int channel, int system) {
    std::uint64_t address = burst.row;
    address = address << kTraceColumnBits | burst.column;
    address = address << kTraceBankBits | burst.bank;
    address = address << channelBits(system) | std::uint64_t(channel);
    return address << kOffsetBits;
}

std::optional<int> digitOf(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    const char low = char(c | 0x20);
    return low >= 'a' && low <= 'f' ? std::optional<int>(low - 'a' + 10) : std::nullopt;
}

class TraceParser {
public:
    explicit TraceParser(LineReader lines) : m_lines(std::move(lines)) {}

    Result<HbmPimTrace> parse(const TaskContext& task) {
        std::string_view line;
        while (true) {
            PIM_TRY(const bool found, m_lines.next(line));
            if (!found)
                break;
            if (m_lines.number() % kPollTraceLines == 0 && task.cancelled())
                return TaskContext::cancelledError("reading the trace");
            if (!line.empty() && line.back() == '\r')
                line.remove_suffix(1);
            if (m_lines.number() == 1) {
                PIM_CHECK(head(line));
            } else if (!line.empty() && line[0] != '#') {
                PIM_CHECK(request(line));
            }
        }
        if (m_lines.number() == 0)
            return wrong("the file is empty", "its first line is \"# channels 64\"");
        return std::move(m_trace);
    }

private:
    tl::unexpected<Error> wrong(std::string message, std::string hint = {}) const {
        return fail(ErrorCode::InvalidFile, std::move(message), m_lines.where(), std::move(hint));
    }

    Result<void> head(std::string_view line) {
        const auto system =
            line.starts_with(kHeadWord) ? parseNumber<int>(line.substr(kHeadWord.size())) : std::nullopt;
        if (!system || std::ranges::find(kHbmPimSystems, *system) == std::end(kHbmPimSystems))
            return wrong(
                fmt::format("the first line is \"{}\"", shownText(line)),
                "it must be \"# channels \" and 1, 16 or 64: it decides what the bits of an address mean");
        m_trace.system = *system;
        m_trace.channels.resize(std::size_t(*system));
        return {};
    }

    Result<void> request(std::string_view line) {
        if (++m_trace.lines > kMostTraceRequests)
            return wrong(fmt::format("more than {} requests", kMostTraceRequests), "write fewer channels");
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string_view word = line.substr(0, blank);
        const std::string_view rest = blank < line.size() ? line.substr(blank + 1) : std::string_view();
        if (word == "B")
            return barrier(rest);
        if (word != "R" && word != "W")
            return wrong(fmt::format("unknown request \"{}\"", shownText(word)), "there are R, W and B");
        const std::size_t second = std::min(rest.find(' '), rest.size());
        HbmPimBurst burst;
        burst.write = word == "W";
        PIM_TRY(HbmPimStream* const stream, place(rest.substr(0, second), burst));
        if (second < rest.size()) {
            if (!burst.write)
                return wrong(fmt::format("a read carries \"{}\"", shownText(rest.substr(second + 1))),
                             "a line is R 0xADDRESS");
            PIM_CHECK(data(rest.substr(second + 1), burst, *stream));
        }
        ++(burst.write ? m_trace.writes : m_trace.reads);
        stream->bursts.push_back(burst);
        return {};
    }

    Result<void> barrier(std::string_view text) {
        const auto channel = parseNumber<int>(text);
        if (!channel || *channel < 0 || *channel >= m_trace.system)
            return wrong(fmt::format("\"{}\" is no channel", shownText(text)),
                         fmt::format("a line is B CHANNEL, 0 to {}", m_trace.system - 1));
        ++m_trace.barriers;
        if (auto& bursts = m_trace.channels[std::size_t(*channel)].bursts; !bursts.empty())
            bursts.back().barrier = true;
        return {};
    }

    /// The channel of an address; the rest of the place goes into \p burst.
    Result<HbmPimStream*> place(std::string_view text, HbmPimBurst& burst) {
        const auto parsed = text.starts_with("0x") || text.starts_with("0X")
                                ? parseNumber<std::uint64_t>(text.substr(2), 16)
                                : std::nullopt;
        if (!parsed)
            return wrong(fmt::format("\"{}\" is no address", shownText(text)),
                         "write it as 0x and hexadecimal digits");
        std::uint64_t rest = *parsed;
        const auto take = [&rest](int bits) {
            const std::uint64_t value = rest & ((std::uint64_t(1) << bits) - 1);
            rest >>= bits;
            return value;
        };
        if (take(kOffsetBits) != 0)
            return wrong(fmt::format("{:#x} is not the start of 32 bytes", *parsed));
        HbmPimStream& stream = m_trace.channels[std::size_t(take(channelBits(m_trace.system)))];
        burst.bank = std::uint8_t(take(kTraceBankBits));
        burst.column = std::uint8_t(take(kTraceColumnBits));
        burst.row = std::uint16_t(take(kTraceRowBits));
        if (rest != 0)
            return wrong(fmt::format("{:#x} lies beyond rank 0 of {} channels", *parsed, m_trace.system),
                         "PIM works in rank 0 only");
        return &stream;
    }

    Result<void> data(std::string_view digits, HbmPimBurst& burst, HbmPimStream& stream) {
        HbmPimWord word{};
        if (digits.size() != kDataDigits)
            return wrong(fmt::format("data has {} digits, must have {}", digits.size(), kDataDigits));
        for (std::size_t i = 0; i < digits.size(); i += 2) {
            const auto high = digitOf(digits[i]), low = digitOf(digits[i + 1]);
            if (!high || !low)
                return wrong(
                    fmt::format("data has \"{}\", no hexadecimal digits", shownText(digits.substr(i, 2))));
            const int byte = *high << 4 | *low;
            word[i / 4] = std::uint16_t(word[i / 4] | byte << (i % 4 == 0 ? 0 : 8));
        }
        burst.data = std::int32_t(stream.data.size());
        burst.pimOn = burst.row == HbmPimGeometry::kRegisterRow && burst.column == 0 && (word[0] & 1) != 0;
        stream.data.push_back(word);
        return {};
    }

    LineReader m_lines;
    HbmPimTrace m_trace;
};

/// The same as far as clocks go?
bool alike(const std::vector<HbmPimBurst>& a, const std::vector<HbmPimBurst>& b) {
    return std::ranges::equal(a, b, [](const HbmPimBurst& x, const HbmPimBurst& y) {
        return x.write == y.write && x.barrier == y.barrier && x.bank == y.bank && x.row == y.row &&
               x.column == y.column && x.pimOn == y.pimOn;
    });
}

} // namespace

int hbmPimSystem(int channels) {
    const auto* const at =
        std::ranges::find_if(kHbmPimSystems, [&](int system) { return system >= channels; });
    return at == std::end(kHbmPimSystems) ? kHbmPimSystems[std::size(kHbmPimSystems) - 1] : *at;
}

int hbmPimRanks(int system) {
    constexpr int kLargest = 64;
    return system == kLargest ? 2 : 1;
}

std::string hbmPimTraceHead(int system) {
    return fmt::format("{}{}\n", kHeadWord, system);
}

void appendHbmPimLine(std::string& text, const HbmPimBurst& burst, const HbmPimWord* word, int channel,
                      int system) {
    fmt::format_to(std::back_inserter(text), "{} 0x{:09x}", burst.write ? 'W' : 'R',
                   addressOf(burst, channel, system));
    if (burst.write && word) {
        text += ' ';
        for (const std::uint16_t value : *word)
            fmt::format_to(std::back_inserter(text), "{:02x}{:02x}", value & 0xff, value >> 8);
    }
    text += '\n';
}

void appendHbmPimBarrier(std::string& text, int channel) {
    fmt::format_to(std::back_inserter(text), "B {}\n", channel);
}

Result<HbmPimTrace> readHbmPimTrace(const std::string& file, const TaskContext& task) {
    PIM_TRY(LineReader lines, LineReader::open(file, kLongestTraceLine, "a trace"));
    return TraceParser(std::move(lines)).parse(task);
}

Result<HbmPimTraceRun> runHbmPimTrace(const HbmPimTrace& trace, const HbmPimTiming& timing,
                                      const TaskContext& task) {
    HbmPimTraceRun run;
    std::vector<std::pair<const HbmPimStream*, int>> distinct;
    for (const HbmPimStream& stream : trace.channels) {
        if (stream.bursts.empty())
            continue;
        ++run.channels;
        const auto same = std::ranges::find_if(
            distinct, [&](const auto& other) { return alike(other.first->bursts, stream.bursts); });
        if (same != distinct.end())
            ++same->second;
        else
            distinct.emplace_back(&stream, 1);
    }
    run.simulated = int(distinct.size());
    std::vector<Result<HbmPimCost>> costs(distinct.size());
    parallelFor(distinct.size(), 0, [&](std::size_t i) {
        const auto& [stream, times] = distinct[i];
        costs[i] = runHbmPimStream(*stream, times, hbmPimRanks(trace.system), timing, nullptr, task);
    });
    for (Result<HbmPimCost>& each : costs) {
        PIM_TRY(const HbmPimCost cost, std::move(each));
        run.cost.cycles = std::max(run.cost.cycles, cost.cycles);
        run.cost.counts.add(cost.counts, 1);
    }
    return run;
}

} // namespace pim
