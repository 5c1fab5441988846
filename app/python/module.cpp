// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The compiler as the Python module pimstudio._core: handles on what core and backends make, and calls of the functions that
/// `pimc` calls. What Python users see, with types, is the package around it (pimstudio/__init__.py).
#include "app/python/kernel.h"
#include "app/python/lut.h"
#include "app/python/model.h"
#include "app/python/numbers.h"
#include "app/python/project.h"
#include "app/python/spread.h"
#include "app/python/sweep.h"
#include "app/python/which.h"
#include "backends/builtin.h"
#include "core/base/jobs.h"
#include "core/base/version.h"
#include "core/compile/compiler.h"
#include "core/compile/option_words.h"
#include "core/compile/override_fit.h"
#include "core/compile/run_limits.h"
#include "core/compile/simulation_json.h"
#include "core/drafts/draft_choice.h"
#include "core/graph/import.h"
#include "core/graph/zoo/samples.h"
#include "core/hardware/catalog.h"
#include "core/plan/command_facet.h"
#include "core/plan/draft_facet.h"
#include "core/plan/number_facet.h"
#include "core/project/ranking_choice.h"
#include "core/report/charts.h"
#include "core/report/content.h"
#include "core/report/graph_picture.h"
#include "core/report/html_writer.h"
#include "core/report/timeline_picture.h"

#include <fmt/format.h>

namespace pim::python {
namespace py = pybind11;

namespace {

constexpr std::string_view kRankingWord = "predictor";

} // namespace

const BackendList& backends() {
    static const BackendList list = builtinBackends();
    return list;
}

const Backend& Compiled::backend() const {
    return *valueOf(backends().find(plan().target->backend));
}

Result<std::shared_ptr<const Target>> targetOf(const Model& model, const std::string& wanted,
                                               const std::string& host) {
    const std::string& id = wanted.empty() ? model.target : wanted;
    if (id.empty())
        return fail(ErrorCode::Usage, "no target was given", "target",
                    "pimstudio.targets() lists what there is");
    Diagnostics ignored; // of files that are not this target's
    return TargetCatalog::findOne(id, host, {}, ignored);
}

Result<CompileOptions> compileOptions(const Words& words, std::string_view backend) {
    CompileOptions options;
    options.verifyDrafts = kVerifiedDrafts;
    for (const auto& [name, value] : words)
        if (name != kRankingWord)
            PIM_CHECK(setCompileOption(backends(), options, name, value, backend));
    return options;
}

Result<void> rankDrafts(const Words& words, std::span<const std::shared_ptr<const Target>> targets,
                        CompileOptions& options) {
    std::string choice(kAutomaticRanking);
    for (const auto& [name, value] : words)
        if (name == kRankingWord)
            choice = value;
    Diagnostics problems;
    PIM_CHECK(rankDraftsBy(choice, targets, options, problems));
    if (problems.empty())
        return {};
    const Diagnostic& first = problems.front();
    return fail(ErrorCode::Usage, first.message, first.object, first.hint);
}

namespace {

struct Simulated {
    std::shared_ptr<const Simulation> simulation;
    std::shared_ptr<const Plan> plan;
};

std::vector<std::string> textsOf(const Diagnostics& problems) {
    std::vector<std::string> texts;
    for (const Diagnostic& problem : problems)
        texts.push_back(fmt::format("{}{}{}{}", problem.object, problem.object.empty() ? "" : ": ",
                                    problem.message, problem.hint.empty() ? "" : ". " + problem.hint));
    return texts;
}

Model load(const std::string& name, const std::map<std::string, std::int64_t>& bind,
           const std::vector<std::string>& passOptions, const std::set<std::string>& withoutPasses,
           const py::object& progress) {
    return run(progress, [&](const TaskContext& task) -> Result<Model> {
        PIM_TRY(const ModelArgument argument, findModel(name));
        GraphOptions options;
        options.bindings = argument.bindings;
        for (const auto& [symbol, value] : bind)
            options.bindings[symbol] = value;
        options.disabledPasses = withoutPasses;
        for (const std::string& text : passOptions)
            PIM_CHECK(setPassOption(options, text));
        PIM_TRY(auto graph, loadGraph(argument.path, options, task));
        return Model{std::move(graph), argument.path, std::move(options), argument.target};
    });
}

Result<Compiled> compileModel(const Model& model, const std::string& target, const std::string& host,
                              const Words& words, const std::string& overrides, const TaskContext& task) {
    PlanRequest request;
    request.graph = model.graph;
    PIM_TRY(request.target, targetOf(model, target, host));
    PIM_TRY(request.options, compileOptions(words, request.target->backend));
    PIM_CHECK(rankDrafts(words, {&request.target, 1}, request.options));
    MarkedOverrides decided;
    if (!overrides.empty()) {
        PIM_TRY(decided, decisionsFromJson(overrides, {}, "overrides"));
    }
    PlanCache cache(std::make_shared<DraftTable>());
    PIM_TRY(FittedPlan fitted, compileFitting(backends(), request, decided, &cache, task));
    for (const FittedDecision& each : fitted.fit.decisions)
        if (each.fit == Fit::Stale)
            return fail(ErrorCode::IllegalOverride, each.reason,
                        fmt::format("{}/{}", each.decision.op.empty() ? "network" : each.decision.op,
                                    each.decision.field),
                        "remove the decisions that are stale");
    return Compiled{std::move(fitted), request.options};
}

std::string reportHtml(const Compiled& compiled, const Simulated* simulated) {
    ReportInput input;
    input.plan = compiled.fitted.plan;
    input.backend = &compiled.backend();
    input.options = compiled.options;
    if (simulated)
        input.simulation = simulated->simulation;
    return report::htmlText(report::reportDocument(input));
}

/// A picture of at most so many things. \param draw takes their number and a TaskContext.
template <class Draw>
std::string svgOf(std::int64_t most, Draw draw) {
    constexpr std::int64_t kMost = 10'000; // what a browser still shows
    if (most < 1 || most > kMost)
        raise({ErrorCode::Usage, fmt::format("{} cannot be drawn", most), "most",
               fmt::format("give a number from 1 to {}", kMost)});
    return run(py::none(), [&](const TaskContext& task) -> Result<std::string> {
        PIM_TRY(const report::Drawing drawing, draw(static_cast<std::size_t>(most), task));
        return report::svgText(drawing);
    });
}

OpId opOf(const Graph& graph, const std::string& name) {
    const OpId op = graph.findOp(name);
    if (!op.valid())
        raise({ErrorCode::NotFound, "the model has no such op", name, "the ops of a graph are in Graph.ops"});
    return op;
}

/// The kernel of an op on PIM.
const Kernel& kernelOf(const Compiled& compiled, const std::string& opName) {
    const OpPlan& decided = compiled.plan().opPlan(opOf(*compiled.plan().graph, opName));
    if (decided.onHost() || !decided.space)
        raise({ErrorCode::Unsupported, "does not run on PIM as a kernel of its own", opName,
               "Plan.ops tells where each op runs"});
    return decided.space->kernel();
}

/// Runs the commands of one op on numbers: arrays of its inputs by name in, of what it computes out.
std::map<std::string, Floats> execute(const Compiled& compiled, const std::string& opName,
                                      const std::map<std::string, py::array>& given,
                                      const py::object& progress) {
    const Kernel& kernel = kernelOf(compiled, opName);
    const CommandFacet* const commands = valueOf(commandsOf(compiled.backend()));
    std::vector<std::vector<float>> tensors = kernelInputs(kernel, given, opName);
    const OpId op = compiled.plan().graph->findOp(opName);
    return kernelOutputs(kernel, run(progress, [&](const TaskContext& task) {
                             return commands->execute(compiled.plan(), op, std::move(tensors), 0, task);
                         }));
}

DraftRows explore(const Compiled& compiled, const std::string& opName, const py::object& progress) {
    const OpId op = opOf(*compiled.plan().graph, opName);
    const DraftFacet* const drafts = valueOf(draftsOf(compiled.backend(), opName));
    const PlanRequest request{compiled.plan().graph, compiled.plan().target, compiled.plan().overrides,
                              compiled.options};
    return draftRows(
        *run(progress, [&](const TaskContext& task) { return drafts->explore(request, op, task); }));
}

py::dict checkNumbers(const Compiled& compiled, std::uint64_t seed, const std::vector<std::string>& ops,
                      const py::object& progress) {
    const NumberFacet* const numbers = compiled.backend().numbers();
    if (!numbers)
        raise({ErrorCode::Unsupported, "its programs do not run on numbers", compiled.plan().target->id});
    NumberOptions options;
    options.seed = seed;
    options.ops = ops;
    const NumberReport report = run(progress, [&](const TaskContext& task) {
        return numbers->checkPlan(compiled.plan(), options, task);
    });
    if (report.problem)
        raise(*report.problem);
    py::dict told;
    told["text"] = report.text;
    told["json"] = report.json;
    return told;
}

std::vector<std::tuple<std::string, std::string, std::string>> targets() {
    std::vector<std::tuple<std::string, std::string, std::string>> all;
    for (const auto& target : TargetCatalog::load().targets())
        all.emplace_back(target->id, target->backend, target->name);
    return all;
}

py::object tensorRow(const Graph& graph, TensorId id) {
    if (!id.valid())
        return py::none();
    const Tensor& tensor = graph.tensor(id);
    py::object shape = py::none();
    if (tensor.shape)
        shape = py::tuple(py::cast(*tensor.shape));
    return py::make_tuple(tensor.name, std::string(name(tensor.dtype)), shape, tensor.isConstant());
}

py::list tensorRows(const Graph& graph, const std::vector<TensorId>& ids) {
    py::list rows;
    for (const TensorId id : ids)
        rows.append(tensorRow(graph, id));
    return rows;
}

py::list opRows(const Model& model) {
    py::list rows;
    for (const Op& op : model.graph->ops) {
        py::dict row;
        row["name"] = op.name;
        row["type"] = op.type;
        row["macs"] = op.work.macs;
        row["bytes_read"] = op.work.bytesRead;
        row["bytes_written"] = op.work.bytesWritten;
        row["weight_bytes"] = op.work.weightBytes;
        row["inputs"] = tensorRows(*model.graph, op.inputs);
        row["outputs"] = tensorRows(*model.graph, op.outputs);
        rows.append(std::move(row));
    }
    return rows;
}

py::dict bindingsOf(const Model& model) {
    py::dict values;
    for (const DimBinding& binding : model.graph->bindings)
        values[py::str(binding.symbol)] = binding.value;
    return values;
}

void bindModel(py::module_& module) {
    py::class_<Model>(module, "Model")
        .def(
            py::init([](std::map<std::string, std::int64_t> bind) { // no network, but sizes for those to come
                Model none;
                none.options.bindings = std::move(bind);
                return none;
            }))
        .def_property_readonly("name", [](const Model& m) { return m.graph->name; })
        .def_property_readonly("path", [](const Model& m) { return m.graph->source.path.string(); })
        .def_property_readonly("hash", [](const Model& m) { return m.graph->source.structureHash; })
        .def_readonly("target", &Model::target)
        .def_property_readonly("problems", [](const Model& m) { return textsOf(m.graph->problems); })
        .def_property_readonly("bindings", &bindingsOf)
        .def_property_readonly("inputs", [](const Model& m) { return tensorRows(*m.graph, m.graph->inputs); })
        .def_property_readonly("outputs",
                               [](const Model& m) { return tensorRows(*m.graph, m.graph->outputs); })
        .def("ops", &opRows)
        .def("picture_svg", [](const Model& m, std::int64_t most) {
            return svgOf(most, [&](std::size_t boxes, const TaskContext& task) {
                return report::graphPicture(*m.graph, boxes, task);
            });
        });
    module.def("load", &load);
    module.def("samples", [] {
        std::vector<std::pair<std::string, std::string>> all;
        for (const Sample& sample : bundledSamples())
            all.emplace_back(sample.id, sample.title);
        return all;
    });
    module.def("targets", &targets);
}

Result<RunLimits> limitsOf(const Compiled& c, const Simulated& s, const LimitsQuestion& question,
                           const TaskContext& task) {
    const PlanRequest request{c.plan().graph, c.plan().target, c.fitted.fit.inForce(), c.options};
    return limitsOfRun(backends(), request, c.plan(), *s.simulation, question, task);
}

void bindPlan(py::module_& module) {
    py::class_<Compiled>(module, "Compiled")
        .def("json", [](const Compiled& c) { return planJson(c.plan()); })
        .def("html", [](const Compiled& c) { return reportHtml(c, nullptr); })
        .def("html", [](const Compiled& c, const Simulated& s) { return reportHtml(c, &s); })
        .def("breakdown_svg",
             [](const Compiled& c) { return report::svgText(report::totalsChart(c.plan())); })
        .def("ops_svg", [](const Compiled& c,
                           std::size_t most) { return report::svgText(report::topOpsChart(c.plan(), most)); })
        .def_property_readonly("total_ns", [](const Compiled& c) { return c.plan().total.totalNs(); })
        .def_property_readonly("host_only_ns", [](const Compiled& c) { return c.plan().hostOnlyNs; })
        .def_property_readonly("target", [](const Compiled& c) { return c.plan().target->id; })
        .def_property_readonly("parts_ns", [](const Compiled& c) { return partsNs(c.plan().total); })
        .def_property_readonly("overrides", [](const Compiled& c) { return c.plan().overrides.json(); })
        .def_property_readonly("problems", [](const Compiled& c) { return textsOf(c.plan().problems); })
        .def("simulate",
             [](const Compiled& c, const py::object& progress) {
                 return Simulated{
                     run(progress,
                         [&](const TaskContext& task) { return c.backend().simulate(c.plan(), task); }),
                     c.fitted.plan};
             })
        .def("limits",
             [](const Compiled& c, const Simulated& s, bool asksWhatHelps, bool roofline,
                const std::optional<std::pair<double, double>>& withinNs, const py::object& progress) {
                 return run(progress, [&](const TaskContext& task) -> Result<std::string> {
                     PIM_TRY(const RunLimits limits,
                             limitsOf(c, s, {asksWhatHelps, roofline, withinNs}, task));
                     return limitsJson(c.plan(), *s.simulation, limits);
                 });
             })
        .def("roofline_svg",
             [](const Compiled& c, const Simulated& s) {
                 return run(py::none(), [&](const TaskContext& task) -> Result<std::string> {
                     PIM_TRY(const RunLimits limits, limitsOf(c, s, {false, true, {}}, task));
                     return report::svgText(report::underRoofsChart(*c.plan().graph, *limits.roofline));
                 });
             })
        .def("kernel_tensors",
             [](const Compiled& c, const std::string& op) { return kernelTensors(kernelOf(c, op)); })
        .def("execute", &execute)
        .def("explore", &explore)
        .def("check_numbers", &checkNumbers)
        .def("numbers", [](const Compiled& c, const std::vector<py::list>& calibration, const Words& choices,
                           const py::object& progress) {
            return std::make_unique<Numbers>(c.backend(), c.fitted.plan, calibration, choices, progress);
        });
    py::class_<Numbers>(module, "Numbers")
        .def("run", &Numbers::run)
        .def_property_readonly("numbers", &Numbers::numbers)
        .def_property_readonly("notes", &Numbers::notes);
    module.def("compile", [](const Model& model, const std::string& target, const std::string& host,
                             const Words& options, const std::string& overrides, const py::object& progress) {
        return run(progress, [&](const TaskContext& task) {
            return compileModel(model, target, host, options, overrides, task);
        });
    });
    py::class_<Simulated>(module, "Simulated")
        .def("json", [](const Simulated& s) { return simulationJson(*s.simulation, *s.plan); })
        .def("timeline_svg",
             [](const Simulated& s, std::int64_t most) {
                 return svgOf(most, [&](std::size_t rows, const TaskContext&) {
                     return report::timelinePicture(s.simulation->timeline, rows);
                 });
             })
        .def_property_readonly("total_ns", [](const Simulated& s) { return s.simulation->totalNs; })
        .def_property_readonly("predicted_ns", [](const Simulated& s) { return s.simulation->predictedNs; })
        .def_property_readonly("energy_pj", [](const Simulated& s) { return s.simulation->energyPj; })
        .def_property_readonly("summary", [](const Simulated& s) { return s.simulation->summary; });
}

/// What the command line says of what no Result tells (app/pimc/main.cpp).
void translateExceptions() {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            PyErr_SetString(PyExc_MemoryError,
                            "there is not enough memory for it. Bind dimensions to smaller "
                            "values, or use a smaller machine");
        } catch (const std::logic_error& mistake) { // PIM_ASSERT
            try {
                raise({ErrorCode::Internal, mistake.what(), {}, {}});
            } catch (py::error_already_set& error) {
                error.restore();
            }
        }
    });
}

void bindJobs(py::module_& module) {
    valueOf(checkJobsVariable());
    module.def("jobs", &jobs);
    module.def("set_jobs", [](const std::string& count) {
        setJobs(count.empty() ? 0 : valueOf(readJobs(count, "set_jobs")));
    });
}

} // namespace
} // namespace pim::python

PYBIND11_MODULE(_core, module) {
    module.doc() = "The compiler behind pimstudio; its functions are in the package around it.";
    module.attr("version") = PIM_VERSION;
    pim::python::translateExceptions();
    pim::python::bindJobs(module);
    pim::python::bindModel(module);
    pim::python::bindPlan(module);
    pim::python::bindKernel(module);
    pim::python::bindLut(module);
    pim::python::bindWhich(module);
    pim::python::bindSpread(module);
    pim::python::bindSweep(module);
    pim::python::bindProject(module);
}
