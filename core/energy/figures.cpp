// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/energy/figures.h"

#include "core/hardware/unit_table.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace pim {
namespace {

using namespace measure;

/// Absent where there is no such parameter or it measures something else.
template <class Value>
std::optional<Sourced<Value>> figureIn(const std::map<std::string, Quantity>& parameters,
                                       const std::string& key, std::string_view unit, Value one) {
    const auto found = parameters.find(key);
    if (found == parameters.end())
        return std::nullopt;
    const auto value = convertUnit(found->second.value, found->second.unit, unit);
    if (!value)
        return std::nullopt;
    return Sourced<Value>{*value * one, evidenceOf(found->second.source)};
}

template <class Value>
std::optional<Sourced<Value>> overLevels(const Target& target, const std::string& what, std::string_view unit,
                                         Value one) {
    std::optional<Sourced<Value>> sum;
    for (const Level& level : target.levels)
        if (const auto each = figureIn(target.parameters, what + "." + level.id, unit, one)) {
            sum = sum ? sum : Sourced<Value>{};
            sum->value += static_cast<double>(target.instances(level.id)) * each->value;
            sum->evidence = std::max(sum->evidence, each->evidence);
        }
    return sum;
}

bool isOfEnergy(std::string_view key) {
    return key.starts_with("energy.") || key.starts_with("leakage.") || key.starts_with("power.");
}

} // namespace

std::string_view name(Evidence evidence) {
    constexpr std::array<std::string_view, 4> kNames{"datasheet", "published", "derived", "assumption"};
    return kNames[std::size_t(evidence)];
}

Evidence evidenceOf(std::string_view source) {
    if (source.starts_with("assumption"))
        return Evidence::Assumption;
    if (source.starts_with("derived"))
        return Evidence::Derived;
    for (const std::string_view word : {"datasheet", "specification", "JESD"})
        if (source.find(word) != std::string_view::npos)
            return Evidence::Datasheet;
    return Evidence::Published;
}

std::optional<Sourced<Power>> workingPower(const Target& target) {
    return overLevels(target, "power", "W", kWatt);
}

std::optional<Sourced<Area>> siliconArea(const Target& target) {
    return overLevels(target, "area", "mm2", kSquareMillimetre);
}

std::optional<Sourced<Power>> hostPower(const Host& host, std::string_view state) {
    return figureIn(host.parameters, "power." + std::string(state), "W", kWatt);
}

std::optional<Sourced<Area>> dieArea(const Host& host) {
    return figureIn(host.parameters, "area.die", "mm2", kSquareMillimetre);
}

std::optional<Evidence> energyEvidence(const Target& target) {
    std::optional<Evidence> weakest;
    for (const auto& [key, quantity] : target.parameters)
        if (isOfEnergy(key) && quantity.value != 0)
            weakest = std::max(weakest.value_or(Evidence::Datasheet), evidenceOf(quantity.source));
    return weakest;
}

void EnergyBudget::add(std::string name, const Sourced<Power>& power, Time time) {
    if (time > Time())
        m_parts.push_back({std::move(name), power.value * time, power.evidence});
}

Energy EnergyBudget::total() const {
    return std::accumulate(m_parts.begin(), m_parts.end(), Energy(),
                           [](Energy sum, const EnergyPart& part) { return sum + part.energy; });
}

Evidence EnergyBudget::evidence() const {
    Evidence weakest = Evidence::Datasheet;
    for (const EnergyPart& part : m_parts)
        weakest = std::max(weakest, part.evidence);
    return weakest;
}

} // namespace pim
