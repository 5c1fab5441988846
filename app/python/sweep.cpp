// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/sweep.h"

#include "app/python/task.h"
#include "core/compile/override_fit.h"
#include "core/compile/search/confirm.h"
#include "core/compile/sweep_json.h"
#include "core/project/ranking_choice.h"

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

Result<Swept> sweepNow(const Model& model, const SweepQuestion& question, const Tell& tell,
                       const TaskContext& task) {
    PIM_TRY(const SweepSetup setup, sweepSetup(model, question, task));
    Swept swept{{}, setup.axes, {}, question.front};
    const std::vector<SweepAxis> varied = variedAxes(swept.axes);
    const auto told = [&](const SweepPoint& point) -> Result<void> {
        tell(sweepPointJson(varied, point));
        return {};
    };
    if (question.search) {
        PIM_TRY(SweepSearch found,
                searchSweep(backends(), setup, *question.search, question.front, told, task));
        swept.points = std::move(found.points);
        swept.objectives = std::move(found.objectives);
    } else {
        PIM_CHECK(sweep(
            backends(), setup, {},
            [&](SweepPoint point) -> Result<void> {
                PIM_CHECK(told(point));
                swept.points.push_back(std::move(point));
                return {};
            },
            task));
    }
    if (!question.margin)
        return swept;
    if (swept.objectives.empty())
        swept.objectives = markSweep(varied, swept.points).objectives;
    PIM_TRY(ConfirmedSweep confirmed, confirmFront(backends(), setup, std::move(swept.points),
                                                   swept.objectives, *question.margin, told, task));
    swept.points = std::move(confirmed.points);
    swept.objectives = std::move(confirmed.objectives);
    return swept;
}

} // namespace

std::string Swept::json() const {
    const std::vector<SweepAxis> columns = variedAxes(axes);
    return sweepJson(columns, points, markSweep(columns, points, objectives));
}

Result<std::optional<double>> marginFrom(std::optional<double> percent) {
    constexpr double kMost = 90;
    if (percent && !(*percent >= 0 && *percent <= kMost))
        return fail(ErrorCode::Usage, fmt::format("{} % is no margin", *percent), "confirm",
                    fmt::format("give a number from 0 to {}", kMost));
    return percent ? std::optional(*percent / 100) : std::nullopt;
}

SweepQuestion sweepQuestion(std::string over, std::string target, std::string host, Words options,
                            std::string overrides, std::vector<std::string> front, const std::string& method,
                            std::int64_t evaluations, std::uint64_t seed, std::optional<double> confirm) {
    SweepQuestion question{std::move(over),
                           std::move(target),
                           std::move(host),
                           std::move(options),
                           std::move(overrides),
                           std::move(front),
                           {},
                           {}};
    if (!method.empty())
        question.search = valueOf(searchOptions(method, evaluations, seed));
    question.margin = valueOf(marginFrom(confirm));
    return question;
}

Result<SweepSetup> sweepSetup(const Model& model, const SweepQuestion& question, const TaskContext& task) {
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
    if (question.search && question.search->method != SearchMethod::Exhaustive)
        setup.mostPoints = kMostSearched;
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
    PIM_CHECK(rankDrafts(question.options, targetsOf(setup), setup.request.options));
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
    module.def("sweep", [](const Model& model, const std::string& over, const std::string& target,
                           const std::string& host, const Words& options, const std::string& overrides,
                           const std::vector<std::string>& front, const std::string& method,
                           std::int64_t evaluations, std::uint64_t seed, std::optional<double> confirm,
                           const py::object& told, const py::object& progress) {
        const SweepQuestion question =
            sweepQuestion(over, target, host, options, overrides, front, method, evaluations, seed, confirm);
        return runTelling(progress, told, [&](const TaskContext& task, const Tell& tell) {
            return sweepNow(model, question, tell, task);
        });
    });
}

} // namespace pim::python
