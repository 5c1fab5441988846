// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/layouts.h"

#include "app/studio/panels.h"

#include <QSettings>
#include <QVariantMap>

namespace pim::studio {
namespace {

const QString kLayouts = QStringLiteral("namedLayouts");

QVariantMap stored() {
    return QSettings().value(kLayouts).toMap();
}

} // namespace

Layouts::Layouts(Panels& panels, QObject* parent) : QObject(parent), m_panels(panels) {}

QStringList Layouts::names() const {
    return stored().keys();
}

QString Layouts::save(const QString& name) {
    const QString trimmed = name.trimmed();
    if (trimmed.isEmpty())
        return tr("A layout needs a name");
    QVariantMap all = stored();
    all[trimmed] = QVariantMap{{QStringLiteral("question"), static_cast<int>(m_panels.question())},
                               {QStringLiteral("state"), m_panels.state()}};
    QSettings().setValue(kLayouts, all);
    emit changed();
    return {};
}

QString Layouts::apply(const QString& name) {
    const QVariantMap layout = stored().value(name).toMap();
    const int question = layout.value(QStringLiteral("question"), -1).toInt();
    if (question < 0 || question >= kQuestions)
        return tr("There is no layout \"%1\"").arg(name);
    if (!m_panels.applyState(static_cast<Question>(question),
                             layout.value(QStringLiteral("state")).toByteArray()))
        return tr("The layout \"%1\" was saved by another version of the program and does not fit its "
                  "panels. "
                  "Arrange them and save it again.")
            .arg(name);
    return {};
}

QString Layouts::rename(const QString& from, const QString& to) {
    const QString trimmed = to.trimmed();
    QVariantMap all = stored();
    if (trimmed == from || !all.contains(from))
        return {};
    if (trimmed.isEmpty())
        return tr("A layout needs a name");
    if (all.contains(trimmed))
        return tr("There is a layout \"%1\" already").arg(trimmed);
    all[trimmed] = all.take(from);
    QSettings().setValue(kLayouts, all);
    emit changed();
    return {};
}

void Layouts::remove(const QString& name) {
    QVariantMap all = stored();
    if (all.remove(name) == 0)
        return;
    QSettings().setValue(kLayouts, all);
    emit changed();
}

} // namespace pim::studio
