// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Best drafts that are known, and the choice for a size that is not [DCC §IV-D, dynamic prediction]. Flow:
/// kernel -> known? the draft : drafts -> prices -> prediction -> the k best simulated -> the draft, which is
/// known from then on. Nothing is trained.
#include "core/compile/draft_choice.h"

#include <map>
#include <mutex>
#include <optional>

namespace pim {

/// Everything that a best draft depends on.
struct DraftQuestion {
    std::string kernel;    ///< Kernel::text().
    std::string residency; ///< One letter a kernel tensor, first ones of Residency.
    std::string targetHash;
    std::string
        optionsJson; ///< optionsJson() of the options: predictor, verification, passes and seed are in it.
    friend auto operator<=>(const DraftQuestion&, const DraftQuestion&) = default;
};
DraftQuestion questionOf(const DraftStudy& study, const CompileOptions& options);

struct DraftAnswer {
    std::string draft;       ///< TilingSpace::draftText().
    double ns = 0;           ///< Without the host's memory.
    bool simulated = false;  ///< Else predicted.
    std::int64_t drafts = 0; ///< How many there were to choose from.
    friend bool operator==(const DraftAnswer&, const DraftAnswer&) = default;
};

/// Thread-safe. core/project keeps it from one run of the program to the next.
class DraftTable {
public:
    std::optional<DraftAnswer> find(const DraftQuestion& question) const;
    void put(const DraftQuestion& question, const DraftAnswer& answer);
    std::map<DraftQuestion, DraftAnswer> all() const;

private:
    mutable std::mutex m_mutex;
    std::map<DraftQuestion, DraftAnswer> m_answers;
};

struct ChosenDraft {
    Draft draft;
    DraftAnswer answer;
    bool wasKnown = false;
};

/// By CompileOptions::predictor where it knows the kernel, else by price; of the CompileOptions::verifyDrafts
/// best (at least one, where commands can be timed: a draft without code is none) the one simulated fastest.
/// \param table may be null. Error::Unsupported where no draft fits or has code.
Result<ChosenDraft> chooseDraft(const OpwiseBackend& backend, Kernel kernel,
                                const std::shared_ptr<const Target>& target, const CompileOptions& options,
                                DraftTable* table, const TaskContext& task = {});

} // namespace pim
