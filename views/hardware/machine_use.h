// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a plan makes of a machine, core by core: memory that is taken, and one figure for each core to colour the
/// floorplan by. Flow: Plan + draft looked at -> [MachineUse, CoreFigures] -> floorplan, tree. Bytes, ns, iterations.
#include "core/plan/plan.h"
#include "views/hardware/hardware_spot.h"
#include "views/models/core_figures.h"

#include <QString>

#include <algorithm>
#include <vector>

namespace pim::views {

struct FamilyPanels;

/// Memory of some innermost instances (cores, arrays) together.
struct MemoryUse {
    std::int64_t capacity = 0; ///< 0: nothing is known.
    std::int64_t others = 0;   ///< Taken by the other ops on PIM.
    std::int64_t ofOp = 0;     ///< By the selected one.
    std::int64_t free() const { return std::max<std::int64_t>(0, capacity - others - ofOp); }
    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};
/// "3.10 MiB of 32.00 MiB used, 28.90 MiB free; 1.20 MiB by this op"
QString memoryText(const MemoryUse& use);
QString memoryText(std::int64_t bytes); ///< "28.90 MiB"

/// Memory a plan takes, one op told apart. Banks of a DRAM are all filled alike, because commands address them alike
/// (core_memory.h), unless the family counts array by array.
class MachineUse {
public:
    MachineUse() = default;
    /// \p family of the plan's target.
    MachineUse(const FamilyPanels& family, const Plan& plan, OpId op);
    /// The same if the op were placed there with the draft it has.
    static MachineUse with(const FamilyPanels& family, const Plan& plan, OpId op, DeviceId placement);

    MemoryUse of(const CoreRange& cores) const;
    bool isKnown() const { return m_coreBytes > 0; }
    friend bool operator==(const MachineUse&, const MachineUse&) = default;

private:
    void countArrays(const ArrayUses& uses);

    std::int64_t m_coreBytes = 0;
    std::int64_t m_othersOfCore = 0, m_opOfCore = 0; ///< DRAM.
    std::vector<int> m_otherArrays, m_opArrays;      ///< Arrays taken before each array; empty for DRAM.
};

/// Figures of machines planned op by op; those of a family are in its FamilyPanels. Kept with projects.
namespace ColorBy {
enum : int { ComputeTile, DataTile, Memory, BusyTime };
}

/// What can be shown for this kind of machine, in the order of the choice.
std::vector<FigureChoice> colorChoices(const FamilyPanels& family);

/// \param family of the plan's target. \param draft of the op's space; null: none. \param by one of colorChoices().
/// \param counted one an op: it counts for BusyTime; empty: all do.
CoreFigures coreFigures(const FamilyPanels& family, const Plan& plan, OpId op, const Draft* draft, int by,
                        const std::vector<bool>& counted = {});

} // namespace pim::views
