// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/qt_messages.h"

#include "core/base/log.h"

#include <QLoggingCategory>
#include <QString>

#include <string_view>

namespace pim::studio {
namespace {

LogLevel levelOf(QtMsgType type) {
    switch (type) {
    case QtDebugMsg:
        return LogLevel::Debug;
    case QtInfoMsg:
        return LogLevel::Info;
    case QtWarningMsg:
        return LogLevel::Warning;
    case QtCriticalMsg:
    case QtFatalMsg: // Qt ends the program after it
        return LogLevel::Error;
    }
    return LogLevel::Warning;
}

std::string_view roomOf(const char* category) {
    constexpr std::string_view kOurs = "pim.";
    const std::string_view name = category ? category : "default";
    return name == "default" ? "qt" : name.starts_with(kOurs) ? name.substr(kOurs.size()) : name;
}

void toLog(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    // The offscreen platform complains about every window it cannot give a size hint to, once a resize; and Qt in four lines about a locale that
    // is not installed, whose language may be there all the same.
    if (message.startsWith(QStringLiteral("This plugin does not support")) ||
        message.startsWith(QStringLiteral("Detected locale")))
        return;
    Log::get().write(levelOf(type), roomOf(context.category), message.toStdString());
}

} // namespace

void routeQtMessages() {
    QLoggingCategory::setFilterRules(QStringLiteral("pim.*.debug=true"));
    qInstallMessageHandler(toLog);
}

} // namespace pim::studio
