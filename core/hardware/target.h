// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One machine as data. Flow: resources/targets/NAME.json -> [Target] -> placement, search, cost, floorplan.
/// The same words hold for every kind of hardware: a host, a stack of levels (device, group, core; or chip,
/// core, crossbar; or chip, array), memories and units on each level, and named quantities. What a quantity
/// means to timing is the business of the backend that reads it. [levels: DCC §IV-A]
#include "core/base/result.h"
#include "core/graph/graph.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace pim {

/// A figure with its unit and where it comes from. Units are plain text from a fixed list (see
/// target.schema.json).
struct Quantity {
    double value = 0;
    std::string unit;   ///< "ns", "cycles", "GB/s", "B", "pJ/B", …
    std::string source; ///< Paper and section, datasheet, public simulator and version; never empty.
};

/// Something about a machine that is no figure, with where it comes from.
struct TargetFact {
    std::string text;   ///< "global word-line input GIA / GIA' of an array"
    std::string source; ///< As for a Quantity.
};

struct Memory {
    std::string name;       ///< "bank" (data the core can compute on), "register file", "global buffer", …
    std::int64_t bytes = 0; ///< Capacity of one.
    double bytesPerNs = 0;  ///< Bandwidth of one (1 byte/ns = 1 GB/s); 0 where the owner's bus decides.
    std::string source;
};

struct Unit {
    std::string name;                    ///< "SIMD unit", "softmax unit", "accumulator"
    int lanes = 1;                       ///< Elements processed at once.
    std::vector<std::string> operations; ///< "mac", "add", "mul", "relu", "softmax", "accumulate", …
    std::vector<DataType> types;         ///< Element types it works in.
    std::string source;
};

/// The link from this level to its parent; all zero where the family gives bandwidths in bytes per cycle instead.
struct Bus {
    double bytesPerNs = 0;       ///< Of one instance of the level, one direction at a time.
    std::int64_t burstBytes = 0; ///< Smallest transfer.
    bool broadcast = false;      ///< One transfer (or command) can reach all children at once.
    std::string source;
};

/// One tier of the hierarchy.
struct Level {
    std::string id;     ///< Role: "device", "group", "core"; other families name their own.
    std::string name;   ///< What this machine calls it: "HBM3 stack", "pseudo-channel", "bank".
    int count = 1;      ///< Instances a parent (the first level: in the machine).
    std::string source; ///< Of the count.
    std::vector<Memory> memories;
    std::vector<Unit> units;
    Bus bus;

    const Memory* memory(std::string_view memoryName) const;
    const Unit* unitFor(std::string_view operation) const; ///< First unit that offers it; null if none.
};

/// The processor that runs whatever is not offloaded. [roofline and tile model: AttAcc simulator c600051, xPU
/// model]
struct Host {
    std::string id; ///< "a100"
    std::string name;
    std::map<DataType, double> peakFlopsPerNs; ///< FLOP/ns = GFLOP/s; by element type.
    double flopsEfficiency = 1;                ///< Share of the peak that kernels reach.
    double memoryBytesPerNs = 0;
    double memoryEfficiency = 1;
    std::int64_t memoryBytes = 0;
    int cores = 1;
    std::int64_t l1BytesPerCore = 0; ///< Controllable on-chip memory of one core.
    std::int64_t l2Bytes = 0;
    double linkBytesPerNs = 0; ///< To other hosts or devices on a link; both directions together.
    std::map<std::string, Quantity> parameters; ///< The rest: overheads, energy.
    std::map<std::string, std::string>
        sources; ///< For the fields above, by the name in the file: "l1", "flops.f16".

    /// Value of a parameter in the unit asked for; \p fallback if there is none or it measures something
    /// else.
    double numberOr(std::string_view parameter, std::string_view unit, double fallback) const;
};

struct Target {
    std::string id;      ///< File name without .json: "attacc"
    std::string name;    ///< "AttAcc on HBM3, 5 stacks"
    std::string summary; ///< One or two sentences.
    std::string family;  ///< What kind of machine: "dram-pim"; a hint for grouping in lists.
    std::string backend; ///< Which backend compiles for it: "attacc"
    Host host;
    std::vector<Level> levels; ///< Outermost first.
    std::map<std::string, Quantity>
        parameters; ///< Timing, energy, policy switches, by dotted name: "timing.tCCDAB".
    std::map<std::string, TargetFact> facts; ///< By dotted name: "switch.method".
    std::filesystem::path file;
    std::string hash; ///< SHA-256 of the canonical JSON, host included.

    const Level* level(std::string_view levelId) const;
    /// Instances of the level in the whole machine (product of counts down to it); 0 if there is none.
    std::int64_t instances(std::string_view levelId) const;
    /// Bytes of one memory over the whole machine; 0 if there is none such: capacityBytes("core", "bank").
    std::int64_t capacityBytes(std::string_view levelId, std::string_view memoryName) const;
    /// Value of a parameter in the unit asked for (us is turned into ns, and so on); Error::InvalidTarget if
    /// absent or if it measures something else.
    Result<double> number(std::string_view parameter, std::string_view unit) const;
    /// Value as written in the file, for where absence is normal.
    double numberOr(std::string_view parameter, double fallback) const;
    /// A time in nanoseconds: of a parameter in ns, or in cycles of "timing.tCK".
    Result<double> timeNs(std::string_view parameter) const;
    /// A switch ("policy.powerLimit"): true if it is there and on.
    bool isOn(std::string_view parameter) const { return numberOr(parameter, 0) != 0; }
};

} // namespace pim
