// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/system_pieces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace pim {
namespace {

/// Less is within what a guess is off by.
constexpr double kLeastGainOfOp = 0.05, kLeastGainOfRequest = 0.001;
/// A piece that has no room is tried with so much of itself, as long as that is so much of its op.
constexpr double kShrinks = 0.75, kLeastShare = 0.2;
/// Machines work on columns and channels in groups, of the widths of their vector units and arrays: pieces are multiples of the largest of these that
/// leaves an op eight groups at least.
constexpr std::int64_t kGroups[] = {64, 16, 4, 1};

std::size_t place(int i) {
    return static_cast<std::size_t>(i);
}

std::int64_t inGroups(double share, std::int64_t features) {
    const auto group =
        *std::ranges::find_if(kGroups, [&](std::int64_t size) { return features / size >= 8 || size == 1; });
    return static_cast<std::int64_t>(
               std::lround(share * static_cast<double>(features) / static_cast<double>(group))) *
           group;
}

class PieceFinder {
public:
    PieceFinder(const SystemPlan& plan, const Overrides& placed) : m_plan(plan), m_placed(placed) {
        const auto& ops = m_plan.problem.ops;
        m_nsPerMac.resize(place(m_plan.problem.devices));
        for (std::size_t op = 0; op < ops.size(); ++op)
            for (std::size_t device = 0; device < m_nsPerMac.size(); ++device)
                if (const Op& work = m_plan.plan->graph->ops[op];
                    work.work.macs > 0 && ops[op].ns[device] > 0 && ops[op].ns[device] < kNever) {
                    double& most = m_nsPerMac[device][work.type];
                    most = std::max(most, ops[op].ns[device] / static_cast<double>(work.work.macs));
                }
    }

    std::vector<PieceGuess> find() const {
        std::vector<PieceGuess> found;
        for (std::size_t i = 0; i < m_plan.problem.ops.size(); ++i) {
            const auto id = OpId(static_cast<std::int64_t>(i));
            const std::int64_t features = featuresOf(*m_plan.plan->graph, id);
            if (features < 2 || isPlaced(id))
                continue;
            if (auto pieces = best(id, features))
                found.push_back(std::move(*pieces));
        }
        return found;
    }

private:
    /// A piece on its device: what has to be there first, and what the whole op and its way to the host take.
    struct Share {
        int device = 0;
        double inNs = 0, wholeNs = 0;
    };

    /// From the device that has it, to one more at a time: the one that shortens it most.
    std::optional<PieceGuess> best(OpId id, std::int64_t features) const {
        const int op = static_cast<int>(id.index()), own = m_plan.assignment.device[place(op)];
        const double least =
            std::max(kLeastGainOfOp * ns(op, own), kLeastGainOfRequest * m_plan.assignment.ns);
        const double joined = joinNs(id) + onwards(op, 0);
        double now = ns(op, own) + onwards(op, own);
        std::vector<Share> shares{{own, 0, ns(op, own) + home(op, own)}}; // the operands are there
        std::optional<PieceGuess> made;
        for (;;) {
            std::optional<PieceGuess> better;
            std::vector<Share> with;
            for (int other = 0; other < m_plan.problem.devices; ++other) {
                if (guessedNs(op, other) == kNever || std::ranges::any_of(shares, [&](const Share& one) {
                        return one.device == other || waitForEachOther(one.device, other);
                    }))
                    continue;
                std::vector<Share> tried = shares;
                tried.insert(tried.end() - 1,
                             {other, broughtIn(op, other), guessedNs(op, other) + home(op, other)});
                const std::vector<std::int64_t> parts = evenly(tried, features);
                if (parts.empty())
                    continue;
                double ends = 0;
                for (std::size_t i = 0; i < parts.size(); ++i)
                    ends = std::max(ends, tried[i].inNs + tried[i].wholeNs * static_cast<double>(parts[i]) /
                                                              static_cast<double>(features));
                if (ends + joined < (better ? now : now - least)) {
                    now = ends + joined;
                    better = PieceGuess{{id, parts}, {}};
                    with = std::move(tried);
                }
            }
            if (!better)
                return made;
            shares = std::move(with);
            for (const Share& one : shares)
                better->devices.push_back(one.device);
            made = std::move(better);
        }
    }

    /// Features of each, so that all are done at once: inNs + share * wholeNs is the same for all. Empty: one would get none.
    static std::vector<std::int64_t> evenly(const std::vector<Share>& shares, std::int64_t features) {
        double ends = 1, pace = 0;
        for (const Share& one : shares) {
            ends += one.inNs / one.wholeNs;
            pace += 1 / one.wholeNs;
        }
        ends /= pace;
        std::vector<std::int64_t> parts;
        std::int64_t left = features;
        for (auto one = shares.begin(); one != shares.end() - 1; ++one) {
            const double share = (ends - one->inNs) / one->wholeNs;
            if (!(share > 0 && share < 1)) // no number where somebody takes no time for the whole
                return {};
            parts.push_back(inGroups(share, features));
            left -= parts.back();
        }
        parts.push_back(left);
        return std::ranges::all_of(parts, [](std::int64_t part) { return part > 0; })
                   ? parts
                   : std::vector<std::int64_t>();
    }

    bool isPlaced(OpId id) const {
        return m_placed.find(m_plan.plan->graph->op(id).name,
                             std::string(kDeviceField) + m_plan.system->id) != nullptr;
    }
    /// What has no room there as a whole may have some for a piece: at the pace of the slowest of its kind.
    double guessedNs(int op, int device) const {
        if (ns(op, device) < kNever)
            return ns(op, device);
        const Op& work = m_plan.plan->graph->ops[place(op)];
        const auto known = m_nsPerMac[place(device)].find(work.type);
        return known == m_nsPerMac[place(device)].end() ? kNever
                                                        : known->second * static_cast<double>(work.work.macs);
    }
    double ns(int op, int device) const { return m_plan.problem.ops[place(op)].ns[place(device)]; }
    int madeOn(int value) const {
        const int producer = m_plan.problem.values[place(value)].producer;
        return producer < 0 ? 0 : m_plan.assignment.device[place(producer)];
    }
    double broughtIn(int op, int device) const {
        double sum = 0;
        for (const int value : m_plan.problem.ops[place(op)].inputs)
            sum += m_plan.problem.transferNs(value, madeOn(value), device);
        return sum;
    }
    /// Its result from a device to the host, where pieces are put together.
    double home(int op, int device) const {
        double sum = 0;
        for (const int value : m_plan.problem.ops[place(op)].outputs)
            sum += m_plan.problem.transferNs(value, device, 0);
        return sum;
    }
    /// Its result from a device to the reader that is farthest from there.
    double onwards(int op, int device) const {
        double most = 0;
        for (const int value : m_plan.problem.ops[place(op)].outputs)
            for (const int reader : m_plan.problem.values[place(value)].readers)
                most = std::max(
                    most, m_plan.problem.transferNs(value, device, m_plan.assignment.device[place(reader)]));
        return most;
    }
    /// One of them at work keeps the other from working.
    bool waitForEachOther(int a, int b) const {
        const auto& holds = m_plan.problem.holdsHost;
        return (holds[place(a)] && (b == 0 || holds[place(b)])) || (holds[place(b)] && a == 0);
    }
    double joinNs(OpId id) const {
        const Host& host = *m_plan.system->host;
        const double bytes = static_cast<double>(m_plan.plan->graph->op(id).work.bytesWritten);
        return 2 * bytes / (host.memoryBytesPerNs * host.memoryEfficiency);
    }
    const SystemPlan& m_plan;
    const Overrides& m_placed;
    std::vector<std::map<std::string, double>> m_nsPerMac; ///< [device], by type: the most of any op.
};

} // namespace

std::vector<PieceGuess> piecesThatMayPay(const SystemPlan& plan, const Overrides& placed) {
    return PieceFinder(plan, placed).find();
}

std::vector<PieceGuess> nextPieces(const SystemPlan& plan, const std::vector<PieceGuess>& guesses) {
    std::vector<PieceGuess> next;
    for (const PieceGuess& guess : guesses) {
        const std::size_t first = place(plan.opOf(guess.pieces.op)), last = guess.devices.size() - 1;
        const std::vector<std::int64_t>& now = guess.pieces.features;
        const std::int64_t all = std::accumulate(now.begin(), now.end(), std::int64_t{0});
        const auto hasRoom = [&](std::size_t i) {
            return plan.problem.ops[first + i].ns[place(guess.devices[i])] < kNever;
        };
        PieceGuess made{{guess.pieces.op, {}}, {}};
        const auto add = [&](int device, std::int64_t features) {
            const auto known = std::ranges::find(made.devices, device);
            if (known != made.devices.end()) {
                made.pieces.features[static_cast<std::size_t>(known - made.devices.begin())] += features;
            } else if (features > 0) {
                made.devices.push_back(device);
                made.pieces.features.push_back(features);
            }
        };
        std::int64_t left = now.back();
        for (std::size_t i = 0; i < last; ++i) {
            if (hasRoom(i)) {
                add(plan.assignment.device[first + i], now[i]);
                continue;
            }
            const double share = kShrinks * static_cast<double>(now[i]) / static_cast<double>(all);
            const std::int64_t less = share > kLeastShare ? inGroups(share, all) : 0;
            add(guess.devices[i], less < now[i] ? less : 0);
            left += now[i] - (less < now[i] ? less : 0);
        }
        add(plan.assignment.device[first + last], left);
        if (made.devices.size() > 1)
            next.push_back(std::move(made));
    }
    return next;
}

} // namespace pim
