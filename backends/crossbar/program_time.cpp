// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/program_time.h"

#include "backends/crossbar/compat.h"

namespace pim {

Result<double> programNs(const CrossbarProgram& program, const CrossbarChip& chip, CrossbarMode mode,
                         CrossbarReferee referee, std::vector<HostMap> hostMaps, const TaskContext& task) {
    if (referee != CrossbarReferee::Profiler) {
        PIM_TRY(const CompatStream stream, compatStream(program));
        CompatHardware hardware = compatHardware(chip);
        hardware.mvmNs = chipOfReferee(chip, referee).mvmNs;
        PIM_TRY(const CompatResult result, evaluateCompat(stream, hardware, task));
        return result.periodNs;
    }
    ProfileOptions asked;
    asked.hostMaps = std::move(hostMaps);
    PIM_TRY(const CrossbarProfile profile, profileCrossbar(program, chip, asked, task));
    return mode == CrossbarMode::HighThroughput ? profile.periodNs : profile.latencyNs;
}

} // namespace pim
