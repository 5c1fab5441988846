// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts.h"

#include "core/base/number_text.h"
#include "core/drafts/dataflow.h"
#include "core/report/drawing_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace pim::report {
namespace {

struct Part {
    Ink ink;
    double CostSplit::*time;
    const char* name;
    bool hatched;
};
constexpr std::array<Part, kCostSplitParts.size()> kParts{
    {{Ink::Input, &CostSplit::inputNs, "input", false},
     {Ink::Compute, &CostSplit::computeNs, "compute", false},
     {Ink::Output, &CostSplit::outputNs, "output", false},
     {Ink::Switch, &CostSplit::modeSwitchNs, "mode switch", true},
     {Ink::Rewrite, &CostSplit::rewriteNs, "weight rewrite", false},
     {Ink::Host, &CostSplit::hostNs, "host", false}}};

/// 1 FLOP/ns = 1 GFLOP/s
std::string speedText(double flopsPerNs) {
    const std::string text = countText(flopsPerNs * 1e9);
    return text + (text.find(' ') == std::string::npos ? " FLOP/s" : "FLOP/s");
}

/// Colour keys of the parts there are, in one line; returns where the next key may begin.
double addLegend(Drawing& drawing, const CostSplit& shown, double x, double y) {
    for (const Part& part : kParts) {
        if (shown.*part.time <= 0)
            continue;
        drawing.marks.push_back(Bar{x, y - 9, 12, 10, part.ink, part.hatched, {}});
        drawing.marks.push_back(Label{x + 17, y, part.name, Ink::Muted, kTextSize});
        x += 17 + widthOf(part.name) + 18;
    }
    return x;
}

/// Where a bar begins, and how high it is.
struct BarPlace {
    double left = 0, y = 0, height = 0;
};

void addStack(Drawing& drawing, const CostSplit& cost, const BarPlace& place, double pixelsPerNs,
              const std::string& who) {
    double x = place.left;
    for (const Part& part : kParts) {
        const double ns = cost.*part.time;
        if (ns <= 0)
            continue;
        const double width = ns * pixelsPerNs;
        drawing.marks.push_back(Bar{x, place.y, width, place.height, part.ink, part.hatched,
                                    fmt::format("{}: {} {}", who, part.name, timeText(ns))});
        x += width;
    }
}

/// Maps a positive quantity to a logarithmic axis of whole decades.
class LogAxis {
public:
    LogAxis(double low, double high, double from, double to)
        : m_low(std::floor(std::log10(low))), m_high(std::max(std::ceil(std::log10(high)), m_low + 1)),
          m_from(from), m_to(to) {}
    double at(double value) const {
        const double t = (std::log10(value) - m_low) / (m_high - m_low);
        return m_from + std::clamp(t, 0.0, 1.0) * (m_to - m_from);
    }
    double low() const { return std::pow(10, m_low); }
    double high() const { return std::pow(10, m_high); }
    /// Powers of ten, thinned out where there are many.
    std::vector<double> ticks() const {
        std::vector<double> result;
        const int step = std::max(1, static_cast<int>(std::ceil((m_high - m_low) / 7)));
        for (double exponent = m_low; exponent <= m_high; exponent += step)
            result.push_back(std::pow(10, exponent));
        return result;
    }

private:
    double m_low, m_high, m_from, m_to;
};

struct Field {
    double left = 64, top = 26, right = 664, bottom = 320;
};

/// An axis, what stands beside its lines, and its name.
struct GridAxis {
    const LogAxis& axis;
    std::function<std::string(double)> text;
    std::string name;
};

void addGrid(Drawing& drawing, const Field& field, const GridAxis& across, const GridAxis& up) {
    const LogAxis &x = across.axis, &y = up.axis;
    for (const double value : x.ticks()) {
        drawing.marks.push_back(Rule{x.at(value), field.top, x.at(value), field.bottom, Ink::Grid});
        drawing.marks.push_back(
            Label{x.at(value), field.bottom + 15, across.text(value), Ink::Muted, 10, Anchor::Middle});
    }
    for (const double value : y.ticks()) {
        drawing.marks.push_back(Rule{field.left, y.at(value), field.right, y.at(value), Ink::Grid});
        drawing.marks.push_back(
            Label{field.left - 6, y.at(value) + 3.5, up.text(value), Ink::Muted, 10, Anchor::End});
    }
    drawing.marks.push_back(Label{(field.left + field.right) / 2, field.bottom + 34, across.name, Ink::Text,
                                  kTextSize, Anchor::Middle});
    drawing.marks.push_back(Label{field.left, field.top - 12, up.name, Ink::Text, kTextSize});
}

} // namespace

std::vector<std::size_t> opsByTime(const Plan& plan) {
    std::vector<std::size_t> order(plan.ops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return plan.ops[i].cost.totalNs() <= 0; });
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return plan.ops[a].cost.totalNs() > plan.ops[b].cost.totalNs();
    });
    return order;
}

Drawing totalsChart(const Plan& plan) {
    struct Row {
        std::string who;
        CostSplit cost;
        bool hatched = false; ///< Its parts are not known.
    };
    std::vector<Row> rows{{"with PIM", plan.total}};
    // A baseline is a total; drawn as computing, hatched.
    for (const Baseline& baseline : plan.baselines)
        rows.push_back({baseline.id, {.computeNs = baseline.totalNs}, true});
    rows.push_back({"host alone", {.hostNs = plan.hostOnlyNs}});

    Drawing drawing;
    drawing.title = fmt::format("Whole network, {}", name(plan.origin));
    drawing.description = fmt::format("{} with PIM against {} on {} alone", timeText(plan.total.totalNs()),
                                      timeText(plan.hostOnlyNs), plan.target->host.name);
    const double kLeft = 110, kWidth = 470, kBar = rows.size() > 2 ? 18 : 26, kGap = 12;
    double largest = 0;
    for (const Row& row : rows)
        largest = std::max(largest, row.cost.totalNs());
    // With several bars, one that is out of all proportion must not squeeze the others.
    if (rows.size() > 2 && plan.total.totalNs() > 0)
        largest = std::min(largest, 4 * plan.total.totalNs());
    const double scale = largest > 0 ? kWidth / largest : 0;
    CostSplit both = plan.total;
    both.hostNs += plan.hostOnlyNs;
    addLegend(drawing, both, kLeft, 14);
    const double top = 30, bottom = top + static_cast<double>(rows.size()) * (kBar + kGap);
    addTimeAxis(drawing, kLeft, kWidth, top, bottom, largest);
    double y = top + kGap / 2;
    for (Row& row : rows) {
        const double ns = row.cost.totalNs();
        drawing.marks.push_back(
            Label{kLeft - 8, y + kBar / 2 + 4, row.who, Ink::Text, kTextSize, Anchor::End, true});
        if (ns > largest) { // cut off; the number says how long it is
            row.cost.computeNs *= largest / ns;
            row.cost.hostNs *= largest / ns;
        }
        if (row.hatched)
            drawing.marks.push_back(Bar{kLeft, y, row.cost.computeNs * scale, kBar, Ink::Compute, true,
                                        row.who + ": " + timeText(ns)});
        else
            addStack(drawing, row.cost, {kLeft, y, kBar}, scale, row.who);
        drawing.marks.push_back(Label{kLeft + row.cost.totalNs() * scale + 7, y + kBar / 2 + 4,
                                      (ns > largest ? "▸ " : "") + timeText(ns), Ink::Text, kTextSize,
                                      Anchor::Start, true});
        y += kBar + kGap;
    }
    drawing.height = bottom + 22;
    return drawing;
}

Drawing topOpsChart(const Plan& plan, std::size_t most) {
    const auto order = opsByTime(plan);
    const std::size_t shown = std::min(most, order.size());
    CostSplit rest;
    for (std::size_t i = shown; i < order.size(); ++i)
        rest += plan.ops[order[i]].cost;

    Drawing drawing;
    drawing.title = fmt::format("The {} most expensive ops, {}", shown, name(plan.origin));
    drawing.description = "Time of each op in its parts; a line marks the host alone";
    constexpr double kLeft = 190, kWidth = 400, kBar = 13, kRow = 19;
    double largest = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        const OpPlan& op = plan.ops[order[i]];
        largest = std::max({largest, op.cost.totalNs(), op.hostKnown ? op.hostNs : 0});
    }
    // A few ops that were hopeless on the host must not squeeze all bars: beyond the field the mark becomes
    // an arrow.
    const double longest = shown > 0 ? plan.ops[order[0]].cost.totalNs() : 0;
    largest = std::min(largest, 6 * longest);
    const double scale = largest > 0 ? kWidth / largest : 0;

    double x = addLegend(drawing, plan.total, 10, 14);
    drawing.marks.push_back(Rule{x, 4, x, 15, Ink::Accent, 2});
    drawing.marks.push_back(Label{x + 7, 14, "host alone (▸ beyond the scale)", Ink::Muted, kTextSize});
    const double top = 30, bottom = top + kRow * static_cast<double>(shown);
    addTimeAxis(drawing, kLeft, kWidth, top, bottom, largest);
    double y = top + (kRow - kBar) / 2;
    for (std::size_t i = 0; i < shown; ++i, y += kRow) {
        const OpPlan& op = plan.ops[order[i]];
        const std::string& who = plan.graph->op(op.op).name;
        drawing.marks.push_back(
            Label{kLeft - 8, y + kBar - 3, shortened(who, 27), Ink::Text, kTextSize, Anchor::End});
        addStack(drawing, op.cost, {kLeft, y, kBar}, scale, who);
        drawing.marks.push_back(
            Label{674, y + kBar - 3, timeText(op.cost.totalNs()), Ink::Text, kTextSize, Anchor::End});
        if (op.onHost() || !op.hostKnown)
            continue;
        if (op.hostNs <= largest * 1.0001) {
            const double at = kLeft + op.hostNs * scale;
            drawing.marks.push_back(Rule{at, y - 2, at, y + kBar + 2, Ink::Accent, 2});
        } else {
            drawing.marks.push_back(Label{kLeft + kWidth + 2, y + kBar - 3, "▸", Ink::Accent, kTextSize});
        }
    }
    drawing.height = bottom + 22;
    if (order.size() > shown) {
        drawing.height += 18;
        drawing.marks.push_back(Label{kLeft, drawing.height - 4,
                                      fmt::format("{} more ops: {} together",
                                                  exactText(static_cast<std::int64_t>(order.size() - shown)),
                                                  timeText(rest.totalNs())),
                                      Ink::Muted, kTextSize});
    }
    return drawing;
}

Drawing rooflineChart(const Plan& plan, std::size_t most) {
    Drawing drawing;
    drawing.title = fmt::format("Speed over arithmetic intensity, {}", name(plan.origin));
    const Host& host = plan.target->host;
    const auto peakEntry = host.peakFlopsPerNs.find(plan.computeType);
    const double peak = peakEntry == host.peakFlopsPerNs.end() ? 0 : peakEntry->second * host.flopsEfficiency;
    const double bandwidth = host.memoryBytesPerNs * host.memoryEfficiency;

    struct Point {
        double intensity, flopsPerNs;
        std::size_t op;
    };
    std::vector<Point> points;
    for (const std::size_t i : opsByTime(plan)) {
        const Op& op = plan.graph->op(plan.ops[i].op);
        const OpWork& work = op.work;
        const double intensity = intensityAs(*plan.graph, op, plan.computeType);
        if (work.known && work.flops() > 0 && intensity > 0 && points.size() < most)
            points.push_back({intensity, static_cast<double>(work.flops()) / plan.ops[i].cost.totalNs(), i});
    }
    if (points.empty())
        return drawing;
    double lowX = 1, highX = 10, lowY = points[0].flopsPerNs, highY = std::max(peak, lowY);
    for (const Point& point : points) {
        lowX = std::min(lowX, point.intensity);
        highX = std::max(highX, point.intensity);
        lowY = std::min(lowY, point.flopsPerNs);
        highY = std::max(highY, point.flopsPerNs);
    }
    const Field field;
    const LogAxis x(lowX, highX, field.left + 20, field.right), y(lowY, highY, field.bottom, field.top);
    addGrid(drawing, {field.left + 20, field.top, field.right, field.bottom},
            {x, [](double v) { return v >= 1 ? rounded(countText(v)) : fmt::format("{:g}", v); },
             "arithmetic intensity, FLOP per byte"},
            {y, [](double v) { return rounded(speedText(v)); }, "speed"});
    if (peak > 0 && bandwidth > 0) {
        const double knee = peak / bandwidth;
        const auto roof = [&](double intensity) { return std::min(peak, bandwidth * intensity); };
        const double start = std::max(x.low(), y.low() / bandwidth), turn = std::clamp(knee, start, x.high());
        drawing.marks.push_back(
            Rule{x.at(start), y.at(roof(start)), x.at(turn), y.at(roof(turn)), Ink::Text, 1.5, true});
        drawing.marks.push_back(
            Rule{x.at(turn), y.at(roof(turn)), x.at(x.high()), y.at(roof(x.high())), Ink::Text, 1.5, true});
        drawing.marks.push_back(Label{field.right - 4, y.at(roof(x.high())) - 6,
                                      fmt::format("limit of {}", host.name), Ink::Text, 10, Anchor::End});
    }
    for (const Point& point : points) {
        const OpPlan& op = plan.ops[point.op];
        const bool onPim = !op.onHost();
        drawing.marks.push_back(Dot{x.at(point.intensity), y.at(point.flopsPerNs), 3.5,
                                    onPim ? Ink::Compute : Ink::Host, !onPim,
                                    fmt::format("{}: {}, {:.3g} FLOP/B", plan.graph->op(op.op).name,
                                                speedText(point.flopsPerNs), point.intensity)});
    }
    drawing.marks.push_back(Dot{field.right - 150, field.top - 16, 3.5, Ink::Compute, false, {}});
    drawing.marks.push_back(Label{field.right - 142, field.top - 12, "on PIM", Ink::Muted, kTextSize});
    drawing.marks.push_back(Dot{field.right - 70, field.top - 16, 3.5, Ink::Host, true, {}});
    drawing.marks.push_back(Label{field.right - 62, field.top - 12, "on host", Ink::Muted, kTextSize});
    drawing.description =
        fmt::format("{} ops; the dashed line is what the host can reach at best", points.size());
    drawing.height = field.bottom + 42;
    return drawing;
}

namespace {

/// Colour of a ceiling and of the dots under it: arithmetic of machine and host, then memories in their order.
Ink inkOf(const Roofline& roofline, std::size_t ceiling) {
    constexpr std::array kMemories{Ink::Input, Ink::Output, Ink::Rewrite, Ink::Switch, Ink::Muted};
    constexpr std::array kUnits{Ink::Compute, Ink::Accent};
    const Ceiling& of = roofline.ceilings[ceiling];
    if (!of.isMemory && of.ofHost)
        return Ink::Host;
    std::size_t before = 0; // of its kind
    for (std::size_t c = 0; c < ceiling; ++c)
        before +=
            roofline.ceilings[c].isMemory == of.isMemory && (of.isMemory || !roofline.ceilings[c].ofHost) ? 1
                                                                                                          : 0;
    return of.isMemory ? kMemories[before % kMemories.size()] : kUnits[before % kUnits.size()];
}

/// What an op that moves nothing is drawn at: behind all others.
double shownIntensity(const Roofline& roofline, const OpUnderRoof& op, double behindAll) {
    const double intensity = roofline.intensityOf(op);
    return std::isfinite(intensity) ? intensity : behindAll;
}

void addCeiling(Drawing& drawing, const Ceiling& ceiling, Ink ink, const LogAxis& x, const LogAxis& y) {
    if (!ceiling.isMemory) {
        drawing.marks.push_back(Rule{x.at(x.low()), y.at(ceiling.perNs), x.at(x.high()), y.at(ceiling.perNs),
                                     ink, 1.5, ceiling.ofHost});
        return;
    }
    const double from = std::max(x.low(), y.low() / ceiling.perNs),
                 to = std::min(x.high(), y.high() / ceiling.perNs);
    if (from < to)
        drawing.marks.push_back(Rule{x.at(from), y.at(from * ceiling.perNs), x.at(to),
                                     y.at(to * ceiling.perNs), ink, 1.5, ceiling.ofHost});
}

} // namespace

Drawing underRoofsChart(const Graph& graph, const Roofline& roofline) {
    Drawing drawing;
    drawing.title = "Roofline of the ops, simulated";
    std::vector<const OpUnderRoof*> ops;
    double lowX = 1, highX = 1, lowY = 0, highY = 0;
    for (const OpUnderRoof& op : roofline.ops)
        if (op.operations > 0) {
            ops.push_back(&op);
            const double speed = Roofline::speedOf(op), intensity = shownIntensity(roofline, op, 1);
            lowX = std::min(lowX, intensity);
            highX = std::max(highX, intensity);
            lowY = lowY > 0 ? std::min(lowY, speed) : speed;
            highY = std::max(highY, speed);
        }
    if (ops.empty())
        return drawing;
    for (const Ceiling& ceiling : roofline.ceilings)
        if (!ceiling.isMemory)
            highY = std::max(highY, ceiling.perNs);
    constexpr double kRow = 16;
    const Field field{.top = 40, .bottom = 360};
    const LogAxis x(lowX, highX * 10, field.left + 20, field.right), y(lowY, highY, field.bottom, field.top);
    addGrid(drawing, {field.left + 20, field.top, field.right, field.bottom},
            {x, [](double v) { return v >= 1 ? rounded(countText(v)) : fmt::format("{:g}", v); },
             "operations a byte of the memory that limits the op"},
            {y, [](double v) { return rounded(countText(v * 1e9)); }, "operations a second"});
    double legendY = field.bottom + 56, legendX = 10;
    for (std::size_t c = 0; c < roofline.ceilings.size(); ++c) {
        const Ceiling& ceiling = roofline.ceilings[c];
        const Ink ink = inkOf(roofline, c);
        addCeiling(drawing, ceiling, ink, x, y);
        const std::string words =
            fmt::format("{}: {}", ceiling.name, rateText(ceiling.perNs, ceiling.isMemory));
        if (legendX > 10 && legendX + 26 + widthOf(words) > drawing.width) {
            legendX = 10;
            legendY += kRow;
        }
        drawing.marks.push_back(
            Rule{legendX, legendY - 4, legendX + 18, legendY - 4, ink, 2, ceiling.ofHost});
        drawing.marks.push_back(Label{legendX + 24, legendY, words, Ink::Text, kTextSize});
        legendX += 24 + widthOf(words) + 18;
    }
    for (const OpUnderRoof* op : ops) {
        const int lowest = roofline.lowestRoof(*op);
        drawing.marks.push_back(Dot{
            x.at(shownIntensity(roofline, *op, highX * 10)), y.at(Roofline::speedOf(*op)), 3.5,
            lowest < 0 ? Ink::Muted : inkOf(roofline, static_cast<std::size_t>(lowest)), op->onHost,
            fmt::format("{}: {} in {}, {}", graph.op(op->op).name, rateText(Roofline::speedOf(*op), false),
                        timeText(op->ns), sentenceOf(roofline, *op))});
    }
    drawing.description = fmt::format(
        "{} ops; a dot has the colour of its lowest roof, squares and dashed lines are the host's",
        ops.size());
    drawing.height = legendY + 12;
    return drawing;
}

Drawing draftsChart(const Plan& plan, const Exploration& exploration) {
    Drawing drawing;
    drawing.title =
        fmt::format("All drafts of {}, {}", plan.graph->op(exploration.op).name, name(exploration.origin));
    if (exploration.costs.empty())
        return drawing;
    const auto moved = [](const CostSplit& cost) { return std::max(cost.inputNs + cost.outputNs, 1.0); };
    const auto computed = [](const CostSplit& cost) { return std::max(cost.computeNs, 1.0); };
    double lowX = moved(exploration.costs[0]), highX = lowX, lowY = computed(exploration.costs[0]),
           highY = lowY;
    for (const CostSplit& cost : exploration.costs) {
        lowX = std::min(lowX, moved(cost));
        highX = std::max(highX, moved(cost));
        lowY = std::min(lowY, computed(cost));
        highY = std::max(highY, computed(cost));
    }
    const Field field;
    const LogAxis x(lowX, highX, field.left, field.right), y(lowY, highY, field.bottom, field.top);
    addGrid(drawing, field, {x, timeTick, "rearrangement of input and output"}, {y, timeTick, "compute"});
    // Thousands of drafts fall on the same spot of paper: one dot for each spot of three pixels.
    std::set<std::pair<int, int>> taken;
    for (const CostSplit& cost : exploration.costs) {
        const double atX = x.at(moved(cost)), atY = y.at(computed(cost));
        if (taken.emplace(static_cast<int>(atX / 3), static_cast<int>(atY / 3)).second)
            drawing.marks.push_back(Dot{atX, atY, 2, Ink::Input, false, {}});
    }
    const CostSplit& best = exploration.costs[0];
    const double bestX = x.at(moved(best)), bestY = y.at(computed(best));
    drawing.marks.push_back(Dot{bestX, bestY, 5, Ink::Switch, true, "cheapest: " + timeText(best.totalNs())});
    const bool rightHalf = bestX > (field.left + field.right) / 2;
    drawing.marks.push_back(Label{bestX + (rightHalf ? -9 : 9), bestY - 8,
                                  "cheapest, " + timeText(best.totalNs()), Ink::Text, kTextSize,
                                  rightHalf ? Anchor::End : Anchor::Start, true});
    drawing.description =
        fmt::format("{} drafts; the cheapest takes {}",
                    exactText(static_cast<std::int64_t>(exploration.costs.size())), timeText(best.totalNs()));
    drawing.height = field.bottom + 42;
    return drawing;
}

} // namespace pim::report
