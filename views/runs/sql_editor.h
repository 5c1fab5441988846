// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where queries are typed: words of SQL and names of the project in colours, and a list of what a word may become, which comes while one types
/// or by Ctrl+Space. Behind "table." it has the columns of that table alone.
#include "core/project/query.h"

#include <QPlainTextEdit>

#include <map>

class QCompleter;
class QStringListModel;

namespace pim::views {

class SqlEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit SqlEditor(QWidget* parent = nullptr);

    void setSchema(const std::vector<SchemaTable>& schema);
    /// What the word before the cursor may become; shown where there is anything. \p isAsked also of no letter at all.
    QStringList complete(bool isAsked);
    QCompleter* completer() const { return m_completer; }

signals:
    void runRequested(); ///< Ctrl+Enter over the list.

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override; ///< Not while Tab is for the list.

private:
    class Highlighter;
    QString wordBeforeCursor() const;
    void insertCompletion(const QString& word);

    Highlighter* m_highlighter;
    QStringListModel* m_words;
    QCompleter* m_completer;
    QStringList m_all;                        ///< Names and words of SQL.
    std::map<QString, QStringList> m_columns; ///< By table, in lower case.
};

} // namespace pim::views
