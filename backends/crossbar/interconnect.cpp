// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/interconnect.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

// Links of a place on a grid, in the order in which they lie in the list of servers.
enum Direction { East, West, South, North, kDirections };

} // namespace

std::string SharedServer::name() const {
    switch (kind) {
    case Kind::Memory:
        return fmt::format("chip {} global memory", chip);
    case Kind::Bus:
        return fmt::format("chip {} bus", chip);
    case Kind::MeshLink:
        return fmt::format("core {} to core {}", from, to);
    case Kind::OffChip:
        return fmt::format("chip {} to chip {}", from, to);
    }
    return {};
}

Interconnect::Interconnect(const CrossbarChip& chip) : m_chip(chip) {
    using Kind = SharedServer::Kind;
    for (int c = 0; c < chip.chips(); ++c)
        addServer(Kind::Memory, c);
    m_firstOnChip = int(m_servers.size());
    for (int c = 0; c < chip.chips(); ++c)
        if (chip.connection == CrossbarConnection::Bus)
            addServer(Kind::Bus, c);
        else if (chip.connection == CrossbarConnection::Mesh)
            addMesh(c);
    m_firstOffChip = int(m_servers.size());
    for (int c = 0; c < chip.chips(); ++c)
        for (const int to :
             {c + 1, c - 1, c + chip.chipsX, c - chip.chipsX}) // some lead nowhere and are never used
            addServer(Kind::OffChip, c, c, to);
}

void Interconnect::addServer(SharedServer::Kind kind, int chip, int from, int to) {
    m_servers.push_back({.kind = kind, .chip = chip, .from = from, .to = to});
}

void Interconnect::addMesh(int chip) {
    const int first = chip * m_chip.coresPerChip();
    for (int core = first; core < first + m_chip.coresPerChip(); ++core)
        for (const int to : {core + 1, core - 1, core + m_chip.coresX, core - m_chip.coresX})
            addServer(SharedServer::Kind::MeshLink, chip, core, to);
}

void Interconnect::route(int from, int to, int width, int first) {
    int x = from % width, y = from / width;
    const auto step = [&](Direction direction, int& at, int by) {
        m_path.push_back(first + (y * width + x) * kDirections + direction);
        at += by;
    };
    while (x != to % width)
        x < to % width ? step(East, x, 1) : step(West, x, -1);
    while (y != to / width)
        y < to / width ? step(South, y, 1) : step(North, y, -1);
}

void Interconnect::routeOnChip(int chip, int from, int to) {
    switch (m_chip.connection) {
    case CrossbarConnection::Bus:
        m_path.push_back(m_firstOnChip + chip);
        break;
    case CrossbarConnection::Mesh:
        route(from, to, m_chip.coresX, m_firstOnChip + chip * m_chip.coresPerChip() * kDirections);
        break;
    case CrossbarConnection::SharedMemory:
        m_path.push_back(chip);
        break;
    }
}

double Interconnect::pass(int server, std::int64_t bytes, double bytesPerNs, double ns,
                          std::vector<ServedSpan>* spans) {
    SharedServer& s = m_servers[std::size_t(server)];
    const double start = std::max(ns, s.freeNs), time = double(bytes) / bytesPerNs;
    s.freeNs = start + time;
    s.busyNs += time;
    s.bytes += bytes;
    if (spans != nullptr && time > 0)
        spans->push_back({server, start, s.freeNs});
    return start;
}

double Interconnect::access(int chip, std::int64_t bytes, double ns, std::vector<ServedSpan>* spans) {
    pass(chip, bytes, m_chip.globalBytesPerNs, ns, spans);
    return m_servers[std::size_t(chip)].freeNs;
}

Interconnect::Sent Interconnect::send(CoreId from, CoreId to, std::int64_t bytes, double ns,
                                      std::vector<ServedSpan>* spans) {
    const int cores = m_chip.coresPerChip(), source = m_chip.chipOf(from), target = m_chip.chipOf(to);
    m_path.clear();
    if (source == target) {
        routeOnChip(source, from.value % cores, to.value % cores);
    } else {
        routeOnChip(source, from.value % cores, 0);
        route(source, target, m_chip.chipsX, m_firstOffChip);
        routeOnChip(target, 0, to.value % cores);
    }
    Sent sent{.endNs = ns};
    double head = ns;
    for (const int server : m_path) {
        const SharedServer::Kind kind = m_servers[std::size_t(server)].kind;
        const bool isMemory = kind == SharedServer::Kind::Memory, isOff = kind == SharedServer::Kind::OffChip;
        // within one chip the same memory takes the bytes in and gives them out
        const std::int64_t moved = isMemory && source == target ? 2 * bytes : bytes;
        const double bandwidth = isMemory ? m_chip.globalBytesPerNs
                                 : isOff  ? m_chip.offChipBytesPerNs
                                          : m_chip.connectionBytesPerNs;
        if (kind == SharedServer::Kind::MeshLink)
            head += m_chip.hopNs;
        head = pass(server, moved, bandwidth, head, spans);
        sent.endNs = std::max(sent.endNs, head + double(moved) / bandwidth);
        sent.hops += !isMemory && !isOff;
        sent.chipHops += isOff;
        sent.accesses += isMemory ? int(moved / std::max<std::int64_t>(bytes, 1)) : 0;
    }
    return sent;
}

} // namespace pim
