// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Reads request traces: text, plain or gzip, one `LD 0xADDR` or `ST 0xADDR` a line, byte addresses within
/// the channel (hexadecimal with 0x, else decimal); empty lines and lines that start with # are skipped.
/// Memory does not grow with the trace.
#include "core/base/line_reader.h"
#include "core/dram/controller.h"

#include <memory>
#include <span>

namespace pim {

/// Where requests come from, in order.
class IDramSource {
public:
    virtual ~IDramSource() = default;
    /// Fills \p requests from the front; how many, 0 at the end.
    virtual Result<std::size_t> read(std::span<DramRequest> requests) = 0;
};

class DramTraceFile final : public IDramSource {
public:
    /// \param limit first address the device has not; a trace that goes there is refused with its line.
    static Result<std::unique_ptr<DramTraceFile>> open(const std::string& file, std::uint64_t limit);
    Result<std::size_t> read(std::span<DramRequest> requests) override;

private:
    DramTraceFile(LineReader lines, std::uint64_t limit) : m_lines(std::move(lines)), m_limit(limit) {}
    Result<bool> parse(std::string_view line, DramRequest& request) const;

    LineReader m_lines;
    std::uint64_t m_limit = 0;
};

} // namespace pim
