// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/which.h"

#include "app/python/model.h"
#include "app/python/task.h"
#include "backends/host/roofline_host.h"
#include "core/base/number_text.h"
#include "core/compile/accuracy.h"
#include "core/compile/which_json.h"

#include <fmt/format.h>

namespace pim::python {
namespace {

namespace py = pybind11;

struct WhichQuestion {
    std::vector<std::string> targets, kinds;
    std::string host, by, dtype, data;
    bool simulates = true, hosts = true, thorough = false;
    std::int64_t samples = 0;
    double leastAccuracy = 0; ///< Percent.
};

Result<WhichBy> orderOf(const std::string& text) {
    if (const auto by = whichByFromName(text))
        return *by;
    return fail(ErrorCode::Usage, fmt::format("\"{}\" is no order of machines", text), "by",
                "write request, stream or first");
}

/// What is asked of samples; with the graph for the sizes that they say.
Result<void> takeAccuracy(WhichSetup& setup, const Model& model, const WhichQuestion& question,
                          const TaskContext& task) {
    if (question.data.empty()) {
        if (question.leastAccuracy > 0)
            return fail(ErrorCode::Usage, "nothing says how right a machine is", "least_accuracy",
                        "give samples with data");
        return {};
    }
    if (question.samples < 0)
        return fail(ErrorCode::Usage, fmt::format("{} samples cannot be taken", question.samples), "samples",
                    "give 1 or more, or 0 for all");
    if (!(question.leastAccuracy >= 0 && question.leastAccuracy <= 100))
        return fail(ErrorCode::Usage, fmt::format("{} is no share", question.leastAccuracy), "least_accuracy",
                    "give per cent, from 0 to 100");
    PIM_TRY(AccuracyQuestion asked, askAccuracy(model.path, question.data, question.samples, task));
    setup.accuracy = std::move(asked.ofPlans);
    setup.ofHosts = std::move(asked.ofHosts);
    setup.leastAccuracy = question.leastAccuracy / 100;
    GraphOptions options = model.options;
    for (const auto& [symbol, size] : asked.bindings)
        options.bindings[symbol] = size;
    if (options.bindings != model.options.bindings) {
        PIM_TRY(setup.graph, loadGraph(model.path, options, task));
    }
    return {};
}

Result<std::string> askAll(const Model& model, const WhichQuestion& question,
                           const std::function<void(std::string)>& tell, const TaskContext& task) {
    PIM_TRY(const WhichBy by, orderOf(question.by));
    WhichSetup setup;
    setup.graph = model.graph;
    const TargetCatalog catalog = TargetCatalog::load();
    std::vector<std::string> ids = question.targets;
    for (const std::string& kind : question.kinds) {
        PIM_TRY(const auto ofKind, machinesOfKind(backends(), catalog, kind));
        ids.insert(ids.end(), ofKind.begin(), ofKind.end());
    }
    PIM_CHECK(takeMachines(setup, catalog, ids, question.host));
    if (!question.hosts)
        setup.hosts.clear();
    PIM_TRY(setup.options, compileOptions({{"dtype", question.dtype}}, {}));
    setup.simulates = question.simulates;
    setup.thorough = question.thorough;
    PIM_CHECK(takeAccuracy(setup, model, question, task));
    PIM_TRY(const auto rows, which(
                                 backends(), RooflineHost(), setup,
                                 [&](const WhichRow& row) { tell(whichRowJson(row)); }, task));
    return whichJson(rows, by);
}

} // namespace

void bindWhich(py::module_& module) {
    module.def("time_text", &timeText);
    module.def("energy_text", &energyText);
    module.def("which", [](const Model& model, std::vector<std::string> targets,
                           std::vector<std::string> kinds, std::string host, std::string by,
                           std::string dtype, bool simulates, bool hosts, bool thorough, std::string data,
                           std::int64_t samples, double leastAccuracy, const py::object& told,
                           const py::object& progress) {
        const WhichQuestion question{std::move(targets), std::move(kinds), std::move(host), std::move(by),
                                     std::move(dtype),   std::move(data),  simulates,       hosts,
                                     thorough,           samples,          leastAccuracy};
        return runTelling(progress, told, [&](const TaskContext& task, const auto& tell) {
            return askAll(model, question, tell, task);
        });
    });
}

} // namespace pim::python
