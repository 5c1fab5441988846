// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz.h"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace pim::fuzz {
namespace {

namespace fs = std::filesystem;

#ifdef __SANITIZE_ADDRESS__
constexpr int kMostSeconds = 30;
#else
constexpr int kMostSeconds = kByLibFuzzer ? 30 : 10; // there with sanitizers too
#endif

struct Folder {
    fs::path path;
    Folder() {
        std::error_code none;
        const fs::path memory = "/dev/shm";
        std::string pattern =
            ((fs::is_directory(memory, none) ? memory : fs::temp_directory_path()) / "pim-fuzz-XXXXXX")
                .string();
        require(mkdtemp(pattern.data()) != nullptr, "a folder for inputs can be made");
        path = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

/// Of the processor, not of the clock: a fuzzer that shares its machine waits more than it works.
void allow(int seconds) {
    const itimerval once{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &once, nullptr);
}

/// Only calls that are allowed in a handler of signals.
void tooLong(int) {
    constexpr std::string_view kSaid =
        "does not hold: an input is read within 10 s of processor time, 30 s with sanitizers\n";
    (void)!::write(STDERR_FILENO, kSaid.data(), kSaid.size());
    std::abort();
}

} // namespace

void require(bool holds, std::string_view what) {
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %.*s\n", int(what.size()), what.data());
    std::abort();
}

const fs::path& folder() {
    static const Folder made;
    return made.path;
}

fs::path fileOf(std::string_view name, std::string_view bytes) {
    const fs::path file = folder() / name;
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), std::ssize(bytes));
    stream.close();
    require(bool(stream), "the input can be written to a file");
    return file;
}

} // namespace pim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static bool isFirst = true;
    if (isFirst) {
        isFirst = false;
        std::signal(SIGPROF, pim::fuzz::tooLong);
        return pim::fuzz::read(data, size);
    }
    pim::fuzz::allow(pim::fuzz::kMostSeconds);
    const int read = pim::fuzz::read(data, size);
    pim::fuzz::allow(0);
    return read;
}
