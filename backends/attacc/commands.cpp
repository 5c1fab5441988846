// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/commands.h"

#include "core/dram_pim/pim_code.h"

#include <algorithm>

namespace pim::attacc {

std::vector<Opcode> opcodes() {
    return {
        {"SETM",
         {"spread", "copies", "merge", "together"},
         "Set up the units. They are numbered over pseudo-channels, bank groups, ranks and banks, together "
         "neighbours in "
         "one bank group; unit n has the operand set n / (spread * copies) * spread + n % spread; MVSB adds "
         "the results "
         "of merge units."},
        {"SETH",
         {"head", "start"},
         "Choose the head that SFM and MVGB are for; start forgets what SFM has seen of it."},
        {"ACT", {"bank", "row"}, "Open a row of one bank."},
        {"PRE", {"bank"}, "Close the row of one bank."},
        {"WR", {"bank", "row", "col", "tensor", "burst"}, "Write 32 B of host data into a bank."},
        {"RD", {"bank", "row", "col", "tensor", "burst"}, "Read 32 B from a bank to the host."},
        {"PREA", {}, "Close the rows of all banks."},
        {"ACTAB", {"row"}, "Open a row in all banks of the channel."},
        {"MACAB",
         {"row", "col", "slot", "acc"},
         "Multiply 16 elements in every bank with a slot of its GEMV buffer and add the sum to an "
         "accumulator."},
        {"WRGB",
         {"bank", "set", "slot", "tensor", "burst"},
         "Write 32 B of host data into a slot of the GEMV buffers of an operand set."},
        {"MVSB",
         {"bank", "acc", "slot", "add"},
         "Move the 16 results from an accumulator on to a slot of the softmax buffer, or add them to it, and "
         "clear them."},
        {"SFM",
         {"slot", "step", "valid"},
         "Take scores from a slot (and those a step further) into the softmax of the head."},
        {"MVGB",
         {"bank", "set", "slot", "from"},
         "Move the probabilities of 16 scores into a slot of the GEMV buffers of an operand set."},
        {"WRSB",
         {"bank", "slot", "tensor", "burst"},
         "Write 32 B of host data into a slot of the softmax buffer."},
        {"RDSB",
         {"bank", "slot", "tensor", "burst"},
         "Read 32 B of results from a slot of the softmax buffer to the host."},
        {"BARRIER", {}, "Wait until all data moved and all results computed so far are at their places."}};
}

Geometry::Geometry(const Target& target) {
    const auto number = [&target](const char* name, auto& value) {
        value = std::max<std::remove_reference_t<decltype(value)>>(
            1, static_cast<std::remove_reference_t<decltype(value)>>(target.numberOr(name, double(value))));
    };
    number("organisation.pseudochannels", pseudochannels);
    number("organisation.ranks", ranks);
    number("organisation.bankGroups", bankGroups);
    number("organisation.banks", banks);
    number("organisation.rows", rows);
    number("organisation.columns", columns);
    number("timing.nCCDAB", macGap);
    if (!target.isOn("policy.powerLimit"))
        number("timing.nCCDAB.unlimited", macGap);
    number("timing.nRCDRD", rowOpen);
    const std::int64_t access =
        std::max<std::int64_t>(1, std::int64_t(target.numberOr("organisation.accessBytes", 32)));
    if (const Level* core = target.level("core"))
        if (const Memory* buffer = core->memory("GEMV buffer"))
            bufferBursts = std::max<std::int64_t>(1, buffer->bytes / access);
    const Level* const group = target.level("group");
    if (!group)
        return;
    if (const Memory* buffer = group->memory("softmax buffer"))
        softmaxSlots = std::max<std::int64_t>(1, buffer->bytes / (16 * 4));
    // As many scores, in whole slots, as the unit handles in the time of one SFM.
    const double elements = softmaxElementsOf(target);
    softmaxElements = std::max(1, int(elements / kPimLanes)) * kPimLanes;
}

double softmaxElementsOf(const Target& target) {
    const Level* const group = target.level("group");
    const double flopsPerNs =
        target.number("unit.softmax.flops", "GFLOP/s").value_or(0) / std::max(1, group ? group->count : 1);
    const double ns =
        target.timeNs("timing.tCK").value_or(1) * std::max(1.0, target.numberOr("timing.nSFM", 1));
    return flopsPerNs * ns / std::max(1.0, target.numberOr("unit.softmax.flopsPerElement", 5));
}

int Geometry::bankAt(int position, int together) const {
    const int low = position % together;
    int rest = position / together;
    const int pseudochannel = rest % pseudochannels;
    rest /= pseudochannels;
    const int bankGroup = rest % bankGroups;
    rest /= bankGroups;
    const int rank = rest % ranks;
    rest /= ranks;
    return ((pseudochannel * ranks + rank) * bankGroups + bankGroup) * banks + rest * together + low;
}

int Geometry::positionOf(int bank, int together) const {
    const int inGroup = bank % banks;
    int rest = bank / banks;
    const int bankGroup = rest % bankGroups;
    rest /= bankGroups;
    const int rank = rest % ranks, pseudochannel = rest / ranks;
    return (((inGroup / together * ranks + rank) * bankGroups + bankGroup) * pseudochannels + pseudochannel) *
               together +
           inGroup % together;
}

} // namespace pim::attacc
