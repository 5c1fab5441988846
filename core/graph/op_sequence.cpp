// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/op_sequence.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace pim {
namespace {

// of the polynomial hash, modulo 2^64; equality is checked later
constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ULL | 1;

std::size_t at(std::int32_t v) {
    return static_cast<std::size_t>(v);
}

std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
    state ^= value + 0x9E3779B97F4A7C15ULL + (state << 6) + (state >> 2);
    state *= 0xBF58476D1CE4E5B9ULL;
    return state ^ (state >> 29);
}

std::uint64_t textHash(std::uint64_t state, std::string_view text) { // FNV-1a
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return mixed(state, hash);
}

std::uint64_t typeLetter(const Graph& graph, const Op& op) {
    std::uint64_t letter = textHash(textHash(1, op.type), op.domain);
    for (const TensorId input : op.inputs)
        letter = mixed(letter, !input.valid() ? 2 : graph.tensor(input).isConstant() ? 1 : 0);
    return mixed(letter, op.outputs.size());
}

std::uint64_t shapeLetter(const Graph& graph, const Op& op, std::uint64_t letter) {
    for (const TensorId output : op.outputs) {
        if (!output.valid())
            continue;
        const Tensor& tensor = graph.tensor(output);
        letter = mixed(letter, static_cast<std::uint64_t>(tensor.dtype));
        if (tensor.shape)
            for (const std::int64_t extent : *tensor.shape)
                letter = mixed(letter, static_cast<std::uint64_t>(extent));
    }
    return letter;
}

} // namespace

std::vector<OpId> OpSequence::fileOrder(const Graph& graph) {
    std::vector<OpId> order;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        order.emplace_back(static_cast<std::int64_t>(i));
    return order;
}

std::vector<OpId> OpSequence::depthFirst(const Graph& graph) {
    std::vector<OpId> order;
    std::vector<bool> seen(graph.ops.size());
    std::vector<std::pair<OpId, std::size_t>> stack; // op and the next input to go into
    for (std::size_t root = 0; root < graph.ops.size(); ++root) {
        const Op& op = graph.ops[root];
        const bool isRead = std::any_of(op.outputs.begin(), op.outputs.end(), [&](TensorId output) {
            return output.valid() && !graph.tensor(output).consumers.empty();
        });
        if (isRead)
            continue; // reached from its readers
        stack.emplace_back(OpId(static_cast<std::int64_t>(root)), 0);
        seen[root] = true;
        while (!stack.empty()) {
            auto& [current, next] = stack.back();
            const std::vector<TensorId>& inputs = graph.op(current).inputs;
            if (next == inputs.size()) {
                order.push_back(current);
                stack.pop_back();
                continue;
            }
            const TensorId input = inputs[next++];
            const OpId producer = input.valid() ? graph.tensor(input).producer : OpId();
            if (producer.valid() && !seen[producer.index()]) {
                seen[producer.index()] = true;
                stack.emplace_back(producer, 0);
            }
        }
    }
    return order;
}

OpSequence::OpSequence(const Graph& graph, std::vector<OpId> order)
    : m_graph(graph), m_order(std::move(order)) {
    std::vector<std::int32_t> position(graph.ops.size(), -1);
    for (std::size_t i = 0; i < m_order.size(); ++i)
        position[m_order[i].index()] = static_cast<std::int32_t>(i);
    m_inputStart.push_back(0);
    m_powers.push_back(1);
    for (Letters* letters : {&m_shapes, &m_types})
        letters->prefix.push_back(0);
    for (const OpId id : m_order) {
        const Op& op = graph.op(id);
        for (const TensorId input : op.inputs) {
            const OpId producer = input.valid() ? graph.tensor(input).producer : OpId();
            m_producers.push_back(producer.valid() ? position[producer.index()] : -1);
        }
        m_inputStart.push_back(static_cast<std::int32_t>(m_producers.size()));
        m_types.letter.push_back(typeLetter(graph, op));
        m_shapes.letter.push_back(shapeLetter(graph, op, m_types.letter.back()));
        m_powers.push_back(m_powers.back() * kBase);
        for (Letters* letters : {&m_shapes, &m_types})
            letters->prefix.push_back(letters->prefix.back() * kBase + letters->letter.back());
    }
    countCrossings(graph);
}

void OpSequence::countCrossings(const Graph& graph) {
    const std::size_t count = m_order.size();
    std::vector<std::int32_t> position(graph.ops.size(), -1), lastReader(count, -1);
    for (std::size_t i = 0; i < count; ++i)
        position[m_order[i].index()] = static_cast<std::int32_t>(i);
    m_crossing.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
        for (const TensorId output : graph.op(m_order[i]).outputs) {
            if (!output.valid())
                continue;
            std::int32_t last = -1;
            for (const OpId reader : graph.tensor(output).consumers)
                last = std::max(last, position[reader.index()]);
            if (last < 0)
                continue;
            ++m_crossing[i + 1];
            --m_crossing[at(last + 1)];
            lastReader[i] = std::max(lastReader[i], last);
        }
    std::partial_sum(m_crossing.begin(), m_crossing.end(), m_crossing.begin());
    m_fanOut.assign(count + 1, 0);
    std::vector<std::int32_t> alive; // producers, the newest last
    for (std::size_t cut = 1; cut <= count; ++cut) {
        alive.push_back(static_cast<std::int32_t>(cut) - 1);
        while (!alive.empty() && lastReader[at(alive.back())] < static_cast<std::int32_t>(cut))
            alive.pop_back();
        if (alive.empty())
            continue;
        for (const TensorId output : graph.op(m_order[at(alive.back())]).outputs)
            if (output.valid())
                for (const OpId reader : graph.tensor(output).consumers)
                    m_fanOut[cut] += position[reader.index()] >= static_cast<std::int32_t>(cut) ? 1 : 0;
    }
}

std::uint64_t OpSequence::Letters::hash(const std::vector<std::uint64_t>& powers, std::int32_t from,
                                        std::int32_t to) const {
    return prefix[at(to)] - prefix[at(from)] * powers[at(to - from)];
}

std::int32_t OpSequence::commonAfter(const Letters& letters, std::int32_t a, std::int32_t b,
                                     std::int32_t most) const {
    std::int32_t low = 0, high = most;
    while (low < high) {
        const std::int32_t middle = (low + high + 1) / 2;
        if (letters.hash(m_powers, a, a + middle) == letters.hash(m_powers, b, b + middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

std::int32_t OpSequence::commonBefore(const Letters& letters, std::int32_t a, std::int32_t b,
                                      std::int32_t most) const {
    std::int32_t low = 0, high = most;
    while (low < high) {
        const std::int32_t middle = (low + high + 1) / 2;
        if (letters.hash(m_powers, a - middle, a) == letters.hash(m_powers, b - middle, b))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/// Maximal runs: `first` and `period` as found, `repeats` the whole periods in it; a rest may follow.
/// Candidates for a period are the distances at which a short stretch of 4, 8, 16, … letters comes again.
std::vector<TandemRow> OpSequence::tandems(std::int32_t from, std::int32_t to, const Letters& letters) const {
    std::vector<TandemRow> found;
    std::unordered_map<std::int32_t, std::int32_t> searchedTo; // by period: no new run begins before
    std::unordered_map<std::uint64_t, std::int32_t> last;
    for (std::int32_t gram = kLeastBlockOps; gram <= (to - from) / 2; gram *= 2) {
        last.clear();
        searchedTo.clear();
        for (std::int32_t i = from; i + gram <= to; ++i) {
            const auto [entry, isNew] = last.try_emplace(letters.hash(m_powers, i, i + gram), i);
            if (isNew)
                continue;
            const std::int32_t before = entry->second, period = i - before;
            entry->second = i;
            if (period < kLeastBlockOps)
                continue;
            std::int32_t& searched = searchedTo.try_emplace(period, from).first->second;
            if (i < searched)
                continue;
            const std::int32_t after = commonAfter(letters, before, i, to - i);
            const std::int32_t ahead = commonBefore(letters, before, i, before - from);
            searched = i + after;
            const std::int32_t first = before - ahead, length = i + after - first;
            if (length >= 2 * period)
                found.push_back({first, period, length / period});
        }
    }
    return found;
}

std::vector<TandemRow> OpSequence::rows(std::int32_t from, std::int32_t to, With with) const {
    std::vector<TandemRow> chosen;
    if (to - from < 2 * kLeastBlockOps)
        return chosen;
    const Letters& letters = with == With::Shapes ? m_shapes : m_types;
    std::vector<TandemRow> runs = tandems(from, to, letters);
    const auto key = [](const TandemRow& run) {
        return std::tuple(-run.period * run.repeats, run.period, run.first);
    };
    std::sort(runs.begin(), runs.end(),
              [&](const TandemRow& a, const TandemRow& b) { return key(a) < key(b); });
    std::vector<bool> taken(at(to - from));
    for (const TandemRow& run : runs) {
        const std::int32_t length =
            run.period + commonAfter(letters, run.first, run.first + run.period, to - run.first - run.period);
        TandemRow row = run;
        row.first = bestStart(run, length);
        row.repeats = (run.first + length - row.first) / run.period;
        for (const TandemRow& sound : verified(row)) {
            const auto begin = taken.begin() + (sound.first - from),
                       end = taken.begin() + (sound.end() - from);
            if (std::find(begin, end, true) != end)
                continue;
            std::fill(begin, end, true);
            chosen.push_back(sound);
        }
    }
    return chosen;
}

bool OpSequence::isMadeOfSmaller(const TandemRow& row) const {
    for (std::int32_t period = kLeastBlockOps; 2 * period <= row.period; ++period)
        if (row.period % period == 0 && m_types.hash(m_powers, row.first, row.end() - period) ==
                                            m_types.hash(m_powers, row.first + period, row.end()))
            return true;
    return false;
}

/// Where in its first period a run is cut best: where least crosses, then where most whole periods fit, then
/// where one tensor is read by many (a block begins where its input forks), then where names agree.
std::int32_t OpSequence::bestStart(const TandemRow& run, std::int32_t length) const {
    struct Choice {
        double crossing;
        std::int32_t repeats, fanOut, start;
    };
    std::vector<Choice> choices;
    for (std::int32_t shift = 0; shift < run.period && (length - shift) / run.period >= 2; ++shift) {
        Choice choice{0, (length - shift) / run.period, m_fanOut[at(run.first + shift + run.period)],
                      run.first + shift};
        for (std::int32_t i = 1; i < choice.repeats; ++i)
            choice.crossing += m_crossing[at(choice.start + i * run.period)];
        choice.crossing /= choice.repeats - 1;
        choices.push_back(choice);
    }
    const auto better = [](const Choice& a, const Choice& b) {
        return std::tuple(a.crossing, -a.repeats, -a.fanOut) < std::tuple(b.crossing, -b.repeats, -b.fanOut);
    };
    const Choice best = *std::min_element(choices.begin(), choices.end(), better);
    std::int32_t start = best.start;
    int depth = -1;
    for (const Choice& choice : choices)
        if (!better(best, choice)) {
            const std::int32_t second = choice.start + run.period;
            if (const int shared = sharedNameDepth(second, second + run.period); shared > depth) {
                depth = shared;
                start = choice.start;
            }
        }
    return start;
}

/// The stretches of \p row whose parts have the same inner edges, not just the same letters.
std::vector<TandemRow> OpSequence::verified(const TandemRow& row) const {
    std::vector<TandemRow> sound;
    std::int32_t begin = 0;
    for (std::int32_t i = 1; i <= row.repeats; ++i) {
        const std::int32_t here = row.first + i * row.period;
        if (i < row.repeats && sameStructure(here - row.period, here, row.period))
            continue;
        if (i - begin >= 2)
            sound.push_back({row.first + begin * row.period, row.period, i - begin});
        begin = i;
    }
    return sound;
}

bool OpSequence::sameStructure(std::int32_t a, std::int32_t b, std::int32_t count) const {
    for (std::int32_t k = 0; k < count; ++k) {
        const std::int32_t inputsA = m_inputStart[at(a + k)], inputsB = m_inputStart[at(b + k)];
        const std::int32_t inputs = m_inputStart[at(a + k + 1)] - inputsA;
        if (m_types.letter[at(a + k)] != m_types.letter[at(b + k)] ||
            inputs != m_inputStart[at(b + k + 1)] - inputsB)
            return false;
        for (std::int32_t i = 0; i < inputs; ++i) {
            const std::int32_t fromA = m_producers[at(inputsA + i)], fromB = m_producers[at(inputsB + i)];
            if (fromA >= a ? fromB - b != fromA - a : fromB >= b)
                return false;
        }
    }
    return true;
}

std::uint64_t OpSequence::structure(std::int32_t from, std::int32_t to) const {
    std::uint64_t hash = static_cast<std::uint64_t>(to - from);
    for (std::int32_t i = from; i < to; ++i) {
        hash = mixed(hash, m_types.letter[at(i)]);
        for (std::int32_t k = m_inputStart[at(i)]; k < m_inputStart[at(i + 1)]; ++k)
            hash = mixed(hash, m_producers[at(k)] >= from
                                   ? static_cast<std::uint64_t>(m_producers[at(k)] - from) + 1
                                   : 0);
    }
    return hash;
}

std::vector<std::pair<std::int32_t, std::int32_t>> OpSequence::closedStretches(std::int32_t from,
                                                                               std::int32_t to) const {
    std::vector<std::pair<std::int32_t, std::int32_t>> result;
    if (to <= from)
        return result;
    std::int32_t least = INT32_MAX;
    for (std::int32_t cut = from + 1; cut < to; ++cut)
        least = std::min(least, m_crossing[at(cut)]);
    std::int32_t begin = from;
    for (std::int32_t cut = from + 1; cut < to; ++cut)
        if (m_crossing[at(cut)] == least && m_fanOut[at(cut)] > 1) {
            result.emplace_back(begin, cut);
            begin = cut;
        }
    result.emplace_back(begin, to);
    return result;
}

int OpSequence::sharedNameDepth(std::int32_t from, std::int32_t to) const {
    std::vector<std::string_view> shared = namePath(m_graph.op(m_order[at(from)]).name);
    for (std::int32_t i = from + 1; i < to && !shared.empty(); ++i) {
        const std::vector<std::string_view> path = namePath(m_graph.op(m_order[at(i)]).name);
        const auto differs = std::mismatch(shared.begin(), shared.end(), path.begin(), path.end());
        shared.erase(differs.first, shared.end());
    }
    return static_cast<int>(shared.size());
}

} // namespace pim
