// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/dot_products.h"

#include "backends/dram_pim/machine.h"

#include <algorithm>

namespace pim::dram {
namespace {

std::vector<bool> loopsOf(const Kernel& kernel, const TensorAccess& access) {
    std::vector<bool> loops(kernel.loops.size(), false);
    for (const AffineExpr& expr : access.index)
        for (const AffineTerm& term : expr.terms)
            loops[static_cast<std::size_t>(term.loop)] = true;
    return loops;
}

double cyclesOf(const DotNest& nest, const DotCosts& costs) {
    return static_cast<double>(nest.allLoads()) * costs.load +
           static_cast<double>(nest.rows()) * costs.rowOpen +
           static_cast<double>(nest.allResults()) * costs.result;
}

/// \p bursts of the bank, \p times operations on each.
void setRows(DotNest& nest, std::int64_t bursts, std::int64_t times, std::int64_t rowBursts) {
    nest.fullRows = bursts / rowBursts;
    nest.rowMacs = rowBursts * times;
    nest.lastMacs = bursts % rowBursts * times;
}

} // namespace

DotOperands::DotOperands(const Kernel& kernel, const std::vector<bool>& resident) {
    std::vector<const TensorAccess*> operands; // by tensor, each once
    for (const TensorAccess& access : kernel.accesses) {
        const bool wanted =
            kernel.body == BodyKind::Reduce
                ? !access.isWrite &&
                      kernel.tensors[static_cast<std::size_t>(access.tensor)].role == TensorRole::Input
                : access.isMacOperand;
        if (wanted && std::none_of(operands.begin(), operands.end(),
                                   [&](const auto* other) { return other->tensor == access.tensor; }))
            operands.push_back(&access);
    }
    const auto elements = [&kernel](int tensor) {
        return elementCount(kernel.tensors[static_cast<std::size_t>(tensor)].shape).value_or(0);
    };
    std::stable_sort(operands.begin(), operands.end(), [&](const TensorAccess* a, const TensorAccess* b) {
        const bool residentA = resident[static_cast<std::size_t>(a->tensor)],
                   residentB = resident[static_cast<std::size_t>(b->tensor)];
        return residentA != residentB ? residentA : elements(a->tensor) > elements(b->tensor);
    });
    m_part.assign(kernel.loops.size(), DotPart::Summed);
    if (operands.empty())
        return;
    m_bank = operands.front()->tensor;
    const std::vector<bool> inBank = loopsOf(kernel, *operands.front());
    std::vector<bool> inBuffer(kernel.loops.size(), false);
    if (operands.size() > 1) {
        m_buffer = operands[1]->tensor;
        inBuffer = loopsOf(kernel, *operands[1]);
    }
    for (std::size_t l = 0; l < m_part.size(); ++l)
        if (!kernel.isReductionLoop(static_cast<int>(l)))
            m_part[l] = inBank[l] && inBuffer[l] ? DotPart::Batch
                        : inBank[l]              ? DotPart::Bank
                                                 : DotPart::Buffer;
}

DotProducts DotOperands::of(const DraftSummary& draft, int lanes) const {
    DotProducts work;
    work.bankTensor = m_bank;
    work.bufferTensor = m_buffer;
    for (std::size_t l = 0; l < m_part.size(); ++l) {
        const std::int64_t tile = std::max<std::int64_t>(1, draft.loopTile[l]);
        switch (m_part[l]) {
        case DotPart::Batch:
            work.batches *= tile;
            break;
        case DotPart::Bank:
            work.bankVectors *= tile;
            break;
        case DotPart::Buffer:
            work.bufferVectors *= tile;
            break;
        case DotPart::Summed:
            work.elements *= tile;
            break;
        }
    }
    work.bursts = ceilDiv(work.elements, std::max(1, lanes));
    return work;
}

DotNest nestOf(const DotProducts& work, const DotUnit& unit, const DotCosts& costs) {
    DotNest nest;
    nest.batches = work.bufferTensor < 0 ? 1 : work.batches;
    if (work.bufferTensor < 0) { // ones: any piece of the vector is like any other, so it is loaded once
        nest.loads = nest.firstLoads = std::min(work.bursts, unit.bufferBursts);
        nest.results = work.batches * work.bankVectors;
        setRows(nest, nest.results * work.bursts, 1, unit.rowBursts);
        return nest;
    }
    if (work.bursts <= unit.bufferBursts) {
        const std::int64_t together = std::clamp<std::int64_t>(
            unit.bufferBursts / work.bursts, 1, std::min(work.bufferVectors, unit.accumulators));
        nest.revisits = ceilDiv(work.bufferVectors, together);
        nest.passes = work.batches * nest.revisits;
        nest.loads = nest.firstLoads = together * work.bursts;
        nest.firstLoads *= nest.passes;
        nest.results = work.bankVectors * together;
        setRows(nest, work.bankVectors * work.bursts, together, unit.rowBursts);
        return nest;
    }
    const std::int64_t pieces = ceilDiv(work.bursts, unit.bufferBursts);
    const std::int64_t piece = ceilDiv(work.bursts, pieces);
    const std::int64_t vectors = work.batches * work.bufferVectors;

    nest.revisits = work.bufferVectors;
    DotNest inputsStay = nest;
    inputsStay.parts = pieces;
    inputsStay.passes = vectors * inputsStay.parts;
    inputsStay.loads = piece;
    inputsStay.firstLoads = inputsStay.passes * piece;
    inputsStay.results = work.bankVectors;
    inputsStay.resultParts = pieces;
    setRows(inputsStay, work.bankVectors * piece, 1, unit.rowBursts);

    DotNest outputsStay = nest;
    const std::int64_t together = std::min(work.bankVectors, unit.accumulators);
    outputsStay.parts = ceilDiv(work.bankVectors, together) * pieces;
    outputsStay.passes = vectors * outputsStay.parts;
    outputsStay.loads = piece;
    outputsStay.firstLoads = vectors * pieces * piece;
    outputsStay.results = together;
    outputsStay.midPasses = outputsStay.passes / pieces * (pieces - 1);
    setRows(outputsStay, together * piece, 1, unit.rowBursts);
    return cyclesOf(outputsStay, costs) <= cyclesOf(inputsStay, costs) ? outputsStay : inputsStay;
}

} // namespace pim::dram
