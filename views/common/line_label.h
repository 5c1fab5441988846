// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A label of one line, rich text or plain, that takes the room there is: where its text does not fit it ends
/// in "…" and the tip has all of it. Never makes a panel wider.
#include <QLabel>

namespace pim::views {

class LineLabel : public QLabel {
    Q_OBJECT
public:
    explicit LineLabel(QWidget* parent = nullptr);

    bool isCut() const; ///< The text is longer than there is room.

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace pim::views
