// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// AttAcc traces: text, one `WORD 0xADDRESS` a line, in program order over all channels; may be gzip. Empty
/// lines and lines that start with # are skipped. Read and written in constant memory.
#include "core/base/result.h"
#include "core/dram/attacc/command.h"

#include <filesystem>
#include <memory>
#include <span>

namespace pim {

/// Where requests come from: a file, a generator, a list.
/// Files may have empty lines and lines that start with #; they are skipped.
class AttAccTrace {
public:
    virtual ~AttAccTrace() = default;
    /// Fills the front of \p into; how many, 0 at the end. A line that makes no sense is an error with its
    /// number.
    virtual Result<std::size_t> read(std::span<AttAccRequest> into) = 0;
};

/// A list in memory, not owned.
class AttAccList : public AttAccTrace {
public:
    explicit AttAccList(std::span<const AttAccRequest> requests) : m_rest(requests) {}
    Result<std::size_t> read(std::span<AttAccRequest> into) override;

private:
    std::span<const AttAccRequest> m_rest;
};

/// A trace with addresses by the host's map (attAccFromHostMap).
class AttAccHostMapped : public AttAccTrace {
public:
    /// \p trace has to outlive it.
    explicit AttAccHostMapped(AttAccTrace& trace) : m_trace(trace) {}
    Result<std::size_t> read(std::span<AttAccRequest> into) override;

private:
    AttAccTrace& m_trace;
};

/// Opens a trace file. Io if it cannot be read.
/// \param channels channels the device has; an address beyond them is an error of its line.
Result<std::unique_ptr<AttAccTrace>> openAttAccTrace(const std::filesystem::path& file,
                                                     int channels = kAttAccChannels);
/// One line without its number; the error says what is wrong with it.
Result<AttAccRequest> parseAttAccLine(std::string_view line, int channels = kAttAccChannels);
/// `WORD 0xADDRESS` and a line feed, eight digits at least.
void appendAttAccLine(std::string& text, const AttAccRequest& request);

} // namespace pim
