// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One program a user: a second start hands what it was asked to open to the one that runs. Over a local
/// socket only this user can reach.
#include <QObject>
#include <QString>

class QLocalServer;
class QLocalSocket;

namespace pim::studio {

class Instance : public QObject {
    Q_OBJECT
public:
    /// Of this user and his settings, whatever the version of the program.
    static QString defaultName();
    /// \param what file or link, as the other one can understand it (absolute); empty: come to the front.
    /// \returns false if no program listens, or it does not answer.
    static bool handOver(const QString& name, const QString& what);

    explicit Instance(const QString& name, QObject* parent = nullptr);
    ~Instance() override;
    /// False where another one listens already. What a crashed one left behind is taken over.
    bool listen();

signals:
    void asked(const QString& what); ///< Another start handed it over; empty: come to the front.

private:
    void take(QLocalSocket* socket);

    QString m_name;
    QLocalServer* m_server;
};

/// A file or link of the command line as another process with another folder understands it.
QString seenFromAnywhere(const QString& what);

} // namespace pim::studio
