// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One level of a program to read: lines know their op, and ops their lines.
#include "core/ir/levels.h"
#include "views/common/line_text.h"

#include <memory>

class QThread;

namespace pim::views {

/// A document for a LineText, that belongs to \p thread. Long texts take longer than a window may wait.
std::unique_ptr<QTextDocument> textDocument(const std::string& text, QThread* thread);

/// Lines of \p after that \p before does not have, ascending, by what they say without the numbers of values and places they come
/// from; of lines that say the same, as many as there are more of them, the last.
std::vector<int> changedLines(const std::string& before, const std::string& after);

class LevelText : public LineText {
    Q_OBJECT
public:
    explicit LevelText(QWidget* parent = nullptr);

    /// \p document of its text, made by textDocument() on any thread.
    void setLevel(const ir::Level& level, std::unique_ptr<QTextDocument> document);
    const ir::Module* module() const { return m_module.get(); } ///< Null before setLevel().
    /// Invalid between ops.
    ir::OperationId opAt(int line) const;
    int lineOf(ir::OperationId op) const;
    /// All lines of these ops, loops by their first and last.
    void markOps(const std::vector<ir::OperationId>& ops);

protected:
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Lines get their colours as they come into view: a level may have a hundred thousand.
    void colourVisible();

    std::shared_ptr<const ir::Module> m_module;
    std::vector<ir::LineRange> m_lines;
    std::vector<ir::OperationId> m_opOfLine;
};

} // namespace pim::views
