// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/sweep.h"

#include "app/python/task.h"
#include "core/compile/override_fit.h"
#include "core/compile/search/sweep_search.h"
#include "core/compile/sweep_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::python {
namespace {

namespace py = pybind11;
using Tell = std::function<void(std::string)>;

constexpr std::int64_t kMostEvaluations = 1'000'000;

Result<SearchOptions> searchOptions(const std::string& method, std::int64_t evaluations, std::uint64_t seed) {
    const auto known = searchMethod(method);
    if (!known)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no search", method), "search",
                    "write nsga2, random or exhaustive");
    if (evaluations < 1 || evaluations > kMostEvaluations)
        return fail(ErrorCode::Usage, fmt::format("{} points cannot be computed", evaluations), "evaluations",
                    fmt::format("give a number from 1 to {}", kMostEvaluations));
    return SearchOptions{*known, evaluations, seed};
}

Result<Swept> sweepAll(const Model& model, const SweepQuestion& question, const Tell& tell,
                       const TaskContext& task) {
    PIM_TRY(const SweepSetup setup, sweepSetup(model, question, {}, task));
    Swept swept{{}, setup.axes, {}, question.front};
    const std::vector<SweepAxis> varied = variedAxes(swept.axes);
    PIM_CHECK(sweep(
        backends(), setup, {},
        [&](SweepPoint point) -> Result<void> {
            tell(sweepPointJson(varied, point));
            swept.points.push_back(std::move(point));
            return {};
        },
        task));
    return swept;
}

Result<Swept> search(const Model& model, const SweepQuestion& question, const SearchOptions& options,
                     const Tell& tell, const TaskContext& task) {
    const bool computesAll = options.method == SearchMethod::Exhaustive;
    PIM_TRY(const SweepSetup setup,
            sweepSetup(model, question, computesAll ? std::nullopt : std::optional(kMostSearched), task));
    Swept swept{{}, setup.axes, {}, {}};
    const std::vector<SweepAxis> varied = variedAxes(swept.axes);
    PIM_TRY(SweepSearch found, searchSweep(
                                   backends(), setup, options, question.front,
                                   [&](const SweepPoint& point) -> Result<void> {
                                       tell(sweepPointJson(varied, point));
                                       return {};
                                   },
                                   task));
    swept.points = std::move(found.points);
    swept.objectives = std::move(found.objectives);
    return swept;
}

} // namespace

std::string Swept::json() const {
    const std::vector<SweepAxis> columns = variedAxes(axes);
    return sweepJson(columns, points, markSweep(columns, points, objectives));
}

Result<SweepSetup> sweepSetup(const Model& model, const SweepQuestion& question,
                              std::optional<std::int64_t> mostPoints, const TaskContext& task) {
    SweepSetup setup;
    PIM_TRY(setup.axes, parseSweep(question.over));
    const bool variesModel = hasAxis(setup.axes, kModelAxis);
    if (!variesModel && model.path.empty())
        return fail(ErrorCode::Usage, "no model was given", "model",
                    "give one, or sweep over several: model=A,B");
    if (!hasAxis(setup.axes, "target") || !question.target.empty()) {
        PIM_TRY(setup.request.target, targetOf(model, question.target, question.host));
    }
    PIM_TRY(setup.request.options,
            compileOptions(question.options,
                           setup.request.target ? std::string_view(setup.request.target->backend) : ""));
    if (mostPoints)
        setup.mostPoints = *mostPoints;
    if (!question.overrides.empty()) {
        PIM_TRY(const Overrides all, Overrides::fromJson(question.overrides, {}));
        setup.request.overrides = decisionsForOneMachine(all);
    }
    setup.graph = model.options;
    if (!variesModel) {
        PIM_TRY(setup.model, importModel(model.path, task));
    } else if (!model.path.empty()) {
        setup.graph.bindings.clear(); // they are that model's
    }
    PIM_CHECK(prepareSweep(backends(), setup, TargetCatalog::load(), question.host, task));
    return setup;
}

void bindSweep(py::module_& module) {
    py::class_<Swept>(module, "Swept")
        .def_readonly("name", &Swept::name)
        .def("json", &Swept::json)
        .def_property_readonly("over", [](const Swept& swept) { return sweepText(swept.axes); })
        .def_property_readonly("size", [](const Swept& swept) { return sweepSize(swept.axes); })
        .def_property_readonly("axes",
                               [](const Swept& swept) {
                                   std::vector<std::string> names;
                                   for (const SweepAxis& axis : variedAxes(swept.axes))
                                       names.push_back(axis.name);
                                   return names;
                               })
        .def_property_readonly("objectives", [](const Swept& swept) {
            return markSweep(variedAxes(swept.axes), swept.points, swept.objectives).objectives;
        });
    module.def("sweep",
               [](const Model& model, const std::string& over, const std::string& target,
                  const std::string& host, const Words& options, const std::string& overrides,
                  const std::vector<std::string>& front, const py::object& told, const py::object& progress) {
                   const SweepQuestion question{over, target, host, options, overrides, front};
                   return runTelling(progress, told, [&](const TaskContext& task, const Tell& tell) {
                       return sweepAll(model, question, tell, task);
                   });
               });
    module.def("search",
               [](const Model& model, const std::string& over, const std::string& target,
                  const std::string& host, const Words& options, const std::string& overrides,
                  const std::vector<std::string>& front, const std::string& method, std::int64_t evaluations,
                  std::uint64_t seed, const py::object& told, const py::object& progress) {
                   const SweepQuestion question{over, target, host, options, overrides, front};
                   const SearchOptions how = valueOf(searchOptions(method, evaluations, seed));
                   return runTelling(progress, told, [&](const TaskContext& task, const Tell& tell) {
                       return search(model, question, how, tell, task);
                   });
               });
}

} // namespace pim::python
