// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_search.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>

namespace pim::views {
namespace {

struct Subject {
    const OverlaySource& source;
    const BlockTree* blocks;
    OpId id;

    const Graph& graph() const { return *source.graph; }
    const Op& op() const { return source.graph->op(id); }
};
using Test = std::function<bool(const Subject&)>;
using Figure = std::function<std::optional<double>(const Subject&)>;

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

tl::unexpected<Error> usage(const QString& what, const QString& wayOut) {
    return fail(ErrorCode::Usage, what.toStdString(), {}, wayOut.toStdString());
}

/// Whole text where \p pattern has wildcards, else as \p plain compares.
enum class Plain { Contains, Starts };
std::function<bool(const QString&)> matcher(const QString& pattern, Plain plain) {
    if (pattern.contains(QLatin1Char('*')) || pattern.contains(QLatin1Char('?'))) {
        const QRegularExpression form(
            QRegularExpression::anchoredPattern(QRegularExpression::escape(pattern)
                                                    .replace(QLatin1String("\\*"), QLatin1String(".*"))
                                                    .replace(QLatin1String("\\?"), QLatin1String("."))),
            QRegularExpression::CaseInsensitiveOption);
        return [form](const QString& subject) { return form.match(subject).hasMatch(); };
    }
    if (plain == Plain::Starts)
        return [pattern](const QString& subject) { return subject.startsWith(pattern, Qt::CaseInsensitive); };
    return [pattern](const QString& subject) { return subject.contains(pattern, Qt::CaseInsensitive); };
}

Test outputTest(std::function<bool(const Tensor&)> matches) {
    return [matches = std::move(matches)](const Subject& s) {
        for (const TensorId id : s.op().outputs)
            if (id.valid() && matches(s.graph().tensor(id)))
                return true;
        return false;
    };
}

// --- figures
// ----------------------------------------------------------------------------------------------------

enum class Quantity { Time, Energy, Bytes, Count, Share };

/// Nullopt: no unit of this quantity.
std::optional<double> unitFactor(Quantity quantity, const QString& unit) {
    struct Unit {
        Quantity quantity;
        const char* name;
        double factor;
    };
    static const Unit kUnits[] = {
        {Quantity::Time, "ns", 1},          {Quantity::Time, "us", 1e3},        {Quantity::Time, "µs", 1e3},
        {Quantity::Time, "ms", 1e6},        {Quantity::Time, "s", 1e9},         {Quantity::Energy, "pJ", 1},
        {Quantity::Energy, "nJ", 1e3},      {Quantity::Energy, "uJ", 1e6},      {Quantity::Energy, "µJ", 1e6},
        {Quantity::Energy, "mJ", 1e9},      {Quantity::Energy, "J", 1e12},      {Quantity::Bytes, "B", 1},
        {Quantity::Bytes, "KiB", 1024},     {Quantity::Bytes, "MiB", 1048576},  {Quantity::Bytes, "GiB", 1073741824},
        {Quantity::Bytes, "k", 1e3},        {Quantity::Bytes, "M", 1e6},        {Quantity::Bytes, "G", 1e9},
        {Quantity::Count, "k", 1e3},        {Quantity::Count, "M", 1e6},        {Quantity::Count, "G", 1e9},
        {Quantity::Count, "T", 1e12},       {Quantity::Share, "%", 0.01}};
    if (unit.isEmpty())
        return 1;
    for (const Unit& known : kUnits)
        if (known.quantity == quantity && unit == QString::fromUtf8(known.name))
            return known.factor;
    return std::nullopt;
}

QString example(Quantity quantity, const QString& key) {
    static const char* const kExamples[] = {"%1:>1ms (ns, us, ms, s)", "%1:>2uJ (pJ, nJ, uJ, mJ, J)",
                                            "%1:>=64KiB (B, KiB, MiB, GiB)", "%1:>2G (k, M, G, T)", "%1:>50%"};
    return QStringLiteral("write for instance ") + QString::fromLatin1(kExamples[static_cast<int>(quantity)]).arg(key);
}

Result<Test> compare(const QString& key, const QString& condition, Quantity quantity, Figure figure) {
    static const QRegularExpression kForm(QStringLiteral("^(>=|<=|>|<|=)?(-?[0-9.]+(?:e[+-]?[0-9]+)?)([a-zA-Zµ%]*)$"));
    const auto match = kForm.match(condition);
    bool isNumber = false;
    const double number = match.hasMatch() ? match.captured(2).toDouble(&isNumber) : 0;
    const auto factor = unitFactor(quantity, match.captured(3));
    if (!isNumber || !factor)
        return usage(QStringLiteral("\"%1:%2\" is not a comparison").arg(key, condition), example(quantity, key));
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
        return std::abs(*value - limit) <= 1e-9 * std::abs(limit); // 0.1 ms is no whole number of ns
    });
}

Figure overlayOf(Overlay overlay) {
    return [overlay](const Subject& s) -> std::optional<double> {
        return overlayValue(s.source, overlay, {s.id});
    };
}

struct FigureKey {
    const char* key;
    Quantity quantity;
    Overlay overlay;
};
constexpr FigureKey kFigureKeys[] = {{"cost", Quantity::Time, Overlay::TotalTime},
                                     {"time", Quantity::Time, Overlay::TotalTime},
                                     {"energy", Quantity::Energy, Overlay::Energy},
                                     {"moved", Quantity::Bytes, Overlay::BytesMoved},
                                     {"rearranged", Quantity::Share, Overlay::RearrangementShare},
                                     {"error", Quantity::Share, Overlay::PredictorError},
                                     {"macs", Quantity::Count, Overlay::Macs},
                                     {"ai", Quantity::Count, Overlay::ArithmeticIntensity}};

// --- lists of numbers
// -------------------------------------------------------------------------------------------

/// Numbers next to one another, nullopt for any: "64x*", "64,56", "[1, 64".
using NumberRun = std::vector<std::optional<std::int64_t>>;
std::optional<NumberRun> numberRun(QString wanted) {
    wanted = wanted.toLower().remove(QLatin1Char('[')).remove(QLatin1Char(']')).remove(QLatin1Char(' '));
    wanted.replace(QLatin1Char('x'), QLatin1Char(','));
    NumberRun run;
    for (const QString& part : wanted.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const qlonglong number = part.toLongLong(&isNumber);
        if (!isNumber && part != QLatin1String("*"))
            return std::nullopt;
        run.push_back(isNumber ? std::optional<std::int64_t>(number) : std::nullopt);
    }
    return run;
}

bool occurs(const NumberRun& run, const std::vector<std::int64_t>& numbers) {
    const auto fits = [](std::int64_t number, const std::optional<std::int64_t>& wanted) { return !wanted || *wanted == number; };
    return std::search(numbers.begin(), numbers.end(), run.begin(), run.end(), fits) != numbers.end() || run.empty();
}

Result<Test> attributeTest(const QString& value) {
    const qsizetype equals = value.indexOf(QLatin1Char('='));
    const QString key = value.left(equals), wanted = equals < 0 ? QString() : value.mid(equals + 1);
    const auto hasKey = matcher(key, Plain::Contains);
    const auto hasText = matcher(wanted, Plain::Contains);
    const auto run = numberRun(wanted);
    return Test([=](const Subject& s) {
        for (const auto& [name, attribute] : s.op().attributes) {
            if (!hasKey(text(name)))
                continue;
            if (wanted.isEmpty())
                return true;
            if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&attribute); numbers && run ? occurs(*run, *numbers) : false)
                return true;
            if (const auto* number = std::get_if<std::int64_t>(&attribute); number && run ? occurs(*run, {*number}) : false)
                return true;
            if (std::holds_alternative<double>(attribute) && wanted.toDouble() == std::get<double>(attribute))
                return true;
            if (!std::holds_alternative<std::vector<std::int64_t>>(attribute) && !std::holds_alternative<std::int64_t>(attribute) &&
                hasText(text(attributeText(attribute))))
                return true;
        }
        return false;
    });
}

Result<Test> dtypeTest(const QString& value) {
    QStringList known;
    bool any = false;
    for (int i = static_cast<int>(DataType::F32); i <= static_cast<int>(DataType::Complex128); ++i) {
        known << text(name(static_cast<DataType>(i)));
        any = any || known.last().startsWith(value, Qt::CaseInsensitive);
    }
    if (!any)
        return usage(QStringLiteral("\"%1\" is no element type").arg(value), QStringLiteral("there are ") + known.join(QStringLiteral(", ")));
    return outputTest([value](const Tensor& t) { return text(name(t.dtype)).startsWith(value, Qt::CaseInsensitive); });
}

Result<Test> placementTest(const QString& key, const QString& value) {
    const QString place = value.toLower();
    const bool isPim = QLatin1String("pim").startsWith(place);
    if (!isPim && !QLatin1String("host").startsWith(place))
        return usage(QStringLiteral("\"%1\" is no placement").arg(value), QStringLiteral("write %1:pim or %1:host").arg(key));
    return Test([wanted = isPim ? Placement::Pim : Placement::Host](const Subject& s) {
        const Plan* plan = s.source.planOf(s.graph());
        return plan && plan->opPlan(s.id).placement == wanted;
    });
}

Test blockTest(const QString& value) {
    const auto matches = matcher(value, Plain::Contains);
    return [matches](const Subject& s) {
        if (!s.blocks || s.blocks->inner.empty())
            return false;
        for (std::int32_t b = s.blocks->inner[s.id.index()]; b >= 0; b = s.blocks->blocks[static_cast<std::size_t>(b)].parent)
            if (matches(QString::fromStdString(s.blocks->blocks[static_cast<std::size_t>(b)].name)))
                return true;
        return false;
    };
}

// --- words
// ------------------------------------------------------------------------------------------------------

Result<Test> keyTest(const QString& key, const QString& value) {
    if (value.isEmpty())
        return Test([](const Subject&) { return true; }); // still being typed
    if (key == QLatin1String("name"))
        return Test([has = matcher(value, Plain::Contains)](const Subject& s) { return has(text(s.op().name)); });
    if (key == QLatin1String("type"))
        return Test([has = matcher(value, Plain::Starts)](const Subject& s) { return has(text(s.op().type)); });
    if (key == QLatin1String("class"))
        return Test([has = matcher(value, Plain::Starts)](const Subject& s) { return has(text(name(s.op().opClass))); });
    if (key == QLatin1String("block"))
        return blockTest(value);
    if (key == QLatin1String("attr"))
        return attributeTest(value);
    if (key == QLatin1String("dtype"))
        return dtypeTest(value);
    if (key == QLatin1String("placement") || key == QLatin1String("on"))
        return placementTest(key, value);
    if (key == QLatin1String("shape")) {
        const auto run = numberRun(value);
        if (!run)
            return usage(QStringLiteral("\"%1\" is no shape").arg(value), QStringLiteral("write for instance shape:64x56 or shape:64x*"));
        return outputTest([run = *run](const Tensor& t) { return t.shape && occurs(run, *t.shape); });
    }
    if (key == QLatin1String("bytes"))
        return compare(key, value, Quantity::Bytes, [](const Subject& s) {
            const OpWork& work = s.op().work;
            return work.known ? std::optional(static_cast<double>(work.bytesRead + work.bytesWritten)) : std::nullopt;
        });
    for (const FigureKey& known : kFigureKeys)
        if (key == QLatin1String(known.key))
            return compare(key, value, known.quantity, overlayOf(known.overlay));
    return usage(QStringLiteral("unknown key \"%1\"").arg(key),
                 QStringLiteral("known are name, type, class, block, shape, dtype, attr, placement, cost, energy, moved, bytes, "
                                "rearranged, error, macs, ai"));
}

Result<Test> parseWord(const QString& word) {
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    if (colon <= 0 || word.contains(QLatin1String("::")))
        return Test([word, has = matcher(word, Plain::Contains)](const Subject& s) {
            return has(text(s.op().name)) || text(s.op().type).compare(word, Qt::CaseInsensitive) == 0;
        });
    const bool isTurned = word.startsWith(QLatin1Char('-'));
    PIM_TRY(Test test, keyTest(word.mid(isTurned ? 1 : 0, colon - (isTurned ? 1 : 0)).toLower(), word.mid(colon + 1)));
    if (!isTurned || colon + 1 == word.size())
        return test;
    return Test([test = std::move(test)](const Subject& s) { return !test(s); });
}

/// Blanks part words, but not within quotes.
QStringList wordsOf(const QString& query) {
    QStringList words;
    QString word;
    bool isQuoted = false;
    for (const QChar c : query) {
        if (c == QLatin1Char('"')) {
            isQuoted = !isQuoted;
        } else if (c.isSpace() && !isQuoted) {
            if (!word.isEmpty())
                words << std::exchange(word, {});
        } else {
            word += c;
        }
    }
    return word.isEmpty() ? words : words << word;
}

} // namespace

Result<std::vector<OpId>> searchGraph(const OverlaySource& source, const BlockTree* blocks, const QString& query) {
    std::vector<Test> tests;
    for (const QString& word : wordsOf(query)) {
        PIM_TRY(Test test, parseWord(word));
        tests.push_back(std::move(test));
    }
    std::vector<OpId> found;
    if (tests.empty())
        return found;
    for (std::size_t i = 0; i < source.graph->ops.size(); ++i) {
        const Subject subject{source, blocks, OpId(static_cast<std::int64_t>(i))};
        if (std::all_of(tests.begin(), tests.end(), [&](const Test& test) { return test(subject); }))
            found.push_back(subject.id);
    }
    return found;
}

} // namespace pim::views
