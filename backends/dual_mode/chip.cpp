// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/chip.h"

#include "core/hardware/plausibility.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace pim {
namespace {

constexpr double kMaxArrays = 100'000; // beyond it, lists one an array get heavy and no such chip is known

/// Reads figures, remembers every problem and goes on.
class ChipReader {
public:
    explicit ChipReader(const Target& target) : m_target(target) {}

    void problem(const std::string& what, std::string message, std::string hint = {}) {
        m_problems.push_back({Severity::Error, what, std::move(message), std::move(hint)});
    }

    /// A parameter in \p unit; cycles may also be given as a time.
    std::optional<double> figure(const std::string& name, std::string_view unit, bool needed) {
        const auto found = m_target.parameters.find(name);
        if (found == m_target.parameters.end()) {
            if (needed)
                problem(name, fmt::format("is missing, it is needed in {}", unit));
            return std::nullopt;
        }
        const Quantity& quantity = found->second;
        std::optional<double> value = convertUnit(quantity.value, quantity.unit, unit);
        if (!value && unit == "cycles" && m_cycleNs > 0)
            if (const auto ns = convertUnit(quantity.value, quantity.unit, "ns"))
                value = *ns / m_cycleNs;
        if (!value)
            problem(name, fmt::format("is in {}, {} is needed", quantity.unit, unit));
        else if (!std::isfinite(*value) || *value < 0) {
            problem(name, fmt::format("is {} {}, must not be negative", quantity.value, quantity.unit));
            return std::nullopt;
        }
        return value;
    }
    double positive(const std::string& name, std::string_view unit) {
        const auto value = figure(name, unit, true);
        if (value && *value <= 0)
            problem(name, fmt::format("is {} {}, must be more than 0", *value, unit));
        return value.value_or(0);
    }
    double notNegative(const std::string& name, std::string_view unit) {
        return figure(name, unit, true).value_or(0);
    }
    double orZero(const std::string& name, std::string_view unit) {
        return figure(name, unit, false).value_or(0);
    }
    void setCycle(double ns) { m_cycleNs = ns; }

    Diagnostics take() { return std::move(m_problems); }
    bool ok() const { return m_problems.empty(); }

private:
    const Target& m_target;
    double m_cycleNs = 0;
    Diagnostics m_problems;
};

/// Whole numbers of a count; 0 for what is none.
int wholeCount(ChipReader& reader, const std::string& name, std::string_view unit, double most) {
    const double value = reader.positive(name, unit);
    if (value > most || value != std::floor(value)) {
        reader.problem(name, fmt::format("is {}, must be a whole number from 1 to {}", value, most));
        return 0;
    }
    return static_cast<int>(value);
}

DualModeChip readChip(const Target& target, Diagnostics& problems) {
    ChipReader reader(target);
    DualModeChip chip;
    chip.name = target.name;
    static constexpr std::array<std::string_view, 2> kLevels{"chip", "array"};
    problems = checkLevelOrder(target, kLevels, "a dual-mode target", OtherLevels::Refused);
    if (!problems.empty()) // another kind of machine: what it also lacks is no news
        return chip;
    const Level* const arrays = target.level("array");
    const std::int64_t count = target.instances("array");
    if (count < 1 || static_cast<double>(count) > kMaxArrays)
        reader.problem("levels.array.count", fmt::format("is {} arrays, must be 1 to {}", count, kMaxArrays));
    else
        chip.arrays = static_cast<int>(count);

    chip.cycleNs = reader.positive("timing.tCK", "ns");
    reader.setCycle(chip.cycleNs);
    chip.rows = wholeCount(reader, "array.rows", "count", 1e6);
    const int bitLines = wholeCount(reader, "array.bitLines", "count", 1e6);
    const int cellBits = wholeCount(reader, "cell.bits", "bit", 64);
    const int weightBits = wholeCount(reader, "precision.weight", "bit", 64);
    if (bitLines > 0 && cellBits > 0 && weightBits > 0) {
        const int cells = (weightBits + cellBits - 1) / cellBits;
        chip.columns = bitLines / cells;
        if (chip.columns < 1)
            reader.problem(
                "array.bitLines",
                fmt::format("is {}, but one weight of {} bits takes {} cells of {} bits side by side",
                            bitLines, weightBits, cells, cellBits));
    }
    const Memory* const asMemory = arrays->memory("array");
    const std::int64_t cellBytes = std::int64_t{chip.rows} * bitLines * cellBits / 8;
    if (asMemory == nullptr)
        reader.problem("levels.array.memories",
                       "there is no memory \"array\": what an array holds in memory mode");
    else if (cellBytes > 0 && asMemory->bytes > cellBytes)
        reader.problem("levels.array.memories.array",
                       fmt::format("has {} B, but {} x {} cells of {} bit hold {} B", asMemory->bytes,
                                   chip.rows, bitLines, cellBits, cellBytes));
    else
        chip.arrayBytes = asMemory->bytes;
    chip.cyclesPerMvm = reader.positive("timing.mvm", "cycles");
    chip.writeCyclesPerArray = reader.notNegative("timing.write", "cycles");
    chip.toMemoryCycles = reader.notNegative("timing.switchToMemory", "cycles");
    chip.toComputeCycles = reader.notNegative("timing.switchToCompute", "cycles");
    chip.readCycles = reader.orZero("timing.readOverhead", "cycles");
    chip.computeCycles = reader.orZero("timing.computeOverhead", "cycles");
    chip.arrayBytesPerCycle = reader.notNegative("bandwidth.array", "B/cycle");
    const double internal = reader.notNegative("bandwidth.internal", "B/cycle");
    chip.mainBytesPerCycle = internal + reader.orZero("bandwidth.external", "B/cycle");
    if (internal <= 0 && chip.mainBytesPerCycle <= 0)
        reader.problem(
            "bandwidth.internal",
            "internal and external bandwidth together are 0 B/cycle: an operator without memory arrays "
            "would never get its data");
    chip.writeBackBytesPerCycle = reader.positive("bandwidth.writeBack", "B/cycle");
    const Level* const whole = target.level("chip");
    if (const Memory* const buffer = whole->memory("buffer"))
        chip.bufferBytes = buffer->bytes;
    if (const Unit* const vector = whole->unitFor("add"))
        chip.vectorLanes = vector->lanes;
    if (chip.vectorLanes <= 0)
        reader.problem("levels.chip.units",
                       "no unit of the level \"chip\" offers \"add\": partial sums and element-wise "
                       "operators need one");
    const auto facts = target.facts.find("switch.method");
    if (facts != target.facts.end())
        chip.switchMethod = facts->second.text;
    chip.macPj = reader.figure("energy.mac", "pJ", false);
    chip.arrayBytePj = reader.figure("energy.array", "pJ/B", false);
    chip.mainBytePj = reader.figure("energy.main", "pJ/B", false);
    chip.writeArrayPj = reader.figure("energy.write", "pJ", false);
    chip.switchPj = reader.figure("energy.switch", "pJ", false);
    problems = reader.take();
    return chip;
}

tl::unexpected<Error> allProblems(const Diagnostics& problems, const std::string& where) {
    std::string message;
    for (const Diagnostic& problem : problems)
        message += fmt::format("{}{} {}", message.empty() ? "" : "; ", problem.object, problem.message);
    return fail(ErrorCode::InvalidTarget, std::move(message), where, problems.front().hint);
}

} // namespace

Result<DualModeChip> dualModeChip(const Target& target) {
    Diagnostics problems;
    DualModeChip chip = readChip(target, problems);
    if (!problems.empty())
        return allProblems(problems, target.id);
    return chip;
}

Diagnostics dualModeChipProblems(const Target& target) {
    Diagnostics problems;
    readChip(target, problems);
    return problems;
}

Result<void> checkDualModeChip(const DualModeChip& chip) {
    Diagnostics problems;
    const auto atLeast = [&](const char* what, double value, double least, bool more) {
        if (!(std::isfinite(value) && (more ? value > least : value >= least)))
            problems.push_back(
                {Severity::Error,
                 what,
                 fmt::format("is {}, must be {} {}", value, more ? "more than" : "at least", least),
                 {}});
    };
    atLeast("arrays", chip.arrays, 1, false);
    atLeast("rows", chip.rows, 1, false);
    atLeast("columns", chip.columns, 1, false);
    atLeast("bytes of an array", static_cast<double>(chip.arrayBytes), 0, true);
    atLeast("cycles of a matrix-vector product", chip.cyclesPerMvm, 0, true);
    atLeast("bandwidth of an array", chip.arrayBytesPerCycle, 0, false);
    atLeast("bandwidth of main memory and buffer", chip.mainBytesPerCycle, 0, true);
    atLeast("bandwidth of write-back", chip.writeBackBytesPerCycle, 0, true);
    atLeast("cycles of a write", chip.writeCyclesPerArray, 0, false);
    atLeast("cycles of a switch to memory", chip.toMemoryCycles, 0, false);
    atLeast("cycles of a switch to compute", chip.toComputeCycles, 0, false);
    if (!problems.empty())
        return allProblems(problems, chip.name);
    return {};
}

} // namespace pim
