// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Traces on the AttAcc stack, for the verb that replays traces.
#include "app/pimc/session.h"

namespace pim::cli {

/// As written on the command line.
struct AttAccDeviceOptions {
    std::string device = "attacc-hbm3", controller = "attacc-compat";
    std::string powerLimit = "on", refresh = "on"; ///< on, off
    std::string speed = "5.2";                     ///< Gbit/s of a pin
    std::string map = "pim";                       ///< Of addresses: pim, host
};

/// Whether the device runs AttAcc's commands.
bool isAttAcc(std::string_view device);
/// Runs \p trace (plain or gzip) and prints cycles and commands; \p log gets every command, none if empty.
Result<void> replayAttAcc(Session& session, const AttAccDeviceOptions& options, const std::string& trace,
                          const std::string& log);

} // namespace pim::cli
