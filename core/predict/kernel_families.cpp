// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/kernel_families.h"

#include "core/base/parse_number.h"
#include "core/kernel/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace pim {
namespace {

constexpr std::array kFamilies{
    KernelFamily{"gemv", "Y[h][i] += X[h][k] * W[h][i][k] with k = 128, W resident", "heads x batch",
                 "outputs",
                 "def gemv(X[{0}][128]: f16, W[{0}][{1}][128]: const f16):\n"
                 "    Y = DCC.Tensor.zero([{0}, {1}], f16)\n"
                 "    for h in range({0}):\n"
                 "        for i in range({1}):\n"
                 "            for k in range(128):\n"
                 "                Y[h][i] += X[h][k] * W[h][i][k]\n"},
    KernelFamily{"matvec", "Y[n] += X[k] * W[n][k], W resident: a layer of a network, one vector at a time",
                 "inputs", "outputs",
                 "def matvec(X[{0}]: f16, W[{1}][{0}]: const f16):\n"
                 "    Y = DCC.Tensor.zero([{1}], f16)\n"
                 "    for n in range({1}):\n"
                 "        for k in range({0}):\n"
                 "            Y[n] += X[k] * W[n][k]\n"},
    KernelFamily{
        "attention", "O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d] with d = 128, K and V resident",
        "heads x batch", "keys",
        "def attention(Q[{0}][128]: f16, K[{0}][{1}][128]: const f16, V[{0}][{1}][128]: const f16):\n"
        "    O = DCC.Tensor.zero([{0}, 128], f16)\n"
        "    for h in range({0}):\n"
        "        for l in range({1}):\n"
        "            for d in range(128):\n"
        "                O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d]\n"},
    KernelFamily{"reduction", "Y[b] += X[b][i]", "batch", "elements",
                 "def reduction(X[{0}][{1}]: f16):\n"
                 "    Y = DCC.Tensor.zero([{0}], f16)\n"
                 "    for b in range({0}):\n"
                 "        for i in range({1}):\n"
                 "            Y[b] += X[b][i]\n"},
    KernelFamily{"addition", "Z[b][i] = X[b][i] + Y[b][i]", "batch", "elements",
                 "def addition(X[{0}][{1}]: f16, Y[{0}][{1}]: f16, Z[{0}][{1}]: f16):\n"
                 "    for b in range({0}):\n"
                 "        for i in range({1}):\n"
                 "            Z[b][i] = X[b][i] + Y[b][i]\n"},
    KernelFamily{"relu", "Z[b][i] = relu(X[b][i])", "batch", "elements",
                 "def relu(X[{0}][{1}]: f16, Z[{0}][{1}]: f16):\n"
                 "    for b in range({0}):\n"
                 "        for i in range({1}):\n"
                 "            Z[b][i] = relu(X[b][i])\n"},
};

constexpr std::int64_t kLargestSize = 1 << 20; ///< Rows or columns that somebody asks for.

constexpr int kApart = 200; ///< So many sizes of series 0 are in no other.

/// Low-discrepancy points in the unit square (additive recurrence of the plastic number), the same on every
/// machine. Every second one of them would leave half of the square out for long.
std::pair<double, double> pointOf(int index) {
    const double a = 0.7548776662466927 * index + 0.5, b = 0.5698402909980532 * index + 0.5;
    return {a - std::floor(a), b - std::floor(b)};
}

/// Of `first` * 2^… up to `last`, rounded as networks do: mostly to a multiple of a power of two, every
/// fourth as it is.
std::int64_t sizeAt(double share, double first, double last, int index, std::int64_t step) {
    const auto exact = static_cast<std::int64_t>(std::lround(first * std::pow(last / first, share)));
    if (index % 4 == 3 || exact < step)
        return std::max<std::int64_t>(1, exact);
    return std::max(step, (exact + step / 2) / step * step);
}

} // namespace

std::span<const KernelFamily> kernelFamilies() {
    return kFamilies;
}

Result<const KernelFamily*> findKernelFamily(std::string_view id) {
    std::string all;
    for (const KernelFamily& family : kFamilies) {
        if (family.id == id)
            return &family;
        all += fmt::format("{}{}", all.empty() ? "" : ", ", family.id);
    }
    return fail(ErrorCode::NotFound, fmt::format("there is no kind of kernel \"{}\"", id), {},
                "there are: " + all);
}

Result<Kernel> makeKernel(const KernelFamily& family, KernelSize size) {
    return parseKernel(fmt::format(fmt::runtime(family.text), size.rows, size.columns), {},
                       std::string(family.id));
}

Result<Kernel> kernelOfShape(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size()), times = text.find('x', colon);
    const auto sizeAt = [text](std::size_t from, std::size_t end) {
        return from > text.size() ? std::nullopt
                                  : parsePositive<std::int64_t>(text.substr(from, end - from), kLargestSize);
    };
    const auto rows = sizeAt(colon + 1, times),
               columns = times == text.npos ? std::nullopt : sizeAt(times + 1, text.npos);
    if (!rows || !columns)
        return fail(ErrorCode::Usage,
                    fmt::format("is no shape; sizes are whole numbers from 1 to {}", kLargestSize),
                    std::string(text), "write KIND:ROWSxCOLUMNS, such as gemv:32x4096");
    PIM_TRY(const KernelFamily* family, findKernelFamily(text.substr(0, colon)));
    return makeKernel(*family, {*rows, *columns});
}

std::vector<KernelSize> kernelSizes(const KernelFamily& family, int count, int series) {
    const bool ofHeads = family.id == "gemv" || family.id == "attention";
    const bool isMatvec = family.id == "matvec";
    std::set<KernelSize> used;
    if (series > 0)
        for (const KernelSize trained : kernelSizes(family, kApart, 0))
            used.insert(trained);
    std::vector<KernelSize> sizes;
    for (int i = 0; std::ssize(sizes) < count && i < 100 * count; ++i) {
        const auto [a, b] =
            series == 0 && i < 2 ? std::pair<double, double>(i, i) : pointOf(i + 1000 * series);
        const KernelSize size =
            ofHeads    ? KernelSize{sizeAt(a, 8, 256, i, 8), sizeAt(b, 128, 4096, i / 2, 64)}
            : isMatvec ? KernelSize{sizeAt(a, 128, 16384, i, 64), sizeAt(b, 128, 16384, i / 2, 64)}
                       : KernelSize{sizeAt(a, 1, 16, i, 1), sizeAt(b, 256, 16384, i / 2, 64)};
        if (used.insert(size).second)
            sizes.push_back(size);
    }
    return sizes;
}

} // namespace pim
