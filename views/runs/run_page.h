// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One stored run: what it was made from and by, how it relates to the plan in force, and what can be done
/// with it.
#include "core/project/rerun.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;

namespace pim::views {

class FiguresModel;
class TableView;

class RunPage : public QWidget {
    Q_OBJECT
public:
    explicit RunPage(QWidget* parent = nullptr);

    /// \p changes from the run to the plan in force; empty: it is the same. \p hasPlan: there is one to
    /// compare with.
    void setRun(const RunInfo& run, bool hasPlan, const QStringList& changes);
    std::int64_t run() const { return m_run; }
    void setReadOnly(bool isReadOnly);
    void setRerun(const Rerun& again);
    void setRerunFailed(const QString& why);

    QString relation() const;
    QString rerunText() const;
    TableView* facts() const { return m_facts; }
    TableView* differences() const { return m_differences; }

signals:
    void openRequested(qint64 run);
    void rerunRequested(qint64 run);
    void linkRequested(qint64 run);
    void deleteRequested(qint64 run);

private:
    QWidget* buildButtons();

    std::int64_t m_run = 0;
    QLabel* m_relation;
    QLabel* m_again;
    FiguresModel* m_factsModel;
    FiguresModel* m_differencesModel;
    TableView* m_facts;
    TableView* m_differences;
    QPushButton *m_open, *m_repeat, *m_link, *m_delete;
};

} // namespace pim::views
