// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Writes every command as a line of CSV: `clock,command`, the levels of the device from channel to bank,
/// `Row`, `Column`; -1 where a command addresses all nodes of a level or has no such field.
#include "core/base/file_io.h"
#include "core/dram/controller.h"

#include <memory>

namespace pim {

class DramCommandLog final : public IDramObserver {
public:
    /// \p device has to outlive the log.
    static Result<std::unique_ptr<DramCommandLog>> create(const std::string& file, const DramDevice& device);
    void onCommand(DramTick tick, int command, int bank, std::int64_t row, std::int64_t column) override;
    /// Puts the file in its place; Error::Io if anything could not be written.
    Result<void> finish();

private:
    DramCommandLog(OutputFile file, const DramDevice& device);
    void flush();

    OutputFile m_file;
    const DramDevice& m_device;
    std::string m_text;
    Result<void> m_written;
};

} // namespace pim
