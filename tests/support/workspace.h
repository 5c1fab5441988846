// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What tests of everything that hangs on a Workspace ask it: is it done, what went wrong, where is a sample.
#include "core/base/paths.h"
#include "views/models/task_runner.h"
#include "views/models/workspace.h"

#include <QSignalSpy>

namespace pim::test {

/// There is a plan, it is that of the present decisions, and nothing is under way.
inline bool settled(const views::Workspace& workspace) {
    return workspace.plan() && !workspace.isStale() && workspace.tasks()->entries().isEmpty();
}

/// What \p failures of Workspace::failed heard last.
inline QString lastFailure(const QSignalSpy& failures) {
    return failures.isEmpty() ? QString()
                              : failures.last().at(0).toString() + u' ' + failures.last().at(1).toString();
}

/// The model of a sample in projects/.
inline QString sampleModel(const char* name) {
    return QString::fromStdString((samplesDir() / name / (std::string(name) + ".onnx")).string());
}

} // namespace pim::test
