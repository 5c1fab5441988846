// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One element of a scalar type in memory (little-endian) as a number, and back; stores wrap or round.
#include "core/base/bfloat16.h"
#include "core/base/half_float.h"
#include "core/ir/type.h"

#include <cstring>

namespace pim::ir {

template <class T>
T loadAs(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}
template <class T>
void storeAs(std::byte* bytes, T value) {
    std::memcpy(bytes, &value, sizeof value);
}

inline std::int64_t loadInt(const std::byte* bytes, Scalar type) {
    switch (type) {
    case Scalar::I1:
        return loadAs<std::uint8_t>(bytes) & 1;
    case Scalar::I8:
        return loadAs<std::int8_t>(bytes);
    case Scalar::I16:
        return loadAs<std::int16_t>(bytes);
    case Scalar::I32:
        return loadAs<std::int32_t>(bytes);
    default:
        return loadAs<std::int64_t>(bytes);
    }
}

inline void storeInt(std::byte* bytes, Scalar type, std::int64_t value) {
    switch (type) {
    case Scalar::I1:
        return storeAs(bytes, static_cast<std::uint8_t>(value & 1));
    case Scalar::I8:
        return storeAs(bytes, static_cast<std::int8_t>(value));
    case Scalar::I16:
        return storeAs(bytes, static_cast<std::int16_t>(value));
    case Scalar::I32:
        return storeAs(bytes, static_cast<std::int32_t>(value));
    default:
        return storeAs(bytes, value);
    }
}

inline double loadReal(const std::byte* bytes, Scalar type) {
    switch (type) {
    case Scalar::F16:
        return halfToFloat(loadAs<HalfBits>(bytes));
    case Scalar::BF16:
        return bfloatToFloat(loadAs<BfloatBits>(bytes));
    case Scalar::F32:
        return loadAs<float>(bytes);
    case Scalar::F64:
        return loadAs<double>(bytes);
    default:
        return static_cast<double>(loadInt(bytes, type));
    }
}

inline void storeReal(std::byte* bytes, Scalar type, double value) {
    switch (type) {
    case Scalar::F16:
        return storeAs(bytes, doubleToHalf(value));
    case Scalar::BF16:
        return storeAs(bytes, floatToBfloat(static_cast<float>(value)));
    case Scalar::F32:
        return storeAs(bytes, static_cast<float>(value));
    case Scalar::F64:
        return storeAs(bytes, value);
    default:
        return storeInt(bytes, type, static_cast<std::int64_t>(value));
    }
}

/// As a value of \p type would be after a store and a load.
inline std::int64_t wrapped(std::int64_t value, Scalar type) {
    std::byte bytes[8];
    storeInt(bytes, type, value);
    return loadInt(bytes, type);
}

} // namespace pim::ir
