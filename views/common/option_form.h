// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The options of one table: each with what it means, a choice or a line to type in, and the way back to its default.
#include "core/base/option_table.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QToolButton;

namespace pim::views {

class OptionForm : public QWidget {
    Q_OBJECT
public:
    explicit OptionForm(QWidget* parent = nullptr);

    /// Meanings stand in tips, and what is typed counts as soon as the line is left; before setTable().
    void setCompact(bool compact) { m_isCompact = compact; }
    /// \p table may be null: there is nothing to choose, and the widget is hidden. \p texts: options not at their default.
    void setTable(const QString& title, const OptionTable* table, const OptionTexts& texts);
    /// ChoiceBox or line edit of an option; null if there is none.
    QWidget* inputOf(std::string_view key) const;
    QToolButton* resetOf(std::string_view key) const;
    /// What is wrong with what is typed; empty while it is allowed.
    QString problemOf(std::string_view key) const;

signals:
    /// By the user, and allowed. \p texts as in setTable(), all of them.
    void chosen(const OptionTexts& texts);

private:
    struct Row {
        OptionInfo info;
        QWidget* input;
        QToolButton* reset;
        QLabel* problem;
    };
    void rebuild();
    void clear();
    void addRow(const OptionInfo& info);
    QWidget* makeInput(const OptionInfo& info);
    void choose(std::string_view key, const QString& value);
    const Row* rowOf(std::string_view key) const;

    QGridLayout* m_grid;
    QString m_title;
    const OptionTable* m_table = nullptr;
    OptionTexts m_texts;
    std::vector<Row> m_rows;
    bool m_isCompact = false;
    bool m_isAsked = false; ///< Something was chosen; what comes of it is shown with the next setTable().
};

} // namespace pim::views
