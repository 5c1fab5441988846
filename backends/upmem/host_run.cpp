// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/host_run.h"

#include "backends/upmem/tasklet/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {
namespace {

using Bytes = std::vector<std::byte>;

std::int64_t numberAt(const Bytes& data, Element type, std::int64_t index) {
    const auto read = [&]<class T>(T value) {
        std::memcpy(&value, data.data() + index * std::int64_t(sizeof(T)), sizeof(T));
        return std::int64_t(value);
    };
    switch (type) {
    case Element::I8:
        return read(std::int8_t());
    case Element::U8:
        return read(std::uint8_t());
    case Element::I16:
        return read(std::int16_t());
    case Element::U16:
        return read(std::uint16_t());
    case Element::I32:
        return read(std::int32_t());
    case Element::U32:
        return read(std::uint32_t());
    default:
        return read(std::int64_t());
    }
}

/// The low bytes are what is stored, of any type.
void setNumber(Bytes& data, Element type, std::int64_t index, std::int64_t value) {
    std::memcpy(data.data() + index * bytesOf(type), &value, std::size_t(bytesOf(type)));
}

class EngineHost {
public:
    EngineHost(const HostProgram& program, const TaskletCode& code, std::span<const std::int64_t> sizes,
               const DpuTiming& timing)
        : m_program(program), m_code(code), m_sizes(sizes) {
        for (int d = 0; d < program.dpus; ++d)
            m_dpus.push_back(std::make_unique<Dpu>(timing));
    }

    Result<HostRun> run(const TaskletProgram& made, int tasklets, const HostData& files,
                        const TaskContext& task);

private:
    Result<void> take(const HostInput& input, const HostData& files);
    void push(const HostInput& input);
    void pushArguments(int round);
    Result<void> launch(const TaskletProgram& made, int tasklets, const TaskContext& task);
    void pull(const HostOutput& output);
    void pushSums(const HostArgument& argument);
    Bytes largest(const HostOutput& output, const std::vector<Bytes>& parts) const;
    Bytes merged(const HostOutput& output, const std::vector<Bytes>& parts) const;
    bool feedBack();
    std::span<std::uint8_t> at(std::size_t dpu, const std::string& name, std::int64_t bytes);
    Bytes from(std::size_t dpu, const std::string& name, std::int64_t bytes);

    const HostProgram& m_program;
    const TaskletCode& m_code;
    std::span<const std::int64_t> m_sizes;
    std::vector<std::unique_ptr<Dpu>> m_dpus;
    const TaskletProgram* m_made = nullptr;
    std::map<std::string, Bytes> m_inputs, m_outputs;
    Bytes m_seen;
    HostRun m_run;
};

std::span<std::uint8_t> EngineHost::at(std::size_t dpu, const std::string& name, std::int64_t bytes) {
    const Result<HostPlace> place = placeOf(name, m_code, m_sizes);
    PIM_ASSERT(place, "the program was checked");
    if (place->array >= 0)
        return m_dpus[dpu]->mram().subspan(std::size_t(place->offset), std::size_t(bytes));
    const auto region = std::ranges::find(m_made->wram, name, &WramRegion::name);
    return m_dpus[dpu]->wram().subspan(std::size_t(region->begin), std::size_t(bytes));
}

Bytes EngineHost::from(std::size_t dpu, const std::string& name, std::int64_t bytes) {
    Bytes made(static_cast<std::size_t>(bytes));
    std::memcpy(made.data(), at(dpu, name, bytes).data(), made.size());
    m_run.fromBytes += bytes;
    return made;
}

Result<void> EngineHost::take(const HostInput& input, const HostData& files) {
    const std::int64_t width = bytesOf(input.type);
    Bytes& kept = m_inputs[input.name];
    kept.assign(std::size_t(m_program.keptElements(input) * width), std::byte{0});
    if (input.fill) {
        for (std::int64_t i = 0; i < m_program.keptElements(input); ++i)
            setNumber(kept, input.type, i, *input.fill);
        return {};
    }
    const auto file = files.find(input.name);
    if (file == files.end())
        return fail(ErrorCode::NotFound, fmt::format("there is no input \"{}\"", input.name), m_program.name);
    if (std::ssize(file->second) != input.elements * width)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("has {} bytes instead of {}", file->second.size(), input.elements * width),
                    fmt::format("{}, {}", m_program.name, input.name));
    const std::int64_t row = input.row > 0 ? input.row : input.elements;
    const std::int64_t pitch = input.row > 0 ? input.pitch : input.elements;
    for (std::int64_t r = 0; r < input.elements / row; ++r)
        std::memcpy(kept.data() + r * pitch * width, file->second.data() + r * row * width,
                    std::size_t(row * width));
    return {};
}

void EngineHost::push(const HostInput& input) {
    const std::int64_t width = bytesOf(input.type), bytes = (input.slice + input.overlap) * width;
    const Bytes& kept = m_inputs[input.name];
    for (std::size_t d = 0; d < m_dpus.size(); ++d) {
        std::int64_t begin = 0;
        if (input.split == HostInput::Split::Slices)
            begin = input.sliceOf(std::int64_t(d)) * input.slice;
        else if (input.split == HostInput::Split::Bounded)
            begin = numberAt(m_inputs[input.bounds], m_program.input(input.bounds)->type,
                             std::int64_t(d) * m_program.input(input.bounds)->slice);
        std::memcpy(at(d, input.name, bytes).data(), kept.data() + begin * width, std::size_t(bytes));
        m_run.toBytes += bytes;
    }
}

void EngineHost::pushArguments(int round) {
    for (const HostArgument& argument : m_program.arguments) {
        if (argument.what == HostArgument::What::Before) {
            pushSums(argument);
            continue;
        }
        for (std::size_t d = 0; d < m_dpus.size(); ++d) {
            auto value = std::uint32_t(round);
            if (argument.what == HostArgument::What::Share) {
                const HostInput& input = *m_program.input(argument.of);
                value = std::uint32_t(
                    std::clamp<std::int64_t>(input.countedElements() - std::int64_t(d) * input.countedSlice(),
                                             0, input.countedSlice()));
            }
            std::memcpy(at(d, argument.name, 4).data(), &value, 4);
            m_run.toBytes += 4;
        }
    }
}

void EngineHost::pushSums(const HostArgument& argument) {
    const HostOutput& of = *m_program.output(argument.of);
    const std::int64_t width = bytesOf(of.type);
    Bytes& given = m_outputs[of.name];
    given.resize(m_dpus.size() * std::size_t(width)); // nothing yet: 0
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < m_dpus.size(); ++d) {
        sum = d % std::size_t(argument.group) == 0
                  ? argument.start
                  : foldedNumbers(argument.fold, sum, numberAt(given, of.type, std::int64_t(d) - 1));
        std::memcpy(at(d, argument.name, width).data(), &sum, std::size_t(width));
        m_run.toBytes += width;
    }
}

Result<void> EngineHost::launch(const TaskletProgram& made, int tasklets, const TaskContext& task) {
    DpuRun slowest;
    for (std::size_t d = 0; d < m_dpus.size(); ++d) {
        PIM_TRY(const DpuRun run, m_dpus[d]->run(made.program, tasklets, {}, task));
        m_run.instructions += run.instructions;
        m_run.reads += run.mram.reads;
        m_run.writes += run.mram.writes;
        m_run.readBytes += run.mram.readBytes;
        m_run.writeBytes += run.mram.writeBytes;
        if (run.cycles > slowest.cycles)
            slowest = run;
        task.report("running on DPUs", std::int64_t(d) + 1, std::ssize(m_dpus));
    }
    m_run.cycles += slowest.cycles;
    m_run.issued += slowest.issued;
    m_run.waitedDma += slowest.waitedDma;
    m_run.waitedElse += slowest.waitedElse;
    m_run.heldUp += slowest.heldUp;
    ++m_run.launches;
    return {};
}

void EngineHost::pull(const HostOutput& output) {
    const std::int64_t width = bytesOf(output.type);
    std::vector<std::int64_t> counts(m_dpus.size(), output.slice);
    std::int64_t moved = output.slice;
    if (output.merge == HostOutput::Merge::Compact) {
        for (std::size_t d = 0; d < m_dpus.size(); ++d)
            counts[d] = numberAt(from(d, output.counts, 4), Element::U32, 0);
        moved = std::ranges::max(counts); // all the same: one push
        moved = (moved * width + 7) / 8 * 8 / width;
    }
    std::vector<Bytes> parts;
    if (output.merge == HostOutput::Merge::Largest)
        for (std::size_t d = 0; d < m_dpus.size(); ++d)
            counts[d] = 2 * numberAt(from(d, output.counts, 4), Element::U32, 0);
    for (std::size_t d = 0; d < m_dpus.size(); ++d) {
        parts.push_back(moved > 0 ? from(d, output.name, moved * width) : Bytes());
        parts.back().resize(std::size_t(counts[d] * width));
    }
    m_outputs[output.name] = merged(output, parts);
}

Bytes EngineHost::merged(const HostOutput& output, const std::vector<Bytes>& parts) const {
    const std::int64_t width = bytesOf(output.type);
    Bytes made;
    if (output.merge == HostOutput::Merge::Concatenate || output.merge == HostOutput::Merge::Compact) {
        for (const Bytes& part : parts)
            made.insert(made.end(), part.begin(), part.end());
        for (std::int64_t r = 0; output.row > 0 && r < output.elements / output.row; ++r)
            std::memmove(made.data() + r * output.row * width, made.data() + r * output.pitch * width,
                         std::size_t(output.row * width));
        if (output.merge == HostOutput::Merge::Concatenate)
            made.resize(std::size_t(output.elements * width));
        return made;
    }
    if (output.merge == HostOutput::Merge::Largest)
        return largest(output, parts);
    if (output.merge == HostOutput::Merge::Minimum) {
        std::pair<std::int64_t, std::int64_t> least(std::numeric_limits<std::int64_t>::max(), 0);
        for (std::size_t d = 0; d < parts.size(); ++d)
            for (std::int64_t i = 0; i < output.slice; i += 2)
                least = std::min(
                    least, std::pair(numberAt(parts[d], output.type, i),
                                     numberAt(parts[d], output.type, i + 1) +
                                         std::int64_t(d) * m_program.input(output.indexOf)->countedSlice()));
        made.resize(std::size_t(2 * bytesOf(output.type)));
        setNumber(made, output.type, 0, least.first);
        setNumber(made, output.type, 1, least.second);
        return made;
    }
    made = parts.front();
    for (std::size_t d = 1; d < parts.size(); ++d)
        for (std::int64_t i = 0; i < output.slice; ++i) {
            const auto a = std::uint64_t(numberAt(made, output.type, i)),
                       b = std::uint64_t(numberAt(parts[d], output.type, i));
            setNumber(made, output.type, i,
                      std::int64_t(output.merge == HostOutput::Merge::Or ? a | b : a + b));
        }
    made.resize(std::size_t(output.elements * bytesOf(output.type)));
    return made;
}

Bytes EngineHost::largest(const HostOutput& output, const std::vector<Bytes>& parts) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs; // minus the value, index
    for (std::size_t d = 0; d < parts.size(); ++d)
        for (std::int64_t i = 0; i < std::ssize(parts[d]) / bytesOf(output.type); i += 2)
            pairs.emplace_back(-numberAt(parts[d], output.type, i),
                               numberAt(parts[d], output.type, i + 1) +
                                   std::int64_t(d) * m_program.input(output.indexOf)->countedSlice());
    std::ranges::sort(pairs);
    Bytes made(std::size_t(output.elements * bytesOf(output.type)));
    for (std::int64_t i = 0; i < output.elements / 2 && i < std::ssize(pairs); ++i) {
        setNumber(made, output.type, 2 * i, -pairs[std::size_t(i)].first);
        setNumber(made, output.type, 2 * i + 1, pairs[std::size_t(i)].second);
    }
    return made;
}

/// Whether there is something to do for another launch.
bool EngineHost::feedBack() {
    Bytes& from = m_outputs[m_program.fedBackFrom];
    Bytes& to = m_inputs[m_program.fedBackTo];
    bool more = m_program.rounds > 0;
    for (std::size_t i = 0; m_program.rounds == 0 && i < from.size(); ++i) {
        from[i] &= ~m_seen[i];
        m_seen[i] |= from[i];
        more |= from[i] != std::byte{0};
    }
    std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
    return more;
}

Result<HostRun> EngineHost::run(const TaskletProgram& made, int tasklets, const HostData& files,
                                const TaskContext& task) {
    m_made = &made;
    for (const HostInput& input : m_program.inputs)
        PIM_CHECK(take(input, files));
    if (m_program.rounds == 0)
        m_seen = m_inputs.at(m_program.fedBackTo);
    for (const HostInput& input : m_program.inputs)
        if (input.name != m_program.fedBackTo)
            push(input);
    bool more = true;
    for (int round = 0; more && (m_program.rounds == 0 || round < m_program.rounds); ++round) {
        pushArguments(round);
        if (const HostInput* input = m_program.input(m_program.fedBackTo))
            push(*input);
        PIM_CHECK(launch(made, tasklets, task));
        if (const HostOutput* output = m_program.output(m_program.fedBackFrom)) {
            pull(*output);
            more = feedBack();
        }
        for (const HostOutput& output : m_program.outputs)
            if (m_program.isBetweenLaunches(output.name) && round + 1 < m_program.rounds)
                pull(output);
    }
    for (const HostOutput& output : m_program.outputs) {
        if (output.name != m_program.fedBackFrom && !m_program.isBetweenLaunches(output.name))
            pull(output);
        if (output.isFile)
            m_run.outputs[output.name] = m_outputs[output.name];
    }
    return std::move(m_run);
}

} // namespace

Result<HostRun> runOnEngine(const EngineProgram& program, const HostData& inputs, const DpuTiming& timing,
                            const TaskContext& task) {
    const auto& [host, code, sizes, tasklets] = program;
    PIM_TRY(const auto lowered, lower(code));
    PIM_TRY(const TaskletProgram made, lowered->program(sizes, tasklets));
    PIM_CHECK(checkHostProgram(host, code, sizes));
    return EngineHost(host, code, sizes, timing).run(made, tasklets, inputs, task);
}

} // namespace pim::upmem
