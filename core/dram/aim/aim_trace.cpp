// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/aim/aim_trace.h"

#include "core/base/line_reader.h"
#include "core/base/parse_number.h"
#include "core/dram/aim/aim_channel.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <iterator>
#include <span>
#include <vector>

namespace pim {
namespace {

constexpr std::size_t kLongestAimLine = 1000;
constexpr std::int64_t kPollAimLines = 1 << 14;

struct AimField {
    std::string_view name;
    std::int64_t least = 0, most = 0;
};
constexpr AimField kSizeField{"opsize", 1, AimGeometry::kBurstsPerRow}, kGprField{"gpr", 0, 16383},
    kMaskField{"channel mask", 1, 0xffffffff}, kBankField{"bank", 0, AimGeometry::kBanks - 1},
    kRowField{"row", 0, AimGeometry::kRows - 1}, kChannelField{"channel", 0, AimGeometry::kChannels - 1},
    kCfrField{"cfr", 0, 2}, kCfrValueField{"value", 0, 7};

enum class AimWord : std::uint8_t { WrGb, WrBias, MacAbk, Ewmul, RdMac, Config, End, Host, Other };

struct AimInstruction {
    std::string_view region, opcode; ///< "AiM" "WR_GB"
    AimWord word = AimWord::Other;
    std::vector<AimField> fields;
};

/// All that the simulator knows. [src/base/request.h, its table of legal fields]
const std::vector<AimInstruction>& aimInstructions() {
    static const std::vector<AimInstruction> all{
        {"AiM", "WR_SBK", AimWord::Other, {kGprField, kMaskField, kBankField, kRowField}},
        {"AiM", "WR_ABK", AimWord::Other, {kGprField, kMaskField, kRowField}},
        {"AiM", "WR_GB", AimWord::WrGb, {kSizeField, kGprField, kMaskField}},
        {"AiM", "WR_BIAS", AimWord::WrBias, {kGprField, kMaskField}},
        {"AiM", "RD_MAC", AimWord::RdMac, {kGprField, kMaskField}},
        {"AiM", "RD_AF", AimWord::Other, {kGprField, kMaskField}},
        {"AiM", "RD_SBK", AimWord::Other, {kGprField, kMaskField, kBankField, kRowField}},
        {"AiM", "COPY_BKGB", AimWord::Other, {kSizeField, kMaskField, kBankField, kRowField}},
        {"AiM", "COPY_GBBK", AimWord::Other, {kSizeField, kMaskField, kBankField, kRowField}},
        {"AiM", "MAC_SBK", AimWord::Other, {kSizeField, kMaskField, kBankField, kRowField}},
        {"AiM", "MAC_ABK", AimWord::MacAbk, {kSizeField, kMaskField, kRowField}},
        {"AiM", "AF", AimWord::Other, {kMaskField}},
        {"AiM", "EWMUL", AimWord::Ewmul, {kSizeField, kMaskField, kRowField}},
        {"AiM", "EWADD", AimWord::Other, {kSizeField, kGprField, kGprField}},
        {"AiM", "SYNC", AimWord::Other, {}},
        {"AiM", "EOC", AimWord::End, {}},
        {"W", "CFR", AimWord::Config, {kCfrField, kCfrValueField}},
        {"W", "GPR", AimWord::Host, {kGprField}},
        {"R", "GPR", AimWord::Host, {kGprField}},
        {"W", "MEM", AimWord::Other, {kChannelField, kBankField, kRowField}},
        {"R", "MEM", AimWord::Other, {kChannelField, kBankField, kRowField}},
    };
    return all;
}

/// The rows of one instruction, in the order of its fields.
struct AimLine {
    const AimInstruction* instruction = nullptr;
    std::array<std::int64_t, 4> values{};
    std::int64_t value(std::string_view field) const {
        for (std::size_t i = 0; i < instruction->fields.size(); ++i)
            if (instruction->fields[i].name == field)
                return values[i];
        return -1;
    }
};

class AimTraceReader {
public:
    AimTraceReader(LineReader lines, const AimTiming& timing)
        : m_lines(std::move(lines)), m_channel(timing, nullptr) {}

    Result<AimTraceRun> run(const TaskContext& task) {
        std::string_view line;
        while (true) {
            PIM_TRY(const bool found, m_lines.next(line));
            if (!found)
                break;
            if (m_lines.number() % kPollAimLines == 0 && task.cancelled())
                return TaskContext::cancelledError("reading the trace");
            split(line);
            if (m_words.empty() || m_words[0].starts_with('#'))
                continue;
            if (m_ended)
                return wrong("there is an instruction after AiM EOC", "the simulator stops at AiM EOC");
            PIM_TRY(const AimLine parsed, parse());
            take(parsed);
        }
        if (!m_ended)
            return wrong("it ends without AiM EOC", "the simulator does not end either; is the file cut?");
        m_run.channels = std::popcount(std::uint32_t(m_masks));
        if (m_run.untimed.empty())
            m_run.cost = m_channel.cost();
        return std::move(m_run);
    }

private:
    tl::unexpected<Error> wrong(std::string message, std::string hint = {}) const {
        return fail(ErrorCode::InvalidFile, std::move(message), m_lines.where(), std::move(hint));
    }
    void split(std::string_view line) {
        constexpr std::string_view kBlank = " \t\r";
        m_words.clear();
        for (std::size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos;) {
            const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
            m_words.push_back(line.substr(at, end - at));
            at = line.find_first_not_of(kBlank, end);
        }
    }

    Result<AimLine> parse() const {
        constexpr std::string_view kPrefix = "ISR_"; // may be left out
        std::string_view opcode = m_words.size() > 1 ? m_words[1] : std::string_view();
        if (opcode.starts_with(kPrefix))
            opcode.remove_prefix(kPrefix.size());
        AimLine line;
        std::string known;
        for (const AimInstruction& instruction : aimInstructions()) {
            if (instruction.region == m_words[0] && instruction.opcode == opcode)
                line.instruction = &instruction;
            known +=
                fmt::format("{}{} {}", known.empty() ? "" : ", ", instruction.region, instruction.opcode);
        }
        if (!line.instruction)
            return wrong(fmt::format("unknown instruction \"{}\"",
                                     shownText(fmt::format("{} {}", m_words[0], opcode))),
                         "there are " + known);
        const auto& fields = line.instruction->fields;
        if (m_words.size() - 2 != fields.size())
            return wrong(fmt::format("{} {} has {} fields, must have {}", m_words[0], opcode,
                                     m_words.size() - 2, fields.size()));
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const std::string_view text = m_words[i + 2];
            const auto value = text.starts_with("0x") || text.starts_with("0X")
                                   ? parseNumber<std::int64_t>(text.substr(2), 16)
                                   : parseNumber<std::int64_t>(text);
            if (!value || *value < fields[i].least || *value > fields[i].most)
                return wrong(fmt::format("{} is \"{}\", must be {} to {}", fields[i].name, shownText(text),
                                         fields[i].least, fields[i].most));
            line.values[i] = *value;
        }
        return line;
    }

    void untimed(std::string why) {
        if (m_run.untimed.empty())
            m_run.untimed = fmt::format("{} in line {}", std::move(why), m_lines.number());
    }

    void take(const AimLine& line) {
        const AimInstruction& is = *line.instruction;
        ++m_run.lines;
        ++m_run.commands[fmt::format("{} {}", is.region, is.opcode)];
        if (const std::int64_t mask = line.value(kMaskField.name); mask > 0) {
            if (m_masks != 0 && mask != m_masks)
                untimed("channels that do not all do the same");
            m_masks |= mask;
        }
        switch (is.word) {
        case AimWord::WrGb:
            return m_channel.writeBuffer(line.value(kSizeField.name));
        case AimWord::WrBias:
            return m_channel.writeBias();
        case AimWord::MacAbk:
            return m_channel.multiplyAccumulate(line.value(kRowField.name), line.value(kSizeField.name));
        case AimWord::Ewmul:
            return m_channel.multiply(line.value(kRowField.name), line.value(kSizeField.name));
        case AimWord::RdMac:
            return m_channel.readSums();
        case AimWord::End:
            m_ended = true;
            return;
        case AimWord::Config:
        case AimWord::Host: // take no time there
            return;
        case AimWord::Other:
            return untimed(fmt::format("{} {}", is.region, is.opcode));
        }
    }

    LineReader m_lines;
    std::vector<std::string_view> m_words;
    AimChannel m_channel;
    AimTraceRun m_run;
    std::int64_t m_masks = 0;
    bool m_ended = false;
};

} // namespace

Result<AimTraceRun> runAimTrace(const std::string& file, const AimTiming& timing, const TaskContext& task) {
    PIM_TRY(LineReader lines, LineReader::open(file, kLongestAimLine, "a trace"));
    return AimTraceReader(std::move(lines), timing).run(task);
}

} // namespace pim
