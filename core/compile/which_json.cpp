// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/which_json.h"

#include <nlohmann/json.hpp>

namespace pim {
namespace {

using WhichDocument = nlohmann::ordered_json;
constexpr auto kReplaceBytes = WhichDocument::error_handler_t::replace; ///< Those that are no UTF-8.

WhichDocument numberOrNull(const std::optional<double>& number) {
    return number ? WhichDocument(*number) : WhichDocument();
}

void addPhysical(WhichDocument& one, const WhichRow& row) {
    for (const char* const key : {"energy_pj", "energy_by", "power_w", "area_mm2", "area_by"})
        one[key] = nullptr;
    one["energy_parts_pj"] = WhichDocument::array();
    for (const EnergyPart& part : row.energy.parts())
        one["energy_parts_pj"].push_back(
            {{"part", part.name}, {"pj", part.energy / measure::kPicojoule}, {"by", name(part.evidence)}});
    one["energy_note"] = row.energyNote;
    if (const auto power = row.power()) {
        one["energy_pj"] = row.energy.total() / measure::kPicojoule;
        one["energy_by"] = name(row.energy.evidence());
        one["power_w"] = *power / measure::kWatt;
    }
    if (row.area) {
        one["area_mm2"] = row.area->value / measure::kSquareMillimetre;
        one["area_by"] = name(row.area->evidence);
    }
}

WhichDocument documentOf(const WhichRow& row) {
    WhichDocument one{{"machine", row.machine}, {"kind", row.kind}, {"host", row.host}};
    if (!row.problem.empty()) {
        one["problem"] = row.problem;
        return one;
    }
    one["request_ns"] = row.requestNs;
    one["stream_ns"] = row.streamNs;
    one["first_ns"] = numberOrNull(row.timeNs(WhichBy::First));
    one["origin"] = name(row.origin);
    one["predicted_ns"] = row.predictedNs;
    one["host_only_ns"] = row.hostOnlyNs;
    one["pim_share"] = row.pimShare;
    one["resident_bytes"] = row.residentBytes;
    one["load_ns"] = numberOrNull(row.loadNs);
    one["accuracy"] = numberOrNull(row.accuracy);
    one["accuracy_note"] = row.accuracyNote;
    one["room"] = row.room ? WhichDocument{{"fits", row.room->fits()},
                                           {"machines", row.room->machines()},
                                           {"needed_bytes", row.room->neededBytes},
                                           {"capacity_bytes", row.room->capacityBytes}}
                           : WhichDocument();
    one["links_bytes"] = WhichDocument::object();
    for (const LinkTraffic& link : row.links)
        one["links_bytes"][link.link] = link.bytes;
    addPhysical(one, row);
    one["dtype"] = name(row.computeType);
    return one;
}

} // namespace

std::string whichRowJson(const WhichRow& row) {
    return documentOf(row).dump(-1, ' ', false, kReplaceBytes);
}

std::string whichJson(const std::vector<WhichRow>& rows, WhichBy by) {
    WhichDocument all = WhichDocument::array();
    for (const std::size_t place : ranked(rows, by))
        all.push_back(documentOf(rows[place]));
    return all.dump(2, ' ', false, kReplaceBytes) + "\n";
}

} // namespace pim
