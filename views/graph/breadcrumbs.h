// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where one is in the graph: network › row › block › op. Each step leads back up.
#include "core/graph/blocks.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QToolButton;

namespace pim::views {

class Breadcrumbs : public QWidget {
    Q_OBJECT
public:
    explicit Breadcrumbs(QWidget* parent = nullptr);
    /// \p op invalid and \p block -1: the network as a whole. Null: nothing is open.
    void show(const Graph* graph, const BlockTree* blocks, OpId op, std::int32_t block);
    QStringList steps() const; ///< As shown, outermost first; long ones are shortened where there is no room.

signals:
    void rootClicked();
    void blockClicked(int block);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Step {
        QToolButton* button;
        QString text; ///< Whole.
    };
    void add(const QString& text, const QString& tip, std::function<void()> go);
    void fit();
    QHBoxLayout* m_layout;
    std::vector<Step> m_steps;
};

} // namespace pim::views
