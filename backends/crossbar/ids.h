// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What crossbar code counts, one type each, so that a layer does not pass for a core. Instructions keep plain numbers: they
/// are 32 bytes, and the same field is a core in one and a chip in another.
#include "core/base/ids.h"

#include <vector>

namespace pim {

/// Core of the whole machine, chip by chip: entry of CrossbarProgram::cores.
using CoreId = Id<struct CrossbarCoreTag>;
/// Position in CrossbarNetwork::layers; matrix layers are some of these.
using LayerId = Id<struct CrossbarLayerTag>;
/// Matrix layer: position in CrossbarNetwork::matrixLayers and CrossbarMapping::layers.
using MatrixId = Id<struct CrossbarMatrixTag>;
/// One of the copies of a matrix layer's weights.
using ReplicaId = Id<struct CrossbarReplicaTag>;
/// Array group of one replica: position in LayerPartition::groups.
using GroupId = Id<struct CrossbarGroupTag>;
/// Array group of the whole machine: CrossbarInstruction::index of its products.
using ArrayGroupId = Id<struct CrossbarArrayGroupTag>;
/// Part of a map one core has to do with: position in Lanes, or in PipelineShares::lanes.
using LaneId = Id<struct CrossbarLaneTag>;
/// What one worker computes of a layer: position in RowShares, or in PipelineShares::shares.
using ShareId = Id<struct CrossbarShareTag>;

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
    /// To be put in another order.
    std::vector<I> list() const {
        std::vector<I> all;
        for (const I one : *this)
            all.push_back(one);
        return all;
    }

private:
    I m_end;
};

} // namespace pim
