// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The coupled predictor [DCC §IV-D]: the formula of the backend, its parts weighed anew, corrected by
/// boosted trees; both have learned from simulated drafts. Flow: drafts with prices -> linear price, features
/// -> trees -> linear * e^correction.
#include "core/drafts/draft_choice.h"
#include "core/predict/booster.h"
#include "core/predict/linear_price.h"
#include "core/predict/ranking.h"

#include <map>

namespace pim {

/// How far times of drafts are off, as shares of the simulated time. Of drafts of kernels that were left out of
/// training, without the host's memory.
struct PredictorError {
    std::int64_t drafts = 0;
    double mean = 0; ///< |predicted / simulated - 1|
    double worst = 0;
    double meanOfPrice = 0;  ///< The same of the formula alone,
    double meanOfLinear = 0; ///< and of the formula with its parts weighed anew.
};

/// A mean error for a person: "±0.31 %"; small ones keep two digits.
std::string offText(double meanError);

/// Mean error round by round, as shares of the simulated time; the first is that of the weighed formula, before any tree.
struct LearningCurve {
    std::vector<double> trained; ///< Drafts that were learned.
    std::vector<double> heldOut; ///< Drafts of kernels that were not; empty: there are none.
};

/// Loops of a kernel, outermost first.
using KernelExtents = std::vector<std::int64_t>;
KernelExtents extentsOf(const Kernel& kernel);

/// What was learned of one form of kernel: time = linear * e^trees.
struct LearnedForm {
    LinearPrice linear;
    Booster booster; ///< ln(simulated / linear).

    std::string kernel;                          ///< Name of the first that was learned: "gemv".
    std::int64_t samples = 0;                    ///< Drafts that were learned,
    std::vector<KernelExtents> trained, heldOut; ///< of these kernels; kernels that figures are of.
    PredictorError error;                        ///< Of the kernels held out, like ranking.
    RankingFigures ranking;
    LearningCurve curve;
};

struct FeatureGain {
    std::string feature; ///< FeatureInfo::name
    double share = 0;    ///< Of all that splits gained (Booster::gains()).
};
/// The \p most features that trees gained most by, the best first; only those they ask for.
Result<std::vector<FeatureGain>> featureGains(const LearnedForm& form, std::size_t most);
/// "20 kernels: 8 to 256 x 128 to 4096 x 128": least and greatest extent of each loop.
std::string rangeText(const LearnedForm& form);

/// A trained model as it is stored.
struct LearnedModel {
    std::string targetId, targetHash;
    std::string program;                      ///< Version that trained it.
    std::uint64_t seed = 0;                   ///< Of the drafts drawn and of the trees.
    std::string passes;                       ///< Code passes left out when it was trained, joined by commas.
    std::string trainingHash;                 ///< Of all samples and options.
    std::map<std::string, LearnedForm> forms; ///< By kernelForm().
    /// Kernels with a loop beyond those learned are left to the formula: figures of kernels held out say nothing about them.
    bool withinSizes = false;
};

class LearnedPredictor final : public DraftPredictor {
public:
    /// Drafts that are looked at closely, those with the least price; the others keep their order behind.
    static constexpr std::size_t kWeighed = 1024;

    explicit LearnedPredictor(LearnedModel model);
    /// Error::InvalidFile for what is no model, is cut or damaged, or was made with another list of features.
    static Result<std::shared_ptr<const LearnedPredictor>> fromBytes(std::string_view bytes,
                                                                     const std::string& where);
    /// One header line of JSON, then the trees.
    const std::string& bytes() const { return m_bytes; }

    /// Error::InvalidTarget with what it was trained for.
    Result<void> checkFits(const Target& target, const std::string& where) const;
    const LearnedModel& model() const { return m_model; }
    bool wasTrainedWith(const CodePasses& passes) const;
    /// What a compile asks unasked: the forms whose held-out kernels it ranks better than the formula (verdictOf()), within the
    /// sizes learned. Null: there is none. It is a predictor of its own, with its own digest.
    std::shared_ptr<const LearnedPredictor> whereBetter() const;
    /// Null where it was not trained for kernels of this form.
    const LearnedForm* formOf(const Kernel& kernel, const std::vector<Residency>& residency) const;

    /// SHA-256 of bytes(): by this a project keeps it.
    const std::string& digest() const { return m_digest; }
    /// Was it trained with this very kernel?
    bool hasSeen(const Kernel& kernel, const std::vector<Residency>& residency) const;

    std::string_view version() const override { return std::string_view(m_digest).substr(0, kVersionDigits); }
    static constexpr std::size_t kVersionDigits = 16;
    bool knows(const Kernel& kernel, const Target& target) const override;
    /// As measured on kernels left out of training (PredictorError::worst).
    std::optional<double> offAtMost(const Kernel& kernel,
                                    const std::vector<Residency>& residency) const override;
    std::string outside(const Kernel& kernel, const std::vector<Residency>& residency) const override;
    void predict(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                 const DraftSpans& of, std::span<double> ns) const override;

private:
    /// Null where the price decides.
    const LearnedForm* asked(const Kernel& kernel, const std::vector<Residency>& residency) const;

    LearnedModel m_model;
    std::string m_bytes, m_digest;
};

} // namespace pim
