// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The user's decisions as values: undoable, stored in the project, applied alike by the IDE and `--override FILE`.
#include "core/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pim {

/// One decision. \ref field names what is decided; which fields an op has and what is legal, the backend says
/// (Backend::overrideFields). Fields so far: "placement" (host | pim), "draft" (draft text), "dtype" (f16, bf16, …),
/// "residency/TENSOR" (resident | streamed), and those of a family.
struct Override {
    std::string op; ///< Op::name; "" for the whole network.
    std::string field;
    std::string value; ///< Canonical text.
    friend bool operator==(const Override&, const Override&) = default;
};

/// At most one value for each (op, field). Kept sorted, so equal sets are equal texts.
class Overrides {
public:
    /// \returns the value that was there before.
    std::optional<std::string> set(const Override& decision);
    std::optional<std::string> clear(const std::string& op, const std::string& field);
    const std::string* find(const std::string& op, const std::string& field) const;
    std::vector<Override> all() const;
    bool empty() const { return m_values.empty(); }
    std::size_t size() const { return m_values.size(); }

    /// {"ops": {"Conv_12": {"placement": "pim", "residency": {"W": "streamed"}}}, "network": {…}}; canonical.
    std::string json() const;
    /// Reads json() output, or a JSON Patch (RFC 6902: array of add, replace, remove) that is applied to \p base.
    /// Error::IllegalOverride with the JSON pointer that is wrong. Names of ops are checked later, against a graph.
    static Result<Overrides> fromJson(std::string_view text, const Overrides& base,
                                      std::string_view where = "overrides");
    /// The RFC 6902 patch that turns \p before into \p after.
    static std::string patch(const Overrides& before, const Overrides& after);

    friend bool operator==(const Overrides&, const Overrides&) = default;

private:
    std::map<std::pair<std::string, std::string>, std::string> m_values;
};

/// One value a field may take, or may not, with the reason.
struct LegalValue {
    std::string value;
    bool legal = true;
    std::string reason; ///< Why not; or a remark ("current choice", "3.2× slower").
};

/// What can be decided about an op.
struct OverrideField {
    std::string field;              ///< As in Override::field.
    std::string label;              ///< For a person: "Placement", "Residency of W".
    std::string current;            ///< Value in force.
    bool overridden = false;        ///< The value in force is the user's, not the compiler's.
    std::vector<LegalValue> values; ///< Empty if free text (then checkOverride decides).
};

} // namespace pim
