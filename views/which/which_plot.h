// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Times of machines as dots on a logarithmic axis, a line for each machine, the first on top: filled where the time was
/// simulated, hollow where it is predicted, squares for hosts alone. Where not all lines
/// can be read, the wheel and dragging move on.
#include "core/compile/which.h"
#include "views/common/plot.h"

namespace pim::views {

class WhichPlot : public Plot {
    Q_OBJECT
public:
    explicit WhichPlot(QWidget* parent = nullptr);

    /// \p order: positions in \p rows, the first on top; rows with a problem have no dot. \p by as in ranked().
    void setRows(const std::vector<WhichRow>& rows, const std::vector<std::size_t>& order, WhichBy by);
    void setCurrent(int line); ///< Place in the order; -1: none.

signals:
    void lineClicked(int line);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void style();
    /// As many lines as can be read, from \p first on.
    void showLines(double first);

    QCPGraph *m_simulated, *m_predicted, *m_hosts, *m_current;
    QVector<double> m_times;
};

} // namespace pim::views
