// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/stage_groups.h"

#include "backends/crossbar/compat.h"
#include "backends/crossbar/program_time.h"
#include "backends/crossbar/schedule/round_times.h"
#include "backends/crossbar/schedule/row_engine.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace pim {
namespace {

constexpr int kMostTried[] = {4, 3, 2}; ///< Layers a stage that automatic stages begin with.
constexpr int kMostTries = 8;           ///< Programs made from each.

using MakeProgram = std::function<Result<CrossbarSchedule>(const StageGrouping&)>;

class StageChooser {
public:
    StageChooser(const StageRequest& request, const TaskContext& task, const MakeProgram& make)
        : m_network(request.network), m_chip(request.chip), m_mapping(request.mapping),
          m_stages(request.stages), m_rules(request.rules), m_task(task), m_make(make),
          m_roundNs(request.stages.roundNs) {}

    Result<CrossbarSchedule> run() {
        if (m_stages.layersAStage != kAutomaticStages && m_roundNs > 0) {
            PIM_TRY(auto made, makeFixed());
            return made ? std::move(*made) : m_make({});
        }
        PIM_TRY(CrossbarSchedule single, m_make({}));
        PIM_TRY(m_roundNs, periodNs(single));
        if (m_stages.layersAStage != kAutomaticStages) {
            PIM_TRY(auto made, makeFixed());
            return made ? std::move(*made) : std::move(single);
        }
        std::optional<CrossbarSchedule> best;
        for (const int most : kMostTried) {
            // Half of a round for each is what two layers have that need each other's whole maps.
            PIM_TRY(auto made,
                    inTime(planned({.most = most, .roundNs = m_roundNs, .least = 0.5, .latest = 1}),
                           (best ? *best : single).stages()));
            if (made)
                best = std::move(*made);
        }
        return best ? std::move(*best) : std::move(single);
    }

    StagePreview preview(double mostTwice) {
        if (m_roundNs <= 0)
            m_roundNs = m_chip.mvmNs; // any will do: without StageGrouping::latest it decides nothing
        const StageGrouping grouping = planned(asked());
        RowEngine engine(m_network, m_chip, m_mapping,
                         {.memoryShare = memoryShareOf(m_chip, CrossbarMode::HighThroughput),
                          .ringShare = ringShareOf(CrossbarMode::HighThroughput),
                          .mostTwice = mostTwice,
                          .rules = m_rules,
                          .grouping = grouping});
        return {waitingOf(grouping), engine.roundBoundNs()};
    }

private:
    TaskContext quiet() const { return {.stop = m_task.stop, .onProgress = {}}; }
    Result<double> periodNs(const CrossbarSchedule& schedule) const {
        return programNs(schedule.program, m_chip, CrossbarMode::HighThroughput, m_rules, {}, quiet());
    }
    StageGrouping asked() const {
        const bool named = !m_stages.waiting.empty(); // then no rule decides
        StageGrouping rule{.most = named ? kAnyLayersAStage : m_stages.layersAStage, .roundNs = m_roundNs};
        rule.apart.assign(m_network.layers.size(), named);
        for (const LayerId layer : m_stages.waiting)
            rule.apart[layer.index()] = false;
        return rule;
    }
    Result<std::optional<CrossbarSchedule>> makeFixed() const {
        StageGrouping grouping = planned(asked());
        return makeWhatFits(grouping);
    }

    /// Splits stages whose layers end late, until the round is short enough. None: then there are no fewer
    /// stages than \p stages.
    Result<std::optional<CrossbarSchedule>> inTime(StageGrouping grouping, int stages) const {
        const double longestNs = m_roundNs * kLongerRound;
        for (int tries = 0; tries < kMostTries; ++tries) {
            if (std::ranges::max(tasksOf(grouping).stage) >= stages)
                break;
            PIM_TRY(auto made, makeWhatFits(grouping));
            if (!made || made->stages() >= stages)
                break;
            PIM_TRY(const CrossbarProfile profile, profileCrossbar(made->program, m_chip, {}, quiet()));
            double madeNs = profile.periodNs;
            if (m_rules != CrossbarReferee::Profiler) {
                PIM_TRY(madeNs, periodNs(*made));
            }
            if (madeNs <= longestNs)
                return made;
            // Those that end last make others late. Only the profiler tells layers apart; by other rules they
            // end at the same part of the round, about.
            const double latest = (longestNs / madeNs + 1) / 2;
            std::vector<bool> late;
            for (const LayerProfile& layer : profile.layers)
                late.push_back(layer.lastNs > latest * profile.periodNs);
            late.resize(m_network.layers.size(), false);
            if (!split(grouping, late))
                break;
        }
        return std::optional<CrossbarSchedule>();
    }

    /// Cuts every group with a late layer in two; if none has one, the largest one that has a core of a late
    /// layer. \returns was there anything to cut?
    bool split(StageGrouping& grouping, const std::vector<bool>& late) const {
        const CrossbarTasks tasks = tasksOf(grouping);
        std::set<CoreId> lateCores;
        for (const LayerId layer : FirstIds<LayerId>(std::ssize(late)))
            if (late[layer.index()])
                lateCores.merge(coresOf(tasks, layer));
        const std::vector<LayerId>* largest = nullptr;
        bool any = false;
        const std::vector<std::vector<LayerId>> groups = handingGroups(m_network, tasks);
        for (const std::vector<LayerId>& group : groups) {
            if (std::ranges::any_of(group, [&](LayerId layer) { return late[layer.index()]; })) {
                any = cut(grouping, group) || any;
            } else if ((!largest || group.size() > largest->size()) &&
                       std::ranges::any_of(group, [&](LayerId layer) {
                           return std::ranges::any_of(coresOf(tasks, layer),
                                                      [&](CoreId core) { return lateCores.contains(core); });
                       })) {
                largest = &group;
            }
        }
        if (!any && (!largest || !cut(grouping, *largest)))
            return false;
        grouping =
            planned({.most = kAnyLayersAStage, .roundNs = m_roundNs, .apart = std::move(grouping.apart)});
        return true;
    }
    /// The middle one of the layers that wait for others begins a stage.
    static bool cut(StageGrouping& grouping, const std::vector<LayerId>& group) {
        std::vector<LayerId> waiting;
        for (const LayerId layer : group)
            if (!grouping.apart[layer.index()])
                waiting.push_back(layer);
        if (!waiting.empty())
            grouping.apart[waiting[waiting.size() / 2].index()] = true;
        return !waiting.empty();
    }
    static std::set<CoreId> coresOf(const CrossbarTasks& tasks, LayerId layer) {
        std::set<CoreId> cores;
        for (const TaskShare& share : tasks.shares[layer.index()]) {
            cores.insert(share.core);
            for (const TaskMember& member : share.members)
                cores.insert(member.core);
        }
        return cores;
    }

    /// The layers that share a stage by a rule; the others are dealt out as they are without it.
    StageGrouping planned(const StageGrouping& rule) const {
        const CrossbarTasks tasks = tasksOf(rule);
        StageGrouping grouping{.most = kAnyLayersAStage, .roundNs = rule.roundNs};
        const std::size_t layers = m_network.layers.size();
        grouping.apart.assign(layers, true);
        grouping.tiles.assign(layers, true);
        for (std::size_t reader = 0; reader < layers; ++reader)
            for (const LayerId input : m_network.layers[reader].inputs)
                for (const PixelSource& source : tasks.sources[input.index()]) {
                    const std::size_t from = source.layer.index();
                    if (!tasks.together(LayerId(reader), source.layer))
                        continue;
                    if (tasks.fusedWith[reader] != source.layer)
                        grouping.apart[reader] = false;
                    if (!tasks.times[reader].empty())
                        grouping.tiles[reader] = grouping.tiles[from] = false;
                }
        return grouping;
    }
    CrossbarTasks tasksOf(const StageGrouping& grouping) const {
        return dealOutTasks(m_network, m_chip, m_mapping, true, 1.3, grouping);
    }

    static std::vector<LayerId> waitingOf(const StageGrouping& grouping) {
        std::vector<LayerId> waiting;
        for (std::size_t layer = 0; layer < grouping.apart.size(); ++layer)
            if (!grouping.apart[layer])
                waiting.push_back(LayerId(layer));
        return waiting;
    }
    /// Layers that wait for each other, the first of them too; what takes results at once aside.
    int longestChain(const StageGrouping& grouping) const {
        const CrossbarTasks tasks = tasksOf(grouping);
        std::vector<int> chain(m_network.layers.size(), 1);
        for (std::size_t layer = 0; layer < chain.size(); ++layer) {
            for (const LayerId input : m_network.layers[layer].inputs)
                if (tasks.stage[input.index()] == tasks.stage[layer])
                    chain[layer] = std::max(chain[layer], chain[input.index()]);
            chain[layer] += !grouping.apart[layer] && !tasks.fusedWith[layer].valid() ? 1 : 0;
        }
        return chain.empty() ? 1 : std::ranges::max(chain);
    }

    /// None: memories have no room for any two layers of a stage.
    Result<std::optional<CrossbarSchedule>> makeWhatFits(StageGrouping& grouping) const {
        std::vector<LayerId> apart;
        for (int tries = 0; tries < kMostTries; ++tries) {
            auto made = m_make(grouping);
            if (made) {
                made->apart = std::move(apart);
                made->waiting = waitingOf(grouping);
                made->layersAStage = longestChain(grouping);
                return std::optional(std::move(*made));
            }
            if (made.error().code != ErrorCode::InvalidTarget)
                return tl::unexpected(made.error());
            const std::vector<LayerId> found = inTheWay(made.error().where, grouping);
            if (found.empty())
                break;
            for (const LayerId layer : found) {
                grouping.apart[layer.index()] = true;
                apart.push_back(layer);
            }
            grouping =
                planned({.most = kAnyLayersAStage, .roundNs = m_roundNs, .apart = std::move(grouping.apart)});
        }
        return std::optional<CrossbarSchedule>();
    }

    /// Layers that wait for others in the stage of the layer that found no room, given by its name; if there
    /// are none, those that do so in its cores.
    std::vector<LayerId> inTheWay(const std::string& name, const StageGrouping& grouping) const {
        const auto at = std::ranges::find(m_network.layers, name, &CrossbarLayer::name);
        if (at == m_network.layers.end())
            return {};
        const LayerId full(at - m_network.layers.begin());
        const CrossbarTasks tasks = tasksOf(grouping);
        const std::set<CoreId> cores = coresOf(tasks, full);
        std::vector<LayerId> sameStage, sameCores;
        for (const LayerId reader : FirstIds<LayerId>(std::ssize(m_network.layers))) {
            const bool waits = std::ranges::any_of(m_network.at(reader).inputs, [&](LayerId input) {
                return tasks.together(reader, input) && tasks.fusedWith[reader.index()] != input;
            });
            if (!waits || grouping.apart[reader.index()])
                continue;
            if (tasks.stage[reader.index()] == tasks.stage[full.index()])
                sameStage.push_back(reader);
            if (std::ranges::any_of(tasks.shares[reader.index()],
                                    [&](const TaskShare& share) { return cores.contains(share.core); }))
                sameCores.push_back(reader);
        }
        return sameStage.empty() ? sameCores : sameStage;
    }

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const CrossbarMapping& m_mapping;
    const MappedStages& m_stages;
    CrossbarReferee m_rules;
    const TaskContext& m_task;
    const MakeProgram& m_make;
    double m_roundNs; ///< With a stage for every layer; 0: not known yet.
};

} // namespace

Result<CrossbarSchedule> scheduleInStages(const StageRequest& request, const TaskContext& task,
                                          const MakeProgram& make) {
    return StageChooser(request, task, make).run();
}

StagePreview previewStages(const StageRequest& request, double mostTwice) {
    const CrossbarChip chip = chipOfReferee(request.chip, request.rules);
    return StageChooser({request.network, chip, request.mapping, request.stages, request.rules}, {}, {})
        .preview(mostTwice);
}

} // namespace pim
