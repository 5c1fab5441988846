// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The colours of sequential data from the least to the greatest value, with both written beside them.
#include <QWidget>

namespace pim::views {

class ColorScale : public QWidget {
    Q_OBJECT
public:
    explicit ColorScale(QWidget* parent = nullptr);
    void setRange(qint64 least, qint64 greatest);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    qint64 m_least = 0, m_greatest = 0;
};

} // namespace pim::views
