// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/task.h"

namespace pim::python {

namespace py = pybind11;

void raise(const Error& error) {
    const py::object classes = py::module_::import("pimstudio.errors").attr("BY_CODE");
    const py::object type = classes[py::str(std::string(name(error.code)))];
    const py::object exception = type(error.text(), error.message, error.where, error.hint);
    PyErr_SetObject(type.ptr(), exception.ptr());
    throw py::error_already_set();
}

void LastStep::put(std::string_view stage, std::int64_t done, std::int64_t total) {
    const std::lock_guard lock(m_mutex);
    m_step = Step{std::string(stage), done, total};
}

std::optional<LastStep::Step> LastStep::take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_step, std::nullopt);
}

void lookAtInterpreter(LastStep& step, const py::object& progress) {
    if (PyErr_CheckSignals() != 0)
        throw py::error_already_set();
    if (const auto last = step.take(); last && !progress.is_none())
        progress(last->stage, last->done, last->total);
}

} // namespace pim::python
