// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/choice_text.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <span>

namespace pim::upmem {
namespace {

constexpr std::int64_t kMostOfAChoice = std::numeric_limits<std::int32_t>::max();

/// "16x24x8" into as many numbers as \p into has room for.
bool readLengths(std::string_view text, std::span<std::int64_t> into) {
    for (std::size_t i = 0; i < into.size(); ++i) {
        const std::size_t end = text.find('x');
        if ((end == std::string_view::npos) != (i + 1 == into.size()))
            return false;
        const auto number = parsePositive<std::int64_t>(text.substr(0, end), kMostOfAChoice);
        if (!number)
            return false;
        into[i] = *number;
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return true;
}

bool readLoad(std::string_view text, LutKernel& kernel) {
    const std::string_view word = text.substr(0, text.find('-'));
    const std::string_view sizes = word.size() < text.size() ? text.substr(word.size() + 1) : "";
    for (const LutLoad load : {LutLoad::Static, LutLoad::Fine, LutLoad::Coarse})
        if (word == name(load)) {
            kernel.load = load;
            std::int64_t lengths[2] = {0, 0};
            if (!readLengths(sizes, std::span(lengths).first(std::size_t(load == LutLoad::Coarse ? 2 : 1))))
                return load == LutLoad::Static && word == text;
            kernel.loadFeatures = lengths[0];
            kernel.loadCodebooks = lengths[1];
            return load != LutLoad::Static;
        }
    return false;
}

bool readParts(std::span<const std::string_view, 5> parts, LutChoice& choice) {
    LutKernel& kernel = choice.mapping.kernel;
    std::int64_t split[2], tile[3];
    const auto tasklets = parsePositive<std::int64_t>(parts[4], kMostTasklets);
    if (!readLengths(parts[0], split) || !readLengths(parts[1], tile) || !tasklets ||
        !readLoad(parts[3], kernel))
        return false;
    for (const LutLoopOrder order : {LutLoopOrder::Nfc, LutLoopOrder::Ncf, LutLoopOrder::Fnc,
                                     LutLoopOrder::Fcn, LutLoopOrder::Cnf, LutLoopOrder::Cfn})
        if (parts[2] == name(order)) { // not its number: one text for one choice
            choice.mapping.split = {split[0], split[1]};
            kernel.order = order;
            kernel.rows = tile[0];
            kernel.features = tile[1];
            kernel.codebooks = tile[2];
            choice.tasklets = *tasklets;
            return true;
        }
    return false;
}

} // namespace

std::string text(const LutChoice& choice) {
    const auto& [split, kernel] = choice.mapping;
    std::string load(name(kernel.load));
    if (kernel.load == LutLoad::Fine)
        load += fmt::format("-{}", kernel.loadFeatures);
    if (kernel.load == LutLoad::Coarse)
        load += fmt::format("-{}x{}", kernel.loadFeatures, kernel.loadCodebooks);
    return fmt::format("{}x{}/{}x{}x{}/{}/{}/{}", split.rows, split.features, kernel.rows, kernel.features,
                       kernel.codebooks, name(kernel.order), load, choice.tasklets);
}

Result<LutChoice> parseLutChoice(std::string_view text) {
    std::string_view parts[5], rest = text;
    std::size_t count = 0;
    for (bool more = true; more && count < std::size(parts); ++count) {
        const std::size_t end = rest.find('/');
        parts[count] = rest.substr(0, end);
        more = end != std::string_view::npos;
        rest.remove_prefix(more ? end + 1 : rest.size());
    }
    LutChoice choice;
    if (count != std::size(parts) || !rest.empty() || !readParts(parts, choice) ||
        pim::upmem::text(choice) != text)
        return fail(
            ErrorCode::IllegalOverride,
            fmt::format("\"{}\" is no mapping of look-ups; expected n_stile x f_stile, n_mtile x f_mtile x "
                        "cb_mtile, the loop order, the load and 1 to {} tasklets, as in "
                        "\"64x96/16x24x8/nfc/coarse-8x16/16\"",
                        text, kMostTasklets),
            {},
            "loads: static, fine-F, coarse-FxCB; click one in LUT Mappings, or take it from pimc lut-tune");
    return choice;
}

} // namespace pim::upmem
