// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/system.h"

#include "core/base/file_text.h"
#include "core/base/paths.h"
#include "core/hardware/json_check.h"
#include "core/hardware/spelling.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace pim {
namespace {

namespace fs = std::filesystem;
using SystemJson = nlohmann::json;

constexpr std::string_view kHostNode = "host";
constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();

double inBase(const SystemJson& quantity) {
    return quantity.at("value").get<double>() * findUnit(quantity.at("unit").get<std::string>())->factor;
}

class SystemReader {
public:
    SystemReader(const SystemJson& object, std::string where) : m_object(object), m_where(std::move(where)) {}

    Result<System> read(const TargetCatalog& catalog) {
        m_system.id = m_object.at("id");
        m_system.name = m_object.at("name");
        m_system.summary = m_object.at("summary");
        PIM_CHECK(readDevices(catalog));
        for (const auto& name : m_object.value("switches", SystemJson::array()))
            PIM_CHECK(addNode(name));
        for (const SystemJson& link : m_object.at("links"))
            PIM_CHECK(readLink(link));
        PIM_CHECK(checkReached());
        return std::move(m_system);
    }

private:
    tl::unexpected<Error> wrong(std::string message, std::string hint = {}) const {
        return fail(ErrorCode::InvalidTarget, std::move(message), m_where, std::move(hint));
    }

    Result<void> addNode(const std::string& id) {
        if (std::ranges::find(m_system.nodes, id) != m_system.nodes.end())
            return wrong(fmt::format("two of its nodes are called \"{}\"", id), "give each its own id");
        m_system.nodes.push_back(id);
        return {};
    }

    Result<void> readDevices(const TargetCatalog& catalog) {
        PIM_CHECK(addNode(std::string(kHostNode)));
        const std::string hostId = m_object.at("host");
        for (const SystemJson& device : m_object.at("devices")) {
            auto target = catalog.find(device.at("target").get<std::string>(), hostId);
            if (!target) {
                target.error().where = m_where;
                return tl::unexpected<Error>(std::move(target).error());
            }
            PIM_CHECK(addNode(device.at("id")));
            m_system.devices.push_back({device.at("id"), *target, device.value("holdsHost", false)});
        }
        m_system.host = std::make_shared<const Host>(m_system.devices.front().target->host);
        return {};
    }

    Result<std::size_t> node(const std::string& id, const std::string& link) const {
        const auto found = std::ranges::find(m_system.nodes, id);
        if (found == m_system.nodes.end())
            return wrong(fmt::format("the link \"{}\" ends at \"{}\", which is neither the host nor a device "
                                     "or a switch of the "
                                     "system; there are {}",
                                     link, id, fmt::join(m_system.nodes, ", ")),
                         didYouMean(id, m_system.nodes));
        return static_cast<std::size_t>(found - m_system.nodes.begin());
    }

    Result<void> readLink(const SystemJson& object) {
        Link link;
        link.id = object.at("id");
        if (std::ranges::find(m_system.links, link.id, &Link::id) != m_system.links.end())
            return wrong(fmt::format("two links are called \"{}\"", link.id), "give each its own id");
        PIM_TRY(link.one, node(object.at("ends").at(0), link.id));
        PIM_TRY(link.other, node(object.at("ends").at(1), link.id));
        link.source = object.at("source");
        link.inPlan = object.value("inPlan", false);
        link.duplex = object.value("duplex", false);
        if (link.inPlan && (object.contains("bandwidth") || object.contains("latency")))
            return wrong(
                fmt::format("the link \"{}\" has figures of its own although the plan of its device has them",
                            link.id),
                "leave out either inPlan or bandwidth and latency");
        if (!link.inPlan && !(object.contains("bandwidth") && object.contains("latency")))
            return wrong(fmt::format("the link \"{}\" has no {}", link.id,
                                     object.contains("bandwidth") ? "latency" : "bandwidth"),
                         "give bandwidth and latency, or inPlan if the plan of its device has the times");
        if (!link.inPlan) {
            link.bytesPerNs = inBase(object.at("bandwidth"));
            link.latencyNs = inBase(object.at("latency"));
        }
        if (joined(link.one, link.other))
            return wrong(fmt::format("the link \"{}\" closes a loop: {} and {} are joined already", link.id,
                                     m_system.nodes[link.one], m_system.nodes[link.other]),
                         "leave it out, so that there is one way from each device to each other");
        m_system.links.push_back(std::move(link));
        return {};
    }

    /// Is there a way between them by the links read so far?
    bool joined(std::size_t from, std::size_t to) const {
        std::vector<std::size_t> reached{from};
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (const Link& link : m_system.links)
                for (const auto& [near, far] :
                     {std::pair(link.one, link.other), std::pair(link.other, link.one)})
                    if (near == reached[i] && std::ranges::find(reached, far) == reached.end())
                        reached.push_back(far);
        return std::ranges::find(reached, to) != reached.end();
    }

    Result<void> checkReached() const {
        for (std::size_t i = 1; i < m_system.nodes.size(); ++i)
            if (!joined(0, i))
                return wrong(fmt::format("no link leads from the host to \"{}\"", m_system.nodes[i]),
                             "add a link that ends there");
        return {};
    }

    const SystemJson& m_object;
    std::string m_where;
    System m_system;
};

Result<System> readSystem(const fs::path& file, const TargetCatalog& catalog) {
    PIM_TRY(const std::string text, fileText(file));
    PIM_TRY(const auto schema, JsonSchema::read(resourceDir() / "systems" / "system.schema.json"));
    if (const Diagnostics found = schema->check(text, "system", file.string()); !found.empty())
        return tl::unexpected<Error>(violationsError(found, "system", file.string()));
    const SystemJson object = SystemJson::parse(text);
    return SystemReader(object, file.string()).read(catalog);
}

} // namespace

Route System::route(std::size_t from, std::size_t to) const {
    // By breadth: the link each node was reached by.
    std::vector<std::size_t> by(nodes.size(), kNoNode), previous(nodes.size(), kNoNode), reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::size_t l = 0; l < links.size(); ++l)
            for (const auto& [near, far] :
                 {std::pair(links[l].one, links[l].other), std::pair(links[l].other, links[l].one)})
                if (near == reached[i] && far != from && by[far] == kNoNode) {
                    by[far] = l;
                    previous[far] = near;
                    reached.push_back(far);
                }
    Route route;
    for (std::size_t at = to; at != from && by[at] != kNoNode; at = previous[at]) {
        const Link& link = links[by[at]];
        if (link.inPlan)
            continue;
        route.latencyNs += link.latencyNs;
        route.nsPerByte = std::max(route.nsPerByte, 1 / link.bytesPerNs);
        route.links.insert(route.links.begin(), by[at]);
        route.backwards.insert(route.backwards.begin(), at == link.one);
    }
    return route;
}

std::vector<std::string> systemIds() {
    std::vector<std::string> ids;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(resourceDir() / "systems", ignored))
        if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema")
            ids.push_back(entry.path().stem().string());
    std::ranges::sort(ids);
    return ids;
}

Result<System> findSystem(std::string_view nameOrPath, const TargetCatalog& catalog) {
    if (nameOrPath.ends_with(".json"))
        return readSystem(fs::path(nameOrPath), catalog);
    const auto ids = systemIds();
    if (std::ranges::find(ids, nameOrPath) == ids.end()) {
        const auto nearest = byNearestSpelling(nameOrPath, ids);
        return fail(
            ErrorCode::NotFound,
            fmt::format("there is no system \"{}\"; known are {}", nameOrPath, fmt::join(nearest, ", ")), {},
            didYouMean(nameOrPath, nearest));
    }
    return readSystem(resourceDir() / "systems" / fmt::format("{}.json", nameOrPath), catalog);
}

} // namespace pim
