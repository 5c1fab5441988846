// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How stored samples become inputs of a network: the expression in x that a data set's model.json gives.
#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace pim::lut {

/// An expression of x, numbers, + - * /, parentheses and conversions as of NumPy: "float32(x) / 255", "(x - 0.5) * 2", "int64(x)".
class Preprocess {
public:
    /// Leaves x as it is.
    Preprocess() = default;
    /// Errors: InvalidFile with the place of what is not understood.
    static Result<Preprocess> parse(std::string_view text);

    /// \param single every step is rounded to float32, as NumPy does with arrays of that.
    double operator()(double x, bool single) const;

private:
    friend class PreprocessParser;
    struct Step {
        char kind =
            'x'; ///< 'x', 'n' a number, 'i' to a whole number, or an operator on the two values before.
        double number = 0;
    };
    std::vector<Step> m_steps; ///< In postfix order; none: x.
};

} // namespace pim::lut
