// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/op_query.h"

#include "core/base/parse_number.h"
#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pim {
namespace {

using Subject = OpQuery::Subject;
using Test = OpQuery::Test;
using Figure = std::function<std::optional<double>(const Subject&)>;
using TextTest = std::function<bool(std::string_view)>;

/// What one word asks, and what it needs for that.
struct Condition {
    Test test;
    bool plan = false, simulation = false;
};

tl::unexpected<Error> usage(std::string what, std::string wayOut) {
    return fail(ErrorCode::Usage, std::move(what), {}, std::move(wayOut));
}

/// `*` is any text, `?` one letter. Goes back to the last star only: no more than size times size.
bool matchesWildcards(std::string_view pattern, std::string_view text) {
    const auto next = [&](std::size_t at) { return at + characterBytes(text.substr(at)); };
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            t = pattern[p] == '?' ? next(t) : t + 1;
            ++p;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = resume = next(resume);
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// Whole text where \p pattern has wildcards, else as \p plain compares.
enum class Plain { Contains, Starts };
TextTest matcher(std::string_view pattern, Plain plain) {
    if (pattern.find_first_of("*?") != std::string_view::npos)
        return [form = lowerCase(pattern)](std::string_view text) {
            return matchesWildcards(form, lowerCase(text));
        };
    if (plain == Plain::Starts)
        return
            [form = lowerCase(pattern)](std::string_view text) { return lowerCase(text).starts_with(form); };
    return [form = lowerCase(pattern)](std::string_view text) {
        return lowerCase(text).find(form) != std::string::npos;
    };
}

Test outputTest(std::function<bool(const Tensor&)> matches) {
    return [matches = std::move(matches)](const Subject& s) {
        return std::ranges::any_of(
            s.op().outputs, [&](TensorId id) { return id.valid() && matches(s.source.graph.tensor(id)); });
    };
}

// --- figures

enum class FigureUnit { Time, Energy, Bytes, Count, Share };

/// Nullopt: no unit of this kind.
std::optional<double> unitFactor(FigureUnit unit, std::string_view name) {
    struct Known {
        FigureUnit unit;
        std::string_view name;
        double factor;
    };
    static constexpr Known kUnits[] = {{FigureUnit::Time, "ns", 1},
                                       {FigureUnit::Time, "us", 1e3},
                                       {FigureUnit::Time, "µs", 1e3},
                                       {FigureUnit::Time, "ms", 1e6},
                                       {FigureUnit::Time, "s", 1e9},
                                       {FigureUnit::Energy, "pJ", 1},
                                       {FigureUnit::Energy, "nJ", 1e3},
                                       {FigureUnit::Energy, "uJ", 1e6},
                                       {FigureUnit::Energy, "µJ", 1e6},
                                       {FigureUnit::Energy, "mJ", 1e9},
                                       {FigureUnit::Energy, "J", 1e12},
                                       {FigureUnit::Bytes, "B", 1},
                                       {FigureUnit::Bytes, "KiB", 1024},
                                       {FigureUnit::Bytes, "MiB", 1048576},
                                       {FigureUnit::Bytes, "GiB", 1073741824},
                                       {FigureUnit::Bytes, "k", 1e3},
                                       {FigureUnit::Bytes, "M", 1e6},
                                       {FigureUnit::Bytes, "G", 1e9},
                                       {FigureUnit::Count, "k", 1e3},
                                       {FigureUnit::Count, "M", 1e6},
                                       {FigureUnit::Count, "G", 1e9},
                                       {FigureUnit::Count, "T", 1e12},
                                       {FigureUnit::Share, "%", 0.01}};
    if (name.empty())
        return 1;
    for (const Known& known : kUnits)
        if (known.unit == unit && known.name == name)
            return known.factor;
    return std::nullopt;
}

std::string example(FigureUnit unit, std::string_view key) {
    static constexpr std::string_view kExamples[] = {">1ms (ns, us, ms, s)", ">2uJ (pJ, nJ, uJ, mJ, J)",
                                                     ">=64KiB (B, KiB, MiB, GiB)", ">2G (k, M, G, T)",
                                                     ">50%"};
    return fmt::format("write for instance {}:{}", key, kExamples[static_cast<std::size_t>(unit)]);
}

Result<Test> comparison(std::string_view key, std::string_view condition, FigureUnit unit, Figure figure) {
    const std::size_t digits = std::min(condition.find_first_not_of("<>="), condition.size());
    const std::string_view sign = condition.substr(0, digits), rest = condition.substr(digits);
    double number = 0;
    // from_chars also reads "inf" and "nan"
    const bool isNumber =
        !rest.empty() && std::string_view("-.0123456789").find(rest[0]) != std::string_view::npos;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const auto factor = unitFactor(unit, rest.substr(static_cast<std::size_t>(end - rest.data())));
    const bool isSign =
        sign.empty() || sign == "=" || sign == ">" || sign == ">=" || sign == "<" || sign == "<=";
    if (!isSign || !isNumber || error != std::errc() || !factor)
        return usage(fmt::format("\"{}:{}\" is not a comparison", key, condition), example(unit, key));
    return Test(
        [figure = std::move(figure), sign = std::string(sign), limit = number * *factor](const Subject& s) {
            const std::optional<double> value = figure(s);
            if (!value)
                return false;
            if (sign == ">")
                return *value > limit;
            if (sign == ">=")
                return *value >= limit;
            if (sign == "<")
                return *value < limit;
            if (sign == "<=")
                return *value <= limit;
            return std::abs(*value - limit) <= 1e-9 * std::abs(limit); // 0.1 ms is no whole number of ns
        });
}

struct FigureKey {
    std::string_view key;
    FigureUnit unit;
    OpQuantity quantity;
};
constexpr FigureKey kFigureKeys[] = {{"cost", FigureUnit::Time, OpQuantity::Time},
                                     {"time", FigureUnit::Time, OpQuantity::Time},
                                     {"energy", FigureUnit::Energy, OpQuantity::Energy},
                                     {"moved", FigureUnit::Bytes, OpQuantity::BytesMoved},
                                     {"rearranged", FigureUnit::Share, OpQuantity::RearrangementShare},
                                     {"error", FigureUnit::Share, OpQuantity::PredictorError},
                                     {"macs", FigureUnit::Count, OpQuantity::Macs},
                                     {"ai", FigureUnit::Count, OpQuantity::ArithmeticIntensity}};

Figure figureOf(OpQuantity quantity) {
    return [quantity](const Subject& s) -> std::optional<double> {
        const auto figure = opFigure(s.source, quantity, s.id);
        return figure ? std::optional(figure->value()) : std::nullopt;
    };
}

std::optional<double> bytesOf(const Subject& s) {
    const OpWork& work = s.op().work;
    return work.known ? std::optional(static_cast<double>(work.bytesRead + work.bytesWritten)) : std::nullopt;
}

// --- lists of numbers

/// Numbers next to one another, nullopt for any: "64x*", "64,56", "[1, 64".
using NumberRun = std::vector<std::optional<std::int64_t>>;
std::optional<NumberRun> numberRun(std::string_view wanted) {
    NumberRun run;
    std::string part;
    bool isRun = true;
    const auto take = [&] {
        if (part.empty())
            return;
        const auto number = parseNumber<std::int64_t>(part);
        isRun = isRun && (number || part == "*");
        run.push_back(number);
        part.clear();
    };
    for (const char c : wanted) {
        if (c == 'x' || c == 'X' || c == ',')
            take();
        else if (c != '[' && c != ']' && c != ' ')
            part += c;
    }
    take();
    return isRun ? std::optional(run) : std::nullopt;
}

bool occurs(const NumberRun& run, const std::vector<std::int64_t>& numbers) {
    const auto fits = [](std::int64_t number, const std::optional<std::int64_t>& wanted) {
        return !wanted || *wanted == number;
    };
    return run.empty() ||
           std::search(numbers.begin(), numbers.end(), run.begin(), run.end(), fits) != numbers.end();
}

Test attributeTest(std::string_view value) {
    const std::size_t equals = value.find('=');
    const std::string wanted(equals == std::string_view::npos ? std::string_view()
                                                              : value.substr(equals + 1));
    return [hasKey = matcher(value.substr(0, equals), Plain::Contains),
            hasText = matcher(wanted, Plain::Contains), run = numberRun(wanted),
            real = parseNumber<double>(wanted), anyValue = wanted.empty()](const Subject& s) {
        const auto fits = [&](const Attribute& attribute) {
            if (anyValue)
                return true;
            if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&attribute))
                return run && occurs(*run, *numbers);
            if (const auto* number = std::get_if<std::int64_t>(&attribute))
                return run && occurs(*run, {*number});
            if (const auto* number = std::get_if<double>(&attribute); number && real && *number == *real)
                return true;
            return hasText(attributeText(attribute));
        };
        return std::ranges::any_of(s.op().attributes,
                                   [&](const auto& each) { return hasKey(each.first) && fits(each.second); });
    };
}

Result<Test> dtypeTest(std::string_view value) {
    const std::string wanted = lowerCase(value);
    std::string known;
    bool any = false;
    for (int i = static_cast<int>(DataType::F32); i <= static_cast<int>(DataType::Complex128); ++i) {
        const std::string each(name(static_cast<DataType>(i)));
        known += (known.empty() ? "" : ", ") + each;
        any = any || lowerCase(each).starts_with(wanted);
    }
    if (!any)
        return usage(fmt::format("\"{}\" is no element type", value), "there are " + known);
    return outputTest([wanted](const Tensor& t) { return lowerCase(name(t.dtype)).starts_with(wanted); });
}

Result<Test> shapeTest(std::string_view value) {
    auto run = numberRun(value);
    if (!run)
        return usage(fmt::format("\"{}\" is no shape", value),
                     "write for instance shape:64x56 or shape:64x*");
    return outputTest([run = std::move(*run)](const Tensor& t) { return t.shape && occurs(run, *t.shape); });
}

Result<Test> placementTest(std::string_view key, std::string_view value) {
    const std::string place = lowerCase(value);
    const bool isPim = std::string_view("pim").starts_with(place);
    if (isPim || std::string_view("host").starts_with(place))
        return Test([onHost = !isPim](const Subject& s) {
            return s.source.plan && s.source.plan->opPlan(s.id).onHost() == onHost;
        });
    if (const auto device = deviceFromName(place))
        return Test([wanted = *device](const Subject& s) {
            return s.source.plan && s.source.plan->opPlan(s.id).placement == wanted;
        });
    return usage(fmt::format("\"{}\" is no placement", value), fmt::format("write {0}:pim or {0}:host", key));
}

Test blockTest(std::string_view value) {
    return [matches = matcher(value, Plain::Contains)](const Subject& s) {
        if (!s.blocks || s.blocks->inner.empty())
            return false;
        for (std::int32_t b = s.blocks->inner[s.id.index()]; b >= 0;) {
            const Block& block = s.blocks->blocks[static_cast<std::size_t>(b)];
            if (matches(block.name))
                return true;
            b = block.parent;
        }
        return false;
    };
}

// --- words

Result<Condition> figureCondition(std::string_view key, std::string_view value) {
    if (key == "bytes") {
        PIM_TRY(Test test, comparison(key, value, FigureUnit::Bytes, bytesOf));
        return Condition{std::move(test)};
    }
    for (const FigureKey& known : kFigureKeys)
        if (key == known.key) {
            PIM_TRY(Test test, comparison(key, value, known.unit, figureOf(known.quantity)));
            return Condition{std::move(test), needsPlan(known.quantity), needsSimulation(known.quantity)};
        }
    return usage(
        fmt::format("unknown key \"{}\"", key),
        "known are name, type, class, block, shape, dtype, attr, placement, cost, energy, moved, bytes, "
        "rearranged, error, macs, ai");
}

Result<Condition> keyCondition(std::string_view key, std::string_view value) {
    if (value.empty())
        return Condition{[](const Subject&) { return true; }}; // still being typed
    if (key == "name")
        return Condition{
            [has = matcher(value, Plain::Contains)](const Subject& s) { return has(s.op().name); }};
    if (key == "type")
        return Condition{
            [has = matcher(value, Plain::Starts)](const Subject& s) { return has(s.op().type); }};
    if (key == "class")
        return Condition{
            [has = matcher(value, Plain::Starts)](const Subject& s) { return has(name(s.op().opClass)); }};
    if (key == "block")
        return Condition{blockTest(value)};
    if (key == "attr")
        return Condition{attributeTest(value)};
    if (key == "dtype") {
        PIM_TRY(Test test, dtypeTest(value));
        return Condition{std::move(test)};
    }
    if (key == "shape") {
        PIM_TRY(Test test, shapeTest(value));
        return Condition{std::move(test)};
    }
    if (key == "placement" || key == "on") {
        PIM_TRY(Test test, placementTest(key, value));
        return Condition{std::move(test), true};
    }
    return figureCondition(key, value);
}

Result<Condition> wordCondition(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == 0 || colon == std::string_view::npos || word.find("::") != std::string_view::npos)
        return Condition{[type = lowerCase(word), has = matcher(word, Plain::Contains)](const Subject& s) {
            return has(s.op().name) || lowerCase(s.op().type) == type;
        }};
    const std::size_t turned = word[0] == '-' ? 1 : 0;
    PIM_TRY(Condition condition,
            keyCondition(lowerCase(word.substr(turned, colon - turned)), word.substr(colon + 1)));
    if (turned == 1 && colon + 1 < word.size())
        condition.test = [test = std::move(condition.test)](const Subject& s) { return !test(s); };
    return condition;
}

/// Blanks part words, but not within quotes.
std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool isQuoted = false;
    for (const char c : text) {
        const bool isBlank = std::string_view(" \t\n\r").find(c) != std::string_view::npos;
        if (c == '"')
            isQuoted = !isQuoted;
        else if (!isBlank || isQuoted)
            word += c;
        else if (!word.empty())
            words.push_back(std::exchange(word, {}));
    }
    if (!word.empty())
        words.push_back(std::move(word));
    return words;
}

} // namespace

Result<OpQuery> OpQuery::parse(std::string_view text) {
    OpQuery query;
    for (const std::string& word : wordsOf(text)) {
        PIM_TRY(Condition condition, wordCondition(word));
        query.m_tests.push_back(std::move(condition.test));
        query.m_needsPlan = query.m_needsPlan || condition.plan;
        query.m_needsSimulation = query.m_needsSimulation || condition.simulation;
    }
    return query;
}

std::vector<OpId> OpQuery::find(const OpFigureSource& source, const BlockTree* blocks) const {
    std::vector<OpId> found;
    if (isEmpty())
        return found;
    for (std::size_t i = 0; i < source.graph.ops.size(); ++i) {
        const Subject subject{source, blocks, OpId(static_cast<std::int64_t>(i))};
        if (std::ranges::all_of(m_tests, [&](const Test& test) { return test(subject); }))
            found.push_back(subject.id);
    }
    return found;
}

} // namespace pim
