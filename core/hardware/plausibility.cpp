// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/plausibility.h"

#include "core/base/number_text.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace pim {
namespace {

constexpr std::int64_t kMaxInstances = 100'000'000;
constexpr double kMaxBytes = 1024.0 * 1024 * 1024 * 1024 * 1024; // 1 PiB
constexpr double kMaxBytesPerNs = 1e6;                           // 1 PB/s
constexpr double kMaxFlopsPerNs = 1e9;                           // 1 EFLOP/s

class Checker {
public:
    explicit Checker(std::string_view where) : m_where(where) {}

    void error(const std::string& path, std::string message, std::string hint = {}) {
        m_found.push_back({Severity::Error, m_where + ":" + path, std::move(message), std::move(hint)});
    }
    void warn(const std::string& path, std::string message) {
        m_found.push_back({Severity::Warning, m_where + ":" + path, std::move(message), {}});
    }

    void bytes(const std::string& path, std::int64_t value) {
        if (value <= 0 || static_cast<double>(value) > kMaxBytes)
            error(path, fmt::format("is {} B, must be 1 B to 1 PiB", value));
    }
    void bandwidth(const std::string& path, double value) {
        if (!(value >= 0 && value <= kMaxBytesPerNs))
            error(path, fmt::format("is {} GB/s, may be at most {} GB/s", value, kMaxBytesPerNs));
    }
    void parameters(const std::map<std::string, Quantity>& all) {
        for (const auto& [key, quantity] : all) {
            const std::string path = "$.parameters." + key;
            if (quantity.unit == "switch" && quantity.value != 0 && quantity.value != 1)
                error(path, fmt::format("is {}, a switch must be 0 or 1", quantity.value));
            else if (quantity.unit != "ratio" && quantity.value < 0)
                error(path, fmt::format("is {} {}, must not be negative", quantity.value, quantity.unit));
            if ((quantity.unit == "cycles" || quantity.unit == "count" || quantity.unit == "bit") &&
                quantity.value != std::floor(quantity.value))
                error(path, fmt::format("is {} {}, must be a whole number", quantity.value, quantity.unit));
        }
    }
    template <class Items>
    void uniqueNames(const Items& items, auto member, const std::string& path, std::string_view what) {
        std::set<std::string> names;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (const std::string& name = items[i].*member; !names.insert(name).second)
                error(fmt::format("{}[{}].{}", path, i, what),
                      fmt::format("\"{}\" is already the {} of another one", name, what));
    }

    Diagnostics take() { return std::move(m_found); }

private:
    std::string m_where;
    Diagnostics m_found;
};

void checkLevels(const Target& target, Checker& check) {
    check.uniqueNames(target.levels, &Level::id, "$.levels", "id");
    double instances = 1;
    for (std::size_t i = 0; i < target.levels.size(); ++i) {
        const Level& level = target.levels[i];
        const std::string path = fmt::format("$.levels[{}]", i);
        instances *= level.count;
        if (instances > static_cast<double>(kMaxInstances))
            check.error(path + ".count", fmt::format("makes {:.3g} instances of \"{}\", may be at most {}",
                                                     instances, level.id, kMaxInstances));
        check.uniqueNames(level.memories, &Memory::name, path + ".memories", "name");
        check.uniqueNames(level.units, &Unit::name, path + ".units", "name");
        for (std::size_t m = 0; m < level.memories.size(); ++m) {
            check.bytes(fmt::format("{}.memories[{}].capacity", path, m), level.memories[m].bytes);
            check.bandwidth(fmt::format("{}.memories[{}].bandwidth", path, m), level.memories[m].bytesPerNs);
        }
        if (level.bus.bytesPerNs == 0 && level.bus.burstBytes == 0) // no bus given
            continue;
        check.bandwidth(path + ".bus.bandwidth", level.bus.bytesPerNs);
        check.bytes(path + ".bus.burst", level.bus.burstBytes);
    }
}

/// A figure of the DRAM organisation or timing; 0 where the file does not give it, and then nothing is
/// compared.
double figure(const Target& target, std::string_view name, std::string_view unit) {
    // Asked first: what is not there makes a long message.
    return target.parameters.contains(std::string(name)) ? target.number(name, unit).value_or(0.0) : 0.0;
}

/// Address fields may not share bits: each starts at its lowest bit and needs log2 of its size.
void checkAddressMap(const Target& target, const std::string& map, Checker& check) {
    static const std::map<std::string, std::string> kSizes{{"pseudochannel", "pseudochannels"},
                                                           {"rank", "ranks"},
                                                           {"bankGroup", "bankGroups"},
                                                           {"bank", "banks"},
                                                           {"row", "rows"},
                                                           {"column", "columns"}};
    struct Field {
        int low;
        std::string name;
    };
    std::vector<Field> fields;
    const std::string prefix = "map." + map + ".";
    for (const auto& [key, quantity] : target.parameters)
        if (key.starts_with(prefix))
            fields.push_back(
                {static_cast<int>(std::clamp(quantity.value, 0.0, 64.0)), key.substr(prefix.size())});
    std::ranges::sort(fields, {}, &Field::low);
    for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
        const auto size = kSizes.find(fields[i].name);
        const double count =
            size == kSizes.end() ? 0 : figure(target, "organisation." + size->second, "count");
        if (count < 1 || count > 1e15)
            continue;
        const int width = std::bit_width(static_cast<std::uint64_t>(count) - 1);
        if (fields[i].low + width > fields[i + 1].low)
            check.error("$.parameters." + prefix + fields[i].name,
                        fmt::format("bits {} to {} overlap with \"{}\", which starts at bit {}",
                                    fields[i].low, fields[i].low + width - 1, fields[i + 1].name,
                                    fields[i + 1].low));
    }
}

void checkTiming(const Target& target, Checker& check) {
    const double clockNs = figure(target, "timing.tCK", "ns");
    if (target.parameters.contains("timing.tCK") && !(clockNs >= 0.01 && clockNs <= 100))
        check.error("$.parameters.timing.tCK", fmt::format("is {} ns, must be 0.01 ns to 100 ns", clockNs));
    const auto atLeast = [&](const char* larger, const char* smaller) {
        const double a = figure(target, larger, "cycles");
        const double b = figure(target, smaller, "cycles");
        if (a > 0 && b > 0 && a < b)
            check.error(std::string("$.parameters.") + larger,
                        fmt::format("is {} cycles, less than {} with {} cycles", a, smaller, b));
    };
    atLeast("timing.nRC", "timing.nRAS");
    atLeast("timing.nRAS", "timing.nRCDRD");
    atLeast("timing.nREFI", "timing.nRFC");
    atLeast("timing.nCCDL", "timing.nCCDS");
    atLeast("timing.nCCDAB", "timing.nCCDAB.unlimited");
    atLeast("timing.nCCDSB", "timing.nCCDSB.unlimited");
}

/// Cores beside the banks of a DRAM: rows, banks and capacities must fit into each other.
void checkDramOrganisation(const Target& target, Checker& check) {
    for (const char* const level : {"device", "group", "core"})
        if (!target.level(level))
            return;
    const double rows = figure(target, "organisation.rows", "count");
    const double rowBytes = figure(target, "organisation.rowBytes", "B");
    const double columns = figure(target, "organisation.columns", "count");
    const double accessBytes = figure(target, "organisation.accessBytes", "B");
    const double banksPerCore = std::max(1.0, figure(target, "organisation.banksPerCore", "count"));
    if (columns > 0 && accessBytes > 0 && rowBytes > 0 && columns * accessBytes != rowBytes)
        check.error("$.parameters.organisation.rowBytes",
                    fmt::format("is {} B, but {} columns of {} B make {} B", rowBytes, columns, accessBytes,
                                columns * accessBytes));
    const Level& core = *target.level("core");
    if (const Memory* const bank = core.memory("bank")) {
        const double physical = banksPerCore * rows * rowBytes;
        if (physical > 0 && static_cast<double>(bank->bytes) > physical)
            check.error(
                "$.levels",
                fmt::format("the bank memory of a core has {} B, but {} bank(s) of {} rows of {} B hold {} B",
                            bank->bytes, banksPerCore, rows, rowBytes, physical));
        const Memory* const whole =
            target.levels.front().memories.empty() ? nullptr : &target.levels.front().memories.front();
        const double inCores =
            static_cast<double>(target.capacityBytes("core", "bank")) / target.levels.front().count;
        if (whole != nullptr && inCores > static_cast<double>(whole->bytes))
            check.error("$.levels", fmt::format("the banks of one {} hold {}, more than its {} with {}",
                                                target.levels.front().name, bytesText(inCores), whole->name,
                                                bytesText(static_cast<double>(whole->bytes))));
    }
    double banks = 1;
    for (const char* const part : {"pseudochannels", "ranks", "bankGroups", "banks"})
        banks *= figure(target, std::string("organisation.") + part, "count");
    if (banks > 0 && core.count * banksPerCore > banks)
        check.error("$.levels",
                    fmt::format("{} cores with {} bank(s) each need {} banks per group, there are {}",
                                core.count, banksPerCore, core.count * banksPerCore, banks));
    const Level& group = *target.level("group");
    const Level& device = *target.level("device");
    if (device.bus.bytesPerNs > group.bus.bytesPerNs * group.count * 1.01)
        check.warn("$.levels", fmt::format("the bus of a {} has {}, more than its {} groups together ({})",
                                           device.name, bandwidthText(device.bus.bytesPerNs), group.count,
                                           bandwidthText(group.bus.bytesPerNs * group.count)));
}

void checkAddressMaps(const Target& target, Checker& check) {
    std::set<std::string> maps;
    for (const auto& [key, quantity] : target.parameters)
        if (key.starts_with("map.") && key.find('.', 4) != std::string::npos)
            maps.insert(key.substr(4, key.find('.', 4) - 4));
    for (const std::string& map : maps)
        checkAddressMap(target, map, check);
}

} // namespace

Diagnostics checkPlausible(const Host& host, std::string_view where) {
    Checker check(where);
    for (const auto& [type, flops] : host.peakFlopsPerNs)
        if (!(flops > 0 && flops <= kMaxFlopsPerNs))
            check.error(fmt::format("$.flops.{}", name(type)),
                        fmt::format("is {} GFLOP/s, may be at most {} GFLOP/s", flops, kMaxFlopsPerNs));
    check.bandwidth("$.memoryBandwidth", host.memoryBytesPerNs);
    check.bandwidth("$.link", host.linkBytesPerNs);
    check.bytes("$.memoryCapacity", host.memoryBytes);
    check.bytes("$.l1", host.l1BytesPerCore);
    check.bytes("$.l2", host.l2Bytes);
    check.parameters(host.parameters);
    return check.take();
}

Diagnostics checkPlausible(const Target& target, std::string_view where) {
    Checker check(where);
    checkLevels(target, check);
    check.parameters(target.parameters);
    checkTiming(target, check);
    checkDramOrganisation(target, check);
    checkAddressMaps(target, check);
    return check.take();
}

Diagnostics checkLevelOrder(const Target& target, std::span<const std::string_view> wanted,
                            std::string_view machines, OtherLevels others) {
    std::vector<std::string_view> ids, compared;
    for (const Level& level : target.levels) {
        ids.push_back(level.id);
        if (others == OtherLevels::Refused || std::ranges::find(wanted, level.id) != wanted.end())
            compared.push_back(level.id);
    }
    if (std::ranges::equal(compared, wanted))
        return {};
    return {{Severity::Error,
             "/levels",
             fmt::format("{} needs the levels {} in this order, here: {}", machines, fmt::join(wanted, ", "),
                         fmt::join(ids, ", ")),
             {}}};
}

} // namespace pim
