// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// SHA-256 (FIPS 180-4, by OpenSSL): identity of models, targets, plans and bundle files. CRC-32 (of zlib): tells whether a line is whole.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pim {

/// Feed in pieces, then take the digest once.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void add(std::span<const std::byte> bytes);
    void add(std::string_view text);
    /// 64 lower-case hexadecimal digits; the object must not be used afterwards.
    std::string hex();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string sha256Hex(std::string_view text);
std::uint32_t crc32(std::string_view text);

} // namespace pim
