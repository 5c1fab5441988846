// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What pruning costs: the fastest draft that rules keep against the fastest of all drafts, simulated. A draft outside the
/// kept ones is simulated unless its lower bound says that it cannot be more than 1 % faster, so nothing is sampled. Fails
/// if the loss is above 1 % anywhere, or a bound is above a time. Also what a compile passes over where rules leave more
/// drafts than TilingOptions::walkLimit, which may cost more.
///
/// bench_pruning [TARGET [KIND [ROWS COLUMNS]]] looks at a part of the cases.
#include "backends/builtin.h"
#include "core/drafts/exhaustive.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"

#include <fmt/format.h>

#include <chrono>
#include <set>

using namespace pim;

namespace {

constexpr double kAllowedLoss = 0.01;
constexpr double kAllowedLadderLoss = 0.06;
constexpr std::size_t kLeastCases = 200;

struct Kind {
    const char* id;
    const char* text; ///< {0} rows, {1} columns
};
constexpr Kind kKinds[] = {
    {"gemv",
     "def gemv(X[{0}][128]: f16, W[{0}][{1}][128]: const f16):\n Y = DCC.Tensor.zero([{0}, {1}], f16)\n"
     " for h in range({0}):\n  for i in range({1}):\n   for k in range(128):\n    Y[h][i] += X[h][k] * "
     "W[h][i][k]\n"},
    {"matvec", "def matvec(x[{1}]: f16, W[{0}][{1}]: const f16):\n y = DCC.Tensor.zero([{0}], f16)\n"
               " for o in range({0}):\n  for i in range({1}):\n   y[o] += x[i] * W[o][i]\n"},
    {"attention",
     "def attention(Q[{0}][128]: f16, K[{0}][{1}][128]: const f16, V[{0}][{1}][128]: const f16):\n"
     " O = DCC.Tensor.zero([{0}, 128], f16)\n for h in range({0}):\n  for l in range({1}):\n"
     "   for d in range(128):\n    O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d]\n"},
    {"reduction", "def reduction(X[{0}][{1}]: f16):\n Y = DCC.Tensor.zero([{0}], f16)\n"
                  " for b in range({0}):\n  for i in range({1}):\n   Y[b] += X[b][i]\n"},
    {"addition", "def addition(X[{0}][{1}]: f16, Y[{0}][{1}]: f16, Z[{0}][{1}]: f16):\n"
                 " for b in range({0}):\n  for i in range({1}):\n   Z[b][i] = X[b][i] + Y[b][i]\n"},
    {"product", "def product(X[{0}][{1}]: f16, Y[{0}][{1}]: f16, Z[{0}][{1}]: f16):\n"
                " for b in range({0}):\n  for i in range({1}):\n   Z[b][i] = X[b][i] * Y[b][i]\n"},
    {"relu", "def relu(X[{0}][{1}]: f16, Z[{0}][{1}]: f16):\n"
             " for b in range({0}):\n  for i in range({1}):\n   Z[b][i] = relu(X[b][i])\n"},
};

struct Size {
    std::int64_t rows, columns;
};
/// Those of the paper's evaluation, and ones that divide badly. Of a machine with more than 1000 cores every other: it
/// has a hundred times the drafts.
constexpr Size kHeads[] = {{32, 512},  {12, 333}, {32, 4096}, {7, 100},   {40, 1000},  {96, 1},
                           {33, 2049}, {1, 777},  {64, 4096}, {128, 512}, {256, 4096}, {64, 512}};
constexpr Size kMatrices[] = {{1000, 3000}, {1024, 1024}, {4096, 4096}, {333, 333},
                              {3000, 1000}, {100, 100},   {5120, 333},  {17, 4097},
                              {333, 5120},  {1, 3000},    {12288, 999}, {999, 12288},
                              {2048, 50},   {50, 2048},   {5120, 5120}, {31, 31}};
constexpr Size kVectors[] = {{4, 4096}, {1, 1024}, {1, 65536}, {1, 2048}, {16, 777},  {1, 4096}, {5, 3000},
                             {2, 1024}, {2, 4096}, {4, 1024},  {4, 2048}, {1, 100},   {3, 333},  {1, 1000},
                             {64, 64},  {100, 17}, {7, 7},     {2, 2048}, {30, 1000}, {1, 99}};

struct Totals {
    std::size_t cases = 0, failed = 0, timed = 0;
    double worst = 0, worstLadder = 0;
    std::vector<double> tightness;
};

/// Those that a compile looks at.
std::vector<Draft> walkedDrafts(const TilingSpace& space) {
    std::vector<Draft> drafts;
    const auto counts =
        forEachDraft(space, {.everyAllocation = false}, [&drafts](const Draft& draft, PruneRule rule) {
            if (rule == PruneRule::Kept)
                drafts.push_back(draft);
            return true;
        });
    return counts ? drafts : std::vector<Draft>();
}

bool check(const DraftStudy& study, const std::string& label, Totals& totals) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Draft> kept = keptDrafts(*study.space, {}, nullptr).value_or(std::vector<Draft>());
    const auto best = searchExhaustively(study, kept, {}, {});
    if (!best) {
        fmt::print(stderr, "{}: {}\n", label, best.error().text());
        return false;
    }
    if (best->simulated.empty()) // what the machine cannot do is no loss
        return true;
    const double bestNs = best->simulated.front().ns;
    // Rule 1 stays: equal functions give equal tiles. Drafts are looked at as they come; there can be a million.
    std::set<std::vector<DraftPart>> known;
    for (const Draft& draft : kept)
        known.insert(draft.parts);
    std::vector<Draft> others;
    std::int64_t all = 0;
    DraftSummary summary;
    const auto counts =
        forEachDraft(*study.space, {.rule2 = false, .rule3 = false}, [&](const Draft& draft, PruneRule rule) {
            if (rule != PruneRule::Kept)
                return true;
            ++all;
            study.space->summarize(draft, summary);
            if (study.pricer->boundNs(draft, summary) < (1 - kAllowedLoss) * bestNs &&
                !known.contains(draft.parts))
                others.push_back(draft);
            return true;
        });
    const auto rest =
        searchExhaustively(study, others, {.worthwhile = 1 - kAllowedLoss, .toBeatNs = bestNs}, {});
    if (!counts || !rest)
        return false;
    const double loss = rest->simulated.empty() ? 0 : std::max(0.0, bestNs / rest->simulated.front().ns - 1);
    double ladderLoss = 0;
    if (const std::vector<Draft> walked = walkedDrafts(*study.space); walked.size() < kept.size())
        if (const auto quick = searchExhaustively(study, walked, {}, {}); quick && !quick->simulated.empty())
            ladderLoss = quick->simulated.front().ns / bestNs - 1;
    std::size_t above = 0;
    using Side = std::pair<const std::vector<Draft>*, const ExhaustiveResult*>;
    for (const auto& [drafts, result] : {Side(&kept, &*best), Side(&others, &*rest)})
        for (const auto& [draft, ns] : result->simulated) {
            study.space->summarize((*drafts)[draft], summary);
            const double bound = study.pricer->boundNs((*drafts)[draft], summary);
            if (bound > ns) {
                if (above++ == 0)
                    fmt::print("  bound {:.1f} ns above {:.1f} ns: {}\n", bound, ns,
                               study.space->draftText((*drafts)[draft]));
            }
            totals.tightness.push_back(ns > 0 ? bound / ns : 1);
        }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const bool bad = loss > kAllowedLoss || above > 0 || ladderLoss > kAllowedLadderLoss;
    fmt::print("{:<34} {:>8} all {:>6} kept {:>6}+{:<6} simulated {:>10.1f} ns, loss {:5.2f} %, {:.2f} % "
               "passed over, {:.1f} s{}\n",
               label, all, kept.size(), best->simulated.size(), rest->simulated.size(), bestNs, 100 * loss,
               100 * ladderLoss, seconds.count(), bad ? "  BAD" : "");
    if (loss > kAllowedLoss) {
        const Draft& draft = others[rest->simulated.front().draft];
        fmt::print("  kept {}\n  lost {}\n", study.space->draftText(kept[best->simulated.front().draft]),
                   study.space->draftText(draft));
        if (const auto reason = explain(*study.space, {}, draft))
            fmt::print("  {}: {}\n", name(reason->rule), reason->text);
    }
    std::fflush(stdout);
    ++totals.cases;
    totals.failed += bad;
    totals.timed += best->simulated.size() + rest->simulated.size();
    totals.worst = std::max(totals.worst, loss);
    totals.worstLadder = std::max(totals.worstLadder, ladderLoss);
    return true;
}

std::span<const Size> sizesOf(std::string_view kind) {
    if (kind == "gemv" || kind == "attention")
        return kHeads;
    return kind == "matvec" ? std::span<const Size>(kMatrices) : kVectors;
}

} // namespace

int main(int argc, char** argv) {
    const std::string wanted = argc > 1 ? argv[1] : "", wantedKind = argc > 2 ? argv[2] : "";
    const bool oneSize = argc > 4;
    const Size given = oneSize ? Size{std::atoll(argv[3]), std::atoll(argv[4])} : Size{};
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    Totals totals;
    bool ok = true;
    for (const char* id : {"attacc", "hbm-pim", "aim"}) {
        if (!wanted.empty() && wanted != id)
            continue;
        const auto target = catalog.find(id);
        const auto backend =
            target ? backends.find((*target)->backend) : tl::unexpected<Error>(target.error());
        const auto* const opwise = backend ? dynamic_cast<const OpwiseBackend*>(*backend) : nullptr;
        if (!opwise)
            return 1;
        for (const Kind& kind : kKinds) {
            if (!wantedKind.empty() && wantedKind != kind.id)
                continue;
            const std::span<const Size> sizes = oneSize ? std::span(&given, 1) : sizesOf(kind.id);
            const bool isLarge = (*target)->instances("core") > 1000;
            for (std::size_t i = 0; i < sizes.size(); i += !oneSize && isLarge ? 2 : 1) {
                const Size& size = sizes[i];
                const auto kernel =
                    parseKernel(fmt::format(fmt::runtime(kind.text), size.rows, size.columns));
                if (!kernel)
                    return 1;
                if (const auto study = opwise->study(*kernel, *target, {}))
                    ok = check(*study, fmt::format("{} {} {}x{}", id, kind.id, size.rows, size.columns),
                               totals) &&
                         ok;
            }
        }
    }
    std::sort(totals.tightness.begin(), totals.tightness.end());
    const auto at = [&](double share) {
        return totals.tightness.empty()
                   ? 0
                   : totals.tightness[std::size_t(share * double(totals.tightness.size() - 1))];
    };
    fmt::print("{} cases, {} drafts simulated, worst loss {:.2f} %, worst passed over {:.2f} %, {} cases "
               "bad; bound over time: "
               "median {:.2f}, p5 {:.2f}, greatest {:.3f}\n",
               totals.cases, totals.timed, 100 * totals.worst, 100 * totals.worstLadder, totals.failed,
               at(0.5), at(0.05), at(1));
    if (wanted.empty() && totals.cases < kLeastCases) {
        fmt::print(stderr, "{} cases are fewer than {}\n", totals.cases, kLeastCases);
        return 1;
    }
    return ok && totals.failed == 0 && totals.timed >= (wanted.empty() ? 2000U : 1U) ? 0 : 1;
}
