// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the window has to know of one family of hardware: its panels and where they stand, its words, its figures.
/// Made in the family's folder, views/FAMILY, and listed in app/studio/families.cpp; nothing else names a family.
#include "core/base/result.h"
#include "views/models/core_figures.h"
#include "views/models/panel_columns.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

class QWidget;

namespace pim::views {

class Workspace;

/// What a panel may ask of the window it stands in.
struct PanelLinks {
    std::function<void(qint64 note)> showNote;
};

/// A panel that only this family fills. It stands in every window, and says so where it has nothing to show.
struct FamilyPanel {
    const char* id = ""; ///< Name of its dock, of its help page, and of the place in PanelColumns.
    QString title;
    std::function<QWidget*(Workspace& workspace, const PanelLinks& links)> make;
    /// For one that works only while it is in front; may be empty.
    std::function<void(QWidget& panel, bool isSeen)> setSeen;
    /// For one with notes at stretches of time, which are called "ID/NAME"; may be empty.
    std::function<void(QWidget& panel, const QString& name, double fromNs, double toNs)> showStretch;
};

/// A stage of planning, StageTime::name, as the pipeline tells it.
struct StageWords {
    enum class Shows {
        Items, ///< What it made.
        Ops,   ///< All ops before, what it made after.
        Times  ///< The time on the host alone before, that of the plan after.
    };
    std::string stage;
    QString summary; ///< One sentence.
    Shows shows = Shows::Items;
};

/// A figure of PlanDetail::figures() that sweeps show, in a column of its own; the first of a family also as lines.
struct SweepFigure {
    std::string key;      ///< "memory_share"
    QString title;        ///< Of the column: "Memory share"
    QString axis;         ///< Of the plot, with its unit: "memory arrays, %"
    bool isShare = false; ///< 0..1, shown in per cent.
    friend bool operator==(const SweepFigure&, const SweepFigure&) = default;
};

/// Of a family that says nothing else: a machine planned op by op, whose ops have drafts.
struct FamilyPanels {
    FamilyPanels();

    std::vector<std::string> backends; ///< That plan for its machines, as in Target::backend.
    QString layoutKey; ///< Ends the names its layouts are stored under; no other family has it.
    std::vector<FamilyPanel> panels;
    PanelColumns columns;    ///< One list a question.
    QString whyText, whyTip; ///< The second question in its words: "Why This &Draft".
    std::vector<StageWords> stages;
    /// Where an op of its plans runs, for stages of its own; empty: placement and time tell.
    std::function<QString(const Plan& plan, OpId op)> whereOpRuns;
    std::optional<ArrayFigures> arrays; ///< None: cores are all filled alike.
    std::vector<Role> cellColors;       ///< Of the cells in a small picture of a machine, over and over.
    std::vector<SweepFigure> sweepFigures;
    QString partsHeading; ///< Over decisions about parts of an op: fields with a '/'.
    /// Topics of help by the word a decision's field begins with: {"segment", "concepts#segment"}.
    std::vector<std::pair<QString, QString>> fieldHelp;
};

/// The families the window knows. Passed down from main(); never global.
class FamilyList {
public:
    void add(FamilyPanels family);
    const std::vector<FamilyPanels>& all() const { return m_families; }
    /// Of a backend that no family names: plain().
    const FamilyPanels& of(std::string_view backend) const;
    const FamilyPanels& plain() const { return m_plain; }

private:
    std::vector<FamilyPanels> m_families;
    FamilyPanels m_plain;
};

} // namespace pim::views
