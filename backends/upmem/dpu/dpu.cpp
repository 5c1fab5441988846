// SPDX-License-Identifier: GPL-3.0-or-later
// A cycle, in this order [uPIMulator 870d916, golang, Logic.Cycle]: a tasklet issues; the pipeline hands its oldest instruction to
// the register stage; that stage lets one go, and a DMA leaves for the engine; a DMA that is through wakes its tasklet; pipeline
// and register stage move on.
#include "backends/upmem/dpu/dpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <deque>

namespace pim::upmem {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kCheckEvery = 1 << 22; ///< Cycles between two looks at whether to stop.
constexpr std::uint32_t kEvenRegisters = 0x55555555;

/// Of \p registers, which are rarely more than one: without an option for newer processors counting bits is a call.
int pairsIn(std::uint32_t registers) {
    return (registers & (registers - 1)) == 0 ? 0 : std::popcount(registers) / 2;
}

/// An instruction on its way through the pipeline.
struct Slot {
    std::int8_t tasklet = -1; ///< -1: none.
    std::int8_t extra = 0;    ///< Cycles the register stage takes longer for it.
    bool isDma = false;
    bool empty() const { return tasklet < 0; }
};

/// The stages between issue and the register stage: as many as places, filled with nothing at first.
class Pipeline {
public:
    explicit Pipeline(int stages) : m_places(std::size_t(stages - 1)), m_count(stages - 1) {}

    bool takes() const { return !m_hasInput; }
    void push(Slot slot) {
        m_input = slot;
        m_hasInput = true;
        m_inside += 1;
    }
    bool gives() const { return m_hasOutput; }
    Slot pop() {
        m_hasOutput = false;
        m_inside -= m_output.empty() ? 0 : 1;
        return m_output;
    }
    bool isEmpty() const { return m_inside == 0; }
    void move() {
        if (m_count < int(m_places.size())) {
            const int at = m_first + m_count, places = int(m_places.size());
            m_places[std::size_t(at < places ? at : at - places)] = m_hasInput ? m_input : Slot{};
            m_hasInput = false;
            ++m_count;
        }
        if (!m_hasOutput && m_count > 0) {
            m_output = m_places[std::size_t(m_first)];
            m_hasOutput = true;
            m_first = m_first + 1 == int(m_places.size()) ? 0 : m_first + 1;
            --m_count;
        }
    }
    /// As after many cycles without an instruction.
    void settle() { m_count = std::min(m_count, int(m_places.size()) - 1); }

private:
    std::vector<Slot> m_places;
    int m_first = 0, m_count;
    Slot m_input, m_output;
    bool m_hasInput = false, m_hasOutput = true;
    int m_inside = 0; ///< Instructions, not empty places.
};

/// Where registers are read: an instruction that reads two of one bank stays longer.
class RegisterStage {
public:
    bool takes() const { return !m_hasInput; }
    void push(Slot slot) {
        m_input = slot;
        m_hasInput = true;
    }
    bool gives() const { return m_hasOutput; }
    Slot pop() {
        m_hasOutput = false;
        return m_output;
    }
    bool isEmpty() const { return !m_hasInput && !m_waits && !m_hasOutput; }
    void move() {
        if (m_hasInput && !m_waits) {
            m_inside = m_input;
            m_timer = m_input.extra;
            m_waits = true;
            m_hasInput = false;
        }
        if (m_waits && m_timer == 0 && !m_hasOutput) {
            m_output = m_inside;
            m_hasOutput = true;
            m_waits = false;
        }
        m_timer -= m_timer > 0 ? 1 : 0;
    }

private:
    Slot m_input, m_inside, m_output;
    bool m_hasInput = false, m_waits = false, m_hasOutput = false;
    int m_timer = 0;
};

enum class State : std::uint8_t { Runs, Dma, Asleep, Ended };

struct Tasklet {
    std::array<std::uint32_t, kRegisters> registers{};
    std::uint32_t lastWrites = 0; ///< Registers the instruction before wrote.
    int next = 0;
    State state = State::Asleep;
    bool carry = false;
    std::int64_t lastIssue = -1;
    std::int64_t since = 0; ///< Begin of the current stretch.
    std::int64_t freed = 0; ///< Since when it may issue as far as its state goes.
    int dmaInstruction = 0; ///< Under way.
};

class Machine {
public:
    Machine(const DpuProgram& program, int tasklets, const DpuTiming& timing, std::span<std::uint8_t> wram,
            std::span<std::uint8_t> mram, const DpuRunOptions& options)
        : m_program(program), m_timing(timing), m_options(options), m_wram(wram), m_mram(mram),
          m_tasklets(std::size_t(tasklets)), m_pipeline(timing.pipelineStages), m_engine(timing) {
        m_uses.reserve(program.code.size());
        for (const DpuInstruction& in : program.code)
            m_uses.push_back(registerUse(in));
        m_run.tasklets.resize(std::size_t(tasklets));
        m_run.issuedAt.resize(program.code.size());
        m_tasklets[0].state = State::Runs;
        m_running = 1;
    }

    Result<DpuRun> run(const TaskContext& task);

private:
    void issue();
    void issueOf(int tasklet);
    /// The tasklet that issues in this cycle, in turns; -1: none can.
    int chosen();
    Result<void> leave();
    bool isQuiet() const { return m_pipeline.isEmpty() && m_registerStage.isEmpty() && m_dmaInput.empty(); }
    Result<void> skip();
    void wait(std::int64_t from, std::int64_t to);
    void become(int tasklet, State state);
    void account(int tasklet, std::int64_t until);

    Result<void> startDma(int tasklet);
    void endDma(int tasklet);

    std::uint32_t value(const Tasklet& t, int id, DpuReg r) const {
        switch (r) {
        case DpuReg::Zero:
            return 0;
        case DpuReg::Id:
            return std::uint32_t(id);
        case DpuReg::Id4:
            return std::uint32_t(id) * 4;
        case DpuReg::Id8:
            return std::uint32_t(id) * 8;
        default:
            return t.registers[std::size_t(r)];
        }
    }
    void set(Tasklet& t, DpuReg r, std::uint32_t v) {
        if (isGeneral(r))
            t.registers[std::size_t(r)] = v;
    }
    void execute(int id);
    std::uint32_t compute(Tasklet& t, const DpuInstruction& in, std::uint32_t a, std::uint32_t b);
    std::uint32_t access(int id, Tasklet& t, const DpuInstruction& in, std::uint32_t a);
    bool synchronise(int id, const DpuInstruction& in, std::uint32_t a);
    static bool holds(DpuCondition condition, std::uint32_t result, std::uint32_t a, std::uint32_t b);

    void refuse(int tasklet, int instruction, std::string message, std::string hint = {}) {
        if (m_wrong)
            return;
        m_wrong = Error{ErrorCode::InvalidKernel, std::move(message),
                        fmt::format("{}, tasklet {}, instruction {} ({})", m_program.name, tasklet,
                                    instruction, text(m_program.code[std::size_t(instruction)])),
                        std::move(hint)};
    }

    const DpuProgram& m_program;
    const DpuTiming& m_timing;
    const DpuRunOptions& m_options;
    std::span<std::uint8_t> m_wram, m_mram;
    std::vector<RegisterUse> m_uses;
    std::vector<Tasklet> m_tasklets;
    std::array<std::int8_t, kLocks> m_holders = [] {
        std::array<std::int8_t, kLocks> none{};
        none.fill(-1);
        return none;
    }();
    Pipeline m_pipeline;
    RegisterStage m_registerStage;
    MramEngine m_engine;
    std::deque<int> m_dmaInput; ///< Tasklets whose DMA has left the pipeline.
    int m_turn = 0;             ///< Tasklet that is asked first.
    int m_running = 0, m_ended = 0, m_inDma = 0;
    std::int64_t m_cycle = 0;
    std::optional<Error> m_wrong;
    DpuRun m_run;
};

// ---- Time ----

Result<DpuRun> Machine::run(const TaskContext& task) {
    std::int64_t nextCheck = kCheckEvery;
    const int all = int(m_tasklets.size());
    while (m_ended < all || !isQuiet() || !m_engine.isIdle()) {
        issue();
        if (m_pipeline.gives() && m_registerStage.takes())
            if (const Slot slot = m_pipeline.pop(); !slot.empty())
                m_registerStage.push(slot);
        if (m_registerStage.gives())
            if (const Slot slot = m_registerStage.pop(); slot.isDma)
                m_dmaInput.push_back(slot.tasklet);
        if (m_inDma > 0)
            if (const int through = m_engine.take(m_cycle); through >= 0)
                endDma(through);
        m_pipeline.move();
        m_registerStage.move();
        if (!m_dmaInput.empty()) {
            const int tasklet = m_dmaInput.front();
            m_dmaInput.pop_front();
            PIM_CHECK(startDma(tasklet));
        }
        if (m_wrong)
            return tl::unexpected<Error>(*m_wrong);
        ++m_cycle;
        if (isQuiet())
            PIM_CHECK(skip());
        if (m_cycle >= nextCheck) {
            nextCheck = m_cycle + kCheckEvery;
            if (task.cancelled())
                return TaskContext::cancelledError("the run of " + m_program.name);
            if (m_cycle > m_options.mostCycles)
                return fail(ErrorCode::InvalidKernel,
                            fmt::format("it runs for more than {} cycles", m_options.mostCycles),
                            m_program.name, "its loops may never end; else allow more cycles");
        }
    }
    for (int i = 0; i < all; ++i)
        account(i, m_cycle);
    m_run.cycles = m_cycle;
    m_run.mram = m_engine.counts();
    return std::move(m_run);
}

int Machine::chosen() {
    const int count = int(m_tasklets.size());
    for (int i = 0, at = m_turn; i < count; ++i, at = at + 1 == count ? 0 : at + 1) {
        const Tasklet& t = m_tasklets[std::size_t(at)];
        if (t.state == State::Runs && m_cycle - t.lastIssue >= m_timing.revolverCycles)
            return at;
    }
    return -1;
}

void Machine::issue() {
    if (!m_pipeline.takes() || !m_registerStage.takes()) {
        ++m_run.heldUp;
        return;
    }
    if (const int tasklet = m_running > 0 ? chosen() : -1; tasklet >= 0) {
        m_turn = tasklet + 1 == int(m_tasklets.size()) ? 0 : tasklet + 1;
        issueOf(tasklet);
        return;
    }
    wait(m_cycle, m_cycle + 1);
}

/// No tasklet issues from cycle \p from until \p to: is it for a DMA?
void Machine::wait(std::int64_t from, std::int64_t to) {
    std::int64_t dmaFrom = to;
    if (m_inDma > 0)
        for (const Tasklet& t : m_tasklets)
            if (t.state == State::Dma)
                dmaFrom = std::min(dmaFrom, t.lastIssue + m_timing.revolverCycles);
    dmaFrom = std::clamp(dmaFrom, from, to);
    m_run.waitedElse += dmaFrom - from;
    m_run.waitedDma += to - dmaFrom;
}

void Machine::issueOf(int tasklet) {
    Tasklet& t = m_tasklets[std::size_t(tasklet)];
    const int at = t.next;
    const DpuInstruction& in = m_program.code[std::size_t(at)];
    const RegisterUse& use = m_uses[std::size_t(at)];
    const std::uint32_t banks = use.reads | t.lastWrites;
    Slot slot{static_cast<std::int8_t>(tasklet),
              static_cast<std::int8_t>(pairsIn(banks & kEvenRegisters) + pairsIn(banks & ~kEvenRegisters)),
              in.op == DpuOp::Ldma || in.op == DpuOp::Sdma};
    t.lastWrites = use.writes;
    m_run.conflicts += slot.extra;
    TaskletTime& time = m_run.tasklets[std::size_t(tasklet)];
    // Since its last instruction, or since it was woken, it was held back by the revolver first and by others then.
    const std::int64_t could = std::clamp(t.lastIssue + m_timing.revolverCycles, t.freed, m_cycle);
    time.revolver += could - t.freed;
    time.ready += m_cycle - could;
    ++time.issued;
    t.freed = m_cycle + 1;
    t.lastIssue = m_cycle;
    ++m_run.issued;
    ++m_run.instructions;
    ++m_run.issuedAt[std::size_t(at)];
    m_pipeline.push(slot);
    if (slot.isDma) {
        t.dmaInstruction = at;
        ++t.next;
        become(tasklet, State::Dma);
        return;
    }
    execute(tasklet);
    if (t.next < 0 || t.next >= std::ssize(m_program.code))
        if (t.state != State::Ended)
            refuse(tasklet, at,
                   fmt::format("the program goes on at {}, it has {} instructions", t.next,
                               m_program.code.size()),
                   "end it with exit");
}

/// Nothing is under way but DMAs in the memory: on to the next cycle in which something can happen.
Result<void> Machine::skip() {
    m_pipeline.settle();
    std::int64_t next = m_inDma > 0 ? m_engine.nextCycle() : kNever;
    if (m_running > 0)
        for (const Tasklet& t : m_tasklets)
            if (t.state == State::Runs)
                next = std::min(next, t.lastIssue + m_timing.revolverCycles);
    if (next == kNever) {
        if (m_ended == int(m_tasklets.size()))
            return {};
        const auto stuck = std::ranges::find(m_tasklets, State::Asleep, &Tasklet::state);
        return fail(ErrorCode::InvalidKernel,
                    fmt::format("{} of {} tasklets wait forever; tasklet {} at instruction {}",
                                std::ranges::count(m_tasklets, State::Asleep, &Tasklet::state),
                                m_tasklets.size(), stuck - m_tasklets.begin(), stuck->next),
                    m_program.name, "every stop needs a resume");
    }
    if (next > m_cycle) {
        wait(m_cycle, next);
        m_cycle = next;
    }
    return {};
}

/// Counts the time of a tasklet since it was last looked at.
void Machine::account(int tasklet, std::int64_t until) {
    Tasklet& t = m_tasklets[std::size_t(tasklet)];
    TaskletTime& time = m_run.tasklets[std::size_t(tasklet)];
    if (t.state == State::Dma)
        time.dma += until - t.freed;
    else if (t.state != State::Runs)
        time.asleep += until - t.freed;
    else
        time.ready += until - t.freed;
    t.freed = until;
}

void Machine::become(int tasklet, State state) {
    Tasklet& t = m_tasklets[std::size_t(tasklet)];
    // An instruction that changes the state takes the cycle it is issued in; being woken counts from the next one on.
    const std::int64_t now = m_cycle + 1;
    if (t.state != State::Runs)
        account(tasklet, now);
    if (m_options.logsSpans && now > t.since) {
        const auto kind = t.state == State::Runs  ? TaskletSpan::Kind::Running
                          : t.state == State::Dma ? TaskletSpan::Kind::Dma
                                                  : TaskletSpan::Kind::Asleep;
        m_run.spans.push_back(
            {t.since, now, tasklet, kind,
             t.state == State::Dma ? m_program.code[std::size_t(t.dmaInstruction)].imm : 0});
        t.since = now;
    }
    m_running += (state == State::Runs) - (t.state == State::Runs);
    m_inDma += (state == State::Dma) - (t.state == State::Dma);
    m_ended += (state == State::Ended) - (t.state == State::Ended);
    t.state = state;
}

// ---- DMA ----

Result<void> Machine::startDma(int tasklet) {
    Tasklet& t = m_tasklets[std::size_t(tasklet)];
    const DpuInstruction& in = m_program.code[std::size_t(t.dmaInstruction)];
    const std::int64_t wram = value(t, tasklet, in.ra), mram = value(t, tasklet, in.rb);
    const std::int64_t bytes = in.imm != 0 ? in.imm : std::int64_t(value(t, tasklet, in.rc));
    const auto wrong = [&](std::string message, std::string hint) {
        refuse(tasklet, t.dmaInstruction, std::move(message), std::move(hint));
        return tl::unexpected<Error>(*m_wrong);
    };
    if (bytes < kLeastDmaBytes || bytes > kMostDmaBytes || bytes % kDmaAlignment != 0)
        return wrong(fmt::format("a DMA of {} bytes; {} to {} in steps of {} are possible", bytes,
                                 kLeastDmaBytes, kMostDmaBytes, kDmaAlignment),
                     "cut it into pieces; on the chip a length of 0 moves 2048 bytes");
    if (wram % kDmaAlignment != 0 || mram % kDmaAlignment != 0)
        return wrong(fmt::format("a DMA between WRAM {} and MRAM {}: both must be multiples of {}", wram,
                                 mram, kDmaAlignment),
                     "align the buffers; the chip drops the low bits");
    if (wram + bytes > m_timing.wramBytes)
        return wrong(
            fmt::format("a DMA of {} bytes at WRAM {}, which has {}", bytes, wram, m_timing.wramBytes),
            "use smaller buffers or fewer tasklets");
    if (mram + bytes > kMramBytes)
        return wrong(fmt::format("a DMA of {} bytes at MRAM {}, which has {}", bytes, mram, kMramBytes),
                     "give the DPU less data");
    const bool isWrite = in.op == DpuOp::Sdma;
    if (isWrite)
        std::memcpy(&m_mram[std::size_t(mram)], &m_wram[std::size_t(wram)], std::size_t(bytes));
    m_engine.add(m_cycle, tasklet, mram, int(bytes), isWrite);
    return {};
}

void Machine::endDma(int tasklet) {
    const Tasklet& t = m_tasklets[std::size_t(tasklet)];
    const DpuInstruction& in = m_program.code[std::size_t(t.dmaInstruction)];
    if (in.op == DpuOp::Ldma) {
        const std::size_t wram = value(t, tasklet, in.ra), mram = value(t, tasklet, in.rb);
        std::memcpy(&m_wram[wram], &m_mram[mram],
                    in.imm != 0 ? std::size_t(in.imm) : value(t, tasklet, in.rc));
    }
    become(tasklet, State::Runs);
}

// ---- Numbers ----

bool Machine::holds(DpuCondition condition, std::uint32_t result, std::uint32_t a, std::uint32_t b) {
    switch (condition) {
    case DpuCondition::Never:
        return false;
    case DpuCondition::Always:
        return true;
    case DpuCondition::Zero:
        return result == 0;
    case DpuCondition::NotZero:
        return result != 0;
    case DpuCondition::Minus:
        return std::int32_t(result) < 0;
    case DpuCondition::Plus:
        return std::int32_t(result) >= 0;
    case DpuCondition::Equal:
        return a == b;
    case DpuCondition::NotEqual:
        return a != b;
    case DpuCondition::Less:
        return std::int32_t(a) < std::int32_t(b);
    case DpuCondition::NotLess:
        return std::int32_t(a) >= std::int32_t(b);
    case DpuCondition::LessUnsigned:
        return a < b;
    case DpuCondition::NotLessUnsigned:
        return a >= b;
    }
    return false;
}

void Machine::execute(int id) {
    Tasklet& t = m_tasklets[std::size_t(id)];
    const int at = t.next++;
    const DpuInstruction& in = m_program.code[std::size_t(at)];
    const std::uint32_t a = value(t, id, in.ra);
    const std::uint32_t b = in.useImm ? std::uint32_t(in.imm) : value(t, id, in.rb);
    std::uint32_t result = 0;
    if (in.op >= DpuOp::Add && in.op <= DpuOp::Cao) {
        result = compute(t, in, a, b);
    } else if (in.op >= DpuOp::Lb && in.op <= DpuOp::Sd) {
        result = access(id, t, in, a + b);
    } else {
        switch (in.op) {
        case DpuOp::Acquire:
        case DpuOp::Release:
        case DpuOp::Resume:
            result = synchronise(id, in, a + b) ? 0 : 1;
            break;
        case DpuOp::Stop:
            become(id, State::Asleep);
            break;
        case DpuOp::Exit:
            become(id, State::Ended);
            return;
        case DpuOp::Call:
            set(t, in.rc, std::uint32_t(t.next));
            break;
        case DpuOp::Jump:
            if (in.condition == DpuCondition::Never)
                t.next = int(a);
            break;
        default:
            break;
        }
    }
    if (holds(in.condition, result, a, b))
        t.next = in.target;
}

std::uint32_t Machine::compute(Tasklet& t, const DpuInstruction& in, std::uint32_t a, std::uint32_t b) {
    std::uint64_t wide = 0;
    std::uint32_t result = 0;
    switch (in.op) {
    case DpuOp::Add:
    case DpuOp::AddC:
        wide = std::uint64_t(a) + b + (in.op == DpuOp::AddC && t.carry ? 1 : 0);
        result = std::uint32_t(wide);
        t.carry = wide >> 32 != 0;
        break;
    case DpuOp::Sub:
    case DpuOp::SubC:
        wide = std::uint64_t(a) + std::uint32_t(~b) + (in.op == DpuOp::SubC ? (t.carry ? 1 : 0) : 1);
        result = std::uint32_t(wide);
        t.carry = wide >> 32 != 0;
        break;
    case DpuOp::And:
        result = a & b;
        break;
    case DpuOp::Or:
        result = a | b;
        break;
    case DpuOp::Xor:
        result = a ^ b;
        break;
    case DpuOp::Lsl:
        result = a << (b & 31);
        break;
    case DpuOp::Lsr:
        result = a >> (b & 31);
        break;
    case DpuOp::Asr:
        result = std::uint32_t(std::int32_t(a) >> (b & 31));
        break;
    case DpuOp::MulU8:
        result = (a & 0xff) * (b & 0xff);
        break;
    case DpuOp::MulS8:
        result = std::uint32_t(std::int32_t(std::int8_t(a)) * std::int32_t(std::int8_t(b)));
        break;
    case DpuOp::MulShUl:
        result = std::uint32_t(std::int32_t(std::int8_t(a >> 8)) * std::int32_t(b & 0xff));
        break;
    case DpuOp::MulShSh:
        result = std::uint32_t(std::int32_t(std::int8_t(a >> 8)) * std::int32_t(std::int8_t(b >> 8)));
        break;
    case DpuOp::MulStep: {
        std::uint32_t& rest = t.registers[std::size_t(in.rc)];
        std::uint32_t& sum = t.registers[std::size_t(in.rc) + 1];
        if (rest & 1)
            sum += a << in.imm;
        rest >>= 1;
        return rest;
    }
    case DpuOp::DivStep: {
        std::uint32_t& rest = t.registers[std::size_t(in.rc)];
        std::uint32_t& quotient = t.registers[std::size_t(in.rc) + 1];
        const std::uint64_t subtracted = std::uint64_t(a) << in.imm;
        quotient <<= 1;
        if (subtracted <= rest) {
            rest -= std::uint32_t(subtracted);
            quotient |= 1;
        }
        return quotient;
    }
    case DpuOp::LslAdd:
        result = a + (b << (in.imm & 31));
        break;
    case DpuOp::Clz:
        result = std::uint32_t(std::countl_zero(a));
        break;
    case DpuOp::Cao:
        result = std::uint32_t(std::popcount(a));
        break;
    default:
        break;
    }
    set(t, in.rc, result);
    return result;
}

std::uint32_t Machine::access(int id, Tasklet& t, const DpuInstruction& in, std::uint32_t address) {
    static constexpr std::array<int, 10> kBytes{1, 1, 2, 2, 4, 8, 1, 2, 4, 8};
    const auto bytes = std::uint32_t(kBytes[std::size_t(in.op) - std::size_t(DpuOp::Lb)]);
    const int at = t.next - 1;
    if (address % bytes != 0 || std::uint64_t(address) + bytes > m_wram.size()) {
        refuse(id, at,
               address % bytes != 0
                   ? fmt::format("{} bytes at WRAM {}, no multiple of {}", bytes, address, bytes)
                   : fmt::format("{} bytes at WRAM {}, which has {}", bytes, address, m_wram.size()));
        return 0;
    }
    std::uint8_t* const place = &m_wram[address];
    const auto load = [place](auto sample) {
        std::memcpy(&sample, place, sizeof sample);
        return sample;
    };
    const std::uint32_t stored = value(t, id, in.rc);
    std::uint32_t result = 0;
    switch (in.op) {
    case DpuOp::Lb:
        result = std::uint32_t(std::int32_t(load(std::int8_t{})));
        break;
    case DpuOp::Lbu:
        result = load(std::uint8_t{});
        break;
    case DpuOp::Lh:
        result = std::uint32_t(std::int32_t(load(std::int16_t{})));
        break;
    case DpuOp::Lhu:
        result = load(std::uint16_t{});
        break;
    case DpuOp::Lw:
        result = load(std::uint32_t{});
        break;
    case DpuOp::Ld: {
        const auto pair = load(std::uint64_t{});
        t.registers[std::size_t(in.rc)] = std::uint32_t(pair);
        t.registers[std::size_t(in.rc) + 1] = std::uint32_t(pair >> 32);
        return std::uint32_t(pair);
    }
    case DpuOp::Sd: {
        const std::uint64_t pair =
            std::uint64_t(t.registers[std::size_t(in.rc) + 1]) << 32 | t.registers[std::size_t(in.rc)];
        std::memcpy(place, &pair, 8);
        return stored;
    }
    default: // Sb, Sh, Sw
        std::memcpy(place, &stored, bytes);
        return stored;
    }
    set(t, in.rc, result);
    return result;
}

/// Locks and wake-ups; did it work?
bool Machine::synchronise(int id, const DpuInstruction& in, std::uint32_t operand) {
    if (in.op == DpuOp::Resume) {
        if (operand >= m_tasklets.size() || m_tasklets[operand].state != State::Asleep)
            return false;
        become(int(operand), State::Runs);
        return true;
    }
    std::int8_t& holder = m_holders[operand % kLocks];
    if (in.op == DpuOp::Acquire) {
        if (holder >= 0)
            return false;
        holder = static_cast<std::int8_t>(id);
        return true;
    }
    if (holder != id)
        return false;
    holder = -1;
    return true;
}

} // namespace

Dpu::Dpu(DpuTiming timing)
    : m_timing(timing), m_wram(std::size_t(timing.wramBytes)),
      m_mram(static_cast<std::uint8_t*>(std::calloc(std::size_t(kMramBytes), 1))) {
    PIM_ASSERT(m_mram != nullptr, "there is room for an MRAM");
}

Result<DpuRun> Dpu::run(const DpuProgram& program, int tasklets, const DpuRunOptions& options,
                        const TaskContext& task) {
    if (tasklets < 1 || tasklets > kMaxTasklets)
        return fail(ErrorCode::InvalidKernel,
                    fmt::format("{} tasklets; a DPU has 1 to {}", tasklets, kMaxTasklets), program.name);
    PIM_CHECK(check(program));
    return Machine(program, tasklets, m_timing, m_wram, mram(), options).run(task);
}

} // namespace pim::upmem
