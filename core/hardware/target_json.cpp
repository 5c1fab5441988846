// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing of target and host files. What the schema promises is not checked again here.
#include "core/base/file_text.h"
#include "core/base/hash.h"
#include "core/base/paths.h"
#include "core/hardware/catalog.h"
#include "core/hardware/host_file.h"
#include "core/hardware/json_check.h"
#include "core/hardware/plausibility.h"
#include "core/hardware/spelling.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <mutex>

namespace pim {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Ordered = nlohmann::ordered_json;

Result<std::shared_ptr<const JsonSchema>> targetSchema() {
    return JsonSchema::read(resourceDir() / "targets" / "target.schema.json");
}

// ---- JSON to structs ----

/// In base units: B, B/ns, GFLOP/s.
double inBaseUnits(const json& quantity) {
    return quantity.at("value").get<double>() * findUnit(quantity.at("unit").get<std::string>())->factor;
}
std::string sourceOf(const json& quantity) {
    return quantity.at("source");
}

/// Capacities must be whole bytes; \p diagnostics gets one error where they are not.
std::int64_t wholeBytes(const json& quantity, const std::string& path, std::string_view where,
                        Diagnostics& diagnostics) {
    const double bytes = inBaseUnits(quantity);
    if (bytes >= 0x1p62 || bytes != std::floor(bytes)) {
        diagnostics.push_back({Severity::Error,
                               fmt::format("{}:{}", where, path),
                               fmt::format("is {} B, must be a whole number of bytes below 2^62", bytes),
                               {}});
        return 1;
    }
    return static_cast<std::int64_t>(bytes);
}

/// Two quantities of one object share its one source text.
std::string joinSources(std::string_view firstName, const std::string& first, std::string_view secondName,
                        const std::string& second) {
    return first == second ? first : fmt::format("{}: {}; {}: {}", firstName, first, secondName, second);
}

std::map<std::string, Quantity> readParameters(const json& object) {
    std::map<std::string, Quantity> parameters;
    if (const auto found = object.find("parameters"); found != object.end())
        for (const auto& [key, quantity] : found->items())
            parameters[key] = {quantity.at("value").get<double>(), quantity.at("unit").get<std::string>(),
                               sourceOf(quantity)};
    return parameters;
}

std::map<std::string, TargetFact> readFacts(const json& object) {
    std::map<std::string, TargetFact> facts;
    if (const auto found = object.find("facts"); found != object.end())
        for (const auto& [key, fact] : found->items())
            facts[key] = {fact.at("text").get<std::string>(), sourceOf(fact)};
    return facts;
}

struct Reader {
    std::string where;
    Diagnostics& diagnostics;

    Memory memory(const json& object, const std::string& path) {
        Memory memory;
        memory.name = object.at("name");
        memory.bytes = wholeBytes(object.at("capacity"), path + ".capacity", where, diagnostics);
        memory.source = sourceOf(object.at("capacity"));
        if (const auto bandwidth = object.find("bandwidth"); bandwidth != object.end()) {
            memory.bytesPerNs = inBaseUnits(*bandwidth);
            memory.source = joinSources("capacity", memory.source, "bandwidth", sourceOf(*bandwidth));
        }
        return memory;
    }

    Unit unit(const json& object) {
        Unit unit;
        unit.name = object.at("name");
        unit.lanes = static_cast<int>(object.at("lanes").at("value").get<double>());
        unit.source = sourceOf(object.at("lanes"));
        unit.operations = object.at("operations").get<std::vector<std::string>>();
        for (const json& type : object.at("types"))
            unit.types.push_back(
                dataTypeFromName(type.get_ref<const std::string&>()).value_or(DataType::Unknown));
        return unit;
    }

    Level level(const json& object, const std::string& path) {
        Level level;
        level.id = object.at("id");
        level.name = object.at("name");
        level.count = static_cast<int>(object.at("count").at("value").get<double>());
        level.source = sourceOf(object.at("count"));
        if (const auto memories = object.find("memories"); memories != object.end())
            for (std::size_t i = 0; i < memories->size(); ++i)
                level.memories.push_back(memory(memories->at(i), fmt::format("{}.memories[{}]", path, i)));
        if (const auto units = object.find("units"); units != object.end())
            for (const json& one : *units)
                level.units.push_back(unit(one));
        if (!object.contains("bus")) // the family decides whether that is enough, see plausibility.cpp
            return level;
        const json& bus = object.at("bus");
        level.bus.bytesPerNs = inBaseUnits(bus.at("bandwidth"));
        level.bus.burstBytes = wholeBytes(bus.at("burst"), path + ".bus.burst", where, diagnostics);
        level.bus.broadcast = bus.at("broadcast");
        level.bus.source =
            joinSources("bandwidth", sourceOf(bus.at("bandwidth")), "burst", sourceOf(bus.at("burst")));
        return level;
    }

    Host host(const json& object, const std::string& path) {
        Host host;
        host.id = object.at("id");
        host.name = object.at("name");
        for (const auto& [type, rate] : object.at("flops").items()) {
            host.peakFlopsPerNs[dataTypeFromName(type).value_or(DataType::Unknown)] = inBaseUnits(rate);
            host.sources["flops." + type] = sourceOf(rate);
        }
        host.flopsEfficiency = inBaseUnits(object.at("flopsEfficiency"));
        host.memoryBytesPerNs = inBaseUnits(object.at("memoryBandwidth"));
        host.memoryEfficiency = inBaseUnits(object.at("memoryEfficiency"));
        host.memoryBytes =
            wholeBytes(object.at("memoryCapacity"), path + ".memoryCapacity", where, diagnostics);
        host.cores = static_cast<int>(object.at("cores").at("value").get<double>());
        host.l1BytesPerCore = wholeBytes(object.at("l1"), path + ".l1", where, diagnostics);
        host.l2Bytes = wholeBytes(object.at("l2"), path + ".l2", where, diagnostics);
        host.linkBytesPerNs = inBaseUnits(object.at("link"));
        for (const char* const field : {"flopsEfficiency", "memoryBandwidth", "memoryEfficiency",
                                        "memoryCapacity", "cores", "l1", "l2", "link"})
            host.sources[field] = sourceOf(object.at(field));
        host.parameters = readParameters(object);
        return host;
    }

    /// Without the host.
    Target target(const json& object) {
        Target target;
        target.id = object.at("id");
        target.name = object.at("name");
        target.summary = object.at("summary");
        target.family = object.at("family");
        if (target.family == "dual-mode-cim") // its name in files of earlier versions
            target.family = "dual-mode";
        target.backend = object.at("backend");
        const json& levels = object.at("levels");
        for (std::size_t i = 0; i < levels.size(); ++i)
            target.levels.push_back(level(levels[i], fmt::format("$.levels[{}]", i)));
        target.parameters = readParameters(object);
        target.facts = readFacts(object);
        return target;
    }
};

// ---- structs to JSON ----

Ordered quantityJson(double value, std::string_view unit, const std::string& source) {
    Ordered quantity;
    // Whole numbers are written as such: a count of 5.0 would look like a measurement.
    if (value == std::floor(value) && std::abs(value) < 0x1p53)
        quantity["value"] = static_cast<std::int64_t>(value);
    else
        quantity["value"] = value;
    quantity["unit"] = unit;
    quantity["source"] = source;
    return quantity;
}

Ordered parametersJson(const std::map<std::string, Quantity>& parameters) {
    Ordered object = Ordered::object();
    for (const auto& [key, quantity] : parameters)
        object[key] = quantityJson(quantity.value, quantity.unit, quantity.source);
    return object;
}

Ordered hostJson(const Host& host) {
    const auto source = [&host](const std::string& field) {
        const auto found = host.sources.find(field);
        return found == host.sources.end() ? std::string() : found->second;
    };
    Ordered object;
    object["format"] = "pim-host";
    object["version"] = 1;
    object["id"] = host.id;
    object["name"] = host.name;
    for (const auto& [type, flops] : host.peakFlopsPerNs)
        object["flops"][std::string(name(type))] =
            quantityJson(flops, "GFLOP/s", source(fmt::format("flops.{}", name(type))));
    object["flopsEfficiency"] = quantityJson(host.flopsEfficiency, "ratio", source("flopsEfficiency"));
    object["memoryBandwidth"] = quantityJson(host.memoryBytesPerNs, "GB/s", source("memoryBandwidth"));
    object["memoryEfficiency"] = quantityJson(host.memoryEfficiency, "ratio", source("memoryEfficiency"));
    object["memoryCapacity"] =
        quantityJson(static_cast<double>(host.memoryBytes), "B", source("memoryCapacity"));
    object["cores"] = quantityJson(host.cores, "count", source("cores"));
    object["l1"] = quantityJson(static_cast<double>(host.l1BytesPerCore), "B", source("l1"));
    object["l2"] = quantityJson(static_cast<double>(host.l2Bytes), "B", source("l2"));
    object["link"] = quantityJson(host.linkBytesPerNs, "GB/s", source("link"));
    object["parameters"] = parametersJson(host.parameters);
    return object;
}

Ordered levelJson(const Level& level) {
    Ordered object;
    object["id"] = level.id;
    object["name"] = level.name;
    object["count"] = quantityJson(level.count, "count", level.source);
    object["memories"] = Ordered::array();
    for (const Memory& memory : level.memories) {
        Ordered one;
        one["name"] = memory.name;
        one["capacity"] = quantityJson(static_cast<double>(memory.bytes), "B", memory.source);
        if (memory.bytesPerNs > 0)
            one["bandwidth"] = quantityJson(memory.bytesPerNs, "GB/s", memory.source);
        object["memories"].push_back(std::move(one));
    }
    object["units"] = Ordered::array();
    for (const Unit& unit : level.units) {
        Ordered one;
        one["name"] = unit.name;
        one["lanes"] = quantityJson(unit.lanes, "count", unit.source);
        one["operations"] = unit.operations;
        one["types"] = Ordered::array();
        for (const DataType type : unit.types)
            one["types"].push_back(name(type));
        object["units"].push_back(std::move(one));
    }
    if (level.bus.bytesPerNs <= 0)
        return object;
    Ordered& bus = object["bus"];
    bus["bandwidth"] = quantityJson(level.bus.bytesPerNs, "GB/s", level.bus.source);
    bus["burst"] = quantityJson(static_cast<double>(level.bus.burstBytes), "B", level.bus.source);
    bus["broadcast"] = level.bus.broadcast;
    return object;
}

// ---- files ----

bool hasErrors(const Diagnostics& diagnostics) {
    return std::ranges::any_of(diagnostics,
                               [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

void checkIdIsFileName(const std::string& id, const fs::path& file, Diagnostics& diagnostics) {
    if (id != file.stem().string())
        diagnostics.push_back(
            {Severity::Error,
             file.string() + ":$.id",
             fmt::format("is \"{}\", must be \"{}\" as the file is named", id, file.stem().string()),
             {}});
}

void append(Diagnostics& all, Diagnostics more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Result<Host> findHost(const std::string& id, const std::vector<fs::path>& folders, std::string_view where,
                      Diagnostics& problems) {
    std::vector<std::string> known;
    for (const fs::path& folder : folders) {
        const fs::path file = folder / (id + ".json");
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored))
            return readHost(file, problems);
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (entry.path().extension() == ".json")
                known.push_back(entry.path().stem().string());
    }
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    known = byNearestSpelling(id, std::move(known));
    problems.push_back({Severity::Error, fmt::format("{}:$.host", where),
                        fmt::format("there is no host \"{}\", known are {}", id, fmt::join(known, ", ")),
                        didYouMean(id, known)});
    return tl::unexpected(violationsError(problems, "target", where));
}

/// \param file empty for text that is not a file: then the host must be inside.
Result<Target> parseTarget(std::string_view text, std::string_view where, const fs::path& file,
                           const std::vector<fs::path>& hostFolders, Diagnostics& problems) {
    PIM_TRY(const auto schema, targetSchema());
    Diagnostics found = schema->check(text, "target", where);
    const auto failed = [&] {
        Error error = violationsError(found, "target", where);
        append(problems, std::move(found));
        return tl::unexpected(std::move(error));
    };
    if (hasErrors(found))
        return failed();
    const json object = json::parse(text);
    Reader reader{std::string(where), found};
    Target target = reader.target(object);
    if (!file.empty())
        checkIdIsFileName(target.id, file, found);
    append(found, checkPlausible(target, where));
    if (object.at("host").is_object()) {
        target.host = reader.host(object.at("host"), "$.host");
        append(found, checkPlausible(target.host, fmt::format("{} (host)", where)));
    } else if (auto host = findHost(object.at("host"), hostFolders, where, found)) {
        target.host = std::move(*host);
    }
    if (hasErrors(found))
        return failed();
    append(problems, std::move(found));
    target.file = file;
    target.hash = sha256Hex(targetJson(target));
    return target;
}

/// Texts without fault, the one asked for last in front.
class TargetsRead {
public:
    std::shared_ptr<const Target> find(std::string_view text) {
        const std::lock_guard lock(m_mutex);
        const auto found = std::ranges::find(m_read, text, &Read::text);
        if (found == m_read.end())
            return nullptr;
        m_read.splice(m_read.begin(), m_read, found);
        return found->target;
    }
    void add(std::string_view text, std::shared_ptr<const Target> target) {
        const std::lock_guard lock(m_mutex);
        m_read.push_front({std::string(text), std::move(target)});
        if (m_read.size() > kMost)
            m_read.pop_back();
    }

private:
    static constexpr std::size_t kMost = 16; ///< A project rarely has more; of 20 KB each.
    struct Read {
        std::string text;
        std::shared_ptr<const Target> target;
    };
    std::mutex m_mutex;
    std::list<Read> m_read;
};

} // namespace

Result<Host> readHost(const fs::path& file, Diagnostics& problems) {
    const std::string where = file.string();
    PIM_TRY(const std::string text, fileText(file));
    PIM_TRY(const auto schema, targetSchema());
    Diagnostics found = schema->check(text, "host", where);
    Host host;
    if (!hasErrors(found)) {
        host = Reader{where, found}.host(json::parse(text), "$");
        checkIdIsFileName(host.id, file, found);
        append(found, checkPlausible(host, where));
    }
    const bool bad = hasErrors(found);
    Error error = bad ? violationsError(found, "host", where) : Error{};
    append(problems, std::move(found));
    if (bad)
        return tl::unexpected(std::move(error));
    return host;
}

Result<Target> readTarget(const fs::path& file, const std::vector<fs::path>& hostFolders,
                          Diagnostics& problems) {
    PIM_TRY(const std::string text, fileText(file));
    return parseTarget(text, file.string(), file, hostFolders, problems);
}

std::string targetJson(const Target& target) {
    Ordered object;
    object["format"] = "pim-target";
    object["version"] = 1;
    object["id"] = target.id;
    object["name"] = target.name;
    object["summary"] = target.summary;
    object["family"] = target.family;
    object["backend"] = target.backend;
    object["host"] = hostJson(target.host);
    object["levels"] = Ordered::array();
    for (const Level& level : target.levels)
        object["levels"].push_back(levelJson(level));
    object["parameters"] = parametersJson(target.parameters);
    for (const auto& [key, fact] : target.facts) {
        object["facts"][key]["text"] = fact.text;
        object["facts"][key]["source"] = fact.source;
    }
    return object.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<std::shared_ptr<const Target>> targetFromJson(std::string_view text, std::string_view where) {
    static TargetsRead before;
    if (auto known = before.find(text))
        return known;
    Diagnostics problems;
    PIM_TRY(Target parsed, parseTarget(text, where, {}, {}, problems));
    auto target = std::make_shared<const Target>(std::move(parsed));
    before.add(text, target);
    return target;
}

} // namespace pim
