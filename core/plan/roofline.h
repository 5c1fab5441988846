// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A roofline for every kind of machine: what each kind of resource can do at most, and what every op asked of each. An op takes no less
/// time than any of them needs for it, so its speed is below the lowest of its roofs. Flow: Plan + Simulation -> [ReportFacet::roofline] ->
/// `pimc limits --roofline`, views, report.
/// [Williams et al., CACM 52(4), 2009; a roof for each level of memory as in Yang et al., CCPE 32(20), 2020]
#include "core/plan/host_model.h"
#include "core/plan/plan.h"

#include <functional>
#include <string>
#include <vector>

namespace pim {

/// What all units of a kind do at most.
struct Ceiling {
    std::string name;      ///< "banks", "host memory"
    bool isMemory = false; ///< Moves bytes; else does operations.
    bool ofHost = false;
    double perNs = 0;    ///< Bytes or operations a nanosecond, greater than 0.
    std::string because; ///< "5120 banks of 10.4 GB/s": how it follows from the target.
};

/// An op, with what it asked of each ceiling.
struct OpUnderRoof {
    OpId op;
    bool onHost = false;
    double ns = 0; ///< In which it was under way.
    double operations =
        0; ///< Two a multiply-accumulate; 0: it moves data alone, and has no place in the picture.
    std::vector<double>
        amounts;     ///< One a ceiling: its operations, or bytes moved for it; 0: it does without.
    std::string why; ///< What else its time went to, in words; may be empty.
};

struct Roofline {
    std::vector<Ceiling> ceilings;
    std::vector<OpUnderRoof> ops; ///< In the order of the graph; those that took no time are left out.

    /// Time that a ceiling needs for an op at least.
    double atLeastNs(const OpUnderRoof& op, std::size_t ceiling) const {
        return op.amounts[ceiling] / ceilings[ceiling].perNs;
    }
    /// The one that needs most time for it, the lowest roof; -1: it asked for none.
    int lowestRoof(const OpUnderRoof& op) const;
    /// Operations a nanosecond of an op under its lowest roof; 0 without one.
    double roofOf(const OpUnderRoof& op) const;
    /// Of its time, what its lowest roof needs at least: 1 is at the roof. 0 without one.
    double shareOfRoof(const OpUnderRoof& op) const;
    /// The memory whose bytes an op is drawn over: its lowest roof, or where that is no memory the slowest of the memories it asked; -1:
    /// it moved nothing.
    int memoryOf(const OpUnderRoof& op) const;
    /// Operations a byte of that memory; infinite where nothing moved.
    double intensityOf(const OpUnderRoof& op) const;
    static double speedOf(const OpUnderRoof& op) { return op.ns > 0 ? op.operations / op.ns : 0; }

    const OpUnderRoof* find(OpId op) const; ///< Null: it took no time.
    /// Position of the ceiling; adds it where there is none of that name, and an amount 0 to all ops.
    std::size_t ceiling(Ceiling wanted);
};

/// What sets the time of an op, in one sentence without its name: "set by banks, which need 64.0 % of its time at full speed, host memory
/// 12.0 %; its time goes to …". Where it is far below all of its roofs: "set by no ceiling, the lowest is banks, which need 0.1 % …".
std::string sentenceOf(const Roofline& roofline, const OpUnderRoof& op);

/// Ceilings of the host, and its ops as \p model prices them in the type that \p typeOf says.
/// \param nsOf what an op of the host took.
void addHost(Roofline& roofline, const Plan& plan, const HostModel& model,
             const std::function<DataType(const OpPlan&)>& typeOf,
             const std::function<double(const OpPlan&)>& nsOf);

/// The type an op is computed in: what the user decided for it, or for all, or else that of the plan.
DataType decidedType(const Plan& plan, const OpPlan& op);

/// Operations of an op as a machine counts them: of its multiply-accumulates, or without any of the others.
double operationsOf(const Op& op);

/// "1.25 T" and a unit: "1.25 TB/s", "12.0 Gop/s"; of a ceiling and of the speed of an op.
std::string rateText(double perNs, bool isBytes);

} // namespace pim
