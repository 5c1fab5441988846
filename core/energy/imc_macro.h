// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Energy and area of in-memory-computing macros out of gates, converters and cells. Flow: what a macro is made of ->
/// [ImcTechnology] -> ImcPart -> ImcEstimate; beside it what silicon of the same make was measured to take.
///
/// The formulas and constants are those of zigzag-imc (Houshmand, Sun, Verhelst, arXiv:2305.18335; Sun, Houshmand, Verhelst, ICCAD
/// 2023): everything is a count of NAND2 gates of a 28 nm process, except for converters, which follow a fit over published ones.
#include "core/energy/measure.h"

#include <optional>
#include <string>
#include <vector>

namespace pim {

/// What one instance takes each time it is used, and its area.
struct ImcPart {
    measure::Energy energy;
    measure::Area area;
};
ImcPart operator*(double count, const ImcPart& part);
ImcPart& operator+=(ImcPart& sum, const ImcPart& part);

/// 28 nm at \p volts. Energies are charge times voltage, for all inputs of a gate toggling.
class ImcTechnology {
public:
    explicit ImcTechnology(double volts) : m_volts(volts) {}

    ImcPart gates(double nand2) const;  ///< Of NAND2: 0.614 µm², 0.7 fF at its inputs.
    ImcPart multiplier(int bits) const; ///< One bit by so many; weights stay, half of the inputs toggle.
    ImcPart adder(int bits) const;      ///< Ripple carry: two XOR2 and three NAND2 a bit.
    ImcPart adderTree(int inputs, int bits) const; ///< \p inputs a power of two; no truncation.
    ImcPart registers(int bits) const;
    ImcPart adc(int bits) const; ///< (100 fF b + 1 aF 4^b) V²; 10^(1.206 - 0.0369 b) 2^b µm².
    ImcPart dac(int bits) const; ///< 50 fF b V²; area neglected.
    /// A bit line loaded by so many cells, swung once.
    measure::Energy bitLine(double cells) const;

private:
    measure::Energy charged(double femtofarad) const;
    double m_volts;
};

struct ImcEstimate {
    measure::Energy perMac;
    measure::Area area;
};

/// A chip that was measured, and what the model says of it.
struct ImcMacro {
    std::string name;   ///< "ISSCC 2022 15.5"
    std::string source; ///< Of the measured figures.
    ImcEstimate predicted, silicon;
    std::string noEnergy, noArea; ///< Why a figure is not compared; empty: it is.

    double energyError() const { return predicted.perMac / silicon.perMac - 1; }
    double areaError() const { return predicted.area / silicon.area - 1; }
};

/// The macros of zigzag-imc's validation whose make and silicon are both public.
std::vector<ImcMacro> measuredImcMacros();

} // namespace pim
