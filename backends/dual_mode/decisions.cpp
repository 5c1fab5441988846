// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/decisions.h"

#include "core/base/parse_number.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim {
namespace {

struct StrategyWord {
    DualModeStrategy strategy;
    std::string_view id, name;
};
constexpr std::array kStrategies{
    StrategyWord{DualModeStrategy::DualMode, "dual-mode", "dual-mode (CMSwitch-like)"},
    StrategyWord{DualModeStrategy::AllCompute, "all-compute", "all arrays compute (CIM-MLC-like)"},
    StrategyWord{DualModeStrategy::Puma, "puma", "all arrays compute, greedy segments (PUMA-like)"},
    StrategyWord{DualModeStrategy::Occ, "occ", "all arrays compute, one operator at a time (OCC-like)"},
};

constexpr std::string_view kCompute = "compute arrays", kMemory = "memory arrays", kBorder = "border";

tl::unexpected<Error> illegal(std::string_view op, std::string_view field, std::string_view value,
                              std::string message, std::string hint = {}) {
    return fail(ErrorCode::IllegalOverride, fmt::format("{} = {}: {}", field, value, message),
                std::string(op), std::move(hint));
}

/// Ops of the workload the user knows by this name, in order.
std::vector<int> opsNamed(const DualModeWorkload& workload, const std::string& name) {
    std::vector<int> found;
    for (std::size_t i = 0; i < workload.ops.size(); ++i) {
        const DualModeOp& op = workload.ops[i];
        // The parts of attention carry the name of their op and a suffix.
        const std::string_view prefix = dualModePartPrefix(workload, static_cast<int>(i));
        const std::string known =
            prefix.empty() ? op.name
                           : op.name.substr(0, op.name.size() - std::min(op.name.size(), prefix.size()));
        if (known == name)
            found.push_back(static_cast<int>(i));
    }
    return found;
}

struct PieceName {
    std::string_view prefix;
    int piece = 0, pieces = 0;
};

std::optional<PieceName> parsePiece(std::string_view text) {
    PieceName name;
    for (const std::string_view prefix : {"scores ", "context "})
        if (text.starts_with(prefix)) {
            name.prefix = prefix;
            text.remove_prefix(prefix.size());
        }
    const auto of = text.find(" of ");
    if (of == std::string_view::npos)
        return std::nullopt;
    const auto piece = parseNumber<int>(text.substr(0, of)), pieces = parseNumber<int>(text.substr(of + 4));
    if (!piece || !pieces || *piece < 1 || *piece > *pieces)
        return std::nullopt;
    name.piece = *piece - 1;
    name.pieces = *pieces;
    return name;
}

Result<void> parseNetwork(const Override& d, DualModeChoices& choices) {
    if (d.field == "strategy") {
        choices.strategy = dualModeStrategyFromId(d.value);
        if (!choices.strategy)
            return illegal("", d.field, d.value,
                           "is no strategy, there are dual-mode, all-compute, puma and occ");
        return {};
    }
    if (d.field == "cap") {
        choices.searchCuts = d.value == "search";
        if (choices.searchCuts)
            return {};
        choices.cap = parseNumber<int>(d.value);
        if (!choices.cap || *choices.cap < 1)
            return illegal("", d.field, d.value, "must be a number of arrays, 1 or more, or search");
        return {};
    }
    return illegal("", d.field, d.value, "this cannot be decided, the network has strategy and cap");
}

Result<void> parsePieceDecision(const Override& d, const DualModeWorkload& workload,
                                DualModeChoices& choices) {
    const std::vector<int> ops = opsNamed(workload, d.op);
    if (ops.empty())
        return illegal(d.op, d.field, d.value, "is no matrix operator of this network");
    const auto slash = d.field.find('/');
    const std::string_view what = std::string_view(d.field).substr(0, slash);
    if (slash == std::string::npos || (what != kCompute && what != kMemory && what != kBorder))
        return illegal(d.op, d.field, d.value,
                       "this cannot be decided, a piece has compute arrays, memory arrays and border");
    const std::string text = d.field.substr(slash + 1);
    const auto name = parsePiece(text);
    if (!name)
        return illegal(d.op, d.field, d.value,
                       fmt::format("\"{}\" names no piece, expected as in \"2 of 5\"", text));
    int op = -1;
    for (const int candidate : ops)
        if (dualModePartPrefix(workload, candidate) == name->prefix)
            op = candidate;
    if (op < 0)
        return illegal(d.op, d.field, d.value,
                       ops.size() > 1 ? "attention has two parts, say scores or context before the piece"
                                      : "only attention has scores and context");
    auto found = std::ranges::find_if(choices.pieces, [&](const DualModeChoices::Piece& p) {
        return p.op == op && p.piece == name->piece && p.pieces == name->pieces;
    });
    if (found == choices.pieces.end()) {
        choices.pieces.push_back({op, name->piece, name->pieces, {}, {}, {}, d.op, text});
        found = choices.pieces.end() - 1;
    }
    if (what == kBorder) {
        if (d.value == "start" || d.value == "join")
            found->starts = d.value == "start";
        else if (d.value != "auto")
            return illegal(d.op, d.field, d.value, "must be start, join or auto");
        return {};
    }
    const auto arrays = parseNumber<int>(d.value);
    if (!arrays || *arrays < 0)
        return illegal(d.op, d.field, d.value, "must be a number of arrays, 0 or more");
    (what == kCompute ? found->compute : found->memory) = *arrays;
    return {};
}

/// Position of a pinned piece in the list; -1 if the operator is not cut like that.
int findPiece(const DualModeChoices::Piece& piece, const std::vector<DualModeSubOp>& subOps) {
    const auto found = std::ranges::find_if(subOps, [&](const DualModeSubOp& s) {
        return s.op == piece.op && s.piece == piece.piece && s.pieces == piece.pieces;
    });
    return found == subOps.end() ? -1 : static_cast<int>(found - subOps.begin());
}

/// "2, 4, 6 … 96" or "2 to 96"
std::string allowedCompute(int least, int most, DuplicationRule rule) {
    if (rule == DuplicationRule::Any)
        return fmt::format("{} to {}", least, most);
    if (most / least <= 1)
        return fmt::format("{}", least);
    return fmt::format("multiples of {} up to {}", least, most / least * least);
}

/// "the nearest is 18": the way out of a number that is not allowed.
std::string nearestCompute(int wanted, int least, int most, DuplicationRule rule) {
    if (most < least)
        return "pin fewer of its arrays as memory";
    int nearest = std::clamp(wanted, least, most);
    if (rule == DuplicationRule::Copies) {
        const int below = nearest / least * least, above = below + least;
        nearest = above <= most && above - wanted < wanted - below ? above : below;
    }
    return fmt::format("the nearest is {}", nearest);
}

Result<void> checkArrays(const DualModeChoices::Piece& piece, const DualModeSubOp& subOp,
                         const DualModeChip& chip, const DualModeOptions& options) {
    const std::string computeField = fmt::format("{}/{}", kCompute, piece.text),
                      memoryField = fmt::format("{}/{}", kMemory, piece.text);
    if (piece.compute) {
        const int most = chip.arrays - piece.memory.value_or(0);
        const int c = *piece.compute;
        if (c < subOp.minArrays || c > chip.arrays || c > most)
            return illegal(
                piece.opName, computeField, std::to_string(c),
                fmt::format(
                    "its weights take {} arrays and the chip has {}{}; allowed: {}", subOp.minArrays,
                    chip.arrays,
                    piece.memory ? fmt::format(", {} of them pinned as its memory", *piece.memory) : "",
                    most < subOp.minArrays ? "none"
                                           : allowedCompute(subOp.minArrays, most, options.duplication)),
                nearestCompute(c, subOp.minArrays, most, options.duplication));
        if (options.duplication == DuplicationRule::Copies && c % subOp.minArrays != 0)
            return illegal(piece.opName, computeField, std::to_string(c),
                           fmt::format("weights are copied whole, {} arrays per copy; allowed: {}",
                                       subOp.minArrays,
                                       allowedCompute(subOp.minArrays, most, options.duplication)),
                           nearestCompute(c, subOp.minArrays, most, options.duplication));
    }
    if (piece.memory) {
        const int most = chip.arrays - piece.compute.value_or(subOp.minArrays);
        if (*piece.memory > most)
            return illegal(piece.opName, memoryField, std::to_string(*piece.memory),
                           fmt::format("the chip has {} arrays and {} of them compute here; allowed: 0 to {}",
                                       chip.arrays, piece.compute.value_or(subOp.minArrays),
                                       std::max(0, most)),
                           fmt::format("the nearest is {}", std::max(0, most)));
        if (*piece.memory > 0 && options.strategy != DualModeStrategy::DualMode)
            return illegal(piece.opName, memoryField, std::to_string(*piece.memory),
                           fmt::format("in the strategy \"{}\" no array is memory; allowed: 0",
                                       dualModeStrategyId(options.strategy)));
    }
    return {};
}

bool fixedByRule(DualModeStrategy strategy) {
    return strategy == DualModeStrategy::Puma || strategy == DualModeStrategy::Occ;
}

DualModeOptions optionsWith(const DualModeOptions& options, const DualModeChoices& choices) {
    DualModeOptions made = options;
    if (choices.strategy)
        made.strategy = *choices.strategy;
    return made;
}

const Override* findDecision(const std::vector<Override>& decisions, const std::string& op,
                             const std::string& field) {
    const auto found =
        std::ranges::find_if(decisions, [&](const Override& d) { return d.op == op && d.field == field; });
    return found == decisions.end() ? nullptr : &*found;
}

} // namespace

std::string_view dualModeStrategyId(DualModeStrategy strategy) {
    for (const StrategyWord& word : kStrategies)
        if (word.strategy == strategy)
            return word.id;
    return "";
}

std::string_view dualModeStrategyName(DualModeStrategy strategy) {
    for (const StrategyWord& word : kStrategies)
        if (word.strategy == strategy)
            return word.name;
    return "";
}

std::optional<DualModeStrategy> dualModeStrategyFromId(std::string_view id) {
    for (const StrategyWord& word : kStrategies)
        if (word.id == id)
            return word.strategy;
    return std::nullopt;
}

std::string_view dualModePartPrefix(const DualModeWorkload& workload, int op) {
    const auto at = static_cast<std::size_t>(op);
    const DualModeOp& one = workload.ops[at];
    if (one.part == 1)
        return "context ";
    const bool two = one.op.valid() && at + 1 < workload.ops.size() && workload.ops[at + 1].op == one.op;
    return two ? "scores " : "";
}

std::string dualModePieceText(const DualModeWorkload& workload, const DualModeSubOp& subOp) {
    return fmt::format("{}{} of {}", dualModePartPrefix(workload, subOp.op), subOp.piece + 1, subOp.pieces);
}

Result<DualModeChoices> parseDualModeDecisions(const std::vector<Override>& decisions,
                                               const DualModeWorkload& workload) {
    DualModeChoices choices;
    for (const Override& decision : decisions) {
        PIM_CHECK(decision.op.empty() ? parseNetwork(decision, choices)
                                      : parsePieceDecision(decision, workload, choices));
    }
    // "auto" decides nothing.
    std::erase_if(choices.pieces,
                  [](const DualModeChoices::Piece& p) { return !p.compute && !p.memory && !p.starts; });
    if (choices.searchCuts && !choices.pieces.empty())
        return illegal("", "cap", "search",
                       fmt::format("piece {} of {} is decided by hand, and a search chooses its own pieces",
                                   choices.pieces.front().text, choices.pieces.front().opName),
                       "remove the decisions on pieces, or choose a cap");
    return choices;
}

bool matchesPieces(const DualModeChoices& choices, const std::vector<DualModeSubOp>& subOps) {
    return std::ranges::all_of(
        choices.pieces, [&](const DualModeChoices::Piece& piece) { return findPiece(piece, subOps) >= 0; });
}

Result<DualModePins> pinsFrom(const DualModeChoices& choices, const DualModeWorkload& workload,
                              const std::vector<DualModeSubOp>& subOps, const DualModeChip& chip,
                              const DualModeOptions& given) {
    const DualModeOptions options = optionsWith(given, choices);
    DualModePins pins;
    for (const DualModeChoices::Piece& piece : choices.pieces) {
        const int at = findPiece(piece, subOps);
        if (at < 0) {
            const auto cut = std::ranges::find(subOps, piece.op, &DualModeSubOp::op);
            return illegal(
                piece.opName, "piece", piece.text,
                fmt::format("the operator is cut into {} here", cut == subOps.end() ? 0 : cut->pieces),
                "decide for those pieces, or change the cap");
        }
        const DualModeSubOp& subOp = subOps[static_cast<std::size_t>(at)];
        if (fixedByRule(options.strategy))
            return illegal(piece.opName, "piece", piece.text,
                           fmt::format("the strategy \"{}\" sets arrays and borders by its own rule",
                                       dualModeStrategyId(options.strategy)),
                           "choose the strategy dual-mode or all-compute");
        PIM_CHECK(checkArrays(piece, subOp, chip, options));
        if (piece.compute)
            pins.compute[at] = *piece.compute;
        if (piece.memory)
            pins.memory[at] = *piece.memory;
        if (piece.starts)
            (*piece.starts ? pins.borders : pins.joints).insert(at);
    }
    // Pieces joined into one segment must fit side by side; the rest of the segment is the optimiser's
    // business.
    const auto needed = [&](int at) {
        const auto pinned = pins.compute.find(at);
        return pinned == pins.compute.end() ? subOps[static_cast<std::size_t>(at)].minArrays : pinned->second;
    };
    int together = subOps.empty() ? 0 : needed(0), members = 1;
    for (int at = 1; at < static_cast<int>(subOps.size()); ++at) {
        const bool joined = pins.joints.contains(at);
        together = joined ? together + needed(at) : needed(at);
        members = joined ? members + 1 : 1;
        const DualModeSubOp& subOp = subOps[static_cast<std::size_t>(at)];
        const auto explain = [&](std::string message) {
            const auto& op = workload.ops[static_cast<std::size_t>(subOp.op)];
            return illegal(op.name, fmt::format("{}/{}", kBorder, dualModePieceText(workload, subOp)), "join",
                           std::move(message));
        };
        if (joined && together > chip.arrays)
            return explain(fmt::format("the pieces joined need {} arrays for their weights, the chip has {}",
                                       together, chip.arrays));
        if (joined && members > options.maxSegmentOps)
            return explain(
                fmt::format("joins {} pieces, a segment holds at most {}", members, options.maxSegmentOps));
    }
    if (pins.joints.contains(0))
        return illegal(workload.ops.front().name,
                       fmt::format("{}/{}", kBorder, dualModePieceText(workload, subOps.front())), "join",
                       "is the first piece of the network, a segment always begins here");
    return pins;
}

Result<void> checkDualModeDecision(const DualModePlan& plan, const std::vector<Override>& decisions,
                                   const Override& decision) {
    std::vector<Override> all{decision};
    for (const Override& other : decisions)
        if (other.op != decision.op || other.field != decision.field)
            all.push_back(other);
    PIM_TRY(const DualModeChoices alone, parseDualModeDecisions({decision}, *plan.workload));
    PIM_TRY(DualModeChoices choices, parseDualModeDecisions(all, *plan.workload));
    if (choices.cap && *choices.cap > plan.chip.arrays)
        return illegal(
            "", "cap", std::to_string(*choices.cap),
            fmt::format("the chip has {} arrays; allowed: 1 to {}", plan.chip.arrays, plan.chip.arrays));
    DualModeOptions options = plan.options;
    options.strategy = choices.strategy.value_or(plan.options.strategy);
    if (decision.field == "cap" || decision.op.empty()) {
        // Another cap or strategy: the pins must hold there.
        if (choices.pieces.empty())
            return {};
        const int cap = choices.cap.value_or(plan.cap);
        PIM_TRY(const std::vector<DualModeSubOp> subOps,
                splitOperators(*plan.workload, plan.chip, options, cap));
        PIM_CHECK(pinsFrom(choices, *plan.workload, subOps, plan.chip, options));
        return {};
    }
    PIM_CHECK(pinsFrom(choices, *plan.workload, plan.subOps, plan.chip, options));
    return {};
}

std::vector<OverrideField> dualModeFields(const DualModePlan& plan, const std::vector<Override>& decisions,
                                          OpId op) {
    std::vector<OverrideField> fields;
    const auto add = [&](const std::string& opName, const std::string& field, std::string label,
                         std::string current, const std::vector<std::string>& values) {
        OverrideField made{field,
                           std::move(label),
                           std::move(current),
                           findDecision(decisions, opName, field) != nullptr,
                           {}};
        for (const std::string& value : values) {
            const auto verdict = checkDualModeDecision(plan, decisions, {opName, field, value});
            made.values.push_back(
                {value, verdict.has_value(), verdict ? std::string() : verdict.error().message});
        }
        fields.push_back(std::move(made));
    };
    if (!op.valid()) {
        std::vector<std::string> strategies, caps;
        for (const StrategyWord& word : kStrategies)
            strategies.emplace_back(word.id);
        for (const DualModeCapTrial& trial : plan.caps)
            if (!trial.searched)
                caps.push_back(std::to_string(trial.cap));
        caps.emplace_back("search");
        add("", "strategy", "Strategy", std::string(dualModeStrategyId(plan.options.strategy)), strategies);
        add("", "cap", "Most arrays of a piece", plan.searchedCuts ? "search" : std::to_string(plan.cap),
            caps);
        for (LegalValue& value : fields.back().values)
            for (const DualModeCapTrial& trial : plan.caps) {
                const std::string tried = trial.searched ? "search" : std::to_string(trial.cap);
                if (value.legal && value.value == tried && trial.cycles > 0)
                    value.reason =
                        fmt::format("{}{} pieces, {} cycles",
                                    trial.searched ? fmt::format("up to {} arrays, ", trial.cap) : "",
                                    trial.subOps, countText(trial.cycles));
            }
        return fields;
    }
    for (std::size_t s = 0; s < plan.segmentation.segments.size(); ++s) {
        const DualModeSegment& segment = plan.segmentation.segments[s];
        for (int at = segment.first; at <= segment.last; ++at) {
            const DualModeSubOp& subOp = plan.subOps[static_cast<std::size_t>(at)];
            const DualModeOp& one = plan.workload->ops[static_cast<std::size_t>(subOp.op)];
            if (one.op != op)
                continue;
            const std::string_view prefix = dualModePartPrefix(*plan.workload, subOp.op);
            const std::string name =
                prefix.empty() ? one.name : one.name.substr(0, one.name.size() - prefix.size());
            const std::string piece = dualModePieceText(*plan.workload, subOp);
            const auto inside = static_cast<std::size_t>(at - segment.first);
            // Short, because the piece is what tells one caption from the next.
            const bool cut = subOp.pieces > 1 || !prefix.empty();
            const auto label = [&](const char* alone, const char* what) {
                return cut ? fmt::format("{}, {}", what, piece) : std::string(alone);
            };
            std::vector<std::string> compute, memory;
            const int step = plan.options.duplication == DuplicationRule::Copies ? subOp.minArrays : 1;
            // Pieces can be hundreds: only the first ones spell out their values, the rest are numbers to
            // type.
            if (fields.size() < 24) {
                for (int c = subOp.minArrays; c <= plan.chip.arrays && compute.size() < 128; c += step)
                    compute.push_back(std::to_string(c));
            }
            add(name, fmt::format("{}/{}", kCompute, piece), label("Compute arrays", "Compute"),
                std::to_string(segment.compute[inside]), compute);
            add(name, fmt::format("{}/{}", kMemory, piece), label("Memory arrays", "Memory"),
                std::to_string(segment.memory[inside]), memory);
            add(name, fmt::format("{}/{}", kBorder, piece), label("Segment border", "Border"),
                plan.pins.borders.contains(at)  ? "start"
                : plan.pins.joints.contains(at) ? "join"
                                                : "auto",
                fields.size() < 24 ? std::vector<std::string>{"auto", "start", "join"}
                                   : std::vector<std::string>{});
        }
    }
    return fields;
}

} // namespace pim
