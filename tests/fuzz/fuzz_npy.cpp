// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/npy.h"
#include "tests/fuzz/fuzz.h"

#include <span>

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto array = parseNpy(std::as_bytes(std::span(data, size)), "array");
    if (!array)
        return 0;
    fuzz::require(array->bytes && array->bytes->size() <= size, "an array is not larger than its file");
    (void)realSamples(*array, 0, 1);
    (void)realSamples(*array, 0, array->shape.empty() ? 0 : array->shape.front());
    return 0;
}
