// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/benchmarks/time.h"

#include "backends/upmem/host_run.h"

#include <algorithm>

namespace pim::upmem {
namespace {

double inputNs(const HostInput& input, int dpus, const HostLink& link) {
    const auto kind =
        input.split == HostInput::Split::Copies ? TransferKind::Broadcast : TransferKind::Parallel;
    return link.transferNs(
        {Direction::ToDpu, kind, (input.slice + input.overlap) * bytesOf(input.type), dpus});
}

double outputNs(const HostOutput& output, int dpus, const HostLink& link) {
    return link.transferNs(
        {Direction::FromDpu, TransferKind::Parallel, output.slice * bytesOf(output.type), dpus});
}

} // namespace

double transfersNs(const HostProgram& program, int launches, const HostLink& link) {
    double ns = 0;
    for (const HostInput& input : program.inputs)
        ns += inputNs(input, program.dpus, link) * (input.name == program.fedBackTo ? launches : 1);
    for (const HostOutput& output : program.outputs)
        ns += outputNs(output, program.dpus, link) * (output.name == program.fedBackFrom ? launches : 1);
    return ns;
}

Result<BenchmarkLaunches> benchmarkLaunches(std::string_view name, const BenchmarkOptions& options,
                                            const DpuTiming& timing, const TaskContext& task) {
    PIM_TRY(BenchmarkCase made, makeBenchmark(name, options));
    if (made.host.rounds == 1) {
        std::int64_t overlap = 0; // windows reach into what follows a slice
        for (const HostInput& input : made.host.inputs)
            overlap = std::max(overlap, input.overlap);
        BenchmarkOptions one = options;
        one.dpus = 1;
        one.size = (options.size + options.dpus - 1) / options.dpus + overlap;
        PIM_TRY(made, makeBenchmark(name, one));
    }
    PIM_TRY(const HostRun run,
            runOnEngine({made.host, *made.code, made.sizes, made.tasklets}, made.inputs, timing, task));
    return BenchmarkLaunches{run.launches, run.cycles};
}

} // namespace pim::upmem
