// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs another program and waits for it. No shell comes between: arguments arrive as they are.
#include "core/base/task.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace pim {

struct ChildCall {
    std::string program; ///< A path, or a name that is looked up in PATH.
    std::vector<std::string> arguments;
    std::filesystem::path folder; ///< Where it runs; two files with what it prints stand there meanwhile.
    std::vector<std::pair<std::string, std::string>> environment; ///< Besides our own.
    double limitSeconds = 60;
};

struct ChildExit {
    int code = 0;   ///< Meaningless if a signal ended it.
    int signal = 0; ///< 0: it ended by itself.
    std::string out, err;
    bool good() const { return signal == 0 && code == 0; }
};

/// How it ended, whichever way. The child and what it started are stopped when the task is cancelled.
/// Errors: NotFound, there is no such program; Cancelled; Unsupported, it took longer or printed more than it may; Io.
Result<ChildExit> runChild(const ChildCall& call, const TaskContext& task = {});

} // namespace pim
