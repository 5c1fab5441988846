// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What was published about CINM (ASPLOS 2025), computed anew: its 15 programs on UPMEM modules (figures 11 and 12, table 4), the
/// counters of memristor tiles (Open CIM Compiler), how many tile writes the order of loops saves, and whether each program computes
/// what plain loops do. Numbers of the papers are data: resources/evaluation. Flow: files -> [computeCinm] -> document, JSON.
#include "backends/cinm/flow.h"
#include "core/hardware/catalog.h"
#include "core/plan/document.h"

#include <optional>

namespace pim::evaluation {

struct CinmTimeRow {
    std::string benchmark;
    int modules = 0;
    std::optional<double> cinmMs, cinmOptMs, primMs; ///< As published.
    std::optional<double> evenMs, oursMs; ///< Equal boxes; the draft that was searched. Transfers included.
    std::optional<double>
        primWayMs; ///< Our kernel after PrIM's on the engine, transfers included; where PrIM has it.
    std::string note;
};

struct CinmProgramRow {
    std::string benchmark, sizes;                       ///< "1024 x 1024 x 1024"
    std::int64_t lines = 0, cLines = 0;                 ///< Of the cinm program, and of C for DPUs and host.
    std::optional<int> publishedLines, publishedCLines; ///< Table 4.
    std::int64_t usualWrites = 0,
                 leastWrites = 0;   ///< Of 64 x 64 tiles: the usual order, the search for few writes.
    double usualNs = 0, bestNs = 0; ///< At 8 bits: the usual order, the search for time.
    std::int64_t levels = 0,
                 wrongLevels =
                     0; ///< Ways it was run on small sizes: levels of both machines, the DPU engine.
    std::string firstWrong;
};

struct TileCounterRow {
    std::string benchmark, configuration;
    std::int64_t publishedWritten = 0, publishedRead = 0, written = 0, read = 0;
    double publishedSeconds = 0, seconds = 0;
    std::string note;
    bool isExact() const { return written == publishedWritten && read == publishedRead; }
};

struct CinmEvaluation {
    std::vector<CinmTimeRow> times;
    std::vector<CinmProgramRow> programs;
    std::vector<TileCounterRow> counters;
};

/// Errors: Io and InvalidFile of the data files; those of lower(); Cancelled.
Result<CinmEvaluation> computeCinm(const TargetCatalog& catalog, const TaskContext& task);

report::Document cinmDocument(const CinmEvaluation& evaluation);
std::string cinmJson(const CinmEvaluation& evaluation);

} // namespace pim::evaluation
