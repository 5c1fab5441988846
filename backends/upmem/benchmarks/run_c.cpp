// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/benchmarks/run_c.h"

#include "backends/upmem/host_code.h"
#include "backends/upmem/tasklet/c_code.h"

namespace pim::upmem {

Result<CProgram> cProgram(const BenchmarkCase& benchmark) {
    const HostProgram& host = benchmark.host;
    PIM_TRY(CCode dpu, cCode(*benchmark.code, benchmark.sizes, benchmark.tasklets,
                             host.meaning + "; made by PIM Studio."));
    PIM_TRY(std::string text, hostCode(host, *benchmark.code, benchmark.sizes, benchmark.tasklets));
    return CProgram{host.name, std::move(text), std::move(dpu.text), benchmark.tasklets, host.dpus, {}};
}

CFiles inputFiles(const BenchmarkCase& benchmark) {
    CFiles files;
    for (const auto& [name, content] : benchmark.inputs)
        files[hostFileName(name)] = content;
    return files;
}

Result<CRun> runInC(const BenchmarkCase& benchmark, const CRunOptions& options, const TaskContext& task) {
    PIM_TRY(const CProgram program, cProgram(benchmark));
    std::vector<std::string> outputs;
    for (const auto& [name, content] : benchmark.expected)
        outputs.push_back(hostFileName(name));
    return compileAndRun(program, inputFiles(benchmark), outputs, options, task);
}

std::vector<std::string> wrongResults(const BenchmarkCase& benchmark, const HostData& results) {
    std::vector<std::string> wrong;
    for (const auto& [name, content] : benchmark.expected)
        if (const auto found = results.find(name); found == results.end() || found->second != content)
            wrong.push_back(name);
    return wrong;
}

std::vector<std::string> wrongFiles(const BenchmarkCase& benchmark, const CFiles& files) {
    HostData results;
    for (const auto& [name, content] : benchmark.expected)
        if (const auto found = files.find(hostFileName(name)); found != files.end())
            results[name] = found->second;
    return wrongResults(benchmark, results);
}

} // namespace pim::upmem
