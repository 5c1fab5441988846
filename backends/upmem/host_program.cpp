// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/host_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {
namespace {

constexpr int kMostDpus = 2560; ///< 20 modules of 128. [PrIM paper, arXiv:2105.03814, table 1]

/// Transfers of MRAM are in steps of 8 bytes, of WRAM in steps of 4. [UPMEM SDK 2023.2, dpu_push_xfer]
Result<void> checkTransfer(const std::string& name, Element type, std::int64_t elements,
                           const TaskletCode& code, std::span<const std::int64_t> sizes) {
    PIM_TRY(const HostPlace place, placeOf(name, code, sizes));
    const std::int64_t bytes = elements * bytesOf(type), step = place.array >= 0 ? 8 : 4;
    const std::int64_t room = place.array >= 0
                                  ? code.evaluate(code.arrays()[std::size_t(place.array)].bytes, sizes)
                                  : code.bufferBytes(std::size_t(place.buffer), sizes, 1);
    if (bytes <= 0 || bytes % step != 0 || bytes > room)
        return fail(
            ErrorCode::InvalidKernel,
            fmt::format("a transfer of {} bytes between host and DPU; {} to {} in steps of {} are possible",
                        bytes, step, room, step),
            fmt::format("{}, {}", code.name(), name));
    return {};
}

} // namespace

std::int64_t HostInput::sliceOf(std::int64_t dpu) const {
    return slices > 0 ? dpu / sharers % slices : dpu / sharers;
}

const HostInput* HostProgram::input(std::string_view array) const {
    const auto found = std::ranges::find(inputs, array, &HostInput::name);
    return found == inputs.end() ? nullptr : &*found;
}

const HostOutput* HostProgram::output(std::string_view array) const {
    const auto found = std::ranges::find(outputs, array, &HostOutput::name);
    return found == outputs.end() ? nullptr : &*found;
}

bool HostProgram::isBetweenLaunches(std::string_view output) const {
    return std::ranges::any_of(arguments, [&](const HostArgument& argument) {
        return argument.what == HostArgument::What::Before && argument.of == output;
    });
}

std::int64_t HostProgram::keptElements(const HostInput& input) const {
    switch (input.split) {
    case HostInput::Split::Slices:
        return (input.slices > 0 ? input.slices : input.sliceOf(dpus - 1) + 1) * input.slice + input.overlap;
    case HostInput::Split::Copies:
        return input.slice;
    case HostInput::Split::Bounded:
        return input.elements + input.slice;
    }
    return 0;
}

bool folds(ValueKind kind) {
    return kind == ValueKind::Add || kind == ValueKind::Mul || kind == ValueKind::Min ||
           kind == ValueKind::Max || kind == ValueKind::And || kind == ValueKind::Or ||
           kind == ValueKind::Xor;
}

std::int64_t foldedNumbers(ValueKind fold, std::int64_t a, std::int64_t b) {
    PIM_ASSERT(folds(fold), "the fold is one of seven");
    const auto x = std::uint64_t(a), y = std::uint64_t(b);
    switch (fold) {
    case ValueKind::Mul:
        return std::int64_t(x * y);
    case ValueKind::Min:
        return std::min(a, b);
    case ValueKind::Max:
        return std::max(a, b);
    case ValueKind::And:
        return a & b;
    case ValueKind::Or:
        return a | b;
    case ValueKind::Xor:
        return a ^ b;
    default:
        return std::int64_t(x + y);
    }
}

Result<HostPlace> placeOf(const std::string& name, const TaskletCode& code,
                          std::span<const std::int64_t> sizes) {
    for (std::size_t i = 0; i < code.arrays().size(); ++i)
        if (code.arrays()[i].name == name)
            return HostPlace{int(i), -1, code.arrayOffset(i, sizes)};
    for (std::size_t i = 0; i < code.buffers().size(); ++i)
        if (code.buffers()[i].name == name && code.buffers()[i].ofHost)
            return HostPlace{-1, int(i), 0};
    return fail(ErrorCode::NotFound,
                fmt::format("it has no array and no buffer of the host with the name \"{}\"", name),
                code.name());
}

Result<void> checkHostProgram(const HostProgram& program, const TaskletCode& code,
                              std::span<const std::int64_t> sizes) {
    if (program.dpus < 1 || program.dpus > kMostDpus)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} DPUs; a server has 1 to {}", program.dpus, kMostDpus), program.name);
    for (const HostInput& in : program.inputs) {
        PIM_CHECK(checkTransfer(in.name, in.type, in.slice + in.overlap, code, sizes));
        const std::int64_t rows = in.row > 0 ? in.elements / in.row : 1;
        const std::int64_t spread = in.row > 0 ? rows * in.pitch : in.elements;
        if (in.elements < 1 || spread > program.keptElements(in) || in.pitch < in.row)
            return fail(
                ErrorCode::InvalidKernel,
                fmt::format("{} elements do not fit {} DPUs with {} each", spread, program.dpus, in.slice),
                fmt::format("{}, {}", program.name, in.name));
    }
    for (const HostOutput& out : program.outputs) {
        PIM_CHECK(checkTransfer(out.name, out.type, out.slice, code, sizes));
        const HostInput* const same = program.input(out.name); // one array of the host
        if (same != nullptr &&
            (same->slice != out.slice || same->elements != out.elements || same->type != out.type))
            return fail(ErrorCode::InvalidKernel, "goes in and out in different sizes",
                        fmt::format("{}, {}", program.name, out.name));
        if (out.merge == HostOutput::Merge::Compact || out.merge == HostOutput::Merge::Largest)
            PIM_CHECK(checkTransfer(out.counts, Element::U32, 1, code, sizes));
        const std::int64_t spread = out.row > 0 ? out.elements / out.row * out.pitch : out.elements;
        if (out.merge == HostOutput::Merge::Concatenate && spread > program.dpus * out.slice)
            return fail(
                ErrorCode::InvalidKernel,
                fmt::format("{} DPUs with {} elements each give no {}", program.dpus, out.slice, spread),
                fmt::format("{}, {}", program.name, out.name));
    }
    std::vector<std::string> named;
    for (const HostArgument& argument : program.arguments) {
        if (argument.what == HostArgument::What::Before) {
            const HostOutput* const of = program.output(argument.of);
            if (of == nullptr || of->slice != 1 || of->isFile || program.rounds == 0 || !folds(argument.fold))
                return fail(
                    ErrorCode::NotFound,
                    fmt::format("no output \"{}\" has one number of each DPU that stays with the host from "
                                "launch to launch",
                                argument.of),
                    program.name);
            PIM_CHECK(checkTransfer(argument.name, of->type, 1, code, sizes));
            continue;
        }
        PIM_CHECK(checkTransfer(argument.name, Element::U32, 1, code, sizes));
        if (argument.what == HostArgument::What::Share)
            named.push_back(argument.of);
    }
    for (const HostInput& in : program.inputs)
        if (in.split == HostInput::Split::Bounded)
            named.push_back(in.bounds);
    for (const HostOutput& out : program.outputs)
        if (out.merge == HostOutput::Merge::Minimum || out.merge == HostOutput::Merge::Largest)
            named.push_back(out.indexOf);
    for (const std::string& array : named)
        if (program.input(array) == nullptr)
            return fail(ErrorCode::NotFound, fmt::format("there is no input \"{}\"", array), program.name);
    if (!program.fedBackFrom.empty() &&
        (program.output(program.fedBackFrom) == nullptr || program.input(program.fedBackTo) == nullptr))
        return fail(
            ErrorCode::NotFound,
            fmt::format("\"{}\" cannot be fed back to \"{}\"", program.fedBackFrom, program.fedBackTo),
            program.name);
    if (program.rounds == 0 &&
        (program.fedBackFrom.empty() || program.output(program.fedBackFrom)->elements >
                                            program.keptElements(*program.input(program.fedBackTo))))
        return fail(ErrorCode::InvalidKernel,
                    "its launches go on until an output has no new bit, and none is fed back", program.name);
    return {};
}

} // namespace pim::upmem
