// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/command_log.h"

#include <fmt/format.h>

#include <iterator>

namespace pim {

DramCommandLog::DramCommandLog(OutputFile file, const DramDevice& device)
    : m_file(std::move(file)), m_device(device) {}

Result<std::unique_ptr<DramCommandLog>> DramCommandLog::create(const std::string& file,
                                                               const DramDevice& device) {
    PIM_TRY(OutputFile out, OutputFile::create(file));
    std::unique_ptr<DramCommandLog> log(new DramCommandLog(std::move(out), device));
    log->m_text = "clock,command";
    for (const DramLevel& level : device.levels)
        log->m_text += "," + level.name;
    log->m_text += "\n";
    return log;
}

void DramCommandLog::onCommand(DramTick tick, int command, int bank, std::int64_t row, std::int64_t column) {
    const DramCommand& issued = m_device.commands[std::size_t(command)];
    auto out = std::back_inserter(m_text);
    fmt::format_to(out, "{},{}", tick, issued.name);
    for (int level = 0; level <= m_device.bankLevel; ++level)
        if (level > issued.level)
            m_text += ",-1";
        else
            fmt::format_to(out, ",{}",
                           bank / m_device.banksUnder(level) % m_device.levels[std::size_t(level)].count);
    fmt::format_to(out, ",{},{}\n", row, column);
    if (m_text.size() > 1 << 16)
        flush();
}

void DramCommandLog::flush() {
    if (m_written)
        m_written = m_file.write(m_text);
    m_text.clear();
}

Result<void> DramCommandLog::finish() {
    flush();
    PIM_CHECK(m_written);
    return m_file.finish();
}

} // namespace pim
