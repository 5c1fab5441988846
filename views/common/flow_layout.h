// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Widgets one after the other, in as many rows as the width takes: tool bars of panels that may be narrow.
#include <QLayout>

#include <memory>
#include <vector>

namespace pim::views {

class FlowLayout : public QLayout {
public:
    FlowLayout();
    ~FlowLayout() override;

    /// At position \p index instead of at the end.
    void insertWidget(int index, QWidget* widget);

    void addItem(QLayoutItem* item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// \returns the height that it takes.
    int arrange(const QRect& rect, bool moves) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace pim::views
