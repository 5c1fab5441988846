// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/stretch_forms.h"

#include "core/assign/schedule_state.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

class Bytes {
public:
    template <class Number>
    void put(const Number& number) {
        m_text.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    template <class Numbers>
    void all(const Numbers& numbers) {
        put(numbers.size());
        for (const auto number : numbers)
            put(number);
    }
    std::string text() { return std::move(m_text); }

private:
    std::string m_text;
};

/// A view moves like what it is a view of (assignment.h).
bool movesAlike(const AssignmentProblem& problem, const AssignmentProblem::Op& op) {
    return op.inputs.size() == 1 && op.outputs.size() == 1 &&
           problem.values[at(op.inputs.front())].transferNs ==
               problem.values[at(op.outputs.front())].transferNs;
}

/// The most that one of them costs less than it did; \p step from one to the next.
double mostLess(const std::vector<double>& before, const std::vector<double>& now, std::size_t first = 0,
                std::size_t step = 1) {
    double most = 0;
    for (std::size_t i = first; i < before.size(); i += step)
        if (const double there = now.empty() ? 0 : now[i]; there < before[i])
            most = std::max(most, before[i] - there);
    return most;
}

double lengthWithRents(const Stretch& stretch, const Assignment& assignment) {
    ScheduleState state(stretch.problem, stretch.startDevice);
    double rents = 0;
    for (const int op : assignment.order) {
        const int device = assignment.device[at(op)];
        state.take(op, device);
        const std::vector<double>& rent = stretch.problem.ops[at(op)].rentNs;
        rents += rent.empty() ? 0 : rent[at(device)];
    }
    for (const int value : stretch.problem.results)
        state.bring(value, 0);
    return state.endNs() + rents;
}

} // namespace

std::string formOf(const Stretch& stretch) {
    const AssignmentProblem& problem = stretch.problem;
    Bytes form;
    form.put(stretch.lastDevice);
    form.all(stretch.startDevice);
    form.put(problem.ops.size());
    for (const auto& op : problem.ops) {
        for (const double ns : op.ns)
            form.put(ns == kNever ? 'n' : ns == 0 ? '0' : '1');
        form.put(movesAlike(problem, op));
        form.all(op.inputs);
        form.all(op.outputs);
    }
    for (const auto& value : problem.values)
        form.put(value.producer);
    form.all(problem.results);
    return form.text();
}

std::string pricesOf(const Stretch& stretch) {
    Bytes prices;
    for (const auto& op : stretch.problem.ops) {
        prices.all(op.ns);
        prices.all(op.rentNs);
    }
    for (const auto& value : stretch.problem.values)
        prices.all(value.transferNs);
    return prices.text();
}

void carryOver(const SolvedStretch& known, const Stretch& stretch, StretchFound& found) {
    const AssignmentProblem &before = known.stretch.problem, &now = stretch.problem;
    double less = 0;
    for (std::size_t op = 0; op < now.ops.size(); ++op)
        less +=
            mostLess(before.ops[op].ns, now.ops[op].ns) + mostLess(before.ops[op].rentNs, now.ops[op].rentNs);
    for (std::size_t value = 0; value < now.values.size(); ++value)
        for (int to = 0; to < now.devices; ++to) // goes to each at most once
            less += mostLess(before.values[value].transferNs, now.values[value].transferNs, at(to),
                             at(now.devices));
    found.boundNs = std::max(found.boundNs, known.found.boundNs - less);
    if (known.found.best.order.empty())
        return;
    if (const double ns = lengthWithRents(stretch, known.found.best); ns < found.best.ns) {
        found.best = known.found.best;
        found.best.ns = ns;
    }
}

} // namespace pim
