// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Kernels by kind and size: those of the evaluation of DCC (§V) and the products of language models, as loop
/// nests. What a predictor is trained with when nobody names kernels, and what it is measured on.
#include "core/hardware/target.h"
#include "core/kernel/kernel.h"

#include <span>

namespace pim {

/// One kind. `rows` and `columns` are the two sizes of an instance.
struct KernelFamily {
    std::string_view id;            ///< "gemv"
    std::string_view summary;       ///< "Y[h][i] += X[h][k] * W[h][i][k], k = 128; W is there before"
    std::string_view rows, columns; ///< What the sizes are: "heads", "outputs"
    std::string_view text;          ///< Kernel text with {0} and {1} for them.
};

/// gemv, attention, reduction, addition, relu, matvec.
std::span<const KernelFamily> kernelFamilies();
/// Error::NotFound lists the ids there are.
Result<const KernelFamily*> findKernelFamily(std::string_view id);

struct KernelSize {
    std::int64_t rows = 1, columns = 1;
    friend auto operator<=>(const KernelSize&, const KernelSize&) = default;
};
Result<Kernel> makeKernel(const KernelFamily& family, KernelSize size);

/// "gemv:32x4096". Error::Usage for what is written otherwise, NotFound for a kind that there is not.
Result<Kernel> kernelOfShape(std::string_view text);

/// \p count sizes of a family that cover what networks ask for: powers of two, multiples of them and odd
/// ones. Fixed order, none twice. Series 0 (training) begins with the least and the greatest, so that all others lie between them;
/// another \p series gives other sizes, none of which is among the first 200 of series 0.
std::vector<KernelSize> kernelSizes(const KernelFamily& family, int count, int series);

} // namespace pim
