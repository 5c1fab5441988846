// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/option_text.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim {
namespace {

template <class Number>
bool setPositive(std::string_view text, Number most, Number& value) {
    const auto number = parsePositive(text, most);
    value = number.value_or(value);
    return number.has_value();
}

/// In the order of CrossbarReferee.
constexpr std::array<std::string_view, 3> kReferees{"profiler", "pimcomp-compat", "pimcomp-nominal"};

using Entry = OptionEntry<CrossbarOptions>;

std::vector<Entry> entries() {
    return {
        {{"mode", "ht|ll", "most samples per second (ht), or a sample as soon as possible (ll)", true},
         [](const CrossbarOptions& o) {
             return std::string(o.mode == CrossbarMode::HighThroughput ? "ht" : "ll");
         },
         [](CrossbarOptions& o, std::string_view v) {
             o.mode = v == "ll" ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput;
             return v == "ht" || v == "ll";
         }},
        // A first look makes one program, of the layout that the estimate finds best. [measured against a search with its whole budget:
        // HT, 13 pairs of network and chip, 1 % slower in the median, 19 % at worst; LL, 8 pairs, 10 and 49 %]
        {{.key = "strategy",
          .values = "NAME",
          .meaning = "who replicates layers and places array groups",
          .quick = "constructive"},
         [](const CrossbarOptions& o) { return o.strategy; },
         [](CrossbarOptions& o, std::string_view v) {
             o.strategy = v;
             return !v.empty();
         }},
        {{"stage-layers", "mapped|auto|N",
          "ht: layers per stage; more of them bring the first result sooner. mapped: what the mapping says, "
          "which a search decides by timing programs and is 1 otherwise; auto: as many as cost at most 3 % "
          "of the period",
          false, "groups"},
         [](const CrossbarOptions& o) { return layersAStageText(o.layersAStage); },
         [](CrossbarOptions& o, std::string_view v) {
             const std::optional<int> layers = layersAStageFromText(v);
             o.layersAStage = layers.value_or(o.layersAStage);
             return layers.has_value();
         }},
        {{"tiles", "mapped|none|N",
          "ll: layers whose maps have N rows or more are dealt out in tiles, each after the one before, "
          "others in strips that follow "
          "each other row by row. mapped: what the mapping says"},
         [](const CrossbarOptions& o) { return tilesText(o.tilesFromRows); },
         [](CrossbarOptions& o, std::string_view v) {
             const std::optional<int> rows = tilesFromText(v);
             o.tilesFromRows = rows.value_or(o.tilesFromRows);
             return rows.has_value();
         }},
        {{"evaluations",
          "auto|N",
          "programs a search makes and times, and estimates in proportion; the result is the same on every "
          "machine. "
          "auto: by the size of the program, at most 256",
          false,
          {},
          "1"},
         [](const CrossbarOptions& o) {
             return o.evaluations == kAutomaticEvaluations ? "auto" : std::to_string(o.evaluations);
         },
         [](CrossbarOptions& o, std::string_view v) {
             if (v != "auto")
                 return setPositive(v, 1'000'000, o.evaluations);
             o.evaluations = kAutomaticEvaluations;
             return true;
         }},
        {{"seconds", "none|N",
          "in place of evaluations, a search takes as long as this, at most 86400; the result then depends "
          "on the "
          "machine and on what else it does"},
         [](const CrossbarOptions& o) { return o.seconds ? fmt::format("{}", *o.seconds) : "none"; },
         [](CrossbarOptions& o, std::string_view v) {
             const std::optional<double> seconds = parsePositive(v, 86400.0);
             o.seconds = seconds;
             return seconds || v == "none";
         }},
        {{"referee", "profiler|pimcomp-compat|pimcomp-nominal",
          "by whose clocks programs are made, and chosen by a search"},
         [](const CrossbarOptions& o) { return std::string(kReferees[std::size_t(o.referee)]); },
         [](CrossbarOptions& o, std::string_view v) {
             const auto* const found = std::ranges::find(kReferees, v);
             if (found == kReferees.end())
                 return false;
             o.referee = CrossbarReferee(found - kReferees.begin());
             return true;
         }},
        {{"population", "N", "chromosomes of the genetic algorithm; at most 100000"},
         [](const CrossbarOptions& o) { return std::to_string(o.population); },
         [](CrossbarOptions& o, std::string_view v) { return setPositive(v, 100'000, o.population); }},
        {{"iterations", "N", "generations of the genetic algorithm; at most 1000000"},
         [](const CrossbarOptions& o) { return std::to_string(o.iterations); },
         [](CrossbarOptions& o, std::string_view v) { return setPositive(v, 1'000'000, o.iterations); }},
    };
}

} // namespace

std::string layersAStageText(int layers) {
    return layers == kMappedStages ? "mapped" : layers == kAutomaticStages ? "auto" : std::to_string(layers);
}

std::optional<int> layersAStageFromText(std::string_view text) {
    if (text == "mapped")
        return kMappedStages;
    int layers = kAutomaticStages;
    if (text != "auto" && !setPositive(text, kMostLayersAStage, layers))
        return std::nullopt;
    return layers;
}

std::string tilesText(int fromRows) {
    return fromRows == kMappedTiles ? "mapped" : fromRows == 0 ? "none" : std::to_string(fromRows);
}

std::optional<int> tilesFromText(std::string_view text) {
    int rows = text == "mapped" ? kMappedTiles : 0;
    if (text != "mapped" && text != "none" && !setPositive(text, kMostTileRows, rows))
        return std::nullopt;
    return rows;
}

const TypedOptionTable<CrossbarOptions>& crossbarOptionTable() {
    static const TypedOptionTable<CrossbarOptions> kTable(entries());
    return kTable;
}

} // namespace pim
