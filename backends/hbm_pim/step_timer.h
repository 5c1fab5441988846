// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long commands of all blocks take, by their distances alone: a sink of ComputeStream for prices. As all
/// blocks do the same, a dozen numbers are the state of the channel; loops are followed until a turn begins
/// as the one before did, the rest is multiplied. Agrees with the controller `strict` without refresh.
#include "backends/hbm_pim/hbm_pim_machine.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace pim::hbm {

class StepTimer {
public:
    static constexpr bool kSweepsAreAlike = true;
    using Number = std::int64_t; ///< Rows and columns do not matter to time; banks are the same in all turns.

    explicit StepTimer(const Distances& distances);
    Number loop(std::int64_t turns);
    void end();
    void operator()(std::string_view opcode, std::initializer_list<Number> operands);
    void run(std::string_view opcode, int bank, Number row, Number column, std::int64_t count);

    /// Clocks so far, the last command and all data included. What follows is of the next phase and waits for
    /// them.
    std::int64_t phaseDone();

private:
    enum class Kind : std::uint8_t { Open, Close, Read, Write, Loop, End };
    struct Step {
        Kind kind;
        int bank;
        std::int64_t count;  ///< Of commands, or turns.
        std::size_t partner; ///< Loop: its end.
    };
    /// When what was last issued: to any bank, to the even ones, to the odd ones.
    using Times = std::array<std::int64_t, 3>;
    struct State {
        Times open, close, read, write;
        friend bool operator==(const State&, const State&) = default;
    };

    static Kind kindOf(std::string_view opcode);
    void add(Kind kind, int bank, std::int64_t count);
    void issue(const Step& step);
    void walk(std::size_t begin, std::size_t end);
    void walkLoop(std::size_t head);
    State relative() const;
    void skip(std::int64_t ticks);

    Distances m_distances;
    std::vector<Step> m_steps;        ///< Of the loops that are open.
    std::vector<std::size_t> m_heads; ///< Of these loops.
    State m_last;
    std::int64_t m_now = -1, m_dataEnd = 0;
};

} // namespace pim::hbm
