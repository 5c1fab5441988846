// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/layout_pictures.h"

#include "views/common/palette.h"

#include <algorithm>

namespace pim::views {
namespace {

std::int64_t valueOf(const PimPlace& place, PlaceColor by) {
    switch (by) {
    case PlaceColor::Channel:
        return place.group;
    case PlaceColor::Bank:
        return place.bank;
    case PlaceColor::Row:
        return place.row;
    }
    return 0;
}

QRgb shade(std::int64_t value, std::int64_t most) {
    return sequential(most > 0 ? double(value) / double(most) : 0.5).rgb();
}

std::int64_t valueOf(const RowContent& content, const Shape& shape, int dimension) {
    return dimension < 0 ? content.elements : indexOf(shape, content.first)[std::size_t(dimension)];
}

} // namespace

MatrixSlice sliceOf(const Shape& shape, std::int64_t element) {
    MatrixSlice slice;
    if (!shape.empty())
        slice.columns = shape.back();
    if (shape.size() > 1)
        slice.rows = shape[shape.size() - 2];
    const std::int64_t size = std::max<std::int64_t>(1, slice.rows * slice.columns);
    slice.firstElement = element / size * size;
    return slice;
}

Result<PlaceSample> samplePlaces(const OpPlaces& places, int tensor, const MatrixSlice& slice, int group,
                                 const TaskContext& task) {
    PlaceSample sample;
    sample.width = int(std::min<qint64>(slice.columns, kMostPixels));
    sample.height = int(std::min<qint64>(slice.rows, kMostPixels));
    PimPlace nowhere;
    nowhere.group = -1;
    sample.places.assign(std::size_t(sample.width) * std::size_t(sample.height), nowhere);
    for (int y = 0; y < sample.height; ++y) {
        if (task.cancelled())
            return TaskContext::cancelledError("locating the elements");
        for (int x = 0; x < sample.width; ++x) {
            const std::vector<PimPlace> copies = places.of(
                tensor, slice.element(y * slice.rows / sample.height, x * slice.columns / sample.width));
            if (copies.empty())
                continue;
            const auto here = std::find_if(copies.begin(), copies.end(),
                                           [&](const PimPlace& place) { return place.group == group; });
            sample.places[std::size_t(y) * std::size_t(sample.width) + std::size_t(x)] =
                here == copies.end() ? copies.front() : *here;
        }
    }
    return sample;
}

std::int64_t mostOf(const PlaceSample& sample, const OpPlaces& places, PlaceColor by) {
    if (by == PlaceColor::Bank)
        return places.device->bankCount() - 1;
    std::int64_t most = 0;
    for (const PimPlace& place : sample.places)
        most = std::max(most, valueOf(place, by));
    return most;
}

QImage paintSample(const PlaceSample& sample, const OpPlaces& places, PlaceColor by) {
    QImage image(std::max(1, sample.width), std::max(1, sample.height), QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    const std::int64_t most = mostOf(sample, places, by);
    for (int y = 0; y < sample.height; ++y)
        for (int x = 0; x < sample.width; ++x)
            if (const PimPlace& place =
                    sample.places[std::size_t(y) * std::size_t(sample.width) + std::size_t(x)];
                place.group >= 0)
                image.setPixel(x, y, shade(valueOf(place, by), most));
    return image;
}

std::pair<std::int64_t, std::int64_t> rangeOf(const PlaceMap& map, const Shape& shape, int dimension) {
    std::int64_t least = -1, greatest = 0;
    for (int bank = 0; bank < map.banks(); ++bank)
        for (std::int64_t row = 0; row < map.rows(); ++row)
            if (const RowContent& content = map.at(bank, row); content.elements > 0) {
                const std::int64_t value = valueOf(content, shape, dimension);
                least = least < 0 ? value : std::min(least, value);
                greatest = std::max(greatest, value);
            }
    return {std::max<std::int64_t>(0, least), greatest};
}

QImage paintBanks(const PlaceMap& map, const Shape& shape, int dimension) {
    // Tall ones are thinned: pictures have no more than some thousand rows.
    constexpr std::int64_t kMostRows = 8192;
    const auto height = int(std::clamp<std::int64_t>(map.rows(), 1, kMostRows));
    QImage image(std::max(1, map.banks()), height, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    const auto [least, greatest] = rangeOf(map, shape, dimension);
    for (int y = 0; y < height && map.rows() > 0; ++y)
        for (int bank = 0; bank < map.banks(); ++bank)
            if (const RowContent& content = map.at(bank, y * map.rows() / height); content.elements > 0)
                image.setPixel(bank, y, shade(valueOf(content, shape, dimension) - least, greatest - least));
    return image;
}

} // namespace pim::views
