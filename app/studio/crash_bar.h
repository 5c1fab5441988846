// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Crashes of earlier starts: one row for each, to read, to report or to delete. In nobody's way; gone when the last row is, or until the
/// next start.
#include "core/support/crash_reports.h"

#include <QFrame>

#include <vector>

class QMainWindow;
class QVBoxLayout;

namespace pim::studio {

class CrashBar : public QFrame {
    Q_OBJECT
public:
    explicit CrashBar(const std::vector<CrashReport>& reports, QWidget* parent = nullptr);

    int rows() const { return m_rows; }
    /// "pimstudio 1.0 crashed on 21 Nov 14:03 in pim::…: SIGSEGV, …"
    static QString text(const CrashReport& report);

signals:
    void emptied();
    void reportRequested(const QString& file); ///< As a report of a problem.
    void failed(const QString& message, const QString& details);

private:
    void addRow(QVBoxLayout& column, const CrashReport& report);
    void removeRow(QWidget* row);

    int m_rows = 0;
};

/// Puts a bar below the others of \p window.
CrashBar* showCrashes(QMainWindow& window, const std::vector<CrashReport>& reports);

} // namespace pim::studio
