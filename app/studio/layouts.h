// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Layouts of panels that the user has given a name: where every panel is, and for which question. Kept with
/// the settings, apart from what a reset of the layout forgets.
#include "app/studio/arrangement.h"

#include <QObject>
#include <QStringList>

namespace pim::studio {

class Panels;

class Layouts : public QObject {
    Q_OBJECT
public:
    explicit Layouts(Panels& panels, QObject* parent = nullptr);

    QStringList names() const; ///< In alphabetic order.
    /// Of the panels as they are now; replaces one of the same name. Names are trimmed. \returns what is
    /// wrong, or nothing.
    QString save(const QString& name);
    QString apply(const QString& name);
    QString rename(const QString& from, const QString& to);
    void remove(const QString& name);

signals:
    void changed();

private:
    Panels& m_panels;
};

} // namespace pim::studio
