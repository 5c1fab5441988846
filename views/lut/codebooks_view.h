// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The codebooks of the selected layer: centroids and sub-vectors of one of them on a plane, how often each centroid is chosen, and
/// what every codebook loses. Clicking a codebook shows it, clicking a centroid marks what is closest to it.
#include "views/lut/codebook_picture.h"

#include <QWidget>

#include <optional>

class QCPBars;
class QCPGraph;
class QComboBox;
class QCustomPlot;
class QLabel;
class QSpinBox;
class QSplitter;
class QStackedWidget;

namespace pim::views {

class EmptyState;
class LutCalibration;
class Plot;
class Workspace;

class CodebooksView : public QWidget {
    Q_OBJECT
public:
    explicit CodebooksView(Workspace& workspace, QWidget* parent = nullptr);

    QComboBox* layerBox() const { return m_layers; }
    QSpinBox* codebookBox() const { return m_codebooks; }
    QCustomPlot* plane() const;
    QCustomPlot* uses() const;   ///< Of every centroid.
    QCustomPlot* errors() const; ///< Of every codebook.
    QLabel* title() const { return m_title; }
    QLabel* status() const { return m_status; }
    QString emptyText() const;
    const std::optional<CodebookPicture>& picture() const { return m_picture; }
    int codebook() const;
    void setCodebook(int codebook);
    int centroid() const { return m_centroid; } ///< That is marked; -1: none.
    void setCentroid(int centroid);
    QString planeTip(const QPointF& position) const;
    QString useTip(const QPointF& position) const;
    QString errorTip(const QPointF& position) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildBar();
    void buildPlots();
    void tellPlots();
    void takeLayers();
    void takeLayer();
    void showCodebook();
    void fillPlane();
    void fillUses();
    void fillErrors();
    void fitPlane();
    void mark();
    void style();
    /// Position among the layers of the outcome that is shown; -1: none.
    int layer() const { return m_layer; }
    const lut::LutLayer* books() const;
    const lut::LayerUse* use() const;
    int pointAt(const QPointF& position) const;    ///< -1: none near.
    int centroidAt(const QPointF& position) const; ///< -1: none near.
    bool keyPressed(QObject* watched, int key);

    Workspace& m_workspace;
    LutCalibration* m_calibration;
    int m_layer = -1, m_centroid = -1;
    std::optional<CodebookPicture> m_picture;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QComboBox* m_layers;
    QSpinBox* m_codebooks;
    QLabel *m_title, *m_status;
    QSplitter *m_across, *m_right;
    Plot *m_plane, *m_uses, *m_errors;
    std::vector<QCPGraph*> m_groups; ///< Sub-vectors by colour and shape.
    QCPGraph *m_centroids = nullptr, *m_unused = nullptr, *m_marked = nullptr, *m_markedPoints = nullptr;
    QCPBars *m_useBars = nullptr, *m_markedUse = nullptr, *m_errorBars = nullptr, *m_markedError = nullptr;
    QCPGraph* m_neverUsed = nullptr;
};

} // namespace pim::views
