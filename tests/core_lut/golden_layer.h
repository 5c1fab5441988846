// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Exact layers of tests/golden/lut.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pim::test {

inline QJsonObject layerFile(const QString& path) {
    gzFile stream = gzopen(qPrintable(path), "rb");
    if (!stream)
        return {};
    QByteArray text;
    char buffer[1 << 16];
    for (int n; (n = gzread(stream, buffer, sizeof buffer)) > 0;)
        text.append(buffer, n);
    gzclose(stream);
    return QJsonDocument::fromJson(text).object();
}

template <class Number>
std::vector<Number> array(const QJsonValue& value) {
    std::vector<Number> numbers;
    for (const QJsonValue& number : value["data"].toArray())
        numbers.push_back(static_cast<Number>(number.toDouble()));
    return numbers;
}

inline double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(double(a[i]) - double(b[i])));
    return largest;
}

} // namespace pim::test
