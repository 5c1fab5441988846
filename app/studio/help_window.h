// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The help pages (resources/help/*.md) with a list of contents.
#include <QWidget>

class QListWidget;
class QTextBrowser;

namespace pim::studio {

class HelpWindow : public QWidget {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent = nullptr);
    /// \param page file name without suffix; an unknown one shows the overview.
    void showPage(const QString& page);
    QString page() const;
    static QStringList pages();

private:
    void load(const QString& page);

    QListWidget* m_contents;
    QTextBrowser* m_text;
};

} // namespace pim::studio
