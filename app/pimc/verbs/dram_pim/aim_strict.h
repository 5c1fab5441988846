// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A kernel on AiM under the controller `strict`: our own code for it, command by command on the device file.
#include "app/pimc/session.h"
#include "core/dram/aim/aim_kernel.h"
#include "core/dram_pim/sequencer.h"

namespace pim::cli {

struct AimStrictRun {
    DramDevice device;
    SequenceTiming timing; ///< Of the compute phase: what comes from banks lies there before.
};
/// The data flow is the compiler's choice. Errors: those of generating and running code.
Result<AimStrictRun> runAimStrict(Session& session, const AimShape& shape, bool refresh);

} // namespace pim::cli
