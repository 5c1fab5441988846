// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is left of a program that crashes: one text file with the signal, the stack and the end of the log. Flow: [reportCrashes] -> a
/// file of the folder -> crash_reports.h at the next start. For programs alone: a library leaves signals to whoever loads it.
#include <filesystem>
#include <string>

namespace pim {

/// From now on, if the process ends by SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT or std::terminate, a file of \p folder tells of it; the
/// folder is made when it is needed. Where no file can be made the same goes to standard error. The process then ends by that signal
/// as it would have. Call it once, in the main thread, before others; the log collects from then on.
/// \param program with its version: "pimc 1.0". \returns false where sanitizers are built in: they report themselves.
bool reportCrashes(const std::string& program, const std::filesystem::path& folder);

} // namespace pim
