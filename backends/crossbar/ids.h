// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What crossbar code counts, one type each, so that a layer does not pass for a core. Instructions keep plain numbers: they
/// are 32 bytes, and the same field is a core in one and a chip in another.
#include "core/base/ids.h"

namespace pim {

using CoreId =
    Id<struct CrossbarCoreTag>; ///< Core of the whole machine, chip by chip; entry of CrossbarProgram::cores.
using LayerId =
    Id<struct CrossbarLayerTag>; ///< Position in CrossbarNetwork::layers; matrix layers are some of these.
using MatrixId =
    Id<struct CrossbarMatrixTag>; ///< Position in CrossbarNetwork::matrixLayers and CrossbarMapping::layers.
using ReplicaId = Id<struct CrossbarReplicaTag>; ///< One of the copies of a matrix layer's weights.
using GroupId =
    Id<struct CrossbarGroupTag>; ///< Array group of one replica: position in LayerPartition::groups.
using ArrayGroupId =
    Id<struct CrossbarArrayGroupTag>; ///< Array group of the whole machine: index of its products.

/// The first \p count ids, for loops: `for (const CoreId core : FirstIds<CoreId>(chip.cores()))`.
template <class I>
class FirstIds {
public:
    constexpr explicit FirstIds(std::int64_t count) : m_end(count) {}
    struct Iterator {
        I at;
        constexpr I operator*() const { return at; }
        constexpr Iterator& operator++() {
            ++at.value;
            return *this;
        }
        friend constexpr bool operator==(const Iterator&, const Iterator&) = default;
    };
    constexpr Iterator begin() const { return {I(0)}; }
    constexpr Iterator end() const { return {m_end}; }

private:
    I m_end;
};

} // namespace pim
