// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the tensors of one op lie in the banks: type an element or point at it and see its places; point at
/// a row of a bank and see its elements.
#include "core/base/task.h"
#include "core/plan/op_places.h"
#include "views/dram_pim/place_map.h"

#include <QWidget>

#include <functional>
#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;

namespace pim::views {

class ColorScale;
class EmptyState;
class FiguresModel;
class GridCanvas;
struct GridCell;

struct PlaceSample;
class TableView;
class Workspace;

class LayoutView : public QWidget {
    Q_OBJECT
public:
    explicit LayoutView(QWidget* parent = nullptr);
    /// Shows the op selected, once it is seen.
    explicit LayoutView(Workspace& workspace, QWidget* parent = nullptr);
    ~LayoutView() override;

    /// What of a tensor can be in a channel, if that is known: other elements are not looked for.
    /// Thread-safe.
    using Held = std::function<HeldIndices(int tensor, int group)>;
    /// Null: none.
    void setPlaces(std::shared_ptr<const OpPlaces> places, Held held = {});
    void setEmptyText(const QString& missing, const QString& whatToDo);
    /// Whether a person can see it: what it shows is worked out only then.
    void setSeen(bool seen);
    void setStale(bool stale); ///< What is shown is of an older plan.
    /// The ops whose tensors can be shown, as ids and names. Emits nothing.
    void setOps(const std::vector<std::pair<OpId, QString>>& ops);
    void setSelectedOp(OpId op);
    /// How the search for places is run, which may take seconds: on a worker thread, what it returns then on
    /// this one. A new one replaces one that still runs. Without: at once.
    using Work = std::function<std::function<void()>(const TaskContext&)>;
    void setRunner(std::function<void(const QString& name, Work work)> runner) {
        m_runner = std::move(runner);
    }

    void setTensor(int tensor);
    void setGroup(int group);
    void setElement(std::int64_t element); ///< Of the tensor, row-major.
    std::int64_t element() const { return m_element; }

    GridCanvas* matrix() const { return m_matrix; }
    GridCanvas* banks() const { return m_banks; }
    TableView* table() const { return m_table; }
    QLineEdit* elementEdit() const { return m_edit; }
    QComboBox* tensorBox() const { return m_tensors; }
    QSpinBox* groupBox() const { return m_groupBox; }
    QLabel* status() const { return m_status; }
    QLabel* title() const { return m_title; }
    const PlaceMap* map() const { return m_map.get(); }

signals:
    void opChosen(pim::OpId op);
    void seenChanged(bool seen);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildBar(QWidget* into);
    void buildPictures(QWidget* into);
    void search(); ///< Fills map and sample of tensor, group and slice.
    void repaintMatrix();
    void repaintBanks();
    void showElement(); ///< Copies of the element, in table and pictures.
    void tellElement(); ///< In the line below.
    void fillTable(const std::vector<PimPlace>& copies);
    QString addressText(const PimPlace& place) const; ///< In the memory of the channel.
    void takeText();
    void updateTitle();
    QString elementText(const GridCell& cell) const;
    QString rowText(const GridCell& cell) const; ///< Of a bank.
    void describeCell(const GridCell& cell);
    QString bankText(int bank) const;
    const PlacedTensor& tensor() const { return m_places->tensors[static_cast<std::size_t>(m_tensor)]; }

    std::shared_ptr<const OpPlaces> m_places;
    Held m_held;
    std::function<void(const QString&, Work)> m_runner;
    int m_tensor = 0, m_group = 0;
    std::int64_t m_element = 0;
    std::int64_t m_sliceStart = -1; ///< First element of the matrix shown.
    std::shared_ptr<const PlaceMap> m_map;
    std::shared_ptr<const PlaceSample> m_sample;
    bool m_isStale = false;
    bool m_choseBankColor = false; ///< The user did; else it is what tells most.
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QComboBox* m_ops;
    QComboBox* m_tensors;
    QLineEdit* m_edit;
    QSpinBox* m_groupBox;
    QComboBox* m_matrixColor;
    QComboBox* m_bankColor;
    GridCanvas* m_matrix;
    GridCanvas* m_banks;
    ColorScale* m_matrixScale;
    ColorScale* m_bankScale;
    TableView* m_table;
    FiguresModel* m_copies = nullptr;
    QLabel* m_title;
    QLabel* m_status;
};

} // namespace pim::views
