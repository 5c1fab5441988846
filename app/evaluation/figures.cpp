// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/figures.h"

#include "app/evaluation/language_models.h"
#include "app/evaluation/paper_numbers.h"
#include "app/evaluation/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::evaluation {
namespace {

struct Machine {
    const char* name; ///< As in the paper.
    const char* target;
};
constexpr Machine kAttAcc{"AttAcc", "attacc"}, kHbmPim{"HBM-PIM", "hbm-pim-hbm3"};

constexpr const char* kOverGpu = "Speed-up over the GPU";

class FigureBuilder {
public:
    FigureBuilder(Evaluator& evaluator, const PaperNumbers& paper, const TaskContext& task)
        : m_evaluator(evaluator), m_paper(paper), m_task(task) {}

    Result<Figure> build(int number) {
        m_figure.number = number;
        switch (number) {
        case 2:
            return motivation();
        case 6:
            return kernels(kAttAcc, m_paper.attacc);
        case 7:
            return kernels(kHbmPim, m_paper.hbmPim);
        case 8:
            return languageModels(m_evaluator, m_paper, m_task);
        case 9:
            return scaling();
        case 10:
            return breakdown();
        default:
            return fail(ErrorCode::NotFound, fmt::format("there is no figure {} here", number), {},
                        fmt::format("choose from {}", fmt::join(figureNumbers(), ", ")));
        }
    }

private:
    enum class Height { OverGpu, OverLower, OverComputeFirst };

    Result<void> add(const Machine& machine, const Result<EvaluatedKernel>& kernel, const Bars& paper,
                     Height height) {
        if (!kernel)
            return tl::unexpected<Error>(kernel.error());
        FigurePoint point;
        point.group = fmt::format("{} on {}", name(kernel->kind), machine.name);
        point.label = kernel->label;
        point.paper = paper;
        PIM_TRY(point.strict, m_evaluator.compare(*kernel, machine.target, kStrict, m_task));
        PIM_TRY(point.asInPaper, m_evaluator.compare(*kernel, machine.target, kAsInPaper, m_task));
        point.ours = bars(*point.strict, height);
        point.assumed = bars(*point.asInPaper, height);
        m_figure.points.push_back(std::move(point));
        m_task.report(fmt::format("figure {}", m_figure.number), std::ssize(m_figure.points), 0);
        return {};
    }
    static Bars bars(const Comparison& c, Height height) {
        if (height == Height::OverGpu)
            return {c.fixedSpeedup(), c.chosenSpeedup()};
        return {1, height == Height::OverLower ? c.gain()
                                               : c.computeFirst.cost.totalNs() / c.chosen.cost.totalNs()};
    }
    static Bars at(const PaperSeries& series, std::size_t i) {
        return i < series.lower.size() && i < series.higher.size() ? Bars{series.lower[i], series.higher[i]}
                                                                   : Bars{};
    }

    Result<Figure> kernels(const Machine& machine, const std::map<std::string, PaperSeries>& paper) {
        m_figure.title = fmt::format("Kernels on {}", machine.name);
        m_figure.quantity = kOverGpu;
        m_figure.lower = fmt::format("{}, published mapping", machine.name);
        m_figure.higher = "chosen mapping";
        m_figure.reading =
            "Matrices, keys and values lie in PIM; all other operands and the results go through the host's "
            "memory, which is counted. The GPU is AttAcc's model of an A100 with HBM3: a head or a vector is "
            "one thread block.";
        for (const KernelKind kind : {KernelKind::Attention, KernelKind::Gemv}) {
            const auto series = paper.find(std::string(name(kind)));
            std::size_t i = 0;
            for (const int batch : {1, 4})
                for (const int heads : {32, 64})
                    for (const int length : {512, 4096}) {
                        if (series == paper.end())
                            continue;
                        PIM_CHECK(add(machine,
                                      kind == KernelKind::Gemv ? gemvOf(heads, length, batch)
                                                               : attentionOf(heads, length, batch),
                                      at(series->second, i++), Height::OverGpu));
                    }
        }
        for (const KernelKind kind : {KernelKind::Reduce, KernelKind::Add, KernelKind::Relu}) {
            const auto series = paper.find(std::string(name(kind)));
            if (series == paper.end())
                continue;
            // HBM-PIM is shown for batch 2 as well
            const bool threeBatches = series->second.lower.size() == 9;
            std::size_t i = 0;
            for (const int batch : {1, 2, 4})
                for (const int dim : {1024, 2048, 4096})
                    if (batch != 2 || threeBatches)
                        PIM_CHECK(add(machine, vectorsOf(kind, dim, batch), at(series->second, i++),
                                      Height::OverGpu));
        }
        return std::move(m_figure);
    }

    Result<Figure> scaling() {
        m_figure.title = "GEMV with growing batches";
        m_figure.quantity = "Speed-up over the published mapping";
        m_figure.lower = "published mapping";
        m_figure.higher = "chosen mapping";
        m_figure.reading = "32 heads of 128 elements; the output dimension is the number of rows of a head.";
        for (const Machine& machine : {kHbmPim, kAttAcc})
            for (const int batch : {1, 2, 4, 8}) {
                const std::vector<double>& row =
                    m_paper.scaling.at(machine.name).at(fmt::format("b{}", batch));
                std::size_t i = 0;
                for (const int length : {512, 1024, 2048, 4096})
                    PIM_CHECK(add(machine, gemvOf(32, length, batch), {1, row.at(i++)}, Height::OverLower));
            }
        return std::move(m_figure);
    }

    Result<Figure> breakdown() {
        m_figure.title = "Where the time of kernels goes";
        m_figure.quantity = "Speed-up over the published mapping";
        m_figure.lower = "published mapping";
        m_figure.higher = "chosen mapping";
        m_figure.reading = "The paper does not name the sizes; its numbers are those of its Fig. 7 and 9 at "
                           "2048 and 32 heads, which "
                           "are taken here.";
        for (const Machine& machine : {kHbmPim, kAttAcc})
            for (const auto& [kernelName, batches] : m_paper.breakdown.at(machine.name))
                for (const int batch : {1, 4}) {
                    const auto kernel = kernelName == "GEMV" ? gemvOf(32, 2048, batch)
                                        : kernelName == "ATTN"
                                            ? attentionOf(32, 2048, batch)
                                            : vectorsOf(kernelName == "RED"  ? KernelKind::Reduce
                                                        : kernelName == "VA" ? KernelKind::Add
                                                                             : KernelKind::Relu,
                                                        2048, batch);
                    PIM_CHECK(
                        add(machine, kernel, {1, batches.at(fmt::format("b{}", batch))}, Height::OverLower));
                }
        return std::move(m_figure);
    }

    Result<Figure> motivation() {
        m_figure.title = "Compute alone decides, against all of the time";
        m_figure.quantity = "Speed-up over choosing by compute time";
        m_figure.lower = "best of those with the least compute time";
        m_figure.higher = "least time in all";
        m_figure.reading = "On AttAcc. Choosing by compute alone stands for a compute-centric compiler (TVM "
                           "in the paper): of the drafts "
                           "with the least compute time, as many as we verify, the fastest in all. GEMV "
                           "256x2048: one matrix of 2048 "
                           "rows of 256 elements for every vector of the batch.";
        for (const int batch : {16, 28})
            for (const int size : {2048, 4096}) {
                const auto& row = m_paper.motivation.at(fmt::format("Reduction b{}", batch));
                PIM_CHECK(add(kAttAcc, vectorsOf(KernelKind::Reduce, size, batch),
                              {1, row.at(std::to_string(size))}, Height::OverComputeFirst));
            }
        for (const int batch : {16, 28})
            for (const int size : {2048, 4096}) {
                const auto& row = m_paper.motivation.at(fmt::format("GEMV b{}", batch));
                PIM_CHECK(add(kAttAcc, gemvOf(1, size, batch, 256), {1, row.at(fmt::format("256x{}", size))},
                              Height::OverComputeFirst));
            }
        return std::move(m_figure);
    }

    Evaluator& m_evaluator;
    const PaperNumbers& m_paper;
    const TaskContext& m_task;
    Figure m_figure;
};

Bars means(const std::vector<Bars>& all) {
    std::vector<double> lower, higher;
    for (const Bars& bars : all) {
        lower.push_back(bars.lower);
        higher.push_back(bars.higher);
    }
    return {geomean(lower), geomean(higher)};
}

const Figure* figureNumbered(const std::vector<Figure>& figures, int number) {
    for (const Figure& figure : figures)
        if (figure.number == number)
            return &figure;
    return nullptr;
}

} // namespace

double Claim::printed(double value) {
    return std::round(value * 100) / 100;
}

std::string Claim::verdict() const {
    if (met())
        return "reached";
    if (metOverPlain())
        return metAsInPaper() ? "reached with the code passes, and under its assumptions"
                              : "reached with the code passes";
    return metAsInPaper() ? "reached under its assumptions" : "not reached";
}

std::vector<GroupMeans> groupMeans(const Figure& figure) {
    std::vector<GroupMeans> groups;
    for (const FigurePoint& first : figure.points) {
        if (std::any_of(groups.begin(), groups.end(),
                        [&](const GroupMeans& g) { return g.group == first.group; }))
            continue;
        std::vector<Bars> ours, assumed, paper;
        for (const FigurePoint& point : figure.points)
            if (point.group == first.group) {
                ours.push_back(point.ours);
                assumed.push_back(point.assumed);
                paper.push_back(point.paper);
            }
        GroupMeans group{first.group, ours.size(), means(ours), means(assumed), means(paper)};
        std::vector<double> plain;
        for (const FigurePoint& point : figure.points)
            if (point.group == first.group && point.strict)
                plain.push_back(point.strict->gainOverPlain());
        group.plainGain = geomean(plain);
        group.oursGain = group.ours.gain();
        group.assumedGain = group.assumed.gain();
        group.paperGain = group.paper.gain();
        groups.push_back(std::move(group));
    }
    return groups;
}

const std::vector<int>& figureNumbers() {
    static const std::vector<int> numbers{2, 6, 7, 8, 9, 10};
    return numbers;
}

Result<Figure> computeFigure(int number, Evaluator& evaluator, const TaskContext& task) {
    PIM_TRY(const PaperNumbers paper, readPaperNumbers());
    return FigureBuilder(evaluator, paper, task).build(number);
}

std::vector<Claim> claimsOf(const std::vector<Figure>& figures) {
    std::vector<Claim> claims;
    const auto add = [&](std::string text, double wanted, double ours, double assumed, double plain,
                         std::string reason) {
        Claim claim{std::move(text), wanted, ours, assumed, plain, {}};
        if (!claim.met())
            claim.reason = std::move(reason);
        claims.push_back(std::move(claim));
    };
    for (const int number : {6, 7})
        if (const Figure* figure = figureNumbered(figures, number))
            for (const GroupMeans& group : groupMeans(*figure)) {
                const std::string reason = reasonOf(*figure, group);
                add(group.group + " over the published mapping", group.paperGain, group.oursGain,
                    group.assumedGain, group.plainGain, reason);
                add(group.group + " over the GPU", group.paper.higher, group.ours.higher,
                    group.assumed.higher, 0, reason);
            }
    if (const Figure* figure = figureNumbered(figures, 8)) {
        for (const GroupMeans& group : groupMeans(*figure)) {
            const std::string reason = reasonOf(*figure, group);
            add(group.group + " with our mappings over without", group.paperGain, group.oursGain,
                group.assumedGain, 0, reason);
            add(group.group + " with our mappings over the GPU", group.paper.higher, group.ours.higher,
                group.assumed.higher, 0, reason);
        }
    }
    return claims;
}

} // namespace pim::evaluation
