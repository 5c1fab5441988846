// SPDX-License-Identifier: GPL-3.0-or-later
// How operators too large for the chip are cut. CMSwitch §4.3 needs every operator to fit but does not say
// how; the rule here keeps the whole reduction in one piece wherever that is possible.
#include "backends/dual_mode/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {
namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
    return a / b + (a % b > 0 ? 1 : 0);
}

/// \p total things into the fewest parts of at most \p most; all parts but the last have the same size.
struct EvenParts {
    std::int64_t total = 1, each = 1, count = 1;
    EvenParts(std::int64_t things, std::int64_t most) : total(things) {
        each = ceilDivide(total, ceilDivide(total, std::max<std::int64_t>(1, most)));
        count = ceilDivide(total, each);
    }
    std::int64_t begin(std::int64_t part) const { return part * each; }
    std::int64_t size(std::int64_t part) const { return std::min(each, total - part * each); }
};

/// The pieces of one operator: instances x columns x rows, rows innermost so that partial sums stay near each
/// other.
struct OpPieces {
    EvenParts instances, columns, rows; ///< In instances, array columns and array rows.
    std::int64_t count() const { return instances.count * columns.count * rows.count; }
};

OpPieces cut(const DualModeOp& op, const DualModeChip& chip, const DualModeCut& how) {
    const std::int64_t cap = how.cap;
    const std::int64_t rowBlocks = ceilDivide(op.n, chip.rows), columnBlocks = ceilDivide(op.k, chip.columns);
    const std::int64_t packed = instancesPerArray(op, chip);
    OpPieces pieces{{op.g, op.g}, {columnBlocks, columnBlocks}, {rowBlocks, rowBlocks}};
    if (minimumArrays(op, chip) <= cap)
        return pieces;
    // Instances are independent: cutting between them costs nothing.
    const std::int64_t perInstance = rowBlocks * columnBlocks;
    pieces.instances =
        EvenParts(op.g, packed > 1 ? cap * packed : std::max<std::int64_t>(1, cap / perInstance));
    if (packed > 1 || perInstance <= cap)
        return pieces;
    // Column slabs share nothing but the input. Rows only if even one column of blocks is too high, or if
    // asked for.
    pieces.rows = EvenParts(rowBlocks, how.rowBlocks > 0 ? std::min<std::int64_t>(cap, how.rowBlocks) : cap);
    pieces.columns = EvenParts(columnBlocks, cap / pieces.rows.each);
    return pieces;
}

} // namespace

std::int64_t instancesPerArray(const DualModeOp& op, const DualModeChip& chip) {
    if (!op.depthwise || op.g <= 1 || op.n < 1 || op.k < 1)
        return 1;
    return std::max<std::int64_t>(1, std::min(chip.rows / op.n, chip.columns / op.k));
}

int minimumArrays(const DualModeOp& op, const DualModeChip& chip) {
    const std::int64_t packed = instancesPerArray(op, chip);
    const double arrays = packed > 1 ? static_cast<double>(ceilDivide(op.g, packed))
                                     : static_cast<double>(ceilDivide(op.n, chip.rows)) *
                                           static_cast<double>(ceilDivide(op.k, chip.columns)) *
                                           static_cast<double>(op.g);
    return arrays >= std::numeric_limits<int>::max() ? std::numeric_limits<int>::max()
                                                     : static_cast<int>(arrays);
}

double dualModeTraffic(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t g, TrafficRule rule) {
    const auto dm = static_cast<double>(m), dn = static_cast<double>(n), dk = static_cast<double>(k);
    double bytes = dm * dn;
    if (rule != TrafficRule::Inputs)
        bytes += dm * dk;
    if (rule == TrafficRule::All)
        bytes += dn * dk;
    return bytes * static_cast<double>(g);
}

namespace {

/// \param partialTrafficBytes of a partial sum on its way to where it is added.
Result<std::vector<DualModeSubOp>> split(const DualModeWorkload& workload, const DualModeChip& chip,
                                         const DualModeOptions& options, const std::vector<DualModeCut>& cuts,
                                         double partialTrafficBytes, std::int64_t most) {
    PIM_ASSERT(cuts.size() == workload.ops.size(), "one cut an operator");
    std::int64_t all = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const DualModeOp& op = workload.ops[i];
        const int cap = cuts[i].cap;
        if (cap < 1 || cap > chip.arrays || cuts[i].rowBlocks < 0)
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("cannot be cut to {} arrays: 1 to {} are there", cap, chip.arrays),
                        op.name);
        if (op.m < 1 || op.n < 1 || op.k < 1 || op.g < 1)
            return fail(
                ErrorCode::InvalidModel,
                fmt::format("has M={} N={} K={} G={}, each must be at least 1", op.m, op.n, op.k, op.g),
                op.name);
        const int arrays = minimumArrays(op, chip);
        // the numbers of pieces might not fit 64 bits
        const bool endless = arrays == std::numeric_limits<int>::max();
        all += endless ? most + 1 : std::min(cut(op, chip, cuts[i]).count(), most + 1);
        if (all > most)
            return fail(ErrorCode::Unsupported,
                        fmt::format("pieces of at most {} of {} arrays are more than {} up to this operator, "
                                    "which needs {}{}",
                                    cap, chip.arrays, most, endless ? "more than " : "", arrays),
                        op.name,
                        cap < chip.arrays ? "use a larger cap or a larger chip" : "use a larger chip");
    }
    std::vector<DualModeSubOp> result;
    result.reserve(static_cast<std::size_t>(all));
    for (std::size_t i = 0; i < workload.ops.size(); ++i) {
        const DualModeOp& op = workload.ops[i];
        const OpPieces pieces = cut(op, chip, cuts[i]);
        const std::int64_t packed = instancesPerArray(op, chip);
        for (std::int64_t part = 0; part < pieces.count(); ++part) {
            const std::int64_t row = part % pieces.rows.count;
            const std::int64_t column = part / pieces.rows.count % pieces.columns.count;
            const std::int64_t instance = part / pieces.rows.count / pieces.columns.count;
            DualModeSubOp sub;
            sub.op = static_cast<int>(i);
            sub.piece = static_cast<int>(part);
            sub.pieces = static_cast<int>(pieces.count());
            sub.m = op.m;
            sub.gBegin = pieces.instances.begin(instance);
            sub.g = pieces.instances.size(instance);
            sub.nBegin = pieces.rows.begin(row) * chip.rows;
            sub.n = std::min(pieces.rows.size(row) * chip.rows, op.n - sub.nBegin);
            sub.kBegin = pieces.columns.begin(column) * chip.columns;
            sub.k = std::min(pieces.columns.size(column) * chip.columns, op.k - sub.kBegin);
            sub.minArrays =
                static_cast<int>(packed > 1 ? ceilDivide(sub.g, packed)
                                            : pieces.rows.size(row) * pieces.columns.size(column) * sub.g);
            sub.computeWork = static_cast<double>(sub.minArrays) * static_cast<double>(sub.m) *
                              (chip.cyclesPerMvm + chip.computeCycles);
            sub.traffic = dualModeTraffic(sub.m, sub.n, sub.k, sub.g, options.traffic);
            sub.outBytes =
                static_cast<double>(sub.m) * static_cast<double>(sub.k) * static_cast<double>(sub.g);
            if (pieces.rows.count > 1) {
                if (options.traffic != TrafficRule::Inputs)
                    sub.traffic += (partialTrafficBytes - 1) * sub.outBytes;
                sub.outBytes *= kDualModePartialSumBytes;
            }
            result.push_back(sub);
        }
    }
    return result;
}

} // namespace

Result<std::vector<DualModeSubOp>> splitOperators(const DualModeWorkload& workload, const DualModeChip& chip,
                                                  const DualModeOptions& options, int cap,
                                                  std::int64_t most) {
    if (cap < 1 || cap > chip.arrays)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("operators cannot be cut to {} arrays: 1 to {} are there", cap, chip.arrays),
                    chip.name);
    return split(workload, chip, options, std::vector<DualModeCut>(workload.ops.size(), DualModeCut{cap, 0}),
                 1, most);
}

Result<std::vector<DualModeSubOp>> splitOperators(const DualModeWorkload& workload, const DualModeChip& chip,
                                                  const DualModeOptions& options,
                                                  const std::vector<DualModeCut>& cuts) {
    return split(workload, chip, options, cuts, kDualModePartialSumBytes, kMaxFineSubOps);
}

} // namespace pim
