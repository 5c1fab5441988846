// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The machine: target tree beside floorplan, with the memory taken and one figure per core, and the draft of the selected op.
/// Ops and dimensions are dragged here, or cut and pasted with the keys. One selection with all other views.
#include "core/plan/override.h"
#include "views/hardware/draft_editor.h"
#include "views/hardware/floorplan.h"

class QComboBox;
class QLabel;
class QSplitter;
class QToolButton;

namespace pim::views {

class HardwareTree;
class Workspace;

class HardwareView : public QWidget {
    Q_OBJECT
public:
    explicit HardwareView(Workspace& workspace, QWidget* parent = nullptr);
    ~HardwareView() override;

    Floorplan* floorplan() const { return m_floorplan; }
    HardwareTree* tree() const { return m_tree; }
    DraftEditor* editor() const { return m_editor; }
    QComboBox* colorBox() const { return m_colorBy; }
    /// Which machine is shown; hidden where the plan has one.
    QComboBox* machineBox() const { return m_machine; }
    /// What the line under the picture says: the verdict on what is held, else the place that is selected.
    QString statusText() const;

    /// What dropping would do, and doing it; drag and drop, keys and tests take the same way. hardware_drop.cpp
    DropVerdict verdict(const QString& mime, const QString& payload, const HardwareSpot& spot) const;
    void drop(const QString& mime, const QString& payload, const HardwareSpot& spot);

public slots:
    /// Puts the selected op on the clipboard and into the hands of the keys; says so if there is none.
    void cutOp();
    void cutDimension(int set);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    std::vector<SplitValue> valuesOf(const Draft& draft, int set, SplitLevel level,
                                     std::function<void(std::vector<SplitValue>)> then);
    void refresh();
    bool hasSeveralMachines() const;
    void chooseMachine();
    std::shared_ptr<const Target> shownTarget() const; ///< Of the machine shown.
    std::shared_ptr<const Plan> shownPlan() const;     ///< What the plan is for that machine.
    void fillColors(const std::vector<FigureChoice>& choices);
    void refreshFigures();
    void showFigures(CoreFigures figures);
    void selectSpot(const HardwareSpot& spot);
    void followSelection();
    void showStatus();
    void arrange();
    void showTitle();
    void takeState();
    void keepState();
    void cut(const QString& mime, const QString& payload, const QString& text);
    void decide(const Override& wanted);
    std::optional<Override> decision(const QString& mime, const QString& payload, const HardwareSpot& spot,
                                     QString* problem) const;
    DropVerdict placementVerdict(const Override& wanted) const;
    DropVerdict draftVerdict(const Override& wanted, int set) const;

    Workspace& m_workspace;
    QLabel* m_title;
    QLabel* m_machineLabel;
    QComboBox* m_machine;
    QComboBox* m_colorBy;
    QToolButton* m_treeButton;
    QSplitter* m_split;
    HardwareTree* m_tree;
    Floorplan* m_floorplan;
    QLabel* m_status;
    DraftEditor* m_editor;
    QString m_shownTitle, m_shortTitle;
    /// Selected place; devices are no part of the shared selection.
    HardwareSpot m_spot;
    bool m_treeWanted = true, m_isArranged = false;
    DeviceId m_device = DeviceId::first();        ///< Shown.
    OpId m_followed;                              ///< The selected op that m_device was chosen by.
    std::shared_ptr<const Plan> m_whole, m_share; ///< m_share: of m_whole, on m_shareDevice.
    DeviceId m_shareDevice;
    int m_task = 0; ///< That makes the figures.
    // What the figures were made for.
    std::shared_ptr<const Plan> m_figuresPlan;
    OpId m_figuresOp;
    std::optional<Draft> m_figuresDraft;
    int m_figuresBy = -1;
};

} // namespace pim::views
