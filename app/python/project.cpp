// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/project.h"

#include "app/python/task.h"
#include "core/compile/sweep_json.h"
#include "core/project/sweep_list.h"
#include "core/project/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pim::python {
namespace {

namespace py = pybind11;

const VariantInfo* find(const std::vector<VariantInfo>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &VariantInfo::name);
    return found == all.end() ? nullptr : &*found;
}

} // namespace

class OpenProject::Turn {
public:
    explicit Turn(OpenProject& of) : m_of(of) { m_of.m_busy = true; }
    ~Turn() { m_of.m_busy = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    OpenProject& m_of;
};

OpenProject::OpenProject(const std::string& file, bool readOnly)
    : m_project(valueOf(Project::open(file, readOnly ? Project::Mode::ReadOnly : Project::Mode::ReadWrite))) {
}

Project& OpenProject::project() {
    if (m_busy)
        raise({ErrorCode::Usage, "a sweep of the project is being computed", m_project->file().string(),
               "wait until it is over, or open the file a second time"});
    return *m_project;
}

std::int64_t OpenProject::record(const Compiled& compiled, const std::string& variant,
                                 const std::string& label) {
    RunContext context;
    context.variant = variant;
    context.label = label;
    context.options = compiled.options;
    return valueOf(project().recordRun(compiled.plan(), context));
}

py::list OpenProject::runs() {
    py::list all;
    for (const RunInfo& run : valueOf(project().runs())) {
        py::dict row;
        row["id"] = run.id;
        row["label"] = run.label;
        row["variant"] = run.variant;
        row["model"] = run.modelName;
        row["target"] = run.targetId;
        row["host"] = run.host;
        row["bindings"] = run.bindings;
        row["started_utc"] = run.startedUtc;
        row["total_ns"] = run.totalNs;
        row["host_only_ns"] = run.hostOnlyNs;
        all.append(std::move(row));
    }
    return all;
}

py::list OpenProject::variants() {
    const auto variants = valueOf(project().variants());
    const auto state = valueOf(project().decisions());
    std::map<std::int64_t, std::string> names;
    for (const VariantInfo& variant : variants)
        names[variant.id] = variant.name;
    py::list all;
    for (const VariantInfo& variant : variants) {
        py::dict row;
        row["name"] = variant.name;
        row["parent"] = variant.parent ? py::object(py::str(names[variant.parent])) : py::none();
        row["decisions"] = variant.overrides.size();
        row["in_force"] = state && state->variant == variant.name;
        all.append(std::move(row));
    }
    return all;
}

std::string OpenProject::decisions(const std::string& variant) {
    return valueOf(project().variant(variant)).overrides.json();
}

void OpenProject::decide(const std::string& variant, const std::string& text, const std::string& parent) {
    Project& open = project();
    const auto all = valueOf(open.variants());
    const VariantInfo* const known = find(all, variant);
    if (known && !parent.empty())
        raise({ErrorCode::Usage, fmt::format("there is a variant \"{}\" already", variant),
               open.file().string(), "leave out its parent, or give another name"});
    Step step{variant, known ? std::optional(known->overrides) : std::nullopt, {}};
    Overrides base;
    if (known)
        base = known->overrides;
    else if (!parent.empty())
        base = valueOf(open.variant(parent)).overrides;
    step.after = valueOf(Overrides::fromJson(text, base));
    valueOf(open.saveVariant(variant, step.after, parent));
    m_steps.push_back(std::move(step));
}

std::string OpenProject::undo() {
    Project& open = project();
    if (m_steps.empty())
        raise({ErrorCode::Usage, "there is nothing to undo", open.file().string(),
               "only what was decided since the project was opened here can be taken back"});
    const Step& last = m_steps.back();
    if (valueOf(open.variant(last.variant)).overrides != last.after)
        raise({ErrorCode::Usage, fmt::format("the variant \"{}\" was changed elsewhere since", last.variant),
               open.file().string(), "look at its decisions and decide anew"});
    valueOf(last.before ? open.saveVariant(last.variant, *last.before) : open.removeVariant(last.variant));
    std::string variant = last.variant;
    m_steps.pop_back();
    return variant;
}

std::string OpenProject::sweeps() {
    return sweepsJson(valueOf(project().sweeps()));
}

Result<Swept> OpenProject::stored(std::int64_t id, std::vector<std::string> front) const {
    PIM_TRY(StoredSweep sweep, m_project->sweep(id));
    if (front.empty())
        front = sweep.shownObjectives();
    return Swept{sweep.info.name, sweep.info.axes, sweep.shownPoints(), std::move(front)};
}

Result<Swept> OpenProject::confirmed(std::int64_t id, const SweepSetup& setup,
                                     const std::vector<std::string>& front, std::optional<double> margin,
                                     const std::function<void(const SweepPoint&)>& told,
                                     const TaskContext& task) {
    if (!margin)
        return stored(id, front);
    PIM_TRY(ConfirmedSweep all, resumeConfirm(*m_project, id, setup, backends(), front, *margin, told, task));
    PIM_TRY(Swept swept, stored(id, std::move(all.objectives)));
    return swept;
}

Swept OpenProject::sweep(const std::string& name, const std::vector<std::string>& front) {
    return valueOf(stored(valueOf(project().findSweep(name)), front));
}

void OpenProject::removeSweep(const std::string& name) {
    valueOf(project().deleteSweep(valueOf(project().findSweep(name))));
}

Swept OpenProject::beginSweep(const Model& model, const SweepQuestion& question, const std::string& name,
                              const py::object& told, const py::object& progress) {
    Project& open = project();
    const Turn turn(*this);
    return runTelling(progress, told, [&](const TaskContext& task, const auto& tell) -> Result<Swept> {
        PIM_TRY(const SweepSetup setup, sweepSetup(model, question, task));
        const std::vector<SweepAxis> varied = variedAxes(setup.axes);
        const auto toldPoint = [&](const SweepPoint& point) { tell(sweepPointJson(varied, point)); };
        std::int64_t id = 0;
        if (question.search) { // the same one goes on
            PIM_TRY(id, open.findOrAddSweep(setup, name));
            PIM_CHECK(
                resumeSearch(open, id, setup, backends(), *question.search, question.front, toldPoint, task));
        } else {
            PIM_TRY(id, open.addSweep(setup, name));
            PIM_CHECK(pim::resumeSweep(open, id, setup, backends(), toldPoint, task));
        }
        return confirmed(id, setup, question.front, question.margin, toldPoint, task);
    });
}

Swept OpenProject::resumeSweep(const std::string& name, const std::vector<std::string>& front,
                               std::optional<double> confirm, const py::object& told,
                               const py::object& progress) {
    Project& open = project();
    const Turn turn(*this);
    return runTelling(progress, told, [&](const TaskContext& task, const auto& tell) -> Result<Swept> {
        PIM_TRY(const std::int64_t id, open.findSweep(name));
        PIM_TRY(const StoredSweep known, open.sweep(id));
        PIM_TRY(const auto margin, marginFrom(confirm));
        if (known.info.isComplete() && !margin)
            return stored(id, front);
        PIM_TRY(SweepSetup setup, loadSweep(known, task));
        const std::vector<SweepAxis> varied = variedAxes(setup.axes);
        const auto toldPoint = [&](const SweepPoint& point) { tell(sweepPointJson(varied, point)); };
        if (!known.info.isComplete())
            PIM_CHECK(resume(open, known, setup, backends(), toldPoint, task));
        return confirmed(id, setup, front, margin, toldPoint, task);
    });
}

void bindProject(py::module_& module) {
    py::class_<OpenProject>(module, "Project")
        .def(py::init<const std::string&, bool>())
        .def("record", &OpenProject::record)
        .def("runs", &OpenProject::runs)
        .def("variants", &OpenProject::variants)
        .def("decisions", &OpenProject::decisions)
        .def("decide", &OpenProject::decide)
        .def("undo", &OpenProject::undo)
        .def("sweeps", &OpenProject::sweeps)
        .def("sweep", &OpenProject::sweep)
        .def("remove_sweep", &OpenProject::removeSweep)
        .def("begin_sweep",
             [](OpenProject& project, const Model& model, const std::string& over, const std::string& target,
                const std::string& host, const Words& options, const std::string& overrides,
                const std::vector<std::string>& front, const std::string& method, std::int64_t evaluations,
                std::uint64_t seed, std::optional<double> confirm, const std::string& name,
                const py::object& told, const py::object& progress) {
                 return project.beginSweep(model,
                                           sweepQuestion(over, target, host, options, overrides, front,
                                                         method, evaluations, seed, confirm),
                                           name, told, progress);
             })
        .def("resume_sweep", &OpenProject::resumeSweep);
}

} // namespace pim::python
