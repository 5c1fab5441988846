// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The genetic algorithm of PIMCOMP (§VI-A): value-position encoding, its two mutations, no crossover.
///
/// A chromosome has a fixed number of genes a core; a gene is layer * 10000 + array groups of it in that
/// core, 0 is empty. Where the paper is silent: array groups come and go by whole replicas, so that every
/// chromosome is a mapping; groups are numbered over the cores in order; the best 30 % live on with a fifth
/// of the rest (as PIMCOMP-NN git 2ed10c8 selects).
#include "backends/crossbar/search/search.h"

namespace pim {

/// \p once: every layer once, where the population begins. Fitness is CrossbarLayoutCost, the same as of the
/// search.
LayoutSearchResult geneticLayout(const CrossbarLayout& once, const MappingOptions& options,
                                 const TaskContext& task);

} // namespace pim
