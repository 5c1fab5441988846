// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pim {

std::string_view name(ErrorCode code) {
    switch (code) {
    case ErrorCode::InvalidFile:
        return "invalid file";
    case ErrorCode::InvalidModel:
        return "invalid model";
    case ErrorCode::InvalidTarget:
        return "invalid target";
    case ErrorCode::InvalidKernel:
        return "invalid kernel";
    case ErrorCode::IllegalOverride:
        return "illegal override";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::NotFound:
        return "not found";
    case ErrorCode::Io:
        return "input/output error";
    case ErrorCode::Database:
        return "project file error";
    case ErrorCode::Usage:
        return "usage error";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::Internal:
        return "internal error";
    }
    return "internal error";
}

std::string Error::text() const {
    std::string line = where.empty() ? message : fmt::format("{}: {}", where, message);
    if (!hint.empty())
        line += fmt::format(". {}", hint);
    return line;
}

void assertionFailed(const char* condition, const char* message, const char* file, int line) {
    throw std::logic_error(fmt::format("{} [{} at {}:{}]", message, condition, file, line));
}

} // namespace pim
