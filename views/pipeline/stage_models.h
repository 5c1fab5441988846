// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The tables of the pipeline view: the stages, and what one of them changed.
#include "views/pipeline/pipeline_stages.h"

#include <QAbstractTableModel>

namespace pim::views {

class StageModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Stage, Before, After, Changes, Time, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setStages(std::vector<PipelineStage> stages);
    void setHidesIdle(bool hides); ///< Stages that changed nothing.
    const PipelineStage& stage(int row) const { return m_stages[m_rows[std::size_t(row)]]; }
    int rowOf(const std::string& id) const; ///< -1: not shown.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void switched(const QString& pass,
                  bool on); ///< The person wants it so; the model stays until new stages come.

private:
    void filter();

    std::vector<PipelineStage> m_stages;
    std::vector<std::size_t> m_rows;
    bool m_hidesIdle = false;
};

/// Two columns, before and after; what went has a "−" in front, what came a "+".
class ChangeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Before, After, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setChanges(std::vector<StageChange> changes);
    void setHidesSame(bool hides);
    void setOnly(OpId op); ///< Invalid: all ops.
    const StageChange& change(int row) const { return m_changes[m_rows[std::size_t(row)]]; }
    int rowOf(OpId op) const;       ///< First of it; -1: none shown.
    bool hasAny(Column side) const; ///< Some change has a text on this side.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void filter();

    std::vector<StageChange> m_changes;
    std::vector<std::size_t> m_rows;
    bool m_hidesSame = true;
    OpId m_only;
};

} // namespace pim::views
