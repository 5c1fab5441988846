// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every long piece of work takes as its last argument: a way to be stopped and a way to say how far it is.
#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace pim {

/// Cheap to copy; the default neither stops nor reports. Poll cancelled() at least every few milliseconds.
struct TaskContext {
    std::stop_token stop;
    /// (stage in words, steps done, steps in all or 0 if unknown); called from the working thread.
    std::function<void(std::string_view stage, std::int64_t done, std::int64_t total)> onProgress;

    bool cancelled() const { return stop.stop_requested(); }
    void report(std::string_view stage, std::int64_t done = 0, std::int64_t total = 0) const {
        if (onProgress)
            onProgress(stage, done, total);
    }
    /// The error to return once cancelled() is true.
    static tl::unexpected<Error> cancelledError(std::string_view what) {
        return fail(ErrorCode::Cancelled, std::string(what) + " was cancelled");
    }
};

} // namespace pim
