// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Reads a device file and checks that its tables fit together: a table with a hole in it would simulate,
/// wrongly.
#include "core/dram/device.h"

#include "core/base/expression.h"
#include "core/base/file_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace pim {
namespace {

using nlohmann::json;

constexpr int kMaxBanks = 4096;
// a tenth of a second at the fastest clock: nothing waits longer
constexpr std::int64_t kMaxTicks = 100'000'000;
constexpr std::string_view kProtocols[] = {"one-bus", "two-bus", "half-clock", "split-activate"};

/// Thrown and caught in this file only.
struct Refusal {
    std::string path, message, hint;
};

class Reader {
public:
    Reader(const DramOverrides& overrides, std::string_view grade) : m_overrides(overrides), m_grade(grade) {}

    DramDevice read(const json& root) {
        onlyKeys(root, "$",
                 {"name", "standard", "organisation", "speed_grade", "source", "protocol", "tick_ps",
                  "ticks_per_clock", "read_latency", "access_bytes", "levels", "address_map", "timing",
                  "speed_grades", "commands", "constraints"});
        m_device.name = text(root, "$", "name");
        m_device.standard = text(root, "$", "standard");
        m_device.organisation = text(root, "$", "organisation");
        m_device.speedGrade = text(root, "$", "speed_grade");
        m_device.source = text(root, "$", "source");
        m_device.protocol = text(root, "$", "protocol");
        if (std::find(std::begin(kProtocols), std::end(kProtocols), m_device.protocol) ==
            std::end(kProtocols))
            throw Refusal{"$.protocol", fmt::format("unknown protocol \"{}\"", m_device.protocol),
                          fmt::format("one of {}", fmt::join(kProtocols, ", "))};
        readTiming(member(root, "$", "timing"));
        readGrade(root);
        m_device.tickPs = int(amount(root, "$", "tick_ps", 1, 1'000'000));
        m_device.ticksPerClock = int(number(root, "$", "ticks_per_clock", 1, 16));
        m_device.readLatency = amount(root, "$", "read_latency", 1, 1'000'000);
        m_device.accessBytes = int(number(root, "$", "access_bytes", 1, 4096));
        if ((m_device.accessBytes & (m_device.accessBytes - 1)) != 0)
            throw Refusal{"$.access_bytes", fmt::format("{} is no power of two", m_device.accessBytes), {}};
        readLevels(list(root, "levels"));
        readMap(list(root, "address_map"));
        readCommands(list(root, "commands"));
        readConstraints(list(root, "constraints"));
        return std::move(m_device);
    }

private:
    static const json& member(const json& object, const std::string& path, const char* key) {
        const auto found = object.find(key);
        if (found == object.end())
            throw Refusal{path, fmt::format("\"{}\" is missing", key), {}};
        return *found;
    }
    static void onlyKeys(const json& object, const std::string& path, const std::set<std::string>& known) {
        if (!object.is_object())
            throw Refusal{path, fmt::format("has to be an object, is {}", object.type_name()), {}};
        for (const auto& item : object.items())
            if (!known.count(item.key()))
                throw Refusal{path, fmt::format("unknown key \"{}\"", item.key()),
                              fmt::format("known are {}", fmt::join(known, ", "))};
    }
    static std::string text(const json& object, const std::string& path, const char* key) {
        const json& value = member(object, path, key);
        if (!value.is_string() || value.get_ref<const std::string&>().empty())
            throw Refusal{fmt::format("{}.{}", path, key), "has to be a text", {}};
        return value.get<std::string>();
    }
    static std::int64_t number(const json& object, const std::string& path, const char* key, std::int64_t low,
                               std::int64_t high) {
        const json& value = member(object, path, key);
        if (!value.is_number_integer() || value < low || value > high)
            throw Refusal{
                fmt::format("{}.{}", path, key),
                fmt::format("is {}, has to be a whole number from {} to {}", value.dump(), low, high),
                {}};
        return value.get<std::int64_t>();
    }
    /// A whole number, or a text that gives one.
    std::int64_t amount(const json& object, const std::string& path, const char* key, std::int64_t low,
                        std::int64_t high) const {
        if (!member(object, path, key).is_string())
            return number(object, path, key, low, high);
        const std::string& sum = member(object, path, key).get_ref<const std::string&>();
        const Result<double> value = evaluateExpression(sum, [this](std::string_view name) {
            const auto found = m_device.timing.find(name);
            return found == m_device.timing.end() ? std::nullopt : std::optional(double(found->second));
        });
        if (!value)
            throw Refusal{fmt::format("{}.{}", path, key), value.error().message,
                          "names are those of $.timing"};
        if (*value < double(low) || *value > double(high) || *value != std::floor(*value))
            throw Refusal{
                fmt::format("{}.{}", path, key),
                fmt::format("\"{}\" is {}, has to be a whole number from {} to {}", sum, *value, low, high),
                {}};
        return std::int64_t(*value);
    }
    static bool yesOrNo(const json& object, const std::string& path, const char* key) {
        if (!object.contains(key))
            return false;
        if (!object[key].is_boolean())
            throw Refusal{fmt::format("{}.{}", path, key), "has to be true or false", {}};
        return object[key].get<bool>();
    }
    static const json& list(const json& root, const char* key) {
        const json& value = member(root, "$", key);
        if (!value.is_array() || value.empty())
            throw Refusal{fmt::format("$.{}", key), "has to be a list with something in it", {}};
        return value;
    }
    int levelNamed(const json& object, const std::string& path, const char* key) const {
        const std::string levelName = text(object, path, key);
        const int found = m_device.level(levelName);
        if (found < 0)
            throw Refusal{fmt::format("{}.{}", path, key),
                          fmt::format("the device has no level \"{}\"", levelName),
                          {}};
        return found;
    }

    /// The times of another speed grade take the place of those of the file's own; overrides count for both.
    void readGrade(const json& root) {
        if (m_grade.empty() || m_grade == m_device.speedGrade)
            return;
        const auto grades = root.find("speed_grades");
        std::vector<std::string> known{m_device.speedGrade};
        if (grades != root.end())
            for (const auto& item : grades->items())
                known.push_back(item.key());
        if (std::find(known.begin() + 1, known.end(), m_grade) == known.end())
            throw Refusal{"$.speed_grades", fmt::format("there is no speed grade \"{}\"", m_grade),
                          fmt::format("there are {}", fmt::join(known, ", "))};
        m_device.speedGrade = m_grade;
        const json& grade = (*grades)[m_device.speedGrade];
        const std::string path = fmt::format("$.speed_grades.{}", m_grade);
        for (const auto& item : grade.items()) {
            if (!m_device.timing.count(item.key()))
                throw Refusal{path, fmt::format("\"{}\" is not in timing", item.key()), {}};
            const DramTick ticks = number(grade, path, item.key().c_str(), 0, kMaxTicks);
            if (m_overrides.find(item.key()) == m_overrides.end())
                m_device.timing[item.key()] = ticks;
        }
    }

    void readTiming(const json& timing) {
        if (!timing.is_object())
            throw Refusal{"$.timing", "has to be an object of name: ticks", {}};
        for (const auto& item : timing.items()) {
            const std::int64_t given = number(timing, "$.timing", item.key().c_str(), 0, kMaxTicks);
            const auto instead = m_overrides.find(item.key());
            m_device.timing[item.key()] = instead == m_overrides.end() ? given : instead->second;
        }
    }

    /// As far as the times of the data sheet tell, where the file does not say.
    DramTick usualDataTicks(DramAccess access) const {
        switch (access) {
        case DramAccess::Read:
            return m_device.readLatency;
        case DramAccess::Write:
            return m_device.time("nCWL") + m_device.time("nBL");
        default:
            return 0;
        }
    }

    void readLevels(const json& levels) {
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const std::string path = fmt::format("$.levels[{}]", i);
            onlyKeys(levels[i], path, {"name", "count"});
            const std::string levelName = text(levels[i], path, "name");
            if (m_device.level(levelName) >= 0)
                throw Refusal{path, fmt::format("level \"{}\" is given twice", levelName), {}};
            m_device.levels.push_back({levelName, int(number(levels[i], path, "count", 1, 1 << 30))});
        }
        m_device.bankLevel = m_device.level("Bank");
        m_device.rowLevel = m_device.level("Row");
        if (m_device.bankLevel < 1 || m_device.rowLevel != m_device.bankLevel + 1 ||
            m_device.level("Column") != m_device.rowLevel + 1)
            throw Refusal{"$.levels", "have to end in Bank, Row, Column below at least one other level", {}};
        std::int64_t banks = m_device.levels[0].count;
        if (banks != 1)
            throw Refusal{
                "$.levels[0].count", fmt::format("is {}; a device file describes one channel", banks), {}};
        for (int i = 1; i <= m_device.bankLevel; ++i) {
            banks *= m_device.levels[std::size_t(i)].count;
            if (banks > kMaxBanks)
                throw Refusal{"$.levels", fmt::format("more than {} banks in a channel", kMaxBanks), {}};
        }
    }

    void readMap(const json& map) {
        std::set<int> seen;
        for (std::size_t i = 0; i < map.size(); ++i) {
            const std::string path = fmt::format("$.address_map[{}]", i);
            onlyKeys(map[i], path, {"level", "bits"});
            const int levelIndex = levelNamed(map[i], path, "level");
            const int bits = int(number(map[i], path, "bits", 0, 30));
            if (!seen.insert(levelIndex).second)
                throw Refusal{path, "the level is mapped twice", {}};
            const int count = m_device.levels[std::size_t(levelIndex)].count;
            if ((std::int64_t(1) << bits) > count)
                throw Refusal{
                    path, fmt::format("{} bits address more than the {} there are", bits, count), {}};
            m_device.addressMap.push_back({levelIndex, bits});
        }
        for (int i = 1; i <= m_device.rowLevel + 1; ++i)
            if (!seen.count(i))
                throw Refusal{"$.address_map",
                              fmt::format("level \"{}\" is missing", m_device.levels[std::size_t(i)].name),
                              {}};
        if (m_device.addressBits() > 62)
            throw Refusal{"$.address_map", "more than 62 bits of address", {}};
    }

    template <class T>
    static T word(const json& object, const std::string& path, const char* key,
                  const std::map<std::string, T>& words, T otherwise) {
        if (!object.contains(key))
            return otherwise;
        const std::string value = text(object, path, key);
        const auto found = words.find(value);
        if (found == words.end()) {
            std::vector<std::string> known;
            for (const auto& entry : words)
                known.push_back(entry.first);
            throw Refusal{fmt::format("{}.{}", path, key), fmt::format("unknown word \"{}\"", value),
                          fmt::format("one of {}", fmt::join(known, ", "))};
        }
        return found->second;
    }

    void readCommands(const json& commands) {
        for (std::size_t i = 0; i < commands.size(); ++i) {
            const std::string path = fmt::format("$.commands[{}]", i);
            const json& row = commands[i];
            onlyKeys(row, path,
                     {"name", "at", "repeated_over", "checked_to", "row", "access", "refresh", "bus", "ticks",
                      "data_ticks", "waits_for_data", "switches_mode", "energy"});
            DramCommand command;
            command.name = text(row, path, "name");
            if (m_device.command(command.name) >= 0)
                throw Refusal{path, fmt::format("command \"{}\" is given twice", command.name), {}};
            command.level = levelNamed(row, path, "at");
            if (command.level > m_device.bankLevel)
                throw Refusal{path + ".at", "commands address banks or what is above them", {}};
            if (row.contains("repeated_over")) {
                command.repeatedOver = levelNamed(row, path, "repeated_over");
                if (command.level != m_device.bankLevel || command.repeatedOver >= m_device.bankLevel)
                    throw Refusal{
                        path + ".repeated_over", "only commands at Bank repeat, over a level above it", {}};
            }
            command.checkedTo =
                row.contains("checked_to") ? levelNamed(row, path, "checked_to") : m_device.bankLevel;
            command.row = word<DramRowEffect>(row, path, "row",
                                              {{"opens", DramRowEffect::Opens},
                                               {"closes", DramRowEffect::Closes},
                                               {"prepares", DramRowEffect::Prepares}},
                                              DramRowEffect::None);
            command.access = word<DramAccess>(
                row, path, "access",
                {{"read", DramAccess::Read}, {"write", DramAccess::Write}, {"other", DramAccess::Other}},
                DramAccess::None);
            command.bus = word<DramBus>(
                row, path, "bus",
                {{"row", DramBus::Row}, {"column", DramBus::Column}, {"none", DramBus::None}}, DramBus::Any);
            command.refreshes = yesOrNo(row, path, "refresh");
            command.switchesMode = yesOrNo(row, path, "switches_mode");
            if (row.contains("ticks"))
                command.ticks = int(amount(row, path, "ticks", 1, 64));
            command.dataTicks = row.contains("data_ticks") ? amount(row, path, "data_ticks", 0, kMaxTicks)
                                                           : usualDataTicks(command.access);
            command.waitsForData = yesOrNo(row, path, "waits_for_data");
            if (row.contains("energy")) {
                command.energy = text(row, path, "energy");
                // Which names a target has is not known here; whether it is a sum is.
                const Result<double> form =
                    evaluateExpression(command.energy, [](std::string_view) { return 0.0; });
                if (!form)
                    throw Refusal{path + ".energy", form.error().message, {}};
            }
            m_device.commands.push_back(std::move(command));
        }
    }

    std::vector<int> commandsNamed(const json& row, const std::string& path, const char* key) const {
        const json& names = member(row, path, key);
        if (!names.is_array() || names.empty())
            throw Refusal{fmt::format("{}.{}", path, key), "has to be a list of commands", {}};
        std::vector<int> found;
        for (const json& entry : names) {
            const int index = entry.is_string() ? m_device.command(entry.get<std::string>()) : -1;
            if (index < 0)
                throw Refusal{fmt::format("{}.{}", path, key),
                              fmt::format("the device has no command {}", entry.dump()),
                              {}};
            found.push_back(index);
        }
        return found;
    }

    void readConstraints(const json& constraints) {
        for (std::size_t i = 0; i < constraints.size(); ++i) {
            const std::string path = fmt::format("$.constraints[{}]", i);
            const json& row = constraints[i];
            onlyKeys(row, path, {"level", "before", "after", "ticks", "window", "siblings"});
            DramConstraint constraint;
            constraint.level = levelNamed(row, path, "level");
            if (constraint.level > m_device.bankLevel)
                throw Refusal{path + ".level", "constraints hold in banks or what is above them", {}};
            constraint.before = commandsNamed(row, path, "before");
            constraint.after = commandsNamed(row, path, "after");
            constraint.ticks = amount(row, path, "ticks", 0, kMaxTicks);
            if (row["ticks"].is_string())
                constraint.text = row["ticks"].get<std::string>();
            if (row.contains("window"))
                constraint.window = int(number(row, path, "window", 1, 64));
            constraint.siblings = yesOrNo(row, path, "siblings");
            if (constraint.siblings && constraint.window > 1)
                throw Refusal{path, "a window over siblings is not supported", {}};
            if (constraint.siblings && constraint.level == 0)
                throw Refusal{path, "a channel has no siblings", {}};
            m_device.constraints.push_back(std::move(constraint));
        }
    }

    const DramOverrides& m_overrides;
    std::string_view m_grade;
    DramDevice m_device;
};

} // namespace

Result<DramDevice> parseDramDevice(std::string_view text, std::string_view where,
                                   const DramOverrides& overrides, std::string_view grade) {
    try {
        return Reader(overrides, grade).read(json::parse(text));
    } catch (const Refusal& refusal) {
        return fail(ErrorCode::InvalidTarget, refusal.message, fmt::format("{}: {}", where, refusal.path),
                    refusal.hint);
    } catch (const json::exception& e) {
        return fail(ErrorCode::InvalidTarget, fmt::format("no device file: {}", e.what()),
                    std::string(where));
    }
}

std::vector<std::string> dramDeviceNames(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".json")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Result<DramDevice> loadDramDevice(const std::filesystem::path& folder, std::string_view deviceName,
                                  const DramOverrides& overrides, std::string_view grade) {
    const std::vector<std::string> names = dramDeviceNames(folder);
    if (names.empty())
        return fail(ErrorCode::NotFound, "no device files in this folder", folder.string(),
                    "reinstall, or set PIM_RESOURCE_DIR to the resources folder");
    if (std::find(names.begin(), names.end(), deviceName) == names.end())
        return fail(ErrorCode::NotFound, fmt::format("there is no device \"{}\"", deviceName), {},
                    fmt::format("devices are {}", fmt::join(names, ", ")));
    const std::filesystem::path file = folder / (std::string(deviceName) + ".json");
    PIM_TRY(const std::string text, fileText(file));
    return parseDramDevice(text, file.filename().string(), overrides, grade);
}

} // namespace pim
