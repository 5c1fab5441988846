// SPDX-License-Identifier: GPL-3.0-or-later
// What core/hardware says of JSON documents, for check_inputs.py to compare with another validator.
// usage: judge_json SCHEMA DEFINITION < DOCUMENTS     one a line; prints a line for each: "valid", or what is wrong first.
#include "core/hardware/json_check.h"

#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc != 3)
        return 2;
    std::ifstream file(argv[1]);
    const std::string schema{std::istreambuf_iterator<char>(file), {}};
    for (std::string line; std::getline(std::cin, line);) {
        const pim::Diagnostics found = pim::checkJson(line, schema, argv[2], "document");
        std::cout << (found.empty() ? "valid" : found.front().object + " " + found.front().message) << '\n';
    }
    return 0;
}
