// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram_pim/kernel_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim {
namespace {

using Numbers = std::vector<std::vector<double>>;

/// Position of an access in its tensor, kept up to date while the loops run.
class Cursor {
public:
    Cursor(const Kernel& kernel, const TensorAccess& access)
        : m_shape(kernel.tensors[std::size_t(access.tensor)].shape), m_index(access.index),
          m_tensor(access.tensor) {
        for (const GatheredIndex& gathered : access.gathered)
            m_gathered.emplace_back(gathered.dimension,
                                    Cursor(kernel, kernel.accesses[std::size_t(gathered.access)]));
    }

    int tensor() const { return m_tensor; }
    /// Row-major position; -1 outside the tensor. \param numbers hold the indices that are looked up.
    std::int64_t at(const Numbers& numbers, const std::vector<std::int64_t>& loops) const {
        std::int64_t position = 0;
        auto gathered = m_gathered.begin();
        for (std::size_t d = 0; d < m_index.size(); ++d) {
            std::int64_t index = m_index[d].constant;
            for (const AffineTerm& term : m_index[d].terms)
                index += term.coefficient * loops[std::size_t(term.loop)];
            if (gathered != m_gathered.end() && std::size_t(gathered->first) == d) {
                const Cursor& from = (gathered++)->second;
                const std::int64_t at = from.at(numbers, loops);
                if (at < 0)
                    return -1; // the index itself is padding
                index = std::int64_t(numbers[std::size_t(from.m_tensor)][std::size_t(at)]);
                index += index < 0 ? m_shape[d] : 0;
            }
            if (index < 0 || index >= m_shape[d])
                return -1;
            position = position * m_shape[d] + index;
        }
        return position;
    }
    double of(const Numbers& numbers, const std::vector<std::int64_t>& loops) const {
        const std::int64_t position = at(numbers, loops);
        return position < 0 ? 0 : numbers[std::size_t(m_tensor)][std::size_t(position)];
    }

private:
    const Shape& m_shape;
    const std::vector<AffineExpr>& m_index;
    int m_tensor;
    std::vector<std::pair<int, Cursor>> m_gathered; ///< By dimension.
};

/// Every index that is looked up must be there: numbers that are none are mistakes, not padding.
Result<void> checkIndices(const Kernel& kernel, const Numbers& tensors) {
    PIM_CHECK(checkGathered(kernel));
    for (const TensorAccess& access : kernel.accesses)
        for (const GatheredIndex& gathered : access.gathered) {
            const KernelTensor& table = kernel.tensors[std::size_t(access.tensor)];
            const auto from = std::size_t(kernel.accesses[std::size_t(gathered.access)].tensor);
            const auto extent = double(table.shape[std::size_t(gathered.dimension)]);
            for (std::size_t i = 0; i < tensors[from].size(); ++i)
                if (const double index = tensors[from][i];
                    !(index >= -extent && index < extent) || index != std::floor(index))
                    return fail(ErrorCode::Usage,
                                fmt::format("element {} of {} is {}, no index of {}, which has {} there", i,
                                            kernel.tensors[from].name, index, table.name, extent),
                                kernel.name);
        }
    return {};
}

/// Calls \p body for every point of the loops named, the last one fastest; the others keep their place.
template <class Body>
void forEach(const Kernel& kernel, const std::vector<int>& over, std::vector<std::int64_t>& loops,
             const Body& body) {
    for (const int loop : over) {
        if (kernel.loops[std::size_t(loop)].extent <= 0)
            return;
        loops[std::size_t(loop)] = 0;
    }
    while (true) {
        body();
        std::size_t i = over.size();
        while (i > 0) {
            std::int64_t& value = loops[std::size_t(over[i - 1])];
            if (++value < kernel.loops[std::size_t(over[i - 1])].extent)
                break;
            value = 0;
            --i;
        }
        if (i == 0)
            return;
    }
}

double apply(std::string_view function, double a, double b, bool& known) {
    if (function == "copy")
        return a;
    if (function == "neg")
        return -a;
    if (function == "relu")
        return std::max(a, 0.0);
    if (function == "abs")
        return std::abs(a);
    if (function == "add")
        return a + b;
    if (function == "sub")
        return a - b;
    if (function == "mul")
        return a * b;
    if (function == "div")
        return a / b;
    if (function == "max")
        return std::max(a, b);
    if (function == "min")
        return std::min(a, b);
    known = false;
    return 0;
}

bool uses(const TensorAccess& access, int loop) {
    return std::any_of(access.index.begin(), access.index.end(), [loop](const AffineExpr& expr) {
        return std::any_of(expr.terms.begin(), expr.terms.end(),
                           [loop](const AffineTerm& term) { return term.loop == loop; });
    });
}

/// O[h][m][d] = sum_l softmax_l(sum_d Q[h][m][d] K[h][l][d]) V[h][l][d]
void attention(const Kernel& kernel, const std::vector<Cursor>& reads, const Cursor& write,
               const TensorAccess& queries, const TensorAccess& keys, Numbers& numbers) {
    std::vector<int> rows, sums, features;
    for (int l = 0; l < int(kernel.loops.size()); ++l) {
        const bool inQuery = uses(queries, l), inKeys = uses(keys, l);
        const bool isFeature =
            inQuery && std::any_of(queries.index.back().terms.begin(), queries.index.back().terms.end(),
                                   [l](const AffineTerm& term) { return term.loop == l; });
        (isFeature ? features : inKeys && !inQuery ? sums : rows).push_back(l);
    }
    std::vector<std::int64_t> loops(kernel.loops.size(), 0);
    forEach(kernel, rows, loops, [&] {
        std::vector<double> scores;
        forEach(kernel, sums, loops, [&] {
            double score = 0;
            forEach(kernel, features, loops,
                    [&] { score += reads[0].of(numbers, loops) * reads[1].of(numbers, loops); });
            scores.push_back(score);
        });
        const double top = *std::max_element(scores.begin(), scores.end());
        double total = 0;
        for (double& score : scores)
            total += score = std::exp(score - top);
        std::size_t i = 0;
        forEach(kernel, sums, loops, [&] {
            const double share = scores[i++] / total;
            forEach(kernel, features, loops, [&] {
                if (const std::int64_t position = write.at(numbers, loops); position >= 0)
                    numbers[std::size_t(write.tensor())][std::size_t(position)] +=
                        share * reads[2].of(numbers, loops);
            });
        });
    });
}

} // namespace

Result<Numbers> runKernel(const Kernel& kernel, Numbers tensors) {
    if (tensors.size() != kernel.tensors.size())
        return fail(ErrorCode::Usage,
                    fmt::format("{} tensors given, the kernel has {}", tensors.size(), kernel.tensors.size()),
                    kernel.name);
    double start = 0;
    if (kernel.body == BodyKind::Reduce && kernel.function == "max")
        start = -std::numeric_limits<double>::infinity();
    if (kernel.body == BodyKind::Reduce && kernel.function == "min")
        start = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const std::int64_t elements = elementCount(kernel.tensors[t].shape).value_or(0);
        if (kernel.tensors[t].role == TensorRole::Output)
            tensors[t].assign(std::size_t(elements), start);
        else if (std::int64_t(tensors[t].size()) != elements)
            return fail(ErrorCode::Usage,
                        fmt::format("{} elements given, tensor {} has {}", tensors[t].size(),
                                    kernel.tensors[t].name, elements),
                        kernel.name);
    }
    PIM_CHECK(checkIndices(kernel, tensors));
    std::vector<bool> isIndex(kernel.accesses.size());
    for (const TensorAccess& access : kernel.accesses)
        for (const GatheredIndex& gathered : access.gathered)
            isIndex[std::size_t(gathered.access)] = true;
    std::vector<Cursor> reads;
    std::vector<const TensorAccess*> inputs;
    const TensorAccess* output = nullptr;
    for (std::size_t a = 0; a < kernel.accesses.size(); ++a) {
        const TensorAccess& access = kernel.accesses[a];
        if (access.isWrite)
            output = &access;
        else if (!isIndex[a] && kernel.tensors[std::size_t(access.tensor)].role == TensorRole::Input) {
            reads.emplace_back(kernel, access);
            inputs.push_back(&access);
        }
    }
    if (!output || reads.empty())
        return fail(ErrorCode::Unsupported, "a kernel that reads or writes nothing", kernel.name);
    const Cursor write(kernel, *output);
    if (kernel.body == BodyKind::Attention) {
        if (kernel.gathers())
            return fail(ErrorCode::Unsupported, "attention whose operands are looked up", kernel.name);
        if (reads.size() != 3)
            return fail(ErrorCode::Unsupported, fmt::format("attention of {} operands", reads.size()),
                        kernel.name);
        attention(kernel, reads, write, *inputs[0], *inputs[1], tensors);
        return tensors;
    }
    if (reads.size() > 2 || (kernel.body == BodyKind::Mac && reads.size() != 2))
        return fail(ErrorCode::Unsupported, fmt::format("{} of {} operands", name(kernel.body), reads.size()),
                    kernel.name);
    std::vector<int> all;
    for (int l = 0; l < int(kernel.loops.size()); ++l)
        all.push_back(l);
    std::vector<std::int64_t> loops(kernel.loops.size(), 0);
    bool known = true;
    forEach(kernel, all, loops, [&] {
        const std::int64_t position = write.at(tensors, loops);
        if (position < 0 || !known)
            return;
        double& result = tensors[std::size_t(write.tensor())][std::size_t(position)];
        const double a = reads[0].of(tensors, loops), b = reads.size() > 1 ? reads[1].of(tensors, loops) : 0;
        if (kernel.body == BodyKind::Mac)
            result += a * b;
        else
            result = kernel.body == BodyKind::Reduce ? apply(kernel.function, result, a, known)
                                                     : apply(kernel.function, a, b, known);
    });
    if (!known)
        return fail(ErrorCode::Unsupported, fmt::format("nothing here computes \"{}\"", kernel.function),
                    kernel.name);
    return tensors;
}

} // namespace pim
