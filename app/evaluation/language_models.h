// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Fig. 8: language models on a GPU with AttAcc's memory, with its mapping and with ours.
///
/// GPU and AttAcc bars: AttAcc's own system model (backends/llm), the generation phase, "full" with its pipelining and
/// without power limit; they reproduce the paper's within 1 %.
/// Ours: QKV generation and projection move to memory where that is faster, as kernels y[b][o] += x[b][i] W[o][i], their
/// mapping chosen and simulated command by command, operands and results through the host. Attention is AttAcc's time by
/// the ratio that our simulation gives between chosen and published mapping at the lengths at which the generation begins
/// and ends. The feed-forward of "full" is AttAcc's formula, in all bars the same; activations and norms are the GPU's.
#include "app/evaluation/figures.h"
#include "app/evaluation/paper_numbers.h"

namespace pim::evaluation {

Result<Figure> languageModels(Evaluator& evaluator, const PaperNumbers& paper, const TaskContext& task);

} // namespace pim::evaluation
