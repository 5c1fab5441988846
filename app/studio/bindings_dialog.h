// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Gives the dimensions a model leaves open a value.
#include <QDialog>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class QSpinBox;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class BindingsDialog : public QDialog {
    Q_OBJECT
public:
    explicit BindingsDialog(views::Workspace& workspace, QWidget* parent = nullptr);

private:
    void apply();

    views::Workspace& m_workspace;
    std::vector<std::pair<std::string, QSpinBox*>> m_values;
    std::map<std::string, std::int64_t> m_shown; ///< Values when the dialog opened.
};

} // namespace pim::studio
