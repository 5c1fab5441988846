// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the harnesses share. Each is one file with `fuzz::read`, built twice: with libFuzzer, which makes up inputs
/// (preset fuzz), and with replay_main.cpp, which runs those of corpus/ and some mutations of them (ctest).
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// What libFuzzer and replay_main.cpp call: `read` within the time that a reader may take. The first call is not limited, for
/// what a harness makes once is no input's time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace pim::fuzz {

#ifdef __clang__ // which here compiles for libFuzzer alone
inline constexpr bool kByLibFuzzer = true;
#else
inline constexpr bool kByLibFuzzer = false;
#endif

/// Defined by each harness; \returns 0.
int read(const std::uint8_t* data, std::size_t size);

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// What has to hold of anything a reader accepts, such as that it is written and read back the same. Aborts, which is
/// what a fuzzer takes for a crash.
void require(bool holds, std::string_view what);

/// A folder in memory that goes with the process; made on the first call.
const std::filesystem::path& folder();
/// Writes a file of this name there, for readers that want a path.
std::filesystem::path fileOf(std::string_view name, std::string_view bytes);

} // namespace pim::fuzz
