// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/memristor/c_code.h"
#include "core/base/child_process.h"
#include "core/base/file_io.h"
#include "core/base/paths.h"
#include "core/base/scratch_folder.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace pim::memristor {

namespace {

namespace fs = std::filesystem;
using namespace ir;

struct Ports {
    std::vector<Type> in, out;
};

Ports portsOf(const Module& module, OperationId function) {
    Ports ports;
    const Region& body = module.regionOf(module.operation(function));
    for (std::uint32_t a = 0; a < body.argumentCount; ++a)
        ports.in.push_back(module.type(Module::argument(body, a)));
    const Operation& end = module.operation(body.operations.back());
    for (const ValueId result : module.operands(end))
        ports.out.push_back(module.type(result));
    return ports;
}

/// Reads arguments from files, writes results and counters. Arrays have the alignment of their largest element.
std::string mainSource(const CCode& code, std::string_view function, const Ports& ports) {
    std::string arrays, body, arguments;
    const auto port = [&](const char* kind, std::size_t n, const Type& type) {
        arrays += fmt::format("static int64_t {}{}[{}];\n", kind, n, type.bytes() / 8 + 1);
        arguments += fmt::format("{}(void*){}{}", arguments.empty() ? "" : ", ", kind, n);
    };
    for (std::size_t n = 0; n < ports.in.size(); ++n) {
        port("in", n, ports.in[n]);
        body += fmt::format("    transfer(\"in{0}\", in{0}, {1}, 0);\n", n, ports.in[n].bytes());
    }
    body += fmt::format("    {}_on_tiles(ARGUMENTS);\n", function);
    for (std::size_t n = 0; n < ports.out.size(); ++n) {
        port("out", n, ports.out[n]);
        body += fmt::format("    transfer(\"out{0}\", out{0}, {1}, 1);\n", n, ports.out[n].bytes());
    }
    body.replace(body.find("ARGUMENTS"), 9, arguments);
    return fmt::format(R"(#include "memristor.h"

#include <stdio.h>
#include <stdlib.h>

{};

{}
static void transfer(const char* name, void* bytes, size_t count, int out) {{
    FILE* file = fopen(name, out ? "wb" : "rb");
    if (!file || (out ? fwrite(bytes, 1, count, file) : fread(bytes, 1, count, file)) != count || fclose(file) != 0) {{
        perror(name);
        exit(2);
    }}
}}

int main(void) {{
{}    const struct memristor_counts c = memristor_counted();
    printf("%lld %lld %lld %lld %lld\n", (long long)c.tile_writes, (long long)c.products, (long long)c.words_written,
           (long long)c.words_read, (long long)c.matrix_bytes);
    return 0;
}}
)",
                       code.prototype, arrays, body);
}

Result<void> call(ChildCall call, const char* what, const TaskContext& task, std::string* out = nullptr) {
    PIM_TRY(const ChildExit exit, runChild(call, task));
    if (!exit.good())
        return fail(ErrorCode::Internal, fmt::format("{}: {}", what, exit.err.empty() ? exit.out : exit.err));
    if (out)
        *out = exit.out;
    return {};
}

Result<void> checkArguments(const Ports& ports, const std::vector<Array>& arguments) {
    if (arguments.size() != ports.in.size())
        return fail(ErrorCode::Usage,
                    fmt::format("{} arguments, the function takes {}", arguments.size(), ports.in.size()));
    for (std::size_t n = 0; n < arguments.size(); ++n)
        if (Type::tensor(arguments[n].extents, arguments[n].element) != ports.in[n])
            return fail(ErrorCode::Usage, fmt::format("argument {} is no {}", n, ports.in[n].text()));
    return {};
}

Result<Array> readResult(const fs::path& path, const Type& type) {
    Array made = Array::make(*type.element(), type.extents());
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(made.bytes->data()), type.bytes());
    if (!file)
        return fail(ErrorCode::Io, "cannot be read", path.string());
    return made;
}

} // namespace

Result<CRun> runC(const Module& module, std::string_view function, const std::vector<Array>& arguments,
                  const TaskContext& task) {
    PIM_TRY(const CCode code, cCode(module, function));
    const Ports ports = portsOf(module, module.function(function));
    PIM_CHECK(checkArguments(ports, arguments));
    PIM_TRY(const ScratchFolder folder, ScratchFolder::make());
    PIM_CHECK(replaceFile(folder.path() / "program.c", code.source));
    PIM_CHECK(replaceFile(folder.path() / "main.c", mainSource(code, function, ports)));
    for (std::size_t n = 0; n < arguments.size(); ++n) {
        const Array argument = arguments[n].compact();
        PIM_CHECK(
            replaceFile(folder.path() / fmt::format("in{}", n),
                        {reinterpret_cast<const char*>(argument.bytes->data()), argument.bytes->size()}));
    }
    const char* named = std::getenv("PIM_CC");
    const fs::path driver = resourceDir() / "memristor";
    PIM_CHECK(call({named && *named ? named : "cc",
                    {"-std=c11", "-O2", "-fwrapv", "-Wall", "-Werror", "-I", driver.string(), "program.c",
                     "main.c", (driver / "memristor.c").string(), "-o", "program"},
                    folder.path(),
                    {},
                    300},
                   "the C code does not compile", task));
    std::string counted;
    PIM_CHECK(call({(folder.path() / "program").string(), {}, folder.path(), {}, 600},
                   "the C code does not run", task, &counted));
    CRun run;
    long long c[5];
    if (std::sscanf(counted.c_str(), "%lld %lld %lld %lld %lld", &c[0], &c[1], &c[2], &c[3], &c[4]) != 5)
        return fail(ErrorCode::Internal, "the driver did not say what it counted");
    run.counts = {c[0], c[1], 0, c[2], c[3], c[4]};
    for (std::size_t n = 0; n < ports.out.size(); ++n) {
        PIM_TRY(Array result, readResult(folder.path() / fmt::format("out{}", n), ports.out[n]));
        run.results.push_back(std::move(result));
    }
    return run;
}

} // namespace pim::memristor
