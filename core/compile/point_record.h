// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A point of a sweep as files and projects keep it: its numbers are one text, and what they are of is said once for all points that have the
/// same ones. A million points are read, compared and stored as records; a SweepPoint is what somebody looks at.
#include "core/compile/sweep.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pim {

/// What the numbers of a point are of.
struct PointNames {
    std::vector<std::pair<std::string, std::string>> baselines; ///< Id and name.
    std::vector<std::string> figures;

    std::size_t size() const { return baselines.size() + figures.size(); }
    friend bool operator==(const PointNames&, const PointNames&) = default;
};

struct PointRecord {
    std::int64_t index = 0;
    double totalNs = 0, hostOnlyNs = 0, macs = 0, compileMs = 0;
    std::string problem;
    std::shared_ptr<const PointNames> names; ///< Never null; often that of many points.
    std::string numbers = "[]"; ///< JSON, by appendNumber(): times of the baselines, then figures.

    bool isLeftOut() const { return pim::isLeftOut(problem); }
};

PointRecord recordOf(const SweepPoint& point);
/// Without SweepPoint::values. False where its numbers are none, or not as many as its names.
bool readRecord(const PointRecord& record, SweepPoint& point);
/// All but how long it took.
bool haveSameResult(const PointRecord& one, const PointRecord& other);
/// "100 ns, 200 ns on the host, 300 MACs, [1,2]", or the problem.
std::string resultText(const PointRecord& record);

/// Into an array of numbers that has its bracket. Numbers are read back to the last digit; JSON has no infinity, but 9e999 is read as one.
void appendNumber(std::string& array, double value);

} // namespace pim
