// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the operands of a kernel lie in the banks of HBM-PIM blocks, and in which order the blocks meet
/// them. All in closed form. Flow: kernel + draft -> [CodeLayout] -> commands (code_streams.h), layout,
/// numbers.
#include "backends/dram_pim/dot_walk.h"
#include "backends/dram_pim/machine.h"
#include "backends/hbm_pim/code_plan.h"
#include "core/dram_pim/pim_code.h"

namespace pim::hbm {

class CodeLayout final : public PimOperands, public CodePlan {
public:
    /// Error::Unsupported where the op cannot run so: says what is needed and what there is.
    static Result<std::shared_ptr<const CodeLayout>> create(const TilingSpace& space, const Draft& draft,
                                                            const Machine& machine,
                                                            const std::vector<Residency>& residency);

    void elements(int tensor, int group, std::int64_t burst,
                  std::span<std::int64_t, kPimLanes> lanes) const override;
    std::vector<PimPlace> places(int tensor, std::int64_t element) const override;

    const std::vector<int>& cores() const { return m_cores; } ///< That work, in any group.
    int groups() const { return m_groups; }
    int bankOf(int core, int bank) const {
        return 2 * m_machine.blockOf(core) + bank;
    } ///< \p bank 0 even, 1 odd.
    /// Number of a burst in a bank: of the tensors written there, and of results.
    std::int64_t bankBurst(int core, std::int64_t row, int bank, int column) const {
        return ((core * m_rows + row) * 2 + bank) * kColumns + column;
    }

private:
    struct BankPlace {
        int core = 0;
        std::int64_t row = 0;
        int bank = 0, column = 0;
    };
    /// Map: what is read.
    struct Operand {
        int tensor = -1;
        dram::DotWalk walk;
    };
    explicit CodeLayout(const TilingSpace& space) : m_kernel(space.kernel()) {}
    Result<void> planDots(const TilingSpace& space, const Draft& draft, const Machine& machine,
                          const std::vector<Residency>& residency);
    Result<void> planMap(const TilingSpace& space, const Draft& draft, const Machine& machine,
                         const std::vector<Residency>& residency);
    Result<void> checkRows() const;

    void matrixElements(int group, const BankPlace& at, std::span<std::int64_t, kPimLanes> lanes) const;
    void fillElements(int group, const BankPlace& at, std::span<std::int64_t, kPimLanes> lanes) const;
    void resultElements(int group, const BankPlace& at, std::span<std::int64_t, kPimLanes> lanes) const;
    void mapElements(int tensor, int group, const BankPlace& at,
                     std::span<std::int64_t, kPimLanes> lanes) const;
    void registerElements(int group, std::int64_t burst, std::span<std::int64_t, kPimLanes> lanes) const;

    // Of places().
    void add(std::vector<PimPlace>& found, const dram::DotPlace& of, const BankPlace& at, int lane) const;
    void addMapPlaces(int tensor, std::int64_t element, std::vector<PimPlace>& found) const;
    void addOneRowPlaces(int tensor, std::int64_t element, std::vector<PimPlace>& found) const;
    void addBankPlaces(std::int64_t element, std::vector<PimPlace>& found) const;
    void addResultPlaces(std::int64_t element, std::vector<PimPlace>& found) const;
    void addFillPlaces(std::int64_t element, std::vector<PimPlace>& found) const;

    const Kernel m_kernel;
    std::vector<dram::DotWalk> m_walk; ///< One, except for Map.
    std::vector<Operand> m_operands;
    std::vector<dram::DotWalk> m_outputWalk;
    std::vector<int> m_cores;
    int m_groups = 1, m_coreCount = 1;
};

} // namespace pim::hbm
