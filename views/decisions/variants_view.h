// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Named sets of decisions: branch, rename, switch, delete; what each costs, which is best, and where two
/// differ.
#include "views/decisions/variants_model.h"

#include <QStandardItemModel>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace pim::views {

class TableView;

class VariantsView : public QWidget {
    Q_OBJECT
public:
    explicit VariantsView(Workspace& workspace, QWidget* parent = nullptr);

    VariantsModel& model() { return *m_model; }
    VariantTotals& totals() { return *m_totals; }
    void branch(); ///< From the one in force, under a free name, which can then be changed in place.
    /// Shows where the two differ, and tells others.
    void compare(const QString& first, const QString& second);

signals:
    void compareRequested(const QString& first, const QString& second);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void addButtons(QVBoxLayout& column);
    void refresh();
    void refreshComparison();
    QStringList selected() const;

    Workspace& m_workspace;
    VariantTotals* m_totals;
    VariantsModel* m_model;
    TableView* m_list;
    QComboBox* m_metric;
    QPushButton *m_branch, *m_switch, *m_rename, *m_delete, *m_compare;
    QLabel* m_compared;
    TableView* m_differences;
    QStandardItemModel m_differenceModel;
    std::pair<QString, QString> m_pair; ///< What is compared; empty: nothing.
};

} // namespace pim::views
