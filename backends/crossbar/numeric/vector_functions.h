// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Functions of the vector unit on real numbers, in double precision. Their meaning is that of the ONNX
/// operators of the same names.
#include "backends/crossbar/network.h"

#include <span>

namespace pim {

/// alpha, beta as in ElementWork. 0 for what is no function of one (two) numbers.
double vectorFunction(VectorOp op, double x, double alpha, double beta);
double vectorFunction(VectorOp op, double a, double b);
bool isBinary(VectorOp op);

/// Across the channels of one pixel.
void localResponse(const NormaliseWork& work, std::span<const double> in, std::span<double> out);
void softmaxOf(std::span<const double> in, std::span<double> out);
/// LayerNorm (\p centred) or RmsNorm before its factors.
void normalisedOf(std::span<const double> in, double epsilon, bool centred, std::span<double> out);

} // namespace pim
