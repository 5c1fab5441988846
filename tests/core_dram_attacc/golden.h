// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The files measured with the AttAcc simulator: small ones in the tree, large ones beside it where they are
/// present.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace pim::test {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<CsvRow> readCsv(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::vector<std::string> heads;
    std::vector<CsvRow> rows;
    for (std::string line; std::getline(in, line);) {
        std::istringstream cells(line);
        std::vector<std::string> values;
        for (std::string cell; std::getline(cells, cell, ',');)
            values.push_back(cell);
        if (heads.empty()) {
            heads = values;
            continue;
        }
        CsvRow row;
        for (std::size_t i = 0; i < heads.size() && i < values.size(); ++i)
            row[heads[i]] = values[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

inline std::filesystem::path attAccGolden(const std::string& name) {
    return std::filesystem::path(PIM_SOURCE_DIR) / "tests/golden/attacc" / name;
}

/// Empty if neither place has it.
inline std::filesystem::path attAccTraceFile(const std::string& name) {
    for (const std::filesystem::path& file :
         {attAccGolden("traces/" + name),
          std::filesystem::path(PIM_SHARED_DIR) / "golden/attacc/pim_traces" / name})
        if (std::filesystem::exists(file))
            return file;
    return {};
}

} // namespace pim::test
