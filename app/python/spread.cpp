// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/spread.h"

#include "app/python/model.h"
#include "app/python/task.h"
#include "backends/host/roofline_host.h"
#include "core/compile/system_json.h"

#include <fmt/format.h>

namespace pim::python {
namespace {

namespace py = pybind11;

struct SpreadQuestion {
    std::string system, dtype;
    std::map<std::string, std::string> placed; ///< Op -> device.
    bool simulates = true, dividesOps = true, thorough = false;
    double gapPercent = 1;
};

Result<std::string> spread(const Model& model, const SpreadQuestion& question, const TaskContext& task) {
    if (!(question.gapPercent >= 0 && question.gapPercent <= 100))
        return fail(ErrorCode::Usage, fmt::format("{} is no gap", question.gapPercent), "gap",
                    "give per cent, from 0 to 100");
    SystemSetup setup;
    setup.graph = model.graph;
    PIM_TRY(setup.system, findSystem(question.system, TargetCatalog::load()));
    PIM_TRY(setup.options, compileOptions({{"dtype", question.dtype}}, {}));
    setup.simulates = question.simulates;
    setup.dividesOps = question.dividesOps;
    setup.thorough = question.thorough;
    setup.gapAtMost = question.gapPercent / 100;
    for (const auto& [name, device] : question.placed)
        setup.overrides.set({name, std::string(kDeviceField) + setup.system.id, device});
    PIM_TRY(const SystemPlan plan, planSystem(backends(), RooflineHost(), setup, task));
    std::optional<SystemSimulation> simulation;
    if (question.simulates) {
        PIM_TRY(simulation, simulateSystem(backends(), plan, task));
    }
    return systemJson(plan, simulation);
}

} // namespace

void bindSpread(py::module_& module) {
    module.def("systems", &systemIds);
    module.def("spread", [](const Model& model, std::string system, std::string dtype,
                            std::map<std::string, std::string> placed, bool simulates, bool dividesOps,
                            bool thorough, double gapPercent, const py::object& progress) {
        const SpreadQuestion question{std::move(system), std::move(dtype), std::move(placed), simulates,
                                      dividesOps,        thorough,         gapPercent};
        return run(progress, [&](const TaskContext& task) { return spread(model, question, task); });
    });
}

} // namespace pim::python
