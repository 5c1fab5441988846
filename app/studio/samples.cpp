// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/samples.h"

#include "core/base/paths.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace pim::studio {

QList<Sample> findSamples() {
    QList<Sample> samples;
    const QDir folder(QString::fromStdString(samplesDir().string()));
    for (const QString& id : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        QFile file(folder.filePath(id + QStringLiteral("/sample.json")));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
        Sample sample{id,
                      json[u"title"].toString(id),
                      json[u"summary"].toString(),
                      folder.absoluteFilePath(id + u'/' + json[u"model"].toString()),
                      json[u"target"].toString(),
                      {},
                      json[u"main"].toBool()};
        const QJsonObject bindings = json[u"bindings"].toObject();
        for (auto it = bindings.begin(); it != bindings.end(); ++it)
            sample.bindings[it.key().toStdString()] = it->toInteger(1);
        if (QFileInfo(sample.modelPath).isFile())
            samples.append(sample);
    }
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
        return a.isMain != b.isMain ? a.isMain : a.title.compare(b.title, Qt::CaseInsensitive) < 0;
    });
    return samples;
}

} // namespace pim::studio
