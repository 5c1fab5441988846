// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The help: contents, search over all pages, the page itself, back and forward.
#include <QStringList>
#include <QWidget>

class QLineEdit;
class QListWidget;
class QStackedWidget;
class QTextBrowser;
class QTextDocument;
class QToolButton;
class QTreeWidget;

namespace pim::studio {

class HelpWindow : public QWidget {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent = nullptr);
    /// \param topic "page" or "page#heading"; an unknown page shows the first one, an unknown heading the
    /// page's beginning.
    void showPage(const QString& topic);
    QString page() const;  ///< File name without suffix.
    QString topic() const; ///< With the heading gone to.
    static QStringList pages();

    QLineEdit* searchField() const { return m_search; }
    QListWidget* results() const { return m_results; }
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_history.size(); }
    void goBack();
    void goForward();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillContents();
    void arrange();
    void connectKeys();
    void connectPages();
    void go(const QString& topic); ///< Adds to what back goes through.
    void display(const QString& topic);
    void load(const QString& page);
    void search(const QString& query);
    void refresh();

    QLineEdit* m_search;
    QStackedWidget* m_lists;
    QTreeWidget* m_contents;
    QListWidget* m_results;
    QTextBrowser* m_text;
    QToolButton* m_back;
    QToolButton* m_forward;
    QStringList m_history; ///< Topics.
    qsizetype m_at = -1;
    QTextDocument* m_document = nullptr; ///< In the browser.
    QString m_loaded;                    ///< Page the text is of.
    int m_loadedWidth = 0;               ///< Its pictures were made for.
};

} // namespace pim::studio
