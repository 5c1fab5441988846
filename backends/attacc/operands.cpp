// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/operands.h"

#include "backends/attacc/channel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::attacc {

using dram::ceilDiv;
using dram::DotPart;
using dram::DotRoles;

namespace {

/// The loops of attention as parts of the first product, keys times queries.
struct AttentionRoles {
    DotRoles scores, values;
    int query = -1, key = -1, value = -1, output = -1;
    std::int64_t heads = 1, rows = 1, keys = 1;
    int keyLoops = 0;
};

AttentionRoles attentionRoles(const Kernel& kernel) {
    AttentionRoles roles;
    std::vector<const TensorAccess*> reads;
    const TensorAccess* write = nullptr;
    for (const TensorAccess& access : kernel.accesses) {
        if (access.isWrite)
            write = &access;
        else if (kernel.tensors[std::size_t(access.tensor)].role == TensorRole::Input)
            reads.push_back(&access);
    }
    if (reads.size() != 3 || !write || reads[0]->index.empty())
        return roles;
    const auto in = [](const std::vector<AffineExpr>& index, int loop) {
        return std::any_of(index.begin(), index.end(), [loop](const AffineExpr& expr) {
            return std::any_of(expr.terms.begin(), expr.terms.end(),
                               [loop](const AffineTerm& term) { return term.loop == loop; });
        });
    };
    dram::DotOperand scores; // [heads][rows][keys]
    std::vector<int> keyLoops;
    for (int l = 0; l < int(kernel.loops.size()); ++l) {
        const bool q = in(reads[0]->index, l), k = in(reads[1]->index, l),
                   feature = in({reads[0]->index.back()}, l);
        const std::int64_t extent = kernel.loops[std::size_t(l)].extent;
        roles.scores.parts.push_back(feature  ? DotPart::Summed
                                     : q && k ? DotPart::Batch
                                     : k      ? DotPart::Bank
                                              : DotPart::Buffer);
        roles.values.parts.push_back(feature  ? DotPart::Bank
                                     : q && k ? DotPart::Batch
                                     : k      ? DotPart::Summed
                                              : DotPart::Buffer);
        if (feature)
            continue;
        (q && k ? roles.heads : k ? roles.keys : roles.rows) *= extent;
        if (k && !q) {
            keyLoops.push_back(l);
            continue;
        }
        scores.shape.push_back(extent);
        scores.index.push_back({{{l, 1}}, 0});
    }
    for (const int l : keyLoops) {
        scores.shape.push_back(kernel.loops[std::size_t(l)].extent);
        scores.index.push_back({{{l, 1}}, 0});
    }
    if (scores.shape.empty()) {
        scores.shape = {1};
        scores.index = {{{}, 0}};
    }
    const auto operand = [&kernel](const TensorAccess& access) {
        return dram::DotOperand{kernel.tensors[std::size_t(access.tensor)].shape, access.index};
    };
    roles.keyLoops = int(keyLoops.size());
    roles.query = reads[0]->tensor;
    roles.key = reads[1]->tensor;
    roles.value = reads[2]->tensor;
    roles.output = write->tensor;
    roles.scores.bank = operand(*reads[1]);
    roles.scores.buffer = operand(*reads[0]);
    roles.scores.output = scores;
    roles.values.bank = operand(*reads[2]);
    roles.values.buffer = scores;
    roles.values.output = operand(*write);
    return roles;
}

Result<void> checkRows(const KernelWork& work, const Kernel& kernel) {
    const std::int64_t rows = work.product->rows() + (work.values ? work.values->rows() : 0);
    if (rows > work.geometry.rows)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("its operands take {} rows of every bank, which has {}", rows, work.geometry.rows),
            kernel.name, "split the op over more groups or banks");
    return {};
}

Result<void> attentionWork(KernelWork& work, const TilingSpace& space, const Draft& draft,
                           const Target& target, const Passes& passes) {
    const Kernel& kernel = space.kernel();
    const AttentionRoles roles = attentionRoles(kernel);
    if (roles.query < 0)
        return fail(ErrorCode::Unsupported, "attention of other operands than queries, keys and values",
                    kernel.name);
    const int lanes = kPimLanes;
    work.bankTensor = roles.key;
    work.bufferTensor = roles.query;
    work.valueTensor = roles.value;
    work.outputTensor = roles.output;
    work.keys = roles.keys;
    work.walk.emplace(space, draft, roles.scores, lanes);
    work.valueWalk.emplace(space, draft, roles.values, lanes);
    work.positions.emplace(*work.walk, work.geometry);
    // Scores of a head lie in one piece of the softmax buffer, and those of the next beside them. Pieces of
    // operands stay in the GEMV buffers, so that each is fetched once.
    work.product.emplace(*work.walk, *work.positions, work.geometry, 1, work.geometry.softmaxSlots, false);
    work.values.emplace(*work.valueWalk, *work.positions, work.geometry, 1, work.geometry.softmaxSlots,
                        false);
    const bool parts =
        passes.partialSoftmax && hasRoomForParts(work.product->visitBlocks() * work.product->resultCount(),
                                                 work.values->allSlots(), work.geometry);
    for (const dram::DotWalk::Cut& cut : work.walk->cuts())
        if (cut.groups > 1 && cut.part == DotPart::Bank)
            (parts ? work.partialSoftmax : work.scoresMeetAtHost) = true;
        else if (cut.groups > 1 && cut.part == DotPart::Summed)
            work.scoresMeetAtHost = true;
    if (roles.keyLoops > 1)
        work.scoresMeetAtHost = true; // the keys of a core are no run of those of the head
    work.partialSoftmax = work.partialSoftmax && !work.scoresMeetAtHost;
    if (work.partialSoftmax)
        work.weighingAdditions =
            hostAdditionsOf(target, double(roles.heads) * double(roles.rows) * double(roles.keys));
    const std::int64_t own = work.values->setCount() * work.values->pieces() * work.values->pieceBursts();
    const std::int64_t results = std::max(work.product->visitBlocks() * work.product->resultCount(), own);
    const std::int64_t heads = work.scoresMeetAtHost ? work.headsAbreast() * work.headBursts() : results;
    const std::int64_t outputs = work.values->visitBlocks() * work.values->resultCount();
    if (work.product->chunks() > 1 || work.values->chunks() > 1 ||
        results + heads + outputs > work.geometry.softmaxSlots)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} keys of {} heads side by side need {} slots of the softmax buffer, which has {}",
                        roles.keys, work.headsAbreast(), results + heads + outputs,
                        work.geometry.softmaxSlots),
            kernel.name, "split heads or keys over more groups");
    work.values->firstRow = work.product->rows();
    return {};
}

} // namespace

double hostAdditionsOf(const Target& target, double scores) {
    return scores * target.numberOr("unit.softmax.flopsPerElement", 5);
}

bool hasRoomForParts(std::int64_t scoreSlots, std::int64_t outputSlots, const Geometry& geometry) {
    return 2 * scoreSlots + outputSlots <= geometry.softmaxSlots;
}

const dram::DotWalk::Cut* KernelWork::keyCut() const {
    for (const Positions::Digit& digit : positions->digits())
        if (const dram::DotWalk::Cut& cut = walk->cuts()[std::size_t(digit.cut)]; cut.part == DotPart::Bank)
            return &cut;
    return nullptr;
}

std::int64_t KernelWork::firstMasked(int digit) const {
    const std::int64_t blocks = product->visitBlocks();
    const dram::DotWalk::Cut* const cut = keyCut();
    if (!partialSoftmax || !cut)
        return blocks;
    const auto lengthIn = [&](int group, int core) {
        const auto& range = cut->ranges[std::size_t(group * cut->cores + core)];
        return range.second - range.first;
    };
    std::int64_t least = lengthIn(0, digit);
    for (int group = 1; group < cut->groups; ++group)
        if (lengthIn(group, 0) > 0) // else the group idles: nobody takes its results
            least = std::min(least, std::max<std::int64_t>(0, lengthIn(group, digit)));
    return least < lengthIn(0, digit) ? least / kPimLanes : blocks;
}

std::vector<float> KernelWork::scratchConstants() const {
    return partialSoftmax ? std::vector{kMaskedScore} : std::vector<float>{};
}

/// Of the head and row of each output: the part that the keys of the group have of the sum over all.
std::vector<float> KernelWork::weights(int tensor, int group, std::span<const float> scratch) const {
    const dram::DotWalk::Cut* const cut = keyCut();
    if (!partialSoftmax || tensor != outputTensor || !cut)
        return {};
    const int digit = cut->groupDigit(group) * cut->cores;
    const std::int64_t first = cut->ranges[std::size_t(digit)].first;
    std::int64_t last = first;
    for (int core = 0; core < cut->cores; ++core)
        last = std::max(last, cut->ranges[std::size_t(digit + core)].second);
    const auto shareOf = [&](std::int64_t head) {
        const auto scores = scratch.subspan(std::size_t(head * keys), std::size_t(keys));
        const double greatest = *std::max_element(scores.begin(), scores.end());
        double own = 0, all = 0;
        for (std::int64_t key = 0; key < keys; ++key) {
            const double share = std::exp(double(scores[std::size_t(key)]) - greatest);
            all += share;
            own += key >= first && key < last ? share : 0;
        }
        return float(own / all);
    };
    const dram::DotProducts& work = valueWalk->work();
    std::vector<float> weights(std::size_t(elementCount(valueWalk->roles().output.shape).value_or(0)), 0.0F);
    std::vector<float> shares(std::size_t(elementCount(walk->roles().output.shape).value_or(0) / keys),
                              -1.0F);
    for (int position = 0; position < positions->count(); ++position) {
        const int core = positions->core(position);
        if (!walk->works(group, core))
            continue;
        for (std::int64_t batch = 0; batch < work.batches; ++batch)
            for (std::int64_t row = 0; row < work.bufferVectors; ++row) {
                const std::int64_t score = walk->output(group, core, batch, 0, row);
                if (score < 0)
                    continue;
                float& share = shares[std::size_t(score / keys)];
                if (share < 0)
                    share = shareOf(score / keys);
                for (std::int64_t feature = 0; feature < work.bankVectors; ++feature)
                    if (const std::int64_t element = valueWalk->output(group, core, batch, feature, row);
                        element >= 0)
                        weights[std::size_t(element)] = share;
            }
    }
    return weights;
}

Skip KernelWork::headSkip() const {
    // Keys and features are the lowest digits.
    return {1, product->operandSets().copies * product->results().copies};
}

std::int64_t KernelWork::headBurst(int head, std::int64_t batch, std::int64_t row, std::int64_t burst) const {
    return product->allSlots() +
           ((head * product->batches() + batch) * product->bufferVectors() + row) * headBursts() + burst;
}

std::int64_t KernelWork::ownBurst(int set, std::int64_t batch, std::int64_t row, std::int64_t burst) const {
    return headBurst(headsAbreast(), 0, 0, 0) + values->bufferBurst(set, batch, row, burst);
}

void KernelWork::elements(int tensor, int group, std::int64_t burst,
                          std::span<std::int64_t, kPimLanes> lanes) const {
    if (tensor == bankTensor)
        return product->bankElements(group, burst, lanes);
    if (tensor == bufferTensor)
        return product->bufferElements(group, burst, lanes);
    if (isAttention() && tensor == valueTensor)
        return values->bankElements(group, burst, lanes);
    if (tensor == outputTensor)
        return (isAttention() ? *values : *product).resultElements(group, burst, lanes);
    std::fill(lanes.begin(), lanes.end(), -1);
    if (tensor != tensors)
        return;
    if (burst < product->allSlots())
        return product->resultElements(group, burst, lanes);
    if (partialSoftmax) {
        product->resultElements(group, burst - product->allSlots(), lanes);
        const std::int64_t masked = elementCount(walk->roles().output.shape).value_or(0); // behind the scores
        for (std::int64_t& lane : lanes)
            lane = lane < 0 ? masked : -1;
        return;
    }
    if (const std::int64_t own = ownBurst(0, 0, 0, 0); burst >= own)
        return values->bufferElements(group, burst - own, lanes);
    const std::int64_t rest = burst - product->allSlots(), vector = rest / headBursts();
    const std::int64_t row = vector % product->bufferVectors(),
                       batch = vector / product->bufferVectors() % product->batches();
    const int core =
        product->workingCore(group, headSkip(), int(vector / product->bufferVectors() / product->batches()));
    const std::int64_t first = core < 0 ? -1 : walk->output(group, core, batch, 0, row);
    for (int lane = 0; lane < kPimLanes; ++lane)
        if (const std::int64_t key = rest % headBursts() * kPimLanes + lane; first >= 0 && key < keys)
            lanes[std::size_t(lane)] = first / keys * keys + key;
}

std::vector<PimPlace> KernelWork::places(int tensor, std::int64_t element) const {
    if (tensor == bankTensor)
        return product->places(element);
    if (isAttention() && tensor == valueTensor)
        return values->places(element);
    return {}; // operand buffers and results are on the buffer die
}

Result<std::shared_ptr<KernelWork>> workOf(const TilingSpace& space, const Draft& draft, const Target& target,
                                           const std::vector<Residency>& residency, const Passes& passes) {
    const Kernel& kernel = space.kernel();
    const auto work = std::make_shared<KernelWork>();
    work->geometry = Geometry(target);
    work->tensors = int(kernel.tensors.size());
    if (work->geometry.allBanks() < space.resources().coresPerGroup)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the draft is for {} banks per channel, the channel has {}",
                                space.resources().coresPerGroup, work->geometry.allBanks()),
                    kernel.name);
    if (kernel.body == BodyKind::Attention) {
        PIM_CHECK(attentionWork(*work, space, draft, target, passes));
    } else if (kernel.body == BodyKind::Elementwise ||
               (kernel.body == BodyKind::Reduce && kernel.function != "add")) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("GEMV units multiply and add; they have no {}", kernel.function),
                    kernel.name);
    } else {
        const dram::DotOperands operands(kernel, dram::residentOnes(residency));
        if (kernel.body == BodyKind::Mac && operands.buffer() < 0)
            return fail(ErrorCode::Unsupported,
                        "a GEMV unit multiplies two different operands, bank by buffer", kernel.name);
        work->bankTensor = operands.bank();
        work->bufferTensor = operands.buffer();
        for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
            if (kernel.tensors[t].role != TensorRole::Input)
                work->outputTensor = int(t);
        work->walk.emplace(space, draft, rolesOf(kernel, operands), kPimLanes);
        work->positions.emplace(*work->walk, work->geometry);
        dram::DotProducts dots = work->walk->work();
        dots.bufferTensor = work->bufferTensor;
        work->product.emplace(*work->walk, *work->positions, work->geometry, kAccumulators,
                              work->geometry.softmaxSlots, outputsStay(dots, work->geometry, Timing(target)));
        if (!passes.broadcast)
            work->product->writeBuffersInTurn();
        if (work->product->resultCount() > work->geometry.softmaxSlots)
            return fail(ErrorCode::Unsupported,
                        fmt::format("results of {} banks leave at once, the softmax buffer has {} slots",
                                    work->product->resultCount(), work->geometry.softmaxSlots),
                        kernel.name);
    }
    const int merge = mergeable(*work->product, work->geometry);
    const int valueMerge = work->values ? mergeable(*work->values, work->geometry) : 1;
    work->positions->keepTogether(std::max(merge, valueMerge));
    work->product->setMerge(merge);
    if (work->values)
        work->values->setMerge(valueMerge);
    PIM_CHECK(checkRows(*work, kernel));
    return work;
}

} // namespace pim::attacc
