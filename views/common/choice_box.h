// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A combo box of values with verdicts: all are listed, those that are not allowed are greyed and say why. The list may be
/// made only when it is opened or stepped through, where a verdict costs something.
#include <QComboBox>

#include <functional>
#include <vector>

namespace pim::views {

struct Choice {
    QString value; ///< What is chosen, and the text in front.
    bool legal = true;
    QString remark; ///< Why it is not allowed, or something worth knowing about it.
};

class ChoiceBox : public QComboBox {
    Q_OBJECT
public:
    explicit ChoiceBox(QWidget* parent = nullptr);

    using Make = std::function<std::vector<Choice>()>;
    /// \p current is shown at once, the rest when it is asked for.
    void setChoices(Make make, const QString& current);
    /// As if the user had picked it. \returns false, and picks nothing, if it is not listed or not allowed.
    bool choose(const QString& value);
    QString value() const { return m_current; }
    const std::vector<Choice>& choices(); ///< Made if need be.
    /// Better verdicts on the values that are listed, once they are known; the open list shows them too.
    void setVerdicts(std::vector<Choice> choices);

    void showPopup() override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const QString& value); ///< By the user, and another one than before.

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void showCurrent();
    void fill();
    void pick(int row);

    Make m_make;
    std::vector<Choice> m_choices;
    QString m_current;
    bool m_isFilled = false;
};

} // namespace pim::views
