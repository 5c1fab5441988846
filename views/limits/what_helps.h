// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What would help: the network planned and simulated again with each resource twice as fast, twice as many of it, and as fast as can be.
#include "core/hardware/target.h"
#include "views/common/helps_view.h"

namespace pim::views {

class Workspace;

class WhatHelps : public HelpsView {
    Q_OBJECT
public:
    explicit WhatHelps(Workspace& workspace, QWidget* parent = nullptr);

    /// Writes the target with the resource of a row twice as fast or many, and takes it as the target. Workspace::failed() where that cannot be.
    void saveAndUse(int row, const QString& file);

private:
    void planChanged();
    void use(int row); ///< Asks for a file, then saveAndUse().

    Workspace& m_workspace;
    std::shared_ptr<const Target> m_target; ///< What answer() is about.
};

} // namespace pim::views
