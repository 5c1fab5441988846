// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What was open and how it looked when the program was last left, and the way back to it: document, target,
/// dimensions, question, selected op, and how the views stood. What belongs to a project is in the project;
/// panels have their layout.
#include <QJsonObject>
#include <QObject>
#include <QString>

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class MainWindow;

class Session : public QObject {
    Q_OBJECT
public:
    /// Saves by itself when a document is opened or saved; call save() at the end for the rest.
    Session(MainWindow& window, views::Workspace& workspace);

    void save() const;
    /// Opens what was open. False: there is nothing to bring back, or it is gone (which is told).
    bool restore();
    static bool isThere();
    static void forget();
    /// The user's wish to start where the program was left; on unless switched off.
    static bool isWanted();
    static void setWanted(bool wanted);

private:
    void applyLook(const QJsonObject& look);

    MainWindow& m_window;
    views::Workspace& m_workspace;
};

} // namespace pim::studio
