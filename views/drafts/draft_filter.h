// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The filter line of the drafts table: "groups>=4 total<10us 2 × 4".
#include "views/drafts/drafts_model.h"

#include <QString>

namespace pim::views {

/// Words `figure op value` (figures: groups, cores, input, compute, output, switch, total, tobest; operators < <= > >= =;
/// times take ns, us, ms, s) must all hold; any other word must occur in the draft's text.
/// Error::Usage names the word that makes no sense.
Result<std::function<bool(const DraftsModel::Row&)>>
parseDraftFilter(const QString& text, std::shared_ptr<const TilingSpace> space);

} // namespace pim::views
