// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Checks JSON text nobody has vouched for: form (size, depth, UTF-8, keys given twice) and then a schema.
/// The schema is a subset of JSON Schema; target.schema.json lists the words understood.
#include "core/base/result.h"

#include <filesystem>
#include <memory>

namespace pim {

/// Any number of threads may use one.
class JsonSchema {
public:
    /// A file is read once a process, however often it is asked for. Errors: Io (it is not there, or no schema).
    static Result<std::shared_ptr<const JsonSchema>> read(const std::filesystem::path& file);
    ~JsonSchema();

    /// All violations, each with its JSON path, the value seen and what is allowed; empty if the text is valid.
    /// Text that is not JSON at all gives one diagnostic with line and column. After 200 violations it stops
    /// looking. \param definition name under `$defs` of the schema to start from. \param where file name, put
    /// before every path.
    Diagnostics check(std::string_view text, std::string_view definition, std::string_view where) const;

private:
    struct Parsed;
    explicit JsonSchema(std::unique_ptr<const Parsed> schema);
    std::unique_ptr<const Parsed> m_schema;
};

/// Sums up violations (at least one is an error) in the one error a caller can show: "not a valid target: …". \param what it should be.
Error violationsError(const Diagnostics& diagnostics, std::string_view what, std::string_view where);

} // namespace pim
