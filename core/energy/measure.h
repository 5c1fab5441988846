// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Energy, power, time, data and area that cannot be mixed up: a product or quotient has the dimension it has, and what does not
/// fit does not compile. A figure comes in by a unit and goes out by a unit: `3.9 * kPicojoulePerBit`, `energy / kNanojoule`.
///
/// Mistakes this is against: power times time taken for energy in the wrong prefix (mJ times ms), pJ a bit applied to bytes.
#include <compare>
#include <type_traits>

namespace pim::measure {

/// Exponents of energy, time, data and area.
template <int E, int T, int D, int A>
class Measure {
public:
    constexpr Measure() = default;

    constexpr Measure& operator+=(Measure other) {
        m_value += other.m_value;
        return *this;
    }
    friend constexpr Measure operator+(Measure a, Measure b) { return a += b; }
    friend constexpr Measure operator-(Measure a, Measure b) { return Measure(a.m_value - b.m_value); }
    friend constexpr Measure operator*(double factor, Measure a) { return Measure(factor * a.m_value); }
    friend constexpr Measure operator*(Measure a, double factor) { return factor * a; }
    friend constexpr Measure operator/(Measure a, double divisor) { return Measure(a.m_value / divisor); }
    friend constexpr auto operator<=>(Measure, Measure) = default;

    template <int E2, int T2, int D2, int A2>
    friend constexpr auto operator*(Measure a, Measure<E2, T2, D2, A2> b) {
        return product<E + E2, T + T2, D + D2, A + A2>(a.inBaseUnits(), b.inBaseUnits());
    }
    template <int E2, int T2, int D2, int A2>
    friend constexpr auto operator/(Measure a, Measure<E2, T2, D2, A2> b) {
        return product<E - E2, T - T2, D - D2, A - A2>(a.inBaseUnits(), 1 / b.inBaseUnits());
    }

    /// pJ, ns, bit, mm². For the units below and this class alone.
    static constexpr Measure ofBaseUnits(double value) { return Measure(value); }
    constexpr double inBaseUnits() const { return m_value; }

private:
    constexpr explicit Measure(double value) : m_value(value) {}

    /// A plain number where all dimensions cancel.
    template <int E2, int T2, int D2, int A2>
    static constexpr auto product(double a, double b) {
        if constexpr (E2 == 0 && T2 == 0 && D2 == 0 && A2 == 0)
            return a * b;
        else
            return Measure<E2, T2, D2, A2>::ofBaseUnits(a * b);
    }

    double m_value = 0;
};

using Energy = Measure<1, 0, 0, 0>;
using Time = Measure<0, 1, 0, 0>;
using Power = Measure<1, -1, 0, 0>;
using Data = Measure<0, 0, 1, 0>;
using EnergyPerData = Measure<1, 0, -1, 0>;
using Area = Measure<0, 0, 0, 1>;

inline constexpr Energy kPicojoule = Energy::ofBaseUnits(1);
inline constexpr Energy kFemtojoule = 1e-3 * kPicojoule;
inline constexpr Energy kNanojoule = 1e3 * kPicojoule;
inline constexpr Energy kMillijoule = 1e9 * kPicojoule;
inline constexpr Energy kJoule = 1e12 * kPicojoule;
inline constexpr Time kNanosecond = Time::ofBaseUnits(1);
inline constexpr Time kMillisecond = 1e6 * kNanosecond;
inline constexpr Time kSecond = 1e9 * kNanosecond;
inline constexpr Power kMilliwatt = kPicojoule / kNanosecond;
inline constexpr Power kWatt = 1e3 * kMilliwatt;
inline constexpr Data kBit = Data::ofBaseUnits(1);
inline constexpr Data kByte = 8.0 * kBit;
inline constexpr EnergyPerData kPicojoulePerBit = kPicojoule / kBit;
inline constexpr EnergyPerData kPicojoulePerByte = kPicojoule / kByte;
inline constexpr Area kSquareMillimetre = Area::ofBaseUnits(1);
inline constexpr Area kSquareMicrometre = 1e-6 * kSquareMillimetre;

} // namespace pim::measure
