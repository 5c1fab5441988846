// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/lut/run.h"

#include "backends/dram_pim/device_of_target.h"
#include "backends/dram_pim/lut/aim_channel.h"
#include "backends/hbm_pim/hbm_pim_unit.h"
#include "core/base/bfloat16.h"
#include "core/base/half_float.h"
#include "core/base/parallel.h"
#include "core/dram_pim/flat_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pim::dram {
namespace {

constexpr std::int64_t kPollEvery = 4096; // commands

/// The bus of one channel.
class Port final : public PimPort {
public:
    Port(const LutCode& code, int group, std::span<const float> table, std::vector<float>& output)
        : m_code(code), m_group(group), m_table(table), m_output(output),
          m_isHalf(code.machine.chip == LutChip::HbmPim) {}

    PimWord read(std::int64_t tensor, std::int64_t burst) override {
        if (tensor < 0)
            return m_code.constants[std::size_t(burst)];
        if (tensor == kLutIndices) // nobody reads them: what commands add is bound to them
            return {};
        const std::int64_t banks = m_code.machine.banks(), columns = m_code.machine.columns;
        PimWord word{};
        for (int lane = 0; lane < kPimLanes; ++lane) {
            const LutEntry entry = entryAt(m_code, m_group, burst % banks, burst / banks / columns,
                                           burst / banks % columns, lane);
            if (entry.codebook < 0)
                continue;
            const float value = m_table[std::size_t(
                (entry.codebook * m_code.layer.centroids + entry.centroid) * m_code.layer.features +
                entry.feature)];
            word[std::size_t(lane)] = m_isHalf ? floatToHalf(value) : floatToBfloat(value);
        }
        return word;
    }

    void write(std::int64_t, std::int64_t burst, const PimWord& word) override {
        for (int lane = 0; lane < kPimLanes; ++lane) {
            const LutResult result = resultAt(m_code, m_group, burst, lane);
            const std::uint16_t bits = word[std::size_t(lane)];
            if (result.row >= 0)
                m_output[std::size_t(result.row * m_code.layer.features + result.feature)] =
                    m_isHalf ? halfToFloat(bits) : bfloatToFloat(bits);
        }
    }

private:
    const LutCode& m_code;
    int m_group;
    std::span<const float> m_table;
    std::vector<float>& m_output;
    bool m_isHalf;
};

std::unique_ptr<PimChannel> makeChannel(const LutCode& code) {
    if (code.machine.chip == LutChip::HbmPim)
        return std::make_unique<hbm::HbmPimUnit>(code.program, code.machine.hbm);
    return std::make_unique<AimLutChannel>(code);
}

/// Commands of one channel, indices bound.
class Group {
public:
    Group(const LutCode& code, int group, std::span<const std::uint16_t> indices)
        : m_code(code), m_indices(indices),
          m_firstRow(group / code.mapping.featureGroups * code.mapping.rows) {
        for (const Opcode& opcode : code.program.opcodes)
            m_indexAt.push_back(indexOperand(opcode));
    }

    Result<void> run(const std::vector<FlatPhase>& phases, Port& port, const TaskContext& task) {
        const std::unique_ptr<PimChannel> channel = makeChannel(m_code);
        for (const FlatPhase& phase : phases) {
            Result<void> done;
            std::int64_t place = 0;
            walkFlat(phase, [&](const FlatNode& node, std::span<const std::int64_t> given) {
                if (++place % kPollEvery == 0 && task.cancelled()) {
                    done = TaskContext::cancelledError("look-ups");
                    return false;
                }
                done = command(node.opcode, given, *channel, port);
                if (!done)
                    done = fail(done.error().code, done.error().message,
                                fmt::format("phase \"{}\", command {} ({})", phase.name, place,
                                            commandText(m_code.program, node.opcode, given)),
                                done.error().hint);
                return done.has_value();
            });
            PIM_CHECK(done);
        }
        return {};
    }

private:
    Result<void> command(int opcode, std::span<const std::int64_t> given, PimChannel& channel, Port& port) {
        const int at = m_indexAt[std::size_t(opcode)];
        if (at < 0)
            return channel.run(opcode, given, port);
        m_operands.assign(given.begin(), given.end());
        const int count = bindIndex(m_code, at, indexOf(given[std::size_t(at)]), m_operands);
        return channel.run(opcode, std::span(m_operands).first(std::size_t(count)), port);
    }

    /// Rows of padding take what the first centroids hold, which nobody reads.
    std::int64_t indexOf(std::int64_t position) const {
        const std::int64_t codebooks = m_code.layer.codebooks, ofGroup = position / codebooks,
                           row = m_firstRow + ofGroup;
        if (ofGroup >= m_code.mapping.rows || row >= m_code.layer.rows)
            return 0;
        return m_indices[std::size_t(row * codebooks + position % codebooks)];
    }

    const LutCode& m_code;
    std::span<const std::uint16_t> m_indices;
    std::int64_t m_firstRow;
    std::vector<int> m_indexAt; ///< By opcode.
    std::vector<std::int64_t> m_operands;
};

Result<void> checkSizes(const LutLayer& layer, std::span<const float> table,
                        std::span<const std::uint16_t> indices) {
    const std::int64_t entries = layer.codebooks * layer.centroids * layer.features;
    if (std::ssize(table) != entries)
        return fail(ErrorCode::Usage, fmt::format("a table of {} entries", table.size()), {},
                    fmt::format("CB x CT x F = {}", entries));
    if (std::ssize(indices) != layer.rows * layer.codebooks)
        return fail(ErrorCode::Usage, fmt::format("{} indices", indices.size()), {},
                    fmt::format("N x CB = {}", layer.rows * layer.codebooks));
    const auto wrong = std::find_if(indices.begin(), indices.end(),
                                    [&](std::uint16_t index) { return index >= layer.centroids; });
    if (wrong != indices.end())
        return fail(ErrorCode::Usage,
                    fmt::format("index {} of row {} is {}", (wrong - indices.begin()) % layer.codebooks,
                                (wrong - indices.begin()) / layer.codebooks, *wrong),
                    {}, fmt::format("allowed are 0 to {}", layer.centroids - 1));
    return {};
}

} // namespace

Result<LutSimulation> simulateLut(const LutCode& code, const Target& target, const TaskContext& task) {
    PIM_TRY(const DramDevice device, deviceOf(target));
    SequencerOptions options;
    options.refresh = target.isOn("policy.refresh");
    PIM_TRY(SequenceTiming timing, timeProgram(device, code.program, options, {}, nullptr, task));
    return LutSimulation{std::move(timing)};
}

Result<std::vector<float>> runLut(const LutCode& code, std::span<const float> table,
                                  std::span<const std::uint16_t> indices, int threads,
                                  const TaskContext& task) {
    PIM_CHECK(checkSizes(code.layer, table, indices));
    std::vector<FlatPhase> phases;
    for (const Phase& phase : code.program.phases) {
        PIM_TRY(FlatPhase flat, flatten(code.program, phase));
        phases.push_back(std::move(flat));
    }
    std::vector<float> output(std::size_t(code.layer.rows * code.layer.features), 0.0F);
    std::vector<Result<void>> done(std::size_t(code.groups()));
    parallelFor(done.size(), threads, [&](std::size_t group) {
        Port port(code, int(group), table, output); // channels write different elements
        done[group] = Group(code, int(group), indices).run(phases, port, task);
    });
    for (const Result<void>& one : done)
        PIM_CHECK(one);
    return output;
}

} // namespace pim::dram
