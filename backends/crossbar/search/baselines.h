// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What others do, in the same program: the compilers the PIMCOMP paper compares itself with as its Table I
/// and §VIII describe them, and the replication rules of PIMCOMP-NN git 2ed10c8 as it ships them.
///
/// Our reading. Unfolding, window reuse and fused vector layers are the same for all (§VIII-A says so).
/// - Polyhedral-like: replicas, a sample-granularity pipeline, but a core belongs to one replica of one
/// layer. Spare cores go to
///   the layer that takes longest. Without cores enough, layers share them as in packOnce(). One sample
///   passes layer by layer.
/// - PUMA-like: an inter-core pipeline of products, no replicas; consecutive layers in consecutive cores, so
/// that little crosses.
/// - SongC-like: storage apart from computation: one layer at a time for one sample, no replicas, weights
/// brought from global
///   memory into the crossbars before each layer.
/// - balance: every layer once; then the convolution with most windows a replica gets one more, until half of
/// the arrays that
///   fully connected layers leave are spent on such copies. w0h0: replicas in proportion to output areas.
///   uniform: the same number for all convolutions. All three go into cores array group by array group, first
///   core with room.
#include "backends/crossbar/search/layout.h"

namespace pim {

CrossbarLayout polyhedralLayout(const CrossbarLayout& once);
/// Of the PUMA-like and of the SongC-like compiler.
CrossbarLayout consecutiveLayout(const CrossbarLayout& once);

enum class PeerReplication : std::uint8_t { Balance, Areas, Uniform };
/// Error::InvalidTarget where the rule asks for more than first fit places; PIMCOMP-NN stops there as well.
Result<CrossbarLayout> peerLayout(const CrossbarLayoutModel& model, PeerReplication rule);

/// Time of one sample that passes layer by layer, each layer as fast as its replicas let it. \p weightsMoved:
/// weights come from global memory first, at its full bandwidth (writing the cells is not counted, in favour
/// of SongC).
double layerByLayerNs(const CrossbarNetwork& network, const CrossbarChip& chip,
                      const CrossbarMapping& mapping, bool weightsMoved);

} // namespace pim
