// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// When the commands of a program go out: the controller configuration `strict`. Commands are issued in the
/// order of the program, each at the first tick that every constraint of the device allows; a row and a
/// column command may share a tick on a device with two buses. The controller adds refresh only. Nothing is
/// assumed to be free: activations of many banks are charged to the four-activate window by the rows of the
/// device file, a refresh waits for its banks to be precharged.
///
/// Refresh falls due every nREFI. It goes out as soon as the program has no row open; if that takes more than
/// `postponedRefreshes` intervals, the controller closes the rows, refreshes and opens them again.
/// [JEDEC lets up to eight refreshes be postponed; rows of programs are open for some hundred ticks, so one
/// is enough.]
///
/// One channel is simulated: all groups run the same stream. Turns of a loop that begin in the same state,
/// relative to the tick, as an earlier turn are not walked again; counts and ticks are those of walking all.
#include "core/base/task.h"
#include "core/dram/device.h"
#include "core/program/program.h"

namespace pim {

struct SequencerOptions {
    bool refresh = true;
    int postponedRefreshes = 1;
    bool skipRepeats = true; ///< Off: every turn of every loop is walked. Same result.
};

/// Why a command did not go out a tick after the one before it.
struct SequencedCommand {
    DramTick tick = 0;
    int command = 0; ///< Index into DramDevice::commands.
    int bank = 0;    ///< First bank it addresses.
    std::int64_t row = -1, column = -1;
    DramTick waited = 0; ///< Ticks between the first it could have had by order and the one it got.
    int reason = -1;     ///< Index into SequenceTiming::reasons; -1: it did not wait.
    int phase = 0;       ///< Index into Program::phases.
};

/// Is told every command; repeats are walked while it listens.
class ISequenceObserver {
public:
    virtual ~ISequenceObserver() = default;
    /// False: enough, stop telling (the run goes on).
    virtual bool onCommand(const SequencedCommand& command) = 0;
};

struct SequencePhase {
    std::string name;
    DramTick begin = 0, end = 0; ///< A phase ends when its last data is at its place.
};

struct SequenceTiming {
    DramTick ticks = 0;
    int tickPs = 0;
    std::vector<SequencePhase> phases;  ///< One a phase of the program.
    std::vector<std::int64_t> commands; ///< Issued, by index into DramDevice::commands; refresh included.
    std::vector<std::vector<std::int64_t>> phaseCommands; ///< The same by phase.
    /// Ticks lost by cause: "bus", "data", "refresh" and the rows of the device's table, "ACTAB -> MACAB 19
    /// (nRCDRD)".
    std::vector<std::string> reasons;
    std::vector<DramTick> waited; ///< One a reason; adds up to the ticks in which nothing was issued.
    DramTick refreshTicks = 0;    ///< Of `ticks`, spent for refresh: closing, refreshing, opening again.
    std::int64_t walked = 0;      ///< Commands that were not skipped.
    double ns(DramTick t) const { return double(t) * tickPs / 1000; }
};

/// \param phases which of the program's phases run, by name (Error::Usage if there is none of that name);
/// empty: all but "load" and "unload". Error::InvalidFile where the device cannot do it: unknown command, bank or row it
/// has not, an access to a row that is not open (phase, command with operands, what is open).
/// Error::Cancelled.
Result<SequenceTiming> timeProgram(const DramDevice& device, const Program& program,
                                   const SequencerOptions& options = {},
                                   const std::vector<std::string>& phases = {},
                                   ISequenceObserver* observer = nullptr, const TaskContext& task = {});

} // namespace pim
