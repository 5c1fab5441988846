// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/request_stream.h"

#include "core/assign/schedule_state.h"

#include <algorithm>

namespace pim {
namespace {

/// Requests until the stream runs evenly, those over which its period is taken, and those behind them that keep it going.
constexpr int kBefore = 6, kMeasured = 12, kBehind = 6;

class Stream {
public:
    Stream(const AssignmentProblem& problem, const Assignment& assignment, int atOnce)
        : m_assignment(assignment), m_ops(static_cast<int>(problem.ops.size())),
          m_values(static_cast<int>(problem.values.size())), m_atOnce(std::clamp(atOnce, 1, kRequests)),
          m_begun(m_atOnce), m_results(problem.results), m_all(repeated(problem)),
          m_state(m_all, std::vector<int>(m_all.values.size(), 0)), m_next(kRequests),
          m_start(kRequests, kNever), m_end(kRequests) {}

    RequestStream run() {
        RequestStream stream;
        stream.atOnce = m_atOnce;
        for (int i = 0; i < kRequests * m_ops; ++i)
            takeNext();
        // A younger request may be done before an older one; results count in the order in which they are there.
        std::ranges::sort(m_end);
        stream.periodNs = (m_end[at(kBefore + kMeasured - 1)] - m_end[at(kBefore - 1)]) / kMeasured;
        stream.longestNs = m_longest;
        return stream;
    }

private:
    static constexpr int kRequests = kBefore + kMeasured + kBehind;

    /// Of which no op of a request reads a value of another.
    static AssignmentProblem repeated(const AssignmentProblem& problem) {
        AssignmentProblem all = problem;
        const auto ops = static_cast<int>(problem.ops.size()),
                   values = static_cast<int>(problem.values.size());
        for (int request = 1; request < kRequests; ++request) {
            for (AssignmentProblem::Op op : problem.ops) {
                for (int& value : op.inputs)
                    value += request * values;
                for (int& value : op.outputs)
                    value += request * values;
                all.ops.push_back(std::move(op));
            }
            for (AssignmentProblem::Value value : problem.values) {
                value.producer += value.producer < 0 ? 0 : request * ops;
                for (int& reader : value.readers)
                    reader += request * ops;
                all.values.push_back(std::move(value));
            }
        }
        return all;
    }

    bool isDone(int request) const { return m_next[at(request)] == m_ops; }
    int deviceOfNext(int request) const {
        return m_assignment.device[at(m_assignment.order[at(m_next[at(request)])])];
    }
    int nextOp(int request) const { return m_assignment.order[at(m_next[at(request)])] + request * m_ops; }

    void takeNext() {
        int best = -1;
        double first = kNever;
        for (int request = 0; request < m_begun; ++request)
            if (!isDone(request))
                if (const double start = m_state.startNs(nextOp(request), deviceOfNext(request));
                    start < first) {
                    first = start;
                    best = request;
                }
        const int device = deviceOfNext(best);
        const double end = m_state.take(nextOp(best), device);
        const double ns = m_all.ops[at(nextOp(best))].ns[at(device)];
        m_end[at(best)] = std::max(m_end[at(best)], end);
        m_start[at(best)] = std::min(m_start[at(best)], end - ns);
        if (++m_next[at(best)] < m_ops)
            return;
        for (const int value : m_results)
            m_end[at(best)] = std::max(m_end[at(best)], m_state.bring(value + best * m_values, 0));
        m_longest = std::max(m_longest, m_end[at(best)] - m_start[at(best)]);
        if (m_begun == kRequests)
            return;
        for (int value = 0; value < m_values; ++value) // of the one that it makes room for
            if (m_all.values[at(value)].producer < 0)
                m_state.comesAt(value + m_begun * m_values, m_end[at(best)]);
        ++m_begun;
    }

    const Assignment& m_assignment;
    int m_ops, m_values, m_atOnce;
    int m_begun; ///< Requests, done ones as well.
    const std::vector<int>& m_results;
    AssignmentProblem m_all;
    ScheduleState m_state;
    std::vector<int> m_next; ///< [request]: position in the order.
    std::vector<double> m_start, m_end;
    double m_longest = 0;
};

} // namespace

RequestStream streamOf(const AssignmentProblem& problem, const Assignment& assignment, int atOnce) {
    if (assignment.order.empty())
        return {};
    RequestStream stream = Stream(problem, assignment, atOnce).run();
    std::vector<double> busy(at(problem.devices + problem.links));
    for (const AssignmentSpan& span : schedule(problem, assignment)) {
        const double ns = span.endNs - span.startNs;
        if (span.op < 0) {
            for (const int link : problem.routes[at(span.from * problem.devices + span.device)])
                busy[at(problem.devices + link)] += ns;
            continue;
        }
        busy[at(span.device)] += ns;
        if (span.device > 0 && problem.holdsHost[at(span.device)])
            busy.front() += ns;
    }
    const auto busiest = std::ranges::max_element(busy);
    stream.leastNs = *busiest;
    stream.periodNs = std::max(stream.periodNs, stream.leastNs); // a few requests may have been ahead
    stream.busiest = static_cast<int>(busiest - busy.begin());
    return stream;
}

} // namespace pim
