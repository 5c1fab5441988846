// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/passes.h"

#include <array>

namespace pim {

std::span<const Pass> allPasses() {
    static constexpr std::array kPasses{
        Pass{"fold_constants", "Computes what depends on constants alone and drops results nobody uses.",
             foldConstants},
        Pass{"remove_identity", "Removes operators that hand on their input unchanged.", removeIdentity},
        Pass{"fold_batch_norm", "Folds BatchNormalization into the weights of the Conv or Gemm before it.",
             foldBatchNorm},
        Pass{"fuse_layer_norm", "Recognises a layer normalisation written as single steps.", fuseLayerNorm},
        Pass{"fuse_rms_norm", "Recognises a root-mean-square normalisation written as single steps.",
             fuseRmsNorm},
        Pass{"fuse_gelu", "Recognises GELU written with erf or tanh.", fuseGelu},
        Pass{"fuse_silu", "Recognises x * sigmoid(x).", fuseSilu},
        Pass{"fuse_attention", "Recognises attention: scores, scale, mask, softmax, context.", fuseAttention},
    };
    return kPasses;
}

} // namespace pim
