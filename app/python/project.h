// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Projects for Python: runs, variants with their decisions, sweeps. Flow: file -> [OpenProject] -> rows, or what changes in the file.
#include "app/python/sweep.h"
#include "core/project/project.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pim::python {

/// An open project. While a sweep of it runs, on a thread of its own, everything else is refused: its connection takes one thread at a time.
class OpenProject {
public:
    OpenProject(const std::string& file, bool readOnly);

    std::int64_t record(const Compiled& compiled, const std::string& variant, const std::string& label);
    pybind11::list runs();

    pybind11::list variants();
    /// Of a variant, in the form that compiling takes.
    std::string decisions(const std::string& variant);
    /// \param text decisions, or a JSON Patch of those there are: of the variant, or, where it is new, of \p parent.
    void decide(const std::string& variant, const std::string& text, const std::string& parent);
    /// Takes back the last decide() that is left. \returns the variant. Error::Usage with nothing left, or if the variant has changed since.
    std::string undo();

    std::string sweeps(); ///< As sweepsJson().
    /// Names: empty for the newest.
    Swept sweep(const std::string& name, const std::vector<std::string>& front);
    void removeSweep(const std::string& name);
    Swept beginSweep(const Model& model, const SweepQuestion& question, const std::string& name,
                     const pybind11::object& told, const pybind11::object& progress);
    /// \param confirm in percent, or None.
    Swept resumeSweep(const std::string& name, const std::vector<std::string>& front,
                      std::optional<double> confirm, const pybind11::object& told,
                      const pybind11::object& progress);

private:
    /// One decide(): the variant before, nothing if it was new, and after.
    struct Step {
        std::string variant;
        std::optional<Overrides> before;
        Overrides after;
    };
    /// Marks the project as busy as long as it lives.
    class Turn;

    Project& project();
    Result<Swept> stored(std::int64_t id, std::vector<std::string> front) const;
    /// Simulates the front where there is a margin.
    Result<Swept> confirmed(std::int64_t id, const SweepSetup& setup, const std::vector<std::string>& front,
                            std::optional<double> margin, const std::function<void(const SweepPoint&)>& told,
                            const TaskContext& task);

    std::unique_ptr<Project> m_project;
    std::vector<Step> m_steps;
    bool m_busy = false; ///< Read and written with the interpreter's lock.
};

void bindProject(pybind11::module_& module);

} // namespace pim::python
