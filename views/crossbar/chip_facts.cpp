// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/chip_facts.h"

#include "backends/crossbar/plan/decisions.h"
#include "core/base/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>

namespace pim::views {
namespace {

struct ChipFactsWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::ChipFactsWords)
};
QString str(const std::string& s) {
    return QString::fromStdString(s);
}

ChipLayer layerFacts(const CrossbarPlan& plan, std::size_t entry) {
    const LayerMapping& mapped = plan.mapping.layers[entry];
    const CrossbarLayer& layer = plan.network->layers[mapped.partition.layer.index()];
    ChipLayer facts;
    facts.name = str(layer.name);
    facts.op = layer.ops.empty() ? OpId() : layer.ops.front();
    facts.opName = layer.ops.empty() ? QString() : str(plan.network->graph->op(layer.ops.front()).name);
    facts.unfolding = mapped.partition.unfolding;
    for (int i = 0; i <= int(Unfolding::WholeWindow); ++i)
        if (const std::string_view why = whyNotUnfolded(*layer.matrix(), Unfolding(i)); !why.empty())
            facts.refused.emplace(Unfolding(i), str(std::string(why)));
    facts.replicas = mapped.replicas;
    facts.groups = mapped.groups();
    facts.arrays = mapped.replicas * mapped.partition.crossbars();
    facts.cores = int(std::set<CoreId>(mapped.cores.begin(), mapped.cores.end()).size());
    facts.windows = plan.network->windows(mapped.partition.layer);
    facts.phases = layer.matrix()->window.phases();
    facts.rows = mapped.partition.h;
    facts.columns = mapped.partition.w;
    return facts;
}

QString limitText(CrossbarLimit limit) {
    switch (limit) {
    case CrossbarLimit::Wait:
        return ChipFactsWords::tr("waiting for other cores or the host");
    case CrossbarLimit::Arrays:
        return ChipFactsWords::tr("products of its arrays");
    case CrossbarLimit::Vector:
        return ChipFactsWords::tr("vector work");
    case CrossbarLimit::Local:
        return ChipFactsWords::tr("copies in its memory");
    case CrossbarLimit::Memory:
        return ChipFactsWords::tr("loads and stores");
    case CrossbarLimit::Network:
        return ChipFactsWords::tr("transfers");
    case CrossbarLimit::Idle:
    case CrossbarLimit::Count_:
        break;
    }
    return {};
}

void addTimes(ChipFacts& facts, const CrossbarPlan& plan) {
    const CrossbarProfile& profile = *plan.profile;
    facts.sampleNs = plan.sampleNs();
    for (std::size_t core = 0; core < std::min(facts.cores.size(), profile.cores.size()); ++core) {
        const CoreProfile& times = profile.cores[core];
        ChipCore& shown = facts.cores[core];
        const auto spent = [&](CrossbarLimit limit) { return times.spentNs[std::size_t(limit)]; };
        shown.busyNs = times.issueNs;
        shown.waitNs = spent(CrossbarLimit::Wait);
        shown.memoryBytes = double(times.localBytes);
        shown.trafficBytes = double(times.movedBytes);
        shown.limit = limitText(times.limit());
    }
    for (std::size_t entry = 0; entry < facts.layers.size(); ++entry)
        if (const std::size_t layer = plan.mapping.layers[entry].partition.layer.index();
            layer < profile.layers.size())
            facts.layers[entry].arrayNs =
                double(profile.layers[layer].products) * plan.chip.mvmNs /
                std::max(1, facts.layers[entry].replicas * facts.layers[entry].groups);
    const double used = plan.arrays() > 0 ? double(plan.usedArrays()) / plan.arrays() : 0;
    const int stages = plan.schedule->stages();
    facts.headline = facts.isHighThroughput
                         ? ChipFactsWords::tr("<b>%1 samples/s</b> · one every %2 · the first after %3 (%4)")
                               .arg(str(exactText(std::int64_t(profile.samplesPerSecond()))),
                                    str(timeText(profile.periodNs)), str(timeText(profile.firstBatchNs)),
                                    stages == 1 ? ChipFactsWords::tr("1 stage")
                                                : ChipFactsWords::tr("%1 stages").arg(stages))
                         : ChipFactsWords::tr("<b>%1</b> a sample").arg(str(timeText(profile.latencyNs)));
    if (std::ranges::any_of(plan.network->layers,
                            [](const CrossbarLayer& layer) { return layer.as<HostWork>() != nullptr; }))
        facts.headline += ChipFactsWords::tr(" without the host");
    facts.headline += ChipFactsWords::tr(" · %1 of the arrays in use").arg(str(percentText(used)));
    if (const auto pj = plan.energyPj())
        facts.headline += ChipFactsWords::tr(" · %1 a sample").arg(str(energyText(*pj)));
}

} // namespace

QString title(ChipMeasure measure) {
    switch (measure) {
    case ChipMeasure::Layer:
        return ChipFactsWords::tr("Layers");
    case ChipMeasure::Filled:
        return ChipFactsWords::tr("Arrays in use");
    case ChipMeasure::Busy:
        return ChipFactsWords::tr("Products at work");
    case ChipMeasure::Traffic:
        return ChipFactsWords::tr("Traffic");
    case ChipMeasure::Waiting:
        return ChipFactsWords::tr("Waiting");
    case ChipMeasure::Memory:
        return ChipFactsWords::tr("Local memory");
    case ChipMeasure::Count_:
        break;
    }
    return {};
}

double ChipFacts::value(int core, ChipMeasure measure) const {
    const ChipCore& facts = cores[std::size_t(core)];
    switch (measure) {
    case ChipMeasure::Filled:
        return facts.arrays > 0 ? double(facts.used) / facts.arrays : 0;
    case ChipMeasure::Busy:
        return sampleNs > 0 ? facts.busyNs / sampleNs : 0;
    case ChipMeasure::Waiting:
        return sampleNs > 0 ? facts.waitNs / sampleNs : 0;
    case ChipMeasure::Traffic:
        return facts.trafficBytes;
    case ChipMeasure::Memory:
        return facts.memoryBytes;
    default:
        return 0;
    }
}

double ChipFacts::largest(ChipMeasure measure) const {
    if (measure == ChipMeasure::Filled || measure == ChipMeasure::Busy || measure == ChipMeasure::Waiting)
        return 1;
    double most = measure == ChipMeasure::Memory ? localBytes : 0;
    for (std::size_t core = 0; core < cores.size(); ++core)
        most = std::max(most, value(int(core), measure));
    return most;
}

QString ChipFacts::scaleText(ChipMeasure measure) const {
    return measure == ChipMeasure::Traffic || measure == ChipMeasure::Memory
               ? str(bytesText(largest(measure)))
               : QStringLiteral("100 %");
}

QString ChipFacts::valueText(int core, ChipMeasure measure) const {
    const double figure = value(core, measure);
    return measure == ChipMeasure::Traffic || measure == ChipMeasure::Memory ? str(bytesText(figure))
                                                                             : str(percentText(figure));
}

QString ChipFacts::describe(int core) const {
    const ChipCore& facts = cores[std::size_t(core)];
    QString text = ChipFactsWords::tr("<b>Core %1</b>").arg(core);
    if (chipsX * chipsY > 1)
        text += ChipFactsWords::tr(" of chip %1").arg(core / coresPerChip());
    text += ChipFactsWords::tr("<br>%1 of %2 arrays hold weights").arg(facts.used).arg(facts.arrays);
    for (const ChipMeasure measure :
         {ChipMeasure::Busy, ChipMeasure::Waiting, ChipMeasure::Traffic, ChipMeasure::Memory})
        text += QStringLiteral("<br>%1: %2").arg(title(measure), valueText(core, measure));
    if (!facts.limit.isEmpty())
        text += ChipFactsWords::tr("<br>Most of its time: %1").arg(facts.limit);
    struct Share {
        int arrays = 0;
        std::set<int> replicas;
    };
    std::map<int, Share> shares;
    for (const ChipGroup& group : facts.groups) {
        shares[group.entry].arrays += group.arrays;
        shares[group.entry].replicas.insert(group.replica);
    }
    constexpr int kMost = 8;
    int shown = 0;
    for (const auto& [entry, share] : shares) {
        if (++shown > kMost)
            return text + ChipFactsWords::tr("<br>and %1 more layers").arg(int(shares.size()) - kMost);
        const int replicas = int(share.replicas.size());
        text += ChipFactsWords::tr("<br>%1: %2, %3")
                    .arg(layers[std::size_t(entry)].name.toHtmlEscaped(),
                         share.arrays == 1 ? ChipFactsWords::tr("1 array")
                                           : ChipFactsWords::tr("%1 arrays").arg(share.arrays),
                         replicas == 1 ? ChipFactsWords::tr("1 replica")
                                       : ChipFactsWords::tr("%1 replicas").arg(replicas));
    }
    return text;
}

std::vector<int> ChipFacts::coresOf(int entry) const {
    std::vector<int> found;
    for (std::size_t core = 0; core < cores.size(); ++core)
        if (std::ranges::any_of(cores[core].groups,
                                [&](const ChipGroup& group) { return group.entry == entry; }))
            found.push_back(int(core));
    return found;
}

ChipFacts chipFacts(const CrossbarPlan& plan) {
    ChipFacts facts;
    const CrossbarChip& chip = plan.chip;
    facts.chipsX = chip.chipsX;
    facts.chipsY = chip.chipsY;
    facts.coresX = chip.coresX;
    facts.coresY = chip.coresY;
    facts.localBytes = double(chip.localBytes);
    facts.isHighThroughput = plan.options.mode == CrossbarMode::HighThroughput;
    facts.history = plan.mapping.history;
    facts.tradeOffs = plan.mapping.tradeOffs;
    facts.cores.resize(std::size_t(chip.cores()));
    for (std::size_t entry = 0; entry < plan.mapping.layers.size(); ++entry) {
        facts.layers.push_back(layerFacts(plan, entry));
        const LayerMapping& layer = plan.mapping.layers[entry];
        for (const ReplicaId replica : FirstIds<ReplicaId>(layer.replicas))
            for (const GroupId group : FirstIds<GroupId>(layer.groups())) {
                ChipCore& core = facts.cores[layer.core(replica, group).index()];
                const int arrays = layer.partition.groups[group.index()].crossbars;
                core.groups.push_back({int(entry), replica.value, group.value, arrays});
                core.used += arrays;
            }
    }
    for (std::size_t core = 0; core < facts.cores.size(); ++core)
        facts.cores[core].arrays = plan.arrays(CoreId(core));
    addTimes(facts, plan);
    return facts;
}

QString movedTo(const QString& before, const ChipGroup& group, int core) {
    // Pins are read whatever the layer's groups are: places are numbers of their own here.
    constexpr int kMostGroups = 1 << 20;
    auto pins = coresFromText(before.toStdString(), kMostGroups).value_or(std::vector<PinnedGroup>());
    const int position = group.replica * kMostGroups + group.group;
    std::erase_if(pins, [&](const PinnedGroup& pin) { return pin.position == position; });
    pins.push_back({position, CoreId(core)});
    return str(coresText(std::move(pins), kMostGroups));
}

} // namespace pim::views
