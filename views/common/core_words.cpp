// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/core_words.h"

#include "views/common/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace pim::views {
namespace {

struct CoreWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::CoreWords)
};

// clang-format off
constexpr std::array kWords{
    // where a figure comes from, where a tensor lies, why a draft was removed
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "predicted"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "simulated"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "resident"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "streamed"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "produced"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "in place"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "redundant"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "simd multiple"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "worst core"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "capacity"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "unknown"),
    // what a plan is compared with
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "all arrays compute (CIM-MLC-like)"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "all arrays compute, greedy segments (PUMA-like)"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "all arrays compute, one operator at a time (OCC-like)"),
    // decisions
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Placement"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Placement of all ops"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Draft"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Element type"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Pipeline"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Strategy"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Layers per stage"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Tiles from rows"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Replicas"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Unfolding"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Most arrays of a piece"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Compute arrays"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Memory arrays"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Segment border"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Mapping of look-ups"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "DPUs"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Tasklets of a DPU"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Loop order"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Vectors in WRAM"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Sums in WRAM, rows"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Elements at a time"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "DMA, bytes"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "draft"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "placement"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "residency"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "unfolding"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "strategy"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "pipeline"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "no change"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "another draft of the same time"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "tasklets"),
    // stages of the compile
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Fold constants"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Remove identity"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Fold batch norm"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Fuse layer norm"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Fuse rms norm"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Fuse gelu"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Fuse silu"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Fuse attention"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Look up tables"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Kernels"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Drafts"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Layers"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Mapping"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Operators"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Segments"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Schedule"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Profile"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Search"),
    // resources and groups of tracks
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "host"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "host memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "host link"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "PIM channels"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "arrays"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "buses"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "digital units"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "vector unit"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "vector units"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "main memory bus"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "global memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "local memories"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "on-chip network"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "network"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "link"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "links"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "machine"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "machines"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "tiles"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "host arithmetic"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "host overheads"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "PIM clock"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "DPU clock"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "opening rows"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "MRAM DMA"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "transfers"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "calls and launches"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "port"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "words in"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "words out"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "sums of the host"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "rows and columns of a tile"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "the busiest tile"),
    // tracks
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "banks"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "bank"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "array"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "tile"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "core"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "channel"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "mode"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "waiting"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "refresh"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "row commands"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "column commands"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "data bus"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "segment"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "phase"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "phases"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "products"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "chip"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "bus"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "copies"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "copy"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "local"),
    // kinds of work
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "compute"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "vector"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "idle"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "transfer"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "launch"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "merge"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "memory in"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "memory out"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "input to PIM"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "op on the host"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "operands from host memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "results from PIM"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "results to host memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "PIM, predicted only"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "mode switch"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "switch to compute"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "switch to memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "rewrite weights"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "write tile"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "rows in"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "results out"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "host access"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "PIM, one bank"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "PIM, all banks"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "row open"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "refreshing"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "input"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "output"),
    // figures of plans
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "array bytes"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "arrays busy share"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "arrays used share"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "cap"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "cycles"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "energy"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "first batch"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "instructions"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "latency"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "load bytes"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "store bytes"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "network bytes"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "main memory bytes"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "memory share"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "period"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "replicas"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "samples per second"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "segments"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "stages"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "switched arrays"),
    // levels of a memory
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Channel"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Pseudo channel"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Rank"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Bank group"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Bank"),
    // example queries
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "All runs, newest first"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "The fastest run of every model and target"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Where the time goes, run by run"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "The slowest ops of the newest run"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "What share of the newest run is rearrangement"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Ops whose placement is not the same in all runs"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "How far each op is from its best run"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "The largest tensors that stay in memory"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "The best drafts of every op that was explored"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "The best drafts that the project knows from simulation"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Decisions in force, by variant"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Time spent compiling"),
    QT_TRANSLATE_NOOP("pim::views::CoreWords", "Was anything faster than the host alone?"),
};
// clang-format on

} // namespace

QString coreWord(std::string_view word) {
    if (constexpr std::string_view kResidency = "Residency of "; word.starts_with(kResidency))
        return CoreWords::tr("Residency of %1").arg(text(word.substr(kResidency.size())));
    if (const auto* const known = std::find(kWords.begin(), kWords.end(), word); known != kWords.end())
        return CoreWords::tr(*known);
    // "bank 3", "core 3 arrays": words around a number
    constexpr std::string_view kDigits = "0123456789";
    const std::size_t from = word.find_first_of(kDigits), to = word.find_first_not_of(kDigits, from);
    if (from == std::string_view::npos || from < 2 || word[from - 1] != ' ' ||
        (to != std::string_view::npos && word[to] != ' '))
        return text(word);
    const QString number = text(word.substr(from - 1, to - from + 1)),
                  before = coreWord(word.substr(0, from - 1));
    return to == std::string_view::npos ? before + number
                                        : before + number + QLatin1Char(' ') + coreWord(word.substr(to + 1));
}

QString amidSentence(const QString& title) {
    //: Not shown. "lower" where a title is written in lower case amid a sentence, "kept" where nouns keep their capital.
    return CoreWords::tr("lower") == QStringLiteral("lower") ? title.toLower() : title;
}

} // namespace pim::views
