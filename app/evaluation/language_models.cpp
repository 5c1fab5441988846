// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/language_models.h"

#include "backends/llm/llm_system.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::evaluation {
namespace {

constexpr const char* kTarget = "attacc";
constexpr double kNsPerMs = 1e6;

struct Lengths {
    std::int64_t in, out;
};
constexpr Lengths kLengths[] = {{128, 2048}, {2048, 128}, {2048, 2048}};

struct Model {
    const char* name;      ///< Of backends/llm.
    const char* paperName; ///< Of dcc.json.
};
constexpr Model kModels[] = {{"GPT3-13B", "GPT3-13B"}, {"LLAMA-33B", "LLAMA2-33B"}};

class ModelEvaluation {
public:
    ModelEvaluation(Evaluator& evaluator, const TaskContext& task) : m_evaluator(evaluator), m_task(task) {}

    /// Adds a pair of bars for each of the systems "base" and "full".
    Result<void> add(Figure& figure, const LlmModel& model, std::int64_t batch, Lengths lengths,
                     const std::vector<double>& paper) {
        const LlmRequest request{batch, lengths.in, lengths.out, DataType::F16, 16};
        PIM_TRY(const auto target, m_evaluator.target(kTarget, kStrict));
        LlmSystem system;
        system.host = target->host;
        LlmCase shown{fmt::format("{}, batch {}, {} in, {} out", model.name, batch, lengths.in, lengths.out),
                      {}};
        PIM_TRY(const LlmBar gpu, bar("GPU", model, system, request));
        shown.bars.push_back(gpu);
        system.attAcc = true;
        for (const bool full : {false, true}) {
            system.pim.feedForward = system.pim.pipelined = full;
            system.pim.powerLimit = !full;
            const std::string name = full ? "AttAcc full" : "AttAcc base";
            PIM_TRY(const LlmBar theirs, bar(name, model, system, request));
            system.pim.pipelined = false; // nothing runs on the GPU meanwhile
            PIM_TRY(const LlmBar parts, bar(name + ", our mappings", model, system, request));
            Rules strict = kStrict, assumed = kAsInPaper;
            strict.powerLimit = assumed.powerLimit = !full;
            PIM_TRY(const LlmBar ours, withOurMappings(parts, model, request, strict));
            PIM_TRY(const LlmBar asInPaper, withOurMappings(parts, model, request, assumed));
            FigurePoint point;
            point.group = name;
            point.label = shown.label;
            point.ours = {gpu.totalMs() / theirs.totalMs(), gpu.totalMs() / ours.totalMs()};
            point.assumed = {point.ours.lower, gpu.totalMs() / asInPaper.totalMs()};
            point.paper = {paper[full ? 2 : 0], paper[full ? 3 : 1]};
            figure.points.push_back(std::move(point));
            shown.bars.push_back(theirs);
            shown.bars.push_back(ours);
        }
        figure.models.push_back(std::move(shown));
        return {};
    }

private:
    Result<LlmBar> bar(std::string name, const LlmModel& model, const LlmSystem& system,
                       const LlmRequest& request) {
        PIM_TRY(const LlmResult result, m_simulator.run(model, system, request, m_task));
        const double steps = double(std::max<std::int64_t>(1, result.steps));
        const LlmParts& parts = result.stepsMs;
        return LlmBar{std::move(name),
                      parts.attention / steps,
                      parts.qkv / steps,
                      parts.projection / steps,
                      parts.feedForward / steps,
                      (parts.activation + parts.norm + parts.toMemory + parts.allReduce) / steps};
    }

    Result<LlmBar> withOurMappings(LlmBar parts, const LlmModel& model, const LlmRequest& request,
                                   const Rules& rules) {
        PIM_TRY(const double qkv, linearMs(3 * model.hidden, model, request.batch, rules));
        PIM_TRY(const double projection, linearMs(model.hidden, model, request.batch, rules));
        PIM_TRY(const double attention, attentionRatio(model, request, rules));
        parts.qkv = std::min(parts.qkv, qkv);
        parts.projection = std::min(parts.projection, projection);
        parts.attention *= attention;
        return parts;
    }

    /// All layers, one token.
    Result<double> linearMs(std::int64_t outputs, const LlmModel& model, std::int64_t batch,
                            const Rules& rules) {
        const auto kernel = linearOf(outputs, model.hidden, batch);
        if (!kernel)
            return tl::unexpected<Error>(kernel.error());
        PIM_TRY(const Comparison* c, m_evaluator.compare(*kernel, kTarget, rules, m_task));
        return c->chosen.cost.totalNs() * double(model.layers) / kNsPerMs;
    }

    /// Time of the chosen mappings over that of the published one, over the whole generation: time grows with the length
    /// in a straight line, so that its two ends say what all of it takes.
    Result<double> attentionRatio(const LlmModel& model, const LlmRequest& request, const Rules& rules) {
        double chosen = 0, fixed = 0;
        for (const std::int64_t length : {request.tokensIn, request.tokensIn + request.tokensOut}) {
            const auto kernel = attentionOf(model.heads, length, request.batch, model.headSize());
            if (!kernel)
                return tl::unexpected<Error>(kernel.error());
            PIM_TRY(const Comparison* c, m_evaluator.compare(*kernel, kTarget, rules, m_task));
            chosen += c->chosen.cost.totalNs();
            fixed += c->fixed.cost.totalNs();
        }
        return chosen / fixed;
    }

    Evaluator& m_evaluator;
    const TaskContext& m_task;
    LlmSimulator m_simulator;
};

} // namespace

Result<Figure> languageModels(Evaluator& evaluator, const PaperNumbers& paper, const TaskContext& task) {
    Figure figure;
    figure.number = 8;
    figure.title = "Language models, a token of the generation";
    figure.quantity = "Speed-up over the GPU";
    figure.lower = "AttAcc";
    figure.higher = "AttAcc with our mappings";
    figure.reading = "GPU and AttAcc: AttAcc's system model, generation only. Ours: QKV generation and "
                     "projection in memory where that is "
                     "faster, simulated command by command; attention by the ratio of our simulation; the "
                     "feed-forward of the full system "
                     "is AttAcc's formula, not simulated by anybody.";
    ModelEvaluation evaluation(evaluator, task);
    for (const std::int64_t batch : {1, 4})
        for (const Model& named : kModels) {
            PIM_TRY(const LlmModel model, llmModelNamed(named.name));
            for (const Lengths lengths : kLengths) {
                const auto& cases = paper.llm.at(fmt::format("{} b{}", named.paperName, batch));
                PIM_CHECK(evaluation.add(figure, model, batch, lengths,
                                         cases.at(fmt::format("{}/{}", lengths.in, lengths.out))));
                task.report("figure 8", std::ssize(figure.models), 12);
            }
        }
    return figure;
}

} // namespace pim::evaluation
