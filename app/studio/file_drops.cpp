// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/file_drops.h"

#include "views/common/palette.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QUrl>
#include <QWindow>

#include <algorithm>
#include <utility>

namespace pim::studio {
namespace {

constexpr int kAboveBottom = 48;
constexpr int kMargin = 16;

QString whatHappens(const OpenRequest& request) {
    switch (request.kind) {
    case OpenRequest::Kind::Link:
        return FileDrops::tr("Drop to open the run of this report");
    case OpenRequest::Kind::Target:
        return FileDrops::tr("Drop to compile for the machine in %1").arg(QFileInfo(request.what).fileName());
    default:
        return FileDrops::tr("Drop to open %1").arg(QFileInfo(request.what).fileName());
    }
}

} // namespace

DropVerdict judgeDrop(const QMimeData* mime) {
    DropVerdict verdict;
    QStringList refusals;
    for (const QUrl& url : mime ? mime->urls() : QList<QUrl>()) {
        const bool isLink = url.scheme() == QStringLiteral("pim");
        if (!url.isLocalFile() && !isLink) {
            refusals.append(FileDrops::tr("%1 is not on this computer. Save it first, then drop the file.")
                                .arg(url.toDisplayString()));
            continue;
        }
        OpenRequest request = judgeFile(isLink ? url.toString(QUrl::FullyEncoded) : url.toLocalFile(), false);
        if (request.kind == OpenRequest::Kind::Refused)
            refusals.append(request.reason);
        else
            verdict.open.append(std::move(request));
    }
    if (verdict.open.isEmpty()) {
        verdict.text = refusals.value(0);
        return verdict;
    }
    verdict.text = whatHappens(verdict.open.front());
    if (verdict.open.size() > 1)
        verdict.text +=
            FileDrops::tr("; %1 more will be listed under Open Recent").arg(verdict.open.size() - 1);
    if (!refusals.isEmpty())
        verdict.text += u'\n' + refusals.front();
    return verdict;
}

FileDrops::FileDrops(QWidget& window) : QObject(&window), m_window(window), m_hint(new QLabel(&window)) {
    m_window.setAcceptDrops(true);
    m_hint->setObjectName(QStringLiteral("DropHint"));
    m_hint->setAccessibleName(tr("What a drop does"));
    m_hint->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->hide();
    qApp->installEventFilter(this);
}

FileDrops::~FileDrops() {
    qApp->removeEventFilter(this);
}

QString FileDrops::hint() const {
    return m_hint->isHidden() ? QString() : m_hint->text();
}

void FileDrops::judge(const QMimeData* mime) {
    // A refused drag is offered to every widget up to the window.
    if (const QList<QUrl> urls = mime->urls(); std::exchange(m_urls, urls) != urls)
        m_verdict = judgeDrop(mime);
    if (m_verdict.text.isEmpty())
        hideHint();
    else
        showHint(!m_verdict.open.isEmpty());
}

void FileDrops::showHint(bool isAccepted) {
    m_hint->setText(m_verdict.text);
    m_hint->setStyleSheet(QStringLiteral("#DropHint { background: %1; color: %2; border: 2px solid %3; "
                                         "border-radius: 6px; padding: 8px 14px; }")
                              .arg(m_window.palette().color(QPalette::Base).name(),
                                   m_window.palette().color(QPalette::Text).name(),
                                   views::color(isAccepted ? views::Role::Good : views::Role::Bad).name()));
    const int most = m_window.width() - 2 * kMargin;
    m_hint->setFixedWidth(
        std::min(most, std::max(320, m_hint->fontMetrics().size(0, m_hint->text()).width() + 48)));
    m_hint->adjustSize();
    m_hint->move((m_window.width() - m_hint->width()) / 2,
                 m_window.height() - m_hint->height() - kAboveBottom);
    m_hint->show();
    m_hint->raise();
}

void FileDrops::hideHint() {
    m_hint->hide();
}

bool FileDrops::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::DragLeave &&
        type != QEvent::Drop)
        return false;
    // A drag that no widget took leaves the window without telling any of them.
    if (type == QEvent::DragLeave && watched == m_window.windowHandle()) {
        m_urls.clear();
        hideHint();
        return false;
    }
    const auto* widget = qobject_cast<const QWidget*>(watched);
    if (!widget || widget->window() != &m_window)
        return false;
    if (type == QEvent::DragLeave) {
        hideHint();
        return false;
    }
    auto* drag = static_cast<QDropEvent*>(event);
    if (!drag->mimeData() || !drag->mimeData()->hasUrls())
        return false; // a thing of our own, for the panel below
    if (type == QEvent::DragEnter || m_verdict.text.isEmpty())
        judge(drag->mimeData());
    if (m_verdict.open.isEmpty()) {
        drag->setDropAction(Qt::IgnoreAction);
        drag->ignore();
    } else {
        drag->acceptProposedAction();
    }
    if (type == QEvent::Drop) {
        hideHint();
        m_urls.clear();
        if (const QList<OpenRequest> files = std::exchange(m_verdict, {}).open; !files.isEmpty())
            emit dropped(files);
    }
    return true;
}

} // namespace pim::studio
