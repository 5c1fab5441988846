// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/energy/imc_macro.h"

#include <bit>
#include <cmath>

namespace pim {
namespace {

using namespace measure;

constexpr double kGateFemtofarad = 0.7;
constexpr Area kGateArea = 0.614 * kSquareMicrometre;
constexpr double kXorCap = 1.5, kXorArea = 2.4; // of a NAND2
constexpr double kRegisterCap = 3, kRegisterArea = 6;
/// 28 nm figures on 22 nm: linear, as zigzag-imc scales.
constexpr double kTo22nm = 22.0 / 28;

Energy perMac(double topsPerWatt) {
    return 2 / topsPerWatt * kPicojoule;
}

/// 64 banks of 32 inputs and 6 outputs, 2 input bits a cycle, Booth; an output channel of 5 for floats beside each. Half of the inputs
/// toggle, half of the weights are 0.
ImcEstimate digitalBooth() {
    const ImcTechnology tech(0.9);
    const ImcPart multipliers = 32 * tech.multiplier(8), tree = tech.adderTree(32, 9);
    ImcPart always = tech.adder(32);
    always += tech.registers(32);
    const Energy cycle = 0.25 * (multipliers.energy + tree.energy) + always.energy;
    const Area floats = tech.adderTree(2, 32).area + tech.adder(32).area + 32 * (1.764 * kSquareMicrometre);
    const Area bank = 655.45 * kSquareMicrometre;
    return {4 * cycle / 32, 64 * (6 * (multipliers.area + tree.area + always.area) + 5 * floats + bank)};
}

/// 8 banks of 128 inputs and 8 bit columns, 2 input bits a cycle; a tree over the columns of a bank.
ImcEstimate digitalBitColumns() {
    const ImcTechnology tech(0.9);
    const ImcPart multipliers = 256 * tech.multiplier(1), tree = tech.adderTree(128, 2);
    ImcPart always = tech.adderTree(8, 16);
    always += tech.adder(23);
    always += tech.registers(23);
    const Energy cycle = 8 * 0.25 * (multipliers.energy + tree.energy) + always.energy;
    const Area bank = 1931.47 * kSquareMicrometre;
    return {4 * cycle / 128, 8 * (8 * (multipliers.area + tree.area) + always.area + bank)};
}

/// 2 banks of 32 inputs, one input bit a cycle; each input with its own accumulator.
ImcEstimate digitalAccumulators() {
    const ImcTechnology tech(0.9);
    ImcPart each = tech.adder(16);
    each += tech.registers(16 + 8);
    const Area bank = 3960 * kSquareMicrometre;
    return {{}, 2 * (32 * tech.multiplier(8).area + tech.adderTree(32, 16).area + 32 * each.area + bank)};
}

/// 1024 inputs of 7 bit pulses, 512 ternary outputs, a 6-bit converter each; all inputs toggle. 22 nm.
ImcEstimate analogPulses() {
    const ImcTechnology tech(0.8);
    const ImcPart multipliers = 1024 * tech.multiplier(2), adc = tech.adc(6);
    const Energy cells = multipliers.energy + tech.bitLine(2 * 1024) + tech.bitLine(1024);
    const Energy column = kTo22nm * cells + adc.energy + 1024.0 / 512 * tech.dac(7).energy;
    const Area bank = 2 * (0.24496704 * kSquareMillimetre); // cells and pulse generators, at 22 nm
    return {column / 1024, kTo22nm * (512 * (multipliers.area + adc.area)) + bank};
}

/// 4 banks of 16 inputs and 12 outputs behind 2:1 multiplexers, 16 converters of 5 bit an output; each 2 input bits take two transfers.
ImcEstimate analogSegments() {
    const ImcTechnology tech(0.9);
    const int adderBits = 8 * 7 + 4 * 9 + 2 * 12 + 15;
    ImcPart output = 32 * tech.multiplier(2);
    output += tech.adder(adderBits + 20);
    output += tech.registers(20 + 80);
    output += 16 * tech.adc(5);
    const Energy transfer = output.energy + tech.bitLine(2 * 16 * 9) + 32.0 / 12 * tech.dac(2).energy;
    const Area bank = 0.0360450648 * kSquareMillimetre;
    return {4 * 2 * transfer / 16, 4 * (12 * output.area + bank)};
}

/// 8 banks of 64 rows, 8 of them at once, 256 outputs of 8 bit, one input bit a cycle, a 7-bit converter resolving 3 bits; 3 of 8 inputs
/// toggle, half of the weights are 0. 22 nm.
ImcEstimate analogBitSerial() {
    const ImcTechnology tech(0.8);
    const Energy digital =
        0.375 * 16 * tech.multiplier(1).energy + tech.adder(6).energy + tech.bitLine(8 * 8);
    const Energy cycle = 0.5 * (kTo22nm * digital + tech.adc(3).energy);
    const Area output = 64 * tech.multiplier(1).area + tech.adder(6).area + tech.adc(7).area;
    const Area bank = 4505.472 * kSquareMicrometre;
    return {8 * cycle / 8, kTo22nm * (8 * (256 * output + bank))};
}

} // namespace

ImcPart operator*(double count, const ImcPart& part) {
    return {count * part.energy, count * part.area};
}

ImcPart& operator+=(ImcPart& sum, const ImcPart& part) {
    sum.energy += part.energy;
    sum.area += part.area;
    return sum;
}

Energy ImcTechnology::charged(double femtofarad) const {
    return femtofarad * m_volts * m_volts * kFemtojoule;
}

ImcPart ImcTechnology::gates(double nand2) const {
    return {charged(nand2 * kGateFemtofarad), nand2 * kGateArea};
}

ImcPart ImcTechnology::multiplier(int bits) const {
    const ImcPart all = gates(bits);
    return {all.energy / 2, all.area};
}

ImcPart ImcTechnology::adder(int bits) const {
    return {charged(bits * (2 * kXorCap + 3) * kGateFemtofarad), bits * (2 * kXorArea + 3) * kGateArea};
}

ImcPart ImcTechnology::adderTree(int inputs, int bits) const {
    const int depth = std::bit_width(static_cast<unsigned>(inputs)) - 1;
    return double(inputs * (bits + 1) - (bits + depth + 1)) * adder(1);
}

ImcPart ImcTechnology::registers(int bits) const {
    return {charged(bits * kRegisterCap * kGateFemtofarad), bits * kRegisterArea * kGateArea};
}

ImcPart ImcTechnology::adc(int bits) const {
    return {charged(100.0 * bits + 1e-3 * std::pow(4, bits)),
            std::pow(10, 1.206 - 0.0369 * bits) * std::pow(2, bits) * kSquareMicrometre};
}

ImcPart ImcTechnology::dac(int bits) const {
    return {charged(50.0 * bits), {}};
}

Energy ImcTechnology::bitLine(double cells) const {
    return charged(cells * kGateFemtofarad / 2);
}

std::vector<ImcMacro> measuredImcMacros() {
    const auto silicon = [](double topsPerWatt, double mm2) {
        return ImcEstimate{perMac(topsPerWatt), mm2 * kSquareMillimetre};
    };
    return {
        {"ISSCC 2022 15.5", "28 nm, digital, 36.63 TOPS/W at 8 b x 8 b, 0.9408 mm²", digitalBooth(),
         silicon(36.63, 0.9408), "", ""},
        {"ISSCC 2023 7.2", "28 nm, digital, 19.5 TOPS/W at 8 b x 8 b, 0.1462 mm²", digitalBitColumns(),
         silicon(19.5, 0.1462), "", ""},
        {"ISSCC 2023 7.8", "22 nm, analog, 18.7 TOPS/W at 8 b x 8 b, 1.88 mm²", analogBitSerial(),
         silicon(18.7, 1.88), "", ""},
        {"JSSC 2023 (9896828)", "28 nm, analog, 15.02 TOPS/W at 8 b x 8 b, 0.468 mm²", analogSegments(),
         silicon(15.02, 0.468),
         "how sparse its data were is not public, and its converters take far less than the fit over "
         "published ones",
         ""},
        {"ISSCC 2022 11.7", "28 nm, digital, 22 TOPS/W on average, 0.03 mm²", digitalAccumulators(),
         silicon(22, 0.03), "its figure is an average over networks of unknown sparsity",
         "a fifth of its area is not in the gates that the model counts"},
        {"CICC 2021", "22 nm, analog, 1050 TOPS/W at 7 b x ternary, 1.9425 mm²", analogPulses(),
         silicon(1050, 1.9425), "what it misses is not known; repeaters are not in the model",
         "its repeaters and decoupling capacitors are not in the model"},
    };
}

} // namespace pim
