// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One level of a program to read: lines know their op, and ops their lines.
#include "core/ir/levels.h"
#include "views/common/line_text.h"

namespace pim::views {

class LevelText : public LineText {
    Q_OBJECT
public:
    explicit LevelText(QWidget* parent = nullptr);

    void setLevel(const ir::Level& level);
    const ir::Module* module() const { return m_module.get(); } ///< Null before setLevel().
    /// Invalid between ops.
    ir::OperationId opAt(int line) const;
    int lineOf(ir::OperationId op) const;
    /// All lines of these ops, loops by their first and last.
    void markOps(const std::vector<ir::OperationId>& ops);

private:
    std::shared_ptr<const ir::Module> m_module;
    std::vector<ir::LineRange> m_lines;
    std::vector<ir::OperationId> m_opOfLine;
};

} // namespace pim::views
