// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The fastest of all drafts, simulated: those whose lower bound is no less than the best time found need not be tried.
/// Flow: drafts with bounds -> [exhaustive search] -> optimum, times of all that were simulated -> predictor accuracy,
/// pruning loss, `pimc explore --exhaustive`.
#include "core/drafts/draft_choice.h"
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"

#include <limits>

namespace pim {

struct ExhaustiveOptions {
    /// So many drafts ranked best are simulated first: a good time early leaves few of the others.
    std::size_t guesses = 32;
    /// Only drafts that may be faster than this share of the best time are tried; 1: the optimum is exact, 0.99: it may be
    /// missed by 1 %.
    double worthwhile = 1;
    /// A time that is known already, of a draft that is not among these; those that cannot beat it are skipped.
    double toBeatNs = std::numeric_limits<double>::infinity();
    bool everyDraft = false; ///< Simulate all of them, whatever their bounds.
    int threads = 0;         ///< 0: as many as the machine has.
};

struct ExhaustiveResult {
    struct Timed {
        std::size_t draft = 0; ///< Position among those given.
        double ns = 0;
    };
    /// Fastest first (ties: position). The first is the optimum; empty: none has code.
    std::vector<Timed> simulated;
    std::int64_t withoutCode = 0; ///< Drafts that the machine has no code for.
    std::int64_t skipped = 0;     ///< Drafts whose bound rules them out,
    double skippedBoundNs = 0;    ///< and the least of these bounds.

    /// Its time in \ref simulated; absent: it was skipped or has no code.
    std::optional<double> timeOf(std::size_t draft) const;
};

/// Times of some drafts in their order; NaN where there is no code.
using TimeDrafts = std::function<Result<std::vector<double>>(std::span<const std::size_t>)>;

/// \param boundsNs one a draft; empty: nothing is known, so all are simulated. \param rankedNs one a draft: price or
/// prediction, smaller first. What is simulated does not depend on threads. Error::Cancelled, and what \p time fails with.
Result<ExhaustiveResult> searchExhaustively(std::span<const double> boundsNs,
                                            std::span<const double> rankedNs, const TimeDrafts& time,
                                            const ExhaustiveOptions& options, const TaskContext& task);
/// As Backend::simulateDrafts does it, the host's memory included.
Result<ExhaustiveResult> searchExhaustively(const DraftFacet& facet, const Exploration& exploration,
                                            const ExhaustiveOptions& options, const TaskContext& task);
/// The kernel alone, from the first byte of its inputs to the last of its results. \param drafts of study.space.
Result<ExhaustiveResult> searchExhaustively(const DraftStudy& study, std::span<const Draft> drafts,
                                            const ExhaustiveOptions& options, const TaskContext& task);

/// Place of \p draft when all are put in order of \p rankedNs (ties: position); the first is 1.
std::int64_t rankOf(std::span<const double> rankedNs, std::size_t draft);

/// By how much the fastest simulated draft can miss the optimum at most: its time over the least bound of the others, minus
/// 1. Absent: nothing is known of one of them. \param simulated positions of the drafts with a time. \param otherBoundNs
/// the least bound of drafts that are not among these.
std::optional<double> lossAtMost(std::span<const double> boundsNs, std::span<const std::size_t> simulated,
                                 double bestNs,
                                 double otherBoundNs = std::numeric_limits<double>::infinity());

} // namespace pim
