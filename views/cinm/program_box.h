// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which program goes down the levels: the open model, one of CINM's benchmarks, or a text in MLIR's generic form.
#include "core/ir/from_graph.h"

#include <QWidget>

#include <memory>
#include <string>
#include <vector>

namespace pim::views {

class ChoiceBox;

/// Read on any thread.
struct ProgramSource {
    std::string benchmark, file; ///< Both empty: the open model.
    bool isModel() const { return benchmark.empty() && file.empty(); }
};
struct ReadProgram {
    ir::Module module;
    std::vector<bool> constantArguments; ///< As cinm::FlowOptions has them.
};
/// \param graph of the model, \param fractions what its fractions become. Errors of fromGraph() and parse(); NotFound: no such file.
/// \param text of a file, also of one that cannot be parsed.
Result<ReadProgram> readProgram(const ProgramSource& source, const std::shared_ptr<const Graph>& graph,
                                ir::Scalar fractions, std::string& text);
/// The line an error of parse() names, from 0; -1: none.
int lineOf(const Error& error);

class ProgramBox : public QWidget {
    Q_OBJECT
public:
    explicit ProgramBox(QWidget* parent = nullptr);

    ProgramSource source() const;
    ChoiceBox* choice() const { return m_choice; }
    /// Reads it anew if it is the current one.
    void openFile(const QString& path);

signals:
    void changed();

private:
    void askForFile();
    void list(const QString& current);

    ChoiceBox* m_choice;
    QString m_file;
};

} // namespace pim::views
