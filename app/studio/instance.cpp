// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/instance.h"

#include "core/report/link.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalServer>
#include <QLocalSocket>
#include <QLoggingCategory>
#include <QStandardPaths>
#include <QTimer>

#include <filesystem>

#include <unistd.h>

namespace pim::studio {
namespace {

Q_LOGGING_CATEGORY(instanceLog, "pim.instance", QtInfoMsg)

constexpr int kConnectMs = 300, kAnswerMs = 3000;
constexpr qint64 kLongest = 64 * 1024; ///< Of a message; longer ones are not read to their end.
const QByteArray kAnswer = QByteArrayLiteral("ok\n");
const QString kKey = QStringLiteral("open");

} // namespace

QString Instance::defaultName() {
    // Another home is another program: what a test opens must not land in the window of a person.
    const QString settings = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    const QByteArray home =
        QCryptographicHash::hash(settings.toUtf8(), QCryptographicHash::Sha256).toHex().left(8);
    return QStringLiteral("pimstudio-%1-%2").arg(::getuid()).arg(QString::fromLatin1(home));
}

bool Instance::handOver(const QString& name, const QString& what) {
    QLocalSocket socket;
    socket.connectToServer(name);
    if (!socket.waitForConnected(kConnectMs))
        return false;
    socket.write(QJsonDocument(QJsonObject{{kKey, what}}).toJson(QJsonDocument::Compact) + '\n');
    // Without an answer the other one may hang: then this one opens what was asked for.
    QByteArray answer;
    while (!answer.endsWith('\n') && socket.waitForReadyRead(kAnswerMs))
        answer += socket.readAll();
    qCInfo(instanceLog, "%s: the window %s", what.isEmpty() ? "comes to the front" : qUtf8Printable(what),
           answer == kAnswer ? "that is open takes it" : "that is open does not answer");
    return answer == kAnswer;
}

Instance::Instance(const QString& name, QObject* parent)
    : QObject(parent), m_name(name), m_server(new QLocalServer(this)) {
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server, &QLocalServer::newConnection, this, [this] {
        while (QLocalSocket* socket = m_server->nextPendingConnection())
            take(socket);
    });
}

Instance::~Instance() = default;

bool Instance::listen() {
    // Asked first: a server that limits who may connect moves its socket over that of a living one.
    QLocalSocket probe;
    probe.connectToServer(m_name);
    if (probe.waitForConnected(kConnectMs))
        return false;
    QLocalServer::removeServer(m_name); // nobody is behind it any more
    return m_server->listen(m_name);
}

void Instance::take(QLocalSocket* socket) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    QTimer::singleShot(kAnswerMs, socket, &QLocalSocket::abort); // who says nothing does not stay
    const auto read = [this, socket] {
        if (socket->bytesAvailable() > kLongest)
            return socket->abort();
        if (!socket->canReadLine())
            return;
        const QJsonObject message = QJsonDocument::fromJson(socket->readLine(kLongest)).object();
        if (!message[kKey].isString())
            return socket->abort();
        socket->write(kAnswer);
        socket->flush();
        socket->disconnectFromServer();
        qCInfo(instanceLog, "another start asks for \"%s\"", qUtf8Printable(message[kKey].toString()));
        emit asked(message[kKey].toString());
    };
    connect(socket, &QLocalSocket::readyRead, this, read);
    read();
}

QString seenFromAnywhere(const QString& what) {
    if (isLink(what.toStdString())) {
        auto link = parseLink(what.toStdString());
        if (!link)
            return what; // the one who opens it says what is wrong
        std::error_code error;
        link->project = std::filesystem::absolute(link->project, error);
        return QString::fromStdString(formatLink(*link));
    }
    return QFileInfo::exists(what) ? QFileInfo(what).absoluteFilePath() : what; // "sample:resnet50" stays
}

} // namespace pim::studio
