// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A request to a language model from its prompt to its last token: one run of the prefill graph, then one of
/// the decode graph for each further token, with caches that grow. Flow: two models + sizes + PlanRequest ->
/// [timeRequest] -> times, energy, parts.
///
/// The prefill makes the first token. Of the tokensOut - 1 steps after it, only some lengths are compiled and
/// simulated; in between every figure is a line, because the work of a step grows with its caches alone. How
/// far that may be off is estimated from leaving out every other length.
#include "core/graph/import.h"
#include "core/plan/backend.h"

namespace pim {

/// The graphs of a model, as exporters write them: open dimensions for the batch and for what grows.
struct RequestModel {
    std::shared_ptr<const ImportedModel> decode;             ///< One token, caches of `past` tokens.
    std::shared_ptr<const ImportedModel> prefill;            ///< Null: the prompt is not counted.
    std::string batch = "batch", past = "past", seq = "seq"; ///< Names of the open dimensions.
};

struct RequestSize {
    std::int64_t batch = 1;
    std::int64_t tokensIn = 128;
    std::int64_t tokensOut = 128; ///< The first is the prefill's.
    std::int64_t steps() const { return tokensOut - 1; }
};

struct RequestOptions {
    bool simulate = true;     ///< Else the prediction counts.
    std::int64_t lengths = 9; ///< Of the caches, at which a step is compiled; at least 2.
    PlanCache* cache =
        nullptr; ///< Searches of ops that do not change with length are done once; null: for this request.
};

/// One run of a graph, or many added up.
struct RequestPhase {
    CostSplit cost;
    double hostOnlyNs = 0;
    std::optional<double> energyPj;       ///< As Simulation::energyPj, 0 without PIM; absent where it was not
                                          ///< simulated or there are no figures.
    std::map<std::string, double> byOpNs; ///< "Attention on PIM"; adds up to cost.totalNs().
    void add(const RequestPhase& other, double times);
};

struct RequestTime {
    RequestSize size;
    RequestPhase prefill; ///< Zero without a prefill graph.
    RequestPhase steps;   ///< All of them.
    std::vector<std::pair<std::int64_t, RequestPhase>>
        lengths;      ///< Tokens in the caches of a step that was compiled, the step.
    double offBy = 0; ///< Share of the time of the steps that the lines may be off.
    Origin origin = Origin::Predicted;
    std::string energyNote; ///< What the energy leaves out.
    Diagnostics problems;   ///< Of the plan of the longest step and of the prefill.

    double totalNs() const { return prefill.cost.totalNs() + steps.cost.totalNs(); }
    double hostOnlyNs() const { return prefill.hostOnlyNs + steps.hostOnlyNs; }
    std::optional<double> energyPj() const;
    double stepNs() const {
        return size.steps() > 0 ? steps.cost.totalNs() / static_cast<double>(size.steps()) : 0;
    }
};

/// \param request its graph is not used. Errors: Usage (sizes below 1, a dimension the graphs do not have), what compiling and simulating
/// return, Cancelled.
Result<RequestTime> timeRequest(const BackendList& backends, const RequestModel& model,
                                const RequestSize& size, const PlanRequest& request,
                                const RequestOptions& options = {}, const TaskContext& task = {});

} // namespace pim
