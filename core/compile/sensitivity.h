// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What decides which machine is first? Everything as it is, then one thing at a time otherwise: another host, half and twice a bandwidth, other
/// sizes, another number type, another order. Flow: model + machines + inputs -> [sensitivity] -> for each value of each input how far
/// the machine that is first now leads, and where another takes over.
#include "core/compile/sweep.h"
#include "core/compile/which.h"

namespace pim {

/// Names an input may have beside those of open dimensions and of figures (targetFigures()); a figure's values are factors.
inline constexpr std::string_view kHostInput = "host";  ///< Ids of hosts, for all machines.
inline constexpr std::string_view kTypeInput = "dtype"; ///< Number types.
inline constexpr std::string_view kOrderInput = "by";   ///< As name(WhichBy).
inline constexpr std::string_view kLinksInput =
    "bandwidth"; ///< Factors: all bandwidths of the machines but those of hosts; commands
                 ///< of memories keep their timing.
inline constexpr std::string_view kHostComputeInput = "host.flops"; ///< Factors: for all number types.

struct SensitivitySetup {
    std::shared_ptr<const ImportedModel> model;
    GraphOptions graph;
    WhichSetup machines;                            ///< Its graph is not used.
    std::vector<std::shared_ptr<const Host>> hosts; ///< That kHostInput can name.
    std::vector<SweepAxis> inputs;                  ///< Names and values; other fields are not used.
    WhichBy by = WhichBy::Request;
};

/// Those that people ask about: all hosts if machines have the same one, its memory and its arithmetic half and twice as fast, bandwidths
/// of the machines likewise, a quarter and four times of every open dimension, number types, orders.
std::vector<SweepAxis> usualInputs(const SensitivitySetup& setup);

/// With one value of one input, all else as it is.
struct DecidingValue {
    std::string value;
    std::string first; ///< Machine; empty: none has a time.
    double ns = 0;
    /// Time of the best other machine over that of the one that is first as things are: above 1 it stays first. 0: it has no time here;
    /// infinite: no other has.
    double lead = 0;
    /// Where \ref first takes over from it, a size or a factor, found by bisection: it takes them to cross once. A size is the nearest
    /// whose order is that of \ref value, a factor is within 2 %.
    std::optional<double> takesOverAt;
    std::string problem; ///< Not empty: the network cannot be had so.
};

struct DecidingInput {
    SweepAxis input;
    std::string now; ///< Its value as things are; "1" for factors.
    std::vector<DecidingValue> values;

    bool changesFirst() const; ///< At one of its values.
    /// The largest lead over the smallest, that of things as they are among them; infinite where the first has no time.
    double swing(double leadNow) const;
};

struct Sensitivity {
    DecidingValue now;                 ///< Its value is empty.
    std::string second;                ///< The best other machine.
    std::vector<DecidingInput> inputs; ///< Those with the largest swing first.
};

/// Errors: Usage (an input that nothing has, a value that is none), those of buildGraph() and which() for things as they are.
Result<Sensitivity> sensitivity(const BackendList& backends, const HostModel& hostModel,
                                const SensitivitySetup& setup, const TaskContext& task = {});

} // namespace pim
