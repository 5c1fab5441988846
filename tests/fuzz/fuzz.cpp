// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace pim::fuzz {
namespace {

namespace fs = std::filesystem;

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
