// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_data.h"

#include "core/compile/sweep_networks.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

struct SweepWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::SweepWords)
};

QString shortName(const std::string& network) {
    constexpr QLatin1String kSample("sample:"), kSuffix(".onnx");
    QString name = QString::fromStdString(network);
    if (name.startsWith(kSample))
        return name.mid(kSample.size());
    name = name.section(u'/', -1);
    return name.endsWith(kSuffix) ? name.chopped(kSuffix.size()) : name;
}

} // namespace

QStringList networkNames(const std::vector<std::string>& values) {
    QStringList shortened, whole;
    for (const std::string& value : values) {
        whole << QString::fromStdString(value);
        const auto model = modelValue(value);
        if (!model) { // a project may hold anything
            shortened << whole.back();
            continue;
        }
        QStringList names;
        for (const std::string& name : model->names)
            names << shortName(name);
        const QString all = names.join(QStringLiteral(", "));
        shortened << (model->how == ModelValue::Together::One
                          ? all
                          : QStringLiteral("%1(%2)").arg(whole.back().section(u'(', 0, 0), all));
    }
    const bool areAllDifferent = QSet<QString>(shortened.begin(), shortened.end()).size() == shortened.size();
    return areAllDifferent ? shortened : whole;
}

Places::Places(const SweepData& data, int at) {
    for (const SweepRow& row : data.rows)
        if (row.values.size() > at && !m_places.contains(row.values[at])) {
            m_places.insert(row.values[at], double(m_words.size()));
            m_words << row.values[at];
        }
    m_isNumeric = at != data.network && std::all_of(m_words.begin(), m_words.end(), [](const QString& word) {
                      bool isNumber = false;
                      (void)word.toDouble(&isNumber);
                      return isNumber;
                  });
}

std::vector<PointColumn> pointColumns(const SweepData& data) {
    std::vector<PointColumn> columns;
    const auto add = [&](const QString& name, const auto& valueOf) -> PointColumn& {
        PointColumn& column = columns.emplace_back();
        column.name = name;
        column.values.reserve(data.rows.size());
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const SweepRow& row : data.rows) {
            const double value = valueOf(row);
            column.values.push_back(value);
            low = std::fmin(low, value);
            high = std::fmax(high, value);
        }
        // What differs in its last digits only, sums in another order, is one number: no axis is spread over it.
        constexpr double kSame = 1e-9;
        if (high - low <= kSame * std::fmax(std::fabs(low), std::fabs(high)))
            for (double& value : column.values)
                value = std::isnan(value) ? value : low;
        constexpr double kWide = 8; // values over such a range are spread more evenly by their logarithm
        column.isLogarithmic = low > 0 && high / low >= kWide;
        return column;
    };
    for (int n = 0; n < data.names.size(); ++n) {
        const Places places(data, n);
        if (places.words().size() < 2) // says nothing
            continue;
        PointColumn& axis =
            add(data.names[n], [&](const SweepRow& row) { return places.of(row.values.value(n)); });
        if (!places.isNumeric()) {
            axis.words = places.words();
            axis.isLogarithmic = false;
            axis.isNetwork = n == data.network;
        }
    }
    const auto isObjective = [&](const std::string& key) {
        return std::ranges::find(data.objectives, key) != data.objectives.end();
    };
    const auto addFigure = [&](const std::string& key, const QString& name, const auto& valueOf) {
        PointColumn& column =
            add(name, [&](const SweepRow& row) { return row.error.isEmpty() ? valueOf(row) : std::nan(""); });
        column.isAxis = false;
        column.isObjective = isObjective(key);
        column.better = moreIsBetter(key) ? PointColumn::Better::More : PointColumn::Better::Less;
    };
    addFigure("total_ns", SweepWords::tr("time, µs"), [](const SweepRow& row) { return row.ns / 1e3; });
    for (std::size_t f = 0; f < data.figures.size(); ++f) {
        const SweepFigure& figure = data.figures[f];
        addFigure(figure.key, figure.axis, [f, scale = figure.isShare ? 100.0 : 1.0](const SweepRow& row) {
            return f < row.figures.size() ? row.figures[f] * scale : std::nan("");
        });
        if (figure.isShare && !columns.back().isObjective) // of something that is neither good nor bad
            columns.back().better = PointColumn::Better::Unknown;
    }
    if (data.figures.empty() || isObjective("macs_per_s"))
        addFigure("macs_per_s", SweepWords::tr("work per second, GMAC/s"),
                  [](const SweepRow& row) { return row.macsPerSecond / 1e9; });
    return columns;
}

} // namespace pim::views
