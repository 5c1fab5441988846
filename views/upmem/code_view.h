// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The C code that every tasklet of the selected op runs, how often each line was run, and the instructions of a line.
#include "views/upmem/op_panel.h"

class QLineEdit;

namespace pim::views {

class CodeText;
class FiguresModel;
class TableView;

/// Instructions of a statement, those of start and routines for -1: places in the program.
std::vector<int> instructionsOf(const upmem::OpOnDpu& run, int statement);

/// What is read: the C code, or where there is none the instructions, one a line.
struct CodeListing {
    QString text;
    bool isC = true;
    std::vector<int> statementOfLine; ///< -1: none.
    /// One a line: instructions issued, of C told at the first line of a statement; -1 at all others.
    std::vector<std::int64_t> issued;
};
CodeListing listingOf(const upmem::OpOnDpu& run);

class DpuCodeView : public OpPanel {
    Q_OBJECT
public:
    explicit DpuCodeView(QWidget* parent = nullptr);
    explicit DpuCodeView(Workspace& workspace, QWidget* parent = nullptr);

    CodeText* code() const { return m_code; }
    TableView* table() const { return m_table; }
    QLineEdit* findField() const { return m_find; }

protected:
    void showRun(const OpShown* shown) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void takeLine();
    void search(bool backwards);
    int statementAt(int line) const; ///< -1: none.

    CodeListing m_listing;
    CodeText* m_code;
    TableView* m_table;
    FiguresModel* m_rows;
    QLineEdit* m_find;
    QLabel* m_statement;
};

} // namespace pim::views
