// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a machine draws and how large it is, out of its target file, and the energy of a run as the sum of its parts. Flow: Target,
/// Host -> [figures] -> EnergyBudget -> which, simulations.
///
/// Parameters of a target: "power.LEVEL" (W) of one instance of a level while the machine works, "area.LEVEL" (mm2) of one instance,
/// silicon. Of a host: "power.busy", "power.idle" (W), "area.die" (mm2). What is not there is unknown, never 0.
#include "core/hardware/target.h"

#include "core/energy/measure.h" // behind others: moc 6.4 stumbles over <compare> where it comes first

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// Where a figure is from, by the wording of its source; the strongest first.
enum class Evidence : std::uint8_t { Datasheet, Published, Derived, Assumption };
std::string_view name(Evidence evidence); ///< "datasheet"
/// "assumption: …", "derived: …", a datasheet, specification or standard; else published in a paper or by a simulator.
Evidence evidenceOf(std::string_view source);

template <class Value>
struct Sourced {
    Value value;
    Evidence evidence = Evidence::Datasheet; ///< The weakest that it is made of.
};

/// All instances of all levels that have a figure.
std::optional<Sourced<measure::Power>> workingPower(const Target& target);
std::optional<Sourced<measure::Area>> siliconArea(const Target& target);
/// \param state "busy", "idle"
std::optional<Sourced<measure::Power>> hostPower(const Host& host, std::string_view state);
std::optional<Sourced<measure::Area>> dieArea(const Host& host);
/// The weakest of all figures of energy, leakage and power that are not 0; absent: there is none.
std::optional<Evidence> energyEvidence(const Target& target);

struct EnergyPart {
    std::string name;
    measure::Energy energy;
    Evidence evidence = Evidence::Datasheet;
};

/// The parts are the total: there is no other.
class EnergyBudget {
public:
    void add(EnergyPart part) { m_parts.push_back(std::move(part)); }
    /// \p name draws \p power for \p time; nothing is added for no time.
    void add(std::string name, const Sourced<measure::Power>& power, measure::Time time);
    const std::vector<EnergyPart>& parts() const { return m_parts; }
    bool empty() const { return m_parts.empty(); }
    measure::Energy total() const;
    Evidence evidence() const; ///< The weakest of all parts.

private:
    std::vector<EnergyPart> m_parts;
};

} // namespace pim
