// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/chip.h"

#include "core/hardware/plausibility.h"
#include "core/hardware/spelling.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace pim {
namespace {

constexpr double kMaxCores = 100'000; // beyond it, lists one a core get heavy and no such machine is known
constexpr double kMaxArraysOfCore = 100'000; // the same for arrays
constexpr std::size_t kVectorOps = std::size_t(VectorOp::Count_);
constexpr std::array<std::string_view, kVectorOps> kVectorNames{
    "none", "add",     "sub",          "mul",     "div",  "max",        "min",        "relu", "leaky_relu",
    "clip", "sigmoid", "hard_sigmoid", "tanh",    "gelu", "silu",       "hard_swish", "exp",  "sqrt",
    "pow",  "scale",   "lrn",          "softmax", "sum",  "layer_norm", "rms_norm"};

/// Reads figures, remembers every problem and goes on.
/// Times, rates and energies beyond these are mistakes, and sums of them would be no numbers.
constexpr double kLeastValue = 1e-6, kMostValue = 1e12;

class Reader {
public:
    explicit Reader(const Target& target) : m_target(target) {}

    void problem(const std::string& what, std::string message, std::string hint = {}) {
        m_problems.push_back({Severity::Error, what, std::move(message), std::move(hint)});
    }
    bool has(const std::string& name) {
        m_known.insert(name);
        return m_target.parameters.contains(name);
    }

    std::optional<double> optional(const std::string& name, std::string_view unit) {
        if (!has(name))
            return std::nullopt;
        const Quantity& quantity = m_target.parameters.at(name);
        const std::optional<double> value = convertUnit(quantity.value, quantity.unit, unit);
        if (!value)
            problem(name, fmt::format("is in {}, {} is needed", quantity.unit, unit));
        else if (!std::isfinite(*value) || *value < 0) {
            problem(name, fmt::format("is {} {}, must not be negative", quantity.value, quantity.unit));
            return std::nullopt;
        } else if (*value > kMostValue) {
            problem(name, fmt::format("is {} {}, at most {} {} is allowed", quantity.value, quantity.unit,
                                      kMostValue, unit));
            return std::nullopt;
        }
        return value;
    }
    double needed(const std::string& name, std::string_view unit) {
        if (!has(name))
            problem(name, fmt::format("is missing, it is needed in {}", unit));
        return optional(name, unit).value_or(0);
    }
    double positive(const std::string& name, std::string_view unit) {
        const double value = needed(name, unit);
        if (has(name) && value <= 0)
            problem(name, fmt::format("is {} {}, must be more than 0", value, unit));
        else if (has(name) && value < kLeastValue)
            problem(name, fmt::format("is {} {}, at least {} {} is needed", value, unit, kLeastValue, unit));
        return value;
    }
    /// A whole number from \p least to \p most; \p otherwise where it is absent, and a problem without one.
    int whole(const std::string& name, std::string_view unit, double least, double most,
              std::optional<int> otherwise = {}) {
        if (!has(name) && otherwise)
            return *otherwise;
        const double value = needed(name, unit);
        if (!has(name))
            return 0;
        if (value < least || value > most || value != std::floor(value)) {
            problem(name, fmt::format("is {}, must be a whole number from {} to {}", value, least, most));
            return 0;
        }
        return int(value);
    }
    bool isOn(const std::string& name, bool otherwise) { return has(name) ? m_target.isOn(name) : otherwise; }
    /// A word of a list; its position.
    std::size_t choice(const std::string& name, const std::vector<std::string>& words) {
        m_knownFacts.insert(name);
        const auto found = m_target.facts.find(name);
        if (found == m_target.facts.end()) {
            problem("facts." + name, fmt::format("is missing, it is one of {}", fmt::join(words, ", ")));
            return 0;
        }
        const auto at = std::ranges::find(words, found->second.text);
        if (at == words.end()) {
            problem("facts." + name,
                    fmt::format("is \"{}\", must be one of {}", found->second.text, fmt::join(words, ", ")),
                    didYouMean(found->second.text, words));
            return 0;
        }
        return std::size_t(at - words.begin());
    }
    /// After all was read: a name that nobody asked for is most likely a slip, and its figure without effect.
    void warnOfUnread() {
        for (const Level& level : m_target.levels) // of any machine: core/energy/figures.h
            m_known.insert({"power." + level.id, "area." + level.id});
        warnOfUnread(m_target.parameters, m_known, "");
        warnOfUnread(m_target.facts, m_knownFacts, "facts.");
    }
    const Target& target() const { return m_target; }
    Diagnostics take() { return std::move(m_problems); }
    bool ok() const { return m_problems.empty(); }

private:
    template <class Entries>
    void warnOfUnread(const Entries& entries, const std::set<std::string>& known, const std::string& prefix) {
        std::vector<std::string> free; // known and not given: what may have been meant
        std::ranges::copy_if(known, std::back_inserter(free),
                             [&](const auto& name) { return !entries.contains(name); });
        for (const auto& entry : entries)
            if (!known.contains(entry.first))
                m_problems.push_back({Severity::Warning, prefix + entry.first,
                                      "has no effect: nothing on this chip reads it",
                                      didYouMean(entry.first, free)});
    }

    const Target& m_target;
    std::set<std::string> m_known, m_knownFacts; ///< What was asked for.
    Diagnostics m_problems;
};

/// Instances of a level must be what the grid of the same name says.
void readGrid(Reader& reader, const std::string& level, int& x, int& y) {
    x = reader.whole(level + ".x", "count", 1, kMaxCores);
    y = reader.whole(level + ".y", "count", 1, kMaxCores);
    const Level* const found = reader.target().level(level);
    if (found != nullptr && x > 0 && y > 0 && std::int64_t(x) * y != found->count)
        reader.problem("levels." + level + ".count",
                       fmt::format("is {}, but {}.x and {}.y make {} x {} = {}", found->count, level, level,
                                   x, y, std::int64_t(x) * y));
}

const Memory* memoryOf(Reader& reader, const std::string& level, const std::string& memory) {
    const Level* const found = reader.target().level(level);
    const Memory* const result = found != nullptr ? found->memory(memory) : nullptr;
    if (result == nullptr)
        reader.problem("levels." + level + ".memories", fmt::format("there is no memory \"{}\"", memory));
    else if (result->bytesPerNs <= 0)
        reader.problem("levels." + level + ".memories." + memory, "has no bandwidth");
    else if (result->bytesPerNs < kLeastValue || result->bytesPerNs > kMostValue)
        reader.problem("levels." + level + ".memories." + memory + ".bandwidth",
                       fmt::format("is {} GB/s, must be from {} to {} GB/s", result->bytesPerNs, kLeastValue,
                                   kMostValue));
    return result;
}

void readVectorUnit(Reader& reader, CrossbarChip& chip) {
    const Level* const core = reader.target().level("core");
    const Unit* const unit = core != nullptr ? core->unitFor("add") : nullptr;
    if (unit == nullptr) {
        reader.problem("levels.core.units",
                       "no unit of the level \"core\" offers \"add\": sums of array groups need one");
        return;
    }
    chip.vectorBytes = double(unit->lanes) * chip.activationBytes();
    for (const std::string& operation : unit->operations)
        if (const auto op = vectorOpNamed(operation))
            chip.vectorOps.set(std::size_t(*op));
    chip.vectorUnits = reader.whole("vector.units", "count", 1, 1000, 1);
    chip.vectorNs = reader.positive("timing.vector", "ns");
}

void readCells(Reader& reader, CrossbarChip& chip) {
    chip.weightBits = reader.whole("precision.weight", "bit", 1, 32);
    chip.activationBits = reader.whole("precision.activation", "bit", 1, 32);
    chip.adcBits = reader.whole("precision.adc", "bit", 0, 32, 0);
    chip.dacBits = reader.whole("precision.dac", "bit", 1, 32);
    chip.cellBits = reader.whole("cell.bits", "bit", 1, 32);
    chip.differential = reader.isOn("policy.differential", false);
    if (chip.cellBits > 0 && chip.weightBits > 0 && chip.cellBits > chip.weightBits)
        reader.problem("cell.bits",
                       fmt::format("is {}, wider than a weight of {} bits", chip.cellBits, chip.weightBits));
    if (chip.dacBits > chip.activationBits)
        reader.problem("precision.dac", fmt::format("is {}, wider than an activation of {} bits",
                                                    chip.dacBits, chip.activationBits));
    const bool inArrays = reader.choice("array.slices", {"arrays", "columns"}) == 0;
    if (chip.cellBits > 0)
        chip.physicalPerLogical = inArrays ? chip.slices() : 1;
}

/// Arrays of one size and the cores of a chip that have them.
struct SizeOfCores {
    CrossbarGroup size;
    int firstCore = 0, lastCore = 0;
};

/// \p prefix "array" (the level's own count) or "size.NAME".
SizeOfCores readSize(Reader& reader, const CrossbarChip& chip, const std::string& prefix,
                     std::optional<int> count) {
    SizeOfCores result;
    result.size.rows = reader.whole(prefix + ".rows", "count", 1, 1e6);
    const int bitLines = reader.whole(prefix + ".bitLines", "count", 1, 1e6);
    result.size.count = count ? *count : reader.whole(prefix + ".count", "count", 1, kMaxArraysOfCore);
    const int side = chip.cellBits > 0 && chip.physicalPerLogical == 1 ? chip.slices() : 1;
    result.size.columns = bitLines / side;
    if (bitLines > 0 && result.size.columns < 1)
        reader.problem(
            prefix + ".bitLines",
            fmt::format("is {}, but the slices of one weight take {} side by side", bitLines, side));
    const int last = std::max(0, chip.coresPerChip() - 1);
    result.firstCore = reader.whole(prefix + ".firstCore", "count", 0, last, 0);
    result.lastCore = reader.whole(prefix + ".lastCore", "count", result.firstCore, last, last);
    return result;
}

void readArrays(Reader& reader, CrossbarChip& chip) {
    const Level* const arrays = reader.target().level("array");
    if (arrays == nullptr)
        return; // the levels were named a problem before
    if (arrays->count > kMaxArraysOfCore)
        reader.problem("levels.array.count",
                       fmt::format("is {}, may be at most {} per core", arrays->count, kMaxArraysOfCore));
    std::vector<SizeOfCores> sizes{readSize(reader, chip, "array", arrays->count)};
    for (const auto& [key, quantity] : reader.target().parameters)
        if (key.starts_with("size.") && key.ends_with(".rows"))
            sizes.push_back(readSize(reader, chip, key.substr(0, key.size() - 5), {}));
    const int cores = chip.coresPerChip();
    std::map<std::vector<bool>, int> known; // which sizes -> position in groups
    std::vector<int> ofCore(std::size_t(std::max(cores, 0)));
    for (int core = 0; core < cores; ++core) {
        std::vector<bool> has;
        for (const SizeOfCores& size : sizes)
            has.push_back(core >= size.firstCore && core <= size.lastCore);
        const auto [at, isNew] = known.try_emplace(has, int(chip.groups.size()));
        if (isNew) {
            auto& group = chip.groups.emplace_back();
            for (std::size_t i = 0; i < sizes.size(); ++i)
                if (has[i])
                    group.push_back(sizes[i].size);
        }
        ofCore[std::size_t(core)] = at->second;
    }
    if (chip.groups.size() > 1)
        for (int copy = 0; copy < chip.chips(); ++copy)
            chip.coreGroups.insert(chip.coreGroups.end(), ofCore.begin(), ofCore.end());
    if (chip.groups.empty())
        chip.groups.emplace_back();
    chip.managedArrays = reader.whole("array.managed", "count", 0, kMaxArraysOfCore, 1);
}

void readEnergy(Reader& reader, CrossbarEnergy& energy) {
    energy.mvmPj = reader.optional("energy.mvm", "pJ");
    energy.vectorPjPerByte = reader.optional("energy.vector", "pJ/B");
    energy.localPjPerByte = reader.optional("energy.local", "pJ/B");
    energy.globalPjPerByte = reader.optional("energy.global", "pJ/B");
    energy.networkPjPerByteHop = reader.optional("energy.network", "pJ/B");
    energy.offChipPjPerByte = reader.optional("energy.offChip", "pJ/B");
    const auto leakage = [&](const char* name) -> std::optional<double> {
        const auto watts = reader.optional(name, "W");
        return watts ? std::optional(*watts * 1000) : std::nullopt;
    };
    energy.arrayLeakageMw = leakage("leakage.array");
    energy.coreLeakageMw = leakage("leakage.core");
    energy.chipLeakageMw = leakage("leakage.chip");
}

CrossbarChip readChip(const Target& target, Diagnostics& problems) {
    Reader reader(target);
    CrossbarChip chip;
    chip.name = target.name;
    static constexpr std::array<std::string_view, 3> kLevels{"chip", "core", "array"};
    problems = checkLevelOrder(target, kLevels, "a crossbar target", OtherLevels::Refused);
    if (!problems.empty()) // another kind of machine: what it also lacks is no news
        return {};
    readGrid(reader, "chip", chip.chipsX, chip.chipsY);
    readGrid(reader, "core", chip.coresX, chip.coresY);
    if (double(chip.chipsX) * chip.chipsY * chip.coresX * chip.coresY > kMaxCores) {
        reader.problem("levels", fmt::format("{} x {} chips of {} x {} cores are more than {} cores",
                                             chip.chipsX, chip.chipsY, chip.coresX, chip.coresY, kMaxCores));
        problems = reader.take();
        return {};
    }
    chip.offChipBytesPerNs = chip.chips() > 1 ? reader.positive("bandwidth.offChip", "B/ns")
                                              : reader.optional("bandwidth.offChip", "B/ns").value_or(0);
    chip.connection = CrossbarConnection(reader.choice("connection.type", {"bus", "mesh", "shared memory"}));
    if (chip.connection != CrossbarConnection::SharedMemory)
        chip.connectionBytesPerNs = reader.positive("bandwidth.connection", "B/ns");
    chip.hopNs = reader.optional("timing.hop", "ns").value_or(0);
    chip.synchronous = reader.isOn("policy.synchronous", true);
    chip.inOrder = reader.isOn("policy.inOrder", true);
    if (const Memory* const global = memoryOf(reader, "chip", "global")) {
        chip.globalBytes = global->bytes;
        chip.globalBytesPerNs = global->bytesPerNs;
    }
    if (const Memory* const local = memoryOf(reader, "core", "local")) {
        chip.localBytes = local->bytes;
        chip.localBytesPerNs = local->bytesPerNs;
    }
    readCells(reader, chip);
    readVectorUnit(reader, chip);
    readArrays(reader, chip);
    chip.mvmNs = reader.positive("timing.mvm", "ns");
    chip.mvmIssueNs = reader.needed("timing.mvmIssue", "ns");
    readEnergy(reader, chip.energy);
    reader.warnOfUnread();
    problems = reader.take();
    return chip;
}

} // namespace

std::string_view name(CrossbarConnection connection) {
    constexpr std::array<std::string_view, 3> kNames{"bus", "mesh", "shared memory"};
    return kNames[std::size_t(connection)];
}

std::string_view name(VectorOp op) {
    return kVectorNames[std::size_t(op)];
}

std::optional<VectorOp> vectorOpNamed(std::string_view text) {
    const auto found = std::ranges::find(kVectorNames, text);
    return found == kVectorNames.end() ? std::nullopt : std::optional(VectorOp(found - kVectorNames.begin()));
}

int vectorPasses(VectorOp op) {
    switch (op) {
    case VectorOp::Softmax:
    case VectorOp::Lrn:
    case VectorOp::LayerNorm:
        return 3;
    case VectorOp::RmsNorm:
        return 2;
    default:
        return 1;
    }
}

std::int64_t CrossbarChip::logicalArrays() const {
    std::int64_t sum = 0;
    for (const CoreId core : FirstIds<CoreId>(cores()))
        for (const CrossbarGroup& group : arraysOf(core))
            sum += group.count;
    return sum;
}

std::int64_t CrossbarChip::weights() const {
    std::int64_t sum = 0;
    for (const CoreId core : FirstIds<CoreId>(cores()))
        for (const CrossbarGroup& group : arraysOf(core))
            sum += std::int64_t(group.rows) * group.columns * group.count;
    return sum;
}

Result<CrossbarChip> crossbarChip(const Target& target) {
    Diagnostics problems;
    CrossbarChip chip = readChip(target, problems);
    std::string message, hint;
    for (const Diagnostic& problem : problems) {
        if (problem.severity != Severity::Error)
            continue;
        if (message.empty())
            hint = problem.hint;
        message += fmt::format("{}{} {}", message.empty() ? "" : "; ", problem.object, problem.message);
    }
    if (message.empty())
        return chip;
    return fail(ErrorCode::InvalidTarget, std::move(message), target.id, std::move(hint));
}

Diagnostics crossbarChipProblems(const Target& target) {
    Diagnostics problems;
    readChip(target, problems);
    return problems;
}

} // namespace pim
