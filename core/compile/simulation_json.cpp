// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/simulation_json.h"

#include <nlohmann/json.hpp>

namespace pim {

using Json = nlohmann::ordered_json;

std::string simulationJson(const Simulation& simulation, const Plan& plan) {
    Json ops = Json::array();
    for (const SimulatedOp& op : simulation.ops) {
        Json entry{{"name", plan.graph->op(op.op).name}, {"origin", name(op.origin)},
                   {"predicted", partsNs(op.predicted)}, {"cost", partsNs(op.cost)},
                   {"host_read_ns", op.hostReadNs},      {"host_write_ns", op.hostWriteNs}};
        if (op.timing) {
            entry["ticks"] = op.timing->ticks;
            entry["refresh_ticks"] = op.timing->refreshTicks;
            entry["channels"] = op.channels;
        }
        entry["energy_pj"] = op.energyPj ? Json(*op.energyPj) : Json(nullptr);
        if (!op.note.empty())
            entry["note"] = op.note;
        ops.push_back(std::move(entry));
    }
    const Json json{{"total_ns", simulation.totalNs},
                    {"predicted_ns", simulation.predictedNs ? Json(*simulation.predictedNs) : Json(nullptr)},
                    {"controller", simulation.controller},
                    {"device", simulation.device},
                    {"commands", simulation.commands},
                    {"difference_ns", simulation.differenceNs},
                    {"waited_ns", simulation.waitedNs},
                    {"energy_pj", simulation.energyPj ? Json(*simulation.energyPj) : Json(nullptr)},
                    {"energy_parts_pj", simulation.energyParts},
                    {"energy_note", simulation.energyNote},
                    {"summary", simulation.summary},
                    {"ops", ops}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace pim
