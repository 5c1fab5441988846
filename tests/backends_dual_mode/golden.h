// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The reference chip and the reference operators of tests/golden/cmswitch.
#include "backends/dual_mode/workload.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace pim::test {

inline nlohmann::json goldenDualMode(const std::string& file) {
    std::ifstream in(std::filesystem::path(PIM_SOURCE_DIR) / "tests" / "golden" / "cmswitch" / file);
    return nlohmann::json::parse(in);
}

/// As resources/targets/dynaplasia.json, which a test compares.
inline DualModeChip referenceDualModeChip() {
    DualModeChip chip;
    chip.name = "reference";
    chip.arrays = 96;
    chip.rows = 320;
    chip.columns = 40;
    chip.arrayBytes = 12800;
    chip.cycleNs = 4;
    chip.cyclesPerMvm = 100;
    chip.arrayBytesPerCycle = 4;
    chip.mainBytesPerCycle = 32;
    chip.writeCyclesPerArray = 32;
    chip.writeBackBytesPerCycle = 32;
    chip.toMemoryCycles = 1;
    chip.toComputeCycles = 1;
    chip.vectorLanes = 32;
    return chip;
}

inline DualModeWorkload goldenWorkload(const nlohmann::json& workloads, const std::string& name) {
    DualModeWorkload made;
    for (const auto& row : workloads.at("workloads").at(name)) {
        DualModeOp op;
        op.name = row.at("name");
        op.producedWeights = row.at("kind") == "dynamic-weight";
        op.depthwise = row.at("kind") == "depthwise";
        op.m = row.at("M");
        op.n = row.at("N");
        op.k = row.at("K");
        op.g = row.at("G");
        op.inBytes = row.at("in_bytes");
        op.outBytes = row.at("out_bytes");
        op.weightBytes = row.at("weight_bytes");
        op.predecessors = row.at("preds").get<std::vector<int>>();
        made.ops.push_back(std::move(op));
    }
    return made;
}

} // namespace pim::test
