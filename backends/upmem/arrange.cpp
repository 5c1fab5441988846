// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/arrange.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

namespace pim::upmem {
namespace {

using Form = TileShape::Form;
using Function = TileShape::Function;

int widthOf(DataType type) {
    return type == DataType::I8 ? 1 : type == DataType::I16 ? 2 : 4;
}

void put(std::uint8_t* to, std::int32_t value, int width) {
    std::memcpy(to, &value, std::size_t(width)); // little-endian, as DPUs are
}

std::int32_t get(const std::uint8_t* from, int width) {
    std::uint32_t value = 0;
    std::memcpy(&value, from, std::size_t(width));
    return width == 1 ? std::int8_t(value) : width == 2 ? std::int16_t(value) : std::int32_t(value);
}

/// \param width of the operands, bytes.
std::int32_t applied(Function function, std::int32_t a, std::int32_t b, int width) {
    const auto wrapped = [](std::uint32_t value) { return std::int32_t(value); };
    switch (function) {
    case Function::Add:
        return wrapped(std::uint32_t(a) + std::uint32_t(b));
    case Function::Sub:
        return wrapped(std::uint32_t(a) - std::uint32_t(b));
    case Function::Mul:
        return wrapped(std::uint32_t(a) * std::uint32_t(b));
    case Function::Relu:
        return std::max(a, 0);
    case Function::Max:
        return std::max(a, b);
    case Function::Min:
        return std::min(a, b);
    case Function::And:
        return a & b;
    case Function::Or:
        return a | b;
    case Function::Xor:
        return a ^ b;
    case Function::Div:
        return b == 0 ? 0 : b == -1 ? wrapped(0 - std::uint32_t(a)) : a / b;
    case Function::Not:
        return ~a;
    case Function::Ones:
        return std::popcount(std::uint32_t(a) & (~std::uint32_t(0) >> (32 - 8 * width)));
    }
    return a;
}

/// Rows of an operand of a product in MRAM: whole, or chunk by chunk of some rows. In elements.
struct RowOrder {
    std::int64_t rows, chunk, chunks;
    bool byChunk;
    std::int64_t ofRow(std::int64_t row) const {
        return byChunk ? row / rows * chunks * rows * chunk + row % rows * chunk : row * chunk * chunks;
    }
    std::int64_t ofElement(std::int64_t k) const {
        return byChunk ? k / chunk * rows * chunk + k % chunk : k;
    }
};

} // namespace

/// Some loops, the first outermost, from one access: for each combination of their values where it stands in the tile, and what it
/// adds to the place in the tensor.
class Arrangement::Walk {
public:
    struct Step {
        std::int64_t position = 0; ///< In the tile, where every loop takes the most that a tasklet has.
        std::int64_t offset = 0;   ///< Elements of the tensor.
    };

    Walk(const Arrangement& owner, const TensorAccess& access, const std::vector<int>& loops,
         const std::vector<Range>& box) {
        const Kernel& kernel = owner.kernel();
        const Shape& shape = kernel.tensors[std::size_t(access.tensor)].shape;
        m_rank = shape.size();
        m_steps.emplace_back();
        m_indices.assign(m_rank, 0);
        for (const int loop : loops) {
            std::vector<std::int64_t> slopes(m_rank, 0);
            for (std::size_t d = 0; d < m_rank; ++d)
                for (const AffineTerm& term : access.index[d].terms)
                    if (term.loop == loop)
                        slopes[d] = term.coefficient;
            widen(box[std::size_t(loop)], owner.m_draft.loopTile[std::size_t(loop)], slopes, shape);
        }
    }

    const std::vector<Step>& steps() const { return m_steps; }
    /// What it adds to the indices of the tensor, one a dimension.
    const std::int64_t* indices(std::size_t step) const { return m_indices.data() + step * m_rank; }
    /// Least and greatest of what it adds to \p dimension.
    std::pair<std::int64_t, std::int64_t> extremes(std::size_t dimension) const {
        std::pair<std::int64_t, std::int64_t> found{std::numeric_limits<std::int64_t>::max(),
                                                    std::numeric_limits<std::int64_t>::min()};
        for (std::size_t i = dimension; i < m_indices.size(); i += m_rank) {
            found.first = std::min(found.first, m_indices[i]);
            found.second = std::max(found.second, m_indices[i]);
        }
        return found;
    }
    /// From one offset to the next, if that is always the same.
    std::optional<std::int64_t> stride() const {
        const std::int64_t step = m_steps.size() > 1 ? m_steps[1].offset - m_steps[0].offset : 1;
        for (std::size_t i = 1; i < m_steps.size(); ++i)
            if (m_steps[i].offset != m_steps[i - 1].offset + step)
                return std::nullopt;
        return step;
    }

private:
    void widen(const Range& range, std::int64_t most, const std::vector<std::int64_t>& slopes,
               const Shape& shape) {
        std::vector<std::int64_t> strides(m_rank, 1);
        for (std::size_t d = m_rank; d-- > 1;)
            strides[d - 1] = strides[d] * shape[d];
        std::vector<Step> steps;
        std::vector<std::int64_t> indices;
        const auto length = std::size_t(range.second - range.first);
        steps.reserve(m_steps.size() * length);
        indices.reserve(m_indices.size() * length);
        for (std::size_t i = 0; i < m_steps.size(); ++i)
            for (std::int64_t value = range.first; value < range.second; ++value) {
                Step step{m_steps[i].position * most + value - range.first, m_steps[i].offset};
                for (std::size_t d = 0; d < m_rank; ++d) {
                    step.offset += slopes[d] * value * strides[d];
                    indices.push_back(m_indices[i * m_rank + d] + slopes[d] * value);
                }
                steps.push_back(step);
            }
        m_steps = std::move(steps);
        m_indices = std::move(indices);
    }

    std::size_t m_rank = 0;
    std::vector<Step> m_steps;
    std::vector<std::int64_t> m_indices; ///< [step][dimension]
};

namespace {

/// Where all loops are 0.
std::int64_t baseOf(const Kernel& kernel, const TensorAccess& access) {
    const Shape& shape = kernel.tensors[std::size_t(access.tensor)].shape;
    std::int64_t base = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        base = base * shape[d] + access.index[d].constant;
    return base;
}

/// A tensor as several walks together reach it.
template <class Walk>
class Reach {
public:
    Reach(const Kernel& kernel, const TensorAccess& access, std::array<const Walk*, 3> walks)
        : m_shape(kernel.tensors[std::size_t(access.tensor)].shape), m_access(access), m_walks(walks),
          m_base(baseOf(kernel, access)) {
        for (std::size_t d = 0; d < m_shape.size(); ++d) {
            std::int64_t least = access.index[d].constant, most = least;
            for (const Walk* const walk : walks) {
                const auto [low, high] = walk->extremes(d);
                least += low;
                most += high;
            }
            m_inside = m_inside && least >= 0 && most < m_shape[d];
        }
    }

    bool isInside() const { return m_inside; } ///< All of it.
    std::int64_t offset(std::size_t i, std::size_t j, std::size_t k) const {
        return m_base + m_walks[0]->steps()[i].offset + m_walks[1]->steps()[j].offset +
               m_walks[2]->steps()[k].offset;
    }
    std::int32_t at(const std::vector<std::int32_t>& tensor, std::size_t i, std::size_t j,
                    std::size_t k) const {
        if (!m_inside)
            for (std::size_t d = 0; d < m_shape.size(); ++d) {
                const std::int64_t index = m_access.index[d].constant + m_walks[0]->indices(i)[d] +
                                           m_walks[1]->indices(j)[d] + m_walks[2]->indices(k)[d];
                if (index < 0 || index >= m_shape[d])
                    return 0;
            }
        return tensor[std::size_t(offset(i, j, k))];
    }

private:
    const Shape& m_shape;
    const TensorAccess& m_access;
    std::array<const Walk*, 3> m_walks;
    std::int64_t m_base;
    bool m_inside = true;
};

const TensorAccess& writeOf(const Kernel& kernel) {
    return *std::ranges::find(kernel.accesses, true, &TensorAccess::isWrite);
}

} // namespace

Result<Arrangement> Arrangement::of(std::shared_ptr<const TilingSpace> space, const Draft& draft,
                                    const DpuTiming& timing) {
    DraftSummary summary = space->summarize(draft);
    PIM_TRY(KernelTile tile, tileOf(space->kernel(), summary, timing));
    Arrangement made(std::move(space), std::move(tile), std::move(summary));
    made.cut(draft);
    return made;
}

void Arrangement::cut(const Draft& draft) {
    for (const Loop& loop : kernel().loops)
        m_cuts.push_back({{{0, loop.extent}}});
    int groupStep = 1, coreStep = 1;
    for (int set = int(draft.parts.size()) - 1; set >= 0; --set) {
        const DraftPart& part = draft.parts[std::size_t(set)];
        const int loop = m_space->sets()[std::size_t(set)].mappings[std::size_t(part.mapping)].loop;
        Cuts cuts;
        for (int g = 0; g < part.groups; ++g) {
            std::vector<Range> ofGroup;
            for (int c = 0; c < part.cores; ++c)
                if (const Range range = m_space->loopRange(draft, set, g * groupStep, c * coreStep);
                    range.first < range.second)
                    ofGroup.push_back(range);
            if (!ofGroup.empty())
                cuts.push_back(std::move(ofGroup));
        }
        m_cuts[std::size_t(loop)] = std::move(cuts);
        groupStep *= part.groups;
        coreStep *= part.cores;
    }
    m_dpus = 1;
    for (const Cuts& cuts : m_cuts)
        m_dpus *= int(cuts.size());
    PIM_ASSERT(m_dpus == m_draft.groupsUsed, "the summary of a draft counts the groups with work");
}

std::vector<int> Arrangement::loopsOf(LoopPart part) const {
    std::vector<int> loops;
    for (int loop = 0; loop < std::ssize(kernel().loops); ++loop)
        if (m_tile.tile.shape().form == Form::Map ? part == LoopPart::Output
                                                  : loopPart(kernel(), m_tile, loop) == part)
            loops.push_back(loop);
    return loops;
}

std::vector<Arrangement::Range> Arrangement::box(int dpu, int tasklet) const {
    std::vector<Range> box(m_cuts.size());
    std::vector<std::size_t> groups(m_cuts.size());
    for (std::size_t loop = m_cuts.size(); loop-- > 0;) {
        groups[loop] = std::size_t(dpu) % m_cuts[loop].size();
        dpu /= int(m_cuts[loop].size());
    }
    for (const LoopPart part : {LoopPart::Sum, LoopPart::Output, LoopPart::Vector, LoopPart::Batch}) {
        const std::vector<int> loops = loopsOf(part);
        for (auto at = loops.rbegin(); at != loops.rend(); ++at) {
            const auto loop = std::size_t(*at);
            const auto cores = int(m_draft.loopCores[loop]);
            const auto core = std::size_t(tasklet % cores);
            tasklet /= cores;
            const std::vector<Range>& ranges = m_cuts[loop][groups[loop]];
            if (core >= ranges.size())
                return {};
            box[loop] = ranges[core];
        }
    }
    return box;
}

int Arrangement::resultTensor() const {
    return writeOf(kernel()).tensor;
}

std::int32_t Arrangement::emptyValue() const {
    const TileShape& shape = m_tile.tile.shape();
    return shape.form == Form::Sum ? neutralOf(shape.function, 4) : 0;
}

std::vector<std::int32_t> Arrangement::emptyResult() const {
    std::int64_t elements = 1;
    for (const std::int64_t extent : kernel().tensors[std::size_t(resultTensor())].shape)
        elements *= extent;
    return std::vector<std::int32_t>(std::size_t(elements), emptyValue());
}

void Arrangement::join(std::int32_t& result, std::int32_t value) const {
    const TileShape& shape = m_tile.tile.shape();
    if (shape.form == Form::Map)
        result = value;
    else if (shape.form == Form::Sum)
        result = applied(shape.function, result, value, 4);
    else
        result = std::int32_t(std::uint32_t(result) + std::uint32_t(value));
}

// ---- To the DPU ----

void Arrangement::send(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const {
    const TileLayout layout = layoutOf(m_tile.tile);
    std::fill(mram.begin(), mram.begin() + layout.y, std::uint8_t(0));
    if (m_tile.tile.lookUps())
        sendLookUps(dpu, tensors, mram);
    else if (m_tile.tile.shape().form == Form::Product)
        sendProduct(dpu, tensors, mram);
    else
        sendRows(dpu, tensors, mram);
}

void Arrangement::sendProduct(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const {
    const TileShape& s = m_tile.tile.shape();
    const TileBlocks& b = m_tile.tile.blocks();
    const TileLayout layout = layoutOf(m_tile.tile);
    const int width = widthOf(s.type);
    const RowOrder orderX{b.vectors, b.chunk, b.chunks, b.readsVectorsAgain},
        orderW{b.rows, b.chunk, b.chunks, b.chunks > 1};
    const auto write = [&](const std::vector<Range>& box, int at, LoopPart part, const RowOrder& order,
                           std::int64_t begin, std::int64_t batchBytes) {
        const TensorAccess& access = kernel().accesses[std::size_t(at)];
        const Walk batches(*this, access, loopsOf(LoopPart::Batch), box),
            rows(*this, access, loopsOf(part), box), sums(*this, access, loopsOf(LoopPart::Sum), box);
        const Reach<Walk> reach(kernel(), access, {&batches, &rows, &sums});
        const std::vector<std::int32_t>& tensor = tensors[std::size_t(access.tensor)];
        std::vector<std::int64_t> places;
        for (const Walk::Step& step : sums.steps())
            places.push_back(order.ofElement(step.position) * width);
        for (std::size_t i = 0; i < batches.steps().size(); ++i)
            for (std::size_t j = 0; j < rows.steps().size(); ++j) {
                std::uint8_t* const row = &mram[std::size_t(begin + batches.steps()[i].position * batchBytes +
                                                            order.ofRow(rows.steps()[j].position) * width)];
                for (std::size_t k = 0; k < places.size(); ++k)
                    put(row + places[k], reach.at(tensor, i, j, k), width);
            }
    };
    for (int t = 0; t < s.tasklets(); ++t) {
        const std::vector<Range> mine = box(dpu, t);
        if (mine.empty())
            continue;
        const int sum = t % s.sumTasklets, output = t / s.sumTasklets % s.outputTasklets,
                  outer = t / (s.sumTasklets * s.outputTasklets), batch = outer / s.vectorTasklets;
        // Tasklets share operands; the first of those that do has work if any has.
        if (output == 0)
            write(mine, m_tile.held, LoopPart::Vector, orderX,
                  layout.x + (outer * s.sumTasklets + sum) * layout.xBytes, layout.xBytes / s.batches);
        if (outer % s.vectorTasklets == 0)
            write(mine, m_tile.streamed, LoopPart::Output, orderW,
                  layout.w + ((batch * s.outputTasklets + output) * s.sumTasklets + sum) * layout.wBytes,
                  layout.wBytes / s.batches);
    }
}

void Arrangement::sendRows(int dpu, const KernelNumbers& tensors, std::span<std::uint8_t> mram) const {
    const TileShape& s = m_tile.tile.shape();
    const TileLayout layout = layoutOf(m_tile.tile);
    const int width = widthOf(s.type);
    const std::int64_t row = m_tile.tile.blocks().rowElements();
    if (s.form == Form::Sum) // 0 would be the greatest of negative numbers
        for (std::int64_t at = 0; at < layout.y; at += width)
            put(&mram[std::size_t(at)], neutralOf(s.function, width), width);
    if (s.form == Form::Map && s.function == Function::Div)
        for (std::int64_t at = layout.w; at < layout.y; at += width)
            put(&mram[std::size_t(at)], 1, width);
    const std::vector<int> operands = upmem::operandsOf(kernel(), m_tile);
    for (int t = 0; t < s.tasklets(); ++t) {
        const std::vector<Range> mine = box(dpu, t);
        for (std::size_t i = 0; !mine.empty() && i < operands.size(); ++i) {
            const TensorAccess& access = kernel().accesses[std::size_t(operands[i])];
            const Walk none(*this, access, {}, mine), outputs(*this, access, loopsOf(LoopPart::Output), mine),
                sums(*this, access, loopsOf(LoopPart::Sum), mine);
            const Reach<Walk> reach(kernel(), access, {&none, &outputs, &sums});
            const std::int64_t begin = (i == 0 ? layout.x : layout.w) + t * layout.xBytes;
            for (std::size_t o = 0; o < outputs.steps().size(); ++o)
                for (std::size_t k = 0; k < sums.steps().size(); ++k) {
                    const std::int64_t place =
                        s.form == Form::Map ? outputs.steps()[o].position
                                            : outputs.steps()[o].position * row + sums.steps()[k].position;
                    put(&mram[std::size_t(begin + place * width)],
                        reach.at(tensors[std::size_t(access.tensor)], 0, o, k), width);
                }
        }
    }
}

// ---- Back ----

/// Calls visit(byte in MRAM, element of the result tensor).
template <class Visit>
void Arrangement::eachResult(int dpu, int tasklet, const Visit& visit) const {
    if (m_tile.tile.lookUps()) { // tasklets share all of them
        if (tasklet == 0)
            eachLookUp(dpu, visit);
        return;
    }
    const TileShape& s = m_tile.tile.shape();
    const TileBlocks& b = m_tile.tile.blocks();
    const TileLayout layout = layoutOf(m_tile.tile);
    const std::vector<Range> mine = box(dpu, tasklet);
    if (mine.empty())
        return;
    const TensorAccess& access = writeOf(kernel());
    const Walk batches(*this, access, loopsOf(LoopPart::Batch), mine),
        vectors(*this, access, loopsOf(LoopPart::Vector), mine),
        outputs(*this, access, loopsOf(LoopPart::Output), mine);
    const std::int64_t base = baseOf(kernel(), access);
    const std::int64_t begin = layout.y + tasklet / s.sumTasklets * layout.yBytes;
    for (const Walk::Step& batch : batches.steps())
        for (const Walk::Step& vector : vectors.steps())
            for (const Walk::Step& output : outputs.steps()) {
                const std::int64_t v = vector.position, o = output.position;
                const std::int64_t place =
                    s.form == Form::Map ? o * widthOf(s.type)
                    : s.form == Form::Sum
                        ? o * 8
                        : 4 * ((((batch.position * b.passes + v / b.vectors) * b.blocks + o / b.rows) *
                                    b.rows +
                                o % b.rows) *
                                   b.vectors +
                               v % b.vectors);
                visit(begin + place, base + batch.offset + vector.offset + output.offset);
            }
}

void Arrangement::fetch(int dpu, std::span<const std::uint8_t> mram, std::span<std::int32_t> result) const {
    const TileShape& s = m_tile.tile.shape();
    const int width = s.form == Form::Map ? widthOf(s.type) : 4;
    for (int t = 0; t < s.tasklets(); t += s.sumTasklets) {
        // Of those that share sums, the one with the first part has results of all: it has work if any has.
        eachResult(dpu, t, [&](std::int64_t byte, std::int64_t element) {
            join(result[std::size_t(element)], get(&mram[std::size_t(byte)], width));
        });
    }
}

std::vector<std::int64_t> Arrangement::resultsOf(int dpu) const {
    std::vector<std::int64_t> elements;
    const TileShape& s = m_tile.tile.shape();
    for (int t = 0; t < s.tasklets(); t += s.sumTasklets)
        eachResult(dpu, t, [&](std::int64_t, std::int64_t element) { elements.push_back(element); });
    return elements;
}

// ---- In plain loops ----

void Arrangement::compute(int dpu, const KernelNumbers& tensors, std::span<std::int32_t> result) const {
    if (m_tile.tile.lookUps())
        return computeLookUps(dpu, tensors, result);
    for (int t = 0; t < m_tile.tile.shape().tasklets(); ++t) {
        const std::vector<Range> mine = box(dpu, t);
        if (mine.empty())
            continue;
        if (m_tile.tile.shape().form == Form::Product)
            computeProduct(mine, tensors, result);
        else
            computeRows(mine, tensors, result);
    }
}

void Arrangement::computeProduct(const std::vector<Range>& mine, const KernelNumbers& tensors,
                                 std::span<std::int32_t> result) const {
    const TensorAccess &first = kernel().accesses[std::size_t(m_tile.held)],
                       &second = kernel().accesses[std::size_t(m_tile.streamed)], &write = writeOf(kernel());
    const std::vector<std::int32_t>&x = tensors[std::size_t(first.tensor)],
          &w = tensors[std::size_t(second.tensor)];
    const auto walk = [&](const TensorAccess& access, LoopPart part) {
        return Walk(*this, access, loopsOf(part), mine);
    };
    const Walk xb = walk(first, LoopPart::Batch), xv = walk(first, LoopPart::Vector),
               xk = walk(first, LoopPart::Sum);
    const Walk wb = walk(second, LoopPart::Batch), wo = walk(second, LoopPart::Output),
               wk = walk(second, LoopPart::Sum);
    const Walk yb = walk(write, LoopPart::Batch), yv = walk(write, LoopPart::Vector),
               yo = walk(write, LoopPart::Output);
    const Reach<Walk> readX(kernel(), first, {&xb, &xv, &xk}), readW(kernel(), second, {&wb, &wo, &wk}),
        place(kernel(), write, {&yb, &yv, &yo});
    const auto strideX = xk.stride(), strideW = wk.stride();
    const bool regular = readX.isInside() && readW.isInside() && strideX && strideW;
    const std::size_t length = xk.steps().size();
    for (std::size_t b = 0; b < xb.steps().size(); ++b)
        for (std::size_t v = 0; v < xv.steps().size(); ++v)
            for (std::size_t o = 0; o < wo.steps().size(); ++o) {
                std::uint32_t sum = 0;
                if (regular) {
                    const std::int32_t *p = &x[std::size_t(readX.offset(b, v, 0))],
                                       *q = &w[std::size_t(readW.offset(b, o, 0))];
                    for (std::size_t k = 0; k < length; ++k)
                        sum += std::uint32_t(p[std::int64_t(k) * *strideX]) *
                               std::uint32_t(q[std::int64_t(k) * *strideW]);
                } else {
                    for (std::size_t k = 0; k < length; ++k)
                        sum += std::uint32_t(readX.at(x, b, v, k)) * std::uint32_t(readW.at(w, b, o, k));
                }
                join(result[std::size_t(place.offset(b, v, o))], std::int32_t(sum));
            }
}

void Arrangement::computeRows(const std::vector<Range>& mine, const KernelNumbers& tensors,
                              std::span<std::int32_t> result) const {
    const TileShape& s = m_tile.tile.shape();
    const std::vector<int> operands = upmem::operandsOf(kernel(), m_tile);
    const TensorAccess &first = kernel().accesses[std::size_t(operands.front())],
                       &second = kernel().accesses[std::size_t(operands.back())], &write = writeOf(kernel());
    const auto walk = [&](const TensorAccess& access, const std::vector<int>& loops) {
        return Walk(*this, access, loops, mine);
    };
    const std::vector<int> outputs = loopsOf(LoopPart::Output), sums = loopsOf(LoopPart::Sum);
    const Walk none = walk(first, {}), xo = walk(first, outputs), xk = walk(first, sums),
               noneW = walk(second, {}), wo = walk(second, outputs), wk = walk(second, sums),
               noneY = walk(write, {}), yo = walk(write, outputs);
    const Reach<Walk> readX(kernel(), first, {&none, &xo, &xk}), readW(kernel(), second, {&noneW, &wo, &wk}),
        place(kernel(), write, {&noneY, &yo, &noneY});
    const std::vector<std::int32_t>&x = tensors[std::size_t(first.tensor)],
          &w = tensors[std::size_t(second.tensor)];
    for (std::size_t o = 0; o < xo.steps().size(); ++o) {
        std::int32_t& to = result[std::size_t(place.offset(0, o, 0))];
        for (std::size_t k = 0; s.form == Form::Sum && k < xk.steps().size(); ++k)
            join(to, readX.at(x, 0, o, k));
        if (s.form == Form::Map) {
            std::array<std::uint8_t, 4> cut{}; // a DPU stores no more of it
            put(cut.data(), applied(s.function, readX.at(x, 0, o, 0), readW.at(w, 0, o, 0), widthOf(s.type)),
                widthOf(s.type));
            join(to, get(cut.data(), widthOf(s.type)));
        }
    }
}

} // namespace pim::upmem
