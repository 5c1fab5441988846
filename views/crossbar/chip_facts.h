// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is drawn of a plan for crossbar cores: where cores stand, what lies in them, how busy they are.
/// Flow: CrossbarPlan -> [ChipFacts] -> canvas, tables, plots.
#include "backends/crossbar/plan/plan.h"

#include <QString>

#include <array>
#include <map>
#include <vector>

namespace pim::views {

/// An array group in a core.
struct ChipGroup {
    int entry = 0; ///< Of CrossbarMapping::layers.
    int replica = 0, group = 0;
    int arrays = 0;
};

/// What the colour of a core says; Layer colours its arrays one by one.
enum class ChipMeasure { Layer, Filled, Busy, Traffic, Waiting, Memory, Count_ };
QString title(ChipMeasure measure);

struct ChipCore {
    int arrays = 0, used = 0;
    std::vector<ChipGroup> groups; ///< By layer, replica, group.
    double busyNs = 0, waitNs = 0, trafficBytes = 0, memoryBytes = 0;
    QString limit; ///< What it spends most time on, in words.
};

struct ChipLayer {
    OpId op; ///< Of its first op; what is selected with it.
    QString name, opName, kind;
    Unfolding unfolding = Unfolding::WholeWindow;
    std::map<Unfolding, QString> refused; ///< Unfoldings it cannot have, with the reason.
    int replicas = 1, groups = 0, arrays = 0, cores = 0;
    int phases = 1; ///< Of a transposed convolution, see PixelWindow::phaseOf().
    std::int64_t windows = 0, rows = 0, columns = 0;
    double arrayNs = 0; ///< Each of its arrays computes for so long, for a sample.
};

struct ChipFacts {
    int chipsX = 1, chipsY = 1, coresX = 1, coresY = 1;
    std::vector<ChipCore> cores;   ///< Core c of chip k is k * coresX * coresY + c, row by row.
    std::vector<ChipLayer> layers; ///< One an entry of the mapping.
    double sampleNs = 0;           ///< Period or latency.
    double localBytes = 0;         ///< Of a core.
    bool isHighThroughput = true;
    QString headline; ///< "HT: 3 137 samples/s …", rich text.
    std::vector<SearchPoint> history;
    std::vector<MappingTradeOff> tradeOffs; ///< Shortest period first.

    int coresPerChip() const { return coresX * coresY; }
    /// Figure of a core and its value in words; 0 for Layer.
    double value(int core, ChipMeasure measure) const;
    QString valueText(int core, ChipMeasure measure) const;
    double largest(ChipMeasure measure) const;    ///< End of the colour scale.
    QString scaleText(ChipMeasure measure) const; ///< "100 %", "3.2 MB"
    QString describe(int core) const;             ///< For a tip, rich text.
    /// Cores that hold array groups of \p entry.
    std::vector<int> coresOf(int entry) const;
};

ChipFacts chipFacts(const CrossbarPlan& plan);

/// Value of the decision "cores" that moves one array group to \p core and pins nothing else but what \p
/// before pins.
QString movedTo(const QString& before, const ChipGroup& group, int core);

} // namespace pim::views
