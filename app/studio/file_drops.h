// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Files dropped anywhere on a window, also on panels that take other things. While files are over it a line
/// at the bottom says what a drop will do, or why it is refused; the cursor shows the same.
#include "app/studio/open_request.h"

#include <QList>
#include <QObject>
#include <QUrl>

class QDropEvent;
class QLabel;
class QMimeData;
class QWidget;

namespace pim::studio {

struct DropVerdict {
    QList<OpenRequest> open; ///< What can be opened, in the order dropped; empty: the drop is refused.
    QString text;            ///< What a drop does, or why it is refused.
};

/// Of what is dragged; nothing if it is no files.
DropVerdict judgeDrop(const QMimeData* mime);

class FileDrops : public QObject {
    Q_OBJECT
public:
    explicit FileDrops(QWidget& window);
    ~FileDrops() override;

    QString hint() const; ///< As shown now; empty: none.

signals:
    void dropped(const QList<pim::studio::OpenRequest>& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void judge(const QMimeData* mime);
    void showHint(bool isAccepted);
    void hideHint();

    QWidget& m_window;
    QLabel* m_hint;
    QList<QUrl> m_urls;    ///< Dragged last.
    DropVerdict m_verdict; ///< Of the drag over the window; files are looked into once.
};

} // namespace pim::studio
