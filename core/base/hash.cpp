// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include "core/base/result.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <array>

namespace pim {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {
    PIM_ASSERT(EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr) == 1, "OpenSSL offers SHA-256");
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::span<const std::byte> bytes) {
    PIM_ASSERT(EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size()) == 1, "OpenSSL takes bytes");
}

void Sha256::add(std::string_view text) {
    add(std::as_bytes(std::span(text)));
}

std::string Sha256::hex() {
    std::array<unsigned char, 32> digest{};
    PIM_ASSERT(EVP_DigestFinal_ex(m_state->context, digest.data(), nullptr) == 1,
               "OpenSSL ends a digest once");
    std::string text;
    text.reserve(64);
    for (const unsigned char byte : digest) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

std::string sha256Hex(std::string_view text) {
    Sha256 hash;
    hash.add(text);
    return hash.hex();
}

std::uint32_t crc32(std::string_view text) {
    return static_cast<std::uint32_t>(
        ::crc32_z(0, reinterpret_cast<const unsigned char*>(text.data()), text.size()));
}

} // namespace pim
