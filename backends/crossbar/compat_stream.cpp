// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where streams for the mode "pimcomp-compat" come from: files, and our own programs.
#include "backends/crossbar/compat.h"
#include "core/base/line_reader.h"
#include "core/hardware/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

namespace pim {
namespace {

constexpr std::string_view kHeader = "group,core,op,stage,elements,in_elements,out_elements,ag,comm";
constexpr std::size_t kLongestLine = 1000;
// Beyond these no such machine or program is known, and lists one an entry get heavy: one line may name the highest.
constexpr std::uint64_t kMostStreamCores = 1'000'000, kMostStreamIds = 16'000'000,
                        kMostElements = 1'000'000'000;
constexpr std::size_t kMostStreamInstructions = 500'000'000;
constexpr std::int64_t kPollLines = 1 << 16; // lines

/// Puts the instructions of a group together, core by core, and sees that transfers are pairs.
class Builder {
public:
    void add(std::uint32_t core, const CompatInstruction& instruction) {
        if (core >= m_ofCore.size())
            m_ofCore.resize(core + 1);
        if (m_ofCore[core].empty())
            m_used.push_back(core);
        m_ofCore[core].push_back(instruction);
        m_stream.cores = std::max(m_stream.cores, core + 1);
    }

    /// The group is complete.
    Result<void> endGroup(std::uint32_t group) {
        std::ranges::sort(m_used);
        for (const std::uint32_t core : m_used) {
            std::vector<CompatInstruction>& instructions = m_ofCore[core];
            const std::size_t begin = m_stream.instructions.size();
            m_stream.instructions.insert(m_stream.instructions.end(), instructions.begin(),
                                         instructions.end());
            m_stream.blocks.push_back({group, core, begin, m_stream.instructions.size()});
            for (const CompatInstruction& instruction : instructions) {
                const bool isTransfer = instruction.op == CompatOp::Send || instruction.op == CompatOp::Recv;
                if (!isTransfer && instruction.op != CompatOp::Mvm)
                    continue;
                if (instruction.id >= kMostStreamIds) // our own programs have 32 bits for it
                    return fail(ErrorCode::InvalidFile, fmt::format("{} {} in group {}, must be below {}",
                                                                    isTransfer ? "transfer" : "array group",
                                                                    instruction.id, group, kMostStreamIds));
                if (isTransfer) {
                    PIM_CHECK(meet(core, instruction, group));
                } else {
                    m_stream.arrayGroups = std::max(m_stream.arrayGroups, instruction.id + 1);
                }
            }
            instructions.clear();
        }
        m_used.clear();
        if (m_open != 0)
            return openTransfer(group);
        m_stream.groups = group + 1;
        return {};
    }
    CompatStream take() {
        m_stream.transfers = std::uint32_t(m_ends.size());
        return std::move(m_stream);
    }
    std::size_t size() const { return m_stream.instructions.size(); }

private:
    struct End {
        std::uint32_t core = 0, elements = 0;
        std::uint8_t seen = 0; ///< 1: send, 2: receive.
    };

    Result<void> meet(std::uint32_t core, const CompatInstruction& instruction, std::uint32_t group) {
        if (instruction.id >= m_ends.size())
            m_ends.resize(std::max<std::size_t>(instruction.id + 1, m_ends.size() + m_ends.size() / 2));
        End& end = m_ends[instruction.id];
        const std::uint8_t side = instruction.op == CompatOp::Send ? 1 : 2;
        const auto wrong = [&](std::string what) {
            return fail(ErrorCode::InvalidFile,
                        fmt::format("transfer {} in group {}: {}", instruction.id, group, std::move(what)),
                        {}, "a transfer is one SEND and one RECV of two cores in one group");
        };
        if ((end.seen & side) != 0)
            return wrong(fmt::format("core {} {} it again", core, side == 1 ? "sends" : "receives"));
        if (end.seen != 0 && end.core == core)
            return wrong(fmt::format("core {} is on both sides", core));
        if (end.seen != 0 && end.elements != instruction.elements)
            return wrong(
                fmt::format("one side has {} elements, the other {}", end.elements, instruction.elements));
        m_open += end.seen == 0 ? 1 : -1;
        end = {core, instruction.elements, std::uint8_t(end.seen | side)};
        return {};
    }

    tl::unexpected<Error> openTransfer(std::uint32_t group) const {
        const auto open =
            std::ranges::find_if(m_ends, [](const End& end) { return end.seen == 1 || end.seen == 2; });
        return fail(ErrorCode::InvalidFile,
                    fmt::format("transfer {} in group {}: core {} {}, and no core {}", open - m_ends.begin(),
                                group, open->core, open->seen == 1 ? "sends" : "receives",
                                open->seen == 1 ? "receives" : "sends"),
                    {}, "a transfer is one SEND and one RECV of two cores in one group");
    }

    CompatStream m_stream;
    std::vector<std::vector<CompatInstruction>> m_ofCore; ///< Of the group being built.
    std::vector<std::uint32_t> m_used;
    std::vector<End> m_ends; ///< By transfer.
    int m_open = 0;          ///< Transfers of this group with one side.
};

struct OpcodeEntry {
    std::string_view name;
    CompatOp op;
};
constexpr std::array<OpcodeEntry, 18> kOpcodes{{{"LMV", CompatOp::Move},
                                                {"MVMUL", CompatOp::Mvm},
                                                {"VVADD", CompatOp::Vector},
                                                {"LD", CompatOp::Load},
                                                {"ST", CompatOp::Store},
                                                {"SEND", CompatOp::Send},
                                                {"RECV", CompatOp::Recv},
                                                {"VRELU", CompatOp::Vector},
                                                {"VVMAX", CompatOp::Vector},
                                                {"LLDI", CompatOp::Fill},
                                                {"VTANH", CompatOp::Vector},
                                                {"VSIGMOID", CompatOp::Vector},
                                                {"VER", CompatOp::Free},
                                                {"VVMUL", CompatOp::Free},
                                                {"VSUB", CompatOp::Free},
                                                {"VSIGM", CompatOp::Free},
                                                {"VRSU", CompatOp::Free},
                                                {"VRSL", CompatOp::Free}}};

/// Fields of one line and what they say.
class LineParser {
public:
    explicit LineParser(const LineReader& lines) : m_lines(lines) {}

    struct Row {
        std::uint32_t group = 0, core = 0;
        CompatInstruction instruction;
        std::size_t opcode = 0; ///< Position in kOpcodes.
    };

    Result<Row> parse(std::string_view line) const {
        std::array<std::string_view, 9> field;
        std::size_t count = 0, from = 0;
        for (std::size_t at = 0; at <= line.size(); ++at)
            if (at == line.size() || line[at] == ',') {
                if (count < field.size())
                    field[count] = line.substr(from, at - from);
                ++count;
                from = at + 1;
            }
        if (count != field.size())
            return refuse(fmt::format("has {} columns, must have {}", count, field.size()),
                          fmt::format("the columns are {}", kHeader));
        Row row;
        PIM_TRY(row.group, number(field[0], "group", kMostStreamIds));
        PIM_TRY(row.core, number(field[1], "core", kMostStreamCores));
        PIM_TRY(row.opcode, opcode(field[2]));
        row.instruction.op = compatOpOf(row.opcode, field[3]);
        const CompatOp op = row.instruction.op;
        if (op == CompatOp::Mvm) {
            PIM_TRY(row.instruction.id, number(field[7], "ag", kMostStreamIds));
            PIM_TRY(row.instruction.elements, number(field[6], "out_elements", kMostElements));
        } else {
            PIM_TRY(row.instruction.elements, number(field[4], "elements", kMostElements));
        }
        if (op == CompatOp::Send || op == CompatOp::Recv) {
            PIM_TRY(row.instruction.id, number(field[8], "comm", kMostStreamIds));
        }
        return row;
    }

private:
    tl::unexpected<Error> refuse(std::string message, std::string hint = {}) const {
        return fail(ErrorCode::InvalidFile, std::move(message), m_lines.where(), std::move(hint));
    }
    Result<std::uint32_t> number(std::string_view text, std::string_view column, std::uint64_t limit) const {
        std::uint64_t value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || end != text.data() + text.size() ||
            (code != std::errc() && code != std::errc::result_out_of_range))
            return refuse(
                fmt::format("column \"{}\" is \"{}\", must be a whole number", column, shownText(text)));
        if (code == std::errc::result_out_of_range || value >= limit)
            return refuse(
                fmt::format("column \"{}\" is {}, must be below {}", column, shownText(text), limit));
        return std::uint32_t(value);
    }
    static CompatOp compatOpOf(std::size_t opcode, std::string_view stage) {
        const OpcodeEntry& entry = kOpcodes[opcode];
        if (stage == "MAIN")
            return entry.op == CompatOp::Move   ? CompatOp::InputMove
                   : entry.op == CompatOp::Fill ? CompatOp::InputFill
                                                : entry.op;
        return entry.name == "VVADD" && stage == "MAIN-C" ? CompatOp::GatherAdd : entry.op;
    }
    Result<std::size_t> opcode(std::string_view op) const {
        for (std::size_t i = 0; i < kOpcodes.size(); ++i)
            if (kOpcodes[i].name == op)
                return i;
        std::vector<std::string> known;
        for (const OpcodeEntry& entry : kOpcodes)
            known.emplace_back(entry.name);
        return refuse(fmt::format("unknown instruction \"{}\"", shownText(op)),
                      didYouMean(shownText(op), known));
    }

    const LineReader& m_lines;
};

Result<CompatStream> addLines(LineReader& lines, const TaskContext& task) {
    Builder builder;
    const LineParser parser(lines);
    std::array<std::int64_t, kOpcodes.size()> counts{};
    std::optional<std::uint32_t> group;
    std::string_view line;
    while (true) {
        PIM_TRY(const bool found, lines.next(line));
        if (!found)
            break;
        if (lines.number() % kPollLines == 0) {
            if (task.cancelled())
                return TaskContext::cancelledError("reading the stream");
            if (builder.size() > kMostStreamInstructions)
                return fail(ErrorCode::InvalidFile,
                            fmt::format("more than {} instructions", kMostStreamInstructions), lines.where());
        }
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (line.empty())
            continue;
        PIM_TRY(const LineParser::Row row, parser.parse(line));
        if (group && row.group < *group)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("group {} comes after group {}", row.group, *group), lines.where(),
                        "a stream is written group by group");
        if (group && row.group > *group)
            PIM_CHECK(builder.endGroup(*group));
        group = row.group;
        builder.add(row.core, row.instruction);
        ++counts[row.opcode];
    }
    if (!group)
        return fail(ErrorCode::InvalidFile, "has no instruction");
    PIM_CHECK(builder.endGroup(*group));
    CompatStream stream = builder.take();
    for (std::size_t i = 0; i < kOpcodes.size(); ++i)
        if (counts[i] > 0)
            stream.opcodes[std::string(kOpcodes[i].name)] = counts[i];
    return stream;
}

std::string_view vectorOpcode(VectorOp op) {
    switch (op) {
    case VectorOp::Max:
        return "VVMAX";
    case VectorOp::Relu:
        return "VRELU";
    case VectorOp::Tanh:
        return "VTANH";
    case VectorOp::Sigmoid:
        return "VSIGMOID";
    default:
        return "VVADD";
    }
}

struct CompatWords {
    std::string_view opcode, stage;
};

/// The stages of PIMCOMP-NN, as compatOp() takes ours.
CompatWords wordsOf(const CrossbarInstruction& instruction) {
    const CrossbarStage stage = instruction.stage;
    const bool beforeProduct =
        stage == CrossbarStage::Bias || stage == CrossbarStage::Input || stage == CrossbarStage::Main;
    const bool ofProduct =
        stage == CrossbarStage::Main || stage == CrossbarStage::Gather || stage == CrossbarStage::Accumulate;
    switch (instruction.opcode) {
    case CrossbarOpcode::Mvm:
        return {"MVMUL", "MAIN"};
    case CrossbarOpcode::Vec:
        if (stage == CrossbarStage::Gather)
            return {"VVADD", "MAIN-C"};
        return {vectorOpcode(instruction.vec), stage == CrossbarStage::Accumulate ? "MAIN-A"
                                               : stage == CrossbarStage::Bias     ? "MAIN-B"
                                                                                  : "POST"};
    case CrossbarOpcode::Copy:
        return {"LMV", beforeProduct ? "MAIN" : "POST"};
    case CrossbarOpcode::Write:
        return {"LLDI", beforeProduct ? "MAIN" : "POST"};
    case CrossbarOpcode::Load:
        return {"LD", stage == CrossbarStage::Bias ? "BIAS" : "INPUT"};
    case CrossbarOpcode::Store:
        return {"ST", "OUTPUT"};
    case CrossbarOpcode::Send:
        return {"SEND", ofProduct ? "MAIN" : "POST"};
    case CrossbarOpcode::Recv:
        return {"RECV", ofProduct ? "MAIN" : "POST"};
    }
    return {};
}

} // namespace

std::string_view compatHeader() {
    return "group,core,op,stage,elements,in_elements,out_elements,ag,comm\n";
}

bool hasCompatOpcode(VectorOp op) {
    return op == VectorOp::Add || vectorOpcode(op) != "VVADD";
}

std::string_view appendCompatLine(std::string& text, std::uint32_t group, std::uint32_t core,
                                  const CrossbarInstruction& instruction) {
    const CompatWords words = wordsOf(instruction);
    const auto to = std::back_inserter(text);
    fmt::format_to(to, "{},{},{},{},", group, core, words.opcode, words.stage);
    if (instruction.opcode == CrossbarOpcode::Mvm)
        fmt::format_to(to, ",{},{},{},\n", instruction.length, instruction.src2, instruction.index);
    else if (instruction.opcode == CrossbarOpcode::Send || instruction.opcode == CrossbarOpcode::Recv)
        fmt::format_to(to, "{},,,,{}\n", instruction.length, instruction.index);
    else
        fmt::format_to(to, "{},,,,\n", instruction.length);
    return words.opcode;
}

CompatOp compatOp(const CrossbarInstruction& instruction) {
    const bool beforeProduct = instruction.stage == CrossbarStage::Bias ||
                               instruction.stage == CrossbarStage::Input ||
                               instruction.stage == CrossbarStage::Main;
    switch (instruction.opcode) {
    case CrossbarOpcode::Mvm:
        return CompatOp::Mvm;
    case CrossbarOpcode::Vec:
        return instruction.stage == CrossbarStage::Gather ? CompatOp::GatherAdd : CompatOp::Vector;
    case CrossbarOpcode::Copy:
        return beforeProduct ? CompatOp::InputMove : CompatOp::Move;
    case CrossbarOpcode::Write:
        return beforeProduct ? CompatOp::InputFill : CompatOp::Fill;
    case CrossbarOpcode::Load:
        return CompatOp::Load;
    case CrossbarOpcode::Store:
        return CompatOp::Store;
    case CrossbarOpcode::Send:
        return CompatOp::Send;
    case CrossbarOpcode::Recv:
        return CompatOp::Recv;
    }
    return CompatOp::Free;
}

Result<CompatStream> readCompatStream(const std::string& file, const TaskContext& task) {
    PIM_TRY(LineReader lines, LineReader::open(file, kLongestLine, "a stream of instructions as CSV"));
    std::string_view line;
    PIM_TRY(const bool found, lines.next(line));
    if (found && !line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    if (!found || line != kHeader)
        return fail(ErrorCode::InvalidFile,
                    found ? fmt::format("the first line is \"{}\"", shownText(line))
                          : std::string("the file is empty"),
                    file, fmt::format("it must be {}", kHeader));
    Result<CompatStream> stream = addLines(lines, task);
    if (!stream && stream.error().where.empty())
        stream.error().where = file;
    return stream;
}

Result<CompatStream> compatStream(const CrossbarProgram& program) {
    Builder builder;
    const std::size_t groups = program.groupEnds.empty() ? 0 : program.groupEnds.front().size();
    for (std::size_t group = 0; group < groups; ++group) {
        for (std::size_t core = 0; core < program.cores.size(); ++core) {
            const auto& ends = program.groupEnds[core];
            for (std::size_t i = group == 0 ? 0 : ends[group - 1]; i < ends[group]; ++i) {
                const CrossbarInstruction& instruction = program.cores[core][i];
                builder.add(std::uint32_t(core),
                            {instruction.length, instruction.index, compatOp(instruction)});
            }
        }
        PIM_CHECK(builder.endGroup(std::uint32_t(group)));
    }
    return builder.take();
}

} // namespace pim
