// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A mapping that was found before, changed no more than a user's wishes ask for: in milliseconds, so that
/// the effect of a decision shows at once, and so that it is that decision's effect and not another search's.
#include "backends/crossbar/mapping.h"

namespace pim {

/// \p base without wishes, of the same network and chip. Replicas that wishes add go where they fit best;
/// where there is no room, other layers give up replicas, those with most of them first. A layer that is
/// unfolded in another way has as many replicas as its arrays hold, if no number is asked for. Errors:
/// IllegalOverride for a wish nothing can be made of; InvalidTarget where even single replicas do not fit
/// with it.
Result<CrossbarMapping> adaptMapping(const CrossbarNetwork& network, const CrossbarChip& chip,
                                     const CrossbarMapping& base, const std::vector<LayerWish>& wishes);

} // namespace pim
