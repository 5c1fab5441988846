// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/evaluation_report.h"

#include "app/evaluation/predictor_report.h"
#include "app/evaluation/reasons.h"
#include "core/base/number_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pim::evaluation {
namespace {

using nlohmann::ordered_json;
using report::Anchor;
using report::Bar;
using report::Column;
using report::Dot;
using report::Drawing;
using report::Ink;
using report::Label;
using report::Paragraph;
using report::Rule;
using report::Section;
using report::Table;

std::string times(double value) {
    return value > 0 ? fmt::format("{:.2f}", value) : "–";
}
std::string share(double ours, double paper) {
    return paper > 0 ? fmt::format("{:.2f}", ours / paper) : "–";
}

std::string nameOf(const Figure& figure) {
    return fmt::format("Figure {}: {}", figure.number, figure.title);
}
bool isRatio(const Figure& figure) {
    return figure.quantity.find("GPU") == std::string::npos;
} ///< Its lower bars are all 1.

// --- drawings

constexpr double kWidth = 680, kLeft = 44, kRight = 12, kPlotHeight = 150, kTop = 34;

/// A tick distance that gives about five of them.
double tickOf(double most) {
    const double raw = std::max(most, 1e-9) / 5, power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw)
            return factor * power;
    return 10 * power;
}

void addAxis(Drawing& drawing, double most, double base, const std::string& unit) {
    const double tick = tickOf(most);
    for (double value = 0; value <= most * 1.001; value += tick) {
        const double y = base - value / most * kPlotHeight;
        drawing.marks.push_back(Rule{kLeft, y, kWidth - kRight, y, Ink::Grid, 1, false});
        drawing.marks.push_back(
            Label{kLeft - 6, y + 4, fmt::format("{:g}{}", value, unit), Ink::Muted, 10, Anchor::End, false});
    }
}

double addKey(Drawing& drawing, double x, const std::string& text, Ink ink, bool dot, bool square) {
    if (dot)
        drawing.marks.push_back(Dot{x + 5, 14, 4, ink, square, {}});
    else
        drawing.marks.push_back(Bar{x, 9, 11, 10, ink, square, {}});
    drawing.marks.push_back(Label{x + 16, 18, text, Ink::Text, 11, Anchor::Start, false});
    return x + 30 + double(text.size()) * 6.2;
}

/// A name below its bars, over two lines: "32x512" and "batch 1".
std::pair<std::string, std::string> nameLines(const std::string& label) {
    const std::size_t comma = label.rfind(", ");
    const std::string first = label.substr(0, comma);
    return {first.size() > 16 ? first.substr(0, first.find(',')) : first,
            comma == std::string::npos ? "" : label.substr(comma + 2)};
}
/// Of the letters, so that names stand side by side: one is about 0.6 of it wide.
double nameSize(const std::vector<const FigurePoint*>& points, double step) {
    std::size_t letters = 1;
    for (const FigurePoint* const point : points) {
        const auto [first, second] = nameLines(point->label);
        letters = std::max({letters, first.size(), second.size()});
    }
    return std::clamp((step - 3) / (0.6 * double(letters)), 7.0, 10.0);
}
void addName(Drawing& drawing, double middle, double base, const std::string& label, double size) {
    const auto [first, second] = nameLines(label);
    drawing.marks.push_back(Label{middle, base + 14, first, Ink::Text, size, Anchor::Middle, false});
    if (!second.empty())
        drawing.marks.push_back(Label{middle, base + 27, second, Ink::Muted, size, Anchor::Middle, false});
}

/// Two bars a point, the paper's as dots over them.
Drawing barsOf(const Figure& figure, const std::string& group) {
    std::vector<const FigurePoint*> points;
    double most = 1;
    for (const FigurePoint& point : figure.points)
        if (point.group == group) {
            points.push_back(&point);
            most =
                std::max({most, point.ours.lower, point.ours.higher, point.paper.lower, point.paper.higher});
        }
    most *= 1.05;
    Drawing drawing;
    drawing.title = fmt::format("{}: {}", group, figure.quantity);
    drawing.description = fmt::format(
        "A pair of bars for each of {} sizes, ours, with the paper's values as dots", points.size());
    drawing.width = kWidth;
    const double base = kTop + kPlotHeight;
    addAxis(drawing, most, base, "×");
    double x = addKey(drawing, kLeft, figure.lower, Ink::Host, false, true);
    x = addKey(drawing, x, figure.higher, Ink::Compute, false, false);
    x = addKey(drawing, x, "paper: lower", Ink::Text, true, true);
    addKey(drawing, x, "paper: higher", Ink::Accent, true, false);
    const double step = (kWidth - kLeft - kRight) / double(std::max<std::size_t>(1, points.size()));
    const double width = std::min(26.0, step / 3), names = nameSize(points, step);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const FigurePoint& point = *points[i];
        const double middle = kLeft + step * (double(i) + 0.5);
        const auto height = [most](double value) { return value / most * kPlotHeight; };
        const auto add = [&](double left, double value, Ink ink, bool hatched, const std::string& what) {
            drawing.marks.push_back(Bar{left, base - height(value), width, height(value), ink, hatched,
                                        fmt::format("{}, {}: {:.2f}×", point.label, what, value)});
        };
        add(middle - width - 1, point.ours.lower, Ink::Host, true, figure.lower);
        add(middle + 1, point.ours.higher, Ink::Compute, false, figure.higher);
        if (point.paper.lower > 0)
            drawing.marks.push_back(Dot{middle - width / 2 - 1, base - height(point.paper.lower), 3.5,
                                        Ink::Text, true, fmt::format("paper: {:.2f}×", point.paper.lower)});
        if (point.paper.higher > 0)
            drawing.marks.push_back(Dot{middle + width / 2 + 1, base - height(point.paper.higher), 3.5,
                                        Ink::Accent, false,
                                        fmt::format("paper: {:.2f}×", point.paper.higher)});
        addName(drawing, middle, base, point.label, names);
    }
    drawing.height = base + 36;
    return drawing;
}

struct Part {
    const char* name;
    Ink ink;
    double CostSplit::*ns;
    bool hatched;
};
constexpr Part kParts[] = {{"input", Ink::Input, &CostSplit::inputNs, false},
                           {"compute", Ink::Compute, &CostSplit::computeNs, false},
                           {"output", Ink::Output, &CostSplit::outputNs, false},
                           {"mode switch", Ink::Switch, &CostSplit::modeSwitchNs, true}};

/// Where the time of both bars of a pair goes, over the time of the first.
Drawing breakdownOf(const Figure& figure, const std::string& group) {
    std::vector<const FigurePoint*> points;
    for (const FigurePoint& point : figure.points)
        if (point.group == group && point.strict)
            points.push_back(&point);
    Drawing drawing;
    drawing.title = group + ": where the time goes, of the first bar of each pair";
    drawing.description = "Pairs of stacked bars: input and output rearrangement, compute and mode switches";
    drawing.width = kWidth;
    const double base = kTop + kPlotHeight;
    addAxis(drawing, 1.05, base, "");
    double x = kLeft;
    for (const Part& part : kParts)
        x = addKey(drawing, x, part.name, part.ink, false, part.hatched);
    const double step = (kWidth - kLeft - kRight) / double(std::max<std::size_t>(1, points.size()));
    const double width = std::min(30.0, step / 3), names = nameSize(points, step);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Comparison& c = *points[i]->strict;
        const double middle = kLeft + step * (double(i) + 0.5);
        const TimedDraft& first = figure.number == 2 ? c.computeFirst : c.fixed;
        const auto stack = [&](double left, const TimedDraft& draft) {
            double top = base;
            for (const Part& part : kParts) {
                const double height = draft.cost.*part.ns / first.cost.totalNs() / 1.05 * kPlotHeight;
                top -= height;
                drawing.marks.push_back(Bar{left, top, width, height, part.ink, part.hatched,
                                            fmt::format("{}: {}", part.name, timeText(draft.cost.*part.ns))});
            }
        };
        stack(middle - width - 1, first);
        stack(middle + 1, c.chosen);
        addName(drawing, middle, base, points[i]->label, names);
    }
    drawing.height = base + 36;
    return drawing;
}

// --- tables

Table groupTable(const Figure& figure) {
    Table table;
    table.caption =
        isRatio(figure) ? "Geometric means of the speed-ups" : "Geometric means; gain: second bar over first";
    table.columns = {{"", Column::Kind::Text}};
    const auto number = [&](const char* title) { table.columns.push_back({title, Column::Kind::Number}); };
    if (!isRatio(figure))
        for (const char* title :
             {"ours: first", "paper", "ours: second", "paper", "ours under its assumptions"})
            number(title);
    for (const char* title : {"gain: ours", "paper", "ours / paper"})
        number(title);
    for (const GroupMeans& group : groupMeans(figure)) {
        std::vector<std::string> row{group.group};
        if (!isRatio(figure))
            row.insert(row.end(),
                       {times(group.ours.lower), times(group.paper.lower), times(group.ours.higher),
                        times(group.paper.higher), times(group.assumed.higher)});
        row.insert(row.end(),
                   {times(group.oursGain), times(group.paperGain), share(group.oursGain, group.paperGain)});
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table pointTable(const Figure& figure, const std::string& group) {
    Table table;
    table.caption = group;
    table.columns = {{"size", Column::Kind::Text}};
    for (const char* title : {"first", "paper", "second", "paper", "gain", "paper", "gain, its assumptions"})
        table.columns.push_back({title, Column::Kind::Number});
    for (const FigurePoint& point : figure.points)
        if (point.group == group)
            table.rows.push_back({point.label, times(point.ours.lower), times(point.paper.lower),
                                  times(point.ours.higher), times(point.paper.higher),
                                  times(point.ours.gain()), times(point.paper.gain()),
                                  times(point.assumed.gain())});
    return table;
}

Table draftTable(const Figure& figure, const std::string& group) {
    Table table;
    table.caption = "Times and mappings, simulated";
    table.columns = {{"size", Column::Kind::Text},          {"GPU", Column::Kind::Number},
                     {"published", Column::Kind::Number},   {"chosen", Column::Kind::Number},
                     {"rearranged", Column::Kind::Number},  {"computing", Column::Kind::Number},
                     {"mode switch", Column::Kind::Number}, {"chosen mapping", Column::Kind::Code}};
    for (const FigurePoint& point : figure.points)
        if (point.group == group && point.strict) {
            const Comparison& c = *point.strict;
            table.rows.push_back({point.label, timeText(c.gpuNs), timeText(c.fixed.cost.totalNs()),
                                  timeText(c.chosen.cost.totalNs()), timeText(c.chosen.rearrangementNs()),
                                  timeText(c.chosen.cost.computeNs), timeText(c.chosen.cost.modeSwitchNs),
                                  c.chosen.text});
        }
    return table;
}

Table modelTable(const LlmCase& model) {
    Table table;
    table.caption = model.label + ", milliseconds a token";
    table.columns = {{"", Column::Kind::Text}};
    for (const char* title : {"attention", "QKV", "projection", "feed-forward", "other", "all"})
        table.columns.push_back({title, Column::Kind::Number});
    for (const LlmBar& bar : model.bars)
        table.rows.push_back({bar.system, fmt::format("{:.3f}", bar.attention),
                              fmt::format("{:.3f}", bar.qkv), fmt::format("{:.3f}", bar.projection),
                              fmt::format("{:.3f}", bar.feedForward), fmt::format("{:.3f}", bar.other),
                              fmt::format("{:.3f}", bar.totalMs())});
    return table;
}

Section figureSection(const Figure& figure) {
    Section section;
    section.title = nameOf(figure);
    section.blocks.push_back(Paragraph{figure.reading, Paragraph::Style::Normal});
    section.blocks.push_back(groupTable(figure));
    for (const GroupMeans& group : groupMeans(figure)) {
        section.blocks.push_back(barsOf(figure, group.group));
        if (std::abs(group.oursGain / group.paperGain - 1) > 0.03 ||
            std::abs(group.ours.higher / group.paper.higher - 1) > 0.03)
            section.blocks.push_back(
                Paragraph{"Why it differs. " + reasonOf(figure, group), Paragraph::Style::Note});
        if (figure.number == 2 || figure.number == 10)
            section.blocks.push_back(breakdownOf(figure, group.group));
        section.blocks.push_back(pointTable(figure, group.group));
        if (figure.number == 6 || figure.number == 7)
            section.blocks.push_back(draftTable(figure, group.group));
    }
    for (const LlmCase& model : figure.models)
        section.blocks.push_back(modelTable(model));
    return section;
}

Table claimTable(const Evaluation& evaluation) {
    Table table;
    table.caption = "What the paper reaches, and what is reached here";
    table.columns = {{"claim", Column::Kind::Text},
                     {"paper", Column::Kind::Number},
                     {"ours", Column::Kind::Number},
                     {"over plain code", Column::Kind::Number},
                     {"under its assumptions", Column::Kind::Number},
                     {"", Column::Kind::Text}};
    for (const Claim& claim : evaluation.claims)
        table.rows.push_back({claim.text, times(claim.wanted), times(claim.ours), times(claim.plain),
                              times(claim.assumed), claim.verdict()});
    return table;
}

Section functionalSection(const Evaluation& evaluation) {
    Section section;
    section.title = "Do the programs compute the right numbers?";
    Table table;
    table.caption = "Chosen programs on random numbers, in the arithmetic of the units, against float32";
    table.columns = {{"program", Column::Kind::Text},   {"elements", Column::Kind::Number},
                     {"wrong", Column::Kind::Number},   {"largest error", Column::Kind::Number},
                     {"allowed", Column::Kind::Number}, {"", Column::Kind::Text}};
    for (const FunctionalResult& result : evaluation.functional)
        table.rows.push_back({result.program, exactText(result.elements), exactText(result.wrong),
                              fmt::format("{:.2g}", result.maxRelative),
                              fmt::format("{:.2g}", result.tolerance), result.note});
    section.blocks.push_back(Paragraph{"Allowed is u (8 + s √n) of the root mean square of the results plus "
                                       "the result: u is half a step of FP16 at 1 "
                                       "(2⁻¹¹), n the additions behind a result. Roundings of n partial sums "
                                       "do not lean to one side, so their "
                                       "error deviates by u √(n/3), and the worst of N results by √(2 ln N) "
                                       "times that: s = √(2 ln N / 3), at "
                                       "least 1; 8 u are for operands, products and the result.",
                                       Paragraph::Style::Normal});
    section.blocks.push_back(std::move(table));
    return section;
}

/// Claims that are not met, and why; those with one reason together.
std::vector<std::pair<std::string, std::string>> reasonsOf(const Evaluation& evaluation) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const Claim& claim : evaluation.claims) {
        if (claim.met() || claim.reason.empty())
            continue;
        if (!reasons.empty() && reasons.back().second == claim.reason)
            reasons.back().first += "; " + claim.text;
        else
            reasons.emplace_back(claim.text, claim.reason);
    }
    return reasons;
}

std::size_t reached(const Evaluation& evaluation) {
    return static_cast<std::size_t>(std::count_if(evaluation.claims.begin(), evaluation.claims.end(),
                                                  [](const Claim& c) { return c.met(); }));
}

ordered_json barsJson(const Bars& bars) {
    return {{"lower", bars.lower}, {"higher", bars.higher}, {"gain", bars.gain()}};
}

ordered_json draftJson(const TimedDraft& draft) {
    return {{"draft", draft.text},
            {"total_ns", draft.cost.totalNs()},
            {"input_ns", draft.cost.inputNs},
            {"compute_ns", draft.cost.computeNs},
            {"output_ns", draft.cost.outputNs},
            {"mode_switch_ns", draft.cost.modeSwitchNs}};
}

ordered_json pointJson(const FigurePoint& point) {
    ordered_json json{{"group", point.group},
                      {"label", point.label},
                      {"ours", barsJson(point.ours)},
                      {"assumed", barsJson(point.assumed)},
                      {"paper", barsJson(point.paper)}};
    if (point.strict) {
        json["gpu_ns"] = point.strict->gpuNs;
        json["drafts"] = point.strict->drafts;
        json["simulated"] = point.strict->simulated;
        json["fixed"] = draftJson(point.strict->fixed);
        json["fixed_plain_code"] = draftJson(point.strict->plainFixed);
        json["chosen"] = draftJson(point.strict->chosen);
    }
    return json;
}

} // namespace

report::Document evaluationDocument(const Evaluation& evaluation) {
    report::Document document;
    document.eyebrow = "Evaluation";
    document.headline = "The evaluation of DCC, recomputed";
    document.lead = "Every bar of the figures of \"A Tensor Compiler for Processing-In-Memory "
                    "Architectures\" (arXiv 2511.15503) beside the one "
                    "this compiler reaches on its own simulator: 5 HBM3 stacks, the mappings that were "
                    "published and those that were chosen.";
    if (!evaluation.claims.empty()) {
        document.summary.push_back(
            report::KeyNumbers{{{"claims reached",
                                 fmt::format("{} of {}", reached(evaluation), evaluation.claims.size()),
                                 "under strict rules",
                                 {}},
                                {"drafts verified",
                                 std::to_string(evaluation.options.verified),
                                 "simulated for a choice",
                                 {}}}});
        document.summary.push_back(claimTable(evaluation));
        for (const auto& [claims, reason] : reasonsOf(evaluation))
            document.summary.push_back(Paragraph{claims + ". " + reason, Paragraph::Style::Note});
    }
    document.summary.push_back(
        Paragraph{"\"Ours\" is timed under all rules that our device files know. \"Under its assumptions\" "
                  "leaves out what the paper's simulator leaves out: "
                  "the four-activate window when rows of all banks open, and the sequences that switch "
                  "HBM-PIM between its modes. \"Over plain code\": the "
                  "published mapping gets the passes of our optimiser everywhere else; here it does without, "
                  "as the paper's baselines do without DCC's.",
                  Paragraph::Style::Normal});
    for (const Figure& figure : evaluation.figures)
        document.sections.push_back(figureSection(figure));
    if (!evaluation.predictor.empty())
        document.sections.push_back(predictorSection(evaluation.predictor));
    if (!evaluation.functional.empty())
        document.sections.push_back(functionalSection(evaluation));
    if (!evaluation.withoutGain.empty()) {
        Section section;
        section.title = "Passes that would gain nothing";
        for (const std::string& reason : evaluation.withoutGain)
            section.blocks.push_back(Paragraph{reason, Paragraph::Style::Normal});
        document.sections.push_back(std::move(section));
    }
    document.footer = evaluation.project.empty() ? "PIM Studio" : "Runs: " + evaluation.project;
    return document;
}

std::string evaluationText(const Evaluation& evaluation) {
    std::string text;
    for (const Figure& figure : evaluation.figures) {
        text += fmt::format("{} ({})\n", nameOf(figure), figure.quantity);
        text += fmt::format("  {:<34} {:>9} {:>7} {:>9} {:>7} {:>9} | {:>6} {:>7} {:>9}\n", "", "published",
                            "paper", "chosen", "paper", "as paper", "gain", "paper", "as paper");
        for (const GroupMeans& group : groupMeans(figure)) {
            for (const FigurePoint& point : figure.points)
                if (point.group == group.group)
                    text += fmt::format(
                        "  {:<34} {:>9.2f} {:>7.2f} {:>9.2f} {:>7.2f} {:>9.2f} | {:>6.2f} {:>7.2f} "
                        "{:>9.2f}\n",
                        fmt::format("{} {}", point.group.substr(0, point.group.find(' ')), point.label),
                        point.ours.lower, point.paper.lower, point.ours.higher, point.paper.higher,
                        point.assumed.higher, point.ours.gain(), point.paper.gain(), point.assumed.gain());
            text += fmt::format(
                "  {:<34} {:>9.2f} {:>7.2f} {:>9.2f} {:>7.2f} {:>9.2f} | {:>6.2f} {:>7.2f} {:>9.2f}\n",
                group.group + ", mean", group.ours.lower, group.paper.lower, group.ours.higher,
                group.paper.higher, group.assumed.higher, group.oursGain, group.paperGain, group.assumedGain);
        }
        text += '\n';
    }
    if (!evaluation.predictor.empty())
        text += predictorText(evaluation.predictor);
    for (const FunctionalResult& result : evaluation.functional)
        text += fmt::format("{}: {} of {} elements wrong, largest error {:.2g} of {:.2g} allowed{}{}\n",
                            result.program, result.wrong, result.elements, result.maxRelative,
                            result.tolerance, result.note.empty() ? "" : "; ", result.note);
    for (const Claim& claim : evaluation.claims)
        text += fmt::format("{:<48} paper {:>6.2f}  ours {:>6.2f}  over plain code {:>6}  under its "
                            "assumptions {:>6.2f}  {}\n",
                            claim.text, claim.wanted, claim.ours, times(claim.plain), claim.assumed,
                            claim.verdict());
    for (const auto& [claims, reason] : reasonsOf(evaluation))
        text += fmt::format("\n{}: {}\n", claims, reason);
    for (const std::string& reason : evaluation.withoutGain)
        text += fmt::format("\n{}\n", reason);
    return text;
}

std::string evaluationJson(const Evaluation& evaluation) {
    ordered_json all{{"verified", evaluation.options.verified},
                     {"figures", ordered_json::array()},
                     {"claims", ordered_json::array()}};
    for (const Figure& figure : evaluation.figures) {
        ordered_json json{{"figure", figure.number},
                          {"title", figure.title},
                          {"quantity", figure.quantity},
                          {"points", ordered_json::array()}};
        for (const FigurePoint& point : figure.points)
            json["points"].push_back(pointJson(point));
        for (const LlmCase& model : figure.models)
            for (const LlmBar& bar : model.bars)
                json["models"].push_back({{"case", model.label},
                                          {"system", bar.system},
                                          {"attention_ms", bar.attention},
                                          {"qkv_ms", bar.qkv},
                                          {"projection_ms", bar.projection},
                                          {"feed_forward_ms", bar.feedForward},
                                          {"other_ms", bar.other}});
        all["figures"].push_back(std::move(json));
    }
    if (!evaluation.predictor.empty())
        all["table_2"] = nlohmann::ordered_json::parse(predictorJson(evaluation.predictor));
    for (const Claim& claim : evaluation.claims)
        all["claims"].push_back({{"claim", claim.text},
                                 {"paper", claim.wanted},
                                 {"ours", claim.ours},
                                 {"assumed", claim.assumed},
                                 {"over_plain_code", claim.plain},
                                 {"verdict", claim.verdict()},
                                 {"reached", claim.met()},
                                 {"reason", claim.reason}});
    for (const std::string& reason : evaluation.withoutGain)
        all["passes_without_gain"].push_back(reason);
    for (const FunctionalResult& result : evaluation.functional)
        all["functional"].push_back({{"program", result.program},
                                     {"elements", result.elements},
                                     {"wrong", result.wrong},
                                     {"largest_error", result.maxRelative},
                                     {"allowed", result.tolerance},
                                     {"note", result.note}});
    return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace pim::evaluation
