// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/reasons.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::evaluation {
namespace {

constexpr double kWorthSaying = 0.03; ///< Share of a time below which a cause is left out.

std::vector<const FigurePoint*> pointsOf(const Figure& figure, const std::string& group) {
    std::vector<const FigurePoint*> points;
    for (const FigurePoint& point : figure.points)
        if (point.group == group)
            points.push_back(&point);
    return points;
}

/// Geometric mean of what \p value gives for each point.
template <class Value>
double mean(const std::vector<const FigurePoint*>& points, const Value& value) {
    std::vector<double> values;
    for (const FigurePoint* point : points)
        values.push_back(value(*point));
    return geomean(values);
}

/// Mean of the share that a part has of our chosen mapping's time.
template <class Part>
double shareOfChosen(const std::vector<const FigurePoint*>& points, const Part& part) {
    double sum = 0;
    for (const FigurePoint* point : points)
        sum += part(point->strict->chosen.cost) / point->strict->chosen.cost.totalNs();
    return sum / double(points.size());
}

/// Mean of a part of our chosen mapping's time under the paper's rules, ns.
double assumedPart(const std::vector<const FigurePoint*>& points, double CostSplit::*part) {
    return mean(points,
                [part](const FigurePoint& p) { return std::max(p.asInPaper->chosen.cost.*part, 1e-3); });
}

/// Groups that the heads of a published mapping keep busy, over all there are, with the last round that is not full.
double busyShare(const FigurePoint& point) {
    const EvaluatedKernel& kernel = point.strict->kernel;
    if (kernel.heads == 0)
        return 0;
    constexpr double kChannels = 80;
    const double heads = double(kernel.heads * kernel.batch);
    return heads / (std::ceil(heads / kChannels) * kChannels);
}

std::string ofModels(const Figure& figure, const GroupMeans& group) {
    double feedForward = 0, other = 0, gpu = 0, ours = 0;
    for (const LlmCase& model : figure.models)
        for (const LlmBar& bar : model.bars) {
            if (bar.system == "GPU")
                gpu += bar.totalMs();
            if (bar.system == group.group + ", our mappings") {
                ours += bar.totalMs();
                feedForward += bar.feedForward;
                other += bar.other;
            }
        }
    return fmt::format("Of what is left with our mappings, {} is feed-forward and {} activations, norms and "
                       "transfers, which no mapping "
                       "changes; the sum over the cases is {:.1f} times below the GPU's.",
                       percentText(feedForward / ours), percentText(other / ours), gpu / ours);
}

/// The buffer of AiM has as many words as a row, and MAC16 takes the word at its own column. [aim_simulator 0f28a07]
std::string aimBuffer(const Target& aim) {
    const auto clocks = [&aim](const char* name) { return aim.numberOr(std::string("timing.") + name, 0); };
    const double columns = aim.numberOr("organisation.columns", 64), modeChange = clocks("nMODCH");
    // From a row to the next: MACs, PREA, tRP; the row opens behind two changes of mode, between which results leave.
    const auto row = [&](double macs) {
        const double leave = 2 * modeChange + clocks("nRegisterRead") + clocks("nBL") + clocks("nRTW");
        return (macs - 1) * clocks("nCCDAB") + clocks("nRTP") + clocks("nRP") +
               std::max(leave, clocks("nRCDMAC"));
    };
    const double load = columns * clocks("nCCDS"), whole = row(columns), halves = 2 * row(columns / 2);
    return fmt::format("Double buffering on AiM: WRGB, which fills the global buffer, goes out in the mode "
                       "for registers and MAC16 in the "
                       "other, {:.0f} clocks apart, so that nothing comes in while MACs run, whatever the "
                       "buffer has room for. A MAC16 takes "
                       "the word at its own column of the buffer: with half a buffer a command stream could "
                       "only use half of each row, which "
                       "takes {:.0f} clocks in two openings instead of {:.0f}. Against that, a load is "
                       "{:.0f} clocks, and all rows of a piece "
                       "use it: {} of the time with 16 rows, {} with 64.",
                       modeChange, halves, whole, load, percentText(load / (load + 16 * whole)),
                       percentText(load / (load + 64 * whole)));
}

std::string layoutPropagation(const std::vector<Figure>& figures) {
    std::string text =
        "Layout propagation from product to product on AttAcc and AiM: results of a product lie over the "
        "channels, and the next one "
        "wants its whole vector at every bank. Nothing but the host carries data from channel to channel. ";
    for (const Figure& figure : figures) {
        const auto points = pointsOf(figure, "GEMV on AttAcc");
        if (figure.number != 6 || points.empty() || !points.front()->strict) // of all sizes
            continue;
        text += fmt::format(
            "All rearrangement of the GEMVs of figure {}, which no pass could leave out altogether, is {} of "
            "their time. ",
            figure.number,
            percentText(shareOfChosen(points, [](const CostSplit& c) { return c.inputNs + c.outputNs; })));
        break;
    }
    return text + "A product could take its inputs where they are only if it were cut along them, so that "
                  "every channel had a part of every "
                  "result: as many times the results cross the bus as there are channels. Inside a channel, "
                  "attention does hand on its "
                  "scores in place, through the softmax, and keys and values stay where they were appended. "
                  "HBM-PIM has the pass (in-place), "
                  "for element-wise operators; AttAcc's units have none, AiM has the product alone.";
}

} // namespace

std::vector<std::string> passesWithoutGain(const std::vector<Figure>& figures, const Target& aim) {
    return {layoutPropagation(figures), aimBuffer(aim)};
}

std::string reasonOf(const Figure& figure, const GroupMeans& group) {
    const auto points = pointsOf(figure, group.group);
    if (points.empty())
        return {};
    if (!points.front()->strict)
        return ofModels(figure, group);
    std::string text;
    const bool overGpu = figure.quantity.find("GPU") != std::string::npos;
    const double fixedNs = mean(points, [](const FigurePoint& p) { return p.strict->fixed.cost.totalNs(); });
    const double chosenNs =
        mean(points, [](const FigurePoint& p) { return p.strict->chosen.cost.totalNs(); });
    if (overGpu) {
        const double paperFixed =
            mean(points, [](const FigurePoint& p) { return p.strict->gpuNs / p.paper.lower; });
        const double paperChosen =
            mean(points, [](const FigurePoint& p) { return p.strict->gpuNs / p.paper.higher; });
        text +=
            fmt::format("The paper's bars stand for {} with the published mapping and {} with DCC's "
                        "(geometric means, by its GPU "
                        "model); ours for {} and {}. ",
                        timeText(paperFixed), timeText(paperChosen), timeText(fixedNs), timeText(chosenNs));
        if (fixedNs < 0.97 * paperFixed)
            text +=
                fmt::format("Our published mapping is {} as fast as theirs, so that less is left to gain. ",
                            ratioText(paperFixed / fixedNs));
    }
    const double plainNs =
        mean(points, [](const FigurePoint& p) { return p.strict->plainFixed.cost.totalNs(); });
    if (plainNs > 1.03 * fixedNs)
        text += fmt::format("The published mapping gets the passes of our optimiser too, {} faster than in "
                            "plain code; over plain code the gain is {}. ",
                            ratioText(plainNs / fixedNs), ratioText(group.plainGain));
    if (const double modes = shareOfChosen(points, [](const CostSplit& c) { return c.modeSwitchNs; });
        modes > kWorthSaying)
        text += fmt::format("Switching between the modes of the memory is {} of our time; the paper's times "
                            "have no room for it. ",
                            percentText(modes));
    const double withoutWindow = mean(points, [](const FigurePoint& p) {
        return p.asInPaper->chosen.cost.totalNs() /
               (p.strict->chosen.cost.totalNs() - p.strict->chosen.cost.modeSwitchNs);
    });
    if (withoutWindow < 1 - kWorthSaying)
        text += fmt::format("Opening rows of all banks under the four-activate window is {} of the rest; "
                            "AttAcc's simulator opens them at once. ",
                            percentText(1 - withoutWindow));
    const double rearranged =
        shareOfChosen(points, [](const CostSplit& c) { return c.inputNs + c.outputNs; });
    const double computed = shareOfChosen(points, [](const CostSplit& c) { return c.computeNs; });
    text += fmt::format("Of our time {} is rearrangement through the host and {} compute. ",
                        percentText(rearranged), percentText(computed));
    if (points.front()->strict->kernel.heads > 0) {
        const double busy = mean(points, [](const FigurePoint& p) { return busyShare(p); });
        text += fmt::format("Whole heads keep {} of the 80 channels busy under the published mapping, so "
                            "that even distribution could gain {}. ",
                            percentText(busy), ratioText(1 / busy));
    }
    if (group.assumed.higher > 1.03 * group.ours.higher || group.assumedGain > 1.03 * group.oursGain)
        text += fmt::format("Under the paper's assumptions: {}{} over the published mapping; a kernel then "
                            "takes {} for operands, {} to compute, {} for "
                            "results. ",
                            overGpu ? ratioText(group.assumed.higher) + " over the GPU, " : "",
                            ratioText(group.assumedGain), timeText(assumedPart(points, &CostSplit::inputNs)),
                            timeText(assumedPart(points, &CostSplit::computeNs)),
                            timeText(assumedPart(points, &CostSplit::outputNs)));
    text.pop_back();
    return text;
}

} // namespace pim::evaluation
