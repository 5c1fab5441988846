// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_search.h"

#include <QRegularExpression>

#include <functional>

namespace pim::views {
namespace {

struct Subject {
    const Graph& graph;
    const Op& op;
    const OpPlan* plan;
};
using Test = std::function<bool(const Subject&)>;
using Figure = std::function<std::optional<double>(const Subject&)>;

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

bool contains(std::string_view haystack, const QString& needle) {
    return text(haystack).contains(needle, Qt::CaseInsensitive);
}

Test outputTest(std::function<bool(const Tensor&)> matches) {
    return [matches = std::move(matches)](const Subject& s) {
        for (const TensorId id : s.op.outputs)
            if (id.valid() && matches(s.graph.tensor(id)))
                return true;
        return false;
    };
}

std::optional<double> unitFactor(const QString& unit) {
    static const std::pair<const char*, double> kUnits[] = {
        {"", 1},    {"ns", 1},     {"us", 1e3},      {"µs", 1e3},        {"ms", 1e6},
        {"s", 1e9}, {"k", 1e3},    {"M", 1e6},       {"G", 1e9},         {"T", 1e12},
        {"B", 1},   {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}};
    for (const auto& [name, factor] : kUnits)
        if (unit == QString::fromUtf8(name))
            return factor;
    return std::nullopt;
}

Result<Test> compare(const QString& word, const QString& condition, Figure figure) {
    static const QRegularExpression kForm(
        QStringLiteral("^(>=|<=|>|<|=)?([0-9.]+(?:e[+-]?[0-9]+)?)([a-zA-Zµ]*)$"));
    const auto match = kForm.match(condition);
    bool isNumber = false;
    const double number = match.hasMatch() ? match.captured(2).toDouble(&isNumber) : 0;
    const auto factor = unitFactor(match.captured(3));
    if (!isNumber || !factor)
        return fail(ErrorCode::Usage, "\"" + word.toStdString() + "\" is not a comparison", {},
                    "write for instance time:>1ms, macs:>=2G, ai:<1");
    const QString sign = match.captured(1).isEmpty() ? QStringLiteral("=") : match.captured(1);
    return Test([figure = std::move(figure), sign, limit = number * *factor](const Subject& s) {
        const std::optional<double> value = figure(s);
        if (!value)
            return false;
        if (sign == QLatin1String(">"))
            return *value > limit;
        if (sign == QLatin1String(">="))
            return *value >= limit;
        if (sign == QLatin1String("<"))
            return *value < limit;
        if (sign == QLatin1String("<="))
            return *value <= limit;
        return *value == limit;
    });
}

template <class Get>
Figure workFigure(Get get) {
    return [get](const Subject& s) {
        return s.op.work.known ? std::optional<double>(static_cast<double>(get(s.op.work))) : std::nullopt;
    };
}

Result<Test> parseWord(const QString& word) {
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    const QString key = word.left(colon).toLower(), value = word.mid(colon + 1);
    if (colon <= 0 || word.contains(QLatin1String("::")))
        return Test([word](const Subject& s) {
            return contains(s.op.name, word) || text(s.op.type).compare(word, Qt::CaseInsensitive) == 0;
        });
    if (value.isEmpty())
        return Test([](const Subject&) { return true; }); // still being typed
    if (key == QLatin1String("name"))
        return Test([value](const Subject& s) { return contains(s.op.name, value); });
    if (key == QLatin1String("type"))
        return Test(
            [value](const Subject& s) { return text(s.op.type).startsWith(value, Qt::CaseInsensitive); });
    if (key == QLatin1String("class"))
        return Test([value](const Subject& s) {
            return text(name(s.op.opClass)).startsWith(value, Qt::CaseInsensitive);
        });
    if (key == QLatin1String("dtype"))
        return outputTest([value](const Tensor& t) {
            return text(name(t.dtype)).compare(value, Qt::CaseInsensitive) == 0;
        });
    if (key == QLatin1String("shape")) {
        // "64", "64x56x56", "[1,64" all find [1, 64, 56, 56]: whole numbers next to one another.
        QString wanted = value.toLower();
        wanted.replace(QLatin1Char('x'), QLatin1Char(',')).remove(QLatin1Char('[')).remove(QLatin1Char(']'));
        wanted = QLatin1Char(',') + wanted + QLatin1Char(',');
        wanted.replace(QLatin1String(",,"), QLatin1String(","));
        return outputTest([wanted](const Tensor& t) {
            if (!t.shape)
                return false;
            QString shape = QString::fromStdString(shapeText(*t.shape)).remove(QLatin1Char(' '));
            shape.replace(QLatin1Char('['), QLatin1Char(',')).replace(QLatin1Char(']'), QLatin1Char(','));
            return shape.contains(wanted);
        });
    }
    if (key == QLatin1String("on")) {
        const QString place = value.toLower();
        if (!QLatin1String("pim").startsWith(place) && !QLatin1String("host").startsWith(place))
            return fail(ErrorCode::Usage, "\"" + value.toStdString() + "\" is no placement", {},
                        "write on:pim or on:host");
        const Placement wanted = QLatin1String("pim").startsWith(place) ? Placement::Pim : Placement::Host;
        return Test([wanted](const Subject& s) { return s.plan && s.plan->placement == wanted; });
    }
    if (key == QLatin1String("time") || key == QLatin1String("cost"))
        return compare(word, value, [](const Subject& s) {
            return s.plan && (s.plan->placement == Placement::Pim || s.plan->hostKnown)
                       ? std::optional(s.plan->cost.totalNs())
                       : std::nullopt;
        });
    if (key == QLatin1String("macs"))
        return compare(word, value, workFigure([](const OpWork& w) { return w.macs; }));
    if (key == QLatin1String("bytes"))
        return compare(word, value, workFigure([](const OpWork& w) { return w.bytesRead + w.bytesWritten; }));
    if (key == QLatin1String("ai"))
        return compare(word, value, workFigure([](const OpWork& w) { return w.arithmeticIntensity(); }));
    return fail(ErrorCode::Usage, "unknown key \"" + key.toStdString() + "\"", {},
                "known are name, type, class, shape, dtype, on, time, macs, bytes, ai");
}

} // namespace

Result<std::vector<OpId>> searchGraph(const Graph& graph, const Plan* plan, const QString& query) {
    std::vector<Test> tests;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        PIM_TRY(Test test, parseWord(word));
        tests.push_back(std::move(test));
    }
    std::vector<OpId> found;
    if (tests.empty())
        return found;
    if (plan && plan->ops.size() != graph.ops.size())
        plan = nullptr;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Subject subject{graph, graph.ops[i], plan ? &plan->ops[i] : nullptr};
        if (std::all_of(tests.begin(), tests.end(), [&](const Test& test) { return test(subject); }))
            found.emplace_back(static_cast<std::int64_t>(i));
    }
    return found;
}

} // namespace pim::views
