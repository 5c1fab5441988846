// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All mappings of a product as look-up tables on DPUs: which sub-LUTs there are, the tiles of one of them, the best of all, and where
/// the time of the one that is clicked goes. V, CT, DPUs and tasklets are there to be turned; a mapping can be decided for an op that looks up.
#include "core/base/ids.h"
#include "views/upmem/lut_landscape.h"

#include <QWidget>

#include <functional>
#include <memory>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace pim::views {

class EmptyState;
class FiguresModel;
class LutMap;
class TableView;
class Workspace;

class LutMappingsView : public QWidget {
    Q_OBJECT
public:
    explicit LutMappingsView(QWidget* parent = nullptr);
    explicit LutMappingsView(Workspace& workspace, QWidget* parent = nullptr);

    /// What is to be turned: elements of a sub-vector, centroids, DPUs, tasklets.
    struct Sizes {
        std::int64_t length = 4, centroids = 16, dpus = 1024, tasklets = 16;
        bool operator==(const Sizes&) const = default;
    };
    Sizes sizes() const;
    void setSizes(const Sizes& sizes); ///< Emits nothing.
    void setOps(const std::vector<std::pair<OpId, QString>>& ops);
    void setSelectedOp(OpId op);                                      ///< Emits nothing.
    void setLandscape(std::shared_ptr<const LutLandscape> landscape); ///< Null: nothing.
    const LutLandscape* landscape() const { return m_landscape.get(); }
    void setEmptyText(const QString& missing, const QString& whatToDo);
    QString emptyText() const;
    void setStale(bool stale);
    /// Why the op shown cannot have a mapping; empty: it can.
    using Judge = std::function<QString(const upmem::LutChoice&)>;
    /// Of the op shown. \param inForce of the plan; nothing: it has none. \param isConverted its sizes are given by its tables.
    void setDecisions(Judge judge, std::optional<upmem::LutChoice> inForce, bool isConverted);
    void setSeen(bool seen);

    LutMap* splits() const { return m_splits; }
    LutMap* tiles() const { return m_tiles; }
    TableView* times() const { return m_times; }
    QComboBox* opBox() const { return m_ops; }
    QComboBox* sideBox() const { return m_side; }
    QComboBox* codebooksBox() const { return m_codebooks; }
    QSpinBox* lengthBox() const { return m_length; }
    QSpinBox* centroidsBox() const { return m_centroids; }
    QSpinBox* dpusBox() const { return m_dpus; }
    QSpinBox* taskletsBox() const { return m_tasklets; }
    QPushButton* fewerDpusButton() const { return m_fewer; }
    QToolButton* copyButton() const { return m_copy; }
    QPushButton* useButton() const { return m_use; }
    QLabel* title() const { return m_title; }
    QLabel* status() const { return m_status; }
    std::optional<upmem::LutMapping> chosen() const { return mappingOf(*m_landscape, m_chosen); }

signals:
    void opChosen(pim::OpId op);
    void sizesChanged(); ///< By the user.
    void seenChanged(bool seen);
    void decisionAsked(const pim::upmem::LutChoice& choice); ///< One that can be had.

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildBar(QVBoxLayout* into);
    void buildMaps();
    void buildDetails();
    void fillSplits();
    void fillTiles(std::ptrdiff_t split);
    void choose(const LutCell& cell);
    void fillTimes();
    void useFewer();
    void copyRows();
    void decide();
    void showChosen();

    std::shared_ptr<const LutLandscape> m_landscape;
    LutCell m_chosen;
    Judge m_judge;
    std::optional<upmem::LutChoice> m_inForce;
    std::ptrdiff_t m_split = -1; ///< Whose tiles are shown.
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QHBoxLayout* m_bar;
    QSplitter* m_across;
    QComboBox *m_ops, *m_side, *m_codebooks;
    QSpinBox *m_length, *m_centroids, *m_dpus, *m_tasklets;
    QPushButton *m_fewer, *m_use;
    QToolButton* m_copy;
    QLabel *m_title, *m_status, *m_tilesTitle;
    LutMap *m_splits, *m_tiles;
    TableView* m_times;
    FiguresModel* m_rows;
};

} // namespace pim::views
