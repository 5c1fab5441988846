// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A mapping and its tasklets as a person decides them, in one text without blanks or commas:
/// n_stile x f_stile / n_mtile x f_mtile x cb_mtile / loop order / load / tasklets, "64x96/16x24x8/nfc/coarse-8x16/16".
/// Loads are "static", "fine-F_LOAD" and "coarse-F_LOADxCB_LOAD".
#include "backends/upmem/lut/layer.h"

namespace pim::upmem {

struct LutChoice {
    LutMapping mapping;
    std::int64_t tasklets = 16;
    bool operator==(const LutChoice&) const = default;
};

std::string text(const LutChoice& choice);
/// Whether a layer can have it, refusalOf() says. IllegalOverride for another form (text seen, form wanted), and for numbers that are not in
/// [1, 2^31 - 1], or more tasklets than a DPU has.
Result<LutChoice> parseLutChoice(std::string_view text);

} // namespace pim::upmem
