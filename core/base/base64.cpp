// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"

#include <openssl/evp.h>

namespace pim {
namespace {

const unsigned char* asBytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

} // namespace

std::string toBase64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0'); // OpenSSL ends it with a zero
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), asBytes(bytes),
                                       static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::optional<std::string> fromBase64(std::string_view text) {
    if (text.size() % 4 != 0)
        return std::nullopt;
    std::string bytes(text.size() / 4 * 3, '\0');
    const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), asBytes(text),
                                       static_cast<int>(text.size()));
    if (length < 0)
        return std::nullopt;
    // What fills up the last group counts as zeros there.
    const std::size_t filled = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    bytes.resize(static_cast<std::size_t>(length) - filled);
    return bytes;
}

} // namespace pim
