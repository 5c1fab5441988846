// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who is first where: a map of the machines that are first for sizes of one or two open dimensions, and the sizes at which another
/// takes over.
#include "core/compile/winners.h"

#include <QWidget>

#include <functional>
#include <memory>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStandardItemModel;

namespace pim::views {

class TableView;
class Workspace;

class WinnerMapView : public QWidget {
    Q_OBJECT
public:
    /// \p machines: what is asked at each size; its graph is not used.
    using Machines = std::function<Result<WhichSetup>()>;
    WinnerMapView(Workspace& workspace, std::shared_ptr<const HostModel> model, Machines machines,
                  QWidget* parent = nullptr);

    QLineEdit* over() const { return m_over; }
    QCheckBox* hosts() const { return m_hosts; }
    QPushButton* askButton() const { return m_ask; }
    TableView* table() const {
        return m_table;
    } ///< Rows: sizes of the first dimension; columns: those of the second.
    QLabel* message() const { return m_message; } ///< Crossings, or what is wrong.
    void setOrder(WhichBy by) { m_by = by; }

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Outcome;
    void modelChanged();
    void ask();
    void show(const Outcome& outcome);
    void colour();
    void showMap(const WinnerSetup& setup, const WinnerMap& map);

    Workspace& m_workspace;
    std::shared_ptr<const HostModel> m_model;
    Machines m_machines;
    QLineEdit* m_over;
    QCheckBox* m_hosts;
    QPushButton* m_ask;
    TableView* m_table;
    QStandardItemModel* m_cells;
    QLabel* m_message;
    WhichBy m_by = WhichBy::Request;
    int m_task = 0;
};

} // namespace pim::views
