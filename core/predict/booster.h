// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Gradient-boosted trees, by XGBoost through its C API. Flow: rows of features with labels -> [Booster] ->
/// predictions. What XGBoost refuses is Error::Internal with its first line, a stored model it cannot read
/// Error::InvalidFile.
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// Rows of equal length with one label each. A feature that does not apply is NaN.
struct TrainingRows {
    std::size_t width = 0;
    std::vector<float> features; ///< Row by row.
    std::vector<float> labels;
    std::vector<std::uint32_t>
        groupSizes; ///< For ranking objectives: rows in a row that are ranked against each other.

    std::size_t count() const { return labels.size(); }
};

struct BoosterOptions {
    std::string objective = "reg:squarederror";
    int rounds = 60;
    int depth = 4;
    double learningRate = 0.2;
    double minChildWeight = 1;
    double subsample = 1;      ///< Share of the rows that a tree sees.
    double columnSample = 0.8; ///< Share of the features that a tree sees.
    std::uint64_t seed = 1;
};

/// Looks on while trees are grown. Called after every round with what the trees so far say of the rows trained with and of the
/// rows that are only watched; false stops the training.
struct BoosterWatch {
    const TrainingRows* watched = nullptr; ///< Rows that are not learned; may be null.
    std::function<bool(std::span<const float> trained, std::span<const float> watched)> afterRound;
};

/// A set of trees. Same rows, options and seed give the same trees to the last bit: always one thread.
/// Movable; predict() may be called from several threads at once.
class Booster {
public:
    /// Error::Cancelled where \p watch says so.
    static Result<Booster> train(const TrainingRows& rows, const BoosterOptions& options,
                                 const BoosterWatch& watch = {});
    static Result<Booster> fromBytes(std::string_view bytes);

    /// Goes on with BoosterOptions::rounds further trees on \p rows; this one stays as it is.
    Result<Booster> continued(const TrainingRows& rows, const BoosterOptions& options) const;
    /// \param features rows of the width trained with. \param result one value per row.
    Result<void> predict(std::span<const float> features, std::span<float> result) const;
    /// By how much splits on a feature lowered the loss, summed over all trees, as shares of all features; one a feature, 0 where
    /// no tree asks for it. All 0 without trees.
    Result<std::vector<double>> gains() const;
    /// Universal Binary JSON of XGBoost; the same trees are the same bytes.
    const std::string& bytes() const { return m_bytes; }
    std::size_t width() const { return m_width; }

private:
    struct Handle;
    Booster(std::shared_ptr<Handle> handle, std::size_t width, std::string bytes)
        : m_handle(std::move(handle)), m_width(width), m_bytes(std::move(bytes)) {}
    static Result<Booster> finished(std::shared_ptr<Handle> handle);

    std::shared_ptr<Handle> m_handle;
    std::size_t m_width = 0;
    std::string m_bytes;
};

} // namespace pim
