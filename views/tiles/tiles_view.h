// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every core holds and does under the chosen draft: data tiles and compute tiles over groups x cores.
#include "core/tiling/tiling.h"

#include <QWidget>

class QComboBox;
class QCPColorMap;
class QCPColorScale;
class QCustomPlot;
class QLabel;
class QStackedWidget;

namespace pim::views {

class EmptyState;
class Workspace;

class TilesView : public QWidget {
    Q_OBJECT
public:
    explicit TilesView(Workspace& workspace, QWidget* parent = nullptr);

    /// Text shown for a core, as in the hover label; for tests and the status bar.
    QString describe(int group, int core) const;

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// One heatmap with its scale and what it measures.
    struct Map {
        QCustomPlot* plot = nullptr;
        QCPColorMap* map = nullptr;
        QCPColorScale* scale = nullptr;
        QComboBox* what = nullptr;
    };
    Map makeMap(const QString& title, const QString& accessibleName);
    void rebuild();
    void fill(const Map& map, bool compute);
    void style();
    void hover(const Map& map, const QPoint& position, bool click);

    Workspace& m_workspace;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel* m_title;
    QLabel* m_hover;
    Map m_data, m_compute;
    std::shared_ptr<const TilingSpace> m_space;
    std::optional<Draft> m_draft;
    std::vector<CoreTile> m_tiles; ///< [group][core], row-major.
};

} // namespace pim::views
