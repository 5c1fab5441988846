// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/assignment.h"

#include "core/assign/schedule_state.h"
#include "core/assign/stretch_forms.h"
#include "core/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace pim {
namespace {

/// A network of so many ops is searched as a whole, whatever its form.
constexpr std::size_t kWhole = 14;
/// A stretch is searched with this part of the states first, and with all of them if that may help.
constexpr std::int64_t kFirstLook = 10;
/// A value that is read so many ops later does not decide where its readers run: a mask that all layers share. What it takes is in the
/// schedule, not in the search nor in the bound.
constexpr int kFarAway = 64;

/// Ops of schedules that are made to improve the best one: all of a network of 1000 ops, on four devices, four times.
constexpr std::int64_t kTakenToImprove = 16'000'000;

/// Between two ops that all paths pass through: ops of the network (first, last], by position.
struct Piece {
    int root = -1;        ///< The op before; -1: the beginning.
    std::vector<int> ops; ///< Ascending; the last one is where the next piece begins.
    bool isLast = false;
};

class Decomposition {
public:
    explicit Decomposition(const AssignmentProblem& problem) : m_problem(problem) {}

    std::vector<Piece> pieces() {
        const int count = static_cast<int>(m_problem.ops.size());
        if (m_problem.ops.size() <= kWhole) {
            Piece whole;
            for (int op = 0; op < count; ++op)
                whole.ops.push_back(op);
            whole.isLast = true;
            return {whole};
        }
        findCore();
        return cut();
    }

private:
    template <class Each>
    void forNearReaders(int op, const Each& each) const {
        for (const int value : m_problem.ops[at(op)].outputs)
            for (const int reader : m_problem.values[at(value)].readers)
                if (reader - op < kFarAway)
                    each(reader);
    }

    /// Ops on a way from the op that the longest way begins with to the op that it ends at.
    void findCore() {
        const int count = static_cast<int>(m_problem.ops.size());
        std::vector<int> length(at(count), 1);
        for (int op = count - 1; op >= 0; --op)
            forNearReaders(
                op, [&](int reader) { length[at(op)] = std::max(length[at(op)], 1 + length[at(reader)]); });
        const auto root = static_cast<int>(std::ranges::max_element(length) - length.begin());
        std::vector<bool> after(at(count)), before(at(count));
        after[at(root)] = true;
        for (int op = root; op < count; ++op)
            if (after[at(op)])
                forNearReaders(op, [&](int reader) { after[at(reader)] = true; });
        int end = root;
        while (length[at(end)] > 1) {
            int next = end;
            forNearReaders(
                end, [&](int reader) { next = length[at(reader)] == length[at(end)] - 1 ? reader : next; });
            end = next;
        }
        before[at(end)] = true;
        for (int op = end; op >= root; --op)
            forNearReaders(op, [&](int reader) { before[at(op)] = before[at(op)] || before[at(reader)]; });
        for (int op = root; op <= end; ++op)
            if (after[at(op)] && before[at(op)])
                m_core.push_back(op);
    }

    /// After every op that no edge between ops of the core leaps over.
    std::vector<Piece> cut() const {
        std::vector<bool> inCore(m_problem.ops.size());
        for (const int op : m_core)
            inCore[at(op)] = true;
        std::vector<Piece> pieces(1);
        int reach = -1;
        for (const int op : m_core) {
            pieces.back().ops.push_back(op);
            if (reach <= op) { // all that was made so far and is still to be read was made by this op
                pieces.emplace_back();
                pieces.back().root = op;
            }
            forNearReaders(op,
                           [&](int reader) { reach = inCore[at(reader)] ? std::max(reach, reader) : reach; });
        }
        pieces.pop_back();
        pieces.back().isLast = true;
        return pieces;
    }

    const AssignmentProblem& m_problem;
    std::vector<int> m_core;
};

/// The problem of a piece alone. What comes from elsewhere than its root is there from the beginning, on every device, and what is wanted on
/// device 0 goes there later, except at the end: nothing is later than in the network.
Stretch stretchOf(const AssignmentProblem& problem, const Piece& piece, int rootDevice, int lastDevice) {
    const bool isFirst = piece.root < 0;
    Stretch stretch;
    stretch.lastDevice = lastDevice;
    AssignmentProblem& own = stretch.problem;
    own.devices = problem.devices;
    own.links = problem.links;
    own.routes = problem.routes;
    own.holdsHost = problem.holdsHost;
    const auto local = [&](int op) {
        const auto found = std::ranges::lower_bound(piece.ops, op);
        return found != piece.ops.end() && *found == op ? static_cast<int>(found - piece.ops.begin()) : -1;
    };
    std::map<int, int> valueOf; // of the network -> of the piece
    const auto take = [&](int value) {
        if (const auto known = valueOf.find(value); known != valueOf.end())
            return known->second;
        const AssignmentProblem::Value& one = problem.values[at(value)];
        const int producer = one.producer < 0 ? -1 : local(one.producer);
        const bool fromRoot = one.producer >= 0 && one.producer == piece.root;
        const bool given = one.producer < 0 && isFirst;
        if (producer < 0 && !fromRoot && !given)
            return -1;
        const int position = static_cast<int>(own.values.size());
        own.values.push_back({producer, {}, one.transferNs});
        stretch.startDevice.push_back(fromRoot ? rootDevice : 0);
        valueOf.emplace(value, position);
        return position;
    };
    for (std::size_t i = 0; i < piece.ops.size(); ++i) {
        const AssignmentProblem::Op& op = problem.ops[at(piece.ops[i])];
        own.ops.push_back({op.ns, {}, {}, op.rentNs});
        for (const int value : op.inputs)
            if (const int position = take(value); position >= 0) {
                own.ops.back().inputs.push_back(position);
                own.values[at(position)].readers.push_back(static_cast<int>(i));
            }
        for (const int value : op.outputs)
            own.ops.back().outputs.push_back(take(value));
    }
    for (const int value : problem.results)
        if (const auto known = valueOf.find(value); piece.isLast && known != valueOf.end())
            own.results.push_back(known->second);
    return stretch;
}

class AssignmentSearcher {
public:
    AssignmentSearcher(const AssignmentProblem& problem, const AssignmentSearch& search,
                       const TaskContext& task)
        : m_problem(problem), m_search(search), m_task(task),
          m_solved(search.solved ? *search.solved : m_unshared) {}

    Result<AssignmentFound> find() {
        PIM_CHECK(pin());
        m_pieces = Decomposition(m_problem).pieces();
        solveStretches();
        solvePieces();
        if (m_task.cancelled())
            return TaskContext::cancelledError("spreading the network over machines");
        consider(inOrder(m_chosen, m_wanted));
        if (std::ranges::any_of(m_problem.ops, [](const auto& op) { return !op.rentNs.empty(); }))
            return m_found; // nothing below knows of rents
        for (int device = 0; device < m_problem.devices; ++device)
            consider(inOrder(allOn(device), {}));
        improve();
        m_found.boundNs = std::min(std::max(m_found.boundNs, pathBound()), m_found.best.ns);
        return m_found;
    }

private:
    Result<void> pin() {
        for (std::size_t op = 0; op < m_search.pinned.size(); ++op)
            if (const int device = m_search.pinned[op]; device >= 0) {
                std::vector<double>& ns = m_problem.ops[op].ns;
                if (ns[at(device)] == kNever)
                    return fail(ErrorCode::Usage, fmt::format("op {} cannot run on device {}", op, device));
                for (int other = 0; other < m_problem.devices; ++other)
                    if (other != device)
                        ns[at(other)] = kNever;
            }
        return {};
    }

    /// Every stretch between every pair of devices, equal ones once. All that is known of them at first is a bound; those on the way that
    /// promises most are searched, a little and then longer, side by side, until the best way is known to be as good, or all on that way was
    /// searched.
    void solveStretches() {
        const std::size_t count = m_pieces.size();
        m_by.assign(count, std::vector<SolvedStretch*>(at(m_problem.devices * m_problem.devices)));
        std::vector<SolvedStretch*> unknown;
        for (std::size_t p = 0; p < count; ++p)
            for (int from = 0; from < (p == 0 ? 1 : m_problem.devices); ++from)
                for (int to = 0; to < (count == 1 ? 1 : m_problem.devices); ++to) {
                    Stretch stretch = stretchOf(m_problem, m_pieces[p], from, count == 1 ? -1 : to);
                    std::string form = formOf(stretch);
                    const auto [place, isNew] = m_solved.try_emplace(form + pricesOf(stretch));
                    if (isNew) {
                        place->second.stretch = std::move(stretch);
                        place->second.form = std::move(form);
                        unknown.push_back(&place->second);
                    }
                    m_by[p][at(from * m_problem.devices + to)] = &place->second;
                }
        parallelFor(unknown.size(), m_search.threads,
                    [&](std::size_t i) { unknown[i]->found = boundOf(unknown[i]->stretch); });
        while (!m_task.cancelled()) {
            const std::vector<SolvedStretch*> next = toSearch();
            if (next.empty())
                return;
            search(next);
        }
    }
    /// A little where that was not yet done, else with all states: the first of those that are alike, and what its schedule and its bound are not good
    /// enough for.
    void search(const std::vector<SolvedStretch*>& some) {
        std::vector<SolvedStretch*> first, others;
        std::set<std::string_view> forms;
        for (SolvedStretch* const one : some)
            if (!isAlike(*one))
                (forms.insert(one->form).second ? first : others).push_back(one);
        searchAll(first);
        std::erase_if(others, [&](SolvedStretch* one) { return isAlike(*one); });
        searchAll(others);
    }
    void searchAll(const std::vector<SolvedStretch*>& some) {
        parallelFor(some.size(), m_search.threads, [&](std::size_t i) {
            SolvedStretch& one = *some[i];
            if (one.looks++ == 0)
                one.found = searchStretch(one.stretch, m_search.statesAtMost / kFirstLook, 0, m_task);
            else
                one.found = searchStretch(one.stretch, m_search.statesAtMost, m_pieceGapNs / 2, m_task);
        });
        for (SolvedStretch* const one : some) {
            m_found.states += one->found.states;
            SolvedStretch*& last = m_lastOfForm[one->form];
            if (!last || last->looks <= one->looks)
                last = one;
        }
    }
    /// The last one of its form says about as much of it as a search would.
    bool isAlike(SolvedStretch& one) const {
        const auto last = m_lastOfForm.find(one.form);
        if (last == m_lastOfForm.end() || last->second->looks <= one.looks)
            return false;
        const SolvedStretch& known = *last->second;
        carryOver(known, one.stretch, one.found);
        if (one.found.gapNs() > std::max(known.found.gapNs() + m_pieceGapNs / 2, m_pieceGapNs))
            return false;
        one.looks = known.looks;
        return true;
    }
    /// Stretches on the way with the least bound that more may be known of, each once: those that nothing is known of, or else, unless the
    /// best way is near enough to it, those that were looked at a little, without the ones that matter little.
    std::vector<SolvedStretch*> toSearch() {
        const Way bound = shortestWay([](const SolvedStretch& one) { return one.found.boundNs; });
        const Way best = shortestWay([](const SolvedStretch& one) { return one.found.best.ns; });
        const double gapNs = m_problem.ops.size() > kWhole ? m_search.gapAtMost * bound.ns : 0;
        m_pieceGapNs = gapNs / static_cast<double>(m_pieces.size());
        std::map<SolvedStretch*, int> unknown, known; // how often they are on the way
        for (SolvedStretch* const one : bound.stretches)
            if (one->looks < 2)
                ++(one->looks == 0 ? unknown : known)[one];
        std::vector<SolvedStretch*> next;
        if (!unknown.empty() || best.ns - bound.ns <= gapNs) {
            for (SolvedStretch* const one : bound.stretches) // in the order of the network, not of addresses
                if (unknown.erase(one) > 0)
                    next.push_back(one);
            return next;
        }
        double left = 0;
        for (SolvedStretch* const one : bound.stretches)
            if (known.contains(one) && std::ranges::find(next, one) == next.end()) {
                next.push_back(one);
                left += known[one] * one->found.gapNs();
            }
        std::ranges::stable_sort(next, std::ranges::greater(),
                                 [&](SolvedStretch* one) { return known[one] * one->found.gapNs(); });
        std::size_t many = 0;
        for (; many < next.size() && left > gapNs / 2; ++many)
            left -= known[next[many]] * next[many]->found.gapNs();
        next.resize(many);
        return next;
    }

    struct Way {
        double ns = kNever;
        std::vector<SolvedStretch*> stretches; ///< One a piece; empty: there is none.
    };
    /// Over the devices of the ops between pieces.
    template <class Length>
    Way shortestWay(const Length& length) const {
        const int devices = m_problem.devices;
        const std::size_t count = m_pieces.size();
        std::vector<double> reached(at(devices), kNever);
        reached.front() = 0;
        std::vector<std::vector<int>> cameFrom(count, std::vector<int>(at(devices), -1));
        for (std::size_t p = 0; p < count; ++p) {
            std::vector<double> next(at(devices), kNever);
            for (int from = 0; from < devices; ++from)
                for (int to = 0; to < devices; ++to)
                    if (const SolvedStretch* const one = by(p, from, to))
                        if (const double ns = reached[at(from)] + length(*one); ns < next[at(to)]) {
                            next[at(to)] = ns;
                            cameFrom[p][at(to)] = from;
                        }
            reached = std::move(next);
        }
        const auto end = std::ranges::min_element(reached);
        Way way{*end, {}};
        if (way.ns == kNever)
            return way;
        way.stretches.resize(count);
        auto device = static_cast<int>(end - reached.begin());
        for (std::size_t p = count; p-- > 0;) {
            const int from = cameFrom[p][at(device)];
            way.stretches[p] = by(p, from, device);
            device = from;
        }
        return way;
    }
    SolvedStretch* by(std::size_t piece, int from, int to) const {
        return m_by[piece][at(from * m_problem.devices + to)];
    }

    void solvePieces() {
        m_found.boundNs = shortestWay([](const SolvedStretch& one) { return one.found.boundNs; }).ns;
        const Way best = shortestWay([](const SolvedStretch& one) { return one.found.best.ns; });
        m_chosen.assign(m_problem.ops.size(), -1);
        for (std::size_t p = 0; p < best.stretches.size(); ++p)
            for (const int op : best.stretches[p]->found.best.order) {
                m_wanted.push_back(m_pieces[p].ops[at(op)]);
                m_chosen[at(m_wanted.back())] = best.stretches[p]->found.best.device[at(op)];
            }
    }

    std::vector<int> allOn(int device) const {
        std::vector<int> chosen(m_problem.ops.size());
        for (std::size_t op = 0; op < chosen.size(); ++op)
            chosen[op] = m_problem.ops[op].ns[at(device)] < kNever ? device : -1;
        return chosen;
    }

    /// Whole orders and devices from those of some ops: others come where they are first needed, on the device where they end first.
    Assignment inOrder(std::vector<int> chosen, const std::vector<int>& wanted) const {
        Assignment made{std::move(chosen), {}, 0};
        ScheduleState state(m_problem, std::vector<int>(m_problem.values.size(), 0));
        std::vector<bool> taken(m_problem.ops.size());
        std::vector<int> stack;
        const auto takeWithProducers = [&](int wantedOp) {
            stack.assign(1, wantedOp);
            while (!stack.empty()) {
                const int op = stack.back();
                const std::size_t before = stack.size();
                for (const int value : m_problem.ops[at(op)].inputs)
                    if (const int producer = m_problem.values[at(value)].producer;
                        producer >= 0 && !taken[at(producer)])
                        stack.push_back(producer);
                if (stack.size() > before)
                    continue;
                stack.pop_back();
                if (taken[at(op)])
                    continue;
                taken[at(op)] = true;
                if (made.device[at(op)] < 0)
                    made.device[at(op)] = soonest(state, op);
                state.take(op, made.device[at(op)]);
                made.order.push_back(op);
            }
        };
        for (const int op : wanted)
            takeWithProducers(op);
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
            takeWithProducers(op);
        made.ns = scheduledNs(m_problem, made.device, made.order);
        return made;
    }

    int soonest(const ScheduleState& state, int op) const {
        int best = 0;
        double bestEnd = kNever;
        for (int device = 0; device < m_problem.devices; ++device)
            if (const double ns = m_problem.ops[at(op)].ns[at(device)];
                ns < kNever && state.startNs(op, device) + ns < bestEnd) {
                best = device;
                bestEnd = state.startNs(op, device) + ns;
            }
        return best;
    }

    void consider(Assignment assignment) {
        if (m_found.best.order.empty() || assignment.ns < m_found.best.ns)
            m_found.best = std::move(assignment);
    }

    /// One op at a time onto another device, as long as that helps; not where the best is known to be the best, and not every op of a network of
    /// many thousands, where each schedule takes long.
    void improve() {
        bool better = m_found.best.ns > m_found.boundNs;
        std::int64_t left = kTakenToImprove;
        for (int round = 0; better && round < 4 && !m_task.cancelled(); ++round) {
            better = false;
            for (std::size_t op = 0; op < m_problem.ops.size(); ++op)
                for (int device = 0; device < m_problem.devices; ++device) {
                    if (m_problem.ops[op].ns[at(device)] == kNever || device == m_found.best.device[op])
                        continue;
                    left -= static_cast<std::int64_t>(m_problem.ops.size());
                    if (left < 0)
                        return;
                    std::vector<int> moved = m_found.best.device;
                    moved[op] = device;
                    if (const double ns = scheduledNs(m_problem, moved, m_found.best.order);
                        ns < m_found.best.ns) {
                        m_found.best.device = std::move(moved);
                        m_found.best.ns = ns;
                        better = true;
                    }
                }
        }
    }

    /// Longest path, each op where it and its way there take the least.
    double pathBound() const {
        const int devices = m_problem.devices;
        std::vector<double> end(m_problem.ops.size() * at(devices), kNever);
        double longest = 0;
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op) {
            double least = kNever;
            for (int device = 0; device < devices; ++device) {
                double start = 0;
                for (const int value : m_problem.ops[op].inputs) {
                    const int producer = m_problem.values[at(value)].producer;
                    double arrival = producer < 0 ? m_problem.transferNs(value, 0, device) : kNever;
                    for (int from = 0; producer >= 0 && from < devices; ++from)
                        arrival = std::min(arrival, end[at(producer * devices + from)] +
                                                        m_problem.transferNs(value, from, device));
                    start = std::max(start, arrival);
                }
                end[op * at(devices) + at(device)] = start + m_problem.ops[op].ns[at(device)];
                least = std::min(least, end[op * at(devices) + at(device)]);
            }
            longest = std::max(longest, least);
        }
        return longest;
    }

    AssignmentProblem m_problem;
    const AssignmentSearch& m_search;
    const TaskContext& m_task;
    std::vector<Piece> m_pieces;
    double m_pieceGapNs = 0; ///< What is so near to its bound need not be searched any longer.
    std::map<std::string, SolvedStretch*> m_lastOfForm; ///< That was searched longest.
    SolvedStretches m_unshared;
    SolvedStretches& m_solved;
    std::vector<std::vector<SolvedStretch*>> m_by; ///< [piece][from * devices + to], in \ref m_solved.
    std::vector<int> m_chosen;                     ///< Device of each op that is in a piece; else -1.
    std::vector<int> m_wanted;                     ///< Ops of pieces, in the order found for them.
    AssignmentFound m_found;
};

} // namespace

std::vector<AssignmentSpan> schedule(const AssignmentProblem& problem, const Assignment& assignment) {
    ScheduleState state(problem, std::vector<int>(problem.values.size(), 0));
    std::vector<AssignmentSpan> spans;
    for (const int op : assignment.order)
        state.take(op, assignment.device[at(op)], &spans);
    for (const int value : problem.results)
        state.bring(value, 0, &spans);
    return spans;
}

double scheduledNs(const AssignmentProblem& problem, std::span<const int> device,
                   std::span<const int> order) {
    ScheduleState state(problem, std::vector<int>(problem.values.size(), 0));
    for (const int op : order)
        state.take(op, device[at(op)]);
    for (const int value : problem.results)
        state.bring(value, 0);
    return state.endNs();
}

Result<AssignmentFound> assign(const AssignmentProblem& problem, const AssignmentSearch& search,
                               const TaskContext& task) {
    return AssignmentSearcher(problem, search, task).find();
}

} // namespace pim
