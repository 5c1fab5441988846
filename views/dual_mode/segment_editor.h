// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a network is cut into segments on a dual-mode chip, and what the user may say about it: where segments
/// begin, how many arrays a piece has in each mode. Decisions leave as signals; what is shown is the plan
/// that came of them.
#include "views/dual_mode/segment_picture.h"

#include <QWidget>

#include <functional>
#include <memory>

class QLabel;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace pim::views {

class EmptyState;
class SegmentCanvas;
class Workspace;

class SegmentEditor : public QWidget {
    Q_OBJECT
public:
    explicit SegmentEditor(QWidget* parent = nullptr);
    explicit SegmentEditor(Workspace& workspace, QWidget* parent = nullptr);

    /// Null: no plan of a dual-mode chip. \p graph names the ops.
    void setPlan(const DualModePlan* plan, const Graph* graph, bool isStale = false);
    void setPicture(SegmentPicture picture, bool isStale = false);
    /// Verdict for a decision before it is made; empty if it is legal.
    void
    setCheck(std::function<QString(const QString& op, const QString& field, const QString& value)> check);
    void setVerdict(const QString& text, bool isBad);
    void setSelectedOp(OpId op);

    SegmentCanvas* canvas() const { return m_canvas; }
    QLabel* headline() const { return m_headline; }
    QLabel* verdict() const { return m_verdict; }
    QSpinBox* computeBox() const { return m_compute; }
    QSpinBox* memoryBox() const { return m_memory; }
    QToolButton* splitButton() const { return m_split; }
    QToolButton* joinButton() const { return m_join; }
    QToolButton* resetButton() const { return m_reset; }

signals:
    /// \p field and \p value in the words of backends/dual_mode/decisions.h.
    void decisionRequested(const QString& op, const QString& field, const QString& value);
    void decisionCleared(const QString& op, const QString& field);
    void stepBegan(const QString& text); ///< The decisions up to stepEnded() are one step for the user.
    void stepEnded();
    void opSelected(pim::OpId op);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildPanel(QWidget* into);
    void updateHeadline();
    void updatePanel();
    void request(const QString& what, int value);
    const PieceBar* selected() const;

    bool m_isStale = false, m_verdictIsBad = false;
    std::function<QString(const QString&, const QString&, const QString&)> m_check;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QLabel* m_headline;
    SegmentCanvas* m_canvas;
    QWidget* m_panel;
    QLabel* m_piece;
    QSpinBox* m_compute;
    QSpinBox* m_memory;
    QToolButton* m_split;
    QToolButton* m_join;
    QToolButton* m_reset;
    QLabel* m_verdict;
};

} // namespace pim::views
