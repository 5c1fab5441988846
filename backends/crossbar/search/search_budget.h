// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a search may spend: evaluations, which are counted and give the same mapping on every machine with any number
/// of threads; or, where the user asks for them, seconds.
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/search/layout_model.h"

#include <algorithm>
#include <limits>

namespace pim {

/// Of one search. Evaluations are handed out before work is shared out to threads: which of them are made is no
/// matter of speed. Not thread-safe.
class SearchBudget {
public:
    explicit SearchBudget(const MappingOptions& options)
        : m_seconds(options.seconds), m_evaluations(options.evaluations),
          m_evaluationsPerSecond(options.mode == CrossbarMode::HighThroughput ? kHtEvaluationsPerSecond
                                                                              : kLlEvaluationsPerSecond) {}

    /// Is one program of \p model as much work as kAutomaticEvaluations stands for? Then it is made of the best start alone.
    static bool isSpentAtOnce(const CrossbarLayoutModel& model, const MappingOptions& options) {
        double products = 0;
        for (const CrossbarLayoutLayer& layer : model.layers)
            products += double(layer.windows) * layer.groups;
        return options.evaluations == kAutomaticEvaluations && !options.seconds &&
               workOf(kInstructionsAProduct * products, model) > kAutomaticWork;
    }

    /// What kAutomaticEvaluations stands for where no programs are made.
    void setNoPrograms() {
        if (m_evaluations == kAutomaticEvaluations)
            m_evaluations = kMostEvaluations;
    }
    /// The same once it is known how many \p instructions the first program of \p model has.
    void setProgramSize(std::size_t instructions, const CrossbarLayoutModel& model) {
        if (m_evaluations == kAutomaticEvaluations)
            m_evaluations = std::clamp(int(kAutomaticWork / workOf(double(instructions), model)),
                                       kFewestEvaluations, kMostEvaluations);
    }

    /// So many of \p wanted evaluations may be made, and are spent; all where seconds count.
    std::size_t take(std::size_t wanted) {
        const std::size_t taken = m_seconds ? wanted : std::min(wanted, std::size_t(std::max(0, left())));
        m_spent += int(taken);
        return taken;
    }
    /// Those that are made whatever is left.
    void spend(std::size_t evaluations) { m_spent += int(evaluations); }
    int spent() const { return m_spent; }
    bool over() const { return !m_seconds && left() <= 0; }

    /// When a clock ends the search, in seconds since it began; infinite where evaluations count.
    double endSeconds() const { return m_seconds.value_or(std::numeric_limits<double>::infinity()); }
    /// By which estimates are shared out: the seconds, or about what the evaluations take.
    double effortSeconds() const { return m_seconds.value_or(m_evaluations / m_evaluationsPerSecond); }

private:
    /// Instructions of all programs together. [measured, ResNet-18 and SqueezeNet on ISAAC and PUMA, two busy cores: 4 to 12 s of
    /// CPU time; samples as short as after 5 s by the clock there, or up to 12 % shorter]
    static constexpr double kAutomaticWork = 1.2e7;
    /// A layer takes as long as so many instructions, to be dealt out and to be looked at when stages are moved. [measured, 3120
    /// small layers on ISAAC: 1.7 s of processor time instead of 15.7]
    static constexpr double kInstructionsALayer = 1000;
    /// [measured, eight networks on ISAAC and PUMA: 2.4 to 5.6]
    static constexpr double kInstructionsAProduct = 3.5;
    static constexpr int kFewestEvaluations = 4, kMostEvaluations = 256;
    /// For a second of estimates. HT programs take most of the time.
    static constexpr double kHtEvaluationsPerSecond = 50, kLlEvaluationsPerSecond = 16;

    static double workOf(double instructions, const CrossbarLayoutModel& model) {
        return std::max({1.0, instructions, kInstructionsALayer * double(model.network->layers.size())});
    }
    int left() const { return m_evaluations - m_spent; }

    std::optional<double> m_seconds;
    int m_evaluations = 0;
    double m_evaluationsPerSecond = 0;
    int m_spent = 0;
};

} // namespace pim
