// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A window over the real core, with settings of its own.
#include "app/studio/families.h"
#include "app/studio/main_window.h"
#include "app/studio/settings.h"
#include "backends/builtin.h"
#include "tests/support/workspace.h"
#include "views/models/workspace.h"

#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace pim::test {

/// Once per test program, before any widget: nothing of the person who runs the tests is read or written.
inline void isolateSettings(const QTemporaryDir& folder) {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setApplicationName(QStringLiteral("pimstudio-test"));
    QCoreApplication::setOrganizationName(QStringLiteral("pimstudio-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
}

struct Studio {
    BackendList backends = builtinBackends();
    views::FamilyList families = studio::families();
    studio::Settings settings;
    views::Workspace workspace;
    studio::MainWindow window;
    QSignalSpy failures;

    Studio()
        : workspace(backends, TargetCatalog::load(), families), window(workspace, settings),
          failures(&workspace, &views::Workspace::failed) {
        window.setUnattended(true);
        window.resize(1280, 720);
        window.show();
    }
    bool settled() const { return test::settled(workspace); }
    QString lastFailure() const { return test::lastFailure(failures); }
    OpId costliestOnPim() const {
        OpId costliest;
        double most = -1;
        for (const OpPlan& op : workspace.plan()->ops)
            if (!op.onHost() && op.draftsKept > 1 && op.cost.totalNs() > most) {
                most = op.cost.totalNs();
                costliest = op.op;
            }
        return costliest;
    }
};

} // namespace pim::test

#define SETTLE(studio)                                                                                       \
    QTRY_VERIFY2_WITH_TIMEOUT((studio).settled(), qPrintable((studio).lastFailure()), 120000)
