// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/kernel.h"

#include "app/python/task.h"
#include "core/kernel/parse.h"
#include "core/plan/command_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pim::python {
namespace {

namespace py = pybind11;

/// A kernel from text, all its drafts on one machine.
struct TextKernel {
    std::shared_ptr<const Exploration> found;
    const Backend* backend = nullptr;

    const Kernel& kernel() const { return found->space->kernel(); }
};

std::set<std::string> writtenTensors(const Kernel& kernel) {
    std::set<std::string> names;
    for (const TensorAccess& access : kernel.accesses)
        if (access.isWrite)
            names.insert(kernel.tensors[static_cast<std::size_t>(access.tensor)].name);
    return names;
}

/// Are there numbers of it before the kernel runs?
bool isGiven(const KernelTensor& tensor, const std::set<std::string>& written) {
    return !written.contains(tensor.name) || tensor.role == TensorRole::InOut;
}

/// Elements of an array that is exactly what the kernel takes.
std::vector<float> numbersOf(const py::array& array, const KernelTensor& tensor, const std::string& who) {
    if (!array.dtype().equal(py::dtype::of<float>()))
        raise({ErrorCode::Usage,
               fmt::format("numbers of \"{}\" are {}, float32 is expected", tensor.name,
                           std::string(py::str(array.dtype()))),
               who, "convert them with .astype(numpy.float32)"});
    const Shape shape(array.shape(), array.shape() + array.ndim());
    if (shape != tensor.shape)
        raise({ErrorCode::Usage,
               fmt::format("numbers of \"{}\" have the shape {}, {} is expected", tensor.name,
                           shapeText(shape), shapeText(tensor.shape)),
               who, "Plan.kernel_tensors() tells names and shapes"});
    const Floats dense = Floats::ensure(array);
    return {dense.data(), dense.data() + dense.size()};
}

TextKernel exploreText(const std::string& text, const std::map<std::string, Shape>& sizes,
                       const std::string& target, const std::string& host, const Words& words,
                       const py::object& progress) {
    return run(progress, [&](const TaskContext& task) -> Result<TextKernel> {
        PIM_TRY(const Kernel kernel, parseKernel(text, sizes));
        PIM_TRY(const auto machine, targetOf({}, target, host));
        PIM_TRY(CompileOptions options, compileOptions(words, machine->backend));
        PIM_CHECK(rankDrafts(words, {&machine, 1}, options));
        PIM_TRY(const Backend* const backend, backends().find(machine->backend));
        PIM_TRY(const DraftFacet* const drafts, draftsOf(*backend, kernel.name));
        TextKernel made{nullptr, backend};
        PIM_TRY(made.found, drafts->exploreKernel(kernel, machine, options, task));
        if (made.found->drafts.empty())
            return fail(ErrorCode::Unsupported,
                        fmt::format("{} has no room for any draft of it", machine->id), kernel.name,
                        "take smaller tensors or a larger machine");
        return made;
    });
}

std::map<std::string, Floats> runText(const TextKernel& text, const std::map<std::string, py::array>& given,
                                      std::size_t draft, const py::object& progress) {
    const Kernel& kernel = text.kernel();
    const CommandFacet* const commands = valueOf(commandsOf(*text.backend));
    std::vector<std::vector<float>> tensors = kernelInputs(kernel, given, kernel.name);
    return kernelOutputs(kernel, run(progress, [&](const TaskContext& task) {
                             return commands->executeDraft(*text.found, draft, std::move(tensors), 0, task);
                         }));
}

} // namespace

std::vector<std::tuple<std::string, Shape, bool>> kernelTensors(const Kernel& kernel) {
    const std::set<std::string> written = writtenTensors(kernel);
    std::vector<std::tuple<std::string, Shape, bool>> all;
    for (const KernelTensor& tensor : kernel.tensors)
        all.emplace_back(tensor.name, tensor.shape, written.contains(tensor.name));
    return all;
}

std::vector<std::vector<float>>
kernelInputs(const Kernel& kernel, const std::map<std::string, py::array>& given, const std::string& who) {
    const std::set<std::string> written = writtenTensors(kernel);
    std::set<std::string> unknown;
    for (const auto& [name, array] : given)
        unknown.insert(name);
    std::vector<std::vector<float>> tensors;
    for (const KernelTensor& tensor : kernel.tensors) {
        tensors.emplace_back();
        if (!isGiven(tensor, written))
            continue;
        const auto found = given.find(tensor.name);
        if (found == given.end())
            raise({ErrorCode::Usage,
                   fmt::format("numbers of \"{}\" {} are missing", tensor.name, shapeText(tensor.shape)), who,
                   "give all inputs of its kernel"});
        tensors.back() = numbersOf(found->second, tensor, who);
        unknown.erase(tensor.name);
    }
    if (!unknown.empty())
        raise({ErrorCode::Usage, fmt::format("its kernel has no input \"{}\"", *unknown.begin()), who,
               "Plan.kernel_tensors() tells names and shapes"});
    return tensors;
}

std::map<std::string, Floats> kernelOutputs(const Kernel& kernel,
                                            const std::vector<std::vector<float>>& tensors) {
    const std::set<std::string> written = writtenTensors(kernel);
    std::map<std::string, Floats> computed;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const KernelTensor& tensor = kernel.tensors[i];
        if (!written.contains(tensor.name))
            continue;
        Floats array(std::vector<py::ssize_t>(tensor.shape.begin(), tensor.shape.end()));
        std::copy(tensors[i].begin(), tensors[i].end(), array.mutable_data());
        computed.emplace(tensor.name, std::move(array));
    }
    return computed;
}

DraftRows draftRows(const Exploration& exploration) {
    std::vector<std::string> texts;
    Doubles costs(std::vector<py::ssize_t>{std::ssize(exploration.drafts), std::ssize(kCostSplitParts)});
    double* to = costs.mutable_data();
    for (std::size_t i = 0; i < exploration.drafts.size(); ++i) {
        texts.push_back(exploration.space->draftText(exploration.drafts[i]));
        for (const CostPartInfo& part : kCostSplitParts)
            *to++ = exploration.costs[i].*part.ns;
    }
    return {std::move(texts), std::move(costs)};
}

void bindKernel(py::module_& module) {
    py::class_<TextKernel>(module, "TextKernel")
        .def("drafts", [](const TextKernel& text) { return draftRows(*text.found); })
        .def_property_readonly("inputs",
                               [](const TextKernel& text) {
                                   std::vector<std::string> names;
                                   for (const KernelTensor& tensor : text.kernel().tensors)
                                       if (isGiven(tensor, writtenTensors(text.kernel())))
                                           names.push_back(tensor.name);
                                   return names;
                               })
        .def("run", &runText)
        .def_property_readonly("best", [](const TextKernel& text) {
            return std::pair(text.found->space->draftText(text.found->drafts.front()),
                             text.found->costs.front().totalNs());
        });
    module.def("explore_text", &exploreText);
}

} // namespace pim::python
