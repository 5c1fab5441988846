// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lut/codebook_picture.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace pim::views {

std::int64_t CodebookPicture::allChosen() const {
    return std::accumulate(chosen.begin(), chosen.end(), std::int64_t(0));
}

Result<CodebookPicture> codebookPicture(const lut::Codebooks& books, const lut::LayerUse& use,
                                        std::int64_t codebook) {
    if (codebook < 0 || codebook >= books.codebooks)
        return fail(ErrorCode::Usage,
                    fmt::format("there is no codebook {} of {}", codebook, books.codebooks));
    const auto length = static_cast<std::size_t>(books.length);
    const lut::Rows rows{use.rows, books.inputLength()};
    lut::Codebooks alone{1, books.centroids, books.length, {}};
    for (std::int64_t i = 0; i < books.centroids; ++i) {
        const auto centroid = books.centroid(codebook, i);
        alone.values.insert(alone.values.end(), centroid.begin(), centroid.end());
    }
    std::vector<float> parts;
    for (std::int64_t row = 0; row < rows.count(); ++row) {
        const auto part = rows.row(row).subspan(static_cast<std::size_t>(codebook) * length, length);
        parts.insert(parts.end(), part.begin(), part.end());
    }
    CodebookPicture picture;
    PIM_TRY(picture.plane, lut::principalPlane(parts, books.length));
    PIM_TRY(const auto nearest, lut::closestCentroids({parts, books.length}, alone, 1));
    for (std::size_t p = 0; p < nearest.size(); ++p) {
        const auto part = std::span<const float>(parts).subspan(p * length, length);
        const auto centroid = alone.centroid(0, nearest[p]);
        double square = 0;
        for (std::size_t i = 0; i < length; ++i)
            square += (double(part[i]) - double(centroid[i])) * (double(part[i]) - double(centroid[i]));
        picture.points.push_back(picture.plane.at(part));
        picture.nearest.push_back(nearest[p]);
        picture.distance.push_back(std::sqrt(square));
    }
    for (std::int64_t i = 0; i < books.centroids; ++i) {
        picture.centroids.push_back(picture.plane.at(alone.centroid(0, i)));
        picture.chosen.push_back(use.chosen[static_cast<std::size_t>(codebook * books.centroids + i)]);
    }
    return picture;
}

} // namespace pim::views
