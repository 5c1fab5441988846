// SPDX-License-Identifier: GPL-3.0-or-later
// What core/hardware says of JSON documents, for check_inputs.py to compare with another validator.
// usage: judge_json SCHEMA DEFINITION < DOCUMENTS     one a line; prints a line for each: "valid", or what is wrong first.
#include "core/hardware/json_check.h"

#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc != 3)
        return 2;
    const auto schema = pim::JsonSchema::read(argv[1]);
    if (!schema)
        return 2;
    for (std::string line; std::getline(std::cin, line);) {
        const pim::Diagnostics found = (*schema)->check(line, argv[2], "document");
        std::cout << (found.empty() ? "valid" : found.front().object + " " + found.front().message) << '\n';
    }
    return 0;
}
