// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/rows_addressed.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace pim {

BankMemory memoryOf(const Target& target) {
    const auto bytes = [&target](const char* parameter) {
        return target.parameters.contains(parameter)
                   ? static_cast<std::int64_t>(target.number(parameter, "B").value_or(0))
                   : 0;
    };
    BankMemory memory{bytes("organisation.rowBytes"), bytes("organisation.accessBytes"), kMostRows};
    const auto banks = static_cast<std::int64_t>(target.numberOr("organisation.banksPerCore", 1));
    const Level* const core = target.level("core");
    if (const Memory* const bank = core ? core->memory("bank") : nullptr;
        bank && memory.rowBytes > 0 && banks > 0)
        memory.rows = bank->bytes / banks / memory.rowBytes;
    return memory;
}

namespace {

/// Finds the greatest row in which a program accesses data. Accesses that carry constants of the code (tensor
/// -1) are settings of units, and activations alone switch modes: neither touches memory.
class RowsAddressed {
    static constexpr std::int64_t kBeyondAll = std::numeric_limits<std::int64_t>::max() - 1;

public:
    RowsAddressed(const Program& program, std::int64_t limit) : m_program(program), m_limit(limit) {
        for (const Phase& phase : program.phases)
            for (const Stream& stream : phase.streams)
                look(stream.items);
    }
    std::int64_t rows() const { return m_rows; } ///< One more than the greatest; 0: no data is accessed.

private:
    void look(const std::vector<ProgramItem>& items) {
        for (const ProgramItem& item : items) {
            if (item.body.empty()) {
                look(item);
                continue;
            }
            m_turns.push_back(item.repeat);
            look(item.body);
            m_turns.pop_back();
        }
    }
    void look(const ProgramItem& item) {
        const auto row = operand(item.command, "row"), tensor = operand(item.command, "tensor");
        if (!row || !operand(item.command, "col") || (tensor && item.command.operands[*tensor] == -1) ||
            item.command.operands[*row] >= m_limit)
            return;
        std::int64_t last = item.command.operands[*row], moved = 0;
        for (std::size_t loop = 0; loop < item.strides.size() && loop < m_turns.size(); ++loop)
            if (*row < item.strides[loop].size() &&
                (__builtin_mul_overflow(std::max<std::int64_t>(0, item.strides[loop][*row]),
                                        m_turns[loop] - 1, &moved) ||
                 __builtin_add_overflow(last, moved, &last)))
                last = kBeyondAll;
        m_rows = std::max(m_rows, std::min(last, kBeyondAll) + 1);
    }
    std::optional<std::size_t> operand(const Command& command, const char* wanted) const {
        const auto& names = m_program.opcodes[command.opcode].operands;
        const auto at = std::find(names.begin(), names.end(), wanted);
        return at == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - names.begin()));
    }

    const Program& m_program;
    std::int64_t m_limit;
    std::vector<std::int64_t> m_turns;
    std::int64_t m_rows = 0;
};

} // namespace

std::int64_t rowsAddressed(const Program& program, std::int64_t limit) {
    return RowsAddressed(program, limit).rows();
}

} // namespace pim
