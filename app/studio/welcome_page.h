// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is there before a model is open: recent files, sample projects, how to begin.
#include "app/studio/samples.h"

#include <QWidget>

class QListWidget;

namespace pim::studio {

class Settings;

class WelcomePage : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(Settings& settings, QWidget* parent = nullptr);

signals:
    void openRequested();
    void fileChosen(const QString& path);
    void sampleChosen(const pim::studio::Sample& sample);

private:
    void fillRecent();

    Settings& m_settings;
    QListWidget* m_recent;
};

} // namespace pim::studio
