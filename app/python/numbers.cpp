// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/numbers.h"

#include <fmt/format.h>

namespace pim::python {
namespace {

namespace py = pybind11;

/// One input of the graph from an array of its shape.
Value valueOfArray(const py::handle& given, const Tensor& tensor) {
    const py::array array = py::array::ensure(given);
    const std::string where = fmt::format("input \"{}\"", tensor.name);
    if (!array)
        raise({ErrorCode::Usage, "it is no array", where, "give a NumPy array"});
    const Shape shape(array.shape(), array.shape() + array.ndim());
    if (!tensor.shape || shape != *tensor.shape)
        raise({ErrorCode::Usage,
               fmt::format("its numbers have the shape {}, {} is expected", shapeText(shape),
                           tensor.shape ? shapeText(*tensor.shape) : "?"),
               where, "Graph.inputs tells names and shapes"});
    const char kind = array.dtype().kind();
    if (isRealType(tensor.dtype)) {
        if (!array.dtype().equal(py::dtype::of<float>()))
            raise(
                {ErrorCode::Usage,
                 fmt::format("its numbers are {}, float32 is expected", std::string(py::str(array.dtype()))),
                 where, "convert them with .astype(numpy.float32)"});
        const auto dense = py::array_t<float, py::array::c_style>::ensure(array);
        const std::vector<double> reals(dense.data(), dense.data() + dense.size());
        return {DataType::F32, shape,
                std::make_shared<const std::vector<std::byte>>(bytesFromReals(reals, DataType::F32))};
    }
    if (kind != 'i' && kind != 'u' && kind != 'b')
        raise({ErrorCode::Usage,
               fmt::format("its numbers are {}, whole numbers are expected",
                           std::string(py::str(array.dtype()))),
               where, "convert them with .astype(numpy.int64)"});
    const auto dense = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(array);
    const std::vector<std::int64_t> numbers(dense.data(), dense.data() + dense.size());
    return {tensor.dtype, shape,
            std::make_shared<const std::vector<std::byte>>(bytesFromInts(numbers, tensor.dtype))};
}

std::vector<Value> valuesOf(const py::list& arrays, const Graph& graph) {
    if (arrays.size() != graph.inputs.size())
        raise({ErrorCode::Usage,
               fmt::format("there are {} arrays, the network has {} inputs", arrays.size(),
                           graph.inputs.size()),
               graph.name, "Graph.inputs lists them"});
    std::vector<Value> values;
    for (std::size_t i = 0; i < graph.inputs.size(); ++i)
        values.push_back(valueOfArray(arrays[i], graph.tensor(graph.inputs[i])));
    return values;
}

template <class Number>
py::array arrayOf(const std::vector<std::int64_t>& numbers, const std::vector<py::ssize_t>& shape) {
    py::array_t<Number> array(shape);
    Number* to = array.mutable_data();
    for (const std::int64_t number : numbers)
        *to++ = static_cast<Number>(number);
    return array;
}

py::array arrayOf(const Value& value) {
    const std::vector<py::ssize_t> shape(value.shape.begin(), value.shape.end());
    if (isRealType(value.dtype)) {
        py::array_t<float> array(shape);
        float* to = array.mutable_data();
        for (const double number : realsOf(*value.bytes, value.dtype))
            *to++ = static_cast<float>(number);
        return array;
    }
    const std::vector<std::int64_t> numbers = intsOf(*value.bytes, value.dtype);
    if (value.dtype == DataType::Bool)
        return arrayOf<bool>(numbers, shape);
    if (value.dtype == DataType::I32)
        return arrayOf<std::int32_t>(numbers, shape);
    return arrayOf<std::int64_t>(numbers, shape);
}

} // namespace

Numbers::Numbers(const Backend& backend, std::shared_ptr<const Plan> plan,
                 const std::vector<py::list>& calibration,
                 const std::vector<std::pair<std::string, std::string>>& choices, const py::object& progress)
    : m_plan(std::move(plan)) {
    const NumberFacet* const facet = backend.numbers();
    if (!facet)
        raise({ErrorCode::Unsupported, "its programs do not run on numbers", m_plan->target->id, {}});
    for (const auto& [key, value] : choices) {
        if (!facet->choices())
            raise({ErrorCode::Usage, fmt::format("{} have no such choice", backend.machines()), key,
                   "leave it out"});
        valueOf(facet->choices()->set(m_options.own, key, value));
    }
    for (const py::list& sample : calibration)
        m_options.calibration.push_back(valuesOf(sample, *m_plan->graph));
    m_network = python::run(
        progress, [&](const TaskContext& task) { return facet->prepare(*m_plan, m_options, task); });
}

py::list Numbers::run(const py::list& inputs, const py::object& progress) {
    const std::vector<Value> values = valuesOf(inputs, *m_plan->graph);
    const auto outputs = python::run(progress, [&](const TaskContext& task) {
        const std::lock_guard lock(m_turn);
        return m_network->run(values, task);
    });
    py::list arrays;
    for (const Value& output : outputs)
        arrays.append(arrayOf(output));
    return arrays;
}

} // namespace pim::python
