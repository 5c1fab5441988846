// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Chooses the machine: all targets of the catalog, grouped by the kind of machine, or a file.
#include <QComboBox>

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class TargetBox : public QComboBox {
    Q_OBJECT
public:
    explicit TargetBox(views::Workspace& workspace, QWidget* parent = nullptr);

private:
    void showCurrent();

    views::Workspace& m_workspace;
};

} // namespace pim::studio
