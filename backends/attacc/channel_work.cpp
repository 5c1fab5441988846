// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/channel_work.h"

#include "backends/attacc/operands.h"

#include <algorithm>
#include <cmath>

namespace pim::attacc {
namespace {

using dram::ceilDiv;

bool uses(const TensorAccess& access, int loop) {
    return std::any_of(access.index.begin(), access.index.end(), [loop](const AffineExpr& expr) {
        return std::any_of(expr.terms.begin(), expr.terms.end(),
                           [loop](const AffineTerm& term) { return term.loop == loop; });
    });
}

/// O[h][m][d] += softmax(Q[h][m][d] * K[h][l][d]) * V[h][l][d]: what each loop is.
enum Part { kHeads, kRows, kKeys, kFeatures };
std::vector<int> attentionLoops(const Kernel& kernel, int& query) {
    std::vector<const TensorAccess*> reads; // Q, K, V in this order
    for (const TensorAccess& access : kernel.accesses)
        if (!access.isWrite &&
            kernel.tensors[static_cast<std::size_t>(access.tensor)].role == TensorRole::Input)
            reads.push_back(&access);
    std::vector<int> parts(kernel.loops.size(), kHeads);
    if (reads.size() < 3)
        return parts;
    query = reads[0]->tensor;
    for (std::size_t l = 0; l < parts.size(); ++l) {
        const int loop = static_cast<int>(l);
        const bool q = uses(*reads[0], loop), k = uses(*reads[1], loop);
        const bool last =
            !reads[0]->index.empty() &&
            std::any_of(reads[0]->index.back().terms.begin(), reads[0]->index.back().terms.end(),
                        [loop](const AffineTerm& term) { return term.loop == loop; });
        parts[l] = q && !k ? kRows : !q && k ? kKeys : last ? kFeatures : kHeads;
    }
    return parts;
}

} // namespace

Timing::Timing(const Target& target) {
    const dram::Cycles cycles(target);
    nsPerCycle = cycles.nsPerCycle();
    const double limited = cycles("timing.nCCDAB", 6);
    macGap = target.isOn("policy.powerLimit") ? limited : cycles("timing.nCCDAB.unlimited", limited);
    summed = cycles("timing.nCL", 19) + cycles("timing.nBL", 2);
    moved = cycles("timing.nCCDL", 4) + cycles("timing.nBL", 2);
    written = cycles("timing.nCWL", 6) + cycles("timing.nBL", 2);
    writeTurn = cycles("timing.nRCDWR", 19) + written + cycles("timing.nWTRL", 11) - macGap;
    lastResult = 2 * summed + moved;
    precharge = cycles("timing.nRP", 19);
    rowClose = cycles("timing.nRTPL", 8) + precharge;
    rowLeast = cycles("timing.nRAS", 45) - cycles("timing.nRCDRD", 19);
    rowOpen = cycles("timing.nRCDRD", 19);
    actWindow = cycles("timing.nFAW", 0);
    if (target.isOn("policy.allBankFaw")) { // ACTAB opens a rank's banks four by four
        const double banksOfRank = cycles("organisation.bankGroups", 4) * cycles("organisation.banks", 4);
        rowOpen += std::max(0.0, std::ceil(banksOfRank / 4) - 1) * actWindow;
    }
    rowFixed = rowOpen + rowClose - macGap;
    moveGap = cycles("timing.nCCDS", 2) / std::max(1.0, cycles("organisation.pseudochannels", 2));
    bankGap = cycles("timing.nCCDL", 4);
    writeOpen = cycles("timing.nRCDWR", 19);
    writeClose = written + cycles("timing.nWR", 21);
    softmax = cycles("timing.nSFM", 1);
    readTurn = summed + 2 - cycles("timing.nCWL", 6);
    refreshes = target.isOn("policy.refresh");
}

bool outputsStay(const dram::DotProducts& work, const Geometry& geometry, const Timing& timing) {
    const dram::DotUnit unit{geometry.bufferBursts, kAccumulators, geometry.columns};
    return dram::nestOf(work, unit, {timing.moveGap, timing.rowFixed, timing.moveGap}).midPasses > 0;
}

ChannelModel::ChannelModel(const TilingSpace& space, const Target& target,
                           const std::vector<Residency>& residency, const Passes& passes)
    : m_space(space), m_timing(target), m_geometry(target), m_machine(movementMachine(target)),
      m_residency(residency), m_operands(space.kernel(), dram::residentOnes(residency)), m_passes(passes) {
    const dram::Cycles cycles(target);
    m_refresh = m_timing.refreshes ? cycles("timing.nRFC") : 0;
    m_interval = cycles("timing.nREFI");
    const Kernel& kernel = space.kernel();
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        if (kernel.tensors[t].role != TensorRole::Input)
            m_output = static_cast<int>(t);
    if (kernel.body != BodyKind::Attention)
        return;
    m_attentionLoops = attentionLoops(kernel, m_query);
    for (std::size_t l = 0; l < m_attentionLoops.size(); ++l)
        if (m_attentionLoops[l] == kKeys)
            m_keys *= kernel.loops[l].extent;
    double scores = 1;
    for (std::size_t l = 0; l < m_attentionLoops.size(); ++l)
        scores *= m_attentionLoops[l] == kFeatures ? 1 : static_cast<double>(kernel.loops[l].extent);
    m_hostAdditions = hostAdditionsOf(target, scores);
}

std::vector<int> ChannelModel::bankTensors() const {
    if (m_attentionLoops.empty())
        return {m_operands.bank()};
    std::vector<int> tensors;
    for (std::size_t t = 0; t < m_residency.size(); ++t)
        if (m_space.kernel().tensors[t].role == TensorRole::Input && static_cast<int>(t) != m_query)
            tensors.push_back(static_cast<int>(t));
    return tensors;
}

/// All lanes that reach the host beyond the results themselves.
double ChannelModel::mergeNs(const DraftSummary& draft, double readSlots) const {
    const auto results = static_cast<double>(
        elementCount(m_space.kernel().tensors[static_cast<std::size_t>(m_output)].shape).value_or(0));
    const double values = readSlots * kPimLanes * static_cast<double>(draft.groupsUsed);
    const bool parts = !m_attentionLoops.empty() && hasParts(draft, scoresOf(draft), valuesOf(draft));
    return m_machine.hostAddsPerNs > 0
               ? (std::max(0.0, values - results) + (parts ? m_hostAdditions : 0)) / m_machine.hostAddsPerNs
               : 0;
}

double ChannelModel::Work::visitSlots() const {
    const std::int64_t chunkBlocks = dram::ceilDiv(cut.chunkVectors, cut.blockVectors);
    return static_cast<double>((chunks() - 1) * chunkBlocks +
                               dram::ceilDiv(lastVectors(), cut.blockVectors)) *
           results;
}

/// \param summedCores that have parts of the same results; numbered so that they are neighbours, if any are.
ChannelModel::Work ChannelModel::workOf(const dram::DotProducts& dots, const DraftSummary& draft,
                                        std::int64_t summedCores, bool stay, std::int64_t abreast) const {
    Work work;
    work.dots = dots;
    work.ones = dots.bufferTensor < 0;
    summedCores = std::max<std::int64_t>(1, summedCores);
    const std::int64_t results = ceilDiv(draft.coresUsed, summedCores);
    work.results = static_cast<double>(results);
    work.cut = ProductCut::of(dots, results, m_geometry, {abreast, m_geometry.softmaxSlots, stay, work.ones});
    std::int64_t merge = 1; // as mergeable() has it
    while (merge * 2 <= m_geometry.banks && summedCores % (merge * 2) == 0 &&
           m_geometry.banks % (merge * 2) == 0)
        merge *= 2;
    work.moves = static_cast<double>(ceilDiv(draft.coresUsed, merge));
    work.together = merge;
    if (!work.ones && m_attentionLoops.empty() && !m_passes.broadcast)
        work.sets = static_cast<double>(draft.coresUsed);
    else if (!work.ones)
        work.sets = static_cast<double>(
            ceilDiv(draft.coresUsed,
                    std::max<std::int64_t>(
                        1, draft.tensors[static_cast<std::size_t>(dots.bufferTensor)].coresPerCopy)));
    return work;
}

/// From ACTAB to the first MACAB. \param before cycles of commands that have to be done by then.
double ChannelModel::head(double before) const {
    return m_passes.overlap ? std::max(m_timing.rowOpen, before) : m_timing.rowOpen + before;
}

/// From the last MACAB of a stage to PREA, which a short row has to wait for. \param head what it took to the
/// first one.
double ChannelModel::precharged(const Run& run, double head) const {
    const double open = head - m_timing.rowOpen + (run.lastMacs - 1) * m_timing.macGap;
    return std::max(m_timing.rowClose - m_timing.precharge, m_timing.rowLeast - open);
}

/// From the last MACAB of a stage to the last MVSB of its results, which goes out behind PREA.
double ChannelModel::results(const Run& run, double head) const {
    return std::max(m_timing.summed, precharged(run, head)) + (run.moves - 1) * m_timing.moveGap;
}

/// From the last MACAB of a stage to the next ACTAB.
double ChannelModel::tail(const Run& run, double head) const {
    const double closed = precharged(run, head) + m_timing.precharge;
    return run.moves > 0 ? std::max(closed, results(run, head)) : closed;
}

ChannelModel::Run ChannelModel::run(const Work& work, std::int64_t vectors, std::int64_t abreast,
                                    bool movesOut) const {
    const Timing& t = m_timing;
    const std::int64_t columns = m_geometry.columns, length = work.cut.pieceBursts, bursts = vectors * length;
    const auto rows = static_cast<double>(work.keepsRow() ? 1 : ceilDiv(bursts, columns));
    const auto macs = static_cast<double>(bursts * abreast);
    Run run;
    run.cycles = (macs - rows) * t.macGap + (rows - 1) * (t.rowOpen + t.rowClose);
    run.lastMacs = static_cast<double>(((bursts - 1) % columns + 1) * abreast);
    run.moves = movesOut ? work.moves : 0;
    const std::int64_t blocks = ceilDiv(vectors, work.cut.blockVectors);
    run.room = macs * std::max(1.0, t.macGap - 1) + (rows - 1) * t.rowOpen -
               (movesOut ? static_cast<double>(blocks - 1) * work.moves : 0);
    if (!movesOut || blocks < 2)
        return run;
    const auto others = static_cast<double>(blocks - 2);
    if (!m_passes.overlap) {
        run.cycles += (others + 1) * (t.summed + work.moves * t.moveGap);
        return run;
    }
    // Results of a block leave between the MACABs of the next one, as soon as they are there, and while a row
    // opens. What finds no room holds up the block after it; behind the last one it goes with the others.
    const std::int64_t blockBursts = work.cut.blockVectors * length,
                       lastBursts = bursts - (blocks - 1) * blockBursts;
    const double moves = work.moves * t.moveGap;
    const auto left = [&](std::int64_t ofBursts, double newRows) {
        const double between =
            static_cast<double>(ofBursts * abreast - kPipeline) * std::max(1.0, t.macGap - 1);
        return std::max(0.0, moves - std::max(0.0, between) - newRows * t.rowOpen);
    };
    if (others > 0) {
        const double blockMacs = static_cast<double>(blockBursts * abreast);
        const double wait = blockMacs < kPipeline ? t.summed - blockMacs * t.macGap : 0;
        // Rows begin in a share of the blocks, where these are shorter.
        const double newRows =
            work.keepsRow() ? 0 : static_cast<double>(blockBursts) / static_cast<double>(columns);
        const double share = std::min(1.0, newRows);
        run.cycles += others * (std::max(0.0, wait) + share * left(blockBursts, std::max(1.0, newRows)) +
                                (1 - share) * left(blockBursts, 0));
    }
    const std::int64_t lastBegin = bursts - lastBursts;
    const std::int64_t newRows = work.keepsRow() ? 0 : (bursts - 1) / columns - (lastBegin - 1) / columns;
    run.moves += left(lastBursts, static_cast<double>(newRows)) / t.moveGap;
    return run;
}

/// All bank vectors against some buffer vectors, to the next ACTAB.
double ChannelModel::visit(const Work& work, std::int64_t abreast) const {
    const Timing& t = m_timing;
    const std::int64_t pieces = work.cut.pieces, chunks = work.chunks();
    const bool drains = work.allSlots() > static_cast<double>(m_geometry.softmaxSlots);
    const double filled = work.ones ? 0 : 1 + work.loads(abreast) * t.moveGap + t.written - 1;
    double cycles = 0;
    for (const bool isLast : {false, true}) {
        const std::int64_t vectors = isLast ? work.lastVectors() : work.cut.chunkVectors;
        const double times = isLast ? 1 : static_cast<double>(chunks - 1);
        if (times == 0)
            continue;
        const double loaded = pieces > 1 || chunks == 1 ? filled : 0;
        const double opened = work.keepsRow() ? loaded : head(loaded);
        for (const bool movesOut : {false, true}) { // pieces whose results stay, the others
            const double parts = work.cut.spills ? (movesOut ? static_cast<double>(pieces) : 0)
                                 : movesOut      ? 1
                                                 : static_cast<double>(pieces - 1);
            const Run stage = run(work, vectors, abreast, movesOut);
            const double left =
                work.keepsRow() ? t.summed + (stage.moves - 1) * t.moveGap + 1 : tail(stage, opened);
            cycles += times * parts * (opened + stage.cycles + left);
        }
        if (drains)
            cycles += times * (t.moved + static_cast<double>(ceilDiv(vectors, work.cut.blockVectors)) *
                                             work.results * t.moveGap);
    }
    if (!work.ones && pieces == 1 && chunks > 1) // the first chunk brings the operand along
        cycles += head(filled) - head(0);
    return cycles;
}

/// Behind the last ACTAB of compute.
double ChannelModel::lastStage(const Work& work) const {
    const Run last = run(work, work.lastVectors(), 1, true);
    return m_timing.rowOpen + (last.lastMacs - 1) * m_timing.macGap + m_timing.summed +
           last.moves * m_timing.moveGap + m_timing.moved;
}

void ChannelModel::count(PhaseCycles& cycles, const Work& work) const {
    const auto batches = static_cast<double>(work.dots.batches);
    cycles.macs += static_cast<double>(work.dots.batches * work.dots.bankVectors * work.dots.bufferVectors *
                                       work.cut.pieces * work.cut.pieceBursts);
    const std::int64_t rows = (work.chunks() - 1) * work.cut.stageRows +
                              ceilDiv(work.lastVectors() * work.cut.pieceBursts, m_geometry.columns);
    cycles.rows +=
        batches * (work.keepsRow() ? 1 : static_cast<double>(work.visits() * work.cut.pieces * rows));
}

void ChannelModel::product(const DraftSummary& draft, PhaseCycles& cycles) const {
    const Timing& t = m_timing;
    const dram::DotProducts dots = m_operands.of(draft, m_space.resources().simdLanes);
    const Work work = workOf(dots, draft, draft.tensors[static_cast<std::size_t>(m_output)].partialCores,
                             outputsStay(dots, m_geometry, t), kAccumulators);
    cycles.input = writing(draft, work);
    double begin = work.ones ? 2 + t.written : 0;
    if (cycles.input > 0)
        begin = std::max(begin, t.precharge - 1);
    const std::int64_t full = dots.bufferVectors / work.cut.abreast,
                       rest = dots.bufferVectors % work.cut.abreast;
    double batch =
        static_cast<double>(full) * visit(work, work.cut.abreast) + (rest > 0 ? visit(work, rest) : 0);
    if (work.keepsRow()) // which opens while the first operands come in
        batch +=
            std::max(0.0, t.rowOpen - work.loads(work.cut.abreast) * t.moveGap - t.written) + t.precharge;
    // The results of the last stage arrive; no row opens after it.
    const std::int64_t abreast = rest > 0 ? rest : work.cut.abreast;
    const Run last = run(work, work.lastVectors(), abreast, true);
    const double opened = head(work.ones ? 0 : work.loads(abreast) * t.moveGap + t.written);
    const double ends = results(last, opened) + t.moved - tail(last, opened);
    cycles.compute = begin + static_cast<double>(dots.batches) * batch +
                     (work.keepsRow() ? t.moved - t.precharge - 1 : ends);
    cycles.lastRow = lastStage(work);
    cycles.readSlots = work.allSlots();
    if (cycles.readSlots <= static_cast<double>(m_geometry.softmaxSlots))
        cycles.output = reading(cycles.readSlots);
    count(cycles, work);
}

/// Rows of single banks, as the host writes a streamed operand: opened one after the other, four a window in
/// a rank, and written side by side.
double ChannelModel::writing(const DraftSummary& draft, const Work& work) const {
    const int tensor = work.dots.bankTensor;
    if (tensor < 0 || m_residency[static_cast<std::size_t>(tensor)] == Residency::Resident)
        return 0;
    const Timing& t = m_timing;
    // Neighbours lie in one bank group, the next ones in those of the other pseudo-channel, of this rank, of
    // the other. Commands go round: one of each neighbourhood, then the second ones.
    const auto together = static_cast<double>(work.together);
    const double around = std::ceil(static_cast<double>(draft.coresUsed) / together);
    const double pseudochannels = m_geometry.pseudochannels, ofRank = m_geometry.bankGroups;
    const double whole = pseudochannels * ofRank * m_geometry.ranks, rounds = std::floor(around / whole);
    const double inRank =
        together *
        (rounds * ofRank + std::min(ofRank, std::ceil((around - rounds * whole) / pseudochannels)));
    const double windows = std::floor((inRank - 1) / 4);
    const double turn = std::max(around, t.bankGap); // ACTs and WRs of a bank group are as far apart
    const double lastTurns = std::ceil((std::fmod(inRank - 1, 4) + 1) * together / inRank);
    const double opened =
        std::max((together - 1) * turn + around - 1,
                 windows * t.actWindow + (lastTurns - 1) * turn + std::fmod(around - 1, whole));
    const double column =
        together * (around > 1 ? std::max(2 * std::ceil(around / 2), t.bankGap) : t.bankGap);
    const auto row = [&](double columns) {
        return opened + std::max(t.writeOpen, column) + (columns - 1) * column * t.moveGap + t.writeClose;
    };
    const auto stage = [&](std::int64_t vectors) {
        const std::int64_t bursts = vectors * work.cut.pieceBursts, columns = m_geometry.columns;
        return static_cast<double>(bursts / columns) * (row(static_cast<double>(columns)) + t.precharge) +
               (bursts % columns > 0 ? row(static_cast<double>(bursts % columns)) + t.precharge : 0);
    };
    const double batch =
        static_cast<double>(work.cut.pieces) *
        (static_cast<double>(work.chunks() - 1) * stage(work.cut.chunkVectors) + stage(work.lastVectors()));
    return static_cast<double>(work.dots.batches) * batch - t.precharge + 1; // the last PREA itself
}

ChannelModel::Work ChannelModel::scoresOf(const DraftSummary& draft) const {
    std::int64_t tile[4] = {1, 1, 1, 1};
    for (std::size_t l = 0; l < m_attentionLoops.size(); ++l)
        tile[m_attentionLoops[l]] *= std::max<std::int64_t>(1, draft.loopTile[l]);
    dram::DotProducts dots; // keys in the bank, queries in the buffer
    dots.batches = tile[kHeads];
    dots.bankVectors = tile[kKeys];
    dots.bufferVectors = tile[kRows];
    dots.elements = tile[kFeatures];
    dots.bursts = ceilDiv(dots.elements, kPimLanes);
    dots.bufferTensor = m_query;
    return workOf(dots, draft, draft.scorePartialCores, false, 1);
}

ChannelModel::Work ChannelModel::valuesOf(const DraftSummary& draft) const {
    Work work = scoresOf(draft);
    dram::DotProducts dots = work.dots; // values in the bank, probabilities in the buffer
    std::swap(dots.bankVectors, dots.elements);
    dots.bursts = ceilDiv(dots.elements, kPimLanes);
    const std::int64_t keyCores =
        std::max<std::int64_t>(1, draft.tensors[static_cast<std::size_t>(m_output)].partialCores);
    // Cores with other features stand between those with other keys, and the adders join neighbours only.
    const std::int64_t neighbours = draft.scorePartialCores > 1 ? 1 : keyCores;
    const double results = static_cast<double>(ceilDiv(draft.coresUsed, keyCores));
    const double moves = workOf(dots, draft, neighbours, false, 1).moves;
    work = workOf(dots, draft, keyCores, false, 1);
    work.results = results;
    work.moves = moves;
    work.sets =
        static_cast<double>(ceilDiv(draft.coresUsed, std::max<std::int64_t>(1, draft.scorePartialCores)));
    return work;
}

void ChannelModel::attention(const DraftSummary& draft, PhaseCycles& cycles) const {
    const Timing& t = m_timing;
    Work scores = scoresOf(draft), values = valuesOf(draft);
    for (Work* work : {&scores, &values}) {
        work->dots.bankTensor = bankTensors()[work == &scores ? 0 : 1];
        cycles.input += writing(draft, *work);
        count(cycles, *work);
    }
    const std::int64_t keyCores =
        std::max<std::int64_t>(1, draft.tensors[static_cast<std::size_t>(m_output)].partialCores);
    const double heads =
        std::max(1.0, static_cast<double>(draft.coresUsed) /
                          static_cast<double>(keyCores * std::max<std::int64_t>(1, draft.scorePartialCores)));
    const bool parts = hasParts(draft, scores, values);
    if (!parts && (draft.scorePartialGroups > 1 ||
                   draft.tensors[static_cast<std::size_t>(m_output)].partialGroups > 1)) {
        cycles.compute = attendThroughHost(scores, values, heads);
    } else {
        const double pieces =
            std::ceil(static_cast<double>(scores.dots.bankVectors) / m_geometry.softmaxElements);
        cycles.compute =
            attendInChannel(scores, values, heads * (1 + static_cast<double>(keyCores) * pieces * t.softmax),
                            heads, parts ? partsOf(draft, scores, heads) : Parts{});
    }
    cycles.lastRow = lastStage(values);
    cycles.readSlots = values.allSlots();
    cycles.output = reading(cycles.readSlots);
}

/// As attentionWork (operands.cpp) has it.
bool ChannelModel::hasParts(const DraftSummary& draft, const Work& scores, const Work& values) const {
    return m_passes.partialSoftmax && draft.scorePartialGroups == 1 &&
           draft.tensors[static_cast<std::size_t>(m_output)].partialGroups > 1 &&
           hasRoomForParts(static_cast<std::int64_t>(scores.visitSlots()),
                           static_cast<std::int64_t>(values.allSlots()), m_geometry);
}

ChannelModel::Parts ChannelModel::partsOf(const DraftSummary& draft, const Work& scores, double heads) const {
    // Tiles of the keys are full but for the last ones, all in the last group.
    const TensorShare& share = draft.tensors[static_cast<std::size_t>(m_output)];
    const std::int64_t tile = scores.dots.bankVectors, blocks = ceilDiv(tile, kPimLanes);
    std::int64_t masked = 0;
    for (std::int64_t core = 0; core < share.partialCores; ++core) {
        const std::int64_t before = ((share.partialGroups - 1) * share.partialCores + core) * tile;
        const std::int64_t keys = std::clamp<std::int64_t>(m_keys - before, 0, tile);
        masked += keys < tile ? blocks - keys / kPimLanes : 0;
    }
    return {scores.visitSlots(), heads * static_cast<double>(masked)};
}

/// \param softmax cycles of the SFMs of an item. \param heads side by side.
double ChannelModel::attendInChannel(const Work& scores, const Work& values, double softmax, double heads,
                                     const Parts& parts) const {
    const Timing& t = m_timing;
    const double closing = std::max(0.0, t.rowClose - t.summed); // results that leave while a row closes
    // From the ACTAB of a stage to that of the next. \param queued commands that go out in the meantime,
    // \param background those that leave the opening of the first row alone.
    const auto stage = [&](const Work& work, double before, double latency, double queued,
                           double background) {
        const double ready =
            head(before + latency + (m_passes.overlap ? std::min(queued, t.rowOpen) : queued));
        const Run all = run(work, work.dots.bankVectors, 1, true);
        if (!m_passes.overlap)
            return ready + all.cycles + tail(all, ready) + background;
        const double late = std::max(0.0, queued - t.rowOpen - all.cycles * (1 - 1 / t.macGap)) +
                            std::max(0.0, background - std::max(0.0, all.room));
        const double closed = precharged(all, ready);
        return ready + late + all.cycles +
               std::max(closed + t.precharge,
                        std::max(t.summed, closed) + std::min(all.moves * t.moveGap, closing));
    };
    const auto after = [&](const Work& work) {
        return m_passes.overlap
                   ? std::max(0.0, run(work, work.dots.bankVectors, 1, true).moves * t.moveGap - closing)
                   : 0;
    };
    const auto items = static_cast<double>(scores.dots.batches * scores.dots.bufferVectors);
    const auto scorePieces = static_cast<double>(scores.cut.pieces),
               valuePieces = static_cast<double>(values.cut.pieces);
    const double queries = 1 + (scores.loads(1) + parts.masks) * t.moveGap;
    const double probabilities = 1 + heads + heads * inTurn(values.loads(1) / heads);
    double cycles = 0;
    // The first piece of an item comes after the other product, further ones after their own: scores of items
    // 0 and 1, values of 0, scores of 2, values of 1, …, values of the last two.
    cycles += stage(scores, queries, t.written, 0, 0);
    if (items > 1)
        cycles += stage(scores, after(scores) + queries, t.written, softmax, 0);
    cycles += std::max(0.0, items - 2) * stage(scores, after(values) + queries, t.written, softmax, 0);
    cycles += items * (scorePieces - 1) * stage(scores, after(scores) + queries, t.written, 0, 0);
    cycles += (items - 1) * stage(values, after(scores) + probabilities, 2 * t.moved, 0, parts.reads);
    cycles += stage(values, after(items > 1 ? values : scores) + probabilities + softmax, 2 * t.moved, 0,
                    parts.reads);
    cycles += items * (valuePieces - 1) * stage(values, after(values) + probabilities, t.moved, 0, 0);
    // The results of the last stage arrive; no row opens after it.
    const Run last = run(values, values.dots.bankVectors, 1, true);
    return cycles - t.rowClose + t.summed + last.moves * t.moveGap + t.moved;
}

/// Accesses that take the buses in turn, from the first one on: a few of them leave the first bank group no
/// time.
double ChannelModel::inTurn(double count) const {
    const double buses = m_geometry.pseudochannels * m_geometry.bankGroups, rest = std::fmod(count, buses);
    return (count - rest + (rest > 0 ? std::max(2 * std::ceil(rest / 2), m_timing.bankGap) : 0)) *
           m_timing.moveGap;
}

double ChannelModel::attendThroughHost(const Work& scores, const Work& values, double heads) const {
    const Timing& t = m_timing;
    const auto items = static_cast<double>(scores.dots.batches * scores.dots.bufferVectors);
    // Products of an item, to the last MVSB. \param first what its first piece has to wait for beside its
    // operands.
    const auto product = [&](const Work& work, double operands, double first) {
        const Run all = run(work, work.dots.bankVectors, 1, true);
        const double others = static_cast<double>(work.cut.pieces - 1) *
                              (head(operands) + all.cycles + tail(all, head(operands)));
        return others + head(operands + first) + all.cycles + results(all, head(operands + first));
    };
    const double queries = scores.loads(1) * t.moveGap + t.written;
    const double there =
        product(scores, queries, t.readTurn) + t.moved + (scores.visitSlots() - 1) * t.moveGap;
    const double sets = values.sets, length = static_cast<double>(values.cut.pieces * values.cut.pieceBursts);
    const double headBursts = std::ceil(static_cast<double>(m_keys) / kPimLanes);
    const double softmax =
        heads * (1 + std::ceil(static_cast<double>(m_keys) / m_geometry.softmaxElements) * t.softmax);
    // Nobody waits for the turn behind the last of them.
    const double transfers =
        heads * inTurn(headBursts) + sets * inTurn(length) - (inTurn(length) - length * t.moveGap);
    const double fetched = transfers + t.written + softmax + t.softmax;
    const double ofHead = values.loads(1) / heads;
    const double probabilities = heads + (heads - 1) * inTurn(ofHead) + ofHead * t.moveGap + t.moved - 1;
    const double back = product(values, probabilities, fetched) + 1;
    return items * (there + back) + t.summed + t.moved - 2;
}

PhaseCycles ChannelModel::of(const DraftSummary& draft) const {
    PhaseCycles cycles;
    if (m_attentionLoops.empty())
        product(draft, cycles);
    else
        attention(draft, cycles);
    if (m_refresh > 0 && m_interval > m_refresh) {
        const auto refreshed = [&](double from, double work) {
            const auto due = [&](double done) { // refreshes that fall due in work and refreshes before them
                return std::max(0.0, std::floor((done - m_refresh) / (m_interval - m_refresh)));
            };
            return work + (due(from + work) - due(from)) * (m_refresh + 1);
        };
        const double input = cycles.input;
        cycles.input = refreshed(0, input);
        cycles.compute += refreshed(input, std::max(0.0, cycles.compute - cycles.lastRow)) -
                          std::max(0.0, cycles.compute - cycles.lastRow);
    }
    return cycles;
}

} // namespace pim::attacc
