// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The verbs of `pimc`, one file each. A function declares the options of its verb and says what to run;
/// adding one = one file + one line in verbs.cpp. Those of a family of hardware lie in a folder
/// of its own, with a list of their own.
#include "app/pimc/session.h"

#include <functional>
#include <span>
#include <vector>

namespace CLI {
class App;
}

namespace pim::cli {

/// What the verb does once its options are parsed.
using Action = std::function<Result<void>(Session&)>;

/// What a verb prints.
enum class VerbOutput : std::uint8_t {
    TextOrJson, ///< Text, or one document that resources/schemas/VERB.json describes.
    One,        ///< The same whatever is asked: there is no --json.
};

struct Verb {
    const char* name;
    const char* summary;
    /// Options that come from families of hardware are taken from the list.
    Action (*declare)(CLI::App&, const BackendList&);
    const char* formerName = nullptr; ///< Still understood.
    VerbOutput output = VerbOutput::TextOrJson;
};

/// Verbs under one heading of the help.
struct VerbGroup {
    const char* heading;
    std::span<const Verb> verbs;
};

/// All there are, in the order of the help.
std::vector<VerbGroup> verbGroups();

} // namespace pim::cli
