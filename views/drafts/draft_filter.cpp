// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drafts/draft_filter.h"

#include <QRegularExpression>

namespace pim::views {
namespace {

using Row = DraftsModel::Row;
using Test = std::function<bool(const Row&)>;

int product(const Draft& draft, int DraftPart::*field) {
    int value = 1;
    for (const DraftPart& part : draft.parts)
        value *= part.*field;
    return value;
}

/// The figure of a row; nullopt where a rejected draft has none, which no comparison accepts.
std::function<std::optional<double>(const Row&)> figureNamed(const QString& word, bool* isTime) {
    *isTime = true;
    static const std::map<QString, double CostSplit::*> kTimes = {{"input", &CostSplit::inputNs},
                                                                  {"compute", &CostSplit::computeNs},
                                                                  {"output", &CostSplit::outputNs},
                                                                  {"switch", &CostSplit::modeSwitchNs}};
    if (const auto part = kTimes.find(word); part != kTimes.end())
        return [field = part->second](const Row& row) {
            return row.cost ? std::optional(row.cost->*field) : std::nullopt;
        };
    if (word == "total")
        return [](const Row& row) { return row.cost ? std::optional(row.cost->totalNs()) : std::nullopt; };
    *isTime = false;
    if (word == "groups")
        return [](const Row& row) { return std::optional<double>(product(row.draft, &DraftPart::groups)); };
    if (word == "cores")
        return [](const Row& row) {
            return std::optional<double>(product(row.draft, &DraftPart::groups) *
                                         product(row.draft, &DraftPart::cores));
        };
    if (word == "tobest")
        return [](const Row& row) { return row.cost ? std::optional(row.toBest) : std::nullopt; };
    return {};
}

} // namespace

Result<Test> parseDraftFilter(const QString& text, std::shared_ptr<const TilingSpace> space) {
    static const QRegularExpression kComparison(QStringLiteral("^([a-z]+)(<=|>=|<|>|=)(.*)$"));
    static const QRegularExpression kNumber(QStringLiteral("^([0-9]*\\.?[0-9]+)(ns|us|µs|ms|s)?$"));
    static const std::map<QString, double> kUnits = {{"", 1},     {"ns", 1},   {"us", 1e3},
                                                     {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    std::vector<Test> tests;
    for (const QString& word :
         text.toLower().split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts)) {
        const QRegularExpressionMatch comparison = kComparison.match(word);
        bool isTime = false;
        auto figure = comparison.hasMatch() ? figureNamed(comparison.captured(1), &isTime) : nullptr;
        if (!figure) {
            tests.push_back([word, space](const Row& row) {
                return QString::fromStdString(space->draftText(row.draft)).toLower().contains(word);
            });
            continue;
        }
        const QRegularExpressionMatch number = kNumber.match(comparison.captured(3));
        if (!number.hasMatch() || (!isTime && !number.captured(2).isEmpty()))
            return fail(
                ErrorCode::Usage,
                "\"" + comparison.captured(3).toStdString() + "\" is not a " + (isTime ? "time" : "number"),
                word.toStdString(), isTime ? "Write for example total<10us" : "Write for example groups>=4");
        const double limit = number.captured(1).toDouble() * kUnits.at(number.captured(2));
        const QString op = comparison.captured(2);
        tests.push_back([figure, limit, op](const Row& row) {
            const std::optional<double> value = figure(row);
            if (!value)
                return false;
            return op == "<"    ? *value < limit
                   : op == "<=" ? *value <= limit
                   : op == ">"  ? *value > limit
                   : op == ">=" ? *value >= limit
                                : *value == limit;
        });
    }
    if (tests.empty())
        return Test();
    return Test([tests](const Row& row) {
        for (const Test& test : tests)
            if (!test(row))
                return false;
        return true;
    });
}

} // namespace pim::views
