// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A label for text of several lines. Laying out text takes long, and a layout asks for the height of the same text at the
/// same few widths again and again: each is measured once.
#include <QLabel>

#include <vector>

namespace pim::views {

class TextLabel : public QLabel {
    Q_OBJECT
public:
    explicit TextLabel(QWidget* parent = nullptr);

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Height {
        int width = 0, height = 0;
    };
    void forgetOldText() const;

    mutable QString m_measured;            ///< The text that what is below belongs to.
    mutable std::vector<Height> m_heights; ///< By width; few, the oldest goes first.
    mutable QSize m_hint, m_minimumHint;   ///< Invalid: not measured yet.
};

} // namespace pim::views
