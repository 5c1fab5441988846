// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Pseudo-instructions of crossbar cores (PIMCOMP Table III), typed and small, and the program of a whole
/// machine. Flow: mapping -> schedule -> [CrossbarProgram] -> profile, functional run, text, bundle.
#include "backends/crossbar/chip.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pim {

enum class CrossbarOpcode : std::uint8_t {
    Mvm, ///< index = array group; reads length rows at src1, writes src2 columns at dst.
    Vec, ///< vec over length elements at src1 (and src2, see takesTwo) to dst.
    /// length elements from src1 to dst; index = rounds its sample is behind that of its layer (HT). With
    /// peer > 1 from as many pieces of equal length, src2 apart: Table III knows no distance, the memory
    /// controllers of any such chip do, and channels of neighbouring pixels are all over convolutions.
    Copy,
    Write, ///< Puts the immediate in src2 into length elements at dst.
    Load,  ///< Global memory src1 -> local dst.
    Store, ///< Local src1 -> global memory dst.
    Send,  ///< Local src1 -> core peer; index = number of the transfer.
    Recv   ///< From core peer -> local dst; index = number of the transfer.
};
std::string_view name(CrossbarOpcode opcode); ///< "mvm", as in the text.

/// Has the operation a second vector? The others take figures of the layer (slope, limits, scale) from its
/// parameter block.
bool takesTwo(VectorOp op);

/// What a step is for; times of a layer are told apart by it.
enum class CrossbarStage : std::uint8_t {
    Bias,
    Input,
    Main,
    Accumulate, ///< Sums of array groups of one core.
    Gather,     ///< Sums that came from another core.
    Post,       ///< Activation, pooling, element-wise layers.
    Output
};
std::string_view name(CrossbarStage stage);

/// What each computes on numbers, rule by rule, and what `index` means for vector operations:
/// numeric/README.md. 32 bytes. Addresses count elements of CrossbarChip::activationBits; lengths count
/// values, of which accumulators (kWideSource, kWideResult) take CrossbarProgram::accumulatorElements
/// elements each; global addresses are those of the chip's own global memory. Where values are moved as they
/// are (copy, load, store, send, recv, write), both flags are set or none.
struct CrossbarInstruction {
    CrossbarOpcode opcode = CrossbarOpcode::Vec;
    VectorOp vec = VectorOp::None;
    CrossbarStage stage = CrossbarStage::Main;
    std::uint8_t flags = 0;  ///< kWideSource, kWideResult.
    std::uint32_t layer = 0; ///< Position in CrossbarNetwork::layers.
    std::uint32_t dst = 0, src1 = 0, src2 = 0;
    std::uint32_t length = 0;
    /// Array group, transfer, parameter block of a vector operation, or rounds behind.
    std::uint32_t index = 0;
    std::uint32_t peer = 0; ///< Core; pieces of a copy, 0 as 1.
    friend bool operator==(const CrossbarInstruction&, const CrossbarInstruction&) = default;

    std::uint32_t pieces() const { return opcode == CrossbarOpcode::Copy && peer > 1 ? peer : 1; }
    static constexpr std::uint8_t kWideSource = 1, kWideResult = 2; ///< Elements are accumulators.
};
static_assert(sizeof(CrossbarInstruction) == 32);

struct CrossbarMapping; // mapping.h
struct CrossbarNetwork; // network.h

/// Instructions of every core, in the order in which the core meets them.
struct CrossbarProgram {
    std::vector<std::vector<CrossbarInstruction>> cores;
    /// groupEnds[core][g]: end of instruction group g in cores[core]; a group is one round of the pipeline,
    /// the same for all cores, and every transfer begins and ends in one. All cores have the same number.
    std::vector<std::vector<std::uint32_t>> groupEnds;
    int accumulatorElements = 2;          ///< Elements of local memory one accumulator takes.
    std::vector<std::uint32_t> localPeak; ///< Elements each core takes at most.
    std::size_t size() const;
};

/// Canonical text, one instruction a line with its layer and stage: "mvm g12, r64, r0, 128, 64 [4 main
/// wideout]" (r local, m global memory, g array group, t transfer, c core). What repeats, in a group or from
/// group to group, is written once, with what each round adds: "loop 21 groups {", "load r0, m64+128, 64 [1
/// input]", "}". A copy of pieces: "copy r0, r64, 96, apart=200, pieces=3 [4 input]".
std::string crossbarText(const CrossbarProgram& program);
/// Error::InvalidFile with line and column; loops that would unfold to more than 200 million instructions, or to more than any program
/// of that length, are refused.
Result<CrossbarProgram> parseCrossbarText(std::string_view text);

} // namespace pim
