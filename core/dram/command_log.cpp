// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/command_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace pim {

DramCommandLog::DramCommandLog(std::string file, const DramDevice& device)
    : m_file(std::move(file)), m_device(device) {}

DramCommandLog::~DramCommandLog() {
    if (m_stream)
        std::fclose(m_stream);
}

Result<std::unique_ptr<DramCommandLog>> DramCommandLog::create(const std::string& file,
                                                               const DramDevice& device) {
    std::unique_ptr<DramCommandLog> log(new DramCommandLog(file, device));
    log->m_stream = std::fopen(file.c_str(), "wb");
    if (!log->m_stream)
        return fail(ErrorCode::Io, fmt::format("cannot be written: {}", std::strerror(errno)), file);
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
    m_failed |= std::fwrite(m_text.data(), 1, m_text.size(), m_stream) != m_text.size();
    m_text.clear();
}

Result<void> DramCommandLog::close() {
    flush();
    m_failed |= std::fclose(std::exchange(m_stream, nullptr)) != 0;
    if (m_failed)
        return fail(ErrorCode::Io, fmt::format("cannot be written: {}", std::strerror(errno)), m_file);
    return {};
}

} // namespace pim
