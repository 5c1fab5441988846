// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Random networks on random machines.
#include "core/assign/assignment.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace pim::test {

using Problem = AssignmentProblem;

struct Shape {
    int ops, devices;
    double edges;          ///< Chance of an edge from each of the six ops before.
    bool oneEnd;           ///< One first and one last op, all others between them.
    bool residual = false; ///< Every other op reads the one before: a chain with branches and skips.
};

/// Links: one for each device but the host, used by what goes to it and from it.
inline Problem randomProblem(std::mt19937& random, const Shape& shape) {
    const auto chance = [&](double share) { return std::uniform_real_distribution<>(0, 1)(random) < share; };
    const auto time = [&](double most) {
        return std::floor(std::uniform_real_distribution<>(1, most)(random));
    };
    Problem problem;
    problem.devices = shape.devices;
    problem.links = shape.devices - 1;
    problem.holdsHost.assign(static_cast<std::size_t>(shape.devices), false);
    if (shape.devices > 1)
        problem.holdsHost[1] = chance(0.5);
    for (int from = 0; from < shape.devices; ++from)
        for (int to = 0; to < shape.devices; ++to) {
            auto& route = problem.routes.emplace_back();
            if (from != to && from > 0)
                route.push_back(from - 1);
            if (from != to && to > 0)
                route.push_back(to - 1);
        }
    const auto value = [&](int producer) {
        Problem::Value made;
        made.producer = producer;
        for (int from = 0; from < shape.devices; ++from)
            for (int to = 0; to < shape.devices; ++to)
                made.transferNs.push_back(from == to ? 0 : time(30));
        problem.values.push_back(made);
        return static_cast<int>(problem.values.size()) - 1;
    };
    const auto reads = [&](int op, int v) {
        problem.ops[static_cast<std::size_t>(op)].inputs.push_back(v);
        problem.values[static_cast<std::size_t>(v)].readers.push_back(op);
    };
    const int input = value(-1);
    for (int op = 0; op < shape.ops; ++op) {
        problem.ops.emplace_back();
        for (int device = 0; device < shape.devices; ++device)
            problem.ops.back().ns.push_back(device > 0 && chance(0.2) ? kNever : chance(0.1) ? 0 : time(100));
        bool any = false;
        for (int before = std::max(0, op - 6); before < op; ++before)
            if ((shape.residual && before == op - 1 && op % 2 == 0) || chance(shape.edges) ||
                (shape.oneEnd && before == op - 1 && !any)) {
                reads(op, problem.ops[static_cast<std::size_t>(before)].outputs.front());
                any = true;
            }
        if (!any)
            reads(op, input);
        problem.ops.back().outputs = {value(op)};
    }
    if (shape.oneEnd)
        for (int op = 0; op + 1 < shape.ops; ++op)
            if (auto& made = problem.values[static_cast<std::size_t>(op + 1)]; made.readers.empty())
                reads(shape.ops - 1, op + 1);
    for (auto& op : problem.ops)
        std::ranges::sort(op.inputs);
    problem.results = {static_cast<int>(problem.values.size()) - 1};
    return problem;
}

} // namespace pim::test
