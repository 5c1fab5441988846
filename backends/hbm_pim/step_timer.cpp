// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/step_timer.h"

#include "core/base/result.h"

namespace pim::hbm {
namespace {

constexpr std::int64_t kLongAgo = -1'000'000; // no distance is that long
constexpr std::int64_t kMostTurns = 16;       // that a loop is followed: it has settled by then

} // namespace

StepTimer::StepTimer(const Distances& distances) : m_distances(distances) {
    for (Times* times : {&m_last.open, &m_last.close, &m_last.read, &m_last.write})
        times->fill(kLongAgo);
}

StepTimer::Kind StepTimer::kindOf(std::string_view opcode) {
    return opcode == "ACT_AB"   ? Kind::Open
           : opcode == "PRE_AB" ? Kind::Close
           : opcode == "RD_AB"  ? Kind::Read
                                : Kind::Write;
}

StepTimer::Number StepTimer::loop(std::int64_t turns) {
    m_heads.push_back(m_steps.size());
    m_steps.push_back({Kind::Loop, 0, turns, 0});
    return 0;
}

void StepTimer::end() {
    PIM_ASSERT(!m_heads.empty(), "a loop is open");
    m_steps[m_heads.back()].partner = m_steps.size();
    m_steps.push_back({Kind::End, 0, 0, 0});
    m_heads.pop_back();
    if (!m_heads.empty())
        return;
    walk(0, m_steps.size());
    m_steps.clear();
}

void StepTimer::operator()(std::string_view opcode, std::initializer_list<Number> operands) {
    add(kindOf(opcode), int(*operands.begin()), 1);
}

void StepTimer::run(std::string_view opcode, int bank, Number, Number, std::int64_t count) {
    if (count > 0)
        add(kindOf(opcode), bank, count);
}

std::int64_t StepTimer::phaseDone() {
    m_now = std::max(m_now, m_dataEnd - 1);
    return m_now + 1;
}

void StepTimer::add(Kind kind, int bank, std::int64_t count) {
    const Step step{kind, bank, count, 0};
    m_heads.empty() ? issue(step) : m_steps.push_back(step);
}

void StepTimer::issue(const Step& step) {
    const Distances& d = m_distances;
    const std::size_t bank = std::size_t(step.bank) + 1;
    std::int64_t tick = m_now + 1;
    const auto after = [&tick](std::int64_t last, std::int64_t distance) {
        tick = std::max(tick, last + distance);
    };
    Times* times = nullptr;
    switch (step.kind) {
    case Kind::Open:
        after(m_last.open[0], d.openAllToOpen());
        after(m_last.open[bank], d.openAgain + d.allBankWindow);
        after(m_last.close[bank], d.closeToOpen);
        times = &m_last.open;
        break;
    case Kind::Close:
        after(m_last.open[bank], d.openToClose + d.allBankWindow);
        after(m_last.read[bank], d.readToClose);
        after(m_last.write[bank], d.writeToClose);
        times = &m_last.close;
        break;
    case Kind::Read:
        after(m_last.open[bank], d.openToRead + d.allBankWindow);
        after(m_last.read[0], d.column);
        after(m_last.write[0], d.writeToRead);
        times = &m_last.read;
        break;
    default:
        after(m_last.open[bank], d.openToWrite + d.allBankWindow);
        after(m_last.write[0], d.column);
        after(m_last.read[0], d.readToWrite);
        times = &m_last.write;
        break;
    }
    m_now = tick + (step.count - 1) * d.column;
    (*times)[0] = (*times)[bank] = m_now;
    if (step.kind == Kind::Read || step.kind == Kind::Write)
        m_dataEnd = std::max(m_dataEnd, m_now + (step.kind == Kind::Read ? d.readDone : d.writeDone));
}

void StepTimer::walk(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
        if (m_steps[at].kind == Kind::Loop) {
            walkLoop(at);
            at = m_steps[at].partner;
        } else {
            issue(m_steps[at]);
        }
    }
}

void StepTimer::walkLoop(std::size_t head) {
    const std::int64_t turns = m_steps[head].count;
    State before = relative();
    for (std::int64_t turn = 1; turn <= turns; ++turn) {
        const std::int64_t began = m_now;
        walk(head + 1, m_steps[head].partner);
        const State after = relative();
        if (after == before || turn == kMostTurns)
            return skip((turns - turn) * (m_now - began));
        before = after;
    }
}

/// What can still matter, counted from the last command.
StepTimer::State StepTimer::relative() const {
    State state = m_last;
    for (Times* times : {&state.open, &state.close, &state.read, &state.write})
        for (std::int64_t& tick : *times)
            tick = std::max<std::int64_t>(tick - m_now, -1000);
    return state;
}

void StepTimer::skip(std::int64_t ticks) {
    m_now += ticks;
    m_dataEnd += ticks;
    for (Times* times : {&m_last.open, &m_last.close, &m_last.read, &m_last.write})
        for (std::int64_t& tick : *times)
            tick += ticks;
}

} // namespace pim::hbm
