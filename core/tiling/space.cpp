// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tiling/geometry.h"
#include "core/tiling/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace pim {

using tiling::at;
using tiling::Geometry;
using tiling::kMaxLoops;

std::string_view name(PruneRule rule) {
    switch (rule) {
    case PruneRule::Kept:
        return "kept";
    case PruneRule::Redundant:
        return "redundant";
    case PruneRule::SimdMultiple:
        return "simd multiple";
    case PruneRule::WorstCore:
        return "worst core";
    case PruneRule::Capacity:
        return "capacity";
    }
    return "kept";
}

std::string_view name(Ladder ladder) {
    switch (ladder) {
    case Ladder::Every:
        return "every";
    case Ladder::Quotients:
        return "quotients";
    case Ladder::Halves:
        return "halves";
    case Ladder::Quarters:
        return "quarters";
    case Ladder::AllOrOne:
        return "all or one";
    }
    return "every";
}

namespace {

constexpr std::int64_t kMaxCores = 1 << 20;
constexpr std::int64_t kMaxIndex = std::int64_t{1} << 60;

std::uint32_t loopMask(const AffineExpr& expr) {
    std::uint32_t mask = 0;
    for (const auto& term : expr.terms)
        mask |= 1U << term.loop;
    return mask;
}

tl::unexpected<Error> broken(const Kernel& kernel, std::string message) {
    return fail(ErrorCode::InvalidKernel, std::move(message), kernel.name);
}

/// Everything later code relies on: positions in range, extents positive, no sum of indices that overflows.
Result<void> checkKernel(const Kernel& kernel, bool looksUp) {
    if (kernel.loops.empty() || kernel.loops.size() > kMaxLoops)
        return broken(kernel, fmt::format("{} loops; 1 to {} are supported", kernel.loops.size(), kMaxLoops));
    std::int64_t iterations = 1;
    for (const auto& loop : kernel.loops)
        if (loop.extent < 1 || loop.extent > kMaxIndex ||
            __builtin_mul_overflow(iterations, loop.extent, &iterations))
            return broken(
                kernel, fmt::format("loop {} of {} iterations: extents must be at least 1 and the nest below "
                                    "2^63 iterations",
                                    loop.name, loop.extent));
    for (const auto& tensor : kernel.tensors) {
        std::int64_t bytes = bytesOf(tensor.dtype);
        if (bytes < 1)
            return broken(kernel, fmt::format("tensor {} has elements of unknown size", tensor.name));
        for (const auto extent : tensor.shape)
            if (extent < 1 || __builtin_mul_overflow(bytes, extent, &bytes))
                return broken(kernel,
                              fmt::format("tensor {} has an extent of {}: extents must be at least 1 and the "
                                          "tensor below 2^63 bytes",
                                          tensor.name, extent));
    }
    for (const auto& access : kernel.accesses) {
        if (access.tensor < 0 || at(access.tensor) >= kernel.tensors.size())
            return broken(
                kernel, fmt::format("an access names tensor {} of {}", access.tensor, kernel.tensors.size()));
        const auto& tensor = kernel.tensors[at(access.tensor)];
        if (!access.gathered.empty() && !looksUp)
            return fail(
                ErrorCode::Unsupported,
                fmt::format(
                    "elements of {} are looked up at indices that are known only when the kernel runs, "
                    "so that no tile of it can be laid out before",
                    tensor.name),
                kernel.name, "leave it to the host");
        if (access.index.size() != tensor.shape.size())
            return broken(kernel, fmt::format("{} has {} dimensions but {} indices", tensor.name,
                                              tensor.shape.size(), access.index.size()));
        for (const auto& expr : access.index) {
            auto largest = static_cast<__int128_t>(expr.constant < 0 ? -static_cast<__int128_t>(expr.constant)
                                                                     : expr.constant);
            int previous = -1;
            for (const auto& term : expr.terms) {
                if (term.loop <= previous || at(term.loop) >= kernel.loops.size() || term.coefficient == 0)
                    return broken(kernel, fmt::format("an index of {} has unsorted, unknown or zero terms",
                                                      tensor.name));
                previous = term.loop;
                const auto slope = static_cast<__int128_t>(term.coefficient);
                largest += (slope < 0 ? -slope : slope) * kernel.loops[at(term.loop)].extent;
            }
            if (largest >= kMaxIndex)
                return broken(kernel, fmt::format("an index of {} does not fit 60 bits", tensor.name));
            if (access.isWrite && expr.terms.size() > 1)
                return fail(
                    ErrorCode::Unsupported,
                    fmt::format("{} is written through {}: overlapping windows of results cannot be split",
                                tensor.name, affineText(expr, kernel.loops)),
                    kernel.name);
        }
    }
    return {};
}

Geometry makeGeometry(const Kernel& kernel) {
    Geometry geometry;
    geometry.tensors.resize(kernel.tensors.size());
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        auto& tensor = geometry.tensors[t];
        tensor.elementBytes = bytesOf(kernel.tensors[t].dtype);
        for (const auto extent : kernel.tensors[t].shape)
            tensor.dims.emplace_back().extent = extent;
    }
    for (const auto& access : kernel.accesses) {
        auto& tensor = geometry.tensors[at(access.tensor)];
        tensor.used = true;
        tensor.written = tensor.written || access.isWrite;
        for (std::size_t d = 0; d < access.index.size(); ++d) {
            auto& dim = tensor.dims[d];
            const auto& expr = access.index[d];
            if (std::find(dim.exprs.begin(), dim.exprs.end(), expr) == dim.exprs.end())
                dim.exprs.push_back(expr);
            dim.gathered = dim.gathered || access.gatheredAt(d) != nullptr;
            dim.loops |= loopMask(expr);
            tensor.loops |= loopMask(expr);
            if (access.isWrite)
                tensor.writtenLoops |= loopMask(expr);
        }
    }
    std::vector<tiling::Range> whole;
    for (const auto& loop : kernel.loops)
        whole.emplace_back(0, loop.extent);
    std::vector<IndexRun> runs;
    const auto count = [&](const tiling::DimGeometry& dim, IndexStrategy strategy) {
        runs.clear();
        tiling::collectIndices(dim, whole, strategy, true, runs);
        return std::accumulate(runs.begin(), runs.end(), std::int64_t{0},
                               [](std::int64_t sum, const IndexRun& run) { return sum + run.count; });
    };
    for (auto& tensor : geometry.tensors)
        for (auto& dim : tensor.dims) {
            dim.wholeCount = count(dim, IndexStrategy::ExpandedRange);
            dim.wholeExact = count(dim, IndexStrategy::ExactSet);
            if (dim.loops == 0)
                continue;
            const auto& first = dim.exprs.front();
            if (dim.exprs.size() == 1 && first.terms.size() == 1 && first.terms[0].coefficient == 1 &&
                first.constant == 0 && kernel.loops[at(first.terms[0].loop)].extent <= dim.extent) {
                dim.onlyLoop = first.terms[0].loop;
                continue;
            }
            dim.skewed = std::any_of(dim.exprs.begin(), dim.exprs.end(),
                                     [&](const AffineExpr& expr) { return expr.terms != first.terms; });
            geometry.strategiesMayDiffer = geometry.strategiesMayDiffer || dim.exprs.size() > 1 ||
                                           first.terms.size() > 1 || first.terms[0].coefficient > 1 ||
                                           first.terms[0].coefficient < -1;
        }
    if (kernel.body == BodyKind::Attention) {
        // Scores are summed over the loop that the first two operands share as the first one's last
        // dimension: d of Q[h][m][d] * K[h][l][d], also where K lies transposed.
        std::vector<const TensorAccess*> operands;
        for (const auto& access : kernel.accesses)
            if (access.isMacOperand && !access.index.empty())
                operands.push_back(&access);
        if (operands.size() >= 2) {
            std::uint32_t shared = 0;
            for (const auto& expr : operands[1]->index)
                shared |= loopMask(expr);
            geometry.scoreLoops = shared & loopMask(operands[0]->index.back());
        }
    }
    return geometry;
}

/// Loops tied together by dimensions that several of them reach alone: the smallest loop of each class.
std::vector<int> tieLoops(const Kernel& kernel, const Geometry& geometry, std::uint32_t& reaching) {
    std::vector<int> leader(kernel.loops.size());
    std::iota(leader.begin(), leader.end(), 0);
    reaching = 0;
    for (const auto& tensor : geometry.tensors)
        for (const auto& dim : tensor.dims) {
            int first = -1;
            for (const auto& expr : dim.exprs) {
                if (expr.terms.size() != 1)
                    continue;
                const int loop = expr.terms[0].loop;
                reaching |= 1U << loop;
                if (first < 0)
                    first = loop;
                const int from = leader[at(loop)], to = leader[at(first)];
                for (auto& one : leader)
                    if (one == from)
                        one = to;
            }
        }
    return leader;
}

std::string dimText(const Kernel& kernel, DimRef dim) {
    const auto& tensorName = kernel.tensors[at(dim.tensor)].name;
    const bool endsInDigit = !tensorName.empty() && tensorName.back() >= '0' && tensorName.back() <= '9';
    return fmt::format("{}{}{}", tensorName, endsInDigit ? "." : "", dim.dim); // X0.1: dimension 1 of X0
}

bool reaches(const DimensionSet& set, const AffineExpr& expr) {
    return std::any_of(expr.terms.begin(), expr.terms.end(), [&](const AffineTerm& term) {
        return std::find(set.loops.begin(), set.loops.end(), term.loop) != set.loops.end();
    });
}

std::vector<DimensionSet> makeSets(const Kernel& kernel, const Geometry& geometry) {
    std::uint32_t reaching = 0;
    const auto leader = tieLoops(kernel, geometry, reaching);
    std::vector<DimensionSet> sets;
    std::vector<int> setOf(kernel.loops.size(), -1); // by leader
    std::vector<DimRef> order;                       // dimensions as they appear in the statement
    for (const auto& access : kernel.accesses)
        for (int d = 0; d < static_cast<int>(access.index.size()); ++d)
            if (const DimRef dim{access.tensor, d}; std::find(order.begin(), order.end(), dim) == order.end())
                order.push_back(dim);
    const auto exprsOf = [&](DimRef dim) -> const std::vector<AffineExpr>& {
        return geometry.tensors[at(dim.tensor)].dims[at(dim.dim)].exprs;
    };
    for (const auto dim : order)
        for (const auto& expr : exprsOf(dim))
            if (expr.terms.size() == 1)
                if (int& set = setOf[at(leader[at(expr.terms[0].loop)])]; set < 0) {
                    set = static_cast<int>(sets.size());
                    sets.emplace_back();
                }
    for (int loop = 0; loop < static_cast<int>(kernel.loops.size()); ++loop)
        if ((reaching >> loop & 1U) != 0)
            sets[at(setOf[at(leader[at(loop)])])].loops.push_back(loop);
    for (const auto dim : order) {
        std::vector<std::string> functions;
        for (const auto& expr : exprsOf(dim))
            functions.push_back(affineText(expr, kernel.loops));
        for (auto& set : sets) {
            bool member = false;
            for (const auto& expr : exprsOf(dim)) {
                const bool touches = reaches(set, expr);
                member = member || touches;
                if (touches && expr.terms.size() == 1)
                    set.mappings.push_back(
                        {dim, expr.terms[0].loop, expr.terms[0].coefficient, expr.constant,
                         fmt::format("{}={}", dimText(kernel, dim), affineText(expr, kernel.loops))});
            }
            if (!member)
                continue;
            set.dims.push_back(dim);
            set.text += fmt::format("{}{}={{{}}}", set.text.empty() ? "(" : ", ", dimText(kernel, dim),
                                    fmt::join(functions, ", "));
        }
    }
    for (auto& set : sets)
        set.text += ')';
    return sets;
}

/// The set multi-data instructions run along. For products: of the sets every multiplied operand has a
/// dimension in, the one most operands have as their last, contiguous dimension (in Fig. 4 of the paper (B1,
/// C1)); later sets win ties. Else the last dimension of the access with the most dimensions: the output of
/// element-wise work, the input of a reduction.
int findSimdSet(const Kernel& kernel, const std::vector<DimensionSet>& sets) {
    int operands = 0;
    const TensorAccess* widest = nullptr;
    std::vector<int> shared(sets.size(), 0), contiguous(sets.size(), 0);
    for (const auto& access : kernel.accesses) {
        if (access.index.empty())
            continue;
        if (widest == nullptr || access.index.size() > widest->index.size())
            widest = &access;
        if (!access.isMacOperand)
            continue;
        ++operands;
        for (std::size_t s = 0; s < sets.size(); ++s) {
            shared[s] += std::any_of(access.index.begin(), access.index.end(),
                                     [&](const AffineExpr& expr) { return reaches(sets[s], expr); });
            contiguous[s] += reaches(sets[s], access.index.back());
        }
    }
    int best = -1;
    for (std::size_t s = 0; s < sets.size(); ++s) {
        if (operands == 0
                ? widest != nullptr && reaches(sets[s], widest->index.back())
                : contiguous[s] > 0 && (best < 0 || std::pair(shared[s], contiguous[s]) >=
                                                        std::pair(shared[at(best)], contiguous[at(best)])))
            best = static_cast<int>(s);
    }
    return best;
}

} // namespace

Result<std::shared_ptr<const TilingSpace>> TilingSpace::create(Kernel kernel, TilingResources resources) {
    PIM_CHECK(checkKernel(kernel, resources.looksUp));
    if (resources.groups < 1 || resources.coresPerGroup < 1 || resources.simdLanes < 1 ||
        resources.coreBytes < 0 ||
        static_cast<std::int64_t>(resources.groups) * resources.coresPerGroup > kMaxCores)
        return fail(
            ErrorCode::Unsupported,
            fmt::format(
                "{} groups of {} cores with {} lanes; at least 1 each and at most {} cores can be searched",
                resources.groups, resources.coresPerGroup, resources.simdLanes, kMaxCores),
            kernel.name);
    auto geometry = makeGeometry(kernel);
    auto sets = makeSets(kernel, geometry);
    if (sets.empty())
        return fail(ErrorCode::Unsupported,
                    "no tensor dimension is reached by one loop variable alone: nothing to split",
                    kernel.name);
    for (const auto& set : sets) {
        const auto extentOf = [&](const Mapping& mapping) {
            return kernel.tensors[at(mapping.dim.tensor)].shape[at(mapping.dim.dim)];
        };
        auto& same = geometry.sameFunction.emplace_back();
        for (std::size_t m = 0; m < set.mappings.size(); ++m) {
            const auto equal = [&](const Mapping& other) {
                const auto& mapping = set.mappings[m];
                return other.loop == mapping.loop && other.coefficient == mapping.coefficient &&
                       other.constant == mapping.constant && extentOf(other) == extentOf(mapping);
            };
            same.push_back(static_cast<int>(std::find_if(set.mappings.begin(), set.mappings.end(), equal) -
                                            set.mappings.begin()));
        }
        geometry.trivial.push_back(std::all_of(set.loops.begin(), set.loops.end(),
                                               [&](int loop) { return kernel.loops[at(loop)].extent == 1; }));
    }
    auto space = std::shared_ptr<TilingSpace>(new TilingSpace);
    space->m_simdSet = findSimdSet(kernel, sets);
    space->m_kernel = std::move(kernel);
    space->m_resources = resources;
    space->m_sets = std::move(sets);
    space->m_geometry = std::make_shared<const Geometry>(std::move(geometry));
    return space;
}

Result<void> TilingSpace::check(const Draft& draft) const {
    const auto illegal = [&](std::string message, std::string hint = {}) {
        return fail(ErrorCode::IllegalOverride, std::move(message), m_kernel.name, std::move(hint));
    };
    if (draft.parts.size() != m_sets.size())
        return illegal(fmt::format("the draft has {} parts, the kernel {} dimension sets", draft.parts.size(),
                                   m_sets.size()));
    if (!draft.code.empty() && !m_resources.hasCodeChoices)
        return illegal(
            fmt::format(
                "the draft decides about code (\"{}\"), and this machine leaves nothing to decide there",
                draft.code),
            "leave out what stands behind the semicolon");
    std::int64_t groupsLeft = m_resources.groups, coresLeft = m_resources.coresPerGroup;
    for (std::size_t s = 0; s < m_sets.size(); ++s) {
        const auto& part = draft.parts[s];
        if (part.mapping < 0 || at(part.mapping) >= m_sets[s].mappings.size())
            return illegal(fmt::format("part {} {} has no mapping {}; it has {}", s + 1, m_sets[s].text,
                                       part.mapping, m_sets[s].mappings.size()));
        const auto inRange = [&](std::string_view what, int number, std::int64_t left) -> Result<void> {
            if (number >= 1 && number <= left)
                return {};
            return illegal(
                fmt::format("part {} {} takes {} {}; 1 to {} are left for it", s + 1, m_sets[s].text, number,
                            what, left),
                fmt::format(
                    "The nearest it can take is {}; earlier parts multiply with this one, lower one of "
                    "them to make room",
                    number < 1 ? 1 : left));
        };
        PIM_CHECK(inRange("groups", part.groups, groupsLeft));
        PIM_CHECK(inRange("cores per group", part.cores, coresLeft));
        groupsLeft /= part.groups; // avail resources of the next set [DCC §IV-B.2]
        coresLeft /= part.cores;
    }
    return {};
}

std::int64_t TilingSpace::tileLength(const Draft& draft, int set) const {
    const auto& part = draft.parts[at(set)];
    const auto dim = m_sets[at(set)].mappings[at(part.mapping)].dim;
    return tiling::ceilDiv(m_kernel.tensors[at(dim.tensor)].shape[at(dim.dim)],
                           static_cast<std::int64_t>(part.groups) * part.cores);
}

std::pair<int, int> TilingSpace::available(const Draft& draft, int set) const {
    std::int64_t groups = 1, cores = 1;
    for (std::size_t s = 0; s < draft.parts.size(); ++s)
        if (s != at(set)) {
            groups = std::min<std::int64_t>(groups * std::max(1, draft.parts[s].groups), kMaxCores + 1);
            cores = std::min<std::int64_t>(cores * std::max(1, draft.parts[s].cores), kMaxCores + 1);
        }
    return {static_cast<int>(m_resources.groups / groups),
            static_cast<int>(m_resources.coresPerGroup / cores)};
}

std::string TilingSpace::draftText(const Draft& draft) const {
    std::vector<std::string> parts;
    for (std::size_t s = 0; s < draft.parts.size(); ++s)
        parts.push_back(fmt::format("[{}, {}, {}]", draft.parts[s].groups, draft.parts[s].cores,
                                    m_sets[s].mappings[at(draft.parts[s].mapping)].text));
    return fmt::format("[{}] {}{}{}", fmt::join(parts, ", "),
                       draft.strategy == IndexStrategy::ExactSet ? "exact" : "expanded",
                       draft.code.empty() ? "" : "; ", draft.code);
}

std::string_view withoutCode(std::string_view draftText) {
    return draftText.substr(0, draftText.find(';'));
}

namespace {

/// Words of a draft's text, one after the other.
struct DraftWords {
    std::string_view text;
    std::size_t pos = 0;

    void skip() {
        while (pos < text.size() && (text[pos] == ' ' || text[pos] == '\t'))
            ++pos;
    }
    bool take(char c) {
        skip();
        if (pos >= text.size() || text[pos] != c)
            return false;
        ++pos;
        return true;
    }
    bool take(std::string_view word) {
        skip();
        if (text.substr(pos, word.size()) != word)
            return false;
        pos += word.size();
        return true;
    }
    bool number(int& value) {
        skip();
        const auto [end, error] = std::from_chars(text.data() + pos, text.data() + text.size(), value);
        if (error != std::errc() || value < 1)
            return false;
        pos = at(end - text.data());
        return true;
    }
    /// Up to the next ',' or ']', without blanks.
    std::string mapping() {
        skip();
        std::string word;
        for (; pos < text.size() && text[pos] != ']' && text[pos] != ','; ++pos)
            if (text[pos] != ' ' && text[pos] != '\t')
                word += text[pos];
        return word;
    }
};

/// "[groups, cores, mapping]". Error: what is expected where the words stand.
tl::expected<DraftPart, std::string> partFromText(DraftWords& words, const DimensionSet& set) {
    const auto expected = [](std::string what) { return tl::unexpected(std::move(what)); };
    DraftPart part;
    if (!words.take('['))
        return expected(fmt::format("'[' of the part of {}", set.text));
    if (!words.number(part.groups))
        return expected("a number of groups");
    if (!words.take(','))
        return expected("','");
    if (!words.number(part.cores))
        return expected("a number of cores per group");
    if (!words.take(','))
        return expected("','");
    words.skip();
    const std::size_t begin = words.pos;
    const std::string word = words.mapping();
    const auto match = std::find_if(set.mappings.begin(), set.mappings.end(),
                                    [&](const Mapping& mapping) { return mapping.text == word; });
    if (match == set.mappings.end()) {
        std::vector<std::string> known;
        for (const auto& mapping : set.mappings)
            known.push_back(mapping.text);
        words.pos = begin;
        return expected(fmt::format("a mapping of {} ({})", set.text, fmt::join(known, ", ")));
    }
    part.mapping = static_cast<int>(match - set.mappings.begin());
    if (!words.take(']'))
        return expected("']'");
    return part;
}

} // namespace

Result<Draft> TilingSpace::draftFromText(std::string_view text) const {
    DraftWords words{text};
    const auto illegal = [&](const std::string& expected) {
        const std::string found =
            words.pos < text.size() ? fmt::format("'{}'", text.substr(words.pos, 16)) : "the end";
        return fail(
            ErrorCode::IllegalOverride,
            fmt::format("draft text, column {}: expected {}, found {}", words.pos + 1, expected, found),
            m_kernel.name,
            fmt::format("A draft looks like {}",
                        draftText({std::vector<DraftPart>(m_sets.size()), IndexStrategy::ExpandedRange})));
    };
    Draft draft;
    if (!words.take('['))
        return illegal("'['");
    for (std::size_t s = 0; s < m_sets.size(); ++s) {
        if (s > 0 && !words.take(','))
            return illegal(fmt::format("',' and the part of {}", m_sets[s].text));
        const auto part = partFromText(words, m_sets[s]);
        if (!part)
            return illegal(part.error());
        draft.parts.push_back(*part);
    }
    if (!words.take(']'))
        return illegal("']' after the last part");
    if (!words.take("expanded") && words.take("exact"))
        draft.strategy = IndexStrategy::ExactSet;
    if (words.take(';')) {
        words.skip();
        draft.code = text.substr(words.pos);
        words.pos = text.size();
    }
    words.skip();
    if (words.pos != text.size())
        return illegal("'expanded', 'exact' or the end");
    PIM_CHECK(check(draft));
    return draft;
}

} // namespace pim
