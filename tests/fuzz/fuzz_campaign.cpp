// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Plans of campaigns.
#include "core/campaign/campaign.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    (void)fuzz::fileOf("campaign.json", fuzz::textOf(data, size));
    const auto campaign = readCampaign(fuzz::folder());
    if (campaign) {
        fuzz::require(campaign->chunks() >= 1 && campaign->chunks() <= kMostChunks,
                      "as many chunks as there may be");
        fuzz::require(campaign->indicesOf(campaign->chunks() - 1).second == campaign->points(),
                      "they have all points");
    }
    return 0;
}
