// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Cores, memories and transfers of a chip while a program runs on numbers. Number: std::int64_t in fixed
/// point, double where numbers are real. Instructions of a core run in their order; a core waits where a
/// transfer or a stored element is not there yet.
#include "backends/crossbar/numeric/cell_memory.h"
#include "backends/crossbar/numeric/execute.h"
#include "backends/crossbar/numeric/result_check.h"
#include "backends/crossbar/numeric/vector_unit.h"

#include <deque>
#include <memory>
#include <unordered_map>

namespace pim {

template <class Number>
class CrossbarMachine {
public:
    CrossbarMachine(const CrossbarJob& job, const CrossbarRunOptions& options);

    /// \param map empty: not an input.
    void putMap(LayerId layer, std::span<const Number> map, std::int64_t sample = 0);
    /// Empty if it is not complete. A concatenation that is nowhere is put together from its inputs.
    std::vector<Number> takeMap(LayerId layer, std::int64_t sample = 0) const;

    /// One round: instructions of the layers of \p stage, until all cores are at the end.
    Result<void> run(int stage, const TaskContext& task);
    /// A round in which every layer works on the sample that has come to its stage, of \p samples. Maps lie
    /// in as many buffers as CrossbarJob::copies says. The next call is for the next round.
    Result<void> runInFlight(std::int64_t round, std::int64_t samples, const TaskContext& task);

private:
    Result<void> round(const TaskContext& task);

public:
    CrossbarRun counts;

private:
    using Instruction = CrossbarInstruction;
    struct Core {
        CellMemory<Number> local;
        std::size_t next = 0; ///< Position in instructions.
        const std::vector<Instruction>* instructions = nullptr;
    };
    /// What one array group needs.
    struct Group {
        std::shared_ptr<const GroupWeights> weights;
        std::unique_ptr<ArrayCells> cells; ///< Unless the exact way is taken.
    };

    Result<bool> step(CoreId core); ///< False: it has to wait.
    Result<void> product(CoreId core, const Instruction& in);
    Result<void> vector(CoreId core, const Instruction& in);
    Result<void> matrixVector(CoreId core, const Instruction& in, const MatrixWork& work);
    Result<void> windowVector(CoreId core, const Instruction& in, const WindowWork& work);
    Result<void> elementVector(CoreId core, const Instruction& in, const ElementWork& work);
    Result<void> copy(CoreId core, const Instruction& in);
    Result<bool> load(CoreId core, const Instruction& in);
    Result<void> store(CoreId core, const Instruction& in);
    Result<void> send(CoreId core, const Instruction& in);
    Result<bool> receive(CoreId core, const Instruction& in);
    Result<bool> runHost();
    Result<bool> runHostLayer(LayerId layer, std::int64_t sample); ///< False: its inputs are not complete.
    /// In flight, that an instruction works on.
    std::int64_t sampleOf(const Instruction& in) const {
        return m_round - m_job.stage[in.layer] - roundsBehind(in);
    }
    /// What lies in a core for later rounds moves on when its layer is at a newer sample.
    static int roundsBehind(const Instruction& in) {
        return in.opcode == CrossbarOpcode::Copy ? int(in.index) : 0;
    }
    /// Buffer of a map, in turn for each sample.
    std::size_t bufferOf(std::size_t layer, std::int64_t sample) const;
    CellMemory<Number>& globalOf(const Instruction& in, std::uint32_t address);

    Result<const Group*> group(CoreId core, std::uint32_t number);
    Result<std::vector<Number>> read(CoreId core, std::uint64_t address, std::size_t count, bool wide) const;
    Result<void> write(CoreId core, std::uint64_t address, std::span<const Number> values, bool wide);
    /// Writes what an instruction computed; \param complete it is what its layer gives, nothing follows.
    Result<void> give(CoreId core, const Instruction& in, std::span<const Number> values, bool complete);
    void multiplyFixed(const Group& group, std::span<const Number> rows, std::span<Number> sums) const;
    const Instruction& current(CoreId core) const;
    void skip(CoreId core); ///< To the next instruction of this round.
    static bool atEnd(const Core& core) { return core.next >= core.instructions->size(); }
    std::string where(CoreId core) const;
    tl::unexpected<Error> broken(CoreId core, std::string why) const;
    tl::unexpected<Error> deadlock() const;
    int width(bool wide) const { return wide ? m_job.program.accumulatorElements : 1; }
    static bool wideSource(const Instruction& in) { return (in.flags & Instruction::kWideSource) != 0; }
    static bool wideResult(const Instruction& in) { return (in.flags & Instruction::kWideResult) != 0; }
    const CrossbarLayer& layerOf(const Instruction& in) const { return m_job.network.layers[in.layer]; }
    Number wrapped(Number value) const;

    const CrossbarJob& m_job;
    const CrossbarRunOptions& m_options;
    VectorUnit<Number> m_unit;
    std::vector<Core> m_cores;
    /// Of all chips: addresses are unique in the machine. Further ones are the further buffers of maps.
    std::vector<CellMemory<Number>> m_globals;
    std::vector<std::pair<std::uint32_t, std::size_t>> m_maps; ///< Addresses, ascending, and whose maps.
    std::unordered_map<std::uint64_t, std::deque<std::vector<Number>>> m_transfers;
    std::unordered_map<std::uint32_t, Group> m_groups;
    std::unordered_map<std::uint64_t, std::shared_ptr<const GroupWeights>>
        m_weights; ///< By layer and group; replicas share.
    std::vector<bool> m_hostDone;
    std::unique_ptr<ResultCheck> m_check;
    int m_stage = 0;                          ///< Of this round.
    std::int64_t m_round = 0, m_inFlight = 0; ///< Samples in flight; 0: one, stage by stage.
};

} // namespace pim
