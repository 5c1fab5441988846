// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/code_streams.h"

#include "core/dram/hbm_pim/hbm_pim_program.h"

#include <fmt/format.h>

namespace pim::hbm {
namespace {

using I = HbmPimInstruction;

I::Place bankPlace(int bank) {
    return bank == 0 ? I::EvenBank : I::OddBank;
}

class Assembler {
public:
    void add(std::uint32_t instruction) { m_program.push_back(instruction); }
    /// Of the instructions from \p first on, as often as \p turns says altogether.
    void loop(std::size_t first, std::int64_t turns) {
        if (turns > 1)
            add(I::jump(turns - 1, int(m_program.size() - first) + 1));
    }
    void macs(int bank, std::int64_t count) {
        for (; count > 0; --count)
            add(I::arithmetic(I::Mac, I::GrfB, I::GrfA, bankPlace(bank), true));
    }
    /// The same in two instructions at most; not inside of a loop.
    void macLoop(int bank, std::int64_t count) {
        const std::size_t first = m_program.size();
        if (count <= 2)
            return macs(bank, count);
        macs(bank, 1);
        loop(first, count);
    }
    void fill(I::Place target, I::Place source, bool relu = false) { add(I::fill(target, source, relu)); }
    std::size_t size() const { return m_program.size(); }
    /// Commands that store \p bursts registers, and the end.
    std::vector<std::uint32_t> finish(int bursts) {
        add(I::nop(bursts - 1));
        add(I::exit());
        return end();
    }
    /// Without stores: these go on after the mode of programs is left.
    std::vector<std::uint32_t> end() {
        if (m_program.empty() || m_program.back() != I::exit())
            add(I::exit());
        PIM_ASSERT(std::ssize(m_program) <= CodePlan::kInstructions, "the microprogram fits its memory");
        return std::move(m_program);
    }

private:
    std::vector<std::uint32_t> m_program;
};

/// Instructions for some bursts of x: one each where all columns of their groups are computed on.
std::int64_t macsOf(const CodePlan& plan, std::int64_t bursts) {
    return bursts * plan.groupColumns() / plan.machine().registers;
}
/// Those for the n-th row of a tile.
std::int64_t macsOfVisit(const CodePlan& plan, std::int64_t bursts, int visit) {
    const std::int64_t row = plan.groupsOfRow();
    return macsOf(plan, std::clamp<std::int64_t>(bursts - visit * row, 0, row));
}

void tile(Assembler& to, const CodePlan& plan, int odd, std::int64_t bursts, bool inLoop) {
    if (plan.fill())
        to.fill(I::GrfA, bankPlace(1 - plan.visitBank(odd, 0)));
    for (int visit = 0; visit < plan.rowsOfTile(); ++visit) {
        const std::int64_t count = macsOfVisit(plan, bursts, visit);
        inLoop ? to.macs(plan.visitBank(odd, visit), count) : to.macLoop(plan.visitBank(odd, visit), count);
    }
}

std::vector<std::uint32_t> lanes(const CodePlan& plan) {
    const int registers = plan.machine().registers;
    Assembler to;
    if (!plan.alternates() &&
        !plan.fill()) { // rows of even and odd banks in turn, whatever tile they belong to
        const std::int64_t macs = macsOf(plan, (plan.tiles() - 1) * registers + plan.lastBursts()),
                           row = macsOf(plan, plan.groupsOfRow());
        if (const std::int64_t pairs = macs / (2 * row); pairs > 0) {
            to.macs(0, row);
            to.macs(1, row);
            to.loop(0, pairs);
        }
        const std::int64_t rest = macs % (2 * row);
        to.macLoop(0, std::min(rest, row));
        to.macLoop(1, std::max<std::int64_t>(0, rest - row));
        return to.finish(registers);
    }
    const int period = plan.alternates() ? 2 : 1;
    const std::int64_t full = plan.tiles() - (plan.lastBursts() < registers ? 1 : 0), turns = full / period;
    if (turns > 0) {
        for (int odd = 0; odd < period; ++odd)
            tile(to, plan, odd, registers, true);
        to.loop(0, turns);
    }
    for (std::int64_t t = turns * period; t < plan.tiles(); ++t)
        tile(to, plan, int(t % 2), t + 1 < plan.tiles() ? registers : plan.lastBursts(), false);
    return to.finish(registers);
}

std::vector<std::uint32_t> scalars(const CodePlan& plan) {
    const int registers = plan.machine().registers, groups = plan.groupsOfRow();
    Assembler to;
    for (int scalar = 0; scalar < CodePlan::kScalars; ++scalar) {
        const int bank = (scalar + groups / 2) / groups % 2; // tiles begin in the middle of a row
        to.add(I::arithmetic(I::Mac, I::GrfB, bankPlace(bank), I::SrfM, true, {0, 0, scalar}));
    }
    to.loop(0, plan.tiles());
    return to.finish(registers);
}

std::uint32_t move(int target, I::Place source, bool relu) {
    return I::arithmetic(I::Mov, I::GrfA, source, I::AOut, false, {target, target}) | std::uint32_t(relu)
                                                                                          << 12;
}

/// All bursts of a register, then those of the next.
std::vector<std::uint32_t> sumOfOneRow(const CodePlan& plan) {
    Assembler to;
    for (int result = 0; result < plan.results(); ++result) {
        const int reg = plan.oneRowRegister(result);
        const std::size_t first = to.size();
        to.add(I::arithmetic(I::Add, I::GrfA, I::GrfA, I::EvenBank, false, {reg, reg}));
        to.loop(first, plan.steps());
    }
    return to.end();
}

std::vector<std::uint32_t> mapOfOneRow(const CodePlan& plan, const MapFunction& function) {
    Assembler to;
    for (int result = 0; result < plan.results(); ++result) {
        const int reg = plan.oneRowRegister(result);
        to.add(move(reg, I::EvenBank, function.reluFirst));
        for (const bool multiplies : function.multiplies)
            to.add(I::arithmetic(multiplies ? I::Mul : I::Add, I::GrfA, I::GrfA, I::EvenBank, false,
                                 {reg, reg}));
        if (function.reluLast)
            to.add(move(reg, I::GrfA, true));
    }
    return to.end();
}

std::vector<std::uint32_t> sum(const CodePlan& plan) {
    if (plan.oneRow())
        return sumOfOneRow(plan);
    const std::int64_t row = plan.groupsOfRow(), pairs = plan.steps() / (2 * row);
    Assembler to;
    const auto adds = [&](std::int64_t from, std::int64_t end) {
        for (std::int64_t step = from; step < end; ++step)
            to.add(I::arithmetic(I::Add, I::GrfB, I::GrfB, bankPlace(int(step / row % 2)), true));
    };
    if (pairs > 0) {
        adds(0, 2 * row);
        to.loop(0, pairs);
    }
    adds(0, plan.steps() % (2 * row));
    if (plan.registerAdditions() > 0)
        for (int half = plan.machine().registers / 2; half >= plan.sumVectors(); half /= 2)
            for (int reg = 0; reg < half; ++reg)
                to.add(I::arithmetic(I::Add, I::GrfB, I::GrfB, I::GrfB, false, {reg, reg, reg + half}));
    return to.finish(plan.machine().registers);
}

std::vector<std::uint32_t> map(const CodePlan& plan, const MapFunction& function) {
    if (plan.oneRow())
        return mapOfOneRow(plan, function);
    constexpr I::Place kFiles[] = {I::GrfA, I::GrfB};
    const int registers = plan.machine().registers;
    Assembler to;
    for (int file = 0; file < 2; ++file)
        to.fill(kFiles[file], bankPlace(file), function.reluFirst);
    for (std::size_t operand = 1; operand <= function.multiplies.size(); ++operand)
        for (int file = 0; file < 2; ++file)
            to.add(I::arithmetic(function.multiplies[operand - 1] ? I::Mul : I::Add, kFiles[file],
                                 kFiles[file], bankPlace((int(operand) + file) % 2), true));
    if (function.reluLast)
        for (const I::Place file : kFiles)
            to.fill(file, file, true);
    if (plan.units() == 1)
        return to.finish(2 * registers);
    to.add(I::nop(2 * registers - 1));
    to.loop(0, plan.units());
    return to.finish(1);
}

} // namespace

Result<MapFunction> MapFunction::of(const Kernel& kernel, int operands) {
    MapFunction function;
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= kernel.function.size();) {
        const std::size_t end = std::min(kernel.function.find('+', begin), kernel.function.size());
        names.push_back(kernel.function.substr(begin, end - begin));
        begin = end + 1;
    }
    const auto unsupported = [&](const std::string& what) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("function \"{}\" of {} operands: {}", kernel.function, operands, what),
                    kernel.name, "the blocks add, multiply, copy and rectify");
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == "add" || names[i] == "mul")
            function.multiplies.push_back(names[i] == "mul");
        else if (names[i] == "relu" && (i == 0 || i + 1 == names.size()))
            (i + 1 == names.size() && i > 0 ? function.reluLast : function.reluFirst) = true;
        else if (names[i] != "copy")
            return unsupported(fmt::format("\"{}\" cannot be done there", names[i]));
    }
    if (int(function.multiplies.size()) != operands - 1)
        return unsupported(fmt::format("{} operations with two operands", function.multiplies.size()));
    constexpr int kMostOperands = 10; // of which the instructions fit
    if (operands > kMostOperands)
        return unsupported(fmt::format("at most {} operands", kMostOperands));
    return function;
}

std::vector<std::uint32_t> microprogram(const CodePlan& plan, const MapFunction& function) {
    switch (plan.form()) {
    case Form::Lanes:
        return lanes(plan);
    case Form::Scalars:
        return scalars(plan);
    case Form::Sum:
        return sum(plan);
    case Form::Map:
        break;
    }
    return map(plan, function);
}

} // namespace pim::hbm
