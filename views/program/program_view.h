// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands the selected op becomes, as text that is linked with the rest: a line tells what it does, how
/// often, for which data, and leads to the tile that data belongs to.
#include "core/plan/op_places.h"
#include "core/program/lines.h"

#include <QString>
#include <QWidget>

#include <map>
#include <memory>

class QComboBox;
class QLabel;

namespace pim::views {

class EmptyState;
class ProgramText;
class Workspace;

/// What is shown: one file of code. Made on a worker thread.
struct ProgramListing {
    QString name, summary, text;
    std::vector<ProgramLine> lines;
    std::map<std::string, std::string> meanings; ///< By opcode.
    std::shared_ptr<const OpPlaces> places;      ///< Null where the machine has no banks.
};

/// A core of the machine.
struct CorePlace {
    int group = 0, core = 0;
};
/// Group and core whose tile holds the element that the line moves first; nothing where it moves none.
/// \param group taken if the line runs in it, else the line's first.
std::optional<CorePlace> tileOf(const ProgramListing& listing, const OpPlan& plan, int line, int group);
/// "WR: write 32 B … · 1 024 times in each of groups 0-79 · bank 0…60, row 0 · W[0, 0…15] first"
QString lineText(const ProgramListing& listing, int line, int group);

class ProgramView : public QWidget {
    Q_OBJECT
public:
    explicit ProgramView(Workspace& workspace, QWidget* parent = nullptr);

    void setSeen(bool seen); ///< Nothing is generated while it cannot be seen.
    ProgramText* text() const { return m_text; }
    QString facts() const;
    QString summary() const;

signals:
    void seenChanged(bool seen);

private:
    void showListing(std::shared_ptr<const ProgramListing> listing, const QString& note);
    void takeLine();

    Workspace& m_workspace;
    ProgramText* m_text;
    EmptyState* m_empty;
    QWidget* m_page;
    QComboBox* m_phases;
    QLabel* m_summary;
    QLabel* m_facts;
    std::shared_ptr<const ProgramListing> m_listing;
    std::shared_ptr<const Plan> m_plan;
    OpId m_op;
};

} // namespace pim::views
