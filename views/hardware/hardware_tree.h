// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The machine as a tree beside the floorplan: host, then device › group › core, or chip › array, from the target
/// description alone. Rows are made only when they are looked at. Also what screen readers walk.
#include "views/hardware/machine_use.h"

#include <QAbstractItemModel>
#include <QTreeView>

namespace pim::views {

class HardwareTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Place, Used, Free, Figure, kColumns };
    /// std::pair<double, double>: shares of others and of the op.
    static constexpr int kUseRole = Qt::UserRole + 1;

    using QAbstractItemModel::QAbstractItemModel;

    void setTarget(std::shared_ptr<const Target> target);
    void setUse(const MachineUse& use);
    void setFigures(std::shared_ptr<const CoreFigures> figures);

    HardwareSpot spotOfIndex(const QModelIndex& index) const;
    QModelIndex indexOfSpot(const HardwareSpot& spot) const;
    const Target* target() const { return m_target.get(); }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QVariant text(const HardwareSpot& spot, int column, bool exact) const;
    QString figureText(const HardwareSpot& spot) const;
    void refreshFigures();

    std::shared_ptr<const Target> m_target;
    MachineUse m_use;
    std::shared_ptr<const CoreFigures> m_figures;
};

class HardwareTree : public QTreeView {
    Q_OBJECT
public:
    explicit HardwareTree(QWidget* parent = nullptr);
    HardwareTreeModel* hardware() const { return m_model; }
    void setCurrentSpot(const HardwareSpot& spot);
    HardwareSpot currentSpot() const;
    /// Asked for every move of a drag: may it be let go there?
    using DragOver =
        std::function<bool(const QString& mime, const QString& payload, const HardwareSpot& spot)>;
    void setDragOver(DragOver dragOver) { m_dragOver = std::move(dragOver); }

signals:
    void spotChosen(const pim::views::HardwareSpot& spot); ///< By the user.
    void dragLeft();
    void dropped(const QString& mime, const QString& payload, const pim::views::HardwareSpot& spot);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    HardwareTreeModel* m_model;
    DragOver m_dragOver;
    bool m_following = false; ///< The selection is set by us.
};

} // namespace pim::views
