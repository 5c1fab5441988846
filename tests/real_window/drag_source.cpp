// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Another program with files to be dragged out of: `drag_source X Y FILE...` shows a small window at X, Y;
/// pressing on it and moving drags the files. Says "ready" when it can be pressed, and what became of the
/// drag.
#include <QApplication>
#include <QDrag>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>

#include <cstdio>

namespace {

class Source : public QLabel {
public:
    explicit Source(const QStringList& files) : QLabel(QStringLiteral("files")) {
        for (const QString& file : files)
            m_urls.append(QUrl::fromLocalFile(file));
        setAlignment(Qt::AlignCenter);
    }

protected:
    void showEvent(QShowEvent* event) override {
        QLabel::showEvent(event);
        QMetaObject::invokeMethod(
            this, [] { say("ready"); }, Qt::QueuedConnection);
    }
    void mousePressEvent(QMouseEvent*) override {}
    void mouseMoveEvent(QMouseEvent* event) override {
        if (!(event->buttons() & Qt::LeftButton))
            return;
        auto* mime = new QMimeData;
        mime->setUrls(m_urls);
        auto* drag = new QDrag(this);
        drag->setMimeData(mime);
        say(drag->exec(Qt::CopyAction) == Qt::IgnoreAction ? "refused" : "taken");
    }

private:
    static void say(const char* word) {
        std::puts(word);
        std::fflush(stdout);
    }
    QList<QUrl> m_urls;
};

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const QStringList words = QApplication::arguments();
    if (words.size() < 4)
        return 1;
    Source source(words.mid(3));
    source.setWindowFlag(Qt::FramelessWindowHint);
    source.setGeometry(words[1].toInt(), words[2].toInt(), 90, 60);
    source.show();
    return QApplication::exec();
}
