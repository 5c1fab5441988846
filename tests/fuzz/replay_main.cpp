// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Runs a harness without libFuzzer: every file of a corpus, then mutations of them, the same ones each time.
/// usage: PROGRAM CORPUS-FOLDER [MUTATIONS]. An input that crashes is written to crash-input in the current folder; one that
/// takes longer or more memory than any reader may fails too.
#include "tests/fuzz/fuzz.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace {

namespace fs = std::filesystem;
#ifdef __SANITIZE_ADDRESS__         // it keeps what was freed for a while
constexpr long kMostKiB = 3L << 20; // of the process
#else
constexpr long kMostKiB = 1L << 20;
#endif
constexpr std::size_t kLongest = 64 << 10;

std::string running; ///< The input the harness has now.

/// Only calls that are allowed in a handler of signals.
void keepInput(int signal) {
    const int file = ::open("crash-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    (void)!::write(file, running.data(), running.size());
    constexpr std::string_view kSaid = "this input is in crash-input in the current folder\n";
    (void)!::write(STDERR_FILENO, kSaid.data(), kSaid.size());
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

long peakKiB() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

void run(std::string input, const std::string& name) {
    running = std::move(input);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(running.data()), running.size());
    if (peakKiB() <= kMostKiB)
        return;
    std::fprintf(stderr, "%s: %zu bytes took up to %ld MiB; allowed are %ld MiB\n", name.c_str(),
                 running.size(), peakKiB() >> 10, kMostKiB >> 10);
    std::abort();
}

std::string mutated(std::string bytes, const std::vector<std::string>& others, std::mt19937_64& random) {
    const auto pick = [&](std::size_t limit) {
        return std::size_t(random() % std::max<std::size_t>(limit, 1));
    };
    for (std::size_t times = 1 + pick(4); times > 0; --times) {
        const std::size_t at = pick(bytes.size() + 1);
        const std::size_t length = std::min(bytes.size() - at, std::size_t(1) << pick(8));
        const std::string& other = others[pick(others.size())];
        switch (pick(7)) {
        case 0: // a bit
            if (at < bytes.size())
                bytes[at] = char(bytes[at] ^ (1 << pick(8)));
            break;
        case 1: // any byte
            if (at < bytes.size())
                bytes[at] = char(pick(256));
            break;
        case 2: // a digit, or many
            bytes.replace(at, std::min(length, std::size_t(1)),
                          std::string(1 + pick(20), char('0' + pick(10))));
            break;
        case 3:
            bytes.erase(at, length);
            break;
        case 4:
            bytes.insert(pick(bytes.size() + 1), bytes.substr(at, length));
            break;
        case 5:
            bytes.insert(at, other.substr(pick(other.size()), length));
            break;
        default:
            bytes.resize(at);
        }
    }
    if (bytes.size() > kLongest)
        bytes.resize(kLongest);
    return bytes;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3) {
        std::fprintf(stderr, "usage: %s CORPUS-FOLDER [MUTATIONS]\n", argv[0]);
        return 2;
    }
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        std::signal(signal, keepInput);
    (void)LLVMFuzzerTestOneInput(nullptr, 0); // as libFuzzer does
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(argv[1]))
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<std::string> inputs;
    for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
        run(inputs.back(), file.string());
    }
    if (inputs.empty()) {
        std::fprintf(stderr, "%s: there is no input\n", argv[1]);
        return 1;
    }
    std::mt19937_64 random(1);
    const int mutations = argc == 3 ? std::atoi(argv[2]) : 0;
    for (int i = 0; i < mutations; ++i) {
        const std::size_t from = random() % inputs.size();
        run(mutated(inputs[from], inputs, random), files[from].string() + ", mutated");
    }
    std::printf("%zu inputs and %d mutations, up to %ld MiB\n", inputs.size(), mutations, peakKiB() >> 10);
}
