// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Learned predictors of several targets as one: what a sweep over targets asks. Flow: predictors -> [PredictorSet] -> the one of the
/// target answers.
#include "core/predict/learned_predictor.h"

namespace pim {

class PredictorSet final : public DraftPredictor {
public:
    using Members = std::vector<std::shared_ptr<const LearnedPredictor>>;

    /// \param members of different targets, two or more.
    explicit PredictorSet(Members members);
    const Members& members() const { return m_members; }

    /// Those of the members, joined by "+", ascending.
    std::string_view version() const override { return m_version; }
    /// Itself where there is none, which knows no kernel.
    const DraftPredictor& of(const Target& target) const override;
    bool knows(const Kernel& kernel, const Target& target) const override;
    /// Of no target in particular it is not known.
    std::optional<double> offAtMost(const Kernel&, const std::vector<Residency>&) const override {
        return std::nullopt;
    }
    void predict(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                 const DraftSpans& of, std::span<double> ns) const override;

private:
    Members m_members;
    std::string m_version;
};

/// One predictor of all of them, each once: null of none, itself of one.
std::shared_ptr<const DraftPredictor> predictorOf(PredictorSet::Members members);
/// The learned predictors in one of any kind.
PredictorSet::Members membersOf(const std::shared_ptr<const DraftPredictor>& predictor);
/// The one among them that was trained for \p target; null: there is none.
std::shared_ptr<const LearnedPredictor> learnedBy(const std::shared_ptr<const DraftPredictor>& predictor,
                                                  const Target& target);
/// What DraftPredictor::version() joined.
std::vector<std::string_view> predictorVersions(std::string_view version);

} // namespace pim
